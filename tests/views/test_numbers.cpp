// SPDX-License-Identifier: GPL-3.0-or-later
// The Numbers pane: what the engine's "probe" answers as rows, what is first, what is out of date, and
// errors as colours of the graph.
#include "tests/views/window_fixture.h"
#include "views/models/heat_map.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/numbers/numbers_pane.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/histogram_view.h"
#include "views/widgets/item_view.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QTabWidget>
#include <nlohmann/json.hpp>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;
using nlohmann::json;

namespace {

json valueOf(const char* graph, const char* name, json relative, bool beyond) {
    return {{"key", std::string(graph) + "/" + name},
            {"graph", graph},
            {"name", name},
            {"op", "mm"},
            {"type", "f32[8]"},
            {"origin", "stored"},
            {"limit", 2e-6},
            {"compiled", {{"absolute", 1}, {"relative", std::move(relative)}, {"beyond", beyond}}},
            {"min", "nan"},
            {"elements", 8},
            {"notFinite", beyond ? 1 : 0}};
}

Measured ofNothing() {
    return Measured(QString(), QString(), QString());
}

QStringList names(const std::vector<Row>& rows) {
    QStringList all;
    for (const Row& row : rows)
        all << row.cells[0].text;
    return all;
}

} // namespace

class TestNumbers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_is_no_answer_is_refused() {
        QVERIFY(!numbersFromJson(json::array()));
        QVERIFY(!numbersFromJson({{"first", 1}}));
        QVERIFY(!numbersFromJson({{"values", 3}}));
        const NumbersPtr odd = numbersFromJson(
            {{"values", {7, {{"name", 3}, {"compiled", "no"}}}}, {"first", 12}, {"problems", {1}}});
        QVERIFY(odd);
        QCOMPARE(odd->values.size(), size_t(1));
        QCOMPARE(odd->first, -1);
        QVERIFY(!odd->values[0].compiled);
        numberRows(*odd, *emptyRecord(), {}, ofNothing());
    }
    void rows_are_filtered_by_graph_words_and_what_stands_out() {
        const NumbersPtr numbers = numbersFromJson(
            {{"values",
              {valueOf("captured", "a", 0, false), valueOf("forward", "b", 1e-7, false),
               valueOf("forward", "c", "inf", true)}},
             {"first", 2}});
        const RecordView& view = *emptyRecord();
        auto shown = [&](const NumberFilter& filter) {
            return names(numberRows(*numbers, view, filter, ofNothing()));
        };
        QCOMPARE(shown({}), (QStringList{"forward/b", "forward/c"}));
        QCOMPARE(shown({"captured", {}, false}), QStringList{"a"});
        QCOMPARE(shown({"forward", "op:mm /^b$/", false}), QStringList{"b"});
        QCOMPARE(shown({{}, {}, true}), QStringList{"forward/c"});
        const Row row = numberRows(*numbers, view, {"forward", "name:c", false}, ofNothing())[0];
        QVERIFY(row.bold);
        const Cell& error = row.cells[size_t(NumberColumn::Error)];
        QCOMPARE(error.text, QString("≠ ∞"));
        QVERIFY(error.tone == Tone::Error);
        QCOMPARE(error.bar, 1.0);
        QCOMPARE(row.cells[size_t(NumberColumn::Least)].text, QString("–"));
        QCOMPARE(row.cells[size_t(NumberColumn::Eager)].text, QString("–"));
        QVERIFY(numberSummary(*numbers).startsWith("“c” (mm) of the forward graph is the first"));
    }
    void the_pane_compares_shows_the_first_and_selects_it() {
        Fixture f;
        f.window = f.makeWindow({1280, 1100}); // all parts below each other
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<NumbersPane>("numbers");
        new QAbstractItemModelTester(pane->table()->rowModel(), pane);
        QCOMPARE(pane->table()->rowModel()->rowCount(), 0);
        f.action("Compare values")->trigger();
        QVERIFY(f.session()->isComparing());
        QTRY_VERIFY(!f.session()->isComparing());
        pane->flush();
        QCOMPARE(pane->table()->rowModel()->rowCount(), 3); // what is compiled
        QVERIFY(pane->summary().startsWith("“cos_1” (cos) of the forward graph"));
        QVERIFY2(pane->summary().endsWith("The first: backward/neg[0, 2] is nan."),
                 qPrintable(pane->summary()));
        pane->goToFirst();
        QCOMPARE(f.window->selection()->items(), std::vector<ItemId>{f.item("forward/cos_1")});
        pane->flush();
        HistogramView* bars = pane->histogram();
        QVERIFY(bars->isVisible());
        QCOMPARE(bars->textAt(bars->width() / 2 + 5), QString("156 values from 0 to 0.5"));
        QVERIFY(bars->textAt(0).isEmpty());
        bars->grab();
        auto* graphs = pane->findChild<QComboBox*>();
        graphs->setCurrentIndex(graphs->findText("captured"));
        emit graphs->activated(graphs->currentIndex());
        QCOMPARE(pane->table()->rowModel()->rowCount(), 1);
        graphs->setCurrentIndex(0);
        pane->findChild<QCheckBox*>()->setChecked(true);
        QCOMPARE(pane->table()->rowModel()->rowCount(), 2);
        pane->findChild<QLineEdit*>("numberSearch")->setText("name:neg");
        QCOMPARE(pane->table()->rowModel()->rowCount(), 1);
    }
    void in_a_low_pane_values_bars_and_what_to_compare_are_tabs() {
        Fixture f;
        f.window = f.makeWindow({900, 600});
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<NumbersPane>("numbers");
        auto* tabs = pane->findChild<QTabWidget*>();
        QTRY_COMPARE(tabs->count(), 3);
        QPushButton* compare = nullptr;
        for (QPushButton* button : pane->findChildren<QPushButton*>())
            if (button->text() == "Compare values") compare = button;
        QTRY_VERIFY(compare && compare->isVisible()); // what comes first
        QTest::mouseClick(compare, Qt::LeftButton);
        QTRY_VERIFY(!f.session()->isComparing());
        QTRY_VERIFY(pane->table()->isVisible()); // and what comes of it
        QVERIFY2(pane->table()->height() > pane->height() / 2,
                 qPrintable(QString::number(pane->table()->height())));
        tabs->setCurrentIndex(1);
        QTRY_VERIFY(pane->histogram()->isVisible() && pane->histogram()->height() > 40);
        f.window->resize(1280, 1400);
        QTRY_VERIFY(tabs->isHidden() && pane->table()->isVisible() &&
                    pane->histogram()->isVisible() && compare->isVisible());
        QCOMPARE(tabs->count(), 0);
    }
    void numbers_of_another_text_are_dimmed() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<NumbersPane>("numbers");
        pane->compare();
        QTRY_VERIFY(!f.session()->isComparing());
        auto dimmed = [&] {
            pane->flush();
            return pane->table()->rowModel()->row(pane->table()->rowModel()->index(0, 0))->dimmed;
        };
        QVERIFY(!dimmed());
        f.session()->setText(f.session()->text() + "# another\n");
        QTRY_VERIFY(dimmed());
        QVERIFY(pane->summary().startsWith("These numbers are of"));
        f.session()->setText(f.session()->text() + "# random\n");
        QVERIFY(f.settled());
        pane->compare();
        QTRY_VERIFY(!f.session()->isComparing());
        QTRY_VERIFY(pane->summary().contains("random values have no reference"));
    }
    void a_comparison_can_be_cancelled() {
        Fixture f("slowRun");
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<NumbersPane>("numbers");
        pane->compare();
        QVERIFY(f.session()->isComparing() && f.session()->isBusy());
        f.session()->cancel();
        QTRY_VERIFY(!f.session()->isComparing());
        QCOMPARE(f.session()->compareProblem(), QString("cancelled"));
        pane->compare();
        f.session()->setText(f.session()->text() + "# another\n"); // nobody waits for them now
        QTRY_VERIFY(!f.session()->isComparing());
        QVERIFY(f.settled());
    }
    void errors_are_colours_of_the_graph() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* graph = f.pane<GraphPane>("graph");
        graph->setStage("joint");
        QVERIFY(f.settled());
        graph->setHeat(HeatKind::Error);
        QVERIFY(graph->shownHeat().classes.empty());
        f.session()->compareValues();
        QTRY_VERIFY(!f.session()->isComparing());
        QTRY_VERIFY(!graph->shownHeat().classes.empty());
        const HeatMap& map = graph->shownHeat();
        const GraphScene& scene = graph->canvas()->scene();
        auto heat = [&](const char* key) {
            for (size_t i = 0; i < scene.nodes.size(); ++i)
                if (scene.nodes[i].item == f.item(key)) return map.ofNode[i];
            return -2;
        };
        QCOMPARE(heat("joint/cos"), 1);
        QCOMPARE(heat("joint/cos_1"), 4);
        QCOMPARE(heat("joint/neg"), 4);
        QCOMPARE(heat("joint/mul"), -1);
    }
};

QTEST_MAIN(TestNumbers)
#include "test_numbers.moc"
