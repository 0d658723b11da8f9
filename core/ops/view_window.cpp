// SPDX-License-Identifier: Apache-2.0
// Views with strides of their own: diagonals, sliding windows, as_strided; and the reorderings that
// no stride gives: flip, roll.
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/memory_order.h"
#include "core/ops/outside_reads.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"
#include "core/ops/storage_reach.h"
#include "core/ops/view_strides.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

namespace {

using kernel::Coord;
using Coords = std::span<const Sym>;

int64_t placeIn(const Sizes& strides, const Sizes& coords) {
    int64_t place = 0;
    for (size_t d = 0; d < strides.size(); ++d)
        place += strides[d] * coords[d];
    return place;
}

template <class T> void eraseTwo(std::vector<T>& list, size_t a, size_t b) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)));
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::min(a, b)));
}

// --- diagonal ---

/// Where a diagonal begins in its two dimensions, and its length.
struct Diagonal {
    size_t dim1, dim2;
    Sym row, column, length;
};

/// Of a tensor with \p sizes; arguments \p first and the next two are offset, dim1, dim2.
Result<Diagonal> diagonalOf(const OpCall& call, const Shape& sizes, size_t first) {
    CUTAWAY_TRY(int dim1, call.dim(first + 1, sizes.size()));
    CUTAWAY_TRY(int dim2, call.dim(first + 2, sizes.size()));
    if (dim1 == dim2 || sizes.size() < 2)
        return refuse(call, fmt::format("expected two different dimensions, found {} twice", dim1));
    // Nothing is as large as the bound, and its negative is a number.
    constexpr int64_t kBeyond = int64_t{1} << 62;
    const int64_t offset = std::clamp(call.number(first), -kBeyond, kBeyond);
    const Sym row(std::max<int64_t>(-offset, 0)), column(std::max<int64_t>(offset, 0));
    const Sym rows = sizes[static_cast<size_t>(dim1)] - row,
              columns = sizes[static_cast<size_t>(dim2)] - column;
    Sym length = call.less(rows, columns) ? rows : columns;
    if (call.less(length, Sym(0))) length = Sym(0);
    const bool empty = length.is(0); // an offset beyond the edge begins nowhere
    return Diagonal{static_cast<size_t>(dim1), static_cast<size_t>(dim2), empty ? Sym(0) : row,
                    empty ? Sym(0) : column, length};
}

Result<Types> diagonalShape(const OpCall& call) {
    Shape sizes = call.tensor(0).sizes, strides = call.tensor(0).strides;
    CUTAWAY_TRY(Diagonal diagonal, diagonalOf(call, sizes, 1));
    const Sym stride = strides[diagonal.dim1] + strides[diagonal.dim2];
    eraseTwo(sizes, diagonal.dim1, diagonal.dim2);
    eraseTwo(strides, diagonal.dim1, diagonal.dim2);
    sizes.push_back(diagonal.length);
    strides.push_back(stride);
    return one(viewType(call, std::move(sizes), std::move(strides)));
}

std::vector<Sym> mapDiagonal(const OpCall& call, Coords coords) {
    const Shape& sizes = call.tensor(0).sizes;
    const Diagonal diagonal = *diagonalOf(call, sizes, 1);
    std::vector<Sym> in;
    size_t next = 0;
    for (size_t d = 0; d < sizes.size(); ++d)
        in.push_back(d == diagonal.dim1   ? coords.back() + diagonal.row
                     : d == diagonal.dim2 ? coords.back() + diagonal.column
                                          : coords[next++]);
    return in;
}

Values diagonalReference(const OpCall& call, Tensors tensors) {
    const Sizes& in = tensors[0]->sizes;
    const auto dim1 = static_cast<size_t>(hostDim(call, 2, in.size())),
               dim2 = static_cast<size_t>(hostDim(call, 3, in.size()));
    const int64_t offset = call.number(1), row = std::max<int64_t>(-offset, 0),
                  column = std::max<int64_t>(offset, 0);
    Sizes sizes = in, strides = rowMajorStrides(in), plain = strides;
    eraseTwo(sizes, dim1, dim2);
    eraseTwo(plain, dim1, dim2);
    sizes.push_back(std::max<int64_t>(std::min(in[dim1] - row, in[dim2] - column), 0));
    plain.push_back(strides[dim1] + strides[dim2]);
    return oneValue(copyByIndex(*tensors[0], sizes, [&](const Sizes& coords) {
        return placeIn(plain, coords) + row * strides[dim1] + column * strides[dim2];
    }));
}

