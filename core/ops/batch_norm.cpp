// SPDX-License-Identifier: Apache-2.0
// Batch norm. Sources: torch/_decomp/decompositions.py (native_batch_norm_helper,
// native_batch_norm_backward), aten/src/ATen/native/Normalization.cpp.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/image_tools.h"
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
    return TensorType::contiguous(x.dtype, {x.sizes[1]}, x.device);
}

TensorType likeInput(const TensorType& x) {
    return imageType(x.dtype, x.sizes, x.device, isChannelsLast(x));
}

base::Status checkArguments(const OpCall& call) {
    const TensorType& x = call.tensor(kInput);
    if (x.rank() < 2 || x.rank() > 5 || !ir::isFloating(x.dtype))
        return refuse(call, fmt::format("expected a floating-point input [n, channels, ..] of 2 to "
                                        "5 dimensions, found {}",
                                        x.str()));
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
    return one(likeInput(call.tensor(kInput)));
}

/// The mean and reciprocal deviation that were used; none outside training, as in PyTorch.
Result<Types> nativeShape(const OpCall& call) {
    CUTAWAY_CHECK(checkArguments(call));
    const TensorType& x = call.tensor(kInput);
    TensorType statistics = perChannel(x);
    if (!call.boolean(kTraining)) statistics = TensorType::contiguous(x.dtype, {Sym(0)}, x.device);
    return Types{likeInput(x), statistics, statistics};
}

Result<Types> functionalShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, nativeShape(call));
    types.push_back(call.tensor(kMean));
    types.push_back(call.tensor(kVar));
    return types;
}

/// [c] seen as [c, 1, ..], to go with an input of \p rank.
NodeId along(Builder& b, NodeId x, size_t rank) {
    Shape sizes = b.type(x).sizes;
    sizes.resize(rank - 1, Sym(1));
    return rank == 2 ? x : b.call("view", {Arg(x), Arg(sizeList(sizes))});
}

NodeId seenAsChannels(Builder& b, NodeId x) {
    return b.call("view", {Arg(x), Arg(sizeList({b.type(x).sizes[1]}))});
}

NodeId emptyStatistics(Builder& b, const TensorType& type) {
    return b.call("full",
                  {Arg(sizeList(type.sizes)), intArg(0), Arg(type.dtype), Arg{}, Arg(type.device)});
}

/// (x - mean) * rstd * weight + bias, with mean and rstd seen along the channels.
NodeId normalized(Builder& b, const ir::Node& node, NodeId mean, NodeId rstd) {
    NodeId x = *node.args[kInput].node();
    const size_t rank = b.type(x).rank();
    if (!node.args[kWeight].isNone())
        rstd = b.mul(rstd, Arg(along(b, *node.args[kWeight].node(), rank)));
    NodeId out = b.mul(b.sub(x, Arg(mean)), Arg(rstd));
    if (!node.args[kBias].isNone()) out = b.add(out, Arg(along(b, *node.args[kBias].node(), rank)));
    return out;
}

struct Statistics {
    NodeId mean, variance; ///< [1, c, 1, ..] or [c, 1, ..]
};

std::vector<NodeId> inEvaluation(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    const size_t rank = b.type(*node.args[kInput].node()).rank();
    NodeId variance = b.add(*node.args[kVar].node(), Arg(call.real(kEps)));
    NodeId rstd = along(b, b.call("rsqrt", {Arg(variance)}), rank);
    NodeId mean = along(b, *node.args[kMean].node(), rank);
    NodeId none = emptyStatistics(b, node.types[1]);
    return {normalized(b, node, mean, rstd), none, none};
}

Statistics statisticsOf(Builder& b, NodeId x) {
    NodeId both = b.call("var_mean.correction",
                         {Arg(x), Arg(intList(overDims(b.type(x).rank()))), intArg(0), Arg(true)});
    return {b.getitem(both, 1), b.getitem(both, 0)};
}

std::vector<NodeId> inTraining(Builder& b, const ir::Node& node, const Statistics& s) {
    NodeId rstd = b.call("rsqrt", {Arg(b.add(s.variance, Arg(callOf(b, node).real(kEps))))});
    return {normalized(b, node, s.mean, rstd), seenAsChannels(b, s.mean), seenAsChannels(b, rstd)};
}

std::vector<NodeId> native(Builder& b, const ir::Node& node) {
    if (!callOf(b, node).boolean(kTraining)) return inEvaluation(b, node);
    return inTraining(b, node, statisticsOf(b, *node.args[kInput].node()));
}

/// With the running statistics moved towards this batch's; their variance is the unbiased one.
std::vector<NodeId> functional(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    NodeId mean = *node.args[kMean].node(), variance = *node.args[kVar].node();
    if (!call.boolean(kTraining)) {
        std::vector<NodeId> results = inEvaluation(b, node);
        for (NodeId running : {mean, variance})
            results.push_back(b.call("clone", {Arg(running)}));
        return results;
    }
    NodeId x = *node.args[kInput].node();
    const Statistics s = statisticsOf(b, x);
    std::vector<NodeId> results = inTraining(b, node, s);
    Sym count(1);
    for (int dim : overDims(b.type(x).rank()))
        count = count * b.type(x).sizes[static_cast<size_t>(dim)];
    const double momentum = call.real(kMomentum);
    auto moved = [&](NodeId running, NodeId batch) {
        return b.add(b.mul(batch, Arg(momentum)), Arg(b.mul(running, Arg(1 - momentum))));
    };
    NodeId unbiased = seenAsChannels(b, s.variance);
    if (count.isConst()) {
        const auto n = static_cast<double>(call.number(count));
        unbiased = b.mul(unbiased, Arg(n / (n - 1)));
    } else {
        unbiased = b.div(b.mul(unbiased, Arg(count)), Arg(count - Sym(1)));
    }
    results.push_back(moved(mean, seenAsChannels(b, s.mean)));
    results.push_back(moved(variance, unbiased));
    return results;
}

