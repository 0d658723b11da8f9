// SPDX-License-Identifier: Apache-2.0
// `cutaway serve`, spoken to as a client would, and as no client should.
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

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
                qsizetype length = buffer_.mid(15, header - 15).trimmed().toLongLong();
                if (buffer_.size() >= header + 4 + length) {
                    QByteArray body = buffer_.mid(header + 4, length);
                    buffer_.remove(0, header + 4 + length);
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

private:
    QTemporaryDir cache_;
    QByteArray buffer_;
};

QString sample(const QString& name) {
    return CUTAWAY_SOURCE_DIR "/samples/" + name;
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
private slots:
    void requests_of_the_window_are_answered() {
        Engine engine;
        engine.request(1, "initialize");
        QJsonObject hello = engine.reply();
        QCOMPARE(hello["id"].toInt(), 1);
        QVERIFY(hello["result"].toObject()["devices"].toArray().contains("cpu"));

        const QString path = sample("double_cosine.py");
        engine.request(2, "sizes", {{"path", path}});
        QCOMPARE(engine.reply()["result"].toObject()["sizes"].toArray(),
                 QJsonArray({"tiny", "cpu", "gpu"}));

        engine.request(3, "compile", {{"path", path}, {"size", "tiny"}, {"generation", 7}});
        QJsonObject compiled = engine.reply()["result"].toObject();
        QCOMPARE(compiled["generation"].toInt(), 7);
        QVERIFY(!engine.notifications.isEmpty());
        QCOMPARE(engine.notifications[0]["method"].toString(), QString("progress"));
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
        QVERIFY(!measured["checks"].toArray().isEmpty());
        for (const QJsonValue& check : measured["checks"].toArray())
            QVERIFY(check["passed"].toBool());
    }

    void malformed_messages_are_refused_and_survived() {
        Engine engine;
        engine.send("{\"method\": ");
        QCOMPARE(errorCode(engine.reply()), -32700);
        for (const char* body : {"[]", "5", "{}", "{\"method\": 5}",
                                 "{\"method\": \"sizes\", \"params\": [1]}", "\"text\""}) {
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
        engine.request(7, "initialize");
        QVERIFY(engine.reply().contains("result"));
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
        engine.request(1, "compile", {{"path", "a.py"}, {"text", "while True:\n    pass\n"}});
        engine.request(2, "sizes", {{"path", sample("double_cosine.py")}});
        // The first compilation runs by now, or is cancelled before it starts: the same answer.
        engine.send("{\"jsonrpc\": \"2.0\", \"method\": \"$/cancel\", \"params\": {\"id\": 1}}");
        QJsonObject reply = engine.reply();
        QCOMPARE(reply["id"].toInt(), 1);
        QCOMPARE(errorCode(reply), -32800);
        QCOMPARE(engine.reply()["id"].toInt(), 2);
    }

    void end_of_input_ends_the_engine_also_in_the_middle_of_work_data() {
        QTest::addColumn<QByteArray>("last");
        QTest::newRow("idle") << QByteArray();
        QTest::newRow("half a message") << QByteArray("Content-Length: 100\r\n\r\n{\"met");
        QTest::newRow("no header") << QByteArray("hello\r\n\r\n");
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
};

QTEST_APPLESS_MAIN(TestEngineProtocol)
#include "test_engine_protocol.moc"
