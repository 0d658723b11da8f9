// SPDX-License-Identifier: Apache-2.0
// The one operation that all of linear algebra is made of: what LAPACK makes of every matrix of a
// batch. Gradients: Giles, "An extended collection of matrix derivative results" (2008), in the
// forms of torch/csrc/autograd/FunctionsManual.cpp.
#include "core/ops/call_forms.h"
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/linear_algebra_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using kernel::MatrixTask;
using Kind = MatrixTask::Kind;
using ir::DType;

MatrixTask taskOf(const OpCall& call) {
    return *MatrixTask::fromText(std::get<std::string>(call.args[2]));
}

ir::Sym least(const OpCall& call, const MatrixSizes& s) {
    return call.atMost(s.rows, s.columns) ? s.rows : s.columns;
}

ir::Sym lengthOf(const OpCall& call, const MatrixTask& task, const MatrixSizes& s,
                 const ir::Sym& right) {
    const ir::Sym one(1);
    switch (task.kind) {
    case Kind::Cholesky:
    case Kind::Inverse:
        return s.rows * s.rows + one;
    case Kind::Lu:
        return s.rows * s.columns + least(call, s) + s.rows + one;
    case Kind::Solve:
        return s.rows * right + one;
    case Kind::Triangular:
        return s.rows * right;
    case Kind::Eigen:
        return task.values ? s.rows : s.rows + s.rows * s.rows;
    case Kind::Singular: {
        const ir::Sym k = least(call, s);
        if (task.values) return k;
        return s.rows * (task.full ? s.rows : k) + k + (task.full ? s.columns : k) * s.columns;
    }
    case Kind::Qr: {
        const ir::Sym inner = task.full ? s.rows : least(call, s);
        return s.rows * inner + inner * s.columns;
    }
    case Kind::Exponential:
        break;
    case Kind::Reflectors:
        return s.rows * s.columns + least(call, s);
    case Kind::Symmetric:
        return s.rows * s.rows + s.rows + one;
    case Kind::SymmetricSolve:
        return s.rows * right;
    case Kind::Places:
        return s.rows;
    case Kind::General:
        return s.rows * ir::Sym(2) * (task.values ? one : s.rows + one);
    case Kind::Fourier:
        return s.rows * ir::Sym(2);
    }
    return s.rows * s.rows;
}

Result<Types> taskShape(const OpCall& call) {
    const ir::TensorType& a = call.tensor(0);
    const MatrixTask task = taskOf(call);
    if (a.rank() < 2)
        return refuse(call, fmt::format("expected matrices, found {}", ir::str(a.sizes)));
    if (a.dtype != DType::Float32 && a.dtype != DType::Float64)
        return refuse(call, fmt::format("expected float32 or float64, found {}", ir::name(a.dtype)),
                      "convert it with .to(torch.float32)")
            .as(ErrorClass::NotImplemented);
    const MatrixSizes s(a);
    if (task.isSquare() && !call.same(s.rows, s.columns))
        return refuse(call, fmt::format("expected square matrices, found {}", ir::str(a.sizes)));
    ir::Sym right(1);
    if (task.kind == Kind::Fourier && !call.same(s.columns, ir::Sym(2)))
        return refuse(call,
                      fmt::format("expected rows of two numbers, found {}", ir::str(a.sizes)));
    if (task.hasTwoOperands()) {
        const ir::TensorType& b = call.tensor(1);
        if (b.rank() != a.rank() || b.dtype != a.dtype ||
            !call.same(MatrixSizes(b).batch, s.batch) || !call.same(MatrixSizes(b).rows, s.rows))
            return refuse(
                call, fmt::format("expected a second operand for {}, found {}", a.str(), b.str()));
        right = b.sizes.back();
    }
    ir::Shape sizes = s.batch;
    sizes.push_back(lengthOf(call, task, s, right));
    return one(ir::TensorType::contiguous(a.dtype, sizes, a.device));
}

