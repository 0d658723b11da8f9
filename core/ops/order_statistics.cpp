// SPDX-License-Identifier: Apache-2.0
// Order statistics, histograms, covariances, and further forms of variances. Sources: torch/_refs
// and aten/src/ATen/native/Sorting.cpp, Correlation.cpp.
#include "core/ops/families.h"
#include "core/ops/lying.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/reduce_tools.h"
#include "core/ops/row_reference.h"
#include "core/ops/scan_tools.h"
#include "core/ops/statistics_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Sym;

// --- one element of the ordered row ---

/// The elements and places at positions \p at (one along \p dim) of the ordered row, which are all
/// below \p count.
Results atOrder(const Operands& x, int dim, const Formula& at, bool keepdim, int64_t count,
                RowOrder how = RowOrder::Stable) {
    Value order = aten("_order", x[0], dim, false, count, orderWord(x.type(0), how));
    Value place = aten("gather", order, dim, at);
    Value value = aten("gather", x[0], dim, place);
    if (keepdim) return {value, place};
    return {squeeze(value, dim), squeeze(place, dim)};
}
Results ofNumber(const Operands& x) {
    return {aten("clone", x[0]), aten("zeros_like", x[0], DType::Int64)};
}
/// \p at for every row.
Value sameForRows(const Operands& x, int dim, const Formula& at) {
    ir::Shape sizes = x.type(0).sizes;
    sizes[static_cast<size_t>(dim)] = Sym(1);
    ir::TensorType like = x.type(0);
    like.dtype = DType::Int64;
    return full(x.b, sizes, at, like);
}

/// PyTorch's refusal of rows of no elements.
void wantLength(int64_t length, int dim, std::string_view name) {
    if (length > 0) return;
    throwRefusal(base::userError({}, fmt::format("{}(): Expected reduction dim {} to have non-zero "
                                                 "size.",
                                                 name, dim))
                     .as(ErrorClass::Index));
}

Results kthvalue(const Operands& x) {
    const OpCall call = x.call();
    const int dim = scanDim(x, 2);
    const int64_t k = call.number(1), n = lengthOf(x, 0, dim);
    wantLength(n, dim, "kthvalue");
    if (k < 1 || k > n)
        refuseComposed(call,
                       "expected k from 1 to " + std::to_string(n) + ", found " + std::to_string(k),
                       {}, n == 0 ? ErrorClass::Index : ErrorClass::Runtime);
    if (x.type(0).rank() == 0) return ofNumber(x);
    return atOrder(x, dim, sameForRows(x, dim, k - 1), call.boolean(3), k, RowOrder::Kth);
}

/// The lower of two middle elements. NaNs come last in order: the first of them, or they are left
/// out.
template <bool skipsNaN> Results median(const Operands& x) {
    const OpCall call = x.call();
    const int dim = scanDim(x, 1);
    const int64_t n = lengthOf(x, 0, dim);
    wantLength(n, dim, "median");
    if (x.type(0).rank() == 0) return ofNumber(x);
    if (!ir::isFloating(x.type(0).dtype))
        return atOrder(x, dim, sameForRows(x, dim, (n - 1) / 2), call.boolean(2), (n + 1) / 2);
    Value count = n - sum(aten("isnan", x[0]), {dim}, true);
    Value at = skipsNaN ? aten("floor_divide.Scalar", aten("clamp_min", count - 1, 0), 2)
                        : Value(where(lt(count, n), count, (n - 1) / 2));
    return atOrder(x, dim, at, call.boolean(2), skipsNaN ? (n + 1) / 2 : n);
}
template <bool skipsNaN> Results medianOfAll(const Operands& x) {
    if (x.type(0).numel().is(0) && ir::isFloating(x.type(0).dtype))
        return {full(x.b, {}, NAN, x.type(0))};
    Value row = reshape(x[0], {x.type(0).numel()});
    return {item(aten(skipsNaN ? "nanmedian.dim" : "median.dim", row, 0, false), 0)};
}
/// Shared by the elements that are the median (evenly_distribute_backward).
Formula evenly(Vjp& v) {
    Value mask = logicalOr(eq(asStored(v.result), asStored(v[0])),
                           logicalAnd(aten("isnan", v.result), aten("isnan", v[0])));
    return where(mask, v.grad / sum(mask), 0);
}

