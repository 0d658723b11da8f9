// SPDX-License-Identifier: Apache-2.0
// `cutaway serve`, spoken to as a client would, and as no client should.
#include "core/record/columns.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <sys/stat.h>

namespace {

constexpr int kPatienceMs = 30000;

class Engine {
public:
    Engine() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("CUTAWAY_CACHE_DIR", cache_.path());
        process.setProcessEnvironment(environment);
        process.start(CUTAWAY_TOOL, {"serve"});
        process.waitForStarted();
    }
    ~Engine() {
        process.kill();
        process.waitForFinished();
    }

    void send(const QByteArray& body) {
        process.write("Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
    }
    void request(int id, const QString& method, const QJsonObject& params = {}) {
        send(
            QJsonDocument(
                QJsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}})
                .toJson());
    }
    /// The next message; empty when none comes.
    QJsonObject message() {
        QElapsedTimer timer;
        timer.start();
        for (;;) {
            qsizetype header = buffer_.indexOf("\r\n\r\n");
            if (header >= 0) {
                const QByteArray head = buffer_.left(header);
                const qsizetype length = field(head, "Content-Length: "),
                                attached = field(head, "Attachment-Length: ");
                if (buffer_.size() >= header + 4 + length + attached) {
                    QByteArray body = buffer_.mid(header + 4, length);
                    attachment = buffer_.mid(header + 4 + length, attached);
                    buffer_.remove(0, header + 4 + length + attached);
                    return QJsonDocument::fromJson(body).object();
                }
            }
            if (timer.elapsed() > kPatienceMs || !process.waitForReadyRead(kPatienceMs)) return {};
            buffer_ += process.readAllStandardOutput();
        }
    }
    /// The next reply; notifications before it are kept.
    QJsonObject reply() {
        for (;;) {
            QJsonObject next = message();
            if (!next.contains("method")) return next;
            notifications.append(next);
        }
    }

    QProcess process;
    QList<QJsonObject> notifications;
    QByteArray attachment; ///< of the last message

private:
    static qsizetype field(const QByteArray& head, const char* name) {
        const qsizetype at = head.indexOf(name);
        return at < 0 ? 0 : head.mid(at + qstrlen(name)).split('\r')[0].toLongLong();
    }
    QTemporaryDir cache_;
    QByteArray buffer_;
};

QString sample(const QString& name) {
    return CUTAWAY_SOURCE_DIR "/samples/" + name;
}

/// The record behind the last message.
cutaway::base::Result<cutaway::record::Record> columns(const Engine& engine) {
    return cutaway::record::fromColumns(
        {engine.attachment.constData(), static_cast<size_t>(engine.attachment.size())});
}

int errorCode(const QJsonObject& reply) {
    return reply["error"].toObject()["code"].toInt();
}
QString errorText(const QJsonObject& reply) {
    return reply["error"].toObject()["message"].toString();
}

} // namespace

class TestEngineProtocol : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void requests_of_the_window_are_answered() {
        Engine engine;
        engine.request(1, "initialize");
        QJsonObject hello = engine.reply();
        QCOMPARE(hello["id"].toInt(), 1);
        QVERIFY(hello["result"].toObject()["devices"].toArray().contains("cpu"));

        const QString path = sample("double_cosine.py");
        engine.request(3, "compile", {{"path", path}, {"generation", 7}});
        QJsonObject compiled = engine.reply()["result"].toObject();
        QCOMPARE(compiled["generation"].toInt(), 7);
        QCOMPARE(compiled["record"].toObject()["sizes"].toArray(),
                 QJsonArray({"tiny", "cpu", "gpu"}));
        QCOMPARE(compiled["record"].toObject()["size"].toString(), QString("tiny"));
        QJsonObject lowered =
            QJsonValue(compiled["record"])["functions"][0]["entries"][0]["lowered"][0].toObject();
        QString kernel = lowered["kernels"][0]["name"].toString();
        QVERIFY(!kernel.isEmpty());

        engine.request(4, "listing",
                       {{"function", 0},
                        {"entry", 0},
                        {"graph", lowered["graph"]},
                        {"kernel", kernel},
                        {"language", "asm"}});
        QJsonObject code = engine.reply()["result"].toObject()["code"].toObject();
        QVERIFY2(!code.isEmpty(), "no assembly");

