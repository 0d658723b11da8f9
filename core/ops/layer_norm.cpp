// SPDX-License-Identifier: Apache-2.0
// Layer norm. Decompositions: torch/_refs/__init__.py (native_layer_norm),
// torch/_decomp/decompositions.py (native_layer_norm_backward).
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/norm_statistics.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Shape;
using ir::Sym;
using ir::TensorType;

base::Status normalizedFits(const OpCall& call, size_t weight, size_t bias) {
    const TensorType& self = call.tensor(0);
    Shape wanted = call.integers(1);
    bool fits = !wanted.empty() && wanted.size() <= self.rank() &&
                call.same(wanted, Shape(self.sizes.end() - static_cast<int64_t>(wanted.size()),
                                        self.sizes.end()));
    if (!fits)
        return refuse(call, fmt::format("normalized_shape {} does not end the input's shape {}",
                                        ir::str(wanted), ir::str(self.sizes)));
    for (size_t i : {weight, bias})
        if (call.isTensor(i) && !call.same(call.tensor(i).sizes, wanted))
            return refuse(call, fmt::format("expected {} of shape {}, found {}",
                                            call.def.parsed.args[i].name, ir::str(wanted),
                                            ir::str(call.tensor(i).sizes)));
    if (!ir::isFloating(self.dtype))
        return refuse(call, fmt::format("expected a floating-point tensor, found {}",
                                        ir::name(self.dtype)))
            .as(ErrorClass::NotImplemented);
    CUTAWAY_CHECK(wantParameterDTypes(call, {weight, bias}));
    return wantWideFloats(call);
}

Result<Types> layerNormShape(const OpCall& call) {
    CUTAWAY_CHECK(normalizedFits(call, 2, 3));
    return likeArg0(call);
}

Result<Types> nativeLayerNormShape(const OpCall& call) {
    CUTAWAY_CHECK(normalizedFits(call, 2, 3));
    const TensorType& self = call.tensor(0);
    Shape statistics = self.sizes;
    size_t outer = self.rank() - call.integers(1).size();
    for (size_t i = outer; i < statistics.size(); ++i)
        statistics[i] = Sym(1);
    TensorType small =
        TensorType::contiguous(statisticsType(call, {2, 3}), statistics, self.device);
    return Types{TensorType::contiguous(self.dtype, self.sizes, self.device), small, small};
}

std::vector<int> innerDims(const TensorType& self, size_t count) {
    std::vector<int> dims;
    for (size_t i = self.rank() - count; i < self.rank(); ++i)
        dims.push_back(static_cast<int>(i));
    return dims;
}

Results layerNorm(const Operands& x) {
    return {item(aten("native_layer_norm", x[0], x[1], x[2], x[3], x[4]), 0)};
}

Results nativeLayerNorm(const Operands& x) {
    OpCall call = x.call();
    std::vector<int> dims = innerDims(x.type(0), call.integers(1).size());
    Value both = aten("var_mean.correction", x[0], dims, 0, true);
    Value variance = item(both, 0), mean = item(both, 1);
    Value rstd = rsqrt(variance + call.real(4));
    Value out = (x[0] - mean) * rstd;
    if (x.has(2)) out = out * x[2];
    if (x.has(3)) out = out + x[3];
    return {out, mean, rstd};
}

void nativeLayerNormVjp(Vjp& v) {
    ir::ArgList mask{Arg(v.wants(0)), Arg(v.wants(2)), Arg(v.wants(3))};
    if (!v.wants(0) && !v.wants(2) && !v.wants(3)) return;
    Value mean = item(v.result, 1), rstd = item(v.result, 2);
    Value all =
        aten("native_layer_norm_backward", v.grad, v[0], v[1], mean, rstd, v[2], v[3], mask);
    v.set(0, item(all, 0));
    v.set(2, item(all, 1));
    v.set(3, item(all, 2));
}

/// Gradient and input alike, statistics a number a row, parameters as large as what is normalized.
base::Status backwardFits(const OpCall& call) {
    const TensorType& self = call.tensor(1);
    const Shape inner = call.integers(2);
    if (inner.empty() || inner.size() > self.rank())
        return refuse(
            call, fmt::format("cannot normalize {} over {}", ir::str(self.sizes), ir::str(inner)));
    const auto outer = self.sizes.end() - static_cast<std::ptrdiff_t>(inner.size());
    Shape statistics(self.sizes.begin(), outer);
    statistics.resize(self.rank(), Sym(1));
    const Shape* const wanted[] = {&self.sizes, &self.sizes, nullptr, &statistics,
                                   &statistics, &inner,      &inner};
    for (size_t i : {0, 1, 3, 4, 5, 6}) {
        if (!call.has(i)) continue;
        const TensorType& found = call.tensor(i);
        const bool wide = i > 2 && ir::isHalf(self.dtype) && found.dtype == DType::Float32;
        if (!ir::isFloating(found.dtype) || (found.dtype != self.dtype && !wide) ||
            !call.same(found.sizes, *wanted[i]))
            return refuse(call, fmt::format("{} {} does not fit input {} and {}",
                                            call.def.parsed.args[i].name, found.str(), self.str(),
                                            ir::str(inner)));
    }
    if (!call.same(Shape(outer, self.sizes.end()), inner))
        return refuse(
            call, fmt::format("cannot normalize {} over {}", ir::str(self.sizes), ir::str(inner)));
    if (call.args[7].list()->size() != 3) return refuse(call, "expected an output_mask of three");
    return {};
}

