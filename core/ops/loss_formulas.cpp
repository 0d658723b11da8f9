// SPDX-License-Identifier: Apache-2.0
// Losses of pairs of elements. Source: torch/_refs/nn/functional/__init__.py, ATen/native/Loss.cpp.
#include "core/ir/dtype_words.h"
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using List = std::vector<Sample>;

int64_t reductionAt(const Operands& x, size_t i) {
    const int64_t reduction = x.call().number(i);
    if (reduction < 0 || reduction > 2)
        refuseCall(x, fmt::format("expected reduction 0, 1 or 2, found {}", reduction));
    return reduction;
}
double number(const Operands& x, size_t i) {
    return x.call().real(i);
}

Results l1(const Operands& x) {
    return {reducedLoss(abs(x[0] - x[1]), reductionAt(x, 2))};
}

Results smoothL1(const Operands& x) {
    const double beta = number(x, 3);
    if (beta < 0) refuseCall(x, fmt::format("expected beta of at least 0, found {}", beta));
    const DType dtype = resultDType(x.call(), {0, 1});
    Value rest = convert(x[0], dtype) - convert(x[1], dtype), d = abs(rest);
    if (beta == 0) return {reducedLoss(d, reductionAt(x, 2))};
    return {reducedLoss(where(lt(d, beta), rest * rest * (0.5 / beta), d - 0.5 * beta),
                        reductionAt(x, 2))};
}

/// Losses that are written into memory of the input's dtype.
void wantResultLikeInput(const Operands& x, DType computed) {
    const DType input = x.type(0).dtype;
    if (!ir::isFloating(input))
        throwRefusal(base::userError(
            {}, fmt::format("result type {} can't be cast to the desired output type {}",
                            ir::scalarType(computed), ir::scalarType(input))));
}

Results huber(const Operands& x) {
    const double delta = number(x, 3);
    if (!(delta > 0)) refuseCall(x, fmt::format("expected a positive delta, found {}", delta));
    const DType dtype = resultDType(x.call(), {0, 1});
    wantResultLikeInput(x, dtype);
    Value rest = convert(x[0], dtype) - convert(x[1], dtype), d = abs(rest);
    Value loss = where(lt(d, delta), rest * rest * 0.5, (d - 0.5 * delta) * delta);
    return {convert(reducedLoss(loss, reductionAt(x, 2)), x.type(0).dtype)};
}

/// The slope of a loss of the difference d of arguments 1 and 2: \p bent where |d| is less than
/// \p limit or NaN, else sign(d) \p steep; shared among the elements of a mean.
Formula slopeOfDifference(const Operands& in, double limit, double bent, double steep) {
    Value grad = in.tensor(0), d = in[1] - in[2];
    Value slope = where(ge(abs(d), limit), where(gt(d, 0), grad, -grad) * steep, d * grad * bent);
    if (reductionAt(in, 3) != 1) return slope;
    return slope / slope.type().numel();
}
Results smoothL1Backward(const Operands& in) {
    const double beta = number(in, 4);
    return {slopeOfDifference(in, beta, beta == 0 ? 0 : 1 / beta, 1)};
}
Results huberBackward(const Operands& in) {
    const double delta = number(in, 4);
    return {slopeOfDifference(in, delta, 1, delta)};
}
/// \p backward with either argument's difference from the other.
void slopesOfPair(Vjp& v, std::string_view backward) {
    for (size_t i : {0, 1})
        v.set(i, formula::call(backward, {v.grad, v[i], v[1 - i], v[2], v[3]}));
}
constexpr VjpRule kSmoothL1Slopes = [](Vjp& v) {
    if (v.call().real(3) > 0) return slopesOfPair(v, "smooth_l1_loss_backward");
    // l1_loss, which has no slope where there is no difference.
    Value slope = sign(v[0] - v[1]), seed = v.grad;
    if (v.call().number(2) == 1)
        seed = aten("div.Scalar", expand(seed, slope.type().sizes), slope.type().numel());
    slope = seed * slope;
    v.set(0, slope);
    v.set(1, -slope);
};
constexpr VjpRule kHuberSlopes = [](Vjp& v) {
    const ir::DType self = v.type(0).dtype, target = v.type(1).dtype;
    if (self != target)
        throwRefusal(
            base::userError({}, fmt::format("Found dtype {} but expected {}",
                                            ir::scalarType(target), ir::scalarType(self))));
    slopesOfPair(v, "huber_loss_backward");
};

/// -(t log x + (1 - t) log(1 - x)), no logarithm less than -100 as in ATen.
Formula crossEntropies(const Formula& x, const Formula& target) {
    return (target - 1) * aten("clamp", aten("log1p", -x), -100.0) -
           target * aten("clamp", log(x), -100.0);
}

