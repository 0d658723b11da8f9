// SPDX-License-Identifier: Apache-2.0
// Other ways to see the same memory: no copies, true strides, index maps.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refusal.h"
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

Result<int> wrapDim(const OpCall& call, size_t arg, size_t rank) {
    return call.dim(arg, rank);
}
/// A dim that the shape rule has accepted.
size_t checkedDim(const OpCall& call, size_t arg, size_t rank) {
    return static_cast<size_t>(*call.dim(arg, rank));
}

// --- view, reshape ---

/// The wanted sizes with -1 worked out from the number of elements.
Result<Shape> inferredSizes(const OpCall& call, Shape sizes) {
    const ir::TensorType& self = call.tensor(0);
    int unknown = -1;
    Sym known(1);
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i].is(-1)) {
            if (unknown >= 0)
                return refuse(call, "only one size may be -1, found " + ir::str(sizes));
            unknown = static_cast<int>(i);
        } else {
            known = known * sizes[i];
        }
    }
    Sym numel = self.numel();
    auto misfit = [&] {
        return base::userError({},
                               fmt::format("shape '{}' is invalid for input of size {}",
                                           ir::str(call.integers(1)), numel.str()),
                               fmt::format("the tensor's shape is {}", ir::str(self.sizes)));
    };
    if (unknown >= 0) {
        if (known.is(0) && numel.is(0))
            return base::userError({},
                                   fmt::format("cannot reshape tensor of 0 elements into shape {} "
                                               "because the unspecified dimension size -1 can "
                                               "be any value and is ambiguous",
                                               ir::str(call.integers(1))));
        if (known.is(0) || !call.divisible(numel, known)) return misfit();
        sizes[static_cast<size_t>(unknown)] = ir::floorDiv(numel, known);
    } else if (!call.same(known, numel)) {
        return misfit();
    }
    return sizes;
}

Result<Types> viewShape(const OpCall& call) {
    CUTAWAY_TRY(Shape sizes, inferredSizes(call, call.integers(1)));
    auto strides = viewStrides(call, sizes);
    if (!strides)
        return base::userError(
            {},
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
            fmt::format("shape {} of a tensor of shape {} with strides {}: use reshape",
                        ir::str(sizes), ir::str(call.tensor(0).sizes),
                        ir::str(call.tensor(0).strides)));
    return one(viewType(call, std::move(sizes), std::move(*strides)));
}

Result<Types> reshapeShape(const OpCall& call) {
    CUTAWAY_TRY(Shape sizes, inferredSizes(call, call.integers(1)));
    if (auto strides = viewStrides(call, sizes))
        return one(viewType(call, std::move(sizes), std::move(*strides)));
    return one(
        ir::TensorType::contiguous(call.tensor(0).dtype, std::move(sizes), call.tensor(0).device));
}

std::vector<Sym> mapReshape(const OpCall& call, Coords coords) {
    Shape to = *inferredSizes(call, call.integers(1));
    return reshapeCoords(call.tensor(0).sizes, to, coords);
}

Formula reshapeGradient(Vjp& v) {
    return reshape(v.grad, v.type(0).sizes);
}

Values reshapeReference(const OpCall& call, Tensors tensors) {
    Sizes sizes;
    int64_t known = 1;
    sizes = call.numbers(1);
    for (int64_t size : sizes)
        known *= size == -1 ? 1 : size;
    for (int64_t& size : sizes)
        if (size == -1) size = tensors[0]->numel() / known;
    return oneValue(withSizes(*tensors[0], sizes));
}

std::vector<Sample> reshapeSamples(std::string_view base) {
    std::string name(base);
    return {
        good({f32({2, 3, 4})}, {T(0), L({6, 4})}),
        good({f32({2, 3, 4})}, {T(0), L({-1})}),
        good({f32({6, 4})}, {T(0), L({2, 3, 2, 2})}),
        good({f32({})}, {T(0), L({1, 1})}),
        good({f32({2, 0})}, {T(0), L({0, 3})}),
        good({f32({4, 6})}, {T(0), L({3, 8})}),
        good({transposed(f32({3, 4, 6}))}, {T(0), L({3, 2, 2, 3, 2})}),
        forwardOnly({i64({1, 4, 1})}, {T(0), L({2, 2})}),
        bad({f32({2, 3})}, {T(0), L({4, 2})}, "shape '[4, 2]' is invalid for input of size 6"),
        bad({f32({2, 3})}, {T(0), L({-1, 4})}, "shape '[-1, 4]' is invalid for input of size 6"),
        bad({f32({2, 3})}, {T(0), L({-1, -1})},
            name + ": only one size may be -1, found [-1, -1]")};
}

