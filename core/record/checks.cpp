// SPDX-License-Identifier: Apache-2.0
#include "core/record/checks.h"

#include <fmt/format.h>

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

} // namespace cutaway::record
