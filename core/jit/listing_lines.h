// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a listing of GPU code says which source line follows.
#pragma once

#include <optional>
#include <string>

namespace cutaway::jit {

/// The line of the CUDA text that the code after \p line comes from, when the line says one:
/// `.loc FILE LINE COLUMN` in PTX, `//## File "NAME", line LINE` in what nvdisasm prints;
/// of inlined code the line of the call.
std::optional<int> sourceLineNamedBy(const std::string& line);

} // namespace cutaway::jit
