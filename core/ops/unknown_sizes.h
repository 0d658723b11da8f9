// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a shape rule meets that asks about symbols of a graph without a ShapeEnv: a graph read from
/// its text, which has no hints.
#pragma once

#include <stdexcept>

namespace cutaway::ops {

struct UnknownSizes : std::logic_error {
    UnknownSizes() : std::logic_error("sizes with symbols in a graph that has none") {}
};

} // namespace cutaway::ops
