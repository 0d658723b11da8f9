// SPDX-License-Identifier: Apache-2.0
#include "core/base/sanitizers.h"
#include "core/runtime/target.h"

#include <QElapsedTimer>
#include <QtTest>
#include <thread>

using namespace cutaway;
using namespace cutaway::runtime;
using ir::DType;
using kernel::BufferId;
using kernel::BufferKind;
using memory::Placement;

namespace {

ir::Shape shape(std::initializer_list<int64_t> sizes) {
    return ir::Shape(sizes.begin(), sizes.end());
}

TensorPtr counting(std::vector<int64_t> sizes, double step = 1) {
    auto host = ir::HostTensor::zeros(DType::Float32, std::move(sizes));
    for (int64_t i = 0; i < host.numel(); ++i)
        host.set(i, step * static_cast<double>(i));
    return *fromHost(host, {});
}

/// Builds a program by hand, with a plan and machine code for its kernels.
struct Builder {
    std::shared_ptr<kernel::KernelProgram> program = std::make_shared<kernel::KernelProgram>();
    memory::MemoryPlan plan;
    std::vector<CompiledKernel> compiled;

    BufferId buffer(const std::string& name, BufferKind kind, ir::Shape sizes,
                    Placement::Kind place, int index = 0, int64_t offset = 0) {
        kernel::Buffer b;
        b.id = BufferId(static_cast<uint32_t>(program->loops.buffers.size()));
        b.name = name;
        b.kind = kind;
        b.strides = ir::contiguousStrides(sizes);
        b.sizes = std::move(sizes);
        Placement placement;
        placement.buffer = b.id;
        placement.kind = place;
        placement.index = index;
        placement.offset = offset;
        placement.bytes = b.bytes();
        plan.placements.push_back(placement);
        if (place == Placement::Kind::Output)
            plan.outputAllocations = std::max(plan.outputAllocations, index + 1);
        if (place == Placement::Kind::Arena)
            plan.arenaBytes = std::max(plan.arenaBytes, offset + placement.bytes);
        if (place == Placement::Kind::Input) program->loops.inputs.push_back(b.id);
        program->loops.buffers.push_back(std::move(b));
        return program->loops.buffers.back().id;
    }
    BufferId constant(const std::string& name, std::vector<int64_t> sizes, double value) {
        auto host = ir::HostTensor::zeros(DType::Float32, sizes);
        for (int64_t i = 0; i < host.numel(); ++i)
            host.set(i, value);
        BufferId id = buffer(name, BufferKind::Constant, ir::Shape(sizes.begin(), sizes.end()),
                             Placement::Kind::Constant, 7);
        program->loops.buffer(id).constant = std::make_shared<ir::HostTensor>(std::move(host));
        return id;
    }
    kernel::StridedView view(BufferId id) const {
        const kernel::Buffer& b = program->loops.buffer(id);
        return {id, b.sizes, b.strides, 0};
    }
    void output(kernel::StridedView view) {
        program->loops.outputNames.push_back("out");
        program->loops.outputs.push_back(std::move(view));
    }
    kernel::Kernel& kernel(const std::string& name, std::vector<BufferId> reads, BufferId write) {
        kernel::Kernel k;
        k.name = name;
        k.reads = std::move(reads);
        k.writes = {write};
        program->kernels.push_back(std::move(k));
        compiled.emplace_back();
        return program->kernels.back();
    }
    /// A kernel from C++ text: \p body sees `buffers`, `scratch` and `threads`.
    void generated(const std::string& name, std::vector<BufferId> reads, BufferId write,
                   const std::string& body, int64_t scratchBytes = 0) {
        static auto compiler = jit::CpuCompiler::create();
        kernel(name, std::move(reads), write).tree.emplace();
        CompiledKernel& target = compiled.back();
        target.source.entry = name;
        target.source.scratchBytes = ir::Sym(scratchBytes);
        target.source.text = "extern \"C\" void " + name +
                             "(void* const* buffers, void* scratch, long threads) {\n" + body +
                             "\n}\n";
        auto module = compiler->compile(name, target.source.text, {});
        if (!module) qFatal("%s", module.error().str().c_str());
        target.module = *module;
    }
    base::Result<std::shared_ptr<Executable>> make() {
        return targetRow(ir::Device::Kind::Cpu)
            .create()
            ->load(program, std::move(plan), std::move(compiled));
    }
};

std::string scale(int64_t n, const std::string& expression) {
    return "auto* a = (const float*)buffers[0]; auto* o = (float*)buffers[1];\n"
           "for (long i = 0; i < " +
           std::to_string(n) + "; ++i) o[i] = " + expression + ";";
}

} // namespace

