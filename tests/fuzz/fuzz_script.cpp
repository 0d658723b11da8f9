// SPDX-License-Identifier: Apache-2.0
// Script text: parsing gives a syntax tree or one message with a place; what parses also runs, within
// the limits of a program and on small tensors, and what it compiles is captured.
#include "tests/support/script_world.h"

#include "core/frontend/script/ast.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

using namespace cutaway;

namespace {

/// Cancels what has not ended after a while.
class Deadline {
public:
    Deadline(base::CancelToken token, std::chrono::milliseconds time)
        : thread_([this, token, time] {
              std::unique_lock lock(mutex_);
              if (!ended_.wait_for(lock, time, [this] { return done_; })) token.cancel();
          }) {}
    ~Deadline() {
        {
            std::lock_guard lock(mutex_);
            done_ = true;
        }
        ended_.notify_one();
        thread_.join();
    }

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool done_ = false;
    std::thread thread_;
};

/// Random tensors are the only ones whose size nothing below checks: their sizes stay small.
bool drawsMuch(std::string_view text) {
    size_t digits = 0, longest = 0;
    for (char c : text) {
        digits = (c >= '0' && c <= '9') || c == '_' || c == 'e' ? digits + 1 : 0;
        longest = std::max(longest, digits);
    }
    return text.find("rand") != std::string_view::npos &&
           (longest > 3 || text.find("**") != std::string_view::npos);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    auto script = frontend::parse("fuzz.py", text);
    if (!script.ok()) {
        if (script.error().message.empty() || !script.error().where.known()) std::abort();
        return 0;
    }
    if (drawsMuch(text)) return 0;
    test::ReferenceEager eager;
    eager.largest = 4096;
    test::ReferenceCompiler compiler;
    capture::ProgramOptions options;
    options.path = "fuzz.py";
    options.text = text;
    options.memoryLimit = size_t{32} << 20;
    Deadline deadline(options.cancel, std::chrono::milliseconds(100));
    auto program = capture::Program::load(options, eager, compiler);
    if (!program.ok()) {
        const base::Diagnostic& d = program.error();
        if (d.message.empty() || d.fault == base::Fault::Bug) {
            std::fputs((d.str() + "\n").c_str(), stderr);
            std::abort();
        }
    }
    return 0;
}
