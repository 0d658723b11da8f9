// SPDX-License-Identifier: Apache-2.0
// Means, variances and log-sum-exp: reductions made of several steps.
#include "core/ir/dtype_words.h"
#include "core/ops/call_forms.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reduce_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/row_reference.h"
#include "core/ops/sample_tools.h"

#include "core/kernel/device_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

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
        return base::userError({},
                               fmt::format("mean(): could not infer output dtype. Input dtype must "
                                           "be either a floating point or complex dtype. Got: {}",
                                           ir::scalarType(meanDType(call))),
                               "pass dtype=torch.float32")
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

Results meanFromSum(const Operands& x) {
    OpCall call = x.call();
    bool listed = x.node.op != "mean";
    std::vector<int> dims = reduceDimsOf(call, listed);
    Value self = convert(x[0], meanDType(call));
    Value total = listed ? sum(self, dims, keepsDims(call)) : sum(self);
    return {total / reducedCount(call, dims)};
}

/// The gradient of a mean: each element's share.
Formula shared(const Vjp& v, const Formula& grad, bool listed) {
    OpCall call = v.call();
    std::vector<int> dims = reduceDimsOf(call, listed);
    Formula restored = listed ? restoreDims(grad, dims, keepsDims(call)) : grad;
    return aten("div.Scalar", expand(restored, v.type(0).sizes), reducedCount(call, dims));
}
template <bool listed> Formula meanGradient(Vjp& v) {
    return shared(v, v.grad, listed);
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

/// Whether a count less a correction can stay open. Expressions of sizes are whole and a size that is a
/// symbol is 2 or more: with a fraction or more than 2 taken off, a count is asked for its number.
bool staysOpen(const ir::Sym& count, double correction) {
    const auto whole = static_cast<int64_t>(correction);
    return !count.isConst() && static_cast<double>(whole) == correction && whole <= 2;
}

/// A count less a correction, at least 0, as the argument of a division.
Formula freedomOf(const OpCall& call, const ir::Sym& count, double correction) {
    if (staysOpen(count, correction)) return count - ir::Sym(static_cast<int64_t>(correction));
    return std::max(static_cast<double>(call.number(count)) - correction, 0.0);
}

Result<Types> momentsShape(const OpCall& call) {
    const DType dtype = call.tensor(0).dtype;
    if (!ir::isFloating(dtype) || ir::isHalf(dtype)) return refuse(call, floatExpected(dtype));
    CUTAWAY_TRY(auto dims, listedDims(call));
    for (int dim : dims)
        if (call.tensor(0).rank() > 0 && call.tensor(0).sizes[static_cast<size_t>(dim)].is(0))
            return refuse(call, "expected elements to reduce");
    CUTAWAY_TRY(Types types, reducedType(call, dtype, dims));
    types.push_back(types[0]);
    return types;
}
Values momentsReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    auto mean = [](const std::vector<double>& row) {
        return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
    };
    auto squares = [&](const std::vector<double>& row) {
        double sum = 0;
        for (double x : row)
            sum += (x - mean(row)) * (x - mean(row));
        return sum;
    };
    const std::vector<int> dims = rowDims(call, in);
    return {foldRows(in, dims, call.boolean(2), in.dtype, mean),
            foldRows(in, dims, call.boolean(2), in.dtype, squares)};
}

