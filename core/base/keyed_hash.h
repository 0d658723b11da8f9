// SPDX-License-Identifier: Apache-2.0
/// \file
/// BLAKE2b-256 (libsodium): equal hashes mean equal content, also when somebody tries hard.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::base {

constexpr size_t kHashBytes = 32, kHashKeyBytes = 32;

/// 32 bytes from the parts, each counted with its length, so that no two lists of parts are alike.
/// \param key kHashKeyBytes that only its owner knows; empty: none
std::string keyedHash(std::string_view key, const std::vector<std::string_view>& parts);
/// kHashKeyBytes that nobody can guess.
std::string drawHashKey();
/// Compares without telling by its time where the difference is.
bool equalHashes(std::string_view a, std::string_view b);
std::string hexText(std::string_view bytes);

} // namespace cutaway::base
