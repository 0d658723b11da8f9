// SPDX-License-Identifier: Apache-2.0
// Views that add, drop, repeat or cut dimensions.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/outside_reads.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"
#include "core/ops/view_strides.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Shape;
using ir::Sym;
using Coords = std::span<const Sym>;

template <class Container> auto at(Container& container, size_t i) {
    return container.begin() + static_cast<std::ptrdiff_t>(i);
}

// --- unsqueeze and squeeze ---

Result<Types> unsqueezeShape(const OpCall& call) {
    ir::TensorType self = call.tensor(0);
    CUTAWAY_TRY(int wrapped, call.dim(1, self.rank() + 1));
    auto dim = static_cast<size_t>(wrapped);
    Sym stride = dim < self.rank() ? self.sizes[dim] * self.strides[dim] : Sym(1);
    self.sizes.insert(at(self.sizes, dim), Sym(1));
    self.strides.insert(at(self.strides, dim), stride);
    return one(viewType(call, self.sizes, self.strides));
}

std::vector<Sym> mapUnsqueeze(const OpCall& call, Coords coords) {
    std::vector<Sym> in(coords.begin(), coords.end());
    in.erase(at(in, static_cast<size_t>(*call.dim(1, coords.size()))));
    return in;
}

/// The dimensions that a squeeze drops: all of size 1, or the listed ones of size 1.
Result<std::vector<bool>> squeezed(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    std::vector<bool> drop(self.rank(), call.args.size() == 1);
    if (call.args.size() > 1) {
        CUTAWAY_TRY(auto dims, dimList(call, 1, self.rank()));
        bool listed = !call.args[1].list() || !call.args[1].list()->empty();
        for (int dim : dims)
            drop[static_cast<size_t>(dim)] = listed;
    }
    for (size_t i = 0; i < drop.size(); ++i)
        drop[i] = drop[i] && self.sizes[i].is(1);
    return drop;
}

Result<Types> squeezeShape(const OpCall& call) {
    CUTAWAY_TRY(auto drop, squeezed(call));
    const ir::TensorType& self = call.tensor(0);
    Shape sizes, strides;
    for (size_t i = 0; i < drop.size(); ++i) {
        if (drop[i]) continue;
        sizes.push_back(self.sizes[i]);
        strides.push_back(self.strides[i]);
    }
    return one(viewType(call, std::move(sizes), std::move(strides)));
}

std::vector<Sym> mapSqueeze(const OpCall& call, Coords coords) {
    std::vector<Sym> in;
    size_t next = 0;
    std::vector<bool> drops = *squeezed(call);
    for (bool drop : drops)
        in.push_back(drop ? Sym(0) : coords[next++]);
    return in;
}

Formula squeezeGradient(Vjp& v) {
    Formula grad = v.grad;
    std::vector<bool> drop = *squeezed(v.call());
    for (size_t i = 0; i < drop.size(); ++i)
        if (drop[i]) grad = unsqueeze(grad, static_cast<int64_t>(i));
    return grad;
}

Values squeezeReference(const OpCall& call, Tensors tensors) {
    const Sizes& in = tensors[0]->sizes;
    std::vector<int64_t> dims;
    if (call.args.size() > 1)
        for (const Sym& dim : call.integers(1))
            dims.push_back((call.number(dim) + static_cast<int64_t>(in.size())) %
                           std::max<int64_t>(static_cast<int64_t>(in.size()), 1));
    Sizes sizes;
    for (size_t i = 0; i < in.size(); ++i) {
        bool named = call.args.size() == 1 ||
                     std::count(dims.begin(), dims.end(), static_cast<int64_t>(i)) > 0;
        if (in[i] != 1 || !named) sizes.push_back(in[i]);
    }
    return oneValue(withSizes(*tensors[0], sizes));
}

// --- expand ---