class TestExecutable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kernels_run_in_order_through_the_arena();
    void constants_are_read_and_may_be_outputs();
    void outputs_may_be_views_inputs_and_none();
    void results_live_on_and_their_memory_comes_back();
    void inputs_may_be_views();
    void a_matrix_product_runs_between_generated_kernels();
    void every_kernel_is_timed();
    void threads_at_once_do_not_disturb_each_other();
    void scratch_is_there_and_aligned();
    void a_tiny_call_costs_about_a_microsecond();
    void a_plan_without_a_place_is_a_bug();
    void missing_machine_code_is_a_bug();
    void a_result_in_the_arena_is_a_bug();
};

void TestExecutable::kernels_run_in_order_through_the_arena() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({100}), Placement::Kind::Input);
    BufferId h = b.buffer("h", BufferKind::Pointwise, shape({100}), Placement::Kind::Arena, 0, 64);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({100}), Placement::Kind::Output);
    b.generated("twice", {x}, h, scale(100, "2 * a[i]"));
    b.generated("plus_one", {h}, y, scale(100, "a[i] + 1"));
    b.output(b.view(y));
    auto executable = b.make();
    QVERIFY(executable.ok());
    QCOMPARE((*executable)->launches(), 2);
    QCOMPARE((*executable)->arenaBytes(), int64_t{464});
    for (int call = 0; call < 3; ++call) {
        std::vector<TensorPtr> inputs{counting({100}, call)};
        auto results = (*executable)->run(inputs);
        QVERIFY(results.ok());
        QCOMPARE(toHost(*results->at(0))->get(99), 2.0 * 99 * call + 1);
    }
}

void TestExecutable::constants_are_read_and_may_be_outputs() {
    Builder b;
    BufferId first = b.constant("first", {4}, 3);
    BufferId second = b.constant("second", {4}, 5);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({4}), Placement::Kind::Output);
    b.generated("copy", {second}, y, scale(4, "a[i]"));
    b.output(b.view(y));
    b.output(b.view(first));
    auto results = (*b.make())->run({});
    QVERIFY(results.ok());
    QCOMPARE(toHost(*results->at(0))->get(3), 5.0);
    QCOMPARE(toHost(*results->at(1))->get(3), 3.0);
}

void TestExecutable::outputs_may_be_views_inputs_and_none() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({2, 3}), Placement::Kind::Input, 0);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({2, 3}), Placement::Kind::Output);
    b.generated("negate", {x}, y, scale(6, "-a[i]"));
    b.output({y, shape({3, 2}), shape({1, 3}), 0});
    b.output({y, shape({3}), shape({1}), 3});
    b.output(b.view(x));
    b.output({x, shape({2}), shape({3}), 1});
    b.output({});
    std::vector<TensorPtr> inputs{counting({2, 3})};
    auto results = (*b.make())->run(inputs);
    QVERIFY(results.ok());
    QCOMPARE(results->size(), size_t{5});
    auto& out = *results;
    QCOMPARE(toHost(*out[0])->get(1), -3.0);
    QCOMPARE(out[0]->storage.get(), out[1]->storage.get());
    QCOMPARE(toHost(*out[1])->get(0), -3.0);
    QCOMPARE(out[2].get(), inputs[0].get());
    QCOMPARE(out[3]->storage.get(), inputs[0]->storage.get());
    QCOMPARE(toHost(*out[3])->get(1), 4.0);
    QVERIFY(!out[4]);
}

