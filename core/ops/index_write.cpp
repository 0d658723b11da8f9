// SPDX-License-Identifier: Apache-2.0
// Elements read and written by their numbers, and reductions into them: take, put, index_fill,
// index_copy, index_reduce, scatter. Source: torch/_refs/__init__.py,
// ATen/native/TensorAdvancedIndexing.cpp.
#include "core/ir/dtype_words.h"
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/held_numbers.h"
#include "core/ops/lying.h"
#include "core/ops/number_argument.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <limits>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;
using ir::DType;

Value flat(const Formula& x, const TensorType& type) {
    return reshape(x, {type.numel()});
}

void wantWhole(const Operands& x, size_t i) {
    if (x.type(i).dtype != DType::Int64)
        refuseCall(x, fmt::format("expected an int64 index, found {}", ir::name(x.type(i).dtype)));
}
void wantSameDType(const Operands& x, size_t i) {
    if (x.type(i).dtype != x.type(0).dtype)
        refuseCall(x, fmt::format("expected a {} of {}, found {}", x.call().def.parsed.args[i].name,
                                  ir::name(x.type(0).dtype), ir::name(x.type(i).dtype)));
}

Results take(const Operands& x) {
    wantWhole(x, 1);
    const Sym count = x.type(0).numel();
    Value places = where(lt(x[1], 0), x[1] + count, x[1]);
    Value index = aten("check_index", places, 0, count, "take", true);
    return {aten("index.Tensor", flat(x[0], x.type(0)), std::vector<Formula>{index})};
}

constexpr VjpRule kTakeGradient =
    vjpOfFirst<[](Vjp& v) { return aten("put", zerosLike(v[0]), v[1], v.grad, true); }>;

Results put(const Operands& x) {
    wantWhole(x, 1);
    wantSameDType(x, 2);
    if (!x.call().same(x.type(1).numel(), x.type(2).numel()))
        refuseCall(x, fmt::format("expected as many elements as indices, found {} and {}",
                                  x.type(2).numel().str(), x.type(1).numel().str()));
    Value index = flat(x[1], x.type(1));
    Value written = aten("index_put", flat(x[0], x.type(0)), std::vector<Formula>{index},
                         flat(x[2], x.type(2)), x[3]);
    return {reshape(written, x.type(0).sizes)};
}

/// A vector of positions in dimension \p dim, as the index list of index_put; a 0-dim tensor is
/// taken as a vector of one element.
struct Rows {
    Value self;
    size_t dim;
    std::vector<Formula> index;
    Sym count;
};
/// \param wraps negative positions count from the end
Rows rowsOf(const Operands& x, bool wraps = false) {
    const TensorType self = x.type(0), index = x.type(2);
    Rows rows{self.rank() == 0 ? Value(reshape(x[0], {Sym(1)})) : x.tensor(0),
              dimOf(x, 1, self.rank()),
              {},
              index.numel()};
    if (index.rank() > 1)
        refuseCall(x,
                   fmt::format("expected an index of at most 1 dimension, found shape {}",
                               ir::str(index.sizes)),
                   {}, wraps ? ErrorClass::Runtime : ErrorClass::Index);
    if (index.dtype != DType::Int64 && index.dtype != DType::Int32)
        refuseCall(x,
                   fmt::format("expected an int64 or int32 index, found {}", ir::name(index.dtype)),
                   {}, wraps ? ErrorClass::Index : ErrorClass::Runtime);
    const Sym size = rows.self.type().sizes[rows.dim];
    rows.index.assign(rows.dim, Formula(Arg{}));
    Value places = convert(reshape(x[2], {index.numel()}), DType::Int64);
    if (wraps) places = where(lt(places, 0), places + size, places);
    rows.index.push_back(
        aten("check_index", places, rows.dim, size, x.call().def.parsed.name.c_str(), wraps));
    return rows;
}

/// Whether an index names the position, along the dimension.
Value named(const Operands& x, const Rows& rows) {
    const Sym size = rows.self.type().sizes[rows.dim];
    TensorType mask = x.type(0);
    mask.dtype = DType::Bool;
    Value none = full(x.b, {size}, 0, mask), filled = full(x.b, {rows.count}, 1, mask);
    Shape along(rows.self.type().rank(), Sym(1));
    along[rows.dim] = size;
    return reshape(aten("index_put", none, std::vector<Formula>{rows.index.back()}, filled, false),
                   along);
}

