// SPDX-License-Identifier: Apache-2.0
/// \file
/// Numbers inside an argument's list.
#pragma once

#include "core/ir/graph.h"

namespace cutaway::ops {

/// A number of a list of floats, which a script may write as an integer.
double realOf(const ir::Arg& number);

} // namespace cutaway::ops
