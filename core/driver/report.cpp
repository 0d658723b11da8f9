// SPDX-License-Identifier: Apache-2.0
#include "core/driver/report.h"

#include "core/pipeline/stage_table.h"
#include "core/record/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cutaway::driver {

using nlohmann::json;

std::string bytesText(int64_t bytes) {
    auto value = static_cast<double>(bytes);
    if (bytes >= int64_t{1} << 30) return fmt::format("{:.2f} GiB", value / (int64_t{1} << 30));
    if (bytes >= 1 << 20) return fmt::format("{:.2f} MiB", value / (1 << 20));
    if (bytes >= 1 << 10) return fmt::format("{:.2f} KiB", value / (1 << 10));
    return fmt::format("{} B", bytes);
}

namespace {

bool isCodeStage(std::string_view stage) {
    return std::ranges::any_of(pipeline::stageTable(), [&](const pipeline::StageRow& row) {
        return row.name == stage && row.code;
    });
}

std::string itemName(const record::Record& record, record::ItemId item) {
    if (item >= record.items.size()) return "?";
    const std::string& key = record.items[item].key;
    return key.substr(key.rfind('/') + 1);
}

void appendGuards(std::string& out, const record::Entry& entry) {
    for (const record::Guard& guard : entry.guards)
        out += fmt::format("{:<16} {:<32} {}{}\n", guard.kind, guard.source, guard.condition,
                           guard.where.known() ? "   # " + guard.where.str() : "");
}

void appendPartition(std::string& out, const record::Entry& entry) {
    if (!entry.hasPartition) {
        out += "no gradient is wanted: one graph, nothing is saved\n";
        return;
    }
    int64_t bytes = 0, fresh = 0;
    for (const record::SavedTensor& saved : entry.partition.saved) {
        bytes += saved.bytes;
        if (!saved.input) fresh += saved.bytes;
    }
    out += fmt::format("{}: {} saved tensors, {} ({} newly kept)\n", entry.partition.algorithm,
                       entry.partition.saved.size(), bytesText(bytes), bytesText(fresh));
    for (const record::SavedTensor& saved : entry.partition.saved)
        out += fmt::format("  save      {:<24} {:>12}  {}\n", saved.name, bytesText(saved.bytes),
                           saved.reason);
    for (const record::RecomputedValue& value : entry.partition.recomputed)
        out += fmt::format("  recompute {:<24} {:>12}  {}\n", value.name, bytesText(value.bytes),
                           value.reason);
}

void appendPasses(std::string& out, const record::Entry& entry) {
    for (const record::PassRun& pass : entry.passes) {
        out += fmt::format("{} on {}: {}\n", pass.pass, pass.stage,
                           pass.changed ? fmt::format("{} changes", pass.changes.size())
                                        : std::string("(unchanged)"));
        for (const record::NodeChange& change : pass.changes) {
            if (!change.before.empty()) out += "  - " + change.before + "\n";
            if (!change.after.empty()) out += "  + " + change.after + "\n";
        }
    }
}

void appendLoops(std::string& out, const record::LoweredGraph& lowered) {
    out += fmt::format("-- {}\n", lowered.graph);
    for (const record::LoopBuffer& buffer : lowered.buffers)
        out += buffer.text + "\n";
}

void appendKernels(std::string& out, const record::Record& record,
                   const record::LoweredGraph& lowered) {
    out += fmt::format("-- {}: {} kernels\n", lowered.graph, lowered.kernels.size());
    for (const record::KernelInfo& kernel : lowered.kernels) {
        out += fmt::format("{} ({}): reads {}, writes {}, {:.3g} MFLOP\n", kernel.name, kernel.kind,
                           bytesText(kernel.bytesRead), bytesText(kernel.bytesWritten),
                           kernel.flops * 1e-6);
        out += "  members:";
        for (record::ItemId buffer : kernel.buffers)
            out += " " + itemName(record, buffer);
        out += "\n";
        for (const std::string& reason : kernel.schedule)
            out += "  schedule: " + reason + "\n";
    }
    for (const record::FusionDecision& decision : lowered.decisions)
        out += fmt::format("  {} {} + {}: {} ({})\n", decision.fused ? "fused" : "apart",
                           itemName(record, decision.a), itemName(record, decision.b),
                           decision.reason, decision.rule);
}

void appendMemory(std::string& out, const record::LoweredGraph& lowered) {
    out +=
        fmt::format("-- {}: arena {}, without reuse {}\n", lowered.graph,
                    bytesText(lowered.memory.arenaBytes), bytesText(lowered.memory.unsharedBytes));
    for (const record::MemoryItem& item : lowered.memory.items)
        out += fmt::format("  {:<24} {:<8} {:>12} at {:>10}  kernels {}..{}  {}\n", item.buffer,
                           item.kind, bytesText(item.bytes), item.offset, item.firstKernel,
                           item.lastKernel, item.reason);
}

base::Status appendCode(std::string& out, Tools& tools, const record::LoweredGraph& lowered,
                        const std::string& language) {
    for (const record::KernelInfo& kernel : lowered.kernels) {
        if (kernel.kind != "loops") {
            out += fmt::format("// {}: library call ({})\n", kernel.name, kernel.kind);
            continue;
        }
        CUTAWAY_TRY(Listing made, listing(tools, kernel, language));
        out += fmt::format("// ---- {} / {} ({})\n", lowered.graph, kernel.name, language);
        for (size_t i = static_cast<size_t>(made.code.hiddenPrefix); i < made.code.lines.size();
             ++i)
            out += made.code.lines[i].text + "\n";
    }
    return {};
}

base::Status appendStage(std::string& out, Tools& tools, const record::Record& record,
                         const record::Entry& entry, const std::string& stage) {
    if (const record::GraphStage* graph = entry.graph(stage)) {
        out += graph->text;
    } else if (stage == "guards") {
        appendGuards(out, entry);
        out += entry.transformedCode;
    } else if (stage == "partition") {
        appendPartition(out, entry);
    } else if (stage == "passes") {
        appendPasses(out, entry);
    } else {
        for (const record::LoweredGraph& lowered : entry.lowered) {
            if (stage == "loops") appendLoops(out, lowered);
            if (stage == "kernels") appendKernels(out, record, lowered);
            if (stage == "memory") appendMemory(out, lowered);
            if (isCodeStage(stage)) CUTAWAY_CHECK(appendCode(out, tools, lowered, stage));
        }
    }
    return {};
}

base::Status checkRequest(const record::Record& record, const std::string& stage,
                          const std::string& function) {
    if (!stage.empty()) {
        if (std::ranges::none_of(pipeline::stageTable(),
                                 [&](const pipeline::StageRow& row) { return row.name == stage; }))
            return base::usageError(fmt::format("unknown stage '{}'", stage),
                                    "known stages: " + stageNames());
    }
    if (function.empty()) return {};
    std::string known;
    for (const record::Function& row : record.functions) {
        if (row.name == function) return {};
        known += (known.empty() ? "" : ", ") + row.name;
    }
    return base::usageError(fmt::format("no compiled function is named '{}'", function),
                            known.empty() ? "the script compiles no function"
                                          : "compiled: " + known);
}

json partitionJson(const record::Function& function, const record::Entry& entry) {
    json saved = json::array(), recomputed = json::array();
    for (const record::SavedTensor& value : entry.partition.saved)
        saved.push_back({{"name", value.name},
                         {"bytes", value.bytes},
                         {"input", value.input},
                         {"reason", value.reason}});
    for (const record::RecomputedValue& value : entry.partition.recomputed)
        recomputed.push_back({{"name", value.name}, {"op", value.op}, {"reason", value.reason}});
    return {{"function", function.name},
            {"graph", "joint"},
            {"saved", saved},
            {"recomputed", recomputed}};
}

base::Result<json> codeJson(Tools& tools, const record::Function& function,
                            const record::Entry& entry, const std::string& language) {
    json result = json::array();
    for (const record::LoweredGraph& lowered : entry.lowered)
        for (const record::KernelInfo& kernel : lowered.kernels) {
            if (kernel.kind != "loops") continue;
            CUTAWAY_TRY(Listing made, listing(tools, kernel, language));
            result.push_back({{"function", function.name},
                              {"graph", lowered.graph},
                              {"kernel", kernel.name},
                              {"code", record::toJson(made.code)}});
        }
    return result;
}

} // namespace

