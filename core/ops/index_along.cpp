// SPDX-License-Identifier: Apache-2.0
// Positions along one dimension: index_select, index_add, take_along_dim. Each is a composition of
// index, index_put or gather.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Shape;
using ir::Sym;
using ir::TensorType;

/// Size of a dimension; a number is indexed like a vector of one element.
Sym sizeOf(const TensorType& type, int dim) {
    return type.rank() == 0 ? Sym(1) : type.sizes[static_cast<size_t>(dim)];
}

base::Status indexWorks(const OpCall& call, const TensorType& index, const Sym& size, int dim) {
    // No index at all may be of any dtype.
    if (index.dtype != DType::Int64 && index.dtype != DType::Int32 && !index.numel().is(0))
        return refuse(
            call, fmt::format("expected an int64 or int32 index, found {}", ir::name(index.dtype)));
    if (size.is(0) && !index.numel().is(0))
        return refuse(call,
                      fmt::format("every index is out of bounds for dimension {} with size 0", dim))
            .as(ErrorClass::Index);
    return {};
}

/// The dimension of a call with a vector of positions as argument 2.
Result<int> vectorDim(const OpCall& call) {
    const TensorType &self = call.tensor(0), &index = call.tensor(2);
    CUTAWAY_TRY(int dim, call.dim(1, self.rank()));
    if (index.rank() > 1)
        return refuse(call, fmt::format("expected an index of at most 1 dimension, found shape {}",
                                        ir::str(index.sizes)))
            .as(ErrorClass::Index);
    CUTAWAY_CHECK(indexWorks(call, index, sizeOf(self, dim), dim));
    return dim;
}

/// Whether \p call has one position where self is a number, which has a single place.
base::Status onePlace(const OpCall& call, ErrorClass otherwise) {
    const Sym count = call.tensor(2).numel();
    if (call.tensor(0).rank() > 0 || call.same(count, Sym(1))) return {};
    return refuse(call, fmt::format("Index to scalar can have only 1 value, got {} value(s)",
                                    count.str()))
        .as(otherwise);
}

/// None for the dimensions before \p dim, then the positions, asked to lie inside: negative ones
/// do not count from the end here.
Formula alongDim(const Operands& x, int dim) {
    Value index = convert(reshape(x[2], {x.type(2).numel()}), DType::Int64);
    std::vector<Formula> indices(static_cast<size_t>(dim), Formula(Arg{}));
    indices.push_back(aten("check_index", index, dim, sizeOf(x.type(0), dim), x.node.op.c_str()));
    return indices;
}

/// f(coordinates in the tensor of positions' shape, the same with the position along dim).
template <class F>
bool eachAlong(const ir::HostTensor& index, const Sizes& self, const Sizes& sizes, size_t dim,
               F f) {
    const int64_t size = self.empty() ? 1 : self[dim];
    for (int64_t i = 0; i < index.numel(); ++i)
        if (index.getInt(i) < 0 || index.getInt(i) >= size) return false;
    const Sizes strides = rowMajorStrides(self);
    Odometer<1> at(sizes, {Sizes(sizes.size(), 0)});
    for (int64_t i = 0, n = product(sizes); i < n; ++i, at.next()) {
        int64_t place = 0;
        for (size_t d = 0; d < self.size(); ++d)
            place += strides[d] * (d == dim ? index.getInt(at.coords()[d]) : at.coords()[d]);
        f(i, place);
    }
    return true;
}

// --- index_select ---

Result<Types> indexSelectShape(const OpCall& call) {
    CUTAWAY_TRY(int dim, vectorDim(call));
    CUTAWAY_CHECK(onePlace(call, ErrorClass::Runtime));
    const TensorType& self = call.tensor(0);
    if (self.rank() == 0) return one(self);
    Shape sizes = self.sizes;
    sizes[static_cast<size_t>(dim)] = call.tensor(2).numel();
    return one(TensorType::contiguous(self.dtype, std::move(sizes), self.device));
}

Results indexSelect(const Operands& x) {
    const int dim = *x.call().dim(1, x.type(0).rank());
    Value rows = x.type(0).rank() == 0 ? reshape(x[0], {Sym(1)}) : x[0];
    return {reshape(aten("index.Tensor", rows, alongDim(x, dim)), x.node.types[0].sizes)};
}

Values indexSelectReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &self = *tensors[0], &index = *tensors[1];
    const auto dim = static_cast<size_t>(hostDim(call, 1, self.sizes.size()));
    Sizes sizes = self.sizes;
    if (!sizes.empty()) sizes[dim] = index.numel();
    ir::HostTensor out = ir::HostTensor::zeros(self.dtype, sizes);
    const bool inside = eachAlong(index, self.sizes, sizes, dim, [&](int64_t i, int64_t place) {
        ir::isFloating(self.dtype) ? out.set(i, self.get(place))
                                   : out.setInt(i, self.getInt(place));
    });
    return inside ? oneValue(std::move(out)) : Values();
}

