// SPDX-License-Identifier: GPL-3.0-or-later
// An engine that answers from a record written by hand, or misbehaves in the way its argument
// names: good, crash (kills itself while compiling), exit, hang (never answers compile, ignores
// cancel), slow (answers compile when cancelled), slowRun (answers run when cancelled), measuredOnce
// (the first run is answered, others when cancelled), malformed,
// refusal (of no request in particular), garbage, userError. A text with "wrong" does not compile,
// one with "nothing" compiles nothing, with "switch" because a name in line 3 is False; one with
// "module" is of one. A decision on "gone" is not followed.
#include "core/record/columns.h"
#include "core/record/json.h"
#include "core/record/not_followed.h"
#include "tests/views/sample_record.h"

#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace cutaway;
using nlohmann::json;

namespace {

bool readMessage(json& message) {
    std::string line;
    size_t length = 0;
    while (std::getline(std::cin, line) && line != "\r")
        if (line.rfind("Content-Length: ", 0) == 0) length = std::stoul(line.substr(16));
    if (!std::cin) return false;
    std::string body(length, '\0');
    std::cin.read(body.data(), static_cast<std::streamsize>(length));
    message = json::parse(body);
    return true;
}

void writeBody(const std::string& body) {
    std::cout << "Content-Length: " << body.size() << "\r\n\r\n" << body << std::flush;
}

void reply(const json& id, json result) {
    writeBody(json{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}.dump());
}

/// A message with bytes behind it.
void write(const json& message, const std::string& attachment) {
    const std::string body = message.dump();
    std::cout << "Content-Length: " << body.size() << "\r\nAttachment-Length: " << attachment.size()
              << "\r\n\r\n"
              << body << attachment << std::flush;
}

void fail(const json& id, int code, const std::string& message, json data = json::object()) {
    writeBody(json{{"jsonrpc", "2.0"},
                   {"id", id},
                   {"error", {{"code", code}, {"message", message}, {"data", std::move(data)}}}}
                  .dump());
}

/// Runs the kernels so.
void takeSchedule(record::Record& made, const std::string& text) {
    for (record::Function& function : made.functions)
        for (record::Entry& entry : function.entries)
            for (record::LoweredGraph& lowered : entry.lowered)
                for (record::KernelInfo& kernel : lowered.kernels)
                    for (record::ScheduleCandidate& candidate : kernel.candidates)
                        if (candidate.target == "cpu")
                            candidate.taken = candidate.forced = candidate.text() == text;
}

record::Record record(const json& params) {
    record::Record made = views::testing::doubleCosineRecord();
    made.files[0].text = params.value("text", "");
    made.size = params.value("size", "tiny");
    made.sizes = {"tiny", "cpu"};
    if (made.files[0].text.find("nothing") != std::string::npos) {
        made.functions.clear();
        made.messages = {
            {base::Severity::Warning, base::Fault::User, {}, "nothing was compiled", {}, ""}};
        if (made.files[0].text.find("switch = False") != std::string::npos)
            made.messages[0].hint = "write 'switch = True' in line 3";
    }
    if (made.files[0].text.find("module") != std::string::npos)
        for (record::GraphNode& node : made.functions[0].entries[0].graphs[0].nodes)
            if (node.kind == "call") node.modulePath = "net";
    for (const json& one : params.value("decisions", json::array())) {
        const std::string decision = one;
        if (decision.starts_with("schedule "))
            takeSchedule(made, decision.substr(decision.find('=') + 1));
        if (decision.starts_with("without "))
            for (record::Function& function : made.functions)
                for (record::Entry& entry : function.entries)
                    std::erase_if(entry.passes, [&](const record::PassRun& pass) {
                        return decision == "without " + pass.pass;
                    });
        if (decision.ends_with(" gone"))
            made.messages.push_back(
                record::notFollowedMessage({decision, "no joint graph has a node 'gone'"}, {}));
    }
    return made;
}

json measure(const json& params) {
    record::Run eager, compiled;
    eager.size = params.value("size", "tiny");
    eager.device = params["device"];
    eager.threads = std::max(1, params["threads"].get<int>());
    eager.textHash = record::textHash(params["text"].get<std::string>());
    std::string decisions; // as the engine joins them
    for (const json& one : params.value("decisions", json::array()))
        decisions += (decisions.empty() ? "" : "; ") + one.get<std::string>();
    eager.decisions = decisions;
    compiled = eager;
    eager.backend = "eager";
    eager.us = 20;
    compiled.backend = "inductor";
    compiled.us = 5;
    compiled.kernels = {{"forward", "fused_cos", 0, 4, 2048, 512}};
    if (params["text"].get<std::string>().find("counted") != std::string::npos)
        compiled.kernels[0].counts = {
            {"instructions", 123456}, {"cycles", 61728}, {"page faults", 0}};
    json runs = {record::toJson(eager), record::toJson(compiled)};
    if (params.value("beside", false) && !decisions.empty()) {
        compiled.decisions.clear();
        compiled.us = 7;
        compiled.kernels[0].us = 6;
        runs.push_back(record::toJson(compiled));
    }
    record::Check check{"output 0", 1e-7,         2e-7,           1e-6,         true,
                        eager.size, eager.device, eager.textHash, eager.threads};
    return {{"runs", runs},
            {"checks", {record::toJson(check)}},
            {"samples",
             {7,
              {{"backend", "inductor"},
               {"by", "clock"},
               {"samples", 200},
               {"missing", ""},
               {"codes",
                {{{"kernels", {{{"graph", "forward"}, {"kernel", "fused_cos"}}}},
                  {"samples", 150},
                  {"lines",
                   {{{"line", 3}, {"samples", 100}},
                    {{"line", 2}, {"samples", 40}},
                    {{"line", 0}, {"samples", 5}}}}}}}}}},
            {"counts",
             {{{"backend", "inductor"},
               {"perCall", {{{"what", "page faults"}, {"value", 12}}}},
               {"missing", "no counters here"}}}}};
}

/// What is there of a measurement before its errors are, and a backend that is none.
void tellRows(const json& request, json rows) {
    rows["request"] = request;
    rows.erase("checks");
    json problem = record::toJson(
        base::Diagnostic{base::Severity::Error, base::Fault::User, {}, "no such thing", {}, ""});
    problem["backend"] = "aot_eager";
    rows["diagnostics"] = {problem};
    writeBody(json{{"jsonrpc", "2.0"}, {"method", "measured"}, {"params", std::move(rows)}}.dump());
}

/// Three values: one right, one wrong from the forward on, one that is not finite.
json probe(const json& params) {
    auto error = [](double absolute, json relative, bool beyond) {
        return json{{"absolute", absolute}, {"relative", std::move(relative)}, {"beyond", beyond}};
    };
    auto value = [&](const char* graph, const char* name, const char* origin, json compiled) {
        json row = {{"key", std::string(graph) + "/" + name},
                    {"function", "f"},
                    {"graph", graph},
                    {"name", name},
                    {"op", "cos"},
                    {"type", "f32[16, 16]"},
                    {"origin", origin},
                    {"limit", 2e-6},
                    {"min", -1},
                    {"max", 1},
                    {"mean", 0.5},
                    {"elements", 256},
                    {"histogram", {100, 0, 156, 0}},
                    {"notFinite", 0},
                    {"eager", error(1e-8, 1e-7, false)}};
        if (!compiled.is_null()) row["compiled"] = std::move(compiled);
        return row;
    };
    json values = {value("captured", "cos", "unknown", nullptr),
                   value("forward", "cos", "computed", error(1e-8, 1e-7, false)),
                   value("forward", "cos_1", "stored", error(0.01, 0.02, true)),
                   value("backward", "neg", "stored", error(0.5, "inf", true))};
    values[3]["notFinite"] = 3;
    values[3]["firstNotFinite"] = "[0, 2] is nan";
    values[3]["max"] = "nan";
    return {{"values", values},
            {"first", 2},
            {"problems", json::array()},
            {"size", params.value("size", "tiny")},
            {"device", params["device"]},
            {"threads", 1},
            {"text_hash", record::textHash(params["text"].get<std::string>())},
            {"decisions", ""}};
}

json stages() {
    json rows = json::array();
    for (const char* name : {"guards", "captured", "joint", "passes", "partition", "forward",
                             "backward", "loops", "kernels", "memory", "cpp", "cuda", "llvm"})
        rows.push_back({{"name", name}, {"title", name}, {"summary", "a stage"}, {"shown", true}});
    rows.push_back(
        {{"name", "compile"}, {"title", "compile"}, {"summary", "a stage"}, {"shown", false}});
    return rows;
}

json layout(const json& params) {
    json positions = json::array(), edges = json::array();
    for (size_t i = 0; i < params["nodes"].size(); ++i)
        positions.push_back({0, 80 * static_cast<int>(i)});
    for (const json& edge : params["edges"])
        edges.push_back({{0, 80 * edge[0].get<int>() + 20}, {0, 80 * edge[1].get<int>() - 20}});
    return {{"positions", positions}, {"edges", edges}, {"algorithm", "dot"}, {"ms", 1}};
}

/// Two rows of two elements; a path through both cosines.
json story(const json& params) {
    if (params["of"] == "cut")
        return {{"steps",
                 {{{"path", {"primals_1", "cos", "sin"}},
                   {"narrow", "primals_1"},
                   {"flow", 1024},
                   {"total", 1024}}}},
                {"rounds", {{"sin", "sin_1"}, {"cos"}}},
                {"saved", {"primals_1"}},
                {"value", 1024}};
    json moments = json::array();
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column)
            moments.push_back(
                {{"line", 2},
                 {"at", "o0 = " + std::to_string(row) + ", i = " + std::to_string(column)},
                 {"touches",
                  {{{"kind", "read"}, {"buffer", 0}, {"coords", {row, column}}},
                   {{"kind", "write"}, {"buffer", 1}, {"coords", {row, column}}}}}});
    return {{"lines", {"kernel k:", "    for o0 in 0..16:", "        out[o0, i] = cos(x[o0, i])"}},
            {"buffers",
             {{{"name", "x"}, {"type", "f32[16, 16]"}, {"sizes", {16, 16}}},
              {{"name", "out"}, {"type", "f32[16, 16]"}, {"sizes", {16, 16}}}}},
            {"moments", moments},
            {"left",
             {{{"loop", "o0"}, {"shown", 2}, {"extent", 16}},
              {{"loop", "i"}, {"shown", 2}, {"extent", 16}}}},
            {"whole", false}};
}

