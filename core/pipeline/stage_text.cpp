// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/stage_text.h"

#include "core/record/repeats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <utility>

namespace cutaway::pipeline {

std::string bytesText(int64_t bytes) {
    auto value = static_cast<double>(bytes);
    if (bytes >= int64_t{1} << 30) return fmt::format("{:.2f} GiB", value / (int64_t{1} << 30));
    if (bytes >= 1 << 20) return fmt::format("{:.2f} MiB", value / (1 << 20));
    if (bytes >= 1 << 10) return fmt::format("{:.2f} KiB", value / (1 << 10));
    return fmt::format("{} B", bytes);
}

static std::string itemName(const record::Record& record, record::ItemId item) {
    if (item >= record.items.size()) return "?";
    const std::string& key = record.items[item].key;
    return key.substr(key.rfind('/') + 1);
}

/// One line: mark, number, predicted time and decisions; below it why, when it was taken.
static std::string candidateText(const record::ScheduleCandidate& candidate, int number) {
    const char* mark = candidate.forced ? "!" : candidate.taken ? ">" : " ";
    if (!candidate.refused.empty())
        return fmt::format("  {}{:>2} {:>12}  {}: {}\n", mark, number, "refused", candidate.text(),
                           candidate.refused);
    const std::string measured =
        candidate.measuredUs > 0 ? fmt::format("   measured {:.2f} us", candidate.measuredUs) : "";
    std::string text = fmt::format("  {}{:>2} {:>9.2f} us  {}{}\n", mark, number,
                                   candidate.predictedUs, candidate.text(), measured);
    if (!candidate.taken) return text;
    for (const std::string& reason : candidate.reasons)
        text += fmt::format("{:19}{}\n", "", reason);
    return text;
}

base::Status guardsText(const ShownEntry& shown, std::string_view, std::string& out) {
    for (const record::Guard& guard : shown.entry.guards)
        out += fmt::format("{:<16} {:<32} {}{}\n", guard.kind, guard.source, guard.condition,
                           guard.where.known() ? "   # " + guard.where.str() : "");
    out += shown.entry.transformedCode;
    return {};
}

base::Status graphText(const ShownEntry& shown, std::string_view stage, std::string& out) {
    const record::GraphStage* graph = shown.entry.graph(std::string(stage));
    if (!graph) return {};
    out += graph->text;
    for (const record::Repeat& found : record::findRepeats(*graph))
        out +=
            fmt::format("# repeats {} times: {} calls, first {}, last {}\n", found.times,
                        found.period, graph->nodes[static_cast<size_t>(found.calls.front())].name,
                        graph->nodes[static_cast<size_t>(found.calls.back())].name);
    return {};
}

/// The choices that there were, and what was taken.
static std::string curveText(const record::Partition& cut) {
    if (cut.curve.empty()) return {};
    std::string text =
        fmt::format("  {:>12} {:>12} {:>13}   saved again\n", "newly kept", "peak", "predicted us");
    auto row = [&](const char* mark, const record::MemoryPoint& point) {
        text += fmt::format("{} {:>12} {:>12} {:>13.2f} {:>7} {:>5}\n", mark,
                            bytesText(point.savedBytes), bytesText(point.peakBytes), point.us,
                            point.saved, point.recomputed);
    };
    bool there = false;
    for (const record::MemoryPoint& point : cut.curve) {
        const bool taken = point.savedBytes == cut.point.savedBytes &&
                           point.peakBytes == cut.point.peakBytes && point.us == cut.point.us;
        there |= taken;
        row(taken ? ">" : " ", point);
    }
    if (!there) row(">", cut.point);
    return "memory against time, predicted of the fused kernels before they are made (peak: of a "
           "step, by liveness, without inputs; >: taken):\n" +
           text;
}

base::Status partitionText(const ShownEntry& shown, std::string_view, std::string& out) {
    const record::Entry& entry = shown.entry;
    if (entry.backwardOf >= 0) return {};
    if (!entry.hasPartition) {
        out += "no gradient is wanted: one graph, nothing is saved\n";
        return {};
    }
    int64_t bytes = 0, fresh = 0;
    for (const record::SavedTensor& saved : entry.partition.saved) {
        bytes += saved.bytes;
        if (!saved.input) fresh += saved.bytes;
    }
    out += fmt::format("{}: {} saved tensors, {} ({} newly kept)\n", entry.partition.algorithm,
                       entry.partition.saved.size(), bytesText(bytes), bytesText(fresh));
    if (!entry.partition.budget.empty()) out += "budget: " + entry.partition.budget + "\n";
    out += curveText(entry.partition);
    for (const record::SavedTensor& saved : entry.partition.saved)
        out += fmt::format("  save      {:<24} {:>12}  {}\n", saved.name, bytesText(saved.bytes),
                           saved.reason);
    for (const record::RecomputedValue& value : entry.partition.recomputed)
        out += fmt::format("  recompute {:<24} {:>12}  {}\n", value.name, bytesText(value.bytes),
                           value.reason);
    return {};
}

/// A rewrite's rule and the node that met its condition, then its changes.
static void addRewrite(const record::PassRun& pass, int number,
                       const std::vector<const record::NodeChange*>& changes, std::string& out) {
    if (number > 0) {
        const record::Rewrite& one = pass.rewrites[static_cast<size_t>(number) - 1];
        out += fmt::format("  {}. {}: {}", number, one.rule.empty() ? pass.summary : one.rule,
                           one.line);
        if (!one.condition.empty()) out += "\n     because " + one.condition;
        if (!one.becomes.empty()) out += fmt::format("; is {} now", fmt::join(one.becomes, ", "));
        out += "\n";
    } else if (!pass.rewrites.empty()) {
        out += "  then\n";
    }
    for (const record::NodeChange* change : changes) {
        if (!change->before.empty()) out += "  - " + change->before + "\n";
        if (!change->after.empty()) out += "  + " + change->after + "\n";
    }
}

base::Status passesText(const ShownEntry& shown, std::string_view, std::string& out) {
    for (const record::PassRun& pass : shown.entry.passes) {
        out += fmt::format("{} on {}: {}\n", pass.pass, pass.stage,
                           pass.changed ? fmt::format("{} changes by {} rewrite{}",
                                                      pass.changes.size(), pass.rewrites.size(),
                                                      pass.rewrites.size() == 1 ? "" : "s")
                                        : std::string("(unchanged)"));
        std::vector<std::vector<const record::NodeChange*>> changes(pass.rewrites.size() + 1);
        for (const record::NodeChange& change : pass.changes)
            changes[change.rewrite > 0 && static_cast<size_t>(change.rewrite) < changes.size()
                        ? static_cast<size_t>(change.rewrite)
                        : 0]
                .push_back(&change);
        for (size_t number = 1; number < changes.size(); ++number)
            addRewrite(pass, static_cast<int>(number), changes[number], out);
        if (!changes[0].empty()) addRewrite(pass, 0, changes[0], out);
    }
    return {};
}

/// As kernel::print writes a loop program.
static void addLoops(const record::LoweredGraph& lowered, std::string& out) {
    out += fmt::format("loops {}:\n", lowered.graph);
    for (const std::string& line : lowered.sizes)
        out += line + "\n";
    for (const record::LoopBuffer& buffer : lowered.buffers)
        out += "    " + buffer.text + "\n";
    for (const std::string& line : lowered.ending)
        out += line + "\n";
}

base::Status loopsText(const ShownEntry& shown, std::string_view, std::string& out) {
    for (const record::LoweredGraph& lowered : shown.entry.lowered)
        addLoops(lowered, out);
    return {};
}

/// What a reader of the kernel's text does not need, as comments above it, and its text.
static void addKernel(const record::Record& record, const record::KernelInfo& kernel,
                      std::string& out) {
    out += fmt::format("# {}: reads {}, writes {}, {:.3g} MFLOP\n", kernel.kind,
                       bytesText(kernel.bytesRead), bytesText(kernel.bytesWritten),
                       kernel.flops * 1e-6);
    out += "# members:";
    for (record::ItemId buffer : kernel.buffers)
        out += " " + itemName(record, buffer);
    out += "\n";
    for (const std::string& reason : kernel.schedule)
        out += "# schedule: " + reason + "\n";
    for (const record::Code& code : kernel.codes)
        if (code.language == "loops")
            for (const record::CodeLine& line : code.lines)
                out += line.text + "\n";
}

base::Status kernelsText(const ShownEntry& shown, std::string_view, std::string& out) {
    for (const record::LoweredGraph& lowered : shown.entry.lowered) {
        addLoops(lowered, out);
        out += fmt::format("# {} kernels\n", lowered.kernels.size());
        for (const record::KernelInfo& kernel : lowered.kernels)
            addKernel(shown.record, kernel, out);
        for (const record::FusionDecision& decision : lowered.decisions)
            out += fmt::format("# {} {} + {}: {} ({})\n", decision.fused ? "fused" : "apart",
                               itemName(shown.record, decision.a),
                               itemName(shown.record, decision.b), decision.reason, decision.rule);
    }
    return {};
}

base::Status schedulesText(const ShownEntry& shown, std::string_view, std::string& out) {
    for (const record::LoweredGraph& lowered : shown.entry.lowered) {
        out += fmt::format("-- {}\n", lowered.graph);
        for (const record::KernelInfo& kernel : lowered.kernels) {
            out += fmt::format("{} ({}, runs on {})\n", kernel.name, kernel.kind, kernel.device);
            std::string target;
            int number = 0;
            for (const record::ScheduleCandidate& candidate : kernel.candidates) {
                if (std::exchange(target, candidate.target) != candidate.target) {
                    out += fmt::format("  for {}\n", target);
                    number = 0;
                }
                out += candidateText(candidate, ++number);
            }
        }
    }
    return {};
}

base::Status memoryText(const ShownEntry& shown, std::string_view, std::string& out) {
    for (const record::LoweredGraph& lowered : shown.entry.lowered) {
        out += fmt::format("-- {}: arena {}, without reuse {}\n", lowered.graph,
                           bytesText(lowered.memory.arenaBytes),
                           bytesText(lowered.memory.unsharedBytes));
        for (const record::MemoryItem& item : lowered.memory.items) {
            if (item.kind == "workspace") {
                out += fmt::format("  {:<24} {} bytes of workspace, kernel {}: {}\n", item.buffer,
                                   item.bytes, item.firstKernel, item.reason);
                continue;
            }
            out += fmt::format("  {:<24} {:<8} {:>12} at {:>10}  kernels {}..{}  {}\n", item.buffer,
                               item.kind, bytesText(item.bytes), item.offset, item.firstKernel,
                               item.lastKernel, item.reason);
        }
    }
    return {};
}

static bool hasText(const record::KernelInfo& kernel, std::string_view language) {
    return std::ranges::any_of(kernel.codes,
                               [&](const record::Code& code) { return code.language == language; });
}

base::Status codeText(const ShownEntry& shown, std::string_view stage, std::string& out) {
    // A language of generated texts, which some kernels have: the others cannot run on that device.
    bool others = false;
    for (const record::LoweredGraph& lowered : shown.entry.lowered)
        for (const record::KernelInfo& kernel : lowered.kernels)
            others = others || hasText(kernel, stage);
    for (const record::LoweredGraph& lowered : shown.entry.lowered)
        for (const record::KernelInfo& kernel : lowered.kernels) {
            if (kernel.kind != "loops") {
                out += fmt::format("// {}: library call ({})\n", kernel.name, kernel.kind);
                continue;
            }
            if (others && !hasText(kernel, stage)) {
                out += fmt::format("// {}: no schedule runs its loops there\n", kernel.name);
                continue;
            }
            CUTAWAY_TRY(record::Code code, shown.code(kernel, std::string(stage)));
            out += fmt::format("// ---- {} / {} ({})\n", lowered.graph, kernel.name, stage);
            for (size_t i = static_cast<size_t>(code.hiddenPrefix); i < code.lines.size(); ++i)
                out += code.lines[i].text + "\n";
        }
    return {};
}

} // namespace cutaway::pipeline
