// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says holds: notices go with what they are of, disturbed times are told wherever they
// are drawn, and nothing is offered that cannot be.
#include "tests/views/sample_record.h"
#include "tests/views/window_fixture.h"
#include "views/models/decisions.h"
#include "views/models/roofline.h"
#include "views/models/rows.h"
#include "views/models/side_by_side.h"
#include "views/models/significance.h"
#include "views/models/sweep.h"
#include "views/models/timeline.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/compare/compare_pane.h"
#include "views/panes/run/run_pane.h"
#include "views/panes/times/curve_chart.h"
#include "views/panes/times/times_pane.h"
#include "views/widgets/item_view.h"
#include "views/widgets/timeline_view.h"

#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QStatusBar>
#include <QTabWidget>
#include <csignal>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

namespace {

record::Run timedRun(bool disturbed) {
    record::Run run;
    run.backend = "inductor";
    run.device = "cpu";
    run.size = "tiny";
    run.textHash = record::textHash("text");
    run.threads = 1;
    run.us = 9;
    run.disturbed = disturbed;
    run.kernels = {{"forward", "fused_cos", record::kNoItem, 2, 4000, 1000},
                   {"backward", "fused_neg", record::kNoItem, 3, 1000, 8000}};
    return run;
}

QPushButton* buttonIn(const QWidget* in, const QString& text) {
    for (QPushButton* button : in->findChildren<QPushButton*>())
        if (button->text() == text) return button;
    return nullptr;
}

/// Whether there are rows, and all of them are dimmed.
bool allDimmed(const ItemView* view) {
    const auto* rows = static_cast<const RowModel*>(view->model());
    for (int i = 0; i < rows->rowCount(); ++i)
        if (!rows->row(rows->index(i, 0))->dimmed) return false;
    return rows->rowCount() > 0;
}

} // namespace

