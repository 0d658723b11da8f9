// SPDX-License-Identifier: Apache-2.0
/// \file
/// Products and convolutions of 16-bit numbers where nothing multiplies those: the operands are
/// widened, the call is computed in float32 by whoever does that best, its sums are rounded once.
#pragma once

#include "core/runtime/library.h"

namespace cutaway::runtime {

/// The same call of float32 operands without epilogues, all of its tensors packed, for which
/// considerProviders() can be asked; nothing where the call is no product or convolution of 16-bit
/// numbers.
std::optional<LibrarySpec> inFloat32(const LibrarySpec& spec);

/// \pre inFloat32(spec)
base::Result<LibraryKernelPtr> makeInFloat32(const LibrarySpec& spec,
                                             const ProviderContext& context);

} // namespace cutaway::runtime
