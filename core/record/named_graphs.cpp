// SPDX-License-Identifier: Apache-2.0
#include "core/record/named_graphs.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace cutaway::record {

std::vector<NamedGraph> namedGraphs(const Record& record) {
    base::FileNames functions, names;
    std::vector<NamedGraph> all;
    for (const Function& function : record.functions) {
        const std::string own = functions.next(function.name);
        for (size_t e = 0; e < function.entries.size(); ++e)
            for (const GraphStage& graph : function.entries[e].graphs)
                all.push_back({names.next(fmt::format("{}_{}_{}", own, e, graph.name)),
                               &function.entries[e], &graph});
    }
    return all;
}

} // namespace cutaway::record
