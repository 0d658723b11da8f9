// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a loop nest is spread over blocks and threads of a GPU.
///
/// Two styles. *Linear*: every thread takes chunks of a few consecutive elements anywhere; kernels
/// whose rows share nothing (and whole-tensor reductions). *Rows*: `tx` threads share a row, `ty`
/// rows are in a block at once, a block covers a tile of the columns and a split of the rows.
#pragma once

#include "core/kernel/loop_nest.h"

#include <map>
#include <vector>

namespace cutaway::codegen {

/// Facts about the statements of a nest that planning and emitting both ask for.
class NestFacts {
public:
    NestFacts(const kernel::KernelProgram& program, const kernel::LoopNest& nest);

    const kernel::LoopNest& nest;
    const kernel::ExprPool& pool;
    const kernel::LoopProgram& program;
    int64_t rows = 1, inner = 1;
    bool reducesRows = false, reducesColumns = false, reducesAll = false, finishReduces = false;

    /// Whether the value differs along the inner loop.
    bool varies(kernel::ExprId id) const;
    /// Element offset of a load or store; the indirect coordinates are left out.
    ir::Sym offset(kernel::BufferId buffer, const std::vector<kernel::Coord>& coords) const;
    ir::Sym offset(kernel::BufferId buffer, const std::vector<ir::Sym>& coords) const;
    /// Whether \p width elements from i (a multiple of width) lie side by side and aligned.
    bool sideBySide(const ir::Sym& offset, int width) const;
    /// The Let of a local, or null (totals, inputs of no statement).
    const kernel::Statement* definition(kernel::LocalId local) const;
    /// Element (and Column) locals and varying loads that a value needs, in order of first use.
    void needs(kernel::ExprId value, std::vector<kernel::LocalId>& locals,
               std::vector<kernel::ExprId>& loads) const;
    double flops(kernel::ExprId value) const;

private:
    ir::Sym simplified(const ir::Sym& offset) const;
    std::map<uint32_t, const kernel::Statement*> definitions_;
    mutable std::map<uint32_t, bool> varies_;
};

struct CudaPlan {
    enum class Style { Linear, Rows };
    /// Where values wait from one pass over the row to the next.
    enum class Cache { None, Registers, Shared };

    Style style = Style::Linear;
    int vector = 1;    ///< consecutive elements of a thread
    int threads = 256; ///< per block
    int64_t blocks = 1;
    bool longIndex = false;  ///< offsets beyond 32 bits
    int chunksPerThread = 1; ///< Linear, without reductions
    // Rows
    int tx = 32, ty = 8;
    int64_t chunks = 1; ///< of a thread in one row of the tile
    int64_t tileColumns = 1, tiles = 1;
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

CudaPlan planCuda(const NestFacts& facts, const kernel::Kernel& kernel, int multiprocessors);

} // namespace cutaway::codegen
