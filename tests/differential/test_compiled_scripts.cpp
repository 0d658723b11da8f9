// SPDX-License-Identifier: Apache-2.0
// Scripts through the command-line tool: compiled functions against eager ones, exported sources.
#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <map>

namespace {

/// As much of the CUDA runtime as exported sources name. With launches as plain calls, they are
/// C++.
const char* const kCudaRuntime = R"(
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#define __global__
#define __device__
#define __host__
#define __shared__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n)
struct CudaIndex { unsigned x, y, z; };
extern const CudaIndex threadIdx, blockIdx, blockDim, gridDim;
void __syncthreads();
void __threadfence();
unsigned atomicInc(unsigned*, unsigned);
template <typename T> T atomicAdd(T*, T);
template <typename T> T atomicMax(T*, T);
template <typename T> T atomicMin(T*, T);
template <typename T> T atomicMin(T*, T);
template <typename T> T atomicCAS(T*, T, T);
template <typename T> T __shfl_xor_sync(unsigned, T, int);
template <typename T> T __shfl_up_sync(unsigned, T, int);
template <typename T> T __shfl_down_sync(unsigned, T, int);
template <typename T> T __shfl_sync(unsigned, T, int);
int min(int, int);
float rsqrtf(float);
double rsqrt(double);
enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum { cudaHostAllocMapped = 2 };
const char* cudaGetErrorString(cudaError_t);
cudaError_t cudaMalloc(void**, size_t);
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
cudaError_t cudaFree(void*);
cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned);
cudaError_t cudaHostAlloc(void**, size_t, unsigned);
template <typename F> cudaError_t cudaFuncSetAttribute(F*, cudaFuncAttribute, int);
)";

struct Outcome {
    int status = -1;
    QString said;
};

Outcome start(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(300000)) return {-1, process.errorString()};
    return {process.exitCode(), QString(process.readAll())};
}

/// The numbers of a line, and the line without them.
struct Line {
    QString words;
    std::vector<double> numbers;
};
Line lineOf(const QString& text) {
    static const QRegularExpression number(
        R"((?<![\w.])-?(\d+\.?\d*(e[-+]?\d+)?|inf|nan)(?![\w]))");
    Line line{text, {}};
    for (QRegularExpressionMatchIterator found = number.globalMatch(text); found.hasNext();)
        line.numbers.push_back(found.next().captured().toDouble());
    line.words.replace(number, "#");
    return line;
}

/// Why two print-outs differ by more than \p tolerance times a line's largest number, or nothing.
QString difference(const QStringList& ours, const QStringList& theirs, double tolerance) {
    for (qsizetype i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
        const QString a = i < ours.size() ? ours[i] : "(nothing)";
        const QString b = i < theirs.size() ? theirs[i] : "(nothing)";
        if (a == b) continue;
        const Line left = lineOf(a), right = lineOf(b);
        bool close = left.words == right.words && left.numbers.size() == right.numbers.size();
        double scale = 0;
        for (double number : right.numbers)
            if (std::isfinite(number)) scale = std::max(scale, std::fabs(number));
        for (size_t k = 0; close && k < left.numbers.size(); ++k) {
            const double x = left.numbers[k], y = right.numbers[k];
            close = x == y || (x != x && y != y) || std::fabs(x - y) <= tolerance * scale;
        }
        if (!close) return QString("line %1: %2\nPyTorch: %3").arg(i + 1).arg(a, b);
    }
    return {};
}

enum class Breaks { None, Allowed };

