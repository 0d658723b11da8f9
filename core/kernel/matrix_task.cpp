// SPDX-License-Identifier: Apache-2.0
// Textbook algorithms (Golub and Van Loan, Matrix Computations, 4th edition) for slowResult.
#include "core/kernel/matrix_task.h"
#include "core/kernel/slow_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace cutaway::kernel {

namespace {

using Kind = MatrixTask::Kind;
using M = SlowMatrix;

M identity(int64_t n) {
    M a(n, n);
    for (int64_t i = 0; i < n; ++i)
        a(i, i) = 1;
    return a;
}
M transposed(const M& a) {
    M t(a.columns, a.rows);
    for (int64_t i = 0; i < a.rows; ++i)
        for (int64_t j = 0; j < a.columns; ++j)
            t(j, i) = a(i, j);
    return t;
}
M product(const M& a, const M& b) {
    M c(a.rows, b.columns);
    for (int64_t i = 0; i < a.rows; ++i)
        for (int64_t k = 0; k < a.columns; ++k)
            for (int64_t j = 0; j < b.columns; ++j)
                c(i, j) += a(i, k) * b(k, j);
    return c;
}
void append(std::vector<double>& out, const M& a) {
    out.insert(out.end(), a.elements.begin(), a.elements.end());
}

/// Algorithm 4.2.1: row by row. \returns info
int64_t cholesky(M& a) {
    for (int64_t j = 0; j < a.columns; ++j) {
        for (int64_t k = 0; k < j; ++k)
            a(j, j) -= a(j, k) * a(j, k);
        if (!(a(j, j) > 0)) return j + 1;
        a(j, j) = std::sqrt(a(j, j));
        for (int64_t i = j + 1; i < a.rows; ++i) {
            for (int64_t k = 0; k < j; ++k)
                a(i, j) -= a(i, k) * a(j, k);
            a(i, j) /= a(j, j);
        }
        for (int64_t i = 0; i < j; ++i)
            a(i, j) = 0;
    }
    return 0;
}

/// Algorithm 3.4.1: partial pivoting, in place. \returns info
int64_t lu(M& a, std::vector<int64_t>& pivots) {
    int64_t info = 0;
    for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
        int64_t best = k;
        for (int64_t i = k + 1; i < a.rows; ++i)
            if (std::fabs(a(i, k)) > std::fabs(a(best, k))) best = i;
        pivots.push_back(best + 1);
        for (int64_t j = 0; j < a.columns; ++j)
            std::swap(a(k, j), a(best, j));
        if (a(k, k) == 0) {
            if (!info) info = k + 1;
            continue;
        }
        for (int64_t i = k + 1; i < a.rows; ++i) {
            a(i, k) /= a(k, k);
            for (int64_t j = k + 1; j < a.columns; ++j)
                a(i, j) -= a(i, k) * a(k, j);
        }
    }
    return info;
}

/// Forward or back substitution, in place.
void substitute(const M& a, M& x, bool upper, bool unit) {
    const int64_t n = a.rows;
    for (int64_t step = 0; step < n; ++step) {
        const int64_t i = upper ? n - 1 - step : step;
        for (int64_t j = 0; j < x.columns; ++j) {
            for (int64_t k = upper ? i + 1 : 0; k < (upper ? n : i); ++k)
                x(i, j) -= a(i, k) * x(k, j);
            if (!unit) x(i, j) /= a(i, i);
        }
    }
}

int64_t solve(M a, M& x) {
    std::vector<int64_t> pivots;
    const int64_t info = lu(a, pivots);
    if (info) return info;
    for (size_t k = 0; k < pivots.size(); ++k)
        for (int64_t j = 0; j < x.columns; ++j)
            std::swap(x(static_cast<int64_t>(k), j), x(pivots[k] - 1, j));
    substitute(a, x, false, true);
    substitute(a, x, true, false);
    return 0;
}

