// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bools on open sizes as tensors. Private to this folder.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// A bool on open sizes as a tensor, which the graph computes of the sizes.
Val tensorOfTruth(Interp& interp, const TruthObj& truth);

} // namespace cutaway::capture
