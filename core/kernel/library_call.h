// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is computed by a library instead of by loops of ours: one type for every such call, and one
/// row for every operation that libraries offer. Who computes it is the runtime's choice
/// (core/runtime/library.h).
#pragma once

#include "core/kernel/attention_task.h"
#include "core/kernel/expr.h"
#include "core/kernel/matrix_task.h"

#include <functional>
#include <optional>
#include <span>

namespace cutaway::kernel {

struct LoopProgram;
struct Buffer;
struct Scalar;

/// A strided window on a buffer's memory (strides and offset in elements).
struct StridedView {
    BufferId buffer;
    ir::Shape sizes;
    ir::Shape strides;
    ir::Sym offset;
    bool operator==(const StridedView&) const = default;
};

enum class LibraryOp : uint8_t {
    /// result[b.., m, n] = sum_k a[b.., m, k] * b[b.., k, n]; operands have the result's batch
    /// dimensions (repeated ones have stride 0).
    MatrixProduct,
    /// result[n, o, y..] = sum image[n, c, y * stride - padding + k * dilation ..] weight[o, c,
    /// k..]
    /// over the channels c of o's group and the taps k; operands image and weight.
    Convolution,
    /// The sum that is Convolution's adjoint in the image (and a transposed convolution): operands
    /// gradient [n, o, y..] and weight; the result [n, c, x..] is like the image.
    ConvolutionImage,
    /// The adjoint in the weight: operands image and gradient; the result is like the weight.
    ConvolutionWeight,
    /// result[.., i, ..]: where along the dimension the i-th element in order stands, a NaN larger
    /// than all numbers; the result may be shorter than the row.
    Sort,
    /// result[.., i, ..] = what RowCall::running makes of the elements up to i.
    Scan,
    /// result[b.., i]: what MatrixTask makes of the matrices of the operands [b.., rows, columns].
    LinearAlgebra,
    /// result[i]: what AttentionTask says; operands query, key, value and a mask, if any.
    Attention,
    /// The gradients; operands query, key, value, gradient, output, logarithms and a mask, if any.
    AttentionBackward
};

/// What Sort and Scan do with every row of their operand, the elements along one dimension.
struct RowCall {
    enum class Running : uint8_t {
        Sum,
        Product,
        LogSumExp,
        Max, ///< the result is a position: of the last of equal ones, of the last NaN
        Min
    };
    /// Sort: how the order is found, which decides what comes first of equal elements. All but
    /// Stable give them on the CPU as PyTorch's kernels there do (row_order.h), and stable on a GPU.
    enum class Order : uint8_t {
        Stable,
        Unstable,    ///< a NaN is equal to all
        Top,         ///< the first ones
        TopUnsorted, ///< the first ones in any order
        Kth          ///< only the last one of the result is in its place
    };
    int dim = 0;
    ir::DType dtype = ir::DType::Float32; ///< of the operand
    bool descending = false;              ///< Sort: the largest first
    Order order = Order::Stable;          ///< Sort
    Running running = Running::Sum;       ///< Scan
    bool backwards = false;               ///< Scan: from the last element to the first
    bool givesPlaces() const { return running == Running::Max || running == Running::Min; }
    bool operator==(const RowCall&) const = default;
};
std::string_view text(RowCall::Running running);
/// "stable", "unstable", "top", "top_unsorted", "kth".
std::string_view text(RowCall::Order order);
std::optional<RowCall::Order> rowOrder(std::string_view word);

/// How a convolution's taps lie in the image; one number for each spatial dimension.
struct ConvolutionWindow {
    std::vector<int64_t> stride, padding, dilation;
    int64_t groups = 1;
    bool operator==(const ConvolutionWindow&) const = default;
};

/// What the library is asked to do after its operation, in order, on each result element.
struct Epilogue {
    enum class Kind : uint8_t { AddTensor, AddScalar, MulScalar, Relu };
    Kind kind = Kind::Relu;
    double scalar = 0;
    std::optional<StridedView> tensor; ///< AddTensor: broadcast to the sizes of the call's buffer
    BufferId from;
};

struct LibraryCall {
    LibraryOp op = LibraryOp::MatrixProduct;
    std::vector<StridedView> operands; ///< as the operation's row names them
    /// Added to the result, broadcast to the sizes of the call's buffer (strides 0).
    std::optional<StridedView> bias;
    ConvolutionWindow window; ///< of convolutions
    RowCall row;              ///< of Sort and Scan
    MatrixTask task;          ///< of LinearAlgebra
    AttentionTask attention;  ///< of Attention and AttentionBackward
    /// The result as the operation sees it, in the memory of the buffer that the kernel writes.
    ir::Shape sizes, strides;
    std::vector<Epilogue> epilogues; ///< appended by fusion, in order

    /// Everything in memory that it reads: operands, bias, tensors of the epilogues.
    std::vector<StridedView> reads() const;
    /// Multiplications and additions, epilogues included.
    ir::Sym flops() const;
};

/// A row of the table of operations: what the stages ask of one without knowing it.
struct LibraryOpInfo {
    LibraryOp op;
    std::string_view name;   ///< "matmul", "convolution": in texts, the record and errors
    std::string_view prefix; ///< of its kernels' names: "mm", "conv"
    std::vector<std::string_view> operands;
    bool lastIsOptional; ///< whether a call may have one operand less
    /// Epilogues that every provider takes, itself or by a pass behind it.
    std::vector<Epilogue::Kind> epilogues;
    /// Prologue: whether the operand is read as it lies (transposed, repeated, a window of
    /// something larger); what is not is copied to a row-major buffer first.
    bool (*readsAsIs)(const StridedView& operand);
    ir::Sym (*flops)(const LibraryCall& call);
    /// Of these, how many the providers do while a plain loop walks one element, about: what is long
    /// can be cancelled.
    double flopsPerElement;
    /// What is wrong with the call that computes \p result, or nothing.
    std::optional<std::string> (*verify)(const LibraryCall& call, const Buffer& result);
    /// The slow meaning: one element of the result without bias and epilogues. \p operand gives
    /// element \p index of operand number \p which.
    Scalar (*element)(
        const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
        const std::function<Scalar(size_t which, std::span<const int64_t> index)>& operand);
};
std::span<const LibraryOpInfo> libraryOps();
const LibraryOpInfo& info(LibraryOp op);

} // namespace cutaway::kernel