Values taskReference(const OpCall& call, Tensors tensors) {
    const MatrixTask task = taskOf(call);
    auto matrix = [](const ir::HostTensor& t, int64_t which) {
        kernel::SlowMatrix m(t.sizes[t.sizes.size() - 2], t.sizes.back());
        for (size_t i = 0; i < m.elements.size(); ++i)
            m.elements[i] = t.get(which * m.rows * m.columns + static_cast<int64_t>(i));
        return m;
    };
    const ir::HostTensor& a = *tensors[0];
    int64_t count = 1;
    for (size_t d = 0; d + 2 < a.sizes.size(); ++d)
        count *= a.sizes[d];
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
        const kernel::SlowMatrix first = matrix(a, i);
        const auto row =
            kernel::slowResult(task, first, task.hasTwoOperands() ? matrix(*tensors[1], i) : first);
        values.insert(values.end(), row.begin(), row.end());
    }
    const ir::TensorType type = call.def.shape(call)->front();
    return oneValue(tensorOf(type.dtype, call.numbers(type.sizes), values));
}

// --- gradients ---

/// One application of the rule, with the matrix and its sizes.
struct Backward {
    Vjp& v;
    MatrixSizes s;
    Value a;
    Parts result, grad;
    MatrixTask task;

    explicit Backward(Vjp& v)
        : v(v), s(v.type(0)), a(v[0]), result(v.result), grad(v.grad), task(taskOf(v.call())) {}
    ir::Sym least() const { return ops::least(v.call(), s); }
    Value mask(const ir::Sym& n) const { return diagonalMask(v.b, n, v.type(0).device); }
};

Value triangular(const Formula& a, const Formula& b, bool upper, bool unit = false) {
    const char* words = upper ? (unit ? "triangular, upper, unit" : "triangular, upper")
                              : (unit ? "triangular, unit" : "triangular");
    Value left = a, right = b;
    ir::Shape sizes = right.type().sizes;
    return reshape(matrixTask(left, right, words), sizes);
}
/// X with X A = B.
Formula triangularRight(const Formula& b, const Formula& a, bool upper, bool unit = false) {
    return mT(triangular(mT(a), mT(b), !upper, unit));
}
/// \p a / \p b, 0 where a is: what equal values leave undefined does not matter there.
Formula quotient(const Value& a, const Formula& b) {
    Value none = eq(a, 0);
    return where(none, 0, a / where(none, 1, b));
}

Formula choleskyGradient(Backward& x) {
    const ir::Shape square{x.s.rows, x.s.rows};
    Value l = x.result.next(square), gl = x.grad.next(square);
    Value phi = aten("tril", mm(mT(l), gl));
    phi = phi + mT(aten("tril", phi, -1));
    Value left = triangular(mT(l), phi, true);
    return triangularRight(left, l, false) * 0.5;
}

/// A = P L U with P constant; the part that is not square solves with the square one.
Formula luGradient(Backward& x) {
    const ir::Sym k = x.least(), m = x.s.rows, n = x.s.columns;
    const OpCall call = x.v.call();
    Value lu = x.result.next({m, n}), g = x.grad.next({m, n});
    x.result.next({k});
    Value places = x.result.next({m});
    const size_t row = lu.type().rank() - 2, column = row + 1;
    auto block = [&](const Value& t, const ir::Sym& i, const ir::Sym& j, bool below, bool right) {
        Formula rows = sliced(t, row, below ? k : ir::Sym(0), below ? m : i);
        return Value(sliced(rows, column, right ? k : ir::Sym(0), right ? n : j));
    };
    Value square = block(lu, k, k, false, false), gSquare = block(g, k, k, false, false);
    Value one = convert(x.mask(k), x.v.type(0).dtype);
    Value l = aten("tril", square, -1) + one, u = aten("triu", square);
    Value lower = mm(mT(l), aten("tril", gSquare, -1)), upper = mm(aten("triu", gSquare), mT(u));
    const bool wide = !call.same(n, k), tall = !call.same(m, k);
    Value gU2, gL2;
    if (wide) {
        gU2 = block(g, k, n, false, true);
        lower = lower - mm(gU2, mT(block(lu, k, n, false, true)));
    }
    if (tall) {
        gL2 = block(g, m, k, true, false);
        upper = upper - mm(mT(block(lu, m, k, true, false)), gL2);
    }
    Value phi = aten("tril", lower, -1) + aten("triu", upper);
    Value result = triangularRight(triangular(mT(l), phi, true, true), mT(u), false);
    if (wide)
        result = aten(
            "cat", Formula(std::vector<Formula>{result, triangular(mT(l), gU2, true, true)}), -1);
    if (tall)
        result = aten(
            "cat", Formula(std::vector<Formula>{result, triangularRight(gL2, mT(u), false)}), -2);
    Value order = positions(x.v.b, m, x.v.type(0).device);
    Value p = convert(eq(columns(places), rows(order)), x.v.type(0).dtype);
    return mm(p, result);
}

