// SPDX-License-Identifier: Apache-2.0
// Every sample, compiled: outputs and gradients against eager and double precision; the records of
// double_cosine; the C++ export, built and run outside the tree.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

namespace {

struct Outcome {
    int status = -1;
    QByteArray out, all;
};

Outcome start(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(120000)) return {-1, {}, process.errorString().toUtf8()};
    QByteArray out = process.readAllStandardOutput();
    return {process.exitCode(), out, out + process.readAllStandardError()};
}

QString sample(const QString& name) {
    return CUTAWAY_SOURCE_DIR "/samples/" + name + ".py";
}

/// Builds the sources of one graph alone and runs their check; what failed, or what it said.
Outcome builtAndRun(const QString& source) {
    const QString cmake = QStandardPaths::findExecutable("cmake"), build = source + "/build";
    for (const QStringList& step :
         {QStringList{"-S", source, "-B", build}, QStringList{"--build", build}})
        if (Outcome done = start(cmake, step); done.status != 0) return done;
    return start(build + "/check_" + QFileInfo(source).fileName(), {});
}

/// What exporting a script with these lines says; its sources lie in the folder "out".
Outcome exportedScript(const QTemporaryDir& folder, const char* lines) {
    QFile script(folder.filePath("script.py"));
    if (!script.open(QIODevice::WriteOnly) || script.write(lines) < 0) return {};
    script.close();
    return start(CUTAWAY_TOOL, {"export", "--no-cache", script.fileName(), "-o",
                                folder.filePath("out"), "--as", "cpp"});
}

/// The folders that exporting a sample makes, one a graph; none when it fails.
QStringList exportedGraphs(const QString& name, const QString& as, const QString& folder) {
    Outcome exported = start(CUTAWAY_TOOL, {"export", "--no-cache", sample(name), "--size", "tiny",
                                            "-o", folder, "--as", as});
    if (exported.status != 0) qWarning().noquote() << exported.all;
    return exported.status == 0 ? QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                                : QStringList();
}

} // namespace

