// SPDX-License-Identifier: Apache-2.0
// Means, variances and log-sum-exp: reductions made of several steps.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reduce_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

std::string floatExpected(DType found) {
    return "expected a floating-point tensor, found " + std::string(ir::name(found));
}

// --- mean ---

DType meanDType(const OpCall& call) {
    auto i = static_cast<size_t>(call.def.parsed.find("dtype"));
    return call.has(i) ? call.dtype(i) : call.tensor(0).dtype;
}

template <auto Dims> Result<Types> meanShape(const OpCall& call) {
    if (!ir::isFloating(meanDType(call)))
        return refuse(call, floatExpected(meanDType(call)), "pass dtype=torch.float32")
            .as(ErrorClass::NotImplemented);
    CUTAWAY_TRY(auto dims, Dims(call));
    return reducedType(call, meanDType(call), dims);
}

ir::Sym reducedCount(const OpCall& call, const std::vector<int>& dims) {
    ir::Sym count(1);
    for (int dim : dims)
        count = count * call.tensor(0).sizes[static_cast<size_t>(dim)];
    return count;
}

std::vector<NodeId> meanFromSum(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    bool listed = node.op != "mean";
    std::vector<int> dims = reduceDimsOf(call, listed);
    NodeId self = b.convert(*node.args[0].node(), meanDType(call));
    NodeId sum =
        listed ? b.call("sum.dim_IntList", {Arg(self), Arg(intList(dims)), Arg(keepsDims(call))})
               : b.call("sum", {Arg(self)});
    return {b.div(sum, Arg(reducedCount(call, dims)))};
}

template <bool listed> NodeId meanGradient(Vjp& v) {
    OpCall call = v.call();
    std::vector<int> dims = reduceDimsOf(call, listed);
    NodeId grad = listed ? restoreDims(v.b, v.grad, dims, keepsDims(call)) : v.grad;
    grad = v.b.expand(grad, v.type(0).sizes);
    return v.b.call("div.Scalar", {Arg(grad), Arg(reducedCount(call, dims))});
}

Values meanReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    bool listed = call.def.parsed.find("dim") >= 0;
    std::vector<int> dims = listed ? hostDims(call, 1, in.sizes.size()) : allDims(in.sizes.size());
    std::vector<int64_t> to = reducedIndex(in.sizes, dims);
    Sizes sizes = reducedHostSizes(in.sizes, dims, keepsDims(call));
    std::vector<double> sums =
        foldSum(valuesOf<double>(in), to, static_cast<size_t>(product(sizes)));
    double count = 1;
    for (int dim : dims)
        count *= static_cast<double>(in.sizes[static_cast<size_t>(dim)]);
    for (double& sum : sums)
        sum /= count;
    return oneValue(tensorOf(meanDType(call), sizes, sums));
}

// --- variance ---

double correctionOf(const OpCall& call) {
    int i = call.def.parsed.find("correction");
    if (i >= 0) return call.has(static_cast<size_t>(i)) ? call.real(static_cast<size_t>(i)) : 1;
    return call.boolean(static_cast<size_t>(call.def.parsed.find("unbiased"))) ? 1 : 0;
}

bool hasDims(const OpCall& call) {
    return call.def.parsed.find("dim") >= 0;
}

Result<Types> varShape(const OpCall& call) {
    DType dtype = call.tensor(0).dtype;
    if (!ir::isFloating(dtype))
        return refuse(call, floatExpected(dtype)).as(ErrorClass::NotImplemented);
    CUTAWAY_TRY(auto dims, hasDims(call) ? listedDims(call) : everyDim(call));
    CUTAWAY_TRY(auto types, reducedType(call, dtype, dims));
    if (call.def.parsed.returns.size() == 2) types.push_back(types[0]);
    return types;
}

/// A count less a correction, as the argument of a division.
Arg freedomOf(const OpCall& call, const ir::Sym& count, double correction) {
    if (!count.isConst()) return Arg(count - ir::Sym(static_cast<int64_t>(correction)));
    return Arg(std::max(static_cast<double>(call.number(count)) - correction, 0.0));
}

