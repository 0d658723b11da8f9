// SPDX-License-Identifier: Apache-2.0
// Gradients of products and of running products: by quotients, past zeros by the products without
// them (torch/csrc/autograd/FunctionsManual.cpp: prod_backward, cumprod_backward). Their own
// gradients are of the products without one element, which are smooth where an element is zero.
#include "core/ops/call_forms.h"
#include "core/ops/composed.h"
#include "core/ops/composite.h"
#include "core/ops/row_reference.h"
#include "core/ops/sample_tools.h"
#include "core/ops/scan_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

/// Argument 2, a dimension of \p rank.
int wantDim(const Operands& in, size_t rank) {
    auto dim = in.call().dim(2, rank);
    if (!dim.ok()) throwRefusal(std::move(dim.error()));
    return *dim;
}

/// The sizes of argument 0, the gradient; whatever sizes one element has.
void wantSizes(const Operands& in, const ir::Shape& sizes) {
    const ir::TensorType& grad = in.type(0);
    const bool one = grad.numel().is(1) && productOf(sizes).is(1);
    if (!one && !in.b.same(grad.sizes, sizes))
        refuseComposed(in.call(), fmt::format("expected a gradient of {}, found {}", ir::str(sizes),
                                              ir::str(grad.sizes)));
}

// --- of running products ---

/// Before the first zero of a row as a quotient; at it, the products without it; zero from there on.
Results cumprodBackward(const Operands& in) {
    const Value grad = in.tensor(0), x = in.tensor(1);
    const int dim = wantDim(in, x.type().rank());
    wantSizes(in, x.type().sizes);
    if (x.type().rank() == 0) return {grad};
    const bool backwards = in.call().boolean(3);
    const Value products = running(x, dim, "product", backwards), isZero = eq(x, 0);
    Value zeros = running(convert(isZero, ir::DType::Int64), dim, "sum", backwards);
    Value none = eq(zeros, 0), one = eq(zeros, 1), first = logicalAnd(isZero, one);
    Value quotient =
        running(where(none, grad * products, 0), dim, "sum", !backwards) / where(none, x, 1);
    Value without = running(where(first, 1, x), dim, "product", backwards);
    Value at = running(where(one, grad * without, 0), dim, "sum", !backwards);
    return {where(none, quotient, where(first, at, 0))};
}

/// The result is sum_k grad[k] products[i, k], with the products of the row up to k without element
/// i; these have elements by n for a row of n elements.
void cumprodBackwardVjp(Vjp& v) {
    const ir::TensorType type = v.type(1);
    const int dim = *v.call().dim(2, type.rank()), next = dim + 1;
    const bool backwards = v.call().boolean(3);
    const ir::Sym& n = type.sizes[static_cast<size_t>(dim)];
    ir::Shape rowSizes(type.rank() + 1 - static_cast<size_t>(dim), ir::Sym(1)),
        columnSizes = rowSizes;
    rowSizes[0] = columnSizes[1] = n;
    Value place = positions(v.b, n, type.device);
    Value row = reshape(place, rowSizes), column = reshape(place, columnSizes);
    Value same = eq(row, column), reached = backwards ? le(column, row) : ge(column, row);
    Value factors = where(same, 1, unsqueeze(v[1], dim));
    Value seed = unsqueeze(v.grad, next);
    if (v.wants(0)) {
        Value products = where(reached, running(factors, next, "product", backwards), 0);
        v.set(0, sum(seed * products, {dim}));
    }
    if (v.wants(1)) {
        Value weights = where(reached, seed * unsqueeze(v[0], dim), 0);
        Value slopes = aten("_cumprod_backward", weights, factors, next, backwards);
        v.set(1, sum(where(same, 0, slopes), {dim}));
    }
}

std::vector<std::vector<double>> rowsOf(const ir::HostTensor& in, int dim) {
    std::vector<std::vector<double>> rows;
    mapRows(in, dim, in.dtype, [&](const std::vector<double>& row) {
        rows.push_back(row);
        return row;
    });
    return rows;
}

Values cumprodBackwardReference(const OpCall& call, Tensors tensors) {
    const int dim = hostDim(call, 2, tensors[1]->sizes.size());
    const bool backwards = call.boolean(3);
    const auto grads = rowsOf(*tensors[0], dim);
    auto grad = grads.begin();
    return oneValue(mapRows(*tensors[1], dim, outDType(call), [&](const std::vector<double>& row) {
        const size_t n = row.size();
        std::vector<double> slopes(n);
        const auto at = [&](size_t k) { return backwards ? n - 1 - k : k; };
        for (size_t i = 0; i < n; ++i) {
            double product = 1;
            for (size_t k = 0; k < n; ++k) {
                if (k != i) product *= row[at(k)];
                if (k >= i) slopes[at(i)] += (*grad)[at(k)] * product;
            }
        }
        ++grad;
        return slopes;
    }));
}

// --- of products ---

