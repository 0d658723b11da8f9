// SPDX-License-Identifier: Apache-2.0
// Reading and writing at computed positions, triangles.
#include "core/ir/dtype_words.h"
#include "core/ops/call_forms.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/number_argument.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Shape;
using ir::Sym;
using ir::TensorType;
using kernel::Coord;

/// A number is indexed like a vector of one element.
Sym dimSize(const TensorType& self, int dim) {
    return self.rank() == 0 ? Sym(1) : self.sizes[static_cast<size_t>(dim)];
}

base::Status somethingToIndex(const OpCall& call, const TensorType& index, const Sym& size, int dim,
                              ErrorClass errorClass = ErrorClass::Runtime) {
    if (!size.is(0) || index.numel().is(0)) return {};
    return refuse(call,
                  fmt::format("every index is out of bounds for dimension {} with size 0", dim))
        .as(errorClass);
}

/// Of no positions PyTorch asks no dtype, and no sizes either where \p anyRank, which lets a number and
/// a vector go together, too.
base::Status indexFits(const OpCall& call, size_t indexArg, bool anyRank) {
    const TensorType &self = call.tensor(0), &index = call.tensor(indexArg);
    const bool any = !index.numel().is(0);
    if (any && index.dtype != DType::Int64 && index.dtype != DType::Int32)
        return refuse(
            call, fmt::format("expected an int64 or int32 index, found {}", ir::name(index.dtype)));
    CUTAWAY_TRY(int dim, call.dim(1, self.rank()));
    if (anyRank && (!any || std::max(index.rank(), self.rank()) == 1))
        return somethingToIndex(call, index, dimSize(self, dim), dim);
    bool fits = index.rank() == self.rank();
    for (size_t i = 0; fits && i < self.rank(); ++i) {
        bool other = static_cast<int>(i) != dim;
        if (other) fits = call.atMost(index.sizes[i], self.sizes[i]);
    }
    if (!fits)
        return refuse(call, fmt::format("index {} does not fit in {} outside dimension {}",
                                        ir::str(index.sizes), ir::str(self.sizes), dim));
    return somethingToIndex(call, index, dimSize(self, dim), dim);
}

// --- gather ---

Result<Types> gatherShape(const OpCall& call) {
    CUTAWAY_CHECK(indexFits(call, 2, true));
    const TensorType &self = call.tensor(0), &index = call.tensor(2);
    return one(TensorType::contiguous(self.dtype, index.sizes, self.device));
}

std::vector<Coord> plainCoords(std::span<const Sym> coords) {
    std::vector<Coord> list;
    for (const Sym& coord : coords)
        list.push_back({coord, {}});
    return list;
}

ExprId buildGather(ExprPool& pool, const OpCall& call, LoadArg& load, std::span<const Sym> coords) {
    if (call.tensor(2).numel().is(0)) return constantOf(pool, call.tensor(0).dtype, 0);
    std::vector<Coord> from = plainCoords(coords);
    ExprId position = pool.cast(DType::Int64, load(2, plainCoords(coords)));
    const size_t rank = call.tensor(0).rank();
    const int dim = *call.dim(1, rank);
    position = call.inside(position, dimSize(call.tensor(0), dim), dim);
    from.resize(rank); // of a number and a vector: one element, any element
    if (rank > 0) from[static_cast<size_t>(dim)] = {Sym(0), position};
    return load(0, from);
}

Formula gatherGradient(Vjp& v) {
    Formula zeros = full(v.b, v.type(0).sizes, 0, v.type(0));
    if (v.type(2).numel().is(0)) return zeros;
    if (v.type(0).rank() == v.type(2).rank()) return aten("scatter_add", zeros, v[1], v[2], v.grad);
    if (v.type(0).rank() == 0) return sum(v.grad);
    return aten("scatter_add", zeros, v[1], reshape(v[2], {Sym(1)}), reshape(v.grad, {Sym(1)}));
}

bool allWithin(const ir::HostTensor& index, int64_t size) {
    for (int64_t i = 0, n = index.numel(); i < n; ++i)
        if (index.getInt(i) < 0 || index.getInt(i) >= size) return false;
    return true;
}

