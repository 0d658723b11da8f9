// SPDX-License-Identifier: Apache-2.0
/// \file
/// What promote throws: the words are PyTorch's, the cause the user's.
#pragma once

#include "core/ir/dtype.h"

#include <stdexcept>

namespace cutaway::ir {

struct PromotionRefused : std::runtime_error {
    PromotionRefused(DType a, DType b);
};

} // namespace cutaway::ir
