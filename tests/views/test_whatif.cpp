// SPDX-License-Identifier: GPL-3.0-or-later
// Deciding instead of the compiler: what is offered, what is asked of the engine, undoing, and what
// it came to beside what the compiler does by itself.
#include "tests/views/window_fixture.h"
#include "views/models/format.h"
#include "views/models/rows.h"
#include "views/panes/decision_bar.h"
#include "views/panes/kernels/kernels_pane.h"
#include "views/panes/partition/budget_bar.h"
#include "views/panes/partition/partition_pane.h"
#include "views/panes/whatif/whatif_pane.h"
#include "views/widgets/item_view.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStatusBar>
#include <QToolButton>

using namespace cutaway;
using namespace cutaway::views;

#define SAYS(text, part) QVERIFY2((text).contains(part), qPrintable(text))

namespace {

QStringList titles(const std::vector<DecisionChoice>& choices) {
    QStringList all;
    for (const DecisionChoice& choice : choices)
        all << choice.decision;
    return all;
}

QPushButton* buttonIn(const QWidget* in, const QString& text) {
    for (QPushButton* button : in->findChildren<QPushButton*>())
        if (button->text().startsWith(text)) return button;
    return nullptr;
}

/// A window in which something may be decided of the sample.
struct Fixture : testing::WindowFixture {
    /// The sample as the compiler alone compiles it, then as \p decisions say.
    bool opensWith(const QStringList& decisions) {
        if (!openAndWait()) return false;
        session()->decide(decisions);
        return settled();
    }
    QStringList decisions() const { return session()->options().decisions; }
    WhatIfPane* whatIf() const { return pane<WhatIfPane>("whatif"); }
    bool measures() const {
        QTest::mouseClick(buttonIn(whatIf(), "Measure"), Qt::LeftButton);
        return session()->isRunning() && settled();
    }
    /// What saves cos, once the event loop has shown it; else null.
    QPushButton* saveButton() const {
        auto* partition = pane<PartitionPane>("partition");
        window->selectKey("joint/cos");
        partition->flush();
        QPushButton* save = nullptr;
        const bool shown = QTest::qWaitFor([&] {
            save = buttonIn(partition, "Save “cos”");
            return save && save->isVisible();
        });
        return shown ? save : nullptr;
    }
};

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void one_decision_a_subject() {
        QStringList all = decided({}, "save cos");
        all = decided(all, "apart forward/b forward/a");
        all = decided(all, "recompute cos");
        QCOMPARE(all, QStringList({"apart forward/b forward/a", "recompute cos"}));
        QCOMPARE(decided(all, "together forward/a forward/b"),
                 QStringList({"recompute cos", "together forward/a forward/b"}));
        QCOMPARE(leftToCompiler(all, decisionSubject("save cos")),
                 QStringList({"apart forward/b forward/a"}));
        all = decided({"schedule forward/k=rows: vector 8"}, "schedule forward/k=rows: vector 4");
        QCOMPARE(all, QStringList({"schedule forward/k=rows: vector 4"}));
    }
    void what_may_be_decided_of_a_value_is_what_is_not_so() {
        const RecordView view(testing::doubleCosineRecord());
        auto of = [&](const char* key, const QStringList& made = {}) {
            return titles(decisionChoices(view, {view.find(key)}, made));
        };
        QCOMPARE(of("joint/cos"), QStringList({"save cos"})); // it is computed again
        QCOMPARE(of("joint/cos", {"recompute cos"}), QStringList({"save cos", ""}));
        QCOMPARE(of("joint/primals_1"), QStringList()); // an input
        QCOMPARE(of("captured/cos"), QStringList());
        const auto unneeded = decisionChoices(view, {view.find("joint/cos_1")}, {});
        QCOMPARE(unneeded.size(), size_t(1)); // the result: said, and nothing to press
        QVERIFY(unneeded[0].title.isEmpty() && unneeded[0].now.contains("not needed"));
    }
    void a_click_decides_the_engine_is_asked_and_it_can_be_undone() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QPushButton* save = f.saveButton();
        QVERIFY(save);
        QTest::mouseClick(save, Qt::LeftButton);
        QCOMPARE(f.decisions(), QStringList({"save cos"}));
        QTRY_VERIFY(!f.session()->isCompiling() && !f.session()->isStale());
        QCOMPARE(f.session()->experiments().size(), size_t(2));
        QVERIFY(f.action("Undo decision")->isEnabled());
        f.action("Undo decision")->trigger();
        QVERIFY(f.decisions().isEmpty());
        QVERIFY(f.session()->canRedoDecision() && !f.session()->canUndoDecision());
        f.action("Redo decision")->trigger();
        QCOMPARE(f.decisions(), QStringList({"save cos"}));
        QVERIFY(f.settled());
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        QVERIFY(f.decisions().isEmpty()); // they were of the other
    }
    void every_compilation_is_a_row_that_can_be_gone_back_to() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const auto settled = [&] { return !f.session()->isCompiling() && !f.session()->isStale(); };
        const QString first = f.session()->text();
        f.editor()->append("\n# more\n");
        QTRY_VERIFY(f.session()->text() != first && settled());
        f.session()->decide({"save cos"});
        QTRY_VERIFY(settled());
        const auto lines = [&] {
            QStringList all;
            const auto visit = [&](auto& self, const std::vector<Row>& rows, int depth) -> void {
                for (const Row& row : rows) {
                    all << QString(depth, '>') + row.cells[0].text + (row.bold ? "*" : "");
                    self(self, row.children, depth + 1);
                }
            };
            visit(visit, rows::attempts(f.session()->experiments(), f.session()->shown()), 0);
            return all;
        };
        const QString edit = lines().value(1);
        QVERIFY2(edit.startsWith("edit, line"), qPrintable(edit));
        QCOMPARE(lines(), QStringList({"the first that was compiled", edit, "save cos*"}));
        // Back to the first, and on from there: a branch.
        auto* pane = f.whatIf();
        auto* table = pane->findChild<ItemView*>("attemptTable");
        pane->findChild<QToolButton*>("allAttempts")->click();
        QVERIFY(table->isVisible());
        QVERIFY(f.settled());
        pane->flush();
        table->setCurrentIndex(table->model()->index(0, 0));
        emit table->doubleClicked(table->currentIndex());
        QCOMPARE(f.session()->text(), first);
        QCOMPARE(f.editor()->text(), first);
        QVERIFY(f.decisions().isEmpty());
        QTRY_VERIFY(settled());
        f.session()->decide({"recompute cos"});
        QTRY_VERIFY(settled());
        QCOMPARE(lines(), QStringList({"the first that was compiled", ">" + edit, ">save cos",
                                       "compute cos again*"}));
        f.editor()->undo(); // the text that was returned from
        QVERIFY(f.session()->text() != first);
    }
    void another_size_is_taken_back_like_a_decision() {
        Fixture f;
        QVERIFY(f.openAndWait());
        CompileOptions options = f.session()->options();
        const QString before = options.size;
        options.size = "cpu";
        f.session()->change(options);
        QVERIFY(f.settled());
        f.action("Undo")->trigger();
        QCOMPARE(f.session()->options().size, before);
        f.action("Redo")->trigger();
        QCOMPARE(f.session()->options().size, QString("cpu"));
    }
    void tab_leads_to_what_can_be_decided() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QPushButton* save = f.saveButton();
        QVERIFY(save);
        auto* pane = f.pane<PartitionPane>("partition");
        pane->setFocus();
        QVERIFY(QApplication::focusWidget() && pane->isAncestorOf(QApplication::focusWidget()));
        int presses = 0;
        while (QApplication::focusWidget() != save && presses++ < 5)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY2(QApplication::focusWidget() == save, qPrintable(save->text()));
        QTest::keyClick(save, Qt::Key_Space);
        QCOMPARE(f.decisions(), QStringList({"save cos"}));
    }
    void a_point_of_the_curve_compiles_with_its_budget_and_can_be_left() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<PartitionPane>("partition");
        pane->flush();
        auto* bar = pane->findChild<BudgetBar*>();
        auto* slider = pane->findChild<QSlider*>("budgetSlider");
        QVERIFY(bar && slider && bar->isVisibleTo(pane));
        QCOMPARE(slider->maximum(), 1);
        QCOMPARE(slider->value(), 0); // the one that was taken
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QTRY_COMPARE(f.decisions(), QStringList({"budget 3072B"}));
        QVERIFY(f.settled());
        QCOMPARE(slider->value(), 1); // what was decided, whatever came of it
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        QVERIFY(f.openAndWait());
        pane->flush();
        QCOMPARE(slider->value(), 1);
        QCOMPARE(decisionText("budget 3072B"), "memory budget " + format::bytes(3072));
        QCOMPARE(decisionText("budget 0.5"), QString("memory budget 0.5"));
        QVERIFY(
            f.session()->shown().text().contains("decided: memory budget " + format::bytes(3072)));
        f.session()->decide(decided(f.decisions(), "budget 0.5"));
        QCOMPARE(f.decisions(), QStringList({"budget 0.5"}));
        QVERIFY(f.settled());
        QPushButton* leave = nullptr;
        QTRY_VERIFY((leave = buttonIn(bar, "Leave")) && leave->isVisibleTo(bar));
        QTest::mouseClick(leave, Qt::LeftButton);
        QVERIFY(f.decisions().isEmpty());
    }
    void decisions_and_tries_come_back_with_what_they_are_of() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText(QString(testing::kDoubleCosine) + "# mine\n");
        QVERIFY(f.settled());
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        const size_t tries = f.session()->experiments().size();
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        QVERIFY(f.decisions().isEmpty());
        QVERIFY(f.choose("Go back to them"));
        QVERIFY(f.settled());
        QCOMPARE(f.decisions(), QStringList({"save cos"}));
        QVERIFY(f.session()->text().endsWith("# mine\n"));
        QCOMPARE(f.session()->experiments().size(), tries);
        QVERIFY(f.session()->canUndoDecision());
        f.window.reset();
        f.window = f.makeWindow(); // a later start
        QVERIFY(f.openAndWait());
        QVERIFY(f.session()->text().endsWith("# mine\n"));
        QCOMPARE(f.decisions(), QStringList({"save cos"}));
        QVERIFY(f.openAndWait(f.folder.filePath("second.py")));
        QVERIFY(f.choose("Discard them"));
        QVERIFY(f.openAndWait());
        QCOMPARE(f.session()->text(), QString(testing::kDoubleCosine));
        QVERIFY(f.decisions().isEmpty());
    }
    void what_was_decided_of_a_saved_file_comes_back_and_is_told() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText(QString(testing::kDoubleCosine) + "# mine\n");
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        QVERIFY(f.session()->save(nullptr));
        auto startAgain = [&] {
            f.window.reset();
            f.window = f.makeWindow();
            return f.openAndWait();
        };
        QVERIFY(startAgain());
        QVERIFY(!f.session()->isModified());
        QCOMPARE(f.decisions(), QStringList({"save cos"}));
        QVERIFY(f.window->banner()->text().contains("save cos"));
        QVERIFY(f.session()->canUndoDecision()); // to what the compiler decides
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        QVERIFY(f.decisions().isEmpty()); // they were of the other
        QVERIFY(f.openAndWait());
        QVERIFY2(f.choices().isEmpty(),
                 qPrintable(f.window->banner()->text())); // of this window by now
        QVERIFY(startAgain());
        QVERIFY(f.choose("Leave it to the compiler"));
        QVERIFY(f.decisions().isEmpty());
        QTRY_VERIFY(f.choices().isEmpty());
        QVERIFY(startAgain()); // at once: before it is due to be kept
        QVERIFY(f.decisions().isEmpty());
        QVERIFY(f.choices().isEmpty());
    }
    void a_decision_that_is_not_in_force_is_not_shown_as_one() {
        Fixture f;
        QVERIFY(f.opensWith({"save cos", "save gone"}));
        auto* pane = f.whatIf();
        const auto* model = pane->table()->rowModel();
        const QString said = model->index(model->rowCount() - 1, 0).data().toString();
        SAYS(said, "save gone — not followed: no joint graph has a node 'gone'");
        QVERIFY(!said.contains("save cos — not"));
        SAYS(pane->summary(), "not followed");
        bool onTab = false;
        for (QDockWidget* dock : f.window->workspace()->docks())
            onTab = onTab || dock->windowTitle() == "Messages (2)"; // one is of the sample
        QVERIFY(onTab);
        for (const QLabel* label : f.window->statusBar()->findChildren<QLabel*>())
            QVERIFY2(!label->text().endsWith("Up to date"), qPrintable(label->text()));
    }
    void sums_of_several_parts_are_told_before_anything_is_decided() {
        const Measured shown("tiny", "cpu", "text");
        Experiment one{shown, {}, {}};
        QVERIFY2(rows::experimentSummary({}, {}, shown).startsWith("Nothing is compiled yet"),
                 qPrintable(rows::experimentSummary({}, {}, shown)));
        one.outcome.parts = 1;
        QVERIFY(!rows::experimentSummary({one}, {}, shown).contains("sums"));
        one.outcome.parts = 8;
        const QString said = rows::experimentSummary({one}, {}, shown);
        QVERIFY2(said.startsWith("Everything is as") && said.contains("sums over the 8"),
                 qPrintable(said));
        record::Record record = testing::doubleCosineRecord();
        QCOMPARE(RecordView(record).parts().size(), size_t(1));
        record.functions.push_back(record.functions.front());
        QCOMPARE(RecordView(record).parts().back().function, 1);
    }
    void numbers_of_what_if_are_whole_in_a_narrow_pane() {
        const Measured shown("tiny", "cpu", "text");
        Measured decided = shown;
        decided.decisions = "recompute a_value_of_a_rather_long_name_0";
        Experiment plain{shown, {}, {}}, other{decided, {}, {}};
        plain.outcome.predictedUs = 4.97;
        other.outcome.predictedUs = 123.4;
        ItemView table(rows::experimentColumns(), "table");
        table.setStretchColumn(static_cast<int>(rows::ExperimentColumn::Decisions));
        table.setWrapped(true);
        table.resize(260, 200);
        table.show();
        table.setRows(rows::experiments({plain, other}, {}, decided));
        const auto column = static_cast<int>(rows::ExperimentColumn::Predicted);
        const QString text = table.model()->index(1, column).data().toString();
        SAYS(text, "+");
        QVERIFY(table.columnWidth(0) >= 130); // and what was decided can be read
        QFont bold = table.font();
        bold.setBold(true);
        for (const QString& part : text.split(' ')) // over each other
            QVERIFY2(table.columnWidth(column) >= QFontMetrics(bold).horizontalAdvance(part),
                     qPrintable(QString::number(table.columnWidth(column))));
    }
    void what_was_measured_of_what_if_is_seen_beside_what_was_decided() {
        Fixture f; // 1280 × 800
        QVERIFY(f.opensWith({"save cos"}));
        auto* pane = f.whatIf();
        f.session()->run({{"eager", "inductor"}, 1, 0.1, true});
        QVERIFY(f.settled());
        pane->flush();
        QTest::qWait(50);
        const auto* table = pane->table();
        const auto last = static_cast<int>(rows::ExperimentColumn::Verdict);
        QVERIFY2(table->columnViewportPosition(last) + table->columnWidth(last) <=
                     table->viewport()->width(),
                 qPrintable(QString("%1 + %2 of %3")
                                .arg(table->columnViewportPosition(last))
                                .arg(table->columnWidth(last))
                                .arg(table->viewport()->width())));
    }
    void a_name_that_means_another_line_is_told() {
        record::Record record = testing::doubleCosineRecord();
        const QHash<QString, QString> meanings{
            {"save cos", decisionMeaning(RecordView(record), "save cos")}};
        QVERIFY2(meanings["save cos"].contains("torch.cos"), qPrintable(meanings["save cos"]));
        QVERIFY(notesOf(RecordView(record), {"save cos"}, meanings).isEmpty());
        for (record::GraphStage& stage : record.functions[0].entries[0].graphs)
            for (record::GraphNode& node : stage.nodes)
                node.source[0].line = 10;
        const DecisionNotes notes = notesOf(RecordView(record), {"save cos"}, meanings);
        QCOMPARE(notes["save cos"].text,
                 QString("the name now means another value: cos of line 10"));
        QVERIFY(notes["save cos"].followed);
    }
    void choosing_a_value_moves_no_dock() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<PartitionPane>("partition");
        auto* bar = pane->findChild<DecisionBar*>();
        QTest::qWait(50);
        auto widths = [&] {
            QList<int> all;
            for (const QDockWidget* dock : f.window->workspace()->docks())
                if (!dock->visibleRegion().isEmpty()) all << dock->width();
            return all;
        };
        f.session()->decide({"recompute cos"}); // can be taken back: one button more
        QVERIFY(f.settled());
        const QList<int> before = widths();
        const int least = bar->minimumSizeHint().width();
        f.window->selectKey("joint/cos");
        pane->flush();
        QTRY_VERIFY(buttonIn(bar, "Save “cos”") && buttonIn(bar, "Leave it"));
        QTest::qWait(50);
        QCOMPARE(widths(), before);
        QVERIFY2(bar->minimumSizeHint().width() <= std::max(least, 150),
                 qPrintable(QString::number(bar->minimumSizeHint().width())));
        for (const QPushButton* button : bar->findChildren<QPushButton*>())
            if (button->isVisible()) QVERIFY(bar->rect().contains(button->geometry().center()));
    }
    void numbers_of_a_decision_never_stand_for_the_compilers() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->run({{"eager", "inductor"}, 1, 0.1});
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isRunning(); }));
        QVERIFY(Measured(f.session()->runs()[1]).matches(f.session()->shown()));
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        QVERIFY(!Measured(f.session()->runs()[1]).matches(f.session()->shown()));
        auto* pane = f.whatIf();
        SAYS(pane->summary(), "save cos");
        QVERIFY(pane->summary().contains("not measured yet"));
        f.session()->run({{"eager", "inductor"}, 1, 0.1});
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isRunning(); }));
        pane->flush();
        SAYS(pane->summary(), "A whole call, measured: 5");
        SAYS(pane->summary(), QString("measured: %1 → %1").arg(format::microseconds(4)));
        QCOMPARE(pane->table()->rowModel()->rowCount(), 2);
    }
    void what_is_decided_is_measured_beside_what_the_compiler_does_at_the_same_moment() {
        Fixture f;
        QVERIFY(f.opensWith({"save cos"}));
        auto* pane = f.whatIf();
        QVERIFY(f.measures());
        QCOMPARE(f.session()->runs().size(), size_t(2)); // those of what is shown
        QCOMPARE(f.session()->history().size(), size_t(3));
        SAYS(pane->summary(), QString("A whole call, measured: %1 → %2")
                                  .arg(format::microseconds(7), format::microseconds(5)));
        SAYS(pane->summary(),
             QString("measured: %1 → %2").arg(format::microseconds(6), format::microseconds(4)));
    }
    void an_engine_that_starts_again_forgets_no_measurement() {
        Fixture f;
        QVERIFY(f.opensWith({"save cos"}));
        auto* pane = f.whatIf();
        QVERIFY(f.measures());
        const QString told = pane->summary();
        SAYS(told, "A whole call, measured: ");
        f.session()->engine()->restart();
        QTRY_VERIFY(f.session()->engine()->isUsable() && f.session()->isCurrent());
        QVERIFY(f.settled());
        QCOMPARE(pane->summary(), told);
        QTest::mouseClick(buttonIn(pane, "Measure"), Qt::LeftButton);
        f.session()->engine()->restart(); // while it measures
        QTRY_VERIFY(f.session()->engine()->isUsable() && !f.session()->isRunning());
        QVERIFY(f.settled());
        QCOMPARE(pane->summary(), told);
    }
    void what_the_compiler_does_is_compiled_aside_where_it_was_not() {
        Fixture f;
        QVERIFY(f.opensWith({"save cos"}));
        f.session()->setText(QString(testing::kDoubleCosine) + "# another\n");
        QVERIFY(f.settled());
        const auto record = f.session()->record();
        auto* pane = f.whatIf();
        QTRY_COMPARE(pane->table()->rowModel()->rowCount(), 2);
        SAYS(pane->summary(), "kernels 2, as before");
        QCOMPARE(f.session()->record(), record);
    }
    void times_of_a_schedule_that_was_asked_for_stand_beside_the_compilers() {
        Fixture f;
        QVERIFY(f.opensWith({"schedule forward/fused_cos=elements: vector 16, threads 2"}));
        auto* pane = f.whatIf();
        const QString predicted =
            QString("forward/fused_cos, elements: vector 16, threads 1 → elements: vector 16, "
                    "threads 2: predicted %1 → %2, ")
                .arg(format::microseconds(2.1), format::microseconds(5.2));
        SAYS(pane->summary(), predicted + "not measured yet");
        QVERIFY(f.measures());
        SAYS(pane->summary(),
             predicted +
                 QString("measured %1 → %2").arg(format::microseconds(6), format::microseconds(4)));
        f.session()->timeSchedules(); // all of them in turns
        QVERIFY(f.settled());
        SAYS(pane->summary(),
             predicted + QString("measured %1 → %2")
                             .arg(format::microseconds(2.5), format::microseconds(1.5)));
    }
    void a_recipe_holds_decisions_and_nothing_else() {
        const QStringList decisions{"order merge_common remove_dead", "save cos",
                                    "schedule forward/k=rows: vector 4", "without remove_dead"};
        const QString text = recipeText(decisions);
        QString problem;
        QCOMPARE(readRecipe(text, &problem).value_or(QStringList()), decisions);
        QVERIFY(text.contains("# save cos\nsave cos\n"));
        QVERIFY(!readRecipe("save cos\n\nmake it fast\n", &problem));
        SAYS(problem, "line 3");
        SAYS(problem, "make it fast");
        QVERIFY(!readRecipe("# nothing\n", &problem));
    }
    void a_measured_call_does_not_flatten_the_curve() {
        BudgetCurve curve;
        const std::vector<BudgetCurve::Mark> points{{1024, 5.5}, {2048, 5}, {4096, 4}};
        curve.setPoints(points, {}, points[0]);
        const QPointF top = curve.placeOf(points[0]), foot = curve.placeOf(points[2]);
        QVERIFY(foot.y() - top.y() > 30);
        curve.setPoints(points, {{2048, 3700}}, points[0]); // a whole call
        QCOMPARE(curve.placeOf(points[0]), top);
        QCOMPARE(curve.placeOf(points[2]), foot);
    }
    void a_budget_that_makes_the_arena_larger_is_told() {
        const Measured plain("tiny", "cpu", "text"),
            budget("tiny", "cpu", "text", 0, {"budget 2048B"});
        Outcome a, b;
        a.arena = 34 << 10;
        b.arena = 40 << 10;
        b.parts = 3;
        const QString said = rows::experimentSummary({{plain, a}, {budget, b}}, {}, budget);
        SAYS(said, QString("the arena of the kernels has grown, %1 → %2")
                       .arg(format::bytes(34 << 10), format::bytes(40 << 10)));
        SAYS(said, "sums over the 3 compiled parts");
        b.arena = a.arena;
        QVERIFY(!rows::experimentSummary({{plain, a}, {budget, b}}, {}, budget).contains("grown"));
    }
    void what_a_budget_came_to_outweighs_the_estimate() {
        const Measured plain("tiny", "cpu", "text"), apart("tiny", "cpu", "text", 0, {"apart a b"}),
            both("tiny", "cpu", "text", 0, {"apart a b", "budget 2048B"});
        Outcome a, b;
        a.predictedUs = 16;
        b.predictedUs = 17;
        const std::vector<Experiment> all{{plain, {}}, {apart, a}, {both, b}};
        QVERIFY(rows::budgetSummary(all, {}, plain, "budget 2048B").isEmpty()); // not compiled
        // Beside what else is decided, whether the budget is in force or not.
        for (const Measured& shown : {apart, both}) {
            const QString said = rows::budgetSummary(all, {}, shown, "budget 2048B");
            SAYS(said, format::microseconds(16) + " without a budget");
            SAYS(said, format::microseconds(17) + " with this one");
            SAYS(said, "not both measured");
        }
    }
    void the_slider_says_whose_numbers_it_tells() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<PartitionPane>("partition");
        pane->flush();
        auto* bar = pane->findChild<BudgetBar*>();
        auto* slider = pane->findChild<QSlider*>("budgetSlider");
        const auto* text = bar->findChild<QLabel*>("muted");
        slider->setValue(1);
        SAYS(text->text(), "Estimated before fusion:");
        QVERIFY(!text->text().contains("µs")); // no number that What if tells otherwise
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Left);
        QTest::keyClick(slider, Qt::Key_Right);
        QTRY_COMPARE(f.decisions(), QStringList({"budget 3072B"}));
        QVERIFY(f.settled());
        pane->flush();
        SAYS(text->text(), "Kernels, predicted:");
    }
    void what_changed_stands_beside_what_the_compiler_does() {
        const Measured plain("tiny", "cpu", "text"), elsewhere("cpu", "cpu", "text"),
            other("tiny", "cpu", "text", 0, {"save cos"});
        Outcome a, b;
        a.savedBytes = 1024;
        a.kernels = b.kernels = 2;
        a.predictedUs = 10;
        b.savedBytes = 3072;
        b.predictedUs = 8;
        const std::vector<Experiment> all{{plain, a}, {other, b}};
        const auto rows = rows::experiments(all, {}, other);
        auto cell = [&](size_t row, rows::ExperimentColumn column) {
            return rows[row].cells[static_cast<size_t>(column)];
        };
        using enum rows::ExperimentColumn;
        QCOMPARE(rows.size(), size_t(2));
        QVERIFY(rows[1].bold && !rows[0].bold);
        QVERIFY(cell(1, Saved).text.contains("+2") && cell(1, Saved).tone == Tone::Warning);
        QVERIFY(cell(1, Predicted).text.contains("−2") && cell(1, Predicted).tone == Tone::Good);
        QCOMPARE(cell(1, Kernels).text, QString("2"));
        const QString said = rows::experimentSummary(all, {}, other);
        SAYS(said, "→");
        SAYS(said, "kernels 2, as before");
        QCOMPARE(rows::experiments(all, {}, elsewhere).size(), size_t(0));
    }
};

QTEST_MAIN(TestWhatIf)
#include "test_whatif.moc"