/// Two passes: the mean, then the mean of the squared deviations (Inductor: var_mean_sum_).
std::vector<NodeId> varMeanFromSums(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    NodeId self = *node.args[0].node();
    std::vector<int> dims = reduceDimsOf(call, true);
    const ir::Sym count = reducedCount(call, dims);
    auto sum = [&](NodeId x) {
        return b.call("sum.dim_IntList", {Arg(x), Arg(intList(dims)), Arg(true)});
    };
    NodeId mean = b.div(sum(self), freedomOf(call, count, 0));
    NodeId deviation = b.sub(self, Arg(mean));
    NodeId squares = sum(b.mul(deviation, Arg(deviation)));
    NodeId variance = b.div(squares, freedomOf(call, count, correctionOf(call)));
    if (keepsDims(call)) return {variance, mean};
    ir::Shape sizes = reducedSizes(b.type(self).sizes, dims, false);
    variance = b.reshape(variance, sizes);
    return {variance, b.reshape(mean, sizes)};
}

/// var and std by var_mean; the schema's unbiased becomes a correction.
template <bool root> std::vector<NodeId> fromVarMean(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    Arg dims = hasDims(call) ? node.args[1] : Arg{};
    NodeId both = b.call("var_mean.correction",
                         {node.args[0], dims, Arg(correctionOf(call)), Arg(keepsDims(call))});
    NodeId variance = b.getitem(both, 0);
    return {root ? b.call("sqrt", {Arg(variance)}) : variance};
}

/// 2 / (N - correction) * grad * (self - mean): var_backward.
NodeId varGradient(Vjp& v, NodeId grad) {
    OpCall call = v.call();
    Builder& b = v.b;
    std::vector<int> dims = reduceDimsOf(call, hasDims(call));
    const ir::Sym count = reducedCount(call, dims);
    NodeId restored = restoreDims(b, grad, dims, keepsDims(call));
    NodeId scaled =
        count.isConst()
            ? b.mul(restored,
                    Arg(2.0 / (static_cast<double>(call.number(count)) - correctionOf(call))))
            : b.div(b.mul(restored, Arg(2.0)), freedomOf(call, count, correctionOf(call)));
    NodeId mean = b.call("mean.dim", {v.arg(0), Arg(intList(dims)), Arg(true)});
    return b.mul(scaled, Arg(b.sub(v.tensor(0), Arg(mean))));
}

NodeId stdGradient(Vjp& v) {
    NodeId half = v.b.div(v.grad, Arg(v.b.mul(v.result, intArg(2))));
    NodeId zero = v.b.call("eq.Scalar", {Arg(v.result), intArg(0)});
    return varGradient(v, v.b.call("masked_fill.Scalar", {Arg(half), Arg(zero), intArg(0)}));
}

Gradients varMeanVjp(Builder& b, NodeId forward, GradOutputs grads) {
    NodeId any = grads[0].valid() ? grads[0] : grads[1];
    Vjp v(b, forward, std::span<const NodeId>(&any, 1));
    if (!v.wants(0)) return v.finish();
    OpCall call = v.call();
    std::vector<int> dims = reduceDimsOf(call, true);
    NodeId total;
    if (grads[0].valid()) total = varGradient(v, grads[0]);
    if (grads[1].valid()) {
        NodeId grad = restoreDims(b, grads[1], dims, keepsDims(call));
        grad = b.expand(grad, v.type(0).sizes);
        grad = b.call("div.Scalar", {Arg(grad), Arg(reducedCount(call, dims))});
        total = total.valid() ? b.add(total, Arg(grad)) : grad;
    }
    v.set(0, total);
    return v.finish();
}

template <bool root, bool withMean> Values varReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    std::vector<int> dims =
        hasDims(call) ? hostDims(call, 1, in.sizes.size()) : allDims(in.sizes.size());
    std::vector<int64_t> to = reducedIndex(in.sizes, dims);
    Sizes sizes = reducedHostSizes(in.sizes, dims, keepsDims(call));
    size_t outputs = static_cast<size_t>(product(sizes));
    std::vector<double> values = valuesOf<double>(in);
    double count = 1;
    for (int dim : dims)
        count *= static_cast<double>(in.sizes[static_cast<size_t>(dim)]);
    std::vector<double> means = foldSum(values, to, outputs);
    for (double& mean : means)
        mean /= count;
    for (size_t i = 0; i < values.size(); ++i) {
        double d = values[i] - means[static_cast<size_t>(to[i])];
        values[i] = d * d;
    }
    std::vector<double> variances = foldSum(values, to, outputs);
    double freedom = std::max(count - correctionOf(call), 0.0);
    for (double& variance : variances) {
        variance /= freedom;
        if (root) variance = std::sqrt(variance);
    }
    Values results = oneValue(tensorOf(in.dtype, sizes, variances));
    if (withMean) results.push_back(tensorOf(in.dtype, sizes, means));
    return results;
}

