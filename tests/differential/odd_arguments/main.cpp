// SPDX-License-Identifier: Apache-2.0
// odd_arguments [--as eager|compiled|complex] [--first N] [--every N] [--op TEXT] [--jobs N] [--pairs N] [--cache DIR]
// Every operation of the catalogue (whose name holds TEXT) with systematically odd arguments: its good samples with one
// thing changed (a size, a rank, a dtype, positions beyond the end, a number, a list's length, None), and N with two, at
// random. Each call runs and, where there are gradients, is differentiated, in a process that may crash. A call may be
// refused or give any numbers; a crash, a message of a defect, and a call that does not end fail. As `compiled`, calls
// stand in functions of a script, and what torch.compile makes of them refuses in eager's words or gives eager's results
// and gradients; as `complex`, likewise with complex tensors for floating-point ones, whose refusals are of one class.
// --every N takes one call in N, beginning with the one numbered --first.
#include "tries.h"

#include "core/ops/catalogue.h"

#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Options {
    size_t first = 0, every = 1, jobs = 2, pairs = 40;
    std::string op, cache, as = "eager";
};

constexpr itimerval kLimit{{}, {8, 0}}; // of the processor's time, for each call
constexpr rlim_t kMemory = rlim_t{6} << 30;

/// Tries calls from \p begin on and writes what is said to \p pipe.
void tryFrom(const std::vector<OddCall>& calls, size_t begin, const Options& options, int pipe) {
    const rlimit memory{kMemory, kMemory}, core{0, 0};
    ::setrlimit(RLIMIT_AS, &memory);
    ::setrlimit(RLIMIT_CORE, &core);
    const auto say = [&](const std::string& line) {
        ::setitimer(ITIMER_PROF, &kLimit, nullptr);
        const std::string whole = line + "\n";
        if (::write(pipe, whole.data(), whole.size()) < 0) ::_exit(1);
    };
    (options.as == "eager" ? tryEagerly : tryInScripts)(calls, begin, options.cache, say);
}

struct Tally {
    size_t calls = 0, done = 0, failed = 0;
};

/// Tries calls in a process of their own, and those behind one that crashes in another.
void tryAll(const std::vector<OddCall>& calls, const Options& options, Tally& tally) {
    for (size_t begin = 0; begin < calls.size();) {
        int ends[2];
        if (::pipe(ends) != 0) std::abort();
        const pid_t child = ::fork();
        if (child < 0) std::abort();
        if (child == 0) {
            ::close(ends[0]);
            tryFrom(calls, begin, options, ends[1]);
            ::_exit(0);
        }
        ::close(ends[1]);
        std::string text;
        char block[4096];
        for (ssize_t n; (n = ::read(ends[0], block, sizeof block)) > 0;)
            text.append(block, static_cast<size_t>(n));
        ::close(ends[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        std::istringstream lines(text);
        size_t at = begin;
        std::string told;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with('@'))
                at = std::stoul(line.substr(1));
            else if (line == "+")
                ++tally.done;
            else
                told += line + "\n", tally.failed += !line.starts_with("    ");
        }
        if (WIFSIGNALED(status))
            ++tally.failed, told += fmt::format("{}\n    {}\n", ::strsignal(WTERMSIG(status)),
                                                textOf(calls[at]));
        fmt::print("{}", told);
        std::fflush(stdout);
        begin = WIFSIGNALED(status) ? at + 1 : calls.size();
    }
    tally.calls += calls.size();
}

Tally tryOperations(const Options& options, size_t job) {
    Tally tally;
    size_t number = 0, turn = 0;
    for (const ops::OpDef& def : ops::catalogue().all()) {
        if (def.name().find(options.op) == std::string::npos) continue;
        std::vector<OddCall> calls;
        for (OddCall& call : oddCalls(def, options.pairs))
            if (number++ % options.every == options.first % options.every)
                calls.push_back(options.as == "complex" ? withComplex(std::move(call))
                                                        : std::move(call));
        if (turn++ % options.jobs == job) tryAll(calls, options, tally);
    }
    return tally;
}

bool parse(int count, char** arguments, Options& options) {
    bool good = count % 2 == 1;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = arguments[i], value = arguments[i + 1];
        const std::map<std::string, size_t*> numbers{{"--first", &options.first},
                                                     {"--every", &options.every},
                                                     {"--jobs", &options.jobs},
                                                     {"--pairs", &options.pairs}};
        const std::map<std::string, std::string*> texts{
            {"--op", &options.op}, {"--cache", &options.cache}, {"--as", &options.as}};
        if (const auto at = numbers.find(name); at != numbers.end())
            good &= std::from_chars(value.data(), value.data() + value.size(), *at->second).ec ==
                    std::errc();
        else if (const auto text = texts.find(name); text != texts.end())
            *text->second = value;
        else
            good = false;
    }
    const bool known = options.as == "eager" || options.as == "compiled" || options.as == "complex";
    return good && known && options.every > 0 && options.jobs > 0;
}

} // namespace

int main(int count, char** arguments) {
    Options options;
    if (!parse(count, arguments, options)) {
        fmt::print(stderr, "usage: odd_arguments [--first N] [--every N] [--op NAME] [--jobs N] "
                           "[--pairs N] [--cache DIR] [--as eager|compiled|complex]\n");
        return 2;
    }
    std::vector<pid_t> jobs;
    for (size_t job = 0; job < options.jobs; ++job) {
        jobs.push_back(::fork());
        if (jobs.back() != 0) continue;
        const Tally tally = tryOperations(options, job);
        fmt::print("{} calls, {} done, {} failed\n", tally.calls, tally.done, tally.failed);
        std::fflush(stdout);
        ::_exit(tally.failed ? 1 : 0);
    }
    bool failed = false;
    for (pid_t job : jobs) {
        int status = 0;
        ::waitpid(job, &status, 0);
        failed |= status != 0;
    }
    return failed ? 1 : 0;
}
