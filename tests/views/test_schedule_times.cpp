// SPDX-License-Identifier: GPL-3.0-or-later
// From a kernel to what it could be instead: every schedule that was considered, timed on request,
// beside what was predicted.
#include "tests/views/window_fixture.h"
#include "views/panes/kernels/kernels_pane.h"

#include <QTextBrowser>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

class TestScheduleTimes : public QObject {
    Q_OBJECT

    static QTextBrowser* schedule(KernelsPane* pane) {
        for (QTextBrowser* one : pane->findChildren<QTextBrowser*>())
            if (one->accessibleName() == "Schedule") return one;
        return nullptr;
    }

private Q_SLOTS:
    void schedules_are_timed_and_the_fastest_is_told() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<KernelsPane>("kernels");
        QVERIFY(pane->showStage("schedule"));
        const record::LoweredGraph& lowered = f.session()->currentEntry()->lowered.at(0);
        QCOMPARE(lowered.graph, std::string("forward"));
        f.window->selection()->select({lowered.kernels.at(0).item});
        pane->flush();
        QTextBrowser* view = schedule(pane);
        QVERIFY(view);
        QVERIFY2(view->toPlainText().contains("Time every schedule"),
                 qPrintable(view->toPlainText()));
        QVERIFY(!view->toPlainText().contains("measured"));
        emit view->anchorClicked(QUrl("time"));
        QVERIFY(f.session()->isTiming() && f.session()->isBusy());
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isTiming(); }));
        QCOMPARE(f.session()->timingProblem(), QString());
        QCOMPARE(
            f.session()->scheduleTime("forward", "fused_cos", "elements: vector 16, threads 1").us,
            2.5);
        const QString said = view->toPlainText();
        QVERIFY2(said.contains("measured") && said.contains("2.5") && said.contains("1.5"),
                 qPrintable(said));
        // In bold: the taken one's text and the fastest one's time.
        const QString html = view->toHtml();
        const qsizetype fastest = html.indexOf(">1.5");
        QVERIFY2(html.mid(fastest - 40, 40).contains("600") ||
                     html.mid(fastest - 40, 40).contains("700"),
                 qPrintable(html.mid(fastest - 60, 80)));
        // Of another text nothing is known.
        f.session()->setText(f.session()->text() + "\n# changed\n");
        QCOMPARE(
            f.session()->scheduleTime("forward", "fused_cos", "elements: vector 16, threads 1").us,
            0.0);
    }
    void disturbed_times_are_told_and_none_is_the_fastest() {
        Fixture f("busy");
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<KernelsPane>("kernels");
        QVERIFY(pane->showStage("schedule"));
        f.window->selection()->select(
            {f.session()->currentEntry()->lowered.at(0).kernels.at(0).item});
        pane->flush();
        emit schedule(pane)->anchorClicked(QUrl("time"));
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isTiming(); }));
        QVERIFY(f.session()
                    ->scheduleTime("forward", "fused_cos", "elements: vector 16, threads 2")
                    .disturbed);
        QVERIFY(!f.session()
                     ->scheduleTime("forward", "fused_cos", "elements: vector 16, threads 1")
                     .disturbed);
        const QString said = schedule(pane)->toPlainText();
        QVERIFY2(said.contains("1.50 µs, disturbed") && !said.contains("2.50 µs, disturbed") &&
                     said.contains("Time again when nothing else runs."),
                 qPrintable(said));
        const QString html = schedule(pane)->toHtml();
        const qsizetype own = html.indexOf(">2.5"), disturbed = html.indexOf(">1.5");
        QVERIFY(html.mid(own - 40, 40).contains("font-weight"));
        QVERIFY(!html.mid(disturbed - 40, 40).contains("font-weight"));
    }
    void timing_is_cancelled() {
        Fixture f("slowRun");
        QVERIFY(f.openAndWait());
        f.session()->timeSchedules();
        QVERIFY(f.session()->isTiming());
        f.session()->cancel();
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isTiming(); }));
        QCOMPARE(f.session()->timingProblem(), QString("cancelled"));
        const QString text = f.session()->text();
        f.session()->setText(text + " "); // of another text nothing was cancelled
        QCOMPARE(f.session()->timingProblem(), QString());
        QVERIFY(f.settled());
        f.session()->timeSchedules();
        QVERIFY(f.session()->isTiming());
        f.session()->setText(text);
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isTiming(); }));
        QCOMPARE(f.session()->timingProblem(), QString());
        QVERIFY(f.settled());
        f.session()->timeSchedules();
        f.session()->cancel();
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isTiming(); }));
        QCOMPARE(f.session()->timingProblem(), QString("cancelled"));
        QVERIFY(f.openAndWait(f.write("second.py", text.toUtf8())));
        QCOMPARE(f.session()->timingProblem(), QString());
        QCOMPARE(
            f.session()->scheduleTime("forward", "fused_cos", "elements: vector 16, threads 1").us,
            0.0);
    }
};

QTEST_MAIN(TestScheduleTimes)
#include "test_schedule_times.moc"
