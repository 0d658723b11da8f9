// SPDX-License-Identifier: Apache-2.0
// Plug-ins: the example of samples/plugin is built by itself, its backend computes what eager mode
// does, forwards and backwards, its overlay tells a number of every node; libraries that cannot be
// used end in one message.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

namespace {

struct Outcome {
    int status = -1;
    QString out, err;
};

Outcome start(const QString& program, const QStringList& args) {
    QProcess process;
    process.start(program, args);
    if (!process.waitForFinished(300000)) return {-1, {}, process.errorString()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestPlugins : public QObject {
    Q_OBJECT

    static Outcome tool(const QStringList& args) { return start(CUTAWAY_TOOL, args); }

    QString script(const QString& name, const QByteArray& text) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(text);
        return file.fileName();
    }

private Q_SLOTS:
    void initTestCase() {
        const QString cmake = QStandardPaths::findExecutable("cmake");
        if (cmake.isEmpty()) QSKIP("no cmake on PATH");
        const QString build = folder_.filePath("build");
        for (const QStringList& step :
             {QStringList{"-S", CUTAWAY_SOURCE_DIR "/samples/plugin", "-B", build},
              QStringList{"--build", build}}) {
            const Outcome done = start(cmake, step);
            QVERIFY2(done.status == 0, qPrintable(done.out + done.err));
        }
        plugin_ = build + "/libexample_plugin.so";
        QVERIFY(QFileInfo::exists(plugin_));
    }

    void its_backend_computes_what_eager_mode_does() {
        const QString file = script("both.py", R"(import torch

def f(x, y):
    return (x.cos() * y - 2 * y).exp() + y, x

def told(fn):
    torch.manual_seed(0)
    x = torch.randn(3, 4, requires_grad=True)
    y = torch.randn(4, 3, requires_grad=True)
    a, b = fn(x, y.t())
    (a * a).sum().backward()
    return a, b, x.grad, y.grad

for one, other in zip(told(f), told(torch.compile(f, backend="example"))):
    print(one.shape == other.shape, torch.allclose(one, other))
# Another size is compiled anew.
print(torch.compile(f, backend="example", dynamic=True)(torch.ones(2), torch.ones(2))[0])
)");
        const Outcome done = tool({"run", file, "--plugin", plugin_});
        QVERIFY2(done.status == 0, qPrintable(done.err));
        QCOMPARE(done.out,
                 "True True\n" + QString("True True\n").repeated(3) + "tensor([1.2323, 1.2323])\n");
    }

    void what_it_cannot_do_is_told() {
        const QString file =
            script("sum.py", "import torch\n\n\n@torch.compile(backend=\"example\")\n"
                             "def f(x):\n    return x.sum()\n\n\nf(torch.ones(3))\n");
        const Outcome done = tool({"run", file, "--plugin", plugin_});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.err.contains("backend example: no function for aten.sum"),
                 qPrintable(done.err));
    }

    void its_overlay_tells_numbers_of_nodes() {
        const QString file = CUTAWAY_SOURCE_DIR "/samples/double_cosine.py";
        const Outcome done =
            tool({"explain", file, "--size", "tiny", "--overlay", "users", "--plugin", plugin_});
        QVERIFY2(done.status == 0, qPrintable(done.err));
        const QStringList lines = done.out.split('\n');
        QCOMPARE(lines.first(), "node,users");
        for (const char* line : {"model.0/captured/cos,1", "model.0/joint/cos,2",
                                 "model.0/joint/primals_1,2", "model.0/joint/mul_1,1"})
            QVERIFY2(lines.contains(line), qPrintable(done.out));
        const Outcome unknown =
            tool({"explain", file, "--overlay", "nothing", "--plugin", plugin_});
        QCOMPARE(unknown.status, 2);
        QCOMPARE(unknown.err, "error: unknown overlay 'nothing'\nhint: known overlays: users\n");
    }

    void nothing_is_there_that_was_not_asked_for() {
        const QString file =
            script("alone.py", "import torch\n\n\n@torch.compile(backend=\"example\")\n"
                               "def f(x):\n    return x.cos()\n\n\nf(torch.ones(3))\n");
        const Outcome done = tool({"run", file});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.err.contains("unknown backend 'example'"), qPrintable(done.err));
        const Outcome none =
            tool({"explain", CUTAWAY_SOURCE_DIR "/samples/double_cosine.py", "--overlay", "users"});
        QCOMPARE(none.err, "error: unknown overlay 'users'\nhint: no plug-in was loaded that has "
                           "any: --plugin FILE\n");
    }

    void libraries_that_are_none_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        QTest::newRow("another version")
            << CUTAWAY_OTHER_PLUGIN << 1
            << "error: the plug-in '%1' is not used: it was built for version 2 of the plug-in "
               "interface, this program has version 1\n";
        QTest::newRow("a pipe") << folder_.filePath("pipe") << 1
                                << "error: '%1' is no plug-in: it is no regular file\nhint: give a "
                                   "shared library\n";
        QTest::newRow("no plug-in") << "/lib/x86_64-linux-gnu/libm.so.6" << 1
                                    << "error: '%1' is no plug-in: it exports no cutaway_plugin()\n"
                                       "hint: build it with resources/plugin/cutaway_plugin.h\n";
        QTest::newRow("missing") << "/nowhere/at_all.so" << 3
                                 << "error: the plug-in '%1' cannot be loaded: %1: cannot open "
                                    "shared object file: No such file or directory\n";
        QTest::newRow("no library")
            << CUTAWAY_SOURCE_DIR "/README.md" << 3
            << "error: the plug-in '%1' cannot be loaded: %1: invalid ELF header\n";
    }
    void libraries_that_are_none() {
        QFETCH(QString, file);
        QFETCH(int, status);
        QFETCH(QString, message);
        if (QString(QTest::currentDataTag()) == "no plug-in" && !QFileInfo::exists(file))
            QSKIP("no such library here");
        if (QString(QTest::currentDataTag()) == "a pipe")
            QCOMPARE(::mkfifo(qPrintable(file), 0600), 0);
        const Outcome done =
            tool({"run", CUTAWAY_SOURCE_DIR "/samples/double_cosine.py", "--plugin", file});
        QCOMPARE(done.status, status);
        QCOMPARE(done.err, message.arg(file));
    }

    void the_engine_tells_what_it_has() {
        const QByteArray body = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})";
        const QByteArray message =
            "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
        QProcess engine;
        engine.start(CUTAWAY_TOOL,
                     {"serve", "--plugin", plugin_, "--plugin", CUTAWAY_OTHER_PLUGIN});
        engine.write(message);
        QByteArray reply;
        while (!reply.endsWith("}}") && engine.waitForReadyRead(60000))
            reply += engine.readAllStandardOutput();
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished(60000));
        reply = reply.mid(reply.indexOf("\r\n\r\n") + 4);
        const QJsonObject result = QJsonDocument::fromJson(reply).object()["result"].toObject();
        QVERIFY2(!result.isEmpty(), reply.constData());
        QVERIFY(result["backends"].toArray().contains("example"));
        QCOMPARE(result["plugins"].toArray().size(), 1);
        QCOMPARE(result["overlays"].toArray().first().toObject()["name"].toString(), "users");
        const QJsonArray problems = result["pluginProblems"].toArray();
        QCOMPARE(problems.size(), 1);
        QVERIFY(problems.first().toObject()["message"].toString().contains("version 2"));
    }

private:
    QTemporaryDir folder_;
    QString plugin_;
};

QTEST_GUILESS_MAIN(TestPlugins)
#include "test_plugins.moc"
