// SPDX-License-Identifier: Apache-2.0
// What is made of factors that have been computed, and further factorizations. Source:
// aten/src/ATen/native/BatchLinearAlgebra.cpp, torch/_linalg_utils.
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/linear_algebra_tools.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using List = std::vector<Sample>;
constexpr const char* kSource = "torch.linalg";

Value nothing(const Operands& x) {
    return full(x.b, {ir::Sym(0)}, 0.0, x.type(0));
}

// --- L U ---

/// P from LAPACK's pivots [.., k], of \p rowCount rows, in the dtype of operand 0.
Value permutationOf(const Operands& x, const Value& pivots, const ir::Sym& rowCount) {
    const DType dtype = x.type(0).dtype;
    ir::Shape sizes = pivots.type().sizes;
    if (sizes.empty())
        refuseCall(x, "expected a row of pivots for each matrix, found a number", {},
                   ErrorClass::Value);
    sizes.insert(sizes.end() - 1, rowCount);
    Value spread = expand(columns(convert(pivots, dtype)), sizes);
    return permutation(x, Parts(matrixTask(spread, "places")).next({rowCount}), dtype);
}
Results luUnpack(const Operands& x) {
    wantMatrices(x, 0, false);
    Value p = nothing(x), l = nothing(x), u = nothing(x);
    if (!x.has(3) || flag(x, 3)) p = permutationOf(x, x.tensor(1), MatrixSizes(x.type(0)).rows);
    if (!x.has(2) || flag(x, 2)) {
        Triangles both = trianglesOf(x, x.tensor(0));
        l = both.lower;
        u = both.upper;
    }
    return {p, l, u};
}
Value luSolution(const Operands& x, Value lu, const Value& pivots, Value b, bool left,
                 bool adjoint) {
    if (!left) {
        b = mT(b);
        adjoint = !adjoint;
    }
    Value p = permutationOf(x, pivots, MatrixSizes(lu.type()).rows);
    broadcastBatches(x, lu, b);
    Value solution;
    if (adjoint) {
        Value half = triangularSolve(mT(lu), b, false);
        solution = mm(p, triangularSolve(mT(lu), half, true, true));
    } else {
        Value half = triangularSolve(lu, mm(mT(p), b), false, true);
        solution = triangularSolve(lu, half, true);
    }
    return left ? solution : Value(mT(solution));
}
/// X A = B is solved as A^T X^T = B^T.
Shape solvedFromLeft(const OpCall& call, const TensorType& result) {
    const bool left = !call.has(3) || call.boolean(3);
    return left ? byColumns(call, result) : rowMajor(call, result);
}
Results luSolve(const Operands& x) {
    wantMatrices(x, 0, true);
    wantMatrices(x, 2, false);
    return {
        luSolution(x, x.tensor(0), x.tensor(1), x.tensor(2), !x.has(3) || flag(x, 3), flag(x, 4))};
}
Results luSolveOld(const Operands& x) {
    wantMatrices(x, 1, true);
    wantMatrices(x, 0, false);
    return {luSolution(x, x.tensor(1), x.tensor(2), x.tensor(0), true, false)};
}

// --- L D L^T ---

template <bool ex> Results ldlFactor(const Operands& x) {
    wantMatrices(x, 0, true);
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    const bool checked = !ex || flag(x, 2);
    Parts parts(matrixTask(x[0], checked ? "symmetric" : "symmetric, quiet"));
    Value factors = aten("tril", parts.next({n, n}));
    Value pivots = convert(parts.next({n}), DType::Int32);
    if (!ex) return {factors, pivots};
    return {factors, pivots, parts.info()};
}
Results ldlSolve(const Operands& x) {
    wantMatrices(x, 0, true);
    wantMatrices(x, 2, false);
    Value a = x[0], b = x[2];
    Value pivots = rows(convert(x[1], x.type(0).dtype));
    Value both = aten("cat", Formula(std::vector<Formula>{a, pivots}), -1);
    broadcastBatches(x, both, b);
    return {reshape(matrixTask(both, b, "symmetric solve"), b.type().sizes)};
}

