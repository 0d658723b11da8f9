// SPDX-License-Identifier: Apache-2.0
// Products of vectors and matrices by mm, bmm and sums. Source: ATen/native/LinearAlgebra.cpp.
#include "core/ops/call_forms.h"
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/lying.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

void wantRank(const Operands& x, size_t i, size_t rank) {
    if (x.type(i).rank() != rank)
        refuseCall(x, fmt::format("expected {} of {} dimension{}, found shape {}",
                                  x.call().def.parsed.args[i].name, rank, rank == 1 ? "" : "s",
                                  ir::str(x.type(i).sizes)));
}

Results dot(const Operands& x) {
    wantRank(x, 0, 1);
    wantRank(x, 1, 1);
    if (!x.call().same(x.type(0).sizes, x.type(1).sizes))
        refuseCall(x, fmt::format("vectors of {} and {} elements", x.type(0).sizes[0].str(),
                                  x.type(1).sizes[0].str()));
    if (x.type(0).dtype != x.type(1).dtype)
        refuseCall(x, fmt::format("expected one dtype, found {} and {}", ir::name(x.type(0).dtype),
                                  ir::name(x.type(1).dtype)));
    Value products = x[0] * x[1];
    const ir::DType dtype = x.type(0).dtype;
    return {ir::isIntegral(dtype) ? aten("sum", products, dtype) : sum(products)};
}

/// Along the last dimensions: inner(a, b)[i.., j..] = sum_k a[i.., k] b[j.., k]
Results inner(const Operands& x) {
    const TensorType a = x.type(0), b = x.type(1);
    if (a.rank() == 0 || b.rank() == 0) return {x[0] * x[1]};
    if (!x.call().same(a.sizes.back(), b.sizes.back()))
        refuseCall(x, fmt::format("last dimensions of {} and {} differ", ir::str(a.sizes),
                                  ir::str(b.sizes)));
    const int dims = static_cast<int>(b.rank()) - 1;
    return {aten("tensordot", x[0], x[1], std::vector<int>{static_cast<int>(a.rank()) - 1},
                 std::vector<int>{dims})};
}

Results mv(const Operands& x) {
    wantRank(x, 0, 2);
    wantRank(x, 1, 1);
    return {squeeze(aten("mm", x[0], unsqueeze(x[1], 1)), -1)};
}

void mvGradient(Vjp& v) {
    v.set(0, unsqueeze(v.grad, 1) * v[1]);
    v.set(1, aten("mv", aten("t", v[0]), v.grad));
}

/// beta self + alpha product; a beta of 0 does not read self.
Results scaledSum(const Operands& x, const Value& self, const Value& product, size_t beta,
                  std::optional<size_t> alpha) {
    const OpCall call = x.call();
    const bool whole = !ir::isFloating(product.type().dtype);
    auto times = [&](const Formula& v, size_t i) {
        // Integers are multiplied with whole numbers: 2.7 counts for 2, as in PyTorch.
        const double factor = whole ? std::trunc(call.real(i)) : call.real(i);
        if (factor == 1) return v;
        return whole ? v * static_cast<int64_t>(factor) : v * factor;
    };
    Value scaled = alpha ? Value(times(product, *alpha)) : product;
    if ((whole ? std::trunc(call.real(beta)) : call.real(beta)) == 0)
        return {flatIn(x.b, self, scaled)};
    const Shape sizes = product.type().sizes;
    return {times(expand(self, sizes), beta) + scaled};
}

void wantOneDType(const Operands& x) {
    for (size_t i : {1, 2})
        if (x.type(i).dtype != x.type(0).dtype)
            refuseCall(x, fmt::format("expected operands of one dtype, found {}, {} and {}",
                                      ir::name(x.type(0).dtype), ir::name(x.type(1).dtype),
                                      ir::name(x.type(2).dtype)));
}

