// SPDX-License-Identifier: GPL-3.0-or-later
// Anything of a record is found by words, fields and expressions, wherever it stands.
#include "tests/views/sample_record.h"
#include "tests/views/window_fixture.h"
#include "views/models/record_search.h"
#include "views/models/row_query.h"
#include "views/panes/graph/graph_pane.h"
#include "views/widgets/command_palette.h"
#include "views/widgets/item_view.h"

#include <QLineEdit>
#include <QListWidget>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

class TestSearch : public QObject {
    Q_OBJECT

    const RecordView view_{testing::doubleCosineRecord()};

    QStringList keys(const QString& query, size_t most = 1000) const {
        QStringList result;
        for (const FoundItem& one : searchRecord(view_, query, most))
            result << view_.key(one.item);
        return result;
    }

private Q_SLOTS:
    void words_are_found_in_every_place() {
        QStringList places;
        for (const FoundItem& one : searchRecord(view_, "cos", 1000))
            if (!places.contains(one.where)) places << one.where;
        for (const char* where : {"source", "captured", "joint", "kernels", "buffers", "cpp"})
            QVERIFY2(places.contains(where), where);
        QVERIFY(keys("nothing_is_called_so").isEmpty());
        QCOMPARE(keys("cos", 3).size(), 3);
    }
    void what_is_displayed_is_found() {
        int kernels = 0;
        for (const char* where : {"in:kernels", "in:buffers", "in:joint"})
            for (const FoundItem& one : searchRecord(view_, where, 1000)) {
                kernels += one.where == "kernels";
                QVERIFY2(keys(one.text).contains(view_.key(one.item)), qPrintable(one.text));
            }
        QVERIFY(kernels > 0);
    }
    void the_one_that_is_called_so_comes_first() {
        QVERIFY2(keys("cos_1").front().endsWith("/cos_1"), qPrintable(keys("cos_1").front()));
    }
    void what_begins_so_comes_before_what_holds_it() {
        int lastNode = -1, firstLine = -1, at = 0;
        for (const FoundItem& one : searchRecord(view_, "co", 1000)) {
            if (view_.key(one.item).section('/', 1).startsWith("cos")) lastNode = at;
            if (one.where == "source" && firstLine < 0) firstLine = at;
            ++at;
        }
        QVERIFY(lastNode >= 0 && firstLine > lastNode);
        QVERIFY(keys("co", 1).front().section('/', 1).startsWith("cos")); // however few are told
    }
    void places_fields_and_expressions_narrow_it() {
        for (const QString& key : keys("in:joint op:cos"))
            QVERIFY2(key.startsWith("joint/"), qPrintable(key));
        QCOMPARE(keys("in:joint op:cos").size(), 2);
        QCOMPARE(keys("in:joint /^sin(_1)?$/").size(), 2);
        QCOMPARE(keys("in:joint bytes>1g").size(), 0);
        QVERIFY(!keys("in:joint bytes>=1k").isEmpty());
        QCOMPARE(keys("in:source torch.cos"), (QStringList{"source:9", "source:10"}));
        QCOMPARE(keys("in:kernels").size(), 2);
        QString problem;
        QVERIFY(searchRecord(view_, "/(/", 10, &problem).size() <= 10);
        QVERIFY(!problem.isEmpty());
        for (const char* unknown : {"foo:bar", "dtype:f32", "cos dtype:f32"}) {
            searchRecord(view_, unknown, 10, &problem);
            QVERIFY2(problem.contains("module"), unknown); // which fields there are
        }
        for (const char* known : {"op:cos", "else:", "bytes>1k"}) {
            searchRecord(view_, known, 10, &problem);
            QVERIFY2(problem.isEmpty(), known);
        }
    }
    void reasons_passes_and_messages_are_found() {
        QCOMPARE(keys("in:reasons saving"), QStringList{"joint/cos"});
        const auto dead = searchRecord(view_, "in:passes ones_like", 10);
        QVERIFY(dead.empty()); // the node is in no graph that could be shown
        const auto common = searchRecord(view_, "in:passes merge_common", 10);
        QCOMPARE(common.size(), size_t(1));
        QCOMPARE(view_.key(common[0].item), QString("backward/mul_1"));
        QVERIFY(common[0].text.startsWith("merge_common: rewritten mul_1"));
        const auto said = searchRecord(view_, "in:messages example", 10);
        QCOMPARE(said.size(), size_t(1));
        QCOMPARE(view_.key(said[0].item), QString("source:10"));
    }
    void tables_are_filtered_by_words_columns_and_expressions() {
        const std::vector<Column> columns{{"Name", false, false, {}},
                                          {"Bytes saved", true, false, {}}};
        auto row = [](const char* name, int bytes) {
            Row made;
            made.cells = {{name, {}, -1, Tone::Normal}, {QString::number(bytes), bytes}};
            return made;
        };
        auto holds = [&](const char* text, const Row& one) {
            return RowQuery(text, columns).matches(one);
        };
        QVERIFY(holds("", row("mm", 1)) && holds("MM", row("mm_1", 1)));
        QVERIFY(holds("name:mm bytes>1k", row("mm", 2000)));
        QVERIFY(!holds("name:mm bytes>1k", row("mm", 1000)));
        QVERIFY(holds("/^mm_\\d$/ -name:9", row("mm_1", 0)));
        QVERIFY(!holds("/^mm_\\d$/ -name:9", row("mm_9", 0)));
        QVERIFY(holds("a:b", row("a:b", 0))); // no such column: a word
        QVERIFY(holds("--mm", row("mm", 1)) && !holds("--mm", row("add", 1)));
        QVERIFY(holds("name:", row("mm", 1))); // the value is not typed yet
        QVERIFY(!RowQuery("/(/", columns).problem().isEmpty());
        QVERIFY(!RowQuery("bytes>lots", columns).problem().isEmpty());
        QVERIFY(RowQuery("bytes>=1e-6", columns).problem().isEmpty());
    }
    void a_table_filters_its_rows() {
        ItemView view({{"Name", false, false, {}}, {"Bytes", true, false, {}, "bytes"}}, "table");
        Row parent;
        parent.cells = {{"forward", {}, -1, Tone::Normal}, {"–", -1}};
        Row child = parent;
        child.cells[1] = {"1.5 KiB", 1536};
        child.cells[0].text = "mm, \"large\"";
        parent.children = {child};
        Row other = child;
        other.cells[0].text = "relu";
        view.setRows(std::vector<Row>{parent, other});
        view.show();
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(view.filterField()->isVisible());
        QTest::keyClicks(view.filterField(), "name:mm");
        QCOMPARE(view.model()->rowCount(), 1); // the parent, with the row that is found
        QCOMPARE(view.tableAsCsv(),
                 QString("Level,Name,Bytes [bytes]\n0,forward,\n1,\"mm, \"\"large\"\"\",1536\n"));
        QTest::keyClick(view.filterField(), Qt::Key_Escape);
        QCOMPARE(view.model()->rowCount(), 2);
        QVERIFY(!view.filterField()->isVisible());
    }
    void a_number_is_a_line_of_the_script() {
        const QString script = "import torch\n\nx = 1\n";
        for (const char* query : {"3", "line 3", " :3 "}) {
            const auto line = lineAsked(query, script);
            QVERIFY2(line && line->number == 3 && line->text == "x = 1", query);
        }
        for (const char* query : {"0", "99", "x 3", "", "line"})
            QVERIFY2(!lineAsked(query, script), query);
        Fixture f;
        QVERIFY(f.openAndWait());
        f.action("Go to…")->trigger();
        auto* input = f.window->findChild<CommandPalette*>()->findChild<QLineEdit*>();
        QTest::keyClicks(input, "line 10");
        QTest::keyClick(input, Qt::Key_Return);
        int line = 0, column = 0;
        QTRY_VERIFY((f.editor()->getCursorPosition(&line, &column), line == 9));
    }
    void that_nothing_is_found_is_said() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.action("Go to…")->trigger();
        auto* palette = f.window->findChild<CommandPalette*>();
        QTest::keyClicks(palette->findChild<QLineEdit*>(), "nothing_is_called_so");
        auto* list = palette->findChild<QListWidget*>();
        QTRY_VERIFY(list->count() == 1 && list->item(0)->text() == "Nothing found");
        QVERIFY(!(list->item(0)->flags() & Qt::ItemIsEnabled));
    }
    void what_is_chosen_is_selected() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.action("Go to…")->trigger();
        auto* palette = f.window->findChild<CommandPalette*>();
        QVERIFY(palette);
        auto* input = palette->findChild<QLineEdit*>();
        QTest::keyClicks(input, "in:joint cos_1");
        QTest::keyClick(input, Qt::Key_Return); // before the search is through
        QTRY_COMPARE(f.window->selection()->items(),
                     std::vector<ItemId>{f.session()->record()->find("joint/cos_1")});
        auto* graph = f.window->workspace()->pane<GraphPane>();
        QTRY_COMPARE(graph->stage(), QString("joint"));
    }
    void there_is_a_way_to_the_next_and_to_the_one_before() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.action("Go to…")->trigger();
        auto* input = f.window->findChild<CommandPalette*>()->findChild<QLineEdit*>();
        QTest::keyClicks(input, "in:joint op:cos");
        QTest::keyClick(input, Qt::Key_Return);
        const auto at = [&] { return f.window->selection()->items(); };
        QTRY_VERIFY(!at().empty());
        const auto first = at();
        QTRY_VERIFY(!f.window->findChild<CommandPalette*>());
        f.action("Next that “Go to” finds")->trigger();
        QVERIFY(at() != first);
        f.action("Previous that “Go to” finds")->trigger();
        QCOMPARE(at(), first);
        f.action("Go to…")->trigger(); // goes on with what was looked for
        auto* again = f.window->findChild<CommandPalette*>()->findChild<QLineEdit*>();
        QCOMPARE(again->text(), QString("in:joint op:cos"));
        QCOMPARE(again->selectedText(), again->text());
    }
};

QTEST_MAIN(TestSearch)
#include "test_search.moc"
