// SPDX-License-Identifier: Apache-2.0
// Indexing with tensors of positions: x[i, :, j], and writing there. Rules:
// ATen/native/TensorAdvancedIndexing.cpp and IndexingUtils.h; gradients: derivatives.yaml.
#include "core/ops/call_forms.h"
#include "core/ops/composite.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/memory_order.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

#include <numeric>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Shape;
using ir::Sym;
using ir::TensorType;
using kernel::Coord;

/// Arguments: self, indices, and the values that are written.
enum : size_t { kSelf, kIndices, kValues, kAccumulate };

/// How x[..., index tensors, ...] reads x: the indexed dimensions, and where the indices' common
/// shape stands in the result. Indices side by side leave it in their place, others put it first.
struct Plan {
    std::vector<size_t> dims; ///< of x, indexed
    Shape picked;             ///< the indices broadcast together
    size_t at = 0;            ///< the result's dimension where picked begins

    bool indexes(size_t dim) const {
        return std::find(dims.begin(), dims.end(), dim) != dims.end();
    }
    /// Sizes of the result, or the coordinates of x that are not computed.
    template <class T> std::vector<T> joined(const std::vector<T>& x, std::vector<T> middle) const {
        std::vector<T> all;
        for (size_t d = 0; d < x.size(); ++d)
            if (!indexes(d)) all.push_back(x[d]);
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), middle.begin(), middle.end());
        return all;
    }
};

const Arg& indexOf(const OpCall& call, size_t dim) {
    return (*call.args[kIndices].list())[dim];
}
const TensorType& indexType(const OpCall& call, size_t dim) {
    return call.graph.node(*indexOf(call, dim).node()).type();
}

base::Status indexWorks(const OpCall& call, const TensorType& index, const Sym& size, size_t dim) {
    if (index.dtype == DType::Bool || index.dtype == DType::UInt8)
        return refuse(call,
                      fmt::format("a mask of {} picks as many elements as it has true ones: its "
                                  "positions are wanted",
                                  ir::str(index.sizes)),
                      "use torch.where(mask, a, b), which keeps the shape")
            .as(ErrorClass::Index);
    if (index.dtype != DType::Int64 && index.dtype != DType::Int32)
        return refuse(call,
                      fmt::format("expected integer indices, found {}", ir::name(index.dtype)))
            .as(ErrorClass::Index);
    if (size.is(0) && !index.numel().is(0))
        return refuse(call,
                      fmt::format("every index is out of bounds for dimension {} with size 0", dim))
            .as(ErrorClass::Index);
    return {};
}

Result<Plan> planOf(const OpCall& call) {
    const TensorType& self = call.tensor(kSelf);
    const ir::ArgList& indices = *call.args[kIndices].list();
    if (indices.size() > self.rank())
        return refuse(call, fmt::format("{} indices for a tensor of {} dimension{}", indices.size(),
                                        self.rank(), self.rank() == 1 ? "" : "s"))
            .as(ErrorClass::Index);
    Plan plan;
    for (size_t d = 0; d < indices.size(); ++d) {
        if (indices[d].isNone()) continue;
        const TensorType& index = indexType(call, d);
        CUTAWAY_CHECK(indexWorks(call, index, self.sizes[d], d));
        auto common = broadcast(call, plan.picked, index.sizes);
        if (!common.ok()) {
            base::Diagnostic error = std::move(common.error());
            return std::move(error).as(ErrorClass::Index);
        }
        plan.picked = *common;
        plan.dims.push_back(d);
    }
    if (plan.dims.empty()) return refuse(call, "expected at least one index tensor");
    const bool together = plan.dims.back() - plan.dims.front() + 1 == plan.dims.size();
    plan.at = together ? plan.dims.front() : 0;
    return plan;
}

Shape resultSizes(const OpCall& call, const Plan& plan) {
    return plan.joined(call.tensor(kSelf).sizes, plan.picked);
}

