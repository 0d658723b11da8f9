// SPDX-License-Identifier: Apache-2.0
// torch.linalg by formulas over matrix tasks. Source: torch/_refs/linalg, aten/src/ATen/native/
// BatchLinearAlgebra.cpp and LinearAlgebra.cpp.
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/families_composed.h"
#include "core/ops/linear_algebra_tools.h"
#include "core/ops/lying.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/sample_tools.h"

#include <algorithm>
#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace cutaway::ops {

namespace {

using ir::DType;
using List = std::vector<Sample>;
constexpr const char* kSource = "torch.linalg";

// --- Cholesky ---

struct Lower {
    Value factor, info;
};
Lower choleskyOf(const Value& a, bool upper, bool quiet) {
    const MatrixSizes s(a.type());
    Parts parts(matrixTask(upper ? mT(a) : Formula(a), quiet ? "cholesky, quiet" : "cholesky"));
    Value factor = parts.next({s.rows, s.rows});
    if (upper) factor = mT(factor);
    return {factor, quiet ? parts.info() : Value()};
}
Results cholesky(const Operands& x) {
    wantMatrices(x, 0, true);
    return {choleskyOf(x.tensor(0), flag(x, 1), false).factor};
}
Results choleskyEx(const Operands& x) {
    wantMatrices(x, 0, true);
    Lower found = choleskyOf(x.tensor(0), flag(x, 1), true);
    return {found.factor, found.info};
}

/// A X = B from A = L L^T.
Results choleskySolve(const Operands& x) {
    wantMatrices(x, 0, false);
    wantMatrices(x, 1, true);
    Value b = x[0], factor = x[1];
    if (flag(x, 2)) factor = mT(factor);
    broadcastBatches(x, factor, b);
    Value half = triangularSolve(factor, b, false);
    return {triangularSolve(mT(factor), half, true)};
}
/// PyTorch's, which goes to both triangles of L.
void choleskySolveGradient(Vjp& v) {
    const Value solved = aten("cholesky_solve", v.grad, v[1], v[2]);
    const Value product = mm(solved, mT(v.result)), both = product + mT(product);
    v.set(0, solved);
    v.set(1, -(flag(v, 2) ? mm(v[1], both) : mm(both, v[1])));
}
Results choleskyInverse(const Operands& x) {
    wantMatrices(x, 0, true);
    const MatrixSizes s(x.type(0));
    Value factor = x[0];
    if (flag(x, 1)) factor = mT(factor);
    Value one = expand(identityLike(x, s.rows), x.type(0).sizes);
    Value half = triangularSolve(factor, one, false);
    return {mm(mT(half), half)};
}
/// PyTorch's, which goes to both triangles: of (L L^T)^-1 with all of L.
void choleskyInverseGradient(Vjp& v) {
    const Value both = mm(v.result, mm(v.grad + mT(v.grad), v.result));
    v.set(0, -(flag(v, 1) ? mm(v[0], both) : mm(both, v[0])));
}

// --- solving ---

Results inverse(const Operands& x) {
    wantMatrices(x, 0, true);
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    return {Parts(matrixTask(x[0], "inverse")).next({n, n})};
}
Results inverseEx(const Operands& x) {
    wantMatrices(x, 0, true);
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    Parts parts(matrixTask(x[0], flag(x, 1) ? "inverse" : "inverse, quiet"));
    Value result = parts.next({n, n});
    return {result, parts.info()};
}

/// Whether B is a batch of vectors for A (torch: linalg_solve_is_vector_rhs).
struct Solved {
    Value solution, info;
};
/// \param words "solve" or "solve, quiet"
Solved solved(const Operands& x, Value a, Value b, bool left, const char* words) {
    if (b.type().rank() == 0) refuseCall(x, "The input tensor B must have at least 2 dimensions.");
    const bool vector = isVector(x, a.type(), b.type());
    if (vector && !left)
        refuseCall(x, "Vector broadcasting of the left hand side is not supported for left=False");
    if (vector) b = unsqueeze(b, -1);
    if (!left) {
        a = mT(a);
        b = mT(b);
    }
    broadcastBatches(x, a, b);
    const MatrixSizes s(b.type());
    if (!x.call().same(s.rows, MatrixSizes(a.type()).rows))
        refuseCall(x, fmt::format("expected a right side for {}, found {}", ir::str(a.type().sizes),
                                  ir::str(b.type().sizes)));
    Parts parts(matrixTask(a, b, words));
    Value solution = parts.next({s.rows, s.columns}), info = parts.info();
    if (!left) solution = mT(solution);
    if (vector) solution = squeeze(solution, -1);
    return {solution, info};
}
Results solve(const Operands& x) {
    wantMatrices(x, 0, true);
    return {solved(x, x.tensor(0), x.tensor(1), !x.has(2) || flag(x, 2), "solve").solution};
}
Results solveEx(const Operands& x) {
    wantMatrices(x, 0, true);
    Solved found = solved(x, x.tensor(0), x.tensor(1), !x.has(2) || flag(x, 2),
                          flag(x, 3) ? "solve" : "solve, quiet");
    return {found.solution, found.info};
}
Value triangularEither(const Operands& x, Value a, Value b, bool upper, bool left, bool unit) {
    if (!left) {
        a = mT(a);
        b = mT(b);
        upper = !upper;
    }
    broadcastBatches(x, a, b);
    Value solution = triangularSolve(a, b, upper, unit);
    return left ? solution : Value(mT(solution));
}
Results solveTriangular(const Operands& x) {
    wantMatrices(x, 0, true);
    wantMatrices(x, 1, false);
    return {triangularEither(x, x.tensor(0), x.tensor(1), flag(x, 2), !x.has(3) || flag(x, 3),
                             flag(x, 4))};
}
Results triangularSolveOld(const Operands& x) {
    wantMatrices(x, 0, false);
    wantMatrices(x, 1, true);
    Value a = x[1], b = x[0];
    const bool upper = flag(x, 2), transposed = flag(x, 3);
    Value solution = triangularEither(x, transposed ? Value(mT(a)) : a, b, upper != transposed,
                                      true, flag(x, 4));
    broadcastBatches(x, a, b);
    return {solution, aten("clone", a)};
}

// --- LU ---

struct Lu {
    Value both, pivots, places, info;
};
Lu luOf(const Operands& x, const Value& a, const char* words = "lu, quiet") {
    const MatrixSizes s(a.type());
    const ir::Sym k = leastOf(x, s);
    Parts parts(matrixTask(a, words));
    Lu lu;
    lu.both = parts.next({s.rows, s.columns});
    lu.pivots = parts.next({k});
    lu.places = parts.next({s.rows});
    lu.info = parts.info();
    return lu;
}
void wantPivots(const Operands& x) {
    if (!x.has(1) || flag(x, 1)) return;
    refuseCall(x, "pivot=False is not implemented", "leave it out");
}
template <bool ex> Results luFactor(const Operands& x) {
    wantMatrices(x, 0, false);
    wantPivots(x);
    const bool checked = !ex || flag(x, 2);
    Lu lu = luOf(x, x.tensor(0), checked ? "lu" : "lu, quiet");
    Results results{lu.both, convert(lu.pivots, DType::Int32)};
    if (ex) results.push_back(lu.info);
    return results;
}
Results luParts(const Operands& x) {
    wantMatrices(x, 0, false);
    wantPivots(x);
    Lu lu = luOf(x, x.tensor(0));
    Triangles both = trianglesOf(x, lu.both);
    return {permutation(x, lu.places, x.type(0).dtype), both.lower, both.upper};
}

/// +1 or -1 for each matrix: rows that were exchanged.
Value parity(const Operands& x, const Lu& lu) {
    const ir::Sym k = lu.pivots.type().sizes.back();
    Value order = positions(x.b, k, x.type(0).device);
    Value signs =
        where(eq(lu.pivots, order + 1), scalar(x.b, 1, x.type(0).dtype, x.type(0).device), -1);
    return aten("prod.dim_int", signs, -1);
}
Value diagonalOf(const Value& a) {
    return aten("diagonal", a, 0, -2, -1);
}

Results determinant(const Operands& x) {
    wantMatrices(x, 0, true);
    Lu lu = luOf(x, x.tensor(0));
    return {parity(x, lu) * aten("prod.dim_int", diagonalOf(lu.both), -1)};
}
struct SignLog {
    Value sign, log;
};
SignLog signLog(const Operands& x) {
    wantMatrices(x, 0, true);
    Lu lu = luOf(x, x.tensor(0));
    Value diagonal = diagonalOf(lu.both);
    Value sign = parity(x, lu) * aten("prod.dim_int", formula::sign(diagonal), -1);
    return {sign, formula::sum(formula::log(formula::abs(diagonal)),
                               {-1 + static_cast<int>(diagonal.type().rank())})};
}
Results signLogOp(const Operands& x) {
    SignLog found = signLog(x);
    return {found.sign, found.log};
}
Results logDeterminant(const Operands& x) {
    SignLog found = signLog(x);
    return {where(formula::lt(found.sign, 0), std::numeric_limits<double>::quiet_NaN(), found.log)};
}

// --- QR ---

Results qrParts(const Operands& x, bool full) {
    wantMatrices(x, 0, false);
    const MatrixSizes s(x.type(0));
    const ir::Sym inner = full ? s.rows : leastOf(x, s);
    Parts parts(matrixTask(x[0], full ? "qr, full" : "qr"));
    Value q = parts.next({s.rows, inner});
    return {q, parts.next({inner, s.columns})};
}
Results qr(const Operands& x) {
    const std::string mode = x.has(1) ? word(x, 1) : "reduced";
    if (mode != "reduced" && mode != "complete" && mode != "r")
        refuseCall(x,
                   fmt::format("qr received unrecognized mode '{}' but expected one of 'reduced' "
                               "(default), 'r', or 'complete'",
                               mode));
    Results both = qrParts(x, mode == "complete");
    if (mode == "r") both[0] = nothingOf(x.tensor(0));
    return both;
}

// --- tensors as matrices ---

ir::Sym productFrom(const ir::Shape& sizes, size_t from, size_t to) {
    return productOf(std::span(sizes).subspan(from, to - from));
}
Results tensorInverse(const Operands& x) {
    const ir::Shape sizes = x.type(0).sizes;
    const int64_t ind = x.call().number(1);
    if (ind <= 0) refuseCall(x, "Expected a strictly positive integer for 'ind'");
    const auto at = std::min(static_cast<size_t>(ind), sizes.size());
    const ir::Sym left = productFrom(sizes, 0, at), right = productFrom(sizes, at, sizes.size());
    if (!x.call().same(left, right))
        refuseCall(x, "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
                      "prod(self.shape[:ind])");
    Value square = reshape(x[0], {left, right});
    ir::Shape turned(sizes.begin() + static_cast<std::ptrdiff_t>(at), sizes.end());
    turned.insert(turned.end(), sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(at));
    return {reshape(Parts(matrixTask(square, "inverse")).next({left, left}), turned)};
}
Results tensorSolve(const Operands& x) {
    Value a = x[0], b = x[1];
    const auto rank = static_cast<int64_t>(a.type().rank());
    if (x.has(2)) {
        std::vector<bool> moved(static_cast<size_t>(rank));
        std::vector<int> order, behind;
        for (int64_t d : x.call().numbers(2)) {
            const int64_t most = std::max<int64_t>(rank, 1); // a number takes 0 and -1
            if (d < -most || d >= most)
                refuseCall(x, fmt::format("dimension {} is out of range of {} dimensions", d, rank),
                           {}, ErrorClass::Index);
            if (rank == 0) continue;
            behind.push_back(static_cast<int>((d + rank) % rank));
            moved[static_cast<size_t>(behind.back())] = true;
        }
        for (int d = 0; d < rank; ++d)
            if (!moved[static_cast<size_t>(d)]) order.push_back(d);
        order.insert(order.end(), behind.begin(), behind.end());
        a = formula::permute(a, order);
    }
    const ir::Shape all = a.type().sizes;
    if (b.type().rank() > all.size())
        refuseCall(x, fmt::format("expected at most {} dimensions, found shape {}", all.size(),
                                  ir::str(b.type().sizes)));
    const ir::Shape result(all.begin() + static_cast<std::ptrdiff_t>(b.type().rank()), all.end());
    const ir::Sym n = productOf(b.type().sizes);
    if (!x.call().same(productOf(result), n))
        refuseCall(x, "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
                      "prod(self.shape[:other.ndim])");
    Value square = reshape(a, {n, n}), right = reshape(b, {n, ir::Sym(1)});
    return {reshape(Parts(matrixTask(square, right, "solve")).next({n}), result)};
}

// --- records ---

List systems() {
    return {good({definite(f32({3, 3})), f32({3, 2})}, {T(0), T(1)}),
            good({definite(f64({2, 3, 3})), f64({3, 2})}, {T(0), T(1)}),
            good({definite(f64({3, 3})), f64({3})}, {T(0), T(1)})};
}
bool isSquareBad(List& all, const char* name) {
    all.push_back(
        bad({f32({2, 3})}, {T(0)},
            std::string(name) + ": expected batches of square matrices, found 2 by 3 matrices"));
    return true;
}

void addCholesky(std::vector<OpDef>& ops) {
    // A change of one element leaves a matrix that is not symmetric: no differences.
    auto samples = [] { return definites({}, false); };
    OpDoc doc{"lower (or upper) triangular factor of a positive definite matrix", "A = L L^T",
              kSource};
    ops.push_back(
        lying<byColumns>(composite("linalg_cholesky_ex(Tensor self, *, bool upper=False, bool "
                                   "check_errors=False) -> (Tensor L, Tensor info)",
                                   choleskyEx, samples, doc)));
    ops.push_back(saving(
        "result", lying<byColumns>(composite(
                      "linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", cholesky,
                      [] {
                          List all = definites({}, false);
                          isSquareBad(all, "linalg_cholesky");
                          return all;
                      },
                      doc))));
    ops.push_back(lying<byColumns>(withGradient(
        choleskySolveGradient,
        composite(
            "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor", choleskySolve,
            [] { return List{forwardOnly({f64({3, 2}), f64({3, 3}, 0.5, 2)}, {T(0), T(1)})}; },
            {"A X = B from the Cholesky factor of A", "x = (L L^T)^-1 b", kSource}))));
    // A difference above the diagonal changes nothing, and has a gradient: no differences.
    ops.push_back(lying<byColumns>(withGradient(
        choleskyInverseGradient,
        composite("cholesky_inverse(Tensor self, bool upper=False) -> Tensor", choleskyInverse,
                  [] { return List{forwardOnly({f64({3, 3}, 0.5, 2)}, {T(0)})}; },
                  {"the inverse from the Cholesky factor", "y = (L L^T)^-1", kSource}))));
}

void addSolutions(std::vector<OpDef>& ops) {
    OpDoc inverseDoc{"inverse of a matrix", "y = A^-1", kSource};
    for (const char* schema : {"linalg_inv(Tensor A) -> Tensor", "inverse(Tensor self) -> Tensor"})
        ops.push_back(saving(
            "result",
            lying<byColumns>(composite(schema, inverse, [] { return definites(); }, inverseDoc))));
    ops.push_back(lying<byColumns>(composite(
        "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor "
        "inverse, Tensor info)",
        inverseEx, [] { return definites(); }, inverseDoc)));
    OpDoc solveDoc{"solution of linear equations", "A x = b", kSource};
    ops.push_back(saving(
        "result",
        lying<byColumns>(composite("linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
                                   solve, systems, solveDoc))));
    ops.push_back(
        lying<byColumns>(composite("linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool "
                                   "check_errors=False) -> (Tensor result, Tensor info)",
                                   solveEx, systems, solveDoc)));
    ops.push_back(lying<byColumns>(composite(
        "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool "
        "unitriangular=False) -> Tensor",
        solveTriangular,
        [] {
            return List{
                good({f64({3, 3}, 0.5, 2), f64({2, 3, 2})}, {T(0), T(1), Arg(true)}),
                good({f64({3, 3}, 0.5, 2), f64({2, 3})}, {T(0), T(1), Arg(false), Arg(false)})};
        },
        {"solution of equations with a triangular matrix", "A x = b", kSource})));
    ops.push_back(lying<byColumns>(composite(
        "triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool "
        "unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
        triangularSolveOld,
        [] {
            return List{
                good({f64({3, 2}), f64({3, 3}, 0.5, 2)}, {T(0), T(1), Arg(false)}),
                good({f64({3, 2}), f64({3, 3}, 0.5, 2)}, {T(0), T(1), Arg(true), Arg(true)})};
        },
        {"solution of equations with a triangular matrix", "A x = b", kSource})));
    addLeastSquares(ops);
    ops.push_back(composite("linalg_tensorinv(Tensor self, int ind=2) -> Tensor", tensorInverse,
                            [] { return List{good({f64({2, 2, 4})}, {T(0), I(2)})}; },
                            {"inverse of a tensor seen as a matrix", "y = A^-1", kSource}));
    ops.push_back(composite(
        "linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor", tensorSolve,
        [] { return List{good({f64({2, 2, 4}), f64({2, 2})}, {T(0), T(1)})}; },
        {"solution of equations with a tensor seen as a matrix", "A x = b", kSource}));
}

void addTriangles(std::vector<OpDef>& ops) {
    OpDoc lu{"factors of a matrix by elimination with exchanged rows", "A = P L U", kSource};
    ops.push_back(lying<matricesByColumns>(
        composite("linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor "
                  "pivots)",
                  luFactor<false>, rectangles, lu)));
    ops.push_back(lying<matricesByColumns>(
        composite("linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool "
                  "check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)",
                  luFactor<true>, rectangles, lu)));
    ops.push_back(
        composite("linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
                  luParts, rectangles, lu));
    OpDoc det{"determinant of a matrix", "y = det A", kSource};
    ops.push_back(saving(
        "A result",
        composite("linalg_det(Tensor A) -> Tensor", determinant, [] { return definites(); }, det)));
    ops.push_back(saving(
        "self result",
        composite("det(Tensor self) -> Tensor", determinant, [] { return definites(); }, det)));
    ops.push_back(composite("logdet(Tensor self) -> Tensor", logDeterminant,
                            [] { return definites(); },
                            {"logarithm of the determinant", "y = ln det A", kSource}));
    OpDoc slog{"sign and logarithm of the determinant", "det A = s e^l", kSource};
    ops.push_back(composite(
        "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", signLogOp,
        [] { return definites(); }, slog));
    ops.push_back(composite(
        "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", signLogOp,
        [] { return definites(); }, slog));
    OpDoc qrDoc{"an orthogonal matrix times a triangular one", "A = Q R", kSource};
    ops.push_back(
        saving("result", lying<byColumns>(composite(
                             "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)", qr,
                             rectangles, qrDoc))));
}

} // namespace

std::vector<OpDef> linearAlgebraFormOps() {
    std::vector<OpDef> ops;
    addCholesky(ops);
    addSolutions(ops);
    addTriangles(ops);
    addSpectra(ops);
    addRanks(ops);
    addLinearAlgebraFactors(ops);
    outTakes(ops,
             {"cholesky_solve", "cholesky_inverse", "linalg_tensorinv", "linalg_tensorsolve",
              "linalg_cond", "linalg_cond.p_str", "linalg_pinv", "linalg_pinv.atol_rtol_tensor",
              "linalg_pinv.atol_rtol_float", "linalg_matrix_rank",
              "linalg_matrix_rank.atol_rtol_tensor", "linalg_matrix_rank.atol_rtol_float",
              "linalg_householder_product", "orgqr", "geqrf", "linalg_lstsq"},
             OutDTypes::Cast);
    return ops;
}

} // namespace cutaway::ops