/// Visits every element of index: f(position in index, position in a tensor of sizes \p into).
/// False, and none is visited, when an index is out of bounds.
template <class F> bool eachIndexed(const ir::HostTensor& index, const Sizes& into, int dim, F f) {
    if (!allWithin(index, into.empty() ? 1 : into[static_cast<size_t>(dim)])) return false;
    Sizes strides = rowMajorStrides(into);
    Odometer<1> at(index.sizes, {Sizes(index.sizes.size(), 0)});
    for (int64_t i = 0, n = index.numel(); i < n; ++i, at.next()) {
        int64_t position = 0;
        for (size_t d = 0; d < into.size(); ++d)
            position +=
                strides[d] * (static_cast<int>(d) == dim ? index.getInt(i) : at.coords()[d]);
        f(i, position);
    }
    return true;
}

Values gatherReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &self = *tensors[0], &index = *tensors[1];
    std::vector<int64_t> positions(static_cast<size_t>(index.numel()));
    bool inside = eachIndexed(
        index, self.sizes, hostDim(call, 1, self.sizes.size()),
        [&](int64_t i, int64_t position) { positions[static_cast<size_t>(i)] = position; });
    if (!inside) return {};
    size_t next = 0;
    return oneValue(
        copyByIndex(self, index.sizes, [&](const Sizes&) { return positions[next++]; }));
}

// --- check_index: what decompositions ask, in the name of the operation that they decompose ---

Result<Types> checkIndexShape(const OpCall& call) {
    if (call.tensor(0).dtype != DType::Int64)
        return refuse(
            call, fmt::format("expected an int64 index, found {}", ir::name(call.tensor(0).dtype)));
    if (!catalogue().find(std::get<std::string>(call.args[3])))
        return refuse(call, "expected the name of an operation");
    return likeArg0(call);
}

ExprId buildCheckIndex(ExprPool&, const OpCall& call, std::span<const ExprId> x) {
    return call.inside(x[0], call.integer(2), static_cast<int>(call.number(1)), call.boolean(4));
}

Values checkIndexReference(const OpCall& call, Tensors tensors) {
    if (!allWithin(*tensors[0], call.number(2))) return {};
    return oneValue(*tensors[0]);
}

// --- scatter.value, scatter_add ---

Result<Types> scatterShape(const OpCall& call) {
    CUTAWAY_CHECK(indexFits(call, 2, !std::holds_alternative<Scatter>(call.def.lowering)));
    if (call.isTensor(3)) {
        const Shape &index = call.tensor(2).sizes, &src = call.tensor(3).sizes;
        bool fits = call.same(src, index);
        if (!fits && std::get<Scatter>(call.def.lowering).over >= 0 && src.size() == index.size()) {
            fits = true;
            for (size_t d = 0; fits && d < src.size(); ++d)
                fits = call.atMost(index[d], src[d]);
        }
        if (!fits && !call.tensor(2).numel().is(0))
            return refuse(call, fmt::format("index {} and src {} differ in shape", ir::str(index),
                                            ir::str(src)));
        if (call.tensor(3).dtype != call.tensor(0).dtype)
            return refuse(call, fmt::format("expected src of {}, found {}",
                                            ir::name(call.tensor(0).dtype),
                                            ir::name(call.tensor(3).dtype)));
    }
    return likeArg0(call);
}

/// 0, 1, .. along dim, shaped to broadcast against a tensor of \p rank.
Value positionsAlong(Builder& b, Sym count, size_t rank, size_t dim, DType dtype,
                     ir::Device device) {
    Value range(b, b.call("arange.start_step",
                          {intArg(0), Arg(count), intArg(1), Arg(dtype), Arg{}, Arg(device)}));
    if (rank <= 1) return range;
    Shape sizes(rank, Sym(1));
    sizes[dim] = count;
    return view(range, sizes);
}

/// The index of a scatter, asked to lie inside \p self. A gradient's has been looked at by the call
/// that the gradient belongs to.
Formula askInside(const Operands& x, const TensorType& self, int dim) {
    Value index = convert(x[2], DType::Int64);
    if (x.node.backward) return index;
    return aten("check_index", index, dim, dimSize(self, dim), x.node.op.c_str());
}

/// Pads an operand of index's sizes with a value so that the other dimensions match self's.
Value padded(Builder& b, Value x, const Shape& self, size_t dim, int64_t value) {
    for (size_t i = 0; i < self.size(); ++i) {
        const TensorType type = x.type();
        if (i == dim || b.same(type.sizes[i], self[i])) continue;
        Shape more = type.sizes;
        more[i] = self[i] - type.sizes[i];
        x = aten("cat", std::vector<Formula>{x, full(b, more, value, type)}, i);
    }
    return x;
}