/// beta self + alpha product(a, b). 16 bits may hold alpha times a product and not the product: a
/// processor adds up in float32, a GPU takes a factor below 1 first.
template <class Product> Results sumWithProduct(const Operands& x, Product product) {
    wantOneDType(x);
    const ir::DType dtype = x.type(1).dtype;
    const double alpha = x.call().real(4);
    if (!ir::isHalf(dtype) || alpha == 1)
        return scaledSum(x, x[0], product(x.tensor(1), x.tensor(2)), 3, 4);
    if (x.type(1).device.isCuda()) {
        const bool first = std::abs(alpha) < 1;
        Value a = first ? Value(x[1] * alpha) : x.tensor(1);
        return scaledSum(x, x[0], product(a, x.tensor(2)), 3,
                         first ? std::nullopt : std::optional<size_t>(4));
    }
    const auto wide = [&](size_t i) { return Value(convert(x[i], ir::DType::Float32)); };
    Value self = wide(0), a = wide(1), b = wide(2);
    return {convert(Value(x.b, scaledSum(x, self, product(a, b), 3, 4)[0]), dtype)};
}

Results addmv(const Operands& x) {
    wantRank(x, 1, 2);
    wantRank(x, 2, 1);
    return sumWithProduct(x,
                          [](const Value& a, const Value& b) { return Value(aten("mv", a, b)); });
}
Results addmm(const Operands& x) {
    return sumWithProduct(x,
                          [](const Value& a, const Value& b) { return Value(aten("mm", a, b)); });
}
Results addmmAlpha(const Operands& x) {
    return {aten("addmm.scaled", x[0], x[1], x[2], 1, x[3])};
}
Results baddbmm(const Operands& x) {
    return sumWithProduct(x,
                          [](const Value& a, const Value& b) { return Value(aten("bmm", a, b)); });
}
Results addbmm(const Operands& x) {
    return sumWithProduct(x, [](const Value& a, const Value& b) -> Value {
        Value products = aten("bmm", a, b);
        const ir::DType dtype = a.type().dtype;
        if (!ir::isIntegral(dtype)) return sum(products, {0});
        return aten("sum.dim_IntList", products, std::vector<int>{0}, false, dtype);
    });
}
Results addr(const Operands& x) {
    wantRank(x, 1, 1);
    wantRank(x, 2, 1);
    const ir::DType dtype = resultDType(x.call(), {0, 1, 2});
    Value self = convert(x[0], dtype), left = convert(x[1], dtype), right = convert(x[2], dtype);
    for (size_t i : {3, 4}) {
        const auto* number = std::get_if<double>(&x.node.args[i]);
        if (number && !ir::isFloating(dtype))
            refuseCall(x, fmt::format("For integral input tensors, argument {} must not be a "
                                      "floating point number.",
                                      x.call().def.parsed.args[i].name));
    }
    Value product = unsqueeze(left, 1) * unsqueeze(right, 0);
    if (dtype != ir::DType::Bool) return scaledSum(x, self, product, 3, 4);
    if (x.call().real(4) == 0) product = aten("zeros_like", product);
    if (x.call().real(3) == 0) return {formula::expand(product, product.type().sizes)};
    return {formula::logicalOr(x[0], product)};
}

/// Dimensions doubled up, one after the other, then joined two by two.
Results kron(const Operands& x) {
    const size_t rank = std::max(x.type(0).rank(), x.type(1).rank());
    Shape left, right, sizes;
    for (size_t d = 0; d < rank; ++d) {
        auto sizeOf = [&](size_t i) {
            const Shape& from = x.type(i).sizes;
            const size_t leading = rank - from.size();
            return d < leading ? Sym(1) : from[d - leading];
        };
        left.insert(left.end(), {sizeOf(0), Sym(1)});
        right.insert(right.end(), {Sym(1), sizeOf(1)});
        sizes.push_back(sizeOf(0) * sizeOf(1));
    }
    const Value product = reshape(x[0], left) * reshape(x[1], right);
    if (!product.type().isContiguous()) return {reshape(product, sizes)}; // PyTorch 2.15 refuses it
    return {aten("_unsafe_view", product, sizes)};
}