/// Householder reflections (5.1.1, with LAPACK's signs): a becomes R. \returns Q, square
M triangularize(M& a) {
    M q = identity(a.rows);
    for (int64_t k = 0; k < std::min(a.rows - 1, a.columns); ++k) {
        double norm = 0, below = 0;
        for (int64_t i = k; i < a.rows; ++i)
            norm += a(i, k) * a(i, k);
        for (int64_t i = k + 1; i < a.rows; ++i)
            below = std::max(below, std::fabs(a(i, k)));
        if (below == 0) continue;
        std::vector<double> v(static_cast<size_t>(a.rows));
        for (int64_t i = k; i < a.rows; ++i)
            v[static_cast<size_t>(i)] = a(i, k);
        v[static_cast<size_t>(k)] += std::copysign(std::sqrt(norm), a(k, k));
        const double length = std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
        for (int64_t j = 0; j < a.columns; ++j) {
            double dot = 0;
            for (int64_t i = k; i < a.rows; ++i)
                dot += v[static_cast<size_t>(i)] * a(i, j);
            for (int64_t i = k; i < a.rows; ++i)
                a(i, j) -= 2 * dot / length * v[static_cast<size_t>(i)];
        }
        for (int64_t i = 0; i < q.rows; ++i) {
            double dot = 0;
            for (int64_t j = k; j < q.columns; ++j)
                dot += q(i, j) * v[static_cast<size_t>(j)];
            for (int64_t j = k; j < q.columns; ++j)
                q(i, j) -= 2 * dot / length * v[static_cast<size_t>(j)];
        }
        for (int64_t i = k + 1; i < a.rows; ++i)
            a(i, k) = 0;
    }
    return q;
}

/// The first \p rows rows and \p columns columns.
M corner(const M& a, int64_t rows, int64_t columns) {
    M c(rows, columns);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
            c(i, j) = a(i, j);
    return c;
}

/// Jacobi's rotations (8.5): a becomes diagonal. \returns the vectors, as columns
M diagonalize(M& a) {
    const int64_t n = a.rows;
    M v = identity(n);
    for (int sweep = 0; sweep < 60; ++sweep)
        for (int64_t p = 0; p < n; ++p)
            for (int64_t q = p + 1; q < n; ++q) {
                if (a(p, q) == 0) continue;
                const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
                const double t =
                    std::copysign(1, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                auto turn = [&](double& x, double& y) {
                    const double before = x;
                    x = c * before - s * y;
                    y = s * before + c * y;
                };
                for (int64_t k = 0; k < n; ++k)
                    turn(a(k, p), a(k, q));
                for (int64_t k = 0; k < n; ++k)
                    turn(a(p, k), a(q, k));
                for (int64_t k = 0; k < n; ++k)
                    turn(v(k, p), v(k, q));
            }
    return v;
}

/// Positions of the diagonal's elements in order.
std::vector<int64_t> orderOf(const std::vector<double>& values, bool descending) {
    std::vector<int64_t> order(values.size());
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
        const double a = values[static_cast<size_t>(i)], b = values[static_cast<size_t>(j)];
        return descending ? a > b : a < b;
    });
    return order;
}
M columnsIn(const M& a, const std::vector<int64_t>& order) {
    M b(a.rows, static_cast<int64_t>(order.size()));
    for (int64_t i = 0; i < a.rows; ++i)
        for (size_t j = 0; j < order.size(); ++j)
            b(i, static_cast<int64_t>(j)) = a(i, order[j]);
    return b;
}

std::vector<double> eigen(M a, bool upper, bool valuesOnly) {
    if (upper) a = transposed(a);
    for (int64_t i = 0; i < a.rows; ++i)
        for (int64_t j = i + 1; j < a.rows; ++j)
            a(i, j) = a(j, i);
    const M vectors = diagonalize(a);
    std::vector<double> values;
    for (int64_t i = 0; i < a.rows; ++i)
        values.push_back(a(i, i));
    const std::vector<int64_t> order = orderOf(values, false);
    std::vector<double> out;
    for (int64_t i : order)
        out.push_back(values[static_cast<size_t>(i)]);
    if (!valuesOnly) append(out, columnsIn(vectors, order));
    return out;
}