void compile(const std::string& mode, const json& id, const json& params) {
    if (mode == "crash") {
        std::cerr << "about to fall over\n" << std::flush;
        kill(getpid(), SIGKILL);
    }
    if (mode == "exit") _exit(7);
    if (mode == "malformed") return writeBody(R"({"jsonrpc":"2.0","id":"x","result":{}})");
    if (mode == "refusal")
        return writeBody(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})");
    if (mode == "garbage") {
        std::cout << std::string(10000, '?') << std::flush;
        return;
    }
    if (mode == "noRecord") return reply(id, {{"generation", 1}});
    if (mode == "wrongRecord") return reply(id, {{"record", {{"items", 3}}}});
    if (params.value("size", "tiny") == "gone")
        return fail(id, -32000, "unknown size 'gone'", {{"sizes", {"tiny", "cpu"}}});
    // Of a file that is compiled beside there is the path only.
    if (mode == "userError" ||
        params.value("text", params.value("path", "")).find("wrong") != std::string::npos) {
        auto error = base::userError({"double_cosine.py", 9, 9, 9, 14}, "unknown name 'wrong'",
                                     "did you mean 'torch'?");
        writeBody(json{{"jsonrpc", "2.0"},
                       {"method", "progress"},
                       {"params", {{"request", id}, {"stage", "joint"}, {"fraction", 0}}}}
                      .dump());
        return fail(id, -32000, error.message, {{"diagnostics", {record::toJson(error)}}});
    }
    writeBody(json{{"jsonrpc", "2.0"},
                   {"method", "progress"},
                   {"params", {{"request", id}, {"stage", "forward: kernels"}, {"fraction", 0.5}}}}
                  .dump());
    const record::Record made = record(params);
    if (mode == "stages") {
        record::Record soFar = made;
        const bool kernels = made.files[0].text.find("kernels") != std::string::npos;
        const bool bare = made.files[0].text.find("bare") != std::string::npos;
        for (record::Function& function : soFar.functions)
            for (record::Entry& entry : function.entries) {
                if (!kernels) entry.lowered.clear();
                for (record::LoweredGraph& lowered : entry.lowered) {
                    lowered.decisions.clear();
                    for (record::KernelInfo& kernel : lowered.kernels)
                        if (!bare) kernel.codes.clear();
                }
            }
        const std::string first = record::toColumns(soFar, record::Part::All, !bare);
        write(json{{"jsonrpc", "2.0"}, {"method", "stage"}, {"params", {{"request", id}}}}, first);
        if (made.files[0].text.find("endless") != std::string::npos) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        if (made.files[0].text.find("broken") != std::string::npos)
            return write(json{{"jsonrpc", "2.0"},
                              {"id", id},
                              {"error",
                               {{"code", -32000},
                                {"message", "a kernel cannot be compiled"},
                                {"data", {{"record", "attached"}}}}}},
                         first);
    }
    const json generation = params.value("generation", 0);
    if (mode == "json") // without columns, as it was
        return reply(id, {{"record", record::toJson(made)}, {"generation", generation}});
    std::string columns = record::toColumns(made, record::Part::All, mode != "bare");
    if (mode == "brokenColumns") columns.resize(columns.size() - 9);
    write(json{{"jsonrpc", "2.0"},
               {"id", id},
               {"result", {{"record", "attached"}, {"generation", generation}}}},
          columns);
}

