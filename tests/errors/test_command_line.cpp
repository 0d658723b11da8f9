// SPDX-License-Identifier: Apache-2.0
// What the command-line tool says about bad input, word for word, and its exit status.
#include "core/record/json.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <thread>

namespace {

constexpr int kGood = 0, kInput = 1, kUsage = 2, kEnvironment = 3;

struct Outcome {
    int status = -1;
    QString out, err;
};

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    void write(const QString& name, const QByteArray& content) {
        QFile file(folder_.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    Outcome tool(const QStringList& arguments, const QString& cache = {}) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("CUTAWAY_CACHE_DIR", cache.isEmpty() ? folder_.filePath("k") : cache);
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder_.path());
        process.start(CUTAWAY_TOOL, arguments);
        if (!process.waitForFinished(60000)) return {-1, {}, process.errorString()};
        if (process.exitStatus() != QProcess::NormalExit) return {-1, {}, "crashed"};
        return {process.exitCode(), process.readAllStandardOutput(),
                process.readAllStandardError()};
    }
    /// By a shell that has first done \p preparation.
    Outcome afterwards(const QString& preparation, const QStringList& arguments) {
        QProcess shell;
        shell.setWorkingDirectory(folder_.path());
        shell.start("sh", QStringList{"-c", preparation + "; exec \"$0\" \"$@\"", CUTAWAY_TOOL} +
                              arguments);
        if (!shell.waitForFinished(120000)) return {-1, {}, shell.errorString()};
        if (shell.exitStatus() != QProcess::NormalExit) return {-1, {}, "crashed"};
        return {shell.exitCode(), shell.readAllStandardOutput(), shell.readAllStandardError()};
    }
    bool hasCuda() { return tool({"doctor", "--json"}).out.contains("\"cuda:0\""); }

private Q_SLOTS:
    void initTestCase() {
        write("good.py",
              "import torch\n\n@torch.compile\ndef f(x):\n    return torch.cos(x) + 1\n\n"
              "f(torch.zeros(3))\n");
        write("plain.py", "print(1)\n");
        write("case.py", "import torch\ntrain = False\nsizes = {'tiny': 2}\n\ndef model(x):\n"
                         "    return x + 1\n\ndef example_inputs(size):\n"
                         "    return (torch.ones(sizes[size]),)\n");
        write("damaged.cutaway", "PK\003\004junk");
        write("model.onnx", "not a model");
    }

