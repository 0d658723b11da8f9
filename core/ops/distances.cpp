// SPDX-License-Identifier: Apache-2.0
// Distances and likenesses of vectors. Source: ATen/native/Distance.cpp.
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <cmath>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

/// (sum |d|^p)^(1/p) over the last dimension. Of order 0, a NaN is none, as it is in \p skipsNaN's
/// extremes.
Formula between(const Value& d, double p, bool skipsNaN) {
    if (p == 0) return sum(aten("clamp_max", aten("ceil", abs(d)), 1), {-1});
    if (!std::isinf(p)) return aten("linalg_vector_norm", d, p, std::vector<int>{-1}, false);
    if (d.type().sizes.back().is(0)) return sum(d, {-1});
    Value sizes = abs(d);
    return amax(skipsNaN ? Value(where(aten("isnan", d), 0, sizes)) : sizes, {-1}, false);
}

void wantFloating(const Operands& x, size_t i) {
    if (!ir::isFloating(x.type(i).dtype))
        refuseCall(
            x, fmt::format("expected floating-point tensors, found {}", ir::name(x.type(i).dtype)));
}

double order(const Operands& x, size_t i) {
    const double p = x.call().real(i);
    if (!(p >= 0)) refuseCall(x, fmt::format("expected p of at least 0, found {}", p));
    return p;
}

Results pairwiseDistance(const Operands& x) {
    Value d = x[0] - x[1] + x[3];
    return {
        aten("linalg_vector_norm", d, x.call().real(2), std::vector<int>{-1}, x.call().boolean(4))};
}

/// Norms are held above eps each, which their slopes do not know.
Results cosineSimilarity(const Operands& x) {
    const ir::DType dtype = resultDType(x.call(), {0, 1});
    if (!ir::isFloating(dtype))
        refuseCall(x,
                   fmt::format("expected common dtype to be floating point, yet common dtype is {}",
                               ir::name(dtype)));
    const Shape sizes = orRefuse(broadcast(x.call(), x.type(0).sizes, x.type(1).sizes));
    const double eps = x.call().real(3);
    const auto dim = static_cast<int>(dimOf(x, 2, sizes.size()));
    Value a = expand(convert(x[0], dtype), sizes), b = expand(convert(x[1], dtype), sizes);
    if (sizes.empty()) {
        a = reshape(a, {Sym(1)});
        b = reshape(b, {Sym(1)});
    }
    auto normed = [&](const Value& v) {
        Value norm = aten("linalg_vector_norm", v, 2.0, std::vector<int>{dim}, true);
        Value held = aten("clamp_min", norm, eps);
        return v / (norm + aten("detach", held - norm));
    };
    Value left = normed(a), right = normed(b);
    return {sum(left * right, {dim})};
}

Results cdist(const Operands& x) {
    const TensorType a = x.type(0), b = x.type(1);
    wantFloating(x, 0);
    wantFloating(x, 1);
    if (a.rank() < 2 || b.rank() < 2 || !x.call().same(a.sizes.back(), b.sizes.back()))
        refuseCall(x, fmt::format("expected [.., P, M] and [.., R, M], found {} and {}",
                                  ir::str(a.sizes), ir::str(b.sizes)));
    const double p = order(x, 2);
    Value d = unsqueeze(x[0], -2) - unsqueeze(x[1], -3);
    return {between(d, p, true)};
}

/// The gradient of the distances between rows in what \p d, their differences, are the values of.
Formula slopeOf(const Value& d, double p, const Value& distances, const Value& gradient) {
    Value y = unsqueeze(distances, -1), g = unsqueeze(gradient, -1);
    if (p == 0) return aten("zeros_like", d);
    // A NaN stays one, unlike sign()'s.
    Value sign = aten("clamp", aten("ceil", d), 0, 1) + aten("clamp", aten("floor", d), -1, 0);
    if (p == 1) return sign * g;
    if (std::isinf(p)) return sign * g * (1 - aten("clamp_max", aten("ceil", abs(abs(d) - y)), 1));
    Value none = eq(y, 0);
    if (p == 2) return d * where(none, 0, g / where(none, 1, y));
    Value still = eq(d, 0);
    Value steep = aten("sign", d) * pow(where(still, 1, abs(d)), p - 1);
    return where(logicalOr(none, still), 0, steep * (g / pow(where(none, 1, y), p - 1)));
}

