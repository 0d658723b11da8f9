// SPDX-License-Identifier: Apache-2.0
// Norms of vectors and matrices by sums and extremes. Source: torch/_refs/linalg/__init__.py; where
// a norm is 0 the slope is 0, as in FunctionsManual.cpp (norm_backward).
#include "core/ir/dtype_words.h"
#include "core/ops/call_forms.h"
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/elementwise_tools.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/linear_algebra_tools.h"
#include "core/ops/lying.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <cmath>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

/// Argument \p i as wrapped dimensions; none given: all of them.
std::vector<int> dimsAt(const Operands& x, size_t i) {
    return orRefuse(dimList(x.call(), i, x.type(0).rank()));
}

/// Norms below 0 and those of extremes are of something.
void wantElements(const Value& of, double order, const std::vector<int>& dims) {
    if (order >= 0 && !std::isinf(order)) return;
    const bool whole = dims.size() == of.type().rank();
    for (int d : dims)
        if (of.type().sizes[static_cast<size_t>(d)].is(0))
            throwRefusal(base::userError(
                {}, fmt::format("linalg.vector_norm cannot compute the {} norm on {} the operation "
                                "does not have an identity",
                                order,
                                whole ? "an empty tensor because"
                                      : fmt::format("the dimension {}because this dimension is "
                                                    "empty and",
                                                    d))));
}

/// Of 16-bit numbers in float32, whose squares go further.
Formula vectorNorm(const Value& of, double order, const std::vector<int>& dims, bool keepdim) {
    const ir::DType dtype = of.type().dtype;
    if (ir::isHalf(dtype))
        return convert(vectorNorm(convert(of, ir::DType::Float32), order, dims, keepdim), dtype);
    const Value& x = of;
    Value size = abs(x);
    if (order == 0) return sum(where(ne(x, 0), 1, aten("detach", size)), dims, keepdim);
    if (order == 1) return sum(size, dims, keepdim);
    if (std::isinf(order)) return aten(order > 0 ? "amax" : "amin", size, dims, keepdim);
    Value total;
    if (order == 2) {
        total = sum(x * x, dims, keepdim);
    } else {
        // A power of 0 has no slope below 1: it is taken of 1 and left out.
        Value none = eq(size, 0);
        const double atZero = order > 0 ? 0 : static_cast<double>(INFINITY);
        total = sum(where(none, atZero, pow(where(none, 1, size), order)), dims, keepdim);
    }
    Value none = eq(total, 0);
    Value safe = where(none, 1, total);
    Value edge = pow(aten("detach", total), 1 / order);
    return where(none, edge, order == 2 ? sqrt(safe) : pow(safe, 1 / order));
}

/// Argument \p i, a dtype, has to take all that the operand holds.
void wantHolding(const Operands& x, size_t i) {
    const bool matrix = x.call().def.parsed.base == "linalg_matrix_norm";
    const auto refuse = [&](std::string why, ErrorClass as = ErrorClass::Runtime) {
        throwRefusal(
            base::userError({}, (matrix ? "linalg.matrix_norm: " : "linalg.vector_norm: ") + why)
                .as(as));
    };
    const ir::DType own = x.type(0).dtype;
    if (!ir::isFloating(own))
        refuse("Expected a floating point or complex tensor as input. Got " + ir::scalarType(own),
               ErrorClass::NotImplemented);
    if (!x.has(i)) return;
    const ir::DType dtype = x.call().dtype(i);
    if (ir::isComplex(dtype))
        refuse("dtype should be real for real inputs, but got " + ir::scalarType(dtype));
    if (!ir::isFloating(dtype))
        refuse("dtype should be floating point or complex, but got " + ir::scalarType(dtype));
    if (ir::promote(own, dtype) != dtype)
        refuse(fmt::format("the dtype of the input ({}) should be convertible without narrowing to "
                           "the specified dtype ({})",
                           ir::scalarType(own), ir::scalarType(dtype)));
}

