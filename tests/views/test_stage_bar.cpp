// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline bar: what the engine's stage table and the record say, and where a click goes.
#include "tests/views/window_fixture.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/kernels/kernels_pane.h"
#include "views/widgets/item_view.h"
#include "views/widgets/stage_bar.h"

#include <QDockWidget>
#include <QLabel>
#include <QTabWidget>
#include <QToolButton>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = views::testing::WindowFixture;

namespace {

StageBar* bar(const Fixture& f) {
    return f.window->findChild<StageBar*>();
}

QAction* stage(const Fixture& f, const QString& name) {
    for (QAction* action : bar(f)->actions())
        if (action->data() == name) return action;
    return nullptr;
}

void click(const Fixture& f, const QString& name) {
    QTest::mouseClick(bar(f)->widgetForAction(stage(f, name)), Qt::LeftButton);
}

} // namespace

class TestStageBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_record_gives_counts_and_times() {
        const record::Record record = testing::doubleCosineRecord();
        const std::vector<StageInfo> table{{"joint", "Joint graph", "", true},
                                           {"kernels", "Kernels", "", true},
                                           {"cpp", "C++", "", true},
                                           {"sass", "SASS", "", true},
                                           {"compile", "Compilation", "", false}};
        auto cells = stageCells(table, &record.functions[0].entries[0], {}, false);
        QCOMPARE(cells.size(), size_t{5});
        QCOMPARE(cells[0].count, QString("10\u00a0nodes"));
        QCOMPARE(cells[1].count, QString("2\u00a0kernels"));
        QCOMPARE(cells[1].ms, 0.8); // of both graphs
        QVERIFY(cells[2].count.endsWith("\u00a0lines"));
        QCOMPARE(cells[3].state, StageCell::State::Absent);
        QCOMPARE(cells[4].state, StageCell::State::Done); // nothing to look at, but it took time
        cells = stageCells(table, nullptr, "forward: compile, 2 of 5 kernels", false);
        QCOMPARE(cells[4].state, StageCell::State::Running);
        QCOMPARE(cells[0].state, StageCell::State::Absent);
        QCOMPARE(stageCells(table, nullptr, "joint", true)[0].state, StageCell::State::Failed);
    }
    void panes_of_stages_that_are_not_there_yet_say_so() {
        Fixture f("stages");
        auto* code = f.pane<CodePane>("code");
        auto* decisions = f.pane<KernelsPane>("kernels")->findChild<ItemView*>("decisionTable");
        f.session()->newDocument("# endless, with kernels\n");
        QTRY_VERIFY(f.session()->isPartial());
        auto* notice = code->findChild<QLabel*>("notice");
        QTRY_COMPARE(notice->text(), "Compiling…");
        QTRY_COMPARE(decisions->emptyText(), "Compiling…");
        QTRY_VERIFY(!code->currentKernelName().isEmpty());
        f.session()->cancel();
        QTRY_VERIFY(notice->text().startsWith("The compilation was cancelled"));
        QTRY_VERIFY(decisions->emptyText().startsWith("The compilation was cancelled"));
        f.session()->setText("# broken, with kernels\n");
        QTRY_VERIFY(notice->text().startsWith("The compilation did not come this far"));
    }
    void a_click_goes_to_the_pane_that_shows_the_stage() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QVERIFY(bar(f)->isVisible());
        QVERIFY(!stage(f, "llvm")); // the record holds none
        QVERIFY(stage(f, "joint")->toolTip().contains("10\u00a0nodes"));
        const std::pair<const char*, const char*> places[] = {
            {"partition", "partition"}, {"joint", "graph"},   {"cpp", "code"},
            {"guards", "capture"},      {"passes", "passes"}, {"loops", "kernels"},
            {"memory", "memory"},       {"backward", "graph"}};
        for (auto [name, pane] : places) {
            click(f, name);
            QVERIFY2(f.window->workspace()->findChild<QWidget*>(pane)->isVisible(), name);
        }
        auto* tabs = f.window->workspace()->pane<KernelsPane>()->findChild<QTabWidget*>();
        click(f, "loops");
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Loops"));
        click(f, "kernels");
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Fused or not"));
        QCOMPARE(f.pane<GraphPane>("graph")->stage(), QString("backward"));
        QVERIFY(!stage(f, "compile")->isEnabled());
    }
    void what_is_of_an_earlier_text_says_so() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString good = f.session()->text();
        QVERIFY(!stage(f, "joint")->toolTip().contains("earlier"));
        f.session()->setText(good + "wrong");
        QVERIFY(f.settled());
        QVERIFY(stage(f, "joint")->toolTip().endsWith("the compilation ended here"));
        QVERIFY(!stage(f, "joint")->isEnabled());
        QVERIFY(stage(f, "kernels")->toolTip().endsWith("of an earlier text"));
        f.session()->setText(good);
        QVERIFY(f.settled());
        QVERIFY(stage(f, "joint")->isEnabled());
        QVERIFY(!stage(f, "kernels")->toolTip().contains("earlier"));
    }
    void there_is_none_without_a_document_or_a_result() {
        Fixture f;
        QTRY_VERIFY(!bar(f)->isVisible());
        QVERIFY(f.window->openFile(f.write("empty.py", "")));
        QVERIFY(f.settled());
        QCOMPARE(bar(f)->isVisible(), !f.session()->record()->isEmpty());
    }
    void what_is_to_come_is_shown_while_the_first_text_compiles() {
        Fixture f("slow");
        QVERIFY(
            QTest::qWaitFor([&] { return !f.window->session()->engine()->info().stages.empty(); }));
        QVERIFY(f.window->openFile(f.path));
        QVERIFY(QTest::qWaitFor([&] { return f.session()->isCompiling(); }));
        auto cells = stageCells(f.session()->engine()->info().stages, nullptr, "joint", false);
        bar(f)->setCells(cells, false);
        QVERIFY(stage(f, "guards") && stage(f, "memory") && !stage(f, "memory")->isEnabled());
        QVERIFY(stage(f, "joint")->toolTip().endsWith("under way"));
    }
    void panes_asked_for_at_the_start_stay_in_front() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->reveal("partition");
        f.window.reset(); // stores the layout
        f.window = f.makeWindow();
        f.window->reveal("memory");
        f.window->reveal("passes");
        QVERIFY(f.openAndWait());
        f.window->resize(1300, 820);
        QVERIFY(f.settled());
        for (const char* id : {"memory", "passes"})
            QVERIFY2(f.window->workspace()->findChild<QWidget*>(id)->isVisible(), id);
    }
};

QTEST_MAIN(TestStageBar)
#include "test_stage_bar.moc"