void TestExecutable::results_live_on_and_their_memory_comes_back() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({1000}), Placement::Kind::Input);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({1000}), Placement::Kind::Output);
    b.generated("same", {x}, y, scale(1000, "a[i]"));
    b.output(b.view(y));
    auto executable = *b.make();
    std::vector<TensorPtr> one{counting({1000}, 1)}, two{counting({1000}, 2)};
    TensorPtr first = executable->run(one)->at(0);
    TensorPtr second = executable->run(two)->at(0);
    QVERIFY(first->data() != second->data());
    QCOMPARE(toHost(*first)->get(10), 10.0);
    int64_t before = memoryStatistics({}).currentBytes;
    void* place = second->data();
    second.reset();
    QCOMPARE(memoryStatistics({}).currentBytes, before - 4000);
    QCOMPARE(executable->run(two)->at(0)->data(), place);
    executable.reset();
    QCOMPARE(toHost(*first)->get(10), 10.0);
}

void TestExecutable::inputs_may_be_views() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({4}), Placement::Kind::Input);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({4}), Placement::Kind::Output);
    b.generated("same", {x}, y, scale(4, "a[i]"));
    b.output(b.view(y));
    b.output({x, shape({2}), shape({1}), 2});
    std::vector<TensorPtr> inputs{viewOf(counting({20}), shape({4}), shape({1}), 10)};
    auto results = (*b.make())->run(inputs);
    QCOMPARE(toHost(*results->at(0))->get(0), 10.0);
    QCOMPARE(toHost(*results->at(1))->get(0), 12.0);
}

void TestExecutable::a_matrix_product_runs_between_generated_kernels() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({20, 30}), Placement::Kind::Input, 0);
    BufferId w = b.buffer("w", BufferKind::Input, shape({40, 30}), Placement::Kind::Input, 1);
    BufferId h = b.buffer("h", BufferKind::Pointwise, shape({20, 30}), Placement::Kind::Arena);
    BufferId bias = b.constant("bias", {40}, 0.5);
    BufferId y = b.buffer("y", BufferKind::Library, shape({20, 40}), Placement::Kind::Output);
    b.generated("halve", {x}, h, scale(600, "a[i] / 2"));
    kernel::Kernel& product = b.kernel("mm", {h, w, bias}, y);
    kernel::LibraryCall& call = product.call.emplace();
    call.sizes = shape({20, 40});
    call.strides = shape({40, 1});
    call.operands = {b.view(h), {w, shape({30, 40}), shape({1, 30}), 0}};
    call.bias = kernel::StridedView{bias, shape({20, 40}), shape({0, 1}), 0};
    call.epilogues.push_back({kernel::Epilogue::Kind::MulScalar, 2, {}, {}});
    b.output(b.view(y));
    std::vector<TensorPtr> inputs{counting({20, 30}, 0.01), counting({40, 30}, 0.02)};
    auto executable = b.make();
    QVERIFY(executable.ok());
    auto results = (*executable)->run(inputs);
    QVERIFY(results.ok());
    auto host = *toHost(*results->at(0));
    double sum = 0.5;
    for (int k = 0; k < 30; ++k)
        sum += 0.005 * (3 * 30 + k) * 0.02 * (7 * 30 + k);
    QVERIFY(std::abs(host.get(3 * 40 + 7) - 2 * sum) < 1e-3);
}

void TestExecutable::every_kernel_is_timed() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({4}), Placement::Kind::Input);
    BufferId h = b.buffer("h", BufferKind::Pointwise, shape({4}), Placement::Kind::Arena);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({4}), Placement::Kind::Output);
    b.generated("quick", {x}, h, scale(4, "a[i]"));
    b.generated("slow", {h}, y,
                "float s = 0; for (long i = 0; i < 3000000; ++i) s = s * 0.5f + 1;\n" +
                    scale(4, "a[i] + s"));
    b.output(b.view(y));
    std::vector<TensorPtr> inputs{counting({4})};
    std::vector<KernelTime> times{{5, 5}};
    auto results = (*b.make())->profile(inputs, times);
    QVERIFY(results.ok());
    QCOMPARE(toHost(*results->at(0))->get(1), 3.0);
    QCOMPARE(times.size(), size_t{2});
    QCOMPARE(times[0].kernel, 0);
    QCOMPARE(times[1].kernel, 1);
    QVERIFY(times[1].us > 100);
    QVERIFY(times[0].us >= 0 && times[0].us < times[1].us);
}

