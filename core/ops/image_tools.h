// SPDX-License-Identifier: Apache-2.0
/// \file
/// What convolutions, pools and batch norms share: tensors [batch, channels, spatial...], and where
/// their channels lie in memory. Internal to core/ops.
#pragma once

#include "core/ops/memory_order.h"
#include "core/ops/rules.h"

namespace cutaway::ops {

/// A dense type, row-major or with the channels innermost.
ir::TensorType imageType(ir::DType dtype, ir::Shape sizes, ir::Device device, bool channelsLast);
/// A list argument for \p count spatial dimensions: one number stands for all. Errors: user error
/// for another length.
Result<std::vector<ir::Sym>> spatialList(const OpCall& call, size_t arg, size_t count);
/// The same as plain numbers, of a call whose shape rule has accepted them.
std::vector<int64_t> spatialNumbers(const OpCall& call, size_t arg, size_t count);
/// [n, c, ...] without its spatial sizes, which \p spatial replaces.
ir::Shape withSpatial(const ir::Shape& sizes, std::span<const ir::Sym> spatial);
/// A list of plain numbers as an argument.
ir::ArgList numberList(std::span<const int64_t> values);

} // namespace cutaway::ops