base::Diagnostic misfitOfExpand(const OpCall& call, const Shape& sizes, const Shape& wanted) {
    if (wanted.size() < sizes.size())
        return base::userError(
            {},
            fmt::format("expand(): the number of sizes provided ({}) must be greater or equal to "
                        "the number of dimensions in the tensor ({})",
                        wanted.size(), sizes.size()));
    for (size_t d = 0; d + sizes.size() < wanted.size(); ++d)
        if (call.less(wanted[d], Sym(0)))
            return base::userError({},
                                   fmt::format("The expanded size of the tensor ({}) isn't "
                                               "allowed in a leading, non-existing dimension {}",
                                               wanted[d].str(), d));
    size_t i = wanted.size();
    for (size_t d = sizes.size(); d-- > 0;) {
        const Sym& size = wanted[wanted.size() - sizes.size() + d];
        if (sizes[d].is(1) || size.is(-1) || size.str() == sizes[d].str()) continue;
        i = wanted.size() - sizes.size() + d;
        break;
    }
    if (i == wanted.size()) i = 0;
    const size_t own = i - std::min(i, wanted.size() - sizes.size());
    return base::userError(
        {}, fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at "
                        "non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}",
                        wanted[i].str(), sizes.empty() ? "" : sizes[own].str(), i, ir::str(wanted),
                        ir::str(sizes)));
}

Result<Types> expandShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    Shape want = call.integers(1);
    auto misfit = [&] { return misfitOfExpand(call, self.sizes, call.integers(1)); };
    if (want.size() < self.rank()) return misfit();
    size_t leading = want.size() - self.rank();
    Shape strides(want.size(), Sym(0));
    for (size_t i = 0; i < want.size(); ++i) {
        if (i < leading) {
            if (want[i].isConst() && call.number(want[i]) < 0) return misfit();
            continue;
        }
        const Sym& size = self.sizes[i - leading];
        if (want[i].is(-1)) want[i] = size;
        bool grows = size.is(1) && !want[i].is(1);
        if (grows && want[i].isConst() && call.number(want[i]) < 0) return misfit();
        if (!grows && !call.same(want[i], size)) return misfit();
        if (!grows) strides[i] = self.strides[i - leading];
    }
    // New ones of size 1 lie around what follows, but for those of a number.
    for (size_t i = self.rank() > 0 ? leading : 0; i-- > 0;)
        if (want[i].is(1)) strides[i] = want[i + 1] * strides[i + 1];
    return one(viewType(call, std::move(want), std::move(strides)));
}

std::vector<Sym> mapExpand(const OpCall& call, Coords coords) {
    const Shape& sizes = call.tensor(0).sizes;
    std::vector<Sym> in;
    for (size_t i = 0; i < sizes.size(); ++i)
        in.push_back(sizes[i].is(1) ? Sym(0) : coords[coords.size() - sizes.size() + i]);
    return in;
}

Values expandReference(const OpCall& call, Tensors tensors) {
    const Sizes& in = tensors[0]->sizes;
    Sizes sizes;
    sizes = call.numbers(1);
    size_t leading = sizes.size() - in.size();
    for (size_t i = leading; i < sizes.size(); ++i)
        if (sizes[i] == -1) sizes[i] = in[i - leading];
    Sizes strides = broadcastStrides(in, sizes);
    return oneValue(copyByIndex(*tensors[0], sizes, [&](const Sizes& coords) {
        int64_t index = 0;
        for (size_t i = 0; i < coords.size(); ++i)
            index += coords[i] * strides[i];
        return index;
    }));
}

// --- slice and select ---

struct SliceRange {
    size_t dim;
    Sym start, length;
    int64_t step;
};

/// Python's rules: negative bounds count from the end, bounds are clipped.
/// \param first position of the dimension among the arguments, before start, end and step
Result<SliceRange> sliceRange(const OpCall& call, const Shape& sizes, size_t first) {
    if (sizes.empty()) return refuse(call, "a 0-dim tensor cannot be sliced");
    CUTAWAY_TRY(int dim, call.dim(first, sizes.size()));
    const Sym& size = sizes[static_cast<size_t>(dim)];
    int64_t step = call.number(first + 3);
    if (step <= 0)
        return refuse(call, fmt::format("expected a positive step, found {}", step))
            .as(ErrorClass::Value);
    auto bound = [&](size_t i, const Sym& otherwise) {
        if (!call.has(i)) return otherwise;
        Sym value = call.integer(i);
        if (call.less(value, Sym(0))) {
            value = value + size;
            return call.less(value, Sym(0)) ? Sym(0) : value;
        }
        return value == size || call.less(size, value) ? size : value;
    };
    const Sym start = bound(first + 1, Sym(0));
    Sym end = bound(first + 2, size);
    if (call.less(end, start)) end = start;
    const Sym length = ir::floorDiv(end - start + Sym(step - 1), Sym(step));
    return SliceRange{static_cast<size_t>(dim), start, length, step};
}
Result<SliceRange> sliceRange(const OpCall& call) {
    return sliceRange(call, call.tensor(0).sizes, 1);
}