/// One value for each position along \p dim: every output looks whether it was meant, so that no
/// memory is written at random places. Where there are more, the writes are gone through.
Results scatterValue(const Operands& x) {
    OpCall call = x.call();
    const TensorType self = x.type(0);
    if (x.type(2).numel().is(0)) return {aten("clone", x[0])};
    if (self.rank() != x.type(2).rank()) {
        const auto vector = [&](size_t i) { return reshape(x[i], {x.type(i).numel()}); };
        return {reshape(aten("scatter.value", vector(0), 0, vector(2), x[3]), self.sizes)};
    }
    Value value = numberValue(x, 3, self.dtype);
    // A number has one position.
    if (self.rank() == 0) return {where(eq(askInside(x, self, 0), 0), value, x[0])};
    const auto dim = static_cast<size_t>(*call.dim(1, self.rank()));
    Value index = askInside(x, self, static_cast<int>(dim));
    const Shape sizes = index.type().sizes;
    if (!sizes[dim].is(1)) {
        std::vector<Formula> places;
        for (size_t d = 0; d < sizes.size(); ++d)
            places.push_back(d == dim ? Formula(index)
                                      : positionsAlong(x.b, sizes[d], sizes.size(), d, DType::Int64,
                                                       self.device));
        return {aten("index_put", x[0], places, value, false)};
    }
    index = padded(x.b, index, self.sizes, dim, -1);
    // Half the width, twice the lanes: positions out of range stay out of range when clamped.
    const Sym count = self.sizes[dim];
    const bool narrow =
        count.isConst() && x.b.less(count, Sym(int64_t{std::numeric_limits<int32_t>::max()}));
    if (narrow) index = convert(aten("clamp", index, -1, count), DType::Int32);
    Value range = positionsAlong(x.b, count, self.rank(), dim, narrow ? DType::Int32 : DType::Int64,
                                 self.device);
    return {where(eq(index, range), value, x[0])};
}

std::vector<Coord> scatterPlace(ExprPool& pool, const OpCall& call, LoadArg& load,
                                std::span<const Sym> coords) {
    ExprId position = pool.cast(DType::Int64, load(2, plainCoords(coords)));
    const size_t rank = call.tensor(0).rank();
    const int dim = *call.dim(1, rank);
    position = call.inside(position, dimSize(call.tensor(0), dim), dim);
    std::vector<Coord> place = plainCoords(coords);
    if (rank == 0) return {};
    place[static_cast<size_t>(dim)] = {Sym(0), position};
    return place;
}

Values scatterValueReference(const OpCall& call, Tensors tensors) {
    ir::HostTensor out = *tensors[0];
    const bool exact = ir::isIntegral(out.dtype) && std::holds_alternative<Sym>(call.args[3]);
    bool inside = eachIndexed(*tensors[1], out.sizes, hostDim(call, 1, out.sizes.size()),
                              [&](int64_t, int64_t position) {
                                  if (exact) return out.setInt(position, call.number(3));
                                  out.set(position, call.real(3));
                              });
    return inside ? oneValue(std::move(out)) : Values();
}

template <auto combine> Values scatterReference(const OpCall& call, Tensors tensors) {
    // The part of src that is as large as the index.
    const ir::HostTensor part = copyByIndex(*tensors[2], tensors[1]->sizes, [&](const Sizes& at) {
        int64_t from = 0;
        for (size_t d = 0; d < at.size(); ++d)
            from = from * tensors[2]->sizes[d] + at[d];
        return from;
    });
    auto added = [&]<class T>(std::vector<T> values, const std::vector<T>& source) {
        bool inside =
            eachIndexed(*tensors[1], tensors[0]->sizes, hostDim(call, 1, tensors[0]->sizes.size()),
                        [&](int64_t i, int64_t position) {
                            T& value = values[static_cast<size_t>(position)];
                            value = combine(value, source[static_cast<size_t>(i)]);
                        });
        return inside ? oneValue(tensorOf(tensors[0]->dtype, tensors[0]->sizes, values)) : Values();
    };
    if (ir::isFloating(tensors[0]->dtype))
        return added(valuesOf<double>(*tensors[0]), valuesOf<double>(part));
    return added(valuesOf<int64_t>(*tensors[0]), valuesOf<int64_t>(part));
}

Formula scatterValueGradient(Vjp& v) {
    return aten("scatter.value", v.grad, v[1], v[2], 0);
}
void scatterAddVjp(Vjp& v) {
    v.set(0, v.grad);
    if (!v.wants(3)) return;
    Value grad = aten("gather", v.grad, v[1], v[2]);
    const Shape taken = grad.type().sizes, src = v.type(3).sizes;
    std::vector<Formula> behind; // the part of src that no index was for; the last dimension first
    for (size_t d = src.size(); d-- > 0;) {
        behind.emplace_back(0);
        behind.emplace_back(src[d] - taken[d]);
    }
    v.set(3, v.b.same(taken, src) ? grad : Value(aten("constant_pad_nd", grad, behind, 0)));
}

