// SPDX-License-Identifier: Apache-2.0
// Rows that several blocks of a GPU share (rows-parts): the text run by the processor, a fiber a
// thread, against the slow interpreter, and on a GPU where there is one, where each way's time is
// printed beside its prediction.
#include "gpu_run.h"
#include "host_run.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// What batch norm asks of its input (and of a gradient): "moments", "sums"; "extremes" over the
/// same axes of [images, channels, pixels].
CudaProgram channelsOf(const std::string& what, int64_t images, int64_t channels, int64_t pixels) {
    Captured c;
    const NodeId x = c.input("x", {images, channels, pixels}, false);
    const Arg over(ir::ArgList{Arg(ir::Sym(0)), Arg(ir::Sym(2))});
    if (what == "moments") {
        const NodeId both = c.call("_moments", {x, over, Arg(true)});
        c.output(c.b.getitem(both, 0));
        c.output(c.b.mul(c.b.getitem(both, 1), 2.0));
    } else if (what == "sums") {
        const NodeId gradient = c.input("gradient", {images, channels, pixels}, false);
        c.output(c.call("sum.dim_IntList", {gradient, over, Arg(false)}));
        c.output(c.call("sum.dim_IntList", {c.b.mul(gradient, x), over, Arg(false)}));
    } else {
        c.output(c.call("amax", {x, over, Arg(false)}));
        const NodeId rows =
            c.call("reshape",
                   {x, Arg(ir::ArgList{Arg(ir::Sym(images * channels)), Arg(ir::Sym(pixels))})});
        c.output(c.call("argmin", {rows, Arg(ir::Sym(1)), Arg(false)}));
    }
    return {what, fusedForCuda(inferenceOf(c))};
}

} // namespace

class TestRowsInParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void text_computes_what_the_interpreter_computes_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("images");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("pixels");
        for (const char* what : {"moments", "sums", "extremes"}) {
            QTest::addRow("%s, whole vectors", what) << what << 6 << 3 << 196;
            QTest::addRow("%s, odd sizes", what) << what << 5 << 2 << 333;
            QTest::addRow("%s, one image", what) << what << 1 << 2 << 1031;
        }
    }
    void text_computes_what_the_interpreter_computes() {
        QFETCH(QString, what);
        QFETCH(int, images);
        QFETCH(int, channels);
        QFETCH(int, pixels);
        QTemporaryDir folder;
        CudaOnHost host(folder.path());
        if (!host.missing().isEmpty()) QSKIP(qPrintable(host.missing()));
        const CudaProgram c = channelsOf(what.toStdString(), images, channels, pixels);
        const auto inputs = inputsNear1(c, 7);
        const auto expected = take(kernel::interpret(*c.program, inputs));
        int run = 0;
        for (const char* how : {"rows-parts: vector 4, row-threads 32, threads 32, parts 2",
                                "rows-parts: vector 1, row-threads 32, threads 32, parts 3",
                                "rows-parts: vector 1, row-threads 64, threads 64, parts 2",
                                "rows-parts: vector 1, row-threads 64, threads 64, parts 70"}) {
            const auto [schedules, fit] = schedulesBy(*c.program, schedule::cudaModel(), how);
            if (fit == 0) continue;
            run += fit;
            std::vector<ir::HostTensor> found;
            const QString problem = ranOnHost(host, c, schedules, inputs, found);
            QVERIFY2(problem.isEmpty(), qPrintable(QString(how) + ": " + problem));
            const QString differs = difference(expected, found);
            QVERIFY2(differs.isEmpty(), qPrintable(QString(how) + ": " + differs));
        }
        QVERIFY(run >= 2);
    }

    void rows_that_are_walked_again_are_refused() {
        Captured c;
        const NodeId x = c.input("x", {4, 1 << 16}, false);
        c.output(c.call("_softmax", {x, Arg(ir::Sym(1)), Arg(false)}));
        const CudaProgram program{"softmax", fusedForCuda(inferenceOf(c))};
        QCOMPARE(schedulesBy(*program.program, schedule::cudaModel(),
                             "rows-parts: vector 4, row-threads 512, threads 512, parts 4")
                     .second,
                 0);
    }

    void predictions_take_it_where_rows_are_few_and_long_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("images");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("pixels");
        QTest::addColumn<bool>("parts");
        // As an H200 took them, see every_way_on_a_gpu.
        QTest::newRow("moments, a row each two blocks") << "moments" << 64 << 64 << 3136 << true;
        QTest::newRow("sums, a row each two blocks") << "sums" << 64 << 64 << 3136 << true;
        QTest::newRow("moments, four rows") << "moments" << 1 << 4 << 1048576 << true;
        QTest::newRow("extremes, 8 rows and 64") << "extremes" << 8 << 8 << 262144 << true;
        QTest::newRow("moments, rows of 12544") << "moments" << 64 << 256 << 196 << false;
        QTest::newRow("sums, rows of 12544") << "sums" << 64 << 256 << 196 << false;
        QTest::newRow("moments, many short rows") << "moments" << 32 << 2048 << 49 << false;
        QTest::newRow("sums, many short rows") << "sums" << 32 << 2048 << 49 << false;
    }
    void predictions_take_it_where_rows_are_few_and_long() {
        QFETCH(QString, what);
        QFETCH(int, images);
        QFETCH(int, channels);
        QFETCH(int, pixels);
        QFETCH(bool, parts);
        const CudaProgram c = channelsOf(what.toStdString(), images, channels, pixels);
        int taken = 0;
        for (const schedule::Schedule& one :
             schedule::makeSchedules(*c.program, schedule::cudaModel()))
            taken += one.taken >= 0 && one.chosen().by == "rows-parts";
        QCOMPARE(taken > 0, parts);
    }

    void every_way_on_a_gpu_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("images");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("pixels");
        for (const char* what : {"moments", "sums"}) {
            QTest::addRow("%s 64x64x3136", what) << what << 64 << 64 << 3136;
            QTest::addRow("%s 64x256x196", what) << what << 64 << 256 << 196;
            QTest::addRow("%s 32x2048x49", what) << what << 32 << 2048 << 49;
        }
        QTest::newRow("moments 1x4x1048576") << "moments" << 1 << 4 << 1048576;
        QTest::newRow("extremes 8x8x262144") << "extremes" << 8 << 8 << 262144;
    }
    /// The same results in every way, the same bits again; prints what each takes.
    void every_way_on_a_gpu() {
        QFETCH(QString, what);
        QFETCH(int, images);
        QFETCH(int, channels);
        QFETCH(int, pixels);
        const auto gpu = Gpu::open();
        if (!gpu.ok()) QSKIP(gpu.error().message.c_str());
        const CudaProgram c = channelsOf(what.toStdString(), images, channels, pixels);
        const auto inputs = inputsNear1(c, 7);
        std::vector<runtime::TensorPtr> tensors;
        for (size_t i = 0; i < inputs.size(); ++i)
            tensors.push_back(upload(inputs[i], c.program->loops.buffer(c.program->loops.inputs[i]),
                                     gpu->device));
        std::vector<std::string> ways;
        for (const schedule::Schedule& schedule : schedule::makeSchedules(*c.program, gpu->model))
            for (const schedule::Candidate& candidate : schedule.considered)
                if (candidate.refused.empty() &&
                    std::find(ways.begin(), ways.end(), candidate.str()) == ways.end())
                    ways.push_back(candidate.str());
        std::vector<ir::HostTensor> first;
        for (const std::string& how : ways) {
            const auto [schedules, fit] = schedulesBy(*c.program, gpu->model, how);
            if (fit == 0) continue;
            double predicted = 0;
            for (const schedule::Schedule& schedule : schedules)
                predicted += schedule.taken < 0 ? 0 : schedule.chosen().predictedUs;
            const auto executable = gpu->executable(c, schedules);
            const auto ran = [&] {
                std::vector<ir::HostTensor> found;
                for (const runtime::TensorPtr& one : take(executable->run(tensors)))
                    found.push_back(take(runtime::toHost(*one)));
                return found;
            };
            const auto found = ran();
            const double best = leastKernelUs(*executable, tensors);
            qInfo("%s: %.1f us, %.1f predicted", how.c_str(), best, predicted);
            if (first.empty()) first = found;
            const QString differs = difference(first, found);
            QVERIFY2(differs.isEmpty(), qPrintable(QString(how.c_str()) + ": " + differs));
            const auto again = ran();
            for (size_t o = 0; o < found.size(); ++o)
                QVERIFY2(found[o].bytes == again[o].bytes, how.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestRowsInParts)
#include "test_rows_in_parts.moc"
