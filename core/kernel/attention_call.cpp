// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/attention_call.h"

#include <fmt/format.h>

#include <array>

namespace cutaway::kernel {

namespace {

enum Operand : size_t { kQuery, kKey, kValue, kGradient, kOutput, kLogarithms };

bool isBackward(const LibraryCall& call) {
    return call.op == LibraryOp::AttentionBackward;
}
/// Where the mask stands; there is none when the operands end before.
size_t maskAt(const LibraryCall& call) {
    return isBackward(call) ? kLogarithms + 1 : kValue + 1;
}

/// One part of the result: [B, H, length, width] and where it begins.
struct Part {
    int64_t begin, length, width;
};
struct Sizes {
    int64_t batch, heads, rows, keys, width, valueWidth;
    explicit Sizes(const LibraryCall& call) {
        const auto q = ir::constants(call.operands[kQuery].sizes),
                   v = ir::constants(call.operands[kValue].sizes);
        batch = q[0], heads = q[1], rows = q[2], keys = v[2], width = q[3], valueWidth = v[3];
    }
    std::array<Part, 3> parts(bool backward) const {
        const int64_t all = batch * heads;
        if (!backward)
            return {{{0, rows, valueWidth}, {all * rows * valueWidth, rows, 1}, {-1, 0, 0}}};
        return {{{0, rows, width},
                 {all * rows * width, keys, width},
                 {all * (rows + keys) * width, keys, valueWidth}}};
    }
};

/// What element \p at of the result is.
struct Place {
    size_t part;
    int64_t batch, head, row, column;
};
Place placeOf(const LibraryCall& call, const Sizes& sizes, int64_t at) {
    const auto parts = sizes.parts(isBackward(call));
    size_t which = 2;
    while (parts[which].begin < 0 || at < parts[which].begin)
        --which;
    const Part& part = parts[which];
    at -= part.begin;
    // The logarithms lie by heads whatever the rest does.
    const bool inner = call.attention.inner && (isBackward(call) || which == 0);
    Place place{which, 0, 0, 0, at % part.width};
    at /= part.width;
    int64_t& second = inner ? place.head : place.row;
    int64_t& first = inner ? place.row : place.head;
    const int64_t count = inner ? sizes.heads : part.length;
    second = at % count;
    at /= count;
    const int64_t outer = inner ? part.length : sizes.heads;
    first = at % outer;
    place.batch = at / outer;
    return place;
}

SlowHead headOf(const LibraryCall& call, const Sizes& sizes, const Place& place,
                const RowElements& operand) {
    const auto matrix = [&](size_t which) {
        return [&operand, place, which](int64_t row, int64_t column) {
            return operand(which, std::array{place.batch, place.head, row, column}).real;
        };
    };
    SlowHead head{sizes.rows,
                  sizes.keys,
                  sizes.width,
                  sizes.valueWidth,
                  matrix(kQuery),
                  matrix(kKey),
                  matrix(kValue),
                  {},
                  {},
                  {}};
    if (call.operands.size() > maskAt(call)) head.mask = matrix(maskAt(call));
    if (isBackward(call)) {
        head.gradient = matrix(kGradient);
        head.output = matrix(kOutput);
        head.logarithms = [&operand, place](int64_t row) {
            return operand(kLogarithms, std::array{place.batch, place.head, row}).real;
        };
    }
    return head;
}

} // namespace

bool readsAttentionRows(const StridedView& view) {
    return view.sizes.size() != 4 || view.sizes.back().is(1) || view.strides.back().is(1);
}

/// Two products forwards; five backwards.
ir::Sym attentionFlops(const LibraryCall& call) {
    ir::Sym pairs(isBackward(call) ? 5 : 2);
    const ir::Shape &q = call.operands[kQuery].sizes, &v = call.operands[kValue].sizes;
    for (size_t d = 0; d < 3; ++d)
        pairs = pairs * q[d];
    return pairs * v[2] * (q[3] + v[3]);
}

std::optional<std::string> verifyAttention(const LibraryCall& call, const Buffer& result) {
    const ir::Shape &q = call.operands[kQuery].sizes, &k = call.operands[kKey].sizes,
                    &v = call.operands[kValue].sizes;
    const auto is = [&](size_t which, const ir::Shape& sizes) {
        return call.operands[which].sizes == sizes;
    };
    if (q.size() != 4 || !is(kKey, {q[0], q[1], k[2], q[3]}) || v.size() != 4 ||
        !is(kValue, {q[0], q[1], k[2], v[3]}))
        return result.name + " attends to keys and values that do not fit";
    if (call.operands.size() > maskAt(call) && !is(maskAt(call), {q[0], q[1], q[2], k[2]}))
        return result.name + " has a mask that does not fit";
    if (isBackward(call)) {
        const ir::Shape y{q[0], q[1], q[2], v[3]};
        if (!is(kGradient, y) || !is(kOutput, y) || !is(kLogarithms, {q[0], q[1], q[2]}))
            return result.name + " has other results than its attention";
    }
    if (call.sizes.size() != 1) return result.name + " is not one row of numbers";
    if (result.dtype != ir::DType::Float32 && result.dtype != ir::DType::Float64)
        return fmt::format("{} of attention is stored as {}", result.name, ir::name(result.dtype));
    return std::nullopt;
}

Scalar attentionElement(const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
                        const RowElements& operand) {
    const Sizes sizes(call);
    const Place place = placeOf(call, sizes, index[0]);
    SlowHead head = headOf(call, sizes, place, operand);
    // Of one row.
    AttentionTask task = call.attention;
    if (task.causal) head.keys = std::min(head.keys, place.row + 1);
    task.causal = false;
    head.rows = 1;
    const auto rowOf = [&](const SlowHead::Matrix& matrix) -> SlowHead::Matrix {
        if (!matrix) return {};
        return [matrix, row = place.row](int64_t, int64_t column) { return matrix(row, column); };
    };
    head.query = rowOf(head.query);
    head.mask = rowOf(head.mask);
    const SlowAttention result = slowAttention(task, head);
    return scalarOf(dtype, place.part == 0 ? result.output[static_cast<size_t>(place.column)]
                                           : result.logarithms[0]);
}

Scalar attentionBackwardElement(const LibraryCall& call, ir::DType dtype,
                                std::span<const int64_t> index, const RowElements& operand) {
    const Sizes sizes(call);
    const Place place = placeOf(call, sizes, index[0]);
    const SlowAttentionGradients all =
        slowAttentionBackward(call.attention, headOf(call, sizes, place, operand));
    const auto& part = place.part == 0 ? all.query : place.part == 1 ? all.key : all.value;
    const int64_t width = place.part == 2 ? sizes.valueWidth : sizes.width;
    return scalarOf(dtype, part[static_cast<size_t>(place.row * width + place.column)]);
}

std::string attentionText(const LibraryCall& call) {
    if (call.op != LibraryOp::Attention && call.op != LibraryOp::AttentionBackward) return {};
    return "; " + call.attention.str();
}

} // namespace cutaway::kernel