/// torch/csrc/autograd/FunctionsManual.cpp: scatter_reduce_backward, with self included.
void scatterProductVjp(Vjp& v) {
    Value self = v[0], index = v[2], src = v[3];
    auto products = [&](const Formula& of, const Formula& with) {
        return Value(aten("_scatter_prod", of, v[1], index, with));
    };
    if (v.wants(0)) {
        Value divisor = where(eq(self, 0), 1, self);
        v.set(0, v.grad * products(divisor, src) / divisor);
    }
    if (!v.wants(3)) return;
    Value zero = eq(src, 0);
    Value zeros =
        aten("scatter_add", aten("zeros_like", self), v[1], index, convert(zero, v.type(3).dtype));
    Value alone = logicalAnd(zero, eq(aten("gather", zeros, v[1], index), 1));
    Value without = products(self, where(alone, 1, src));
    v.set(3, where(alone, aten("gather", v.grad * without, v[1], index),
                   aten("gather", v.grad * v.result, v[1], index) / where(zero, 1, src)));
}
/// Shared by all that are the extreme, an excluded one among them.
void scatterExtremeVjp(Vjp& v) {
    const DType dtype = v.type(0).dtype;
    Value index = v[2];
    const Value extreme = asStored(v.result);
    Value own = convert(eq(asStored(v[0]), extreme), dtype);
    Value equal = v.isValue(4) ? Value(convert(eq(asStored(v[4]), extreme), dtype)) : own;
    Value theirs = convert(eq(asStored(v[3]), aten("gather", extreme, v[1], index)), dtype);
    Value share = v.grad / aten("scatter_add", equal, v[1], index, theirs);
    v.set(0, own * share);
    v.set(3, theirs * aten("gather", share, v[1], index));
}

// --- embedding ---

Result<Types> embeddingShape(const OpCall& call) {
    const TensorType &weight = call.tensor(0), &indices = call.tensor(1);
    if (weight.rank() != 2)
        return refuse(
            call, fmt::format("expected a weight [count, width], found {}", ir::str(weight.sizes)));
    if (indices.dtype != DType::Int64 && indices.dtype != DType::Int32)
        return base::userError(
            {},
            fmt::format("Expected tensor for argument #1 'indices' to have one of the following "
                        "scalar types: Long, Int; but got torch.{}Tensor instead (while "
                        "checking arguments for embedding)",
                        ir::scalarType(indices.dtype)));
    CUTAWAY_CHECK(somethingToIndex(call, indices, weight.sizes[0], 0, ErrorClass::Index));
    Shape sizes = indices.sizes;
    sizes.push_back(weight.sizes[1]);
    return one(TensorType::contiguous(weight.dtype, std::move(sizes), weight.device));
}

ExprId buildEmbedding(ExprPool& pool, const OpCall& call, LoadArg& load,
                      std::span<const Sym> coords) {
    ExprId row = pool.cast(DType::Int64, load(1, plainCoords(coords.first(coords.size() - 1))));
    row = call.inside(row, call.tensor(0).sizes[0], 0);
    return load(0, {{Sym(0), row}, {coords.back(), {}}});
}

Formula embeddingGradient(Vjp& v) {
    const bool scaled = v.has(3) && v.call().boolean(3);
    return aten("embedding_dense_backward", v.grad, v[1], v.type(0).sizes[0], v[2], scaled);
}

Result<Types> embeddingBackwardShape(const OpCall& call) {
    const TensorType &grad = call.tensor(0), &indices = call.tensor(1);
    if (grad.rank() == 0) return refuse(call, "expected a gradient of rows, found one of none");
    if (indices.dtype != DType::Int64 && indices.dtype != DType::Int32)
        return refuse(call,
                      fmt::format("expected integer indices, found {}", ir::name(indices.dtype)));
    const Shape rows(grad.sizes.begin(), grad.sizes.end() - 1);
    if (!call.same(rows, indices.sizes) &&
        !call.same(grad.numel(), indices.numel() * grad.sizes.back()))
        return refuse(call, fmt::format("indices {} do not fit a gradient of {}",
                                        ir::str(indices.sizes), ir::str(grad.sizes)));
    return one(
        TensorType::contiguous(grad.dtype, {call.integer(2), grad.sizes.back()}, grad.device));
}

