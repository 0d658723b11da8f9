// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: values as Python text, for the scripts that it makes of models.
#pragma once

#include <string>

namespace cutaway::driver {

/// A literal of \p text in double quotes, ASCII only; bytes that are no UTF-8 become U+FFFD.
std::string pythonText(const std::string& text);

/// The shortest literal that reads back as \p number: 1.0, 1e-07, float("inf").
std::string pythonFloat(double number);
std::string pythonFloat(float number);

/// What may stand in a comment: control characters are spaces.
std::string onOneLine(std::string text);

} // namespace cutaway::driver
