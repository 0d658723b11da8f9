// SPDX-License-Identifier: Apache-2.0
/// \file
/// Textbook algorithms behind slowResult. Internal to core/kernel.
#pragma once

#include "core/kernel/matrix_task.h"

namespace cutaway::kernel {

/// A = Q R as LAPACK has it: \p a becomes R, with each reflector below its column's diagonal, where
/// its first element is one. \returns the reflectors' factors
std::vector<double> slowReflectors(SlowMatrix& a);
/// Bunch and Kaufman 1977, of the lower triangle, as LAPACK's sytf2. Pivots count from 1, those of
/// a block of two rows are negative. \returns info
int64_t slowSymmetric(SlowMatrix& a, std::vector<double>& pivots);
/// From the factors with the pivots in one more column, as LAPACK's sytrs; \p x in place.
void slowSymmetricSolve(const SlowMatrix& a, SlowMatrix& x);

/// Eigenvalues of any square matrix as pairs, and vectors of length 1, which are unique up to a
/// factor of that length.
std::vector<double> slowEigen(const SlowMatrix& a, bool valuesOnly);
/// Kind::Fourier: the sum itself.
std::vector<double> slowTransform(const SlowMatrix& a, bool inverse);

} // namespace cutaway::kernel
