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

} // namespace cutaway::record
