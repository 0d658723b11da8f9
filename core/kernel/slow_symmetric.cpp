// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/slow_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::kernel {

namespace {

/// Exchanges rows and columns \p p < \p q of the part of a symmetric matrix that starts at p.
void exchange(SlowMatrix& a, int64_t p, int64_t q) {
    for (int64_t i = q + 1; i < a.rows; ++i)
        std::swap(a(i, p), a(i, q));
    for (int64_t i = p + 1; i < q; ++i)
        std::swap(a(i, p), a(q, i));
    std::swap(a(p, p), a(q, q));
}

} // namespace

std::vector<double> slowReflectors(SlowMatrix& a) {
    std::vector<double> factors;
    for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
        double below = 0;
        for (int64_t i = k + 1; i < a.rows; ++i)
            below += a(i, k) * a(i, k);
        const double first = a(k, k);
        const double length = -std::copysign(std::sqrt(first * first + below), first);
        const double factor = below == 0 ? 0 : (length - first) / length;
        factors.push_back(factor);
        if (factor == 0) continue;
        for (int64_t i = k + 1; i < a.rows; ++i)
            a(i, k) /= first - length;
        a(k, k) = length;
        for (int64_t j = k + 1; j < a.columns; ++j) {
            double dot = a(k, j);
            for (int64_t i = k + 1; i < a.rows; ++i)
                dot += a(i, k) * a(i, j);
            a(k, j) -= factor * dot;
            for (int64_t i = k + 1; i < a.rows; ++i)
                a(i, j) -= factor * dot * a(i, k);
        }
    }
    return factors;
}

int64_t slowSymmetric(SlowMatrix& a, std::vector<double>& pivots) {
    const double alpha = (1 + std::sqrt(17.0)) / 8;
    const int64_t n = a.rows;
    int64_t info = 0;
    for (int64_t k = 0, step = 1; k < n; k += step) {
        step = 1;
        int64_t pivot = k, most = k;
        double column = 0, row = 0;
        for (int64_t i = k + 1; i < n; ++i)
            if (std::fabs(a(i, k)) > column) column = std::fabs(a(most = i, k));
        const double own = std::fabs(a(k, k));
        if (std::max(own, column) == 0) {
            if (!info) info = k + 1;
            pivots.push_back(static_cast<double>(k + 1));
            continue;
        }
        if (own < alpha * column) {
            for (int64_t j = k; j < n; ++j)
                if (j != most) row = std::max(row, std::fabs(j < most ? a(most, j) : a(j, most)));
            if (own < alpha * column * (column / row)) pivot = most;
            if (pivot != k && std::fabs(a(most, most)) < alpha * row) step = 2;
        }
        const int64_t last = k + step - 1;
        if (pivot != last) {
            exchange(a, last, pivot);
            if (step == 2) std::swap(a(k + 1, k), a(pivot, k));
        }
        pivots.insert(pivots.end(), static_cast<size_t>(step),
                      static_cast<double>(step == 1 ? pivot + 1 : -pivot - 1));
        const SlowMatrix before = a;
        for (int64_t j = last + 1; j < n; ++j) {
            double first = before(j, k) / before(k, k), second = 0;
            if (step == 2) {
                const double off = before(k + 1, k);
                const double d = before(k, k) * before(k + 1, k + 1) - off * off;
                first = (before(k + 1, k + 1) * before(j, k) - off * before(j, k + 1)) / d;
                second = (before(k, k) * before(j, k + 1) - off * before(j, k)) / d;
                a(j, k + 1) = second;
            }
            a(j, k) = first;
            for (int64_t i = j; i < n; ++i)
                a(i, j) -= before(i, k) * first + (step == 2 ? before(i, k + 1) * second : 0);
        }
    }
    return info;
}
void slowSymmetricSolve(const SlowMatrix& a, SlowMatrix& x) {
    const int64_t n = a.rows;
    for (int64_t k = 0; k < n; ++k) { // blocks of two rows have two negative pivots
        const double pivot = a(k, n);
        const bool row = std::fabs(pivot) >= 1 && std::fabs(pivot) <= static_cast<double>(n);
        const bool whole = pivot > 0 || (k + 1 < n && a(k + 1, n) == pivot);
        if (!row || !whole)
            return std::fill(x.elements.begin(), x.elements.end(),
                             std::numeric_limits<double>::quiet_NaN());
        k += pivot < 0;
    }
    auto exchangeRows = [&](int64_t i, int64_t j) {
        for (int64_t c = 0; c < x.columns; ++c)
            std::swap(x(i, c), x(j, c));
    };
    auto pivot = [&](int64_t k) { return static_cast<int64_t>(std::fabs(a(k, n))) - 1; };
    for (int64_t k = 0, step = 1; k < n; k += step) {
        step = a(k, n) > 0 ? 1 : 2;
        exchangeRows(k + step - 1, pivot(k));
        for (int64_t c = 0; c < x.columns; ++c) {
            const double first = x(k, c), second = step == 2 ? x(k + 1, c) : 0;
            for (int64_t i = k + step; i < n; ++i)
                x(i, c) -= a(i, k) * first + (step == 2 ? a(i, k + 1) * second : 0);
            if (step == 1) {
                x(k, c) /= a(k, k);
                continue;
            }
            const double off = a(k + 1, k), d = a(k, k) * a(k + 1, k + 1) - off * off;
            x(k, c) = (a(k + 1, k + 1) * first - off * second) / d;
            x(k + 1, c) = (a(k, k) * second - off * first) / d;
        }
    }
    for (int64_t k = n - 1, step = 1; k >= 0; k -= step) {
        step = a(k, n) > 0 ? 1 : 2;
        for (int64_t c = 0; c < x.columns; ++c)
            for (int64_t row = k - step + 1; row <= k; ++row)
                for (int64_t i = k + 1; i < n; ++i)
                    x(row, c) -= a(i, row) * x(i, c);
        exchangeRows(k, pivot(k));
    }
}

} // namespace cutaway::kernel