Result<Types> diagonalBackwardShape(const OpCall& call) {
    const Shape sizes = call.integers(1);
    CUTAWAY_TRY(Diagonal diagonal, diagonalOf(call, sizes, 2));
    Shape wanted = sizes;
    eraseTwo(wanted, diagonal.dim1, diagonal.dim2);
    wanted.push_back(diagonal.length);
    if (!call.same(call.tensor(0).sizes, wanted))
        return refuse(call, fmt::format("expected a gradient of {}, found {}", ir::str(wanted),
                                        ir::str(call.tensor(0).sizes)));
    return one(TensorType::contiguous(call.tensor(0).dtype, sizes, call.tensor(0).device));
}

ExprId buildDiagonalBackward(ExprPool& pool, const OpCall& call, LoadArg& load, Coords coords) {
    const Diagonal diagonal = *diagonalOf(call, call.integers(1), 2);
    const ir::DType dtype = call.tensor(0).dtype;
    if (diagonal.length.is(0)) return constantOf(pool, dtype, 0);
    std::vector<Coord> from;
    for (size_t d = 0; d < coords.size(); ++d)
        if (d != diagonal.dim1 && d != diagonal.dim2) from.push_back({coords[d], {}});
    const Sym along = coords[diagonal.dim1] - diagonal.row,
              across = coords[diagonal.dim2] - diagonal.column;
    from.push_back({along, {}});
    ExprId on = pool.op(ScalarOp::Eq, {pool.index(along), pool.index(across)});
    const ExprId begun = pool.op(ScalarOp::Ge, {pool.index(along), pool.index(Sym(0))});
    on = pool.op(ScalarOp::And, {on, begun});
    return readInside(pool, on, load(0, from), constantOf(pool, dtype, 0));
}

Values diagonalBackwardReference(const OpCall& call, Tensors tensors) {
    const Sizes sizes = call.numbers(1);
    const auto dim1 = static_cast<size_t>(hostDim(call, 3, sizes.size())),
               dim2 = static_cast<size_t>(hostDim(call, 4, sizes.size()));
    const int64_t offset = call.number(2);
    const Sizes strides = rowMajorStrides(tensors[0]->sizes);
    return oneValue(copyByIndex(*tensors[0], sizes, [&](const Sizes& coords) -> int64_t {
        if (coords[dim2] - coords[dim1] != offset) return -1;
        Sizes from = coords;
        eraseTwo(from, dim1, dim2);
        from.push_back(std::min(coords[dim1], coords[dim2]));
        return placeIn(strides, from);
    }));
}

// --- unfold ---

struct Windows {
    size_t dim;
    Sym count;
    int64_t size, step;
};

Result<Windows> windowsOf(const OpCall& call, const Shape& sizes, size_t first) {
    CUTAWAY_TRY(int dim, call.dim(first, sizes.size()));
    const int64_t size = call.number(first + 1), step = call.number(first + 2);
    const Sym length = sizes.empty() ? Sym(1) : sizes[static_cast<size_t>(dim)];
    if (size < 0 || call.less(length, Sym(size)))
        return refuse(call, fmt::format("windows of {} do not fit in dimension {} of size {}", size,
                                        dim, length.str()));
    if (step <= 0) return refuse(call, fmt::format("expected a positive step, found {}", step));
    return Windows{static_cast<size_t>(dim), ir::floorDiv(length - Sym(size), Sym(step)) + Sym(1),
                   size, step};
}

Result<Types> unfoldShape(const OpCall& call) {
    Shape sizes = call.tensor(0).sizes, strides = call.tensor(0).strides;
    CUTAWAY_TRY(Windows windows, windowsOf(call, sizes, 1));
    if (sizes.empty()) return one(viewType(call, {Sym(windows.size)}, {Sym(1)}));
    const Sym stride = strides[windows.dim];
    sizes[windows.dim] = windows.count;
    strides[windows.dim] = stride * Sym(windows.step);
    sizes.push_back(Sym(windows.size));
    strides.push_back(stride);
    return one(viewType(call, std::move(sizes), std::move(strides)));
}