/// The place in x of an element of the result.
std::vector<Coord> placeOf(ExprPool& pool, const OpCall& call, LoadArg& load,
                           std::span<const Sym> coords) {
    const Plan plan = *planOf(call);
    const TensorType& self = call.tensor(kSelf);
    const auto picked = coords.subspan(plan.at, plan.picked.size());
    std::vector<Sym> plain(coords.begin(), coords.begin() + static_cast<std::ptrdiff_t>(plan.at));
    plain.insert(plain.end(), picked.end(), coords.end());
    std::vector<Coord> place;
    size_t next = 0;
    for (size_t d = 0; d < self.rank(); ++d) {
        if (!plan.indexes(d)) {
            place.push_back({plain[next++], {}});
            continue;
        }
        const Shape& sizes = indexType(call, d).sizes;
        std::vector<Coord> from;
        for (size_t i = 0; i < sizes.size(); ++i)
            from.push_back(
                {sizes[i].is(1) ? Sym(0) : picked[picked.size() - sizes.size() + i], {}});
        const ExprId given = pool.cast(DType::Int64, load.element(kIndices, d, from));
        const ExprId negative = pool.op(ScalarOp::Lt, {given, pool.constantInt(DType::Int64, 0)});
        const ExprId wrapped = pool.op(ScalarOp::Add, {given, pool.index(self.sizes[d])});
        const ExprId position = pool.op(ScalarOp::Where, {negative, wrapped, given});
        place.push_back({Sym(0), call.inside(position, self.sizes[d], static_cast<int>(d), true)});
    }
    return place;
}

/// f(place in the result, place in x), both row-major; false, without any, when an index is out of
/// bounds. \p tensors: those of the list.
template <class F> bool eachPlace(const OpCall& call, Tensors tensors, const Sizes& self, F f) {
    const Plan plan = *planOf(call);
    std::vector<Sizes> shapes;
    for (const ir::HostTensor* tensor : tensors)
        shapes.push_back(tensor->sizes);
    const Sizes picked = broadcastSizes(shapes), strides = rowMajorStrides(self);
    const Sizes sizes = plan.joined(self, picked),
                plain = plan.joined(strides, Sizes(picked.size()));
    for (size_t k = 0; k < tensors.size(); ++k)
        for (int64_t i = 0; i < tensors[k]->numel() && product(sizes) > 0; ++i)
            if (int64_t v = tensors[k]->getInt(i);
                v < -self[plan.dims[k]] || v >= self[plan.dims[k]])
                return false;
    std::vector<Sizes> steps;
    for (const Sizes& shape : shapes)
        steps.push_back(broadcastStrides(shape, picked));
    Odometer<1> at(sizes, {plain});
    for (int64_t i = 0, n = product(sizes); i < n; ++i, at.next()) {
        int64_t place = at.offsets[0];
        for (size_t k = 0; k < tensors.size(); ++k) {
            int64_t from = 0;
            for (size_t p = 0; p < picked.size(); ++p)
                from += steps[k][p] * at.coords()[plan.at + p];
            const int64_t index = tensors[k]->getInt(from), size = self[plan.dims[k]];
            place += strides[plan.dims[k]] * (index < 0 ? index + size : index);
        }
        f(i, place);
    }
    return true;
}

// --- index ---

/// An index among the result's dimensions: its own where picked is, 1 elsewhere.
TensorType placed(const OpCall& call, const Plan& plan, size_t dim, size_t rank) {
    TensorType type = indexType(call, dim);
    const size_t behind = plan.at + plan.picked.size() - type.rank();
    for (size_t d = 0; d < type.rank(); ++d)
        if (type.sizes[d].is(1)) type.strides[d] = Sym(0);
    for (Shape* shape : {&type.sizes, &type.strides}) {
        shape->insert(shape->begin(), behind, Sym(1));
        shape->resize(rank, Sym(1));
    }
    return type;
}

/// PyTorch goes over the result, the indices and self, which does not move along what they pick.
Result<Types> indexShape(const OpCall& call) {
    CUTAWAY_TRY(Plan plan, planOf(call));
    const TensorType& self = call.tensor(kSelf);
    TensorType type = self;
    type.sizes = resultSizes(call, plan);
    type.strides = plan.joined(self.strides, Shape(plan.picked.size(), Sym(0)));
    type.requiresGrad = false;
    std::vector<TensorType> types{type};
    for (size_t dim : plan.dims)
        types.push_back(placed(call, plan, dim, type.rank()));
    std::vector<const TensorType*> operands;
    for (const TensorType& operand : types)
        operands.push_back(&operand);
    type.strides = elementwiseStrides(operands, type.sizes);
    return one(std::move(type));
}

