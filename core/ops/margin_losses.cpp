// SPDX-License-Identifier: Apache-2.0
// Losses with classes as targets and a margin between them.
// Source: torch/_decomp/decompositions.py.
#include "core/ir/dtype_words.h"
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

void wantLongs(ir::DType target) {
    if (target != ir::DType::Int64)
        throwRefusal(base::userError(
            {}, fmt::format("expected scalar type Long but found {}", ir::scalarType(target))));
}

Results multiMargin(const Operands& x) {
    const OpCall call = x.call();
    const double p = call.real(2);
    if (p != 1 && p != 2) refuseCall(x, fmt::format("expected p of 1 or 2, found {}", p));
    const bool single = x.type(0).rank() < 2;
    wantLongs(x.type(1).dtype);
    Value self = aten("atleast_2d", x[0]), target = aten("atleast_1d", x[1]);
    const TensorType type = self.type();
    if (type.rank() != 2 || !call.same(target.type().sizes, Shape{type.sizes[0]}))
        refuseCall(x,
                   fmt::format("expected input [rows, classes] and target [rows], found {} and {}",
                               ir::str(x.type(0).sizes), ir::str(x.type(1).sizes)));
    Value column = unsqueeze(target, 1);
    Value gap = aten("relu", self - aten("gather", self, 1, column) + x[3]);
    if (p == 2) gap = gap * gap;
    if (x.has(4)) gap = gap * unsqueeze(picked(x[4], 0, target), 1);
    Value others = ne(positions(x.b, type.sizes[1], type.device), column);
    gap = where(others, gap, 0);
    Value rows = aten("mean.dim", gap, std::vector<int>{1});
    if (call.number(5) == 0) return {single ? Value(squeeze(rows, 0)) : rows};
    return {reducedLoss(rows, call.number(5))};
}

/// Each class that comes too near takes what the target gets.
void multiMarginGradient(Vjp& v) {
    if (!v.wants(0)) return;
    const TensorType whole = v.type(0);
    Value self = aten("atleast_2d", v[0]), target = aten("atleast_1d", v[1]);
    const TensorType type = self.type();
    Value column = unsqueeze(target, 1);
    Value gap = self - aten("gather", self, 1, column) + v[3];
    Value near = logicalAnd(ne(positions(v.b, type.sizes[1], type.device), column), gt(gap, 0));
    Value seed = v.grad / type.sizes[1];
    const int64_t reduction = v.call().number(5);
    if (reduction == 1) seed = seed / type.sizes[0];
    seed = reduction == 0 ? Value(reshape(seed, {type.sizes[0], Sym(1)})) : seed;
    if (v.has(4)) seed = seed * unsqueeze(picked(v[4], 0, target), 1);
    Value slope = v.call().real(2) == 2 ? gap * 2 * seed : expand(seed, type.sizes);
    slope = where(near, slope, 0);
    Value toTarget = expand(-sum(slope, {1}, true), {type.sizes[0], Sym(1)});
    v.set(0, inRows(reshape(aten("scatter_add", slope, 1, column, toTarget), whole.sizes)));
}

/// Targets are the classes before the first -1 of a row.
Results multilabelMargin(const Operands& x) {
    const OpCall call = x.call();
    if (!call.same(x.type(0).sizes, x.type(1).sizes) || x.type(0).rank() > 2)
        refuseCall(x, fmt::format("expected input and target of the same sizes [rows, classes], "
                                  "found {} and {}",
                                  ir::str(x.type(0).sizes), ir::str(x.type(1).sizes)));
    const bool single = x.type(0).rank() < 2;
    wantLongs(x.type(1).dtype);
    Value self = aten("atleast_2d", x[0]), target = aten("atleast_2d", x[1]);
    const TensorType type = self.type();
    const Sym classes = type.sizes[1];
    Value place = positions(x.b, classes, type.device);
    Value end = formula::amax(where(eq(target, -1), classes - place, 0), {1}, true);
    Value counted = lt(place, Formula(classes) - end);
    Value reached = aten("gather", self, 1, where(counted, target, 0));
    Value named = where(counted, target, -1);
    Value isTarget = aten("any.dim", eq(place, unsqueeze(named, -1)), 1);
    // [row, target, class]
    Value gap = aten("relu", 1 - unsqueeze(reached, -1) + unsqueeze(self, 1)) / classes;
    gap = where(unsqueeze(isTarget, 1), 0, gap);
    gap = where(unsqueeze(counted, -1), gap, 0);
    Value rows = sum(gap, {1, 2});
    if (call.number(2) == 0) return {single ? Value(squeeze(rows, 0)) : rows};
    return {reducedLoss(rows, call.number(2))};
}

} // namespace

std::vector<OpDef> marginLossOps() {
    std::vector<OpDef> ops;
    ops.push_back(withGradient(
        VjpRule{multiMarginGradient},
        composite(
            "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? "
            "weight=None, int reduction=Mean) -> Tensor",
            multiMargin,
            [] {
                List samples;
                for (int64_t reduction : {0, 1, 2})
                    samples.push_back(
                        good({f32({3, 4}), i64({3}, 0, 3), f32({4}, 0, 2)},
                             {T(0), T(1), I(1 + reduction % 2), I(1), T(2), I(reduction)}));
                samples.push_back(
                    good({f32({4}), i64({}, 0, 3)}, {T(0), T(1), I(1), Arg(0.5), none(), I(0)}));
                return samples;
            },
            {"other classes that come too near to the target's",
             "y = sum_c max(margin - x[t] + x[c], 0)^p / classes",
             "torch.nn.functional.multi_margin_loss"})));
    ops.push_back(composite(
        "multilabel_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
        multilabelMargin,
        [] {
            List samples;
            for (int64_t reduction : {0, 1, 2})
                samples.push_back(
                    good({f32({3, 4}), i64({3, 4}, -1, 3)}, {T(0), T(1), I(reduction)}));
            samples.push_back(good({f32({4}), i64({4}, -1, 3)}, {T(0), T(1), I(1)}));
            return samples;
        },
        {"other classes that come too near to one of the targets",
         "y = sum_t sum_c max(1 - x[t] + x[c], 0) / classes",
         "torch.nn.functional.multilabel_margin_loss"}));
    return ops;
}

} // namespace cutaway::ops