std::vector<Sym> mapUnfold(const OpCall& call, Coords coords) {
    const Windows windows = *windowsOf(call, call.tensor(0).sizes, 1);
    if (call.tensor(0).rank() == 0) return {};
    std::vector<Sym> in(coords.begin(), coords.end() - 1);
    in[windows.dim] = in[windows.dim] * Sym(windows.step) + coords.back();
    return in;
}

Values unfoldReference(const OpCall& call, Tensors tensors) {
    const Sizes& in = tensors[0]->sizes;
    const int64_t size = call.number(2), step = call.number(3);
    if (in.empty()) return oneValue(withSizes(*tensors[0], {size}));
    const auto dim = static_cast<size_t>(hostDim(call, 1, in.size()));
    Sizes sizes = in, strides = rowMajorStrides(in);
    sizes[dim] = (in[dim] - size) / step + 1;
    sizes.push_back(size);
    return oneValue(copyByIndex(*tensors[0], sizes, [&](const Sizes& coords) {
        Sizes from(coords.begin(), coords.end() - 1);
        from[dim] = from[dim] * step + coords.back();
        return placeIn(strides, from);
    }));
}

/// Every element of a window is added where it was read.
Results unfoldBackward(const Operands& x) {
    const OpCall call = x.call();
    const Shape sizes = call.integers(1);
    const TensorType grad = x.type(0);
    if (sizes.empty()) return {reshape(x[0], {})};
    const Windows windows = orRefuse(windowsOf(call, sizes, 2));
    Value index = aten("unfold", positions(x.b, sizes[windows.dim], grad.device), 0, windows.size,
                       windows.step);
    std::vector<int> order;
    for (size_t d = 0; d < sizes.size(); ++d) {
        order.push_back(static_cast<int>(d));
        if (d == windows.dim) order.push_back(static_cast<int>(sizes.size()));
    }
    Shape flat = sizes;
    flat[windows.dim] = windows.count * Sym(windows.size);
    return {aten("index_add", full(x.b, sizes, 0, grad), windows.dim,
                 reshape(index, {flat[windows.dim]}), reshape(permute(x[0], order), flat))};
}

// --- as_strided ---

/// The dimensions of as_strided's operand as they lie in memory, of which it fills a block: its
/// elements are the storage.
std::vector<size_t> storageOrder(const OpCall& call) {
    const TensorType& self = call.tensor(0);
    std::vector<size_t> order(self.rank());
    std::iota(order.begin(), order.end(), size_t{0});
    return call.same(self.strides, ir::contiguousStrides(self.sizes)) ? order : memoryOrder(self);
}
Shape inOrder(const Shape& sizes, const std::vector<size_t>& order) {
    Shape found;
    for (size_t d : order)
        found.push_back(sizes[d]);
    return found;
}

Result<Types> asStridedShape(const OpCall& call) {
    const TensorType& self = call.tensor(0);
    const Shape sizes = call.integers(1), strides = call.integers(2);
    if (sizes.size() != strides.size())
        return refuse(call, fmt::format("expected a stride for each size, found {} and {}",
                                        ir::str(sizes), ir::str(strides)));
    if (!call.same(self.strides, ir::contiguousStrides(self.sizes)) && !isDense(self))
        return refuse(call,
                      fmt::format("expected a tensor that fills its memory, found strides {}",
                                  ir::str(self.strides)),
                      "call contiguous() before it");
    Sym last = call.has(3) ? call.integer(3) : Sym(0);
    if (call.less(last, Sym(0)))
        return refuse(call,
                      fmt::format("expected a storage_offset of at least 0, found {}", last.str()));
    bool empty = false;
    const bool numbers = last.isConst() && std::ranges::all_of(sizes, &Sym::isConst) &&
                         std::ranges::all_of(strides, &Sym::isConst);
    if (numbers &&
        !storageReach(call.numbers(1), call.numbers(2), call.has(3) ? call.number(3) : 0))
        return storageOverflow(sizes, strides);
    for (size_t d = 0; d < sizes.size(); ++d) {
        if (call.less(sizes[d], Sym(0)) || call.less(strides[d], Sym(0)))
            return refuse(call, fmt::format("expected sizes and strides of at least 0, found {} "
                                            "and {}",
                                            ir::str(sizes), ir::str(strides)));
        empty |= sizes[d].is(0);
        if (!empty) last = last + (sizes[d] - Sym(1)) * strides[d];
    }
    if (!empty && !call.less(last, self.numel())) {
        const Sym bytes(static_cast<int64_t>(ir::sizeBytes(self.dtype)));
        return outsideStorage(sizes, strides, call.has(3) ? call.integer(3) : Sym(0), bytes,
                              (last + Sym(1)) * bytes, self.numel() * bytes);
    }
    return one(viewType(call, sizes, strides));
}

