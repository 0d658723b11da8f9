// SPDX-License-Identifier: Apache-2.0
/// \file
/// What factorizations and what is made of them share. Internal to core/ops.
#pragma once

#include "core/ops/gradient_tools.h"

namespace cutaway::ops {

/// Last two dimensions exchanged.
inline Formula mT(const Formula& x) {
    return aten("transpose.int", x, -2, -1);
}
inline Formula mm(const Formula& a, const Formula& b) {
    return aten("matmul", a, b);
}
/// Where row and column are equal, in matrices of \p n rows.
Value diagonalMask(Builder& b, const ir::Sym& n, ir::Device device);

/// What kernel::MatrixTask makes of matrices [batch.., rows, columns], one row of numbers for each;
/// \p words as MatrixTask::str has them.
Value matrixTask(const Formula& matrix, const Formula& second, const char* words);
inline Value matrixTask(const Formula& matrix, const char* words) {
    return matrixTask(matrix, Formula(ir::Arg{}), words);
}

/// Takes the parts of a task's result one after the other.
class Parts {
public:
    explicit Parts(Value packed) : packed_(std::move(packed)) {}
    /// The next part as [batch.., sizes..].
    Value next(const ir::Shape& sizes);
    /// LAPACK's info as an int32 [batch..].
    Value info() { return formula::convert(next({}), ir::DType::Int32); }

private:
    Value packed_;
    ir::Sym at_ = 0;
};

/// Rows and columns of matrices.
struct MatrixSizes {
    ir::Shape batch;
    ir::Sym rows, columns;
    explicit MatrixSizes(const ir::TensorType& type)
        : batch(type.sizes.begin(), type.sizes.end() - 2), rows(type.sizes[type.rank() - 2]),
          columns(type.sizes.back()) {}
};

// Of composites' operands.

/// Refuses what is no matrix of float32 or float64.
void wantMatrices(const Operands& x, size_t i, bool square);
ir::Sym leastOf(const Operands& x, const MatrixSizes& s);
/// The identity of \p n rows in the dtype of operand 0.
Value identityLike(const Operands& x, const ir::Sym& n);
/// X of A X = B, from one triangle of \p a.
Value triangularSolve(const Value& a, const Value& b, bool upper, bool unit = false);
/// Batches of both broadcast to each other.
void broadcastBatches(const Operands& x, Value& a, Value& b);

struct Triangles {
    Value lower, upper;
};
/// L and U, which lie in one matrix.
Triangles trianglesOf(const Operands& x, const Value& both);
/// P of A = P L U, from where each row of L U stands.
Value permutation(const Operands& x, const Value& places, ir::DType dtype);

/// What is made of factors that have been computed (linear_algebra_factors.cpp).
void addLinearAlgebraFactors(std::vector<OpDef>& ops);
// By eigenvalues and singular values (linear_algebra_spectra.cpp).
void addLeastSquares(std::vector<OpDef>& ops);
void addSpectra(std::vector<OpDef>& ops);
void addRanks(std::vector<OpDef>& ops);

/// Whether the right side of A x = b is one vector for each matrix.
bool isVector(const Operands& x, const ir::TensorType& a, const ir::TensorType& b);
// Samples of one matrix: positive definite ones with \p tail behind them, and others.
std::vector<Sample> definites(std::vector<ir::Arg> tail = {}, bool gradient = true);
std::vector<Sample> rectangles();

inline std::string word(const Operands& x, size_t i) {
    return std::get<std::string>(x.node.args[i]);
}

inline Formula columns(const Value& row) {
    return unsqueeze(row, -2);
}
inline Formula rows(const Value& column) {
    return unsqueeze(column, -1);
}
inline bool flag(const Operands& x, size_t i) {
    return x.has(i) && x.call().boolean(i);
}

/// A vector of no elements of \p a, whose gradient is zeros: results that a call leaves out.
Value nothingOf(const Value& a);

} // namespace cutaway::ops
