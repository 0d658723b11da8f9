// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/driver/report.h"

#include <fmt/format.h>
#include <map>

namespace cutaway::driver {

namespace {

using Lines = std::vector<std::string>;

/// Lines only in one of the two, by longest common subsequence where that is affordable.
void appendLineDiff(std::string& out, const Lines& a, const Lines& b) {
    size_t begin = 0, endA = a.size(), endB = b.size();
    while (begin < endA && begin < endB && a[begin] == b[begin])
        ++begin;
    while (endA > begin && endB > begin && a[endA - 1] == b[endB - 1])
        --endA, --endB;
    size_t n = endA - begin, m = endB - begin;
    if (n * m > 4'000'000) { // too long to align: everything in between changed
        for (size_t i = begin; i < endA; ++i)
            out += "  - " + a[i] + "\n";
        for (size_t j = begin; j < endB; ++j)
            out += "  + " + b[j] + "\n";
        return;
    }
    std::vector<std::vector<uint32_t>> longest(n + 1, std::vector<uint32_t>(m + 1));
    for (size_t i = n; i-- > 0;)
        for (size_t j = m; j-- > 0;)
            longest[i][j] = a[begin + i] == b[begin + j]
                                ? longest[i + 1][j + 1] + 1
                                : std::max(longest[i + 1][j], longest[i][j + 1]);
    size_t i = 0, j = 0;
    while (i < n || j < m) {
        if (i < n && j < m && a[begin + i] == b[begin + j]) {
            ++i, ++j;
        } else if (i < n && (j == m || longest[i + 1][j] >= longest[i][j + 1])) {
            out += "  - " + a[begin + i++] + "\n";
        } else {
            out += "  + " + b[begin + j++] + "\n";
        }
    }
}

/// Every stage of an entry as lines, by stage name.
std::map<std::string, Lines> stagesOf(const record::Entry& entry) {
    std::map<std::string, Lines> stages;
    for (const record::Guard& guard : entry.guards)
        stages["guards"].push_back(guard.kind + " " + guard.source + " " + guard.condition);
    for (const record::GraphStage& graph : entry.graphs)
        stages["graph " + graph.name] = base::splitLines(graph.text);
    for (const record::SavedTensor& saved : entry.partition.saved)
        stages["partition"].push_back("save " + saved.name + " " + bytesText(saved.bytes));
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
                                                    bytesText(lowered.memory.arenaBytes));
    }
    return stages;
}

} // namespace

std::string diffText(const record::Record& before, const record::Record& after) {
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
    std::string out;
    for (auto& [name, pair] : all) {
        std::map<std::string, int> stages;
        for (const auto& [stage, lines] : pair.first)
            stages[stage] = 0;
        for (const auto& [stage, lines] : pair.second)
            stages[stage] = 0;
        for (const auto& [stage, unused] : stages) {
            const Lines &a = pair.first[stage], &b = pair.second[stage];
            if (a == b) continue;
            out += fmt::format("{} / {}\n", name, stage);
            appendLineDiff(out, a, b);
        }
    }
    return out;
}

} // namespace cutaway::driver
