// SPDX-License-Identifier: Apache-2.0
/// \file
/// x.view(dtype): the memory of a tensor seen as elements of another dtype.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

/// Its record, of the family of complex_view.cpp.
OpDef bitsView();

/// A view whose elements are other numbers than its operand's: computed from their bits.
inline bool seesBits(const OpDef& def) {
    return def.traits.view && std::holds_alternative<Indexed>(def.lowering);
}

} // namespace cutaway::ops