void TestExecutable::threads_at_once_do_not_disturb_each_other() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({1000}), Placement::Kind::Input);
    BufferId h = b.buffer("h", BufferKind::Pointwise, shape({1000}), Placement::Kind::Arena);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({1000}), Placement::Kind::Output);
    b.generated("up", {x}, h, scale(1000, "a[i] + 1"));
    b.generated("down", {h}, y, scale(1000, "a[i] - 1"));
    b.output(b.view(y));
    auto executable = *b.make();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            std::vector<TensorPtr> inputs{counting({1000}, t)};
            for (int i = 0; i < 500; ++i) {
                auto results = executable->run(inputs);
                if (!results || toHost(*results->at(0))->get(999) != 999.0 * t) ++wrong;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
}

void TestExecutable::scratch_is_there_and_aligned() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({4}), Placement::Kind::Input);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({4}), Placement::Kind::Output);
    b.generated("through", {x}, y,
                "auto* s = (float*)scratch; auto* a = (const float*)buffers[0];\n"
                "auto* o = (float*)buffers[1];\n"
                "for (long i = 0; i < 4; ++i) s[996 + i] = a[i];\n"
                "for (long i = 0; i < 4; ++i) o[i] = s[996 + i] + (float)((long)scratch % 64);",
                4000);
    b.output(b.view(y));
    std::vector<TensorPtr> inputs{counting({4})};
    auto results = (*b.make())->run(inputs);
    QCOMPARE(toHost(*results->at(0))->get(3), 3.0);
}

void TestExecutable::a_tiny_call_costs_about_a_microsecond() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({16}), Placement::Kind::Input);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({16}), Placement::Kind::Output);
    b.generated("tiny", {x}, y, scale(16, "a[i] + 1"));
    b.output(b.view(y));
    auto executable = *b.make();
    std::vector<TensorPtr> inputs{counting({16})};
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 1000; ++i) {
            auto results = executable->run(inputs);
            if (!results) QFAIL(results.error().message.c_str());
        }
        best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    qInfo("a call with one kernel of 16 elements: %.3f us", best);
    // The aim is 1 us; a busy machine gets room, a sanitizer more.
    QVERIFY(best < (base::kSanitized ? 200 : 10));
}

void TestExecutable::a_plan_without_a_place_is_a_bug() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({4}), Placement::Kind::Input);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({4}), Placement::Kind::Output);
    b.generated("same", {x}, y, scale(4, "a[i]"));
    b.output(b.view(y));
    b.plan.placements.pop_back();
    auto executable = b.make();
    QVERIFY(!executable.ok());
    QCOMPARE(executable.error().fault, base::Fault::Bug);
    QCOMPARE(executable.error().message,
             std::string("the memory plan lacks a place for a buffer of same"));
}

void TestExecutable::missing_machine_code_is_a_bug() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({4}), Placement::Kind::Input);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({4}), Placement::Kind::Output);
    b.generated("same", {x}, y, scale(4, "a[i]"));
    b.compiled.back().source.entry = "other";
    auto executable = b.make();
    QVERIFY(!executable.ok());
    QCOMPARE(executable.error().message,
             std::string("kernel same has no machine code under the name other"));
}

void TestExecutable::a_result_in_the_arena_is_a_bug() {
    Builder b;
    BufferId x = b.buffer("x", BufferKind::Input, shape({4}), Placement::Kind::Input);
    BufferId y = b.buffer("y", BufferKind::Pointwise, shape({4}), Placement::Kind::Arena);
    b.generated("same", {x}, y, scale(4, "a[i]"));
    b.output(b.view(y));
    auto executable = b.make();
    QVERIFY(!executable.ok());
    QCOMPARE(executable.error().message, std::string("output out: y lives in the arena"));
}

QTEST_APPLESS_MAIN(TestExecutable)
#include "test_executable.moc"
