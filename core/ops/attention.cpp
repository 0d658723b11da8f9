// SPDX-License-Identifier: Apache-2.0
// Attention as matrix products and softmax, and dropout.
#include "core/ops/attention_tools.h"
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/lying.h"
#include "core/ops/memory_order.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

// Argument positions.
enum { kQuery, kKey, kValue, kMask, kDropout, kCausal, kScale, kGrouped };

/// Whether PyTorch computes the call in one kernel, whose result lies as the query does, and not as
/// products: whose rows lie together (sdp_utils_cpp.cpp).
bool isOneKernel(const OpCall& call) {
    const TensorType &q = call.tensor(kQuery), &k = call.tensor(kKey), &v = call.tensor(kValue);
    if ((q.rank() != 3 && q.rank() != 4) || k.rank() != q.rank() || v.rank() != q.rank())
        return false;
    if (call.has(kMask) && call.tensor(kMask).requiresGrad) return false;
    for (const TensorType* each : {&q, &k, &v})
        if (!each->strides.back().is(1)) return false;
    const auto outer = [](const TensorType& type) {
        return Shape(type.sizes.begin(), type.sizes.end() - 2);
    };
    return call.same(outer(q), outer(k)) && call.same(outer(q), outer(v)) &&
           call.same(q.sizes.back(), v.sizes.back());
}

Result<Types> attentionShape(const OpCall& call) {
    const TensorType &q = call.tensor(kQuery), &k = call.tensor(kKey), &v = call.tensor(kValue);
    if (call.real(kDropout) != 0) return refuse(call, "dropout_p other than 0 is not supported");
    if (call.boolean(kGrouped)) return refuse(call, "enable_gqa=True is not supported");
    if (!ir::isFloating(q.dtype))
        return refuse(call, fmt::format("not implemented for {}", ir::name(q.dtype)))
            .as(ErrorClass::NotImplemented);
    if (call.boolean(kCausal) && call.has(kMask))
        return refuse(call, "attn_mask and is_causal=True exclude each other");
    for (size_t i : {kQuery, kKey, kValue})
        if (call.tensor(i).rank() < 2)
            return refuse(call, fmt::format("expected at least 2 dimensions, found shape {}",
                                            ir::str(call.tensor(i).sizes)));
    if (k.dtype != q.dtype || v.dtype != q.dtype)
        return refuse(call,
                      fmt::format("expected query, key and value of one dtype, found {}, {} and {}",
                                  ir::name(q.dtype), ir::name(k.dtype), ir::name(v.dtype)));
    bool fits = call.same(q.sizes.back(), k.sizes.back()) &&
                call.same(k.sizes[k.rank() - 2], v.sizes[v.rank() - 2]);
    if (!fits)
        return refuse(
            call,
            fmt::format(
                "shapes {}, {} and {} do not fit: expected [.., L, E], [.., S, E] and [.., S, Ev]",
                ir::str(q.sizes), ir::str(k.sizes), ir::str(v.sizes)));
    auto batch = [](const TensorType& type) {
        return Shape(type.sizes.begin(), type.sizes.end() - 2);
    };
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    CUTAWAY_TRY(Shape sizes, broadcast(call, batch(q), batch(k)));
    CUTAWAY_TRY(sizes, broadcast(call, sizes, batch(v)));
    sizes.push_back(q.sizes[q.rank() - 2]);
    if (call.has(kMask)) {
        Shape scores = sizes;
        scores.push_back(k.sizes[k.rank() - 2]);
        CUTAWAY_TRY(Shape masked, broadcast(call, scores, call.tensor(kMask).sizes));
        if (!call.same(masked, scores))
            return refuse(call, fmt::format("attn_mask {} does not fit scores {}",
                                            ir::str(call.tensor(kMask).sizes), ir::str(scores)));
    }
    sizes.push_back(v.sizes.back());
    TensorType result = TensorType::contiguous(q.dtype, std::move(sizes), device);
    if (isOneKernel(call)) result.strides = stridesLike(q);
    return one(std::move(result));
}

double scaleOf(const OpCall& call) {
    if (call.has(kScale)) return call.real(kScale);
    return 1 / std::sqrt(static_cast<double>(call.number(call.tensor(kQuery).sizes.back())));
}

