// SPDX-License-Identifier: Apache-2.0
// A GPU's sums at computed places by sorting (cuda_sorted): its text run by the processor, a fiber a
// thread, against the slow interpreter; and on a GPU where there is one. Lists that overflow, places
// that all updates meet in, rows of a table and single elements.
#include "gpu_run.h"
#include "host_run.h"
#include "meeting_places.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Sizes {
    int64_t updates, places, width; ///< no width: elements, not rows
};

CudaProgram programOf(const Sizes& sizes, ir::DType dtype, const char* reduce) {
    Captured c;
    const NodeId at = c.input("at", {sizes.updates}, false, ir::DType::Int64);
    if (sizes.width > 0) {
        const NodeId gradient = c.input("gradient", {sizes.updates, sizes.width}, false, dtype);
        c.output(c.call("embedding_dense_backward",
                        {gradient, at, Arg(ir::Sym(sizes.places)), Arg(ir::Sym(-1)), Arg(false)}));
    } else {
        const NodeId x = c.input("x", {sizes.places}, false, dtype);
        const NodeId values = c.input("values", {sizes.updates}, false, dtype);
        const NodeId twice = c.call("add.Tensor", {values, values});
        if (std::string_view(reduce) == "sum")
            c.output(c.call("scatter_add", {x, Arg(ir::Sym(0)), at, twice}));
        else
            c.output(c.call("scatter_reduce.two",
                            {x, Arg(ir::Sym(0)), at, twice, Arg(std::string(reduce)), Arg(true)}));
    }
    return {"sums", fusedForCuda(inferenceOf(c))};
}

} // namespace