    /// To which a window attaches while the program runs.
    void a_record_grows_while_a_script_runs() {
        write("long.py",
              "import time\nimport torch\n\n@torch.compile\ndef f(x):\n"
              "    return torch.cos(x) + 1\n\n@torch.compile\ndef g(x):\n"
              "    return torch.sin(x)\n\nf(torch.zeros(3))\nprint('compiled', flush=True)\n"
              "time.sleep(2)\ng(torch.zeros(3))\nprint('over')\nraise ValueError('end')\n");
        const QString script = folder_.filePath("long.py"),
                      record = folder_.filePath("long.cutaway");
        const auto functions = [&] {
            const auto found = cutaway::record::open(record.toStdString());
            QStringList names;
            if (found)
                for (const auto& function : found->functions)
                    names << QString::fromStdString(function.name);
            return names;
        };
        QProcess process;
        process.start(CUTAWAY_TOOL, {"run", script, "--record", record});
        QVERIFY(process.waitForStarted());
        QVERIFY(QTest::qWaitFor([&] { return functions() == QStringList{"f"}; }, 60000));
        QCOMPARE(process.state(), QProcess::Running);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(functions(), (QStringList{"f", "g"})); // also of one that fails
        QCOMPARE(process.exitCode(), kInput);
        QCOMPARE(QString(process.readAllStandardOutput()), QString("compiled\nover\n"));
    }
    /// Of double_cosine, which spends its time in the sines and cosines of two kernels.
    void lines_that_a_call_computes_in_are_sampled() {
        const Outcome o = tool({"bench", CUTAWAY_SOURCE_DIR "/samples/double_cosine.py", "--size",
                                "cpu", "--backends", "inductor", "--lines", "--json", "--min-time",
                                "0.01", "--threads", "1"});
        QCOMPARE(o.status, kGood);
        const auto row = cutaway::record::parseJson(o.out.toStdString());
        QVERIFY2(row.ok(), qPrintable(o.out));
        const auto& lines = (*row)["lines"];
        const std::string missing = lines["missing"];
        if (!missing.empty()) QSKIP(missing.c_str());
        const int all = lines["samples"];
        QVERIFY2(all >= 20, qPrintable(QString::number(all)));
        int inKernels = 0, inLines = 0;
        QSet<QString> graphs;
        for (const auto& code : lines["codes"]) {
            for (const auto& kernel : code["kernels"])
                graphs << QString::fromStdString(kernel["graph"]);
            inKernels += code["samples"].get<int>();
            for (const auto& line : code["lines"]) {
                QVERIFY(line["line"] > 0);
                inLines += line["samples"].get<int>();
            }
        }
        QCOMPARE(graphs, (QSet<QString>{"forward", "backward"}));
        QVERIFY2(inKernels * 2 > all && inKernels <= all, qPrintable(o.out));
        QVERIFY2(inLines * 10 > inKernels * 9 && inLines <= inKernels, qPrintable(o.out));
    }
    void the_curve_of_a_case_is_measured_point_by_point() {
        const QString file = CUTAWAY_SOURCE_DIR "/samples/mlp_train.py";
        const Outcome o = tool({"bench", "--curve", "--json", "--size", "tiny", "--min-time",
                                "0.001", "--threads", "2", "--vector-bytes", "64", file});
        QCOMPARE(o.status, kGood);
        const QStringList rows = o.out.trimmed().split('\n');
        QVERIFY(!rows.isEmpty());
        for (const QString& row : rows) {
            const auto json = cutaway::record::parseJson(row.toStdString());
            QVERIFY2(json.ok(), qPrintable(row));
            QVERIFY((*json)["us"] > 0 && (*json)["predicted_us"] > 0);
            QCOMPARE((*json)["decisions"].get<std::string>(),
                     "budget " + std::to_string((*json)["predicted_peak_bytes"].get<int64_t>()) +
                         "B");
        }
        const Outcome none = tool(
            {"bench", "--curve", "--size", "tiny", CUTAWAY_SOURCE_DIR "/samples/mul_add_relu.py"});
        QCOMPARE(none.status, kUsage);
        QVERIFY2(none.err.contains("--curve is for cases that train"), qPrintable(none.err));
    }
    void decisions_that_a_run_cannot_follow_are_told() {
        const Outcome unknown = tool({"run", "good.py", "--decide", "save nope"});
        QCOMPARE(unknown.status, kGood);
        QVERIFY2(unknown.err.contains("the decision 'save nope' was not followed"),
                 qPrintable(unknown.err));
        const Outcome input = tool({"run", "good.py", "--input", "0=zeros"});
        QCOMPARE(input.status, kGood);
        QVERIFY2(input.err.contains("the script makes its inputs by itself"),
                 qPrintable(input.err));
        QCOMPARE(tool({"run", "good.py"}).err, QString());
    }
    void a_recipe_decides_line_by_line() {
        const QStringList explain = {"explain",   "--size",
                                     "tiny",      "--stage",
                                     "partition", CUTAWAY_SOURCE_DIR "/samples/double_cosine.py",
                                     "--recipe"};
        write("mine.recipe", "# what I want\nsave cos\n");
        const Outcome followed = tool(explain + QStringList{"mine.recipe"});
        QCOMPARE(followed.status, kGood);
        QVERIFY2(followed.out.contains("asked for: 1 KiB saved"), qPrintable(followed.out));
        write("odd.recipe", "save cos\nkeep everything\n");
        const Outcome odd = tool(explain + QStringList{"odd.recipe"});
        QVERIFY(odd.status != kGood);
        QVERIFY2(odd.err.contains("unknown decision 'keep everything'"), qPrintable(odd.err));
        write("wide.recipe", "with fold_constants elements=many\n");
        const Outcome wide = tool(explain + QStringList{"wide.recipe"});
        QCOMPARE(wide.status, kUsage);
        QVERIFY2(
            wide.err.contains("argument 'elements' of pass 'fold_constants': expected a number "
                              "from 0 to 16777216, found 'many'\nhint: elements=4096 is usual"),
            qPrintable(wide.err));
        const Outcome missing = tool(explain + QStringList{"none.recipe"});
        QCOMPARE(missing.status, kUsage);
        QVERIFY2(missing.err.contains("--recipe: cannot open file"), qPrintable(missing.err));
    }
    void scripts_end_with_one_located_message_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("status");
        // As in Python an uncaught exception shows its calls and its class; our line follows.
        auto traced = [](std::initializer_list<const char*> calls, const char* exception) {
            QString text = "Traceback (most recent call last):\n";
            for (const char* call : calls)
                text += QString("  File \"a.py\", line %1\n").arg(call);
            return text + exception + "\n";
        };
        QTest::newRow("syntax error") << QByteArray("import torch\ndef f(x:\n    return x\n")
                                      << "a.py:2:6: error: '(' is never closed\n"
                                      << kInput;
        QTest::newRow("unknown name")
            << QByteArray("import torch\nvalues = torch.ones(3)\nprint(vlaues)\n")
            << traced({"3, in <module>\n    print(vlaues)"},
                      "NameError: name 'vlaues' is not defined") +
                   "a.py:3:7: error: name 'vlaues' is not defined\n"
                   "hint: did you mean 'values'?\n"
            << kInput;
        QTest::newRow("unknown torch function")
            << QByteArray("import torch\nx = torch.ones(3)\nprint(torch.soffmax(x, 0))\n")
            << traced({"3, in <module>\n    print(torch.soffmax(x, 0))"},
                      "AttributeError: module 'torch' has no attribute 'soffmax'") +
                   "a.py:3:7: error: module 'torch' has no attribute 'soffmax'\n"
                   "hint: did you mean 'softmax'?\n"
            << kInput;
        QTest::newRow("unknown method")
            << QByteArray("import torch\nx = torch.ones(3)\nprint(x.coss())\n")
            << traced({"3, in <module>\n    print(x.coss())"},
                      "AttributeError: 'Tensor' object has no attribute 'coss'") +
                   "a.py:3:7: error: 'Tensor' object has no attribute 'coss'\n"
                   "hint: did you mean 'cos'?\n"
            << kInput;
        QTest::newRow("unknown module")
            << QByteArray("import pandas as pd\n")
            << traced({"1, in <module>\n    import pandas as pd"},
                      "ModuleNotFoundError: No module named 'pandas'") +
                   "a.py:1:8: error: module 'pandas' is not available\n"
                   "hint: scripts can use torch, einops and those of Python's modules that touch "
                   "no files\n"
            << kInput;
        QTest::newRow("shapes of a compiled function")
            << QByteArray("import torch\n\n@torch.compile\ndef f(x, y):\n    a = torch.cos(x)\n"
                          "    b = torch.sin(y)\n    return a + b\n\n"
                          "print(f(torch.ones(3, 4), torch.ones(3, 5)))\n")
            << traced({"9, in <module>\n    print(f(torch.ones(3, 4), torch.ones(3, 5)))",
                       "7, in f\n    return a + b"},
                      "RuntimeError: The size of tensor a (4) must match the size of tensor b (5) "
                      "at non-singleton dimension 1") +
                   "a.py:7:12: error: The size of tensor a (4) must match the size of tensor b (5) "
                   "at non-singleton dimension 1\n"
                   "a.py:5:9: note: f32[3, 4] was made here\n"
                   "a.py:6:9: note: f32[3, 5] was made here\n"
                   "a.py:9:7: note: f() was called from here\n"
                   "hint: add: shapes [3, 4] and [3, 5]: sizes must be equal or 1, counted from "
                   "the last dimension\n"
            << kInput;
        QTest::newRow("shapes outside compiled functions")
            << QByteArray(
                   "import torch\nx = torch.ones(3, 4)\ny = torch.ones(3, 5)\nprint(x @ y)\n")
            << traced({"4, in <module>\n    print(x @ y)"},
                      "RuntimeError: mm: mat1 and mat2 shapes cannot be multiplied (3x4 and 3x5)") +
                   "a.py:4:7: error: mm: mat1 and mat2 shapes cannot be multiplied (3x4 and 3x5)\n"
                   "a.py:2:5: note: f32[3, 4] was made here\n"
                   "a.py:3:5: note: f32[3, 5] was made here\n"
            << kInput;
    }
    void scripts_end_with_one_located_message() {
        QFETCH(QByteArray, script);
        QFETCH(QString, message);
        QFETCH(int, status);
        write("a.py", script);
        for (const char* command : {"run", "explain"}) {
            Outcome found = tool({command, "a.py"});
            QCOMPARE(found.err, message);
            QCOMPARE(found.status, status);
        }
    }

    void arguments_are_refused_with_what_would_do_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("status");
        auto row = [](const char* arguments, const QString& message, int status) {
            QTest::newRow(arguments) << QString(arguments).split(' ') << message << status;
        };
        const QString closed = "hint: check the spelling of the path\n";
        row("run missing.py",
            "missing.py: error: cannot open file: No such file or directory\n" + closed, kInput);
        row("explain missing.cutaway",
            "missing.cutaway: error: cannot open file: No such file or directory\n" + closed,
            kInput);
        row("run .", ".: error: expected a file, found a folder\n", kInput);
        row("run good.py --memory-budget ",
            "error: memory budget '': expected a share of what min_cut saves, from 0 to 1, or a "
            "peak\nhint: for example 0.5, or 64MiB\n",
            kUsage);
        row("run good.py --partitioner ",
            "error: unknown partitioner ''\nhint: known: min_cut, default\n", kUsage);
        row("explain model.onnx",
            "model.onnx: error: this ONNX model cannot be read: this is no ONNX model\n"
            "hint: write the model again\n",
            kInput);
        const QString damaged =
            "damaged.cutaway: error: expected a zip archive, found other or damaged content\n"
            "hint: open a file written by 'cutaway compile -o FILE.cutaway'\n";
        row("explain damaged.cutaway", damaged, kInput);
        row("diff damaged.cutaway damaged.cutaway", damaged, kInput);
        row("run damaged.cutaway",
            "damaged.cutaway: error: a saved record cannot be run again\n"
            "hint: give the script that it was made from; explain, diff and export --as dot|svg "
            "take records\n",
            kInput);
        row("compile good.py -o .",
            "error: cannot replace '.': it is not a regular file\nhint: choose another place\n",
            kEnvironment);
        row("run good.py --device tpu",
            "error: unknown device 'tpu'\nhint: known devices: cpu, cuda, cuda:0, cuda:1 ...\n",
            kUsage);
        row("run good.py --backend fast",
            "error: unknown backend 'fast'\nhint: known backends: inductor, aot_eager, eager\n",
            kUsage);
        row("explain good.py --stage nope",
            "error: unknown stage 'nope'\nhint: known stages: guards, captured, joint, passes, "
            "partition, "
            "frozen, forward, backward, loops, kernels, schedule, memory, cpp, cuda, llvm, asm, "
            "ptx, "
            "sass, breaks, transformed\n",
            kUsage);
        row("explain SAMPLE --schedule 2",
            "error: schedule '2': expected KERNEL=CANDIDATE\n"
            "hint: for example fused_cos=2, or 'fused_cos=rows: vector 8, threads 1'\n",
            kUsage);
        row("explain SAMPLE --schedule nope=2",
            "error: no compiled kernel is named 'nope'\n"
            "hint: 'explain --stage schedule' lists the kernels\n",
            kUsage);
        row("check SAMPLE --schedule nope=2",
            "error: no compiled kernel is named 'nope'\n"
            "hint: 'explain --stage schedule' lists the kernels\n",
            kUsage);
        row("explain SAMPLE --schedule *=tiles",
            "error: schedule 'tiles' fits no kernel: no schedule template is named 'tiles'\n",
            kUsage);
        row("tune SAMPLE --schedule *=1",
            "error: tune times every schedule: --schedule has no say in it\n"
            "hint: use --schedule with bench --kernels\n",
            kUsage);
        row("explain good.py --function g",
            "error: no compiled function is named 'g'\nhint: compiled: f\n", kUsage);
        row("check good.py --function g",
            "error: no compiled function is named 'g'\nhint: compiled: f\n", kUsage);
        row("export good.py -o out --as cpp --function g",
            "error: no compiled function is named 'g'\nhint: compiled: f\n", kUsage);
        row("explain SAMPLE --size huge",
            "error: unknown size 'huge'\nhint: known sizes: tiny, cpu, gpu\n", kUsage);
        row("explain good.py --disable-pass nope",
            "error: unknown pass 'nope'\nhint: passes that can be left out: join_stores, "
            "raise_views, fuse_attention, join_trained, fold_constants, sink_views, "
            "simplify_algebra, cut_joins, "
            "fold_into_weights, "
            "reassociate_constants, thin_products, merge_common, join_products, channels_last, "
            "collapse_one_hot, gather_joined_slices\n",
            kUsage);
        row("run good.py --threads -1",
            "error: --threads: expected a number from 0 up, found '-1'\n"
            "hint: 'cutaway --help' tells more\n",
            kUsage);
        row("run good.py --threads 100000", threadsRefused(), kUsage);
        row("bogus",
            "error: unknown command 'bogus'\nhint: known commands: run, explain, check, bench, "
            "tune, "
            "compile, diff, export, ops, doctor, serve\n",
            kUsage);
        row("ops coss", "error: unknown operation 'coss'\nhint: nearest: cos, cosh, cross\n",
            kUsage);
        row("compile good.py -o /proc/x.cutaway",
            "error: cannot write '/proc/x.cutaway': No such file or directory\n"
            "hint: check the folder's permissions and the free space, or choose another place\n",
            kEnvironment);
        row("bench good.py --backends eager --function g",
            "error: no compiled function is named 'g'\nhint: compiled: f\n", kUsage);
        row("bench good.py --backends eager --function f --call 2",
            "error: the script makes no call 2 of 'f'\n"
            "hint: calls count from 1, each function's for itself\n",
            kUsage);
        for (const std::string command : {"check", "explain", "tune", "export -o out",
                                          "compile -o out.cutaway", "bench --min-time 1"}) {
            row((command + " good.py --call 2").c_str(),
                "error: the script makes no call 2 of a compiled function\n"
                "hint: calls count from 1, each function's for itself\n",
                kUsage);
            row((command + " case.py --call 1").c_str(),
                "error: case.py is a case file: call 1 of it is none of a script's\n"
                "hint: leave out --call, or give a script that calls what torch.compile makes\n",
                kUsage);
        }
        row("bench plain.py --backends eager",
            "plain.py: error: nothing to measure: the script calls no compiled function\n"
            "hint: add torch.compile, or define 'model' and 'example_inputs(size)'\n",
            kInput);
    }
    /// The limits depend on the machine.
    static QString threadsRefused() {
        const int machine = static_cast<int>(std::thread::hardware_concurrency());
        return QString("error: expected from 1 to %1 threads, or 0 for all of the machine's; found "
                       "100000\nhint: this machine has %2\n")
            .arg(std::max(256, 4 * machine))
            .arg(machine);
    }
    void arguments_are_refused_with_what_would_do() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        QFETCH(int, status);
        arguments.replaceInStrings("SAMPLE", CUTAWAY_SOURCE_DIR "/samples/double_cosine.py");
        Outcome found = tool(arguments);
        QCOMPARE(found.err, message);
        QCOMPARE(found.status, status);
    }

    void a_tensor_larger_than_memory_names_both_numbers() {
        write("a.py", "import torch\nx = torch.zeros(10**15)\n");
        Outcome found = tool({"run", "a.py"});
        QCOMPARE(found.status, kEnvironment);
        QRegularExpression message("^Traceback \\(most recent call last\\):\n  File \"a\\.py\", "
                                   "line 2, in <module>\n    x = torch\\.zeros\\(10\\*\\*15\\)\n"
                                   "RuntimeError: out of memory on cpu: [^\n]*\n"
                                   "a\\.py:2:5: error: out of memory on cpu: 4000000000000000 "
                                   "bytes \\(3725290\\.3 GiB\\) asked for, \\d+ bytes \\(.*\\) "
                                   "available\nhint: make the tensor smaller, or free memory and "
                                   "try again\n$");
        QVERIFY2(message.match(found.err).hasMatch(), qPrintable(found.err));
    }

    void without_a_gpu_cuda_says_what_is_missing() {
        if (hasCuda()) QSKIP("this machine has a CUDA device");
        Outcome found = tool({"run", "good.py", "--device", "cuda"});
        QVERIFY2(found.err.startsWith("error: no CUDA device: "), qPrintable(found.err));
        QVERIFY2(found.err.contains("use the device \"cpu\""), qPrintable(found.err));
        QCOMPARE(found.err.count('\n'), 2);
        QCOMPARE(found.status, kEnvironment);
    }

    void an_unwritable_cache_is_a_warning() {
        QRegularExpression warning("^warning: compiled kernels are not kept on disk: cannot make "
                                   "the folder '/proc/x': No such file or directory\nhint: "
                                   "[^\n]*\n$");
        for (const char* command : {"run", "explain"}) {
            Outcome found = tool({command, "good.py"}, "/proc/x");
            QCOMPARE(found.status, kGood);
            QVERIFY2(warning.match(found.err).hasMatch(), qPrintable(found.err));
        }
    }

    void fewer_threads_than_the_machine_has_give_the_same_numbers() {
        write("product.py", "import torch\n"
                            "a = torch.arange(120000.).reshape(300, 400) % 7\n"
                            "f = torch.compile(lambda: (a @ a.t()).sum())\n"
                            "print((a @ a.t()).sum().item(), f().item())\n");
        const Outcome one = afterwards("export OMP_THREAD_LIMIT=1", {"run", "product.py"});
        QCOMPARE(one.status, kGood);
        QCOMPARE(one.err, QString());
        QCOMPARE(one.out, tool({"run", "product.py"}).out);
    }

    void without_a_home_nothing_is_kept_and_that_is_said_once() {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"CUTAWAY_CACHE_DIR", "XDG_CACHE_HOME", "HOME"})
            environment.remove(name);
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder_.path());
        process.start(CUTAWAY_TOOL, {"run", "good.py"});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), kGood);
        QCOMPARE(QString(process.readAllStandardError()),
                 QString("warning: compiled kernels are not kept on disk: there is no folder for "
                         "them: HOME is not set\nhint: set CUTAWAY_CACHE_DIR to a folder that "
                         "belongs to you\n"));
    }

    void a_folder_of_others_is_no_cache_and_that_is_said() {
        const QString shared = folder_.filePath("shared"), own = folder_.filePath("own");
        QVERIFY(QDir().mkpath(shared) && QDir().mkpath(own));
        write("shared/other", "x");
        write("own/other", "x");
        QCOMPARE(::chmod(qPrintable(shared), 01777), 0);
        QCOMPARE(::chmod(qPrintable(own), 0755), 0);
        const Outcome o = tool({"run", "good.py"}, shared);
        QCOMPARE(o.status, kGood);
        QCOMPARE(
            o.err,
            QString("warning: compiled kernels are not kept on disk: other users may write to "
                    "the folder '%1': found mode 1777, expected 0700\n"
                    "hint: look at what is in it, then run chmod 700 on it, or set "
                    "CUTAWAY_CACHE_DIR to a folder that belongs to you and that nobody else can "
                    "write to\n")
                .arg(shared));
        QCOMPARE(tool({"run", "good.py"}, own).err, QString());
        struct stat info{};
        QCOMPARE(::stat(qPrintable(own), &info), 0);
        QCOMPARE(info.st_mode & 07777, mode_t(0755)); // it was there, and stays as it was
        QVERIFY(QFile::exists(own + "/key"));
    }

    void a_damaged_cache_entry_is_compiled_again() {
        QString cache = folder_.filePath("damaged");
        QCOMPARE(tool({"run", "good.py"}, cache).status, kGood);
        QDir objects(cache + "/cpu");
        QStringList names = objects.entryList(QDir::Files);
        QVERIFY(!names.isEmpty());
        for (const QString& name : names) {
            QFile file(objects.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write("junk");
        }
        Outcome found = tool({"run", "good.py"}, cache);
        QCOMPARE(found.err, QString());
        QCOMPARE(found.status, kGood);
    }

    void a_full_standard_output_is_told() {
        if (!QFile::exists("/dev/full")) QSKIP("no /dev/full");
        for (const QStringList& arguments :
             {QStringList{"ops"}, QStringList{"--help"}, QStringList{"run", "--help"}}) {
            QProcess process;
            process.setStandardOutputFile("/dev/full");
            process.start(CUTAWAY_TOOL, arguments);
            QVERIFY(process.waitForFinished(60000));
            QCOMPARE(process.exitCode(), kEnvironment);
            QVERIFY(process.readAllStandardError().contains("cannot write standard output"));
        }
    }
    void a_file_beyond_the_limit_is_told_and_removed() {
        Outcome found =
            afterwards("ulimit -f 8", {"compile", "--no-cache", "good.py", "-o", "big/a.cutaway"});
        QCOMPARE(found.status, kEnvironment);
        QVERIFY2(found.err.contains("error: cannot write 'big/a.cutaway': File too large"),
                 qPrintable(found.err));
        QCOMPARE(QDir(folder_.filePath("big")).entryList(QDir::Files), QStringList());
        found = afterwards("ulimit -f 1",
                           {"run", "--no-cache", "--record", "big/b.cutaway", "good.py"});
        QCOMPARE(found.status, kEnvironment);
        QVERIFY2(found.err.contains("error: cannot write 'big/b.cutaway': File too large"),
                 qPrintable(found.err));
    }
    void too_few_open_files_are_told() {
        Outcome found = afterwards("ulimit -n 8", {"run", "good.py"});
        QCOMPARE(found.status, kEnvironment);
        QCOMPARE(found.err, QString("error: this process may open 8 files at once, expected 16\n"
                                    "hint: raise the limit, for example with 'ulimit -n 256'\n"));
    }
    void a_small_stack_is_enough() {
        write("deep.py",
              "import torch\n\n@torch.compile\ndef f(x):\n    return torch.cos(x) + 1\n\n"
              "def deeper(n):\n    return deeper(n + 1)\n\n"
              "print(f(torch.zeros(3)).sum())\n"
              "try:\n    deeper(0)\nexcept RecursionError:\n    print('too deep')\n");
        for (const char* limit : {"ulimit -S -s 1024", "ulimit -S -s 256", "ulimit -s 256"}) {
            Outcome found = afterwards(limit, {"run", "--no-cache", "deep.py"});
            // A hard limit is for those who may raise it; the others are told.
            const bool told = found.err.startsWith("error: the stack may take 256 KiB, compiling ");
            if (told && !QString(limit).contains("-S")) continue;
            QCOMPARE(found.status, kGood);
            QCOMPARE(found.out, QString("tensor(6.)\ntoo deep\n"));
        }
    }
    void a_link_is_written_through() {
        QVERIFY(QFile::link(folder_.filePath("real.cutaway"), folder_.filePath("link.cutaway")));
        write("real.cutaway", "PK");
        QCOMPARE(tool({"compile", "good.py", "-o", "link.cutaway"}).status, kGood);
        QVERIFY(QFileInfo(folder_.filePath("link.cutaway")).isSymLink());
        QVERIFY(QFileInfo(folder_.filePath("real.cutaway")).size() > 1000);
    }
    void a_record_takes_no_scripts_place() {
        write("own.py", "x = 1\n");
        for (const QStringList& arguments : {QStringList{"compile", "own.py", "-o", "own.py"},
                                             {"compile", "good.py", "-o", "own.py"}}) {
            const Outcome found = tool(arguments);
            QCOMPARE(found.status, kInput);
            QVERIFY2(found.err.contains("own.py: error: there is a file that is no record"),
                     qPrintable(found.err));
            QFile file(folder_.filePath("own.py"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll(), QByteArray("x = 1\n"));
        }
    }
    void ctrl_c_is_keyboard_interrupt() {
        auto interrupted = [&](const char* name, const char* text) {
            write(name, text);
            auto process = std::make_unique<QProcess>();
            process->setWorkingDirectory(folder_.path());
            process->start(CUTAWAY_TOOL, {"run", name});
            if (process->waitForReadyRead(60000)) ::kill(pid_t(process->processId()), SIGINT);
            process->waitForFinished(60000);
            return process;
        };
        auto caught = interrupted("caught.py", "try:\n    print('begun')\n    while True:\n"
                                               "        pass\nexcept KeyboardInterrupt:\n"
                                               "    print('caught')\n");
        QCOMPARE(caught->exitStatus(), QProcess::NormalExit);
        QCOMPARE(caught->exitCode(), kGood);
        QCOMPARE(caught->readAllStandardOutput(), QByteArray("begun\ncaught\n"));

        // Within one long operation, too, and within a compiled function's.
        auto after = interrupted("after.py",
                                 "import torch\nx = torch.ones(3000, 3000)\n"
                                 "g = torch.compile(lambda x: x @ x)\ntry:\n    try:\n"
                                 "        print('begun')\n        while True:\n"
                                 "            g(x)\n            x @ x\n"
                                 "    finally:\n        print('finally')\n"
                                 "except KeyboardInterrupt:\n    print('caught', (x + 1).sum())\n");
        QCOMPARE(after->exitCode(), kGood);
        QCOMPARE(after->readAllStandardOutput(),
                 QByteArray("begun\nfinally\ncaught tensor(18000000.)\n"));

        auto ended = interrupted("ended.py", "try:\n    print('begun')\n    while True:\n"
                                             "        pass\nfinally:\n    print('finally')\n");
        QCOMPARE(ended->exitStatus(), QProcess::CrashExit); // by the signal, as shells expect it
        QCOMPARE(ended->readAllStandardOutput(), QByteArray("begun\nfinally\n"));
        QVERIFY(ended->readAllStandardError().contains("\nKeyboardInterrupt\n"));

        // By what it is, not by its words.
        auto worded = interrupted("worded.py", "raise RuntimeError('KeyboardInterrupt: no')\n");
        QCOMPARE(worded->exitStatus(), QProcess::NormalExit);
        QCOMPARE(worded->exitCode(), kInput);
        auto raised = interrupted("raised.py", "raise KeyboardInterrupt('yes')\n");
        QCOMPARE(raised->exitStatus(), QProcess::CrashExit);
    }
    void sys_exit_gives_the_status_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("err");
        QTest::newRow("nothing") << "sys.exit()" << 0 << "";
        QTest::newRow("number") << "sys.exit(3)" << 3 << "";
        QTest::newRow("negative") << "sys.exit(-1)" << 255 << "";
        QTest::newRow("text") << "raise SystemExit('bye')" << 1 << "bye\n";
        QTest::newRow("exit") << "exit(2)" << 2 << "";
        QTest::newRow("quit") << "quit()" << 0 << "";
        QTest::newRow("in a function") << "(lambda: sys.exit(4))()" << 4 << "";
    }
    void sys_exit_gives_the_status() {
        QFETCH(QString, code);
        write("exit.py", "import sys\nprint('a')\n" + code.toUtf8() + "\nprint('b')\n");
        const Outcome found = tool({"run", "exit.py"});
        QCOMPARE(found.out, QString("a\n"));
        QTEST(found.err, "err");
        QTEST(found.status, "status");
    }
    void functions_of_one_name_are_exported_apart() {
        write("twins.py",
              "import torch\nf = torch.compile(lambda x: x.cos())\n"
              "g = torch.compile(lambda x: x.sin())\nf(torch.ones(2))\ng(torch.ones(2))\n");
        QCOMPARE(tool({"export", "twins.py", "-o", "twins", "--as", "dot"}).status, kGood);
        QCOMPARE(QDir(folder_.filePath("twins")).entryList({"*captured.dot"}),
                 QStringList({"lambda_0_captured.dot", "lambda_2_0_captured.dot"}));
    }
    void graphs_are_written_in_every_form() {
        write("drawn.py", "import torch\nf = torch.compile(lambda x: x.cos() + x)\n"
                          "f(torch.ones(2))\n");
        for (const auto& [form, begin] :
             {std::pair("dot", "digraph"), std::pair("graphml", "<?xml"), std::pair("svg", "<?xml"),
              std::pair("pdf", "%PDF"), std::pair("png", "\x89PNG")}) {
            const Outcome made = tool({"export", "drawn.py", "-o", "drawn", "--as", form});
            QVERIFY2(made.status == kGood, qPrintable(made.err));
            QFile file(folder_.filePath(QString("drawn/lambda_0_captured.") + form));
            QVERIFY2(file.open(QIODevice::ReadOnly), form);
            QVERIFY2(file.read(8).startsWith(begin), form);
        }
        QFile file(folder_.filePath("drawn/lambda_0_captured.graphml"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QHash<QString, int> seen;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement) ++seen[xml.name().toString()];
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(seen.value("node"), 3); // x, cos, add
        QCOMPARE(seen.value("edge"), 3); // x to cos, cos and x to add
        QCOMPARE(tool({"export", "drawn.py", "-o", "drawn", "--as", "gif"}).status, kUsage);
    }
    void an_export_of_nothing_says_why_nothing_was_compiled() {
        write("plain.py", "import torch\nprint(torch.ones(2).sum())\n");
        for (const char* as : {"cpp", "dot", "svg", "html"}) {
            const Outcome found = tool({"export", "plain.py", "-o", "plain", "--as", as});
            QCOMPARE(
                found.err,
                "plain.py: error: nothing was compiled: the script calls no compiled function\n"
                "hint: add torch.compile, or define 'model' and 'example_inputs(size)'\n");
            QCOMPARE(found.status, kInput);
            QVERIFY(!QFileInfo::exists(folder_.filePath("plain")));
        }
    }
    void names_from_a_script_stay_text_in_exported_sources() {
        write(
            "keys.py",
            "import torch\ndef model(x):\n"
            "    return {'\\\\\"); int pwned = 1; (\"\\n': x + 1, '%n%s': x * 2, '*/ y': x.sum()}\n"
            "def example_inputs(size):\n    return (torch.ones(3),)\n");
        Outcome found = tool({"export", "keys.py", "-o", "keys", "--as", "cpp"});
        QVERIFY2(found.status == kGood, qPrintable(found.err));
        QFile main(folder_.filePath("keys/model_forward/main.cpp"));
        QVERIFY(main.open(QIODevice::ReadOnly));
        const QByteArray text = main.readAll();
        QVERIFY(text.contains("\\\\\\\"); int pwned = 1; (\\\"\\012"));
        QVERIFY(text.contains("(%s): relative error %.3g\\n\", \"output_%n%s\", error)"));
    }
    void only_regular_files_of_some_size_are_read() {
        QCOMPARE(::mkfifo(qPrintable(folder_.filePath("pipe.py")), 0600), 0);
        QCOMPARE(::mkfifo(qPrintable(folder_.filePath("pipe.cutaway")), 0600), 0);
        for (const char* path : {"pipe.py", "pipe.cutaway", "/dev/zero"}) {
            Outcome found = tool({"explain", path});
            QCOMPARE(found.err, QString("%1: error: expected a regular file, found a pipe, socket "
                                        "or device\nhint: save its content as a file and open "
                                        "that\n")
                                    .arg(path));
            QCOMPARE(found.status, kInput);
        }
        write("long.py", QByteArray(17 << 20, '\n'));
        QCOMPARE(tool({"run", "long.py"}).err,
                 QString("long.py: error: the file is larger than 16 MiB\nhint: check that it is "
                         "the right file\n"));
    }
    void code_of_a_record_is_not_compiled() {
        QCOMPARE(tool({"compile", "good.py", "-o", "code.cutaway"}).status, kGood);
        Outcome found = tool({"explain", "code.cutaway", "--stage", "asm"});
        QCOMPARE(found.status, kInput);
        QVERIFY2(
            found.err.contains("comes from a file and is not compiled\nhint: compile the script "
                               "that the record was made from"),
            qPrintable(found.err));
        found = tool({"explain", "code.cutaway"});
        QCOMPARE(found.status, kGood);
        QVERIFY(found.out.contains("not shown: the code of kernel"));
        QCOMPARE(tool({"explain", "code.cutaway", "--stage", "cpp"}).status, kGood);
    }
    void a_graphs_name_in_a_record_is_no_path() {
        // A record as a stranger would write it: the names lead out of the folder.
        QCOMPARE(tool({"compile", "good.py", "-o", "evil.cutaway"}).status, kGood);
        using namespace std::string_literals;
        const std::string path = folder_.filePath("evil.cutaway").toStdString();
        auto record = cutaway::record::open(path);
        QVERIFY(record.ok());
        record->functions[0].name = "../../evil";
        record->functions[0].entries[0].graphs[0].name = "/../../../good.py\0"s;
        QVERIFY(cutaway::record::save(*record, path).ok());
        QDir(folder_.path()).mkpath("deep/er");
        Outcome found = tool({"export", "evil.cutaway", "-o", "deep/er/out", "--as", "dot"});
        QCOMPARE(found.status, kGood);
        QCOMPARE(QDir(folder_.filePath("deep/er/out")).entryList({"*captured*", "*good*"}),
                 QStringList("_._.._evil_0__.._.._.._good.py_.dot"));
        QCOMPARE(QDir(folder_.filePath("deep/er")).entryList(QDir::Files | QDir::Hidden),
                 QStringList());
        QCOMPARE(QDir(folder_.filePath("deep")).entryList(QDir::Files | QDir::Hidden),
                 QStringList());
    }
    void scripts_are_evaluated_in_a_box() {
        write("endless.py", "print('begun')\nwhile True:\n    pass\n");
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        process.start(CUTAWAY_TOOL, {"run", "endless.py"});
        QVERIFY(process.waitForReadyRead(60000));
        QFile status(QString("/proc/%1/status").arg(process.processId()));
        QVERIFY(status.open(QIODevice::ReadOnly));
        const QString facts = status.readAll();
        process.kill();
        QVERIFY(process.waitForFinished());
        QVERIFY2(facts.contains("\nNoNewPrivs:\t1\n"), qPrintable(facts));
        QVERIFY(facts.contains("\nSeccomp:\t2\n"));
        QVERIFY(facts.contains("\nCapEff:\t0000000000000000\n"));
    }
    void output_goes_where_it_was_asked_for() {
        const QString beside = "../" + QDir(folder_.path()).dirName() + ".cutaway";
        for (const QString& where : {QString("new/er/a.cutaway"), beside, QString("plain.cutaway")})
            QCOMPARE(tool({"compile", "good.py", "-o", where}).status, kGood);
        QVERIFY(QFile::remove(folder_.filePath(beside)));
        QCOMPARE(tool({"compile", "good.py", "-o", "made/here/a.cutaway"}).err,
                 QString("note: made the folder 'made/here'\n"));
        QCOMPARE(tool({"compile", "good.py", "-o", "made/here/a.cutaway"}).err, QString());
        QCOMPARE(tool({"run", "good.py", "--record", "made/there/a.cutaway"}).err,
                 QString("note: made the folder 'made/there'\n"));
        QVERIFY(QFile::exists(folder_.filePath("new/er/a.cutaway")));
    }
    void a_path_that_is_no_utf8_does_not_stop_json() {
        QProcess shell; // QProcess itself cannot pass such a path
        shell.setWorkingDirectory(folder_.path());
        shell.start("sh", {"-c",
                           "file=$(printf '\\377.py')\ncp \"$1\" \"$file\"\n"
                           "\"$0\" check \"$file\" --size tiny --json",
                           CUTAWAY_TOOL, CUTAWAY_SOURCE_DIR "/samples/double_cosine.py"});
        QVERIFY(shell.waitForFinished(120000));
        QCOMPARE(shell.exitCode(), kGood);
        const QString line = shell.readAllStandardOutput();
        QVERIFY2(line.contains(QString("\"file\":\"%1.py\"").arg(QChar(0xfffd))), qPrintable(line));
    }
    void a_truncated_record_is_refused() {
        QCOMPARE(tool({"compile", "good.py", "-o", "whole.cutaway"}).status, kGood);
        QFile whole(folder_.filePath("whole.cutaway"));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        write("part.cutaway", whole.readAll().left(700));
        Outcome found = tool({"explain", "part.cutaway"});
        QCOMPARE(found.status, kInput);
        QVERIFY2(found.err.startsWith("part.cutaway: error: expected a zip archive"),
                 qPrintable(found.err));
    }

    void a_script_with_a_zero_byte_is_refused() {
        write("zero.py", QByteArray("x = 1\ny = 'a\0b'\n", 15));
        Outcome found = tool({"run", "zero.py"});
        QCOMPARE(found.err, QString("zero.py:2:7: error: source code cannot contain null bytes\n"));
        QCOMPARE(found.status, kInput);
    }

    void a_script_that_is_no_utf8_is_one_message_everywhere() {
        write("latin1.py", "x = 1\ny = 'caf\xe9'\n");
        const QString message =
            "latin1.py:2:9: error: the script is not UTF-8: found the byte 0xe9\n"
            "hint: save the file as UTF-8\n";
        for (const QStringList& command :
             {QStringList{"run", "latin1.py"}, QStringList{"explain", "latin1.py", "--json"},
              QStringList{"compile", "latin1.py", "-o", "latin1.cutaway"},
              QStringList{"check", "latin1.py", "--json"}}) {
            Outcome found = tool(command);
            QCOMPARE(found.err, message);
            QCOMPARE(found.status, kInput);
        }
    }
    void a_branch_on_data_is_a_located_warning_and_runs() {
        write("a.py", "import torch\n\n@torch.compile\ndef f(x):\n    if x.sum() > 0:\n"
                      "        return x + 1\n    return x - 1\n\nprint(f(torch.ones(3)))\n");
        Outcome found = tool({"run", "a.py"});
        QCOMPARE(
            found.err,
            QString(
                "a.py:5:8: warning: graph break: the branch depends on the data of a tensor\n"
                "hint: compute both sides and choose with torch.where, or leave the branch outside "
                "the compiled function\n"));
        QCOMPARE(found.out, QString("tensor([2., 2., 2.])\n"));
        QCOMPARE(found.status, kGood);
        found = tool({"explain", "a.py", "--stage", "guards"});
        QCOMPARE(found.status, kGood);
        QVERIFY2(found.err.contains(
                     "a.py:5:8: warning: graph break: the branch depends on the data of a "
                     "tensor\nhint: compute both sides and choose with torch.where"),
                 qPrintable(found.err));
        QVERIFY(found.out.contains("# line 5: if x.sum() > 0:"));
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