std::vector<Sym> mapAsStrided(const OpCall& call, Coords coords) {
    const Shape strides = call.integers(2);
    Sym place = call.has(3) ? call.integer(3) : Sym(0);
    for (size_t d = 0; d < coords.size(); ++d)
        place = place + coords[d] * strides[d];
    const Sym at[] = {place};
    const Shape& sizes = call.tensor(0).sizes;
    const std::vector<size_t> order = storageOrder(call);
    const std::vector<Sym> lying = reshapeCoords(inOrder(sizes, order), {productOf(sizes)}, at);
    std::vector<Sym> found(lying.size());
    for (size_t i = 0; i < order.size(); ++i)
        found[order[i]] = lying[i];
    return found;
}

Values asStridedReference(const OpCall& call, Tensors tensors) {
    const Sizes strides = call.numbers(2);
    const int64_t first = call.has(3) ? call.number(3) : 0;
    const std::vector<size_t> order = storageOrder(call);
    const Sizes& sizes = tensors[0]->sizes;
    return oneValue(copyByIndex(*tensors[0], call.numbers(1), [&](const Sizes& coords) {
        int64_t rest = first + placeIn(strides, coords), found = 0;
        Sizes at(sizes.size());
        for (size_t i = order.size(); i-- > 0; rest /= sizes[order[i]])
            at[order[i]] = rest % sizes[order[i]];
        for (size_t d = 0; d < sizes.size(); ++d)
            found = found * sizes[d] + at[d];
        return found;
    }));
}

Formula asStridedGradient(Vjp& v) {
    const OpCall call = v.call();
    const Shape sizes = call.integers(1), strides = call.integers(2);
    const TensorType self = v.type(0);
    const Sym count = v.grad.type().numel();
    Value places = full(v.b, sizes, call.has(3) ? call.integer(3) : Sym(0),
                        TensorType::contiguous(ir::DType::Int64, {}, self.device));
    for (size_t d = 0; d < sizes.size(); ++d) {
        Shape along(sizes.size(), Sym(1));
        along[d] = sizes[d];
        Value steps = positions(v.b, sizes[d], self.device) * strides[d];
        places = places + reshape(steps, along);
    }
    Value zeros = full(v.b, {productOf(self.sizes)}, 0, self);
    Value sums = aten("index_add", zeros, 0, reshape(places, {count}), reshape(v.grad, {count}));
    const std::vector<size_t> order = storageOrder(call);
    std::vector<int> back(order.size());
    for (size_t i = 0; i < order.size(); ++i)
        back[order[i]] = static_cast<int>(i);
    Value lying = reshape(sums, inOrder(self.sizes, order));
    return std::ranges::is_sorted(back) ? Formula(lying) : permute(lying, back);
}

// --- flip and roll ---

Result<std::vector<bool>> flipped(const OpCall& call) {
    const size_t rank = call.tensor(0).rank();
    std::vector<bool> flips(std::max<size_t>(rank, 1));
    if (call.integers(1).empty()) return flips;
    CUTAWAY_TRY(std::vector<int> dims, dimList(call, 1, rank));
    for (int dim : dims)
        flips[static_cast<size_t>(dim)] = true;
    return flips;
}

Result<Types> flipShape(const OpCall& call) {
    CUTAWAY_CHECK(flipped(call));
    const TensorType& self = call.tensor(0);
    return one(inOrderOf(self, self.dtype, self.device));
}

ExprId buildFlip(ExprPool&, const OpCall& call, LoadArg& load, Coords coords) {
    const std::vector<bool> flips = *flipped(call);
    std::vector<Coord> from;
    for (size_t d = 0; d < coords.size(); ++d)
        from.push_back({flips[d] ? call.tensor(0).sizes[d] - Sym(1) - coords[d] : coords[d], {}});
    return load(0, from);
}