Value input(const Operands& x, size_t i) {
    wantHolding(x, i);
    return x.has(i) ? Value(convert(x[0], x.call().dtype(i))) : x.tensor(0);
}

Results linalgVectorNorm(const Operands& x) {
    const double order = x.call().real(1);
    Value v = input(x, 4);
    const std::vector<int> dims = dimsAt(x, 2);
    if (x.type(0).rank() == 0) {
        Value one = reshape(v, {Sym(1)});
        return {vectorNorm(one, order, {0}, false)};
    }
    wantElements(v, order, dims);
    return {vectorNorm(v, order, dims, x.call().boolean(3))};
}

Results vectorNormOfAny(const Operands& x) {
    wantHolding(x, 4);
    return inFloat<linalgVectorNorm>(x);
}

/// With that operation's gradient.
Formula vectorNormOf(const Value& x, double order, const std::vector<int>& dims, bool keepdim) {
    return aten("linalg_vector_norm", x, order, dims, keepdim);
}

/// The largest, or smallest, sum along one of two dimensions.
Formula largestSum(const Value& x, int summed, int other, bool largest, bool keepdim) {
    Value sums = sum(abs(x), {summed}, true);
    Value norm = aten(largest ? "amax" : "amin", sums, std::vector<int>{other}, true);
    if (keepdim) return norm;
    return aten("squeeze.dims", norm, std::vector<int>{summed, other});
}

/// The largest, the smallest or the sum of the singular values.
Formula spectralNorm(const Value& x, const std::vector<int>& dims, const char* of, bool keepdim) {
    std::vector<int> order;
    const auto rank = static_cast<int>(x.type().rank());
    for (int d = 0; d < rank; ++d)
        if (d != dims[0] && d != dims[1]) order.push_back(d);
    order.insert(order.end(), dims.begin(), dims.end());
    Value values = matrixTask(formula::permute(x, order), "singular, values");
    Value norm = std::string_view(of) == "sum"
                     ? sum(values, {rank - 2})
                     : aten(of, values, std::vector<int>{rank - 2}, false);
    if (!keepdim) return norm;
    ir::Shape sizes = x.type().sizes;
    for (int d : dims)
        sizes[static_cast<size_t>(d)] = 1;
    return reshape(norm, sizes);
}

Formula matrixNorm(const Operands& x, const Value& v, double order, const std::vector<int>& dims,
                   bool keepdim) {
    if (std::fabs(order) == 1) return largestSum(v, dims[0], dims[1], order > 0, keepdim);
    if (std::isinf(order)) return largestSum(v, dims[1], dims[0], order > 0, keepdim);
    if (std::fabs(order) != 2)
        refuseCall(x, fmt::format("order {} is no matrix norm: expected 1, -1, 2, -2, inf, -inf, "
                                  "'fro' or 'nuc'",
                                  order));
    return spectralNorm(v, dims, order > 0 ? "amax" : "amin", keepdim);
}

/// Two dimensions in the order they are given.
std::vector<int> matrixDims(const Operands& x, size_t i) {
    std::vector<int> dims;
    const auto rank = static_cast<int64_t>(x.type(0).rank());
    for (int64_t dim : x.call().numbers(i)) {
        if (dim < -rank || dim >= rank)
            refuseCall(x, fmt::format("dimension {} is out of range for {} dimensions", dim, rank),
                       {}, ErrorClass::Index);
        dims.push_back(static_cast<int>(dim < 0 ? dim + rank : dim));
    }
    if (dims.size() != 2 || dims[0] == dims[1])
        refuseCall(x, "expected two different dimensions of matrices");
    return dims;
}

Results linalgMatrixNorm(const Operands& x) {
    Value v = input(x, 4);
    return {matrixNorm(x, v, x.call().real(1), matrixDims(x, 2), x.call().boolean(3))};
}
Results linalgMatrixNormWord(const Operands& x) {
    const std::string word = std::get<std::string>(x.node.args[1]);
    if (word == "nuc")
        return {spectralNorm(input(x, 4), matrixDims(x, 2), "sum", x.call().boolean(3))};
    if (word != "fro")
        refuseCall(x, fmt::format("expected the norm 'fro' or 'nuc', found '{}'", word));
    return {vectorNormOf(input(x, 4), 2, matrixDims(x, 2), x.call().boolean(3))};
}

