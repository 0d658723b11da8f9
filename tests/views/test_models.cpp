// SPDX-License-Identifier: GPL-3.0-or-later
// Item models obey Qt's rules and show what the record says; numbers carry units.
#include "tests/views/sample_record.h"
#include "views/models/capture_rows.h"
#include "views/models/format.h"
#include "views/models/rows.h"

#include <QAbstractItemModelTester>
#include <QtTest>
#include <nlohmann/json.hpp>

using namespace cutaway;
using namespace cutaway::views;

static RecordPtr sample() {
    return std::make_shared<RecordView>(testing::doubleCosineRecord());
}

class TestModels : public QObject {
    Q_OBJECT

    /// How many tables the header names.
    static size_t tablesDeclared() {
        QFile file(QString(CUTAWAY_SOURCE_DIR) + "/views/models/rows.h");
        if (!file.open(QIODevice::ReadOnly)) return 0;
        return static_cast<size_t>(file.readAll().count("Columns();"));
    }

private Q_SLOTS:
    void every_table_obeys_the_rules_of_item_models() {
        RecordPtr view = sample();
        const record::Entry& entry = *view->entry(0, 0);
        SelectionState selection;
        selection.setRecord(view);
        selection.select({view->find("joint/cos")});
        std::vector<record::Run> runs(2);
        runs[0].backend = "eager";
        runs[0].us = 10;
        runs[1].backend = "inductor";
        runs[1].us = 4;
        runs[1].kernels = {{"forward", "k", 0, 3, 100, 10}};
        runs[1].kernels[0].counts = {{"instructions", 5e6}, {"cycles", 2e6}};
        const Experiment experiment{Measured(runs[0]), {}};
        const Sampled sampled{"inductor", "clock", 5, {{{{"forward", "k"}}, 4, {{1, 3}}}}, {}};
        ComparedRecord one{"one", view, 0, 0, runs}, two{"two", view, 0, 0, {}};
        const std::pair<std::vector<Column>, Table> tables[] = {
            {rows::savedColumns(), rows::saved(*view, entry)},
            {rows::recomputedColumns(), rows::recomputed(entry)},
            {rows::kernelColumns(), rows::kernels(*view, entry)},
            {rows::decisionColumns(), rows::decisions(view, entry)},
            {rows::passColumns(), rows::passes(entry, false)},
            {rows::runColumns(), rows::runs(runs, Measured(runs[0]))},
            {rows::timingColumns(), rows::timings(runs[1], Measured(runs[0]), nullptr)},
            {rows::countColumns(),
             rows::counts({{"eager", {{"page faults", 200}}, {}},
                           {"inductor", {{"page faults", 100}}, "no counters"}})},
            {rows::lineColumns(), rows::lines(&entry, &sampled)},
            {rows::checkColumns(),
             rows::checks({{"output 0", 1e-7, 2e-7, 1e-6, true}}, Measured(runs[0]))},
            {rows::messageColumns(), rows::messages(*view, view->record().messages)},
            {rows::guardColumns(), rows::guards(*view, entry)},
            {rows::historyColumns(), rows::history(runs, 0, Measured(runs[0]))},
            {rows::experimentColumns(), rows::experiments({experiment}, runs, Measured(runs[0]))},
            {rows::attemptColumns(), rows::attempts({experiment}, Measured(runs[0]))},
            {rows::comparedColumns(), rows::compared({one, two})}};
        // Whoever adds a table adds it here.
        QCOMPARE(std::size(tables), tablesDeclared());
        for (const auto& [columns, table] : tables) {
            const std::vector<Row>& rows = table.rows;
            RowModel model(columns);
            QAbstractItemModelTester tester(&model,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
            model.setSelection(&selection);
            QVERIFY(!rows.empty());
            for (const Row& row : rows)
                QCOMPARE(table.cells ? table.cells(0).size() : row.cells.size(), columns.size());
            model.setRows(table);
            QCOMPARE(model.rowCount(), static_cast<int>(rows.size()));
            model.setRows({});
            QCOMPARE(model.rowCount(), 0);
        }
    }
    void parts_behind_graph_breaks_stand_below_what_broke() {
        record::Record record = testing::doubleCosineRecord();
        record::Function& function = record.functions[0];
        record::Entry first = function.entries[0], second = first, behind = first, backward;
        first.call = 1;
        first.breaks = {base::userError({"double_cosine.py", 9, 5, 0, 0}, "graph break: print()",
                                        "print outside")};
        first.transformedCode = "def model(x):\n    return resume_at_9(x)\n";
        first.guards.push_back({"CALLS", "model", "1, 3", {}});
        second.guards.insert(second.guards.begin(),
                             {"RECOMPILES", "", "L['x'].size()[0] == 16", {}});
        behind.segment = "resume_at_9";
        backward.backwardOf = 1;
        function.entries = {first, second, behind, backward};
        const RecordView view(std::move(record));
        const std::vector<Row> units = rows::units(view);
        QCOMPARE(units.size(), 1u);
        auto cell = [](const Row& row, rows::UnitColumn column) {
            return row.cells[static_cast<size_t>(column)].text;
        };
        const Row& unit = units[0];
        QCOMPARE(cell(unit, rows::UnitColumn::Part), "model");
        QVERIFY(cell(unit, rows::UnitColumn::What).contains("3 graphs"));
        QVERIFY(cell(unit, rows::UnitColumn::What).contains("1 graph break"));
        QCOMPARE(unit.children.size(), 3u); // two entries, and the part behind the break
        const Row& broken = unit.children[0];
        QCOMPARE(cell(broken, rows::UnitColumn::Calls), "1, 3");
        QCOMPARE(broken.detail, "0 0");
        QVERIFY(cell(broken, rows::UnitColumn::What).contains("1 guard"));
        QCOMPARE(cell(broken.children[0], rows::UnitColumn::What), "graph break: print()");
        QVERIFY(!broken.children[0].items.empty()); // the line lights up
        QCOMPARE(cell(broken.children[0].children[0], rows::UnitColumn::What), "print outside");
        const Row& again = unit.children[1];
        QCOMPARE(cell(again.children[0], rows::UnitColumn::What), "L['x'].size()[0] == 16");
        QCOMPARE(cell(again.children[1], rows::UnitColumn::Part), "backward");
        QVERIFY(cell(again.children[1], rows::UnitColumn::What).contains("operation"));
        QCOMPARE(again.children[1].detail, "0 1"); // where there is something to see
        QCOMPARE(cell(unit.children[2], rows::UnitColumn::Part), "resume_at_9");
        QCOMPARE(unit.children[2].children[0].detail, "0 2");
        RowModel model(rows::unitColumns());
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(units);
        QVERIFY(model.isTree());
    }
    void long_tables_are_fetched_as_they_are_scrolled() {
        constexpr int kRows = 3000;
        std::vector<Row> rows(kRows);
        for (int i = 0; i < kRows; ++i) {
            rows[size_t(i)].cells = {{QString("row %1").arg(i), {}}, {{}, (i * 7919) % kRows}};
            rows[size_t(i)].items = {static_cast<ItemId>(i)};
        }
        RowModel model({{"Name", false, false, {}}, {"Number", true, false, {}}});
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        tester.setUseFetchMore(false); // it would in the midst of a reset
        model.setRows(rows);
        QVERIFY(model.rowCount() < kRows && model.canFetchMore({}));
        const int before = model.rowCount();
        model.fetchMore({});
        QVERIFY(model.rowCount() > before);
        // Whoever looks for a row gets it.
        const QModelIndex found = model.rowOf({2500});
        QCOMPARE(found.row(), 2500);
        QCOMPARE(found.data(Qt::DisplayRole).toString(), "row 2500");
        QVERIFY(model.rowCount() > 2500);
        const RowModel::ContentPtr all = model.content();
        Arrangement how;
        how.keeps = [](const Row& row) { return row.items[0] % 2 == 0; };
        how.column = 1;
        how.order = Qt::DescendingOrder;
        model.setContent(RowModel::arranged(all, how));
        model.fetchAll();
        QCOMPARE(model.rowCount(), kRows / 2);
        for (int i = 1; i < model.rowCount(); ++i)
            QVERIFY(model.index(i - 1, 1).data(RowModel::SortRole).toInt() >
                    model.index(i, 1).data(RowModel::SortRole).toInt());
        QVERIFY(!model.rowOf({1}).isValid());
        model.setContent(RowModel::arranged(all, {}));
        QCOMPARE(model.rowOf({1}).row(), 1);
        QCOMPARE(RowModel::size(model.content()), size_t(kRows));
    }
    void rows_of_a_long_table_have_cells_once_they_are_seen() {
        std::vector<Row> rows(3000);
        for (ItemId i = 0; i < rows.size(); ++i)
            rows[i].items = {i};
        size_t made = 0;
        const Table::CellsOf cells = [&made](size_t row) {
            ++made;
            return std::vector<Cell>{{QString("row %1").arg(row), {}},
                                     {QString::number(row), static_cast<int>(row)}};
        };
        RowModel model({{"Name", false, false, {}}, {"Number", true, false, {}}});
        model.setRows({rows, cells});
        QCOMPARE(model.rowOf({2500}).row(), 2500);
        QCOMPARE(made, size_t(0));
        QCOMPARE(model.index(2500, 0).data().toString(), "row 2500");
        QCOMPARE(model.row(model.index(2500, 1))->cells[1].text, "2500");
        QCOMPARE(made, size_t(1)); // and kept
        Arrangement how;
        how.keeps = [](const Row& row) { return row.cells[0].text.endsWith('7'); };
        how.column = 1;
        how.order = Qt::DescendingOrder;
        model.setContent(RowModel::arranged(model.content(), how));
        QCOMPARE(model.rowCount(), 300);
        QCOMPARE(model.index(0, 0).data().toString(), "row 2997");
    }
    void titles_lose_the_letters_that_choose_them() {
        QCOMPARE(format::withoutMnemonic("&Open a tour…"), "Open a tour…");
        QCOMPARE(format::withoutMnemonic(QString::fromUtf8("打开(&O)…")),
                 QString::fromUtf8("打开…"));
        QCOMPARE(format::withoutMnemonic("Pr&esentation (Esc leaves it)"),
                 "Presentation (Esc leaves it)");
    }
    void counts_stand_below_each_other() {
        const std::vector<Counted> all = countedFromJson(nlohmann::json::parse(R"([
            {"backend": "eager", "perCall": [{"what": "page faults", "value": 2000}], "missing": ""},
            {"backend": "inductor", "perCall": [{"what": "page faults", "value": 500}, 3],
             "missing": "no counters here"}, 7])"));
        QCOMPARE(all.size(), size_t(2));
        const std::vector<Row> rows = rows::counts(all);
        QCOMPARE(rows.size(), size_t(3));
        QVERIFY(rows[0].cells[0].text.contains("no counters here")); // in sight in a low pane
        QCOMPARE(rows[1].cells[1].text, "eager");
        QCOMPARE(rows[2].cells[3].text, QString("0.25") + QChar(0xd7));
        QVERIFY(countedFromJson(nlohmann::json(5)).empty());
    }
    void rows_below_one_that_is_kept_stay() {
        Row leaf, other, parent;
        leaf.cells = {{"leaf", {}}};
        other.cells = {{"other", {}}};
        parent.cells = {{"parent", {}}};
        parent.children = {leaf, other};
        RowModel model({{"Name", false, false, {}}});
        model.setRows(std::vector<Row>{parent, other});
        const RowModel::ContentPtr all = model.content();
        auto named = [&](const char* name) {
            Arrangement how;
            how.keeps = [name](const Row& row) { return row.cells[0].text == name; };
            model.setContent(RowModel::arranged(all, how));
            return std::pair(model.rowCount(), model.rowCount(model.index(0, 0)));
        };
        QCOMPARE(named("leaf"), std::pair(1, 1));   // with the one above
        QCOMPARE(named("parent"), std::pair(1, 2)); // with those below
        QCOMPARE(named("other"), std::pair(2, 1));
        QCOMPARE(named("none"), std::pair(0, 0));
    }
    void rows_light_up_with_what_is_related() {
        RecordPtr view = sample();
        SelectionState selection;
        selection.setRecord(view);
        RowModel model(rows::kernelColumns());
        model.setSelection(&selection);
        model.setRows(rows::kernels(*view, *view->entry(0, 0)));
        QVERIFY(!model.strongestHighlight().isValid());
        selection.select({view->find("source:10")});
        QModelIndex forward = model.index(0, 0, model.index(0, 0));
        QCOMPARE(forward.data().toString(), "fused_cos");
        QCOMPARE(forward.data(RowModel::HighlightRole).toInt(), int(Highlight::Direct));
        QVERIFY(model.strongestHighlight().isValid());
    }
    void the_saved_table_gives_bytes_and_reason() {
        RecordPtr view = sample();
        auto saved = rows::saved(*view, *view->entry(0, 0));
        QCOMPARE(saved.size(), 1u);
        QCOMPARE(saved[0].cells[int(rows::SavedColumn::Name)].text, "primals_1");
        QCOMPARE(saved[0].cells[int(rows::SavedColumn::Bytes)].text, QString("1\u00a0KiB"));
        QVERIFY(!saved[0].cells[int(rows::SavedColumn::Reason)].text.isEmpty());
    }
    void only_changed_passes_can_be_listed() {
        RecordPtr view = sample();
        auto count = [&](bool only) {
            size_t passes = 0;
            for (const Row& stage : rows::passes(*view->entry(0, 0), only))
                passes += stage.children.size();
            return passes;
        };
        QCOMPARE(count(false), 3u);
        QCOMPARE(count(true), 2u);
    }
    void the_speed_up_is_against_eager() {
        std::vector<record::Run> runs(2);
        runs[0].backend = "eager";
        runs[0].us = 10;
        runs[1].backend = "inductor";
        runs[1].us = 4;
        auto table = rows::runs(runs, Measured(runs[0]));
        QCOMPARE(table[0].cells[int(rows::RunColumn::Speedup)].text, "");
        QCOMPARE(table[1].cells[int(rows::RunColumn::Speedup)].text, QString("2.50\u00d7"));
        QVERIFY(table[1].cells[int(rows::RunColumn::Speedup)].tone == Tone::Good);
    }
    void numbers_carry_units() {
        const QString space(QChar(0x00a0));
        QCOMPARE(format::bytes(0), "0" + space + "B");
        QCOMPARE(format::bytes(24 * 1024 + 32), format::bytes(24 * 1024)); // no "24.0" beside "24"
        QCOMPARE(format::bytes(1075), "1.05" + space + "KiB");
        QCOMPARE(format::bytes(1536), "1.50" + space + "KiB");
        QCOMPARE(format::bytes(64 << 20), "64" + space + "MiB");
        QCOMPARE(format::microseconds(0.85), "850" + space + "ns");
        QCOMPARE(format::microseconds(12.34), "12.3" + space + "µs");
        QCOMPARE(format::milliseconds(1200), "1.20" + space + "s");
        QCOMPARE(format::count(1234567), "1" + space + "234" + space + "567");
        QCOMPARE(format::count(-123), "-123");
        QCOMPARE(format::error(-1), "not measured");
        QCOMPARE(format::error(3.14e-7), "3.1e-07");
        QCOMPARE(format::shortOp("aten.mul.Tensor"), "mul");
    }
    void places_lead_from_items_to_the_record() {
        RecordPtr view = sample();
        ItemId node = view->find("backward/mul_1");
        QVERIFY(view->node(node));
        QCOMPARE(view->node(node)->name, "mul_1");
        QCOMPARE(view->kernel(view->kernelOf(view->find("backward/buffer/sin")))->name,
                 "fused_cos");
        QCOMPARE(view->place(view->find("source:9")).line, 8);
        QCOMPARE(view->find("no such key"), kNoItem);
        QVERIFY(!view->place(kNoItem).known());
    }
};

QTEST_GUILESS_MAIN(TestModels)
#include "test_models.moc"
