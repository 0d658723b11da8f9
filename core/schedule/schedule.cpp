// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/schedule.h"

#include "core/base/said.h"
#include "core/base/tick.h"
#include "core/schedule/templates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace cutaway::schedule {

namespace {

/// Checked and predicted, or refused.
Candidate candidateOf(const Template& row, const RowFacts& facts, const DeviceModel& model,
                      Decisions these) {
    Candidate candidate{std::string(row.name), std::move(these), 0, {}, {}};
    candidate.refused = row.check(facts, model, candidate.decisions);
    if (!candidate.refused.empty()) return candidate;
    Prediction prediction = row.predict(facts, model, candidate.decisions);
    candidate.predictedUs = prediction.us;
    candidate.reasons = std::move(prediction.reasons);
    return candidate;
}

/// Why a template cannot run the loops; empty: it can.
std::string refusal(const Template& row, const RowFacts& facts, const DeviceModel& model) {
    if (model.deterministic && facts.orderCounts && row.addsInAnyOrder)
        return base::said(
            "values that meet in one place are added in any order, and the same bits are wanted "
            "in every run");
    return row.refuse(facts);
}

void takeSmallest(Schedule& schedule) {
    for (size_t i = 0; i < schedule.considered.size(); ++i) {
        const Candidate& candidate = schedule.considered[i];
        if (!candidate.refused.empty()) continue;
        if (schedule.taken < 0 || candidate.predictedUs < schedule.chosen().predictedUs)
            schedule.taken = static_cast<int>(i);
    }
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<int64_t> number(std::string_view text) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// A name that nothing reads would be ignored in silence.
std::string unknownDecision(const Template& row, const Decisions& these) {
    for (const Decision& decision : these.all())
        if (std::find(row.decisions.begin(), row.decisions.end(), decision.what) ==
            row.decisions.end())
            return base::said("'{}' decides nothing there; template '{}' knows {}", decision.what,
                              row.name, fmt::join(row.decisions, ", "));
    return {};
}

std::string templateNames(ir::Device::Kind device) {
    std::string names;
    for (const Template& row : templates())
        if (row.device == device) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

} // namespace

bool Decisions::has(std::string_view what) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Decision& d) { return d.what == what; });
}

int64_t Decisions::get(std::string_view what, int64_t otherwise) const {
    for (const Decision& decision : all_)
        if (decision.what == what) return decision.value;
    return otherwise;
}

void Decisions::set(std::string_view what, int64_t value) {
    for (Decision& decision : all_)
        if (decision.what == what) {
            decision.value = value;
            return;
        }
    all_.push_back({std::string(what), value});
}

std::string Decisions::str() const {
    std::string text;
    for (const Decision& decision : all_)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", decision.what, decision.value);
    return text;
}

std::string Candidate::str() const {
    const std::string text = decisions.str();
    return text.empty() ? by : by + ": " + text;
}

base::Result<Candidate> parseCandidate(std::string_view text) {
    Candidate candidate;
    const auto wrong = [&](std::string_view part) {
        return base::usageError(fmt::format("schedule '{}': expected a choice and its number, "
                                            "found '{}'",
                                            text, part),
                                "write it as it is printed: 'rows: vector 8, threads 2'");
    };
    const auto colon = text.find(':');
    candidate.by = std::string(trimmed(text.substr(0, colon)));
    if (candidate.by.empty()) return wrong(text);
    std::string_view rest =
        colon == std::string_view::npos ? std::string_view() : trimmed(text.substr(colon + 1));
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        const std::string_view part = trimmed(rest.substr(0, comma));
        const auto space = part.rfind(' ');
        if (space == std::string_view::npos) return wrong(part);
        const auto value = number(part.substr(space + 1));
        const std::string_view what = trimmed(part.substr(0, space));
        const bool word = what.find(' ') == std::string_view::npos;
        if (!value || !word || candidate.decisions.has(what)) return wrong(part);
        candidate.decisions.set(what, *value);
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return candidate;
}

Schedule makeSchedule(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                      const DeviceModel& model) {
    Schedule schedule;
    base::tick();
    if (!kernel.tree) return schedule;
    if (!kernel::RowTree::of(program.loops, kernel.rows())) {
        schedule.considered = treeCandidates(program, kernel, model);
        takeSmallest(schedule);
        return schedule;
    }
    const RowFacts facts(program, kernel);
    for (const Template& row : templates()) {
        if (row.device != model.kind) continue;
        std::string refused = refusal(row, facts, model);
        if (!refused.empty()) {
            schedule.considered.push_back({std::string(row.name), {}, 0, {}, std::move(refused)});
            continue;
        }
        for (Decisions& these : row.propose(facts, model))
            schedule.considered.push_back(candidateOf(row, facts, model, std::move(these)));
    }
    takeSmallest(schedule);
    return schedule;
}

std::vector<Schedule> makeSchedules(const kernel::KernelProgram& program,
                                    const DeviceModel& model) {
    std::vector<Schedule> schedules;
    schedules.reserve(program.kernels.size());
    for (const kernel::Kernel& kernel : program.kernels)
        schedules.push_back(makeSchedule(program, kernel, model));
    return schedules;
}

base::Status force(Schedule& schedule, const kernel::KernelProgram& program,
                   const kernel::Kernel& kernel, const DeviceModel& model,
                   std::string_view wanted) {
    auto take = [&](size_t index) -> base::Status {
        const Candidate& candidate = schedule.considered[index];
        if (!candidate.refused.empty())
            return base::usageError(fmt::format("kernel {} cannot be run as '{}': {}", kernel.name,
                                                candidate.str(), candidate.refused),
                                    "'explain --stage schedule' lists what was considered");
        schedule.taken = static_cast<int>(index);
        schedule.forced = true;
        return {};
    };
    if (const auto index = number(trimmed(wanted))) {
        if (*index < 1 || *index > static_cast<int64_t>(schedule.considered.size()))
            return base::usageError(
                fmt::format("kernel {} has no candidate {}", kernel.name, *index),
                fmt::format("candidates 1 to {} were considered", schedule.considered.size()));
        return take(static_cast<size_t>(*index) - 1);
    }
    CUTAWAY_TRY(Candidate candidate, parseCandidate(wanted));
    if (!kernel.tree || !kernel::RowTree::of(program.loops, kernel.rows())) {
        for (size_t i = 0; i < schedule.considered.size(); ++i)
            if (schedule.considered[i].str() == candidate.str()) return take(i);
        return base::usageError(
            fmt::format("kernel {} is a {}: only what was considered can be taken, not '{}'",
                        kernel.name, kernel.call ? "library call" : "tree of loops", wanted),
            "'explain --stage schedule' lists it");
    }
    const Template* row = findTemplate(model.kind, candidate.by);
    if (!row)
        return base::usageError(fmt::format("no schedule template is named '{}'", candidate.by),
                                "known here: " + templateNames(model.kind));
    for (size_t i = 0; i < schedule.considered.size(); ++i)
        if (schedule.considered[i].by == candidate.by &&
            schedule.considered[i].decisions == candidate.decisions)
            return take(i);
    if (std::string unknown = unknownDecision(*row, candidate.decisions); !unknown.empty())
        return base::usageError(fmt::format("schedule '{}': {}", wanted, unknown));
    const RowFacts facts(program, kernel);
    if (std::string refused = refusal(*row, facts, model); !refused.empty())
        candidate.refused = std::move(refused);
    else
        candidate = candidateOf(*row, facts, model, std::move(candidate.decisions));
    schedule.considered.push_back(std::move(candidate));
    return take(schedule.considered.size() - 1);
}

} // namespace cutaway::schedule