Results linalgNorm(const Operands& x) {
    Value v = input(x, 4);
    const OpCall call = x.call();
    const bool keepdim = call.boolean(3);
    const size_t rank = v.type().rank();
    if (!x.has(1)) {
        if (x.has(2) || keepdim || rank == 0)
            return {rank == 0 ? Formula(abs(v)) : vectorNormOf(v, 2, dimsAt(x, 2), keepdim)};
        return {vectorNormOf(v, 2, allDims(rank), false)};
    }
    const double order = call.real(1);
    const std::vector<int> dims =
        x.has(2) && call.integers(2).size() == 2 ? matrixDims(x, 2) : dimsAt(x, 2);
    if (dims.size() == 2) return {matrixNorm(x, v, order, dims, keepdim)};
    if (dims.size() != 1)
        refuseCall(x, "an order is for vectors and matrices: give one or two dimensions");
    return {vectorNormOf(v, order, dims, keepdim)};
}
Results linalgNormWord(const Operands& x) {
    const std::string word = std::get<std::string>(x.node.args[1]);
    if (word != "fro" && word != "nuc")
        refuseCall(x, fmt::format("expected the norm 'fro' or 'nuc', found '{}'", word));
    std::vector<int> dims = dimsAt(x, 2);
    if (dims.size() != 2) refuseCall(x, "expected matrices");
    if (word == "nuc") return {spectralNorm(input(x, 4), dims, "sum", x.call().boolean(3))};
    return {vectorNormOf(input(x, 4), 2, dims, x.call().boolean(3))};
}

/// torch.norm: always of vectors.
Results norm(const Operands& x) {
    Value v = input(x, 4);
    double order = 2;
    if (const auto* word = std::get_if<std::string>(&x.node.args[1])) {
        if (*word != "fro" && *word != "nuc")
            refuseCall(x, fmt::format("expected the norm 'fro' or 'nuc', found '{}'", *word));
        if (*word == "nuc") {
            const std::vector<int> dims = dimsAt(x, 2);
            if (dims.size() != 2) refuseCall(x, "expected matrices");
            return {spectralNorm(v, dims, "sum", x.call().boolean(3))};
        }
    } else if (x.has(1)) {
        order = x.call().real(1);
    }
    const std::vector<int> dims = dimsAt(x, 2);
    if (v.type().rank() == 0) return {vectorNorm(reshape(v, {Sym(1)}), order, {0}, false)};
    wantElements(v, order, dims);
    return {vectorNorm(v, order, dims, x.call().boolean(3))};
}

/// Rows of a dimension whose norm is above a number are scaled down to it.
Results renorm(const Operands& x) {
    Value v = input(x, 9);
    const size_t dim = dimOf(x, 2, v.type().rank());
    std::vector<int> dims;
    for (size_t d = 0; d < v.type().rank(); ++d)
        if (d != dim) dims.push_back(static_cast<int>(d));
    if (dims.empty()) refuseCall(x, "expected at least 2 dimensions");
    Value norms = vectorNormOf(v, x.call().real(1), dims, true);
    const double most = x.call().real(3);
    Value scale = where(gt(norms, most), most / (norms + 1e-7), 1.0);
    return {v * scale};
}