Result<Types> sliceShape(const OpCall& call) {
    CUTAWAY_TRY(SliceRange range, sliceRange(call));
    Shape sizes = call.tensor(0).sizes, strides = call.tensor(0).strides;
    sizes[range.dim] = range.length;
    strides[range.dim] = strides[range.dim] * Sym(range.step);
    return one(viewType(call, std::move(sizes), std::move(strides)));
}

std::vector<Sym> mapSlice(const OpCall& call, Coords coords) {
    SliceRange range = *sliceRange(call);
    std::vector<Sym> in(coords.begin(), coords.end());
    in[range.dim] = in[range.dim] * Sym(range.step) + range.start;
    return in;
}

Formula sliceGradient(Vjp& v) {
    SliceRange range = *sliceRange(v.call());
    return aten("slice_backward", v.grad, v.type(0).sizes, range.dim, range.start,
                range.start + range.length * Sym(range.step), range.step);
}

ir::HostTensor sliceHost(const ir::HostTensor& in, size_t dim, int64_t start, int64_t length,
                         int64_t step) {
    Sizes sizes = in.sizes, strides = rowMajorStrides(in.sizes);
    sizes[dim] = length;
    return copyByIndex(in, sizes, [&](const Sizes& coords) {
        int64_t index = 0;
        for (size_t i = 0; i < coords.size(); ++i)
            index += strides[i] * (i == dim ? start + coords[i] * step : coords[i]);
        return index;
    });
}

Values sliceReference(const OpCall& call, Tensors tensors) {
    auto dim = static_cast<size_t>(hostDim(call, 1, tensors[0]->sizes.size()));
    int64_t size = tensors[0]->sizes[dim];
    int64_t start = call.has(2) ? call.number(2) : 0;
    int64_t end = call.has(3) ? call.number(3) : size;
    int64_t step = call.number(4);
    if (start < 0) start = std::max<int64_t>(start + size, 0);
    if (end < 0) end += size;
    end = std::min(end, size);
    int64_t length = 0;
    for (int64_t i = start; i < end; i += step)
        ++length;
    return oneValue(sliceHost(*tensors[0], dim, start, length, step));
}

Result<Sym> selectIndex(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    if (self.rank() == 0)
        return refuse(call, "a 0-dim tensor cannot be indexed").as(ErrorClass::Index);
    CUTAWAY_TRY(int dim, call.dim(1, self.rank()));
    const Sym& size = self.sizes[static_cast<size_t>(dim)];
    const Sym index = call.integer(2);
    const bool fromEnd = call.less(index, Sym(0));
    if (fromEnd ? call.less(index + size, Sym(0)) : !call.less(index, size))
        return base::userError(
                   {}, fmt::format("index {} is out of bounds for dimension {} with size {}",
                                   index.str(), dim, size.str()))
            .as(ErrorClass::Index);
    return fromEnd ? index + size : index;
}

Result<Types> selectShape(const OpCall& call) {
    CUTAWAY_TRY(Sym index, selectIndex(call));
    (void)index;
    Shape sizes = call.tensor(0).sizes, strides = call.tensor(0).strides;
    auto dim = static_cast<size_t>(*call.dim(1, sizes.size()));
    sizes.erase(at(sizes, dim));
    strides.erase(at(strides, dim));
    return one(viewType(call, std::move(sizes), std::move(strides)));
}

std::vector<Sym> mapSelect(const OpCall& call, Coords coords) {
    std::vector<Sym> in(coords.begin(), coords.end());
    auto dim = static_cast<size_t>(*call.dim(1, in.size() + 1));
    in.insert(at(in, dim), *selectIndex(call));
    return in;
}

