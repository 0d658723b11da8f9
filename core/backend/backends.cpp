// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backends.h"

#include "core/backend/eager_backend.h"
#include "core/backend/fused_backend.h"

#include <utility>
#include <vector>

namespace cutaway::backend {

static std::vector<BackendRow>& rows() {
    static std::vector<BackendRow> all{
        {"inductor", "the whole pipeline: joint graph, minimum cut, fused kernels", makeInductor},
        {"aot_eager", "joint graph and partition, one kernel an operation", makeAotEager},
        {"eager", "captured graph, one kernel an operation", makeEager},
    };
    return all;
}

std::span<const BackendRow> backends() {
    return rows();
}

void addBackend(BackendRow row) {
    rows().push_back(std::move(row));
}

/// Other names of PyTorch's for what computes the same: its steps to a fault, and the partition that
/// there is; a replayed call (cudagraphs) is a mode here.
static std::string_view meant(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
        {"cudagraphs", "inductor"},
        {"aot_eager_decomp_partition", "aot_eager"},
        {"aot_eager_default_partitioner", "aot_eager"},
        {"aot_ts", "aot_eager"},
        {"eager_noexcept", "eager"},
        {"eager_debug", "eager"},
        {"pre_dispatch_eager", "eager"},
        {"ts", "eager"},
    };
    for (const auto& [other, row] : kMeant)
        if (other == name) return row;
    return name;
}

const BackendRow* findBackend(std::string_view name) {
    name = meant(name);
    for (const BackendRow& row : rows())
        if (row.name == name) return &row;
    return nullptr;
}

std::string backendNames() {
    std::string names;
    for (const BackendRow& row : rows())
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

} // namespace cutaway::backend
