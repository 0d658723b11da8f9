// SPDX-License-Identifier: Apache-2.0
// Batch norm. Sources: torch/_decomp/decompositions.py (native_batch_norm_helper,
// native_batch_norm_backward), aten/src/ATen/native/Normalization.cpp.
#include "core/ops/composite.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/image_tools.h"
#include "core/ops/norm_statistics.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Shape;
using ir::Sym;
using ir::TensorType;

/// Positions of input, weight, bias, running_mean, running_var, training, momentum, eps.
enum : size_t { kInput, kWeight, kBias, kMean, kVar, kTraining, kMomentum, kEps };

/// All but the channels.
std::vector<int> overDims(size_t rank) {
    std::vector<int> dims{0};
    for (size_t d = 2; d < rank; ++d)
        dims.push_back(static_cast<int>(d));
    return dims;
}

TensorType perChannel(const TensorType& x) {
    return TensorType::contiguous(ir::computeType(x.dtype), {x.sizes[1]}, x.device);
}

/// Gradients lie as the input is said to; results in rows where it lies in rows as well.
TensorType likeInput(const TensorType& x) {
    return imageType(x.dtype, x.sizes, x.device, isChannelsLast(x));
}

TensorType resultOf(const TensorType& x) {
    return imageType(x.dtype, x.sizes, x.device, isChannelsLast(x) && !x.isContiguous());
}

base::Status checkArguments(const OpCall& call) {
    const TensorType& x = call.tensor(kInput);
    if (x.rank() < 2 || x.rank() > 5 || !ir::isFloating(x.dtype))
        return refuse(call, fmt::format("expected a floating-point input [n, channels, ..] of 2 to "
                                        "5 dimensions, found {}",
                                        x.str()));
    CUTAWAY_CHECK(wantWideFloats(call));
    CUTAWAY_CHECK(wantParameterDTypes(call, {kWeight, kBias, kMean, kVar}));
    for (size_t arg : {+kWeight, +kBias, +kMean, +kVar})
        if (call.isTensor(arg) && !call.same(call.tensor(arg).sizes, Shape{x.sizes[1]}))
            return refuse(call, fmt::format("expected {} of shape [{}], found {}",
                                            call.def.parsed.args[arg].name, x.sizes[1].str(),
                                            ir::str(call.tensor(arg).sizes)));
    if (!call.boolean(kTraining)) {
        if (!call.isTensor(kMean) || !call.isTensor(kVar))
            return refuse(call, "expected running_mean and running_var outside training");
        return {};
    }
    Sym each(1);
    for (int dim : overDims(x.rank()))
        each = each * x.sizes[static_cast<size_t>(dim)];
    if (each.is(1))
        return refuse(call, fmt::format("expected more than 1 value per channel when training, "
                                        "found {}",
                                        ir::str(x.sizes)))
            .as(base::ErrorClass::Value);
    return {};
}

Result<Types> batchNormShape(const OpCall& call) {
    CUTAWAY_CHECK(checkArguments(call));
    if (call.boolean(kTraining) && call.isTensor(kMean))
        return refuse(call, "running statistics are not updated here",
                      "call torch.nn.functional.batch_norm");
    return one(resultOf(call.tensor(kInput)));
}

/// The mean and reciprocal deviation that were used; none outside training, as in PyTorch.
Result<Types> nativeShape(const OpCall& call) {
    CUTAWAY_CHECK(checkArguments(call));
    const TensorType& x = call.tensor(kInput);
    TensorType statistics = perChannel(x);
    statistics.dtype = statisticsType(call, {kWeight, kBias, kMean, kVar});
    if (!call.boolean(kTraining)) statistics.sizes = {Sym(0)};
    return Types{resultOf(x), statistics, statistics};
}

Result<Types> functionalShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, nativeShape(call));
    for (size_t running : {+kMean, +kVar})
        types.push_back(TensorType::contiguous(call.tensor(running).dtype,
                                               call.tensor(running).sizes, types[0].device));
    return types;
}

/// [c] seen as [c, 1, ..], to go with an input of \p rank.
Formula along(const Value& x, size_t rank) {
    if (rank == 2) return x;
    Shape sizes = x.type().sizes;
    sizes.resize(rank - 1, Sym(1));
    return view(x, sizes);
}

