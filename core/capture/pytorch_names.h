// SPDX-License-Identifier: Apache-2.0
/// \file
/// What PyTorch has, whether or not it is here: the names of resources/pytorch_names.txt.
#pragma once

#include <string_view>

namespace cutaway::capture {

/// Whether PyTorch's \p owner ("torch.linalg", "torch.Tensor") has that public name.
bool pytorchHas(std::string_view owner, std::string_view name);
/// All of them, a space between two; nothing for other owners.
std::string_view pytorchNames(std::string_view owner);

} // namespace cutaway::capture
