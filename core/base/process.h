// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a program asks of the system before anything else.
#pragma once

#include "core/base/result.h"

namespace cutaway::base {

/// First in main(): the stacks of this thread and of those to come are as large as compilers need,
/// whatever `ulimit -s` says; a file beyond `ulimit -f` is a write that fails, no signal that ends
/// the program with half a file left behind. Errors: environment error when the stack may not
/// become large enough.
Status prepareProcess();

} // namespace cutaway::base