void solveGradient(Backward& x) {
    const ir::Shape right{x.s.rows, x.v.type(1).sizes.back()};
    Value solution = x.result.next(right), g = x.grad.next(right);
    Value gb;
    if (x.task.kind == Kind::Triangular) {
        gb = triangular(mT(x.a), g, !x.task.upper, x.task.unit);
        const int off = x.task.unit ? (x.task.upper ? 1 : -1) : 0;
        if (x.v.wants(0))
            x.v.set(0, aten(x.task.upper ? "triu" : "tril", -mm(gb, mT(solution)), off));
    } else {
        gb = Parts(matrixTask(mT(x.a), g, "solve, quiet")).next(right);
        if (x.v.wants(0)) x.v.set(0, -mm(gb, mT(solution)));
    }
    if (x.v.wants(1)) x.v.set(1, mT(aten("clone", mT(gb), "contiguous_format")));
}

Formula inverseGradient(Backward& x) {
    const ir::Shape square{x.s.rows, x.s.rows};
    Value inverse = x.result.next(square), g = x.grad.next(square);
    return -mm(mT(inverse), mm(g, mT(inverse)));
}

Formula eigenGradient(Backward& x) {
    const ir::Sym n = x.s.rows;
    if (x.task.values) {
        Value vectors;
        Parts parts(matrixTask(x.a, x.task.upper ? "eigen, upper" : "eigen"));
        parts.next({n});
        vectors = parts.next({n, n});
        return mm(vectors * columns(x.v.grad), mT(vectors));
    }
    Value values = x.result.next({n}), vectors = x.result.next({n, n});
    Value gValues = x.grad.next({n}), gVectors = x.grad.next({n, n});
    Value turned = where(x.mask(n), 0, mm(mT(vectors), gVectors));
    Value inner = quotient(turned, columns(values) - rows(values)) + aten("diag_embed", gValues);
    // Symmetric, as PyTorch gives it, whichever triangle is read.
    Value g = mm(vectors, mm(inner, mT(vectors)));
    return (g + mT(g)) * 0.5;
}

/// U, S, V^T of a reduced decomposition, with their gradients.
Formula singularGradient(Backward& x) {
    const ir::Sym k = x.least(), m = x.s.rows, n = x.s.columns;
    if (x.task.values) {
        Parts parts(matrixTask(x.a, "singular"));
        Value u = parts.next({m, k});
        parts.next({k});
        return mm(u * columns(x.v.grad), parts.next({k, n}));
    }
    const ir::Sym all = x.task.full ? m : k, across = x.task.full ? n : k;
    const size_t row = x.s.batch.size(), column = row + 1;
    Value u = sliced(x.result.next({m, all}), column, 0, k), s = x.result.next({k});
    Value vh = sliced(x.result.next({across, n}), row, 0, k);
    Value gu = sliced(x.grad.next({m, all}), column, 0, k), gs = x.grad.next({k});
    Value gvh = sliced(x.grad.next({across, n}), row, 0, k);
    auto skew = [](const Value& y) { return Value(y - mT(y)); };
    Value uu = mm(mT(u), gu), vv = mm(gvh, mT(vh));
    Value between = columns(s) * columns(s) - rows(s) * rows(s);
    Value ofU = quotient(skew(uu), between) * columns(s);
    Value ofV = rows(s) * quotient(skew(mT(vv)), between);
    Value inner = ofU + ofV + aten("diag_embed", gs);
    const OpCall call = x.v.call();
    Value result = mm(u, inner);
    if (!call.same(m, k)) result = result + quotient(gu - mm(u, uu), columns(s));
    result = mm(result, vh);
    if (!call.same(n, k)) result = result + mm(u, quotient(gvh - mm(vv, vh), rows(s)));
    return result;
}

