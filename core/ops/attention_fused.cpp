// SPDX-License-Identifier: Apache-2.0
// Attention without a matrix of weights in memory (FlashAttention-2, arXiv:2307.08691): one call of
// a library forwards, one backwards. passes/fuse_attention puts it where it pays.
#include "core/ops/attention_tools.h"
#include "core/ops/call_forms.h"
#include "core/ops/composite.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/memory_order.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using kernel::AttentionTask;

// Argument positions of all four operations.
enum : size_t { kQuery, kKey, kValue, kMask, kCausal, kSafe, kScale, kGradient, kOutput, kLogs };

/// y and the gradients lie as the query: [B, L, H, width] in memory where that does.
bool isInner(const TensorType& query) {
    return !query.sizes[1].is(1) && liesWithin(query, 1, 2);
}
TensorType laidOut(const OpCall& call, const Shape& sizes) {
    const TensorType& query = call.tensor(kQuery);
    TensorType type = TensorType::contiguous(query.dtype, sizes, query.device);
    if (isInner(query))
        type.strides = {sizes[1] * sizes[2] * sizes[3], sizes[3], sizes[1] * sizes[3], Sym(1)};
    return type;
}
AttentionTask taskOf(const OpCall& call) {
    return {call.boolean(kCausal), call.boolean(kSafe), isInner(call.tensor(kQuery)),
            call.real(kScale)};
}

Shape outputSizes(const OpCall& call) {
    Shape sizes = call.tensor(kQuery).sizes;
    sizes[3] = call.tensor(kValue).sizes[3];
    return sizes;
}
Shape logSizes(const OpCall& call) {
    const Shape& q = call.tensor(kQuery).sizes;
    return {q[0], q[1], q[2]};
}

/// What is wrong with query, key, value and mask.
base::Status checkOperands(const OpCall& call) {
    const TensorType &q = call.tensor(kQuery), &k = call.tensor(kKey), &v = call.tensor(kValue);
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    const bool takes = q.dtype == DType::Float32 ||
                       (device.isCuda() ? ir::isHalf(q.dtype) : q.dtype == DType::Float64);
    if (!takes)
        return refuse(
            call,
            fmt::format("computes float32, on a CPU float64 and on a GPU 16 bits, found {}",
                        name(q.dtype)),
            "use scaled_dot_product_attention");
    const auto fits = [&] {
        return q.rank() == 4 && k.rank() == 4 && v.rank() == 4 &&
               call.same(q.sizes[0], k.sizes[0]) && call.same(q.sizes[1], k.sizes[1]) &&
               call.same(q.sizes[3], k.sizes[3]) &&
               call.same(Shape(k.sizes.begin(), k.sizes.end() - 1),
                         Shape(v.sizes.begin(), v.sizes.end() - 1));
    };
    if (!fits())
        return refuse(call, fmt::format("shapes {}, {} and {} do not fit: expected [B, H, L, E], "
                                        "[B, H, S, E] and [B, H, S, V]",
                                        ir::str(q.sizes), ir::str(k.sizes), ir::str(v.sizes)));
    if (!call.has(kMask)) return {};
    const Shape scores{q.sizes[0], q.sizes[1], q.sizes[2], k.sizes[2]};
    CUTAWAY_TRY(Shape masked, broadcast(call, scores, call.tensor(kMask).sizes));
    if (!call.same(masked, scores) || call.tensor(kMask).dtype != q.dtype)
        return refuse(call, fmt::format("mask {} does not fit scores {} of {}",
                                        call.tensor(kMask).str(), ir::str(scores), name(q.dtype)));
    return {};
}

Result<Types> forwardShape(const OpCall& call) {
    CUTAWAY_CHECK(checkOperands(call));
    const TensorType& q = call.tensor(kQuery);
    return Types{laidOut(call, outputSizes(call)),
                 TensorType::contiguous(ir::computeType(q.dtype), logSizes(call), q.device)};
}
Result<Types> backwardShape(const OpCall& call) {
    CUTAWAY_CHECK(checkOperands(call));
    const DType dtype = call.tensor(kQuery).dtype;
    for (size_t i : {kGradient, kOutput, kLogs}) {
        const Shape sizes = i == kLogs ? logSizes(call) : outputSizes(call);
        const DType wanted = i == kLogs ? ir::computeType(dtype) : dtype;
        const TensorType& found = call.tensor(i);
        if (found.dtype != wanted || !call.same(found.sizes, sizes))
            return refuse(call, fmt::format("{} {} is not {} {}", call.def.parsed.args[i].name,
                                            found.str(), name(wanted), ir::str(sizes)));
    }
    return Types{laidOut(call, call.tensor(kQuery).sizes), laidOut(call, call.tensor(kKey).sizes),
                 laidOut(call, call.tensor(kValue).sizes)};
}