ExprId buildIndex(ExprPool& pool, const OpCall& call, LoadArg& load, std::span<const Sym> coords) {
    return load(kSelf, placeOf(pool, call, load, coords));
}

Values indexReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& self = *tensors[0];
    ir::HostTensor out =
        ir::HostTensor::zeros(self.dtype, call.numbers(resultSizes(call, *planOf(call))));
    bool inside = eachPlace(call, tensors.subspan(1), self.sizes, [&](int64_t i, int64_t place) {
        if (ir::isFloating(self.dtype))
            out.set(i, self.get(place));
        else
            out.setInt(i, self.getInt(place));
    });
    return inside ? oneValue(std::move(out)) : Values();
}

Formula indexGradient(Vjp& v) {
    const Formula zeros = full(v.b, v.type(kSelf).sizes, 0, v.type(kSelf));
    return aten("index_put", zeros, v[kIndices], v.grad, true);
}

// --- index_put ---

Result<Types> indexPutShape(const OpCall& call) {
    CUTAWAY_TRY(Plan plan, planOf(call));
    const TensorType &self = call.tensor(kSelf), &values = call.tensor(kValues);
    if (self.dtype != values.dtype)
        return refuse(call, fmt::format("expected values of {}, found {}", ir::name(self.dtype),
                                        ir::name(values.dtype)));
    const Shape sizes = resultSizes(call, plan);
    bool fits = values.rank() <= sizes.size();
    for (size_t i = 0; fits && i < values.rank(); ++i) {
        const Sym& size = values.sizes[i];
        fits = size.is(1) || call.same(size, sizes[sizes.size() - values.rank() + i]);
    }
    if (!fits)
        return refuse(call, fmt::format("shape mismatch: values {} cannot be broadcast to {}, the "
                                        "shape of what is indexed",
                                        ir::str(values.sizes), ir::str(sizes)));
    return one(inOrderOf(self, self.dtype, self.device));
}

/// As _index_put_sum and _index_put_max, which walk over the values: as large as what is indexed.
Result<Types> indexPutWholeShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, indexPutShape(call));
    CUTAWAY_TRY(Plan plan, planOf(call));
    const Shape sizes = resultSizes(call, plan);
    if (!call.same(call.tensor(kValues).sizes, sizes))
        return refuse(call, fmt::format("expected values {}, found {}", ir::str(sizes),
                                        ir::str(call.tensor(kValues).sizes)));
    return types;
}

/// Of several updates for one place the last one stays: the one with the largest number.
Results indexPut(const Operands& x) {
    OpCall call = x.call();
    const Shape sizes = resultSizes(call, *planOf(call));
    if (call.boolean(kAccumulate))
        return {aten("_index_put_sum", x[kSelf], x[kIndices], expand(x[kValues], sizes))};
    const TensorType self = x.type(kSelf);
    const Sym count = std::accumulate(sizes.begin(), sizes.end(), Sym(1),
                                      [](const Sym& a, const Sym& b) { return a * b; });
    if (count.is(0)) return {aten("clone", x[kSelf])};
    TensorType number = self;
    number.dtype = DType::Int64;
    Value order = positions(x.b, count, self.device);
    Value none = full(x.b, self.sizes, -1, number);
    Value last = aten("_index_put_max", none, x[kIndices], view(order, sizes));
    Value written = ge(last, 0), picked = x[kValues];
    if (picked.type().numel().is(1))
        picked = reshape(picked, {});
    else
        picked = aten("index.Tensor", reshape(expand(picked, sizes), {count}),
                      std::vector<Formula>{aten("clamp", last, 0, count - Sym(1))});
    return {where(written, picked, x[kSelf])};
}

template <class Combine> Values putReference(const OpCall& call, Tensors tensors, Combine combine) {
    ir::HostTensor out = *tensors[0];
    const ir::HostTensor& values = *tensors.back();
    const Sizes sizes = call.numbers(resultSizes(call, *planOf(call)));
    std::vector<int64_t> from;
    Odometer<1> at(sizes, {broadcastStrides(values.sizes, sizes)});
    for (int64_t i = 0, n = product(sizes); i < n; ++i, at.next())
        from.push_back(at.offsets[0]);
    const bool inside = eachPlace(
        call, tensors.subspan(1, tensors.size() - 2), out.sizes, [&](int64_t i, int64_t place) {
            const int64_t source = from[static_cast<size_t>(i)];
            if (ir::isFloating(out.dtype))
                out.set(place, combine(out.get(place), values.get(source)));
            else
                out.setInt(place, combine(out.getInt(place), values.getInt(source)));
        });
    return inside ? oneValue(std::move(out)) : Values();
}

