// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checks the names of a generated text, C++ or CUDA, without a compiler.
#pragma once

#include "core/codegen/source.h"

#include <optional>
#include <string>

namespace cutaway::codegen {

/// What is wrong with the text below the prelude, with its line: a name that is declared twice in a
/// block, that hides one of a block around it or of the prelude, that is used where it is not
/// declared, or an array that is read before any of its elements has a value. Knows the C++ that the emitters write, not all of it.
std::optional<std::string> verifyScopes(const KernelSource& source);

} // namespace cutaway::codegen