Formula selectGradient(Vjp& v) {
    int dim = *v.call().dim(1, v.type(0).rank());
    const Sym index = *selectIndex(v.call());
    return aten("slice_backward", unsqueeze(v.grad, dim), v.type(0).sizes, dim, index,
                index + Sym(1), 1);
}

Values selectReference(const OpCall& call, Tensors tensors) {
    auto dim = static_cast<size_t>(hostDim(call, 1, tensors[0]->sizes.size()));
    int64_t index = call.number(2);
    if (index < 0) index += tensors[0]->sizes[dim];
    ir::HostTensor row = sliceHost(*tensors[0], dim, index, 1, 1);
    row.sizes.erase(at(row.sizes, dim));
    return oneValue(std::move(row));
}

/// What was sliced. Bounds as sliceGradient() gives them, which say how long it is, ask nothing more.
Result<SliceRange> slicedRange(const OpCall& call) {
    const Shape sizes = call.integers(1);
    const int64_t dim = call.number(2), step = call.number(5);
    const Sym start = call.integer(3);
    const bool known = dim >= 0 && dim < static_cast<int64_t>(call.tensor(0).rank()) &&
                       sizes.size() == call.tensor(0).rank() && step > 0 &&
                       !(start.isConst() && call.number(3) < 0);
    if (!known) return sliceRange(call, sizes, 2);
    const Sym& length = call.tensor(0).sizes[static_cast<size_t>(dim)];
    const bool open =
        !length.isConst() || !start.isConst() || !sizes[static_cast<size_t>(dim)].isConst();
    if (open && call.integer(4) == start + length * Sym(step))
        return SliceRange{static_cast<size_t>(dim), start, length, step};
    return sliceRange(call, sizes, 2);
}

/// Zeros with the gradient written into the slice.
Result<Types> sliceBackwardShape(const OpCall& call) {
    Shape sizes = call.integers(1);
    CUTAWAY_TRY(SliceRange range, slicedRange(call));
    if (range.dim < sizes.size()) sizes[range.dim] = range.length;
    if (!call.same(call.tensor(0).sizes, sizes))
        return refuse(call, fmt::format("expected a gradient of {}, found {}", ir::str(sizes),
                                        ir::str(call.tensor(0).sizes)));
    return one(
        ir::TensorType::contiguous(call.tensor(0).dtype, call.integers(1), call.tensor(0).device));
}

ExprId buildSliceBackward(ExprPool& pool, const OpCall& call, LoadArg& load, Coords coords) {
    using kernel::Coord;
    const SliceRange range = *slicedRange(call);
    const size_t dim = range.dim;
    const Sym start = range.start, step = Sym(range.step), length = range.length;
    ir::DType dtype = call.tensor(0).dtype;
    if (length.is(0)) return constantOf(pool, dtype, 0);
    Sym offset = coords[dim] - start;
    const Sym position = ir::floorDiv(offset, step);
    std::vector<Coord> from;
    for (size_t i = 0; i < coords.size(); ++i)
        from.push_back({i == dim ? position : coords[i], {}});
    ExprId at = pool.index(coords[dim]);
    ExprId inside =
        pool.op(ScalarOp::And, {pool.op(ScalarOp::Ge, {at, pool.index(start)}),
                                pool.op(ScalarOp::Lt, {at, pool.index(start + length * step)})});
    if (!step.is(1)) {
        ExprId phase = pool.index(ir::mod(offset, step));
        inside =
            pool.op(ScalarOp::And, {inside, pool.op(ScalarOp::Eq, {phase, pool.index(Sym(0))})});
    }
    return readInside(pool, inside, load(0, from), constantOf(pool, dtype, 0));
}

Formula sliceBackwardGradient(Vjp& v) {
    return aten("slice.Tensor", v.grad, v[2], v[3], v[4], v[5]);
}

