// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loop IR of one graph: each buffer a loop nest (pointwise or reduction) or a library call, in
/// execution order. Views have no buffer; they live in the coordinates of loads and in strided
/// views of outputs and library operands.
#pragma once

#include "core/kernel/expr.h"

#include "core/ir/host_tensor.h"

#include <memory>
#include <optional>

namespace cutaway::kernel {

enum class ReduceOp : uint8_t { Sum, Prod, Max, Min, Any, All, ArgMax, ArgMin };
std::string_view text(ReduceOp op);

enum class BufferKind : uint8_t {
    Input,     ///< a placeholder of the graph; its strides may be anything
    Constant,  ///< a constant of the graph
    Pointwise, ///< out[d0..] = body
    Reduction, ///< out[d0..] = reduce over r0.. of body
    Library    ///< computed by a library call
};

/// A strided window on a buffer's memory (strides and offset in elements).
struct StridedView {
    BufferId buffer;
    ir::Shape sizes;
    ir::Shape strides;
    ir::Sym offset;
    bool operator==(const StridedView&) const = default;
};

/// result[b.., m, n] = sum_k a[b.., m, k] * b[b.., k, n] (+ bias broadcast); a and b have equal
/// batch dimensions (broadcast ones have stride 0).
struct MatmulCall {
    StridedView a, b;
    std::optional<StridedView> bias; ///< broadcast to the result's sizes (strides 0)
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
    std::optional<MatmulCall> matmul;
    std::shared_ptr<const ir::HostTensor> constant;
    std::vector<uint32_t> from; ///< ids of the graph nodes it came from (several after inlining)

    ir::Sym numel() const;
    int64_t bytes() const;
};

inline ir::Var dimVar(size_t i) { return {'d', static_cast<uint16_t>(i)}; }
inline ir::Var reduceVar(size_t i) { return {'r', static_cast<uint16_t>(i)}; }

struct LoopProgram {
    std::string name; ///< "forward", "backward"
    ExprPool pool;
    std::vector<Buffer> buffers;      ///< indexed by BufferId, in execution order
    std::vector<BufferId> inputs;     ///< one per placeholder, in order
    std::vector<StridedView> outputs; ///< one per graph output; an invalid buffer is None
    std::vector<std::string> outputNames;

    Buffer& buffer(BufferId id) { return buffers[id.index]; }
    const Buffer& buffer(BufferId id) const { return buffers[id.index]; }
};

} // namespace cutaway::kernel
