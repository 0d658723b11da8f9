// SPDX-License-Identifier: Apache-2.0
/// \file
/// What LibraryOp::LinearAlgebra does with every matrix of its operands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::kernel {

/// A factorization or solution of matrices [batch.., rows, columns]. Its results lie one behind the
/// other, row-major, in one row of numbers for each matrix: [batch.., length]. `info` is LAPACK's:
/// 0, or the position, counted from 1, of what is not as it must be.
struct MatrixTask {
    enum class Kind : uint8_t {
        Cholesky,    ///< A = L L^T -> L (n n), info
        Lu,          ///< A = P L U -> L, U in one (m n), pivots from 1 (k), places (m), info;
                     ///< k = min(m, n); column i of P is 1 at place i
        Solve,       ///< A X = B, operands A and B -> X (n r), info
        Inverse,     ///< -> A^-1 (n n), info
        Triangular,  ///< A X = B of the triangle alone, operands A and B -> X (n r)
        Eigen,       ///< of a symmetric A, from one triangle -> values ascending (n), vectors (n n)
        Singular,    ///< A = U S V^T -> U (m u), S descending (k), V^T (v n); u = v = k, or m and n
        Qr,          ///< A = Q R -> Q (m q), R (q n); q = k, or m
        Exponential, ///< -> e^A (n n)
        Reflectors,  ///< A = H1 H2 .. R -> R above the reflectors (m n), their factors (k)
        Symmetric, ///< A = P L D L^T P^T of a symmetric A, from its lower triangle, D of blocks of
                   ///< 1 or 2 rows (Bunch and Kaufman) -> L, D in one (n n), pivots (n), info
        SymmetricSolve, ///< A X = B, operands [L, D | pivots] (n n+1) and B -> X (n r)
        Places,  ///< of pivots, all rows of A the same (m k) -> where each row of L U stands (m)
        General, ///< of any square A -> eigenvalues (n 2), vectors of length 1 as columns (n n 2);
                 ///< a complex number is a pair
        Fourier, ///< of rows that are complex numbers (n 2) -> sum_j A_j e^(-2 pi i j k / n) (n 2)
    };
    Kind kind = Kind::Cholesky;
    bool upper = false;   ///< Triangular, Eigen: of the two triangles
    bool unit = false;    ///< Triangular: the diagonal is taken for ones
    bool full = false;    ///< Singular, Qr: with all of the square factors
    bool values = false;  ///< Eigen, Singular, General: the values alone
    bool inverse = false; ///< Fourier: with e^(+2 pi i j k / n), not divided by n
    bool quiet = false;   ///< what fails is told by info only, and is no error
    bool operator==(const MatrixTask&) const = default;

    /// "singular, full, quiet" and back.
    std::string str() const;
    static std::optional<MatrixTask> fromText(std::string_view words);
    bool hasTwoOperands() const {
        return kind == Kind::Solve || kind == Kind::Triangular || kind == Kind::SymmetricSolve;
    }
    bool isSquare() const {
        return kind != Kind::Lu && kind != Kind::Qr && kind != Kind::Singular &&
               kind != Kind::Reflectors && kind != Kind::SymmetricSolve && kind != Kind::Places &&
               kind != Kind::Fourier;
    }
};

/// A matrix of doubles, row-major.
struct SlowMatrix {
    int64_t rows = 0, columns = 0;
    std::vector<double> elements;
    SlowMatrix(int64_t r, int64_t c) : rows(r), columns(c), elements(static_cast<size_t>(r * c)) {}
    double& operator()(int64_t i, int64_t j) {
        return elements[static_cast<size_t>(i * columns + j)];
    }
    double operator()(int64_t i, int64_t j) const {
        return elements[static_cast<size_t>(i * columns + j)];
    }
};

/// The slow meaning of the task: one row of the result, by textbook algorithms in double. What is
/// unique up to signs only (vectors of Eigen and Singular) has others than a library's.
/// \param b the second operand where there is one
std::vector<double> slowResult(const MatrixTask& task, const SlowMatrix& a, const SlowMatrix& b);

/// Where each row of L U stands in the matrix whose rows were exchanged, one pivot after the other.
std::vector<int64_t> placesOf(const std::vector<int64_t>& pivots, int64_t rows);

/// Numbers that a matrix's results are.
int64_t resultLength(const MatrixTask& task, int64_t rows, int64_t columns, int64_t right);

} // namespace cutaway::kernel
