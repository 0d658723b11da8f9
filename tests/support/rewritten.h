// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a pass made of a graph, compared with what it was. For tests only.
#pragma once

#include "tests/support/interpret.h"

#include <stdexcept>

namespace cutaway::testing {

/// Throws where \p after is no graph, or gives other results than \p before, or the same laid out
/// otherwise.
inline void wantSame(const ir::Graph& after, const ir::Graph& before, double tolerance = 1e-5) {
    if (auto problem = ir::verify(after)) throw std::runtime_error(*problem);
    std::mt19937 random(7);
    const HostTensors inputs = randomInputs(before, random);
    if (!(distance(interpret(after, inputs), interpret(before, inputs)) <= tolerance))
        throw std::runtime_error("the results differ");
    for (size_t i = 0; i < before.outputs.size(); ++i)
        if (after.node(after.outputs[i]).type().strides !=
            before.node(before.outputs[i]).type().strides)
            throw std::runtime_error("a result lies otherwise");
}

} // namespace cutaway::testing
