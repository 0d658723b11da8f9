// SPDX-License-Identifier: Apache-2.0
/// \file
/// What grouping needs to know of each buffer: its loop space, what it reads and how the places
/// that it reads relate to its own. Also decides which producers are computed again at the index
/// where a consumer reads them, instead of being stored. Internal to core/fusion.
#pragma once

#include "core/fusion/extent.h"

#include <set>

namespace cutaway::fusion {

using kernel::BufferId;
using kernel::ExprId;

enum class LoopKind : uint8_t {
    None,         ///< an input, a constant or a library's call
    Map,          ///< pointwise
    RowReduce,    ///< loops (kept..., reduced...)
    ColumnReduce, ///< loops (reduced..., kept...): sums over the outer dimensions
    FullReduce,   ///< everything is reduced
    RowScan,      ///< a scan that loops do: (rows..., scanned)
    ColumnScan    ///< the same along an outer dimension: (rows..., scanned, columns...)
};

/// How the places that a consumer reads of a buffer relate to the consumer's own loops.
enum class Relation : uint8_t {
    Same,   ///< element by element
    Prefix, ///< one element per row: the outer loops' index
    Suffix, ///< one row for all: the inner loops' index
    Single, ///< the buffer has one element
    Other   ///< anything else: transposed, gathered, shifted
};

struct Access {
    ExprId load; ///< in the consumer's variables
    BufferId buffer;
    Relation relation = Relation::Other;
};

struct BufferInfo {
    LoopKind kind = LoopKind::None;
    std::vector<Extent> dims;  ///< sizes of the loops, outermost first, without those of size 1
    std::vector<ir::Var> vars; ///< the buffer's variable of each loop
    Extent points = 1;         ///< product of dims
    Extent rows = 0;    ///< reductions over rows or columns, scans: product of the outer part
    Extent scanned = 0; ///< ColumnScan: elements along the scan
    Extent numel = 1;   ///< elements of the result
    ir::Sym flat;       ///< row-major index of the loop point
    ExprId own;  ///< the value as the loop IR has it; invalid of another buffer's other result
    ExprId body; ///< the same with recomputed producers put in
    std::vector<Access> loads;        ///< of body, each place once
    std::vector<BufferId> recomputes; ///< producers put into body, in order
    double flops = 0;                 ///< per point, body only
    size_t nodes = 0;                 ///< size of body
    bool mustStore = false;           ///< an output or a library operand
    std::vector<BufferId> consumers;  ///< buffers whose body loads this one, each once
};

/// Bodies beyond this many nodes are not made larger by recomputation.
inline constexpr size_t kMaxBody = 160;

struct Analysis {
    std::vector<BufferInfo> infos; ///< by BufferId

    BufferInfo& operator[](BufferId id) { return infos[id.index]; }
    const BufferInfo& operator[](BufferId id) const { return infos[id.index]; }
};

/// \param recompute false: nothing is put into consumers (unfused kernels).
Analysis analyse(kernel::LoopProgram& program, bool recompute);

/// Bounds of a buffer's own loop variables, for Sym::simplify.
ir::Sym::Bound loopBounds(const kernel::Buffer& buffer);

/// Whether the value of what \p load reads, a pointwise buffer, is the same for all indices that it
/// computes: put in its place, the value would leave out the index and what checks it.
bool forgetsIndex(const kernel::LoopProgram& program, const kernel::Expr& load);
/// Makes \p consumer compute \p producers again where it reads them; refreshes the consumer's
/// loads.
void recomputeIn(kernel::LoopProgram& program, Analysis& analysis, BufferId consumer,
                 const std::set<BufferId>& producers);
/// Fills in BufferInfo::consumers from loads.
void collectConsumers(kernel::LoopProgram& program, Analysis& analysis);
/// True when the buffer is nowhere computed by itself: every reader computes it again.
bool isOnlyRecomputed(const kernel::LoopProgram& program, const Analysis& analysis, BufferId id);

} // namespace cutaway::fusion
