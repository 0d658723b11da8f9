// SPDX-License-Identifier: Apache-2.0
// What of slowResult has complex numbers in it.
#include "core/kernel/slow_matrix.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace cutaway::kernel {

namespace {

using M = SlowMatrix;
using Complex = std::complex<double>;
using ComplexRows = std::vector<std::vector<Complex>>;

/// Eigenvalues by the QR algorithm with shifts on a whole matrix (Golub and Van Loan, 7.5), in the
/// order in which they part from it.
std::vector<Complex> rootsOf(ComplexRows h) {
    std::vector<Complex> roots;
    for (size_t n = h.size(); n > 0; --n) {
        double norm = 0;
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j)
                norm += std::abs(h[i][j]);
        for (int round = 0; round < 500; ++round) {
            double left = 0;
            for (size_t j = 0; j + 1 < n; ++j)
                left += std::abs(h[n - 1][j]);
            if (left <= 1e-15 * norm) break;
            // A shift off the axis: a real one would not part conjugate pairs.
            const Complex shift =
                h[n - 1][n - 1] + (round % 11 == 0 ? Complex(0.3, 0.7) * left : 0);
            ComplexRows q(n, std::vector<Complex>(n)), r = q;
            for (size_t j = 0; j < n; ++j) { // Gram and Schmidt, twice
                for (size_t i = 0; i < n; ++i)
                    q[i][j] = h[i][j] - (i == j ? shift : 0);
                for (int again = 0; again < 2; ++again)
                    for (size_t k = 0; k < j; ++k) {
                        Complex dot = 0;
                        for (size_t i = 0; i < n; ++i)
                            dot += std::conj(q[i][k]) * q[i][j];
                        r[k][j] += dot;
                        for (size_t i = 0; i < n; ++i)
                            q[i][j] -= dot * q[i][k];
                    }
                double length = 0;
                for (size_t i = 0; i < n; ++i)
                    length += std::norm(q[i][j]);
                r[j][j] = std::sqrt(length);
                for (size_t i = 0; i < n && length > 0; ++i)
                    q[i][j] /= r[j][j];
            }
            for (size_t i = 0; i < n; ++i)
                for (size_t j = 0; j < n; ++j) {
                    h[i][j] = i == j ? shift : 0;
                    for (size_t k = i; k < n; ++k)
                        h[i][j] += r[i][k] * q[k][j];
                }
        }
        roots.push_back(h[n - 1][n - 1]);
    }
    return roots;
}

/// What \p a, shifted by nearly an eigenvalue, makes longest: inverse iteration by elimination.
std::vector<Complex> vectorOf(const M& a, Complex root) {
    const auto n = static_cast<size_t>(a.rows);
    std::vector<Complex> x(n, 1.0);
    for (size_t i = 0; i < n; ++i)
        x[i] += Complex(0.1, 0.3) * static_cast<double>(i);
    for (int round = 0; round < 4; ++round) {
        ComplexRows m(n, std::vector<Complex>(n + 1));
        for (size_t i = 0; i < n; ++i) {
            for (size_t j = 0; j < n; ++j)
                m[i][j] = a(static_cast<int64_t>(i), static_cast<int64_t>(j));
            m[i][i] -= root + 1e-13 * (1 + std::abs(root));
            m[i][n] = x[i];
        }
        for (size_t k = 0; k < n; ++k) {
            size_t best = k;
            for (size_t i = k; i < n; ++i)
                if (std::abs(m[i][k]) > std::abs(m[best][k])) best = i;
            std::swap(m[k], m[best]);
            if (m[k][k] == 0.0) m[k][k] = 1e-300;
            for (size_t i = 0; i < n; ++i) {
                if (i == k) continue;
                const Complex factor = m[i][k] / m[k][k];
                for (size_t j = k; j <= n; ++j)
                    m[i][j] -= factor * m[k][j];
            }
        }
        double length = 0;
        for (size_t i = 0; i < n; ++i)
            length += std::norm(x[i] = m[i][n] / m[i][i]);
        for (Complex& each : x)
            each /= std::sqrt(length);
    }
    return x;
}

} // namespace

std::vector<double> slowEigen(const M& a, bool valuesOnly) {
    const auto n = static_cast<size_t>(a.rows);
    ComplexRows h(n, std::vector<Complex>(n));
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            h[i][j] = a(static_cast<int64_t>(i), static_cast<int64_t>(j));
    const std::vector<Complex> roots = rootsOf(std::move(h));
    ComplexRows vectors;
    std::vector<double> out;
    for (const Complex& root : roots) {
        out.insert(out.end(), {root.real(), root.imag()});
        if (!valuesOnly) vectors.push_back(vectorOf(a, root));
    }
    for (size_t i = 0; i < n && !valuesOnly; ++i)
        for (size_t j = 0; j < n; ++j)
            out.insert(out.end(), {vectors[j][i].real(), vectors[j][i].imag()});
    return out;
}

std::vector<double> slowTransform(const M& a, bool inverse) {
    std::vector<double> out;
    for (int64_t k = 0; k < a.rows; ++k) {
        Complex sum = 0;
        for (int64_t j = 0; j < a.rows; ++j) {
            const double turn = static_cast<double>(j * k % a.rows) / static_cast<double>(a.rows);
            sum += Complex(a(j, 0), a(j, 1)) *
                   std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi * turn);
        }
        out.insert(out.end(), {sum.real(), sum.imag()});
    }
    return out;
}

} // namespace cutaway::kernel
