// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/stage_text.h"
#include "core/record/json.h"

#include <nlohmann/json.hpp>

namespace cutaway::pipeline {

using nlohmann::json;

base::Status fieldJson(const ShownEntry& shown, const json& entry, std::string_view stage,
                       json& out) {
    out.push_back({{"function", shown.function.name}, {stage, entry[stage]}});
    return {};
}

base::Status graphJson(const ShownEntry& shown, const json& entry, std::string_view stage,
                       json& out) {
    for (const json& graph : entry["graphs"])
        if (graph["name"] == stage)
            out.push_back({{"function", shown.function.name}, {"graph", graph}});
    return {};
}

base::Status partitionJson(const ShownEntry& shown, const json&, std::string_view, json& out) {
    const record::Entry& entry = shown.entry;
    if (!entry.hasPartition) return {};
    json saved = json::array(), recomputed = json::array();
    for (const record::SavedTensor& value : entry.partition.saved)
        saved.push_back({{"name", value.name},
                         {"bytes", value.bytes},
                         {"input", value.input},
                         {"reason", value.reason}});
    for (const record::RecomputedValue& value : entry.partition.recomputed)
        recomputed.push_back({{"name", value.name}, {"op", value.op}, {"reason", value.reason}});
    auto point = [](const record::MemoryPoint& of) {
        return json{{"savedBytes", of.savedBytes},
                    {"peakBytes", of.peakBytes},
                    {"us", of.us},
                    {"saved", of.saved},
                    {"recomputed", of.recomputed}};
    };
    json curve = json::array();
    for (const record::MemoryPoint& of : entry.partition.curve)
        curve.push_back(point(of));
    out.push_back({{"function", shown.function.name},
                   {"graph", "joint"},
                   {"algorithm", entry.partition.algorithm},
                   {"budget", entry.partition.budget},
                   {"point", point(entry.partition.point)},
                   {"curve", curve},
                   {"saved", saved},
                   {"recomputed", recomputed}});
    return {};
}

/// One object a lowered graph, with these of its fields.
static base::Status loweredJson(const ShownEntry& shown, const json& entry,
                                std::initializer_list<const char*> fields, json& out) {
    for (const json& lowered : entry["lowered"]) {
        json row = {{"function", shown.function.name}, {"graph", lowered["graph"]}};
        for (const char* field : fields)
            row[field] = lowered[field];
        out.push_back(std::move(row));
    }
    return {};
}

base::Status loopsJson(const ShownEntry& shown, const json& entry, std::string_view, json& out) {
    return loweredJson(shown, entry, {"buffers"}, out);
}

base::Status kernelsJson(const ShownEntry& shown, const json& entry, std::string_view, json& out) {
    return loweredJson(shown, entry, {"kernels", "decisions"}, out);
}

base::Status schedulesJson(const ShownEntry& shown, const json& entry, std::string_view,
                           json& out) {
    for (const json& lowered : entry["lowered"]) {
        json kernels = json::array();
        for (const json& kernel : lowered["kernels"])
            kernels.push_back({{"name", kernel["name"]}, {"candidates", kernel["candidates"]}});
        out.push_back({{"function", shown.function.name},
                       {"graph", lowered["graph"]},
                       {"kernels", std::move(kernels)}});
    }
    return {};
}

base::Status memoryJson(const ShownEntry& shown, const json& entry, std::string_view, json& out) {
    return loweredJson(shown, entry, {"memory"}, out);
}

base::Status codeJson(const ShownEntry& shown, const json&, std::string_view stage, json& out) {
    for (const record::LoweredGraph& lowered : shown.entry.lowered)
        for (const record::KernelInfo& kernel : lowered.kernels) {
            if (kernel.kind != "loops") continue;
            CUTAWAY_TRY(record::Code code, shown.code(kernel, std::string(stage)));
            out.push_back({{"function", shown.function.name},
                           {"graph", lowered.graph},
                           {"kernel", kernel.name},
                           {"code", record::toJson(code)}});
        }
    return {};
}

} // namespace cutaway::pipeline
