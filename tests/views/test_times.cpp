// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements drawn: what follows what in a call and in a compilation, kernels below the roofline.
#include "core/record/chrome_trace.h"
#include "tests/views/sample_record.h"
#include "tests/views/window_fixture.h"
#include "views/models/format.h"
#include "views/models/kernel_chain.h"
#include "views/models/roofline.h"
#include "views/models/timeline.h"
#include "views/models/trace_file.h"
#include "views/panes/times/curve_chart.h"
#include "views/panes/times/roofline_chart.h"
#include "views/panes/times/times_pane.h"
#include "views/widgets/timeline_view.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

namespace {

record::Run measuredRun(double us) {
    record::Run run;
    run.backend = "inductor";
    run.us = us;
    run.kernels = {{"forward", "fused_cos", record::kNoItem, 2, 4000, 1000},
                   {"backward", "fused_neg", record::kNoItem, 3, 1000, 8000}};
    return run;
}

} // namespace

class TestTimes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kernels_follow_each_other_and_sum_to_the_call() {
        const record::Record record = testing::doubleCosineRecord();
        const record::Entry& entry = record.functions[0].entries[0];
        const Timeline line = callTimeline(measuredRun(9), entry);
        QCOMPARE(line.lanes, (QStringList{"forward", "backward", "the rest"}));
        QCOMPARE(line.spans.size(), size_t(3));
        double at = 0;
        for (const Span& span : line.spans) {
            QCOMPARE(span.begin, at);
            at += span.us;
        }
        QCOMPARE(at, 9.0);
        QCOMPARE(line.us, 9.0);
        QCOMPARE(line.spans[0].item, entry.lowered[0].kernels[0].item);
        QVERIFY(line.spans[2].kind == Span::Kind::Rest);
        const Timeline over = callTimeline(measuredRun(4), entry); // timed alone they take longer
        QCOMPARE(over.spans.size(), size_t(2));
        QCOMPARE(over.us, 5.0);
        QVERIFY(over.note != line.note);
    }
    void every_thread_has_a_lane_of_what_it_computed() {
        const RecordView view(testing::doubleCosineRecord());
        const record::Entry& entry = *view.entry(0, 0);
        record::Run run = measuredRun(9);
        run.kernels[0].threads = {{0, 0, 1.5}, {1, 0.5, 0.5}};
        run.kernels[1].threads = {{0, 0, 3}, {1, 2, 9}}; // no longer than its kernel is drawn
        const Timeline line = callTimeline(run, entry);
        QCOMPARE(line.lanes,
                 (QStringList{"forward", "backward", "the rest", "thread 0", "thread 1"}));
        const Timeline flame = flameGraph(run, view, entry);
        QCOMPARE(flame.lanes.mid(3), (QStringList{"kernel", "thread 0", "thread 1"}));
        for (const Timeline& one : {line, flame}) {
            std::vector<std::tuple<int, double, double, ItemId>> parts;
            for (const Span& span : one.spans)
                if (one.lanes[span.lane].startsWith("thread"))
                    parts.emplace_back(one.lanes[span.lane].back().digitValue(), span.begin,
                                       span.us, span.item);
            const ItemId cos = kernelItem(entry, "forward", "fused_cos"),
                         neg = kernelItem(entry, "backward", "fused_neg");
            QCOMPARE(parts,
                     (decltype(parts){
                         {0, 0, 1.5, cos}, {1, 0.5, 0.5, cos}, {0, 2, 3, neg}, {1, 4, 1, neg}}));
            QVERIFY(one.note.contains("waits"));
        }
        run.kernels[0].threads = {{0, 0, 2}}, run.kernels[1].threads = {{0, 0, 3}};
        QCOMPARE(callTimeline(run, entry).lanes.size(), 3); // one thread is the kernels' own lane
    }
    void kernels_of_a_gpu_stand_in_the_lane_of_its_stream() {
        record::Record record = testing::doubleCosineRecord();
        record::Entry& entry = record.functions[0].entries[0];
        const ItemId cos = kernelItem(entry, "forward", "fused_cos");
        for (record::LoweredGraph& graph : entry.lowered)
            for (record::KernelInfo& kernel : graph.kernels)
                if (kernel.item == cos) kernel.device = "cuda:0";
        const Timeline line = callTimeline(measuredRun(9), entry);
        QCOMPARE(line.lanes, (QStringList{"forward", "backward", "the rest", "cuda:0, stream"}));
        QCOMPARE(line.spans.back().lane, 3);
        QCOMPARE(line.spans.back().item, cos);
        QCOMPARE(line.spans.back().begin, line.spans[0].begin);
    }
    void a_flame_graph_holds_each_part_in_its_whole() {
        const RecordView view(testing::doubleCosineRecord());
        const record::Entry& entry = *view.entry(0, 0);
        const Timeline flame = flameGraph(measuredRun(9), view, entry);
        QCOMPARE(flame.lanes.size(), 4);
        std::vector<double> sums(4);
        for (const Span& span : flame.spans) {
            QVERIFY(span.us > 0);
            sums[size_t(span.lane)] += span.us;
            if (span.lane == 0) continue;
            const bool held = std::ranges::any_of(flame.spans, [&](const Span& above) {
                return above.lane == span.lane - 1 && above.begin <= span.begin &&
                       above.begin + above.us >= span.begin + span.us;
            });
            QVERIFY2(held, qPrintable(span.name));
        }
        QCOMPARE(sums[0], 9.0); // the call
        QCOMPARE(sums[1], 9.0); // forward, backward, the rest
        QCOMPARE(sums[2], 5.0);
        QCOMPARE(sums[3], 5.0);
        for (const Span& span : flame.spans)
            if (span.kind == Span::Kind::Lines && span.begin == 0) {
                QCOMPARE(view.key(span.item), QString("source:9"));
                QVERIFY2(span.name.contains("10"), qPrintable(span.name)); // of both cosines
            }
    }
    void an_arrow_leads_from_eager_to_compiled() {
        record::Run compiled = measuredRun(9), eager = measuredRun(30);
        compiled.bytesMoved = 5000;
        eager.backend = "eager";
        eager.kernels.clear();
        eager.bytesMoved = 20000;
        const auto arrow = rooflineArrow({eager, compiled}, compiled);
        QVERIFY(arrow);
        QCOMPARE(arrow->eager.intensity, 9000.0 / 20000);
        QCOMPARE(arrow->compiled.intensity, 9000.0 / 5000);
        QCOMPARE(arrow->eager.flopsPerSecond, 9000 / 30e-6);
        QVERIFY(arrow->compiled.flopsPerSecond > arrow->eager.flopsPerSecond);
        eager.size = "another";
        QVERIFY(!rooflineArrow({eager, compiled}, compiled));
        RooflineChart chart;
        chart.resize(400, 300);
        chart.setArrow(arrow);
        QVERIFY(chart.placeOf(arrow->eager).x() < chart.placeOf(arrow->compiled).x());
        QVERIFY(chart.rect().contains(chart.placeOf(arrow->eager).toPoint()));
    }
    void passes_stand_within_their_stage() {
        record::Entry entry;
        entry.times = {{"captured", 1}, {"decompose", 2}, {"passes", 4}, {"partition", 1}};
        auto pass = [](const char* stage, const char* name, double ms) {
            record::PassRun run;
            run.stage = stage;
            run.pass = name;
            run.ms = ms;
            return run;
        };
        entry.passes = {pass("captured", "a", 0.5), pass("joint", "b", 1), pass("joint", "c", 2)};
        const Timeline line = compileTimeline(entry);
        QCOMPARE(line.us, 8000.0);
        auto begins = [&](const char* name) {
            for (const Span& span : line.spans)
                if (span.name == name) return span.begin;
            return -1.0;
        };
        QCOMPARE(begins("a"), 1000.0);
        QCOMPARE(begins("b"), 3000.0);
        QCOMPARE(begins("c"), 4000.0);
        entry.passes[2].ms = 9; // more than its stage took: of something else
        QCOMPARE(compileTimeline(entry).spans.size(), size_t(5));
    }
    void kernels_are_compared_with_what_the_machine_does() {
        const record::Record record = testing::doubleCosineRecord();
        const auto points = rooflinePoints(measuredRun(9), record.functions[0].entries[0]);
        QCOMPARE(points.size(), size_t(2));
        QCOMPARE(points[0].intensity, 0.25);
        QCOMPARE(points[0].flopsPerSecond, 5e8);
        QCOMPARE(points[1].intensity, 8.0);
        record::Run machine;
        machine.kernels = {{"forward", "add", record::kNoItem, 1e4, 100000000, 1e7},
                           {"forward", "mm", record::kNoItem, 1e4, 1000000, 4e8}};
        const auto most = ceilingsOf(machine);
        QVERIFY(most.has_value());
        QCOMPARE(most->bytesPerSecond, 1e10);
        QCOMPARE(most->flopsPerSecond, 4e10);
        QCOMPARE(most->attainable(0.25), 2.5e9); // below the memory
        QCOMPARE(most->attainable(8), 4e10);     // below the arithmetic
        QVERIFY(explained(points[0], *most).contains("20 % of what the memory allows"));
        QVERIFY(explained(points[1], *most).contains("of what the arithmetic allows"));
        QVERIFY(!ceilingsOf(record::Run()).has_value());
    }
    void no_name_lies_on_another_or_on_a_dot() {
        RooflineChart chart;
        chart.resize(500, 360);
        Ceilings ceilings;
        ceilings.bytesPerSecond = 1e10, ceilings.flopsPerSecond = 4e10;
        std::vector<RooflinePoint> points;
        for (int i = 0; i < 12; ++i) {
            RooflinePoint point;
            point.kernel = QString("fused_kernel_%1").arg(i);
            point.intensity = 1 + 0.2 * (i % 4);
            point.flopsPerSecond = 1e9 * (1 + i / 4); // NOLINT(bugprone-integer-division)
            points.push_back(point);
        }
        for (double intensity : {0.11, 0.13}) { // at the axis, the second beside the first
            points.push_back(points.front());
            points.back().intensity = intensity;
        }
        chart.setPoints(points, ceilings, false);
        chart.grab();
        const std::vector<QRectF>& names = chart.names();
        QVERIFY(names.size() >= 3);
        for (size_t i = 0; i < names.size(); ++i) {
            QVERIFY(QRectF(chart.rect()).contains(names[i]));
            QVERIFY(names[i].left() >= chart.plot().left()); // the numbers of the axis
            for (size_t j = 0; j < i; ++j)
                QVERIFY(!names[i].intersects(names[j]));
            for (const RooflinePoint& point : points)
                QVERIFY(!names[i].contains(chart.placeOf(point)));
        }
    }
    void from_a_slow_kernel_back_to_its_causes_and_to_what_is_faster() {
        Fixture f;
        f.window->resize(1280, 1000);
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<TimesPane>("times");
        f.session()->run({{"eager", "inductor"}, 1, 0.1});
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isRunning(); }));
        QVERIFY(pane->chain()->isHidden()); // nothing is selected
        const ItemId kernel = f.session()->currentEntry()->lowered.at(0).kernels.at(0).item;
        f.window->selection()->select({kernel});
        QTRY_VERIFY(pane->chain()->isVisible());
        pane->tabs()->setCurrentIndex(2); // the compilation is about something else
        QVERIFY(pane->chain()->isHidden());
        pane->tabs()->setCurrentIndex(0);
        QVERIFY(pane->chain()->isVisible());
        const auto step = [&](const QString& with) {
            const QStringList all = pane->chain()->text().split(" ← ");
            for (const QString& one : all)
                if (one.contains(with)) return one;
            return all.join('|');
        };
        QVERIFY2(step("of the kernels").startsWith(format::microseconds(4) + ", 100"),
                 qPrintable(step("of the")));
        QVERIFY(step("kernel fused_cos").contains("href"));
        QVERIFY2(step("line ").contains("href"), qPrintable(step("line ")));
        const auto follow = [&](const QString& with) {
            const QString link = step(with).section("href='", 1).section('\'', 0, 0);
            emit pane->chain()->linkActivated(link);
        };
        follow("time its other");
        QVERIFY(f.session()->isTiming());
        QTRY_VERIFY(
            step("takes").contains(QString("vector 16, threads 2 takes %1 instead of %2")
                                       .arg(format::microseconds(1.5), format::microseconds(2.5))));
        follow("takes");
        QCOMPARE(f.session()->options().decisions,
                 QStringList("schedule forward/fused_cos=elements: vector 16, threads 2"));
        QVERIFY(f.settled());
        f.window->selection()->select({kernel});
        pane->flush();
        QVERIFY(pane->chain()->isHidden()); // the times are of what was not decided yet
    }
    void schedules_that_were_timed_beside_other_programs_are_said_to_be() {
        const RecordView view(testing::doubleCosineRecord());
        const record::LoweredGraph& lowered = view.entry(0, 0)->lowered.at(0);
        record::Run run;
        run.us = 10;
        run.kernels = {{lowered.graph, lowered.kernels.at(0).name, 0, 5, 100, 10}};
        const auto last = [&](bool disturbed) {
            return kernelChain(view, lowered.kernels[0].item, run,
                               [&](const std::string&, const std::string&, const std::string&) {
                                   ScheduleTime time;
                                   time.us = disturbed ? 5 : 0;
                                   time.disturbed = disturbed;
                                   return time;
                               })
                .back();
        };
        QVERIFY2(last(false).text.startsWith("time its other"), qPrintable(last(false).text));
        QVERIFY2(last(true).text.contains("other programs"), qPrintable(last(true).text));
        QVERIFY(last(true).times);
    }
    void the_pane_draws_what_was_measured_and_selects() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<TimesPane>("times");
        QVERIFY(pane->call()->timeline().spans.empty());
        QVERIFY(!pane->compilation()->timeline().spans.empty());
        f.session()->run({{"eager", "inductor"}, 1, 0.1});
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isRunning(); }));
        const Timeline& line = pane->call()->timeline();
        QTRY_VERIFY(!line.spans.empty());
        pane->call()->grab();
        const Span kernel = line.spans.front();
        QVERIFY(kernel.item != kNoItem);
        QTest::mouseClick(pane->call(), Qt::LeftButton, {},
                          pane->call()->rectOf(kernel).center().toPoint());
        QCOMPARE(f.window->selection()->items(), std::vector<ItemId>{kernel.item});
        pane->tabs()->setCurrentIndex(2);
        QVERIFY(!pane->roofline()->ceilings().known());
        QPushButton* measure = nullptr;
        for (QPushButton* button : pane->findChildren<QPushButton*>())
            if (button->text() == "Measure the machine") measure = button;
        QVERIFY(measure);
        QVERIFY(measure->isEnabled());
        measure->click();
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isMeasuringMachine(); }));
        QVERIFY(pane->roofline()->ceilings().known());
        QVERIFY(!pane->roofline()->points().empty());
        pane->roofline()->grab();
        f.window->selection()->clear();
        const RooflinePoint point = pane->roofline()->points().front();
        QTest::mouseClick(pane->roofline(), Qt::LeftButton, {},
                          pane->roofline()->placeOf(point).toPoint());
        QCOMPARE(f.window->selection()->items(), std::vector<ItemId>{point.item});
    }
    void measurements_that_differ_in_one_thing_are_a_curve() {
        auto run = [](const char* backend, int threads, const char* size, double us) {
            record::Run made = measuredRun(us);
            made.backend = backend;
            made.threads = threads;
            made.size = size;
            made.device = "cpu";
            made.textHash = record::textHash("text");
            return made;
        };
        std::vector<record::Run> history{
            run("eager", 1, "tiny", 9),   run("eager", 4, "tiny", 3),
            run("eager", 2, "tiny", 5),   run("inductor", 1, "tiny", 4),
            run("eager", 2, "large", 50), run("eager", 1, "tiny", 8)};
        history.push_back(run("eager", 8, "tiny", 1));
        history.back().textHash = "another text";
        const Measured shown("tiny", "cpu", "text");
        const Curves threads = curvesOf(history, shown, SweepOver::Threads, {});
        QCOMPARE(threads.places, (QStringList{"1", "2", "4"}));
        QCOMPARE(threads.curves.size(), size_t(2));
        QCOMPARE(threads.curves[0].backend, QString("eager"));
        QCOMPARE(threads.curves[0].points.size(), size_t(3));
        QCOMPARE(threads.curves[0].points[0].us, 8.0); // the newest
        QCOMPARE(threads.curves[0].points[2].us, 3.0);
        const Curves sizes = curvesOf(history, Measured("tiny", "cpu", "text", 2), SweepOver::Sizes,
                                      {"large", "tiny"});
        QCOMPARE(sizes.places, (QStringList{"large", "tiny"}));
        QVERIFY2(sizes.across.startsWith("size, each with "), qPrintable(sizes.across));
        QVERIFY2(!sizes.across.contains("size tiny"), qPrintable(sizes.across));
        QCOMPARE(sizes.curves[0].points[0].us, 50.0);
        QCOMPARE(threadSteps(6), (std::vector<int>{1, 2, 4, 6}));
        QCOMPARE(threadSteps(1), std::vector<int>{1});
    }
    void a_sweep_measures_every_size_and_comes_back() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<TimesPane>("times");
        pane->tabs()->setCurrentIndex(3);
        const QString before = f.session()->options().size;
        const QStringList sizes = f.session()->sizes();
        QVERIFY(sizes.size() > 1);
        pane->sweep(SweepOver::Sizes);
        QVERIFY(pane->isSweeping());
        QVERIFY(QTest::qWaitFor([&] { return !pane->isSweeping(); }, 20000));
        QVERIFY(f.settled());
        QCOMPARE(f.session()->options().size, before);
        QCOMPARE(pane->curves()->curves().places, sizes);
        QCOMPARE(pane->curves()->curves().curves.size(), size_t(2));
        pane->curves()->grab();
        pane->sweep(SweepOver::Threads);
        QVERIFY(QTest::qWaitFor([&] { return !pane->isSweeping(); }, 20000));
        QCOMPARE(pane->curves()->curves().places, QStringList{"1"}); // as many as the engine has
    }
    void what_ends_a_sweep_is_told_and_so_is_what_a_call_was_measured_with() {
        Fixture f("slowRun"); // of the second size there is no end
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<TimesPane>("times");
        auto says = [&](const QString& text) {
            pane->flush();
            for (const QLabel* label : pane->findChildren<QLabel*>())
                if (label->text().contains(text)) return true;
            return false;
        };
        f.session()->run({{"eager", "inductor"}, 1, 0.1});
        QTRY_VERIFY(!f.session()->isRunning());
        QVERIFY(says("Measured with size tiny, cpu, threads: 1"));
        pane->sweep(SweepOver::Sizes);
        QTRY_VERIFY(f.session()->isRunning() && f.session()->options().size == "cpu");
        QVERIFY(says("Size cpu: 2 of"));
        QVERIFY(!says("The sweep ended early"));
        f.session()->setText(f.session()->text() + "# another\n");
        QTRY_VERIFY(!pane->isSweeping());
        QVERIFY(says("The sweep ended early: the text changed meanwhile"));
        QVERIFY(says("before the text changed"));
    }
    void what_is_said_of_a_sweep_goes_with_its_text() {
        Fixture f("slowRun");
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<TimesPane>("times");
        auto said = [&] {
            for (const QLabel* label : pane->findChildren<QLabel*>())
                if (label->text().startsWith("Cancelled within")) return true;
            return false;
        };
        pane->sweep(SweepOver::Sizes);
        QTRY_VERIFY(f.session()->isRunning() && f.session()->options().size == "cpu");
        for (QPushButton* button : pane->findChildren<QPushButton*>())
            if (button->text() == "Cancel") button->click();
        QTRY_VERIFY(!pane->isSweeping());
        QVERIFY(said());
        f.session()->setText(f.session()->text() + "# another\n");
        QVERIFY(!said());
    }
    void every_drawing_says_what_it_is_of() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<TimesPane>("times");
        f.session()->run({{"eager", "inductor"}, 1, 0.1});
        QTRY_VERIFY(!f.session()->isRunning());
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        for (int tab : {0, 1, 3}) { // a call, flame graph, roofline
            pane->tabs()->setCurrentIndex(tab);
            pane->flush();
            bool told = false;
            for (const QLabel* label : pane->tabs()->widget(tab)->findChildren<QLabel*>())
                told = told || label->text().contains("before it was decided: save cos");
            QVERIFY2(told, qPrintable(pane->tabs()->tabText(tab)));
        }
    }
    void a_trace_has_a_lane_for_each_thread_and_depth() {
        const QByteArray text =
            R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "names": [1]}],
            "traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 7, "tid": 0, "args": {"name": "python"}},
            {"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "main"}},
            {"ph": "X", "name": "aten::cos", "pid": 7, "tid": 1, "ts": 105.5, "dur": 2,
             "args": {"name": "not a thread", "dims": [[1, 2], []], "more": {"ts": 1}}},
            {"ph": "X", "name": "call", "pid": 7, "tid": 1, "ts": 100, "dur": 20},
            {"ph": "B", "name": "outer", "pid": 7, "tid": "stream 7", "ts": 110},
            {"ph": "B", "name": "fused_cos", "pid": 7, "tid": "stream 7", "ts": 111},
            {"ph": "E", "pid": 7, "tid": "stream 7", "ts": 114},
            {"ph": "E", "pid": 7, "tid": "stream 7", "ts": 130},
            {"ph": "i", "name": "instant", "pid": 7, "tid": 1, "ts": 1}], "traceName": "t"})";
        auto line = readTrace(text, "t.json");
        QVERIFY2(line, line ? "" : line.error().message.c_str());
        QCOMPARE(line->lanes, (QStringList{"python · main", "", "python · stream 7", ""}));
        QCOMPARE(line->spans.size(), size_t(4));
        const auto span = [&](const QString& name) {
            return *std::ranges::find(line->spans, name, &Span::name);
        };
        QCOMPARE(span("call").lane, 0);
        QCOMPARE(span("call").begin, 0.0); // the first
        QCOMPARE(span("aten::cos").lane, 1);
        QCOMPARE(span("aten::cos").begin, 5.5);
        QCOMPARE(span("outer").lane, 2);
        QCOMPARE(span("outer").us, 20.0);
        QCOMPARE(span("fused_cos").lane, 3);
        QCOMPARE(span("fused_cos").us, 3.0);
        QCOMPARE(line->us, 30.0);
        const record::Record record = testing::doubleCosineRecord();
        const record::Entry& entry = record.functions[0].entries[0];
        QCOMPARE(linkKernels(*line, entry), 1);
        QCOMPARE(span("fused_cos").item, kernelItem(entry, "forward", "fused_cos"));
        line->lanes[2] = "python · backward"; // a kernel of the same name
        linkKernels(*line, entry);
        QCOMPARE(span("fused_cos").item, kernelItem(entry, "backward", "fused_cos"));
        QVERIFY(kernelItem(entry, "backward", "fused_cos") != kNoItem);
        // A list of events alone is a trace, too.
        const auto list =
            readTrace(R"([{"ph":"X","name":"a","pid":1,"tid":2,"ts":3,"dur":4}])", "l");
        QVERIFY(list && list->spans.size() == 1 && list->us == 4);
    }
    void what_is_no_trace_says_so_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no JSON") << QByteArray("\x1f\x8bx")
                                 << "x.json is no JSON: wrong at byte 1 ";
        QTest::newRow("no events") << QByteArray("{}") << "x.json holds no slices";
        QTest::newRow("cut") << QByteArray(R"({"traceEvents": [{"ph": "X", "ts": 1)")
                             << "x.json is no JSON";
    }
    void what_is_no_trace_says_so() {
        QFETCH(QByteArray, text);
        QFETCH(QString, said);
        const auto line = readTrace(text, "x.json");
        QVERIFY(!line);
        QVERIFY2(QString::fromStdString(line.error().message).startsWith(said),
                 line.error().message.c_str());
    }
    void our_own_trace_opens_and_leads_to_kernels() {
        record::Record record = testing::doubleCosineRecord();
        record.runs = {measuredRun(9)};
        QTemporaryDir folder;
        const QString path = folder.filePath("own.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(record::chromeTrace(record)));
        file.close();
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<TimesPane>("times");
        pane->openTrace(path);
        QVERIFY(QTest::qWaitFor([&] { return pane->isSettled(); }));
        const Timeline& line = pane->trace()->timeline();
        QVERIFY(line.spans.size() > 4);
        const auto kernel = std::ranges::find(line.spans, QString("fused_cos"), &Span::name);
        QVERIFY(kernel != line.spans.end() && kernel->item != kNoItem);
        pane->trace()->grab();
        QTest::mouseClick(pane->trace(), Qt::LeftButton, {},
                          pane->trace()->rectOf(*kernel).center().toPoint());
        QCOMPARE(f.window->selection()->items(), std::vector<ItemId>{kernel->item});
        pane->trace()->setFocus();
        f.action("Find in text…")->trigger(); // where the keyboard is
        QLineEdit* field = pane->searchField();
        QVERIFY(field && field->hasFocus());
        QTest::keyClicks(field, "FUSED_COS");
        const auto found = pane->trace()->find("fused_cos");
        QVERIFY(found.count >= 1 && found.us >= kernel->us);
        QVERIFY(pane->trace()->find("no such").count == 0 && !pane->trace()->goToFound(true));
        pane->trace()->find("fused_cos");
        const QRectF before = pane->trace()->rectOf(*kernel);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(pane->trace()->rectOf(*kernel).width() > before.width()); // it can be read
        field->clear();
        const QString script = f.window->session()->path(); // as any other file is opened
        QVERIFY(f.window->openFile(path));
        QVERIFY(QTest::qWaitFor([&] { return pane->isSettled(); }));
        QCOMPARE(f.window->session()->path(), script);
        QVERIFY(pane->isVisible() && !pane->trace()->timeline().spans.empty());
        pane->openTrace(folder.filePath("gone.json")); // what was open stays
        QVERIFY(QTest::qWaitFor([&] { return pane->isSettled(); }));
        QVERIFY(!pane->trace()->timeline().spans.empty());
    }
    void what_shares_a_pixel_is_drawn_once_and_hides_nothing_longer() {
        Timeline line;
        line.lanes << "a";
        for (int i = 0; i < 100000; ++i) // a long one begins in the pixel of short ones
            line.spans.push_back({i == 50000 ? "long" : "short", 0,
                                  double(i) + (i > 50000 ? 20000 : 0), i == 50000 ? 20000.0 : 0.5,
                                  kNoItem, Span::Kind::Slice});
        line.us = 120000;
        TimelineView view;
        view.resize(800, 80);
        view.setTimeline(line, false);
        QElapsedTimer timer;
        timer.start();
        const QImage picture = view.grab().toImage();
        QVERIFY2(timer.elapsed() < 200, qPrintable(QString::number(timer.elapsed())));
        const QRectF place = view.rectOf(line.spans[50000]);
        QVERIFY(place.width() > 50);
        const QRgb inside = picture.pixel(place.center().toPoint() + QPoint(30, 8));
        QVERIFY(inside != picture.pixel(int(place.center().x()), int(place.bottom()) + 6));
        // Each pixel of the lane has something.
        const int y = int(place.center().y()) + 8;
        const QRgb base = picture.pixel(int(place.center().x()), int(place.bottom()) + 6);
        for (int x = int(view.rectOf(line.spans[0]).left()) + 2; x < 780; ++x)
            QVERIFY2(picture.pixel(x, y) != base, qPrintable(QString::number(x)));
    }
    void the_wheel_zooms_where_it_points() {
        TimelineView view;
        view.resize(600, 120);
        Timeline line;
        line.lanes << "a";
        for (int i = 0; i < 10; ++i)
            line.spans.push_back(
                {QString::number(i), 0, double(i), 1, kNoItem, Span::Kind::Kernel});
        line.us = 10;
        view.setTimeline(line, false);
        const QRectF before = view.rectOf(line.spans[7]);
        QWheelEvent wheel(before.center(), view.mapToGlobal(before.center()), {}, {0, 240},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &wheel);
        const QRectF after = view.rectOf(line.spans[7]);
        QVERIFY(after.width() > 1.4 * before.width());
        QVERIFY(std::abs(after.center().x() - before.center().x()) < 1);
        view.fit();
        QCOMPARE(view.rectOf(line.spans[7]), before);
    }
};

QTEST_MAIN(TestTimes)
#include "test_times.moc"