/// What the script tests/data/NAME.py prints against what PyTorch printed (NAME.txt), eagerly or
/// compiled; of compiled functions the lines of second derivatives, and those that begin with
/// "eager", are missing.
/// \param breaks whether graph breaks are told in between
/// \param how further options of the tool
QString againstPyTorch(const QString& name, bool compiled, double tolerance, Breaks breaks,
                       const QStringList& how = {}) {
    const QString base = CUTAWAY_SOURCE_DIR "/tests/data/" + name;
    QFile script(base + ".py"), recorded(base + ".txt");
    if (!script.open(QIODevice::ReadOnly) || !recorded.open(QIODevice::ReadOnly)) return "no file";
    QString text = script.readAll();
    if (compiled && !text.contains("compiled = False")) return "the script cannot be compiled";
    if (compiled) text.replace("compiled = False", "compiled = True");
    QTemporaryDir folder;
    QFile copy(folder.filePath(name + ".py"));
    if (!copy.open(QIODevice::WriteOnly)) return "no copy";
    copy.write(text.toUtf8());
    copy.close();
    const Outcome found =
        start(CUTAWAY_TOOL, QStringList{"run"} + how + QStringList{copy.fileName()});
    if (found.status != 0) return found.said;
    QStringList theirs = QString(recorded.readAll()).trimmed().split('\n');
    QStringList ours = found.said.trimmed().split('\n');
    if (breaks == Breaks::Allowed)
        ours.removeIf([](const QString& line) {
            return line.contains(": warning: graph break: ") || line.startsWith("hint: ") ||
                   line.contains(" runs eagerly: ") || line.contains(": note: ");
        });
    if (compiled)
        theirs.removeIf([](const QString& line) {
            return line.contains(" second ") || line.startsWith("eager ");
        });
    return difference(ours, theirs, tolerance);
}

} // namespace