/// One-sided Jacobi (8.6.3): columns are turned until they are orthogonal; U's missing columns
/// complete a basis. Of a matrix with at least as many rows as columns.
struct Singular {
    M u, v;
    std::vector<double> s;
};
Singular tallSingular(const M& a) {
    M w = a, v = identity(a.columns);
    for (int sweep = 0; sweep < 60; ++sweep)
        for (int64_t p = 0; p < a.columns; ++p)
            for (int64_t q = p + 1; q < a.columns; ++q) {
                double pp = 0, qq = 0, pq = 0;
                for (int64_t i = 0; i < a.rows; ++i)
                    pp += w(i, p) * w(i, p), qq += w(i, q) * w(i, q), pq += w(i, p) * w(i, q);
                if (pq == 0 || std::fabs(pq) < 1e-300) continue;
                const double theta = (qq - pp) / (2 * pq);
                const double t =
                    std::copysign(1, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (M* m : {&w, &v})
                    for (int64_t i = 0; i < m->rows; ++i) {
                        const double x = (*m)(i, p);
                        (*m)(i, p) = c * x - s * (*m)(i, q);
                        (*m)(i, q) = s * x + c * (*m)(i, q);
                    }
            }
    std::vector<double> norms(static_cast<size_t>(a.columns));
    for (int64_t j = 0; j < a.columns; ++j) {
        for (int64_t i = 0; i < a.rows; ++i)
            norms[static_cast<size_t>(j)] += w(i, j) * w(i, j);
        norms[static_cast<size_t>(j)] = std::sqrt(norms[static_cast<size_t>(j)]);
    }
    const std::vector<int64_t> order = orderOf(norms, true);
    w = columnsIn(w, order);
    v = columnsIn(v, order);
    std::vector<double> s;
    for (int64_t j : order)
        s.push_back(norms[static_cast<size_t>(j)]);
    for (int64_t j = 0; j < w.columns; ++j)
        for (int64_t i = 0; i < w.rows; ++i)
            w(i, j) = s[static_cast<size_t>(j)] > 0 ? w(i, j) / s[static_cast<size_t>(j)] : 0;
    // R of w is diagonal with 1 or -1; a column of zeros leaves its place in Q to the basis.
    M r = w, u = triangularize(r);
    for (int64_t j = 0; j < w.columns; ++j)
        if (s[static_cast<size_t>(j)] > 0)
            for (int64_t i = 0; i < w.rows; ++i)
                u(i, j) = w(i, j);
    return {std::move(u), std::move(v), std::move(s)};
}

std::vector<double> singular(const M& a, const MatrixTask& task) {
    const int64_t k = std::min(a.rows, a.columns);
    const bool tall = a.rows >= a.columns;
    Singular found = tallSingular(tall ? a : transposed(a));
    if (task.values) return found.s;
    if (!tall) std::swap(found.u, found.v);
    std::vector<double> out;
    append(out, corner(found.u, a.rows, task.full ? a.rows : k));
    out.insert(out.end(), found.s.begin(), found.s.end());
    append(out, corner(transposed(found.v), task.full ? a.columns : k, a.columns));
    return out;
}

/// Taylor's series of a matrix scaled down by a power of two, squared up again.
M exponential(const M& a) {
    double norm = 0;
    for (double x : a.elements)
        norm += std::fabs(x);
    if (!std::isfinite(norm)) {
        M result = a;
        std::fill(result.elements.begin(), result.elements.end(),
                  std::numeric_limits<double>::quiet_NaN());
        return result;
    }
    int squarings = 0;
    for (; norm > 0.5; norm /= 2)
        ++squarings;
    M term = identity(a.rows), sum = term;
    for (int k = 1; k <= 20; ++k) {
        term = product(term, a);
        for (double& x : term.elements)
            x = k == 1 ? std::ldexp(x, -squarings) : std::ldexp(x, -squarings) / k;
        for (size_t i = 0; i < sum.elements.size(); ++i)
            sum.elements[i] += term.elements[i];
    }
    for (; squarings > 0; --squarings)
        sum = product(sum, sum);
    return sum;
}

constexpr std::array<std::string_view, 15> kKinds = {
    "cholesky", "lu",      "solve",       "inverse",    "triangular", "eigen",
    "singular", "qr",      "exponential", "reflectors", "symmetric",  "symmetric solve",
    "places",   "general", "fourier"};

struct Word {
    std::string_view word;
    bool MatrixTask::* flag;
};
constexpr Word kWords[] = {{"upper", &MatrixTask::upper},     {"unit", &MatrixTask::unit},
                           {"full", &MatrixTask::full},       {"values", &MatrixTask::values},
                           {"inverse", &MatrixTask::inverse}, {"quiet", &MatrixTask::quiet}};

bool readWord(MatrixTask& task, std::string_view text) {
    for (const Word& word : kWords)
        if (word.word == text) return task.*word.flag = true;
    return false;
}

} // namespace

std::string MatrixTask::str() const {
    std::string out(kKinds[static_cast<size_t>(kind)]);
    for (const Word& word : kWords)
        if (this->*word.flag) out += ", " + std::string(word.word);
    return out;
}

std::optional<MatrixTask> MatrixTask::fromText(std::string_view words) {
    constexpr std::string_view kBetween = ", ";
    MatrixTask task;
    for (bool first = true;; first = false) {
        const size_t end = words.find(kBetween);
        const std::string_view word = words.substr(0, end);
        const auto found = std::find(kKinds.begin(), kKinds.end(), word);
        if (first ? found == kKinds.end() : !readWord(task, word)) return std::nullopt;
        if (first) task.kind = static_cast<Kind>(found - kKinds.begin());
        if (end == std::string_view::npos) return task;
        words.remove_prefix(end + kBetween.size());
    }
}