Results crossOf(const Operands& x, size_t dim) {
    const Shape sizes = orRefuse(broadcast(x.call(), x.type(0).sizes, x.type(1).sizes));
    if (sizes.empty() || !x.b.same(sizes[dim], Sym(3)))
        refuseCall(x,
                   fmt::format("expected a dimension {} of size 3, found {}", dim, ir::str(sizes)));
    if (x.type(0).dtype != x.type(1).dtype)
        refuseCall(x, fmt::format("expected scalar type {} but found {}", ir::name(x.type(0).dtype),
                                  ir::name(x.type(1).dtype)));
    Value a = expand(x[0], sizes), b = expand(x[1], sizes);
    auto turned = [&](const Value& v, int64_t by) {
        return aten("roll", v, ir::ArgList{intArg(by)},
                    ir::ArgList{intArg(static_cast<int64_t>(dim))});
    };
    return {turned(a, -1) * turned(b, -2) - turned(a, -2) * turned(b, -1)};
}
Results linalgCross(const Operands& x) {
    if (x.type(0).rank() != x.type(1).rank())
        refuseCall(x, fmt::format("expected the same number of dimensions, found shapes {} and {}",
                                  ir::str(x.type(0).sizes), ir::str(x.type(1).sizes)));
    return crossOf(x, dimOf(x, 2, x.type(0).rank()));
}
Results cross(const Operands& x) {
    if (x.has(2)) return crossOf(x, dimOf(x, 2, x.type(0).rank()));
    const Shape& sizes = x.type(0).sizes;
    size_t dim = 0;
    while (dim < sizes.size() && !x.b.same(sizes[dim], Sym(3)))
        ++dim;
    if (dim == sizes.size()) refuseCall(x, "no dimension of size 3 in input");
    return crossOf(x, dim);
}

Results vecdot(const Operands& x) {
    const Shape sizes = orRefuse(broadcast(x.call(), x.type(0).sizes, x.type(1).sizes));
    if (sizes.empty()) refuseCall(x, "expected at least 1 dimension");
    const int dim = static_cast<int>(dimOf(x, 2, sizes.size()));
    return {sum(x[0] * x[1], {dim})};
}

/// By squarings.
Results matrixPower(const Operands& x) {
    const TensorType self = x.type(0);
    const int64_t n = x.call().number(1);
    if (self.rank() < 2 || !x.call().same(self.sizes.back(), self.sizes[self.rank() - 2]))
        refuseCall(x, fmt::format("expected square matrices, found shape {}", ir::str(self.sizes)));
    if (n == 0) {
        // The result does not depend on the values of x; its slope is 0.
        TensorType truth = self;
        truth.dtype = ir::DType::Bool;
        Value one = full(x.b, {self.sizes.back()}, 1, self);
        return {where(full(x.b, self.sizes, true, truth), aten("diag_embed", one), x[0])};
    }
    if (n == 1) return {aten("clone", x[0])};
    Value square = n < 0 ? Value(aten("linalg_inv", x[0])) : x.tensor(0), result;
    uint64_t rest = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
    for (; rest > 0; rest /= 2) {
        if (rest % 2 == 1) result = result.valid() ? Value(aten("matmul", result, square)) : square;
        if (rest > 1) square = aten("matmul", square, square);
    }
    return {result};
}

/// The cheapest order of a chain, by the number of multiplications.
Results multiDot(const Operands& x) {
    std::vector<Value> m = listOf(x, 0);
    const size_t n = m.size();
    if (n < 1 || (n < 2 && x.node.op != "chain_matmul"))
        refuseCall(x, fmt::format("expected at least 2 tensors, found {}", n));
    const bool row = m[0].type().rank() == 1, column = m[n - 1].type().rank() == 1;
    if (row) m[0] = unsqueeze(m[0], 0);
    if (column) m[n - 1] = unsqueeze(m[n - 1], 1);
    const OpCall call = x.call();
    std::vector<double> sizes;
    for (size_t i = 0; i < n; ++i) {
        const Shape& shape = m[i].type().sizes;
        if (shape.size() != 2)
            refuseCall(x, fmt::format("expected matrices, found shape {}", ir::str(shape)));
        if (i > 0 && !call.same(m[i - 1].type().sizes[1], shape[0]))
            refuseCall(x, fmt::format("shapes {} and {} do not follow each other",
                                      ir::str(m[i - 1].type().sizes), ir::str(shape)));
        sizes.push_back(static_cast<double>(call.number(shape[0])));
    }
    sizes.push_back(static_cast<double>(call.number(m[n - 1].type().sizes[1])));
    std::vector<std::vector<double>> cost(n, std::vector<double>(n));
    std::vector<std::vector<size_t>> cut(n, std::vector<size_t>(n));
    for (size_t length = 1; length < n; ++length)
        for (size_t i = 0; i + length < n; ++i) {
            const size_t j = i + length;
            cost[i][j] = INFINITY;
            for (size_t k = i; k < j; ++k) {
                const double c =
                    cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1];
                if (c < cost[i][j]) {
                    cost[i][j] = c;
                    cut[i][j] = k;
                }
            }
        }
    auto product = [&](auto&& self, size_t i, size_t j) -> Value {
        if (i == j) return m[i];
        Value left = self(self, i, cut[i][j]), right = self(self, cut[i][j] + 1, j);
        return aten("mm", left, right);
    };
    Value result = product(product, 0, n - 1);
    if (column) result = squeeze(result, -1);
    if (row) result = squeeze(result, column ? -1 : 0);
    return {n == 1 ? Value(aten("clone", result)) : result};
}

