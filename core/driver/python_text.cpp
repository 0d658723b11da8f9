// SPDX-License-Identifier: Apache-2.0
#include "core/driver/python_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cutaway::driver {

namespace {

std::string shortest(auto number) {
    if (!std::isfinite(number)) return fmt::format("float(\"{}\")", number);
    std::string text = fmt::format("{}", number);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

} // namespace

std::string pythonText(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}
std::string pythonFloat(double number) {
    return shortest(number);
}
std::string pythonFloat(float number) {
    return shortest(number);
}

std::string onOneLine(std::string text) {
    std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
    return text;
}

} // namespace cutaway::driver
