// SPDX-License-Identifier: Apache-2.0
#include "core/record/checks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cutaway::record {

base::Status checkItems(const Record& record, const LargestItem& largest) {
    if (!largest.path.empty() && largest.id >= record.items.size())
        return base::userError({}, fmt::format("{} names item {}, but there are {} items",
                                               largest.path, largest.id, record.items.size()));
    for (const Link& link : record.links)
        if (link.item == kNoItem || link.from == kNoItem)
            return base::userError({}, "a link names no item");
    return {};
}

base::Status checkVersion(int64_t version) {
    if (version >= 1 && version <= Record::kVersion) return {};
    return base::userError({},
                           fmt::format("the record has version {}, this program reads 1 to {}",
                                       version, Record::kVersion),
                           "open it with a newer version of Cutaway");
}

base::Status checkVersionOf(const nlohmann::json& head) {
    if (!head.is_object() || !head.contains("version")) return {};
    const nlohmann::json& version = head["version"];
    const bool small = version.is_number_integer() &&
                       (!version.is_number_unsigned() || version.get<uint64_t>() < INT64_MAX);
    if (small) return checkVersion(version.get<int64_t>());
    return base::userError({}, fmt::format("expected a version from 1 to {}, found {}",
                                           Record::kVersion, version.dump().substr(0, 40)));
}

} // namespace cutaway::record