/// The most frequent element, the smallest of several: the end of the longest run in order. A NaN is
/// equal to all while they are put in order, and to nothing when runs are counted.
Results mode(const Operands& x) {
    const OpCall call = x.call();
    const int dim = scanDim(x, 1);
    const int64_t n = lengthOf(x, 0, dim);
    wantLength(n, dim, "mode");
    if (x.type(0).rank() == 0) return ofNumber(x);
    if (n == 1) return atOrder(x, dim, sameForRows(x, dim, 0), call.boolean(2), 1);
    Value self = aten("detach", x[0]), places = positionsAlong(x, 0, dim);
    Value order = aten("_order", self, dim, false, n, orderWord(x.type(0), RowOrder::Unstable));
    Value ordered = aten("gather", self, dim, order);
    Value changes = ne(part(ordered, dim, 1, n), part(ordered, dim, 0, n - 1));
    Value starts = where(changes, part(places, dim, 1, n), 0);
    Value runs = item(aten("cummax", joined({part(places, dim, 0, 1), starts}, dim), dim), 0);
    return atOrder(x, dim, aten("argmax", places - runs, dim, true), call.boolean(2), n,
                   RowOrder::Unstable);
}

bool isNaN(double x) {
    return x != x;
}
std::vector<size_t> stableOrder(const std::vector<double>& row) {
    return rowInOrder(row, RowOrder::Stable, row.size());
}
/// \param pick the position in a row
template <class Pick>
Values pickedAt(const OpCall& call, Tensors tensors, size_t dimArgument, Pick pick) {
    const ir::HostTensor& in = *tensors[0];
    std::vector<int> dims;
    if (!in.sizes.empty()) dims = {hostDim(call, dimArgument, in.sizes.size())};
    const bool kept = keepsRowDims(call);
    return {foldRows(in, dims, kept, in.dtype, [&](const auto& row) { return row[pick(row)]; }),
            foldRows(in, dims, kept, DType::Int64,
                     [&](const auto& row) { return static_cast<double>(pick(row)); })};
}
template <bool skipsNaN> size_t medianPlace(const std::vector<double>& row) {
    const auto nans = static_cast<size_t>(std::count_if(row.begin(), row.end(), isNaN));
    const size_t count = row.size() - nans;
    const std::vector<size_t> order = stableOrder(row);
    if (!skipsNaN && nans > 0) return order[count];
    return order[count == 0 ? 0 : (count - 1) / 2];
}
size_t modePlace(const std::vector<double>& row, RowOrder how) {
    const std::vector<size_t> order = rowInOrder(row, how, row.size());
    size_t best = 0, longest = 0, run = 0;
    for (size_t i = 0; i < order.size(); ++i) {
        run = i > 0 && row[order[i]] == row[order[i - 1]] ? run + 1 : 0;
        if (run > longest) longest = run, best = i;
    }
    return order[best];
}

std::vector<Sample> orderSamples(std::vector<Arg> before) {
    auto with = [&](Sample sample, int64_t dim, bool kept) {
        sample.args.insert(sample.args.end(), before.begin(), before.end());
        sample.args.push_back(I(dim));
        sample.args.push_back(Arg(kept));
        return sample;
    };
    return {with(good({f32({2, 7})}, {T(0)}), 1, false), with(good({f64({5, 3})}, {T(0)}), 0, true),
            with(good({f32({})}, {T(0)}), 0, false),
            with(forwardOnly({i64({3, 11}, 0, 4)}, {T(0)}), -1, false),
            with(forwardOnly({awkward(f32({2, 16}))}, {T(0)}), 1, false)};
}