Results reshapeByView(const Operands& x) {
    const Shape& sizes = x.node.types[0].sizes;
    // reshape() copies where the sizes as they are written do not say that it need not.
    const bool isView = !viewStrides(x.type(0), sizes) && viewStrides(x.call(), sizes);
    if (isView) return {aten("view", x[0], sizes)};
    if (viewStrides(x.type(0), sizes)) return {reshape(x[0], sizes)};
    return {aten("_unsafe_view", aten("clone", x[0], std::string("contiguous_format")), sizes)};
}

/// Of a tensor that nobody else has: PyTorch's tape does not count it among the views.
Results unsafeView(const Operands& x) {
    return {aten("view", x[0], x.node.types[0].sizes)};
}

/// Of one dimension: that tensor itself.
Results flattenByView(const Operands& x) {
    const size_t rank = x.type(0).rank();
    const bool one = rank > 0 && *wrapDim(x.call(), 1, rank) == *wrapDim(x.call(), 2, rank);
    return one ? Results{x[0]} : reshapeByView(x);
}

// --- permutations ---

Result<std::vector<int>> permutation(const OpCall& call) {
    const size_t rank = call.tensor(0).rank(), count = call.integers(1).size();
    if (count != rank)
        return base::userError(
            {},
            fmt::format("permute(sparse_coo): number of dimensions in the tensor input does not "
                        "match the length of the desired ordering of dimensions i.e. "
                        "input.dim() = {} is not equal to len(dims) = {}",
                        rank, count));
    std::vector<int> dims;
    for (const Sym& value : call.integers(1)) {
        const int64_t dim = call.number(value), least = -static_cast<int64_t>(rank);
        if (dim < least || dim >= -least) return dimensionOutside(dim, -least);
        dims.push_back(static_cast<int>(dim < 0 ? dim - least : dim));
    }
    std::vector<int> sorted = dims;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != allDims(rank))
        return base::userError({}, "permute(): duplicate dims are not allowed.");
    return dims;
}

Result<Types> permuteShape(const OpCall& call) {
    CUTAWAY_TRY(auto dims, permutation(call));
    const ir::TensorType& self = call.tensor(0);
    Shape sizes, strides;
    for (int dim : dims) {
        sizes.push_back(self.sizes[static_cast<size_t>(dim)]);
        strides.push_back(self.strides[static_cast<size_t>(dim)]);
    }
    return one(viewType(call, std::move(sizes), std::move(strides)));
}

std::vector<Sym> mapPermute(const OpCall& call, Coords coords) {
    std::vector<int> dims = *permutation(call);
    std::vector<Sym> in(dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
        in[static_cast<size_t>(dims[i])] = coords[i];
    return in;
}

Formula permuteGradient(Vjp& v) {
    std::vector<int> dims = *permutation(v.call());
    std::vector<int> inverse(dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
        inverse[static_cast<size_t>(dims[i])] = static_cast<int>(i);
    return permute(v.grad, inverse);
}

Values permuteHost(const ir::HostTensor& in, const std::vector<int>& dims) {
    Sizes sizes, strides, own = rowMajorStrides(in.sizes);
    for (int dim : dims) {
        sizes.push_back(in.sizes[static_cast<size_t>(dim)]);
        strides.push_back(own[static_cast<size_t>(dim)]);
    }
    return oneValue(copyByIndex(in, sizes, [&](const Sizes& coords) {
        int64_t index = 0;
        for (size_t i = 0; i < coords.size(); ++i)
            index += coords[i] * strides[i];
        return index;
    }));
}

Values permuteReference(const OpCall& call, Tensors tensors) {
    std::vector<int> dims;
    for (const Sym& value : call.integers(1)) {
        int64_t dim = call.number(value);
        dims.push_back(
            static_cast<int>(dim < 0 ? dim + static_cast<int64_t>(tensors[0]->sizes.size()) : dim));
    }
    return permuteHost(*tensors[0], dims);
}

/// The permutation that exchanges two dimensions.
std::vector<int> exchange(size_t rank, size_t a, size_t b) {
    std::vector<int> dims = allDims(rank);
    if (rank > 0) std::swap(dims[a], dims[b]);
    return dims;
}

Result<Types> transposeShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    CUTAWAY_TRY(int a, wrapDim(call, 1, self.rank()));
    CUTAWAY_TRY(int b, wrapDim(call, 2, self.rank()));
    Shape sizes = self.sizes, strides = self.strides;
    if (self.rank() > 0) {
        std::swap(sizes[static_cast<size_t>(a)], sizes[static_cast<size_t>(b)]);
        std::swap(strides[static_cast<size_t>(a)], strides[static_cast<size_t>(b)]);
    }
    return one(viewType(call, std::move(sizes), std::move(strides)));
}

Results transposeByPermute(const Operands& x) {
    OpCall call = x.call();
    size_t rank = x.type(0).rank();
    return {permute(x[0], exchange(rank, checkedDim(call, 1, rank), checkedDim(call, 2, rank)))};
}

Values transposeReference(const OpCall& call, Tensors tensors) {
    size_t rank = tensors[0]->sizes.size();
    auto a = static_cast<size_t>(hostDim(call, 1, rank)),
         b = static_cast<size_t>(hostDim(call, 2, rank));
    return permuteHost(*tensors[0], exchange(rank, a, b));
}

Result<Types> tShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    if (self.rank() > 2)
        return refuse(
            call, fmt::format("expected at most 2 dimensions, found shape {}", ir::str(self.sizes)),
            "use transpose(-2, -1)");
    return one(viewType(call, Shape(self.sizes.rbegin(), self.sizes.rend()),
                        Shape(self.strides.rbegin(), self.strides.rend())));
}