std::vector<int64_t> placesOf(const std::vector<int64_t>& pivots, int64_t rows) {
    std::vector<int64_t> places(static_cast<size_t>(rows));
    std::iota(places.begin(), places.end(), int64_t{0});
    for (size_t k = 0; k < pivots.size(); ++k)
        std::swap(places[k], places[static_cast<size_t>(pivots[k] - 1)]);
    return places;
}

std::vector<double> slowResult(const MatrixTask& task, const SlowMatrix& a, const SlowMatrix& b) {
    M x = task.hasTwoOperands() ? b : a;
    std::vector<double> out;
    switch (task.kind) {
    case Kind::Cholesky: {
        const auto info = static_cast<double>(cholesky(x));
        append(out, x);
        out.push_back(info);
        break;
    }
    case Kind::Lu: {
        std::vector<int64_t> pivots;
        const auto info = static_cast<double>(lu(x, pivots));
        append(out, x);
        out.insert(out.end(), pivots.begin(), pivots.end());
        const std::vector<int64_t> places = placesOf(pivots, a.rows);
        out.insert(out.end(), places.begin(), places.end());
        out.push_back(info);
        break;
    }
    case Kind::Solve:
    case Kind::Inverse: {
        if (task.kind == Kind::Inverse) x = identity(a.rows);
        const auto info = static_cast<double>(solve(a, x));
        append(out, x);
        out.push_back(info);
        break;
    }
    case Kind::Triangular:
        substitute(a, x, task.upper, task.unit);
        append(out, x);
        break;
    case Kind::Eigen:
        return eigen(a, task.upper, task.values);
    case Kind::Singular:
        return singular(a, task);
    case Kind::Qr: {
        const M q = triangularize(x);
        const int64_t inner = task.full ? a.rows : std::min(a.rows, a.columns);
        append(out, corner(q, a.rows, inner));
        append(out, corner(x, inner, a.columns));
        break;
    }
    case Kind::Exponential:
        append(out, exponential(a));
        break;
    case Kind::Reflectors: {
        const std::vector<double> factors = slowReflectors(x);
        append(out, x);
        out.insert(out.end(), factors.begin(), factors.end());
        break;
    }
    case Kind::Symmetric: {
        std::vector<double> pivots;
        const auto info = static_cast<double>(slowSymmetric(x, pivots));
        append(out, x);
        out.insert(out.end(), pivots.begin(), pivots.end());
        out.push_back(info);
        break;
    }
    case Kind::SymmetricSolve:
        slowSymmetricSolve(a, x);
        append(out, x);
        break;
    case Kind::Places: {
        std::vector<int64_t> pivots;
        for (int64_t k = 0; k < std::min(a.columns, a.rows);
             ++k) { // what is no row exchanges nothing
            const double pivot = a(0, k);
            const bool row = pivot >= 1 && pivot <= static_cast<double>(a.rows);
            pivots.push_back(row ? static_cast<int64_t>(pivot) : k + 1);
        }
        for (int64_t place : placesOf(pivots, a.rows))
            out.push_back(static_cast<double>(place));
        break;
    }
    case Kind::General:
        return slowEigen(a, task.values);
    case Kind::Fourier:
        return slowTransform(a, task.inverse);
    }
    return out;
}

int64_t resultLength(const MatrixTask& task, int64_t rows, int64_t columns, int64_t right) {
    const int64_t k = std::min(rows, columns);
    switch (task.kind) {
    case Kind::Cholesky:
    case Kind::Inverse:
        return rows * rows + 1;
    case Kind::Lu:
        return rows * columns + k + rows + 1;
    case Kind::Solve:
        return rows * right + 1;
    case Kind::Triangular:
        return rows * right;
    case Kind::Eigen:
        return task.values ? rows : rows + rows * rows;
    case Kind::Singular:
        if (task.values) return k;
        return rows * (task.full ? rows : k) + k + (task.full ? columns : k) * columns;
    case Kind::Qr: {
        const int64_t inner = task.full ? rows : k;
        return rows * inner + inner * columns;
    }
    case Kind::Exponential:
        return rows * rows;
    case Kind::Reflectors:
        return rows * columns + k;
    case Kind::Symmetric:
        return rows * rows + rows + 1;
    case Kind::SymmetricSolve:
        return rows * right;
    case Kind::Places:
        return rows;
    case Kind::General:
        return task.values ? 2 * rows : 2 * rows + 2 * rows * rows;
    case Kind::Fourier:
        return 2 * rows;
    }
    return 0;
}

} // namespace cutaway::kernel
