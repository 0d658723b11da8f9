// SPDX-License-Identifier: Apache-2.0
// A record as a trace: the fields that Perfetto and chrome://tracing read, lanes with names, slices that
// do not overlap on a lane unless one holds the other, and times that sum to the call.
#include "core/record/chrome_trace.h"

#include <QtTest>
#include <nlohmann/json.hpp>

using namespace cutaway;
using nlohmann::json;

namespace {

record::Record sample() {
    record::Record record;
    record.producer = "cutaway test";
    record.path = "model.py";
    record.items = {{record::ItemKind::SourceLine, "source:1"},
                    {record::ItemKind::SourceLine, "source:2"},
                    {record::ItemKind::Buffer, "f.0/forward/buffer/mm"},
                    {record::ItemKind::Kernel, "f.0/forward/kernel/mm"},
                    {record::ItemKind::Node, "f.0/captured/mm"}};
    record.links = {{2, 4}, {3, 2}, {4, 0}, {4, 1}}; // line 1 made the module, line 2 calls it
    record.files = {{"model.py", "a\nb\n", {0, 1}}};
    record::GraphNode node;
    node.item = 4;
    node.source = {{"model.py", 2}};
    record::GraphStage captured;
    captured.name = "captured";
    captured.nodes = {node};
    record::KernelInfo kernel;
    kernel.item = 3;
    kernel.name = "mm";
    kernel.kind = "matmul";
    kernel.buffers = {2};
    kernel.reads = {"x"};
    record::LoweredGraph lowered;
    lowered.graph = "forward";
    lowered.kernels = {kernel};
    record::Entry entry;
    entry.lowered = {lowered};
    entry.graphs = {captured};
    entry.times = {{"captured", 1}, {"decompose", 2}, {"passes", 4}};
    record::PassRun pass;
    pass.stage = "joint";
    pass.pass = "remove_dead";
    pass.ms = 1;
    entry.passes = {pass, pass};
    record.functions = {{"f", {}, {entry}}};
    record::Run run;
    run.backend = "inductor";
    run.size = "tiny";
    run.device = "cpu";
    run.us = 10;
    run.samples = {11, 9, 10};
    run.kernels = {{"forward", "mm", record::kNoItem, 4, 4000, 8000},
                   {"backward", "fused_neg", record::kNoItem, 3, 1000, 10}};
    run.kernels[0].threads = {{0, 0, 3}, {0, 3.5, 0.5}, {1, 0.5, 2}};
    run.kernels[1].threads = {{0, 0, 3}};
    record.runs = {run};
    return record;
}

std::vector<json> slices(const json& trace) {
    std::vector<json> found;
    for (const json& event : trace["traceEvents"])
        if (event["ph"] == "X") found.push_back(event);
    return found;
}

} // namespace

class TestChromeTrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_event_has_what_viewers_read() {
        const json trace = json::parse(record::chromeTrace(sample()));
        QVERIFY(trace["traceEvents"].is_array());
        QCOMPARE(trace["displayTimeUnit"], "ns");
        std::map<std::pair<int, int>, std::string> lanes;
        std::map<int, std::string> processes;
        for (const json& event : trace["traceEvents"]) {
            QVERIFY(event["ph"].is_string() && event["pid"].is_number_integer());
            QVERIFY(event["name"].is_string() && event["args"].is_object());
            if (event["ph"] == "M" && event["name"] == "thread_name")
                lanes[{event["pid"], event["tid"]}] = event["args"]["name"];
            if (event["ph"] == "M" && event["name"] == "process_name")
                processes[event["pid"]] = event["args"]["name"];
        }
        QCOMPARE(processes.size(), size_t(2));
        QCOMPARE(processes.begin()->second, "compilation: f, entry 1");
        QVERIFY(processes.rbegin()->second.starts_with("inductor: size tiny, cpu"));
        for (const json& slice : slices(trace)) {
            QVERIFY(slice["ts"].is_number() && slice["dur"].get<double>() >= 0);
            QVERIFY(slice["cat"].is_string());
            QVERIFY(lanes.contains({slice["pid"], slice["tid"]}));
        }
    }
    void slices_nest_or_follow() {
        const std::vector<json> all = slices(json::parse(record::chromeTrace(sample())));
        for (const json& a : all)
            for (const json& b : all) {
                if (&a == &b || a["pid"] != b["pid"] || a["tid"] != b["tid"]) continue;
                const double a0 = a["ts"], a1 = a0 + a["dur"].get<double>();
                const double b0 = b["ts"], b1 = b0 + b["dur"].get<double>();
                const bool apart = a1 <= b0 || b1 <= a0;
                const bool within = (a0 <= b0 && b1 <= a1) || (b0 <= a0 && a1 <= b1);
                QVERIFY2(apart || within, a.dump().c_str());
            }
    }
    void kernels_sum_to_the_call_and_know_their_source() {
        double sum = 0;
        QStringList names;
        for (const json& slice : slices(json::parse(record::chromeTrace(sample())))) {
            if (slice["cat"] == "call" || slice["cat"] == "stage" || slice["cat"] == "pass" ||
                slice["cat"] == "thread")
                continue;
            sum += slice["dur"].get<double>();
            names << QString::fromStdString(slice["name"]);
            if (slice["name"] != "mm") continue;
            QCOMPARE(slice["cat"], "library call");
            QCOMPARE(slice["args"]["source"], json({"model.py:2"}));
            QCOMPARE(slice["args"]["GB/s"], 1.0);
            QCOMPARE(slice["args"]["reads"], json({"x"}));
        }
        QCOMPARE(sum, 10.0);
        QCOMPARE(names, (QStringList{"mm", "fused_neg", "launch and the rest"}));
    }
    void every_thread_has_a_lane_below_the_kernels() {
        const json trace = json::parse(record::chromeTrace(sample()));
        std::map<int, std::string> lanes;
        for (const json& event : trace["traceEvents"])
            if (event["name"] == "thread_name" && event["pid"] == 2)
                lanes[event["tid"]] = event["args"]["name"];
        std::map<std::string, std::vector<double>> begins;
        for (const json& slice : slices(trace))
            if (slice["cat"] == "thread") begins[lanes[slice["tid"]]].push_back(slice["ts"]);
        QCOMPARE(begins.size(), size_t(2));
        QCOMPARE(begins["thread 0"], (std::vector<double>{0, 3.5, 4})); // the second kernel's at 4
        QCOMPARE(begins["thread 1"], std::vector<double>{0.5});
    }
    void passes_stand_in_their_stage_and_calls_behind_each_other() {
        double calls = 0;
        int passes = 0;
        for (const json& slice : slices(json::parse(record::chromeTrace(sample())))) {
            if (slice["cat"] == "call") {
                QCOMPARE(slice["ts"].get<double>(), calls);
                calls += slice["dur"].get<double>();
            }
            if (slice["cat"] == "pass")
                QCOMPARE(slice["ts"].get<double>(), 3000.0 + 1000.0 * passes++);
        }
        QCOMPARE(calls, 30.0);
        QCOMPARE(passes, 2);
    }
    void an_empty_record_is_an_empty_trace() {
        const json trace = json::parse(record::chromeTrace({}));
        QVERIFY(trace["traceEvents"].empty());
    }
};

QTEST_GUILESS_MAIN(TestChromeTrace)
#include "test_chrome_trace.moc"