/// With an overlay and a backend more for a plug-in; one that is called "broken" cannot be used.
json introduction(int argc, char** argv) {
    json told = {{"producer", "fake 1"},
                 {"cudaAvailable", false},
                 {"cudaMessage", "no driver"},
                 {"devices", {"cpu"}},
                 {"threads", 1},
                 {"stages", stages()},
                 {"backends", {"eager", "inductor"}},
                 {"passArguments",
                  {{"fold_constants",
                    {{"name", "elements"},
                     {"usual", 4096},
                     {"least", 0},
                     {"most", 16777216},
                     {"summary", "how many elements"}}}}},
                 {"passTexts", {{"remove_dead", "fires:     sin(x), never used"}}},
                 {"optionalPasses", {"remove_dead", "merge_common"}}};
    for (int i = 2; i + 1 < argc; i += 2) {
        const std::string file = argv[i + 1];
        if (std::string(argv[i]) != "--plugin") continue;
        if (file.find("broken") != std::string::npos) {
            told["pluginProblems"].push_back(
                record::toJson(base::userError({}, "the plug-in '" + file + "' is not used")));
            continue;
        }
        told["backends"].push_back("example");
        told["overlays"].push_back({{"name", "users"}, {"summary", "how often a node is read"}});
    }
    return told;
}