/// (x - mean) * rstd * weight + bias, with mean and rstd seen along the channels.
Formula normalized(const Operands& x, const Value& mean, const Value& rstd) {
    const size_t rank = x.type(kInput).rank();
    Value scale = rstd;
    if (x.has(kWeight)) scale = rstd * along(x.tensor(kWeight), rank);
    Formula out = (x[kInput] - mean) * scale;
    return x.has(kBias) ? out + along(x.tensor(kBias), rank) : out;
}

Results inEvaluation(const Operands& x) {
    const size_t rank = x.type(kInput).rank();
    Value rstd = rsqrt(x[kVar] + x.call().real(kEps));
    Value rstdAlong = along(rstd, rank), mean = along(x.tensor(kMean), rank);
    Value none = full(x.b, x.node.types[1].sizes, 0, x.node.types[1]);
    return {normalized(x, mean, rstdAlong), none, none};
}

struct Statistics {
    Value mean, variance; ///< [1, c, 1, ..] or [c, 1, ..]
};
Statistics statisticsOf(const Operands& x) {
    Value both = aten("var_mean.correction", x[kInput], overDims(x.type(kInput).rank()), 0, true);
    return {item(both, 1), item(both, 0)};
}

Results inTraining(const Operands& x, const Statistics& s) {
    Value rstd = rsqrt(s.variance + x.call().real(kEps));
    const Shape channels{x.type(kInput).sizes[1]};
    return {normalized(x, s.mean, rstd), view(s.mean, channels), view(rstd, channels)};
}

Results native(const Operands& x) {
    return x.call().boolean(kTraining) ? inTraining(x, statisticsOf(x)) : inEvaluation(x);
}

/// Elements that a channel's statistics are of.
Sym countOver(const TensorType& x) {
    Sym count(1);
    for (int dim : overDims(x.rank()))
        count = count * x.sizes[static_cast<size_t>(dim)];
    return count;
}

/// With the running statistics moved towards this batch's, unless it is empty; their variance is
/// the unbiased one.
Results functional(const Operands& x) {
    OpCall call = x.call();
    const Sym count = countOver(x.type(kInput));
    if (!call.boolean(kTraining) || count.is(0)) {
        Results results = native(x);
        for (size_t running : {+kMean, +kVar})
            results.push_back(aten("clone", x[running]));
        return results;
    }
    const Statistics s = statisticsOf(x);
    Results results = inTraining(x, s);
    const Shape channels{x.type(kInput).sizes[1]};
    const double momentum = call.real(kMomentum);
    auto moved = [&](const Formula& running, const Value& batch) {
        Value kept = running * (1 - momentum);
        return batch * momentum + kept;
    };
    Value variance = view(s.variance, channels), unbiased;
    if (count.isConst()) {
        const auto n = static_cast<double>(call.number(count));
        unbiased = variance * (n / (n - 1));
    } else {
        unbiased = variance * count / (count - Sym(1));
    }
    results.push_back(moved(x[kMean], view(s.mean, channels)));
    results.push_back(moved(x[kVar], unbiased));
    return results;
}

/// Outside of training nothing is saved.
Results legitNoTraining(const Operands& x) {
    const TensorType type = x.type(kInput);
    auto nothing = [&] {
        return full(x.b, {Sym(0)}, 0, TensorType::contiguous(type.dtype, {}, type.device));
    };
    Value y = aten("batch_norm", x[0], x[1], x[2], x[3], x[4], false, x[5], x[6], false);
    return {y, nothing(), nothing()};
}

Results batchNorm(const Operands& x) {
    return {item(aten("native_batch_norm", x[kInput], x[kWeight], x[kBias], x[kMean], x[kVar],
                      x[kTraining], x[kMomentum], x[kEps]),
                 0)};
}

void nativeVjp(Vjp& v) {
    ir::ArgList mask{Arg(v.wants(kInput)), Arg(v.wants(kWeight)), Arg(v.wants(kBias))};
    if (!v.wants(kInput) && !v.wants(kWeight) && !v.wants(kBias)) return;
    Value mean, rstd;
    if (v.call().boolean(kTraining)) {
        mean = item(v.result, 1);
        rstd = item(v.result, 2);
    }
    Value all = aten("native_batch_norm_backward", v.grad, v[kInput], v[kWeight], v[kMean], v[kVar],
                     mean, rstd, v[kTraining], v[kEps], mask);
    for (size_t i : {+kInput, +kWeight, +kBias})
        v.set(i, item(all, static_cast<int>(i)));
}

/// grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, mask
Result<Types> backwardShape(const OpCall& call) {
    const TensorType& x = call.tensor(1);
    if (x.rank() < 2 || !call.same(call.tensor(0).sizes, x.sizes))
        return refuse(call, fmt::format("expected a gradient like the input, of at least 2 "
                                        "dimensions, found {} and {}",
                                        ir::str(call.tensor(0).sizes), ir::str(x.sizes)));
    for (const size_t i : {2, 3, 4, 5, 6})
        if (call.has(i) && !call.same(call.tensor(i).sizes, Shape{x.sizes[1]}))
            return refuse(call, fmt::format("expected {} of shape [{}], found {}",
                                            call.def.parsed.args[i].name, x.sizes[1].str(),
                                            ir::str(call.tensor(i).sizes)));
    const bool training = call.boolean(7);
    for (const size_t i : {training ? 5 : 3, training ? 6 : 4})
        if (!call.has(i))
            return refuse(call, "expected " + call.def.parsed.args[i].name + ", found None");
    if (call.args[9].list()->size() != 3) return refuse(call, "expected 3 truth values");
    return Types{likeInput(x), perChannel(x), perChannel(x)};
}

/// Results that the mask does not ask for are zeros, so that every result has a value.
Results backward(const Operands& x) {
    OpCall call = x.call();
    Value grad = x.tensor(0);
    const TensorType type = x.type(1);
    const size_t rank = type.rank();
    const bool training = call.boolean(7);
    auto wanted = [&](size_t i) { return std::get<bool>((*x.node.args[9].list())[i]); };
    const std::vector<int> dims = overDims(rank);
    Value mean = x[training ? 5 : 3];
    Value rstd = training ? x[6] : rsqrt(x[4] + call.real(8));
    Value centred = x[1] - along(mean, rank), gradSum, dot;
    if (training || wanted(2)) gradSum = sum(grad, dims);
    if (training || wanted(1)) dot = sum(grad * centred, dims);
    std::vector<Value> results(3);
    if (wanted(0)) {
        Value scale = x.has(2) ? rstd * x[2] : rstd;
        Value inner = grad;
        if (training) {
            const Sym count = countOver(type);
            Value square = rstd * rstd;
            Value share = dot / count * square, level = gradSum / count;
            Value tilt = centred * along(share, rank), flat = along(level, rank);
            inner = grad - tilt - flat;
        }
        results[0] = inner * along(scale, rank);
    }
    if (wanted(1)) results[1] = dot * rstd;
    if (wanted(2)) results[2] = gradSum;
    for (size_t i = 0; i < 3; ++i)
        if (!results[i].valid()) results[i] = full(x.b, x.node.types[i].sizes, 0, x.node.types[i]);
    return {results.begin(), results.end()};
}

// --- references ---

struct Channels {
    Sizes sizes;
    size_t count, each; ///< channels, elements between them
    size_t of(size_t i) const { return i / each % count; }
    double perChannel() const {
        return static_cast<double>(product(sizes)) / static_cast<double>(count);
    }
    explicit Channels(const Sizes& s) : sizes(s), count(static_cast<size_t>(s[1])), each(1) {
        for (size_t d = 2; d < s.size(); ++d)
            each *= static_cast<size_t>(s[d]);
    }
};

struct Moments {
    std::vector<double> mean, variance;
};
Moments momentsOf(const Channels& channels, const std::vector<double>& x) {
    Moments m{std::vector<double>(channels.count), std::vector<double>(channels.count)};
    for (size_t i = 0; i < x.size(); ++i)
        m.mean[channels.of(i)] += x[i] / channels.perChannel();
    for (size_t i = 0; i < x.size(); ++i) {
        const double d = x[i] - m.mean[channels.of(i)];
        m.variance[channels.of(i)] += d * d / channels.perChannel();
    }
    return m;
}

