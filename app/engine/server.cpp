// SPDX-License-Identifier: Apache-2.0
#include "app/engine/server.h"

#include "app/engine/dot_layout.h"
#include "app/engine/transport.h"
#include "core/backend/backends.h"
#include "core/base/file_system.h"
#include "core/driver/report.h"
#include "core/record/json.h"
#include "core/runtime/cuda.h"

#include <condition_variable>
#include <csignal>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace cutaway::engine {

using nlohmann::json;

namespace {

constexpr int kUserError = -32000, kLayoutTimeout = -32001, kCancelled = -32800;
constexpr int kNoJson = -32700, kNoRequest = -32600;
constexpr int kUnknownMethod = -32601, kBadParameters = -32602;

struct Failure {
    int code;
    std::string message;
    json data = json::object();
};

Failure failure(const base::Diagnostic& diagnostic) {
    int code = diagnostic.message == "cancelled" ? kCancelled : kUserError;
    return {code, diagnostic.message, {{"diagnostics", json::array({record::toJson(diagnostic)})}}};
}

struct Request {
    json id;
    std::string method;
    json params;
    base::CancelToken cancel;
};

class Server {
public:
    explicit Server(const base::Result<std::string>& cacheFolder) : tools_(cacheFolder) {}

    int run() {
        std::thread worker([this] { work(); });
        while (auto body = transport_.read())
            receive(*body);
        {
            std::lock_guard lock(mutex_);
            closed_ = true;
            for (auto& [id, token] : running_)
                token.cancel();
        }
        ready_.notify_all();
        worker.join();
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return layouts_ == 0; });
        return 0;
    }