/// One row of numbers for all results of \p rule; of 16-bit ones float32, rounded where it is cut.
template <ShapeRule rule> Result<Types> packedShape(const OpCall& call) {
    CUTAWAY_TRY(Types parts, rule(call));
    Sym length = 0;
    for (const TensorType& part : parts)
        length = length + productOf(part.sizes);
    return one(TensorType::contiguous(ir::computeType(parts[0].dtype), {length}, parts[0].device));
}

/// The results of a packed call, one after the other.
Results unpacked(const Value& packed, const Types& types, bool laidInner) {
    Results results;
    Sym at = 0;
    for (const TensorType& type : types) {
        const Sym end = at + productOf(type.sizes);
        const bool inner = type.rank() == 4 && laidInner;
        const Shape& s = type.sizes;
        const Value part =
            formula::view(sliced(packed, 0, at, end), inner ? Shape{s[0], s[2], s[1], s[3]} : s);
        const Value placed = inner ? Value(permute(part, {0, 2, 1, 3})) : part;
        const bool same = placed.type().dtype == type.dtype;
        results.push_back(same ? placed : Value(convert(placed, type.dtype)));
        at = end;
    }
    return results;
}
std::vector<Formula> argumentsOf(const Operands& x, size_t count) {
    std::vector<Formula> arguments;
    for (size_t i = 0; i < count; ++i)
        arguments.push_back(x[i]);
    return arguments;
}
template <ShapeRule rule> Results decomposed(const Operands& x, const char* packed, size_t count) {
    return unpacked(call(packed, argumentsOf(x, count)), orRefuse(rule(x.call())),
                    isInner(x.type(kQuery)));
}

void forwardVjp(Vjp& v) {
    if (!v.wants(kQuery) && !v.wants(kKey) && !v.wants(kValue)) return;
    std::vector<Formula> arguments = argumentsOf(v, kGradient);
    arguments.push_back(v.grad);
    arguments.push_back(item(v.result, 0));
    arguments.push_back(item(v.result, 1));
    Value all = call("_attention_backward", arguments);
    v.set(kKey, item(all, 1));
    v.set(kQuery, item(all, 0));
    v.set(kValue, item(all, 2));
}

// --- reference ---

/// Elements [b, h, row, column] of tensors of up to four dimensions, broadcast.
kernel::SlowHead::Matrix matrixOf(const ir::HostTensor* tensor, const Sizes& sizes, int64_t batch,
                                  int64_t head) {
    if (!tensor) return {};
    const Sizes strides = broadcastStrides(tensor->sizes, sizes);
    const int64_t start = batch * strides[0] + head * strides[1];
    return [=](int64_t row, int64_t column) {
        return tensor->get(start + row * strides[2] + column * strides[3]);
    };
}

struct Problem {
    const ir::HostTensor *query, *key, *value, *mask = nullptr;
    Sizes q, k, v;
    size_t taken = 3;
    Problem(const OpCall& call, Tensors tensors)
        : query(tensors[0]), key(tensors[1]), value(tensors[2]), q(query->sizes), k(key->sizes),
          v(value->sizes) {
        if (call.has(kMask)) mask = tensors[taken++];
    }
    kernel::SlowHead head(int64_t b, int64_t h) const {
        return {q[2],
                k[2],
                q[3],
                v[3],
                matrixOf(query, q, b, h),
                matrixOf(key, k, b, h),
                matrixOf(value, v, b, h),
                matrixOf(mask, {q[0], q[1], q[2], k[2]}, b, h),
                {},
                {}};
    }
};

void append(std::vector<double>& to, const std::vector<double>& part) {
    to.insert(to.end(), part.begin(), part.end());
}

