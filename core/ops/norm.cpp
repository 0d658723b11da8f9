// SPDX-License-Identifier: Apache-2.0
// Norms of vectors and of matrices. Gradients: torch/csrc/autograd/FunctionsManual.cpp
// (norm_backward, linalg_vector_norm_backward).
#include "core/ops/families.h"
#include "core/ops/reduce_tools.h"
#include "core/ops/row_reference.h"

namespace cutaway::ops {

namespace {

using ir::DType;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double orderOf(const OpCall& call) {
    return call.has(1) ? call.real(1) : 2;
}
std::vector<int> normDims(const OpCall& call) {
    auto dims = dimList(call, 2, call.tensor(0).rank());
    if (!dims.ok())
        refuseComposed(call, dims.error().message.substr(dims.error().message.find(": ") + 2));
    return *dims;
}
DType normDType(const OpCall& call) {
    return call.has(4) ? call.dtype(4) : call.tensor(0).dtype;
}

Results vectorNorm(const Operands& x) {
    const OpCall call = x.call();
    if (!ir::isFloating(normDType(call)))
        refuseComposed(call, "expected a floating-point tensor, found " +
                                 std::string(ir::name(normDType(call))));
    const std::vector<int> dims = normDims(call);
    const bool kept = call.boolean(3);
    const double p = orderOf(call);
    Value self = convert(x[0], normDType(call));
    if (p == 0) return {sum(convert(ne(self, 0), self.type().dtype), dims, kept)};
    if (p == 1) return {sum(abs(self), dims, kept)};
    if (p == 2) return {sqrt(sum(self * self, dims, kept))};
    if (p == kInfinity) return {aten("amax", abs(self), dims, kept)};
    if (p == -kInfinity) return {aten("amin", abs(self), dims, kept)};
    return {pow(sum(pow(abs(self), p), dims, kept), 1 / p)};
}

Formula vectorNormGradient(Vjp& v) {
    const OpCall call = v.call();
    const std::vector<int> dims = normDims(call);
    const double p = orderOf(call);
    Value self = convert(v[0], normDType(call));
    Value grad = restoreDims(v.grad, dims, call.boolean(3));
    Value norm = restoreDims(v.result, dims, call.boolean(3));
    if (p == 0) return zerosLike(self);
    if (p == 1) return sign(self) * grad;
    if (p == 2) return self * maskedFill(grad / norm, eq(norm, 0), 0);
    if (std::isinf(p)) {
        Value largest = eq(abs(self), norm);
        Value share = sum(largest, dims, true);
        return where(largest, sign(self) * (grad / share), 0);
    }
    if (p < 1) {
        Value slope = sign(self) * maskedFill(pow(abs(self), p - 1), eq(self, 0), 0);
        return slope * grad * pow(norm, 1 - p);
    }
    if (p < 2) {
        Value slope = sign(self) * pow(abs(self), p - 1);
        return slope * maskedFill(grad / pow(norm, p - 1), eq(norm, 0), 0);
    }
    Value slope = self * pow(abs(self), p - 2);
    return slope * maskedFill(grad / pow(norm, p - 1), eq(norm, 0), 0);
}

double normOf(const std::vector<double>& row, double p) {
    double sum = p == -kInfinity ? kInfinity : 0;
    for (double x : row) {
        const double size = std::fabs(x);
        if (std::isinf(p))
            sum = p > 0 ? std::max(sum, size) : std::min(sum, size);
        else
            sum += p == 0 ? (x != 0) : std::pow(size, p);
    }
    return p == 0 || std::isinf(p) ? sum : std::pow(sum, 1 / p);
}
Values vectorNormReference(const OpCall& call, Tensors tensors) {
    const double p = orderOf(call);
    return oneValue(foldRows(*tensors[0], rowDims(call, *tensors[0]), call.boolean(3),
                             outDType(call), [p](const auto& row) { return normOf(row, p); }));
}

std::vector<Sample> vectorNormSamples() {
    return {good({f32({2, 3})}, {T(0), I(2), L({1}), Arg(true)}),
            good({f64({2, 3, 2})}, {T(0), I(1), L({0, 2})}),
            good({f64({4})}, {T(0), Arg(3.0)}),
            good({f64({4}, 0.5, 2)}, {T(0), Arg(1.5)}),
            good({f64({4}, 0.5, 2)}, {T(0), Arg(-1.0)}),
            good({f64({2, 3})}, {T(0), Arg(kInfinity), L({-1})}),
            good({f64({2, 3}, 0.5, 2)}, {T(0), Arg(-kInfinity), L({-1})}),
            forwardOnly({f32({3, 3})}, {T(0), I(0)}),
            forwardOnly({f32({0, 3})}, {T(0), I(2), L({0})})};
}

/// The rows' norm before the columns': 1, -1, inf and -inf of matrices.
Results matrixNorm(const Operands& x, const Formula& self, int rows, int columns, double order,
                   bool kept) {
    const bool byColumn = std::fabs(order) == 1;
    const int first = byColumn ? rows : columns, second = byColumn ? columns : rows;
    if (!byColumn && !std::isinf(order))
        refuseComposed(x.call(),
                       "the order " + std::to_string(order) +
                           " needs singular values, which are missing here",
                       "use 'fro', 1, -1, inf or -inf");
    Value sums = sum(abs(self), {first}, true);
    Value result = aten(order > 0 ? "amax" : "amin", sums, std::vector<int>{second}, true);
    if (kept) return {result};
    return {aten("squeeze.dims", result,
                 std::vector<int>{std::min(rows, columns), std::max(rows, columns)})};
}

/// linalg.norm and linalg.matrix_norm: the order is a number, a word or none.
Results anyNorm(const Operands& x) {
    const OpCall call = x.call();
    const bool matrix = call.def.parsed.base == "linalg_matrix_norm";
    const auto rank = static_cast<int64_t>(x.type(0).rank());
    const std::string* word = std::get_if<std::string>(&call.args[1]);
    if (word && *word != "fro")
        refuseComposed(call,
                       "the norm '" + *word + "' needs singular values, which are missing here",
                       "use 'fro'");
    std::vector<int64_t> dims = call.has(2) ? call.numbers(2) : std::vector<int64_t>{};
    for (int64_t& dim : dims) {
        if (dim < -rank || dim >= rank)
            refuseComposed(call, "dim " + std::to_string(dim) + " is out of range");
        dim += dim < 0 ? rank : 0;
    }
    const bool ordered = call.has(1);
    const bool two = dims.size() == 2 || (dims.empty() && ordered && (matrix || rank == 2));
    if (matrix && (rank < 2 || !two)) refuseComposed(call, "expected two dimensions");
    if (two && dims.empty()) dims = {rank - 2, rank - 1};
    const Formula list =
        dims.empty() ? Formula(ir::Arg{}) : Formula(std::vector<int>(dims.begin(), dims.end()));
    const double order = word || !ordered ? 2 : call.real(1);
    if (!two || word || !ordered)
        return {aten("linalg_vector_norm", x[0], order, list, x[3], x[4])};
    Value self = call.has(4) ? convert(x[0], call.dtype(4)) : x[0];
    return matrixNorm(x, self, static_cast<int>(dims[0]), static_cast<int>(dims[1]), order,
                      call.boolean(3));
}
Values anyNormReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const bool word = std::holds_alternative<std::string>(call.args[1]);
    const double order = word || !call.has(1) ? 2 : call.real(1);
    std::vector<int> dims = rowDims(call, in);
    if (call.def.parsed.base == "linalg_matrix_norm" && !call.has(2)) dims = {0, 1};
    if (word || !call.has(1) || dims.size() != 2)
        return oneValue(foldRows(in, dims, call.boolean(3), outDType(call),
                                 [&](const auto& row) { return normOf(row, order); }));
    const int inner = std::fabs(order) == 1 ? 0 : 1; // of a matrix: samples are
    ir::HostTensor sums =
        foldRows(in, {inner}, true, in.dtype, [](const auto& row) { return normOf(row, 1); });
    return oneValue(foldRows(sums, {0, 1}, call.boolean(3), outDType(call), [&](const auto& row) {
        return normOf(row, order > 0 ? kInfinity : -kInfinity);
    }));
}

std::vector<Sample> matrixSamples() {
    return {good({f64({3, 4})}, {T(0), Arg(std::string("fro"))}),
            good({f64({3, 4})}, {T(0), I(1), L({0, 1}), Arg(true)}),
            good({f64({3, 4})}, {T(0), I(-1), L({-2, -1})}),
            good({f32({3, 4})}, {T(0), Arg(kInfinity), L({0, 1})}),
            bad({f32({3, 4})}, {T(0), I(2), L({0, 1})},
                "linalg_matrix_norm: the order 2.000000 needs singular values, which are missing "
                "here")};
}

void addDistances(std::vector<OpDef>& ops) {
    ops.push_back(composed(
        "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
        [](const Operands& x) { return Results{aten("linalg_vector_norm", x[0] - x[1], x[2])}; },
        [](const OpCall& call, Tensors tensors) {
            ir::HostTensor apart =
                broadcastMapAs<double, 2>(call, tensors, {0, 1}, DType::Float64, DType::Float64,
                                          [](double a, double b) { return a - b; });
            const double p = call.real(2);
            return oneValue(foldRows(apart, allDims(apart.sizes.size()), false, outDType(call),
                                     [&](const auto& row) { return normOf(row, p); }));
        },
        [] {
            return std::vector<Sample>{good({f32({2, 3}), f32({3})}, {T(0), T(1)}),
                                       good({f64({4}), f64({4})}, {T(0), T(1), Arg(3.0)})};
        },
        {"norm of a difference", "y = ||a - b||_p", "torch.dist"}));
    ops.push_back(composed(
        "renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
        [](const Operands& x) {
            const OpCall call = x.call();
            const auto rank = static_cast<int>(x.type(0).rank());
            if (rank < 2)
                refuseComposed(call,
                               "expected at least 2 dimensions, found " + std::to_string(rank));
            auto dim = call.dim(2, x.type(0).rank());
            if (!dim.ok()) refuseComposed(call, "the dim is out of range");
            std::vector<int> others;
            for (int d = 0; d < rank; ++d)
                if (d != *dim) others.push_back(d);
            Value norm = aten("linalg_vector_norm", x[0], x[1], others, true);
            const double most = call.real(3);
            Value factor = where(gt(norm, most), most / (norm + 1e-7), 1);
            return Results{x[0] * factor};
        },
        [](const OpCall& call, Tensors tensors) {
            const ir::HostTensor& in = *tensors[0];
            const int kept = hostDim(call, 2, in.sizes.size());
            std::vector<int> others;
            for (int d = 0; d < static_cast<int>(in.sizes.size()); ++d)
                if (d != kept) others.push_back(d);
            const double p = call.real(1), most = call.real(3);
            const ir::HostTensor norms = foldRows(in, others, false, DType::Float64,
                                                  [&](const auto& row) { return normOf(row, p); });
            const std::vector<int64_t> to = reducedIndex(in.sizes, others);
            ir::HostTensor out = ir::HostTensor::zeros(in.dtype, in.sizes);
            for (int64_t i = 0; i < out.numel(); ++i) {
                const double norm = norms.get(to[static_cast<size_t>(i)]);
                out.set(i, norm > most ? in.get(i) * (most / (norm + 1e-7)) : in.get(i));
            }
            return oneValue(out);
        },
        [] {
            return std::vector<Sample>{good({f32({3, 4})}, {T(0), I(2), I(0), Arg(1.5)}),
                                       good({f64({2, 3, 2})}, {T(0), I(1), I(-1), Arg(0.5)})};
        },
        {"slices shortened to a norm", "y = x min(1, m / ||x||)", "torch.renorm"}));
}

} // namespace