/// The gradient of the norm \p norm of \p x, both with all dimensions (norm_backward,
/// FunctionsManual.cpp). Of order 0 there is none.
Formula normSlope(const Value& grad, const Value& x, const Value& norm, double p,
                  const std::vector<int>& dims) {
    if (p == 1) return sign(x) * grad;
    if (std::isinf(p)) { // of the extremes, and of each NaN, which has no sign
        Value mask = logicalOr(eq(asStored(abs(x)), asStored(norm)), aten("isnan", x));
        return sign(x) * (grad / sum(mask, dims, true) * mask);
    }
    Value none = eq(norm, 0), still = eq(x, 0);
    if (p == 2) return grad * where(none, 0, x / where(none, 1, norm));
    // A power of 0 below 1 is taken of 1 and left out.
    Value steep = sign(x) * where(still, 0, pow(where(still, 1, abs(x)), p - 1));
    if (p < 1) return steep * grad * pow(norm, 1 - p);
    return steep * where(none, 0, grad / pow(where(none, 1, norm), p - 1));
}
/// \param order, dims, dtype positions of the arguments
template <size_t order, size_t dims, size_t dtype> void normGradient(Vjp& v) {
    const double p = v.has(order) ? v.call().real(order) : 2;
    if (p == 0 || !v.wants(0)) return;
    const size_t rank = v.type(0).rank();
    std::vector<int> along = rank == 0 ? std::vector<int>{} : dimsAt(v, dims);
    const bool half = ir::isHalf(v.result.type().dtype);
    const auto wide = [&](Value x) -> Value {
        if (v.has(dtype)) x = convert(x, v.call().dtype(dtype));
        return half ? Value(convert(x, ir::DType::Float32)) : x;
    };
    Value grad = wide(v.grad), norm = wide(v.result), x = wide(v.tensor(0));
    if (rank > 0 && !v.call().boolean(dims + 1))
        for (int dim : along) {
            grad = unsqueeze(grad, dim);
            norm = unsqueeze(norm, dim);
        }
    v.set(0, normSlope(grad, x, norm, p, along));
}

void renormGradient(Vjp& v) {
    if (!v.wants(0)) return;
    const bool half = ir::isHalf(v.type(0).dtype);
    const auto wide = [&](const Value& x) -> Value {
        return half ? Value(convert(x, ir::DType::Float32)) : x;
    };
    Value x = wide(v.tensor(0)), grad = wide(v.grad);
    const double p = v.call().real(1), most = v.call().real(3);
    std::vector<int> dims;
    for (size_t d = 0, kept = dimOf(v, 2, x.type().rank()); d < x.type().rank(); ++d)
        if (d != kept) dims.push_back(static_cast<int>(d));
    Value norm = aten("linalg_vector_norm", x, p, dims, true);
    Value slope = normSlope(sum(x * grad, dims, true), x, norm, p, dims);
    Value inverse = 1 / (norm + 1e-7);
    v.set(0, where(gt(norm, most), most * inverse * (grad - inverse * slope), grad));
}

List orders(std::vector<Arg> behind) {
    List samples;
    for (double order : {0.0, 1.0, 2.0, 3.0, -1.0, static_cast<double>(INFINITY),
                         -static_cast<double>(INFINITY)}) {
        ir::ArgList args{T(0), Arg(order)};
        args.insert(args.end(), behind.begin(), behind.end());
        samples.push_back(good({f32({3, 4})}, args));
    }
    return samples;
}

void sayOutDTypes(const std::vector<OpDef>& ops) {
    outTakes(ops, {"linalg_vector_norm", "norm.ScalarOpt_dim_dtype", "renorm"}, OutDTypes::Same);
    outTakes(ops, {"linalg_norm", "linalg_norm.ord_str"}, OutDTypes::Same,
             "linalg.norm expected out tensor dtype {result} but got: {out}");
    outTakes(ops, {"linalg_matrix_norm", "linalg_matrix_norm.str_ord"}, OutDTypes::Same,
             "linalg.matrix_norm expected out tensor dtype {result} but got: {out}");
}

} // namespace

