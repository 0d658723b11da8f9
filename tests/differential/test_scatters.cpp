// SPDX-License-Identifier: Apache-2.0
// Sums at computed places, in every way that a schedule knows, against the slow interpreter: where
// nobody meets, where some do, and where all do.
#include "meeting_places.h"

#include "tests/support/schedules.h"

#include <QtTest>
#include <set>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

constexpr int kThreads = 4;

CudaProgram fused(const char* name, Captured& c) {
    ir::Graph graph = inferenceOf(c);
    check(passes::decomposeBeforeLowering(graph));
    check(passes::removeDead(graph));
    return {name, std::make_shared<kernel::KernelProgram>(
                      fusion::fuse(take(lower::lowerGraph(graph)), {}))};
}

CudaProgram gradientOfTable(int64_t tokens, int64_t words, int64_t width,
                            ir::DType dtype = ir::DType::Float32) {
    Captured c;
    NodeId gradient = c.input("gradient", {tokens, width}, false, dtype);
    NodeId at = c.input("at", {tokens}, false, ir::DType::Int64);
    c.output(c.call("embedding_dense_backward",
                    {gradient, at, Arg(ir::Sym(words)), Arg(ir::Sym(-1)), Arg(false)}));
    return fused("gradient of a table", c);
}

CudaProgram sumsAtPlaces(int64_t from, int64_t places, ir::DType dtype = ir::DType::Float32) {
    Captured c;
    NodeId x = c.input("x", {places}, false, dtype),
           values = c.input("values", {from}, false, dtype);
    NodeId at = c.input("at", {from}, false, ir::DType::Int64);
    NodeId twice = c.call("add.Tensor", {values, values});
    c.output(c.call("scatter_add", {x, Arg(ir::Sym(0)), at, twice}));
    return fused("sums at places", c);
}

using Loaded = std::shared_ptr<runtime::Executable>;

/// The program in the way that each kernel's \p schedules say.
Loaded loaded(const CudaProgram& c, const std::vector<schedule::Schedule>& schedules) {
    auto compiler = jit::CpuCompiler::create();
    std::vector<runtime::CompiledKernel> kernels(schedules.size());
    for (size_t i = 0; i < kernels.size(); ++i) {
        if (schedules[i].taken < 0) continue;
        kernels[i].source =
            sourceBy(*c.program, c.program->kernels[i], schedules[i], ir::Device::Kind::Cpu);
        kernels[i].module =
            take(compiler->compile(c.program->kernels[i].name, kernels[i].source.text, {}));
    }
    return take(runtime::targetRow(ir::Device::Kind::Cpu)
                    .create()
                    ->load(c.program, memory::planMemory(*c.program), std::move(kernels)));
}

std::vector<ir::HostTensor> ran(const CudaProgram& c, const Loaded& executable,
                                const std::vector<ir::HostTensor>& inputs) {
    std::vector<runtime::TensorPtr> tensors;
    for (size_t i = 0; i < inputs.size(); ++i)
        tensors.push_back(
            upload(inputs[i], c.program->loops.buffer(c.program->loops.inputs[i]), {}));
    std::vector<ir::HostTensor> results;
    for (const runtime::TensorPtr& result : take(executable->run(tensors)))
        results.push_back(take(runtime::toHost(*result)));
    return results;
}

/// How threads that meet get along.
std::string wayOf(const schedule::Candidate& candidate) {
    for (const char* way : {"atomics", "copies", "sorted"})
        if (candidate.decisions.get(way) != 0) return way;
    return candidate.decisions.get("threads", 1) > 1 ? "owners" : "one thread";
}

struct Sizes {
    int64_t updates, places, width; ///< no width: elements, not rows
};

CudaProgram programOf(const Sizes& sizes, ir::DType dtype) {
    return sizes.width > 0 ? gradientOfTable(sizes.updates, sizes.places, sizes.width, dtype)
                           : sumsAtPlaces(sizes.updates, sizes.places, dtype);
}

} // namespace