// --- records ---

Arg tensorList(uint32_t count) {
    ir::ArgList list;
    for (uint32_t k = 0; k < count; ++k)
        list.push_back(T(k));
    return Arg(list);
}

void addVectors(std::vector<OpDef>& ops) {
    const OpDoc doc{"sum of the products of two vectors' elements", "y = sum_k a_k b_k",
                    "torch.dot"};
    auto vectors = [] {
        return List{good({f32({3}), f32({3})}, {T(0), T(1)}),
                    forwardOnly({i64({3}), i64({3})}, {T(0), T(1)})};
    };
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(
        composite("dot(Tensor self, Tensor tensor) -> Tensor", dot, vectors, doc)));
    ops.push_back(composite("vdot(Tensor self, Tensor other) -> Tensor", dot, vectors, doc));
    ops.push_back(composite("inner(Tensor self, Tensor other) -> Tensor", inner,
                            [] {
                                return List{good({f32({2, 3}), f32({4, 3})}, {T(0), T(1)}),
                                            good({f32({2, 3}), f32({3})}, {T(0), T(1)}),
                                            good({f32({}), f32({3})}, {T(0), T(1)})};
                            },
                            {"products summed along the last dimensions",
                             "y[i, j] = sum_k a[i, k] b[j, k]", "torch.inner"}));
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(withGradient(
        VjpRule{mvGradient},
        composite("mv(Tensor self, Tensor vec) -> Tensor", mv,
                  [] {
                      return List{good({f32({2, 3}), f32({3})}, {T(0), T(1)}),
                                  bad({f32({2}), f32({2})}, {T(0), T(1)},
                                      "mv: expected self of 2 dimensions, found shape [2]")};
                  },
                  {"a matrix times a vector", "y_i = sum_k a[i, k] b_k", "torch.mv"}))));
    ops.push_back(composite(
        "linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", vecdot,
        [] { return List{good({f32({2, 3}), f32({3})}, {T(0), T(1), I(-1)})}; }, doc));
    const OpDoc crossed{"cross products of vectors of three elements",
                        "y_0 = a_1 b_2 - a_2 b_1, and so on", "torch.linalg.cross"};
    ops.push_back(saving(
        "self other",
        composite(
            "linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", linalgCross,
            [] {
                return List{good({f32({2, 3}), f32({1, 3})}, {T(0), T(1), I(-1)}),
                            bad({f32({2}), f32({2})}, {T(0), T(1), I(0)},
                                "linalg_cross: expected a dimension 0 of size 3, found [2]")};
            },
            crossed)));
    ops.push_back(saving(
        "self other",
        composite(
            "cross(Tensor self, Tensor other, int? dim=None) -> Tensor", cross,
            [] { return List{good({f32({2, 3}), f32({2, 3})}, {T(0), T(1), none()})}; }, crossed)));
    ops.push_back(composite("kron(Tensor self, Tensor other) -> Tensor", kron,
                            [] {
                                return List{good({f32({2, 3}), f32({2, 2})}, {T(0), T(1)}),
                                            good({f32({2}), f32({3, 2})}, {T(0), T(1)})};
                            },
                            {"every product of two elements, in blocks",
                             "y[i m + k, j n + l] = a[i, j] b[k, l]", "torch.kron"}));
}

