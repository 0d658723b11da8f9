// SPDX-License-Identifier: Apache-2.0
/// \file
/// __torch_function__ for what Python asks of an object. Private to this folder.
#pragma once

#include "core/capture/interp.h"

#include <vector>

namespace cutaway::capture {

/// What the class of \p tensor or a mode makes of abs(x), bool(x), len(x) ...; unbound: nothing.
/// \param method the name of the function of torch.Tensor that is told
Val overriddenProtocol(Interp& in, const char* method, const Val& tensor,
                       std::vector<Val> rest = {});

} // namespace cutaway::capture