Results tByPermute(const Operands& x) {
    return {x.type(0).rank() < 2 ? x[0] : permute(x[0], {1, 0})};
}

Values tReference(const OpCall&, Tensors tensors) {
    size_t rank = tensors[0]->sizes.size();
    return permuteHost(*tensors[0], rank < 2 ? allDims(rank) : exchange(2, 0, 1));
}

void addReshapes(std::vector<OpDef>& ops) {
    OpDoc view{"the same elements with other sizes", "y[i] = x[i] in row-major order",
               "torch.Tensor.view"};
    OpDoc reshape{"other sizes, by a view where the strides allow one",
                  "y[i] = x[i] in row-major order", "torch.reshape"};
    ops.push_back(written({otherSizes},
                          {"view(Tensor(a) self, SymInt[] size) -> Tensor(a)", viewShape,
                           VjpRule{vjpOfFirst<reshapeGradient>}, View{mapReshape}, reshapeReference,
                           [] {
                               auto samples = reshapeSamples("view");
                               samples.push_back(
                                   bad({transposed(f32({3, 4}))}, {T(0), L({12})},
                                       "view size is not compatible with input tensor's size "
                                       "and stride (at least one dimension spans across two "
                                       "contiguous subspaces). Use .reshape(...) instead."));
                               return samples;
                           },
                           view}));
    ops.push_back({"_unsafe_view(Tensor self, SymInt[] size) -> Tensor", viewShape,
                   ThroughDecomposition{}, Decompose{unsafeView, DecomposeWhen::BeforeAutograd},
                   reshapeReference, [] { return reshapeSamples("_unsafe_view"); }, view});
    ops.push_back(with<&Traits::mayCopy>(written(
        {otherSizes}, {"reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", reshapeShape,
                       ThroughDecomposition{},
                       Decompose{reshapeByView, DecomposeWhen::BeforeAutograd}, reshapeReference,
                       [] {
                           auto samples = reshapeSamples("reshape");
                           samples.push_back(good({transposed(f32({3, 4}))}, {T(0), L({12})}));
                           return samples;
                       },
                       reshape})));
    OpDoc flatten{"dimensions start to end joined into one", "y[i] = x[i] in row-major order",
                  "torch.flatten"};
    ops.push_back(with<&Traits::mayCopy>(written(
        {otherSizesOrItself},
        {"flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
         [](const OpCall& call) -> Result<Types> {
             const ir::TensorType& self = call.tensor(0);
             CUTAWAY_TRY(int start, wrapDim(call, 1, self.rank()));
             CUTAWAY_TRY(int end, wrapDim(call, 2, self.rank()));
             if (start > end)
                 return refuse(
                     call,
                     fmt::format("expected start_dim before end_dim, found {} and {}", start, end));
             Shape sizes;
             Sym joined(1);
             for (int i = 0; i < static_cast<int>(self.rank()); ++i) {
                 bool inside = i >= start && i <= end;
                 if (inside) joined = joined * self.sizes[static_cast<size_t>(i)];
                 if (i == end) sizes.push_back(joined);
                 if (!inside) sizes.push_back(self.sizes[static_cast<size_t>(i)]);
             }
             if (self.rank() == 0) sizes.push_back(Sym(1));
             if (auto strides = viewStrides(call, sizes))
                 return one(viewType(call, sizes, *strides));
             return one(ir::TensorType::contiguous(self.dtype, sizes, self.device));
         },
         ThroughDecomposition{}, Decompose{flattenByView, DecomposeWhen::BeforeAutograd},
         [](const OpCall& call, Tensors tensors) {
             const Sizes& in = tensors[0]->sizes;
             auto start = static_cast<size_t>(hostDim(call, 1, in.size()));
             auto end = static_cast<size_t>(hostDim(call, 2, in.size()));
             Sizes sizes(in.begin(),
                         in.begin() + static_cast<std::ptrdiff_t>(std::min(start, in.size())));
             int64_t joined = 1;
             for (size_t i = start; i <= end && i < in.size(); ++i)
                 joined *= in[i];
             sizes.push_back(joined);
             for (size_t i = end + 1; i < in.size(); ++i)
                 sizes.push_back(in[i]);
             return oneValue(withSizes(*tensors[0], sizes));
         },
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3, 4})}, {T(0), I(1), I(-1)}), good({f32({})}, {T(0), I(0), I(-1)}),
                 good({transposed(f32({2, 3, 4}))}, {T(0), I(0), I(1)}),
                 bad({f32({2, 3})}, {T(0), I(1), I(0)},
                     "flatten: expected start_dim before end_dim, found 1 and 0")};
         },
         flatten})));
}

