// SPDX-License-Identifier: Apache-2.0
// Variances with means in all forms, and covariances (aten/src/ATen/native/Correlation.cpp).
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/reduce_tools.h"
#include "core/ops/row_reference.h"
#include "core/ops/statistics_forms.h"

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Sym;

Formula dimsOf(const Operands& x) {
    const int i = x.call().def.parsed.find("dim");
    if (i < 0 || !x.has(static_cast<size_t>(i))) return ir::Arg{};
    const ir::Arg& dims = x.node.args[static_cast<size_t>(i)];
    return dims.list() ? Formula(dims) : Formula(ir::ArgList{dims});
}
double correctionOf(const OpCall& call) {
    if (const int i = call.def.parsed.find("correction"); i >= 0)
        return call.has(static_cast<size_t>(i)) ? call.real(static_cast<size_t>(i)) : 1;
    return call.boolean(static_cast<size_t>(call.def.parsed.find("unbiased"))) ? 1 : 0;
}

template <bool root> Results varMean(const Operands& x) {
    const OpCall call = x.call();
    Value both =
        aten("var_mean.correction", x[0], dimsOf(x), correctionOf(call), keepsRowDims(call));
    Value mean = item(both, 1), variance = item(both, 0);
    // Where nothing varies there is no slope, as for std.
    return {root ? sqrt(where(eq(variance, 0), 0, variance)) : Formula(variance), mean};
}
template <bool root> Values varMeanReference(const OpCall& call, Tensors tensors) {
    const double correction = correctionOf(call);
    auto mean = [](const std::vector<double>& row) {
        double sum = 0;
        for (double x : row)
            sum += x;
        return sum / static_cast<double>(row.size());
    };
    auto fold = [&](auto f) {
        return foldRows(*tensors[0], rowDims(call, *tensors[0]), keepsRowDims(call),
                        tensors[0]->dtype, f);
    };
    return {fold([&](const std::vector<double>& row) {
                const double middle = mean(row);
                double sum = 0;
                for (double x : row)
                    sum += (x - middle) * (x - middle);
                const double variance =
                    sum / std::max(static_cast<double>(row.size()) - correction, 0.0);
                return root ? std::sqrt(variance) : variance;
            }),
            fold(mean)};
}

// --- covariances ---

/// Rows are variables, columns observations.
Value variables(const Operands& x) {
    if (x.type(0).rank() > 2)
        refuseComposed(x.call(),
                       "expected at most 2 dimensions, found " + std::to_string(x.type(0).rank()));
    if (x.type(0).rank() == 2) return x.tensor(0);
    return reshape(x[0], {Sym(1), x.type(0).numel()});
}

Results cov(const Operands& x) {
    const OpCall call = x.call();
    Value self = variables(x);
    const int64_t correction = call.number(1);
    const double observations = static_cast<double>(call.number(self.type().sizes[1]));
    for (size_t i : {2, 3})
        if (x.has(i) && x.type(i).rank() > 1)
            refuseComposed(call,
                           "expected weights of at most one dimension, found " + x.type(i).str());
    Value weights;
    if (x.has(2)) weights = x.tensor(2);
    if (x.has(3)) weights = weights.valid() ? Value(weights * x[3]) : x.tensor(3);
    Value mean, weighted, freedom;
    if (weights.valid()) {
        Value total = sum(weights);
        mean = sum(self * weights, {1}, true) / total;
        if (correction == 0)
            freedom = total;
        else if (x.has(3))
            freedom = total - sum(weights * x[3]) * correction / total;
        else
            freedom = total - correction;
        freedom = aten("clamp_min", freedom, 0);
    } else {
        mean = sum(self, {1}, true) / observations;
    }
    Value apart = self - mean;
    weighted = weights.valid() ? Value(apart * weights) : apart;
    Value products = aten("mm", apart, aten("permute", weighted, std::vector<int>{1, 0}));
    Value result = freedom.valid()
                       ? products / freedom
                       : products / std::max(observations - static_cast<double>(correction), 0.0);
    return {x.type(0).rank() == 2 && !x.type(0).sizes[0].is(1) ? Formula(result)
                                                               : reshape(result, {})};
}
Values covReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const int64_t rows = in.sizes.size() == 2 ? in.sizes[0] : 1,
                  n = in.numel() / std::max<int64_t>(rows, 1);
    size_t next = 1;
    const ir::HostTensor* counts = call.has(2) ? tensors[next++] : nullptr;
    const ir::HostTensor* shares = call.has(3) ? tensors[next] : nullptr;
    std::vector<double> weight(static_cast<size_t>(n), 1), means(static_cast<size_t>(rows));
    double total = 0, squares = 0;
    for (int64_t j = 0; j < n; ++j) {
        double& w = weight[static_cast<size_t>(j)];
        w = (counts ? counts->get(j) : 1) * (shares ? shares->get(j) : 1);
        total += w;
        squares += w * (shares ? shares->get(j) : 1);
    }
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < n; ++j)
            means[static_cast<size_t>(i)] +=
                in.get(i * n + j) * weight[static_cast<size_t>(j)] / total;
    const double freedom = std::max(total - call.real(1) * (shares ? squares / total : 1), 0.0);
    std::vector<double> values;
    for (int64_t a = 0; a < rows; ++a)
        for (int64_t b = 0; b < rows; ++b) {
            double sum = 0;
            for (int64_t j = 0; j < n; ++j)
                sum += weight[static_cast<size_t>(j)] *
                       (in.get(a * n + j) - means[static_cast<size_t>(a)]) *
                       (in.get(b * n + j) - means[static_cast<size_t>(b)]);
            values.push_back(sum / freedom);
        }
    return oneValue(tensorOf(outDType(call), rows == 1 ? Sizes{} : Sizes{rows, rows}, values));
}