Results products(const Operands& x) {
    OpCall call = x.call();
    Value scores =
        aten("matmul", x[kQuery], aten("transpose.int", x[kKey], -2, -1)) * scaleOf(call);
    const double lowest = -std::numeric_limits<double>::infinity();
    if (call.boolean(kCausal)) {
        TensorType mask = scores.type();
        mask.dtype = DType::Bool;
        Shape square(mask.sizes.end() - 2, mask.sizes.end());
        Value ones = full(x.b, square, true, mask);
        scores = maskedFill(scores, logicalNot(aten("tril", ones)), lowest);
    } else if (call.has(kMask) && call.tensor(kMask).dtype == DType::Bool) {
        scores = maskedFill(scores, logicalNot(x[kMask]), lowest);
    } else if (call.has(kMask)) {
        scores = scores + x[kMask];
    }
    if (!call.has(kMask)) return {aten("matmul", aten("softmax.int", scores, -1), x[kValue])};
    // A row whose keys are all masked has weights of 0 (_safe_softmax); its scores are replaced
    // first, so that no NaN is in its way back.
    Value unseen = aten("all.dim", eq(scores, lowest), -1, true);
    Value weights = aten("softmax.int", maskedFill(scores, unseen, 0), -1);
    return {aten("matmul", maskedFill(weights, unseen, 0), x[kValue])};
}
/// A processor has 16-bit operands in float32 on the way, as in PyTorch's kernel and its products; a
/// GPU's products of 16 bits are many times as fast as those of float32.
Results attention(const Operands& x) {
    return x.type(kQuery).device.isCuda() ? products(x) : inFloat<products>(x);
}

/// Row by row over the broadcast batches.
Values attentionReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &q = *tensors[0], &k = *tensors[1], &v = *tensors[2];
    auto batch = [](const ir::HostTensor& t) { return Sizes(t.sizes.begin(), t.sizes.end() - 2); };
    Sizes all = broadcastSizes({batch(q), batch(k), batch(v)});
    size_t rank = q.sizes.size();
    int64_t rows = q.sizes[rank - 2], width = q.sizes.back(), keys = k.sizes[k.sizes.size() - 2];
    int64_t out = v.sizes.back();
    std::vector<double> x = valuesOf<double>(q), y = valuesOf<double>(k), z = valuesOf<double>(v),
                        mask;
    bool boolMask = call.has(kMask) && call.tensor(kMask).dtype == DType::Bool;
    Sizes scoreSizes = all, maskStrides;
    scoreSizes.insert(scoreSizes.end(), {rows, keys});
    maskStrides = Sizes(scoreSizes.size(), 0);
    if (call.has(kMask)) {
        mask = valuesOf<double>(*tensors[3]);
        maskStrides = broadcastStrides(tensors[3]->sizes, scoreSizes);
    }
    std::vector<double> result(static_cast<size_t>(product(all) * rows * out));
    Sizes maskBatch(maskStrides.begin(), maskStrides.end() - 2);
    Odometer<4> at(all, {broadcastStrides(batch(q), all), broadcastStrides(batch(k), all),
                         broadcastStrides(batch(v), all), maskBatch});
    std::vector<double> scores(static_cast<size_t>(keys));
    for (int64_t b = 0; b < product(all); ++b, at.next())
        for (int64_t r = 0; r < rows; ++r) {
            const double* query = x.data() + (at.offsets[0] * rows + r) * width;
            double largest = -std::numeric_limits<double>::infinity(), sum = 0;
            for (int64_t s = 0; s < keys; ++s) {
                const double* key = y.data() + (at.offsets[1] * keys + s) * width;
                double score = 0;
                for (int64_t i = 0; i < width; ++i)
                    score += query[i] * key[i];
                score *= scaleOf(call);
                if (call.boolean(kCausal) && s > r)
                    score = -std::numeric_limits<double>::infinity();
                if (call.has(kMask)) {
                    double m =
                        mask[static_cast<size_t>(at.offsets[3] + r * maskStrides[all.size()] +
                                                 s * maskStrides[all.size() + 1])];
                    if (!boolMask)
                        score += m;
                    else if (m == 0)
                        score = -std::numeric_limits<double>::infinity();
                }
                scores[static_cast<size_t>(s)] = score;
                largest = std::max(largest, score);
            }
            const bool unseen = std::isinf(largest) && largest < 0;
            for (double& score : scores)
                sum += score = unseen ? 0 : std::exp(score - largest);
            if (unseen) sum = 1;
            double* to = result.data() + (b * rows + r) * out;
            for (int64_t s = 0; s < keys; ++s)
                for (int64_t i = 0; i < out; ++i)
                    to[i] += scores[static_cast<size_t>(s)] / sum *
                             z[static_cast<size_t>((at.offsets[2] * keys + s) * out + i)];
        }
    Sizes sizes = all;
    sizes.insert(sizes.end(), {rows, out});
    return oneValue(tensorOf(q.dtype, sizes, result));
}

