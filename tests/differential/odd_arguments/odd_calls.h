// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls of an operation with systematically odd arguments.
#pragma once

#include "core/ops/op_def.h"

#include <string>
#include <vector>

namespace cutaway::testing {

struct OddCall {
    const ops::OpDef* def;
    ops::Sample sample;
    std::string what; ///< what is odd about it
};

/// Its good samples with one thing changed, and \p pairs of them with two, at random.
std::vector<OddCall> oddCalls(const ops::OpDef& def, size_t pairs);

/// The call with complex tensors where floating-point ones are; nothing odd needs to be left then.
OddCall withComplex(OddCall call);

/// Bytes of its largest result; 0 where its shape is refused.
int64_t resultBytes(const OddCall& call);

std::string textOf(const OddCall& call);

} // namespace cutaway::testing