void cdistGradient(Vjp& v) {
    const double p = order(v, 2);
    Value d = unsqueeze(v[0], -2) - unsqueeze(v[1], -3);
    Value slope = slopeOf(d, p, v.result, v.grad);
    if (v.wants(0)) v.set(0, sum(slope, {-2}));
    if (v.wants(1)) v.set(1, sum(-slope, {-3})); // no -0
}

/// The numbers of the rows that are compared, i < j.
struct Pairs {
    Value first, second;
    explicit Pairs(const Operands& x) {
        const int64_t n = x.call().number(x.type(0).sizes[0]), count = n * (n - 1) / 2;
        ir::HostTensor i = ir::HostTensor::zeros(ir::DType::Int64, {count}), j = i;
        int64_t at = 0;
        for (int64_t a = 0; a < n; ++a)
            for (int64_t b = a + 1; b < n; ++b, ++at) {
                i.setInt(at, a);
                j.setInt(at, b);
            }
        first = table(x, std::move(i));
        second = table(x, std::move(j));
    }
    Value differences(const Operands& x) const {
        return picked(x[0], 0, first) - picked(x[0], 0, second);
    }

private:
    static Value table(const Operands& x, ir::HostTensor rows) {
        return {x.b, x.b.graph().addConstant(
                         "rows", std::make_shared<const ir::HostTensor>(std::move(rows)),
                         x.type(0).device)};
    }
};

Results pdist(const Operands& x) {
    const TensorType self = x.type(0);
    if (self.rank() != 2)
        refuseCall(x, fmt::format("expected a matrix, found shape {}", ir::str(self.sizes)));
    const double p = order(x, 1);
    if (x.call().number(self.sizes[0]) < 2) return {sum(sliced(x[0], 0, Sym(0), Sym(0)), {1})};
    return {between(Pairs(x).differences(x), p, false)};
}

void pdistGradient(Vjp& v) {
    if (!v.wants(0)) return;
    Value none = full(v.b, v.type(0).sizes, 0, v.type(0));
    if (v.call().number(v.type(0).sizes[0]) < 2) return v.set(0, none);
    const Pairs pairs(v);
    Value slope = slopeOf(pairs.differences(v), order(v, 1), v.result, v.grad);
    Value sums = aten("index_add", none, 0, pairs.first, slope);
    v.set(0, aten("index_add", sums, 0, pairs.second, -slope));
}

Results cosineEmbedding(const Operands& x) {
    const TensorType a = x.type(0), target = x.type(2);
    if (target.rank() > 1 || a.rank() != target.rank() + 1 || x.type(1).rank() != a.rank())
        refuseCall(x,
                   fmt::format("expected inputs of one dimension more than the target, found "
                               "{}, {} and {}",
                               ir::str(a.sizes), ir::str(x.type(1).sizes), ir::str(target.sizes)));
    constexpr double kEps = 1e-12;
    const std::vector<int> last{static_cast<int>(target.rank())};
    Value left = x.tensor(0), right = x.tensor(1);
    Value product = sum(left * right, last), a2 = sum(left * left, last) + kEps,
          b2 = sum(right * right, last) + kEps;
    Value cosine = product / sqrt(a2 * b2);
    Value apart = aten("clamp_min", cosine - x[3], 0);
    Value loss = where(eq(x[2], 1), 1 - cosine, 0) + where(eq(x[2], -1), apart, 0);
    return {reducedLoss(loss, x.call().number(4))};
}

Results tripletMargin(const Operands& x) {
    auto distance = [&](size_t i, size_t j) {
        return aten("pairwise_distance", x[i], x[j], x[4], x[5]);
    };
    if (x.type(0).rank() != x.type(1).rank() || x.type(0).rank() != x.type(2).rank())
        refuseCall(x, fmt::format("expected tensors of the same number of dimensions, found {}, {} "
                                  "and {}",
                                  ir::str(x.type(0).sizes), ir::str(x.type(1).sizes),
                                  ir::str(x.type(2).sizes)));
    Value near = distance(0, 1), far = distance(0, 2);
    if (x.call().boolean(6)) far = aten("minimum", far, distance(1, 2));
    return {reducedLoss(aten("clamp_min", near - far + x[3], 0), x.call().number(7))};
}

} // namespace