void addMiddles(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(composed(
        "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor "
        "indices)",
        kthvalue,
        [](const OpCall& call, Tensors tensors) {
            return pickedAt(call, tensors, 2, [&](const auto& row) {
                return rowInOrder(row, orderOf(call.tensor(0), RowOrder::Kth),
                                  static_cast<size_t>(call.number(1)))
                    .back();
            });
        },
        [] {
            auto samples = orderSamples({I(1)});
            samples.push_back(good({f64({9})}, {T(0), I(4)}));
            samples.push_back(
                bad({f32({3})}, {T(0), I(4)}, "kthvalue: expected k from 1 to 3, found 4"));
            return samples;
        },
        {"the k-th smallest element of rows", "y = x sorted [k - 1]", "torch.kthvalue"})));
    OpDoc doc{"the middle element of rows, the lower of two", "y = x sorted [(n - 1) / 2]",
              "torch.median"};
    OpDoc nan{"the middle element of rows without their NaNs", "y = x sorted [(n - 1) / 2]",
              "torch.nanmedian"};
    auto samples = [] { return orderSamples({}); };
    auto whole = [] {
        return std::vector<Sample>{good({f32({2, 7})}, {T(0)}), good({f64({})}, {T(0)}),
                                   forwardOnly({awkward(f32({16}))}, {T(0)}),
                                   forwardOnly({i64({9})}, {T(0)})};
    };
    auto reference = [](const OpCall& call, Tensors tensors) {
        return pickedAt(call, tensors, 1, [](const auto& row) { return medianPlace<false>(row); });
    };
    auto nanReference = [](const OpCall& call, Tensors tensors) {
        return pickedAt(call, tensors, 1, [](const auto& row) { return medianPlace<true>(row); });
    };
    auto ofAll = [](const OpCall&, Tensors tensors) {
        return oneValue(foldRows(*tensors[0], allDims(tensors[0]->sizes.size()), false,
                                 tensors[0]->dtype,
                                 [](const auto& row) { return row[medianPlace<false>(row)]; }));
    };
    auto nanOfAll = [](const OpCall&, Tensors tensors) {
        return oneValue(foldRows(*tensors[0], allDims(tensors[0]->sizes.size()), false,
                                 tensors[0]->dtype,
                                 [](const auto& row) { return row[medianPlace<true>(row)]; }));
    };
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(
        composed("median(Tensor self) -> Tensor", VjpRule{vjpOfFirst<evenly>}, medianOfAll<false>,
                 ofAll, whole, doc)));
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(
        composed("nanmedian(Tensor self) -> Tensor", VjpRule{vjpOfFirst<evenly>}, medianOfAll<true>,
                 nanOfAll, whole, nan)));
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(composed(
        "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        median<false>, reference, samples, doc)));
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(
        composed("nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor "
                 "values, Tensor indices)",
                 median<true>, nanReference, samples, nan)));
    ops.push_back(composed(
        "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
        mode,
        [](const OpCall& call, Tensors tensors) {
            return pickedAt(call, tensors, 1, [&](const auto& row) {
                return modePlace(row, orderOf(call.tensor(0), RowOrder::Unstable));
            });
        },
        [] {
            auto all = orderSamples({});
            all.pop_back();
            all.push_back(forwardOnly({i64({2, 60}, 0, 4)}, {T(0)}));
            return all;
        },
        {"the most frequent element of rows", "y = the x that occurs most often", "torch.mode"}));
}

// --- quantiles ---

const char* const kWays[] = {"linear", "lower", "higher", "midpoint", "nearest"};

