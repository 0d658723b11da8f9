// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backends.h"

#include "core/backend/eager_backend.h"
#include "core/backend/fused_backend.h"

namespace cutaway::backend {

static constexpr BackendRow kBackends[] = {
    {"inductor", "the whole pipeline: joint graph, minimum cut, fused kernels", makeInductor},
    {"aot_eager", "joint graph and partition, one kernel an operation", makeAotEager},
    {"eager", "captured graph, one kernel an operation", makeEager},
};

std::span<const BackendRow> backends() {
    return kBackends;
}

const BackendRow* findBackend(std::string_view name) {
    for (const BackendRow& row : kBackends)
        if (row.name == name) return &row;
    return nullptr;
}

std::string backendNames() {
    std::string names;
    for (const BackendRow& row : kBackends)
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

} // namespace cutaway::backend
