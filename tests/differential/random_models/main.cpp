// SPDX-License-Identifier: Apache-2.0
// random_models [--seed N] [--count N] [--jobs N] [--shrink N] [--cache DIR] [--failures DIR]
//               [--least STATEMENTS] [--most STATEMENTS] [--manners 1] [--device cuda]
//               [--optimised N] [--minutes N]
// random_models --write DIR [--seed N] [--count N]
// random_models --judge FILE
// With --manners, passes are switched off at random, inputs frozen, sizes symbolic. With
// --optimised N, one in N has its C++ compiled by LLVM's optimiser, the others at once. After
// --minutes no further model begins.
// Random models compiled against eager, the kernels' interpreter and double precision. Those that
// fail become smaller by themselves and are printed as scripts that run by themselves.
#include "catalogue_call.h"
#include "judge.h"
#include "model.h"

#include "core/ops/catalogue.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
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

struct Options {
    uint64_t seed = 1, count = 300;
    int jobs = 2, shrink = 150, seconds = 60, least = 0, most = 0, manners = 0;
    uint64_t optimised = 1;
    int minutes = 0; ///< 0: no limit

    RandomModel model(uint64_t number) const {
        RandomModel model = randomModel(number, least, most);
        if (manners) model.manner = randomManner(number);
        return model;
    }
    Bench bench(uint64_t number) const { return {cache, device, number % optimised != 0}; }
    std::string cache, failures, write, judge, device = "cpu";
};

bool parse(int count, char** arguments, Options& options) {
    std::map<std::string, std::string> given;
    for (int i = 1; i + 1 < count; i += 2)
        given[arguments[i]] = arguments[i + 1];
    auto number = [&](const char* name, auto& value) {
        if (auto found = given.extract(name)) value = std::stoi(found.mapped());
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
    return count % 2 == 1 && given.empty() && options.optimised > 0;
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

void report(uint64_t seed, const RandomModel& model, const Verdict& first, const Options& options) {
    const Bench bench = options.bench(seed);
    auto fails = [&](const RandomModel& smaller) {
        return Trial(smaller.script(), bench, options.seconds).verdict().fault == first.fault;
    };
    const RandomModel small = shrunk(model, fails, options.shrink);
    const Verdict verdict = Trial(small.script(), bench, options.seconds).verdict();
    const std::string text =
        commented(fmt::format("random model {}: {}\n{}", seed, first.fault, verdict.detail)) +
        small.script();
    fmt::print("{}\n", text);
    if (!options.failures.empty()) save(options.failures, seed, text);
    std::fflush(stdout);
}

struct Running {
    uint64_t seed;
    RandomModel model;
    Trial trial;
};

/// Waits until one of them has something to say, or ends.
std::ptrdiff_t firstReady(const std::list<Running>& running) {
    std::vector<pollfd> ends;
    for (const Running& each : running)
        ends.push_back({each.trial.descriptor(), POLLIN, 0});
    while (::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR)
        continue;
    for (size_t i = 0; i < ends.size(); ++i)
        if (ends[i].revents) return static_cast<std::ptrdiff_t>(i);
    return 0;
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

int run(const Options& options) {
    const auto begin = std::chrono::steady_clock::now();
    std::list<Running> running;
    std::map<std::string, int> faults;
    std::set<std::string> reached;
    uint64_t next = options.seed, failed = 0;
    uint64_t end = options.seed + options.count;
    const auto late = begin + std::chrono::minutes(options.minutes);
    while (next < end || !running.empty()) {
        while (next < end && running.size() < static_cast<size_t>(options.jobs)) {
            RandomModel model = options.model(next);
            Trial trial(model.script(), options.bench(next), options.seconds);
            running.push_back({next++, std::move(model), std::move(trial)});
        }
        if (options.minutes && std::chrono::steady_clock::now() > late) end = next;
        const auto ready = std::next(running.begin(), firstReady(running));
        const Verdict verdict = ready->trial.verdict();
        const uint64_t seed = ready->seed;
        const RandomModel model = std::move(ready->model);
        running.erase(ready);
        reached.insert(verdict.operations.begin(), verdict.operations.end());
        if (verdict.fault.empty()) continue;
        ++faults[verdict.fault];
        if (verdict.fault == kAsEager) {
            fmt::print("# random model {}: {}: {}\n", seed, verdict.fault, verdict.detail);
            continue;
        }
        ++failed;
        report(seed, model, verdict, options);
    }
    for (const auto& [fault, count] : faults)
        fmt::print("{} x {}\n", count, fault);
    fmt::print("operations in no model: {}\n", fmt::join(unreached(reached), " "));
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    fmt::print("{} models, {} failed, {:.0f} s\n", next - options.seed, failed, time.count());
    return failed ? 1 : 0;
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
        const Verdict verdict = Trial(text.str(), options.bench(0), options.seconds).verdict();
        fmt::print("{}\n{}\n", verdict.fault.empty() ? "ok" : verdict.fault, verdict.detail);
        return verdict.fault.empty() || verdict.fault == kAsEager ? 0 : 1;
    }
    return run(options);
}