/// Every row of the weight sums the gradients of the positions that read it.
Results embeddingBackward(const Operands& x) {
    OpCall call = x.call();
    const TensorType grad = x.type(0);
    const Sym count = x.type(1).numel(), width = grad.sizes.back();
    Value rows = reshape(x[0], {count, width});
    Value index = convert(reshape(x[1], {count, Sym(1)}), DType::Int64);
    if (!x.node.backward) index = aten("check_index", index, 0, call.integer(2), x.node.op.c_str());
    if (call.number(3) >= 0) rows = where(eq(index, x[3]), 0, rows);
    if (call.boolean(4)) { // each by how often its row is read
        Value none = full(x.b, {call.integer(2), Sym(1)}, 0, grad);
        Value ones = full(x.b, {count, Sym(1)}, 1, grad);
        rows = rows / aten("gather", aten("scatter_add", none, 0, index, ones), 0, index);
    }
    Value wide = expand(index, {count, width});
    Formula zeros = full(x.b, {call.integer(2), width}, 0, grad);
    return {aten("scatter_add", zeros, 0, wide, rows)};
}

Values embeddingReference(const OpCall&, Tensors tensors) {
    int64_t width = tensors[0]->sizes[1];
    Sizes sizes = tensors[1]->sizes;
    sizes.push_back(width);
    if (!allWithin(*tensors[1], tensors[0]->sizes[0])) return {};
    int64_t next = 0;
    return oneValue(copyByIndex(*tensors[0], sizes, [&](const Sizes&) {
        int64_t i = next++;
        return tensors[1]->getInt(i / width) * width + i % width;
    }));
}
Values embeddingBackwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &grad = *tensors[0], &index = *tensors[1];
    int64_t width = grad.sizes.back(), rows = call.number(2);
    if (!allWithin(index, rows)) return {};
    std::vector<double> sums(static_cast<size_t>(rows * width));
    std::vector<int64_t> reads(static_cast<size_t>(rows));
    for (int64_t i = 0; i < index.numel(); ++i)
        ++reads[static_cast<size_t>(index.getInt(i))];
    for (int64_t i = 0; i < index.numel(); ++i) {
        int64_t row = index.getInt(i);
        if (row == call.number(3)) continue;
        const auto share =
            call.boolean(4) ? static_cast<double>(reads[static_cast<size_t>(row)]) : 1.0;
        for (int64_t c = 0; c < width; ++c)
            sums[static_cast<size_t>(row * width + c)] += grad.get(i * width + c) / share;
    }
    return oneValue(tensorOf(grad.dtype, {rows, width}, sums));
}

// --- tril, triu ---

Result<Types> triangleShape(const OpCall& call) {
    if (call.tensor(0).rank() < 2)
        return refuse(call, fmt::format("expected at least 2 dimensions, found shape {}",
                                        ir::str(call.tensor(0).sizes)));
    return likeArg0(call);
}

/// No diagonal is as far away, and a row's index can be added to it.
constexpr int64_t kBeyond = int64_t{1} << 62;

Sym diagonalOf(const OpCall& call) {
    const Sym& diagonal = call.integer(1);
    if (!diagonal.isConst()) return diagonal;
    if (call.less(diagonal, Sym(-kBeyond))) return Sym(-kBeyond);
    return call.less(Sym(kBeyond), diagonal) ? Sym(kBeyond) : diagonal;
}

template <bool lower>
ExprId buildTriangle(ExprPool& pool, const OpCall& call, LoadArg& load,
                     std::span<const Sym> coords) {
    size_t rank = coords.size();
    const TensorType& type = call.tensor(0);
    const Sym diagonal = diagonalOf(call);
    // Half the width, twice the lanes.
    constexpr int64_t kNarrow = int64_t{1} << 29;
    const auto narrow = [&](const Sym& s) {
        return s.isConst() && call.less(Sym(-kNarrow), s) && call.less(s, Sym(kNarrow));
    };
    const bool all =
        narrow(type.sizes[rank - 1]) && narrow(type.sizes[rank - 2]) && narrow(diagonal);
    const auto place = [&](const Sym& at) {
        return all ? pool.cast(DType::Int32, pool.index(at)) : pool.index(at);
    };
    ExprId keep = pool.op(lower ? ScalarOp::Le : ScalarOp::Ge,
                          {place(coords[rank - 1]), place(coords[rank - 2] + diagonal)});
    return pool.op(ScalarOp::Where,
                   {keep, load(0, plainCoords(coords)), constantOf(pool, call.tensor(0).dtype, 0)});
}

