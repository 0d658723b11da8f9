// SPDX-License-Identifier: Apache-2.0
#include "core/driver/report.h"

#include "core/backend/plugin.h"
#include "core/base/tick.h"
#include "core/pipeline/stage_table.h"
#include "core/record/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace cutaway::driver {

using nlohmann::json;

namespace {

/// What the guards' stage says besides guards, by itself.
struct CapturePart {
    std::string_view name, field; ///< of `explain --stage`; of the record's JSON
    std::string (*text)(const record::Entry&);
};

std::string breaksText(const record::Entry& entry) {
    std::string text;
    for (const base::Diagnostic& found : entry.breaks)
        text += found.str() + "\n";
    return text;
}

constexpr CapturePart kCaptureParts[] = {
    {"breaks", "breaks", breaksText},
    {"transformed", "transformedCode",
     [](const record::Entry& entry) { return entry.transformedCode; }},
};

const CapturePart* findPart(std::string_view name) {
    const auto* part = std::ranges::find(kCaptureParts, name, &CapturePart::name);
    return part != std::end(kCaptureParts) ? part : nullptr;
}

base::Status knownStage(const std::string& stage) {
    if (stage.empty() || pipeline::findShownStage(stage) || findPart(stage)) return {};
    return base::usageError(fmt::format("unknown stage '{}'", stage),
                            "known stages: " + stageNames());
}

pipeline::ShownEntry shownEntry(Tools& tools, const record::Record& record,
                                const record::Function& function, const record::Entry& entry) {
    auto code = [&tools](const record::KernelInfo& kernel,
                         const std::string& language) -> base::Result<record::Code> {
        CUTAWAY_TRY(Listing made, listing(tools, kernel, language));
        return std::move(made.code);
    };
    return {record, function, entry, code};
}

std::string heading(const record::Function& function, size_t number, const record::Entry& entry) {
    std::string text = fmt::format("# ==== {} entry {}", function.name, number);
    if (!entry.segment.empty()) text += fmt::format(" ({})", entry.segment);
    if (entry.backwardOf >= 0) text += fmt::format(", backward of entry {}", entry.backwardOf);
    return text + fmt::format(", backend {}, {}\n", entry.backend, entry.device);
}

base::Status appendStages(std::string& out, const pipeline::ShownEntry& shown,
                          const std::string& wanted) {
    if (const CapturePart* part = findPart(wanted)) {
        out += part->text(shown.entry);
        return {};
    }
    for (const pipeline::StageRow& row : pipeline::stageTable()) {
        if (!row.print || (!wanted.empty() && row.name != wanted)) continue;
        std::string text;
        base::Status status = row.print(shown, row.name, text);
        if (wanted.empty() && status && text.empty()) continue;
        if (wanted.empty()) out += fmt::format("\n# == {}: {}\n", row.title, row.summary);
        out += text;
        // Of all stages those that this machine has no tool for, and code that is not ours to
        // compile, say so; one asked for fails.
        if (!status && wanted.empty() && status.error().fault != base::Fault::Bug)
            out += "# not shown: " + status.error().message + "\n";
        else if (!status.ok())
            return status.error();
    }
    return {};
}

} // namespace

std::string stageNames() {
    std::string names;
    for (const pipeline::StageRow& row : pipeline::stageTable())
        if (row.print) names += (names.empty() ? "" : ", ") + std::string(row.name);
    for (const CapturePart& part : kCaptureParts)
        names += ", " + std::string(part.name);
    return names;
}

base::Result<std::string> explainText(Tools& tools, const record::Record& record,
                                      const std::string& stage) {
    CUTAWAY_CHECK(knownStage(stage));
    std::string out;
    for (const record::Function& row : record.functions) {
        for (size_t i = 0; i < row.entries.size(); ++i) {
            const record::Entry& entry = row.entries[i];
            std::string text;
            CUTAWAY_CHECK(appendStages(text, shownEntry(tools, record, row, entry), stage));
            // A backward has few stages of its own.
            if (text.empty() && entry.backwardOf >= 0) continue;
            out += heading(row, i, entry) + text;
            if (!stage.empty() || entry.times.empty()) continue;
            out += "\n# == Times\n";
            for (const record::StageTime& time : entry.times)
                out += fmt::format("{:<32} {:>9.3f} ms\n", time.stage, time.ms);
        }
    }
    return out;
}

base::Result<json> explainJson(Tools& tools, const record::Record& record,
                               const std::string& stage) {
    CUTAWAY_CHECK(knownStage(stage));
    if (stage.empty()) return record::toJson(record);
    json result = json::array();
    for (const record::Function& row : record.functions) {
        for (const record::Entry& entry : row.entries) {
            json entryJson = record::toJson(entry);
            if (const CapturePart* part = findPart(stage))
                result.push_back({{"function", row.name}, {stage, entryJson[part->field]}});
            else
                CUTAWAY_CHECK(pipeline::findShownStage(stage)->json(
                    shownEntry(tools, record, row, entry), entryJson, stage, result));
        }
    }
    return result;
}

base::Result<std::vector<std::pair<std::string, double>>> nodeNumbers(const record::Record& record,
                                                                      const std::string& overlay) {
    std::vector<std::pair<std::string, double>> all;
    // Of a name that no plug-in has, also where there is no graph.
    CUTAWAY_CHECK(backend::knownOverlay(overlay));
    for (const record::Function& function : record.functions)
        for (const record::Entry& entry : function.entries)
            for (const record::GraphStage& graph : entry.graphs) {
                base::tick();
                CUTAWAY_TRY(auto numbers, backend::nodeNumbers(overlay, graph.text));
                std::unordered_map<std::string_view, record::ItemId> items;
                for (const record::GraphNode& node : graph.nodes)
                    items.emplace(node.name, node.item);
                for (const auto& [name, value] : numbers)
                    if (const auto at = items.find(name); at != items.end())
                        all.emplace_back(record.items[static_cast<size_t>(at->second)].key, value);
            }
    return all;
}

json samplesJson(const Sampled& sampled) {
    json codes = json::array();
    for (const Sampled::Code& code : sampled.codes) {
        json kernels = json::array(), lines = json::array();
        for (const auto& [graph, kernel] : code.kernels)
            kernels.push_back({{"graph", graph}, {"kernel", kernel}});
        for (const Sampled::Line& line : code.lines)
            lines.push_back({{"line", line.line}, {"samples", line.samples}});
        codes.push_back({{"kernels", kernels}, {"samples", code.samples}, {"lines", lines}});
    }
    return {{"by", sampled.what},
            {"samples", sampled.samples},
            {"codes", codes},
            {"missing", sampled.missing}};
}

} // namespace cutaway::driver