Result<Types> nativeLayerNormBackwardShape(const OpCall& call) {
    CUTAWAY_CHECK(backwardFits(call));
    const TensorType& self = call.tensor(1);
    TensorType parameter = TensorType::contiguous(self.dtype, call.integers(2), self.device);
    return Types{TensorType::contiguous(self.dtype, self.sizes, self.device), parameter, parameter};
}

/// Results that the mask does not ask for are zeros, so that every result has a value.
Results nativeLayerNormBackward(const Operands& x) {
    OpCall call = x.call();
    Value grad = x.tensor(0), mean = x.tensor(3), rstd = x.tensor(4);
    const TensorType type = x.type(1);
    size_t inner = call.integers(2).size();
    std::vector<int> dims = innerDims(type, inner), outer = allDims(type.rank() - inner);
    Sym count(1);
    for (const Sym& size : call.integers(2))
        count = count * size;
    auto wanted = [&](size_t i) { return std::get<bool>((*x.node.args[7].list())[i]); };
    Value normal = (x[1] - mean) * rstd;
    std::vector<Value> results(3);
    if (wanted(0)) {
        Value gradNormal = grad;
        if (x.has(5)) gradNormal = grad * x[5];
        Value scaled = gradNormal * count;
        Value total = sum(gradNormal, dims, true);
        Value along = normal * sum(gradNormal * normal, dims, true);
        Value centred = scaled - total - along;
        results[0] = rstd / count * centred;
    }
    auto overRows = [&](const Formula& y) { return outer.empty() ? y : sum(y, outer); };
    if (wanted(1)) results[1] = overRows(grad * normal);
    if (wanted(2)) results[2] = overRows(grad);
    for (size_t i = 0; i < 3; ++i)
        if (!results[i].valid()) results[i] = full(x.b, x.node.types[i].sizes, 0, type);
    return {results.begin(), results.end()};
}

struct RowStatistics {
    size_t rows, width;
    std::vector<double> mean, rstd;
};

RowStatistics rowStatistics(const std::vector<double>& x, size_t width, double eps) {
    RowStatistics s{width ? x.size() / width : 0, width, {}, {}};
    for (size_t r = 0; r < s.rows; ++r) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < width; ++i)
            sum += x[r * width + i];
        double mean = sum / static_cast<double>(width);
        for (size_t i = 0; i < width; ++i)
            squares += (x[r * width + i] - mean) * (x[r * width + i] - mean);
        s.mean.push_back(mean);
        s.rstd.push_back(1 / std::sqrt(squares / static_cast<double>(width) + eps));
    }
    return s;
}

template <bool withStatistics> Values layerNormReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    size_t width = 1;
    for (const Sym& size : call.integers(1))
        width *= static_cast<size_t>(call.number(size));
    std::vector<double> x = valuesOf<double>(in);
    RowStatistics s = rowStatistics(x, width, call.real(4));
    std::vector<double> weight(width, 1), bias(width, 0);
    if (call.has(2)) weight = valuesOf<double>(tensorArg(call, tensors, 2));
    if (call.has(3)) bias = valuesOf<double>(tensorArg(call, tensors, 3));
    for (size_t i = 0; i < x.size(); ++i) {
        size_t r = i / width, c = i % width;
        x[i] = (x[i] - s.mean[r]) * s.rstd[r] * weight[c] + bias[c];
    }
    Values results = oneValue(tensorOf(in.dtype, in.sizes, x));
    if (!withStatistics) return results;
    Sizes sizes = in.sizes;
    for (size_t i = sizes.size() - call.integers(1).size(); i < sizes.size(); ++i)
        sizes[i] = 1;
    results.push_back(tensorOf(in.dtype, sizes, s.mean));
    results.push_back(tensorOf(in.dtype, sizes, s.rstd));
    return results;
}