Values forwardReference(const OpCall& call, Tensors tensors) {
    const Problem p(call, tensors);
    std::vector<double> output, logs;
    for (int64_t b = 0; b < p.q[0]; ++b)
        for (int64_t h = 0; h < p.q[1]; ++h) {
            const kernel::SlowAttention one = kernel::slowAttention(taskOf(call), p.head(b, h));
            append(output, one.output);
            append(logs, one.logarithms);
        }
    const DType dtype = p.query->dtype;
    return {tensorOf(dtype, {p.q[0], p.q[1], p.q[2], p.v[3]}, output),
            tensorOf(ir::computeType(dtype), {p.q[0], p.q[1], p.q[2]}, logs)};
}

Values backwardReference(const OpCall& call, Tensors tensors) {
    const Problem p(call, tensors);
    const ir::HostTensor *gradient = tensors[p.taken], *output = tensors[p.taken + 1],
                         *logs = tensors[p.taken + 2];
    std::vector<double> dq, dk, dv;
    const Sizes y{p.q[0], p.q[1], p.q[2], p.v[3]};
    for (int64_t b = 0; b < p.q[0]; ++b)
        for (int64_t h = 0; h < p.q[1]; ++h) {
            kernel::SlowHead head = p.head(b, h);
            head.gradient = matrixOf(gradient, y, b, h);
            head.output = matrixOf(output, y, b, h);
            head.logarithms = [&, start = (b * p.q[1] + h) * p.q[2]](int64_t row) {
                return logs->get(start + row);
            };
            const auto one = kernel::slowAttentionBackward(taskOf(call), head);
            append(dq, one.query);
            append(dk, one.key);
            append(dv, one.value);
        }
    const DType dtype = p.query->dtype;
    return {tensorOf(dtype, p.q, dq), tensorOf(dtype, p.k, dk), tensorOf(dtype, p.v, dv)};
}

/// The results in one row, each in its memory order.
template <Reference reference> Values packedReference(const OpCall& call, Tensors tensors) {
    std::vector<double> all;
    const bool inner = isInner(call.tensor(kQuery));
    DType dtype = DType::Float32;
    for (const ir::HostTensor& part : reference(call, tensors)) {
        dtype = ir::computeType(part.dtype);
        const Sizes& s = part.sizes;
        if (!inner || s.size() != 4) {
            append(all, valuesOf<double>(part));
            continue;
        }
        const ir::HostTensor moved =
            copyByIndex(part, {s[0], s[2], s[1], s[3]}, [&](const Sizes& at) {
                return ((at[0] * s[1] + at[2]) * s[2] + at[1]) * s[3] + at[3];
            });
        append(all, valuesOf<double>(moved));
    }
    return oneValue(tensorOf(dtype, {static_cast<int64_t>(all.size())}, all));
}

// --- samples ---

ir::ArgList forwardArgs(Arg mask, bool causal, bool safe, double scale) {
    return {T(0), T(1), T(2), std::move(mask), Arg(causal), Arg(safe), Arg(scale)};
}
std::vector<Sample> forwardSamples() {
    const SampleTensor q = f32({2, 2, 3, 4}), k = f32({2, 2, 5, 4}), v = f32({2, 2, 5, 6});
    return {good({q, k, v}, forwardArgs(none(), false, false, 0.5)),
            good({q, k, v}, forwardArgs(none(), true, false, 0.3)),
            good({q, k, v, f32({3, 5})}, forwardArgs(T(3), false, true, 0.5)),
            good({q, k, v, f32({2, 1, 1, 5})}, forwardArgs(T(3), true, true, 0.5)),
            good({f64({1, 1, 7, 3}), f64({1, 1, 4, 3}), f64({1, 1, 4, 1})},
                 forwardArgs(none(), false, false, 1)),
            bad({q, f32({2, 2, 5, 3}), v}, forwardArgs(none(), false, false, 1),
                "_attention: shapes [2, 2, 3, 4], [2, 2, 5, 3] and [2, 2, 5, 6] do not fit: "
                "expected [B, H, L, E], [B, H, S, E] and [B, H, S, V]")};
}
std::vector<Sample> packedSamples() {
    std::vector<Sample> all = forwardSamples();
    all.pop_back();
    for (Sample& sample : all)
        sample.gradient = false;
    return all;
}
std::vector<Sample> backwardSamples() {
    const SampleTensor q = f32({2, 2, 3, 4}), k = f32({2, 2, 5, 4}), v = f32({2, 2, 5, 6}),
                       y = f32({2, 2, 3, 6}), logs = f32({2, 2, 3}, 2, 4);
    const auto args = [](Arg mask, bool causal, uint32_t next) {
        return ir::ArgList{T(0),      T(1),     T(2),    std::move(mask), Arg(causal),
                           Arg(true), Arg(0.5), T(next), T(next + 1),     T(next + 2)};
    };
    return {forwardOnly({q, k, v, y, y, logs}, args(none(), false, 3)),
            forwardOnly({q, k, v, y, y, logs}, args(none(), true, 3)),
            forwardOnly({q, k, v, f32({3, 5}), y, y, logs}, args(T(3), false, 4)),
            bad({q, k, v, y, f32({2, 2, 3, 4}), logs}, args(none(), false, 3),
                "_attention_backward: output f32[2, 2, 3, 4] is not float32 [2, 2, 3, 6]")};
}

