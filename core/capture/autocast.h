// SPDX-License-Identifier: Apache-2.0
/// \file
/// torch.autocast: what dtype the operands of an operation are converted to first.
#pragma once

#include "core/ir/dtype.h"

#include <string>

#include <string_view>

namespace cutaway::capture {

/// Of one kind of device.
struct Autocast {
    bool enabled = false;
    ir::DType dtype;
    bool operator==(const Autocast&) const = default;
};

/// The blocks that are open, of each kind of device.
struct AutocastModes {
    Autocast cpu{false, ir::DType::BFloat16}, cuda{false, ir::DType::Float16};

    const Autocast& of(const ir::Device& device) const { return device.isCuda() ? cuda : cpu; }
    bool any() const { return cpu.enabled || cuda.enabled; }
    /// "cpu bfloat16", or "" when none is open.
    std::string str() const;
    bool operator==(const AutocastModes&) const = default;
};

enum class AutocastRule : uint8_t {
    None,    ///< as the operands are
    Lower,   ///< in the mode's dtype: products and convolutions
    Float32, ///< in float32: what loses its meaning in fewer bits
    Widest   ///< in the widest dtype among the operands
};
/// PyTorch's lists (aten/src/ATen/autocast_mode.h), which differ by kind of device.
AutocastRule autocastRule(std::string_view operation, bool cuda);

} // namespace cutaway::capture