// --- reflectors ---

/// H1 H2 .. Hk = I - V T V^T. Source: Schreiber and Van Loan 1989; T^-1 = D^-1 + the part of V^T V
/// above its diagonal.
struct Compact {
    Value v, t;
};
Compact compactOf(const Operands& x, const Value& a, const Value& tau) {
    const MatrixSizes s(a.type());
    if (tau.type().rank() == 0)
        refuseCall(x, "Dimension specified as -1 but tensor has no dimensions", {},
                   ErrorClass::Index);
    if (tau.type().rank() + 1 != a.type().rank())
        refuseCall(x, fmt::format("Expected tau to have one dimension less than input, but got "
                                  "tau.ndim equal to {} and input.ndim is equal to {}",
                                  tau.type().rank(), a.type().rank()));
    const ir::Sym k = tau.type().sizes.back();
    if (!x.call().same(ir::Shape(tau.type().sizes.begin(), tau.type().sizes.end() - 1), s.batch))
        refuseCall(x, "Expected batch dimensions of tau to be equal to input.shape[:-2], but got " +
                          ir::str(tau.type().sizes));
    if (!x.call().atMost(k, s.columns) || !x.call().atMost(k, s.rows))
        refuseCall(x, fmt::format("expected at most as many factors as rows and columns of {}, "
                                  "found {}",
                                  ir::str(a.type().sizes), k.str()));
    Value order = positions(x.b, s.rows, x.type(0).device);
    Value across = positions(x.b, k, x.type(0).device);
    Value one = convert(eq(unsqueeze(order, -1), across), a.type().dtype);
    Compact found;
    found.v = aten("tril", sliced(a, s.batch.size() + 1, 0, k), -1) + one;
    Value scaled = rows(tau) * mm(mT(found.v), found.v);
    found.t = triangularSolve(scaled, aten("diag_embed", tau), true, true);
    return found;
}
Results householderProduct(const Operands& x) {
    wantMatrices(x, 0, false);
    const MatrixSizes s(x.type(0));
    if (!x.call().atMost(s.columns, s.rows))
        refuseCall(x, fmt::format("expected at least as many rows as columns, found {}",
                                  ir::str(x.type(0).sizes)));
    Compact h = compactOf(x, x.tensor(0), x.tensor(1));
    Value order = positions(x.b, s.rows, x.type(0).device);
    Value across = positions(x.b, s.columns, x.type(0).device);
    Value one = convert(eq(unsqueeze(order, -1), across), x.type(0).dtype);
    return {one - mm(h.v, mm(h.t, sliced(mT(h.v), s.batch.size() + 1, 0, s.columns)))};
}
Results ormqr(const Operands& x) {
    wantMatrices(x, 0, false);
    wantMatrices(x, 2, false);
    const bool left = !x.has(3) || flag(x, 3);
    Compact h = compactOf(x, x.tensor(0), x.tensor(1));
    Value t = flag(x, 4) ? Value(mT(h.t)) : h.t, c = x[2];
    if (left) return {c - mm(h.v, mm(t, mm(mT(h.v), c)))};
    return {c - mm(mm(mm(c, h.v), t), mT(h.v))};
}
Results geqrf(const Operands& x) {
    wantMatrices(x, 0, false);
    const MatrixSizes s(x.type(0));
    Parts parts(matrixTask(x[0], "reflectors"));
    Value a = parts.next({s.rows, s.columns});
    return {a, parts.next({leastOf(x, s)})};
}

// --- roots ---

