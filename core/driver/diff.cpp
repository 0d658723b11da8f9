// SPDX-License-Identifier: Apache-2.0
#include "core/base/line_diff.h"
#include "core/base/text.h"
#include "core/driver/report.h"
#include "core/pipeline/stage_text.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace cutaway::driver {

namespace {

using Lines = std::vector<std::string>;

/// Lines only in one of the two.
void appendLineDiff(std::string& out, const Lines& a, const Lines& b) {
    for (const base::DiffLine& line : base::diffLines(a, b))
        if (line.sign != 0) out += (line.sign < 0 ? "  - " : "  + ") + line.text + "\n";
}

/// Every stage of an entry as lines, by stage name.
std::map<std::string, Lines> stagesOf(const record::Entry& entry) {
    std::map<std::string, Lines> stages;
    for (const record::Guard& guard : entry.guards)
        stages["guards"].push_back(guard.kind + " " + guard.source + " " + guard.condition);
    for (const record::GraphStage& graph : entry.graphs)
        stages["graph " + graph.name] = base::splitLines(graph.text);
    for (const record::SavedTensor& saved : entry.partition.saved)
        stages["partition"].push_back("save " + saved.name + " " +
                                      pipeline::bytesText(saved.bytes));
    for (const record::RecomputedValue& value : entry.partition.recomputed)
        stages["partition"].push_back("recompute " + value.name);
    for (const record::LoweredGraph& lowered : entry.lowered) {
        for (const record::LoopBuffer& buffer : lowered.buffers)
            for (std::string& line : base::splitLines(buffer.text))
                stages["loops " + lowered.graph].push_back(std::move(line));
        for (const record::KernelInfo& kernel : lowered.kernels) {
            stages["kernels " + lowered.graph].push_back(kernel.name);
            for (const record::Code& code : kernel.codes)
                for (const record::CodeLine& line : code.lines)
                    stages[code.language + " " + lowered.graph].push_back(line.text);
        }
        stages["memory " + lowered.graph].push_back("arena " +
                                                    pipeline::bytesText(lowered.memory.arenaBytes));
    }
    return stages;
}

} // namespace

namespace {

/// What one stage of one entry has that the other has not.
struct StageDifference {
    std::string entry, stage;
    Lines before, after;
};

std::vector<StageDifference> differences(const record::Record& before,
                                         const record::Record& after) {
    std::map<std::string, std::pair<std::map<std::string, Lines>, std::map<std::string, Lines>>>
        all;
    auto collect = [&](const record::Record& record, bool first) {
        for (const record::Function& function : record.functions)
            for (size_t i = 0; i < function.entries.size(); ++i) {
                auto& pair = all[fmt::format("{} entry {}", function.name, i)];
                (first ? pair.first : pair.second) = stagesOf(function.entries[i]);
            }
    };
    collect(before, true);
    collect(after, false);
    std::vector<StageDifference> found;
    for (auto& [name, pair] : all) {
        std::map<std::string, int> stages;
        for (const auto& [stage, lines] : pair.first)
            stages[stage] = 0;
        for (const auto& [stage, lines] : pair.second)
            stages[stage] = 0;
        for (const auto& [stage, unused] : stages)
            if (pair.first[stage] != pair.second[stage])
                found.push_back({name, stage, pair.first[stage], pair.second[stage]});
    }
    return found;
}

} // namespace

std::string diffText(const record::Record& before, const record::Record& after) {
    std::string out;
    for (const StageDifference& one : differences(before, after)) {
        out += fmt::format("{} / {}\n", one.entry, one.stage);
        appendLineDiff(out, one.before, one.after);
    }
    return out;
}

nlohmann::json diffJson(const record::Record& before, const record::Record& after) {
    nlohmann::json all = nlohmann::json::array();
    for (const StageDifference& one : differences(before, after)) {
        nlohmann::json removed = nlohmann::json::array(), added = nlohmann::json::array();
        for (const base::DiffLine& line : base::diffLines(one.before, one.after))
            if (line.sign != 0) (line.sign < 0 ? removed : added).push_back(line.text);
        all.push_back({{"entry", one.entry},
                       {"stage", one.stage},
                       {"removed", std::move(removed)},
                       {"added", std::move(added)}});
    }
    return all;
}

} // namespace cutaway::driver
