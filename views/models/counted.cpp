// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/counted.h"

#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

static QString text(const json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_string() ? QString::fromStdString(at->get<std::string>())
                                                 : QString();
}

std::vector<Counted> countedFromJson(const json& counts) {
    std::vector<Counted> all;
    if (!counts.is_array()) return all;
    for (const json& row : counts) {
        if (!row.is_object()) continue;
        Counted one{text(row, "backend"), {}, text(row, "missing")};
        if (const auto at = row.find("perCall"); at != row.end() && at->is_array())
            for (const json& count : *at)
                if (count.is_object() && count.contains("value") && count["value"].is_number())
                    one.perCall.emplace_back(text(count, "what"), count["value"].get<double>());
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace cutaway::views