Results indexFill(const Operands& x) {
    Rows rows = rowsOf(x, true);
    const TensorType self = x.type(0);
    if (base::Status held = wantHeld(x.call(), 3, self.dtype); !held.ok())
        throwRefusal(std::move(held.error()));
    Value value = numberValue(x, 3, self.dtype);
    if (value.type().rank() != 0)
        refuseCall(x, fmt::format("index_fill_ only supports a 0-dimensional value tensor, but got "
                                  "tensor with {} dimension(s)",
                                  value.type().rank()));
    // By a mask and not by a put: the gradient of the value is that of each place once, however often
    // it is named (derivatives.yaml, index_fill: over the unique indices).
    return {reshape(where(named(x, rows), value, rows.self), self.sizes)};
}

/// \param copies a source of no dimensions is one row, as is one of a row for self of none; another
/// number of rows is an IndexError
Value sourceOf(const Operands& x, const Rows& rows, bool copies) {
    wantSameDType(x, 3);
    Shape wanted = rows.self.type().sizes;
    wanted[rows.dim] = rows.count;
    const TensorType source = x.type(3);
    const OpCall call = x.call();
    const bool one = source.rank() == 0;
    if (call.same(one ? Shape{Sym(1)} : source.sizes, wanted) &&
        (copies || source.rank() == x.type(0).rank()))
        return reshape(x[3], wanted);
    bool index = one && !call.same(rows.count, Sym(1));
    if (copies && !one)
        index = source.rank() != wanted.size() || !call.same(source.sizes[rows.dim], rows.count);
    refuseCall(
        x, fmt::format("expected a source {}, found {}", ir::str(wanted), ir::str(source.sizes)),
        {}, index ? ErrorClass::Index : ErrorClass::Runtime);
}

Results indexCopy(const Operands& x) {
    Rows rows = rowsOf(x);
    return {reshape(aten("index_put", rows.self, rows.index, sourceOf(x, rows, true), false),
                    x.type(0).sizes)};
}

// --- reductions into positions ---

/// What a reduction of nothing is: the number that changes no other.
Arg neutral(const std::string& how, DType dtype) {
    if (how != "amax" && how != "amin") return Arg(int64_t{how == "prod"});
    const bool most = how == "amin";
    if (ir::isFloating(dtype)) {
        const double infinity = std::numeric_limits<double>::infinity();
        return Arg(most ? infinity : -infinity);
    }
    const ir::IntegerLimits limits = ir::integerLimits(dtype);
    return Arg(most ? limits.max : limits.min);
}

TensorType ofInts(TensorType type) {
    type.dtype = DType::Int64;
    return type;
}

/// self reduced with src at the positions index; \p index has src's sizes. \p start: self with what
/// changes no value at these positions, if it is known.
Value reduced(const Operands& x, const Value& self, size_t dim, const Value& index,
              const Value& src, const std::string& how, bool includeSelf, Value start = {}) {
    const TensorType type = self.type();
    if (src.type().numel().is(0)) return aten("clone", self);
    if (type.dtype == DType::Bool) { // sums and extremes of truth values are those of 0 and 1
        const std::string one = how == "sum" ? "amax" : how == "prod" ? "amin" : how;
        return convert(reduced(x, convert(self, DType::UInt8), dim, index,
                               convert(src, DType::UInt8), one, includeSelf),
                       DType::Bool);
    }
    if (includeSelf)
        start = self;
    else if (!start.valid())
        start = aten("scatter.value", self, dim, index, neutral(how, type.dtype));
    if (how == "prod") return aten("_scatter_prod", start, dim, index, src);
    if (how == "amax" || how == "amin") // PyTorch's gradient counts self though it is excluded
        return aten(how == "amax" ? "_scatter_amax" : "_scatter_amin", start, dim, index, src,
                    includeSelf || !ir::isFloating(type.dtype) ? Formula(Arg{}) : Formula(self));
    Value total = aten("scatter_add", start, dim, index, src);
    if (how == "sum") return total;
    Value counts = full(x.b, type.sizes, includeSelf ? 1 : 0, ofInts(type));
    Value ones = full(x.b, src.type().sizes, 1, ofInts(src.type()));
    Value count = aten("clamp_min", aten("scatter_add", counts, dim, index, ones), 1);
    if (ir::isFloating(type.dtype)) return total / convert(count, type.dtype);
    return convert(aten("floor_divide", total, count), type.dtype);
}

