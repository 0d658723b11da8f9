// SPDX-License-Identifier: Apache-2.0
// Further forms of reductions: extremes with their places, tuples of dims, sums that leave NaN out.
#include "core/ops/composite.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/reduce_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/row_reference.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using kernel::ReduceOp;
constexpr NotDifferentiable kCounts{"its result is an index or a truth value"};

// --- values and places ---

Result<Types> extremeAtShape(const OpCall& call) {
    CUTAWAY_TRY(auto dims, listedDims(call));
    CUTAWAY_CHECK(checkExtreme(call, dims, false));
    CUTAWAY_TRY(Types types, reducedType(call, call.tensor(0).dtype, dims));
    CUTAWAY_TRY(const Types places, reducedType(call, DType::Int64, dims));
    types.push_back(places[0]);
    return types;
}

/// aminmax's refusal of dimensions of no elements.
void wantExtremes(const Operands& x) {
    const ir::TensorType& self = x.type(0);
    if (!self.numel().is(0)) return;
    if (!x.has(1))
        throwRefusal(base::userError({}, "aminmax(): cannot compute aminmax over an empty "
                                         "dimension as the operation has no identity."));
    const size_t dim = dimOf(x, 1, self.rank());
    if (self.sizes[dim].is(0))
        throwRefusal(base::userError({}, fmt::format("aminmax: Expected reduction dim {} to have "
                                                     "non-zero size.",
                                                     dim))
                         .as(ErrorClass::Index));
}

/// To the element that was taken (value_selecting_reduction_backward).
Formula extremeAtGradient(Vjp& v) {
    if (v.type(0).rank() == 0) return v.grad;
    const OpCall call = v.call();
    const int dim = *call.dim(1, v.type(0).rank());
    const Formula places = restoreDims(item(v.result, 1), {dim}, call.boolean(2));
    const Formula grad = restoreDims(v.grad, {dim}, call.boolean(2));
    return aten("scatter_add", full(v.b, v.type(0).sizes, 0, v.type(0)), dim, places, grad);
}

template <bool isMax> Values extremeAtReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const std::vector<int> dims = rowDims(call, in);
    auto place = [](const std::vector<double>& row) {
        size_t best = 0;
        for (size_t i = 1; i < row.size(); ++i)
            if (row[best] == row[best] &&
                (row[i] != row[i] || (isMax ? row[i] > row[best] : row[i] < row[best])))
                best = i;
        return best;
    };
    return {foldRows(in, dims, call.boolean(2), in.dtype,
                     [&](const auto& row) { return row[place(row)]; }),
            foldRows(in, dims, call.boolean(2), DType::Int64,
                     [&](const auto& row) { return static_cast<double>(place(row)); })};
}

std::vector<Sample> placeSamples() {
    return {good({f32({2, 5})}, {T(0), I(1), Arg(false)}),
            good({f64({3, 4, 2})}, {T(0), I(-2), Arg(true)}),
            good({f32({})}, {T(0), I(0), Arg(false)}),
            forwardOnly({i64({3, 9}, 0, 3)}, {T(0), I(-1), Arg(false)}),
            forwardOnly({b8({4, 5})}, {T(0), I(1), Arg(false)}),
            forwardOnly({awkward(f32({4, 16}))}, {T(0), I(1), Arg(false)})};
}

