// SPDX-License-Identifier: Apache-2.0
#include "core/ir/dtype.h"

#include <algorithm>
#include <cstdlib>

namespace cutaway::ir {

namespace {
struct Row {
    std::string_view name, shortName;
    size_t bytes;
    bool floating;
};
constexpr Row kRows[] = {{"bool", "b8", 1, false},    {"uint8", "u8", 1, false},
                         {"int32", "i32", 4, false},  {"int64", "i64", 8, false},
                         {"float32", "f32", 4, true}, {"float64", "f64", 8, true}};
const Row& row(DType dtype) {
    return kRows[static_cast<size_t>(dtype)];
}
} // namespace

size_t sizeBytes(DType dtype) {
    return row(dtype).bytes;
}
bool isFloating(DType dtype) {
    return row(dtype).floating;
}
bool isIntegral(DType dtype) {
    return !row(dtype).floating;
}
std::string_view name(DType dtype) {
    return row(dtype).name;
}
std::string_view shortName(DType dtype) {
    return row(dtype).shortName;
}

std::optional<DType> dtypeFromName(std::string_view text) {
    if (text == "float") return DType::Float32;
    if (text == "double") return DType::Float64;
    if (text == "long") return DType::Int64;
    if (text == "int") return DType::Int32;
    for (size_t i = 0; i < std::size(kRows); ++i)
        if (kRows[i].name == text || kRows[i].shortName == text) return static_cast<DType>(i);
    return std::nullopt;
}

DType promote(DType a, DType b) {
    return std::max(a, b);
} // the enum is in promotion order

std::string Device::str() const {
    return isCuda() ? "cuda:" + std::to_string(index) : std::string("cpu");
}

std::optional<Device> deviceFromName(std::string_view text) {
    if (text == "cpu") return Device{};
    if (text == "cuda") return Device{Device::Kind::Cuda, 0};
    if (text.starts_with("cuda:") && text.size() > 5) {
        std::string digits(text.substr(5));
        char* end = nullptr;
        long index = std::strtol(digits.c_str(), &end, 10);
        if (*end == 0 && index >= 0) return Device{Device::Kind::Cuda, static_cast<int>(index)};
    }
    return std::nullopt;
}

} // namespace cutaway::ir