std::vector<OpDef> distanceOps() {
    std::vector<OpDef> ops;
    refuseHalves({"cdist"});
    ops.push_back(composite(
        "pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) "
        "-> Tensor",
        pairwiseDistance,
        [] {
            List samples;
            for (double p : {1.0, 2.0, 3.0, static_cast<double>(INFINITY)})
                samples.push_back(
                    good({f32({2, 3}), f32({2, 3})}, {T(0), T(1), Arg(p), Arg(1e-6), Arg(p == 2)}));
            samples.push_back(
                good({f32({3}), f32({2, 3})}, {T(0), T(1), Arg(2.0), Arg(1e-6), Arg(false)}));
            return samples;
        },
        {"p-norm of a difference", "y = (sum |a - b + eps|^p)^(1/p)",
         "torch.nn.functional.pairwise_distance"}));
    ops.push_back(composite(
        "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
        cosineSimilarity,
        [] {
            return List{
                good({f32({2, 3}), f32({2, 3})}, {T(0), T(1), I(1), Arg(1e-8)}),
                good({f32({2, 3}), f32({3})}, {T(0), T(1), I(0), Arg(1e-8)}),
                bad({f32({2}), f32({3})}, {T(0), T(1), I(0), Arg(1e-8)},
                    "The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
                    "dimension 0")};
        },
        {"cosine of the angle between vectors", "y = a b / (max(|a|, eps) max(|b|, eps))",
         "torch.nn.functional.cosine_similarity"}));
    ops.push_back(withGradient(
        cdistGradient,
        composite("cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor", cdist,
                  [] {
                      List samples;
                      for (double p : {0.0, 1.0, 2.0, 2.5, static_cast<double>(INFINITY)})
                          samples.push_back(
                              good({f32({2, 3, 4}), f32({5, 4})}, {T(0), T(1), Arg(p), none()}));
                      samples.push_back(
                          bad({f32({2, 3}), f32({2, 4})}, {T(0), T(1), Arg(2.0), none()},
                              "cdist: expected [.., P, M] and [.., R, M], found [2, 3] and "
                              "[2, 4]"));
                      return samples;
                  },
                  {"distances of every row of one to every row of the other",
                   "y[i, j] = |a_i - b_j|_p", "torch.cdist"})));
    ops.push_back(withGradient(
        cdistGradient,
        composite(
            "_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor", cdist,
            [] {
                return List{good({f32({2, 3, 4}), f32({5, 4})}, {T(0), T(1), Arg(2.0), none()})};
            },
            {"cdist, as core ATen calls it", "y[i, j] = |a_i - b_j|_p", "aten::_cdist_forward"})));
    for (std::string_view schema : {"pdist(Tensor self, float p=2) -> Tensor",
                                    "_pdist_forward(Tensor self, float p=2) -> Tensor"})
        ops.push_back(saving(
            "self result",
            withGradient(pdistGradient,
                         composite(schema, pdist,
                                   [] {
                                       return List{good({f32({4, 3})}, {T(0), Arg(2.0)}),
                                                   good({f32({3, 2})}, {T(0), Arg(1.0)}),
                                                   good({f32({1, 2})}, {T(0), Arg(2.0)})};
                                   },
                                   {"distances of the rows of a matrix", "y = |x_i - x_j|_p, i < j",
                                    "torch.nn.functional.pdist"}))));
    ops.push_back(composite(
        "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int "
        "reduction=Mean) -> Tensor",
        cosineEmbedding,
        [] {
            List samples;
            for (int64_t reduction : {0, 1, 2})
                samples.push_back(good({f32({3, 4}), f32({3, 4}), i64({3}, -1, 1)},
                                       {T(0), T(1), T(2), Arg(0.1), I(reduction)}));
            return samples;
        },
        {"1 - cosine of equal pairs, cosine - margin of others",
         "y = 1 - cos, or max(cos - margin, 0)", "torch.nn.functional.cosine_embedding_loss"}));
    ops.push_back(composite(
        "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, "
        "float p=2, float eps=1e-06, bool swap=False, int reduction=Mean) -> Tensor",
        tripletMargin,
        [] {
            List samples;
            for (int64_t reduction : {0, 1, 2})
                samples.push_back(good({f32({3, 4}), f32({3, 4}), f32({3, 4})},
                                       {T(0), T(1), T(2), Arg(1.0), Arg(2.0), Arg(1e-6),
                                        Arg(reduction > 0), I(reduction)}));
            return samples;
        },
        {"how much nearer the negative is than the positive",
         "y = max(|a - p| - |a - n| + margin, 0)", "torch.nn.functional.triplet_margin_loss"}));
    return ops;
}

} // namespace cutaway::ops