void addPlaces(std::vector<OpDef>& ops) {
    ops.push_back(
        {"max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
         extremeAtShape,
         VjpRule{vjpOfFirst<extremeAtGradient>},
         Reduction{ReduceOp::ArgMax, listedDims},
         extremeAtReference<true>,
         placeSamples,
         {"largest elements along a dimension, and where", "y = max of x over dim", "torch.max"}});
    ops.push_back(
        {"min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
         extremeAtShape,
         VjpRule{vjpOfFirst<extremeAtGradient>},
         Reduction{ReduceOp::ArgMin, listedDims},
         extremeAtReference<false>,
         placeSamples,
         {"smallest elements along a dimension, and where", "y = min of x over dim", "torch.min"}});
    auto pairs = [] {
        auto samples = pairsBetween<-30, 30>();
        samples.push_back(forwardOnly({i64({6}), i32({6})}, {T(0), T(1)}));
        return samples;
    };
    ops.push_back(composed(
        "max.other(Tensor self, Tensor other) -> Tensor",
        [](const Operands& x) { return Results{aten("maximum", x[0], x[1])}; },
        numberReference<[](auto a, auto b) { return a != a   ? a
                                                    : b != b ? b
                                                    : b < a  ? a
                                                             : b; }, 0,
                        1>,
        pairs, {"the larger of two elements; NaN wins", "y = max(a, b)", "torch.max"}));
    ops.push_back(composed(
        "min.other(Tensor self, Tensor other) -> Tensor",
        [](const Operands& x) { return Results{aten("minimum", x[0], x[1])}; },
        numberReference<[](auto a, auto b) { return a != a   ? a
                                                    : b != b ? b
                                                    : a < b  ? a
                                                             : b; }, 0,
                        1>,
        pairs, {"the smaller of two elements; NaN wins", "y = min(a, b)", "torch.min"}));
    ops.push_back(composed(
        "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
        [](const Operands& x) {
            wantExtremes(x);
            const Formula dims =
                x.has(1) ? Formula(ir::ArgList{x.node.args[1]}) : Formula(ir::ArgList{});
            Value least = aten("amin", x[0], dims, x[2]), most = aten("amax", x[0], dims, x[2]);
            return Results{least, most};
        },
        [](const OpCall& call, Tensors tensors) {
            const ir::HostTensor& in = *tensors[0];
            auto extreme = [&](bool largest) {
                return foldRows(
                    in, rowDims(call, in), call.boolean(2), in.dtype, [&](const auto& row) {
                        double best = row[0];
                        for (double x : row)
                            if (best == best && (x != x || (largest ? x > best : x < best)))
                                best = x;
                        return best;
                    });
            };
            return Values{extreme(false), extreme(true)};
        },
        [] {
            return std::vector<Sample>{good({f32({2, 5})}, {T(0), I(1), Arg(true)}),
                                       good({f64({7})}, {T(0), none()}),
                                       forwardOnly({i64({3, 4})}, {T(0), I(0)})};
        },
        {"smallest and largest elements", "y = min of x, max of x over dim", "torch.aminmax"}));
}

// --- truth over several dims ---

/// None is every dim; an empty list is none: each element for itself.
Result<std::vector<int>> truthDims(const OpCall& call) {
    if (call.has(1) && call.args[1].list()->empty()) return std::vector<int>();
    return listedDims(call);
}
std::vector<int> truthRows(const OpCall& call, const ir::HostTensor& in) {
    return call.has(1) && call.args[1].list()->empty() ? std::vector<int>() : rowDims(call, in);
}

/// any.dims and all.dims: like their forms with one dim.
Result<Types> truthShape(const OpCall& call) {
    CUTAWAY_TRY(auto dims, truthDims(call));
    const DType own = call.tensor(0).dtype;
    return reducedType(call, own == DType::UInt8 ? own : DType::Bool, dims);
}

void addTruths(std::vector<OpDef>& ops) {
    auto samples = [] {
        return std::vector<Sample>{good({f32({2, 3, 4}, -0.4, 0.4)}, {T(0), L({0, 2}), Arg(true)}),
                                   good({b8({3, 4})}, {T(0), none()}),
                                   good({u8({3, 4}, 0, 1)}, {T(0), L({})}),
                                   good({f32({3, 4}, -0.4, 0.4)}, {T(0), L({}), Arg(true)}),
                                   good({i64({3, 4}, 0, 1)}, {T(0), L({-1})})};
    };
    ops.push_back(withFloat8(
        {"any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
         truthShape,
         kCounts,
         Reduction{ReduceOp::Any, truthDims},
         [](const OpCall& call, Tensors tensors) {
             return oneValue(foldRows(*tensors[0], truthRows(call, *tensors[0]), call.boolean(2),
                                      outDType(call), [](const auto& row) {
                                          double any = 0;
                                          for (double x : row)
                                              any = any != 0 || x != 0;
                                          return any;
                                      }));
         },
         samples,
         {"whether some element is not zero", "y = or of x over dim", "torch.any"}}));
    ops.push_back(withFloat8(
        {"all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
         truthShape,
         kCounts,
         Reduction{ReduceOp::All, truthDims},
         [](const OpCall& call, Tensors tensors) {
             return oneValue(foldRows(*tensors[0], truthRows(call, *tensors[0]), call.boolean(2),
                                      outDType(call), [](const auto& row) {
                                          double all = 1;
                                          for (double x : row)
                                              all = all != 0 && x != 0;
                                          return all;
                                      }));
         },
         samples,
         {"whether every element is not zero", "y = and of x over dim", "torch.all"}}));
}

