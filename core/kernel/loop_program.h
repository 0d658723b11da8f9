// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loop IR of one graph: each buffer a loop nest (pointwise or reduction) or a library call, in
/// execution order. Views have no buffer; they live in the coordinates of loads and in strided
/// views of outputs and library operands.
#pragma once

#include "core/kernel/expr.h"
#include "core/kernel/library_call.h"

#include "core/base/diagnostic.h"
#include "core/ir/host_tensor.h"
#include "core/ir/shape_env.h"

#include <memory>
#include <optional>

namespace cutaway::kernel {

enum class ReduceOp : uint8_t {
    Sum,
    Prod,
    Max,
    Min,
    Any,
    All,
    ArgMax, ///< the position; the other result is the element there
    ArgMin,
    Welford ///< the sum of squared deviations from the mean, in one pass; the other is the mean
};
std::string_view text(ReduceOp op);

enum class BufferKind : uint8_t {
    Input,     ///< a placeholder of the graph; its strides may be anything
    Constant,  ///< a constant of the graph
    Pointwise, ///< out[d0..] = body
    Reduction, ///< out[d0..] = reduce over r0.. of body
    Scatter,   ///< starts as base, in whose memory it is; for all r0..: out[place] is reduced with
               ///< body
    Library,   ///< computed by a library call
    Result     ///< the other result of the loops that compute `of`
};

struct Buffer {
    BufferId id;
    std::string name; ///< the graph node's name
    BufferKind kind = BufferKind::Pointwise;
    ir::DType dtype = ir::DType::Float32;
    ir::Device device;
    ir::Shape sizes;   ///< loop variables d0.. run over them
    ir::Shape strides; ///< layout in memory, in elements
    ir::Shape reduced; ///< sizes of the reduced dimensions, variables r0..
    ReduceOp reduce = ReduceOp::Sum;
    ExprId body;
    ExprId place;  ///< Scatter: a load of the buffer itself, where an update goes
    BufferId base; ///< Scatter: what it starts as; nothing else reads that
    /// Result: a reduction of two results, or a scan to positions. Of the scan, body is the element
    /// at the position, for where a library finds that.
    BufferId of;
    std::optional<LibraryCall> call; ///< Library: how it is computed
    std::shared_ptr<const ir::HostTensor> constant;
    std::vector<uint32_t> from; ///< ids of the graph nodes it came from (several after inlining)

    ir::Sym numel() const;
    int64_t bytes() const;
};

inline ir::Var dimVar(size_t i) {
    return {'d', static_cast<uint16_t>(i)};
}
inline ir::Var reduceVar(size_t i) {
    return {'r', static_cast<uint16_t>(i)};
}

/// What an operation asks of an integer that it reads, said here alone: ExprKind::Check refers to
/// it wherever the integer is used, and whatever runs the program reports a value that does not
/// fit. Values that no kernel computes (nothing needs them) are not looked at.
struct Check {
    enum class Kind : uint8_t {
        Index,  ///< from 0 to size - 1
        Divisor ///< not 0
    };
    Kind kind = Kind::Index;
    ir::Sym size{0};       ///< over size symbols; where values are looked at, a number
    int dimension = 0;     ///< Index: that the value is a position in
    std::string operation; ///< as the user knows it: "nll_loss_forward", not its gather
    std::string argument;  ///< Index: "index", "target"
    base::ErrorClass outside = base::ErrorClass::Index; ///< Index: of the error
    bool wraps = false;   ///< Index: a negative index had the size added before
    base::Location where; ///< the script's line; may be unknown
    uint32_t from = 0;    ///< the graph's node

    /// \param limit the value of `size` in the call
    bool holds(int64_t value, int64_t limit) const {
        return kind == Kind::Index ? value >= 0 && value < limit : value != 0;
    }
    /// What is wrong with a \p value that does not hold, without place and hint.
    std::string message(std::string_view value) const;
    /// The same as a user error.
    base::Diagnostic failed(int64_t value) const;
};

struct LoopProgram {
    std::string name; ///< "forward", "backward"
    ExprPool pool;
    std::vector<Check> checks;        ///< by CheckId
    std::vector<Buffer> buffers;      ///< indexed by BufferId, in execution order
    std::vector<BufferId> inputs;     ///< one per placeholder, in order
    std::vector<StridedView> outputs; ///< one per graph output; an invalid buffer is None
    std::vector<std::string> outputNames;
    /// Of the graph; null when every size is a constant. Its hints rank choices, no more.
    std::shared_ptr<const ir::ShapeEnv> shapes;

    /// The size, or its hint.
    int64_t hint(const ir::Sym& size) const {
        return size.isConst() ? size.constant() : shapes->hint(size);
    }
    bool isSizeSymbol(ir::Var v) const {
        return v.kind == 's' && shapes && v.index < shapes->symbols().size();
    }
    Buffer& buffer(BufferId id) { return buffers[id.index]; }
    /// Whose loops compute the buffer: its own, or those of what it is another result of.
    const Buffer& leader(BufferId id) const {
        const Buffer& own = buffer(id);
        return own.kind == BufferKind::Result ? buffer(own.of) : own;
    }
    const Buffer& buffer(BufferId id) const { return buffers[id.index]; }
    const Check& check(CheckId id) const { return checks[id.index]; }
};

} // namespace cutaway::kernel