Results crossEntropyOfPairs(const Operands& in) {
    Value x = in.tensor(0), target = in.tensor(1);
    if (!in.call().same(x.type().sizes, target.type().sizes))
        refuseCall(in,
                   fmt::format("expected a target of sizes {}, found {}", ir::str(x.type().sizes),
                               ir::str(target.type().sizes)),
                   {}, ErrorClass::Value);
    if (x.type().dtype != target.type().dtype)
        throwRefusal(base::userError({}, fmt::format("Found dtype {} but expected {}",
                                                     ir::scalarType(target.type().dtype),
                                                     ir::scalarType(x.type().dtype))));
    if (!ir::isFloating(x.type().dtype))
        refuseCall(in, fmt::format("not implemented for {}", ir::name(x.type().dtype)), {},
                   ErrorClass::NotImplemented);
    Value loss = crossEntropies(x, target);
    if (in.has(2)) loss = loss * in[2];
    return {reducedLoss(loss, reductionAt(in, 3))};
}

/// ATen's, which is steep at 0 and 1, where the bounded loss is flat.
void crossEntropyOfPairsGradient(Vjp& v) {
    const Value x = v[0], target = v[1];
    const auto shared = [&](Value slope, bool weighted) {
        if (weighted && v.has(2)) slope = slope * v[2];
        return reductionAt(v, 3) == 1 ? slope / x.type().numel() : slope;
    };
    v.set(0, shared(v.grad * (x - target) / aten("clamp", (1 - x) * x, 1e-12), true));
    v.set(1, shared(v.grad * (log(1 - x) - log(x)), true));
    if (v.has(2)) v.set(2, shared(v.grad * crossEntropies(x, target), false));
}

/// (1 - t) x - w log sigmoid(x), w = 1 or (pos_weight - 1) t + 1.
Results crossEntropyOfLogits(const Operands& in) {
    Value x = in.tensor(0), target = in.tensor(1);
    if (!in.call().same(x.type().sizes, target.type().sizes))
        refuseCall(in,
                   fmt::format("expected a target of sizes {}, found {}", ir::str(x.type().sizes),
                               ir::str(target.type().sizes)),
                   {}, ErrorClass::Value);
    // PyTorch's stands in the memory of 1 - target.
    const ir::DType dtype = target.type().dtype;
    if (dtype == ir::DType::Bool)
        throwRefusal(base::userError({}, "Subtraction, the `-` operator, with two bool tensors is "
                                         "not supported. Use the `^` or `logical_xor()` operator "
                                         "instead.")
                         .as(ErrorClass::NotImplemented));
    if (ir::isFloating(x.type().dtype) && !ir::isFloating(dtype))
        throwRefusal(base::userError(
            {}, fmt::format("result type {} can't be cast to the desired output type {}",
                            ir::scalarType(x.type().dtype), ir::scalarType(dtype))));
    Value likelihood = aten("log_sigmoid", x);
    if (in.has(3)) likelihood = likelihood * ((in[3] - 1) * target + 1);
    Value loss = convert((1 - target) * x - likelihood, dtype);
    if (in.has(2)) loss = loss * in[2];
    return {reducedLoss(loss, reductionAt(in, 4))};
}

/// torch/csrc/autograd/FunctionsManual.cpp: binary_cross_entropy_with_logits_backward.
void crossEntropyOfLogitsGradient(Vjp& v) {
    const Value x = v[0], target = v[1];
    const auto shared = [&](Value slope) {
        slope = slope * v.grad;
        if (v.has(2)) slope = slope * v[2];
        return reductionAt(v, 4) == 1 ? slope / x.type().numel() : slope;
    };
    if (v.has(3)) {
        Value weighted = v[3] * target;
        v.set(0, shared((weighted + 1 - target) * sigmoid(x) - weighted));
        v.set(1, shared(aten("log_sigmoid", -x) - aten("log_sigmoid", x) * v[3]));
    } else {
        v.set(0, shared(sigmoid(x) - target));
        v.set(1, shared(-x));
    }
}

Results klDivergence(const Operands& in) {
    Value x = in.tensor(0), target = in.tensor(1);
    if (!ir::isFloating(x.type().dtype) || !ir::isFloating(target.type().dtype))
        refuseCall(in, "Integral inputs not supported.");
    if (in.call().boolean(3)) return {reducedLoss(exp(target) * (target - x), reductionAt(in, 2))};
    return {reducedLoss(aten("xlogy.Tensor", target, target) - target * x, reductionAt(in, 2))};
}

Results poissonNll(const Operands& in) {
    Value x = in.tensor(0), target = in.tensor(1), loss;
    if (in.call().boolean(2))
        loss = exp(x) - target * x;
    else
        loss = x - target * log(x + in[4]);
    if (in.call().boolean(3)) {
        Value stirling = target * log(target) - target + log(target * (2 * M_PI)) * 0.5;
        loss = loss + maskedFill(stirling, le(target, 1), 0);
    }
    return {reducedLoss(loss, reductionAt(in, 5))};
}

