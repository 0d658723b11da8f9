// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows x passes, the commonest form of a loop tree: how it is written, and how it is read from a
/// tree that has it.
///
///     for o0, o1, ...                        // rows
///         for i: ...                         // a pass over the row
///         statements                         // once a row
///         for i: ...                         // the next pass (from cache or registers)
///     finish: statements, loops over i       // after all rows (sums across rows are complete)
///
/// Without rows there is one row, or one long pass, which threads may share. A pass may be written
/// as several loops, one in the other (nest.h); it is read once they are one loop.
#pragma once

#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

inline ir::Var outerVar(size_t i) {
    return {'o', static_cast<uint16_t>(i)};
}
inline ir::Var innerVar() {
    return {'i', 0};
}

/// Where a value of rows x passes lives.
enum class Level : uint8_t {
    Once,   ///< one value for the kernel (after all rows)
    Column, ///< one per inner index, after all rows
    Row,    ///< one per row
    Element ///< one per row and inner index
};

/// What a statement of rows x passes is.
enum class RowOp : uint8_t {
    Let,
    Store,
    Scan,         ///< in a pass: along i; the running value is an element
    ScanColumn,   ///< in a pass: along the innermost loop over rows, one for each i; of no RowTree
    ReduceRow,    ///< in a pass: over i
    ReduceColumn, ///< in a pass: over rows, one for each i
    ReduceAll     ///< over rows, and over i when in a pass
};
constexpr bool reduces(RowOp op) {
    return op >= RowOp::ReduceRow;
}
constexpr bool acrossRows(RowOp op) {
    return op >= RowOp::ReduceColumn;
}

/// Writes a tree of rows x passes: statements are put into bodies, and bodies into the tree.
class RowTreeBuilder {
public:
    /// Statements of one pass, or between passes.
    struct Body {
        bool inner = true; ///< a loop over i
        std::vector<StepId> steps;
        bool backwards = false; ///< from the last i to the first
    };

    /// \param rows from the outermost \param inner the extent of i; none where no pass is
    /// \param sums how sums at computed places get along where rows or elements may meet
    /// \param nest further loops of a pass, around the one over i; only along rows is then reduced
    RowTreeBuilder(const std::vector<Axis>& rows, const std::optional<ir::Sym>& inner,
                   Conflict sums, const std::vector<Axis>& nest = {});

    /// \param local without axes \param kept a later pass needs it
    LocalId let(Body& body, TreeLocal local, ExprId value, BufferId from, bool kept = false);
    /// The locals of a reduction or a scan; other: of its second result, if it has one.
    struct Results {
        LocalId result, other;
    };
    /// \param other of the second result: name and dtype; looked at where \p how has one
    Results reduce(Body& body, RowOp op, TreeLocal local, TreeLocal other, ReduceOp how,
                   ExprId value, BufferId from);
    /// What \p how has made of the values so far, in the order of the pass.
    /// \param kept, otherKept a later pass needs it
    Results scan(Body& body, TreeLocal local, TreeLocal other, RowCall::Running how, ExprId value,
                 BufferId from, bool kept = false, bool otherKept = false);
    /// The same down the innermost loop over rows, which \p backwards runs from its end.
    Results scanColumn(Body& body, TreeLocal local, TreeLocal other, RowCall::Running how,
                       ExprId value, BufferId from, bool backwards);
    void store(Body& body, BufferId target, const std::vector<ir::Sym>& at, ExprId value,
               BufferId from);
    /// target[at] = how(target[at], value)
    void accumulate(Body& body, BufferId target, std::vector<Coord> at, ReduceOp how, ExprId value,
                    BufferId from);
    /// The tree: \p passes for each row, in order, then \p finish after all rows.
    LoopTree take(const LoopProgram& program, std::vector<Body> passes,
                  std::vector<Body> finish = {});

private:
    struct Sum {
        StepId update;
        RowOp op;
    };
    using Wanted = bool (*)(RowOp);
    std::vector<AxisId> passAxes() const;
    void start(const std::vector<StepId>& updates, Wanted wanted, std::vector<StepId>& to);
    void placeColumns();
    StepId loop(AxisId axis, std::vector<StepId> body);
    void add(const Body& body, std::vector<StepId>& to);
    ir::Sym positionIn(RowOp op) const;
    void setConflict(Step& step) const;

    LoopTree tree_;
    std::vector<AxisId> rows_, nest_;
    std::optional<AxisId> inner_;
    Conflict sums_;
    std::vector<Sum> updates_;
    bool columns_ = false;          ///< something runs down them,
    bool columnsBackwards_ = false; ///< from the last row to the first
};

/// A tree of rows x passes, read. Sees the tree that it was made of, which must stay where it is.
struct RowTree {
    struct Statement {
        RowOp op = RowOp::Let;
        LocalId local; ///< all but Store; of two the position
        const Step* step = nullptr;
        bool accumulates() const { return step->store == StoreKind::Accumulate; }
    };
    struct Pass {
        bool inner = true; ///< its statements run for every i; else once a row (or once, in finish)
        std::vector<Statement> statements;
        bool backwards = false; ///< from the last i to the first
    };

    const LoopTree* tree = nullptr;
    std::vector<Axis> rows; ///< from the outermost; may be empty
    std::optional<Axis> inner;
    std::vector<Pass> passes;  ///< per row, in order
    std::vector<Pass> finish;  ///< after all rows
    std::vector<Level> levels; ///< by LocalId

    /// Nothing where the tree has another form.
    static std::optional<RowTree> of(const LoopProgram& program, const LoopTree& tree);

    Level level(LocalId id) const { return levels[id.index]; }
    ir::DType dtype(LocalId id) const { return tree->local(id).dtype; }
    /// Whether this is one long pass over elements that any thread may take any part of.
    bool isOneLongLoop() const;
};

} // namespace cutaway::kernel
