// SPDX-License-Identifier: Apache-2.0
/// \file
/// What templates ask of a kernel's rows and passes. Computed once a kernel; nothing is chosen here.
#pragma once

#include "core/kernel/kernel_program.h"
#include "core/kernel/row_tree.h"
#include "core/kernel/varying.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::schedule {

/// Which values of one pass over the row a later pass needs and would rather not make again.
struct Kept {
    std::vector<kernel::LocalId> locals;
    std::vector<kernel::ExprId> loads;
    int64_t bytes = 0; ///< per element, all together
    int64_t peak = 0;  ///< per element, at the worst time
};

/// What one inner iteration does, all passes together; what a row has once stays scalar.
struct InnerLoops {
    size_t widest = 1;        ///< bytes of the widest value that a vector holds
    size_t steps = 0;         ///< statements of the longest pass
    bool light = true;        ///< no step needs registers of its own (a polynomial)
    int peakLive = 1;         ///< values that wait for a later use at the same time, at most
    double words = 0;         ///< vector instructions, each counted by its value's 4-byte words
    double gathered = 0;      ///< elements that no vector access moves
    double pieceWords = 0;    ///< of those: words that vectors move where a pass is several loops
    double pieceGathered = 0; ///< elements that stay gathered there
    double rowOps = 0;        ///< scalar operations of a row
    bool reduces = false;     ///< along the row
    int64_t keptRowBytes = 0; ///< the longest row of values that a later pass reads; 0: none
};

/// Accesses whose neighbours in memory do not lie along the inner loop but along a loop over rows,
/// the same for all of them: a transposition.
struct Turned {
    size_t row = 0;                      ///< that loop, of RowFacts::form.rows
    std::vector<kernel::ExprId> loads;   ///< read so
    std::vector<kernel::LocalId> stored; ///< values of elements that are stored so
    int64_t bytes = 0;                   ///< of one element, all these accesses together
    int64_t narrowest = 0;               ///< bytes of the narrowest of them
    int64_t apart = 0; ///< bytes between neighbours of the inner loop, at most; of symbols a line
    double sectorBytes = 0; ///< moved for one element where threads walk the inner loop

    bool any() const { return bytes > 0; }
};

class RowFacts {
public:
    RowFacts(const kernel::KernelProgram& program, const kernel::Kernel& kernel);

    const kernel::Kernel& kernel;
    const kernel::RowTree form;
    const kernel::ExprPool& pool;
    const kernel::LoopProgram& program;
    int64_t rows = 1, inner = 1; ///< of symbols: their hints, which rank candidates, no more
    bool constantSizes = true;
    bool constantRow = true;  ///< the inner loop's length is a number
    bool scatters = false;    ///< adds at computed places
    bool orderCounts = false; ///< of what is added there: floating values
    bool scans = false;       ///< running values along rows
    bool reducesRows = false, reducesColumns = false, reducesAll = false;

    /// Whether the value differs along the inner loop.
    bool varies(kernel::ExprId id) const { return varies_(id); }
    /// Element offset of a load or store; the indirect coordinates are left out.
    ir::Sym offset(kernel::BufferId buffer, const std::vector<kernel::Coord>& coords) const;
    /// Whether \p width elements from i (a multiple of width) lie side by side and aligned.
    bool sideBySide(const ir::Sym& offset, int width) const;
    /// Whether elements lie side by side along the innermost of several loops of a pass.
    bool sideBySideInPieces(const ir::Sym& offset) const;
    /// The Let of a local, or null (totals, inputs of no statement).
    const kernel::RowTree::Statement* definition(kernel::LocalId local) const;
    /// Element (and Column) locals and varying loads that a value needs, in order of first use.
    void needs(kernel::ExprId value, std::vector<kernel::LocalId>& locals,
               std::vector<kernel::ExprId>& loads) const;
    double flops(kernel::ExprId value) const;

    /// Operations on one element of the inner loops, all passes together.
    double bodyFlops() const;
    /// A local that runs along a row and that a later pass needs; invalid: there is none.
    kernel::LocalId runningAgain() const;
    /// Whether rows are a multiple of \p width, whatever the sizes.
    bool dividesRow(int64_t width) const;
    /// Whether any access of the rows moves \p width elements at once.
    bool anySideBySide(int width) const;
    /// Whether element offsets go beyond 32 bits.
    bool needsLongIndex() const;
    /// Bytes that the column sums of one column take.
    int64_t columnBytes() const;
    /// What is kept from pass to pass when values of up to \p recomputeFlops operations are made
    /// again.
    const Kept& kept(double recomputeFlops) const;
    const InnerLoops& innerLoops() const;
    /// Of the loop over rows that most bytes lie along.
    const Turned& turned() const;
    /// Loops of a pass in the kernel's tree; what `form` has as one (kernel::Kernel::oneLoop).
    int64_t passLoops() const;
    /// Elements of the innermost of several loops of a pass; 0: there is one.
    int64_t piece() const;

private:
    std::map<uint32_t, const kernel::RowTree::Statement*> definitions_;
    mutable kernel::Varying varies_;
    mutable std::map<double, Kept> kept_;
    mutable std::optional<double> bodyFlops_;
    mutable std::optional<bool> longIndex_;
    mutable std::optional<InnerLoops> innerLoops_;
    mutable std::optional<Turned> turned_;
};

} // namespace cutaway::schedule