class TestScatters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_way_adds_what_the_interpreter_adds_data() {
        QTest::addColumn<int>("updates");
        QTest::addColumn<int>("places");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("dtype");
        const auto f32 = static_cast<int>(ir::DType::Float32);
        QTest::newRow("table") << 512 << 1500 << 96 << f32;
        QTest::newRow("narrow table") << 700 << 900 << 3 << f32;
        QTest::newRow("elements") << 5000 << 6000 << 0 << f32;
        QTest::newRow("few places") << 3000 << 3 << 0 << f32;
        QTest::newRow("one update") << 1 << 5 << 0 << f32;
        QTest::newRow("float16") << 200 << 300 << 20 << static_cast<int>(ir::DType::Float16);
        QTest::newRow("int32") << 900 << 77 << 0 << static_cast<int>(ir::DType::Int32);
        QTest::newRow("float64") << 900 << 77 << 5 << static_cast<int>(ir::DType::Float64);
    }
    void every_way_adds_what_the_interpreter_adds() {
        QFETCH(int, updates);
        QFETCH(int, places);
        QFETCH(int, width);
        QFETCH(int, dtype);
        const CudaProgram c = programOf({updates, places, width}, static_cast<ir::DType>(dtype));
        const double tolerance =
            ir::isStorageOnly(static_cast<ir::DType>(dtype)) ? 0.05 : kRounding;
        const auto model = schedule::cpuModel(kThreads, jit::hostCpu().vectorBytes);
        std::set<std::string> ways;
        std::vector<std::vector<ir::HostTensor>> inputs, expected;
        for (Meeting meeting : {Nobody, Some, All}) {
            inputs.push_back(inputsOf(c, meeting, places));
            expected.push_back(take(kernel::interpret(*c.program, inputs.back())));
        }
        for (int number = 1; number <= 40; ++number) {
            auto schedules = schedule::makeSchedules(*c.program, model);
            std::string way;
            for (size_t i = 0; i < schedules.size(); ++i) {
                const kernel::Kernel& kernel = c.program->kernels[i];
                const bool can =
                    schedule::force(schedules[i], *c.program, kernel, model, std::to_string(number))
                        .ok();
                for (const kernel::Step& step : kernel.tree->steps)
                    if (can && step.conflict != kernel::Conflict::None)
                        way = wayOf(schedules[i].chosen());
            }
            if (way.empty()) continue;
            ways.insert(way);
            const Loaded executable = loaded(c, schedules);
            for (size_t k = 0; k < inputs.size(); ++k) {
                const QString problem =
                    difference(expected[k][0], ran(c, executable, inputs[k])[0], tolerance);
                QVERIFY2(problem.isEmpty(), (way + ": " + problem.toStdString()).c_str());
            }
        }
        if (updates == 1) return;
        QVERIFY(ways.contains("one thread") && ways.contains("owners"));
        QVERIFY(ways.contains("atomics") && ways.contains("sorted"));
        // Every copy of 16-bit sums would be rounded.
        QCOMPARE(ways.contains("copies"), static_cast<ir::DType>(dtype) != ir::DType::Float16);
    }

    void sums_in_no_order_are_refused_where_the_same_bits_are_wanted() {
        auto model = schedule::cpuModel(kThreads, jit::hostCpu().vectorBytes);
        for (const Sizes& sizes : {Sizes{512, 1500, 96}, Sizes{5000, 6000, 0}})
            for (ir::DType dtype : {ir::DType::Float32, ir::DType::Int32})
                for (bool wanted : {false, true}) {
                    model.deterministic = wanted;
                    const CudaProgram c = programOf(sizes, dtype);
                    int refused = 0, considered = 0;
                    for (const auto& schedule : schedule::makeSchedules(*c.program, model))
                        for (const schedule::Candidate& candidate : schedule.considered)
                            if (wayOf(candidate) == "atomics") {
                                ++considered;
                                refused += !candidate.refused.empty();
                            }
                    QVERIFY(considered > 0);
                    // Sums of integers are the same in any order.
                    QCOMPARE(refused, wanted && ir::isFloating(dtype) ? considered : 0);
                }
    }

    void the_same_bits_in_every_run_but_of_atomics() {
        const auto model = schedule::cpuModel(kThreads, jit::hostCpu().vectorBytes);
        const CudaProgram c = programOf({5000, 50, 0}, ir::DType::Float32);
        const auto inputs = inputsOf(c, Some, 50);
        for (const char* how :
             {"elements: vector 16, threads 4", "elements: vector 16, threads 4, copies 1",
              "elements: vector 1, threads 4, sorted 1"}) {
            auto schedules = schedule::makeSchedules(*c.program, model);
            int forced = 0;
            for (size_t i = 0; i < schedules.size(); ++i)
                for (const kernel::Step& step : c.program->kernels[i].tree->steps)
                    if (step.conflict != kernel::Conflict::None)
                        forced += schedule::force(schedules[i], *c.program, c.program->kernels[i],
                                                  model, how)
                                      .ok();
            QCOMPARE(forced, 1);
            const Loaded executable = loaded(c, schedules);
            const auto first = ran(c, executable, inputs);
            for (int again = 0; again < 20; ++again)
                QVERIFY(ran(c, executable, inputs)[0].bytes == first[0].bytes);
        }
    }
};

QTEST_APPLESS_MAIN(TestScatters)
#include "test_scatters.moc"
