// SPDX-License-Identifier: Apache-2.0
// A client's stream to the engine: messages are cut out of it, understood or refused, and answered
// one by one. Scripts are stopped at their first tick: the evaluator has a target of its own.
#include "app/engine/methods.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace cutaway;
using namespace cutaway::engine;

static void checkReply(const Reply& answer) {
    const nlohmann::json& reply = answer.message;
    const std::string text = reply.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    // Words of a library, and of none of ours.
    if (text.find("json.exception") != std::string::npos) std::abort();
    if (reply.contains("result") == reply.contains("error")) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Methods methods{std::string(), [](const char*, nlohmann::json, std::string) {}};
    static const int stream = ::memfd_create("stream", MFD_CLOEXEC);
    if (::ftruncate(stream, 0) != 0 || ::pwrite(stream, data, size, 0) < 0) return 0;
    ::lseek(stream, 0, SEEK_SET);
    Transport transport(stream, -1);
    while (auto message = transport.read()) {
        auto understood = understand(std::move(*message));
        if (auto* no = std::get_if<nlohmann::json>(&understood)) {
            checkReply(*no);
            continue;
        }
        Request& request = std::get<Request>(understood);
        // Starts a process; takes seconds; opens what is named.
        if (request.method == "layout" || request.method == "run") continue;
        if (request.method == "open" && !request.file) continue;
        if (request.method == "compile") {
            request.params["text"] = "for x in (1, 2):\n    pass\n";
            request.params["device"] = "cpu";
        }
        checkReply(methods.answer(request));
    }
    return 0;
}
