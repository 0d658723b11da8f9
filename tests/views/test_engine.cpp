// SPDX-License-Identifier: GPL-3.0-or-later
// The engine may crash, hang or talk nonsense: the session keeps the last good record and goes on
// after a restart.
#include "core/record/columns.h"
#include "core/record/json.h"
#include "tests/views/sample_record.h"
#include "views/bridge/session.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <nlohmann/json.hpp>

using namespace cutaway;
using namespace cutaway::views;
using State = EngineClient::State;

namespace {

struct Fixture {
    explicit Fixture(const char* mode)
        : engine({FAKE_ENGINE, mode}), session(&engine, DraftStore(folder.filePath("drafts"))) {
        path = folder.filePath("double_cosine.py");
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write(testing::kDoubleCosine);
    }
    QTemporaryDir folder;
    QString path;
    EngineClient engine;
    Session session;
};

} // namespace

class TestEngine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messages_are_cut_out_of_a_stream_in_any_pieces() {
        QByteArray stream = framed("{\"a\":1}") +
                            "Content-Length: 2\r\nAttachment-Length: 5\r\n\r\n{}\r\n\r\n\1" +
                            framed("{}");
        for (qsizetype piece = 1; piece < stream.size(); ++piece) {
            MessageReader reader;
            QList<QByteArray> bodies, attachments;
            for (qsizetype at = 0; at < stream.size(); at += piece) {
                reader.feed(stream.mid(at, piece));
                while (auto frame = reader.next()) {
                    bodies << frame->body;
                    attachments << frame->attachment;
                }
            }
            QCOMPARE(bodies, QList<QByteArray>({"{\"a\":1}", "{}", "{}"}));
            QCOMPARE(attachments, QList<QByteArray>({"", "\r\n\r\n\1", ""}));
        }
        for (const char* bad :
             {"Content-Length: x\r\n\r\n", "Foo: 1\r\n\r\n{}", "Content-Length: -4\r\n\r\n",
              "Content-Length: 2\r\nAttachment-Length: 99999999999999\r\n\r\n{}"}) {
            MessageReader reader;
            reader.feed(bad);
            QVERIFY(!reader.next());
            QVERIFY(!reader.problem().isEmpty());
        }
    }
    void a_file_is_compiled_when_it_is_opened_and_again_when_edited() {
        Fixture f("good");
        f.engine.start();
        QVERIFY(f.session.openFile(f.path, nullptr));
        QTRY_VERIFY(!f.session.record()->isEmpty());
        QVERIFY(!f.session.isStale());
        QCOMPARE(f.session.options().size, "tiny");
        QCOMPARE(f.session.diagnostics().size(), 1u);
        QSignalSpy records(&f.session, &Session::recordChanged);
        f.session.setText(f.session.text() + "# more\n");
        QVERIFY(f.session.isStale());
        QVERIFY(f.session.isModified());
        QTRY_COMPARE(records.count(), 1);
        QTRY_VERIFY(!f.session.isStale());
    }
    void a_record_may_come_in_json() {
        Fixture columns("good"), json("json");
        for (Fixture* f : {&columns, &json}) {
            f->engine.start();
            f->session.openFile(f->path, nullptr);
            QTRY_VERIFY(!f->session.record()->isEmpty());
        }
        QVERIFY(record::toColumns(json.session.record()->record()) ==
                record::toColumns(columns.session.record()->record()));
    }
    void texts_of_much_code_come_when_they_are_asked_for() {
        Fixture good("good"), f("bare");
        for (Fixture* one : {&good, &f}) {
            one->engine.start();
            one->session.openFile(one->path, nullptr);
            QTRY_VERIFY(!one->session.record()->isEmpty() && !one->session.isCompiling());
        }
        QVERIFY(!good.session.lacksTexts());
        QVERIFY(f.session.lacksTexts());
        // Its lines are there, and lead to the same items.
        QCOMPARE(f.session.record()->record().links.size(),
                 good.session.record()->record().links.size());
        QCOMPARE(record::codeLineCount(f.session.record()->record()),
                 record::codeLineCount(good.session.record()->record()));
        int came = 0;
        for (int i = 0; i < 2; ++i)
            f.session.withTexts([&](const RecordPtr& whole, const QString& problem) {
                ++came;
                QVERIFY2(whole, qPrintable(problem));
                QVERIFY(record::toColumns(whole->record()) ==
                        record::toColumns(good.session.record()->record()));
            });
        QCOMPARE(came, 0);
        QTRY_COMPARE(came, 2);
        QVERIFY(!f.session.lacksTexts());
        // A saved record has them all; without an engine it is said that they cannot be had.
        f.session.setText(f.session.text() + "# more\n");
        QTRY_VERIFY(f.session.lacksTexts() && !f.session.isCompiling());
        bool saved = false;
        f.session.writeRecord(
            [&](const record::Record& record) {
                return record::lacksTexts(record)
                           ? base::Status(base::userError({}, "it lacks texts"))
                           : base::Status();
            },
            [&](const base::Status& status) { saved = status.ok(); });
        QTRY_VERIFY(saved);
        f.session.setText(f.session.text() + "# yet more\n");
        QTRY_VERIFY(f.session.lacksTexts() && !f.session.isCompiling());
        f.engine.stop();
        QString problem;
        f.session.withTexts([&](const RecordPtr& whole, const QString& why) {
            QVERIFY(!whole);
            problem = why;
        });
        QTRY_VERIFY(!problem.isEmpty());
    }
    void first_stages_are_shown_while_later_ones_are_made() {
        Fixture f("stages");
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(!f.session.record()->isEmpty());
        QVERIFY(f.session.isPartial() && f.session.isCompiling() && !f.session.isStale());
        QVERIFY(f.session.currentEntry()->lowered.empty());
        QVERIFY(!f.session.currentEntry()->graphs.empty());
        QVERIFY(f.session.experiments().empty()); // it is none yet
        QTRY_VERIFY(!f.session.isPartial());
        QVERIFY(!f.session.isCompiling() && !f.session.isStale());
        QVERIFY(!f.session.currentEntry()->lowered.empty());
        QCOMPARE(f.session.experiments().size(), 1u);
        // A whole record does not give way to first stages that come within a second.
        QSignalSpy records(&f.session, &Session::recordChanged);
        f.session.setText(f.session.text() + "# more\n");
        QTRY_VERIFY(!f.session.isStale());
        QCOMPARE(records.count(), 1);
        QVERIFY(!f.session.isPartial());
    }
    void what_came_stays_when_a_compilation_is_cancelled_and_gives_way_to_the_next() {
        Fixture f("stages");
        f.engine.start();
        f.session.newDocument("# endless\n");
        QTRY_VERIFY(f.session.isPartial());
        f.session.cancel();
        QTRY_VERIFY(!f.session.isCompiling());
        QVERIFY(f.session.wasCancelled() && f.session.isPartial() && !f.session.failed());
        QVERIFY(!f.session.record()->isEmpty());
        f.session.compileAgain();
        QTRY_VERIFY(f.session.isPartial() && f.session.isCompiling());
        f.session.setText("# this one ends\n");
        QTRY_VERIFY(!f.session.isCompiling() && !f.session.isPartial());
        QVERIFY(!f.session.isStale());
        QCOMPARE(f.session.record()->record().files[0].text, "# this one ends\n");
    }
    void what_came_stays_when_a_later_stage_fails() {
        Fixture f("stages");
        f.engine.start();
        f.session.newDocument("# broken\n");
        QTRY_VERIFY(f.session.failed() && !f.session.isCompiling());
        QVERIFY(f.session.isPartial() && !f.session.record()->isEmpty());
        QCOMPARE(f.session.diagnostics()[0].message, "a kernel cannot be compiled");
    }
    void a_script_that_does_not_compile_keeps_the_last_record() {
        Fixture f("good");
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(!f.session.record()->isEmpty());
        RecordPtr good = f.session.record();
        f.session.setText("wrong\n");
        QTRY_VERIFY(f.session.failed());
        QCOMPARE(f.session.record(), good);
        QVERIFY(f.session.isStale());
        QCOMPARE(f.session.diagnostics()[0].message, "unknown name 'wrong'");
        QCOMPARE(f.session.diagnostics()[0].where.line, 9);
        f.session.setText(testing::kDoubleCosine);
        QTRY_VERIFY(!f.session.failed());
    }
    void a_killed_engine_leaves_the_record_and_restarts() {
        Fixture f("good");
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(!f.session.record()->isEmpty());
        RecordPtr good = f.session.record();
        kill(static_cast<pid_t>(f.engine.processId()), SIGKILL);
        QTRY_COMPARE(f.engine.state(), State::Crashed);
        QVERIFY(f.engine.problem().contains("crashed"));
        QCOMPARE(f.session.record(), good);
        f.session.setText("# edited while it was gone\n" + f.session.text());
        QTest::qWait(150);
        QVERIFY(f.session.isStale());
        f.engine.restart();
        QTRY_COMPARE(f.engine.state(), State::Ready);
        QTRY_VERIFY(!f.session.isStale());
        QVERIFY(f.session.record() != good);
    }
    void misbehaviour_while_compiling_becomes_a_state_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("says");
        QTest::newRow("kills itself") << "crash"
                                      << "about to fall over";
        QTest::newRow("exits") << "exit"
                               << "exit code 7";
        QTest::newRow("malformed reply") << "malformed"
                                         << "malformed";
        QTest::newRow("refusal") << "refusal"
                                 << "the engine refused a message: no";
        QTest::newRow("no framing") << "garbage"
                                    << "Content-Length";
    }
    void misbehaviour_while_compiling_becomes_a_state() {
        QFETCH(QString, mode);
        QFETCH(QString, says);
        Fixture f(qPrintable(mode));
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_COMPARE(f.engine.state(), State::Crashed);
        QVERIFY2(f.engine.problem().contains(says), qPrintable(f.engine.problem()));
        QVERIFY(!f.session.isCompiling());
        QCOMPARE(f.engine.pendingRequests(), 0);
        QCOMPARE(f.session.text(), QString(testing::kDoubleCosine));
    }
    void an_answer_without_a_sound_record_is_a_message_data() {
        QTest::addColumn<QString>("mode");
        QTest::newRow("no record") << "noRecord";
        QTest::newRow("wrong types") << "wrongRecord";
        QTest::newRow("columns that end early") << "brokenColumns";
    }
    void an_answer_without_a_sound_record_is_a_message() {
        QFETCH(QString, mode);
        Fixture f(qPrintable(mode));
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(f.session.failed());
        QTRY_VERIFY(!f.session.isCompiling());
        QCOMPARE(f.engine.state(), State::Ready);
        QCOMPARE(f.session.diagnostics().size(), 1u);
    }
    void a_hanging_engine_is_reported_after_cancel_then_ended_and_can_be_replaced() {
        Fixture f("hang");
        f.engine.setCancelGrace(1000);
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(f.session.isCompiling());
        QElapsedTimer since;
        since.start();
        f.session.cancel();
        QVERIFY(QTest::qWaitFor([&] { return !f.session.isCompiling(); }, 50));
        QVERIFY2(since.elapsed() <= 50, "who cancels is free at once, whatever the engine does");
        QTRY_COMPARE(f.engine.state(), State::Unresponsive);
        const auto process = static_cast<pid_t>(f.engine.processId());
        QCOMPARE(kill(process, 0), 0);
        QTRY_COMPARE(f.engine.state(), State::Crashed);
        QVERIFY(f.engine.problem().contains("cancelled and was ended itself"));
        QCOMPARE(kill(process, 0), -1);
        QVERIFY(!f.session.isCompiling());
        f.engine.restart();
        QTRY_COMPARE(f.engine.state(), State::Ready);
    }
    void cancel_ends_a_slow_compilation() {
        Fixture f("slow");
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(f.session.isCompiling());
        f.session.cancel();
        QTRY_VERIFY(!f.session.isCompiling());
        QCOMPARE(f.engine.state(), State::Ready);
        QVERIFY(!f.session.failed());
    }
    void a_missing_program_is_named() {
        EngineClient engine({"/no/such/program", "serve"});
        engine.start();
        QTRY_COMPARE(engine.state(), State::Failed);
        QVERIFY(engine.problem().contains("/no/such/program"));
        bool answered = false;
        engine.request("compile", nlohmann::json::object(), [&](const EngineReply& reply) {
            answered = reply.error && reply.error->code == EngineError::kGone;
        });
        QVERIFY(!answered);
        QTRY_VERIFY(answered);
    }
    void a_request_that_is_not_answered_in_time_fails() {
        EngineClient engine({FAKE_ENGINE, "hang"});
        engine.start();
        QTRY_COMPARE(engine.state(), State::Ready);
        int code = 0;
        engine.request(
            "compile", nlohmann::json::object(),
            [&](const EngineReply& reply) { code = reply.error->code; }, 50);
        QTRY_COMPARE(code, int(EngineError::kTimeout));
    }
    void measurements_arrive_and_go_stale_with_an_edit() {
        Fixture f("good");
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(!f.session.record()->isEmpty());
        f.session.run({{"eager", "inductor"}, 1, 0.1});
        QVERIFY(f.session.isRunning());
        QTRY_COMPARE(f.session.runs().size(), 2u);
        QCOMPARE(f.session.checks().size(), 1u);
        QVERIFY(Measured(f.session.runs()[0]).matches(f.session.shown()));
        QCOMPARE(f.session.runs()[1].maxError, 1e-7);
        f.session.setText("# x\n");
        QVERIFY(!Measured(f.session.runs()[0]).matches(f.session.shown()));
    }
    void listings_are_asked_once() {
        Fixture f("good");
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(!f.session.record()->isEmpty());
        ListingKey key{0, 0, "forward", "fused_cos", "llvm"};
        int calls = 0;
        f.session.listing(key, [&](const Listing& l) { calls += l.code.lines.size() == 2; });
        f.session.listing(key, [&](const Listing& l) { calls += l.code.lines.size() == 2; });
        QTRY_COMPARE(calls, 2);
        f.session.listing(key, [&](const Listing&) { ++calls; });
        QCOMPARE(calls, 3); // from the cache, at once
    }
    void unsaved_edits_come_back_until_saved_or_discarded() {
        QTemporaryDir folder;
        QString path = folder.filePath("a.py");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("one\n");
        file.close();
        EngineClient engine({FAKE_ENGINE, "good"});
        auto drafts = [&] { return DraftStore(folder.filePath("drafts")); };
        {
            Session session(&engine, drafts());
            QVERIFY(session.openFile(path, nullptr));
            session.setText("two\n");
        }
        {
            Session session(&engine, drafts());
            QVERIFY(session.openFile(path, nullptr));
            QCOMPARE(session.text(), "two\n");
            QVERIFY(session.restoredDraft());
            QVERIFY(session.isModified());
            session.discardDraft();
            QCOMPARE(session.text(), "one\n");
            session.setText("three\n");
            QVERIFY(session.save(nullptr));
            QVERIFY(!session.isModified());
        }
        Session session(&engine, drafts());
        QVERIFY(session.openFile(path, nullptr));
        QCOMPARE(session.text(), "three\n");
        QVERIFY(!session.restoredDraft());
        QString error;
        QVERIFY(!session.openFile(folder.filePath("missing.py"), &error));
        QVERIFY(error.contains("missing.py"));
        QCOMPARE(session.text(), "three\n");
    }
    void a_record_is_saved_and_opened_again() {
        Fixture f("good");
        f.engine.start();
        f.session.openFile(f.path, nullptr);
        QTRY_VERIFY(!f.session.record()->isEmpty());
        QString saved = f.folder.filePath("r.cutaway");
        f.session.writeRecord(
            [&](const record::Record& made) { return record::save(made, saved.toStdString()); },
            [](const base::Status& status) { QVERIFY(status.ok()); });
        QVERIFY(f.session.isWriting());
        QTRY_VERIFY(!f.session.isWriting());
        QVERIFY(f.session.openFile(saved, nullptr));
        QVERIFY(f.session.isOpening() && !f.session.isReadOnly()); // it is read first
        QTRY_VERIFY(f.session.isReadOnly());
        QVERIFY(!f.session.record()->isEmpty());
        QCOMPARE(f.session.text(), QString(testing::kDoubleCosine));
    }
};

QTEST_GUILESS_MAIN(TestEngine)
#include "test_engine.moc"