template <bool skipsNaN> Results quantile(const Operands& x) {
    const OpCall call = x.call();
    const std::string& way = std::get<std::string>(call.args[4]);
    if (std::none_of(std::begin(kWays), std::end(kWays),
                     [&](const char* known) { return way == known; }))
        refuseComposed(
            call,
            "expected interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest', found '" +
                way + "'");
    const size_t rank = x.type(0).rank();
    if (x.type(0).dtype != DType::Float32 && x.type(0).dtype != DType::Float64)
        refuseComposed(call, "input tensor must be either float or double dtype");
    if (x.type(0).numel().is(0)) refuseComposed(call, "input tensor must be non-empty");
    if (x.isValue(1) && x.type(1).dtype != x.type(0).dtype)
        refuseComposed(call, "q tensor must be same dtype as the input tensor");
    if (!x.isValue(1) && !(call.real(1) >= 0 && call.real(1) <= 1))
        throwRefusal(base::userError(
            {}, fmt::format("quantile() q must be in the range [0, 1] but got {}", call.real(1))));
    // Rows last.
    ir::Shape kept = x.type(0).sizes;
    Value rows;
    int dim = -1;
    if (x.has(2)) dim = scanDim(x, 2);
    if (x.has(2) && rank > 0) {
        std::vector<int> order;
        for (int d = 0; d < static_cast<int>(rank); ++d)
            if (d != dim) order.push_back(d);
        order.push_back(dim);
        rows = aten("permute", x[0], order);
        kept[static_cast<size_t>(dim)] = Sym(1);
    } else {
        rows = reshape(x[0], {x.type(0).numel()});
        kept.assign(rank, Sym(1));
    }
    const int last = static_cast<int>(rows.type().rank()) - 1;
    const int64_t n = call.number(rows.type().sizes.back());
    if (n == 0) refuseComposed(call, "expected elements");
    const bool several = x.isValue(1) && x.type(1).rank() == 1;
    const DType dtype = x.type(0).dtype;
    Value q = x.isValue(1)
                  ? Value(reshape(x[1], {x.type(1).numel()}))
                  : Value(reshape(scalar(x.b, call.real(1), dtype, x.type(0).device), {Sym(1)}));
    const Sym count = q.type().sizes[0];
    Value nan = aten("isnan", rows), ordered = item(aten("sort", rows, last, false), 0);
    ir::Shape sizes = rows.type().sizes;
    sizes.back() = count;
    Value ranks;
    if (skipsNaN) {
        Value left = aten("clamp_min", n - 1 - sum(nan, {last}, true), 0);
        ranks = q * convert(left, dtype);
    } else {
        Value some = aten("any.dim", nan, last, true);
        ranks = where(some, n - 1, q * (n - 1));
    }
    ranks = expand(ranks, sizes);
    if (way == "nearest") ranks = aten("round", ranks);
    Value below = aten("floor", ranks);
    if (way == "higher") below = aten("ceil", ranks);
    Value result = aten("gather", ordered, last, convert(below, DType::Int64));
    if (way == "linear" || way == "midpoint") {
        Value above = aten("gather", ordered, last, convert(aten("ceil", ranks), DType::Int64));
        Value weight =
            way == "linear" ? Value(ranks - below) : Value(aten("full_like", ranks, 0.5));
        result = aten("lerp.Tensor", result, above, weight);
    }
    // The quantiles first.
    std::vector<int> order{last};
    for (int d = 0; d < last; ++d)
        order.push_back(d);
    if (last > 0) result = aten("permute", result, order);
    ir::Shape whole;
    if (several) whole.push_back(count);
    const ir::Shape rest(rows.type().sizes.begin(), rows.type().sizes.end() - 1);
    const ir::Shape& tail = call.boolean(3) ? kept : rest;
    whole.insert(whole.end(), tail.begin(), tail.end());
    result = reshape(result, whole);
    return {aten("clone", result, "contiguous_format")};
}

