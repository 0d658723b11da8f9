// SPDX-License-Identifier: Apache-2.0
#include "core/capture/pytorch_names.h"

#include <algorithm>
#include <string>

namespace cutaway::resources {
extern const std::string_view kPytorchNames;
}

namespace cutaway::capture {

bool pytorchHas(std::string_view owner, std::string_view name) {
    const std::string_view all = resources::kPytorchNames;
    const std::string head = "\n" + std::string(owner) + ": ";
    const size_t begin = all.find(head);
    if (name.empty() || begin == std::string_view::npos) return false;
    // Each name of the line stands between two spaces, the last before the line's end.
    const size_t end = std::min(all.size(), all.find('\n', begin + 1));
    const std::string line = std::string(all.substr(begin, end - begin)) + " ";
    return line.find(" " + std::string(name) + " ") != std::string::npos;
}

} // namespace cutaway::capture