Results hingeEmbedding(const Operands& in) {
    Value x = in.tensor(0), target = in.tensor(1);
    Value margin = aten("clamp_min", in[2] - x, 0);
    Value loss = where(ne(target, 1), margin, 0) + where(ne(target, -1), x, 0);
    return {reducedLoss(loss, reductionAt(in, 3))};
}

Results softMargin(const Operands& x) {
    const DType dtype = resultDType(x.call(), {0, 1});
    wantResultLikeInput(x, dtype);
    Value loss = aten("log1p", exp(-convert(x[1], dtype) * convert(x[0], dtype)));
    return {convert(reducedLoss(loss, reductionAt(x, 2)), x.type(0).dtype)};
}

/// -t z / (1 + z), z = e^(-t x), with -t in the targets' own dtype: bytes wrap around.
constexpr VjpRule kSoftMarginSlope = vjpOfFirst<[](Vjp& v) {
    if (v.wants(1))
        refuseCall(v, "it is not differentiable with respect to argument 'target'",
                   "call detach() on the targets, or do not require a gradient there");
    Value z = exp(-v[1] * v[0]), slope = -(v[1] * z);
    if (v.call().number(2) == 1) slope = slope / v.type(0).numel();
    return slope / (z + 1) * v.grad;
}>;

Results marginRanking(const Operands& x) {
    Value loss = aten("clamp_min", -x[2] * (x[0] - x[1]) + x[3], 0);
    return {reducedLoss(loss, reductionAt(x, 4))};
}

// --- records ---

List pairs(std::vector<Arg> more, double low = -2, double high = 2, double from = -2,
           double to = 2) {
    List samples;
    for (int64_t reduction : {0, 1, 2}) {
        ir::ArgList args{T(0), T(1), I(reduction)};
        args.insert(args.end(), more.begin(), more.end());
        samples.push_back(good({f32({2, 3}, low, high), f32({2, 3}, from, to)}, args));
    }
    ir::ArgList args{T(0), T(1), I(1)};
    args.insert(args.end(), more.begin(), more.end());
    samples.push_back(good({f64({}, low, high), f64({}, from, to)}, args));
    return samples;
}

void addDistances(std::vector<OpDef>& ops) {
    ops.push_back(
        composite("l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", l1,
                  [] { return pairs({}); },
                  {"absolute difference", "y = |x - target|", "torch.nn.functional.l1_loss"}));
    const OpDoc slope{"gradient of a loss of differences",
                      "dx = dy times the slope at x - target, over n for a mean",
                      "torch.nn.functional.smooth_l1_loss"};
    for (std::string_view schema :
         {"smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
          "float beta) -> Tensor",
          "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
          "float delta) -> Tensor"})
        ops.push_back(lying<rowMajor>(composite(
            schema,
            schema.starts_with("huber") ? inFloat<huberBackward> : inFloat<smoothL1Backward>,
            [] {
                List samples;
                for (int64_t reduction : {0, 1, 2})
                    samples.push_back(good(
                        {f32(reduction == 0 ? std::vector<int64_t>{2, 3} : std::vector<int64_t>{}),
                         f32({2, 3}), f32({2, 3})},
                        {T(0), T(1), T(2), I(reduction), Arg(0.7)}));
                return samples;
            },
            slope)));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(withGradient(
        kSmoothL1Slopes,
        composite("smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) "
                  "-> Tensor",
                  smoothL1,
                  [] {
                      List samples = pairs({Arg(0.7)});
                      samples.push_back(good({f32({4}), f32({4})}, {T(0), T(1), I(1), Arg(0.0)}));
                      samples.push_back(
                          bad({f32({4}), f32({4})}, {T(0), T(1), I(1), Arg(-1.0)},
                              "smooth_l1_loss: expected beta of at least 0, found -1"));
                      return samples;
                  },
                  {"absolute difference, squared where small",
                   "y = d^2 / (2 beta) where d < beta, else d - beta / 2",
                   "arXiv:1504.08083; torch.nn.functional.smooth_l1_loss"}))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(withGradient(
        kHuberSlopes,
        composite(
            "huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor",
            huber, [] { return pairs({Arg(0.7)}); },
            {"absolute difference, squared where small",
             "y = d^2 / 2 where d <= delta, else delta (d - delta / 2)",
             "torch.nn.functional.huber_loss"}))));
}

