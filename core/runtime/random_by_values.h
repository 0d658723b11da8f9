// SPDX-License-Identifier: Apache-2.0
/// \file
/// Numbers that are drawn by the values of tensors, element by element, as PyTorch draws them on
/// the CPU; and how such a number moves with the values (M. Figurnov et al., arXiv:1805.08498).
#pragma once

#include "core/runtime/random.h"

#include <span>

namespace cutaway::runtime {

enum class ByValues {
    Poisson,       ///< of a rate
    Binomial,      ///< of a count and a probability
    Gamma,         ///< of a concentration, rate 1
    GammaSlope,    ///< d x / d concentration, of a concentration and the x drawn
    DirichletSlope ///< of an x, its concentration and the sum of all concentrations
};

/// A row-major tensor of the sizes and dtype of \p tensors, which are alike; the slopes draw
/// nothing. Errors: user error for integers, for tensors of several shapes, for a negative rate.
base::Result<TensorPtr> byValues(ByValues kind, std::span<const TensorPtr> tensors,
                                 Generator& generator);

} // namespace cutaway::runtime
