// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is checked of a record that comes from outside, however it was written.
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"

#include <nlohmann/json_fwd.hpp>

namespace cutaway::record {

/// How many values an enumeration has.
constexpr int countOf(base::Severity) {
    return 3;
}
constexpr int countOf(base::Fault) {
    return 5;
}
constexpr int countOf(ItemKind) {
    return 5;
}

/// The largest item id seen, and where: ids in a damaged file must not lead out of bounds.
struct LargestItem {
    ItemId id = 0;
    std::string path;
    void see(ItemId seen, const std::string& where) {
        if (seen != kNoItem && (seen >= id || path.empty())) id = seen, path = where;
    }
};

/// Errors: user error when an id leads out of bounds, or a link names no item.
base::Status checkItems(const Record& record, const LargestItem& largest);
/// Errors: user error for a version that this program does not read.
base::Status checkVersion(int64_t version);
/// The version that a record's first object tells, where it tells one.
base::Status checkVersionOf(const nlohmann::json& head);

} // namespace cutaway::record
