// SPDX-License-Identifier: Apache-2.0
// What somebody decides instead of the compiler: read from text, and what came of it.
#include "core/driver/case.h"
#include "core/record/not_followed.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace cutaway::driver {

using pipeline::Wishes;

static base::Status addSchedule(const std::string& text, Wishes& wishes) {
    const size_t at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        return base::usageError(
            fmt::format("schedule '{}': expected KERNEL=CANDIDATE", text),
            "for example fused_cos=2, or 'fused_cos=rows: vector 8, threads 1'");
    wishes.schedules.push_back({text.substr(0, at), text.substr(at + 1)});
    return {};
}

/// "0.5", "64MiB": a share of what min_cut saves, or a peak.
static base::Status addBudget(const std::string& text, Wishes& wishes) {
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"", 0}, {"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    for (const auto& [unit, bytes] : kUnits) {
        if (text.empty() || end == text.c_str() || end != unit || !(value >= 0)) continue;
        partition::Budget budget;
        if (bytes == 0 && value > 1) continue;
        if (bytes > 0 && (value * bytes < 1 || value * bytes > 1e18)) continue;
        if (bytes == 0)
            budget.share = value;
        else
            budget.peakBytes = static_cast<int64_t>(value * bytes);
        wishes.budget = budget;
        return {};
    }
    return base::usageError(
        fmt::format("memory budget '{}': expected a share of what min_cut saves, from 0 to 1, or a "
                    "peak",
                    text),
        "for example 0.5, or 64MiB");
}

static base::Status addPartitioner(const std::string& text, Wishes& wishes) {
    if (text != "min_cut" && text != "default")
        return base::usageError(fmt::format("unknown partitioner '{}'", text),
                                "known: min_cut, default");
    wishes.partitioner =
        text == "default" ? partition::Partitioner::Default : partition::Partitioner::MinCut;
    return {};
}

static base::Status addDecision(const std::string& text, Wishes& wishes) {
    const size_t space = text.find(' ');
    const std::string verb = text.substr(0, space);
    if (verb == "schedule" && space != std::string::npos)
        return addSchedule(text.substr(space + 1), wishes);
    std::istringstream rest(text.substr(verb.size()));
    std::vector<std::string> names;
    for (std::string name; rest >> name;)
        names.push_back(name);
    if (verb == "budget" && names.size() <= 1)
        return addBudget(names.empty() ? "" : names[0], wishes);
    if (text == "freezing") {
        wishes.freezing = true;
        return {};
    }
    if (verb == "partitioner" && names.size() <= 1)
        return addPartitioner(names.empty() ? "" : names[0], wishes);
    if (verb == "without" && names.size() == 1) return {}; // \see disabledPasses
    if (verb == "order" && names.size() == 2) return {};   // \see passOrders
    if (verb == "with" && names.size() == 2) return {};    // \see passArguments
    if (verb == "input") return {};                        // \see inputsOf
    if ((verb == "save" || verb == "recompute") && names.size() == 1) {
        wishes.savings.push_back({names[0], verb == "save"});
        return {};
    }
    if ((verb == "apart" || verb == "together") && names.size() == 2) {
        wishes.fusions.push_back({names[0], names[1], verb == "together"});
        return {};
    }
    return base::usageError(fmt::format("unknown decision '{}'", text),
                            "known: save NODE, recompute NODE, apart BUFFER BUFFER, together "
                            "BUFFER BUFFER, schedule KERNEL=CANDIDATE, budget SHARE or SIZE, "
                            "partitioner NAME, without PASS, with PASS ARGUMENT=NUMBER, order PASS "
                            "OTHER, freezing, input NUMBER=VALUES");
}

base::Result<std::shared_ptr<Wishes>> wishesOf(const SessionOptions& options) {
    if (options.schedules.empty() && options.decisions.empty()) return std::shared_ptr<Wishes>();
    auto wishes = std::make_shared<Wishes>();
    for (const std::string& text : options.schedules)
        CUTAWAY_CHECK(addSchedule(text, *wishes));
    for (const std::string& text : options.decisions)
        CUTAWAY_CHECK(addDecision(text, *wishes));
    if (wishes->budget && wishes->partitioner == partition::Partitioner::Default)
        return base::usageError("the default partitioner saves all that the backward reads: it "
                                "keeps no memory budget",
                                "leave out one of the two");
    return wishes;
}