class TestCheckCases : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_sample_passes_check() {
        QStringList arguments = {"check", "--no-cache", "--size", "tiny"};
        QStringList files =
            QDir(CUTAWAY_SOURCE_DIR "/samples").entryList({"*.py"}, QDir::Files, QDir::Name);
        QVERIFY(files.size() >= 9);
        for (const QString& file : files)
            arguments << CUTAWAY_SOURCE_DIR "/samples/" + file;
        Outcome found = start(CUTAWAY_TOOL, arguments);
        QVERIFY2(found.status == 0, found.all.constData());
        for (const QString& file : files)
            QVERIFY2(found.out.contains("/" + file.toUtf8() + ":"), found.all.constData());
        QVERIFY(!found.out.contains("FAIL"));
    }

    void what_is_right_passes_data() {
        QTest::addColumn<QByteArray>("script");
        auto row = [](const char* name, const QByteArray& script) {
            QTest::newRow(name) << script;
        };
        const QByteArray train = "import torch\nimport torch.nn.functional as F\ntrain = True\n",
                         infer = "import torch\ntrain = False\n";
        const QByteArray x = "def example_inputs(size):\n    return (torch.randn(5, 7, "
                             "requires_grad=True),)\n";
        row("outputs that share a subgraph",
            train + "def model(x):\n    a = torch.sin(x)\n    return a.sum(), a * x, a.exp()\n" +
                x);
        row("an input comes back unchanged",
            train +
                "def model(x, y):\n    return x.reshape(()), x.sum(), x.view(-1), (y * "
                "x).sum(0)\n"
                "def example_inputs(size):\n    return (torch.tensor(1.5, requires_grad=True),\n"
                "            torch.randn(3, 4, requires_grad=True))\n");
        row("gradients that are zero but for rounding",
            train + "def model(x):\n    return torch.softmax(x * 3, 1).sum(), x - x.mean()\n" + x);
        row("float32 inside float64",
            train + "def model(x):\n    return (x.float() * 1.1).double().sin(), x.double().cos()\n"
                    "def example_inputs(size):\n    return (torch.randn(5, 7, dtype=torch.float64, "
                    "requires_grad=True),)\n");
        row("a plain matrix product",
            infer + "def model(x, y):\n    return x @ y\n"
                    "def example_inputs(size):\n    return (torch.randn(600, 600), "
                    "torch.randn(600, 600))\n");
        row("float32 overflows, double does not",
            infer + "def model(x):\n    return (x * 100).exp(), (x * 100).exp() - x\n"
                    "def example_inputs(size):\n    return (torch.arange(30) * 0.1,)\n");
        const QByteArray steps =
            "def values(n):\n    return torch.tensor([(i * 37 + 303) % 1009 / 256 "
            "- 2 for i in range(n)])\n";
        row("a jump next to a value, where differences are none",
            train + steps +
                "def model(x):\n    return torch.floor(x * 1.01)\n"
                "def example_inputs(size):\n"
                "    return (values(211).reshape(1, 211).expand(77, 211).requires_grad_(),)\n");
        row("differences that are rounding",
            train + steps +
                "def model(x):\n    return F.layer_norm(x, (17,)).expand(3, 17, 17).sum()\n"
                "def example_inputs(size):\n"
                "    return (values(289).reshape(17, 17).requires_grad_(),)\n");
        row("no deviation but for rounding",
            infer + steps +
                "def model(x, y):\n    return ((y * 1.01) % (x.abs() + 0.5)).std(dim=0)\n"
                "def example_inputs(size):\n"
                "    return values(9).reshape(1, 9).expand(17, 9), values(9)\n");
        row("the gradient of no deviation",
            train + steps +
                "def model(x):\n    return (torch.full((9, 1), 0.75) @ x).std(dim=0)\n"
                "def example_inputs(size):\n    return (values(9).reshape(1, 9)."
                "requires_grad_(),)\n");
        row("1 + erf cancels inside of gelu",
            train + "def model(x):\n    return F.gelu(x)\n"
                    "def example_inputs(size):\n"
                    "    return ((torch.arange(200) / 40 - 9).requires_grad_(),)\n");
        row("differences of 1 + erf are rounding",
            train + "def model(x):\n    return 1 + torch.erf(x)\n"
                    "def example_inputs(size):\n"
                    "    return ((torch.arange(100) / 100 - 6).requires_grad_(),)\n");
        row("a rule that takes a NaN of one output for no gradient of another",
            train +
                "def model(x):\n    y = torch.logcumsumexp(x, -1)\n"
                "    return (y * float('nan')).sum(), y.sum()\n" +
                x);
        row("an optimizer changes the weights after the run",
            "import torch\nlin = torch.nn.Linear(8, 4)\n"
            "opt = torch.optim.SGD(lin.parameters(), lr=0.5)\n"
            "@torch.compile\ndef step(x):\n    return lin(x).relu().sum()\n"
            "x = torch.randn(16, 8)\nfor i in range(3):\n    opt.zero_grad()\n"
            "    step(x).backward()\n    opt.step()\n");
        row("backward of a later call than the first",
            "import torch\n@torch.compile\ndef f(x):\n    return x.sin() * x\n"
            "x = torch.randn(4, 5, requires_grad=True)\nf(x)\n"
            "y = torch.randn(4, 5, requires_grad=True)\nf(y).sum().backward()\n");
    }
    void what_is_right_passes() {
        QFETCH(QByteArray, script);
        QTemporaryDir folder;
        QFile file(folder.filePath("model.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(script);
        file.close();
        Outcome found = start(CUTAWAY_TOOL, {"check", "--no-cache", file.fileName()});
        QVERIFY2(found.status == 0 && found.out.startsWith("ok"), (script + found.all).constData());
    }

    void double_cosine_saves_its_input_and_recomputes_the_inner_cosine() {
        Outcome found = start(CUTAWAY_TOOL, {"explain", "--no-cache", "--stage", "partition",
                                             "--json", sample("double_cosine")});
        QVERIFY2(found.status == 0, found.all.constData());
        QJsonArray parts = QJsonDocument::fromJson(found.out).array();
        QCOMPARE(parts.size(), 1);
        QJsonArray saved = parts[0].toObject()["saved"].toArray();
        QCOMPARE(saved.size(), 1);
        QVERIFY(saved[0].toObject()["input"].toBool());
        QVERIFY(!saved[0].toObject()["reason"].toString().isEmpty());
        QJsonArray again = parts[0].toObject()["recomputed"].toArray();
        bool cosine = false;
        for (const QJsonValue& value : again)
            cosine |= value.toObject()["op"].toString().contains("cos");
        QVERIFY2(cosine, found.out.constData());
    }

    void assembly_shows_the_statements_that_it_came_from() {
        Outcome cpp = start(CUTAWAY_TOOL, {"explain", "--no-cache", "--size", "tiny", "--stage",
                                           "cpp", sample("double_cosine")});
        Outcome found = start(CUTAWAY_TOOL, {"explain", "--no-cache", "--size", "tiny", "--stage",
                                             "asm", sample("double_cosine")});
        QVERIFY2(found.status == 0, found.all.constData());
        QByteArray statement; // "# STATEMENT" before its instructions
        int statements = 0, cosines = 0;
        for (const QByteArray& line : found.out.split('\n')) {
            if (line.startsWith("    # ")) {
                statement = line.mid(6);
                QVERIFY2(cpp.out.contains(statement), statement.constData());
                ++statements;
            } else if (statement.contains("cos(") && line.contains("mul")) {
                ++cosines; // inlined from the prelude, shown at the call
            }
        }
        QVERIFY2(statements > 5 && cosines > 5, found.out.constData());
    }

    void measurements_count_launches_and_bytes() {
        // Three operations, each reading and writing the tensor, against one kernel.
        Outcome found =
            start(CUTAWAY_TOOL,
                  {"bench", "--no-cache", sample("mul_add_relu"), "--size", "tiny", "--backends",
                   "eager,aot_eager,inductor", "--min-time", "0.01", "--json"});
        QVERIFY2(found.status == 0, found.all.constData());
        QList<QByteArray> lines = found.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QList<QJsonObject> rows;
        for (const QByteArray& line : lines)
            rows << QJsonDocument::fromJson(line).object();
        const qint64 fused = rows[2]["bytes_moved"].toInteger();
        QVERIFY(fused > 0);
        QCOMPARE(rows[2]["launches"].toInt(), 1);
        for (int eager : {0, 1}) {
            QCOMPARE(rows[eager]["launches"].toInt(), 3);
            QCOMPARE(rows[eager]["bytes_moved"].toInteger(), 3 * fused);
        }
    }

    void a_scripts_calls_are_measured_with_their_own_arguments() {
        QTemporaryDir folder;
        const QString path = folder.filePath("two.py");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import torch\n\n"
                   "@torch.compile(dynamic=False)\ndef f(x, *, by=1.0):\n    return torch.cos(x) * "
                   "by + 1\n\n"
                   "@torch.compile\ndef g(x):\n    return x + 1\n\n"
                   "for n in (1000, 2000, 4000):\n    f(torch.zeros(n), by=2.0)\n"
                   "g(torch.zeros(3))\n");
        file.close();
        auto rows = [&](const QStringList& more) {
            const Outcome found =
                start(CUTAWAY_TOOL, QStringList{"bench", "--no-cache", path, "--backends",
                                                "inductor", "--min-time", "0.01", "--json"} +
                                        more);
            QList<QJsonObject> all;
            if (found.status != 0) return all;
            for (const QByteArray& line : found.out.trimmed().split('\n'))
                all << QJsonDocument::fromJson(line).object();
            return all;
        };
        const QList<QJsonObject> last = rows({});
        QCOMPARE(last.size(), 2);
        QCOMPARE(last[0]["case"].toString(), QString("two:f"));
        QCOMPARE(last[0]["size"].toString(), QString("call 3"));
        QCOMPARE(last[0]["bytes_moved"].toInteger(), 2 * 4 * 4000);
        QCOMPARE(last[0]["launches"].toInt(), 1);
        QCOMPARE(last[1]["case"].toString(), QString("two:g"));
        QCOMPARE(last[1]["bytes_moved"].toInteger(), 2 * 4 * 3);
        const QList<QJsonObject> second = rows({"--function", "f", "--call", "2"});
        QCOMPARE(second.size(), 1);
        QCOMPARE(second[0]["size"].toString(), QString("call 2"));
        QCOMPARE(second[0]["bytes_moved"].toInteger(), 2 * 4 * 2000);
    }

    /// Every command that looks into a script takes one function, and one call of it.
    void a_call_of_a_script_is_checked_explained_tuned_and_exported() {
        QTemporaryDir folder;
        const QString path = folder.filePath("calls.py");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import torch\n\n"
                   "@torch.compile(dynamic=False)\ndef f(x, w):\n    return torch.cos(x) * w\n\n"
                   "@torch.compile(dynamic=False)\ndef g(x):\n    return torch.sin(x) + 1\n\n"
                   "w = torch.ones(3, requires_grad=True)\n"
                   "for n in (2, 4, 8):\n"
                   "    g(f(torch.randn(n, 3), w)).sum().backward()\n"
                   "print(w.grad.shape)\n");
        file.close();
        const QStringList second{"--function", "g", "--call", "2"};
        auto lines = [&](const QStringList& command) {
            const Outcome found =
                start(CUTAWAY_TOOL,
                      command.first(1) + QStringList{"--no-cache", path} + command.mid(1) + second);
            return found.status == 0 ? found.out.trimmed().split('\n') : QList<QByteArray>();
        };
        QStringList checked;
        for (const QByteArray& line : lines({"check", "--json"}))
            checked << QJsonDocument::fromJson(line).object()["what"].toString();
        QCOMPARE(checked, QStringList({"g output 0", "g grad of L['x']",
                                       "g gradients by central differences"}));
        const QByteArray shown = lines({"explain", "--stage", "captured"}).join('\n');
        QVERIFY2(shown.contains("f32[4, 3]") && !shown.contains("cos") &&
                     !shown.contains("f32[2, 3]") && !shown.contains("f32[8, 3]"),
                 shown.constData());
        QSet<QString> entries, graphs;
        for (const QByteArray& line : lines({"tune", "--json", "--rounds", "1"})) {
            const QJsonObject row = QJsonDocument::fromJson(line).object();
            entries << row["entry"].toString();
            graphs << row["graph"].toString();
            QVERIFY(row["measured_us"].toDouble() > 0);
        }
        QCOMPARE(entries, QSet<QString>{"g.2"}); // behind the first one and its backward
        QCOMPARE(graphs, (QSet<QString>{"forward", "backward"}));
        const QString out = folder.filePath("out"), record = folder.filePath("one.cutaway");
        QVERIFY(!lines({"export", "--as", "dot", "-o", out}).isEmpty());
        const QStringList written = QDir(out).entryList(QDir::Files);
        QVERIFY2(written.contains("g_0_captured.dot") && written.filter("f_").isEmpty(),
                 qPrintable(written.join(' ')));
        QVERIFY(!lines({"export", "--as", "cpp", "-o", out}).isEmpty());
        QCOMPARE(QDir(out).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                 QStringList({"g_backward", "g_forward"}));
        QFile input(out + "/g_forward/data/input_0.bin");
        QCOMPARE(input.size(), 4 * 4 * 3);
        QVERIFY(!lines({"compile", "-o", record}).isEmpty());
        const Outcome saved = start(CUTAWAY_TOOL, {"explain", record, "--stage", "captured"});
        QCOMPARE(saved.out.trimmed(), shown);
    }

    /// A script is tuned by its functions' last calls.
    void a_script_is_tuned() {
        QTemporaryDir folder;
        const QString path = folder.filePath("tuned.py");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import torch\n\n"
                   "@torch.compile(dynamic=False)\ndef f(x):\n    return torch.cos(x)\n\n"
                   "for n in (100, 200):\n    f(torch.zeros(n))\n");
        file.close();
        const Outcome found =
            start(CUTAWAY_TOOL, {"tune", "--no-cache", path, "--rounds", "1", "--json"});
        QCOMPARE(found.status, 0);
        for (const QByteArray& line : found.out.trimmed().split('\n')) {
            const QJsonObject row = QJsonDocument::fromJson(line).object();
            QCOMPARE(row["entry"].toString(), QString("f.1"));
            QVERIFY(row["measured_us"].toDouble() > 0);
        }
    }

    void a_call_is_timed_in_the_mode_that_it_was_made_in() {
        QTemporaryDir folder;
        const QString path = folder.filePath("net.py");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import torch, torch.nn as nn\n\n"
                   "net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))\n"
                   "f = torch.compile(net)\n"
                   "for _ in range(2):\n    f(torch.randn(16, 4)).sum().backward()\n"
                   "seen = net[0].weight.grad.clone()\n"
                   "net.eval()\nwith torch.no_grad():\n    f(torch.randn(16, 4))\n"
                   "print('said once')\n");
        file.close();
        auto row = [&](const QStringList& more) {
            const Outcome found =
                start(CUTAWAY_TOOL, QStringList{"bench", "--no-cache", path, "--backends",
                                                "inductor", "--min-time", "0.01", "--json"} +
                                        more);
            return QJsonDocument::fromJson(found.out.trimmed()).object();
        };
        const QJsonObject last = row({}), training = row({"--call", "1"}),
                          back = row({"--call", "1", "--backward"});
        QCOMPARE(last["size"].toString(), QString("call 3"));
        QCOMPARE(training["size"].toString(), QString("call 1"));
        QVERIFY2(training["launches"].toInt() > last["launches"].toInt(), "sums of batch norm");
        QVERIFY(training["saved_bytes"].toInteger() > 0);
        QCOMPARE(last["saved_bytes"].toInteger(), 0);
        QVERIFY(back["train"].toBool() && !training["train"].toBool());
        QVERIFY(back["launches"].toInt() > training["launches"].toInt());
    }

    void a_saved_record_explains_itself_as_the_compilation_did() {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.cutaway"), again = folder.filePath("b.cutaway");
        for (const QString& file : {path, again})
            QCOMPARE(start(CUTAWAY_TOOL, {"compile", "--no-cache", sample("mlp_train"), "--size",
                                          "tiny", "-o", file})
                         .status,
                     0);
        Outcome diff = start(CUTAWAY_TOOL, {"diff", path, again});
        QCOMPARE(diff.status, 0);
        QCOMPARE(diff.out, QByteArray());
        // For scripts: JSON, and a status where something differs.
        QCOMPARE(start(CUTAWAY_TOOL, {"diff", "--json", "--exit-code", path, again}).status, 0);
        const QString other = folder.filePath("c.cutaway");
        QCOMPARE(start(CUTAWAY_TOOL,
                       {"compile", "--no-cache", sample("mlp_train"), "--size", "cpu", "-o", other})
                     .status,
                 0);
        diff = start(CUTAWAY_TOOL, {"diff", "--json", "--exit-code", path, other});
        QCOMPARE(diff.status, 1);
        const QJsonArray all = QJsonDocument::fromJson(diff.out).array();
        QVERIFY(!all.isEmpty() && all[0].toObject()["stage"].isString());
        QCOMPARE(start(CUTAWAY_TOOL, {"diff", path, other}).status, 0);
        for (const char* stage : {"captured", "joint", "partition", "passes", "kernels", "cpp"}) {
            Outcome live = start(CUTAWAY_TOOL, {"explain", "--no-cache", "--size", "tiny",
                                                "--stage", stage, sample("mlp_train")});
            Outcome saved = start(CUTAWAY_TOOL, {"explain", "--stage", stage, path});
            QVERIFY(live.status == 0 && !live.out.isEmpty());
            QCOMPARE(saved.out, live.out);
        }
    }

    void exported_graphs_build_elsewhere_and_give_the_recorded_numbers_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("one kernel each way") << "layernorm_gelu_residual";
        QTest::newRow("matrix products") << "mlp_train";
    }
    void exported_graphs_build_elsewhere_and_give_the_recorded_numbers() {
        QFETCH(QString, name);
        if (QStandardPaths::findExecutable("cmake").isEmpty()) QSKIP("no cmake on PATH");
        QTemporaryDir folder;
        const QStringList graphs = exportedGraphs(name, "cpp", folder.path());
        QCOMPARE(graphs.size(), 2);
        // As README.md says, word for word.
        QFile guide(folder.filePath("README.md"));
        QVERIFY(guide.open(QIODevice::ReadOnly));
        const QString told = QString::fromUtf8(guide.readAll());
        QVERIFY2(!told.contains('@') && told.contains(name + ".py"), qPrintable(told));
        for (const QString& graph : graphs)
            QVERIFY2(told.contains("`" + graph + "/`"), qPrintable(told));
        QByteArray said;
        int steps = 0;
        for (const QString& line : told.split('\n')) {
            if (!line.startsWith("    ")) continue;
            const Outcome done = start("/bin/sh", {"-c", "cd '" + folder.path() + "' && " + line});
            QVERIFY2(done.status == 0, done.all.constData());
            said = done.all;
            ++steps;
        }
        QCOMPARE(steps, 3);
        QCOMPARE(said.count("largest relative error"), 2);
        const Outcome alone = builtAndRun(folder.filePath(graphs[0]));
        QVERIFY2(alone.status == 0, alone.all.constData());
    }

    void kernels_of_a_script_that_is_no_case_file_are_exported() {
        if (QStandardPaths::findExecutable("cmake").isEmpty()) QSKIP("no cmake on PATH");
        QTemporaryDir folder;
        const Outcome done =
            exportedScript(folder, "import torch\nw = torch.randn(4, 4, requires_grad=True)\n"
                                   "optimizer = torch.optim.SGD([w], lr=0.5)\n"
                                   "@torch.compile\ndef loss(x):\n    return (x @ w).gelu().sum()\n"
                                   "for _ in range(3):\n    loss(torch.ones(2, 4)).backward()\n"
                                   "    optimizer.step()\n");
        QVERIFY2(done.status == 0, done.all.constData());
        QCOMPARE(QDir(folder.filePath("out")).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                 QStringList({"loss_backward", "loss_forward"}));
        // The weights are those of the call, not what the optimizer made of them.
        const Outcome ran = builtAndRun(folder.filePath("out/loss_forward"));
        QVERIFY2(ran.status == 0, ran.all.constData());
    }

    void an_exported_graph_tells_of_an_index_out_of_bounds() {
        if (QStandardPaths::findExecutable("cmake").isEmpty()) QSKIP("no cmake on PATH");
        QTemporaryDir folder;
        Outcome done =
            exportedScript(folder, "import torch\nimport torch.nn.functional as F\n"
                                   "def model(w, i):\n    return F.embedding(i, w) * 2\n"
                                   "def example_inputs(size):\n"
                                   "    return torch.ones(5, 3), torch.tensor([4, 0])\n");
        QVERIFY2(done.status == 0, done.all.constData());
        const QString source = folder.filePath("out/model_forward");
        done = builtAndRun(source);
        QVERIFY2(done.status == 0, done.all.constData());
        QFile indices(source + "/data/input_1.bin");
        QVERIFY(indices.open(QIODevice::WriteOnly));
        const int64_t wrong[] = {4, 9};
        indices.write(reinterpret_cast<const char*>(wrong), sizeof wrong);
        indices.close();
        done = start(source + "/build/check_model_forward", {});
        QCOMPARE(done.all,
                 QByteArray("embedding: index 9 is out of bounds for dimension 0 with size 5\n"));
        QCOMPARE(done.status, 1);
    }

    void exported_cuda_sources_link_data() {
        exported_graphs_build_elsewhere_and_give_the_recorded_numbers_data();
    }
    void exported_cuda_sources_link() {
        QFETCH(QString, name);
        QString nvcc = QStandardPaths::findExecutable("nvcc");
        if (nvcc.isEmpty()) QSKIP("no nvcc on PATH");
        QTemporaryDir folder;
        const QStringList graphs = exportedGraphs(name, "cuda", folder.path());
        QCOMPARE(graphs.size(), 2);
        for (const QString& graph : graphs) {
            const QDir source(folder.filePath(graph));
            QStringList arguments = {"-std=c++17",
                                     "-arch=sm_90",
                                     "-DDATA_FOLDER=\"data\"",
                                     "-o",
                                     source.filePath("check"),
                                     source.filePath("main.cpp")};
            for (const QString& file : source.entryList({"*.cu"}))
                arguments << source.filePath(file);
            QVERIFY(arguments.size() > 6);
            Outcome built = start(nvcc, arguments);
            QVERIFY2(built.status == 0, built.all.constData());
        }
    }
};

QTEST_APPLESS_MAIN(TestCheckCases)
#include "test_check_cases.moc"
