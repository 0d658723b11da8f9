// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: what a captured graph's results are, in double precision by the operations'
/// reference functions, and how well results in the graph's own dtypes can know them.
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"

#include <optional>
#include <span>
#include <vector>

namespace cutaway::driver {

/// One result and what may lie between it and a correct implementation's.
struct Expected {
    ir::HostTensor value;
    /// By element: an absolute difference that rounding explains (cancellation, a branch on a
    /// value that is nearly equal); infinite where overflow may or may not happen.
    std::vector<double> noise;
    /// Largest error relative to the value or the values' root mean square (design section 14), by
    /// the lowest floating dtype and the longest sum that lead to the result; 0: exact.
    double limit = 0;

    /// Largest error of \p found relative to the value, to the values' root mean square, or to what
    /// makes the noise just pass: at most `limit` for a correct result. Infinite for other sizes.
    double error(const ir::HostTensor& found) const;
};

struct Oracle {
    std::vector<Expected> outputs;
    std::vector<Expected> gradients; ///< one per primal when tangents are given; zeros where none
    /// Largest difference of a gradient formula from central differences of the outputs, relative
    /// to the gradients' size; empty where differences say nothing (a detached value, no
    /// gradient, infinities).
    std::optional<double> differences;
};
constexpr double kDifferencesLimit = 1e-4;

/// Of every output of \p graph.
base::Result<std::vector<Expected>> expectations(const ir::Graph& graph,
                                                 const std::vector<ir::HostTensor>& inputs);

/// \param captured a captured graph; \param tangents one for each differentiable output, or none
base::Result<Oracle> consult(const ir::Graph& captured, const std::vector<ir::HostTensor>& primals,
                             const std::vector<ir::HostTensor>& tangents);

} // namespace cutaway::driver
