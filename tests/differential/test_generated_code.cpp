// SPDX-License-Identifier: Apache-2.0
// Every operation of the catalogue as machine code: every sample through fusion, C++ text and the
// compiler in this process equals the reference; some of the texts again through the system's
// compiler, and as CUDA through Clang and NVRTC.
#include "core/kernel/row_tree.h"
#include "tests/ops/sample_graph.h"
#include "tests/support/compiled_graph.h"
#include "tests/support/cuda_text.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <dlfcn.h>
#include <set>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

constexpr double kTolerance = 2e-5;

struct Compiled {
    std::string label;
    EmittedGraph emitted;
    std::vector<ir::HostTensor> inputs, expected;
};

base::Result<Compiled> compileSample(const ops::OpDef& def, const ops::Sample& sample) {
    CUTAWAY_TRY(tests::SampleGraph made, tests::makeSampleGraph(def, sample));
    Compiled result{{}, {}, made.inputs, {}};
    CUTAWAY_TRY(result.expected, ops::evaluate(made.graph, made.inputs));
    for (auto pass : {passes::decomposeBeforeAutograd, passes::decomposeAfterAutograd})
        CUTAWAY_CHECK(pass(made.graph));
    CUTAWAY_TRY(result.emitted, emitGraph(std::move(made.graph)));
    return result;
}

std::string wrongNumbers(const Compiled& sample, const Modules& modules) {
    auto found = runGraph(sample.emitted, modules, sample.inputs);
    if (!found.ok()) return "\n  " + sample.label + found.error().str();
    std::string difference = tests::difference(*found, sample.expected, kTolerance);
    return difference.empty() ? "" : "\n  " + sample.label + difference;
}

/// A shared library that the system's compiler made.
class SystemModule : public jit::CpuModule {
public:
    explicit SystemModule(void* handle) : handle_(handle) {}
    SystemModule(const SystemModule&) = delete;
    SystemModule& operator=(const SystemModule&) = delete;
    ~SystemModule() override { dlclose(handle_); }
    void* symbol(std::string_view name) const override {
        return dlsym(handle_, std::string(name).c_str());
    }
    bool fromCache() const override { return false; }
    std::span<const std::byte> code() const override { return {}; }

private:
    void* handle_;
};

QString compileWithSystem(const QString& compiler, const QString& base, const std::string& text) {
    QFile file(base + ".cpp");
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0)
        return "cannot write " + file.fileName();
    file.close();
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(compiler,
                  {"-std=c++20", "-O1", "-march=native", "-shared", "-fPIC", "-fopenmp",
                   "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast", "-Wno-psabi",
                   "-Wno-unknown-pragmas", file.fileName(), "-o", base + ".so"});
    if (!process.waitForFinished(60000)) return process.errorString();
    return process.exitCode() == 0 ? QString() : QString(process.readAll());
}

} // namespace

class TestGeneratedCode : public QObject {
    Q_OBJECT

    std::vector<Compiled> samples_;
    std::vector<const Compiled*> firsts_; ///< one sample of operations with kernels

private Q_SLOTS:
    void initTestCase() {
        auto lowers = [](const ops::OpDef& def) {
            return !std::holds_alternative<ops::NoLowering>(def.lowering);
        };
        tests::Tally tally =
            tests::checkSamples(lowers, [&](const ops::OpDef& def, const ops::Sample& sample) {
                auto compiled = compileSample(def, sample);
                if (!compiled.ok()) return compiled.error().str();
                compiled->label = def.name() + ": ";
                samples_.push_back(std::move(*compiled));
                return std::string();
            });
        QVERIFY2(tally.failures.empty(), tally.failures.c_str());
        QVERIFY(tally.checked > 400);
        std::set<std::string> labels;
        std::vector<const Compiled*> firsts;
        for (const Compiled& sample : samples_) {
            bool loops = false;
            for (const codegen::KernelSource& source : sample.emitted.sources)
                loops |= !source.text.empty();
            if (loops && labels.insert(sample.label).second) firsts.push_back(&sample);
        }
        // Other compilers are slow: one sample is enough for them, of every third operation here.
        const size_t step = qEnvironmentVariableIsSet("CUTAWAY_WHOLE") ? 1 : 3;
        for (size_t i = 0; i < firsts.size(); i += step)
            firsts_.push_back(firsts[i]);
    }

    void machine_code_of_this_process_equals_the_reference() {
        std::vector<EmittedGraph> graphs;
        for (const Compiled& sample : samples_)
            graphs.push_back(sample.emitted);
        auto modules = compileTexts(graphs, 1);
        QVERIFY2(modules.ok(), modules.ok() ? "" : modules.error().str().c_str());
        qInfo("%zu samples, %zu texts", samples_.size(), modules->size());
        std::string wrong;
        for (const Compiled& sample : samples_)
            wrong += wrongNumbers(sample, *modules);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void the_system_compiler_gives_the_same_numbers() {
        QString compiler = QStandardPaths::findExecutable("c++");
        if (compiler.isEmpty()) QSKIP("no c++ on PATH");
        QTemporaryDir folder;
        int count = 0;
        for (const Compiled* sample : firsts_) {
            Modules modules;
            for (const codegen::KernelSource& source : sample->emitted.sources) {
                if (source.text.empty() || modules.count(source.text)) continue;
                QString base = folder.filePath(QString("kernel_%1").arg(++count));
                QString problem = compileWithSystem(compiler, base, source.text);
                QVERIFY2(problem.isEmpty(), qPrintable(sample->label.c_str() + problem));
                void* handle = dlopen(qPrintable(base + ".so"), RTLD_NOW | RTLD_LOCAL);
                QVERIFY2(handle, dlerror());
                modules[source.text] = std::make_shared<SystemModule>(handle);
            }
            QCOMPARE(QString::fromStdString(wrongNumbers(*sample, modules)), QString());
        }
    }

    void cuda_text_of_every_operation_compiles_data() { cudaCompilerRows(); }
    void cuda_text_of_every_operation_compiles() {
        const CudaText compiler;
        if (!compiler.missing().isEmpty()) QSKIP(qPrintable(compiler.missing()));
        for (const Compiled* sample : firsts_)
            for (const kernel::Kernel& kernel : sample->emitted.program->kernels) {
                if (!kernel.hasCode()) continue;
                // Fused for a CPU, running values go down columns and on into later passes.
                const bool runs = sample->label.starts_with("_scan") ||
                                  sample->label.starts_with("_cumprod_backward");
                if (runs &&
                    schedule::makeSchedule(*sample->emitted.program, kernel, schedule::cudaModel())
                            .taken < 0)
                    continue;
                const QString problem =
                    compiler.problem(cudaText(*sample->emitted.program, kernel));
                QVERIFY2(problem.isEmpty(), qPrintable(sample->label.c_str() + problem));
            }
    }
};

QTEST_APPLESS_MAIN(TestGeneratedCode)
#include "test_generated_code.moc"
