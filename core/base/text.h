// SPDX-License-Identifier: Apache-2.0
/// \file
/// Small helpers for plain text.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::base {

/// The lines of a text without their line ends; a last line end starts no new line.
std::vector<std::string> splitLines(std::string_view text);

/// Where the first byte stands that is no UTF-8 (overlong forms and surrogates are none), or npos.
size_t findInvalidUtf8(std::string_view text);

/// How many characters must be inserted, removed or replaced to make \p b of \p a (Levenshtein).
size_t editDistance(std::string_view a, std::string_view b);

/// Names for files from names of functions: fileName() of each (quote.h), and a name that was given
/// before gets a number ("f", "f_2").
class FileNames {
public:
    std::string next(std::string_view wanted);

private:
    std::set<std::string> taken_;
};

} // namespace cutaway::base
