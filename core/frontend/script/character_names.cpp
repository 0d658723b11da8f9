// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/script/character_names.h"

#include <llvm/Support/Unicode.h>

namespace cutaway::frontend {

std::optional<uint32_t> characterNamed(std::string_view name) {
    std::string upper(name);
    for (char& c : upper)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (auto code = llvm::sys::unicode::nameToCodepointStrict(upper))
        return static_cast<uint32_t>(*code);
    return std::nullopt;
}

} // namespace cutaway::frontend