void addLikelihoods(std::vector<OpDef>& ops) {
    OpDef pairsLoss = composite(
        "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int "
        "reduction=Mean) -> Tensor",
        crossEntropyOfPairs,
        [] {
            List samples;
            for (int64_t reduction : {0, 1, 2})
                samples.push_back(good({f32({2, 3}, 0.05, 0.95), f32({2, 3}, 0, 1), f32({3}, 0, 2)},
                                       {T(0), T(1), T(2), I(reduction)}));
            samples.push_back(
                good({f32({4}, 0.05, 0.95), f32({4}, 0, 1)}, {T(0), T(1), none(), I(1)}));
            return samples;
        },
        {"negative log-likelihood of two classes", "y = -w (t log x + (1 - t) log(1 - x))",
         "torch.nn.functional.binary_cross_entropy"});
    pairsLoss.gradient = VjpRule{crossEntropyOfPairsGradient};
    pairsLoss.lowering = Decompose{crossEntropyOfPairs, DecomposeWhen::AfterAutograd};
    ops.push_back(
        with<&Traits::refuses, Refuses::WholeNumbers>(lying<likeAll>(std::move(pairsLoss))));
    ops.push_back(saving(
        "self target",
        with<&Traits::refuses, Refuses::WholeNumbers>(withGradient(
            VjpRule{crossEntropyOfLogitsGradient},
            composite(
                "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, "
                "Tensor? "
                "pos_weight=None, int reduction=Mean) -> Tensor",
                crossEntropyOfLogits,
                [] {
                    List samples;
                    for (int64_t reduction : {0, 1, 2})
                        samples.push_back(good(
                            {f32({2, 3}, -9, 9), f32({2, 3}, 0, 1), f32({3}, 0, 2), f32({3}, 0, 2)},
                            {T(0), T(1), T(2), T(3), I(reduction)}));
                    samples.push_back(
                        good({f32({4}), f32({4}, 0, 1)}, {T(0), T(1), none(), none(), I(1)}));
                    return samples;
                },
                {"binary_cross_entropy of a sigmoid",
                 "y = (1 - t) x - (1 + (p - 1) t) log sigmoid(x)",
                 "torch.nn.functional.binary_cross_entropy_with_logits"})))));
    ops.push_back(composite("kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool "
                            "log_target=False) -> Tensor",
                            klDivergence,
                            [] {
                                List samples = pairs({Arg(true)}),
                                     more = pairs({Arg(false)}, -2, 2, 0.1, 2);
                                samples.insert(samples.end(), more.begin(), more.end());
                                return samples;
                            },
                            {"divergence of a distribution from log-probabilities",
                             "y = t (log t - x)", "torch.nn.functional.kl_div"}));
    ops.push_back(composite(
        "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int "
        "reduction) -> Tensor",
        poissonNll,
        [] {
            List samples;
            for (int64_t reduction : {0, 1, 2})
                for (bool logs : {false, true})
                    samples.push_back(
                        good({f32({2, 3}, 0.1, 2), f32({2, 3}, 0.1, 4)},
                             {T(0), T(1), Arg(logs), Arg(reduction > 0), Arg(1e-8), I(reduction)}));
            return samples;
        },
        {"negative log-likelihood of counts",
         "y = e^x - t x, or x - t log(x + eps); full: + t log t - t + log(2 pi t) / 2",
         "torch.nn.functional.poisson_nll_loss"}));
}

void addMargins(std::vector<OpDef>& ops) {
    ops.push_back(composite(
        "hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=Mean) -> "
        "Tensor",
        hingeEmbedding,
        [] {
            List samples;
            for (int64_t reduction : {0, 1, 2})
                samples.push_back(
                    good({f32({2, 3}), i64({2, 3}, -1, 1)}, {T(0), T(1), Arg(0.5), I(reduction)}));
            return samples;
        },
        {"x for equal pairs, what is missing to the margin for unequal ones",
         "y = x where t = 1, max(margin - x, 0) where t = -1",
         "torch.nn.functional.hinge_embedding_loss"}));
    ops.push_back(lying<likeAll>(withGradient(
        kSoftMarginSlope,
        composite("soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
                  softMargin, [] { return pairs({}); },
                  {"logistic loss of two classes", "y = log(1 + e^(-t x))",
                   "torch.nn.functional.soft_margin_loss"}))));
    ops.push_back(composite(
        "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int "
        "reduction=Mean) -> Tensor",
        marginRanking,
        [] {
            List samples;
            for (int64_t reduction : {0, 1, 2})
                samples.push_back(good({f32({2, 3}), f32({2, 3}), f32({2, 3}, -1, 1)},
                                       {T(0), T(1), T(2), Arg(0.3), I(reduction)}));
            return samples;
        },
        {"what is missing to the wanted order", "y = max(-t (x1 - x2) + margin, 0)",
         "torch.nn.functional.margin_ranking_loss"}));
}

} // namespace

std::vector<OpDef> lossFormulaOps() {
    std::vector<OpDef> ops;
    addDistances(ops);
    addLikelihoods(ops);
    addMargins(ops);
    return ops;
}

} // namespace cutaway::ops