/// Why the variance is better found in one pass over memory, or nothing: rows of which a second
/// pass would find nothing in the cache.
std::optional<std::string> onePass(const OpCall& call, const std::vector<int>& dims) {
    const ir::TensorType& self = call.tensor(0);
    if (self.dtype != DType::Float32 && self.dtype != DType::Float64) return std::nullopt;
    int64_t count = 1, rows = 1, step = INT64_MAX, apart = 0;
    for (size_t k = 0; k < self.rank(); ++k) {
        if (!self.sizes[k].isConst() || !self.strides[k].isConst()) return std::nullopt;
        const int64_t size = call.number(self.sizes[k]), stride = call.number(self.strides[k]);
        const bool over = std::find(dims.begin(), dims.end(), static_cast<int>(k)) != dims.end();
        (over ? count : rows) *= size;
        if (size > 1 && over) step = std::min(step, stride);
        if (size > 1 && !over) apart = std::max(apart, stride);
    }
    const int64_t bytes = count * static_cast<int64_t>(ir::sizeBytes(self.dtype));
    const int64_t most = kernel::traitsOf(self.device).twoPasses;
    if (rows < 2 || step > apart || bytes <= most) return std::nullopt;
    return fmt::format("; in one pass: {} bytes a row, and the cache has {} for each", bytes, most);
}

/// The mean, then the mean of the squared deviations (Inductor: var_mean_sum_), or both in one pass
/// (var_mean_welford_).
Results varMeanFromSums(const Operands& x) {
    OpCall call = x.call();
    std::vector<int> dims = reduceDimsOf(call, true);
    const ir::Sym count = reducedCount(call, dims);
    Value mean, squares;
    if (const auto reason = onePass(call, dims)) {
        x.b.provenance.rule += *reason;
        Value both = aten("_moments", x[0], dims, true);
        mean = item(both, 0);
        squares = item(both, 1);
    } else {
        mean = sum(x[0], dims, true) / freedomOf(call, count, 0);
        Value deviation = x[0] - mean;
        squares = sum(deviation * deviation, dims, true);
    }
    Value variance = squares / freedomOf(call, count, correctionOf(call));
    if (keepsDims(call)) return {variance, mean};
    ir::Shape sizes = reducedSizes(x.type(0).sizes, dims, false);
    return {reshape(variance, sizes), reshape(mean, sizes)};
}

/// Less the first of those that are averaged: equal elements are 0, so that their mean is no
/// rounded one and they do not vary at all (as by Welford's sums in PyTorch).
Value shifted(const Operands& x) {
    Value all = x[0], first = all;
    for (int dim : reduceDimsOf(x.call(), hasDims(x.call()))) {
        if (x.type(0).sizes[static_cast<size_t>(dim)].is(0)) return all;
        first = aten("slice.Tensor", first, dim, 0, 1);
    }
    return all - first;
}

/// var and std by var_mean; the schema's unbiased becomes a correction.
template <bool root> Results fromVarMean(const Operands& x) {
    OpCall call = x.call();
    Value both = aten("var_mean.correction", shifted(x), hasDims(call) ? x[1] : Formula(Arg{}),
                      correctionOf(call), keepsDims(call));
    return {root ? sqrt(item(both, 0)) : item(both, 0)};
}

/// 2 / (N - correction) * grad * (self - mean): var_backward, where N - correction may be below 0.
Formula varGradient(const Vjp& v, const Formula& grad) {
    OpCall call = v.call();
    std::vector<int> dims = reduceDimsOf(call, hasDims(call));
    const ir::Sym count = reducedCount(call, dims);
    const double correction = correctionOf(call);
    Formula restored = restoreDims(grad, dims, keepsDims(call));
    Formula scaled =
        staysOpen(count, correction)
            ? restored * 2.0 / freedomOf(call, count, correction)
            : restored * (2.0 / (static_cast<double>(call.number(count)) - correction));
    return scaled * (v[0] - aten("mean.dim", v[0], dims, true));
}

Formula stdGradient(Vjp& v) {
    Value half = v.grad / (v.result * 2);
    return varGradient(v, maskedFill(half, eq(v.result, 0), 0));
}