std::set<std::string> disabledPasses(const SessionOptions& options) {
    constexpr std::string_view kVerb = "without ";
    std::set<std::string> all = options.disabledPasses;
    for (const std::string& text : options.decisions)
        if (text.starts_with(kVerb)) all.insert(text.substr(kVerb.size()));
    return all;
}

base::Result<std::vector<pipeline::PassOrder>> passOrders(const SessionOptions& options) {
    std::vector<pipeline::PassOrder> orders;
    for (const std::string& text : options.decisions) {
        std::istringstream words(text);
        std::string verb;
        pipeline::PassOrder order;
        if (!(words >> verb) || verb != "order") continue;
        words >> order.pass >> order.other;
        if (const std::string why = pipeline::whyNoOrder(order); !why.empty())
            return base::usageError(why, "'order PASS OTHER' runs a pass right before another one; "
                                         "'explain --stage passes' shows them in their order");
        orders.push_back(std::move(order));
    }
    return orders;
}

base::Result<std::map<std::string, int64_t, std::less<>>>
passArguments(const SessionOptions& options) {
    std::map<std::string, int64_t, std::less<>> all;
    for (const std::string& text : options.decisions) {
        std::istringstream words(text);
        std::string verb, pass, argument;
        if (!(words >> verb) || verb != "with") continue;
        words >> pass >> argument;
        CUTAWAY_TRY(all[pass], pipeline::readArgument(pass, argument));
    }
    return all;
}

base::Result<std::vector<GivenInput>> inputsOf(const SessionOptions& options) {
    constexpr std::string_view kVerb = "input ";
    std::vector<GivenInput> inputs;
    for (const std::string& text : options.decisions) {
        if (!text.starts_with(kVerb)) continue;
        CUTAWAY_TRY(GivenInput input, parseInput(text.substr(kVerb.size())));
        inputs.push_back(std::move(input));
    }
    return inputs;
}

std::string decisionsText(const SessionOptions& options) {
    std::vector<std::string> all = options.decisions;
    for (const std::string& text : options.schedules)
        all.push_back("schedule " + text);
    std::sort(all.begin(), all.end());
    return fmt::format("{}", fmt::join(all, "; "));
}

base::Status schedulesMet(const LoadedProgram& loaded) {
    if (!loaded.options.wishes) return {};
    for (const pipeline::ScheduleWish& wish : loaded.options.wishes->schedules) {
        if (wish.met) continue;
        if (!wish.problem.empty())
            return base::usageError(
                fmt::format("schedule '{}' fits no kernel: {}", wish.wanted, wish.problem));
        return base::usageError(fmt::format("no compiled kernel is named '{}'", wish.kernel),
                                "'explain --stage schedule' lists the kernels");
    }
    return {};
}

std::vector<base::Diagnostic> unmetDecisions(const LoadedProgram& loaded, const std::string& path) {
    std::vector<base::Diagnostic> unmet;
    if (!loaded.options.wishes) return unmet;
    auto tell = [&](const std::string& what, const std::string& problem,
                    const std::string& unknown) {
        unmet.push_back(
            record::notFollowedMessage({what, problem.empty() ? unknown : problem}, path));
    };
    if (!loaded.program->isCaseFile())
        for (const GivenInput& input : loaded.inputs)
            tell("input " + input.text, "the script makes its inputs by itself", {});
    for (const partition::Wish& wish : loaded.options.wishes->savings)
        if (!wish.met)
            tell(fmt::format("{} {}", wish.save ? "save" : "recompute", wish.node), wish.problem,
                 fmt::format("no joint graph has a node '{}'", wish.node));
    for (const fusion::Wish& wish : loaded.options.wishes->fusions)
        if (!wish.met)
            tell(fmt::format("{} {} {}", wish.together ? "together" : "apart", wish.a, wish.b),
                 wish.problem, "no graph has both buffers");
    return unmet;
}

base::Status wishesMet(const LoadedProgram& loaded, const SessionOptions& options) {
    CUTAWAY_CHECK(schedulesMet(loaded));
    for (const base::Diagnostic& unmet : unmetDecisions(loaded, options.path))
        if (options.warn) options.warn(unmet);
    return {};
}

} // namespace cutaway::driver
