// SPDX-License-Identifier: Apache-2.0
/// \file
/// What somebody wants saved or computed again: which nodes these are, whether they can be, and
/// whether they were.
#pragma once

#include "core/partition/extract.h"
#include "core/partition/min_cut.h"
#include "core/partition/partition.h"

namespace cutaway::partition {

/// The wishes that this graph can try; those that it cannot get their problem.
std::vector<WishedNode> wishedNodes(const JointInfo& info, std::vector<Wish>& wishes);
/// Compares the wishes with what came of them.
void tellMet(const JointInfo& info, const Extracted& extracted, std::vector<Wish>& wishes);

} // namespace cutaway::partition
