// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is known of a tensor without its values: dtype, sizes, strides, device, requires_grad.
#pragma once

#include "core/base/result.h"
#include "core/ir/dtype.h"
#include "core/ir/sym.h"

#include <string>
#include <vector>

namespace cutaway::ir {

using Shape = std::vector<Sym>;

struct TensorType {
    DType dtype = DType::Float32;
    Shape sizes;
    Shape strides; ///< in elements, one per size
    Device device;
    bool requiresGrad = false;

    /// A contiguous (row-major) tensor.
    static TensorType contiguous(DType dtype, Shape sizes, Device device = {});

    size_t rank() const { return sizes.size(); }
    Sym numel() const;
    /// Bytes of the elements; requires constant sizes.
    int64_t bytes() const;
    bool isContiguous() const;
    bool staticSizes() const;
    /// "f32[16, 16]", the form of FX print-outs.
    std::string str() const;
    bool operator==(const TensorType&) const = default;
};

/// Whether 64 bits can count the bytes of a row-major tensor of these sizes (a size of 0 counts as
/// 1, as in its strides). Views are held to the same: their values must fit somewhere. Errors:
/// environment error, out of memory.
base::Status checkAddressable(const TensorType& type);

Shape contiguousStrides(const Shape& sizes);
/// The sizes as integers; requires constant sizes.
std::vector<int64_t> constants(const Shape& shape);
/// "[4, 1024]"
std::string str(const Shape& shape);

} // namespace cutaway::ir