/// The product of the others, without dividing by zeros: rows with one zero keep a gradient there.
/// A product of all that has several has none, not even of a NaN.
Results prodBackward(const Operands& in) {
    const Value grad = in.tensor(0), x = in.tensor(1);
    std::vector<int> dims;
    const size_t rank = x.type().rank();
    const int given = in.has(2) ? wantDim(in, rank) : 0;
    if (in.has(2) && rank > 0)
        dims.push_back(given);
    else
        dims = allDims(rank);
    ir::Shape reduced = x.type().sizes;
    for (int dim : dims)
        reduced[static_cast<size_t>(dim)] = 1;
    wantSizes(in, reduced);
    Value zero = eq(x, 0), zeros = sum(zero, dims, true), nonZero = where(zero, 1, x);
    Value all = nonZero;
    for (int dim : dims)
        all = aten("prod.dim_int", all, dim, true);
    Value others = all / nonZero, none = eq(zeros, 0), single = eq(zeros, 1);
    Value counts = logicalOr(none, logicalAnd(single, zero));
    if (!in.has(2)) return {where(gt(zeros, 1), 0, grad * where(counts, others, 0))};
    return {grad * where(counts, others, 0)};
}

/// Of grad times the product of the elements before and of those after.
void prodBackwardVjp(Vjp& v) {
    const ir::TensorType type = v.type(1);
    const bool all = !v.has(2);
    const int dim = all ? 0 : *v.call().dim(2, type.rank());
    Value x = v[1], grad = v[0], seed = v.grad;
    if (all) {
        x = reshape(x, {type.numel()});
        seed = reshape(seed, {type.numel()});
        grad = reshape(grad, {ir::Sym(1)});
    }
    const int64_t n = v.call().number(x.type().sizes[static_cast<size_t>(dim)]);
    if (n == 0) return;
    ir::Shape one = x.type().sizes;
    one[static_cast<size_t>(dim)] = 1;
    // Moved by one place: to the element after, or to the one before.
    const auto moved = [&](const Value& each, int edge, bool backwards) -> Formula {
        Value rim = full(v.b, one, edge, each.type());
        return backwards ? joined({part(each, dim, 1, n), rim}, dim)
                         : joined({rim, part(each, dim, 0, n - 1)}, dim);
    };
    Value before = moved(running(x, dim, "product", false), 1, false);
    Value after = moved(running(x, dim, "product", true), 1, true);
    if (v.wants(0)) v.set(0, reshape(sum(seed * before * after, {dim}, true), v.type(0).sizes));
    if (v.wants(1)) {
        Value weights = seed * grad;
        Value left = moved(weights * after, 0, true), right = moved(weights * before, 0, false);
        v.set(1, reshape(aten("_cumprod_backward", left, x, dim, false) +
                             aten("_cumprod_backward", right, x, dim, true),
                         type.sizes));
    }
}

Values prodBackwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& x = *tensors[1];
    std::vector<int> dims = allDims(x.sizes.size());
    if (call.has(2)) dims = {hostDim(call, 2, x.sizes.size())};
    const std::vector<int64_t> to = reducedIndex(x.sizes, dims);
    ir::HostTensor out = ir::HostTensor::zeros(outDType(call), x.sizes);
    for (size_t i = 0; i < to.size(); ++i) {
        double product = tensors[0]->get(to[i]);
        for (size_t k = 0; k < to.size(); ++k)
            if (k != i && to[k] == to[i]) product *= x.get(static_cast<int64_t>(k));
        out.set(static_cast<int64_t>(i), product);
    }
    return oneValue(std::move(out));
}

} // namespace

void addProductGradients(std::vector<OpDef>& ops) {
    ops.push_back(internal(composed(
        "_cumprod_backward(Tensor grad, Tensor self, int dim, bool backwards) -> Tensor",
        VjpRule{cumprodBackwardVjp}, cumprodBackward, cumprodBackwardReference,
        [] {
            const SampleTensor row = f64({5}, 0.5, 2), rows = f64({2, 4, 3}, 0.5, 2);
            return std::vector<Sample>{good({row, row}, {T(0), T(1), I(0), Arg(false)}),
                                       good({row, row}, {T(0), T(1), I(0), Arg(true)}),
                                       good({rows, rows}, {T(0), T(1), I(1), Arg(false)}),
                                       good({rows, rows}, {T(0), T(1), I(2), Arg(true)})};
        },
        {"the gradient of cumprod",
         "y[i] = sum over k >= i of g[k] product of x[j], j <= k, j != i", "torch.cumprod"})));
    ops.push_back(internal(composed(
        "_prod_backward(Tensor grad, Tensor self, int? dim) -> Tensor", VjpRule{prodBackwardVjp},
        prodBackward, prodBackwardReference,
        [] {
            const SampleTensor rows = f64({2, 4, 3}, 0.5, 2);
            return std::vector<Sample>{good({f64({2, 1, 3}), rows}, {T(0), T(1), I(1)}),
                                       good({f64({1, 1, 1}), rows}, {T(0), T(1), none()}),
                                       good({f64({}), f64({})}, {T(0), T(1), none()}),
                                       good({f64({1, 3}), f64({1, 3})}, {T(0), T(1), I(0)})};
        },
        {"the gradient of prod", "y[i] = g product of x[j], j != i", "torch.prod"})));
}

} // namespace cutaway::ops
