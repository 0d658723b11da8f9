// SPDX-License-Identifier: Apache-2.0
#include "core/ir/host_tensor.h"

#include "core/ir/element.h"

#include <cstring>
#include <new>

namespace cutaway::ir {

/// What no system's address space holds.
constexpr size_t kMostBytes = size_t{1} << 40;

HostTensor HostTensor::zeros(DType dtype, std::vector<int64_t> sizes) {
    HostTensor tensor;
    tensor.dtype = dtype;
    tensor.sizes = std::move(sizes);
    const auto bytes = static_cast<size_t>(tensor.numel()) * sizeBytes(dtype);
    if (bytes > kMostBytes) throw std::bad_alloc();
    tensor.bytes.resize(bytes);
    return tensor;
}

HostTensor HostTensor::scalar(DType dtype, double value) {
    HostTensor tensor = zeros(dtype, {});
    tensor.set(0, value);
    return tensor;
}

int64_t HostTensor::numel() const {
    int64_t n = 1;
    for (int64_t size : sizes)
        n *= size;
    return n;
}

template <typename To> static To load(const HostTensor& t, int64_t i) {
    const std::byte* at = t.bytes.data() + static_cast<size_t>(i) * sizeBytes(t.dtype);
    return withElement(t.dtype, [at](auto value) {
        std::memcpy(&value, at, sizeof value);
        return convertElement<To>(value);
    });
}

template <typename From> static void store(HostTensor& t, int64_t i, From from) {
    std::byte* at = t.bytes.data() + static_cast<size_t>(i) * sizeBytes(t.dtype);
    withElement(t.dtype, [at, from](auto value) {
        value = convertElement<decltype(value)>(from);
        std::memcpy(at, &value, sizeof value);
    });
}

double HostTensor::get(int64_t i) const {
    return load<double>(*this, i);
}
int64_t HostTensor::getInt(int64_t i) const {
    return load<int64_t>(*this, i);
}
void HostTensor::set(int64_t i, double value) {
    store(*this, i, value);
}
void HostTensor::setInt(int64_t i, int64_t value) {
    store(*this, i, value);
}

TensorType HostTensor::type(Device device) const {
    return TensorType::contiguous(dtype, Shape(sizes.begin(), sizes.end()), device);
}

} // namespace cutaway::ir