class TestTold : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void disturbed_times_are_drawn_as_such_data() {
        QTest::addColumn<bool>("disturbed");
        QTest::newRow("disturbed") << true;
        QTest::newRow("calm") << false;
    }
    void disturbed_times_are_drawn_as_such() {
        QFETCH(bool, disturbed);
        const auto view = std::make_shared<RecordView>(testing::doubleCosineRecord());
        const record::Entry& entry = *view->entry(0, 0);
        const record::Run run = timedRun(disturbed);
        for (const Timeline& line : {callTimeline(run, entry), flameGraph(run, *view, entry),
                                     callsSideBySide({{"now", view, 0, 0, {run}}})}) {
            QCOMPARE(!line.disturbed.isEmpty(), disturbed);
            for (const Span& span : line.spans)
                QCOMPARE(span.disturbed, disturbed);
        }
        const Timeline calls = callsSideBySide({{"now", view, 0, 0, {run}}});
        QCOMPARE(calls.spans.front().name.endsWith(", disturbed"), disturbed);
        QCOMPARE(calls.disturbed.contains("now"), disturbed);
        for (const RooflinePoint& point : rooflinePoints(run, entry))
            QCOMPARE(explained(point, {}).contains("disturbed"), disturbed);
        const Curves curves =
            curvesOf({run}, Measured("tiny", "cpu", "text"), SweepOver::Threads, {});
        QCOMPARE(!curves.curves[0].points[0].disturbed.isEmpty(), disturbed);
        // A picture of it is another one, whatever its words.
        const auto picture = [&](bool other) {
            TimelineView drawn;
            drawn.resize(400, 160);
            drawn.setTimeline(callTimeline(timedRun(other), entry), false);
            return drawn.grab().toImage();
        };
        QCOMPARE(picture(disturbed) == picture(true), disturbed);
    }
    void kernels_that_take_far_longer_than_their_call_were_disturbed() {
        record::Run run = timedRun(false);
        QVERIFY(whyKernelsUnsteady(run).isEmpty());
        run.us = 0.4;
        QVERIFY(!isUnsteady(run));
        QVERIFY(whyKernelsUnsteady(run).contains("one by one"));
    }
    void lanes_of_threads_say_what_their_gaps_are() {
        const RecordView view(testing::doubleCosineRecord());
        record::Run run = timedRun(false);
        run.kernels[0].threads = {{0, 0, 1.5}, {1, 0.5, 0.5}};
        run.kernels[1].threads = {{0, 0, 3}};
        const QString calm = callTimeline(run, *view.entry(0, 0)).note;
        QVERIFY2(!calm.contains("processor") && !calm.contains("not known"), qPrintable(calm));
        run.disturbed = true; // nobody says what a thread waits for then
        QVERIFY(callTimeline(run, *view.entry(0, 0)).note.contains("for a processor"));
        run.kernels[1].threads.clear();
        for (const Timeline& line :
             {callTimeline(run, *view.entry(0, 0)), flameGraph(run, view, *view.entry(0, 0))})
            QVERIFY2(line.note.contains("it is not known which threads"), qPrintable(line.note));
    }
    void a_saved_record_is_not_said_to_be_measurable() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString saved = f.folder.filePath("saved.cutaway");
        QVERIFY(f.savesRecord(saved));
        auto* pane = f.pane<TimesPane>("times");
        QVERIFY(pane->call()->emptyText().contains("F5"));
        QVERIFY(f.openAndWait(saved));
        pane->flush();
        const RecordPtr record = f.session()->record();
        const Timeline line = callsSideBySide({{"saved", record, 0, 0, {}}}, false);
        const Row row = rows::compared({{"saved", record, 0, 0, {}}}, false)[0];
        for (const QString& text : {pane->call()->emptyText(), pane->curves()->emptyText(),
                                    pane->flame()->emptyText(), line.note, row.cells[3].tooltip})
            QVERIFY2(!text.contains("F5"), qPrintable(text));
        QVERIFY(pane->call()->emptyText().contains("not measured again"));
        QVERIFY(callsSideBySide({{"now", record, 0, 0, {}}}).note.contains("F5"));
    }
    void a_low_run_pane_names_keys_instead_of_a_button_that_is_not_seen() {
        Fixture f;
        f.window = f.makeWindow({900, 600});
        QVERIFY(f.openAndWait());
        const auto* table = f.pane<RunPane>("run")->findChild<ItemView*>("runTable");
        QVERIFY(f.settled());
        QTRY_VERIFY2(table->emptyText().startsWith("F5 measures"), qPrintable(table->emptyText()));
        f.window->resize(1400, 1000);
        QTRY_VERIFY2(table->emptyText().startsWith("Press Run"), qPrintable(table->emptyText()));
    }
    void messages_of_an_earlier_text_are_dimmed() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const auto* list = f.pane<Pane>("messages")->findChild<ItemView*>("messageList");
        const auto dimmed = [&] {
            f.pane<Pane>("messages");
            return list->rowModel()->row(list->model()->index(0, 0))->dimmed;
        };
        QVERIFY(!dimmed());
        f.session()->setText(f.session()->text() + "# more\n");
        QVERIFY(dimmed());
        QVERIFY(f.settled());
        QVERIFY(!dimmed());
    }
    void a_note_takes_one_line_of_a_low_run_pane() {
        Fixture f;
        f.window = f.makeWindow({900, 600});
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<RunPane>("run");
        QVERIFY(f.settled());
        pane->run();
        QTRY_VERIFY(!f.session()->isRunning() && !f.session()->runs().empty());
        f.session()->setText(f.session()->text() + "# another\n");
        QVERIFY(f.settled());
        pane->flush();
        const QLabel* note = nullptr;
        for (const QLabel* one : pane->findChildren<QLabel*>("notice"))
            if (one->isVisible()) note = one;
        QVERIFY(note && note->toolTip().startsWith("Measured with"));
        QVERIFY(note->height() < 2 * note->fontMetrics().lineSpacing() + 12);
        QVERIFY(note->fontMetrics().horizontalAdvance(note->text()) <= note->width());
    }
    void what_cannot_be_measured_is_not_said_to_be() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* times = f.pane<TimesPane>("times");
        QVERIFY(times->call()->emptyText().contains("F5"));
        f.session()->setText("wrong = 1\n");
        QVERIFY(f.settled());
        times->flush();
        QCOMPARE(times->call()->emptyText(), QString("The script does not compile."));
        const auto* table = f.pane<RunPane>("run")->findChild<ItemView*>("runTable");
        QCOMPARE(table->emptyText(), QString("The script does not compile."));
    }
    void a_text_that_was_on_its_way_is_told_to_be_gone_with_the_engine() {
        Fixture f("stages");
        f.session()->newDocument(QString(testing::kDoubleCosine) + "# kernels bare endless\n");
        auto* pane = f.pane<CodePane>("code");
        const auto* notice = pane->findChild<QLabel*>("notice");
        QTRY_VERIFY(f.session()->isPartial());
        QTRY_COMPARE(notice->text(), QString("Compiling…"));
        ::kill(static_cast<pid_t>(f.session()->engine()->processId()), SIGKILL);
        QTRY_VERIFY(!f.session()->isCompiling());
        QTRY_VERIFY2(notice->text().startsWith("The engine ended"), qPrintable(notice->text()));
        QVERIFY(!pane->view()->isVisibleTo(pane));
    }
    void nothing_is_kept_to_compare_before_something_is_compiled() {
        Fixture f("userError");
        QVERIFY(f.window->openFile(f.path));
        QVERIFY(f.settled());
        auto* pane = f.pane<ComparePane>("compare");
        QPushButton* keep = buttonIn(pane, "Keep this");
        QVERIFY(keep && !keep->isEnabled() && keep->toolTip().startsWith("Nothing is compiled"));
        Fixture good;
        QVERIFY(good.openAndWait());
        auto* other = good.pane<ComparePane>("compare");
        QTRY_VERIFY(buttonIn(other, "Keep this")->isEnabled());
    }
    void what_is_kept_to_compare_is_said_to_last_until_it_is_saved() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        const auto said = [pane] {
            for (const QLabel* label : pane->findChildren<QLabel*>())
                if (label->text().contains("until the window closes"))
                    return label->isVisibleTo(pane);
            return false;
        };
        QVERIFY(!said());
        pane->keepShown();
        QTRY_VERIFY(said());
        const QString path = f.write("kept.cutaway", "");
        pane->saveRecord(1, path);
        QTRY_VERIFY(!said());
        pane->addRecord(path);
        QTRY_COMPARE(pane->recordCount(), 3);
        QVERIFY(!said());
    }
    void an_error_goes_with_the_text_it_is_of() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("wrong\n");
        QTRY_VERIFY(f.session()->failed() && !f.session()->isCompiling());
        QVERIFY(!f.session()->diagnostics().empty());
        f.session()->setText(testing::kDoubleCosine);
        QVERIFY(!f.session()->failed() && f.session()->diagnostics().empty());
    }
    void what_is_measured_anew_is_dimmed_until_it_is_there() {
        Fixture f("measuredOnce"); // of a second measurement there is no end
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<RunPane>("run");
        const auto* table = pane->findChild<ItemView*>("runTable");
        const RunOptions options{{"eager", "inductor"}, 1, 0.1};
        f.session()->run(options);
        QTRY_VERIFY(!f.session()->isRunning());
        pane->flush();
        QTRY_VERIFY(table->model()->rowCount() == 2 && !allDimmed(table));
        f.session()->run(options);
        QVERIFY(f.session()->awaitsRuns());
        QTRY_VERIFY(allDimmed(table));
        f.session()->cancel();
        QTRY_VERIFY(!f.session()->isRunning());
        QTRY_VERIFY(table->model()->rowCount() == 2 && !allDimmed(table));
    }
    void functions_of_one_name_are_told_apart() {
        record::Record record = testing::doubleCosineRecord();
        record.functions.push_back(record.functions[0]);
        record.functions.push_back(record.functions[0]);
        record.functions[0].where.line = 4;
        record.functions[1].where.line = 9;
        record.functions[2].where.line = 9; // both of one line
        const std::vector<RecordView::Part> parts = RecordView(record).parts();
        QCOMPARE(parts.size(), size_t(3));
        QVERIFY2(parts[0].title.endsWith(" · line 4"), qPrintable(parts[0].title));
        QVERIFY2(parts[1].title.endsWith(" · line 9 (1)"), qPrintable(parts[1].title));
        QVERIFY2(parts[2].title.endsWith(" · line 9 (2)"), qPrintable(parts[2].title));
        record = testing::doubleCosineRecord();
        record.functions.push_back(record.functions[0]); // made twice by one line
        const auto twice = RecordView(std::move(record)).parts();
        QVERIFY2(twice[0].title.endsWith(" (1)") && !twice[0].title.contains("line"),
                 qPrintable(twice[0].title));
        const RecordView one(testing::doubleCosineRecord());
        QVERIFY(!one.parts()[0].title.contains("line"));
    }
    void where_no_pass_is_chosen_no_empty_tabs_stand() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<Pane>("passes");
        const auto* tabs = pane->findChild<QTabWidget*>();
        QVERIFY(tabs->isVisibleTo(pane));
        f.session()->newDocument("# nothing\n");
        QVERIFY(f.settled());
        pane->flush();
        QTRY_VERIFY(!tabs->isVisibleTo(pane));
    }
    void what_is_decided_can_be_said_to_a_shell() {
        const auto command = [](const QString& file, const QString& size, const QString& device,
                                const QStringList& decisions) {
            CompileOptions options;
            options.size = size, options.device = device, options.decisions = decisions;
            return MainWindow::benchCommand(file, options);
        };
        QCOMPARE(command("/a/b.py", "tiny", "cpu", {"save cos"}),
                 QString("cutaway bench /a/b.py --size tiny --device cpu --decide 'save cos'"));
        QCOMPARE(command("/a b/it's.py", {}, "cuda:1", {}),
                 QString("cutaway bench '/a b/it'\\''s.py' --device cuda:1"));
        QCOMPARE(command("$(x).py", {}, "cpu", {}),
                 QString("cutaway bench '$(x).py' --device cpu"));
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        f.action("Copy as a command")->trigger();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains(f.path) && copied.endsWith("--decide 'save cos'"),
                 qPrintable(copied));
    }
    void compilations_of_a_script_are_told_where_one_call_is_shown() {
        Measured script("", "cpu", "text");
        Measured call = script;
        call.setCall("f", 3);
        record::Run run = timedRun(false);
        run.caseName = "script:f", run.size = "call 3";
        const std::vector<Experiment> tried{{script, {}}};
        const auto rows = rows::experiments(tried, {run}, call);
        QCOMPARE(rows.size(), size_t(1));
        QVERIFY(rows[0].bold);
        QVERIFY2(!rows[0].cells[3].text.startsWith("not"), qPrintable(rows[0].cells[3].text));
        const QString said = rows::experimentSummary(tried, {run}, call);
        QVERIFY2(said.startsWith("Everything is as the compiler"), qPrintable(said));
        run.size = "call 2"; // of another
        QVERIFY(rows::experiments(tried, {run}, call)[0].cells[3].text.startsWith("not"));
    }
    void what_no_decision_fuses_is_not_offered() {
        record::Record record = testing::doubleCosineRecord();
        record::LoweredGraph& graph = record.functions[0].entries[0].lowered[0];
        const ItemId a = graph.buffers.front().item, b = graph.buffers.back().item;
        const auto choices = [&](const char* rule, const QStringList& made = {}) {
            graph.decisions = {{a, b, false, rule, "a library computes it", 8}};
            return decisionChoices(RecordView(record), {a, b}, made);
        };
        QVERIFY(choices("different rows")[0].decision.startsWith("together "));
        for (const char* rule : {"library call", "devices", "empty", "off"}) {
            const auto none = choices(rule);
            QCOMPARE(none.size(), size_t(1));
            QVERIFY(none[0].title.isEmpty() && none[0].decision.isEmpty());
            QVERIFY(none[0].now.contains("a library computes it"));
        }
        const QString made = choices("different rows")[0].decision; // can still be left
        const auto left = choices("library call", {made});
        QVERIFY(left.size() == 1 && !left[0].title.isEmpty() && left[0].decision.isEmpty());
    }
    void what_was_done_last_is_taken_back_first() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.editor()->setFocus();
        f.editor()->setCursorPosition(0, 0);
        const auto text = [&] { return f.editor()->text().left(2); };
        const auto decided = [&] { return f.session()->options().decisions.join(";"); };
        const QString before = text();
        QTest::keyClick(f.editor(), '#');
        f.session()->decide({"save cos"});
        QTest::keyClick(f.editor(), '!'); // beside the first, and yet an edit of its own
        QCOMPARE(text(), QString("#!"));
        const auto press = [&](Qt::KeyboardModifiers with) {
            QTest::keyClick(f.editor(), Qt::Key_Z, with);
        };
        press(Qt::ControlModifier);
        QCOMPARE(text().left(1), QString("#"));
        QCOMPARE(decided(), QString("save cos"));
        QVERIFY(text() != "#!");
        press(Qt::ControlModifier);
        QCOMPARE(decided(), QString());
        QCOMPARE(text().left(1), QString("#"));
        press(Qt::ControlModifier);
        QCOMPARE(text(), before);
        press(Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(text().left(1), QString("#"));
        QCOMPARE(decided(), QString());
        press(Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(decided(), QString("save cos"));
        QTest::keyClick(f.editor(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(text(), QString("#!"));
    }
    void escape_ends_a_presentation_also_from_the_script() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.action("Presentation (Esc leaves it)")->trigger();
        QVERIFY(!f.window->statusBar()->isVisible());
        f.editor()->setFocus();
        QTest::keyClick(f.editor(), Qt::Key_Escape);
        QVERIFY(f.window->statusBar()->isVisible());
    }
};

QTEST_MAIN(TestTold)
#include "test_told.moc"