template <bool lower> Values triangleReference(const OpCall& call, Tensors tensors) {
    Sizes strides = rowMajorStrides(tensors[0]->sizes);
    const int64_t diagonal = std::clamp(call.number(1), -kBeyond, kBeyond);
    return oneValue(
        copyByIndex(*tensors[0], tensors[0]->sizes, [&](const Sizes& coords) -> int64_t {
            int64_t column = coords[coords.size() - 1], row = coords[coords.size() - 2];
            if (lower ? column > row + diagonal : column < row + diagonal) return -1;
            int64_t index = 0;
            for (size_t i = 0; i < coords.size(); ++i)
                index += coords[i] * strides[i];
            return index;
        }));
}

std::vector<Sample> triangleSamples(std::string_view base) {
    return {good({f32({3, 4})}, {T(0), I(0)}), good({f32({2, 4, 3})}, {T(0), I(1)}),
            good({transposed(f64({3, 3}))}, {T(0), I(-1)}), forwardOnly({b8({3, 3})}, {T(0), I(0)}),
            bad({f32({3})}, {T(0), I(0)},
                std::string(base) + ": expected at least 2 dimensions, found shape [3]")};
}

/// Positions that are read or written one by one: PyTorch's class of error differs from a row's.
constexpr IndexArgument kIndex{2, "index", ErrorClass::Runtime};

void addIndexed(std::vector<OpDef>& ops) {
    ops.push_back(saving(
        "self",
        {"gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
         gatherShape,
         VjpRule{vjpOfFirst<gatherGradient>},
         Indexed{buildGather},
         gatherReference,
         [] {
             return std::vector<Sample>{
                 good({f32({4, 5}), i64({4, 1}, 0, 4)}, {T(0), I(1), T(1)}),
                 good({f32({4, 5}), i64({4, 3}, 0, 4)}, {T(0), I(-1), T(1)}),
                 good({f32({4, 5}), i64({2, 3}, 0, 3)}, {T(0), I(0), T(1)}),
                 good({f32({6}), i64({9}, 0, 5)}, {T(0), I(0), T(1)}),
                 good({f32({6}), i32({9}, 0, 5)}, {T(0), I(0), T(1)}),
                 bad({f32({4, 5}), f32({4, 1})}, {T(0), I(1), T(1)},
                     "gather: expected an int64 or int32 index, found float32"),
                 bad({f32({4, 5}), i64({5, 1}, 0, 4)}, {T(0), I(1), T(1)},
                     "gather: index [5, 1] does not fit in [4, 5] outside dimension 1")};
         },
         {"elements picked along a dimension", "y[i, j] = x[i, index[i, j]]", "torch.gather"},
         {.index = kIndex}}));
    ops.push_back(
        {"scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
         scatterShape,
         VjpRule{vjpOfFirst<scatterValueGradient>},
         Decompose{scatterValue, DecomposeWhen::BeforeLowering},
         scatterValueReference,
         [] {
             return std::vector<Sample>{
                 good({f32({4, 5}), i64({4, 1}, 0, 4)}, {T(0), I(1), T(1), Arg(-1.0)}),
                 good({f32({4, 5}), i64({4, 3}, 0, 4)}, {T(0), I(1), T(1), Arg(2.5)}),
                 good({f32({4, 5}), i64({2, 3}, 0, 3)}, {T(0), I(0), T(1), I(0)}),
                 good({f32({4, 5}), i32({4, 1}, 0, 4)}, {T(0), I(1), T(1), I(0)})};
         },
         {"a value written at picked positions", "y[i, index[i, j]] = value", "torch.scatter"},
         {.index = kIndex}});
    ops.push_back(
        {"scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
         scatterShape,
         VjpRule{scatterAddVjp},
         Scatter{0, 3, scatterPlace, kernel::ReduceOp::Sum, 2},
         scatterReference<[](auto a, auto b) { return a + b; }>,
         [] {
             return std::vector<Sample>{
                 good({f32({4, 5}), i64({4, 1}, 0, 4), f32({4, 1})}, {T(0), I(1), T(1), T(2)}),
                 good({f32({4, 5}), i64({4, 7}, 0, 4), f32({4, 7})}, {T(0), I(1), T(1), T(2)}),
                 good({f32({4, 5}), i64({2, 3}, 0, 3), f32({2, 3})}, {T(0), I(0), T(1), T(2)}),
                 good({i32({4, 5}), i64({4, 7}, 0, 4), i32({4, 7})}, {T(0), I(1), T(1), T(2)}),
                 good({u8({4, 5}, 200, 255), i64({4, 7}, 0, 4), u8({4, 7}, 0, 255)},
                      {T(0), I(1), T(1), T(2)}),
                 good({b8({4, 5}), i64({4, 7}, 0, 4), b8({4, 7})}, {T(0), I(1), T(1), T(2)}),
                 good({b8({4, 5}), i64({4, 1}, 0, 4), b8({4, 1})}, {T(0), I(1), T(1), T(2)}),
                 good({f32({4, 5}), i64({2, 1}, 0, 4), f32({3, 2})}, {T(0), I(1), T(1), T(2)}),
                 bad({f32({4, 5}), i64({4, 2}, 0, 4), f32({4, 1})}, {T(0), I(1), T(1), T(2)},
                     "scatter_add: index [4, 2] and src [4, 1] differ in shape")};
         },
         {"values added at picked positions", "y[i, index[i, j]] += src[i, j]",
          "torch.scatter_add"},
         {.index = kIndex}});
}