Values sliceBackwardReference(const OpCall& call, Tensors tensors) {
    Sizes sizes;
    sizes = call.numbers(1);
    const auto dim = static_cast<size_t>(hostDim(call, 2, sizes.size()));
    int64_t start = call.number(3), step = call.number(5);
    if (start < 0) start = std::max<int64_t>(start + sizes[dim], 0);
    Sizes strides = rowMajorStrides(tensors[0]->sizes);
    int64_t length = tensors[0]->sizes[dim];
    return oneValue(copyByIndex(*tensors[0], sizes, [&](const Sizes& coords) -> int64_t {
        int64_t offset = coords[dim] - start;
        if (offset < 0 || offset % step != 0 || offset / step >= length) return -1;
        int64_t index = 0;
        for (size_t i = 0; i < coords.size(); ++i)
            index += strides[i] * (i == dim ? offset / step : coords[i]);
        return index;
    }));
}

// --- alias, detach ---

std::vector<Sym> mapIdentity(const OpCall&, Coords coords) {
    return {coords.begin(), coords.end()};
}
Result<Types> aliasShape(const OpCall& call) {
    return one(viewType(call, call.tensor(0).sizes, call.tensor(0).strides));
}
Values aliasReference(const OpCall&, Tensors tensors) {
    return oneValue(*tensors[0]);
}
std::vector<Sample> aliasSamples() {
    return {good({f32({2, 3})}, {T(0)}), good({transposed(f32({2, 3}))}, {T(0)}),
            good({i64({})}, {T(0)})};
}

void addDims(std::vector<OpDef>& ops) {
    ops.push_back(written(
        {otherSizes},
        {"unsqueeze(Tensor(a) self, int dim) -> Tensor(a)",
         unsqueezeShape,
         VjpRule{vjpOfFirst<[](Vjp& v) {
             return squeeze(v.grad, *v.call().dim(1, v.type(0).rank() + 1));
         }>},
         View{mapUnsqueeze},
         [](const OpCall& call, Tensors tensors) {
             Sizes sizes = tensors[0]->sizes;
             sizes.insert(at(sizes, static_cast<size_t>(hostDim(call, 1, sizes.size() + 1))), 1);
             return oneValue(withSizes(*tensors[0], sizes));
         },
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3})}, {T(0), I(1)}), good({f32({2, 3})}, {T(0), I(-1)}),
                 good({f32({})}, {T(0), I(0)}), good({f32({0})}, {T(0), I(0)}),
                 bad({f32({2})}, {T(0), I(2)},
                     "Dimension out of range (expected to be in range of [-2, 1], but got 2)")};
         },
         {"a new dimension of size 1", "y[.., 0, ..] = x[..]", "torch.unsqueeze"}}));
    OpDoc squeeze{"dimensions of size 1 dropped", "y[..] = x[.., 0, ..]", "torch.squeeze"};
    VjpRule vjp = vjpOfFirst<squeezeGradient>;
    ops.push_back(written({otherSizes}, {"squeeze(Tensor(a) self) -> Tensor(a)", squeezeShape, vjp,
                                         View{mapSqueeze}, squeezeReference,
                                         [] {
                                             return std::vector<Sample>{
                                                 good({f32({1, 3, 1})}, {T(0)}),
                                                 good({f32({2})}, {T(0)}),
                                                 good({f32({1, 1})}, {T(0)})};
                                         },
                                         squeeze}));
    ops.push_back(written(
        {otherSizes},
        {"squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", squeezeShape, vjp, View{mapSqueeze},
         squeezeReference,
         [] {
             return std::vector<Sample>{
                 good({f32({1, 3, 1})}, {T(0), I(-1)}), good({f32({2, 3})}, {T(0), I(0)}),
                 good({f32({})}, {T(0), I(0)}),
                 bad({f32({2})}, {T(0), I(1)},
                     "Dimension out of range (expected to be in range of [-1, 0], but got 1)")};
         },
         squeeze}));
    ops.push_back(written({otherSizes}, {"squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)",
                                         squeezeShape, vjp, View{mapSqueeze}, squeezeReference,
                                         [] {
                                             return std::vector<Sample>{
                                                 good({f32({1, 3, 1, 1})}, {T(0), L({0, -1})}),
                                                 good({f32({1, 3})}, {T(0), L({})}),
                                                 good({f32({2, 1})}, {T(0), L({0, 1})})};
                                         },
                                         squeeze}));
    ops.push_back(
        {"expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
         expandShape,
         VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad; }>},
         View{mapExpand},
         expandReference,
         [] {
             return std::vector<Sample>{
                 good({f32({3, 1})}, {T(0), L({3, 4})}), good({f32({3})}, {T(0), L({2, -1})}),
                 good({f32({})}, {T(0), L({2, 2})}), good({f32({1, 0})}, {T(0), L({3, 0})}),
                 bad({f32({3})}, {T(0), L({4})},
                     "The expanded size of the tensor (4) must match the existing size (3) at "
                     "non-singleton dimension 0.  Target sizes: [4].  Tensor sizes: [3]")};
         },
         {"dimensions of size 1 repeated without copying", "y[i, j] = x[0, j]",
          "torch.Tensor.expand"}});
}

