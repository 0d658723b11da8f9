// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement is shown as what it is of, and never stands for another text, size, device or
// number of threads.
#include "tests/views/window_fixture.h"
#include "views/models/format.h"
#include "views/models/rows.h"
#include "views/models/significance.h"
#include "views/panes/run/run_pane.h"
#include "views/widgets/item_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

namespace {

record::Run runOf(const char* backend, double us, const char* size = "tiny") {
    record::Run run;
    run.backend = backend;
    run.us = us;
    run.size = size;
    run.device = "cpu";
    run.threads = 2;
    run.textHash = record::textHash("text");
    return run;
}

/// Measures what is shown.
bool measure(const Fixture& f) {
    f.session()->run({{"eager", "inductor"}, 1, 0.1});
    return QTest::qWaitFor([&] { return !f.session()->isRunning(); });
}

void chooseSize(const Fixture& f, const char* size) {
    CompileOptions options = f.session()->options();
    options.size = size;
    f.session()->setOptions(options);
}

/// Opens the sample at size cpu; true while it is being measured.
bool startsToMeasure(Fixture& f) {
    if (!f.openAndWait()) return false;
    chooseSize(f, "cpu");
    if (!f.settled()) return false;
    f.session()->run({{"eager"}, 1, 0.1});
    return f.session()->isRunning();
}

record::Record savedBy(const Fixture& f) {
    const QString path = f.folder.filePath("saved.cutaway");
    if (!f.savesRecord(path)) qFatal("not saved");
    return record::open(path.toStdString()).value();
}

} // namespace

