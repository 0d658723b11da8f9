// SPDX-License-Identifier: Apache-2.0
/// \file
/// Element types and devices, with PyTorch's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::ir {

enum class DType : uint8_t { Bool, UInt8, Int32, Int64, Float32, Float64 };

size_t sizeBytes(DType dtype);
bool isFloating(DType dtype);
/// Integers and Bool.
bool isIntegral(DType dtype);
/// "float32", "int64", "bool": the attribute of `torch` that names the dtype.
std::string_view name(DType dtype);
/// "f32", "i64", "b8": the short form of FX graph print-outs.
std::string_view shortName(DType dtype);
std::optional<DType> dtypeFromName(std::string_view name);
/// PyTorch's c10::promoteTypes for two tensor dtypes of the same category rank.
DType promote(DType a, DType b);

struct Device {
    enum class Kind : uint8_t { Cpu, Cuda };
    Kind kind = Kind::Cpu;
    int index = 0;

    bool isCuda() const { return kind == Kind::Cuda; }
    std::string str() const; ///< "cpu", "cuda:0"
    bool operator==(const Device&) const = default;
};

std::optional<Device> deviceFromName(std::string_view name);

} // namespace cutaway::ir
