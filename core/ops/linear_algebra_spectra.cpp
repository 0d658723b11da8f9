// SPDX-License-Identifier: Apache-2.0
// torch.linalg by eigenvalues and singular values. Source: as linear_algebra_forms.cpp.
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/linear_algebra_tools.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace cutaway::ops {

namespace {

using ir::DType;
using List = std::vector<Sample>;
constexpr const char* kSource = "torch.linalg";

// --- eigenvalues and singular values ---

/// Whether UPLO says that the upper triangle is read.
bool readsUpper(const Operands& x, size_t uplo) {
    wantMatrices(x, 0, true);
    const std::string side = x.has(uplo) ? word(x, uplo) : "L";
    if (side != "L" && side != "U" && side != "l" && side != "u")
        refuseCall(x, fmt::format("expected UPLO to be 'L' or 'U', found '{}'", side));
    return side == "U" || side == "u";
}
Results eigh(const Operands& x) {
    const bool upper = readsUpper(x, 1);
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    Parts parts(matrixTask(x[0], upper ? "eigen, upper" : "eigen"));
    Value values = parts.next({n});
    return {values, parts.next({n, n})};
}
Results eigvalsh(const Operands& x) {
    const bool upper = readsUpper(x, 1);
    return {matrixTask(x[0], upper ? "eigen, upper, values" : "eigen, values")};
}

struct Svd {
    Value u, s, vh;
};
Svd svdOf(const Operands& x, const Value& a, bool full) {
    const MatrixSizes s(a.type());
    const ir::Sym k = leastOf(x, s);
    Parts parts(matrixTask(a, full ? "singular, full" : "singular"));
    Svd found;
    found.u = parts.next({s.rows, full ? s.rows : k});
    found.s = parts.next({k});
    found.vh = parts.next({full ? s.columns : k, s.columns});
    if (full && k.is(0)) {            // any vectors of length 1 will do
        const Value nothing = sum(a); // a gradient flows
        found.u = expand(identityLike(x, s.rows), found.u.type().sizes) + nothing;
        found.vh = expand(identityLike(x, s.columns), found.vh.type().sizes) + nothing;
    }
    return found;
}
Value singularValues(const Value& a) {
    return matrixTask(a, "singular, values");
}
Results svdvals(const Operands& x) {
    wantMatrices(x, 0, false);
    return {singularValues(x.tensor(0))};
}
Results svd(const Operands& x) {
    wantMatrices(x, 0, false);
    Svd found = svdOf(x, x.tensor(0), !x.has(1) || flag(x, 1));
    return {found.u, found.s, found.vh};
}
Results svdOld(const Operands& x) {
    wantMatrices(x, 0, false);
    const bool some = !x.has(1) || flag(x, 1);
    if (x.has(2) && !flag(x, 2)) {
        const MatrixSizes s(x.type(0));
        auto zeros = [&](const ir::Sym& n) {
            ir::Shape sizes = s.batch;
            sizes.push_back(n);
            sizes.push_back(n);
            return Value(full(x.b, sizes, 0.0, x.type(0)));
        };
        return {zeros(s.rows), singularValues(x.tensor(0)), zeros(s.columns)};
    }
    const ir::NodeId found = x.b.call("linalg_svd", {x.tensor(0), Arg(!some)});
    return {x.b.getitem(found, 0), x.b.getitem(found, 1), mT(Value(x.b, x.b.getitem(found, 2)))};
}

// --- pseudo-inverses, ranks ---

/// Singular values above max(atol, rtol times the largest); both null: rtol = eps max(m, n).
struct Tolerance {
    Formula atol = 0.0, rtol = 0.0;
};
Tolerance toleranceOf(const Operands& x, size_t atol, size_t rtol) {
    const MatrixSizes s(x.type(0));
    const OpCall call = x.call();
    const double rows = static_cast<double>(call.number(s.rows)),
                 columns = static_cast<double>(call.number(s.columns));
    const double eps = ir::floatLimits(x.type(0).dtype).eps;
    auto given = [&](size_t i) -> Formula {
        return x.isValue(i) ? Formula(unsqueeze(x[i], -1)) : Formula(call.real(i));
    };
    Tolerance found;
    if (x.has(atol)) found.atol = given(atol);
    if (x.has(rtol)) {
        found.rtol = given(rtol);
    } else if (!x.has(atol) || (!x.isValue(atol) && !(call.real(atol) > 0))) {
        found.rtol = eps * std::max(rows, columns);
    }
    return found;
}
/// Which of \p s count, bool.
Formula above(const Value& s, const Tolerance& tolerance) {
    const auto last = static_cast<int>(s.type().rank()) - 1;
    Value largest = formula::amax(s, {last}, true);
    Value relative = largest * tolerance.rtol, absolute = zerosLike(largest) + tolerance.atol;
    return formula::gt(s, aten("maximum", relative, absolute));
}
/// How many count.
Value rankOf(const Value& s, const Tolerance& tolerance) {
    const auto last = static_cast<int>(s.type().rank()) - 1;
    Value counts = s.type().sizes.back().is(0) ? s : Value(above(s, tolerance));
    return formula::sum(convert(counts, DType::Int64), {last});
}
/// Of the values of a symmetric matrix: without their signs.
Value sizesOfValues(const Operands& x, size_t hermitian) {
    wantMatrices(x, 0, false);
    if (flag(x, hermitian)) return formula::abs(matrixTask(x[0], "eigen, values"));
    return singularValues(x.tensor(0));
}
Value pseudoInverse(const Operands& x, const Value& a, const Tolerance& tolerance) {
    Svd found = svdOf(x, a, false);
    Value counts = above(found.s, tolerance);
    Value inverse = where(counts, 1 / where(counts, found.s, 1), 0);
    return mm(mT(found.vh), rows(inverse) * mT(found.u));
}
/// From the lower triangle alone.
Value symmetricPseudoInverse(const Operands& x, const Tolerance& tolerance) {
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    Parts parts(matrixTask(x[0], "eigen"));
    Value values = parts.next({n}), vectors = parts.next({n, n});
    Value sizes = formula::abs(values), counts = above(sizes, tolerance);
    Value inverse = where(counts, 1 / where(counts, values, 1), 0);
    return mm(vectors * columns(inverse), mT(vectors));
}
template <size_t atol, size_t rtol, size_t hermitian> Results pinv(const Operands& x) {
    wantMatrices(x, 0, flag(x, hermitian));
    const MatrixSizes s(x.type(0));
    if (s.rows.is(0) || s.columns.is(0)) {
        ir::Shape sizes = s.batch;
        sizes.push_back(s.columns);
        sizes.push_back(s.rows);
        return {full(x.b, sizes, 0.0, x.type(0))};
    }
    const Tolerance tolerance = toleranceOf(x, atol, rtol);
    if (flag(x, hermitian)) return {symmetricPseudoInverse(x, tolerance)};
    return {pseudoInverse(x, x.tensor(0), tolerance)};
}
constexpr size_t kNone = 99;
template <size_t atol, size_t rtol, size_t hermitian> Results matrixRank(const Operands& x) {
    wantMatrices(x, 0, flag(x, hermitian));
    return {rankOf(sizesOfValues(x, hermitian), toleranceOf(x, atol, rtol))};
}

/// Golub and Reinsch 1970, and Golub and Pereyra 1973, eq. 4.12.
void pinvVjp(Vjp& v) {
    const OpCall call = v.call();
    const MatrixSizes s(v.type(0));
    Value a = v[0], p = v.result, ph = mT(p), gh = mT(v.grad);
    if (call.atMost(s.rows, s.columns)) {
        Value k = mm(gh, p), kp = mm(k, ph);
        return v.set(0, kp - mT(mm(p, k)) - mm(mm(a, p), kp) + mm(mm(ph, p), gh - mm(k, a)));
    }
    Value k = mm(p, gh), pk = mm(ph, k);
    v.set(0, mm(mm(gh - mm(a, k), p), ph) - mT(mm(k, p)) + pk - mm(mm(pk, p), a));
}

Results leastSquares(const Operands& x) {
    wantMatrices(x, 0, false);
    const MatrixSizes s(x.type(0));
    const OpCall call = x.call();
    const std::string driver = x.has(3) ? word(x, 3) : "gelsy";
    Value a = x[0], b = x[1];
    const bool vector = isVector(x, a.type(), b.type());
    if (vector) b = unsqueeze(b, -1);
    Tolerance tolerance = toleranceOf(x, kNone, 2);
    Value p = aten("linalg_pinv.atol_rtol_float", a, Formula(ir::Arg{}), tolerance.rtol, false);
    Value solution = mm(p, b), values = singularValues(a);
    Value rank = rankOf(values, tolerance);
    auto empty = [&](DType dtype) {
        ir::TensorType like = x.type(0);
        like.dtype = dtype;
        return Value(full(x.b, {ir::Sym(0)}, 0.0, like));
    };
    Value residuals = nothingOf(a);
    if (driver != "gelsy" && !call.atMost(s.rows, s.columns)) {
        Value rest = mm(a, solution) - b;
        residuals = formula::sum(rest * rest, {static_cast<int>(rest.type().rank()) - 2});
    }
    const bool valued = driver == "gelsd" || driver == "gelss";
    if (vector) solution = squeeze(solution, -1);
    return {solution, residuals, driver == "gels" ? empty(DType::Int64) : rank,
            valued ? Value(aten("detach", values)) : empty(x.type(0).dtype)};
}

// --- condition ---

Results condition(const Operands& x) {
    const double p = x.has(1) ? x.call().real(1) : 2;
    if (std::fabs(p) == 2) {
        wantMatrices(x, 0, false);
        Value s = singularValues(x.tensor(0));
        Value largest = aten("select.int", s, -1, 0), smallest = aten("select.int", s, -1, -1);
        return {p > 0 ? largest / smallest : smallest / largest};
    }
    wantMatrices(x, 0, true);
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    Value inverse = Parts(matrixTask(x[0], "inverse, quiet")).next({n, n});
    const std::vector<int> dims{-2, -1};
    return {aten("linalg_matrix_norm", x[0], p, dims) *
            aten("linalg_matrix_norm", inverse, p, dims)};
}
Results conditionWord(const Operands& x) {
    wantMatrices(x, 0, true);
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    Value inverse = Parts(matrixTask(x[0], "inverse, quiet")).next({n, n});
    const std::string p = word(x, 1);
    const std::vector<int> dims{-2, -1};
    return {aten("linalg_matrix_norm.str_ord", x[0], p.c_str(), dims) *
            aten("linalg_matrix_norm.str_ord", inverse, p.c_str(), dims)};
}

Results exponential(const Operands& x) {
    wantMatrices(x, 0, true);
    const ir::Sym n = MatrixSizes(x.type(0)).rows;
    return {Parts(matrixTask(x[0], "exponential")).next({n, n})};
}

} // namespace

void addLeastSquares(std::vector<OpDef>& ops) {
    ops.push_back(lying<byColumns>(composite(
        "linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? "
        "driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, "
        "Tensor singular_values)",
        leastSquares, [] { return List{forwardOnly({f64({4, 2}), f64({4, 3})}, {T(0), T(1)})}; },
        {"least squares by the pseudo-inverse", "x = A^+ b", kSource})));
}

void addSpectra(std::vector<OpDef>& ops) {
    OpDoc eigen{"eigenvalues and -vectors of a symmetric matrix", "A = V diag(w) V^T", kSource};
    ops.push_back(saving(
        "result",
        lying<matricesByColumns>(composite(
            "linalg_eigh(Tensor self, str UPLO='L') -> (Tensor eigenvalues, Tensor "
            "eigenvectors)",
            eigh, [] { return List{forwardOnly({definite(f64({1, 1}))}, {T(0)})}; }, eigen))));
    ops.push_back(saving("result", composite(
                                       "linalg_eigvalsh(Tensor self, str UPLO='L') -> Tensor",
                                       eigvalsh, [] { return definites({}, false); }, eigen)));
    OpDoc singular{"singular values and vectors", "A = U diag(S) V^T", kSource};
    ops.push_back(saving(
        "result",
        lying<matricesByColumns>(composite(
            "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> "
            "(Tensor U, Tensor S, Tensor Vh)",
            svd, [] { return List{forwardOnly({f64({1, 1}, 0.5, 2)}, {T(0)})}; }, singular))));
    ops.push_back(
        saving("result", composite("linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
                                   svdvals, rectangles, singular)));
    ops.push_back(composite(
        "svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, "
        "Tensor S, Tensor V)",
        svdOld, [] { return List{forwardOnly({f64({1, 1}, 0.5, 2)}, {T(0)})}; }, singular));
    OpDoc exp{"exponential of a matrix", "y = sum of A^k / k!", kSource};
    for (const char* schema :
         {"linalg_matrix_exp(Tensor self) -> Tensor", "matrix_exp(Tensor self) -> Tensor"})
        ops.push_back(composite(
            schema, inFloat<exponential>,
            [] { return List{good({f32({2, 3, 3})}, {T(0)}), good({f64({2, 2})}, {T(0)})}; }, exp));
    OpDoc cond{"how much a solution can change", "y = |A| |A^-1|", kSource};
    ops.push_back(composite(
        "linalg_cond(Tensor self, Scalar? p=None) -> Tensor", condition,
        [] {
            return List{good({f64({3, 3})}, {T(0)}),
                        good({definite(f64({3, 3}))}, {T(0), Arg(1.0)})};
        },
        cond));
    ops.push_back(composite(
        "linalg_cond.p_str(Tensor self, str p) -> Tensor", conditionWord,
        [] { return List{good({definite(f64({3, 3}))}, {T(0), Arg(std::string("fro"))})}; }, cond));
}

void addRanks(std::vector<OpDef>& ops) {
    OpDoc doc{"pseudo-inverse: singular values below a tolerance count for 0", "y = A^+", kSource};
    auto add = [&](const char* schema, DecomposeRule build) {
        OpDef def = composite(schema, build, rectangles, doc);
        def.gradient = VjpRule{pinvVjp};
        def.lowering = Decompose{build, DecomposeWhen::AfterAutograd};
        ops.push_back(def);
    };
    add("linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool "
        "hermitian=False) -> Tensor",
        pinv<1, 2, 3>);
    add("linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
        "hermitian=False) -> Tensor",
        pinv<1, 2, 3>);
    add("linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", pinv<kNone, 1, 2>);
    add("pinverse(Tensor self, float rcond=1e-15) -> Tensor", pinv<kNone, 1, kNone>);
    ops[ops.size() - 2].samples = [] { return List{good({f64({3, 2})}, {T(0), Arg(1e-6)})}; };
    OpDoc rank{"how many singular values count", "y = rank A", kSource};
    auto addRank = [&](const char* schema, DecomposeRule build, Samples samples) {
        ops.push_back(composite(schema, build, samples, rank));
    };
    addRank("linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? "
            "rtol=None, bool hermitian=False) -> Tensor",
            matrixRank<1, 2, 3>, rectangles);
    addRank("linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? "
            "rtol=None, bool hermitian=False) -> Tensor",
            matrixRank<1, 2, 3>, rectangles);
    addRank("linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor",
            matrixRank<1, kNone, 2>, [] { return List{good({f64({3, 2})}, {T(0), Arg(1e-6)})}; });
}

} // namespace cutaway::ops