Values indexPutReference(const OpCall& call, Tensors tensors) {
    const bool adds = call.boolean(kAccumulate);
    return putReference(call, tensors,
                        [&](auto old, auto value) { return adds ? old + value : value; });
}

void indexPutVjp(Vjp& v) {
    const TensorType self = v.type(kSelf);
    const bool adds = v.call().boolean(kAccumulate);
    const Value zero = scalar(v.b, 0, self.dtype, self.device);
    v.set(kSelf, adds ? v.grad : aten("index_put", v.grad, v[kIndices], zero, false));
    // A list has a place for each of its elements.
    v.set(v.node.args[kIndices].list()->size() + 1, aten("index.Tensor", v.grad, v[kIndices]));
}

// --- records ---

Arg listed(std::vector<Arg> indices) {
    return Arg(ir::ArgList(indices.begin(), indices.end()));
}
constexpr IndexArgument kListed{kIndices};

std::vector<Sample> indexSamples() {
    const SampleTensor x = f32({4, 5, 3}), rows = i64({6}, -4, 3), columns = i64({6}, -5, 4);
    return {good({x, rows}, {T(0), listed({T(1)})}),
            good({x, columns}, {T(0), listed({none(), T(1)})}),
            good({x, rows, columns}, {T(0), listed({T(1), T(2)})}),
            good({x, i64({2, 1}, 0, 3), i64({3}, 0, 4)}, {T(0), listed({T(1), T(2)})}),
            good({x, rows, i64({6}, 0, 2)}, {T(0), listed({T(1), none(), T(2)})}),
            good({x, i64({}, 0, 4), i64({2, 2}, 0, 2)}, {T(0), listed({none(), T(1), T(2)})}),
            good({transposed(f64({5, 4})), rows}, {T(0), listed({none(), T(1)})}),
            forwardOnly({i64({4, 2}), i32({3}, 0, 3)}, {T(0), listed({T(1)})}),
            good({x, i64({0}, 0, 3)}, {T(0), listed({T(1)})}),
            bad({x, f32({2})}, {T(0), listed({T(1)})},
                "index: expected integer indices, found float32"),
            bad({f32({4}), rows, rows}, {T(0), listed({T(1), T(2)})},
                "index: 2 indices for a tensor of 1 dimension"),
            bad({x, i64({2}, 0, 3), i64({3}, 0, 4)}, {T(0), listed({T(1), T(2)})},
                "The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
                "dimension 0"),
            bad({x, b8({4})}, {T(0), listed({T(1)})},
                "index: a mask of [4] picks as many elements as it has true ones: its positions "
                "are wanted")};
}

std::vector<Sample> putSamples(bool adds) {
    const SampleTensor x = f32({4, 5, 3}), rows = i64({6}, -4, 3), columns = i64({6}, -5, 4);
    const Arg how(adds);
    auto meeting = adds ? good : forwardOnly; // the gradient of what was overwritten is no slope
    return {meeting({x, rows, f32({6, 5, 3})}, {T(0), listed({T(1)}), T(2), how}),
            meeting({x, rows, columns, f32({6, 3})}, {T(0), listed({T(1), T(2)}), T(3), how}),
            meeting({x, columns, f32({4, 6, 1})}, {T(0), listed({none(), T(1)}), T(2), how}),
            meeting({x, rows, i64({6}, 0, 2), f32({6, 5})},
                    {T(0), listed({T(1), none(), T(2)}), T(3), how}),
            good({x, i64({1}, 0, 3), f32({})}, {T(0), listed({T(1)}), T(2), how}),
            good({f64({4, 3}), i64({1}, 0, 3), f64({3})}, {T(0), listed({T(1)}), T(2), how}),
            forwardOnly({i64({5}), i64({9}, 0, 4), i64({9})}, {T(0), listed({T(1)}), T(2), how}),
            forwardOnly({x, i64({0}, 0, 3), f32({})}, {T(0), listed({T(1)}), T(2), how}),
            bad({x, rows, f32({5})}, {T(0), listed({T(1)}), T(2), how},
                "index_put: shape mismatch: values [5] cannot be broadcast to [6, 5, 3], the shape "
                "of what is indexed"),
            bad({x, rows, f64({})}, {T(0), listed({T(1)}), T(2), how},
                "index_put: expected values of float32, found float64")};
}