// --- index_add ---

Result<Types> indexAddShape(const OpCall& call) {
    CUTAWAY_TRY(int dim, vectorDim(call));
    const TensorType &self = call.tensor(0), &source = call.tensor(3);
    if (self.dtype != source.dtype)
        return refuse(call, fmt::format("expected a source of {}, found {}", ir::name(self.dtype),
                                        ir::name(source.dtype)));
    Shape wanted = self.sizes;
    if (self.rank() > 0) wanted[static_cast<size_t>(dim)] = call.tensor(2).numel();
    if (!call.same(source.sizes, wanted))
        return refuse(call, fmt::format("expected a source {}, found {}", ir::str(wanted),
                                        ir::str(source.sizes)));
    CUTAWAY_CHECK(onePlace(call, ErrorClass::Index));
    return likeArg0(call);
}

Results indexAdd(const Operands& x) {
    const TensorType self = x.type(0);
    const int dim = *x.call().dim(1, self.rank());
    Value source = x[3];
    // A factor has the dtype of what it multiplies: 0.5 of integers is 0, any but 0 of bools true.
    const double factor = x.isValue(4) ? 0 : x.call().real(4);
    if (x.isValue(4) || ir::isFloating(self.dtype)) {
        if (factor != 1) source = source * x[4];
    } else if (self.dtype == DType::Bool) {
        if (factor == 0) source = aten("zeros_like", source);
    } else if (factor != 1) {
        source = source * static_cast<int64_t>(factor);
    }
    const bool number = self.rank() == 0;
    Value rows = number ? reshape(x[0], {Sym(1)}) : x[0];
    if (number) source = reshape(source, {Sym(1)});
    return {reshape(aten("index_put", rows, alongDim(x, dim), source, true), self.sizes)};
}

Values indexAddReference(const OpCall& call, Tensors tensors) {
    ir::HostTensor out = *tensors[0];
    const ir::HostTensor& source = *tensors[2];
    const auto dim = static_cast<size_t>(hostDim(call, 1, out.sizes.size()));
    const bool inside =
        eachAlong(*tensors[1], out.sizes, source.sizes, dim, [&](int64_t i, int64_t place) {
            if (ir::isFloating(out.dtype))
                out.set(place, out.get(place) + call.real(4) * source.get(i));
            else
                out.setInt(place, out.getInt(place) + call.number(4) * source.getInt(i));
        });
    return inside ? oneValue(std::move(out)) : Values();
}

// --- take_along_dim ---

/// self and indices with the sizes in which gather takes them; flat without a dim.
struct Along {
    Shape self, indices;
    int dim = 0;
};
Result<Along> alongOf(const OpCall& call) {
    const TensorType &self = call.tensor(0), &indices = call.tensor(1);
    if (indices.dtype != DType::Int64)
        return refuse(call,
                      fmt::format("expected int64 indices, found {}", ir::name(indices.dtype)));
    if (!call.has(2)) return Along{{self.numel()}, {indices.numel()}, 0};
    if (self.rank() != indices.rank())
        return refuse(call, fmt::format("expected indices of {} dimensions, found shape {}",
                                        self.rank(), ir::str(indices.sizes)));
    if (self.rank() == 0) return refuse(call, "a 0-dim tensor has no dimension to take along");
    CUTAWAY_TRY(int dim, call.dim(2, self.rank()));
    Along along{self.sizes, indices.sizes, dim};
    const auto d = static_cast<size_t>(dim);
    along.self[d] = along.indices[d] = Sym(1);
    CUTAWAY_TRY(along.self, broadcast(call, along.self, along.indices));
    along.indices = along.self;
    along.self[d] = self.sizes[d];
    along.indices[d] = indices.sizes[d];
    return along;
}

Result<Types> takeShape(const OpCall& call) {
    CUTAWAY_TRY(Along along, alongOf(call));
    CUTAWAY_CHECK(
        indexWorks(call, call.tensor(1), along.self[static_cast<size_t>(along.dim)], along.dim));
    return one(TensorType::contiguous(call.tensor(0).dtype, along.indices, call.tensor(0).device));
}

Results takeAlong(const Operands& x) {
    OpCall call = x.call();
    const Along along = *alongOf(call);
    const bool flat = !call.has(2);
    Value self = flat ? reshape(x[0], along.self) : expand(x[0], along.self);
    Value indices = flat ? reshape(x[1], along.indices) : expand(x[1], along.indices);
    // Along a dimension positions go round, as PyTorch's.
    const Sym size = along.self[static_cast<size_t>(along.dim)];
    return {
        aten("gather", self, along.dim, flat ? indices : aten("remainder.Scalar", indices, size))};
}

