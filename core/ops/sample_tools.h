// SPDX-License-Identifier: Apache-2.0
/// \file
/// Short ways to write sample calls. Internal to core/ops.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

inline SampleTensor f32(std::vector<int64_t> sizes, double low = -2, double high = 2) {
    return {.dtype = ir::DType::Float32, .sizes = std::move(sizes), .low = low, .high = high};
}
inline SampleTensor f64(std::vector<int64_t> sizes, double low = -2, double high = 2) {
    return {.dtype = ir::DType::Float64, .sizes = std::move(sizes), .low = low, .high = high};
}
inline SampleTensor i64(std::vector<int64_t> sizes, double low = -4, double high = 4) {
    return {.dtype = ir::DType::Int64, .sizes = std::move(sizes), .low = low, .high = high};
}
inline SampleTensor i32(std::vector<int64_t> sizes, double low = -4, double high = 4) {
    return {.dtype = ir::DType::Int32, .sizes = std::move(sizes), .low = low, .high = high};
}
inline SampleTensor u8(std::vector<int64_t> sizes, double low = 0, double high = 255) {
    return {.dtype = ir::DType::UInt8, .sizes = std::move(sizes), .low = low, .high = high};
}
inline SampleTensor b8(std::vector<int64_t> sizes) {
    return {.dtype = ir::DType::Bool, .sizes = std::move(sizes), .low = 0, .high = 1};
}
inline SampleTensor transposed(SampleTensor tensor) {
    tensor.transposed = true;
    return tensor;
}
inline SampleTensor awkward(SampleTensor tensor) {
    tensor.awkward = true;
    return tensor;
}
inline SampleTensor definite(SampleTensor tensor) {
    tensor.definite = true;
    return tensor;
}

/// The k-th tensor of a sample as an argument.
inline ir::Arg T(uint32_t k) {
    return ir::Arg(ir::NodeId(k));
}
inline ir::Arg I(int64_t value) {
    return ir::Arg(ir::Sym(value));
}
inline ir::Arg L(std::vector<int64_t> values) {
    ir::ArgList list;
    for (int64_t value : values)
        list.push_back(I(value));
    return ir::Arg(std::move(list));
}
inline ir::Arg none() {
    return ir::Arg{};
}

inline Sample good(std::vector<SampleTensor> tensors, ir::ArgList args) {
    return {.tensors = std::move(tensors), .args = std::move(args), .expectedError = {}};
}
/// A good call whose gradient is not compared with differences (kinks, infinities).
inline Sample forwardOnly(std::vector<SampleTensor> tensors, ir::ArgList args) {
    return {.tensors = std::move(tensors),
            .args = std::move(args),
            .expectedError = {},
            .gradient = false};
}
inline Sample bad(std::vector<SampleTensor> tensors, ir::ArgList args, std::string message) {
    return {.tensors = std::move(tensors),
            .args = std::move(args),
            .expectedError = std::move(message),
            .gradient = false};
}

} // namespace cutaway::ops
