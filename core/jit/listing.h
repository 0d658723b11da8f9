// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a text becomes, for looking at. Private to this folder.
#pragma once

#include "core/jit/machine.h"

namespace cutaway::jit {

/// Compiles with line tables, which do not change the code, and keeps the texts of each step.
base::Result<CodeListing> makeListing(const std::string& name, const std::string& text,
                                      const CpuTarget& target, const CpuCompileOptions& options,
                                      Machine& machine);

/// Compiles with line tables and keeps these alone.
base::Result<LineTable> makeLineTable(const std::string& name, const std::string& text,
                                      const CpuTarget& target, const CpuCompileOptions& options,
                                      Machine& machine);

} // namespace cutaway::jit
