// SPDX-License-Identifier: Apache-2.0
/// \file
/// The graph passes, in order. Adding one is two files in core/passes and one row here.
#pragma once

#include "core/passes/pass.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

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
    passes::GraphPass run; ///< with the argument that it may be given
    bool required;         ///< a decomposition that later stages rely on: cannot be disabled
    std::string_view summary;
    const std::string_view* header; ///< the text of the one that declares it
};
std::span<const PassRow> passTable();
/// What the pass's header says of it: what it does, when it fires, when it must not, what is nearly a
/// case, where the rule comes from. Empty: there is no such pass.
std::string passText(std::string_view name);

/// "NAME=NUMBER" of a pass. Errors: user error, where it takes no such argument.
base::Result<int64_t> readArgument(std::string_view pass, std::string_view text);

/// "\p pass right before \p other". Both may be left out, so they rely on nothing but the required
/// passes around them: these they never pass.
struct PassOrder {
    std::string pass, other;
};
/// Why that is not possible: "'x' and 'y' run at different points"; empty: it is.
std::string whyNoOrder(const PassOrder& order);
/// The passes of a point in the order in which they run. Orders that are not possible there count
/// for nothing.
std::vector<const PassRow*> passesAt(PassPoint point, const std::vector<PassOrder>& orders);

} // namespace cutaway::pipeline
