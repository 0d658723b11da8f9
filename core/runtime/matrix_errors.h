// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which errors tell of a matrix that has no factorization or solution.
#pragma once

#include "core/base/diagnostic.h"

namespace cutaway::runtime {

/// Whether linear_algebra.cpp made it (torch.linalg.LinAlgError).
bool tellsOfMatrix(const base::Diagnostic& error);

} // namespace cutaway::runtime
