// SPDX-License-Identifier: Apache-2.0
#include "core/capture/pytorch_names.h"

#include <algorithm>
#include <string>

namespace cutaway::resources {
extern const std::string_view kPytorchNames;
}

namespace cutaway::capture {

std::string_view pytorchNames(std::string_view owner) {
    const std::string_view all = resources::kPytorchNames;
    const std::string head = "\n" + std::string(owner) + ": ";
    const size_t begin = all.find(head);
    if (begin == std::string_view::npos) return {};
    const size_t end = std::min(all.size(), all.find('\n', begin + 1));
    return all.substr(begin + head.size(), end - begin - head.size());
}

bool pytorchHas(std::string_view owner, std::string_view name) {
    const std::string line = " " + std::string(pytorchNames(owner)) + " ";
    return !name.empty() && line.find(" " + std::string(name) + " ") != std::string::npos;
}

} // namespace cutaway::capture