Values flipReference(const OpCall& call, Tensors tensors) {
    const Sizes& sizes = tensors[0]->sizes;
    Sizes strides = rowMajorStrides(sizes);
    std::vector<bool> flips(std::max<size_t>(sizes.size(), 1));
    for (int64_t dim : call.numbers(1))
        flips[static_cast<size_t>(dim < 0 ? dim + std::ssize(flips) : dim)] = true;
    return oneValue(copyByIndex(*tensors[0], sizes, [&](const Sizes& coords) {
        int64_t place = 0;
        for (size_t d = 0; d < coords.size(); ++d)
            place += strides[d] * (flips[d] ? sizes[d] - 1 - coords[d] : coords[d]);
        return place;
    }));
}

/// By slices and joins: one for each shifted dimension; without dims the flat tensor is shifted.
Results roll(const Operands& x) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    const std::vector<Sym> shifts = call.integers(1);
    const std::vector<int64_t> dims = call.numbers(2);
    if (shifts.empty()) refuseCall(x, "`shifts` required");
    const bool flat = dims.empty() && shifts.size() == 1;
    if (!flat && shifts.size() != dims.size())
        refuseCall(x, fmt::format("expected a shift for each dimension, found {} shifts and {} "
                                  "dimensions",
                                  shifts.size(), dims.size()));
    if (self.rank() == 0 && !flat)
        refuseCall(x,
                   fmt::format("Dimension specified as {} but tensor has no dimensions", dims[0]),
                   {}, ErrorClass::Index);
    if (self.numel().is(0) || self.rank() == 0) return {aten("clone", x[0])};
    Value y = flat ? Value(reshape(x[0], {self.numel()})) : x.tensor(0);
    for (size_t k = 0; k < shifts.size(); ++k) {
        const int64_t rank = static_cast<int64_t>(y.type().rank()), dim = flat ? 0 : dims[k];
        if (dim < -rank || dim >= rank)
            refuseCall(x,
                       fmt::format("dimension {} is out of range: expected {} to {}", dim, -rank,
                                   rank - 1),
                       {}, ErrorClass::Index);
        const auto d = static_cast<size_t>(dim < 0 ? dim + rank : dim);
        const Sym size = y.type().sizes[d];
        const Sym cut = ir::mod(size - shifts[k], size);
        y = aten("cat", std::vector<Formula>{sliced(y, d, cut, size), sliced(y, d, Sym(0), cut)},
                 d);
    }
    return {reshape(y, self.sizes)};
}