double quantileOf(std::vector<double> row, double q, const std::string& way, bool skipsNaN) {
    if (skipsNaN) std::erase_if(row, isNaN);
    if (row.empty() || std::any_of(row.begin(), row.end(), isNaN))
        return std::numeric_limits<double>::quiet_NaN();
    std::sort(row.begin(), row.end());
    double rank = q * static_cast<double>(row.size() - 1);
    if (way == "nearest") rank = std::nearbyint(rank);
    const double below = row[static_cast<size_t>(std::floor(rank))],
                 above = row[static_cast<size_t>(std::ceil(rank))];
    if (way == "lower" || way == "nearest") return below;
    if (way == "higher") return above;
    return below + (way == "midpoint" ? 0.5 : rank - std::floor(rank)) * (above - below);
}
template <bool skipsNaN> Values quantileReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const std::string& way = std::get<std::string>(call.args[4]);
    const std::vector<double> qs =
        call.isTensor(1) ? valuesOf<double>(*tensors[1]) : std::vector<double>{call.real(1)};
    std::vector<double> values;
    Sizes sizes;
    for (double q : qs) {
        ir::HostTensor part =
            foldRows(in, rowDims(call, in), call.boolean(3), in.dtype,
                     [&](const auto& row) { return quantileOf(row, q, way, skipsNaN); });
        const std::vector<double> some = valuesOf<double>(part);
        values.insert(values.end(), some.begin(), some.end());
        sizes = part.sizes;
    }
    if (call.isTensor(1) && tensors[1]->sizes.size() == 1)
        sizes.insert(sizes.begin(), static_cast<int64_t>(qs.size()));
    return oneValue(tensorOf(in.dtype, sizes, values));
}
std::vector<Sample> quantileSamples(bool tensor) {
    auto word = [](const char* way) { return Arg(std::string(way)); };
    if (tensor)
        return {
            good({f64({2, 7}), f64({3}, 0.1, 0.9)}, {T(0), T(1), I(1), Arg(false), word("linear")}),
            good({f64({5, 3}), f64({}, 0.1, 0.9)}, {T(0), T(1), I(0), Arg(true), word("linear")})};
    return {good({f64({2, 7})}, {T(0), Arg(0.4)}),
            good({f64({2, 7})}, {T(0), Arg(0.4), I(-1), Arg(true), word("midpoint")}),
            good({f64({2, 7})}, {T(0), Arg(0.4), I(0), Arg(false), word("lower")}),
            good({f64({7})}, {T(0), Arg(0.4), I(0), Arg(false), word("higher")}),
            good({f64({7})}, {T(0), Arg(0.4), none(), Arg(false), word("nearest")}),
            forwardOnly({awkward(f32({2, 16}))}, {T(0), Arg(0.1), I(1)})};
}

/// Several quantiles are computed in the last dimension, and shown as the first.
Shape quantilesLast(const OpCall& call, const TensorType& result) {
    if (!call.isTensor(1) || call.tensor(1).rank() == 0) return rowMajor(call, result);
    Shape sizes(result.sizes.begin() + 1, result.sizes.end());
    sizes.push_back(result.sizes.front());
    Shape strides = ir::contiguousStrides(sizes);
    std::rotate(strides.rbegin(), strides.rbegin() + 1, strides.rend());
    return strides;
}

void addQuantiles(std::vector<OpDef>& ops) {
    OpDoc doc{"quantiles of rows", "y = x sorted [q (n - 1)]", "torch.quantile"};
    OpDoc nan{"quantiles of rows without their NaNs", "y = x sorted [q (n - 1)]",
              "torch.nanquantile"};
    auto tensors = [] { return quantileSamples(true); };
    auto numbers = [] { return quantileSamples(false); };
    ops.push_back(lying<quantilesLast>(
        composed("quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, "
                 "str interpolation='linear') -> Tensor",
                 quantile<false>, quantileReference<false>, tensors, doc)));
    ops.push_back(composed("quantile.scalar(Tensor self, float q, int? dim=None, bool "
                           "keepdim=False, *, str interpolation='linear') -> Tensor",
                           quantile<false>, quantileReference<false>, numbers, doc));
    ops.push_back(lying<quantilesLast>(
        composed("nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, "
                 "*, str interpolation='linear') -> Tensor",
                 quantile<true>, quantileReference<true>, tensors, nan)));
    ops.push_back(composed("nanquantile.scalar(Tensor self, float q, int? dim=None, bool "
                           "keepdim=False, *, str interpolation='linear') -> Tensor",
                           quantile<true>, quantileReference<true>, numbers, nan));
}

} // namespace

std::vector<OpDef> statisticsFormOps() {
    std::vector<OpDef> ops;
    addMiddles(ops);
    addQuantiles(ops);
    addVarianceForms(ops);
    addHistograms(ops);
    outTakes(ops,
             {"kthvalue", "median.dim", "nanmedian.dim", "mode", "histc", "isin.Tensor_Tensor",
              "isin.Tensor_Scalar", "isin.Scalar_Tensor"},
             OutDTypes::Same);
    outTakes(ops, {"quantile", "quantile.scalar", "nanquantile", "nanquantile.scalar"},
             OutDTypes::Same, "quantile() out tensor must be same dtype as the input tensor");
    return ops;
}

} // namespace cutaway::ops
