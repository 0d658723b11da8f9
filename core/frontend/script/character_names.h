// SPDX-License-Identifier: Apache-2.0
/// \file
/// Unicode's names of characters.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::frontend {

/// The code of the character that Unicode calls \p name ("BULLET"), in any case of letters.
std::optional<uint32_t> characterNamed(std::string_view name);

} // namespace cutaway::frontend
