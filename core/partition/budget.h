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
#include "core/partition/estimate.h"
#include "core/partition/min_cut.h"

namespace cutaway::partition {

/// What is to be chosen from.
struct BudgetProblem {
    const JointInfo& info;
    Rates rates{};
    std::vector<WishedNode> wished{};
};

/// A choice of saved values.
struct Choice {
    std::vector<ir::NodeId> saved; ///< in joint-graph order
    int64_t bytes = 0; ///< of those that nobody else keeps: neither inputs nor forward outputs
    double us = 0;     ///< predicted: saved values written and read, the others computed again
};

/// Corners of the hull, from most bytes to least; at most 64, fewer of graphs of thousands of
/// nodes. Random operations are never computed again. Errors: bug, when a value can be neither
/// saved nor computed where it is needed.
base::Result<std::vector<Choice>> paretoCurve(const BudgetProblem& problem);

/// What \p saved costs; values that the backward does not use are left out of it.
Choice costOf(const BudgetProblem& problem, const std::vector<ir::NodeId>& saved);

/// For each of \p saved, the microseconds that it takes longer without it; -1 beyond about a
/// million steps of work.
std::vector<double> usWithout(const BudgetProblem& problem, const std::vector<ir::NodeId>& saved);

/// The fastest choice found of at most \p bytes, or the smallest there is, and its distance in
/// microseconds from what no choice of that size can beat.
struct Budgeted {
    Choice choice;
    double gapUs = 0;
};
Budgeted withinBytes(const BudgetProblem& problem, const std::vector<Choice>& curve, int64_t bytes);

} // namespace cutaway::partition