std::string stageNames() {
    std::string names;
    for (const pipeline::StageRow& row : pipeline::stageTable())
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

base::Result<std::string> explainText(Tools& tools, const record::Record& record,
                                      const std::string& stage, const std::string& function) {
    CUTAWAY_CHECK(checkRequest(record, stage, function));
    std::string out;
    for (const record::Function& row : record.functions) {
        if (!function.empty() && row.name != function) continue;
        for (size_t i = 0; i < row.entries.size(); ++i) {
            const record::Entry& entry = row.entries[i];
            out += fmt::format("==== {} entry {}{}, backend {}, {}\n", row.name, i,
                               entry.segment.empty() ? "" : " (" + entry.segment + ")",
                               entry.backend, entry.device);
            for (const pipeline::StageRow& stageRow : pipeline::stageTable()) {
                std::string name(stageRow.name);
                if (!stage.empty() && name != stage) continue;
                bool graph = name == "captured" || name == "joint" || name == "forward" ||
                             name == "backward";
                if (graph && !entry.graph(name)) continue;
                if (stage.empty())
                    out += fmt::format("\n== {}: {}\n", stageRow.title, stageRow.summary);
                base::Status shown = appendStage(out, tools, record, entry, name);
                // Of all stages those that this machine has no tool for, and code that is not ours
                // to compile, say so; one asked for fails.
                if (!shown && stage.empty() && shown.error().fault != base::Fault::Bug)
                    out += "not shown: " + shown.error().message + "\n";
                else
                    CUTAWAY_CHECK(shown);
            }
            if (stage.empty() && !entry.times.empty()) {
                out += "\n== Times\n";
                for (const record::StageTime& time : entry.times)
                    out += fmt::format("{:<32} {:>9.3f} ms\n", time.stage, time.ms);
            }
        }
    }
    return out;
}

base::Result<json> explainJson(Tools& tools, const record::Record& record, const std::string& stage,
                               const std::string& function) {
    CUTAWAY_CHECK(checkRequest(record, stage, function));
    if (stage.empty() && function.empty()) return record::toJson(record);
    json all = record::toJson(record);
    json result = json::array();
    for (size_t f = 0; f < record.functions.size(); ++f) {
        const record::Function& row = record.functions[f];
        if (!function.empty() && row.name != function) continue;
        for (size_t e = 0; e < row.entries.size(); ++e) {
            const record::Entry& entry = row.entries[e];
            const json& entryJson = all["functions"][f]["entries"][e];
            if (stage.empty()) {
                result.push_back({{"function", row.name}, {"entry", entryJson}});
            } else if (stage == "partition") {
                if (entry.hasPartition) result.push_back(partitionJson(row, entry));
            } else if (isCodeStage(stage)) {
                CUTAWAY_TRY(json codes, codeJson(tools, row, entry, stage));
                for (json& code : codes)
                    result.push_back(std::move(code));
            } else if (stage == "guards" || stage == "passes") {
                result.push_back({{"function", row.name}, {stage, entryJson[stage]}});
            } else if (entry.graph(stage)) {
                for (const json& graph : entryJson["graphs"])
                    if (graph["name"] == stage)
                        result.push_back({{"function", row.name}, {"graph", graph}});
            } else {
                const char* field = stage == "loops"    ? "buffers"
                                    : stage == "memory" ? "memory"
                                                        : "kernels";
                for (const json& lowered : entryJson["lowered"]) {
                    json out = {{"function", row.name},
                                {"graph", lowered["graph"]},
                                {field, lowered[field]}};
                    if (stage == "kernels") out["decisions"] = lowered["decisions"];
                    result.push_back(std::move(out));
                }
            }
        }
    }
    return result;
}

} // namespace cutaway::driver