/// A wide matrix is [A1 | A2]: R2 = Q^T A2.
Formula qrGradient(Backward& x) {
    const ir::Sym k = x.least(), m = x.s.rows, n = x.s.columns;
    const OpCall call = x.v.call();
    const ir::Sym inner = x.task.full ? m : k;
    if (!call.same(inner, k))
        throwRefusal(base::userError({},
                                     "The QR decomposition is not differentiable when "
                                     "mode='complete' and nrows > ncols",
                                     "use mode='reduced'"));
    Value q = x.result.next({m, k}), r = x.result.next({k, n});
    Value gq = x.grad.next({m, k}), gr = x.grad.next({k, n});
    const bool wide = !call.same(n, k);
    Value gr2;
    if (wide) {
        const size_t column = x.s.batch.size() + 1;
        gr2 = sliced(gr, column, k, n);
        gq = gq + mm(sliced(x.a, column, k, n), mT(gr2));
        r = sliced(r, column, 0, k);
        gr = sliced(gr, column, 0, k);
    }
    Value m1 = aten("triu", mm(gr, mT(r)) - mm(mT(q), gq));
    Value both = m1 + mT(aten("triu", m1, 1));
    Value result = triangularRight(gq + mm(q, both), mT(r), false);
    if (!wide) return result;
    return aten("cat", Formula(std::vector<Formula>{result, mm(q, gr2)}), -1);
}

/// The upper right block of the exponential of [[A^T, G], [0, A^T]].
Formula exponentialGradient(Backward& x) {
    const ir::Sym n = x.s.rows;
    Value t = mT(x.a), g = x.grad.next({n, n}), none = zerosLike(t);
    Value above = aten("cat", Formula(std::vector<Formula>{t, g}), -1);
    Value below = aten("cat", Formula(std::vector<Formula>{none, t}), -1);
    Value block = aten("cat", Formula(std::vector<Formula>{above, below}), -2);
    const ir::Sym twice = n * ir::Sym(2);
    Value found = Parts(matrixTask(block, "exponential")).next({twice, twice});
    const size_t row = x.s.batch.size();
    return sliced(sliced(found, row, 0, n), row + 1, n, twice);
}

void taskVjp(Vjp& v) {
    Backward x(v);
    switch (x.task.kind) {
    case Kind::Solve:
    case Kind::Triangular:
        return solveGradient(x);
    case Kind::Cholesky:
        return v.set(0, choleskyGradient(x));
    case Kind::Lu:
        return v.set(0, luGradient(x));
    case Kind::Inverse:
        return v.set(0, inverseGradient(x));
    case Kind::Eigen:
        return v.set(0, eigenGradient(x));
    case Kind::Singular:
        return v.set(0, singularGradient(x));
    case Kind::Qr:
        return v.set(0, qrGradient(x));
    case Kind::Exponential:
        return v.set(0, exponentialGradient(x));
    case Kind::Fourier: // the transposed matrix of pairs is the adjoint
        return v.set(0, reshape(matrixTask(reshape(v.grad, v.type(0).sizes),
                                           x.task.inverse ? "fourier" : "fourier, inverse"),
                                v.type(0).sizes));
    case Kind::Reflectors:
    case Kind::Symmetric:
    case Kind::SymmetricSolve:
    case Kind::Places:
    case Kind::General:
        throwRefusal(base::userError(
            {}, fmt::format("the derivative of '{}' is not implemented", x.task.str()),
            "detach its operands: PyTorch has none either"));
    }
}

