// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a candidate for a GPU means for a kernel's loops: how they are spread over blocks and
/// threads. Computed from the decisions, and nothing else.
///
/// Five styles. *Linear*: every thread takes chunks of a few consecutive elements anywhere;
/// kernels whose rows share nothing (and whole-tensor reductions). *Rows*: `tx` threads share a
/// row, `ty` rows are in a block at once, a block covers a tile of the columns and a split of the
/// rows. *Tiles*: a block has a square of elements, `tx` along the inner loop and as many along the
/// one that turned accesses walk; shared memory turns those. *Serial*: a thread has an iteration of the loops that are shared, or all of those, and
/// does what is in them. *Sorted*: a block collects the iterations whose updates are of its own places,
/// sorts them by place, and adds those of a place one after the other.
#pragma once

#include "core/schedule/row_facts.h"
#include "core/schedule/schedule.h"

namespace cutaway::schedule {

struct CudaPlan {
    enum class Style { Linear, Rows, Tiles, Serial, Sorted };
    /// Where values wait from one pass over the row to the next.
    enum class Cache { None, Registers, Shared };

    Style style = Style::Linear;
    int vector = 1;    ///< consecutive elements of a thread
    int threads = 256; ///< per block
    int64_t blocks = 1;
    bool longIndex = false;  ///< offsets beyond 32 bits
    int chunksPerThread = 1; ///< Linear, without reductions
    int64_t owners = 0;      ///< Serial: threads that run all iterations along which updates may
                             ///< meet, and each add at places of their own; 0: nobody asks whose
                             ///< place it is. Sorted: blocks, each with places of its own
    bool apart = false; ///< Sorted: threads have elements of a row, all of which goes to one place
    size_t turned = 0;  ///< Tiles: the loop over rows that turned accesses walk
    // Rows; Tiles: tiles along the inner loop, splits along the turned one
    int tx = 32, ty = 8;
    bool beside = false;      ///< a block's rows are neighbours: so are their threads
    int64_t chunks = 1;       ///< of a thread in one row of the tile
    bool cutsColumns = false; ///< a block has a tile of the columns
    int64_t tileColumns = 1, tiles = 1;
    int64_t parts = 1;             ///< blocks that share a row
    int64_t splits = 1;            ///< blocks along the rows
    int64_t splitGroup = 1;        ///< splits that are combined at once
    bool persistent = false;       ///< a block takes one set of rows after another
    bool columnsInScratch = false; ///< too many column sums for registers
    Cache cache = Cache::None;
    std::vector<kernel::LocalId> cachedLocals;
    std::vector<kernel::ExprId> cachedLoads;
    int64_t sharedBytes = 0; ///< dynamic
    bool prefetch = false;   ///< kept loads of the next row begin before this one ends

    int64_t groups() const { return (splits + splitGroup - 1) / splitGroup; }
};

/// \param candidate of a CUDA template, checked.
CudaPlan cudaPlan(const RowFacts& facts, const Candidate& candidate);

} // namespace cutaway::schedule
