// SPDX-License-Identifier: Apache-2.0
// random_models [--seed N] [--count N] [--jobs N] [--shrink N] [--cache DIR] [--failures DIR]
//               [--least STATEMENTS] [--most STATEMENTS] [--manners 1] [--device cuda]
//               [--optimised N] [--minutes N]
// random_models --write DIR [--seed N] [--count N]
// random_models --judge FILE
// With --manners, passes are switched off at random, inputs frozen, sizes symbolic. With
// --optimised N, one in N has its C++ compiled by LLVM's optimiser, the others at once. After
// --minutes no further model begins, none becomes smaller, and what still runs is ended soon.
// Random models compiled against eager, the kernels' interpreter and double precision, --jobs at a
// time, each in a process of its own: one that crashes or hangs is a failure like others. Those that
// fail become smaller by themselves and are printed as scripts that run by themselves, with the call
// that makes them again. The last line counts; an interrupt ends like --minutes.
#include "catalogue_call.h"
#include "child.h"
#include "judge.h"
#include "model.h"

#include "core/ops/catalogue.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <list>
#include <map>
#include <poll.h>
#include <sstream>

using namespace cutaway::testing;

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    uint64_t seed = 1, count = 300;
    int jobs = 2, shrink = 150, seconds = 60, least = 0, most = 0, manners = 0;
    uint64_t optimised = 1;
    int minutes = 0; ///< 0: no limit
    std::string cache, failures, write, judge, device = "cpu";

    RandomModel model(uint64_t number) const {
        RandomModel model = randomModel(number, least, most);
        if (manners) model.manner = randomManner(number);
        return model;
    }
    Bench bench(uint64_t number) const { return {cache, device, number % optimised != 0}; }
    /// The call that makes one model again.
    std::string again(uint64_t number) const {
        std::string call = fmt::format("random_models --seed {} --count 1", number);
        if (least) call += fmt::format(" --least {} --most {}", least, most);
        if (manners) call += " --manners 1";
        if (optimised != 1) call += fmt::format(" --optimised {}", optimised);
        if (device != "cpu") call += " --device " + device;
        return call;
    }
};

bool parse(int count, char** arguments, Options& options) {
    std::map<std::string, std::string> given;
    for (int i = 1; i + 1 < count; i += 2)
        given[arguments[i]] = arguments[i + 1];
    bool numbers = true;
    auto number = [&](const char* name, auto& value) {
        auto found = given.extract(name);
        if (!found) return;
        const std::string& text = found.mapped();
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        numbers &= read.ec == std::errc() && read.ptr == text.data() + text.size();
    };
    auto text = [&](const char* name, std::string& value) {
        if (auto found = given.extract(name)) value = found.mapped();
    };
    number("--seed", options.seed), number("--count", options.count);
    number("--jobs", options.jobs), number("--shrink", options.shrink);
    number("--least", options.least), number("--most", options.most);
    number("--manners", options.manners);
    number("--optimised", options.optimised), number("--minutes", options.minutes);
    text("--cache", options.cache), text("--failures", options.failures);
    text("--write", options.write), text("--judge", options.judge);
    text("--device", options.device);
    return count % 2 == 1 && given.empty() && numbers && options.optimised > 0 && options.jobs > 0;
}

void save(const std::string& folder, uint64_t seed, const std::string& text) {
    std::filesystem::create_directories(folder);
    std::ofstream(fmt::format("{}/model_{}.py", folder, seed)) << text;
}

std::string commented(const std::string& text) {
    std::string result = "# ";
    for (char c : text)
        result += c == '\n' ? std::string("\n# ") : std::string(1, c);
    return result + "\n";
}

/// A model that fails, made smaller until \p late, as a script that says of itself what it is.
std::string report(uint64_t seed, const Verdict& first, const Options& options,
                   Clock::time_point late) {
    const Bench bench = options.bench(seed);
    Verdict verdict = first;
    auto fails = [&](const RandomModel& smaller) {
        if (Clock::now() > late) return false;
        const Verdict found = triedAlone(smaller.script(), bench, options.seconds);
        if (found.fault == first.fault) verdict = found;
        return found.fault == first.fault;
    };
    const RandomModel small = shrunk(options.model(seed), fails, options.shrink);
    return commented(fmt::format("random model {}: {}\nagain: {}\n{}", seed, first.fault,
                                 options.again(seed), verdict.detail)) +
           small.script();
}

/// Tries a model. A failure's detail is its report.
Verdict examined(uint64_t seed, const Options& options, Clock::time_point late) {
    Verdict verdict =
        triedAlone(options.model(seed).script(), options.bench(seed), options.seconds);
    if (!verdict.fault.empty() && verdict.fault != kAsEager)
        verdict.detail = report(seed, verdict, options, late);
    return verdict;
}

struct Running {
    uint64_t seed;
    Child child;
};

volatile std::sig_atomic_t interrupted = 0;

