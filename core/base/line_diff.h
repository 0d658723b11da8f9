// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which lines two texts have in common, and which only one of them has.
#pragma once

#include <string>
#include <vector>

namespace cutaway::base {

struct DiffLine {
    int sign = 0; ///< -1: only in the first text, +1: only in the second, 0: in both
    std::string text;
};

/// The lines of both texts in order; removed ones before added ones. By the O(NP) algorithm of Wu,
/// Manber, Myers and Miller (1990), in the Diff Template Library.
std::vector<DiffLine> diffLines(const std::vector<std::string>& before,
                                const std::vector<std::string>& after);

} // namespace cutaway::base
