// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/sampled.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

static QString text(const json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_string() ? QString::fromStdString(at->get<std::string>())
                                                 : QString();
}

static int number(const json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_number_integer() ? at->get<int>() : 0;
}

/// The objects of an array; none where there is no array.
static std::vector<json> objects(const json& object, const char* name) {
    std::vector<json> all;
    if (const auto at = object.find(name); at != object.end() && at->is_array())
        for (const json& one : *at)
            if (one.is_object()) all.push_back(one);
    return all;
}

std::vector<Sampled> sampledFromJson(const json& samples) {
    std::vector<Sampled> all;
    for (const json& row : objects({{"all", samples}}, "all")) {
        Sampled one{text(row, "backend"),
                    text(row, "by"),
                    number(row, "samples"),
                    {},
                    text(row, "missing")};
        for (const json& code : objects(row, "codes")) {
            Sampled::Code& of = one.codes.emplace_back();
            of.samples = number(code, "samples");
            for (const json& kernel : objects(code, "kernels"))
                of.kernels.emplace_back(text(kernel, "graph"), text(kernel, "kernel"));
            for (const json& line : objects(code, "lines"))
                if (number(line, "line") > 0)
                    of.lines.push_back({number(line, "line"), number(line, "samples")});
        }
        all.push_back(std::move(one));
    }
    return all;
}

QHash<int, double> Sampled::shares(const QString& graph, const QString& kernel) const {
    QHash<int, double> all;
    for (const Code& code : codes)
        if (samples > 0 &&
            std::ranges::find(code.kernels, std::pair(graph, kernel)) != code.kernels.end())
            for (const Line& line : code.lines)
                all.insert(line.line - 1, double(line.samples) / samples);
    return all;
}

} // namespace cutaway::views