/// Waits until one of them has something to say or ends, a second at most.
std::list<Running>::iterator firstReady(std::list<Running>& running) {
    std::vector<pollfd> ends;
    for (const Running& each : running)
        ends.push_back({each.child.descriptor(), POLLIN, 0});
    if (::poll(ends.data(), ends.size(), 1000) <= 0) return running.end();
    for (size_t i = 0; i < ends.size(); ++i)
        if (ends[i].revents) return std::next(running.begin(), static_cast<std::ptrdiff_t>(i));
    return running.end();
}

/// Operations that a script can call and none of the models did.
std::vector<std::string> unreached(const std::set<std::string>& reached) {
    std::vector<std::string> names;
    for (const cutaway::ops::OpDef& def : cutaway::ops::catalogue().all()) {
        const std::string& name = def.name();
        if (isCallable(def) && !reached.count(name)) names.push_back(name);
    }
    return names;
}

/// What was found so far.
struct Tally {
    uint64_t tried = 0, failed = 0, asEager = 0, unended = 0;
    std::map<std::string, int> faults;
    std::set<std::string> reached;

    void add(uint64_t seed, const Verdict& verdict, const Options& options) {
        ++tried;
        reached.insert(verdict.operations.begin(), verdict.operations.end());
        if (verdict.fault.empty()) return;
        ++faults[verdict.fault];
        if (verdict.fault == kAsEager) {
            ++asEager;
            fmt::print("# random model {}: {}: {}\n", seed, verdict.fault, verdict.detail);
            return;
        }
        ++failed;
        fmt::print("{}\n", verdict.detail);
        if (!options.failures.empty()) save(options.failures, seed, verdict.detail);
    }
    std::string line(const Options& options, Clock::time_point begin) const {
        const std::chrono::duration<double> time = Clock::now() - begin;
        return fmt::format("seeds from {}: {} models, {} failed, {} as far off as eager, {} not "
                           "ended, {:.0f} s",
                           options.seed, tried, failed, asEager, unended, time.count());
    }
};

int run(const Options& options) {
    const auto begin = Clock::now();
    const auto late =
        options.minutes ? begin + std::chrono::minutes(options.minutes) : Clock::time_point::max();
    // A trial that was begun may end.
    const auto last = options.minutes ? late + std::chrono::seconds(2 * options.seconds) : late;
    for (int signal : {SIGINT, SIGTERM})
        ::signal(signal, [](int) { interrupted = 1; });
    std::list<Running> running;
    Tally tally;
    uint64_t next = options.seed, end = options.seed + options.count;
    while (next < end || !running.empty()) {
        while (next < end && running.size() < static_cast<size_t>(options.jobs)) {
            const uint64_t seed = next++;
            running.push_back({seed, Child([&] { return packed(examined(seed, options, late)); })});
        }
        const auto ready = firstReady(running);
        if (interrupted || Clock::now() > late) end = next;
        if (interrupted || Clock::now() > last) break;
        if (ready == running.end()) continue;
        const Child::End ended = ready->child.end();
        tally.add(
            ready->seed,
            ended.signal
                ? Verdict{"crash", commented(fmt::format(
                                       "random model {}: signal {} while it was made or "
                                       "became smaller\nagain: {}",
                                       ready->seed, ended.signal, options.again(ready->seed)))}
                : unpacked(ended.text),
            options);
        running.erase(ready);
        if (tally.tried % 500 == 0) fmt::print("# {}\n", tally.line(options, begin));
        std::fflush(stdout);
    }
    for (const Running& each : running)
        fmt::print("# not ended: {}\n", options.again(each.seed));
    tally.unended = running.size();
    running.clear();
    for (const auto& [fault, count] : tally.faults)
        fmt::print("{} x {}\n", count, fault);
    fmt::print("operations in no model: {}\n", fmt::join(unreached(tally.reached), " "));
    fmt::print("{}\n", tally.line(options, begin));
    return tally.failed ? 1 : 0;
}

} // namespace

int main(int count, char** arguments) {
    Options options;
    if (!parse(count, arguments, options)) {
        fmt::print(stderr, "usage: random_models [--seed N] [--count N] [--jobs N] [--shrink N] "
                           "[--cache DIR] [--failures DIR] [--least N] [--most N] "
                           "[--manners 1] [--device NAME] [--optimised N] [--minutes N] "
                           "[--write DIR] [--judge FILE]\n");
        return 2;
    }
    if (!options.write.empty()) {
        for (uint64_t k = 0; k < options.count; ++k)
            save(options.write, options.seed + k, options.model(options.seed + k).script());
        return 0;
    }
    if (!options.judge.empty()) {
        std::ostringstream text;
        text << std::ifstream(options.judge).rdbuf();
        const Verdict verdict = triedAlone(text.str(), options.bench(0), options.seconds);
        fmt::print("{}\n{}\n", verdict.fault.empty() ? "ok" : verdict.fault, verdict.detail);
        return verdict.fault.empty() || verdict.fault == kAsEager ? 0 : 1;
    }
    return run(options);
}