std::vector<NodeId> batchNorm(Builder& b, const ir::Node& node) {
    ir::ArgList args(node.args.begin(), node.args.begin() + kEps + 1);
    return {b.getitem(b.call("native_batch_norm", std::move(args)), 0)};
}

Gradients nativeVjp(Builder& b, NodeId forward, GradOutputs grads) {
    Vjp v(b, forward, grads);
    ir::ArgList mask{Arg(v.wants(kInput)), Arg(v.wants(kWeight)), Arg(v.wants(kBias))};
    if (!v.wants(kInput) && !v.wants(kWeight) && !v.wants(kBias)) return v.finish();
    const bool training = v.call().boolean(kTraining);
    const Arg mean = training ? Arg(b.getitem(forward, 1)) : Arg{};
    const Arg rstd = training ? Arg(b.getitem(forward, 2)) : Arg{};
    NodeId all = b.call("native_batch_norm_backward",
                        {Arg(v.grad), v.arg(kInput), v.arg(kWeight), v.arg(kMean), v.arg(kVar),
                         mean, rstd, Arg(training), v.arg(kEps), Arg(mask)});
    for (size_t i : {+kInput, +kWeight, +kBias})
        if (v.wants(i)) v.set(i, b.getitem(all, static_cast<int>(i)));
    return v.finish();
}

/// grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, mask
Result<Types> backwardShape(const OpCall& call) {
    const TensorType& x = call.tensor(1);
    return Types{likeInput(x), perChannel(x), perChannel(x)};
}

/// Results that the mask does not ask for are zeros, so that every result has a value.
std::vector<NodeId> backward(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    NodeId grad = *node.args[0].node(), x = *node.args[1].node();
    const TensorType type = b.type(x);
    const size_t rank = type.rank();
    const bool training = call.boolean(7);
    const ir::ArgList& mask = *node.args[9].list();
    auto wanted = [&](size_t i) { return std::get<bool>(mask[i]); };
    NodeId mean = *node.args[training ? 5 : 3].node();
    NodeId rstd = training ? *node.args[6].node()
                           : b.call("rsqrt", {Arg(b.add(*node.args[4].node(), Arg(call.real(8))))});
    const Arg dims(intList(overDims(rank)));
    auto sum = [&](NodeId of) { return b.call("sum.dim_IntList", {Arg(of), dims, Arg(false)}); };
    NodeId centred = b.sub(x, Arg(along(b, mean, rank)));
    NodeId gradSum = training || wanted(2) ? sum(grad) : NodeId{};
    NodeId dot = training || wanted(1) ? sum(b.mul(grad, Arg(centred))) : NodeId{};
    std::vector<NodeId> results(3);
    if (wanted(0)) {
        NodeId scale = node.args[2].isNone() ? rstd : b.mul(rstd, node.args[2]);
        NodeId inner = grad;
        if (training) {
            Sym count(1);
            for (int dim : overDims(rank))
                count = count * type.sizes[static_cast<size_t>(dim)];
            NodeId share = b.mul(b.div(dot, Arg(count)), Arg(b.mul(rstd, Arg(rstd))));
            NodeId level = b.div(gradSum, Arg(count));
            NodeId along0 = b.mul(centred, Arg(along(b, share, rank)));
            inner = b.sub(b.sub(grad, Arg(along0)), Arg(along(b, level, rank)));
        }
        results[0] = b.mul(inner, Arg(along(b, scale, rank)));
    }
    if (wanted(1)) results[1] = b.mul(dot, Arg(rstd));
    if (wanted(2)) results[2] = gradSum;
    for (size_t i = 0; i < 3; ++i)
        if (!results[i].valid()) results[i] = emptyStatistics(b, node.types[i]);
    return results;
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
    for (size_t c = 0; training && c < channels.count; ++c) {
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
    ops.push_back(
        {"batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
         "running_var, bool training, float momentum, float eps, bool cudnn_enabled=True) -> "
         "Tensor",
         batchNormShape,
         ThroughDecomposition{},
         Decompose{batchNorm, DecomposeWhen::BeforeAutograd},
         reference<1>,
         [] { return samples("batch_norm", false); },
         {"channels scaled to mean 0 and variance 1", kFormula,
          "arXiv:1502.03167; torch.nn.BatchNorm2d"}});
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
    ops.push_back(
        {"native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? "
         "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, "
         "float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
         backwardShape,
         NotDifferentiable{"second derivatives are not supported"},
         Decompose{backward, DecomposeWhen::AfterAutograd},
         backwardReference,
         backwardSamples,
         {"gradients of batch norm",
          "dx = weight rstd (dy - mean(dy) - x^ mean(dy x^)), dw = sum dy x^, db = sum dy",
          "torch._decomp: native_batch_norm_backward"}});
    return ops;
}

} // namespace cutaway::ops