/// self, index and src with one dimension at least; src is no larger than index.
struct Scattered {
    Value self, index, src;
    size_t dim;
};
Scattered scattered(const Operands& x, size_t srcArg) {
    const DType given = x.type(2).dtype;
    const bool any = !x.type(2).numel().is(0); // of no positions PyTorch asks no dtype
    if (any && given != DType::Int64 && given != DType::Int32)
        refuseCall(x, fmt::format("expected an int64 or int32 index, found {}", ir::name(given)));
    auto atLeastOne = [&](size_t i) {
        return x.type(i).rank() == 0 ? Value(reshape(x[i], {Sym(1)})) : x.tensor(i);
    };
    Scattered s{atLeastOne(0), atLeastOne(2), {}, dimOf(x, 1, x.type(0).rank())};
    const TensorType self = s.self.type(), index = s.index.type();
    if (!any) return s;
    const OpCall call = x.call();
    bool fits = index.rank() == self.rank();
    for (size_t d = 0; fits && d < self.rank(); ++d)
        fits = d == s.dim || call.atMost(index.sizes[d], self.sizes[d]);
    if (!fits)
        refuseCall(x, fmt::format("index {} does not fit in {} outside dimension {}",
                                  ir::str(index.sizes), ir::str(self.sizes), s.dim));
    s.index = aten("check_index", convert(s.index, DType::Int64), s.dim, self.sizes[s.dim],
                   call.def.parsed.name.c_str());
    if (!x.isValue(srcArg)) return s;
    wantSameDType(x, srcArg);
    s.src = atLeastOne(srcArg);
    if (s.src.type().rank() != index.rank())
        refuseCall(x, fmt::format("index {} and src {} differ in their number of dimensions",
                                  ir::str(index.sizes), ir::str(s.src.type().sizes)));
    for (size_t d = 0; d < self.rank(); ++d) {
        if (call.less(s.src.type().sizes[d], index.sizes[d]))
            refuseCall(x, fmt::format("index {} does not fit in src {}", ir::str(index.sizes),
                                      ir::str(s.src.type().sizes)));
        if (!call.same(s.src.type().sizes[d], index.sizes[d]))
            s.src = sliced(s.src, d, Sym(0), index.sizes[d]);
    }
    return s;
}

Results scatterReduced(const Operands& x, const std::string& how, bool includeSelf) {
    Scattered s = scattered(x, 3);
    if (!s.src.valid()) return {aten("clone", x[0])};
    return {reshape(reduced(x, s.self, s.dim, s.index, s.src, how, includeSelf), x.type(0).sizes)};
}

std::string wordAt(const Operands& x, size_t i, std::initializer_list<const char*> known) {
    const std::string word = std::get<std::string>(x.node.args[i]);
    std::string list;
    for (const char* k : known) {
        if (word == k) return word;
        list += (list.empty() ? "'" : ", '") + std::string(k) + "'";
    }
    refuseCall(x, fmt::format("expected reduce to be one of {}, found '{}'", list, word));
}

Results scatterReduceTwo(const Operands& x) {
    return scatterReduced(x, wordAt(x, 4, {"sum", "prod", "mean", "amax", "amin"}),
                          x.call().boolean(5));
}
Results scatterReduce(const Operands& x) {
    const bool adds = wordAt(x, 4, {"add", "multiply"}) == "add";
    return scatterReduced(x, adds ? "sum" : "prod", true);
}
Results scatterValueReduce(const Operands& x) {
    const bool adds = wordAt(x, 4, {"add", "multiply"}) == "add";
    Scattered s = scattered(x, 3);
    if (s.index.type().numel().is(0)) return {aten("clone", x[0])};
    const TensorType self = s.self.type();
    Value src = expand(numberValue(x, 3, self.dtype), s.index.type().sizes);
    return {reshape(reduced(x, s.self, s.dim, s.index, src, adds ? "sum" : "prod", true),
                    x.type(0).sizes)};
}

