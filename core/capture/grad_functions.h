// SPDX-License-Identifier: Apache-2.0
/// \file
/// What functions of the tape lead on to, as PyTorch counts it. Private to this folder.
#pragma once

#include "core/capture/interp.h"
#include "core/runtime/tensor.h"

#include <optional>
#include <vector>

namespace cutaway::capture {

/// For each edge that PyTorch's function of that name has, which input of \p function it is; none:
/// one that nothing is computed for.
std::vector<std::optional<size_t>> shownEdges(const runtime::GradFunction& function);

/// What the context of an autograd.Function has, which is its function of the tape, too; unbound: it
/// is no such function, or has nothing of that name.
Val contextAttr(Interp& in, runtime::GradFunction& function, StrObj* name);

} // namespace cutaway::capture