Values layerNormBackwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[1];
    std::vector<double> grad = valuesOf<double>(*tensors[0]), x = valuesOf<double>(in);
    std::vector<double> mean = valuesOf<double>(*tensors[2]), rstd = valuesOf<double>(*tensors[3]);
    size_t width = 1;
    Sizes parameter;
    for (const Sym& size : call.integers(2)) {
        width *= static_cast<size_t>(call.number(size));
        parameter.push_back(call.number(size));
    }
    std::vector<double> weight(width, 1), dWeight(width), dBias(width), dx(x.size());
    if (call.has(5)) weight = valuesOf<double>(tensorArg(call, tensors, 5));
    for (size_t r = 0; width && r < x.size() / width; ++r) {
        double sum = 0, dot = 0;
        for (size_t c = 0; c < width; ++c) {
            size_t i = r * width + c;
            double normal = (x[i] - mean[r]) * rstd[r];
            sum += grad[i] * weight[c];
            dot += grad[i] * weight[c] * normal;
            dWeight[c] += grad[i] * normal;
            dBias[c] += grad[i];
        }
        double n = static_cast<double>(width);
        for (size_t c = 0; c < width; ++c) {
            size_t i = r * width + c;
            double normal = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (grad[i] * weight[c] - sum / n - normal * dot / n);
        }
    }
    std::vector<std::vector<double>> all{dx, dWeight, dBias};
    Values results;
    for (size_t i = 0; i < 3; ++i) {
        bool wanted = std::get<bool>((*call.args[7].list())[i]);
        if (!wanted) std::fill(all[i].begin(), all[i].end(), 0.0);
        results.push_back(tensorOf(in.dtype, i == 0 ? in.sizes : parameter, all[i]));
    }
    return results;
}

std::vector<Sample> layerNormSamples(std::string_view base) {
    std::string name(base);
    return {
        good({f32({3, 8}), f32({8}), f32({8})}, {T(0), L({8}), T(1), T(2), Arg(1e-5)}),
        good({f32({2, 3, 4}), f32({3, 4}), f32({3, 4})}, {T(0), L({3, 4}), T(1), T(2), Arg(1e-5)}),
        good({f32({3, 8})}, {T(0), L({8}), none(), none(), Arg(1e-3)}),
        good({f32({3, 8}), f32({8})}, {T(0), L({8}), T(1), none(), Arg(1e-5)}),
        good({f64({8}), f64({8}), f64({8})}, {T(0), L({8}), T(1), T(2), Arg(1e-5)}),
        forwardOnly({f32({0, 8}), f32({8}), f32({8})}, {T(0), L({8}), T(1), T(2), Arg(1e-5)}),
        bad({f32({3, 8})}, {T(0), L({7}), none(), none(), Arg(1e-5)},
            name + ": normalized_shape [7] does not end the input's shape [3, 8]"),
        bad({f32({3, 8}), f32({7})}, {T(0), L({8}), T(1), none(), Arg(1e-5)},
            name + ": expected weight of shape [8], found [7]")};
}

void addLayerNorm(std::vector<OpDef>& ops) {
    std::string_view formula = "y = (x - mean) / sqrt(var + eps) * weight + bias";
    ops.push_back({"layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
                   "Tensor? bias=None, "
                   "float eps=1e-05, bool cudnn_enable=True) -> Tensor",
                   layerNormShape,
                   ThroughDecomposition{},
                   Decompose{layerNorm, DecomposeWhen::BeforeAutograd},
                   layerNormReference<false>,
                   [] { return layerNormSamples("layer_norm"); },
                   {"rows scaled to mean 0 and variance 1", formula,
                    "arXiv:1607.06450; torch.nn.LayerNorm"}});
    ops.push_back(
        {"native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, "
         "float eps) -> (Tensor, Tensor, Tensor)",
         nativeLayerNormShape,
         VjpRule{nativeLayerNormVjp},
         Decompose{nativeLayerNorm, DecomposeWhen::AfterAutograd},
         layerNormReference<true>,
         [] { return layerNormSamples("native_layer_norm"); },
         {"layer norm with the mean and reciprocal deviation it used", formula,
          "torch.native_layer_norm"},
         {.oneGradient = true}});
    ops.push_back(
        {"native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, "
         "Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> "
         "(Tensor, Tensor, Tensor)",
         nativeLayerNormBackwardShape,
         ThroughDecomposition{},
         Decompose{nativeLayerNormBackward, DecomposeWhen::AfterAutograd},
         layerNormBackwardReference,
         [] {
             ir::ArgList every{Arg(true), Arg(true), Arg(true)},
                 some{Arg(true), Arg(false), Arg(false)};
             return std::vector<Sample>{
                 good({f32({3, 4}), f32({3, 4}), f32({3, 1}), f32({3, 1}, 0.5, 2), f32({4}),
                       f32({4})},
                      {T(0), T(1), L({4}), T(2), T(3), T(4), T(5), Arg(every)}),
                 good({f32({3, 4}), f32({3, 4}), f32({3, 1}), f32({3, 1}, 0.5, 2)},
                      {T(0), T(1), L({4}), T(2), T(3), none(), none(), Arg(some)}),
                 good({f32({4}), f32({4}), f32({1}), f32({1}, 0.5, 2), f32({4}), f32({4})},
                      {T(0), T(1), L({4}), T(2), T(3), T(4), T(5), Arg(every)})};
         },
         {"gradients of layer norm",
          "dx = rstd / n * (n g - sum g - x^ * sum(g x^)), g = dy * weight",
          "torch._decomp: native_layer_norm_backward"}});
}

} // namespace

std::vector<OpDef> layerNormOps() {
    std::vector<OpDef> ops;
    addLayerNorm(ops);
    return ops;
}

} // namespace cutaway::ops