/// With every text.
std::string columnsOf(const json& params) {
    return record::toColumns(record(params));
}

/// A kernel's C++ text, and what a compiler said of a loop in it.
json remarked(const json& compiled, const json& of) {
    const record::Record whole = record(compiled);
    for (const record::LoweredGraph& graph :
         whole.functions[of["function"]].entries[of["entry"]].lowered)
        for (const record::KernelInfo& kernel : graph.kernels)
            for (const record::Code& code : kernel.codes) {
                if (graph.graph != of["graph"].get<std::string>() ||
                    kernel.name != of["kernel"].get<std::string>() || code.language != "cpp")
                    continue;
                const auto line = std::ranges::find_if(code.lines, [](const record::CodeLine& at) {
                    return at.item != record::kNoItem;
                });
                const record::Remark said{"missed", "loop-vectorize", "loop not vectorized",
                                          int(line - code.lines.begin())}; // of the line above
                return {{"code", record::toJson(code)}, {"remarks", {record::toJson(said)}}};
            }
    return {{"code", record::toJson(record::Code{"cpp", {}, "", 0})}, {"remarks", json::array()}};
}

} // namespace

int main(int argc, char** argv) {
    std::string mode = argc > 1 ? argv[1] : "good";
    json message, waiting, compiled;
    bool measured = false;
    while (readMessage(message)) {
        json id = message.value("id", json());
        std::string method = message["method"];
        json params = message.value("params", json::object());
        if (method == "$/cancel") {
            const bool waits = mode == "slow" || mode == "slowRun" || mode == "stages" ||
                               mode == "rows" || mode == "measuredOnce";
            if (waits && params["id"] == waiting) fail(waiting, -32800, "cancelled");
        } else if (method == "initialize") {
            reply(id, introduction(argc, argv));
        } else if (method == "compile") {
            if (!params.value("aside", false)) compiled = params;
            if (mode == "hang" || mode == "slow" || mode == "stages") waiting = id;
            if (mode != "hang" && mode != "slow") compile(mode, id, params);
        } else if (method == "run") {
            const bool large = params.value("size", "") == "cpu";
            if (mode == "rows") tellRows(id, measure(params));
            if ((large && (mode == "slowRun" || mode == "rows")) ||
                (mode == "measuredOnce" && std::exchange(measured, true)))
                waiting = id;
            else
                reply(id, measure(params));
        } else if (method == "probe") {
            if (params["text"].get<std::string>().find("random") != std::string::npos)
                fail(id, -32000, "random values have no reference");
            else if (mode == "slowRun")
                waiting = id;
            else
                reply(id, probe(params));
        } else if (method == "tune") {
            const auto row = [&](const char* schedule, double us) {
                return json{{"graph", "forward"},
                            {"kernel", "fused_cos"},
                            {"schedule", schedule},
                            {"us", us},
                            {"disturbed", mode == "busy" && us < 2}};
            };
            if (mode == "slowRun")
                waiting = id;
            else
                reply(id, {{"schedules",
                            {row("elements: vector 16, threads 1", 2.5),
                             row("elements: vector 16, threads 2", 1.5), 7,
                             json{{"graph", 1}, {"us", "much"}}}}});
        } else if (method == "sources") {
            reply(id, {{"files",
                        {{{"path", "model_forward/main.cpp"}, {"data", "aW50IG1haW4="}},
                         {{"path", "../outside.cpp"}, {"data", "eA=="}},
                         {{"path", "/outside.cpp"}, {"data", "eA=="}},
                         {{"path", 5}}}}});
        } else if (method == "inputs") {
            reply(id, {{"inputs",
                        {{{"argument", "0"}, {"type", "f32[16, 16]"}, {"integral", false}},
                         {{"argument", "1"}, {"type", "i64[16]"}, {"integral", true}}}}});
        } else if (method == "overlay") {
            if (params["overlay"] == "users")
                reply(id, {{"values",
                            {{"captured/cos", 1.0}, {"captured/cos_1", 3.0}, {"joint/cos", "x"}}}});
            else
                fail(id, -32000, "unknown overlay");
        } else if (method == "story") {
            reply(id, story(params));
        } else if (method == "layout") {
            reply(id, layout(params));
        } else if (method == "record") {
            write(json{{"jsonrpc", "2.0"}, {"id", id}, {"result", {{"record", "attached"}}}},
                  columnsOf(compiled));
        } else if (method == "listing") {
            if (params["language"] == "remarks") {
                reply(id, remarked(compiled, params));
                continue;
            }
            record::Code code{params["language"],
                              {{record::kNoItem, "define void @f()"}, {0, "  ret void"}},
                              "",
                              0};
            reply(id, {{"code", record::toJson(code)}, {"remarks", json::array()}});
        } else {
            fail(id, -32601, "unknown method");
        }
    }
    return 0;
}
