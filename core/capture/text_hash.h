// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hashes of texts for tables whose keys a script chooses.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::capture {

/// SipHash-2-4 of \p text, keyed anew in every process, so that nobody can choose keys that
/// collide. Never 0. Source: Aumasson and Bernstein, SipHash: a fast short-input PRF, 2012.
size_t textHash(std::string_view text);

struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return textHash(text); }
};

/// By a text; found by a view of it, too.
template <typename Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

} // namespace cutaway::capture