class TestSumsBySorting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sorted_text_adds_what_the_interpreter_adds_data() {
        QTest::addColumn<int>("updates");
        QTest::addColumn<int>("places");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QString>("reduce");
        const auto f32 = static_cast<int>(ir::DType::Float32);
        QTest::newRow("table") << 512 << 1500 << 96 << f32 << "sum";
        QTest::newRow("narrow table") << 7000 << 900 << 3 << f32 << "sum";
        QTest::newRow("wide table, few words") << 300 << 5 << 40 << f32 << "sum";
        QTest::newRow("elements") << 20000 << 6000 << 0 << f32 << "sum";
        QTest::newRow("few places") << 30000 << 3 << 0 << f32 << "sum";
        QTest::newRow("one update") << 1 << 5 << 0 << f32 << "sum";
        QTest::newRow("int32") << 9000 << 77 << 0 << static_cast<int>(ir::DType::Int32) << "sum";
        QTest::newRow("float64") << 9000 << 77 << 0 << static_cast<int>(ir::DType::Float64)
                                 << "sum";
        QTest::newRow("products") << 900 << 770 << 0 << f32 << "prod";
        QTest::newRow("largest") << 9000 << 77 << 0 << f32 << "amax";
    }
    void sorted_text_adds_what_the_interpreter_adds() {
        QFETCH(int, updates);
        QFETCH(int, places);
        QFETCH(int, width);
        QFETCH(int, dtype);
        QFETCH(QString, reduce);
        QTemporaryDir folder;
        CudaOnHost host(folder.path());
        if (!host.missing().isEmpty()) QSKIP(qPrintable(host.missing()));
        const CudaProgram c =
            programOf({updates, places, width}, static_cast<ir::DType>(dtype), qPrintable(reduce));
        for (const char* how : {"sorted: threads 32, owners 3", "sorted: threads 64, owners 1"}) {
            const auto [schedules, sorted] = schedulesBy(*c.program, schedule::cudaModel(), how);
            QCOMPARE(sorted, 1);
            for (Meeting meeting : {Nobody, Some, All}) {
                const auto inputs = inputsOf(c, meeting, places);
                const auto expected = take(kernel::interpret(*c.program, inputs));
                std::vector<ir::HostTensor> found;
                const QString problem = ranOnHost(host, c, schedules, inputs, found);
                QVERIFY2(problem.isEmpty(), qPrintable(problem));
                const QString differs = difference(expected[0], found[0]);
                QVERIFY2(differs.isEmpty(), qPrintable(QString(how) + ": " + differs));
            }
        }
    }

    /// Atomics take less time, and add in another order in every run.
    void sorting_is_taken_where_the_same_bits_are_wanted() {
        for (const Sizes& sizes : {Sizes{2000000, 1000000, 0}, {2000000, 16, 0}, {100000, 900, 3}})
            for (bool deterministic : {false, true}) {
                const CudaProgram c = programOf(sizes, ir::DType::Float32, "sum");
                schedule::DeviceModel model = schedule::cudaModel();
                model.deterministic = deterministic;
                bool sorted = false;
                for (const schedule::Schedule& one : schedule::makeSchedules(*c.program, model))
                    sorted |= one.taken >= 0 && one.chosen().by == "sorted";
                QCOMPARE(sorted, deterministic);
            }
    }

    void atomics_are_predicted_as_measured_data() {
        QTest::addColumn<int>("updates");
        QTest::addColumn<int>("places");
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("measured"); // us of an H200
        QTest::newRow("embedding") << 8192 << 50257 << 768 << 85.2;
        QTest::newRow("narrow table") << 100000 << 900 << 3 << 17.4;
        QTest::newRow("elements") << 2000000 << 1000000 << 0 << 31.1;
        QTest::newRow("few places") << 2000000 << 16 << 0 << 521.2;
    }
    void atomics_are_predicted_as_measured() {
        QFETCH(int, updates);
        QFETCH(int, places);
        QFETCH(int, width);
        QFETCH(double, measured);
        const CudaProgram c = programOf({updates, places, width}, ir::DType::Float32, "sum");
        double predicted = 0;
        for (const schedule::Schedule& one :
             schedule::makeSchedules(*c.program, schedule::cudaModel())) {
            QCOMPARE(one.chosen().by, std::string("linear"));
            predicted += one.chosen().predictedUs;
        }
        QVERIFY2(predicted < 3 * measured && measured < 3 * predicted,
                 qPrintable(QString("%1 us predicted, %2 measured").arg(predicted).arg(measured)));
        qInfo("%.1f us predicted, %.1f measured", predicted, measured);
    }

    void every_way_on_a_gpu_data() {
        QTest::addColumn<int>("updates");
        QTest::addColumn<int>("places");
        QTest::addColumn<int>("width");
        QTest::newRow("embedding") << 8192 << 50257 << 768;
        QTest::newRow("narrow table") << 100000 << 900 << 3;
        QTest::newRow("elements") << 2000000 << 1000000 << 0;
        QTest::newRow("few places") << 2000000 << 16 << 0;
        for (int places : {1, 4, 64, 256, 1024, 16384})
            QTest::addRow("%d places", places) << 2000000 << places << 0;
        QTest::newRow("rows of 32, 8 places") << 65536 << 8 << 32;
        QTest::newRow("rows of 768, 8 places") << 8192 << 8 << 768;
        QTest::newRow("rows of 768, 1 place") << 8192 << 1 << 768;
    }
    /// The same sums in every way, the same bits again; prints what each takes.
    void every_way_on_a_gpu() {
        QFETCH(int, updates);
        QFETCH(int, places);
        QFETCH(int, width);
        const bool onlyLinear = QString(QTest::currentDataTag()).contains("place ") ||
                                QString(QTest::currentDataTag()).endsWith("places");
        const auto gpu = Gpu::open();
        if (!gpu.ok()) QSKIP(gpu.error().message.c_str());
        const CudaProgram c = programOf({updates, places, width}, ir::DType::Float32, "sum");
        std::mt19937 random(3);
        auto inputs = inputsOf(c, Nobody, places);
        for (ir::HostTensor& t : inputs)
            for (int64_t k = 0; k < t.numel() && t.dtype == ir::DType::Int64; ++k)
                t.setInt(k, random() % places);
        std::vector<runtime::TensorPtr> tensors;
        for (size_t i = 0; i < inputs.size(); ++i)
            tensors.push_back(upload(inputs[i], c.program->loops.buffer(c.program->loops.inputs[i]),
                                     gpu->device));
        std::optional<ir::HostTensor> first;
        const auto everyone = schedule::makeSchedules(*c.program, gpu->model);
        std::vector<std::string> ways;
        for (const schedule::Schedule& schedule : everyone)
            for (const schedule::Candidate& candidate : schedule.considered)
                if (candidate.refused.empty() &&
                    (candidate.by == "sorted" || candidate.by == "owned" ||
                     (candidate.by == "linear" && ways.empty())))
                    ways.push_back(candidate.str());
        for (const std::string& how : ways) {
            if (onlyLinear && !how.starts_with("linear")) continue;
            const auto [schedules, fit] = schedulesBy(*c.program, gpu->model, how);
            if (fit == 0) continue;
            double predicted = 0;
            for (const schedule::Schedule& schedule : schedules)
                predicted += schedule.taken < 0 ? 0 : schedule.chosen().predictedUs;
            const auto executable = gpu->executable(c, schedules);
            const auto ran = [&] {
                return take(runtime::toHost(*take(executable->run(tensors))[0]));
            };
            const ir::HostTensor found = ran();
            const double best = leastKernelUs(*executable, tensors);
            qInfo("%s: %.1f us, %.1f predicted", how.c_str(), best, predicted);
            if (!first) first = found;
            const QString differs = difference(*first, found);
            QVERIFY2(differs.isEmpty(), qPrintable(QString(how.c_str()) + ": " + differs));
            if (how.starts_with("linear")) continue;
            QVERIFY(ran().bytes == found.bytes);
        }
    }
};

QTEST_APPLESS_MAIN(TestSumsBySorting)
#include "test_sums_by_sorting.moc"
