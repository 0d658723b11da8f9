// SPDX-License-Identifier: Apache-2.0
/// \file
/// What operations share that make tensors: of numbers, of another dtype, drawn. Internal to core/ops.
#pragma once

#include "core/ops/rules.h"

namespace cutaway::ops {

size_t argNamed(const OpCall& call, std::string_view name);
/// Arguments dtype= and device=.
ir::Device deviceArg(const OpCall& call, ir::Device otherwise);
ir::DType dtypeArg(const OpCall& call, ir::DType otherwise);
ir::DType floatDefault(const OpCall& call);
ir::DType intDefault(const OpCall& call);
/// Refuses negative sizes.
base::Status legalSizes(const OpCall& call, const ir::Shape& sizes);

/// self's sizes, dense in the memory format that argument \p arg names; none: in self's order.
Result<ir::TensorType> inFormat(const OpCall& call, size_t arg, ir::DType dtype, ir::Device device);
/// zeros_like: a kernel belongs to one device.
Result<Types> newLike(const OpCall& call);
/// full, zeros, ones, rand: a size list and dtype=, device=.
template <auto DTypeOf, size_t sizeArg> Result<Types> newShape(const OpCall& call) {
    ir::Shape sizes = call.integers(sizeArg);
    CUTAWAY_CHECK(legalSizes(call, sizes));
    return one(ir::TensorType::contiguous(dtypeArg(call, DTypeOf(call)), std::move(sizes),
                                          deviceArg(call, {})));
}

// The options that ATen's factory functions share, for the schemas' text.
#define CUTAWAY_OPTIONS                                                                            \
    ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None" \
    ") -> Tensor"
#define CUTAWAY_LIKE_OPTIONS                                                                       \
    ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "                      \
    "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"

} // namespace cutaway::ops
