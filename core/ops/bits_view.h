// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory seen as other numbers than it has: x.view(dtype), and complex numbers conjugated.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

/// Its record, of the family of complex_view.cpp.
OpDef bitsView();

/// _conj_pairs: complex numbers, as pairs, seen conjugated.
OpDef conjugateView();
bool conjugates(const OpDef& def);

/// A view whose elements are other numbers than its operand's: computed from their bits.
inline bool seesBits(const OpDef& def) {
    return def.traits.view && std::holds_alternative<Indexed>(def.lowering);
}

} // namespace cutaway::ops
