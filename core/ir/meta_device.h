// SPDX-License-Identifier: Apache-2.0
/// \file
/// The device of tensors that have sizes and no values (PyTorch: "meta").
#pragma once

#include "core/ir/dtype.h"

namespace cutaway::ir {

/// Nothing is allocated or computed there: the host, with an index that no memory has.
inline constexpr Device kMetaDevice{Device::Kind::Cpu, -1};
inline bool isMeta(const Device& device) {
    return device == kMetaDevice;
}

} // namespace cutaway::ir
