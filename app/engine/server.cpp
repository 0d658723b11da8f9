// SPDX-License-Identifier: Apache-2.0
#include "app/engine/server.h"

#include "app/engine/broker.h"
#include "app/engine/methods.h"
#include "core/backend/plugin.h"
#include "core/runtime/tensor.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <fmt/format.h>
#include <malloc.h>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace cutaway::engine {

using nlohmann::json;

namespace {

constexpr int kMostLayouts = 8; ///< at once, each a process
constexpr size_t kMostWaiting = 1000;

class Server {
public:
    Server(const base::Result<std::string>& cacheFolder, std::vector<std::string> notices,
           std::vector<base::Diagnostic> pluginProblems)
        : methods_(
              cacheFolder,
              [this](const char* method, json params, const std::string& attachment) {
                  notify(method, std::move(params), attachment);
              },
              std::move(pluginProblems)),
          notices_(std::move(notices)) {}

    int run() {
        std::thread worker([this] { work(); });
        std::string problem;
        while (auto message = transport_.read()) {
            if (message->streamError) {
                problem = *message->streamError;
                break;
            }
            receive(std::move(*message));
        }
        if (problem.empty()) problem = transport_.problem();
        // Where the next message would begin cannot be known.
        if (!problem.empty()) {
            fmt::print(stderr, "cutaway serve: {}\n", problem);
            transport_.write(refusal(nullptr, kNoJson, problem));
        }
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
        return problem.empty() ? 0 : 1;
    }

private:
    void receive(Message message) {
        auto understood = understand(std::move(message));
        std::lock_guard lock(mutex_);
        if (auto* no = std::get_if<json>(&understood)) {
            const json& id = (*no)["id"];
            return transport_.write(isOpen(id) ? reusedId(id) : *no);
        }
        Request& request = std::get<Request>(understood);
        const std::string key = request.id.dump();
        if (request.method == "$/cancel") {
            if (!request.notification)
                return transport_.write(refusal(request.id, kNoRequest,
                                                "$/cancel: expected a notification, found an id"));
            auto id = request.params.find("id");
            auto at = running_.find(id == request.params.end() ? "null" : id->dump());
            if (at == running_.end()) return;
            at->second.cancel();
            return dropWaiting(id == request.params.end() ? json() : *id);
        }
        if (request.notification) return; // of a kind that we do not know; none is answered
        if (running_.contains(key)) return transport_.write(reusedId(request.id));
        if (queue_.size() >= kMostWaiting)
            return transport_.write(
                refusal(request.id, kNoRequest,
                        fmt::format("{} requests are waiting already", kMostWaiting)));
        // Layout runs beside the compiler, so that a long compilation does not hold up the drawing.
        if (request.method == "layout") return startLayout(std::move(request), key);
        running_[key] = request.cancel;
        queue_.push_back(std::move(request));
        ready_.notify_one();
    }

    /// A cancelled request that has not begun is answered now, not when those before it are done.
    /// Called with the lock held.
    void dropWaiting(const json& id) {
        auto at = std::find_if(queue_.begin(), queue_.end(),
                               [&](const Request& request) { return request.id == id; });
        if (at == queue_.end()) return;
        queue_.erase(at);
        running_.erase(id.dump());
        transport_.write(refusal(id, kCancelled, "cancelled"));
    }

    /// Called with the lock held. A null of ours is no client's id.
    bool isOpen(const json& id) const { return !id.is_null() && running_.contains(id.dump()); }

    /// With that id it would be taken for the answer to the request that is open.
    static json reusedId(const json& id) {
        return refusal(
            nullptr, kNoRequest,
            fmt::format("expected a new id, found {}, that of a request that is not answered yet",
                        id.dump()));
    }

    /// Called with the lock held.
    void startLayout(Request request, const std::string& key) {
        if (layouts_ >= kMostLayouts)
            return transport_.write(
                refusal(request.id, kLayoutFailed,
                        fmt::format("{} layouts are being made already; ask again when one is done",
                                    kMostLayouts)));
        ++layouts_;
        running_[key] = request.cancel;
        std::thread([this, key, request = std::move(request)] {
            const Reply reply = Methods::layOut(request);
            finish(key, reply);
            // Told with the lock held: run() may end as soon as it is free.
            std::lock_guard done(mutex_);
            --layouts_;
            ready_.notify_all();
        }).detach();
    }

    void work() {
        for (;;) {
            std::unique_lock lock(mutex_);
            ready_.wait(lock, [&] { return closed_ || !queue_.empty(); });
            if (closed_) return;
            const Request request = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            finish(request.id.dump(), methods_.answer(request));
            if (request.method == "initialize")
                for (const std::string& notice : std::exchange(notices_, {}))
                    notify("log", {{"message", notice}});
            // The next request may be a long time off: what this one freed goes back.
            runtime::trimCaches();
            ::malloc_trim(0);
        }
    }

    /// The id is free for another request before its answer can be seen.
    void finish(const std::string& key, const Reply& reply) {
        {
            std::lock_guard lock(mutex_);
            running_.erase(key);
        }
        transport_.write(reply.message, reply.attachment);
    }

    void notify(const char* method, json params, const std::string& attachment = {}) {
        transport_.write(
            json{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}},
            attachment);
    }

    // Results travel on the original standard output; whatever a kernel or library prints goes to
    // standard error instead, so that it cannot damage the protocol.
    Transport transport_{STDIN_FILENO, ::dup(STDOUT_FILENO)};
    Methods methods_;
    std::vector<std::string> notices_;
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Request> queue_;
    std::map<std::string, base::CancelToken> running_;
    int layouts_ = 0; ///< running threads
    bool closed_ = false;
};

} // namespace

int serve(const base::Result<std::string>& cacheFolder, const std::vector<std::string>& plugins) {
    std::signal(SIGPIPE, SIG_IGN);
    std::vector<base::Diagnostic> problems;
    const auto load = [&] {
        for (const std::string& path : plugins)
            if (base::Status status = backend::loadPlugin(path); !status)
                problems.push_back(status.error());
    };
    return inBox(cacheFolder ? *cacheFolder : "", load, [&](std::vector<std::string> notices) {
        auto server =
            std::make_unique<Server>(cacheFolder, std::move(notices), std::move(problems));
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
        return server->run();
    });
}

} // namespace cutaway::engine
