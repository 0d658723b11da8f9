// SPDX-License-Identifier: Apache-2.0
/// \file
/// What somebody wants of two buffers, whatever grouping would say: one kernel, or two.
#pragma once

#include "core/kernel/kernel_program.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::fusion {

struct Wish {
    std::string a, b; ///< names of buffers; "forward/add" names the graph, too
    bool together = false;
    bool met = false;
    std::string problem{}; ///< why a program that has both could not do so
};

/// A wish whose buffers this program has.
struct WishedPair {
    kernel::BufferId a, b; ///< in the program's order
    Wish* wish = nullptr;
};

/// \param wishes may be null
std::vector<WishedPair> wishedPairs(const kernel::LoopProgram& program, std::vector<Wish>* wishes);
/// Whether somebody wants \p b in another kernel than one of \p group, or in the same one.
struct Wanted {
    bool apart = false, together = false;
};
Wanted wantedOf(const std::vector<WishedPair>& pairs, const std::vector<kernel::BufferId>& group,
                kernel::BufferId b);

} // namespace cutaway::fusion
