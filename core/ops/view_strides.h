// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reshaping without moving data: when it is possible, and how coordinates map.
#pragma once

#include "core/ops/op_def.h"

#include <optional>
#include <span>

namespace cutaway::ops {

/// The type of a view of a call's first tensor.
ir::TensorType viewType(const OpCall& call, ir::Shape sizes, ir::Shape strides);

/// Strides of \p type seen with other \p sizes of the same number of elements, or nothing when the
/// elements would have to move (at::detail::computeStride). \p call: asked which products of sizes
/// are the same where they are written differently; null: those are not.
std::optional<ir::Shape> viewStrides(const ir::TensorType& type, const ir::Shape& sizes,
                                     const OpCall* call = nullptr);

/// Of a call's first tensor: as they are written, or else as the call says.
std::optional<ir::Shape> viewStrides(const OpCall& call, const ir::Shape& sizes);

/// Coordinates in a tensor of sizes \p from of the element that has \p coords among sizes \p to.
/// Runs of dimensions with equal products are handled apart, so unchanged dimensions map to
/// themselves.
std::vector<ir::Sym> reshapeCoords(const ir::Shape& from, const ir::Shape& to,
                                   std::span<const ir::Sym> coords);

} // namespace cutaway::ops
