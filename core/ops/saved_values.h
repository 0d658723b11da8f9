// SPDX-License-Identifier: Apache-2.0
/// \file
/// What PyTorch's tape saves of a call beside what the gradient's formula here reads: backward() refuses
/// a write to it in place all the same.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

struct SavedValues {
    std::vector<size_t> arguments; ///< positions in the schema
    bool result = false;           ///< all of them
};

/// Null: nothing more than what the gradient reads.
const SavedValues* savedBeside(const OpDef& def);

} // namespace cutaway::ops
