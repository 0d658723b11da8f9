// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bytes as text that JSON can hold (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cutaway::base {

std::string toBase64(std::string_view bytes);
/// Nothing when it is no such text.
std::optional<std::string> fromBase64(std::string_view text);

} // namespace cutaway::base