std::vector<Sample> attentionSamples() {
    auto args = [](Arg mask, bool causal, Arg scale) {
        return ir::ArgList{T(0), T(1), T(2), mask, Arg(0.0), Arg(causal), scale, Arg(false)};
    };
    SampleTensor q = f32({2, 2, 3, 4}), k = f32({2, 2, 5, 4}), v = f32({2, 2, 5, 6});
    return {good({q, k, v}, args(none(), false, none())),
            good({q, k, v}, args(none(), true, none())),
            good({q, k, v}, args(none(), false, Arg(0.3))),
            good({q, k, v, f32({3, 5})}, args(T(3), false, none())),
            good({f32({3, 4}), f32({5, 4}), f32({5, 2})}, args(none(), false, none())),
            bad({q, f32({2, 2, 5, 3}), v}, args(none(), false, none()),
                "scaled_dot_product_attention: shapes [2, 2, 3, 4], [2, 2, 5, 3] and [2, 2, 5, 6] "
                "do not fit: "
                "expected [.., L, E], [.., S, E] and [.., S, Ev]")};
}

/// The row of weights is 0 where every score is -inf; there the scores are replaced first, so that
/// no NaN is in its way back.
Results safeSoftmax(const Operands& x) {
    const double lowest = -std::numeric_limits<double>::infinity();
    Value scores = x.tensor(0);
    if (x.has(2)) scores = convert(scores, x.call().dtype(2));
    if (!ir::isFloating(scores.type().dtype)) scores = convert(scores, x.call().defaultDType);
    if (scores.type().rank() == 0)
        return {where(eq(scores, lowest), 0, aten("softmax.int", scores, x[1]))};
    Value unseen = aten("all.dim", eq(scores, lowest), x[1], true);
    Value weights = aten("softmax.int", maskedFill(scores, unseen, 0), x[1]);
    return {maskedFill(weights, unseen, 0)};
}

/// query, key, value, dropout_p, is_causal, attn_mask, scale; 16 bits are float32 on the way.
Results flashAttention(const Operands& x) {
    const OpCall call = x.call();
    for (size_t i : {0, 1, 2})
        if (x.type(i).rank() != 4) refuseCall(x, "Accept only 4 dims inputs shape of {B, H, T, K}");
    if (x.has(5) && x.type(5).rank() != 2 && x.type(5).rank() != 4)
        refuseCall(x, "Attention mask dim in {2, 4}");
    const DType given = x.type(0).dtype, wide = ir::computeType(given);
    const auto widened = [&](size_t i) {
        return given == wide ? x.tensor(i) : Value(convert(x[i], wide));
    };
    if (call.real(3) != 0) refuseCall(x, "dropout is not supported here", "pass dropout_p=0");
    const double scale =
        x.has(6) ? call.real(6)
                 : 1 / std::sqrt(static_cast<double>(call.number(x.type(0).sizes.back())));
    Value scores = aten("matmul", widened(0), aten("transpose.int", widened(1), -2, -1)) * scale;
    if (x.has(5)) scores = scores + widened(5);
    if (call.boolean(4)) {
        TensorType mask = scores.type();
        mask.dtype = DType::Bool;
        Value ones = full(x.b, Shape(mask.sizes.end() - 2, mask.sizes.end()), true, mask);
        scores = maskedFill(scores, logicalNot(aten("tril", ones)),
                            -std::numeric_limits<double>::infinity());
    }
    const int last = static_cast<int>(scores.type().rank()) - 1;
    Value result = aten("matmul", aten("softmax.int", scores, -1), widened(2));
    if (given != wide) result = convert(result, given);
    return {result, aten("logsumexp", aten("detach", scores), std::vector<int>{last}, false)};
}