Values takeReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &self = *tensors[0], &indices = *tensors[1];
    const Along along = *alongOf(call);
    const bool flat = !call.has(2);
    const Sizes sizes = call.numbers(along.indices), wide = call.numbers(along.self);
    Sizes strides = flat ? Sizes{1} : broadcastStrides(self.sizes, wide);
    const Sizes steps = flat ? Sizes{1} : broadcastStrides(indices.sizes, sizes);
    ir::HostTensor out = ir::HostTensor::zeros(self.dtype, sizes);
    const auto dim = static_cast<size_t>(along.dim);
    Odometer<1> at(sizes, {steps});
    for (int64_t i = 0, n = product(sizes); i < n; ++i, at.next()) {
        int64_t position = indices.getInt(at.offsets[0]);
        const int64_t size = wide.empty() ? 1 : wide[dim];
        if (!flat && size > 0) position = (position % size + size) % size;
        if (position < 0 || position >= size) return {};
        int64_t place = 0;
        for (size_t d = 0; d < wide.size(); ++d)
            place += strides[d] * (d == dim ? position : at.coords()[d]);
        ir::isFloating(self.dtype) ? out.set(i, self.get(place))
                                   : out.setInt(i, self.getInt(place));
    }
    return oneValue(std::move(out));
}

} // namespace

std::vector<OpDef> indexAlongOps() {
    std::vector<OpDef> ops;
    ops.push_back(
        withFloat8({"index_select(Tensor self, int dim, Tensor index) -> Tensor",
                    indexSelectShape,
                    ThroughDecomposition{},
                    Decompose{indexSelect, DecomposeWhen::BeforeAutograd},
                    indexSelectReference,
                    [] {
                        return std::vector<Sample>{
                            good({f32({4, 5}), i64({6}, 0, 3)}, {T(0), I(0), T(1)}),
                            good({f32({4, 5}), i32({3}, 0, 4)}, {T(0), I(-1), T(1)}),
                            good({f32({}), i64({}, 0, 0)}, {T(0), I(0), T(1)}),
                            bad({f32({4}), i64({2, 2}, 0, 3)}, {T(0), I(0), T(1)},
                                "index_select: expected an index of at most 1 dimension, found "
                                "shape [2, 2]"),
                            bad({f32({}), i64({2}, 0, 0)}, {T(0), I(0), T(1)},
                                "index_select: Index to scalar can have only 1 value, got 2 "
                                "value(s)")};
                    },
                    {"rows, columns, .. picked by their numbers",
                     "y[.., k, ..] = x[.., index[k], ..]", "torch.index_select"},
                    {.index = IndexArgument{2}}}));
    ops.push_back(saving(
        "source",
        {"index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar "
         "alpha=1) -> Tensor",
         indexAddShape,
         ThroughDecomposition{},
         Decompose{indexAdd, DecomposeWhen::BeforeAutograd},
         indexAddReference,
         [] {
             const SampleTensor x = f32({4, 5});
             return std::vector<Sample>{
                 good({x, i64({6}, 0, 3), f32({6, 5})}, {T(0), I(0), T(1), T(2)}),
                 good({x, i64({3}, 0, 4), f32({4, 3})}, {T(0), I(1), T(1), T(2), Arg(0.5)}),
                 forwardOnly({i64({4}), i64({7}, 0, 3), i64({7})}, {T(0), I(0), T(1), T(2), I(2)}),
                 good({f32({}), i64({}, 0, 0), f32({})}, {T(0), I(0), T(1), T(2)}),
                 bad({x, i64({6}, 0, 3), f32({5, 6})}, {T(0), I(0), T(1), T(2)},
                     "index_add: expected a source [6, 5], found [5, 6]")};
         },
         {"rows, columns, .. added to those with given numbers",
          "y = x, then y[.., index[k], ..] += alpha source[.., k, ..]", "torch.index_add"},
         {.index = IndexArgument{2, "index", ErrorClass::Runtime}}}));
    ops.push_back({"take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
                   takeShape,
                   ThroughDecomposition{},
                   Decompose{takeAlong, DecomposeWhen::BeforeAutograd},
                   takeReference,
                   [] {
                       return std::vector<Sample>{
                           good({f32({4, 5}), i64({1, 3}, 0, 4)}, {T(0), T(1), I(1)}),
                           good({f32({1, 5}), i64({4, 2}, 0, 4)}, {T(0), T(1), I(-1)}),
                           good({f32({4, 5}), i64({2, 3}, 0, 19)}, {T(0), T(1), none()}),
                           bad({f32({4, 5}), i64({3}, 0, 4)}, {T(0), T(1), I(1)},
                               "take_along_dim: expected indices of 2 dimensions, found shape "
                               "[3]"),
                           bad({f32({}), i64({}, 0, 0)}, {T(0), T(1), I(0)},
                               "take_along_dim: a 0-dim tensor has no dimension to take along")};
                   },
                   {"elements picked along a dimension, other dimensions broadcast",
                    "y[i, j] = x[i, indices[i, j]]", "torch.take_along_dim"},
                   {}});
    outTakes(ops, {"index_select"}, OutDTypes::Same,
             "index_select(): self and result must have the same scalar type");
    return ops;
}

} // namespace cutaway::ops
