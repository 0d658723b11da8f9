// SPDX-License-Identifier: Apache-2.0
/// \file
/// The named backends of torch.compile that Cutaway offers.
#pragma once

#include "core/pipeline/options.h"

#include <span>
#include <string_view>

namespace cutaway::backend {

struct BackendRow {
    std::string_view name;
    std::string_view summary;
    bool operationByOperation; ///< true: the captured graph runs through EagerOps, nothing is fused
    pipeline::Strategy strategy;
};

std::span<const BackendRow> backends();
/// Null when there is none of that name.
const BackendRow* findBackend(std::string_view name);

} // namespace cutaway::backend
