// SPDX-License-Identifier: Apache-2.0
#include "core/memory/plan.h"

#include "core/kernel/sized.h"

#include <QtTest>

#include <random>

using namespace cutaway;
using kernel::BufferId;
using memory::Placement;

namespace {

/// Kernels that read and write buffers of given sizes; what they compute does not matter here.
struct Sketch {
    kernel::KernelProgram program;

    BufferId buffer(int64_t floats, kernel::BufferKind kind = kernel::BufferKind::Pointwise) {
        kernel::Buffer b;
        b.id = BufferId(static_cast<uint32_t>(program.loops.buffers.size()));
        b.name = "b" + std::to_string(b.id.index);
        b.kind = kind;
        b.sizes = {ir::Sym(floats)};
        b.strides = {ir::Sym(1)};
        if (kind == kernel::BufferKind::Input) program.loops.inputs.push_back(b.id);
        program.loops.buffers.push_back(b);
        return b.id;
    }
    void kernel(std::vector<BufferId> reads, std::vector<BufferId> writes) {
        kernel::Kernel k;
        k.reads = std::move(reads);
        k.writes = std::move(writes);
        program.kernels.push_back(k);
    }
    /// A kernel of one loop: every stored element is computed from elements of \p reads at \p place.
    void pointwise(const std::vector<BufferId>& reads, const std::vector<BufferId>& writes,
                   const ir::Sym& place = ir::Var{'o', 0}) {
        kernel(reads, writes);
        kernel::LoopTree& tree = program.kernels.back().tree.emplace();
        kernel::Step loop;
        loop.kind = kernel::Step::Kind::Loop;
        loop.axis = tree.addAxis({'o', 0}, program.loops.buffer(writes[0]).sizes[0]);
        kernel::ExprPool& pool = program.loops.pool;
        for (size_t i = 0; i < writes.size(); ++i) {
            kernel::Step store;
            store.kind = kernel::Step::Kind::Store;
            store.value = pool.load(reads[i % reads.size()], ir::DType::Float32, {{place, {}}});
            store.target = writes[i];
            store.coords = {{ir::Sym(ir::Var{'o', 0}), {}}};
            loop.body.push_back(tree.add(store));
        }
        tree.root = {tree.add(loop)};
    }
    void output(BufferId id, int64_t offset = 0) {
        program.loops.outputs.push_back({id, {ir::Sym(1)}, {ir::Sym(1)}, ir::Sym(offset)});
    }
};

} // namespace

class TestPlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_dead_buffers_place_is_used_again() {
        Sketch s;
        BufferId x = s.buffer(16, kernel::BufferKind::Input);
        BufferId a = s.buffer(1024), b = s.buffer(1024), c = s.buffer(1024), out = s.buffer(1024);
        s.kernel({x}, {a});
        s.kernel({a}, {b});
        s.kernel({b}, {c});
        s.kernel({c}, {out});
        s.output(out);
        const memory::MemoryPlan plan = memory::planMemory(s.program);
        QCOMPARE(plan.arenaBytes, int64_t(2 * 4096));
        QCOMPARE(plan.unsharedBytes, int64_t(3 * 4096));
        QCOMPARE(plan.outputAllocations, 1);
        QCOMPARE(plan.find(c)->offset, plan.find(a)->offset);
        QCOMPARE(plan.find(c)->reason, std::string("reuses the place of b1 (dead after kernel 1)"));
        QVERIFY(plan.find(x)->kind == Placement::Kind::Input);
        QVERIFY(plan.find(out)->kind == Placement::Kind::Output);
        QCOMPARE(plan.find(b)->firstKernel, 1);
        QCOMPARE(plan.find(b)->lastKernel, 2);
    }
    void a_result_takes_the_place_of_what_is_read_for_the_last_time() {
        Sketch s;
        const BufferId x = s.buffer(16, kernel::BufferKind::Input), a = s.buffer(1024),
                       b = s.buffer(1024), c = s.buffer(1024), out = s.buffer(16);
        s.kernel({x}, {a});
        s.pointwise({a}, {b});
        s.pointwise({b}, {c});
        s.kernel({c}, {out});
        s.output(out);
        const memory::MemoryPlan plan = memory::planMemory(s.program);
        QCOMPARE(plan.arenaBytes, int64_t(4096));
        QCOMPARE(plan.unsharedBytes, int64_t(3 * 4096));
        QCOMPARE(plan.find(c)->offset, plan.find(a)->offset);
        QCOMPARE(plan.find(b)->reason,
                 std::string("in the place of b1, which its kernel reads last"));
        QVERIFY(!memory::verify(plan, s.program));
    }
    void a_result_for_the_caller_is_computed_where_it_is_returned() {
        Sketch s;
        const BufferId x = s.buffer(16, kernel::BufferKind::Input), a = s.buffer(1024),
                       out = s.buffer(1024);
        s.kernel({x}, {a});
        s.pointwise({a}, {out});
        s.output(out);
        const memory::MemoryPlan plan = memory::planMemory(s.program);
        QCOMPARE(plan.arenaBytes, int64_t(0));
        QCOMPARE(plan.outputAllocations, 1);
        QVERIFY(plan.find(a)->kind == Placement::Kind::Output);
        QVERIFY(!memory::verify(plan, s.program));
    }
    void what_is_needed_longer_or_elsewhere_keeps_its_place() {
        const ir::Sym here = ir::Var{'o', 0};
        // How many times 4096 bytes the arena takes; fill computes c of a, perhaps by b.
        const auto arena = [](auto&& fill) {
            Sketch s;
            const BufferId x = s.buffer(16, kernel::BufferKind::Input), a = s.buffer(1024),
                           b = s.buffer(1024), c = s.buffer(1024), out = s.buffer(16);
            s.kernel({x}, {a});
            fill(s, a, b, c);
            s.kernel({c}, {out});
            s.output(out);
            const memory::MemoryPlan plan = memory::planMemory(s.program);
            return memory::verify(plan, s.program) ? int64_t(-1) : plan.arenaBytes / 4096;
        };
        using B = BufferId;
        // c's value is a's, loaded when b is there already: c takes the place, b cannot.
        QCOMPARE(arena([](Sketch& s, B a, B b, B c) { s.pointwise({a}, {b, c}); }), int64_t(2));
        QCOMPARE(arena([&](Sketch& s, B a, B b, B c) {
                     s.pointwise({a}, {b}, here * -1 + 1023);
                     s.pointwise({b}, {c});
                 }),
                 int64_t(2));
        QCOMPARE(arena([](Sketch& s, B a, B b, B c) {
                     s.pointwise({a}, {b});
                     s.pointwise({a}, {c});
                 }),
                 int64_t(2));
        QCOMPARE(arena([](Sketch& s, B a, B b, B c) {
                     s.pointwise({a}, {b, c});
                     s.program.kernels.back().device.kind = ir::Device::Kind::Cuda;
                 }),
                 int64_t(3));
        QCOMPARE(arena([](Sketch& s, B a, B b, B c) {
                     s.program.loops.buffer(b).dtype = ir::DType::Float64;
                     s.pointwise({a}, {b});
                     s.kernel({b}, {c});
                 }),
                 int64_t(3));
        QCOMPARE(arena([](Sketch& s, B a, B b, B c) {
                     s.pointwise({a}, {b});
                     s.kernel({b}, {c});
                     s.output(a);
                 }),
                 int64_t(2));
    }
    void with_symbols_no_sizes_make_buffers_meet() {
        // Hints rank s0 above s1; in calls it may be the other way round.
        std::mt19937 random(5);
        for (int trial = 0; trial < 200; ++trial) {
            Sketch s;
            auto shapes = std::make_shared<ir::ShapeEnv>();
            const ir::Sym sizes[] = {shapes->add(1000, "a"), shapes->add(10, "b"), ir::Sym(64)};
            s.program.loops.shapes = shapes;
            std::vector<BufferId> alive = {s.buffer(16, kernel::BufferKind::Input)};
            for (int k = 0; k < 12; ++k) {
                const BufferId out = s.buffer(1);
                s.program.loops.buffer(out).sizes = {sizes[random() % 3] * sizes[random() % 3]};
                s.kernel({alive[random() % alive.size()], alive.back()}, {out});
                alive.push_back(out);
            }
            s.output(alive.back());
            const memory::MemoryPlan plan = memory::planMemory(s.program);
            QVERIFY(!memory::verify(plan, s.program));
            kernel::SizedProgram sized(s.program);
            for (const auto& symbols : {std::vector<int64_t>{1000, 10}, {2, 5000}, {7, 7}}) {
                const kernel::KernelProgram& numbers = sized.at(symbols);
                const memory::MemoryPlan other = memory::planFor(plan, numbers);
                const auto problem = memory::verify(other, numbers);
                QVERIFY2(!problem, problem ? problem->c_str() : "");
                for (const Placement& p : other.placements)
                    QCOMPARE(p.bytes, numbers.loops.buffer(p.buffer).bytes());
            }
        }
    }
    void outputs_that_show_one_buffer_share_its_allocation() {
        Sketch s;
        BufferId x = s.buffer(16, kernel::BufferKind::Input), a = s.buffer(64);
        s.kernel({x}, {a});
        s.output(a);
        s.output(a, 8);
        s.output(x);
        s.program.loops.outputs.push_back({});
        const memory::MemoryPlan plan = memory::planMemory(s.program);
        QCOMPARE(plan.outputAllocations, 1);
        QVERIFY(plan.find(x)->kind == Placement::Kind::Input);
        QCOMPARE(plan.arenaBytes, int64_t(0));
    }
    void buffers_that_never_reach_memory_have_no_place() {
        Sketch s;
        BufferId x = s.buffer(16, kernel::BufferKind::Input), inside = s.buffer(64),
                 a = s.buffer(64);
        s.kernel({x}, {a});
        s.output(a);
        QVERIFY(memory::planMemory(s.program).find(inside) == nullptr);
    }
    void only_library_calls_have_workspace() {
        Sketch s;
        BufferId x = s.buffer(16, kernel::BufferKind::Input), a = s.buffer(64), b = s.buffer(64);
        s.kernel({x}, {a});
        s.kernel({a}, {b});
        s.program.kernels[1].call = kernel::LibraryCall{};
        s.output(b);
        memory::MemoryPlan plan = memory::planMemory(s.program);
        plan.workspaces = {{1, 4096, "loops"}};
        QVERIFY(!memory::verify(plan, s.program));
        for (const memory::Workspace& wrong :
             {memory::Workspace{0, 4096, "loops"}, {1, 0, "loops"}, {2, 64, "loops"}}) {
            plan.workspaces = {wrong};
            QVERIFY(memory::verify(plan, s.program));
        }
    }
    void live_buffers_never_overlap() {
        for (uint32_t seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            Sketch s;
            std::vector<BufferId> known = {s.buffer(16, kernel::BufferKind::Input)};
            for (int k = 0; k < 40; ++k) {
                std::vector<BufferId> reads, writes;
                for (size_t i = 0; i < 1 + random() % 3; ++i) {
                    const size_t back = std::min<size_t>(known.size(), 8);
                    reads.push_back(known[known.size() - 1 - random() % back]);
                }
                for (size_t i = 0; i < 1 + random() % 2; ++i)
                    writes.push_back(s.buffer(random() % 5000));
                known.insert(known.end(), writes.begin(), writes.end());
                s.kernel(reads, writes);
            }
            s.output(known.back());
            const memory::MemoryPlan plan = memory::planMemory(s.program);
            for (const Placement& a : plan.placements)
                for (const Placement& b : plan.placements) {
                    if (!(a.buffer < b.buffer) || a.kind != Placement::Kind::Arena ||
                        b.kind != Placement::Kind::Arena)
                        continue;
                    const bool together =
                        a.firstKernel <= b.lastKernel && b.firstKernel <= a.lastKernel;
                    const bool apart =
                        a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
                    QVERIFY(!together || apart);
                }
            int64_t end = 0;
            for (const Placement& a : plan.placements) {
                if (a.kind != Placement::Kind::Arena) continue;
                QCOMPARE(a.offset % 64, int64_t(0));
                end = std::max(end, a.offset + a.bytes);
            }
            QVERIFY(end <= plan.arenaBytes && plan.arenaBytes <= plan.unsharedBytes);
        }
    }
};

QTEST_APPLESS_MAIN(TestPlan)
#include "test_plan.moc"
