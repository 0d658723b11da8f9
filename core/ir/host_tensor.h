// SPDX-License-Identifier: Apache-2.0
/// \file
/// A dense, row-major tensor in host memory: constants in graphs, values in the reference
/// interpreter, contents of files.
#pragma once

#include "core/ir/tensor_type.h"

#include <cstddef>
#include <span>
#include <vector>

namespace cutaway::ir {

struct HostTensor {
    DType dtype = DType::Float32;
    std::vector<int64_t> sizes;
    std::vector<std::byte> bytes; ///< numel() * sizeBytes(dtype), row-major

    /// Throws bad_alloc beyond what an address space holds.
    static HostTensor zeros(DType dtype, std::vector<int64_t> sizes);
    static HostTensor scalar(DType dtype, double value);

    int64_t numel() const;
    /// Element \p i in row-major order, converted. int64 values beyond 2^53 need getInt.
    double get(int64_t i) const;
    int64_t getInt(int64_t i) const;
    void set(int64_t i, double value);
    void setInt(int64_t i, int64_t value);
    TensorType type(Device device = {}) const;

    template <typename T> std::span<T> as() {
        return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    template <typename T> std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
};

} // namespace cutaway::ir
