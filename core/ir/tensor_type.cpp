// SPDX-License-Identifier: Apache-2.0
#include "core/ir/tensor_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace cutaway::ir {

TensorType TensorType::contiguous(DType dtype, Shape sizes, Device device) {
    TensorType type;
    type.dtype = dtype;
    type.strides = contiguousStrides(sizes);
    type.sizes = std::move(sizes);
    type.device = device;
    return type;
}

Sym TensorType::numel() const {
    int64_t number = 1;
    for (const Sym& size : sizes) // asked in every call: numbers first
        if (!size.isConst() || __builtin_mul_overflow(number, size.constant(), &number))
            return std::accumulate(sizes.begin(), sizes.end(), Sym(1), std::multiplies());
    return number;
}

int64_t TensorType::bytes() const {
    return (numel() * Sym(static_cast<int64_t>(sizeBytes(dtype)))).constant();
}

bool TensorType::isContiguous() const {
    const Shape expected = contiguousStrides(sizes);
    bool rows = true;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i].is(0)) return true; // there is nothing to lie otherwise
        rows &= sizes[i].is(1) || strides[i] == expected[i];
    }
    return rows;
}

bool TensorType::staticSizes() const {
    auto constant = [](const Sym& s) { return s.isConst(); };
    return std::all_of(sizes.begin(), sizes.end(), constant) &&
           std::all_of(strides.begin(), strides.end(), constant);
}

std::string TensorType::str() const {
    return std::string(shortName(dtype)) + ir::str(sizes);
}

base::Status checkAddressable(const TensorType& type) {
    // Every dimension has a variable of its own in index arithmetic.
    constexpr size_t kMaxRank = std::numeric_limits<decltype(Var::index)>::max();
    if (type.rank() > kMaxRank)
        return base::userError({}, fmt::format("a tensor of {} dimensions", type.rank()),
                               fmt::format("at most {} are possible", kMaxRank));
    Sym bytes(static_cast<int64_t>(sizeBytes(type.dtype)));
    for (const Sym& size : type.sizes)
        if (size.isConst() && size.constant() < 0)
            return base::userError({},
                                   fmt::format("Trying to create tensor with negative dimension "
                                               "{}: {}",
                                               size.constant(), str(type.sizes)));
    for (const Sym& size : type.sizes)
        if (size.isConst()) bytes = bytes * Sym(std::max<int64_t>(size.constant(), 1));
    if (!bytes.is(INT64_MAX)) return {};
    return base::environmentError(fmt::format("out of memory on {}: a tensor {} has more bytes "
                                              "than can be addressed",
                                              type.device.str(), type.str()),
                                  "make the tensor smaller")
        .as(type.device.isCuda() ? base::ErrorClass::OutOfMemory : base::ErrorClass::Runtime);
}

Shape contiguousStrides(const Shape& sizes) {
    Shape strides(sizes.size());
    Sym step(1);
    for (size_t i = sizes.size(); i-- > 0;) {
        strides[i] = step;
        step =
            step * (sizes[i].isConst() ? Sym(std::max<int64_t>(sizes[i].constant(), 1)) : sizes[i]);
    }
    return strides;
}

std::vector<int64_t> constants(const Shape& shape) {
    std::vector<int64_t> values;
    for (const Sym& s : shape)
        values.push_back(s.constant());
    return values;
}

std::string str(const Shape& shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + shape[i].str();
    return text + "]";
}

} // namespace cutaway::ir