// --- logsumexp ---

Result<Types> logsumexpShape(const OpCall& call) {
    CUTAWAY_TRY(auto dims, listedDims(call));
    return reducedType(call, floatDType(call, {0}), dims);
}

/// Shifted by the largest element; an infinite one counts as 0 so that inf - inf does not arise.
std::vector<NodeId> logsumexp(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    std::vector<int> dims = reduceDimsOf(call, true);
    bool kept = keepsDims(call);
    NodeId self = b.convert(*node.args[0].node(), floatDType(call, {0}));
    NodeId largest = b.call("amax", {Arg(self), Arg(intList(dims)), Arg(true)});
    NodeId size = b.call("abs", {Arg(largest)});
    NodeId infinite =
        b.call("eq.Scalar", {Arg(size), Arg(std::numeric_limits<double>::infinity())});
    NodeId shift = b.where(infinite, intArg(0), Arg(largest));
    NodeId powers = b.call("exp", {Arg(b.sub(self, Arg(shift)))});
    NodeId sum = b.call("sum.dim_IntList", {Arg(powers), Arg(intList(dims)), Arg(kept)});
    NodeId outShift = kept ? shift : b.reshape(shift, b.type(sum).sizes);
    return {b.add(b.call("log", {Arg(sum)}), Arg(outShift))};
}

NodeId logsumexpGradient(Vjp& v) {
    OpCall call = v.call();
    std::vector<int> dims = reduceDimsOf(call, true);
    NodeId grad = restoreDims(v.b, v.grad, dims, keepsDims(call));
    NodeId result = restoreDims(v.b, v.result, dims, keepsDims(call));
    NodeId share = v.b.call("exp", {Arg(v.b.sub(v.tensor(0), Arg(result)))});
    return v.b.mul(grad, Arg(share));
}

Values logsumexpReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    std::vector<int> dims = hostDims(call, 1, in.sizes.size());
    std::vector<int64_t> to = reducedIndex(in.sizes, dims);
    Sizes sizes = reducedHostSizes(in.sizes, dims, keepsDims(call));
    std::vector<double> values = valuesOf<double>(in);
    for (double& value : values)
        value = std::exp(value);
    std::vector<double> sums = foldSum(values, to, static_cast<size_t>(product(sizes)));
    for (double& sum : sums)
        sum = std::log(sum);
    return oneValue(tensorOf(floatDType(call, {0}), sizes, sums));
}

// --- samples ---

std::vector<Sample> varSamples(std::string_view base, bool secondIsDims, std::vector<Arg> tail) {
    auto with = [&](SampleTensor tensor, Arg dims) {
        ir::ArgList args{T(0)};
        if (secondIsDims) args.push_back(dims);
        args.insert(args.end(), tail.begin(), tail.end());
        return good({tensor}, args);
    };
    Sample wrong = with(i64({3}), none());
    wrong.expectedError = std::string(base) + ": expected a floating-point tensor, found int64";
    return {with(f32({3, 4}), L({1})), with(f64({2, 3, 4}), L({0, 2})),
            with(transposed(f32({4, 3})), L({-1})), with(f32({5}), none()), wrong};
}