void addViews(std::vector<OpDef>& ops) {
    ops.push_back(
        written({intoDiagonal},
                {"diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
                 diagonalShape,
                 VjpRule{vjpOfFirst<[](Vjp& v) {
                     return aten("diagonal_backward", v.grad, v.type(0).sizes, v[1], v[2], v[3]);
                 }>},
                 View{mapDiagonal},
                 diagonalReference,
                 [] {
                     return std::vector<Sample>{
                         good({f32({3, 4})}, {T(0), I(0), I(0), I(1)}),
                         good({f32({3, 4})}, {T(0), I(1), I(0), I(1)}),
                         good({f32({2, 4, 3})}, {T(0), I(-1), I(-2), I(0)}),
                         good({f32({2, 2})}, {T(0), I(5), I(0), I(1)}),
                         bad({f32({2, 2})}, {T(0), I(0), I(1), I(1)},
                             "diagonal: expected two different dimensions, found 1 twice")};
                 },
                 {"a diagonal of two dimensions, last in the result",
                  "y[.., k] = x[.., k, k + offset]", "torch.diagonal"}}));
    ops.push_back(
        {"diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int "
         "dim2) -> Tensor",
         diagonalBackwardShape,
         VjpRule{vjpOfFirst<[](Vjp& v) { return aten("diagonal", v.grad, v[2], v[3], v[4]); }>},
         Indexed{buildDiagonalBackward},
         diagonalBackwardReference,
         [] {
             return std::vector<Sample>{
                 good({f32({3})}, {T(0), L({3, 4}), I(0), I(0), I(1)}),
                 good({f32({4, 2})}, {T(0), L({2, 4, 3}), I(-1), I(-1), I(0)}),
                 good({f32({0})}, {T(0), L({2, 2}), I(5), I(0), I(1)})};
         },
         {"zeros with a diagonal filled in", "y[k, k + offset] = x[k], else 0", "torch.diagonal"}});
    ops.push_back({"unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
                   unfoldShape,
                   VjpRule{vjpOfFirst<[](Vjp& v) {
                       return aten("unfold_backward", v.grad, v.type(0).sizes, v[1], v[2], v[3]);
                   }>},
                   View{mapUnfold},
                   unfoldReference,
                   [] {
                       return std::vector<Sample>{
                           good({f32({7, 2})}, {T(0), I(0), I(3), I(2)}),
                           good({f32({2, 5})}, {T(0), I(-1), I(2), I(1)}),
                           good({f32({})}, {T(0), I(0), I(1), I(1)}),
                           bad({f32({3})}, {T(0), I(0), I(4), I(1)},
                               "unfold: windows of 4 do not fit in dimension 0 of size 3")};
                   },
                   {"sliding windows of a dimension, last in the result",
                    "y[.., k, .., i] = x[.., step k + i, ..]", "torch.Tensor.unfold"}});
    ops.push_back(written(
        {intoStrided},
        {"as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? "
         "storage_offset=None) -> Tensor(a)",
         asStridedShape,
         VjpRule{vjpOfFirst<asStridedGradient>},
         View{mapAsStrided},
         asStridedReference,
         [] {
             return std::vector<Sample>{
                 good({f32({3, 4})}, {T(0), L({2, 3}), L({1, 2}), I(1)}),
                 good({f32({6})}, {T(0), L({5, 2}), L({1, 1}), none()}),
                 bad({f32({4})}, {T(0), L({2, 3}), L({2, 1}), none()},
                     "setStorage: sizes [2, 3], strides [2, 1], storage offset 0, and itemsize 4 "
                     "requiring a storage size of 20 are out of bounds for storage of size 16"),
                 bad({f32({4})}, {T(0), L({2}), L({1}), I(-1)},
                     "as_strided: expected a storage_offset of at least 0, found -1")};
         },
         {"the elements of a tensor that fills its memory, seen with any sizes and strides",
          "y[c] = memory of x[offset + sum c_i stride_i]", "torch.as_strided"}}));
}

} // namespace

std::vector<OpDef> viewWindowOps() {
    std::vector<OpDef> ops;
    addViews(ops);
    ops.push_back(composite(
        "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> "
        "Tensor",
        unfoldBackward,
        [] {
            return std::vector<Sample>{good({f32({3, 2, 3})}, {T(0), L({7, 2}), I(0), I(3), I(2)}),
                                       good({f32({2, 4, 2})}, {T(0), L({2, 5}), I(1), I(2), I(1)})};
        },
        {"windows added up where they were read", "y[step k + i] += x[k, i]",
         "torch._decomp: unfold_backward"}));
    ops.push_back(with<&Traits::savesNothing>(withoutFloat8(
        {"flip(Tensor self, int[] dims) -> Tensor",
         flipShape,
         VjpRule{vjpOfFirst<[](Vjp& v) { return aten("flip", v.grad, v[1]); }>},
         Indexed{buildFlip},
         flipReference,
         [] {
             return std::vector<Sample>{
                 good({f32({3, 4})}, {T(0), L({0})}), good({f32({2, 3, 2})}, {T(0), L({0, -1})}),
                 good({transposed(f32({3, 4}))}, {T(0), L({1})}), good({f32({})}, {T(0), L({})}),
                 forwardOnly({b8({5})}, {T(0), L({0})})};
         },
         {"dimensions backwards", "y[i] = x[n - 1 - i]", "torch.flip"}})));
    ops.push_back(with<&Traits::savesNothing>(composite(
        "roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", roll,
        [] {
            return std::vector<Sample>{
                good({f32({3, 4})}, {T(0), L({1}), L({0})}),
                good({f32({3, 4})}, {T(0), L({-5, 2}), L({1, 0})}),
                good({f32({2, 3})}, {T(0), L({2}), L({})}),
                good({f32({0})}, {T(0), L({2}), L({0})}),
                bad({f32({3})}, {T(0), L({1, 2}), L({0})},
                    "roll: expected a shift for each dimension, found 2 shifts and 1 dimensions")};
        },
        {"elements shifted around", "y[(i + shift) mod n] = x[i]", "torch.roll"})));
    return ops;
}

} // namespace cutaway::ops