std::vector<Sample> taskSamples() {
    auto task = [](const char* words) { return Arg(std::string(words)); };
    std::vector<Sample> all;
    for (const char* words : {"lu", "inverse", "exponential", "qr", "singular, values"})
        all.push_back(good({f64({2, 3, 3})}, {T(0), none(), task(words)}));
    for (const char* words : {"lu", "qr", "singular, values"}) {
        all.push_back(good({f64({2, 4})}, {T(0), none(), task(words)}));
        all.push_back(good({transposed(f64({4, 2}))}, {T(0), none(), task(words)}));
    }
    all.push_back(forwardOnly({f64({4, 2})}, {T(0), none(), task("qr, full")}));
    all.push_back(forwardOnly({definite(f32({2, 3, 3}))}, {T(0), none(), task("cholesky, quiet")}));
    all.push_back(forwardOnly({definite(f64({3, 3}))}, {T(0), none(), task("eigen, values")}));
    all.push_back(forwardOnly({f64({3, 3})}, {T(0), none(), task("eigen, upper, values")}));
    all.push_back(forwardOnly({f64({2, 4, 3})}, {T(0), none(), task("reflectors")}));
    all.push_back(forwardOnly({f32({2, 4})}, {T(0), none(), task("reflectors")}));
    for (int64_t n : {1, 4, 7})
        all.push_back(forwardOnly({f64({2, n, n})}, {T(0), none(), task("symmetric, quiet")}));
    for (int64_t n : {1, 2, 5, 12}) {
        all.push_back(good({f64({2, n, 2})}, {T(0), none(), task("fourier")}));
        all.push_back(good({f64({n, 2})}, {T(0), none(), task("fourier, inverse")}));
    }
    all.push_back(good({f32({3, 8, 2})}, {T(0), none(), task("fourier")}));
    all.push_back(good({definite(f64({3, 3})), f64({3, 2})}, {T(0), T(1), task("solve")}));
    for (const char* words : {"triangular", "triangular, upper", "triangular, unit"})
        all.push_back(good({f64({2, 3, 3}, 0.5, 2), f64({2, 3, 2})}, {T(0), T(1), task(words)}));
    all.push_back(forwardOnly({f64({0, 3, 3})}, {T(0), none(), task("inverse")}));
    all.push_back(bad({f32({2, 3})}, {T(0), none(), task("cholesky")},
                      "_matrix_task: expected square matrices, found [2, 3]"));
    return all;
}

} // namespace

Value diagonalMask(Builder& b, const ir::Sym& n, ir::Device device) {
    Value order = positions(b, n, device);
    return eq(unsqueeze(order, -1), order);
}

Value matrixTask(const Formula& matrix, const Formula& second, const char* words) {
    return aten("_matrix_task", matrix, second, words);
}

Value Parts::next(const ir::Shape& sizes) {
    const ir::Shape& all = packed_.type().sizes;
    ir::Shape shape(all.begin(), all.end() - 1);
    shape.insert(shape.end(), sizes.begin(), sizes.end());
    const ir::Sym end = at_ + productOf(sizes);
    Value taken = sliced(packed_, all.size() - 1, at_, end);
    at_ = end;
    return formula::reshape(taken, shape);
}

std::vector<OpDef> linearAlgebraOps() {
    std::vector<OpDef> ops;
    ops.push_back(
        internal({"_matrix_task(Tensor self, Tensor? other, str task) -> Tensor",
                  taskShape,
                  VjpRule{taskVjp},
                  MatrixOfLibrary{taskOf},
                  taskReference,
                  taskSamples,
                  {"a factorization or solution of matrices, its results in one row of numbers",
                   "y = task(A, B)", "LAPACK Users' Guide, 3rd edition"},
                  {.computeIntensive = true, .recompute = Recompute::No, .flops = 100}}));
    return ops;
}

} // namespace cutaway::ops