std::vector<OpDef> normOps() {
    std::vector<OpDef> ops;
    const OpDoc doc{"the size of a vector or matrix", "y = (sum |x|^p)^(1/p)", "torch.linalg.norm"};
    ops.push_back(saving(
        "self result",
        with<&Traits::refuses, Refuses::WholeNumbers>(withGradient(
            normGradient<1, 2, 4>,
            composite(
                "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? "
                "dim=None, bool keepdim=False, "
                "*, "
                "ScalarType? dtype=None) -> Tensor",
                vectorNormOfAny, [] { return orders({L({1}), Arg(false), none()}); }, doc)))));
    ops.push_back(composite(
        "linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        linalgMatrixNorm,
        [] {
            List samples;
            for (double order : {1.0, -1.0, static_cast<double>(INFINITY)})
                samples.push_back(good({f32({2, 3, 4})},
                                       {T(0), Arg(order), L({-2, -1}), Arg(order > 0), none()}));
            for (double order : {2.0, -2.0})
                samples.push_back(
                    good({f64({2, 3, 4})}, {T(0), Arg(order), L({2, 0}), Arg(order > 0), none()}));
            samples.push_back(bad({f32({2, 2})}, {T(0), Arg(3.0), L({0, 1}), Arg(false), none()},
                                  "linalg_matrix_norm: order 3 is no matrix norm: expected 1, -1, "
                                  "2, -2, inf, -inf, 'fro' or 'nuc'"));
            return samples;
        },
        doc));
    ops.push_back(composite(
        "linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2,-1], bool "
        "keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        linalgMatrixNormWord,
        [] {
            return List{good({f32({2, 3, 4})},
                             {T(0), Arg(std::string("fro")), L({-2, -1}), Arg(false), none()}),
                        good({f64({2, 3, 4})},
                             {T(0), Arg(std::string("nuc")), L({-2, -1}), Arg(true), none()})};
        },
        doc));
    ops.push_back(composite(
        "linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        linalgNorm,
        [] {
            return List{good({f32({2, 3})}, {T(0), none(), none(), Arg(false), none()}),
                        good({f32({2, 3})}, {T(0), Arg(3.0), L({1}), Arg(true), none()}),
                        good({f32({2, 3})}, {T(0), Arg(1.0), none(), Arg(false), none()})};
        },
        doc));
    ops.push_back(composite(
        "linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        linalgNormWord,
        [] {
            return List{
                good({f32({2, 3})}, {T(0), Arg(std::string("fro")), none(), Arg(false), none()})};
        },
        doc));
    ops.push_back(
        saving("self result",
               with<&Traits::refuses, Refuses::WholeNumbers>(withGradient(
                   normGradient<1, 2, 4>,
                   composite(
                       "norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p=2, int[1]? dim=None, bool "
                       "keepdim=False, "
                       "*, ScalarType? dtype=None) -> Tensor",
                       norm,
                       [] {
                           return List{good({f32({2, 3})}, {T(0), Arg(2.0), L({1}), Arg(true),
                                                            Arg(ir::DType::Float32)}),
                                       good({f32({2, 3})}, {T(0), Arg(1.5), L({0, 1}), Arg(false),
                                                            Arg(ir::DType::Float32)})};
                       },
                       doc)))));
    ops.push_back(internal(saving(
        "self result",
        with<&Traits::refuses, Refuses::WholeNumbers>(composite(
            "norm.word(Tensor self, str p, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
            "dtype=None) -> Tensor",
            norm,
            [] {
                return List{bad({f32({3, 4})}, {T(0), Arg(std::string("sum"))},
                                "norm: expected the norm 'fro' or 'nuc', found 'sum'")};
            },
            doc)))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(lying<rowMajor>(withGradient(
        renormGradient,
        composite("renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", renorm,
                  [] {
                      return List{good({f32({3, 4})}, {T(0), Arg(2.0), I(0), Arg(1.5)}),
                                  good({f32({3, 4})}, {T(0), Arg(1.0), I(-1), Arg(0.5)})};
                  },
                  {"rows no longer than a number", "y[i] = x[i] min(1, maxnorm / |x[i]|_p)",
                   "torch.renorm"})))));
    sayOutDTypes(ops);
    return ops;
}

} // namespace cutaway::ops
