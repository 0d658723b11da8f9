// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which buffers share a kernel: groups are merged along data flow, then along shared reads, as
/// long as one loop nest can compute them and no group waits for itself. Internal to core/fusion.
#pragma once

#include "core/fusion/analysis.h"
#include "core/fusion/wishes.h"
#include "core/kernel/kernel_program.h"
#include "core/kernel/row_tree.h"

#include <map>

namespace cutaway::fusion {

/// Where a buffer's values live in its group's loop nest of rows x inner.
enum class Role : uint8_t {
    Element,      ///< one per row and inner index
    RowScan,      ///< the same, of all elements of the row up to it
    ColumnScan,   ///< the same, of those of its column in the rows up to it
    Row,          ///< one per row
    RowReduce,    ///< one per row, reduced over the inner loop
    ColumnReduce, ///< one per inner index, reduced over the rows
    FullReduce,   ///< one, reduced over all elements
    RowAll,       ///< one, reduced over values of rows
    Column,       ///< one per inner index, computed after all rows
    Scalar,       ///< one, computed after all rows
    Library
};

struct Group {
    std::vector<BufferId> members;
    std::vector<Extent> dims; ///< common loops of the elements, outermost first
    Extent points = 1;        ///< product of dims
    Extent rows = 0;          ///< 0: not decided
    ir::Device device;
    bool library = false;
    bool scans = false;              ///< a member is a RowScan
    Extent scanned = 0;              ///< a member is a ColumnScan: rows that it runs down
    bool scansUp = false;            ///< from the last of them to the first
    BufferId scatter;                ///< the member that is one; at most one
    size_t work = 0;                 ///< members; a long body counts as several (workOf)
    size_t reductions = 0;           ///< members that are reductions or scans
    uint32_t first = 0;              ///< position of its first member
    std::vector<BufferId> consumers; ///< outside or inside; may repeat
    bool alive = true;
};

struct Refusal {
    std::string rule, reason;
};

struct Grouping {
    std::vector<Group> groups;     ///< dead ones included
    std::vector<uint32_t> groupOf; ///< by BufferId; kNoGroup for inputs and recomputed producers
    std::vector<Role> roles;       ///< by BufferId
    std::map<std::pair<BufferId, BufferId>, Refusal> refusals; ///< producer, consumer (or readers)

    static constexpr uint32_t kNoGroup = 0xffffffffu;
    bool together(BufferId a, BufferId b) const {
        return groupOf[a.index] == groupOf[b.index] && groupOf[a.index] != kNoGroup;
    }
};

/// \param epilogueOf by BufferId: the library buffer that takes it as an epilogue, or invalid.
/// \param wished those that want to be together come first, whatever their kernel's length
Grouping groupBuffers(const kernel::LoopProgram& program, const Analysis& analysis,
                      const std::vector<BufferId>& epilogueOf, bool fuse,
                      const std::vector<WishedPair>& wished = {});

/// The coarsest list of loops that both lists are products of neighbours of; nothing when there is
/// none ([6, 4] and [4, 6]).
std::optional<std::vector<Extent>> commonLoops(const std::vector<Extent>& a,
                                               const std::vector<Extent>& b);

/// How many readers after it a reader of the same buffer is tried with: beyond this, all pairs of a
/// much-read buffer would be quadratic. PyTorch's limit, too
/// (`max_fusion_buffer_group_pairwise_attempts`, torch/_inductor/config.py).
inline constexpr size_t kReadersReach = 64;

/// Pairs of computed buffers that read `read`, the nearest in program order first; none for a read
/// of one element, and none farther apart than kReadersReach readers.
std::vector<std::pair<BufferId, BufferId>> sharedReaders(const kernel::LoopProgram& program,
                                                         const Analysis& analysis,
                                                         const Grouping& grouping, BufferId read);

} // namespace cutaway::fusion