Results rootOfMatrix(const Operands& x) {
    wantMatrices(x, 0, true);
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    Parts parts(matrixTask(x[0], "eigen"));
    Value values = parts.next({n}), vectors = parts.next({n, n});
    return {mm(vectors * columns(formula::sqrt(values)), mT(vectors))};
}
/// X dX + dX X = dA, where X is diagonal and all of them symmetric.
void rootVjp(Vjp& v) {
    const ir::Sym n = MatrixSizes(v.type(0)).rows;
    Parts parts(matrixTask(v.result, "eigen"));
    Value values = parts.next({n}), vectors = parts.next({n, n});
    Value g = (v.grad + mT(v.grad)) * 0.5;
    Value turned = mm(mT(vectors), mm(g, vectors));
    v.set(0, mm(vectors, mm(turned / (columns(values) + rows(values)), mT(vectors))));
}
Results polarParts(const Operands& x) {
    wantMatrices(x, 0, false);
    const MatrixSizes s(x.type(0));
    if (!x.call().atMost(s.columns, s.rows))
        refuseCall(x, fmt::format("expected at least as many rows as columns, found {}",
                                  ir::str(x.type(0).sizes)));
    Parts parts(matrixTask(x[0], "singular"));
    Value u = parts.next({s.rows, s.columns}), values = parts.next({s.columns});
    Value vh = parts.next({s.columns, s.columns});
    return {mm(u, vh), mm(mT(vh) * columns(values), vh)};
}

// --- records ---

void addLu(std::vector<OpDef>& ops) {
    // Pivots that are all the last row: as many exchanges as there can be.
    auto factors = [] {
        return List{
            good({f64({3, 3}), i32({3}, 3, 3)}, {T(0), T(1)}),
            good({f32({2, 4, 2}), i32({2, 2}, 4, 4)}, {T(0), T(1)}),
            forwardOnly({f64({2, 3}), i32({2}, 2, 2)}, {T(0), T(1), Arg(true), Arg(false)})};
    };
    ops.push_back(
        composite("lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool "
                  "unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
                  luUnpack, factors,
                  {"the factors that lie in one matrix, and the permutation of the pivots",
                   "A = P L U", "torch.lu_unpack"}));
    OpDoc doc{"solution of linear equations from the factors L U", "P L U x = b", kSource};
    ops.push_back(lying<solvedFromLeft>(composite(
        "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool "
        "adjoint=False) -> Tensor",
        luSolve,
        [] {
            return List{
                good({definite(f64({3, 3})), i32({3}, 3, 3), f64({3, 2})}, {T(0), T(1), T(2)}),
                good({definite(f64({2, 2, 2})), i32({2, 2}, 2, 2), f64({1, 3, 2})},
                     {T(0), T(1), T(2), Arg(false)}),
                good({definite(f64({3, 3})), i32({3}, 3, 3), f64({3, 2})},
                     {T(0), T(1), T(2), Arg(true), Arg(true)}),
                bad({f32({2, 3}), i32({2}, 2, 2), f32({2, 2})}, {T(0), T(1), T(2)},
                    "linalg_lu_solve: expected batches of square matrices, found 2 by 3 "
                    "matrices")};
        },
        doc)));
    ops.push_back(lying<byColumns>(composite(
        "lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", luSolveOld,
        [] {
            return List{
                good({f64({3, 2}), definite(f64({3, 3})), i32({3}, 3, 3)}, {T(0), T(1), T(2)})};
        },
        doc)));
}

/// Without a derivative, as in PyTorch.
OpDef factorsAlone(OpDef def, DecomposeRule build) {
    def.gradient = NotDifferentiable{"PyTorch has no derivative for it"};
    def.lowering = Decompose{build, DecomposeWhen::AfterAutograd};
    return lying<matricesByColumns>(std::move(def));
}

