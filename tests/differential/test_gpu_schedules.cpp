// SPDX-License-Identifier: Apache-2.0
// Every kernel of loops that fusion makes for a GPU is rows x passes and has a schedule there: of all
// graphs that the samples and models compile (with the folder CUTAWAY_CASES of case files the training
// programs too), and of random graphs. Nothing is run on a GPU.
#include "core/backend/graph_compiler.h"
#include "core/backend/host_tensors.h"
#include "core/base/file_system.h"
#include "core/capture/program.h"
#include "core/fusion/fuse.h"
#include "core/kernel/printer.h"
#include "core/kernel/row_tree.h"
#include "core/lower/lower.h"
#include "core/pipeline/compile.h"
#include "core/pipeline/pass_runner.h"
#include "core/schedule/schedule.h"
#include "tests/support/random_graph.h"

#include <QDir>
#include <QtTest>

using namespace cutaway;

namespace {

/// Keeps the graphs that are compiled, which run one operation at a time.
class Collector : public capture::GraphCompiler {
public:
    Collector(pipeline::Toolchain& toolchain, backend::EagerRunner& eager)
        : eager_(toolchain, {}, eager, nullptr) {}
    std::vector<std::pair<ir::Graph, bool>> captured; ///< with whether gradients are wanted
    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& function, const capture::CompileOptions& options,
            bool gradMode) override {
        captured.emplace_back(function.graph->clone(), gradMode);
        capture::CompileOptions eager = options;
        eager.backend = "eager";
        return eager_.compile(function, eager, gradMode);
    }

private:
    backend::BackendCompiler eager_;
};

struct Count {
    int kernels = 0, trees = 0, without = 0;
    QString first;
};

void add(const ir::Graph& graph, Count& count) {
    ir::Graph working = pipeline::beginStage(graph);
    auto status = pipeline::runPasses(pipeline::PassPoint::Lowering, working, {}, nullptr);
    QVERIFY2(status.ok(), status ? "" : status.error().str().c_str());
    auto loops = lower::lowerGraph(working);
    QVERIFY2(loops.ok(), loops ? "" : loops.error().str().c_str());
    for (kernel::Buffer& buffer : loops->buffers)
        buffer.device = {ir::Device::Kind::Cuda, 0};
    const kernel::KernelProgram program = fusion::fuse(std::move(*loops), {});
    for (const kernel::Kernel& kernel : program.kernels) {
        if (!kernel.tree) continue;
        ++count.kernels;
        count.trees += !kernel::RowTree::of(program.loops, kernel.rows()).has_value();
        const auto schedule = schedule::makeSchedule(program, kernel, schedule::cudaModel());
        if (schedule.taken >= 0) continue;
        if (count.without++ > 0) continue;
        count.first = QString::fromStdString(kernel::print(program.loops, kernel));
        for (const schedule::Candidate& candidate : schedule.considered)
            count.first += QString::fromStdString(candidate.by + ": " + candidate.refused + "\n");
    }
}

void addPartitioned(const ir::Graph& captured, bool gradMode, Count& count) {
    pipeline::Options options;
    const auto placed = backend::onOneDevice(captured); // where a GPU has a part of the sample
    QVERIFY2(placed.ok(), placed ? "" : placed.error().str().c_str());
    auto parts = pipeline::partitionGraph(*placed ? *(*placed)->graph : captured, gradMode, options,
                                          nullptr);
    QVERIFY2(parts.ok(), parts ? "" : parts.error().str().c_str());
    add(parts->forward, count);
    if (parts->training) add(parts->backward, count);
}

} // namespace

class TestGpuSchedules : public QObject {
    Q_OBJECT

    pipeline::Toolchain toolchain_{qEnvironmentVariable("CUTAWAY_CACHE_DIR").toStdString()};
    Count all_;

    void judge(const Count& count) {
        all_.kernels += count.kernels;
        all_.trees += count.trees;
        all_.without += count.without;
        QVERIFY2(count.without == 0, qPrintable(count.first));
        QCOMPARE(count.trees, 0);
    }

private Q_SLOTS:
    void kernels_of_scripts_have_schedules_data() {
        QTest::addColumn<QString>("path");
        const QString samples = CUTAWAY_SOURCE_DIR "/samples";
        QStringList folders{samples, samples + "/models"};
        // The training programs take as long as all others together, and run whole in other tests.
        if (qEnvironmentVariableIsSet("CUTAWAY_CASES"))
            folders << samples + "/training" << qEnvironmentVariable("CUTAWAY_CASES");
        for (const QString& folder : folders)
            for (const QString& file : QDir(folder).entryList({"*.py"}, QDir::Files, QDir::Name))
                QTest::newRow(qPrintable(file)) << folder + "/" + file;
    }
    void kernels_of_scripts_have_schedules() {
        QFETCH(QString, path);
        pipeline::Options options;
        backend::EagerRunner eager(toolchain_, options);
        Collector collector(toolchain_, eager);
        capture::ProgramOptions how;
        how.path = path.toStdString();
        auto text = base::readFile(how.path, base::kLargestScript);
        QVERIFY(text.ok());
        how.text = QString::fromStdString(*text)
                       .replace("compiled = False", "compiled = True")
                       .toStdString();
        auto program = capture::Program::load(how, eager, collector);
        QVERIFY2(program.ok(), program ? "" : program.error().str().c_str());
        if (collector.captured.empty()) { // a case file
            const std::vector<std::string> sizes = (*program)->sizeKeys();
            auto inputs = (*program)->exampleInputs(sizes.empty() ? "" : sizes.front());
            if (!inputs.ok()) QSKIP("compiles nothing by itself");
            auto function = (*program)->compile((*program)->global("model"), {});
            QVERIFY(function.ok());
            auto results = (*function)->call(*inputs, (*program)->train());
            QVERIFY2(results.ok(), results ? "" : results.error().str().c_str());
        }
        QVERIFY(!collector.captured.empty());
        Count count;
        for (const auto& [graph, gradMode] : collector.captured)
            addPartitioned(graph, gradMode, count);
        judge(count);
    }

    void kernels_of_random_graphs_have_schedules() {
        Count count;
        for (unsigned seed = 1; seed <= 200; ++seed)
            addPartitioned(testing::randomGraph(seed), true, count);
        QVERIFY2(count.kernels > 100, qPrintable(QString::number(count.kernels)));
        judge(count);
    }

    void cleanupTestCase() {
        qInfo("%d kernels of loops for a GPU, %d no rows x passes, %d without a schedule",
              all_.kernels, all_.trees, all_.without);
    }
};

QTEST_APPLESS_MAIN(TestGpuSchedules)
#include "test_gpu_schedules.moc"
