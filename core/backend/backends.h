// SPDX-License-Identifier: Apache-2.0
/// \file
/// The named backends of torch.compile that Cutaway offers.
#pragma once

#include "core/backend/backend.h"

#include <span>
#include <string_view>

namespace cutaway::backend {

struct BackendRow {
    std::string_view name;
    std::string_view summary;
    std::unique_ptr<Backend> (*create)(const BackendTools& tools);
};

std::span<const BackendRow> backends();
/// Null when there is none of that name.
const BackendRow* findBackend(std::string_view name);
/// "inductor, aot_eager, eager"
std::string backendNames();

} // namespace cutaway::backend