// --- sums ---

/// dim= as a list for sum; None: all dims.
Formula dimsOf(const Operands& x, size_t i) {
    if (!x.has(i)) return ir::Arg{};
    if (x.node.args[i].list()) return x[i];
    return ir::ArgList{x.node.args[i]};
}

template <bool mean> Values nanReference(const OpCall& call, Tensors tensors) {
    return oneValue(foldRows(*tensors[0], rowDims(call, *tensors[0]), keepsRowDims(call),
                             outDType(call), [](const auto& row) {
                                 double sum = 0, count = 0;
                                 for (double x : row)
                                     if (x == x) sum += x, ++count;
                                 return mean ? sum / count : sum;
                             }));
}

/// A NaN's is 0 times that of the sum.
Formula nansumGradient(Vjp& v) {
    Value grad = restoreDims(v.grad, reduceDimsOf(v.call(), true), keepsDims(v.call()));
    Value counted = aten("logical_not", aten("isnan", v[0]));
    return expand(grad, v.type(0).sizes) * counted;
}

void addSums(std::vector<OpDef>& ops) {
    auto samples = [] {
        return std::vector<Sample>{good({f32({2, 3})}, {T(0)}),
                                   good({f64({3, 4, 2})}, {T(0), L({0, 2}), Arg(true)}),
                                   forwardOnly({awkward(f32({4, 16}))}, {T(0), L({0})})};
    };
    ops.push_back(saving("self", composed("nansum(Tensor self, int[1]? dim=None, bool "
                                          "keepdim=False, *, ScalarType? dtype=None) -> "
                                          "Tensor",
                                          VjpRule{vjpOfFirst<nansumGradient>},
                                          [](const Operands& x) {
                                              Value counted =
                                                  ir::isFloating(x.type(0).dtype)
                                                      ? where(aten("isnan", x[0]), 0, x[0])
                                                      : x[0];
                                              return Results{aten("sum.dim_IntList", counted,
                                                                  dimsOf(x, 1), x[2], x[3])};
                                          },
                                          nanReference<false>, samples,
                                          {"sum of the elements that are no NaN",
                                           "y = sum of x over dim", "torch.nansum"})));
    ops.push_back(saving(
        "self",
        with<&Traits::refuses, Refuses::WholeNumbers>(composed(
            "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
            "-> "
            "Tensor",
            [](const Operands& x) {
                Value nan = aten("isnan", x[0]);
                Value count = aten("sum.dim_IntList", logicalNot(nan), dimsOf(x, 1), x[2]);
                Value total = aten("nansum", x[0], dimsOf(x, 1), x[2], x[3]);
                return Results{total / count};
            },
            nanReference<true>, samples,
            {"mean of the elements that are no NaN", "y = mean of x over dim", "torch.nanmean"}))));
    auto countReference = [](const OpCall& call, Tensors tensors) {
        return oneValue(foldRows(*tensors[0], rowDims(call, *tensors[0]), false, DType::Int64,
                                 [](const auto& row) {
                                     double count = 0;
                                     for (double x : row)
                                         count += x != 0;
                                     return count;
                                 }));
    };
    ops.push_back(composed(
        "count_nonzero(Tensor self, int? dim=None) -> Tensor", kCounts,
        [](const Operands& x) {
            return Results{aten("sum.dim_IntList", ne(x[0], 0), dimsOf(x, 1))};
        },
        countReference,
        [] {
            return std::vector<Sample>{good({i64({3, 9}, 0, 2)}, {T(0), I(1)}),
                                       good({b8({5})}, {T(0)})};
        },
        {"how many elements are not zero", "y = sum of (x != 0) over dim", "torch.count_nonzero"}));
    addOverloads(ops, ops.back(), {"count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor"});
    ops.back().samples = [] {
        return std::vector<Sample>{good({i64({3, 9, 2}, 0, 2)}, {T(0), L({0, 2})})};
    };
}

} // namespace

std::vector<OpDef> reduceFormOps() {
    std::vector<OpDef> ops;
    addPlaces(ops);
    addTruths(ops);
    addSums(ops);
    outTakes(ops, {"max.dim", "min.dim", "aminmax"}, OutDTypes::Same);
    return ops;
}

} // namespace cutaway::ops
