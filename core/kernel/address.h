// SPDX-License-Identifier: Apache-2.0
/// \file
/// From coordinates to places in memory.
#pragma once

#include "core/kernel/loop_program.h"

namespace cutaway::kernel {

/// Where an access with plain coordinates goes, in elements from the buffer's start; nothing when a
/// coordinate is computed.
std::optional<ir::Sym> offsetOf(const Buffer& buffer, const std::vector<Coord>& coords);
ir::Sym offsetOf(const Buffer& buffer, const std::vector<ir::Sym>& coords);

/// Whether \p width elements from \p variable (a multiple of width) on lie side by side and
/// aligned.
bool sideBySide(const ir::Sym& offset, ir::Var variable, int width);

/// The view that reads \p buffer at \p coords, which are expressions over dimVar(0..); nothing when
/// they are not affine.
std::optional<StridedView> stridedView(const Buffer& buffer, const std::vector<ir::Sym>& coords,
                                       const ir::Shape& sizes);

} // namespace cutaway::kernel
