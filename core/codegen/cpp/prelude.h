// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sections of the prelude that a text needs. Private to this folder.
#pragma once

#include <string>
#include <string_view>

namespace cutaway::codegen::cpp {

/// True when \p name stands in \p text as a whole identifier.
bool mentions(std::string_view text, std::string_view name);

/// The prelude from its first section with a marker on.
std::string_view withoutFirst(std::string_view prelude);
/// The sections that \p text names, with what they need, in the order of \p prelude, a constant of
/// the program.
std::string neededSections(std::string_view prelude, std::string_view text);

/// The leading section and those that \p text names, with what they need, in the prelude's order.
std::string neededPrelude(std::string_view prelude, std::string_view text);

/// How often \p text calls functions that the prelude marks as LARGE.
size_t largeCalls(std::string_view prelude, std::string_view text);

} // namespace cutaway::codegen::cpp
