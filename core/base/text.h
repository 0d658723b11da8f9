// SPDX-License-Identifier: Apache-2.0
/// \file
/// Small helpers for plain text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::base {

/// The lines of a text without their line ends; a last line end starts no new line.
std::vector<std::string> splitLines(std::string_view text);

} // namespace cutaway::base
