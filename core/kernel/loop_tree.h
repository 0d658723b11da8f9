// SPDX-License-Identifier: Apache-2.0
/// \file
/// A kernel as a tree of loops over extents that may be symbolic: any nesting, several loops one
/// after the other, reduced axes anywhere.
///
///     total: f32 = start sum
///     for o0 in 0..n reduce:
///         for i in 0..64 reduce vector:
///             total sum= x[o0, i]
///     out[] = total
///
/// What a loop *is* (AxisKind) follows from the steps below it; where it *runs* (Place) is the
/// schedule's choice. Legality asks the first, printers the second.
#pragma once

#include "core/kernel/loop_program.h"

namespace cutaway::kernel {

using AxisId = base::Id<struct AxisTag>;
using StepId = base::Id<struct StepTag>;

/// A loop variable, from 0 to extent - 1. Several loops of a tree may run over one axis.
struct Axis {
    ir::Var variable;
    ir::Sym extent; ///< over constants and size symbols
    bool operator==(const Axis&) const = default;
};

enum class AxisKind : uint8_t {
    Space,  ///< iterations are independent
    Reduce, ///< they update one accumulator, or may meet in one element of memory
    Scan    ///< each reads what the ones before it have accumulated
};

/// Where iterations run; a loop may have several ("threads vector").
enum class Place : uint8_t {
    Threads = 1, ///< shared among the processor's threads
    Vector = 2,  ///< lanes of vector registers
    Unroll = 4,
    Grid = 8,   ///< shared among a GPU's blocks
    Block = 16, ///< shared among the threads of a block
    Lane = 32   ///< shared among the lanes of a warp
};
using Places = uint8_t; ///< of Place; 0: one after the other
constexpr Places operator|(Place a, Place b) {
    return static_cast<Places>(static_cast<Places>(a) | static_cast<Places>(b));
}
constexpr bool has(Places places, Place place) {
    return (places & static_cast<Places>(place)) != 0;
}

/// What becomes of the iterations that do not fill the last vector or block.
enum class Tail : uint8_t {
    Exact, ///< there are none
    Mask   ///< the last one is partly masked
};

enum class StoreKind : uint8_t {
    Assign,    ///< target[coords] = value, each element at most once
    Accumulate ///< target[coords] = reduce(target[coords], value)
};

/// What is done where several iterations accumulate into one element.
enum class Conflict : uint8_t {
    None,   ///< loops that are shared never meet in one element
    Owner,  ///< each thread runs all iterations and does those whose element it owns: every element
            ///< gets its values in program order, whatever number of threads there is
    Atomic, ///< in any order
    Copies, ///< each thread into a copy of its own, and the copies into the target in their order
    Sorted  ///< iterations are sorted by a coordinate first, equal ones in program order, and each
            ///< thread does those of some of its values
};

/// A value of the tree. It is visible while the loops around its definition are open, but for
/// those over its own axes: it has one element for each of their iterations, and outlives them.
struct TreeLocal {
    std::string name;
    ir::DType dtype = ir::DType::Float32;
    std::vector<AxisId> axes;
    BufferId buffer; ///< the loop-IR buffer that the value is an element of; may be invalid
    bool operator==(const TreeLocal&) const = default;
};

/// A loop or a statement.
struct Step {
    enum class Kind : uint8_t {
        Loop,
        Let,    ///< local = value
        Start,  ///< an empty accumulator
        Update, ///< local = reduce(local, value); two locals where the reduction has two results,
                ///< of which its own is the second
        Store,
        Scan ///< local = what `running` makes of the values of this loop so far; of Max and Min a
             ///< second local has the position. Of the loop over `axis`, else directly in its loop
    };
    Kind kind = Kind::Let;
    // Loop
    AxisId axis; ///< of a Scan: that it runs along, with a value for each iteration of loops inside
    AxisKind axisKind = AxisKind::Space; ///< as kindOf says
    Places places = 0;
    Tail tail = Tail::Exact;
    bool backwards = false; ///< from the last iteration to the first
    std::vector<StepId> body;
    // statements
    std::vector<LocalId> locals;     ///< Let: one; Start, Update and Scan: one or two
    ExprId value;                    ///< all but Start
    ir::Sym position;                ///< Update of ArgMax and ArgMin: where the value stands
    ReduceOp reduce = ReduceOp::Sum; ///< Start, Update, Store that accumulates
    RowCall::Running running = RowCall::Running::Sum; ///< Scan
    BufferId target;
    std::vector<Coord> coords; ///< Store: one for each dimension of target
    StoreKind store = StoreKind::Assign;
    Conflict conflict = Conflict::None;
    int owned = 0; ///< Owner, Sorted: the dimension of target that is divided among the threads
    BufferId from; ///< the buffer whose computation this is (provenance)
};

struct LoopTree {
    std::vector<Axis> axes;        ///< by AxisId
    std::vector<TreeLocal> locals; ///< by LocalId
    std::vector<Step> steps;       ///< by StepId
    std::vector<StepId> root;      ///< in order
    /// Size symbols that the kernel is given when it is called, in this order.
    std::vector<ir::Var> sizeArguments;
    int lanes = 16; ///< of vector loops; the schedule's choice, not part of the text

    const Step& step(StepId id) const { return steps[id.index]; }
    const Axis& axis(AxisId id) const { return axes[id.index]; }
    const TreeLocal& local(LocalId id) const { return locals[id.index]; }
    AxisId addAxis(ir::Var variable, ir::Sym extent);
    LocalId addLocal(TreeLocal local);
    StepId add(Step step);
};

inline bool isArg(ReduceOp op) {
    return op == ReduceOp::ArgMax || op == ReduceOp::ArgMin;
}
/// Whether the reduction has a second accumulator.
inline bool givesTwo(ReduceOp op) {
    return isArg(op) || op == ReduceOp::Welford;
}
constexpr bool givesPlaces(RowCall::Running running) {
    return running == RowCall::Running::Max || running == RowCall::Running::Min;
}
/// Whether the step computes its locals where it stands: Let and Scan.
constexpr bool defines(Step::Kind kind) {
    return kind == Step::Kind::Let || kind == Step::Kind::Scan;
}

/// Every step under \p steps in program order, loops before their bodies. \p open gives the loops
/// around it, outermost first.
void visitSteps(const LoopTree& tree, const std::vector<StepId>& steps,
                const std::function<void(const Step&, const std::vector<StepId>& open)>& visitor);

/// What a loop is, by the steps below it.
AxisKind kindOf(const LoopProgram& program, const LoopTree& tree, StepId loop);

/// Fills in every loop's kind and the size arguments (symbols of extents, of index expressions and
/// of the layouts of buffers that are accessed, in order).
void complete(const LoopProgram& program, LoopTree& tree);

/// The size symbols that a tree names, in order.
std::vector<ir::Var> sizeSymbols(const LoopProgram& program, const LoopTree& tree);

} // namespace cutaway::kernel