void addMeans(std::vector<OpDef>& ops) {
    OpDoc doc{"arithmetic mean", "y = sum of x over dim / count", "torch.mean"};
    Decompose decompose{meanFromSum, DecomposeWhen::BeforeLowering};
    ops.push_back(
        {"mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", meanShape<everyDim>,
         VjpRule{vjpOfFirst<meanGradient<false>>}, decompose, meanReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3})}, {T(0)}), good({f64({})}, {T(0)}),
                 forwardOnly({f32({0})}, {T(0)}),
                 forwardOnly({i64({4})}, {T(0), Arg(DType::Float32)}),
                 bad({i64({3})}, {T(0)}, "mean: expected a floating-point tensor, found int64")};
         },
         doc});
    ops.push_back(
        {"mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor",
         meanShape<listedDims>, VjpRule{vjpOfFirst<meanGradient<true>>}, decompose, meanReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3})}, {T(0), L({-1}), Arg(true)}),
                 good({transposed(f32({3, 4, 2}))}, {T(0), L({0, 2})}),
                 good({f32({3, 4})}, {T(0), none()}),
                 bad({f32({3})}, {T(0), L({1})}, "mean: dim 1 is out of range: expected -1 to 0")};
         },
         doc});
}

void addVariances(std::vector<OpDef>& ops) {
    OpDoc var{"variance by two passes", "y = sum of (x - mean)^2 / (n - correction)", "torch.var"};
    OpDoc std{"standard deviation", "y = sqrt(var(x))", "torch.std"};
    OpDoc both{"variance and mean together", "v = sum of (x - mean)^2 / (n - correction), mean",
               "torch.var_mean"};
    Decompose varRule{fromVarMean<false>, DecomposeWhen::BeforeLowering};
    Decompose stdRule{fromVarMean<true>, DecomposeWhen::BeforeLowering};
    VjpRule varVjp = vjpOfFirst<[](Vjp& v) { return varGradient(v, v.grad); }>;
    VjpRule stdVjp = vjpOfFirst<stdGradient>;
    ops.push_back({"var(Tensor self, bool unbiased=True) -> Tensor", varShape, varVjp, varRule,
                   varReference<false, false>, [] { return varSamples("var", false, {Arg(true)}); },
                   var});
    ops.push_back(
        {"var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
         varShape, varVjp, varRule, varReference<false, false>,
         [] { return varSamples("var", true, {Arg(false), Arg(true)}); }, var});
    ops.push_back({"var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
                   "bool keepdim=False) -> Tensor",
                   varShape, varVjp, varRule, varReference<false, false>,
                   [] { return varSamples("var", true, {none(), Arg(false)}); }, var});
    ops.push_back({"std(Tensor self, bool unbiased=True) -> Tensor", varShape, stdVjp, stdRule,
                   varReference<true, false>, [] { return varSamples("std", false, {Arg(true)}); },
                   std});
    ops.push_back(
        {"std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
         varShape, stdVjp, stdRule, varReference<true, false>,
         [] { return varSamples("std", true, {Arg(true), Arg(false)}); }, std});
    ops.push_back({"std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
                   "bool keepdim=False) -> Tensor",
                   varShape, stdVjp, stdRule, varReference<true, false>,
                   [] { return varSamples("std", true, {I(0), Arg(true)}); }, std});
    ops.push_back({"var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
                   "bool keepdim=False) -> (Tensor, Tensor)",
                   varShape, VjpRule{varMeanVjp},
                   Decompose{varMeanFromSums, DecomposeWhen::BeforeLowering},
                   varReference<false, true>,
                   [] { return varSamples("var_mean", true, {I(0), Arg(true)}); }, both});
}

} // namespace

std::vector<OpDef> statisticsOps() {
    std::vector<OpDef> ops;
    addMeans(ops);
    addVariances(ops);
    ops.push_back(
        {"logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
         logsumexpShape,
         VjpRule{vjpOfFirst<logsumexpGradient>},
         Decompose{logsumexp, DecomposeWhen::AfterAutograd},
         logsumexpReference,
         [] {
             return std::vector<Sample>{good({f32({2, 3})}, {T(0), L({1})}),
                                        good({f64({2, 3, 4})}, {T(0), L({0, 2}), Arg(true)}),
                                        forwardOnly({i64({2, 3})}, {T(0), L({0})}),
                                        bad({f32({3})}, {T(0), L({1})},
                                            "logsumexp: dim 1 is out of range: expected -1 to 0")};
         },
         {"logarithm of the sum of exponentials, without overflow", "y = ln(sum of e^x over dim)",
          "torch.logsumexp"}});
    return ops;
}

} // namespace cutaway::ops