std::vector<Sample> packedBackwardSamples() {
    std::vector<Sample> all = backwardSamples();
    all.pop_back();
    return all;
}

constexpr Traits kTraits{
    .computeIntensive = true, .oneGradient = true, .recompute = Recompute::No, .flops = 100};

} // namespace

void addFusedAttention(std::vector<OpDef>& ops) {
    using kernel::LibraryOp;
    const OpDoc forward{"attention of heads [B, H, L, E] in one call, with each row's logarithm",
                        "y = softmax(q k^T scale + mask) v", "arXiv:2307.08691"},
        backward{"gradients of _attention, its weights computed again", "dq, dk, dv of y",
                 "arXiv:2307.08691, algorithm 2"};
    constexpr NotDifferentiable kPacked{"it is what _attention's results are cut from"};
    constexpr NotDifferentiable kSecond{
        "it has no second derivatives; the pass fuse_attention leaves those their products"};
    ops.push_back(
        internal({"_attention(Tensor query, Tensor key, Tensor value, Tensor? mask, bool causal, "
                  "bool safe, float scale) -> (Tensor output, Tensor logarithms)",
                  forwardShape, VjpRule{forwardVjp},
                  Decompose{[](const Operands& x) {
                                return decomposed<forwardShape>(x, "_attention_packed", kGradient);
                            },
                            DecomposeWhen::BeforeLowering},
                  forwardReference, forwardSamples, forward, kTraits}));
    ops.push_back(
        internal({"_attention_packed(Tensor query, Tensor key, Tensor value, Tensor? mask, bool "
                  "causal, bool safe, float scale) -> Tensor",
                  packedShape<forwardShape>, kPacked,
                  AttentionOfLibrary{LibraryOp::Attention, {kQuery, kKey, kValue, kMask}, taskOf},
                  packedReference<forwardReference>, packedSamples, forward, kTraits}));
    ops.push_back(internal(
        {"_attention_backward(Tensor query, Tensor key, Tensor value, Tensor? mask, bool "
         "causal, bool safe, float scale, Tensor gradient, Tensor output, Tensor "
         "logarithms) -> (Tensor query_gradient, Tensor key_gradient, Tensor "
         "value_gradient)",
         backwardShape, kSecond,
         Decompose{[](const Operands& x) {
                       return decomposed<backwardShape>(x, "_attention_backward_packed", kLogs + 1);
                   },
                   DecomposeWhen::BeforeLowering},
         backwardReference, backwardSamples, backward, kTraits}));
    ops.push_back(internal(
        {"_attention_backward_packed(Tensor query, Tensor key, Tensor value, Tensor? mask, bool "
         "causal, bool safe, float scale, Tensor gradient, Tensor output, Tensor logarithms) -> "
         "Tensor",
         packedShape<backwardShape>, kPacked,
         AttentionOfLibrary{LibraryOp::AttentionBackward,
                            {kQuery, kKey, kValue, kGradient, kOutput, kLogs, kMask},
                            taskOf},
         packedReference<backwardReference>, packedBackwardSamples, backward, kTraits}));
}

} // namespace cutaway::ops
