// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fields of JSON that another program wrote: what is not there is no error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace cutaway::record {

/// A field of an object; null where there is none.
inline const nlohmann::json& fieldAt(const nlohmann::json& object, const char* name) {
    static const nlohmann::json none;
    if (!object.is_object()) return none;
    const auto found = object.find(name);
    return found == object.end() ? none : *found;
}

/// A text; empty where there is none.
inline std::string textAt(const nlohmann::json& object, const char* name) {
    const nlohmann::json& value = fieldAt(object, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

/// The path of the innermost module of what torch.export tells of a node's modules:
/// "L__self__,,...;L__self__0,0,torch.nn...".
inline std::string innermostModule(const std::string& stack) {
    const std::string last = stack.substr(stack.rfind(';') + 1);
    const size_t begin = last.find(',');
    if (begin == std::string::npos) return {};
    return last.substr(begin + 1, last.find(',', begin + 1) - begin - 1);
}

} // namespace cutaway::record