/// The last of several values for one place stays.
Results scatterSource(const Operands& x) {
    Scattered s = scattered(x, 3);
    if (!s.src.valid()) return {aten("clone", x[0])};
    const Shape sizes = s.index.type().sizes;
    std::vector<Formula> index;
    for (size_t d = 0; d < sizes.size(); ++d) {
        Shape along(sizes.size(), Sym(1));
        along[d] = sizes[d];
        index.push_back(d == s.dim
                            ? Formula(s.index)
                            : reshape(positions(x.b, sizes[d], s.index.type().device), along));
    }
    return {reshape(aten("index_put", s.self, index, s.src, false), x.type(0).sizes)};
}

Results indexReduce(const Operands& x) {
    const std::string how = wordAt(x, 4, {"prod", "mean", "amax", "amin"});
    Rows rows = rowsOf(x);
    Value source = sourceOf(x, rows, false);
    Shape along(source.type().rank(), Sym(1));
    along[rows.dim] = rows.count;
    Value index = expand(reshape(rows.index.back(), along), source.type().sizes);
    const bool includesSelf = x.call().boolean(5);
    Value start;
    if (!includesSelf && x.type(0).dtype != DType::Bool) // as it lies, where a scatter gives rows
        start = where(named(x, rows), neutral(how, x.type(0).dtype), rows.self);
    return {reshape(reduced(x, rows.self, rows.dim, index, source, how, includesSelf, start),
                    x.type(0).sizes)};
}

// --- indices that count only where a mask says so ---

/// The indices, held inside self.
std::vector<Formula> heldIndices(const Operands& x) {
    std::vector<Formula> held;
    const TensorType self = x.type(0);
    const ir::ArgList& list = *x.node.args[2].list();
    if (list.size() > self.rank())
        refuseCall(x, fmt::format("{} indices for {} dimensions", list.size(), self.rank()));
    for (size_t d = 0; d < list.size(); ++d) {
        if (list[d].isNone()) {
            held.emplace_back(Arg{});
            continue;
        }
        const Sym& size = self.sizes[d];
        if (size.is(0)) refuseCall(x, fmt::format("dimension {} has size 0", d));
        Value index = convert(Value(x.b, *list[d].node()), DType::Int64);
        held.push_back(aten("clamp", index, Sym(0) - size, size - Sym(1)));
    }
    return held;
}

Results unsafeMaskedIndex(const Operands& x) {
    Value values = aten("index.Tensor", x[0], heldIndices(x));
    return {aten("masked_fill.Scalar", values, aten("logical_not", x[1]), x[3])};
}
Results unsafeMaskedIndexPut(const Operands& x) {
    Value values = aten("masked_fill.Scalar", x[3], aten("logical_not", x[1]), 0);
    return {aten("index_put", x[0], heldIndices(x), values, true)};
}

// --- records ---

constexpr IndexArgument kPosition{2};
constexpr IndexArgument kIndex{2, "index", ErrorClass::Runtime};