private:
    void receive(const std::string& body) {
        json message = json::parse(body, nullptr, false);
        if (message.is_discarded()) return refuse(kNoJson, "expected a message in JSON");
        if (!message.is_object() || !message.contains("method") || !message["method"].is_string() ||
            !message.value("params", json::object()).is_object())
            return refuse(kNoRequest, "expected {\"method\": TEXT, \"params\": {...}}");
        Request request{message.value("id", json()),
                        message["method"].get<std::string>(),
                        message.value("params", json::object()),
                        {}};
        std::lock_guard lock(mutex_);
        if (request.method == "$/cancel") {
            if (auto at = running_.find(request.params.value("id", json()).dump());
                at != running_.end())
                at->second.cancel();
            return;
        }
        running_[request.id.dump()] = request.cancel;
        // Layout runs beside the compiler, so that a long compilation does not hold up the drawing.
        if (request.method == "layout") {
            ++layouts_;
            std::thread([this, request] {
                answer(request);
                // Told with the lock held: run() may end as soon as it is free.
                std::lock_guard done(mutex_);
                --layouts_;
                ready_.notify_all();
            }).detach();
            return;
        }
        queue_.push_back(std::move(request));
        ready_.notify_one();
    }

    /// Nothing in the message says which request it would have been.
    void refuse(int code, const char* why) {
        transport_.write(
            {{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", {{"code", code}, {"message", why}}}});
    }

    void work() {
        for (;;) {
            std::unique_lock lock(mutex_);
            ready_.wait(lock, [&] { return closed_ || !queue_.empty(); });
            if (closed_) return;
            Request request = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            answer(request);
        }
    }

    void answer(const Request& request) {
        json reply{{"jsonrpc", "2.0"}, {"id", request.id}};
        try {
            if (request.cancel.cancelled()) throw Failure{kCancelled, "cancelled"};
            reply["result"] = dispatch(request);
        } catch (const Failure& error) {
            reply["error"] = {
                {"code", error.code}, {"message", error.message}, {"data", error.data}};
        } catch (const json::exception& error) {
            reply["error"] = {{"code", kBadParameters}, {"message", error.what()}};
        } catch (const std::exception& error) {
            reply["error"] = {{"code", kUserError}, {"message", error.what()}};
        }
        transport_.write(reply);
        std::lock_guard lock(mutex_);
        running_.erase(request.id.dump());
    }

    json dispatch(const Request& request) {
        const std::string& method = request.method;
        if (method == "initialize") return initialize();
        if (method == "compile") return compile(request);
        if (method == "listing") return listing(request);
        if (method == "run") return measure(request);
        if (method == "layout") return layout(request);
        if (method == "sizes") return sizes(request);
        if (method == "open") return open(request);
        if (method == "ops") return {{"ops", driver::opsJson()}};
        throw Failure{kUnknownMethod, "unknown method '" + method + "'"};
    }

    driver::SessionOptions options(const Request& request) {
        const json& params = request.params;
        driver::SessionOptions options;
        options.path = params.value("path", "");
        if (params.contains("text") && params["text"].is_string())
            options.text = params["text"].get<std::string>();
        options.size = params.value("size", "");
        options.device = params.value("device", "cpu");
        options.backend = params.value("backend", "inductor");
        options.threads = params.value("threads", 0);
        options.cancel = request.cancel;
        options.print = [this](std::string_view text) {
            notify("log", {{"message", std::string(text)}});
        };
        json id = request.id;
        options.progress = [this, id](const std::string& stage, double fraction) {
            notify("progress", {{"request", id}, {"stage", stage}, {"fraction", fraction}});
        };
        return options;
    }

    void notify(const char* method, json params) {
        transport_.write({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
    }

    json initialize() {
        auto cuda = runtime::cudaDevice();
        json devices = json::array({"cpu"});
        if (cuda) devices.push_back("cuda:0");
        json backends = json::array();
        for (const backend::BackendRow& row : backend::backends())
            backends.push_back(row.name);
        return {{"version", 1},
                {"producer", "cutaway " CUTAWAY_VERSION},
                {"cudaAvailable", cuda.ok()},
                {"cudaMessage", cuda ? cuda->name : cuda.error().message},
                {"devices", devices},
                {"backends", backends}};
    }

    json compile(const Request& request) {
        driver::Compiled compiled = driver::compile(tools_, options(request));
        json record = record::toJson(compiled.record);
        if (compiled.error) {
            Failure error = failure(*compiled.error);
            error.data["record"] = std::move(record);
            error.data["generation"] = request.params.value("generation", 0);
            throw error;
        }
        lastRecord_ = std::move(compiled.record);
        return {{"record", std::move(record)},
                {"generation", request.params.value("generation", 0)}};
    }

    const record::KernelInfo* findKernel(const json& params) const {
        auto f = params.value("function", size_t{0}), e = params.value("entry", size_t{0});
        if (f >= lastRecord_.functions.size()) return nullptr;
        const record::Function& function = lastRecord_.functions[f];
        if (e >= function.entries.size()) return nullptr;
        for (const record::LoweredGraph& lowered : function.entries[e].lowered)
            for (const record::KernelInfo& kernel : lowered.kernels)
                if (lowered.graph == params.value("graph", "") &&
                    kernel.name == params.value("kernel", ""))
                    return &kernel;
        return nullptr;
    }

    json listing(const Request& request) {
        const record::KernelInfo* kernel = findKernel(request.params);
        if (!kernel)
            throw Failure{kBadParameters, "no kernel '" + request.params.value("kernel", "") +
                                              "' in the last compilation"};
        auto made = driver::listing(tools_, *kernel, request.params.value("language", ""));
        if (!made) throw failure(made.error());
        json remarks = json::array();
        for (const record::Remark& remark : made->remarks)
            remarks.push_back(record::toJson(remark));
        return {{"code", record::toJson(made->code)}, {"remarks", remarks}};
    }

    json measure(const Request& request) {
        driver::SessionOptions session = options(request);
        driver::BenchOptions how;
        how.backends =
            request.params.value("backends", std::vector<std::string>{"eager", "inductor"});
        how.minSeconds = request.params.value("minTime", 0.3);
        how.profileKernels = true;
        json runs = json::array(), problems = json::array();
        auto report = [&](const record::Run& row, const std::optional<base::Diagnostic>& problem) {
            if (problem)
                problems.push_back(record::toJson(*problem));
            else
                runs.push_back(record::toJson(row));
        };
        if (base::Status status = driver::bench(tools_, session, how, report); !status)
            throw failure(status.error());
        if (runs.empty() && !problems.empty())
            throw Failure{kUserError, problems[0]["message"], {{"diagnostics", problems}}};
        json checks = json::array();
        if (request.params.value("check", true)) {
            auto rows = driver::check(tools_, session);
            if (!rows && rows.error().message == "cancelled") throw failure(rows.error());
            if (!rows) problems.push_back(record::toJson(rows.error()));
            if (rows)
                for (const record::Check& row : *rows)
                    checks.push_back(record::toJson(row));
        }
        return {{"runs", runs}, {"checks", checks}, {"diagnostics", problems}};
    }

    json layout(const Request& request) {
        int budget = request.params.value("budgetMs", 1500);
        auto result = layoutWithDot(request.params.dump(), budget, request.cancel);
        if (!result) throw Failure{kLayoutTimeout, result.error().message};
        return json::parse(*result);
    }

    json sizes(const Request& request) {
        auto keys = driver::caseSizes(tools_, options(request));
        if (!keys) throw failure(keys.error());
        return {{"sizes", *keys}};
    }

    json open(const Request& request) {
        auto opened = record::open(request.params.value("path", ""));
        if (!opened) throw failure(opened.error());
        lastRecord_ = std::move(*opened);
        return {{"record", record::toJson(lastRecord_)}};
    }

    driver::Tools tools_;
    // Results travel on the original standard output; whatever a kernel or library prints goes to
    // standard error instead, so that it cannot damage the protocol.
    Transport transport_{STDIN_FILENO, ::dup(STDOUT_FILENO)};
    record::Record lastRecord_;
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Request> queue_;
    std::map<std::string, base::CancelToken> running_;
    int layouts_ = 0; ///< running threads
    bool closed_ = false;
};

} // namespace

int serve(const base::Result<std::string>& cacheFolder) {
    std::signal(SIGPIPE, SIG_IGN);
    auto server = std::make_unique<Server>(cacheFolder);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return server->run();
}

} // namespace cutaway::engine
