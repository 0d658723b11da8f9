// SPDX-License-Identifier: Apache-2.0
#include "app/engine/methods.h"

#include "app/engine/dot_layout.h"
#include "app/engine/story_reply.h"
#include "core/backend/backends.h"
#include "core/backend/plugin.h"
#include "core/base/base64.h"
#include "core/base/tick.h"
#include "core/driver/export.h"
#include "core/driver/probe.h"
#include "core/driver/report.h"
#include "core/formats/onnx.h"
#include "core/pipeline/pass_table.h"
#include "core/pipeline/stage_table.h"
#include "core/record/columns.h"
#include "core/record/json.h"
#include "core/runtime/cuda.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <set>
#include <thread>

namespace cutaway::engine {

using nlohmann::json;

namespace {

constexpr std::chrono::milliseconds kNoLongWait{100};
constexpr size_t kLongestId = 256;
constexpr const char* kAttached = "attached";    ///< in place of a record that follows the message
constexpr size_t kMostPrinted = size_t{4} << 20; ///< of a script, in one request

struct Failure {
    int code;
    std::string message;
    json data = json::object();
    std::string attachment{};
};

Failure failure(const base::Diagnostic& diagnostic) {
    return {kUserError,
            diagnostic.message,
            {{"diagnostics", json::array({record::toJson(diagnostic)})}}};
}

/// A parameter, or \p fallback when it is absent. Throws Failure naming what was expected.
template <typename T> T parameter(const json& params, const char* name, T fallback) {
    auto at = params.find(name);
    if (at == params.end()) return fallback;
    auto wrong = [&](const std::string& expected) {
        return Failure{kBadParameters, fmt::format("{}: expected {}, found {}", name, expected,
                                                   at->is_number() ? at->dump() : at->type_name())};
    };
    if constexpr (std::is_same_v<T, std::string>) {
        if (!at->is_string()) throw wrong("a string");
        return at->get<std::string>();
    } else if constexpr (std::is_same_v<T, bool>) {
        if (!at->is_boolean()) throw wrong("true or false");
        return at->get<bool>();
    } else if constexpr (std::is_same_v<T, double>) {
        if (!at->is_number()) throw wrong("a number");
        return at->get<double>();
    } else if constexpr (std::is_same_v<T, int>) {
        constexpr int kMost = std::numeric_limits<int>::max();
        const bool fits = at->is_number_integer() && *at >= 0 && *at <= kMost;
        if (!fits) throw wrong(fmt::format("an integer from 0 to {}", kMost));
        return at->get<int>();
    } else {
        if (!at->is_array()) throw wrong("an array of strings");
        T all;
        for (const json& element : *at) {
            if (!element.is_string()) throw wrong("an array of strings");
            all.push_back(element.get<std::string>());
        }
        return all;
    }
}

const json& array(const json& params, const char* name) {
    auto at = params.find(name);
    if (at == params.end() || !at->is_array())
        throw Failure{kBadParameters,
                      fmt::format("{}: expected an array, found {}", name,
                                  at == params.end() ? "nothing" : at->type_name())};
    return *at;
}

/// Throws Failure unless \p params hold a graph.
void checkGraph(const json& params) {
    const json &nodes = array(params, "nodes"), &edges = array(params, "edges");
    auto number = [](const json& node, const char* name) {
        auto at = node.find(name);
        return at != node.end() && at->is_number();
    };
    for (size_t i = 0; i < nodes.size(); ++i)
        if (!nodes[i].is_object() || !number(nodes[i], "w") || !number(nodes[i], "h"))
            throw Failure{kBadParameters,
                          fmt::format("nodes[{}]: expected {{\"w\": WIDTH, \"h\": HEIGHT}}", i)};
    for (size_t i = 0; i < edges.size(); ++i) {
        const json& edge = edges[i];
        if (!edge.is_array() || edge.size() != 2 || !edge[0].is_number_integer() ||
            !edge[1].is_number_integer())
            throw Failure{kBadParameters, fmt::format("edges[{}]: expected [FROM, TO]", i)};
        for (const json& end : edge)
            if (end < 0 || end >= nodes.size())
                throw Failure{kBadParameters, fmt::format("edges[{}]: no node {} (there are {})", i,
                                                          end.dump(), nodes.size())};
    }
}

json drawing(const Request& request) {
    const int budget = parameter(request.params, "budgetMs", 1500);
    checkGraph(request.params);
    auto result = layoutWithDot(request.params.dump(), budget, request.cancel);
    if (!result) throw Failure{kLayoutFailed, result.error().message};
    return json::parse(*result);
}

template <typename Work> Reply replyTo(const Request& request, Work work) {
    Reply reply(json{{"jsonrpc", "2.0"}, {"id", request.id}});
    auto fail = [&](const Failure& error) {
        reply.message["error"] = {
            {"code", error.code}, {"message", error.message}, {"data", error.data}};
        reply.attachment = error.attachment;
    };
    try {
        const base::CancelScope scope(request.cancel);
        if (!request.cancel.cancelled()) {
            Reply result = work();
            reply.message["result"] = std::move(result.message);
            reply.attachment = std::move(result.attachment);
        }
    } catch (const base::Cancelled&) {
        return refusal(request.id, kCancelled, "cancelled");
    } catch (const Failure& error) {
        fail(error);
    } catch (const std::bad_alloc&) {
        fail(failure(base::environmentError("out of memory: the request needs more than the engine "
                                            "may take",
                                            "make the model or its sizes smaller")));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", request.method.c_str(), error.what());
        fail(failure(base::bugError("the engine failed on this request")));
    }
    if (!request.cancel.cancelled()) return reply;
    return refusal(request.id, kCancelled, "cancelled");
}

} // namespace

json refusal(const json& id, int code, const std::string& message) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

std::variant<Request, json> understand(Message message) {
    auto parsed = record::parseJson(message.body);
    if (!parsed)
        return refusal(nullptr, kNoJson, "expected a message in JSON: " + parsed.error().message);
    const json& body = *parsed;
    constexpr const char* kExpected = "expected {\"method\": TEXT, \"params\": {...}}";
    if (!body.is_object()) return refusal(nullptr, kNoRequest, kExpected);
    Request request;
    request.notification = !body.contains("id");
    request.id = body.value("id", json());
    const bool goodId =
        request.id.is_null() || request.id.is_number() ||
        (request.id.is_string() && request.id.get_ref<const std::string&>().size() <= kLongestId);
    if (!goodId)
        return refusal(nullptr, kNoRequest, "expected an id that is a number or a short text");
    auto method = body.find("method");
    request.params = body.value("params", json::object());
    if (method == body.end() || !method->is_string() || !request.params.is_object())
        return refusal(request.id, kNoRequest, kExpected);
    request.method = method->get<std::string>();
    request.file = std::move(message.file);
    request.fileError = std::move(message.fileError);
    request.beside = std::move(message.beside);
    return request;
}

json Methods::initialize() const {
    auto cuda = runtime::cudaDevice();
    json devices = json::array({"cpu"});
    for (int index = 0; index < runtime::cudaDeviceCount(); ++index)
        devices.push_back(fmt::format("cuda:{}", index));
    json stages = json::array();
    for (const pipeline::StageRow& row : pipeline::stageTable())
        stages.push_back({{"name", row.name},
                          {"title", row.title},
                          {"summary", row.summary},
                          {"shown", row.print != nullptr}});
    auto optionalPasses = [] {
        std::set<std::string_view> names;
        for (const pipeline::PassRow& row : pipeline::passTable())
            if (!row.required) names.insert(row.name);
        return json(names);
    };
    json passTexts = json::object(), passArguments = json::object();
    for (const pipeline::PassRow& row : pipeline::passTable()) {
        passTexts[std::string(row.name)] = pipeline::passText(row.name);
        if (const passes::PassArgument* takes = row.run.argument())
            passArguments[std::string(row.name)] = {{"name", takes->name},
                                                    {"usual", takes->usual},
                                                    {"least", takes->least},
                                                    {"most", takes->most},
                                                    {"summary", takes->summary}};
    }
    json backends = json::array();
    for (const backend::BackendRow& row : backend::backends())
        backends.push_back(row.name);
    json plugins = json::array(), overlays = json::array(), problems = json::array();
    for (const backend::LoadedPlugin& plugin : backend::loadedPlugins())
        plugins.push_back({{"path", plugin.path}, {"name", plugin.name}});
    for (const backend::OverlayRow& row : backend::overlays())
        overlays.push_back({{"name", row.name}, {"summary", row.summary}, {"plugin", row.plugin}});
    for (const base::Diagnostic& problem : pluginProblems_)
        problems.push_back(record::toJson(problem));
    return {{"version", 1},
            {"producer", "cutaway " CUTAWAY_VERSION},
            {"cudaAvailable", cuda.ok()},
            {"cudaMessage", cuda ? cuda->name : cuda.error().message},
            {"devices", devices},
            {"backends", backends},
            {"plugins", plugins},
            {"overlays", overlays},
            {"pluginProblems", problems},
            {"optionalPasses", optionalPasses()},
            {"passTexts", passTexts},
            {"passArguments", passArguments},
            {"stages", stages},
            {"threads", std::max(1u, std::thread::hardware_concurrency())}};
}

/// What the broker read of a file that a decision names, or of the one beside a model.
static base::Result<std::string> inputBytes(const Request& request, const std::string& path) {
    const json& params = request.params;
    for (std::string_view weights : formats::kOnnxWeights)
        if (request.beside &&
            path == parameter(params, "path", std::string()) + std::string(weights))
            return *request.beside;
    auto find = [&](const char* where) -> const json* {
        const auto all = params.find(where);
        if (all == params.end() || !all->is_object()) return nullptr;
        const auto at = all->find(path);
        return at == all->end() ? nullptr : &*at;
    };
    if (const json* error = find("inputErrors"))
        if (auto diagnostic = record::diagnosticFromJson(*error)) return *diagnostic;
    const json* text = find("inputFiles");
    auto bytes = text && text->is_string() ? base::fromBase64(text->get_ref<const std::string&>())
                                           : std::nullopt;
    if (!bytes)
        return base::userError(
            {path}, "this file was not read",
            "choose it again; an ONNX model's weights are read from the file named "
            "as the model and .data or _data");
    return std::move(*bytes);
}

Reply Methods::answer(const Request& request) {
    return replyTo(request, [&] { return dispatch(request); });
}

Reply Methods::layOut(const Request& request) {
    return replyTo(request, [&] { return Reply(drawing(request)); });
}

Reply Methods::dispatch(const Request& request) {
    if (request.fileError)
        if (auto parsed = record::parseJson(*request.fileError))
            if (auto diagnostic = record::diagnosticFromJson(*parsed)) throw failure(*diagnostic);
    const std::string& method = request.method;
    if (method == "initialize") return initialize();
    if (method == "compile") return compile(request);
    if (method == "listing") return listing(request);
    if (method == "story") return story(request);
    if (method == "run") return measure(request);
    if (method == "probe") return probe(request);
    if (method == "tune") return tune(request);
    if (method == "inputs") return inputs(request);
    if (method == "sources") return sources(request);
    if (method == "layout") return drawing(request);
    if (method == "open") return open(request);
    if (method == "record") return whole(request);
    if (method == "overlay") return overlay(request);
    if (method == "ops") return json{{"ops", driver::opsJson()}};
    throw Failure{kUnknownMethod, "unknown method '" + method + "'"};
}

driver::SessionOptions Methods::options(const Request& request) {
    const json& params = request.params;
    driver::SessionOptions options;
    options.path = parameter(params, "path", std::string());
    if (auto at = params.find("text"); at != params.end() && !at->is_null())
        options.text = parameter(params, "text", std::string());
    options.content = request.file;
    options.size = parameter(params, "size", std::string());
    options.device = parameter(params, "device", std::string("cpu"));
    options.backend = parameter(params, "backend", std::string("inductor"));
    options.threads = parameter(params, "threads", 0);
    options.decisions = parameter(params, "decisions", std::vector<std::string>());
    options.verify = parameter(params, "verify", false);
    options.cancel = request.cancel;
    options.readInput = [&request](const std::string& path) { return inputBytes(request, path); };
    options.print = [this, printed = size_t{0}](std::string_view text) mutable {
        if (printed > kMostPrinted) return;
        printed += text.size();
        notify_("log", {{"message", std::string(text.substr(0, kMostPrinted))}}, {});
        if (printed > kMostPrinted)
            notify_("log", {{"message", "(what the script prints from here on is not shown)\n"}},
                    {});
    };
    json id = request.id;
    options.progress = [this, id](const std::string& stage, double fraction) {
        notify_("progress", {{"request", id}, {"stage", stage}, {"fraction", fraction}}, {});
    };
    return options;
}

/// As columns; code of more lines than the client wants at once (codeLines) without its texts, for
/// which it asks when it shows them ("listing", "record").
static std::string columns(const Request& request, const record::Record& record) {
    const int most = parameter(request.params, "codeLines", std::numeric_limits<int>::max());
    const bool texts = record::codeLineCount(record) <= static_cast<size_t>(most);
    return record::toColumns(record, record::Part::All, texts);
}

/// The record as the client wants it: in JSON, or as columns behind the message.
static Reply written(const Request& request, const record::Record& record) {
    if (!parameter(request.params, "attached", false)) return record::toJson(record);
    return Reply(json(kAttached), columns(request, record));
}

/// Sends what is there of a compilation that takes long, as stages are done: a fifth of the time
/// goes into that at most.
std::function<void(const record::Record&)> Methods::stages(const Request& request) {
    using Clock = std::chrono::steady_clock;
    return [this, request, start = Clock::now(),
            spent = Clock::duration()](const record::Record& soFar) mutable {
        const Clock::time_point begin = Clock::now();
        if (begin - start < kNoLongWait || begin - start < 5 * spent) return;
        notify_("stage", {{"request", request.id}}, columns(request, soFar));
        spent += Clock::now() - begin;
    };
}

Reply Methods::compile(const Request& request) {
    const int generation = parameter(request.params, "generation", 0);
    driver::SessionOptions how = options(request);
    const bool aside = parameter(request.params, "aside", false);
    if (parameter(request.params, "stages", false)) how.recorded = stages(request);
    if (aside) how.print = nullptr; // it was told
    driver::Compiled compiled = driver::compile(tools_, how);
    base::tick(); // a record that nobody waits for need not be written
    Reply record = written(request, compiled.record);
    json result{{"record", std::move(record.message)}, {"generation", generation}};
    if (compiled.error) {
        Failure error = failure(*compiled.error);
        error.data.update(result);
        error.data["sizes"] = compiled.record.sizes;
        error.attachment = std::move(record.attachment);
        throw error;
    }
    if (!aside) {
        lastRecord_ = std::move(compiled.record);
        lastGeneration_ = generation;
    }
    return Reply(std::move(result), std::move(record.attachment));
}

const record::Entry* Methods::findEntry(const json& params) const {
    const auto f = static_cast<size_t>(parameter(params, "function", 0));
    const auto e = static_cast<size_t>(parameter(params, "entry", 0));
    if (f >= lastRecord_.functions.size()) return nullptr;
    const record::Function& function = lastRecord_.functions[f];
    return e < function.entries.size() ? &function.entries[e] : nullptr;
}

Methods::KernelPlace Methods::findKernel(const json& params) const {
    const std::string graph = parameter(params, "graph", std::string());
    const std::string name = parameter(params, "kernel", std::string());
    const int e = parameter(params, "entry", 0);
    if (const record::Entry* first = findEntry(params)) {
        const record::Function& function =
            lastRecord_.functions[static_cast<size_t>(parameter(params, "function", 0))];
        for (const record::Entry& entry : function.entries) {
            if (&entry != first && entry.backwardOf != e) continue;
            for (const record::LoweredGraph& lowered : entry.lowered)
                for (const record::KernelInfo& kernel : lowered.kernels)
                    if (lowered.graph == graph && kernel.name == name) return {&lowered, &kernel};
        }
    }
    throw Failure{kBadParameters, "no kernel '" + name + "' in the last compilation"};
}

json Methods::story(const Request& request) {
    const std::string of = parameter(request.params, "of", std::string());
    auto told = [&]() -> base::Result<json> {
        if (of == "kernel") {
            const KernelPlace at = findKernel(request.params);
            return kernelStory(*at.lowered, *at.kernel,
                               parameter(request.params, "target", std::string()));
        }
        const record::Entry* entry = findEntry(request.params);
        if (of != "cut" || !entry)
            throw Failure{kBadParameters, of == "cut" ? "no such entry in the last compilation"
                                                      : "of: expected kernel or cut"};
        return cutStory(*entry, parameter(request.params, "decisions", std::vector<std::string>{}));
    };
    auto result = told();
    if (!result) throw failure(result.error());
    return std::move(*result);
}

json Methods::listing(const Request& request) {
    const KernelPlace at = findKernel(request.params);
    auto made =
        driver::listing(tools_, *at.kernel, parameter(request.params, "language", std::string()));
    if (!made) throw failure(made.error());
    json remarks = json::array();
    for (const record::Remark& remark : made->remarks)
        remarks.push_back(record::toJson(remark));
    return {{"code", record::toJson(made->code)}, {"remarks", remarks}};
}

/// What a measurement is answered with, and told of on the way.
static json noRows() {
    const json none = json::array();
    return {{"runs", none},
            {"checks", none},
            {"counts", none},
            {"samples", none},
            {"diagnostics", none}};
}

/// What is measured beside decisions: the same without them, but with the inputs that were given.
static driver::SessionOptions undecided(driver::SessionOptions options) {
    std::erase_if(options.decisions,
                  [](const std::string& one) { return !one.starts_with("input "); });
    options.print = nullptr;
    return options;
}

/// Every row is told as soon as it is there: the comparison with double precision may take long.
json Methods::measure(const Request& request) {
    driver::SessionOptions session = options(request);
    driver::BenchOptions how;
    how.backends =
        parameter(request.params, "backends", std::vector<std::string>{"eager", "inductor"});
    how.minSeconds = parameter(request.params, "minTime", 0.3);
    how.profileKernels = true;
    session.function = parameter(request.params, "function", std::string());
    session.call = parameter(request.params, "call", 0);
    how.backward = parameter(request.params, "backward", false);
    json all = noRows(), counted, sampled;
    how.sampled = [&](const driver::Sampled& row) { sampled = driver::samplesJson(row); };
    how.counted = [&](const driver::Counted& row) {
        json perCall = json::array();
        for (const auto& [what, value] : row.perCall)
            perCall.push_back({{"what", what}, {"value", value}});
        counted = {{"perCall", std::move(perCall)}, {"missing", row.missing}};
    };
    auto report = [&](const record::Run& row, const std::optional<base::Diagnostic>& problem) {
        json own = noRows();
        if (problem) {
            own["diagnostics"].push_back(record::toJson(*problem));
            own["diagnostics"].back()["backend"] = row.backend;
        } else {
            own["runs"].push_back(record::toJson(row));
        }
        for (auto [rows, one] : {std::pair{"counts", &counted}, std::pair{"samples", &sampled}}) {
            if (!problem && !one->is_null()) {
                (*one)["backend"] = row.backend;
                own[rows].push_back(std::move(*one));
            }
            *one = nullptr;
        }
        for (auto& [rows, added] : own.items())
            all[rows].insert(all[rows].end(), added.begin(), added.end());
        own["request"] = request.id;
        notify_("measured", std::move(own), {});
    };
    if (base::Status status = driver::bench(tools_, session, how, report); !status)
        throw failure(status.error());
    if (parameter(request.params, "beside", false)) {
        const driver::SessionOptions plain = undecided(session);
        how.backends = {session.backend};
        how.counted = nullptr; // these two are told of what was decided
        how.sampled = nullptr;
        if (plain.decisions != session.decisions)
            if (base::Status status = driver::bench(tools_, plain, how, report); !status)
                throw failure(status.error());
    }
    const json& problems = all["diagnostics"];
    if (all["runs"].empty() && !problems.empty())
        throw Failure{kUserError, problems[0]["message"], {{"diagnostics", problems}}};
    if (parameter(request.params, "check", true)) {
        if (session.progress) session.progress("comparing with double precision", 0);
        session.progress = nullptr; // it runs the script again, which is not worth telling
        auto rows = driver::check(tools_, session);
        if (!rows) all["diagnostics"].push_back(record::toJson(rows.error()));
        if (rows)
            for (const record::Check& row : *rows)
                all["checks"].push_back(record::toJson(row));
    }
    return all;
}

/// Of the record that the engine answered last, by the nodes' keys.
json Methods::overlay(const Request& request) const {
    auto numbers =
        driver::nodeNumbers(lastRecord_, parameter(request.params, "overlay", std::string()));
    if (!numbers) throw failure(numbers.error());
    json values = json::object();
    for (const auto& [key, value] : *numbers)
        values[key] = value;
    return {{"values", std::move(values)}};
}

json Methods::inputs(const Request& request) {
    auto inputs = driver::caseInputs(tools_, options(request));
    if (!inputs) throw failure(inputs.error());
    json rows = json::array();
    for (const driver::CaseInput& input : *inputs)
        rows.push_back(
            {{"argument", input.argument}, {"type", input.type}, {"integral", input.integral}});
    return {{"inputs", rows}};
}

json Methods::sources(const Request& request) {
    auto files =
        driver::exportedSources(tools_, options(request), parameter(request.params, "cuda", false));
    if (!files) throw failure(files.error());
    json rows = json::array();
    for (const driver::ExportedFile& file : *files)
        rows.push_back({{"path", file.path}, {"data", base::toBase64(file.bytes)}});
    return {{"files", rows}};
}

json Methods::probe(const Request& request) {
    auto probe = driver::probe(tools_, options(request));
    if (!probe) throw failure(probe.error());
    return driver::probeJson(*probe);
}

/// Every schedule that was considered, timed kernel by kernel.
json Methods::tune(const Request& request) {
    constexpr int kRounds = 3;
    auto kernels = driver::tune(tools_, options(request), kRounds);
    if (!kernels) throw failure(kernels.error());
    json rows = json::array();
    for (const driver::TunedKernel& kernel : *kernels)
        for (const driver::TunedCandidate& candidate : kernel.candidates)
            rows.push_back({{"graph", kernel.graph},
                            {"kernel", kernel.kernel},
                            {"schedule", candidate.text},
                            {"us", candidate.measuredUs},
                            {"disturbed", candidate.disturbed}});
    return {{"schedules", rows}};
}

Reply Methods::open(const Request& request) {
    const std::string path = parameter(request.params, "path", std::string());
    auto opened = request.file ? record::parse(*request.file, path) : record::open(path);
    if (!opened) throw failure(opened.error());
    lastRecord_ = std::move(*opened);
    lastGeneration_ = 0;
    Reply record = written(request, lastRecord_);
    return Reply(json{{"record", std::move(record.message)}}, std::move(record.attachment));
}

/// The last compilation's record with every text, if it is that which the client means.
Reply Methods::whole(const Request& request) {
    if (parameter(request.params, "generation", 0) != lastGeneration_)
        throw Failure{kUserError, "the engine has compiled something else since"};
    return Reply(json{{"record", kAttached}}, record::toColumns(lastRecord_));
}

} // namespace cutaway::engine
