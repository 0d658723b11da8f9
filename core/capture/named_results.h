// SPDX-License-Identifier: Apache-2.0
/// \file
/// torch.return_types: the tuples with named fields that operations of several results give.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// The results of \p def: the tensor itself, a tuple, or, where the schema names its results,
/// a torch.return_types tuple of the operation's name.
Val resultsOf(Interp& in, const ops::OpDef& def, std::vector<Val> values);
/// \p outs, which out= named for \p results: of a torch.return_types class of its own where those are
/// of one.
Val outsOf(Interp& in, const Val& results, std::vector<Val> outs);

} // namespace cutaway::capture