/// \param excludes there is a last argument, which is left out
template <bool excludes> std::vector<Sample> scatterReductionSamples() {
    std::vector<Sample> samples = {
        good({f32({4, 5}), i64({4, 7}, 0, 4), f32({4, 7})}, {T(0), I(1), T(1), T(2)}),
        good({f64({4, 5}), i64({2, 3}, 0, 3), f64({2, 3})}, {T(0), I(0), T(1), T(2)}),
        forwardOnly({i32({4, 5}), i64({4, 7}, 0, 4), i32({4, 7})}, {T(0), I(1), T(1), T(2)}),
        forwardOnly({u8({6}, 0, 255), i64({9}, 0, 5), u8({9}, 0, 255)}, {T(0), I(0), T(1), T(2)}),
        forwardOnly({awkward(f32({9})), i64({60}, 0, 8), awkward(f32({60}))},
                    {T(0), I(0), T(1), T(2)})};
    for (Sample& sample : samples)
        if (excludes) sample.args.push_back(none());
    return samples;
}

/// What scatter_reduce and index_reduce decompose into, beside scatter_add.
void addScatterReductions(std::vector<OpDef>& ops) {
    auto add = [&](std::string_view schema, VjpRule vjp, kernel::ReduceOp reduce,
                   Reference reference, Samples samples, OpDoc doc) {
        ops.push_back(internal({schema,
                                scatterShape,
                                vjp,
                                Scatter{0, 3, scatterPlace, reduce},
                                reference,
                                samples,
                                doc,
                                {.index = kIndex}}));
    };
    add("_scatter_prod(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
        scatterProductVjp, kernel::ReduceOp::Prod,
        scatterReference<[](auto a, auto b) { return a * b; }>, scatterReductionSamples<false>,
        {"values multiplied into picked positions", "y[i, index[i, j]] *= src[i, j]",
         "torch.scatter_reduce"});
    add("_scatter_amax(Tensor self, int dim, Tensor index, Tensor src, Tensor? excluded=None) -> "
        "Tensor",
        scatterExtremeVjp, kernel::ReduceOp::Max,
        scatterReference<[](auto a, auto b) { return (b > a) || b != b ? b : a; }>,
        scatterReductionSamples<true>,
        {"picked positions raised to values; a NaN stays", "y[i, index[i, j]] = max(.., src[i, j])",
         "torch.scatter_reduce"});
    add("_scatter_amin(Tensor self, int dim, Tensor index, Tensor src, Tensor? excluded=None) -> "
        "Tensor",
        scatterExtremeVjp, kernel::ReduceOp::Min,
        scatterReference<[](auto a, auto b) { return (b < a) || b != b ? b : a; }>,
        scatterReductionSamples<true>,
        {"picked positions lowered to values; a NaN stays",
         "y[i, index[i, j]] = min(.., src[i, j])", "torch.scatter_reduce"});
}

void addCheckIndex(std::vector<OpDef>& ops) {
    ops.push_back(internal(
        {"check_index(Tensor index, int dim, SymInt size, str operation, bool wraps=False) -> "
         "Tensor",
         checkIndexShape,
         NotDifferentiable{"positions have no gradient"},
         Pointwise{buildCheckIndex},
         checkIndexReference,
         [] {
             return std::vector<Sample>{
                 good({i64({4, 5}, 0, 6)}, {T(0), I(1), I(7), ir::Arg(std::string("gather"))}),
                 good({i64({}, 0, 0)}, {T(0), I(0), I(1), ir::Arg(std::string("gather"))}),
                 bad({f32({4})}, {T(0), I(0), I(7), ir::Arg(std::string("gather"))},
                     "check_index: expected an int64 index, found float32")};
         },
         {"an index that is reported unless it lies inside a dimension", "y = x, 0 <= x < size",
          "torch._inductor: ops.check_bounds"},
         {.index = IndexArgument{0}}}));
}

