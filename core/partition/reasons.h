// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every saved or recomputed value explained in words, with its numbers.
#pragma once

#include "core/partition/budget.h"
#include "core/partition/extract.h"
#include "core/partition/min_cut.h"
#include "core/partition/partition.h"

namespace cutaway::partition {

/// "640 B", "32 KiB", "1.25 MiB".
std::string bytesText(int64_t bytes);
/// "12.3 us", "1.5 ms" from a hundredth of a second on.
std::string timeText(double us);

/// \param cut null for the default partition.
std::vector<SavedTensor> explainSaved(const JointInfo& info, const Extracted& extracted,
                                      const MinCut* cut);
/// What a memory budget had room for.
std::vector<SavedTensor> explainBudgeted(const BudgetProblem& problem, const Extracted& extracted);
std::vector<RecomputedValue> explainRecomputed(const JointInfo& info, const Extracted& extracted);

} // namespace cutaway::partition
