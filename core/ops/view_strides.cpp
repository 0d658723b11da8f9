// SPDX-License-Identifier: Apache-2.0
#include "core/ops/view_strides.h"

#include <algorithm>

namespace cutaway::ops {

using ir::Shape;
using ir::Sym;

ir::TensorType viewType(const OpCall& call, ir::Shape sizes, ir::Shape strides) {
    ir::TensorType type = call.tensor(0);
    type.sizes = std::move(sizes);
    type.strides = std::move(strides);
    type.requiresGrad = false;
    return type;
}

std::optional<Shape> viewStrides(const ir::TensorType& type, const Shape& sizes,
                                 const OpCall* call) {
    const auto same = [&](const Sym& a, const Sym& b) {
        return a == b || (call && call->same(a, b));
    };
    const auto known = [&](const ir::Condition& condition) {
        return ir::provable(condition) ||
               (call && call->graph.shapes && call->graph.shapes->known(condition));
    };
    if (type.numel().is(0) && std::ranges::equal(sizes, type.sizes, same)) return type.strides;
    if (type.numel().is(0) || type.rank() == 0 || type.isContiguous())
        return ir::contiguousStrides(sizes);
    Shape strides(sizes.size());
    size_t view = sizes.size();
    Sym tensorCount(1), viewCount(1);
    Sym chunkStride = type.strides.back();
    for (size_t d = type.rank(); d-- > 0;) {
        tensorCount = tensorCount * type.sizes[d];
        // The end of a chunk of dimensions that lie densely in memory.
        const bool chunkEnds =
            d == 0 || (!type.sizes[d - 1].is(1) &&
                       !known(ir::equal(type.strides[d - 1], tensorCount * chunkStride)));
        if (!chunkEnds) continue;
        while (view > 0 && (!same(viewCount, tensorCount) || sizes[view - 1].is(1))) {
            if (known(ir::less(tensorCount, viewCount))) return std::nullopt;
            strides[view - 1] = viewCount * chunkStride;
            viewCount = viewCount * sizes[view - 1];
            --view;
        }
        if (!same(viewCount, tensorCount)) return std::nullopt;
        if (d > 0) {
            chunkStride = type.strides[d - 1];
            tensorCount = Sym(1);
            viewCount = Sym(1);
        }
    }
    // Sizes that are 1 without being written so.
    for (; view != 0 && same(sizes[view - 1], Sym(1)); --view)
        strides[view - 1] = viewCount * chunkStride;
    if (view != 0) return std::nullopt;
    return strides;
}

std::optional<Shape> viewStrides(const OpCall& call, const Shape& sizes) {
    auto strides = viewStrides(call.tensor(0), sizes);
    return strides ? strides : viewStrides(call.tensor(0), sizes, &call);
}

namespace {

Sym linear(const Shape& sizes, std::span<const Sym> coords, size_t begin, size_t end) {
    Sym index(0);
    for (size_t i = begin; i < end; ++i)
        index = index * sizes[i] + coords[i];
    return index;
}

void unravel(const Shape& sizes, size_t begin, size_t end, Sym index, std::vector<Sym>& out) {
    for (size_t i = end; i-- > begin;) {
        if (sizes[i].is(1)) continue; // its coordinate stays 0
        bool outermost = true;
        for (size_t j = begin; j < i; ++j)
            outermost = outermost && sizes[j].is(1);
        out[i] = outermost ? index : ir::mod(index, sizes[i]);
        index = outermost ? Sym(0) : ir::floorDiv(index, sizes[i]);
    }
}

} // namespace

std::vector<Sym> reshapeCoords(const Shape& from, const Shape& to, std::span<const Sym> coords) {
    std::vector<Sym> result(from.size(), Sym(0));
    size_t i = 0, j = 0;
    while (i < from.size() || j < to.size()) {
        size_t iBegin = i, jBegin = j;
        Sym a(1), b(1);
        if (i < from.size()) a = from[i++];
        if (j < to.size()) b = to[j++];
        while (!(a == b)) {
            const bool growFrom = !ir::provable(ir::less(b, a));
            if (growFrom && i < from.size())
                a = a * from[i++];
            else if (j < to.size())
                b = b * to[j++];
            else if (i < from.size())
                a = a * from[i++];
            else
                break;
        }
        unravel(from, iBegin, i, linear(to, coords, jBegin, j), result);
    }
    return result;
}

} // namespace cutaway::ops