void addLdl(std::vector<OpDef>& ops) {
    OpDoc doc{"factors of a symmetric matrix by its lower triangle, D of blocks of one or two rows",
              "A = P L D L^T P^T", "Bunch and Kaufman 1977"};
    auto matrices = [] {
        return List{forwardOnly({f64({2, 4, 4})}, {T(0)}), forwardOnly({f32({3, 3})}, {T(0)})};
    };
    ops.push_back(factorsAlone(
        composite("linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor "
                  "pivots)",
                  ldlFactor<false>, matrices, doc),
        ldlFactor<false>));
    ops.push_back(
        factorsAlone(composite("linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool "
                               "check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)",
                               ldlFactor<true>, matrices, doc),
                     ldlFactor<true>));
    ops.push_back(lying<matricesByColumns>(composite(
        "linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor",
        ldlSolve,
        [] {
            return List{forwardOnly({f64({3, 3}), i32({3}, 3, 3), f64({3, 2})}, {T(0), T(1), T(2)}),
                        forwardOnly({f32({2, 2, 2}), i32({2, 2}, -2, -2), f32({2, 3})},
                                    {T(0), T(1), T(2)})};
        },
        {"solution of linear equations from the factors L D L^T", "P L D L^T P^T x = b",
         kSource})));
}

void addReflectors(std::vector<OpDef>& ops) {
    auto reflectors = [] {
        return List{good({f64({4, 3}), f64({3})}, {T(0), T(1)}),
                    good({f64({2, 3, 3}), f64({2, 2})}, {T(0), T(1)}),
                    bad({f32({2, 3}), f32({2})}, {T(0), T(1)},
                        "linalg_householder_product: expected at least as many rows as columns, "
                        "found [2, 3]")};
    };
    OpDoc doc{"the first columns of a product of reflections",
              "y = (I - tau_1 v_1 v_1^T) (I - tau_2 v_2 v_2^T) ..", kSource};
    ops.push_back(
        lying<byColumns>(composite("linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
                                   householderProduct, reflectors, doc)));
    ops.push_back(lying<byColumns>(composite(
        "orgqr(Tensor self, Tensor input2) -> Tensor", householderProduct,
        [] { return List{good({f64({4, 3}), f64({3})}, {T(0), T(1)})}; }, doc)));
    ops.push_back(lying<byColumns>(composite(
        "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> "
        "Tensor",
        ormqr,
        [] {
            return List{good({f64({4, 3}), f64({3}), f64({4, 2})}, {T(0), T(1), T(2)}),
                        good({f64({4, 3}), f64({3}), f64({2, 4})},
                             {T(0), T(1), T(2), Arg(false), Arg(true)})};
        },
        {"a product of reflections times a matrix", "y = Q C", "torch.ormqr"})));
    ops.push_back(
        factorsAlone(composite("geqrf(Tensor self) -> (Tensor a, Tensor tau)", geqrf,
                               [] {
                                   return List{forwardOnly({f64({4, 3})}, {T(0)}),
                                               forwardOnly({f32({2, 2, 4})}, {T(0)})};
                               },
                               {"R above the reflectors whose product is Q, and their factors",
                                "A = Q R", "torch.geqrf"}),
                     geqrf));
}

void addRoots(std::vector<OpDef>& ops) {
    ops.push_back(
        composite("linalg_matrix_sqrth(Tensor self) -> Tensor", rootOfMatrix,
                  [] { return List{forwardOnly({definite(f64({2, 3, 3}))}, {T(0)})}; },
                  {"the symmetric root of a positive definite matrix", "y y = A", kSource}));
    ops.back().gradient = VjpRule{rootVjp};
    ops.back().lowering = Decompose{rootOfMatrix, DecomposeWhen::AfterAutograd};
    ops.push_back(
        composite("linalg_polar(Tensor A) -> (Tensor U, Tensor H)", polarParts,
                  [] { return List{good({f64({4, 3})}, {T(0)}), good({f64({2, 2, 2})}, {T(0)})}; },
                  {"an orthogonal matrix times a symmetric one", "A = U H", kSource}));
}

} // namespace

void addLinearAlgebraFactors(std::vector<OpDef>& ops) {
    addLu(ops);
    addLdl(ops);
    addReflectors(ops);
    addRoots(ops);
}

} // namespace cutaway::ops
