// SPDX-License-Identifier: Apache-2.0
#include "app/engine/broker.h"

#include "app/engine/transport.h"
#include "core/base/base64.h"
#include "core/base/box.h"
#include "core/base/file_system.h"
#include "core/driver/session.h"
#include "core/formats/onnx.h"
#include "core/record/json.h"
#include "core/runtime/counters.h"
#include "core/runtime/sampler.h"

#include <csignal>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cutaway::engine {

using nlohmann::json;

namespace {

/// Reads the file that a request names, if it needs one.
void attachFile(Message& message) {
    auto body = record::parseJson(message.body);
    if (!body || !body->is_object()) return; // the child answers
    auto params = body->find("params");
    if (params == body->end() || !params->is_object()) return;
    auto path = params->find("path"), text = params->find("text");
    if (path == params->end() || !path->is_string()) return;
    if (text != params->end() && !text->is_null()) return; // instead of the file's
    auto bytes = base::readFile(path->get<std::string>());
    if (bytes) {
        message.file = std::move(*bytes);
        if (!path->get_ref<const std::string&>().ends_with(".onnx")) return;
        for (std::string_view weights : formats::kOnnxWeights)
            if (auto read = base::readFile(path->get<std::string>() + std::string(weights));
                read && !message.beside)
                message.beside = std::move(*read);
    } else
        message.fileError = record::toJson(bytes.error()).dump();
}

/// Reads the files that decisions of a request name ("input 0=file(x.npy)"), into its parameters.
void attachInputs(Message& message) {
    constexpr size_t kLargestInput = size_t{256} << 20;
    if (message.body.find("file(") == std::string::npos) return;
    auto body = record::parseJson(message.body);
    if (!body || !body->is_object()) return;
    auto params = body->find("params");
    if (params == body->end() || !params->is_object()) return;
    params->erase("inputFiles"), params->erase("inputErrors"); // only a broker attaches these
    const json decisions = params->value("decisions", json());
    if (!decisions.is_array()) return;
    for (const json& decision : decisions) {
        const auto path =
            decision.is_string() ? driver::inputFile(decision.get<std::string>()) : std::nullopt;
        if (!path) continue;
        auto bytes = base::readFile(*path, kLargestInput);
        if (bytes)
            (*params)["inputFiles"][*path] = base::toBase64(*bytes);
        else
            (*params)["inputErrors"][*path] = record::toJson(bytes.error());
    }
    message.body = body->dump(-1, ' ', false, json::error_handler_t::replace);
}

void forward(int toChild) {
    Transport client(STDIN_FILENO, toChild);
    while (auto message = client.read()) {
        // Only a broker attaches these.
        message->file = message->fileError = message->beside = message->streamError = std::nullopt;
        attachFile(*message);
        attachInputs(*message);
        client.write(*message);
    }
    if (!client.problem().empty()) {
        Message last;
        last.streamError = client.problem();
        client.write(last);
    }
    ::close(toChild);
}

int waitFor(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        base::noCoreDumps();
        std::signal(WTERMSIG(status), SIG_DFL);
        ::raise(WTERMSIG(status));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace

int inBox(const std::string& cacheFolder, const std::function<void()>& before,
          const std::function<int(std::vector<std::string>)>& work) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return 3;
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) return 3;
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1); // it died before that
        ::dup2(ends[0], STDIN_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        runtime::processCounters(); // none can be opened inside
        runtime::processSampler();
        before();
        return work(base::enterBox(base::systemRules(cacheFolder)));
    }
    ::close(ends[0]);
    // The client's end: an engine without one is of no use to anybody.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    std::thread([to = ends[1]] { forward(to); }).detach();
    const int status = waitFor(child);
    std::fflush(nullptr);
    ::_exit(status); // the other thread still reads
}

} // namespace cutaway::engine