        engine.request(5, "run", {{"path", path}, {"size", "tiny"}, {"minTime", 0.01}});
        QJsonObject measured = engine.reply()["result"].toObject();
        QCOMPARE(measured["runs"].toArray().size(), 2);
        QStringList told; // of each backend on the way
        for (const QJsonObject& one : engine.notifications)
            if (one["method"] == "measured") {
                QCOMPARE(one["params"]["request"].toInt(), 5);
                for (const QJsonValue& run : one["params"]["runs"].toArray())
                    told << run["backend"].toString();
            }
        QCOMPARE(told, QStringList({"eager", "inductor"}));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string hash = cutaway::record::textHash(file.readAll().toStdString());
        for (const char* kind : {"runs", "checks"})
            for (const QJsonValue& row : measured[kind].toArray()) {
                QCOMPARE(row["size"].toString(), QString("tiny"));
                QCOMPARE(row["device"].toString(), QString("cpu"));
                QVERIFY(row["threads"].toInt() > 0);
                QCOMPARE(row["text_hash"].toString().toStdString(), hash);
            }
        // One kernel forward and one backward; what the step adds around them is told apart.
        const QJsonValue compiledRun = measured["runs"].toArray()[1];
        QCOMPARE(compiledRun["launches"].toInt() - compiledRun["eager_launches"].toInt(),
                 compiledRun["kernels"].toArray().size());
        QVERIFY(!measured["checks"].toArray().isEmpty());
        for (const QJsonValue& check : measured["checks"].toArray())
            QVERIFY(check["passed"].toBool());
    }

    void progress_tells_every_stage_and_how_many_kernels_are_done() {
        Engine engine;
        engine.request(1, "compile", {{"path", sample("mlp_train.py")}, {"size", "tiny"}});
        QVERIFY(engine.reply().contains("result"));
        QStringList stages;
        QList<double> counted;
        for (const QJsonObject& note : engine.notifications) {
            if (note["method"] != "progress") continue;
            const QJsonObject params = note["params"].toObject();
            stages << params["stage"].toString();
            if (stages.last().startsWith("backward: compile, "))
                counted << params["fraction"].toDouble();
            else
                QCOMPARE(params["fraction"].toDouble(), 0.0); // nobody knows how long it takes
        }
        QVERIFY(stages.contains("forward: kernels"));
        QVERIFY2(counted.size() > 1, qPrintable(stages.join('\n')));
        QCOMPARE(*std::max_element(counted.begin(), counted.end()), 1.0);
    }

    void a_measurement_tells_which_of_how_many_parts_it_is_at() {
        Engine engine;
        engine.request(1, "run",
                       {{"path", "a.py"},
                        {"text", "import torch\n\n@torch.compile\ndef f(x):\n    return x.cos()\n\n"
                                 "@torch.compile\ndef g(x):\n    return x.sin()\n\n"
                                 "f(torch.ones(3))\ng(torch.ones(3))\n"},
                        {"backends", QJsonArray{"eager", "inductor"}},
                        {"minTime", 0.01},
                        {"check", false}});
        QVERIFY(engine.reply().contains("result"));
        QStringList stages;
        double last = 0;
        for (const QJsonObject& note : engine.notifications) {
            if (note["method"] != "progress") continue;
            const QJsonObject params = note["params"].toObject();
            stages << params["stage"].toString();
            QVERIFY(params["fraction"].toDouble() >= last);
            last = params["fraction"].toDouble();
        }
        QVERIFY2(stages.contains("measuring inductor, part 2 of 2"), qPrintable(stages.join('\n')));
        QVERIFY2(stages.contains("measuring eager, part 1 of 2"), qPrintable(stages.join('\n')));
        QCOMPARE(last, 0.75);
    }
    void what_is_compiled_and_measured_beside_decisions_is_without_them() {
        Engine engine;
        const QString path = sample("double_cosine.py");
        engine.request(1, "compile", {{"path", path}, {"size", "tiny"}});
        const QJsonArray functions =
            engine.reply()["result"].toObject()["record"].toObject()["functions"].toArray();
        QVERIFY(!functions.isEmpty());
        engine.request(2, "compile",
                       {{"text", "print(1)\n"}, {"path", "other.py"}, {"aside", true}});
        QVERIFY(engine.reply().contains("result"));
        engine.request(3, "story", {{"of", "cut"}, {"function", 0}, {"entry", 0}});
        QVERIFY(engine.reply().contains("result")); // of what was compiled before
        engine.request(4, "run",
                       {{"path", path},
                        {"size", "tiny"},
                        {"minTime", 0.01},
                        {"backends", QJsonArray{"inductor"}},
                        {"decisions", QJsonArray{"budget 0.5", "input 0=normal(0, 1, 7)"}},
                        {"check", false},
                        {"beside", true}});
        const QJsonObject measured = engine.reply()["result"].toObject();
        const QJsonArray runs = measured["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        QCOMPARE(measured["counts"].toArray().size(), 1); // of what was decided
        QCOMPARE(measured["samples"].toArray().size(), 1);
        QVERIFY(!runs[0]["kernels"].toArray().isEmpty());
        QVERIFY(runs[0]["kernels"][0]["counts"].toArray().size() >= 2); // page faults, at least
        QCOMPARE(runs[0]["decisions"].toString(), QString("budget 0.5; input 0=normal(0, 1, 7)"));
        QCOMPARE(runs[1]["decisions"].toString(), QString("input 0=normal(0, 1, 7)"));
    }
    void a_size_that_the_script_has_no_more_comes_with_those_that_it_has() {
        Engine engine;
        engine.request(1, "compile", {{"path", sample("double_cosine.py")}, {"size", "gone"}});
        const QJsonObject data = engine.reply()["error"].toObject()["data"].toObject();
        QCOMPARE(data["sizes"].toArray(), QJsonArray({"tiny", "cpu", "gpu"}));
    }

    void a_record_comes_as_columns_where_they_are_asked_for() {
        Engine engine;
        engine.request(
            1, "compile",
            {{"path", sample("double_cosine.py")}, {"size", "tiny"}, {"attached", true}});
        const QJsonObject result = engine.reply()["result"].toObject();
        QCOMPARE(result["record"].toString(), "attached");
        auto record = columns(engine);
        QVERIFY2(record.ok(), record.ok() ? "" : record.error().message.c_str());
        QCOMPARE(record->size, "tiny");
        QVERIFY(!record->functions[0].entries[0].lowered[0].kernels.empty());
        engine.request(2, "compile",
                       {{"path", "a.py"},
                        {"text", "import torch\n\n@torch.compile\ndef f(x):\n    return x.cos()\n\n"
                                 "f(torch.ones(3))\nnothere\n"},
                        {"attached", true}});
        QCOMPARE(errorText(engine.reply()), QString("name 'nothere' is not defined"));
        record = columns(engine);
        QVERIFY(record.ok() && record->functions.size() == 1);
        engine.request(3, "ops");
        engine.reply();
        QVERIFY(engine.attachment.isEmpty());
    }

    void stages_of_a_long_compilation_come_as_they_are_done() {
        Engine engine;
        engine.request(1, "compile",
                       {{"path", "a.py"},
                        {"text", "import torch\n\n@torch.compile\ndef f(x, w):\n"
                                 "    for i in range(600):\n        x = torch.sin(x * w) + 0.5\n"
                                 "    return x\n\nf(torch.ones(64, 64), torch.ones(64, 64, "
                                 "requires_grad=True)).sum().backward()\n"},
                        {"attached", true},
                        {"stages", true}});
        size_t graphs = 0, notes = 0;
        for (;;) {
            const QJsonObject message = engine.message();
            QVERIFY(!message.isEmpty());
            if (message["method"] == "progress" || message["method"] == "log") continue;
            auto record = columns(engine);
            QVERIFY2(record.ok(), record.ok() ? "" : record.error().message.c_str());
            const auto& entry = record->functions.at(0).entries.at(0);
            QVERIFY(entry.graphs.size() >= graphs); // what came before is still there
            graphs = entry.graphs.size();
            if (message.contains("id")) {
                QVERIFY(!entry.lowered.empty());
                break;
            }
            QCOMPARE(message["method"].toString(), "stage");
            QCOMPARE(message["params"].toObject()["request"].toInt(), 1);
            ++notes;
        }
        QVERIFY(notes >= 2);
        // One that is done soon is not told of in parts.
        engine.request(
            2, "compile",
            {{"path", "a.py"}, {"text", "x = 1\n"}, {"attached", true}, {"stages", true}});
        QVERIFY(engine.reply().contains("result"));
        for (const QJsonObject& note : engine.notifications)
            QVERIFY(note["method"].toString() != "stage");
    }

    void malformed_messages_are_refused_and_survived() {
        Engine engine;
        engine.send("{\"method\": ");
        QCOMPARE(errorCode(engine.reply()), -32700);
        for (const char* body : {"[]", "5", "{}", "{\"method\": 5}",
                                 "{\"method\": \"compile\", \"params\": [1]}", "\"text\""}) {
            engine.send(body);
            QCOMPARE(errorCode(engine.reply()), -32600);
        }
        engine.request(3, "nonsense");
        QJsonObject unknown = engine.reply();
        QCOMPARE(unknown["id"].toInt(), 3);
        QCOMPARE(errorCode(unknown), -32601);
        QCOMPARE(errorText(unknown), QString("unknown method 'nonsense'"));
        engine.request(4, "compile", {{"path", 5}});
        QCOMPARE(errorCode(engine.reply()), -32602);
        engine.request(5, "listing", {{"kernel", "k"}, {"language", "asm"}});
        QCOMPARE(errorText(engine.reply()), QString("no kernel 'k' in the last compilation"));
        engine.request(6, "layout", {{"nodes", "none"}});
        QVERIFY(engine.reply().contains("error"));
        engine.request(8, "story", {{"of", "weather"}});
        QCOMPARE(errorText(engine.reply()), QString("of: expected kernel or cut"));
        engine.request(9, "story", {{"of", "cut"}});
        QCOMPARE(errorText(engine.reply()), QString("no such entry in the last compilation"));
        engine.request(7, "initialize");
        QVERIFY(engine.reply().contains("result"));
    }

    void stories_are_told_of_what_was_compiled() {
        Engine engine;
        engine.request(1, "compile", {{"path", sample("double_cosine.py")}, {"size", "tiny"}});
        QVERIFY(engine.reply().contains("result"));
        engine.request(2, "story", {{"of", "cut"}});
        const QJsonObject cut = engine.reply()["result"].toObject();
        QCOMPARE(cut["saved"].toArray(), QJsonArray({"primals_1"}));
        QVERIFY(!cut["steps"].toArray().isEmpty());
        engine.request(3, "story",
                       {{"of", "kernel"}, {"graph", "forward"}, {"kernel", "fused_cos_cos_1"}});
        const QJsonObject kernel = engine.reply()["result"].toObject();
        QVERIFY2(kernel["moments"].toArray().size() > 4,
                 QByteArray::number(kernel["moments"].toArray().size()));
        QCOMPARE(kernel["buffers"].toArray()[0].toObject()["name"].toString(), "primals_1");
    }

    void a_script_with_an_error_gives_diagnostics_and_what_was_done_until_then() {
        Engine engine;
        engine.request(1, "compile",
                       {{"path", "a.py"},
                        {"text", "import torch\n\n@torch.compile\ndef f(x):\n    return x.cos()\n\n"
                                 "f(torch.ones(3))\nnothere\n"}});
        QJsonObject reply = engine.reply();
        QCOMPARE(errorCode(reply), -32000);
        QCOMPARE(errorText(reply), QString("name 'nothere' is not defined"));
        QJsonObject data = reply["error"].toObject()["data"].toObject();
        QCOMPARE(data["diagnostics"].toArray().size(), 1);
        QCOMPARE(QJsonValue(data["record"])["functions"].toArray().size(), 1);
        engine.request(2, "compile", {{"path", sample("double_cosine.py")}, {"size", "tiny"}});
        QVERIFY(engine.reply().contains("result"));
    }

    void a_cancelled_request_says_so() {
        Engine engine;
        // Cancelled before it starts, while it evaluates, while it warns, prints or fails: the same
        // answer each time.
        for (int i = 0; i < 60; ++i) {
            const char* endless = i % 3 == 0   ? "while True:\n    pass\n"
                                  : i % 3 == 1 ? "while True:\n    print('x' * 1000)\n"
                                               : "def f():\n    while True:\n        try:\n"
                                                 "            nothere\n        except NameError:\n"
                                                 "            pass\nf()\n";
            engine.request(2 * i, "compile", {{"path", "a.py"}, {"text", endless}});
            engine.request(2 * i + 1, "ops");
            QTest::qSleep(i % 8);
            engine.send("{\"jsonrpc\": \"2.0\", \"method\": \"$/cancel\", \"params\": {\"id\": " +
                        QByteArray::number(2 * i) + "}}");
            QJsonObject reply = engine.reply();
            QCOMPARE(reply["id"].toInt(), 2 * i);
            QCOMPARE(errorCode(reply), -32800);
            QCOMPARE(errorText(reply), QString("cancelled"));
            QCOMPARE(engine.reply()["id"].toInt(), 2 * i + 1);
        }
    }

    void a_request_that_waits_is_cancelled_at_once() {
        Engine engine;
        engine.request(1, "compile", {{"path", "a.py"}, {"text", "while True:\n    pass\n"}});
        engine.request(2, "compile", {{"path", "a.py"}, {"text", "x = 1\n"}});
        auto cancel = [&](const char* id) {
            engine.send(
                QByteArray("{\"jsonrpc\": \"2.0\", \"method\": \"$/cancel\", \"params\": ") +
                "{\"id\": " + id + "}}");
        };
        cancel("2");
        QJsonObject reply = engine.reply(); // the first goes on
        QCOMPARE(reply["id"].toInt(), 2);
        QCOMPARE(errorCode(reply), -32800);
        cancel("1");
        QCOMPARE(engine.reply()["id"].toInt(), 1);
    }

    void a_long_compilation_can_be_cancelled_in_every_stage_data() {
        QTest::addColumn<QByteArray>("loop");
        QTest::addColumn<QString>("stage");
        // 20 000 operations; 6 000 with gradients; one kernel that Clang is busy with for long.
        const QByteArray many = "for i in range(10000):\n        x = torch.sin(x) + 0.5\n";
        const QByteArray trained = "for i in range(2000):\n        x = torch.sin(x * w) + 0.5\n";
        const QByteArray giant = "x = torch.cat([x * i for i in range(800)])\n";
        QTest::newRow("passes") << many << "passes";
        QTest::newRow("fusion") << many << "forward: kernels";
        QTest::newRow("texts") << many << "forward: emit";
        QTest::newRow("compile") << many << "forward: compile";
        QTest::newRow("joint graph") << trained << "joint";
        QTest::newRow("partition") << trained << "partition";
        QTest::newRow("giant kernel") << giant << "forward: compile";
    }
    void a_long_compilation_can_be_cancelled_in_every_stage() {
        QFETCH(QByteArray, loop);
        QFETCH(QString, stage);
        Engine engine;
        const QByteArray text = "import torch\n\n@torch.compile\ndef f(x, w):\n    " + loop +
                                "    return x\n\nf(torch.ones(64, 64), "
                                "torch.ones(64, 64, requires_grad=True)).sum()\n";
        engine.request(1, "compile", {{"path", "a.py"}, {"text", QString(text)}});
        QJsonObject note;
        do {
            note = engine.message();
            QVERIFY2(note.contains("method"), QJsonDocument(note).toJson().left(500));
        } while (note["params"].toObject()["stage"].toString() != stage);
        QTest::qSleep(100);
        QElapsedTimer timer;
        timer.start();
        engine.send("{\"jsonrpc\": \"2.0\", \"method\": \"$/cancel\", \"params\": {\"id\": 1}}");
        QCOMPARE(errorCode(engine.reply()), -32800);
        // Some 0.2 s on an idle machine; without a look at the token this takes minutes.
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
        qInfo("answered after %lld ms", timer.elapsed());
        engine.request(2, "compile", {{"path", sample("double_cosine.py")}, {"size", "tiny"}});
        QVERIFY(engine.reply().contains("result"));
    }

    void loops_and_long_calls_on_tensors_can_be_cancelled_data() {
        QTest::addColumn<QByteArray>("text");
        auto row = [](const char* name, const char* text) {
            QTest::newRow(name) << QByteArray("import torch\n") + text;
        };
        row("compiled", "@torch.compile\ndef f(x):\n    while True:\n        x = x + 1\n"
                        "f(torch.ones(3))\n");
        row("compiled, with breaks", "@torch.compile\ndef f(x):\n    while True:\n        x = x + 1"
                                     "\n        print('x')\nf(torch.ones(3))\n");
        row("eager", "x = torch.ones(3)\nwhile True:\n    x = x + 1\n");
        row("eager, taped", "x = torch.ones(3, requires_grad=True)\nwhile True:\n    x = x + 1\n");
        row("a composite of many products", "torch.matrix_power(torch.ones(3000, 3000), 2**60)\n");
        row("a long draw", "torch.randn(5 * 10**8)\n");
        row("a window of many taps",
            "torch.nn.functional.avg_pool2d(torch.ones(1, 1, 3, 3), 10**9, padding=5 * 10**8)\n");
    }
    void loops_and_long_calls_on_tensors_can_be_cancelled() {
        QFETCH(QByteArray, text);
        Engine engine;
        engine.request(1, "compile", {{"path", "a.py"}, {"text", QString(text)}});
        QTest::qSleep(1500);
        QElapsedTimer timer;
        timer.start();
        engine.send("{\"jsonrpc\": \"2.0\", \"method\": \"$/cancel\", \"params\": {\"id\": 1}}");
        QCOMPARE(errorCode(engine.reply()), -32800);
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    }

    void odd_messages_are_refused_and_survived_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("code");
        const QByteArray deep = QByteArray(200000, '[') + QByteArray(200000, ']');
        QTest::newRow("deep id") << "{\"method\": \"compile\", \"id\": " + deep + "}" << -32700;
        QTest::newRow("deep params")
            << "{\"method\": \"compile\", \"id\": 1, \"params\": {\"path\": " + deep + "}}"
            << -32700;
        QTest::newRow("never closed") << QByteArray(1000000, '{') << -32700;
        QTest::newRow("an object as id")
            << QByteArray("{\"method\": \"compile\", \"id\": {}}") << -32600;
        QTest::newRow("a long id")
            << "{\"method\": \"compile\", \"id\": \"" + QByteArray(1000, 'x') + "\"}" << -32600;
        QTest::newRow("invalid UTF-8")
            << QByteArray("{\"method\": \"compile\", \"id\": 1, \"params\": {\"path\": \"\xff\"}}")
            << -32700;
        QTest::newRow("params null")
            << QByteArray("{\"method\": \"compile\", \"id\": 1, \"params\": null}") << -32600;
        QTest::newRow("a cancel that waits for an answer")
            << QByteArray("{\"method\": \"$/cancel\", \"id\": 1, \"params\": {\"id\": 1}}")
            << -32600;
    }
    void odd_messages_are_refused_and_survived() {
        QFETCH(QByteArray, body);
        QFETCH(int, code);
        Engine engine;
        engine.send(body);
        QCOMPARE(errorCode(engine.reply()), code);
        engine.request(7, "initialize");
        QVERIFY(engine.reply().contains("result"));
    }

    void an_id_in_use_is_refused() {
        Engine engine;
        engine.request(1, "compile", {{"path", "a.py"}, {"text", "while True:\n    pass\n"}});
        engine.request(1, "ops");
        QJsonObject refused = engine.reply();
        QVERIFY(refused.contains("id") && refused["id"].isNull());
        QCOMPARE(errorCode(refused), -32600);
        QCOMPARE(errorText(refused), QString("expected a new id, found 1, that of a request that "
                                             "is not answered yet"));
        engine.send("{\"id\": 1, \"method\": 5}");
        QVERIFY(engine.reply()["id"].isNull());
        engine.send("{\"jsonrpc\": \"2.0\", \"method\": \"$/cancel\", \"params\": {\"id\": 1}}");
        QCOMPARE(errorCode(engine.reply()), -32800);
        engine.request(1, "ops");
        QVERIFY(engine.reply().contains("result"));
    }

    void a_message_without_an_id_is_not_answered() {
        Engine engine;
        engine.send("{\"jsonrpc\": \"2.0\", \"method\": \"ops\"}");
        engine.send("{\"jsonrpc\": \"2.0\", \"method\": \"nonsense\", \"params\": {}}");
        engine.send("{\"jsonrpc\": \"2.0\", \"method\": \"layout\", \"params\": {}}");
        engine.request(4, "initialize");
        QCOMPARE(engine.reply()["id"].toInt(), 4);
        engine.send("{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"nonsense\"}");
        QCOMPARE(errorCode(engine.reply()), -32601);
    }

    void parameters_are_named_in_our_own_words_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QJsonObject>("params");
        QTest::addColumn<QString>("message");
        auto row = [](const char* method, const QJsonObject& params, const char* message) {
            QTest::newRow(message) << QString(method) << params << QString(message);
        };
        row("compile", {{"path", 5}}, "path: expected a string, found 5");
        row("compile", {{"path", "a.py"}, {"text", 1}}, "text: expected a string, found 1");
        row("run", {{"path", "a.py"}, {"text", ""}, {"threads", "two"}},
            "threads: expected an integer from 0 to 2147483647, found string");
        row("run", {{"path", "a.py"}, {"text", ""}, {"threads", -1}},
            "threads: expected an integer from 0 to 2147483647, found -1");
        row("run", {{"path", "a.py"}, {"text", ""}, {"backends", "eager"}},
            "backends: expected an array of strings, found string");
        row("listing", {{"kernel", QJsonObject()}}, "kernel: expected a string, found object");
        row("layout", {{"budgetMs", 1e300}},
            "budgetMs: expected an integer from 0 to 2147483647, found 1e+300");
        const QJsonArray one{QJsonObject{{"w", 10}, {"h", 10}}};
        row("layout", {{"nodes", one}, {"edges", QJsonArray{QJsonValue(QJsonArray{0, 5})}}},
            "edges[0]: no node 5 (there are 1)");
        row("layout", {{"nodes", one}, {"edges", QJsonArray{QJsonValue(QJsonArray{-1, 0})}}},
            "edges[0]: no node -1 (there are 1)");
        row("layout", {{"nodes", one}, {"edges", QJsonArray{"0"}}},
            "edges[0]: expected [FROM, TO]");
        row("layout", {{"nodes", QJsonArray{5}}, {"edges", QJsonArray()}},
            "nodes[0]: expected {\"w\": WIDTH, \"h\": HEIGHT}");
        row("layout", {{"nodes", one}}, "edges: expected an array, found nothing");
    }
    void parameters_are_named_in_our_own_words() {
        QFETCH(QString, method);
        QFETCH(QJsonObject, params);
        QFETCH(QString, message);
        Engine engine;
        engine.request(1, method, params);
        const QJsonObject reply = engine.reply();
        QCOMPARE(errorText(reply), message);
        QCOMPARE(errorCode(reply), -32602);
    }

    void threads_and_layouts_are_limited() {
        Engine engine;
        engine.request(1, "compile", {{"path", "a.py"}, {"text", ""}, {"threads", 100000}});
        QVERIFY(
            QRegularExpression("^expected from 1 to \\d+ threads, or 0 for all of the machine's; "
                               "found 100000$")
                .match(errorText(engine.reply()))
                .hasMatch());
        QJsonArray nodes, edges;
        for (int i = 0; i < 400; ++i)
            nodes.append(QJsonObject{{"w", 10}, {"h", 10}});
        for (int i = 0; i < 2000; ++i)
            edges.append(QJsonArray{(i * 7) % 400, (i * 13 + 1) % 400});
        for (int i = 0; i < 30; ++i)
            engine.request(10 + i, "layout",
                           {{"nodes", nodes}, {"edges", edges}, {"budgetMs", 1000}});
        int refused = 0;
        for (int i = 0; i < 30; ++i)
            refused += errorText(engine.reply())
                           .startsWith("8 layouts are being made already; ask again when");
        QVERIFY2(refused > 0, "30 layouts at once");
    }

    void layouts_are_made_in_the_box() {
        Engine engine;
        QJsonArray edges;
        edges.append(QJsonArray{0, 1}); // braces around one array may copy it
        engine.request(1, "layout",
                       {{"nodes", QJsonArray{QJsonObject{{"w", 10}, {"h", 10}},
                                             QJsonObject{{"w", 10}, {"h", 10}}}},
                        {"edges", edges},
                        {"budgetMs", 20000}});
        QJsonObject reply = engine.reply();
        QVERIFY2(reply.contains("result"), qPrintable(errorText(reply)));
        QCOMPARE(reply["result"].toObject()["positions"].toArray().size(), 2);
    }

    void the_engine_works_in_a_box_and_dies_with_the_process_that_was_started() {
        Engine engine;
        engine.request(1, "initialize");
        QVERIFY(engine.reply().contains("result"));
        const QString broker = QString::number(engine.process.processId());
        QFile children(QString("/proc/%1/task/%1/children").arg(broker));
        QVERIFY(children.open(QIODevice::ReadOnly));
        const QString child = QString(children.readAll()).trimmed();
        auto status = [&] {
            QFile file("/proc/" + child + "/status");
            return file.open(QIODevice::ReadOnly) ? QString(file.readAll()) : QString();
        };
        QVERIFY2(status().contains("\nNoNewPrivs:\t1\n"), qPrintable(status()));
        QVERIFY(status().contains("\nSeccomp:\t2\n"));
        engine.process.kill();
        QVERIFY(engine.process.waitForFinished());
        QTRY_VERIFY(status().isEmpty() || status().contains("State:\tZ"));
    }

    void files_are_read_for_the_engine_or_refused() {
        Engine engine;
        QTemporaryDir folder;
        engine.request(1, "compile", {{"path", folder.filePath("missing.py")}});
        QCOMPARE(errorText(engine.reply()), QString("cannot open file: No such file or directory"));
        const QString pipe = folder.filePath("pipe.cutaway");
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        for (const QString& path : {pipe, QString("/dev/zero")}) {
            engine.request(2, "open", {{"path", path}});
            QCOMPARE(errorText(engine.reply()),
                     QString("expected a regular file, found a pipe, socket or device"));
        }
        engine.send("{\"id\": 3, \"method\": \"compile\", \"params\": {\"path\": \"a\\u0000b\"}}");
        QCOMPARE(errorText(engine.reply()), QString("a path cannot hold a zero byte"));
    }

    void inputs_come_from_files_that_the_broker_reads() {
        Engine engine;
        QTemporaryDir folder;
        const QString array = folder.filePath("x.npy");
        QFile file(array);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
        header += QByteArray(117 - header.size(), ' ') + "\n";
        const float values[] = {1, 2, 7};
        file.write(QByteArray("\x93NUMPY\x01\x00", 8) + char(118) + char(0) + header +
                   QByteArray(reinterpret_cast<const char*>(values), sizeof values));
        file.close();
        QJsonObject params{{"path", "a.py"},
                           {"text", "import torch\ndef model(x):\n    return x * 2\n"
                                    "def example_inputs(size):\n    return (torch.zeros(2),)\n"}};
        engine.request(1, "inputs", params);
        const QJsonValue inputs = engine.reply()["result"].toObject()["inputs"];
        QCOMPARE(inputs.toArray().size(), 1);
        QCOMPARE(inputs[0]["type"].toString(), QString("f32[2]"));
        params["decisions"] = QJsonArray{"input 0=file(" + array + ")"};
        engine.request(2, "probe", params);
        const QJsonObject probe = engine.reply()["result"].toObject();
        double most = 0;
        for (const QJsonValue& value : probe["values"].toArray())
            if (value["graph"] == "forward") most = std::max(most, value["max"].toDouble());
        QCOMPARE(most, 14.0);
        QCOMPARE(probe["first"].toInt(), -1);
        params["decisions"] = QJsonArray{"input 0=file(" + folder.filePath("gone.npy") + ")"};
        engine.request(3, "probe", params);
        QCOMPARE(errorText(engine.reply()), QString("cannot open file: No such file or directory"));
    }

    void every_schedule_is_timed() {
        Engine engine;
        const QJsonObject params{{"path", sample("double_cosine.py")}, {"size", "tiny"}};
        engine.request(1, "tune", params);
        const QJsonArray rows = engine.reply()["result"].toObject()["schedules"].toArray();
        QVERIFY(rows.size() > 1);
        for (const QJsonValue& row : rows) {
            QVERIFY(row["us"].toDouble() > 0 && row["disturbed"].isBool());
            QVERIFY(!row["schedule"].toString().isEmpty() && !row["kernel"].toString().isEmpty());
            QVERIFY(row["graph"].toString() == "forward" || row["graph"].toString() == "backward");
        }
    }

    void kernels_are_sent_as_files() {
        Engine engine;
        engine.request(1, "sources", {{"path", sample("double_cosine.py")}, {"size", "tiny"}});
        const QJsonArray files = engine.reply()["result"].toObject()["files"].toArray();
        QStringList names;
        for (const QJsonValue& one : files) {
            names << one["path"].toString();
            if (names.last().endsWith("CMakeLists.txt"))
                QVERIFY(QByteArray::fromBase64(one["data"].toString().toLatin1())
                            .contains(names.last().contains('/') ? "add_executable"
                                                                 : "add_subdirectory"));
        }
        for (const char* name : {"model_forward/main.cpp", "model_backward/CMakeLists.txt",
                                 "CMakeLists.txt", "README.md"})
            QVERIFY2(names.contains(name), qPrintable(names.join(' ')));
    }

    void code_of_an_opened_record_is_not_compiled() {
        QTemporaryDir folder;
        const QString record = folder.filePath("r.cutaway");
        QCOMPARE(QProcess::execute(CUTAWAY_TOOL, {"compile", sample("double_cosine.py"), "--size",
                                                  "tiny", "-o", record}),
                 0);
        Engine engine;
        engine.request(1, "open", {{"path", record}});
        QJsonObject opened = engine.reply()["result"].toObject();
        QJsonObject lowered =
            QJsonValue(opened["record"])["functions"][0]["entries"][0]["lowered"][0].toObject();
        const QString kernel = lowered["kernels"][0]["name"].toString();
        QVERIFY(!kernel.isEmpty());
        const QJsonObject wanted{{"function", 0},
                                 {"entry", 0},
                                 {"graph", lowered["graph"]},
                                 {"kernel", kernel},
                                 {"language", "asm"}};
        engine.request(2, "listing", wanted);
        QCOMPARE(errorText(engine.reply()),
                 "the code of kernel " + kernel + " comes from a file and is not compiled");
        // Once our generator has made the same text, it may be.
        engine.request(3, "compile", {{"path", sample("double_cosine.py")}, {"size", "tiny"}});
        QVERIFY(engine.reply().contains("result"));
        engine.request(4, "open", {{"path", record}});
        QVERIFY(engine.reply().contains("result"));
        engine.request(5, "listing", wanted);
        QVERIFY(engine.reply().contains("result"));
    }

    void memory_is_given_back_after_a_request() {
        Engine engine;
        engine.request(
            1, "compile",
            {{"path", "a.py"}, {"text", "import torch\nx = torch.ones(100_000_000)\ny = x + 1\n"}});
        engine.reply();
        engine.request(2, "ops");
        engine.reply();
        QFile children(QString("/proc/%1/task/%1/children").arg(engine.process.processId()));
        QVERIFY(children.open(QIODevice::ReadOnly));
        QFile status("/proc/" + QString(children.readAll()).trimmed() + "/status");
        QVERIFY(status.open(QIODevice::ReadOnly));
        auto resident = QRegularExpression("VmRSS:\\s*(\\d+) kB").match(status.readAll());
        QVERIFY(resident.hasMatch());
        QVERIFY2(resident.captured(1).toLongLong() < 300 * 1024, qPrintable(resident.captured(1)));
    }

    void end_of_input_ends_the_engine_also_in_the_middle_of_work_data() {
        QTest::addColumn<QByteArray>("last");
        QTest::newRow("idle") << QByteArray();
        const QByteArray slow = "{\"id\": 2, \"method\": \"compile\", \"params\": {\"path\": "
                                "\"a.py\", \"text\": \"while True:\\n    pass\\n\"}}";
        QTest::newRow("working") << "Content-Length: " + QByteArray::number(slow.size()) +
                                        "\r\n\r\n" + slow;
        const QByteArray drawing = "{\"id\": 2, \"method\": \"layout\", \"params\": {\"nodes\": "
                                   "[{\"w\": 10, \"h\": 10}], \"edges\": []}}";
        QTest::newRow("drawing") << "Content-Length: " + QByteArray::number(drawing.size()) +
                                        "\r\n\r\n" + drawing;
    }
    void end_of_input_ends_the_engine_also_in_the_middle_of_work() {
        QFETCH(QByteArray, last);
        Engine engine;
        engine.request(1, "initialize");
        QVERIFY(engine.reply().contains("result"));
        engine.process.write(last);
        engine.process.closeWriteChannel();
        QVERIFY(engine.process.waitForFinished(kPatienceMs));
        QCOMPARE(engine.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(engine.process.exitCode(), 0);
    }

    void names_of_header_fields_are_in_any_case() {
        for (const char* name : {"content-length", "CONTENT-LENGTH", "Content-length"}) {
            Engine engine;
            const QByteArray body = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})";
            engine.process.write(QByteArray(name) + ": " + QByteArray::number(body.size()) +
                                 "\r\n\r\n" + body);
            QVERIFY2(engine.reply().contains("result"), name);
        }
    }
    void damaged_framing_is_told_and_ends_the_engine_data() {
        QTest::addColumn<QByteArray>("last");
        QTest::addColumn<bool>("ended"); // the input
        QTest::addColumn<QString>("problem");
        auto row = [](const char* name, const QByteArray& last, bool ended, const char* problem) {
            QTest::newRow(name) << last << ended << QString(problem);
        };
        const QByteArray number =
            "Content-Length: expected a number of bytes up to 268435456, found ";
        for (const char* length : {"-5", "99999999999999999999999", "268435457", "0x10", "5 5"})
            row(length, QByteArray("Content-Length: ") + length + "\r\n\r\nhello", false,
                number + '"' + length + '"');
        row("two lines", "Content-Length: \x1b\n\xff\r\n\r\nhello", false,
            number + "\"\\u001b\\n\\ufffd\"");
        row("none", "Content-Type: text\r\n\r\nhello", false,
            "expected a header with Content-Length: N before a message, found none");
        row("two", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", false,
            "Content-Length: expected once in a header, found twice");
        row("two alike", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", false,
            "Content-Length: expected once in a header, found twice");
        const char* tooLong = "expected a header of at most 4096 bytes, found a longer one";
        row("endless header", QByteArray(5000, 'x'), false, tooLong);
        row("long header", "X: " + QByteArray(5000, 'x') + "\r\nContent-Length: 2\r\n\r\n{}", false,
            tooLong);
        row("half a header", "Content-Le", true, "the input ended in the header of a message");
        row("half a body", "Content-Length: 100\r\n\r\n{\"met", true,
            "the input ended after 5 of 100 bytes of a message");
    }
    void damaged_framing_is_told_and_ends_the_engine() {
        QFETCH(QByteArray, last);
        QFETCH(bool, ended);
        QFETCH(QString, problem);
        Engine engine;
        engine.request(1, "initialize");
        QVERIFY(engine.reply().contains("result"));
        engine.process.readAllStandardError();
        engine.process.write(last);
        if (ended) engine.process.closeWriteChannel();
        const QJsonObject reply = engine.reply();
        QVERIFY(reply.contains("id") && reply["id"].isNull());
        QCOMPARE(errorCode(reply), -32700);
        QCOMPARE(errorText(reply), problem);
        QVERIFY(engine.process.state() == QProcess::NotRunning ||
                engine.process.waitForFinished(kPatienceMs));
        QCOMPARE(engine.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(engine.process.exitCode(), 1);
        QCOMPARE(QString(engine.process.readAllStandardError()),
                 "cutaway serve: " + problem + "\n");
    }
};

QTEST_APPLESS_MAIN(TestEngineProtocol)
#include "test_engine_protocol.moc"