void addRows(std::vector<OpDef>& ops) {
    const OpDoc filled{"a value written to rows, columns, ..",
                       "y = x, then y[.., index, ..] = value", "torch.Tensor.index_fill"};
    ops.push_back(lying<likeFirst>(composite(
        "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
        indexFill,
        [] { return List{good({f32({4, 3}), i64({2}, 0, 2), f32({})}, {T(0), I(1), T(1), T(2)})}; },
        filled, {.index = kPosition})));
    ops.push_back(lying<likeFirst>(composite(
        "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
        indexFill,
        [] {
            return List{good({f32({4, 3}), i64({2}, 0, 3)}, {T(0), I(0), T(1), Arg(1.5)}),
                        good({f32({}), i64({}, 0, 0)}, {T(0), I(0), T(1), I(2)})};
        },
        filled, {.index = kPosition})));
    ops.push_back(saving(
        "source",
        lying<rowMajor>(composite(
            "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", indexCopy,
            [] {
                return List{
                    good({f32({4, 3}), i64({1}, 0, 3), f32({1, 3})}, {T(0), I(0), T(1), T(2)}),
                    bad({f32({4, 3}), i64({2}, 0, 3), f32({1, 3})}, {T(0), I(0), T(1), T(2)},
                        "index_copy: expected a source [2, 3], found [1, 3]")};
            },
            {"rows, columns, .. replaced by those of another tensor",
             "y = x, then y[.., index[k], ..] = source[.., k, ..]", "torch.Tensor.index_copy"},
            {.index = kPosition}))));
    ops.push_back(composite(
        "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
        "include_self=True) -> Tensor",
        indexReduce,
        [] {
            List samples;
            for (const char* how : {"prod", "mean", "amax", "amin"})
                for (bool self : {true, false})
                    samples.push_back(
                        good({f32({4, 3}), i64({5}, 0, 3), f32({5, 3})},
                             {T(0), I(0), T(1), T(2), Arg(std::string(how)), Arg(self)}));
            return samples;
        },
        {"rows, columns, .. reduced with those of another tensor",
         "y[.., index[k], ..] = reduce(.., source[.., k, ..])", "torch.Tensor.index_reduce"},
        {.index = kPosition}));
}

void addElements(std::vector<OpDef>& ops) {
    constexpr IndexArgument flatIndex{1};
    ops.push_back(saving(
        "self", lying<rowMajor>(withGradient(
                    kTakeGradient,
                    composite("take(Tensor self, Tensor index) -> Tensor", take,
                              [] {
                                  return List{good({f32({2, 3}), i64({2, 2}, -6, 5)}, {T(0), T(1)}),
                                              bad({f32({3}), f32({2})}, {T(0), T(1)},
                                                  "take: expected an int64 index, found float32")};
                              },
                              {"elements by their numbers", "y = x.flat[index]", "torch.take"},
                              {.index = flatIndex})))));
    ops.push_back(lying<likeFirst>(composite(
        "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", put,
        [] {
            return List{
                good({f32({2, 3}), i64({4}, -6, 5), f32({4})}, {T(0), T(1), T(2), Arg(true)}),
                good({f32({2, 3}), i64({1}, 0, 5), f32({1})}, {T(0), T(1), T(2), Arg(false)})};
        },
        {"elements written, or added, by their numbers", "y = x, then y.flat[index] = source",
         "torch.Tensor.put"},
        {.index = flatIndex})));
}

void addScatters(std::vector<OpDef>& ops) {
    const OpDoc doc{"values written to picked positions, or reduced with what is there",
                    "y[index[i, j], j] = reduce(.., src[i, j])", "torch.scatter_reduce"};
    auto add = [&](std::string_view schema, DecomposeRule rule, Samples samples) {
        ops.push_back(lying<rowMajor>(composite(schema, rule, samples, doc, {.index = kIndex})));
    };
    add("scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatterSource, [] {
        return List{good({f32({4, 3}), i64({1, 2}, 0, 3), f32({2, 3})}, {T(0), I(0), T(1), T(2)}),
                    good({f32({}), i64({}, 0, 0), f32({})}, {T(0), I(0), T(1), T(2)})};
    });
    auto addOpaque = [&](std::string_view schema, DecomposeRule rule, Samples samples) {
        add(schema, rule, samples);
        ops.back().gradient = NotDifferentiable{"PyTorch has no derivative for it"};
        ops.back().lowering = Decompose{rule, DecomposeWhen::AfterAutograd};
    };
    addOpaque(
        "scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
        scatterReduce, [] {
            List samples;
            for (const char* how : {"add", "multiply"})
                samples.push_back(forwardOnly({f32({4, 3}), i64({5, 2}, 0, 3), f32({5, 3})},
                                              {T(0), I(0), T(1), T(2), Arg(std::string(how))}));
            return samples;
        });
    addOpaque(
        "scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> "
        "Tensor",
        scatterValueReduce, [] {
            List samples;
            for (const char* how : {"add", "multiply"})
                samples.push_back(forwardOnly({f32({4, 3}), i64({5, 2}, 0, 3)},
                                              {T(0), I(0), T(1), Arg(1.5), Arg(std::string(how))}));
            return samples;
        });
    add("scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
        "include_self=True) -> Tensor",
        scatterReduceTwo, [] {
            List samples;
            for (const char* how : {"sum", "prod", "mean", "amax", "amin"})
                for (bool self : {true, false})
                    samples.push_back(
                        good({f32({4, 3}), i64({5, 2}, 0, 3), f32({5, 3})},
                             {T(0), I(0), T(1), T(2), Arg(std::string(how)), Arg(self)}));
            return samples;
        });
}