void addCuts(std::vector<OpDef>& ops) {
    ops.push_back(written(
        {intoSlice},
        {"slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, "
         "SymInt step=1) -> Tensor(a)",
         sliceShape,
         VjpRule{vjpOfFirst<sliceGradient>},
         View{mapSlice},
         sliceReference,
         [] {
             return std::vector<Sample>{good({f32({5, 3})}, {T(0), I(0), I(1), I(4)}),
                                        good({f32({5, 3})}, {T(0), I(-1), I(-2), none()}),
                                        good({f32({9})}, {T(0), I(0), none(), none(), I(2)}),
                                        good({f32({9})}, {T(0), I(0), I(2), I(100), I(3)}),
                                        good({f32({4})}, {T(0), I(0), I(3), I(1)}),
                                        bad({f32({4})}, {T(0), I(0), I(0), I(4), I(-1)},
                                            "slice: expected a positive step, found -1"),
                                        bad({f32({})}, {T(0), I(0), I(0), I(4)},
                                            "slice: a 0-dim tensor cannot be sliced")};
         },
         {"a range of one dimension", "y[i] = x[start + i * step]", "torch.Tensor indexing"}}));
    ops.push_back(
        {"slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, "
         "SymInt end, SymInt step) -> Tensor",
         sliceBackwardShape,
         VjpRule{vjpOfFirst<sliceBackwardGradient>},
         Indexed{buildSliceBackward},
         sliceBackwardReference,
         [] {
             return std::vector<Sample>{
                 good({f32({3, 2})}, {T(0), L({5, 2}), I(0), I(1), I(4), I(1)}),
                 good({f32({3})}, {T(0), L({9}), I(0), I(2), I(9), I(3)}),
                 good({f32({0})}, {T(0), L({4}), I(0), I(2), I(2), I(1)})};
         },
         {"zeros with a slice filled in", "y[start + i * step] = x[i], else 0",
          "torch._decomp: slice_backward"}});
    ops.push_back(written(
        {intoSelect},
        {"select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
         selectShape,
         VjpRule{vjpOfFirst<selectGradient>},
         View{mapSelect},
         selectReference,
         [] {
             return std::vector<Sample>{
                 good({f32({5, 3})}, {T(0), I(0), I(2)}), good({f32({5, 3})}, {T(0), I(-1), I(-1)}),
                 good({transposed(f32({2, 3, 4}))}, {T(0), I(1), I(0)}),
                 bad({f32({4})}, {T(0), I(0), I(4)},
                     "index 4 is out of bounds for dimension 0 with size 4")};
         },
         {"one position of a dimension", "y[..] = x[.., index, ..]", "torch.select"}}));
}

} // namespace

std::vector<OpDef> viewDimOps() {
    std::vector<OpDef> ops;
    addDims(ops);
    addCuts(ops);
    OpDoc alias{"the same tensor under another name", "y = x", "torch.ops.aten.alias"};
    ops.push_back(written({itself}, {"alias(Tensor(a) self) -> Tensor(a)", aliasShape,
                                     VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad; }>},
                                     View{mapIdentity}, aliasReference, aliasSamples, alias}));
    ops.push_back(written({itself}, {"detach(Tensor(a) self) -> Tensor(a)",
                                     aliasShape,
                                     VjpRule{noGradients},
                                     View{mapIdentity},
                                     aliasReference,
                                     aliasSamples,
                                     {"the same values, cut from the gradient graph", "y = x",
                                      "torch.Tensor.detach"}}));
    return ops;
}

} // namespace cutaway::ops