void addEmbedding(std::vector<OpDef>& ops) {
    ops.push_back(withFloat8(
        {"embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool "
         "scale_grad_by_freq=False, "
         "bool sparse=False) -> Tensor",
         embeddingShape,
         VjpRule{vjpOfFirst<embeddingGradient>},
         Indexed{buildEmbedding},
         embeddingReference,
         [] {
             return std::vector<Sample>{
                 good({f32({7, 3}), i64({2, 4}, 0, 6)}, {T(0), T(1), I(-1)}),
                 good({f32({7, 3}), i64({}, 0, 6)}, {T(0), T(1), I(-1)}),
                 forwardOnly({f32({7, 3}), i32({5}, 0, 6)}, {T(0), T(1), I(2)}),
                 forwardOnly({f32({7, 3}), i64({5}, 0, 6)}, {T(0), T(1), I(-1), Arg(true)}),
                 bad({f32({7, 3}), f32({2})}, {T(0), T(1)},
                     "Expected tensor for argument #1 'indices' to have one of the following "
                     "scalar "
                     "types: Long, Int; but got torch.FloatTensor instead (while checking "
                     "arguments for "
                     "embedding)")};
         },
         {"rows of a table", "y[i] = weight[indices[i]]", "torch.nn.functional.embedding"},
         {.index = IndexArgument{1}}}));
    // The same to embedding_bag, where a position outside is another class of error.
    OpDef rows = ops.back();
    rows.schema = "_embedding_bag_rows(Tensor weight, Tensor indices, SymInt padding_idx=-1, "
                  "bool scale_grad_by_freq=False, bool sparse=False) -> Tensor";
    rows.traits.index->outside = ErrorClass::Runtime;
    rows.doc.source = "torch.nn.functional.embedding_bag";
    rows.samples = [] {
        return std::vector<Sample>{good({f32({7, 3}), i64({2, 4}, 0, 6)}, {T(0), T(1), I(-1)})};
    };
    ops.push_back(internal(std::move(rows)));
    ops.push_back(
        {"embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, "
         "SymInt padding_idx, bool scale_grad_by_freq) -> Tensor",
         embeddingBackwardShape,
         ThroughDecomposition{},
         Decompose{embeddingBackward, DecomposeWhen::AfterAutograd},
         embeddingBackwardReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 4, 3}), i64({2, 4}, 0, 6)}, {T(0), T(1), I(7), I(-1), Arg(false)}),
                 good({f32({5, 3}), i64({5}, 0, 6)}, {T(0), T(1), I(7), I(2), Arg(false)}),
                 good({f32({9, 3}), i64({9}, 0, 6)}, {T(0), T(1), I(7), I(2), Arg(true)})};
         },
         {"gradient of embedding", "dweight[row] = sum of dy[i] where indices[i] = row",
          "torch._decomp: embedding_dense_backward"},
         {.index = IndexArgument{1}}});
}

} // namespace

std::vector<OpDef> indexOps() {
    std::vector<OpDef> ops;
    addIndexed(ops);
    addScatterReductions(ops);
    addCheckIndex(ops);
    addEmbedding(ops);
    ops.push_back({"tril(Tensor self, SymInt diagonal=0) -> Tensor",
                   triangleShape,
                   VjpRule{vjpOfFirst<[](Vjp& v) { return aten("tril", v.grad, v[1]); }>},
                   Indexed{buildTriangle<true>},
                   triangleReference<true>,
                   [] { return triangleSamples("tril"); },
                   {"lower triangle, 0 above the diagonal",
                    "y[i, j] = x[i, j] if j <= i + diagonal else 0", "torch.tril"}});
    ops.push_back({"triu(Tensor self, SymInt diagonal=0) -> Tensor",
                   triangleShape,
                   VjpRule{vjpOfFirst<[](Vjp& v) { return aten("triu", v.grad, v[1]); }>},
                   Indexed{buildTriangle<false>},
                   triangleReference<false>,
                   [] { return triangleSamples("triu"); },
                   {"upper triangle, 0 below the diagonal",
                    "y[i, j] = x[i, j] if j >= i + diagonal else 0", "torch.triu"}});
    return ops;
}

} // namespace cutaway::ops
