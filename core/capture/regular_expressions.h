// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the script library's module re is written with: PCRE2 over characters.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// Adds regex_error(pattern, options) and regex_matches(pattern, options, text, start, end, kind,
/// count) to the library's own names.
void addRegularExpressions(Interp& interp, ModuleObj& native);

} // namespace cutaway::capture
