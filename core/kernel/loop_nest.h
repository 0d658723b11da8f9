// SPDX-License-Identifier: Apache-2.0
/// \file
/// A fused kernel: what both emitters print, statement by statement, and what the slow interpreter
/// runs. How its loops run on a device is a schedule's matter (core/schedule).
///
///     for o0, o1, ...                         // rows
///         phase 0:  for i: ...                // reads the row, reduces it
///         phase 1:  scalar statements per row
///         phase 2:  for i: ...                // reads it again (from cache or registers)
///     finish: statements after all rows (across-row sums are complete there)
///
/// A pure pointwise kernel has one phase; when every dimension merges, it has no outer loop and one
/// long inner loop, which threads may share.
#pragma once

#include "core/kernel/loop_program.h"
#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

using KernelId = base::Id<struct KernelTag>;

inline ir::Var outerVar(size_t i) {
    return {'o', static_cast<uint16_t>(i)};
}
inline ir::Var innerVar() {
    return {'i', 0};
}

/// A value of a kernel. Its level tells where it lives.
enum class Level : uint8_t {
    Once,   ///< one value for the kernel (after all rows)
    Column, ///< one per inner index, after all rows
    Row,    ///< one per outer iteration
    Element ///< one per outer iteration and inner index
};

struct Local {
    std::string name; ///< the buffer's name
    ir::DType dtype = ir::DType::Float32;
    Level level = Level::Element;
    bool kept = false; ///< Element value used by a later phase: must outlive its loop (row scratch,
                       ///< registers)
    BufferId buffer;   ///< the loop-IR buffer that the value is an element of
};

struct Statement {
    enum class Kind : uint8_t {
        Let,          ///< local = value
        Store,        ///< target[coords] = value
        ReduceRow,    ///< in an inner loop: local (Row) = reduce of value over i
        ReduceColumn, ///< in an inner loop: local (Column) = reduce of value over rows, one per i
        ReduceAll ///< local (Once) = reduce of value over rows (and over i when in an inner loop)
    };
    Kind kind = Kind::Let;
    LocalId local; ///< defined by all kinds but Store
    ExprId value;
    ReduceOp reduce = ReduceOp::Sum;
    BufferId target;             ///< Store
    std::vector<ir::Sym> coords; ///< Store: one per dimension of target, over o.. and i
    bool accumulates = false;    ///< Store: target[place] = reduce(target[place], value), where
    std::vector<Coord> place;    ///< place stands for coords; computed coordinates are locals
    BufferId from;               ///< the buffer whose computation this is (provenance)
};

struct Phase {
    bool inner = true; ///< statements run for every i; else once per row (or once, in finish)
    std::vector<Statement> statements;
};

struct LoopDim {
    ir::Var variable;
    ir::Sym size;
};

struct LoopNest {
    std::vector<LoopDim> outer; ///< rows; may be empty
    std::optional<LoopDim> inner;
    std::vector<Local> locals; ///< indexed by LocalId
    std::vector<Phase> phases; ///< per row, in order
    std::vector<Phase> finish; ///< after all rows
    bool aligned = true; ///< every buffer begins at a multiple of 16 bytes
    std::vector<std::string> reasons; ///< why these loops, in words
};

/// One launch.
struct Kernel {
    KernelId id;
    std::string name; ///< "fused_cos_cos_1": valid C identifier, unique in the program
    ir::Device device;
    std::vector<BufferId> members; ///< buffers computed here, in order
    std::vector<BufferId> reads;   ///< buffers read from memory: first arguments of the function
    std::vector<BufferId> writes;  ///< buffers written to memory: next arguments
    /// Exactly one of the three.
    std::optional<LoopNest> loops;
    std::optional<LoopTree> tree;
    std::optional<LibraryCall> call;
    int64_t bytesRead = 0, bytesWritten = 0;
    double flops = 0;

    /// Loops, which generated code runs; not a library's call.
    bool hasCode() const { return loops || tree; }
};

/// Why two buffers share a kernel, or do not.
struct FusionDecision {
    BufferId a, b;
    bool fused = false;
    std::string rule;       ///< short name: "same loops", "needs all rows", "library call"
    std::string reason;     ///< in words, with numbers
    int64_t bytesSaved = 0; ///< traffic that fusing saves (or would save)
};

/// A graph's kernels in launch order.
struct KernelProgram {
    LoopProgram loops;
    std::vector<Kernel> kernels;
    std::vector<FusionDecision> decisions;

    /// Bytes that the kernels of one call read from and write to memory.
    int64_t bytesMoved() const {
        int64_t sum = 0;
        for (const Kernel& kernel : kernels)
            sum += kernel.bytesRead + kernel.bytesWritten;
        return sum;
    }
};

/// True when a value that the kernel computes is checked (LoopProgram::checks).
bool makesChecks(const KernelProgram& program, const Kernel& kernel);

} // namespace cutaway::kernel
