// SPDX-License-Identifier: GPL-3.0-or-later
// Tours: the file format and its mistakes, the tours that come with the program against what the
// real compiler makes of their samples, playing one with real clicks; and what a script prints.
#include "tests/views/window_fixture.h"
#include "views/models/tour.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/output/output_pane.h"
#include "views/panes/tour/speaker_notes.h"
#include "views/panes/tour/tour_pane.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextBrowser>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::views::testing::WindowFixture;

class TestTour : public QObject {
    Q_OBJECT

    /// About whatever is open.
    static Tour withoutSample(Tour tour) {
        tour.sample.clear();
        return tour;
    }

    static void press(const QWidget* in, const QString& text) {
        for (QPushButton* button : in->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == text)
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL(qPrintable("no button " + text));
    }

private Q_SLOTS:
    void what_to_try_is_in_sight_without_scrolling() {
        testing::WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<TourPane>("tour");
        for (const Tour& tour : shippedTours())
            for (size_t step = 0; step < tour.steps.size(); ++step) {
                Tour here = tour;
                here.sample.clear(); // its words are what is looked at
                pane->begin(here, static_cast<int>(step));
                if (tour.steps[step].attempt.isEmpty()) continue;
                QVERIFY(f.settled());
                QTRY_VERIFY2(pane->text()->verticalScrollBar()->maximum() == 0,
                             qPrintable(QString("%1, step %2").arg(tour.title).arg(step + 1)));
            }
    }
    void mistakes_are_named() {
        auto problem = [](const char* json) {
            auto tour = readTour(json, "mine.json");
            return tour ? QString() : QString::fromStdString(tour.error().message);
        };
        QVERIFY(problem("{\"title\": \"T\", \"steps\": [{\"text\": \"one\"}]}").isEmpty());
        QVERIFY(problem("[]").contains("mine.json"));
        QVERIFY(problem("{\"steps\": []}").contains("“title” is missing"));
        QVERIFY(problem("{\"title\": \"T\", \"steps\": []}").contains("“steps”"));
        QVERIFY(problem("{\"title\": \"T\", \"steps\": [{\"text\": \"1\"}, {\"txt\": \"2\"}]}")
                    .contains("step 2"));
        QVERIFY(problem("{\"title\": \"T\", \"steps\": [{\"text\": \"1\", \"colour\": \"red\"}]}")
                    .contains("nobody knows “colour”"));
        QVERIFY(
            problem(
                "{\"title\": \"T\", \"steps\": [{\"text\": \"1\", \"ask\": {\"value\": \"x\"}}]}")
                .contains("“question” is missing"));
        QVERIFY(problem("{\"title\": 3, \"steps\": [{\"text\": \"1\"}]}").contains("no text"));
        QVERIFY(!problem("{").isEmpty());
    }
    void answers_are_compared_as_people_write_them() {
        QVERIFY(isAnswer(" 12 ", "12") && isAnswer("cos_1, COS", "cos, cos_1"));
        QVERIFY(!isAnswer("", "") && !isAnswer("13", "12"));
    }
    void every_value_comes_from_the_record() {
        const record::Record record = testing::doubleCosineRecord();
        const record::Entry& entry = record.functions[0].entries[0];
        QCOMPARE(*tourValue(entry, "nodes.captured"),
                 QString::number(entry.graph("captured")->nodes.size()));
        QCOMPARE(*tourValue(entry, "saved.count"), QString::number(entry.partition.saved.size()));
        QCOMPARE(*tourValue(entry, "recomputed.names"), QString("cos"));
        QVERIFY(tourValue(entry, "kernels.count") && tourValue(entry, "kernels.forward"));
        for (const char* name : {"nodes.nowhere", "kernels.nowhere", "saved.colour", "nothing", ""})
            QVERIFY2(!tourValue(entry, name), name);
    }
    void the_tours_that_come_along_can_be_read() {
        const auto tours = shippedTours();
        QCOMPARE(tours.size(), size_t(10));
        QStringList panes;
        for (const PaneRow& row : paneList())
            panes << row.id;
        for (const Tour& tour : tours) {
            QVERIFY(QFile::exists(CUTAWAY_SOURCE_DIR "/samples/" + tour.sample));
            for (const TourStep& step : tour.steps)
                QVERIFY2(step.pane.isEmpty() || panes.contains(step.pane), qPrintable(step.pane));
        }
    }
    void a_tour_is_played() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<TourPane>("tour");
        QVERIFY(pane->text()->toPlainText().contains("Choose one"));
        pane->setFocus(); // as its key does: Tab and Return begin one
        QTRY_VERIFY(pane->text()->hasFocus());
        Tour tour = shippedTours()[0];
        tour.sample.clear(); // what is open stays
        pane->begin(tour);
        QCOMPARE(pane->step(), 0);
        fixture.window->reveal("tour");
        QCoreApplication::processEvents();
        press(pane, "Next");
        auto* graph = fixture.window->workspace()->pane<GraphPane>();
        QTRY_COMPARE(graph->stage(), QString("captured"));
        const QString right =
            QString::number(fixture.session()->currentEntry()->graph("captured")->nodes.size());
        QTest::keyClicks(pane->answer(), "99");
        QTest::keyClick(pane->answer(), Qt::Key_Return);
        QVERIFY(!pane->verdict().contains("Right"));
        pane->answer()->clear();
        QTest::keyClicks(pane->answer(), right);
        QTest::keyClick(pane->answer(), Qt::Key_Return);
        QVERIFY(pane->verdict().contains("Right"));
        press(pane, "Next");
        QTRY_COMPARE(graph->stage(), QString("joint"));
        QTRY_VERIFY(pane->text()->toPlainText().contains("Try:"));
        fixture.window->selectKey("joint/cos_1");
        QTRY_VERIFY(pane->text()->toPlainText().contains("Done:"));
        for (int i = 0; i < 3; ++i)
            pane->goTo(pane->step() + 1);
        QVERIFY(!pane->isPlaying());
    }
    /// Who begins a tour by keys goes through it by keys: what it shows does not take the keyboard, and
    /// no Return is written into the script.
    void a_tour_is_gone_through_by_return() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.window->reveal("tour");
        auto* pane = fixture.pane<TourPane>("tour");
        QTRY_VERIFY(pane->text()->hasFocus());
        Tour tour = shippedTours()[0]; // whose first step shows the script
        tour.sample.clear();
        QCOMPARE(tour.steps[0].pane, QString("source"));
        const QString script = fixture.session()->text();
        pane->begin(tour);
        const auto go = [&] { QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); };
        for (int step = 0; step < int(tour.steps.size()); ++step) {
            QCOMPARE(pane->step(), step);
            go();
        }
        QVERIFY(!pane->isPlaying());
        QCOMPARE(fixture.session()->text(), script);
        // Who types in the script goes on there when its new record comes.
        pane->begin(tour, 1);
        auto* editor = fixture.window->workspace()->pane<SourcePane>()->editor();
        editor->setFocus();
        QSignalSpy records(fixture.session(), &Session::recordChanged);
        QTest::keyClicks(editor, " ");
        QTRY_VERIFY(!records.isEmpty());
        QVERIFY(editor->hasFocus());
    }
    void who_speaks_has_notes_of_their_own() {
        Tour tour;
        tour.title = "Talk";
        tour.steps.resize(2);
        tour.steps[0].text = "one", tour.steps[0].notes = "say hello";
        tour.steps[1].title = "Second", tour.steps[1].text = "two";
        const auto again = readTour(writeTour(tour), "talk.json");
        QVERIFY(again);
        QCOMPARE(again->steps[0].notes, QString("say hello"));
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<TourPane>("tour");
        QVERIFY(fixture.action("Speaker notes"));
        fixture.action("Speaker notes")->trigger();
        auto* notes = fixture.window->findChild<SpeakerNotes*>();
        QVERIFY(notes && notes->isVisible());
        QVERIFY(notes->text()->toPlainText().contains("No tour"));
        pane->begin(*again);
        QCOMPARE(notes->text()->toPlainText(), QString("say hello"));
        QCOMPARE(notes->nextTitle(), QString("Second"));
        QVERIFY(!pane->text()->toPlainText().contains("say hello")); // who watches does not see it
        QTest::keyClick(notes, Qt::Key_PageDown);
        QCOMPARE(pane->step(), 1);
        QVERIFY(notes->text()->toPlainText().contains("two"));
        QVERIFY(notes->nextTitle().isEmpty());
    }
    void its_words_stay_beside_what_they_are_about() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<TourPane>("tour");
        Tour tour;
        tour.steps.resize(2);
        tour.steps[0].pane = "graph";
        tour.steps[1].pane = "inspector"; // a tab of the same group
        pane->begin(tour);
        pane->goTo(1);
        auto* inspector = fixture.window->workspace()->findChild<Pane*>("inspector");
        QTRY_VERIFY(!inspector->visibleRegion().isEmpty());
        QVERIFY(!pane->visibleRegion().isEmpty());
        pane->goTo(-1); // it is a tab again
        QTRY_VERIFY(!pane->visibleRegion().isEmpty() && inspector->visibleRegion().isEmpty());
    }
    void columns_are_as_wide_after_it_as_before() {
        WindowFixture fixture;
        fixture.window = fixture.makeWindow({1400, 860});
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<TourPane>("tour");
        const auto sizes = [&] {
            QStringList all;
            for (const char* id : {"source", "graph", "code", "kernels", "tour"}) {
                const QSize size =
                    fixture.window->workspace()->findChild<Pane*>(id)->parentWidget()->size();
                all << QString("%1 %2x%3").arg(id).arg(size.width()).arg(size.height());
            }
            return all.join(", ");
        };
        QTest::qWait(100);
        const QString before = sizes();
        for (int steps : {1, 5}) {
            pane->begin(withoutSample(shippedTours()[0]));
            QTest::qWait(100);
            for (int i = 0; i < steps; ++i)
                pane->goTo(pane->step() + 1);
            QTest::qWait(100);
            QVERIFY(sizes() != before || steps > 1);
            pane->goTo(-1);
            fixture.window->reveal("graph"); // the tour led to others of its group
            QTest::qWait(200);
            QCOMPARE(sizes(), before);
        }
        // Nor does a file that others wrote change them.
        fixture.session()->setText(QString(testing::kDoubleCosine) + "# mine\n");
        fixture.write("double_cosine.py", QByteArray(testing::kDoubleCosine) + "# theirs\n");
        fixture.session()->lookAtDisk();
        QVERIFY(fixture.settled());
        QTRY_VERIFY(!fixture.choices().isEmpty());
        fixture.session()->reloadFromDisk();
        QVERIFY(fixture.settled());
        QTRY_VERIFY(fixture.choices().isEmpty());
        QTest::qWait(200);
        QCOMPARE(sizes(), before);
    }
    void a_question_stands_beside_its_answer_in_a_small_window() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.window->resize(900, 600);
        auto* pane = fixture.pane<TourPane>("tour");
        Tour tour;
        tour.steps.resize(3);
        for (TourStep& step : tour.steps) {
            step.pane = "inspector"; // a tab of the same group
            step.text = QString("A long text about what is to be seen here. ").repeated(12);
        }
        tour.steps[1].question = "How many nodes does the captured graph have, inputs included?";
        pane->begin(tour);
        QPushButton* next = nullptr;
        for (QPushButton* one : pane->findChildren<QPushButton*>())
            if (one->text() == "Next") next = one;
        QTRY_VERIFY(next && next->isVisible());
        QTest::qWait(200); // the pane goes below
        QTRY_VERIFY(pane->text()->height() >= 3 * pane->fontMetrics().height());
        const QPoint before = next->mapToGlobal(QPoint());
        pane->goTo(1);
        auto* question = pane->findChild<QLabel*>("question");
        QVERIFY(question);
        QTRY_VERIFY(question->isVisible() && pane->answer()->isVisible());
        QTRY_VERIFY(question->visibleRegion().boundingRect().height() >=
                    question->heightForWidth(question->width()));
        QVERIFY(question->text().contains("How many nodes"));
        QVERIFY(pane->text()->height() >= 3 * pane->fontMetrics().height());
        QTRY_COMPARE(next->mapToGlobal(QPoint()), before); // stays under the mouse
    }
    void a_small_window_shows_all_of_a_step() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.window->resize(900, 575);
        auto* pane = fixture.pane<TourPane>("tour");
        auto* question = pane->findChild<QLabel*>("question");
        const auto* desk = fixture.window->findChild<QScrollArea*>("desk");
        for (const Tour& tour : shippedTours())
            for (int step = 0; step < int(tour.steps.size()); ++step) {
                pane->begin(withoutSample(tour), step);
                QVERIFY(fixture.settled());
                const QString where = QString("%1, step %2").arg(tour.title).arg(step + 1);
                QTRY_VERIFY2(desk->verticalScrollBar()->maximum() == 0, qPrintable(where));
                const QRect text(pane->text()->mapTo(pane, QPoint()), pane->text()->size());
                QVERIFY2(!question->isVisible() ||
                             question->mapTo(pane, QPoint()).y() > text.bottom(),
                         qPrintable(where));
            }
    }
    void no_tour_begins_without_its_sample() {
        WindowFixture fixture;
        const QString mine = fixture.write("mine.py", testing::kDoubleCosine);
        QVERIFY(fixture.openAndWait(mine));
        fixture.session()->setText(QString(testing::kDoubleCosine) + "# more\n");
        auto* pane = fixture.pane<TourPane>("tour");
        for (const Tour& tour : shippedTours()) {
            pane->begin(tour);
            QVERIFY(!pane->isPlaying());
            QVERIFY(pane->text()->toPlainText().contains("Choose one"));
        }
        QCOMPARE(fixture.session()->path(), mine);
        QVERIFY(fixture.session()->text().endsWith("# more\n"));
    }
    void a_tour_waits_while_another_file_is_open_and_tells_of_edits() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<TourPane>("tour");
        connect(pane, &TourPane::sampleRequested, fixture.window.get(),
                [&] { fixture.window->openFile(fixture.path); });
        pane->begin(shippedTours()[0], 1);
        QVERIFY(!pane->text()->toPlainText().contains("waits"));
        QVERIFY(pane->answer()->isVisible());
        fixture.session()->setText(QString(testing::kDoubleCosine) + "# more\n");
        QVERIFY(pane->text()->toPlainText().contains("is edited"));
        emit pane->text()->anchorClicked(QUrl("original:"));
        QVERIFY(!pane->text()->toPlainText().contains("is edited"));
        QCOMPARE(fixture.session()->text(), QString(testing::kDoubleCosine));
        QVERIFY(fixture.openAndWait(fixture.write("another.py", testing::kDoubleCosine)));
        QVERIFY(pane->text()->toPlainText().contains("The tour waits."));
        QVERIFY(!pane->answer()->isVisible());
        for (QPushButton* button : pane->findChildren<QPushButton*>())
            QVERIFY(button->text() == "End" || !button->isEnabled());
        emit pane->text()->anchorClicked(QUrl("sample:"));
        QCOMPARE(fixture.session()->path(), fixture.path);
        QCOMPARE(pane->step(), 1);
        QVERIFY(!pane->text()->toPlainText().contains("waits"));
    }
    void what_the_script_prints_is_shown_until_the_next_time() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<OutputPane>("output");
        emit fixture.session()->engine()->log("hello\n");
        emit fixture.session()->engine()->log("again\n");
        QCOMPARE(pane->text(), QString("hello\nagain\n"));
        fixture.session()->compileNow();
        QVERIFY(fixture.settled());
        emit fixture.session()->engine()->log("anew\n");
        QCOMPARE(pane->text(), QString("anew\n"));
        // Behind another tab it is told that there is something to read, until somebody looks.
        QCOMPARE(pane->parentWidget()->windowTitle(), QString("Output"));
        fixture.pane<Pane>("run");
        emit fixture.session()->engine()->log("more\n");
        QCOMPARE(pane->parentWidget()->windowTitle(), QString("Output •"));
        fixture.window->reveal("output");
        QTRY_COMPARE(pane->parentWidget()->windowTitle(), QString("Output"));
    }
};

QTEST_MAIN(TestTour)
#include "test_tour.moc"