/// As the query; the logarithms [batch, head, row] with the heads innermost.
Shape asKernelLies(const OpCall& call, const TensorType& result) {
    if (result.rank() == 4) return likeFirst(call, result);
    const Shape& sizes = result.sizes;
    return {sizes[1] * sizes[2], Sym(1), sizes[1]};
}

Result<Types> dropoutShape(const OpCall& call) {
    if (call.boolean(2) && call.real(1) != 0)
        return refuse(call, "dropout in training is not supported",
                      "call eval() on the module, or set p=0");
    ir::TensorType same = call.tensor(0);
    same.requiresGrad = false;
    return one(std::move(same));
}

} // namespace

std::vector<OpDef> attentionOps() {
    std::vector<OpDef> ops;
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(
        {"scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? "
         "attn_mask=None, "
         "float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool "
         "enable_gqa=False) -> Tensor",
         attentionShape,
         ThroughDecomposition{},
         Decompose{attention, DecomposeWhen::BeforeAutograd},
         attentionReference,
         attentionSamples,
         {"values averaged by the softmax of query-key products",
          "y = softmax(q k^T / sqrt(E) + mask) v",
          "arXiv:1706.03762; torch.nn.functional.scaled_dot_product_attention"}}));
    ops.push_back(composite("_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                            safeSoftmax,
                            [] {
                                return std::vector<Sample>{good({f32({2, 3})}, {T(0), I(-1)}),
                                                           good({f32({})}, {T(0), I(0)})};
                            },
                            {"softmax of rows; 0 where all of a row is -inf",
                             "y = exp(x) / sum exp(x)", "aten::_safe_softmax"}));
    ops.push_back(lying<asKernelLies>(composite(
        "_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float "
        "dropout_p=0.0, bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> "
        "(Tensor output, Tensor logsumexp)",
        flashAttention,
        [] {
            return std::vector<Sample>{
                good({f32({1, 2, 3, 4}), f32({1, 2, 5, 4}), f32({1, 2, 5, 4})},
                     {T(0), T(1), T(2), Arg(0.0), Arg(true)}),
                good({f32({1, 2, 3, 4}), f32({1, 2, 5, 4}), f32({1, 2, 5, 4}), f32({3, 5})},
                     {T(0), T(1), T(2), Arg(0.0), Arg(false), T(3), Arg(0.3)}),
                bad({f32({1, 2, 3, 4}), f32({1, 1, 2, 5, 4}), f32({1, 2, 5, 4})},
                    {T(0), T(1), T(2), Arg(0.0), Arg(true)},
                    "_scaled_dot_product_flash_attention_for_cpu: Accept only 4 dims inputs shape "
                    "of "
                    "{B, H, T, K}")};
        },
        {"attention with the logarithm of each row's sum", "y = softmax(q k^T scale + mask) v",
         "aten::_scaled_dot_product_flash_attention_for_cpu"})));
    ops.back().traits.computeIntensive = true; // as PyTorch's partitioner has it
    addFusedAttention(ops);
    ops.push_back(composite(
        "native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
        [](const Operands& x) { return Results{x[0] * x[1] * x[2]}; },
        [] { return std::vector<Sample>{good({f32({2, 3}), b8({2, 3})}, {T(0), T(1), Arg(2.0)})}; },
        {"gradient of dropout", "dx = dy mask scale", "aten::native_dropout_backward"}));
    ops.push_back(
        {"dropout(Tensor input, float p, bool train) -> Tensor",
         dropoutShape,
         ThroughDecomposition{},
         Decompose{[](const Operands& x) { return Results{x[0]}; }, DecomposeWhen::BeforeAutograd},
         [](const OpCall&, Tensors tensors) { return oneValue(*tensors[0]); },
         [] {
             return std::vector<Sample>{good({f32({2, 3})}, {T(0), Arg(0.5), Arg(false)}),
                                        good({f32({})}, {T(0), Arg(0.0), Arg(true)}),
                                        bad({f32({2})}, {T(0), Arg(0.5), Arg(true)},
                                            "dropout: dropout in training is not supported")};
         },
         {"identity outside training", "y = x", "torch.nn.functional.dropout"}});
    return ops;
}

} // namespace cutaway::ops