Results corrcoef(const Operands& x) {
    Value c = aten("cov", x[0]);
    if (c.type().rank() == 0) return {c / c};
    const Sym n = c.type().sizes[0];
    Value places = positions(x.b, n, c.type().device);
    Value diagonal = aten("gather", c, 1, reshape(places, {n, Sym(1)}));
    Value deviation = sqrt(diagonal);
    Value result = c / deviation / reshape(deviation, {Sym(1), n});
    return {aten("clamp", result, -1, 1)};
}
Values corrcoefReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const int64_t rows = in.sizes.size() == 2 ? in.sizes[0] : 1,
                  n = in.numel() / std::max<int64_t>(rows, 1);
    auto product = [&](int64_t a, int64_t b) {
        double meanA = 0, meanB = 0, sum = 0;
        for (int64_t j = 0; j < n; ++j)
            meanA += in.get(a * n + j) / static_cast<double>(n),
                meanB += in.get(b * n + j) / static_cast<double>(n);
        for (int64_t j = 0; j < n; ++j)
            sum += (in.get(a * n + j) - meanA) * (in.get(b * n + j) - meanB);
        return sum;
    };
    std::vector<double> values;
    for (int64_t a = 0; a < rows; ++a)
        for (int64_t b = 0; b < rows; ++b)
            values.push_back(product(a, b) / std::sqrt(product(a, a) * product(b, b)));
    return oneValue(tensorOf(outDType(call), rows == 1 ? Sizes{} : Sizes{rows, rows}, values));
}

} // namespace

void addVarianceForms(std::vector<OpDef>& ops) {
    OpDoc var{"variance and mean together", "v = sum of (x - mean)^2 / (n - correction), mean",
              "torch.var_mean"};
    OpDoc std{"standard deviation and mean together", "s = sqrt(var(x)), mean", "torch.std_mean"};
    auto flag = [] {
        return std::vector<Sample>{good({f32({2, 3})}, {T(0), Arg(false)}),
                                   good({f64({5})}, {T(0), Arg(true)})};
    };
    auto dims = [] {
        return std::vector<Sample>{good({f32({2, 3, 4})}, {T(0), L({0, 2}), Arg(true), Arg(true)}),
                                   good({f64({5, 2})}, {T(0), L({0}), Arg(false), Arg(false)})};
    };
    auto correction = [] {
        return std::vector<Sample>{good({f32({2, 3, 4})}, {T(0), L({0, 2}), I(0), Arg(true)}),
                                   good({f64({5, 2})}, {T(0), none(), Arg(1.5)})};
    };
    ops.push_back(composed("var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
                           inFloat<varMean<false>>, varMeanReference<false>, flag, var));
    ops.push_back(composed(
        "var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
        "(Tensor, Tensor)",
        inFloat<varMean<false>>, varMeanReference<false>, dims, var));
    ops.push_back(composed("std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
                           inFloat<varMean<true>>, varMeanReference<true>, flag, std));
    ops.push_back(composed(
        "std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
        "(Tensor, Tensor)",
        inFloat<varMean<true>>, varMeanReference<true>, dims, std));
    ops.push_back(
        composed("std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
                 "bool keepdim=False) -> (Tensor, Tensor)",
                 inFloat<varMean<true>>, varMeanReference<true>, correction, std));
    ops.push_back(composed(
        "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> "
        "Tensor",
        cov, covReference,
        [] {
            return std::vector<Sample>{
                good({f64({3, 5})}, {T(0)}), good({f64({5})}, {T(0), I(0)}),
                good({f64({2, 4}), i64({4}, 1, 3), f64({4}, 0.5, 1)}, {T(0), I(1), T(1), T(2)})};
        },
        {"covariances of rows", "y[i, j] = mean of (x_i - mean)(x_j - mean)", "torch.cov"}));
    ops.push_back(composed(
        "corrcoef(Tensor self) -> Tensor", corrcoef, corrcoefReference,
        [] {
            return std::vector<Sample>{good({f64({3, 5})}, {T(0)}),
                                       forwardOnly({f64({5})}, {T(0)})};
        },
        {"correlations of rows", "y[i, j] = c[i, j] / sqrt(c[i, i] c[j, j])", "torch.corrcoef"}));
}

} // namespace cutaway::ops