class TestMeasurements : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void only_what_was_measured_for_the_same_matches() {
        const Measured shown("tiny", "cpu", "text");
        QVERIFY(Measured(runOf("eager", 1)).matches(shown));
        QVERIFY(!Measured(runOf("eager", 1, "cpu")).matches(shown));
        QVERIFY(!Measured(runOf("eager", 1)).matches(Measured("tiny", "cuda", "text")));
        QVERIFY(!Measured(runOf("eager", 1)).matches(Measured("tiny", "cpu", "text ")));
        QVERIFY(!Measured(runOf("eager", 1)).matches(Measured("tiny", "cpu", "text", 4)));
        QVERIFY(Measured(runOf("eager", 1)).matches(Measured("tiny", "cpu", "text", 2)));
        record::Run cuda = runOf("eager", 1);
        cuda.device = "cuda:0";
        QVERIFY(Measured(cuda).matches(Measured("tiny", "cuda", "text")));
    }
    /// A script's function that was compiled for two calls: numbers are of the one that is shown.
    void numbers_of_one_call_do_not_stand_for_another() {
        record::Record record;
        record.functions.push_back({"Net", {}, {{}, {}, {}}});
        std::vector<record::Entry>& entries = record.functions[0].entries;
        entries[0].call = entries[1].call = 1;
        entries[1].backwardOf = 0; // is shown with the first
        entries[1].lowered.resize(1);
        entries[1].lowered[0].graph = "backward";
        entries[2].call = 21;
        const auto parts = RecordView(record).parts();
        QCOMPARE(parts.size(), size_t(2));
        QCOMPARE(parts[0].title, QString("Net, call 1 \u00b7 training"));
        QCOMPARE(parts[1].title, QString("Net, call 21"));

        record::Run run = runOf("eager", 1, "call 21");
        run.caseName = "two:Net";
        Measured shown({}, "cpu", "text");
        QVERIFY(!Measured(run).matches(shown));
        shown.setCall("Net", 21);
        QVERIFY(Measured(run).matches(shown));
        QCOMPARE(Measured(run).text(), QString("Net, call 21, cpu, threads: 2"));
        shown.setCall("Net", 1);
        QVERIFY(!Measured(run).matches(shown));
        shown.setCall("Other", 21);
        QVERIFY(!Measured(run).matches(shown));
        QVERIFY(Measured(run).ofScript().matches(shown.ofScript()));
    }
    void what_differs_is_named() {
        const Measured plain("tiny", "cpu", "text", 2),
            saved("tiny", "cpu", "text", 2, {"save cos"});
        QCOMPARE(plain.textBeside(plain), plain.text());
        QCOMPARE(plain.textBeside(saved), plain.text() + ", before it was decided: save cos");
        QVERIFY(saved.textBeside(plain).endsWith("decided: save cos, before that was taken back"));
        QVERIFY(plain.textBeside(Measured("tiny", "cpu", "another", 2)).endsWith("text changed"));
    }
    void rows_of_something_else_are_dimmed_and_give_no_speed_up() {
        const std::vector<record::Run> runs{runOf("eager", 10), runOf("inductor", 4),
                                            runOf("inductor", 1, "cpu")};
        const auto rows = rows::runs(runs, Measured("tiny", "cpu", "text"));
        const auto speedup = static_cast<size_t>(rows::RunColumn::Speedup);
        QVERIFY(!rows[0].dimmed && !rows[1].dimmed && rows[2].dimmed);
        QCOMPARE(rows[1].cells[speedup].text, QString("2.50\u00d7"));
        QCOMPARE(rows[2].cells[speedup].text, QString());
        QVERIFY(rows[2].cells[static_cast<size_t>(rows::RunColumn::Of)].text.contains("size cpu"));
        QVERIFY(rows::timings(
                    [] {
                        record::Run run = runOf("inductor", 4, "cpu");
                        run.kernels = {{"forward", "k", 0, 3, 100, 10}};
                        return run;
                    }(),
                    Measured("tiny", "cpu", "text"), nullptr)[0]
                    .dimmed);
    }
    void the_numbers_of_kernels_add_up() {
        record::Run run = runOf("inductor", 4);
        run.launches = 8;
        run.eagerLaunches = 1; // the sum that makes a loss of the outputs
        for (int i = 0; i < 7; ++i)
            run.kernels.push_back({"forward", "k", 0, 3, 100, 10});
        const Measured shown(run);
        const Cell cell =
            rows::runs({run}, shown)[0].cells[static_cast<size_t>(rows::RunColumn::Kernels)];
        QCOMPARE(cell.text, QString("7 + 1"));
        QVERIFY(cell.tooltip.contains("7 in compiled graphs"));
        const auto rows = rows::timings(run, shown, nullptr);
        QCOMPARE(rows.size(), 9u); // and what the call takes beside them, and the whole
        double sum = 0;
        for (size_t i = 0; i + 1 < rows.size(); ++i)
            sum += rows[i].cells[1].sort.toDouble();
        QCOMPARE(sum, rows.back().cells[1].sort.toDouble());
        QCOMPARE(sum, run.us);
        run.kernels.front().us = 4000; // as long as the time slice of another program
        const auto disturbed = rows::timings(run, shown, nullptr);
        QVERIFY(disturbed[7].cells[0].text.startsWith("disturbed"));
        for (const Row& row : disturbed)
            QCOMPARE(row.cells[2].text, QString());
    }
    void the_spread_of_calls_is_shown_and_decides() {
        auto around = [](const char* backend, double us, double noise) {
            record::Run run = runOf(backend, us);
            for (int i = -20; i <= 20; ++i)
                run.samples.push_back(us + noise * i / 20);
            return run;
        };
        const Measured shown("tiny", "cpu", "text");
        auto verdict = [&](double us, double noise) {
            const auto rows =
                rows::runs({around("eager", 10, noise), around("inductor", us, noise)}, shown);
            return rows[1].cells[static_cast<size_t>(rows::RunColumn::Verdict)].text;
        };
        QCOMPARE(verdict(4, 1), QString("faster, p < 0.001"));
        QCOMPARE(verdict(12, 1), QString("slower, p < 0.001"));
        QVERIFY2(verdict(9.7, 4).startsWith("no difference, p = "), qPrintable(verdict(9.7, 4)));
        QVERIFY(verdict(9.95, 0.001).startsWith("no difference")); // sure, but nothing
        // Half of the calls wait for a processor that others have: no test tells of such.
        auto disturbed = around("inductor", 20, 1);
        for (size_t i = 0; i < 15; ++i)
            disturbed.samples[i] = 5;
        QVERIFY(isUnsteady(disturbed) && !isUnsteady(around("eager", 10, 4)));
        record::Run busy = around("eager", 10, 4);
        busy.disturbed = true; // each call alike, and none its own
        QVERIFY(isUnsteady(busy));
        QVERIFY(compare(busy, around("inductor", 5, 4)).verdict == Verdict::Unsteady);
        QVERIFY(rows::runs({around("eager", 10, 1), disturbed}, shown)[1]
                    .cells[static_cast<size_t>(rows::RunColumn::Verdict)]
                    .text.startsWith("disturbed"));
        disturbed.kernels = {{"forward", "k", 0, 9, 100, 10}};
        QVERIFY(rows::timings(disturbed, shown, nullptr)[1].cells[0].text.startsWith("disturbed"));
        QCOMPARE(rows::timings(disturbed, shown, nullptr)[0].cells[4].tone, Tone::Warning);
        // Measured alone, it says so, too.
        for (const auto& run : {busy, disturbed})
            for (const auto& [row, spread] :
                 {std::pair(rows::runs({run}, shown)[0], size_t(rows::RunColumn::Spread)),
                  std::pair(rows::history({run}, -1, shown)[0], size_t(2))}) {
                QCOMPARE(row.cells[1].tone, Tone::Warning);
                QVERIFY(row.cells[1].tooltip.contains(run.disturbed ? "other programs had"
                                                                    : "half of the calls took"));
                QCOMPARE(row.cells[spread].tone, Tone::Warning);
                QVERIFY(row.cells[spread].tooltip.contains("measure again when nothing else runs"));
            }
        QVERIFY(rows::runs({busy}, shown)[0]
                    .cells[static_cast<size_t>(rows::RunColumn::Verdict)]
                    .text.startsWith("disturbed"));
        const Experiment one{shown, {}, {}};
        for (const auto& run : {disturbed, around("inductor", 10, 4)}) {
            const Cell call = rows::experiments({one}, {run}, shown)[0]
                                  .cells[static_cast<size_t>(rows::ExperimentColumn::Measured)];
            QCOMPARE(call.text.contains("disturbed"),
                     isUnsteady(run)); // it stands beside a prediction
        }
        const auto rows = rows::runs({around("eager", 10, 4)}, shown);
        const Cell time = rows[0].cells[static_cast<size_t>(rows::RunColumn::Time)];
        QVERIFY(time.low > 0 && time.low < time.bar && time.bar < time.high && time.high <= 1);
        QCOMPARE(rows[0].cells[static_cast<size_t>(rows::RunColumn::Spread)].sort.toDouble(), 0.2);
    }
    void ranks_are_compared_as_the_textbook_does() {
        // Hollander and Wolfe: 5 against 5 without overlap, z = (12.5 - 0.5) / sqrt(22.9)
        QVERIFY(std::abs(rankTest({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}) - 0.0122) < 1e-3);
        QCOMPARE(rankTest({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}), 1.0);
        QCOMPARE(rankTest({1}, {2}), 1.0);
    }
    void history_is_compared_with_a_chosen_measurement() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QVERIFY(measure(f) && measure(f));
        QCOMPARE(f.session()->runs().size(), 2u);
        QCOMPARE(f.session()->history().size(), 4u);
        auto* table = f.pane<RunPane>("run")->findChild<ItemView*>("historyTable");
        QCOMPARE(table->rowModel()->rowCount(), 4);
        for (int row : {2, 1}) { // by the keyboard alone
            table->setCurrentIndex(table->model()->index(row, 0));
            QTest::keyClick(table, Qt::Key_Return);
            const QModelIndex verdict =
                table->model()->index(row, static_cast<int>(rows::HistoryColumn::Verdict));
            QCOMPARE(verdict.data().toString(), QString("the baseline"));
        }
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        QVERIFY(f.session()->history().empty());
    }
    void times_of_one_size_are_not_saved_as_anothers_after_a_cancel() {
        Fixture f("slowRun");
        QVERIFY(f.openAndWait());
        QVERIFY(measure(f));
        QCOMPARE(savedBy(f).runs.size(), 2u);
        QCOMPARE(savedBy(f).runs[0].size, std::string("tiny"));
        chooseSize(f, "cpu");
        QVERIFY(f.settled());
        f.session()->run({{"eager"}, 1, 0.1});
        auto* running = f.pane<RunPane>("run")->findChild<QLabel*>("notice");
        QVERIFY2(running->text().contains("size tiny"), qPrintable(running->text()));
        f.session()->compileNow();
        QVERIFY(f.session()->compileWaits());
        QTest::qWait(50);
        f.session()->cancel();
        QTRY_VERIFY(!f.session()->isRunning());
        QCOMPARE(f.session()->runs().size(), 2u); // still to be seen, as what they are
        auto* pane = f.pane<RunPane>("run");
        const QString note = pane->findChild<QLabel*>("notice")->text();
        QVERIFY2(note.contains("cancelled") && note.contains("size tiny"), qPrintable(note));
        for (const record::Run& run : f.session()->runs())
            QVERIFY(!Measured(run).matches(f.session()->shown()));
        const record::Record saved = savedBy(f);
        QCOMPARE(saved.size, std::string("cpu"));
        QVERIFY(saved.runs.empty());
        QVERIFY(saved.checks.empty());
    }
    void what_a_call_was_counted_to_do_is_listed() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<RunPane>("run");
        auto* table = pane->findChild<ItemView*>("countTable");
        QCOMPARE(table->model()->rowCount(), 0);
        QVERIFY(!table->emptyText().isEmpty());
        QVERIFY(measure(f));
        pane->flush();
        QCOMPARE(table->model()->rowCount(), 2);
        QVERIFY(table->model()->index(0, 0).data().toString().contains("no counters here"));
        QCOMPARE(table->model()->index(1, 0).data().toString(), "page faults");
        QCOMPARE(table->model()->index(1, 2).data().toString(), "12");
    }
    void kernels_have_columns_for_what_was_counted_of_them() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<RunPane>("run");
        auto* table = pane->findChild<ItemView*>("timingTable");
        using rows::TimingColumn;
        const auto isHidden = [&](TimingColumn column) {
            return table->isColumnHidden(static_cast<int>(column));
        };
        QVERIFY(isHidden(TimingColumn::Instructions));
        QVERIFY(measure(f));
        pane->flush();
        for (const auto column : {TimingColumn::Instructions, TimingColumn::PerCycle,
                                  TimingColumn::CacheMisses, TimingColumn::PageFaults})
            QVERIFY(isHidden(column));
        f.session()->setText(f.session()->text() + "\n# counted\n");
        QVERIFY(f.settled());
        QVERIFY(measure(f));
        pane->flush();
        QVERIFY(!isHidden(TimingColumn::Instructions) && !isHidden(TimingColumn::PerCycle));
        QVERIFY(isHidden(TimingColumn::CacheMisses) && isHidden(TimingColumn::BranchMisses));
        QVERIFY(isHidden(TimingColumn::PageFaults)); // none of any kernel
        const auto text = [&](TimingColumn column) {
            return table->model()->index(0, static_cast<int>(column)).data().toString();
        };
        QCOMPARE(text(TimingColumn::Instructions), format::count(123456));
        QCOMPARE(text(TimingColumn::PerCycle), QLocale().toString(2.0, 'f', 2));
        QCOMPARE(text(TimingColumn::CacheMisses), QString());
    }
    void a_number_is_not_broken_at_its_point() {
        ItemView table({{"name", false, true, {}}, {"number", true, false, {}, "1"}}, "numbers");
        table.setWrapped(true);
        const auto heights = [&](const QString& text) {
            Row row;
            row.cells = {{text, {}}, {text, 1.0}};
            table.setRows(std::vector<Row>{row});
            for (int column : {0, 1})
                table.header()->resizeSection(column, 60);
            return std::pair(table.sizeHintForIndex(table.model()->index(0, 0)).height(),
                             table.sizeHintForIndex(table.model()->index(0, 1)).height());
        };
        const auto [name, number] = heights("1");
        const auto [longName, longNumber] = heights("1234567.1234567");
        QVERIFY(longName > name); // names are, at their joints
        QCOMPARE(longNumber, number);
    }
    void both_backends_are_seen_in_a_small_window() {
        Fixture f;
        f.window->resize(900, 600);
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<RunPane>("run");
        QVERIFY(measure(f));
        pane->flush();
        auto* table = pane->findChild<ItemView*>("runTable");
        auto row = [&](int at) { return table->visualRect(table->model()->index(at, 0)); };
        QTRY_VERIFY(row(1).isValid() && row(1).bottom() <= table->viewport()->height());
        // What is drawn at the foot of a time has a place of its own under the digits.
        table->setRows({});
        const int usual = [&] {
            Row plain;
            plain.cells.resize(static_cast<size_t>(table->model()->columnCount()));
            table->setRows(std::vector<Row>{plain});
            return row(0).height();
        }();
        Row spread;
        spread.cells.resize(static_cast<size_t>(table->model()->columnCount()));
        spread.cells[1] = {"5 µs", 5, 0.5, Tone::Normal, {}};
        spread.cells[1].low = 0.4;
        spread.cells[1].high = 0.6;
        table->setRows(std::vector<Row>{spread});
        QCOMPARE(row(0).height(), usual + 12);
    }
    void the_pane_says_what_its_rows_are_of() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<RunPane>("run");
        QVERIFY(measure(f));
        auto* note = pane->findChild<QLabel*>("notice");
        auto* table = pane->findChild<ItemView*>("runTable");
        auto dimmed = [&] {
            return table->rowModel()->row(table->rowModel()->index(0, 0))->dimmed;
        };
        pane->flush();
        QVERIFY2(note->text().isEmpty(), qPrintable(note->text()));
        QVERIFY(!dimmed());
        pane->findChild<QSpinBox*>()->setValue(3);
        QVERIFY(dimmed());
        QVERIFY(note->text().contains("threads: 1"));
        pane->findChild<QSpinBox*>()->setValue(0);
        QVERIFY(!dimmed());
        f.session()->setText(f.session()->text() + "# more\n");
        pane->flush();
        QVERIFY(dimmed());
        QVERIFY(note->text().contains("before the text changed"));
    }
    void an_edit_does_not_wait_for_a_measurement() {
        Fixture f("slowRun");
        QVERIFY(startsToMeasure(f));
        f.session()->setText(f.session()->text() + "# more\n");
        QVERIFY(f.settled());
        QVERIFY(!f.session()->isStale());
        QVERIFY(!f.session()->isRunning());
        auto* note = f.pane<RunPane>("run")->findChild<QLabel*>("notice");
        QVERIFY2(note->text().contains("the text changed"), qPrintable(note->text()));
    }
    void what_compiles_nothing_is_not_measured_data() {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("reason");
        QTest::newRow("an error") << "wrong" << "does not compile";
        QTest::newRow("nothing to compile") << "# nothing" << "compiles nothing";
    }
    void what_compiles_nothing_is_not_measured() {
        QFETCH(QString, more);
        QFETCH(QString, reason);
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<RunPane>("run");
        auto* button = pane->findChild<QPushButton*>("primary");
        auto* times = f.window->findChild<QLabel*>("times");
        QAction* command = f.action("Measure");
        const QString good = f.session()->text();
        QVERIFY(button->isEnabled() && command->isEnabled() && times->isEnabled());
        f.session()->setText(good + more);
        QVERIFY(f.settled());
        pane->flush();
        QVERIFY(!button->isEnabled() && !command->isEnabled());
        QVERIFY2(button->toolTip().contains(reason), qPrintable(button->toolTip()));
        QVERIFY2(command->toolTip().contains(reason), qPrintable(command->toolTip()));
        QVERIFY(!times->isEnabled()); // dimmed: they are of the text before
        QVERIFY2(times->toolTip().startsWith("Of an earlier text"), qPrintable(times->toolTip()));
        f.session()->run({{"eager"}, 1, 0.1});
        QVERIFY(!f.session()->isRunning());
        f.session()->setText(good);
        QVERIFY(f.settled());
        pane->flush();
        QVERIFY(button->isEnabled() && command->isEnabled() && times->isEnabled());
    }
    void what_was_measured_for_another_document_is_dropped() {
        Fixture f("slowRun");
        QVERIFY(startsToMeasure(f));
        QVERIFY(f.openAndWait(f.write("other.py", "x = 1\n")));
        QVERIFY(!f.session()->isRunning());
        QVERIFY(f.session()->runs().empty());
        QVERIFY(f.session()->runProblem().isEmpty());
    }
    /// Rows come before the comparison with double precision, and stay when it is given up.
    void rows_are_there_before_all_is_done() {
        Fixture f("rows");
        QVERIFY(f.openAndWait());
        QVERIFY(measure(f));                                // tiny
        QCOMPARE(f.session()->history().size(), size_t{2}); // not once more for what came before
        QVERIFY(f.session()->missingRuns().isEmpty());      // the answer tells of none
        chooseSize(f, "cpu");
        QVERIFY(f.settled());
        auto* pane = f.pane<RunPane>("run");
        f.session()->run({{"eager", "aot_eager", "inductor"}, 1, 0.1});
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->runsOfShown().empty(); }));
        QVERIFY(f.session()->isRunning());
        QCOMPARE(f.session()->runs().size(), size_t{2});
        QVERIFY(f.session()->checks().empty());
        f.session()->cancel();
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isRunning(); }));
        QCOMPARE(f.session()->runProblem(), QString("cancelled"));
        QCOMPARE(f.session()->runs().size(), size_t{2});
        QCOMPARE(f.session()->history().size(), size_t{4});
        pane->flush();
        const QString note = pane->findChild<QLabel*>("notice")->text();
        QVERIFY2(note.contains("The rows below were measured before that.") &&
                     note.contains("Not measured: aot_eager: ") && note.contains("no such thing"),
                 qPrintable(note));
    }
    void measured_kernels_lead_to_what_they_compute() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QVERIFY(measure(f));
        const record::Run& run = f.session()->runs().at(1);
        const record::Entry* entry = f.session()->currentEntry();
        const Row linked = rows::timings(run, f.session()->shown(), entry)[0];
        QCOMPARE(linked.items, std::vector<ItemId>{entry->lowered[0].kernels[0].item});
        QCOMPARE(linked.cells[0].tone, Tone::Normal);
        record::Run other = run;
        other.kernels[0].kernel = "another";
        for (const record::Run& one : {other, runOf("inductor", 4, "cpu")}) {
            record::Run timed = one;
            timed.kernels = other.kernels;
            const Row row = rows::timings(timed, f.session()->shown(), entry)[0];
            QVERIFY(row.items.empty());
            QCOMPARE(row.cells[0].tone, Tone::Muted);
            QVERIFY(row.cells[0].tooltip.contains("leads nowhere: "));
        }
        // In the window: a click selects.
        auto* pane = f.pane<RunPane>("run");
        auto* table = pane->findChild<ItemView*>("timingTable");
        QVERIFY(table);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 0)).center());
        QCOMPARE(f.window->selection()->items(), linked.items);
    }
    void measurements_of_older_records_are_of_the_record() {
        record::Record old = testing::doubleCosineRecord();
        record::Run run = runOf("inductor", 4);
        run.textHash.clear();
        old.runs = {run};
        old.checks = {{"output 0", 1e-7, 2e-7, 1e-6, true}};
        Fixture f;
        const QString path = f.folder.filePath("old.cutaway");
        QVERIFY(record::save(old, path.toStdString()).ok());
        QVERIFY(f.openAndWait(path));
        QVERIFY(Measured(f.session()->runs()[0]).matches(f.session()->shown()));
        QVERIFY(Measured(f.session()->checks()[0]).matches(f.session()->shown()));
        QCOMPARE(savedBy(f).runs.size(), 1u);
    }
};

QTEST_MAIN(TestMeasurements)
#include "test_measurements.moc"
