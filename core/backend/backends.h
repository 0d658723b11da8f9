// SPDX-License-Identifier: Apache-2.0
/// \file
/// The named backends of torch.compile that Cutaway and its plug-ins offer.
#pragma once

#include "core/backend/backend.h"

#include <functional>
#include <span>
#include <string_view>

namespace cutaway::backend {

struct BackendRow {
    std::string_view name;
    std::string_view summary;
    std::function<std::unique_ptr<Backend>(const BackendTools& tools)> create;
};

/// Ours, and then those of plug-ins.
std::span<const BackendRow> backends();
/// Of a plug-in (plugin.h). To be called before the first session.
void addBackend(BackendRow row);
/// Null when there is none of that name.
const BackendRow* findBackend(std::string_view name);
/// "inductor, aot_eager, eager"
std::string backendNames();

} // namespace cutaway::backend