/// The k-th true place gets source's k-th element.
Results maskedScatter(const Operands& x) {
    const Shape sizes = orRefuse(broadcast(x.call(), x.type(0).sizes, x.type(1).sizes));
    if (x.type(1).dtype != DType::Bool)
        throwRefusal(base::userError(
            {},
            fmt::format("masked_scatter_ only supports boolean masks, but got mask with dtype {}",
                        ir::scalarType(x.type(1).dtype))));
    if (x.type(2).dtype != x.type(0).dtype)
        throwRefusal(base::userError(
            {}, fmt::format(
                    "masked_scatter: expected self and source to have same dtypes but got{} and {}",
                    ir::scalarType(x.type(0).dtype), ir::scalarType(x.type(2).dtype))));
    Value self = expand(x[0], sizes), mask = reshape(expand(x[1], sizes), {productOf(sizes)});
    const Sym count = x.type(2).numel();
    const auto checked = [&](const Formula& place, const Sym& size) {
        return Value(aten("check_index", place, 0, size, "masked_scatter"));
    };
    if (count.is(0)) { // then no place may be named
        Value none = reshape(checked(convert(mask, DType::Int64), Sym(1)), sizes);
        return {where(eq(none, 0), self, zerosLike(self))};
    }
    Value index = checked(where(mask, aten("cumsum", mask, 0) - 1, 0), count);
    Value taken = aten("index.Tensor", flat(x[2], x.type(2)), std::vector<Formula>{index});
    return {where(reshape(mask, sizes), reshape(taken, sizes), self)};
}

} // namespace

std::vector<OpDef> indexWriteOps() {
    std::vector<OpDef> ops;
    addRows(ops);
    addElements(ops);
    addScatters(ops);
    ops.push_back(lying<rowMajor>(composite(
        "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", maskedScatter,
        [] {
            return List{
                good({f32({3, 4}), b8({3, 4}), f32({12})}, {T(0), T(1), T(2)}),
                good({f32({4}), b8({3, 1}), f32({3, 5})}, {T(0), T(1), T(2)}),
                bad({f32({4}), f32({4}), f32({4})}, {T(0), T(1), T(2)},
                    "masked_scatter_ only supports boolean masks, but got mask with dtype Float")};
        },
        {"elements where a mask is true, replaced by another tensor's in order",
         "y[k-th true place] = source.flat[k]", "torch.Tensor.masked_scatter"},
        {.index = IndexArgument{1, "element", ErrorClass::Runtime}})));
    const OpDoc doc{"indexing where a mask is true; other indices may lie anywhere",
                    "y = x[indices] where mask, else fill", "torch._decomp: _unsafe_masked_index"};
    ops.push_back(composite(
        "_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor",
        unsafeMaskedIndex,
        [] {
            return List{good({f32({4, 3}), b8({5, 1}), i64({5}, 0, 3)},
                             {T(0), T(1), Arg(ir::ArgList{T(2)}), Arg(0.5)})};
        },
        doc));
    ops.push_back(lying<likeFirst>(composite(
        "_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor "
        "values) -> Tensor",
        unsafeMaskedIndexPut,
        [] {
            return List{good({f32({4, 3}), b8({5, 1}), i64({5}, 0, 3), f32({5, 3})},
                             {T(0), T(1), Arg(ir::ArgList{T(2)}), T(3)})};
        },
        doc)));
    return ops;
}

} // namespace cutaway::ops