class TestCompiledScripts : public QObject {
    Q_OBJECT
    /// A script of tests/data, which counts what agrees and prints what does not.
    void agrees(const char* script, int count, const char* fault = "differs") {
        const Outcome found =
            start(CUTAWAY_TOOL, {"run", QString(CUTAWAY_SOURCE_DIR "/tests/data/") + script});
        const QString end = QString("%1 agree\n").arg(count);
        QVERIFY2((found.said == end || found.said.endsWith("\n" + end)) &&
                     !found.said.contains(fault),
                 qPrintable(found.said));
        QCOMPARE(found.status, 0);
    }

private Q_SLOTS:
    // A row each, because one script under load may need minutes, and QTest ends a function after
    // five.
    void prints_what_pytorch_prints_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<bool>("compiled");
        QTest::addColumn<double>("tolerance");
        QTest::addColumn<bool>("breaks");
        const auto eagerly = [](const char* script, double tolerance) {
            QTest::addRow("%s eagerly", script) << QString(script) << false << tolerance << false;
        };
        const auto both = [&](const char* script, double tolerance, double compiled) {
            eagerly(script, tolerance);
            QTest::addRow("%s compiled", script) << QString(script) << true << compiled << false;
        };
        // An eager operation rounds as PyTorch's does, to the last bit; a fused kernel keeps
        // float32 between the operations of a formula.
        both("dtypes", 0, 0x1p-6);
        both("held_numbers", 0, 0);
        both("mixed_dtypes", 0x1p-7, 0x1p-6);
        eagerly("aliasing", 1e-6);
        QTest::addRow("aliasing compiled") << QString("aliasing") << true << 1e-6 << true;
        both("strides", 1e-4, 2e-3);
        both("sequences", 1e-4, 1e-4);
        both("linear_algebra", 1e-6, 1e-6);
        both("masked", 1e-5, 1e-5);
        // These three with fullgraph=True: nothing of them breaks the graph.
        both("complex_numbers", 1e-5, 1e-5);
        both("captured_autograd", 1e-5, 1e-5);
        both("written_complex", 1e-5, 1e-5);
        eagerly("conjugate_views", 1e-5);
        QTest::addRow("conjugate_views compiled")
            << QString("conjugate_views") << true << 1e-5 << true;
        both("captured_backward", 1e-4, 1e-4);
        both("derivatives", 1e-5, 1e-5);
        both("optimizers", 4e-3, 1e-2); // Muon's steps are of bfloat16
        both("default_dtype", 1e-6, 1e-6);
        eagerly("front_end", 1e-4);
        eagerly("distributions", 1e-4);
        eagerly("more_distributions", 1e-4);
        eagerly("edge_values", 1e-4);
        QTest::addRow("edge_values compiled") << QString("edge_values") << true << 1e-4 << true;
        QTest::addRow("indexed_by_places") << QString("indexed_by_places") << false << 1e-5 << true;
        QTest::addRow("hooks_in_the_middle")
            << QString("hooks_in_the_middle") << false << 1e-5 << true;
        QTest::addRow("indices_of_one_value")
            << QString("indices_of_one_value") << false << 1e-4 << true;
        eagerly("views_of_outputs", 1e-6);
        eagerly("offsets_and_deletions", 0);
        QTest::addRow("offsets_and_deletions compiled")
            << QString("offsets_and_deletions") << true << 0.0 << true;
        QTest::addRow("views_of_outputs compiled")
            << QString("views_of_outputs") << true << 1e-6 << true;
        eagerly("drawn_by_values", 2e-4);        // texts of five decimals
        eagerly("refused_draws_and_ties", 2e-3); // three decimals
        eagerly("odd_operands", 2e-4);
        eagerly("odd_numbers", 2e-4);
        eagerly("open_size_views", 0);
        QTest::addRow("copied_objects") << QString("copied_objects") << false << 1e-6 << true;
        eagerly("passes_of_loops", 1e-4);
        QTest::addRow("strided_from_storage")
            << QString("strided_from_storage") << true << 1e-6 << true;
        QTest::addRow("aten_names") << QString("aten_names") << false << 1e-3 << true;
        QTest::addRow("front_end compiled") << QString("front_end") << true << 1e-4 << true;
        QTest::addRow("graph_numbers") << QString("graph_numbers") << false << 1e-6 << true;
        eagerly("captures", 1e-5);
        eagerly("captured_inputs", 1e-5);
        eagerly("full_graphs", 1e-4);
        QTest::addRow("counted_captures") << QString("counted_captures") << false << 0.0 << true;
        QTest::addRow("exported_functions")
            << QString("exported_functions") << false << 1e-6 << true;
        eagerly("open_conditions", 0.002);
        eagerly("numbers_of_calls", 0);
        eagerly("numbers_of_closures", 0);
        QTest::addRow("unused_graphs") << QString("unused_graphs") << false << 0.0 << true;
        QTest::addRow("compiled_assertions")
            << QString("compiled_assertions") << false << 1e-4 << true;
        eagerly("compiled_submodules", 1e-4);
        eagerly("directional", 1e-4);
        eagerly("compiled_modules", 0);
        eagerly("inference_tensors", 1e-6);
        eagerly("floats_of_8_bits", 0);
        eagerly("viewed_bits", 0);
        eagerly("compiled_bits", 0);
        eagerly("complex_tensors", 1e-5);
        eagerly("complex_matrices", 1e-5);
        eagerly("complex_steps", 1e-5);
        eagerly("complex_gradients", 1e-4);
        eagerly("recorded_views", 1e-6);
        eagerly("refused_writes", 1e-4);
        QTest::addRow("written_and_saved") << QString("written_and_saved") << false << 1e-3 << true;
        both("halves_that_jump", 0, 0);
        eagerly("saved_by_calls", 0);
        eagerly("small_protocols", 0);
        QTest::addRow("ways_out") << QString("ways_out") << false << 0.0 << true;
        eagerly("symbolic_graphs", 0);
        eagerly("open_sizes", 0);
        eagerly("exported_programs", 1e-6);
        QTest::addRow("library_additions") << QString("library_additions") << false << 1e-4 << true;
        QTest::addRow("torch_functions") << QString("torch_functions") << false << 1e-6 << true;
        eagerly("numpy_arrays", 0);
        eagerly("numpy_functions", 0);
        eagerly("library_more", 2e-4);
        eagerly("refused_and_taken", 0);
        eagerly("odd_inputs", 1e-6);
        eagerly("refused_words", 1e-4);
        // One of its functions is compiled, and with torch.device(...) breaks a graph.
        QTest::addRow("odd_calls eagerly") << QString("odd_calls") << false << 1e-5 << true;
        eagerly("open_backends", 1e-6);
        eagerly("calls_of_graphs", 2e-4);
        eagerly("tape_meta_hooks", 1e-4);
        eagerly("grad_edges", 0);
        eagerly("dispatch_modes", 1e-6);
        for (const char* name : {"users_operations", "users_modules", "users_graphs",
                                 "users_language", "users_transforms"})
            eagerly(name, 1e-4);
        QTest::addRow("small_programs") << QString("small_programs") << false << 1e-5 << true;
        QTest::addRow("memory_views") << QString("memory_views") << false << 0.0 << true;
        // Programs as people write them; losses with four decimals.
        for (const char* script :
             {"peoples_models", "peoples_tools", "peoples_python", "python_modules"})
            QTest::addRow("%s", script) << QString(script) << false << 1e-3 << true;
        QTest::addRow("own_compilers") << QString("own_compilers") << false << 2e-3 << true;
        QTest::addRow("corner_cases") << QString("corner_cases") << false << 1e-4 << true;
        eagerly("everyday", 2e-4); // texts of four decimals
    }

    void prints_what_pytorch_prints() {
        QFETCH(QString, script);
        QFETCH(bool, compiled);
        QFETCH(double, tolerance);
        QFETCH(bool, breaks);
        QCOMPARE(
            againstPyTorch(script, compiled, tolerance, breaks ? Breaks::Allowed : Breaks::None),
            QString());
    }

    void compiled_functions_give_what_eager_gives() {
        const Outcome found = start(
            CUTAWAY_TOOL, {"run", CUTAWAY_SOURCE_DIR "/tests/data/compiled_against_eager.py"});
        QCOMPARE(found.said, QString("237 agree\n"));
        QCOMPARE(found.status, 0);
    }

    void tensors_of_the_outside_are_changed_as_in_eager() { agrees("changed_in_place.py", 84); }

    void locals_live_as_long_as_in_eager() { agrees("lives_of_locals.py", 64, " for "); }

    void generators_end_where_they_end_eagerly() { agrees("ended_generators.py", 56); }

    void numbers_that_vary_are_captured_once() { agrees("varying_numbers.py", 40); }

    void ints_of_sizes_are_exact() { agrees("exact_sizes.py", 192, " for "); }

    void writes_through_views_are_as_in_eager() { agrees("written_views.py", 70); }

    void optimizers_step_in_one_graph() {
        const QString script = CUTAWAY_SOURCE_DIR "/tests/data/compiled_steps.py";
        for (const QStringList& how :
             {QStringList{"run", script}, QStringList{"run", "--transformed", script}}) {
            const Outcome found = start(CUTAWAY_TOOL, how);
            QCOMPARE(found.said, QString("22 agree\n")); // and no word of a break
            QCOMPARE(found.status, 0);
        }
    }

    void options_stand_beside_a_mode() { // in tutorials; PyTorch refuses it
        QTemporaryDir folder;
        QFile script(folder.filePath("tutorial.py"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("import torch\n"
                     "f = torch.compile(lambda x: x + 1, mode='max-autotune', dynamic=False,\n"
                     "                  options={'max_autotune': False})\n"
                     "print(f(torch.ones(2)).tolist())\n");
        script.close();
        const Outcome found = start(CUTAWAY_TOOL, {"run", script.fileName()});
        QVERIFY2(found.said.contains("PyTorch takes one of them"), qPrintable(found.said));
        QVERIFY2(found.said.contains("[2.0, 2.0]\n"), qPrintable(found.said));
    }

    void transformed_code_prints_the_same_data() {
        QTest::addColumn<QString>("script");
        QTest::newRow("a tape of what is written") << "views_of_outputs";
        QTest::newRow("calls of functions without variables") << "distributions";
        QTest::newRow("writes and their views") << "aliasing";
        QTest::newRow("branches and generators") << "front_end";
        QTest::newRow("computed again, and quotients of sizes") << "recomputed_and_divided";
    }
    void transformed_code_prints_the_same() {
        QFETCH(QString, script);
        const QString found =
            againstPyTorch(script, true, 1e-4, Breaks::Allowed, {"--transformed"});
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }

    void networks_with_an_open_batch_are_as_in_eager() { agrees("symbolic_batches.py", 36); }

    void a_script_s_explain_tells_what_the_tool_tells() {
        const QString script = CUTAWAY_SOURCE_DIR "/tests/data/explained.py";
        const Outcome ran = start(CUTAWAY_TOOL, {"run", script});
        const QStringList how{"explain", "--no-cache", "--function", "explained", "--stage"};
        const QString guards = start(CUTAWAY_TOOL, QStringList(how) << "guards" << script).said;
        const QString breaks = start(CUTAWAY_TOOL, QStringList(how) << "breaks" << script).said;
        int told = 0, broken = 0;
        // As often as a guard is told: those of several entries may be alike.
        std::map<QString, int> times;
        for (const QString& line : ran.said.split('\n')) {
            const QStringList parts = line.split('|');
            if (parts[0] == "guard" && parts.size() == 4) {
                const QString wanted =
                    QString("%1 %2 %3").arg(parts[1], -16).arg(parts[2], -32).arg(parts[3]);
                QVERIFY2(guards.count(wanted) >= ++times[wanted],
                         qPrintable(wanted + "\nis not in\n" + guards));
                ++told;
            } else if (parts[0] == "break") {
                QVERIFY2(parts.size() == 4, qPrintable(line));
                const QString wanted = QString(":%1:").arg(parts[3]) + ".*" +
                                       QRegularExpression::escape(parts[1]) +
                                       "\nhint: " + QRegularExpression::escape(parts[2]);
                QVERIFY2(breaks.contains(QRegularExpression(wanted)),
                         qPrintable(wanted + "\nis not in\n" + breaks));
                ++broken;
            }
        }
        QVERIFY2(told > 6 && broken == 2, qPrintable(ran.said));
        QVERIFY2(ran.said.contains("graphs 3"), qPrintable(ran.said));
    }

    void captures_are_explained_and_counted() { agrees("dynamo.py", 20, "expected"); }

    void breaks_effects_and_random_numbers_are_as_in_eager() { agrees("resumed_breaks.py", 9); }

    void backwards_that_capture_cannot_look_into_are_as_in_eager() {
        agrees("broken_backward.py", 36);
    }

    void indexing_with_tensors_is_as_in_eager() { agrees("indexing.py", 76); }

    void rows_are_sorted_scanned_and_scattered_into() {
        const Outcome found =
            start(CUTAWAY_TOOL, {"run", CUTAWAY_SOURCE_DIR "/tests/data/rows.py"});
        QCOMPARE(found.said, QString("128 agree\n"));
        QCOMPARE(found.status, 0);
    }

    void packed_weights_follow_their_tensors() {
        const Outcome found =
            start(CUTAWAY_TOOL, {"run", CUTAWAY_SOURCE_DIR "/tests/data/convolutions.py"});
        QCOMPARE(found.said, QString("29 agree\n"));
        QCOMPARE(found.status, 0);
    }

    void exported_cuda_launches_fit_their_kernels() {
        const QString compiler = QStandardPaths::findExecutable("c++");
        if (compiler.isEmpty()) QSKIP("no c++ on PATH");
        QTemporaryDir folder;
        const Outcome exported =
            start(CUTAWAY_TOOL, {"export", "--no-cache", "--as", "cuda", "-o", folder.path(),
                                 CUTAWAY_SOURCE_DIR "/tests/data/mask_between_kernels.py"});
        QVERIFY2(exported.status == 0, qPrintable(exported.said));
        QFile runtime(folder.filePath("cuda_runtime.h"));
        QVERIFY(runtime.open(QIODevice::WriteOnly));
        runtime.write(kCudaRuntime);
        runtime.close();
        QStringList sources;
        QDirIterator files(folder.path(), {"*.cu", "cutaway_cuda.h"}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadWrite));
            QString text = file.readAll();
            text.replace(QRegularExpression("<<<[^;]*>>>"), "");
            file.resize(0);
            file.write(text.toUtf8());
            if (file.fileName().endsWith(".cu")) sources << file.fileName();
        }
        QVERIFY(sources.size() >= 3); // the graph's calls and more than one kernel
        for (const QString& source : sources) {
            const Outcome parsed =
                start(compiler, {"-x", "c++", "-std=c++20", "-w", "-fsyntax-only", "-D__CUDACC__",
                                 "-I", folder.path(), "-include", "cuda_runtime.h", source});
            QVERIFY2(parsed.status == 0, qPrintable(parsed.said));
        }
    }
};

QTEST_APPLESS_MAIN(TestCompiledScripts)
#include "test_compiled_scripts.moc"
