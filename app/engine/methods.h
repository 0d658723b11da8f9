// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the engine answers: one request in, one result or error out. Knows no threads and no
/// streams.
#pragma once

#include "app/engine/transport.h"
#include "core/driver/session.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <variant>

namespace cutaway::engine {

struct Request {
    nlohmann::json id; ///< a number, a string or null
    std::string method;
    nlohmann::json params;     ///< an object
    bool notification = false; ///< without an id: nobody waits for an answer
    std::optional<std::string> file, fileError, beside;
    base::CancelToken cancel;
};

/// What goes back: a message, and bytes that follow it (a record as columns).
struct Reply {
    Reply(nlohmann::json said, std::string bytes = {})
        : message(std::move(said)), attachment(std::move(bytes)) {}
    nlohmann::json message;
    std::string attachment;
};

/// \returns the request, or the reply that refuses it: no JSON, too deep, no request, an id that is
/// neither a number nor a short text.
std::variant<Request, nlohmann::json> understand(Message message);
/// The reply that says no.
nlohmann::json refusal(const nlohmann::json& id, int code, const std::string& message);

class Methods {
public:
    using Notify =
        std::function<void(const char* method, nlohmann::json params, std::string attachment)>;
    /// \param notify sends progress, stages and log messages; called from the thread of answer()
    /// \param pluginProblems why plug-ins are not there that the client asked for
    Methods(const base::Result<std::string>& cacheFolder, Notify notify,
            std::vector<base::Diagnostic> pluginProblems = {})
        : tools_(cacheFolder), notify_(std::move(notify)),
          pluginProblems_(std::move(pluginProblems)) {}

    /// The reply. A request that was cancelled is answered so, whatever came of it. One at a time,
    /// but for "layout" (layOut), which may run beside.
    Reply answer(const Request& request);
    static Reply layOut(const Request& request);

private:
    Reply dispatch(const Request& request);
    nlohmann::json initialize() const;
    nlohmann::json overlay(const Request& request) const;
    driver::SessionOptions options(const Request& request);
    Reply compile(const Request& request);
    std::function<void(const record::Record&)> stages(const Request& request);
    nlohmann::json listing(const Request& request);
    nlohmann::json measure(const Request& request);
    nlohmann::json probe(const Request& request);
    nlohmann::json tune(const Request& request);
    nlohmann::json inputs(const Request& request);
    nlohmann::json sources(const Request& request);
    Reply open(const Request& request);
    Reply whole(const Request& request);
    nlohmann::json story(const Request& request);
    struct KernelPlace {
        const record::LoweredGraph* lowered;
        const record::KernelInfo* kernel;
    };
    /// Of the last compilation. Throws where there is none of that name.
    KernelPlace findKernel(const nlohmann::json& params) const;
    /// Null: there is none of that number.
    const record::Entry* findEntry(const nlohmann::json& params) const;

    driver::Tools tools_;
    Notify notify_;
    std::vector<base::Diagnostic> pluginProblems_;
    record::Record lastRecord_;
    int lastGeneration_ = 0; ///< of the compilation that it is of
};

constexpr int kUserError = -32000, kLayoutFailed = -32001, kCancelled = -32800;
constexpr int kNoJson = -32700, kNoRequest = -32600;
constexpr int kUnknownMethod = -32601, kBadParameters = -32602;

} // namespace cutaway::engine