std::vector<OpDef> normOps() {
    std::vector<OpDef> ops;
    OpDoc doc{"norm of vectors", "y = (sum of |x|^p over dim)^(1/p)", "torch.linalg.vector_norm"};
    ops.push_back(composed(
        "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        VjpRule{vjpOfFirst<vectorNormGradient>}, vectorNorm, vectorNormReference, vectorNormSamples,
        doc));
    addOverloads(
        ops, ops.back(),
        {"norm.ScalarOpt_dim(Tensor self, Scalar? p=None, int[1]? dim=None, bool keepdim=False, "
         "ScalarType? dtype=None) -> Tensor"});
    OpDoc any{"norm of vectors or matrices", "y = ||x||", "torch.linalg.norm"};
    OpDef named = composed(
        "norm.names(Tensor self, str p, int[1]? dim=None, bool keepdim=False, "
        "ScalarType? dtype=None) -> Tensor",
        anyNorm, anyNormReference,
        [] { return std::vector<Sample>{good({f64({3, 4})}, {T(0), Arg(std::string("fro"))})}; },
        any);
    ops.push_back(named);
    addOverloads(
        ops, named,
        {"linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor"});
    ops.back().samples = [] {
        return std::vector<Sample>{good({f64({3, 4})}, {T(0)}), good({f64({3, 4})}, {T(0), I(1)}),
                                   good({f64({4})}, {T(0), I(3)})};
    };
    addOverloads(
        ops, named,
        {"linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor"});
    addOverloads(
        ops, named,
        {"linalg_matrix_norm(Tensor self, Scalar ord, int[]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor"});
    ops.back().samples = [] {
        auto samples = matrixSamples();
        samples.erase(samples.begin());
        return samples;
    };
    addOverloads(ops, named,
                 {"linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[]? dim=None, bool "
                  "keepdim=False, *, "
                  "ScalarType? dtype=None) -> Tensor"});
    addDistances(ops);
    return ops;
}

} // namespace cutaway::ops
