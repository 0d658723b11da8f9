// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every saved or recomputed value explained in words, with its numbers.
#pragma once

#include "core/partition/extract.h"
#include "core/partition/min_cut.h"
#include "core/partition/partition.h"

namespace cutaway::partition {

/// "640 B", "32.0 KiB", "1.2 MiB".
std::string bytesText(int64_t bytes);

/// \param cut null for the default partition.
std::vector<SavedTensor> explainSaved(const JointInfo& info, const Extracted& extracted,
                                      const MinCut* cut);
std::vector<RecomputedValue> explainRecomputed(const JointInfo& info, const Extracted& extracted);

} // namespace cutaway::partition