/// \p results 1: the value; 3: with the batch's statistics; 5: with the running ones.
template <int results> Values reference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const Channels channels(in.sizes);
    std::vector<double> x = valuesOf<double>(in);
    const bool training = call.boolean(kTraining);
    std::vector<double> weight(channels.count, 1), bias(channels.count, 0), runningMean, runningVar;
    if (call.has(kWeight)) weight = valuesOf<double>(tensorArg(call, tensors, kWeight));
    if (call.has(kBias)) bias = valuesOf<double>(tensorArg(call, tensors, kBias));
    if (call.has(kMean)) runningMean = valuesOf<double>(tensorArg(call, tensors, kMean));
    if (call.has(kVar)) runningVar = valuesOf<double>(tensorArg(call, tensors, kVar));
    const Moments m = training ? momentsOf(channels, x) : Moments{runningMean, runningVar};
    std::vector<double> rstd;
    for (double variance : m.variance)
        rstd.push_back(1 / std::sqrt(variance + call.real(kEps)));
    for (size_t i = 0; i < x.size(); ++i) {
        const size_t c = channels.of(i);
        x[i] = (x[i] - m.mean[c]) * rstd[c] * weight[c] + bias[c];
    }
    Values all = oneValue(tensorOf(in.dtype, in.sizes, x));
    if (results == 1) return all;
    const Sizes sizes{training ? in.sizes[1] : 0};
    const std::vector<double> nothing;
    all.push_back(tensorOf(in.dtype, sizes, training ? m.mean : nothing));
    all.push_back(tensorOf(in.dtype, sizes, training ? rstd : nothing));
    if (results == 3) return all;
    const double n = channels.perChannel(), momentum = call.real(kMomentum);
    for (size_t c = 0; training && n > 0 && c < channels.count; ++c) {
        runningMean[c] += momentum * (m.mean[c] - runningMean[c]);
        runningVar[c] += momentum * (m.variance[c] * n / (n - 1) - runningVar[c]);
    }
    all.push_back(tensorOf(in.dtype, {in.sizes[1]}, runningMean));
    all.push_back(tensorOf(in.dtype, {in.sizes[1]}, runningVar));
    return all;
}

Values backwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[1];
    const Channels channels(in.sizes);
    const std::vector<double> grad = valuesOf<double>(*tensors[0]), x = valuesOf<double>(in);
    const bool training = call.boolean(7);
    std::vector<double> weight(channels.count, 1);
    if (call.has(2)) weight = valuesOf<double>(tensorArg(call, tensors, 2));
    const std::vector<double> mean = valuesOf<double>(tensorArg(call, tensors, training ? 5 : 3));
    std::vector<double> rstd = valuesOf<double>(tensorArg(call, tensors, training ? 6 : 4));
    for (double& value : rstd)
        if (!training) value = 1 / std::sqrt(value + call.real(8));
    std::vector<double> sum(channels.count), dot(channels.count), dx(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
        const size_t c = channels.of(i);
        sum[c] += grad[i];
        dot[c] += grad[i] * (x[i] - mean[c]) * rstd[c];
    }
    for (size_t i = 0; i < x.size(); ++i) {
        const size_t c = channels.of(i);
        const double normal = (x[i] - mean[c]) * rstd[c], n = channels.perChannel();
        const double shift = training ? sum[c] / n + normal * dot[c] / n : 0;
        dx[i] = (grad[i] - shift) * rstd[c] * weight[c];
    }
    std::vector<std::vector<double>> all{dx, dot, sum};
    Values results;
    for (size_t i = 0; i < 3; ++i) {
        if (!std::get<bool>((*call.args[9].list())[i]))
            std::fill(all[i].begin(), all[i].end(), 0.0);
        results.push_back(tensorOf(in.dtype, i == 0 ? in.sizes : Sizes{in.sizes[1]}, all[i]));
    }
    return results;
}

// --- samples ---

ir::ArgList arguments(bool affine, bool running, bool training) {
    const uint32_t first = affine ? 3 : 1;
    return {T(0),
            affine ? T(1) : none(),
            affine ? T(2) : none(),
            running ? T(first) : none(),
            running ? T(first + 1) : none(),
            Arg(training),
            Arg(0.1),
            Arg(1e-5)};
}

