// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a kernel's loops touch, statement by statement, in the order of the slow interpreter
/// (interpret.h), but without values: a walk needs no memory, and goes over a corner of the loops.
#pragma once

#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

/// An element that a statement reads or writes.
struct Touch {
    enum class Kind : uint8_t { Read, Write, Accumulate };
    static constexpr int64_t kComputed = -1; ///< a coordinate that only values could tell
    Kind kind = Kind::Read;
    BufferId buffer;
    std::vector<int64_t> coords; ///< of the buffer
    int worker = -1;             ///< in Walk::workers; -1: there are none
    bool operator==(const Touch&) const = default;
};

/// What shares loops: a thread of a processor, or one of a block of a GPU.
struct Worker {
    int block = -1; ///< -1: no blocks share what is done
    int thread = -1;
    auto operator<=>(const Worker&) const = default;
};

/// Where one of those who carry out a statement at once is.
struct Share {
    int worker = -1;         ///< in Walk::workers; -1: there are none
    std::vector<int64_t> at; ///< by AxisId: the (first) iteration of an open loop, else -1
    int64_t lanes = 1;       ///< iterations of the innermost loop at once
};

/// A statement that is carried out, by all who share the loops around it at once, and by each of them
/// for several lanes in loops that are done in vectors.
struct WalkMoment {
    StepId step;
    std::vector<Share> shares;  ///< one at least
    std::vector<Touch> touches; ///< an element that all lanes read once
};

struct WalkLimits {
    int64_t iterations = 4; ///< of each loop; the others are as the first
    size_t moments = 400;
    int64_t symbol = 4; ///< what every size symbol is
    /// So many iterations of a loop over the inner variable at once, statement by statement, and two
    /// such turns of it at least; the rest of them at its end. 1: one iteration after the other.
    int64_t lanes = 1;
    // Of loops with such places, the outermost of each kind is shared by so many; 0: by nobody.
    int threads = 0;           ///< of a processor, a stretch of the iterations each
    int blocks = 0, block = 0; ///< of a GPU, and threads of each: each has every n-th
    int warp = 0;              ///< and lanes of each of these, if loops are shared among lanes, too
};

struct Walk {
    std::vector<Worker> workers; ///< that were seen
    std::vector<WalkMoment> moments;
    std::vector<int64_t> extents, shown; ///< by AxisId: iterations that there are, that are walked
    bool whole = true;                   ///< nothing was left out
};

/// \param tree on the buffers of \p program, as verify.h wants it
Walk walkTree(const LoopProgram& program, const LoopTree& tree, const WalkLimits& limits);

/// A size where every symbol is \p symbol.
int64_t sizeWith(const ir::Sym& size, int64_t symbol);

/// How deep loops lie in each other; 0: none.
int depthOf(const LoopTree& tree);

} // namespace cutaway::kernel
