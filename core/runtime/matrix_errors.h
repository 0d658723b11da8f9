// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which errors tell of a matrix that has no factorization or solution, and what they say.
#pragma once

#include "core/base/result.h"

#include <span>

namespace cutaway::runtime {

struct MatricesSpec;
/// The user error, in PyTorch's words, of the first matrix whose \p infos are not 0: LAPACK's of each
/// matrix, or -1 where one has a number that is not finite. Success when all are 0.
base::Status whyNoFactors(const MatricesSpec& spec, std::span<const int> infos);

/// Whether linear_algebra.cpp made it (torch.linalg.LinAlgError).
bool tellsOfMatrix(const base::Diagnostic& error);

} // namespace cutaway::runtime