void addScaled(std::vector<OpDef>& ops) {
    const OpDoc doc{"a sum of a tensor and a product, each with a factor",
                    "y = beta self + alpha (a b)", "torch.addmm"};
    auto add = [&](std::string_view schema, DecomposeRule rule, Samples samples,
                   Refuses refuses = Refuses::Nothing) {
        ops.push_back(lying<rowMajor>(composite(schema, rule, samples, doc)));
        ops.back().traits.refuses = refuses;
        if (schema.starts_with("addmm.")) internal(ops.back()); // PyTorch has one addmm
    };
    // addmm itself is the library's product with a bias; a call that gives factors is one of these,
    // which come before it.
    add(
        "addmm.scaled(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta, Scalar alpha=1) -> "
        "Tensor",
        addmm,
        [] {
            return List{
                good({f32({4}), f32({2, 3}), f32({3, 4})}, {T(0), T(1), T(2), Arg(0.5), I(2)})};
        },
        Refuses::SeveralBools);
    add(
        "addmm.alpha(Tensor self, Tensor mat1, Tensor mat2, *, Scalar alpha) -> Tensor", addmmAlpha,
        [] {
            return List{good({f32({4}), f32({2, 3}), f32({3, 4})}, {T(0), T(1), T(2), Arg(0.5)})};
        },
        Refuses::SeveralBools);
    add(
        "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
        addmv,
        [] {
            return List{good({f32({2}), f32({2, 3}), f32({3})}, {T(0), T(1), T(2), Arg(0.5), I(2)}),
                        good({f32({}), f32({2, 3}), f32({3})}, {T(0), T(1), T(2), I(0), I(1)})};
        },
        Refuses::SeveralBools);
    add("addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
        addr, [] {
            return List{good({f32({3}), f32({2}), f32({3})}, {T(0), T(1), T(2), Arg(0.5), I(2)})};
        });
    ops.back() = lying<likeFirst>(std::move(ops.back())); // elementwise in PyTorch
    add(
        "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
        "Tensor",
        baddbmm,
        [] {
            return List{
                good({f32({2, 1, 4}), f32({2, 2, 3}), f32({2, 3, 4})},
                     {T(0), T(1), T(2), Arg(0.5), I(2)}),
                good({f32({4}), f32({2, 2, 3}), f32({2, 3, 4})}, {T(0), T(1), T(2), I(1), I(1)})};
        },
        Refuses::SeveralBools);
    add(
        "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
        "Tensor",
        addbmm,
        [] {
            return List{good({f32({2, 4}), f32({2, 2, 3}), f32({2, 3, 4})},
                             {T(0), T(1), T(2), Arg(0.5), I(2)})};
        },
        Refuses::SeveralBools);
}

void addChains(std::vector<OpDef>& ops) {
    const OpDoc doc{"a chain of matrix products in the cheapest order", "y = a b c ..",
                    "torch.linalg.multi_dot"};
    auto chain = [] {
        return List{good({f32({2, 3}), f32({3, 4}), f32({4, 1})}, {tensorList(3)}),
                    bad({f32({2, 3}), f32({2, 3})}, {tensorList(2)},
                        "linalg_multi_dot: shapes [2, 3] and [2, 3] do not follow each other")};
    };
    ops.push_back(composite("linalg_multi_dot(Tensor[] tensors) -> Tensor", multiDot, chain, doc));
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "chain_matmul(Tensor[] matrices) -> Tensor", multiDot,
        [] { return List{good({f32({2, 3}), f32({3, 4})}, {tensorList(2)})}; }, doc)));
    const OpDoc power{"a matrix multiplied with itself", "y = x x .. x",
                      "torch.linalg.matrix_power"};
    auto powers = [] {
        List samples;
        for (int64_t n : {0, 1, 2, 5})
            samples.push_back(good({f32({2, 3, 3}, -1, 1)}, {T(0), I(n)}));
        return samples;
    };
    ops.push_back(lying<rowMajor>(
        composite("matrix_power(Tensor self, int n) -> Tensor", matrixPower, powers, power)));
    ops.push_back(lying<rowMajor>(composite("linalg_matrix_power(Tensor self, int n) -> Tensor",
                                            matrixPower, powers, power)));
}

} // namespace

std::vector<OpDef> productOps() {
    std::vector<OpDef> ops;
    addVectors(ops);
    addScaled(ops);
    addChains(ops);
    outTakes(ops, {"inner", "kron", "addr"}, OutDTypes::Cast);
    return ops;
}

} // namespace cutaway::ops