void addPermutations(std::vector<OpDef>& ops) {
    ops.push_back(written({intoPermute},
                          {"permute(Tensor(a) self, int[] dims) -> Tensor(a)",
                           permuteShape,
                           VjpRule{vjpOfFirst<permuteGradient>},
                           View{mapPermute},
                           permuteReference,
                           [] {
                               return std::vector<Sample>{
                                   good({f32({2, 3})}, {T(0), L({1, 0})}),
                                   good({f32({2, 3, 4})}, {T(0), L({2, 0, 1})}),
                                   good({f32({2, 3, 4})}, {T(0), L({0, -1, 1})}),
                                   good({f32({})}, {T(0), L({})}),
                                   forwardOnly({b8({0, 3})}, {T(0), L({1, 0})}),
                                   bad({f32({2, 3})}, {T(0), L({0, 0})},
                                       "permute(): duplicate dims are not allowed.")};
                           },
                           {"dimensions in another order", "y[i_dims] = x[i]", "torch.permute"}}));
    ops.push_back(written(
        {sameAgain},
        {"transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
         transposeShape,
         ThroughDecomposition{},
         Decompose{transposeByPermute, DecomposeWhen::BeforeAutograd},
         transposeReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3, 4})}, {T(0), I(-2), I(-1)}),
                 good({f32({2, 3})}, {T(0), I(0), I(0)}), good({f32({})}, {T(0), I(0), I(-1)}),
                 bad({f32({2, 3})}, {T(0), I(0), I(2)},
                     "Dimension out of range (expected to be in range of [-2, 1], but got 2)")};
         },
         {"two dimensions exchanged", "y[.., j, .., i, ..] = x[.., i, .., j, ..]",
          "torch.transpose"}}));
    ops.push_back(written({sameAgain},
                          {"t(Tensor(a) self) -> Tensor(a)",
                           tShape,
                           ThroughDecomposition{},
                           Decompose{tByPermute, DecomposeWhen::BeforeAutograd},
                           tReference,
                           [] {
                               return std::vector<Sample>{
                                   good({f32({2, 3})}, {T(0)}), good({f32({3})}, {T(0)}),
                                   good({f32({})}, {T(0)}),
                                   bad({f32({2, 3, 4})}, {T(0)},
                                       "t: expected at most 2 dimensions, found shape [2, 3, 4]")};
                           },
                           {"transpose of a matrix", "y[j, i] = x[i, j]", "torch.t"}}));
}

} // namespace

std::vector<OpDef> viewOps() {
    std::vector<OpDef> ops;
    addReshapes(ops);
    addPermutations(ops);
    return ops;
}

} // namespace cutaway::ops
