// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the compiler says to people of what it decided: why two buffers are one kernel, why a value
/// is saved, why a schedule was taken. Records hold the sentences. Whoever speaks another language
/// knows the texts that they were printed from (resources/translations/sentences.zh.ts) and finds in a
/// sentence which one it was, and what was filled in; that may be such a sentence again. So every
/// such text has words of its own, and none is put together from pieces.
#pragma once

#include <fmt/format.h>
#include <string>
#include <utility>

namespace cutaway::base {

/// Marks a text that is said as it stands.
constexpr const char* said(const char* text) {
    return text;
}

template <typename First, typename... Args>
std::string said(fmt::format_string<First, Args...> text, First&& first, Args&&... args) {
    return fmt::format(text, std::forward<First>(first), std::forward<Args>(args)...);
}

} // namespace cutaway::base
