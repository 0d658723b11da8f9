// SPDX-License-Identifier: Apache-2.0
/// \file
/// The choices between most memory and least, each with its predicted time and peak, and the one
/// that a budget asks for.
#pragma once

#include "core/partition/budget.h"
#include "core/partition/partition.h"

namespace cutaway::partition {

struct CurvePoint {
    std::vector<ir::NodeId> saved; ///< in joint-graph order
    Estimate estimate;
};

/// The corners of the hull (budget.h) and \p known choices, without those that another beats in
/// peak, saved bytes and time. From most saved bytes to least.
base::Result<std::vector<CurvePoint>>
memoryCurve(const BudgetProblem& problem, const Estimator& estimator,
            const std::vector<std::vector<ir::NodeId>>& known);

struct Chosen {
    CurvePoint point;
    std::string how; ///< in words: what was asked for, what came of it, how far from the best
};

/// The fastest choice found within \p budget. Up to 10 values that may be saved or not, it is the
/// best of all choices; beyond, the gap is that of the additive costs of budget.h. Where nothing
/// fits, the choice with the least peak or saved bytes. \param usual what min_cut saves
base::Result<Chosen> withinBudget(const BudgetProblem& problem, const Estimator& estimator,
                                  const std::vector<CurvePoint>& curve, const Budget& budget,
                                  const Estimate& usual);

} // namespace cutaway::partition
