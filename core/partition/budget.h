// SPDX-License-Identifier: Apache-2.0
/// \file
/// Saved bytes against predicted time: which values to save when memory is short.
///
/// PyTorch's activation_memory_budget (torch/_functorch/partitioners.py, choose_saved_values_set)
/// is a knapsack over values as if they did not depend on each other. Here a price on every saved
/// byte goes into the cut itself, where computing a value again costs what it and all that it needs
/// cost: for each price the cut is the best choice there is. All prices together give the lower
/// convex hull of the curve; between its corners a choice is improved by single values, and how
/// far it may be from the best is known from the hull.
#pragma once

#include "core/base/result.h"
#include "core/partition/joint_info.h"

namespace cutaway::partition {

/// What a device does in a microsecond, roughly.
struct Rates {
    double bytesPerUs = 20e3;
    double flopsPerUs = 100e3;
    double launchUs = 1; ///< of what is no part of another kernel
};

/// A choice of saved values.
struct Choice {
    std::vector<ir::NodeId> saved; ///< in joint-graph order
    int64_t bytes = 0; ///< of those that nobody else keeps: neither inputs nor forward outputs
    double us = 0;     ///< predicted: saved values written and read, the others computed again
};

/// Corners of the hull, from most bytes to least; at most 64. Random operations are never computed
/// again. Errors: bug, when a value can be neither saved nor computed where it is needed.
base::Result<std::vector<Choice>> paretoCurve(const JointInfo& info, const Rates& rates);

/// What \p saved costs; values that the backward does not use are left out of it.
Choice costOf(const JointInfo& info, const Rates& rates, const std::vector<ir::NodeId>& saved);

/// The fastest choice found of at most \p bytes, or the smallest there is, and its distance in
/// microseconds from what no choice of that size can beat.
struct Budgeted {
    Choice choice;
    double gapUs = 0;
};
Budgeted withinBytes(const JointInfo& info, const Rates& rates, const std::vector<Choice>& curve,
                     int64_t bytes);

} // namespace cutaway::partition
