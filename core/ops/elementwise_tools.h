// SPDX-License-Identifier: Apache-2.0
/// \file
/// What records of elementwise functions share. Internal to core/ops.
#pragma once

#include "core/ops/composed.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

namespace cutaway::ops {

/// Of the first result, by the call's own shape rule.
inline ir::DType outDType(const OpCall& call) {
    return call.def.shape(call)->front().dtype;
}

/// F of doubles over broadcast arguments, tensors or numbers.
template <auto F, size_t... args> Values pointReference(const OpCall& call, Tensors tensors) {
    const ir::DType out = outDType(call);
    return oneValue(broadcastMapAs<double, sizeof...(args)>(
        call, tensors, std::array<size_t, sizeof...(args)>{args...},
        ir::isFloating(out) ? out : ir::DType::Float64, out, F));
}
/// F of doubles, or of int64s where the result is an integer.
template <auto F, size_t... args> Values numberReference(const OpCall& call, Tensors tensors) {
    const ir::DType out = outDType(call);
    return oneValue(broadcastMap<sizeof...(args)>(
        call, tensors, std::array<size_t, sizeof...(args)>{args...}, out, out, F));
}

/// The scalar operation in the promoted floating dtype of the arguments.
template <ScalarOp op, size_t... args>
ExprId buildFloat(ExprPool& pool, const OpCall& call, Inputs inputs) {
    const ir::DType dtype = floatDType(call, {args...});
    Elements e(pool, call, inputs);
    return pool.op(op, {e.as(args, dtype)...});
}

/// Arguments 0, 1 (and 2): promoted, integers become floating.
template <size_t... args> Result<Types> floatShape(const OpCall& call) {
    return pointwiseType(call, floatDType(call, {args...}), {args...});
}

template <ScalarOp op, auto F>
OpDef floatFunction(std::string_view schema, Gradient gradient, Samples samples, OpDoc doc) {
    return {.schema = schema,
            .shape = floatShape<0>,
            .gradient = gradient,
            .lowering = Pointwise{buildFloat<op, 0>},
            .reference = pointReference<F, 0>,
            .samples = samples,
            .doc = doc};
}
template <ScalarOp op, auto F>
OpDef floatFunction2(std::string_view schema, Gradient gradient, Samples samples, OpDoc doc) {
    return {.schema = schema,
            .shape = floatShape<0, 1>,
            .gradient = gradient,
            .lowering = Pointwise{buildFloat<op, 0, 1>},
            .reference = pointReference<F, 0, 1>,
            .samples = samples,
            .doc = doc};
}

/// Values of one tensor argument from low to high; the gradient is compared there.
template <int lowTenths, int highTenths> std::vector<Sample> between() {
    constexpr double low = lowTenths / 10.0, high = highTenths / 10.0;
    return {good({f32({2, 3}, low, high)}, {T(0)}), good({f64({}, low, high)}, {T(0)}),
            good({transposed(f64({3, 4}, low, high))}, {T(0)}),
            good({f32({0, 4}, low, high)}, {T(0)})};
}
/// The same, integers besides.
template <int lowTenths, int highTenths> std::vector<Sample> betweenOrWhole() {
    auto samples = between<lowTenths, highTenths>();
    constexpr int low = lowTenths < 0 ? -(-lowTenths / 10) : (lowTenths + 9) / 10;
    constexpr int high = highTenths / 10;
    samples.push_back(forwardOnly({i64({5}, low, high)}, {T(0)}));
    return samples;
}
/// Pairs of tensors with elements from low to high.
template <int lowTenths, int highTenths> std::vector<Sample> pairsBetween() {
    constexpr double low = lowTenths / 10.0, high = highTenths / 10.0;
    return {good({f32({2, 3}, low, high), f32({2, 3}, low, high)}, {T(0), T(1)}),
            good({f32({2, 1, 3}, low, high), f64({4, 1}, low, high)}, {T(0), T(1)}),
            good({f32({0, 3}, low, high), f32({3}, low, high)}, {T(0), T(1)})};
}
template <int lowTenths, int highTenths> std::vector<Sample> pairsForward() {
    auto samples = pairsBetween<lowTenths, highTenths>();
    for (Sample& sample : samples)
        sample.gradient = false;
    return samples;
}

} // namespace cutaway::ops
