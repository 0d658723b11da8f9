// SPDX-License-Identifier: Apache-2.0
/// \file
/// The graph passes, in order. Adding one is two files in core/passes and one row here.
#pragma once

#include "core/passes/pass.h"

#include <span>
#include <string_view>

namespace cutaway::pipeline {

/// When a pass runs.
enum class PassPoint {
    Captured, ///< on the captured graph, before differentiation
    Joint,    ///< on the joint graph, or on the captured graph when nothing wants a gradient
    Lowering  ///< on the forward and the backward graph, right before the loop IR
};

struct PassRow {
    std::string_view name; ///< the function's and the file's name, "fold_constants"
    PassPoint point;
    passes::GraphPass run;
    bool required; ///< a decomposition that later stages rely on: cannot be disabled
    std::string_view summary;
};
std::span<const PassRow> passTable();

} // namespace cutaway::pipeline
