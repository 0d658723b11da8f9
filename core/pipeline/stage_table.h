// SPDX-License-Identifier: Apache-2.0
/// \file
/// The stages and the passes, in order: the command line, the window, the record and the runner all
/// read these two tables. Adding a pass is two files in core/passes and one row here.
#pragma once

#include "core/passes/pass.h"

#include <span>
#include <string_view>

namespace cutaway::pipeline {

/// A stage that can be shown by itself (`explain --stage NAME`).
struct StageRow {
    std::string_view name;    ///< "joint"
    std::string_view title;   ///< "Joint graph"
    std::string_view summary; ///< one sentence
    bool code = false;        ///< a text of each kernel
};
std::span<const StageRow> stageTable();

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
