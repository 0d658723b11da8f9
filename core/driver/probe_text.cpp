// SPDX-License-Identifier: Apache-2.0
#include "core/driver/probe.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cutaway::driver {

using nlohmann::json;

namespace {

json number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

json errorJson(const ValueError& error) {
    return {{"absolute", number(error.absolute)},
            {"relative", number(error.relative)},
            {"beyond", error.beyond}};
}

const char* name(ProbedValue::Origin origin) {
    static constexpr const char* kNames[] = {"input", "stored", "computed", "unknown"};
    return kNames[static_cast<size_t>(origin)];
}

} // namespace

json probeJson(const Probe& probe) {
    json values = json::array();
    for (const ProbedValue& value : probe.values) {
        json row = {{"key", value.key},
                    {"function", value.function},
                    {"graph", value.graph},
                    {"name", value.name},
                    {"op", value.op},
                    {"type", value.type},
                    {"origin", name(value.origin)},
                    {"limit", number(value.limit)},
                    {"min", number(value.least)},
                    {"max", number(value.most)},
                    {"mean", number(value.mean)},
                    {"elements", value.elements},
                    {"notFinite", value.notFinite}};
        if (!value.histogram.empty()) row["histogram"] = value.histogram;
        if (!value.firstNotFinite.empty()) row["firstNotFinite"] = value.firstNotFinite;
        if (!value.counterpart.empty()) row["counterpart"] = value.counterpart;
        if (value.origin != ProbedValue::Origin::Unknown)
            row["compiled"] = errorJson(value.compiled);
        if (value.eager) row["eager"] = errorJson(*value.eager);
        values.push_back(std::move(row));
    }
    return {{"values", std::move(values)},  {"first", probe.first},
            {"problems", probe.problems},   {"size", probe.size},
            {"device", probe.device},       {"text_hash", probe.textHash},
            {"decisions", probe.decisions}, {"threads", probe.threads}};
}

std::string probeText(const Probe& probe) {
    std::string text = fmt::format(
        "{:<9} {:<28} {:<26} {:<9} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11}\n", "graph", "value",
        "operation", "compiled", "abs", "rel", "eager abs", "rel", "min", "max");
    auto error = [](const ValueError* error) {
        return error ? fmt::format("{:>9.2e} {:>9.2e}", error->absolute, error->relative)
                     : fmt::format("{:>9} {:>9}", "-", "-");
    };
    for (const ProbedValue& value : probe.values) {
        if (value.graph == "captured") continue;
        text += fmt::format("{:<9} {:<28} {:<26} {:<9} {} {} {:>11.4g} {:>11.4g}{}{}\n",
                            value.graph, value.name, value.op.empty() ? "input" : value.op,
                            name(value.origin), error(&value.compiled),
                            error(value.eager ? &*value.eager : nullptr), value.least, value.most,
                            value.notFinite ? fmt::format("  {} not finite, first {}",
                                                          value.notFinite, value.firstNotFinite)
                                            : "",
                            value.compiled.beyond ? "  <- beyond rounding" : "");
    }
    for (const std::string& problem : probe.problems)
        text += "eager mode's values are missing: " + problem + "\n";
    if (probe.first < 0) return text + "no value lies beyond what rounding explains\n";
    const ProbedValue& first = probe.values[static_cast<size_t>(probe.first)];
    return text + fmt::format("first beyond rounding: {} {} ({}), in {}\n", first.graph, first.name,
                              first.op, first.function);
}

} // namespace cutaway::driver
