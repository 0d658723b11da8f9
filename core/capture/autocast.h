// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is in force for all operations of a script: torch.autocast (what dtype operands are converted
/// to first), torch.set_default_dtype, torch.inference_mode.
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

/// Guarded as one: compiled code for other modes is other code.
struct TensorModes {
    /// The blocks that are open, of each kind of device.
    Autocast cpu{false, ir::DType::BFloat16}, cuda{false, ir::DType::Float16};

    /// Of Python's floats, and of what is computed of integers.
    ir::DType defaultDType = ir::DType::Float32;
    bool inference = false;
    bool plain = false; ///< no class is asked for calls of torch: DisableTorchFunctionSubclass

    const Autocast& of(const ir::Device& device) const { return device.isCuda() ? cuda : cpu; }
    bool anyAutocast() const { return cpu.enabled || cuda.enabled; }
    /// "autocast cpu bfloat16, default float64", or "" when all is as usual.
    std::string str() const;
    bool operator==(const TensorModes&) const = default;
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
