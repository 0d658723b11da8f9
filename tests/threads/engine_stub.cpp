// SPDX-License-Identifier: Apache-2.0
// What the engine's server asks of the rest of the tool, without the rest of the tool: no compiler,
// no box, requests that take a while or wait to be cancelled.
#include "app/engine/broker.h"
#include "app/engine/methods.h"
#include "core/backend/plugin.h"
#include "core/runtime/tensor.h"

#include <chrono>
#include <thread>

namespace cutaway {

using nlohmann::json;

struct driver::Tools::Parts {};
driver::Tools::Tools(const base::Result<std::string>&) {}
driver::Tools::~Tools() = default;

void runtime::trimCaches() {}

base::Status backend::loadPlugin(const std::string& path) {
    return base::environmentError("no plug-ins in this test: " + path);
}

namespace engine {

int inBox(const std::string&, const std::function<void()>& before,
          const std::function<int(std::vector<std::string>)>& work) {
    before();
    return work({"no box in this test"});
}

json refusal(const json& id, int code, const std::string& message) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

std::variant<Request, json> understand(Message message) {
    const json body = json::parse(message.body);
    Request request;
    request.id = body.value("id", json());
    request.notification = !body.contains("id");
    request.method = body.at("method");
    request.params = body.value("params", json::object());
    return request;
}

static json answered(const Request& request) {
    return {{"jsonrpc", "2.0"}, {"id", request.id}, {"result", request.params}};
}

/// "wait" ends when it is cancelled; every other method tells of its progress and ends.
Reply Methods::answer(const Request& request) {
    notify_("progress", {{"request", request.id}}, std::string(100, 'a'));
    while (request.method == "wait" && !request.cancel.cancelled())
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (request.cancel.cancelled()) return refusal(request.id, kCancelled, "cancelled");
    return {answered(request), "attached"};
}

Reply Methods::layOut(const Request& request) {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    return answered(request);
}

} // namespace engine
} // namespace cutaway