void addScatters(std::vector<OpDef>& ops) {
    constexpr NotDifferentiable kLate{"it is made after differentiation"};
    const OpDoc doc{"elements at picked places reduced with values, which have the shape of what "
                    "is indexed",
                    "y = x, then y[indices] = y[indices] + values, or the larger",
                    "aten::index_put"};
    ops.push_back(internal(
        {"_index_put_sum(Tensor self, Tensor?[] indices, Tensor values) -> Tensor",
         indexPutWholeShape,
         kLate,
         Scatter{kSelf, kValues, placeOf},
         [](const OpCall& call, Tensors tensors) {
             return putReference(call, tensors, [](auto a, auto b) { return a + b; });
         },
         [] {
             return std::vector<Sample>{
                 good({f32({4, 3}), i64({9}, -4, 3), f32({9, 3})}, {T(0), listed({T(1)}), T(2)}),
                 good({f32({4, 3}), i64({5}, 0, 3), i64({5}, 0, 2), f32({5})},
                      {T(0), listed({T(1), T(2)}), T(3)})};
         },
         doc,
         {.index = kListed}}));
    ops.push_back(internal(
        {"_index_put_max(Tensor self, Tensor?[] indices, Tensor values) -> Tensor",
         indexPutWholeShape,
         kLate,
         Scatter{kSelf, kValues, placeOf, kernel::ReduceOp::Max},
         [](const OpCall& call, Tensors tensors) {
             return putReference(call, tensors, [](auto a, auto b) { return a < b ? b : a; });
         },
         [] {
             return std::vector<Sample>{
                 good({i64({4, 3}), i64({9}, -4, 3), i64({9, 3})}, {T(0), listed({T(1)}), T(2)}),
                 good({i64({4, 3}), i64({40}, 0, 3), i64({40}, 0, 2), i64({40})},
                      {T(0), listed({T(1), T(2)}), T(3)})};
         },
         doc,
         {.index = kListed}}));
}

/// Of positions of no dimensions, which show a view in x[...].
ir::NodeId intoPlaces(const Operands& view, ir::NodeId part, int) {
    return aten("index_put", view[0], view[kIndices], Value(view.b, part), false);
}
/// Only a call knows where: behind all that is known to lie elsewhere.
Sym startOfPlaces(const OpCall& view, int) {
    return view.tensor(0).numel();
}

} // namespace

std::vector<OpDef> indexTensorOps() {
    std::vector<OpDef> ops;
    ops.push_back(written({intoPlaces, startOfPlaces},
                          withFloat8({"index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
                                      indexShape,
                                      VjpRule{vjpOfFirst<indexGradient>},
                                      Indexed{buildIndex},
                                      indexReference,
                                      indexSamples,
                                      {"elements at picked positions of one or several dimensions",
                                       "y[.., k, ..] = x[.., i[k], .., j[k], ..]",
                                       "torch.Tensor.__getitem__; numpy's advanced indexing"},
                                      {.index = kListed}})));
    ops.push_back(
        withFloat8({"index_put(Tensor self, Tensor?[] indices, Tensor values, bool "
                    "accumulate=False) -> Tensor",
                    indexPutShape,
                    VjpRule{indexPutVjp},
                    Decompose{indexPut, DecomposeWhen::BeforeLowering},
                    indexPutReference,
                    [] {
                        std::vector<Sample> samples = putSamples(false), more = putSamples(true);
                        samples.insert(samples.end(), more.begin(), more.end());
                        return samples;
                    },
                    {"values written at picked positions, or added there; the last of several for "
                     "one place stays",
                     "y = x, then y[indices] = values", "torch.Tensor.index_put"},
                    {.index = kListed}}));
    addScatters(ops);
    return ops;
}

} // namespace cutaway::ops
