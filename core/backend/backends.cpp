// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backends.h"

namespace cutaway::backend {

using partition::Partitioner;

static constexpr BackendRow kBackends[] = {
    {"inductor",
     "the whole pipeline: joint graph, minimum cut, fused kernels",
     false,
     {true, true, Partitioner::MinCut}},
    {"aot_eager",
     "joint graph and partition, one kernel an operation",
     false,
     {false, true, Partitioner::MinCut}},
    {"eager",
     "captured graph, one kernel an operation",
     true,
     {false, false, Partitioner::Default}},
};

std::span<const BackendRow> backends() {
    return kBackends;
}

const BackendRow* findBackend(std::string_view name) {
    for (const BackendRow& row : kBackends)
        if (row.name == name) return &row;
    return nullptr;
}

} // namespace cutaway::backend