std::vector<Sample> samples(std::string_view base, bool statistics) {
    std::vector<Sample> all = {
        good({f32({2, 3, 4, 5}), f32({3}), f32({3}), f32({3}), f32({3}, 0.5, 2)},
             arguments(true, true, false)),
        good({f32({4, 3}), f32({3}), f32({3}, 0.5, 2)}, arguments(false, true, false)),
        bad({f32({2, 3, 4}), f32({2}), f32({3}), f32({3}), f32({3})}, arguments(true, true, false),
            fmt::format("{}: expected weight of shape [3], found [2]", base)),
        bad({i64({2, 3})}, arguments(false, false, true),
            fmt::format("{}: expected a floating-point input [n, channels, ..] of 2 to 5 "
                        "dimensions, found i64[2, 3]",
                        base)),
        bad({f32({1, 3, 1}), f32({3}), f32({3}, 0.5, 2)}, arguments(false, true, true),
            fmt::format("{}: expected more than 1 value per channel when training, found [1, 3, 1]",
                        base))};
    if (statistics) {
        all.push_back(good({f32({2, 3, 4, 5}), f32({3}), f32({3}), f32({3}), f32({3}, 0.5, 2)},
                           arguments(true, true, true)));
        all.push_back(
            good({f64({4, 3}), f64({3}), f64({3}, 0.5, 2)}, arguments(false, true, true)));
    } else {
        all.push_back(good({f32({2, 3, 4, 5}), f32({3}), f32({3})}, arguments(true, false, true)));
        all.push_back(good({f64({3, 2, 5})}, arguments(false, false, true)));
    }
    return all;
}

std::vector<Sample> backwardSamples() {
    const ir::ArgList every{Arg(true), Arg(true), Arg(true)},
        some{Arg(true), Arg(false), Arg(false)};
    return {
        good({f32({2, 3, 4}), f32({2, 3, 4}), f32({3}), f32({3}), f32({3}, 0.5, 2)},
             {T(0), T(1), T(2), none(), none(), T(3), T(4), Arg(true), Arg(1e-5), Arg(every)}),
        good({f32({4, 3}), f32({4, 3}), f32({3}), f32({3}, 0.5, 2)},
             {T(0), T(1), none(), T(2), T(3), none(), none(), Arg(false), Arg(1e-5), Arg(some)})};
}

constexpr std::string_view kFormula = "y = (x - mean) / sqrt(var + eps) * weight + bias";

} // namespace

std::vector<OpDef> batchNormOps() {
    std::vector<OpDef> ops;
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(
        {"batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
         "running_var, bool training, float momentum, float eps, bool cudnn_enabled=True) -> "
         "Tensor",
         batchNormShape,
         ThroughDecomposition{},
         Decompose{batchNorm, DecomposeWhen::BeforeAutograd},
         reference<1>,
         [] { return samples("batch_norm", false); },
         {"channels scaled to mean 0 and variance 1", kFormula,
          "arXiv:1502.03167; torch.nn.BatchNorm2d"}}));
    ops.push_back(
        {"native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
         "Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, "
         "Tensor)",
         nativeShape,
         VjpRule{nativeVjp},
         Decompose{native, DecomposeWhen::AfterAutograd},
         reference<3>,
         [] { return samples("native_batch_norm", false); },
         {"batch norm with the mean and reciprocal deviation it used; running statistics are read "
          "only",
          kFormula, "torch.native_batch_norm"},
         {.oneGradient = true}});
    ops.push_back(
        {"_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor "
         "running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, "
         "Tensor, Tensor, Tensor, Tensor)",
         functionalShape,
         VjpRule{nativeVjp},
         Decompose{functional, DecomposeWhen::AfterAutograd},
         reference<5>,
         [] { return samples("_native_batch_norm_legit_functional", true); },
         {"batch norm with its statistics and the running ones after it", kFormula,
          "aten::_native_batch_norm_legit_functional"},
         {.oneGradient = true}});
    ops.push_back(composite(
        "_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor "
        "running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
        legitNoTraining,
        [] {
            return std::vector<Sample>{
                good({f32({2, 3, 4, 5}), f32({3}), f32({3}), f32({3}), f32({3}, 0.5, 2)},
                     {T(0), T(1), T(2), T(3), T(4), Arg(0.1), Arg(1e-5)})};
        },
        {"batch norm by running statistics", kFormula,
         "aten::_native_batch_norm_legit_no_training"}));
    ops.push_back(
        {"native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? "
         "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, "
         "float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
         backwardShape,
         ThroughDecomposition{},
         Decompose{backward, DecomposeWhen::AfterAutograd},
         backwardReference,
         backwardSamples,
         {"gradients of batch norm",
          "dx = weight rstd (dy - mean(dy) - x^ mean(dy x^)), dw = sum dy x^, db = sum dy",
          "torch._decomp: native_batch_norm_backward"}});
    return ops;
}

} // namespace cutaway::ops
