// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every graph of a record with a name for a file of its own.
#pragma once

#include "core/record/record.h"

namespace cutaway::record {

struct NamedGraph {
    std::string name; ///< "model_0_joint"; no two are equal
    const Entry* entry;
    const GraphStage* graph;
};
/// They refer to \p record.
std::vector<NamedGraph> namedGraphs(const Record& record);

} // namespace cutaway::record