Formula varMeanGradient(Vjp& v) {
    Value total;
    if (v.grads[0].valid()) total = varGradient(v, v.grads[0]);
    if (!v.grads[1].valid()) return total;
    Value ofMean = shared(v, v.grads[1], true);
    return total.valid() ? total + ofMean : ofMean;
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
Results logsumexp(const Operands& x) {
    OpCall call = x.call();
    std::vector<int> dims = reduceDimsOf(call, true);
    bool kept = keepsDims(call);
    Value self = convert(x[0], floatDType(call, {0}));
    const ir::Shape& sizes = self.type().sizes;
    if (std::any_of(dims.begin(), dims.end(),
                    [&](int d) { return sizes[static_cast<size_t>(d)].is(0); }))
        return {log(sum(self, dims, kept))}; // of no element: log(0)
    Value largest = amax(self, dims, true);
    Value infinite = eq(abs(largest), std::numeric_limits<double>::infinity());
    Value shift = where(infinite, 0, largest);
    Value total = sum(exp(self - shift), dims, kept);
    if (!kept) shift = reshape(shift, total.type().sizes);
    return {log(total) + shift};
}

Formula logsumexpGradient(Vjp& v) {
    OpCall call = v.call();
    std::vector<int> dims = reduceDimsOf(call, true);
    Value grad = restoreDims(v.grad, dims, keepsDims(call));
    return grad * exp(v[0] - restoreDims(v.result, dims, keepsDims(call)));
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
    ops.push_back(with<&Traits::savesNothing>(
        {"mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", meanShape<everyDim>,
         VjpRule{vjpOfFirst<meanGradient<false>>}, decompose, meanReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3})}, {T(0)}), good({f64({})}, {T(0)}),
                 forwardOnly({f32({0})}, {T(0)}),
                 forwardOnly({i64({4})}, {T(0), Arg(DType::Float32)}),
                 bad({i64({3})}, {T(0)},
                     "mean(): could not infer output dtype. Input dtype must be either a floating "
                     "point or complex dtype. Got: Long")};
         },
         doc}));
    ops.push_back(with<&Traits::savesNothing>(
        {"mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor",
         meanShape<listedDims>, VjpRule{vjpOfFirst<meanGradient<true>>}, decompose, meanReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3})}, {T(0), L({-1}), Arg(true)}),
                 good({transposed(f32({3, 4, 2}))}, {T(0), L({0, 2})}),
                 good({f32({3, 4})}, {T(0), none()}),
                 bad({f32({3})}, {T(0), L({1})},
                     "Dimension out of range (expected to be in range of [-1, 0], but got 1)")};
         },
         doc}));
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
                   varShape, VjpRule{vjpOfFirst<varMeanGradient>},
                   Decompose{varMeanFromSums, DecomposeWhen::BeforeLowering},
                   varReference<false, true>,
                   [] { return varSamples("var_mean", true, {I(0), Arg(true)}); }, both});
    ops.push_back(internal(
        {"_moments(Tensor self, int[1] dim, bool keepdim=False) -> (Tensor mean, Tensor squares)",
         momentsShape,
         NotDifferentiable{"var_mean has the gradient"},
         Reduction{kernel::ReduceOp::Welford, listedDims},
         momentsReference,
         [] {
             return std::vector<Sample>{forwardOnly({f32({3, 40})}, {T(0), L({1}), Arg(true)}),
                                        forwardOnly({f64({2, 5, 3})}, {T(0), L({0, 2})}),
                                        forwardOnly({f32({2, 1})}, {T(0), L({1})}),
                                        forwardOnly({f32({37})}, {T(0), L({0})})};
         },
         {"mean and squared deviations from it in one pass (Welford)", "mean, sum of (x - mean)^2",
          "torch.var_mean"},
         {.flops = 4}}));
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
             return std::vector<Sample>{
                 good({f32({2, 3})}, {T(0), L({1})}),
                 good({f64({2, 3, 4})}, {T(0), L({0, 2}), Arg(true)}),
                 forwardOnly({i64({2, 3})}, {T(0), L({0})}),
                 bad({f32({3})}, {T(0), L({1})},
                     "Dimension out of range (expected to be in range of [-1, 0], but got 1)")};
         },
         {"logarithm of the sum of exponentials, without overflow", "y = ln(sum of e^x over dim)",
          "torch.logsumexp"}});
    return ops;
}

} // namespace cutaway::ops
