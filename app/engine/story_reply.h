// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stories of a record (core/driver/stories.h) as JSON.
#pragma once

#include "core/driver/stories.h"

#include <nlohmann/json.hpp>

namespace cutaway::engine {

/// Errors: as tellKernel.
base::Result<nlohmann::json> kernelStory(const record::LoweredGraph& lowered,
                                         const record::KernelInfo& kernel,
                                         const std::string& target);
/// Errors: as tellCut.
base::Result<nlohmann::json> cutStory(const record::Entry& entry,
                                      const std::vector<std::string>& decisions);

} // namespace cutaway::engine
