// SPDX-License-Identifier: Apache-2.0
/// \file
/// Element types and devices, with PyTorch's names. dtypes.def has a row for each dtype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::ir {

enum class DType : uint8_t {
#define DTYPE(id, ...) id,
#include "core/ir/dtypes.def"
#undef DTYPE
};

/// A row of dtypes.def.
struct DTypeInfo {
    enum class Category : uint8_t { Bool, Unsigned, Signed, Floating, Complex };
    DType id;
    std::string_view name, alias, shortName;
    size_t bytes;
    Category category;
    DType compute;
    std::string_view cppType, cudaType, numpy;
    int onnx;
};
const DTypeInfo& info(DType dtype);
/// Every dtype, in the order of the table.
std::span<const DTypeInfo> allDTypes();

size_t sizeBytes(DType dtype);
bool isFloating(DType dtype);
/// Integers and Bool.
bool isIntegral(DType dtype);
/// complex64 and complex128: tensors have them, graphs and kernels do not. There, a complex number is
/// a pair of real ones, along one more dimension at the end (resources/script_library/torch/_complex).
bool isComplex(DType dtype);
/// Whether tensors of it can require a gradient: floating and complex ones.
inline bool hasGradients(DType dtype) {
    return isFloating(dtype) || isComplex(dtype);
}
/// float32 of complex64, float64 of complex128; other dtypes as they are.
DType realType(DType dtype);
/// complex128 of float64, complex64 of the other dtypes; complex ones as they are.
DType complexType(DType dtype);
/// What an element is computed in: float32 for what is narrower, else the dtype itself.
DType computeType(DType dtype);
/// Floating types that are only stored: their compute dtype is another one.
inline bool isStorageOnly(DType dtype) {
    return computeType(dtype) != dtype;
}
/// float16 and bfloat16: the floating types below float32 that operations take.
bool isHalf(DType dtype);
/// "float32", "int64", "bool": the attribute of `torch` that names the dtype.
std::string_view name(DType dtype);
/// "f32", "i64", "b8": the short form of FX graph print-outs.
std::string_view shortName(DType dtype);
/// Of a name, an alias ("long") or a short form.
std::optional<DType> dtypeFromName(std::string_view name);
/// Of a TensorProto.DataType of ONNX.
std::optional<DType> dtypeFromOnnx(int number);
/// c10::promoteTypes. Nothing for pairs that PyTorch refuses: float8 with another dtype, and
/// uint16, uint32, uint64 with another integer or bool.
std::optional<DType> promoted(DType a, DType b);
/// The same. Errors (PromotionRefused, promotion.h): pairs that PyTorch refuses.
DType promote(DType a, DType b);

/// torch.finfo: of a floating dtype.
struct FloatLimits {
    double eps, max, smallestNormal;
};
FloatLimits floatLimits(DType dtype);
/// torch.iinfo: of an integer dtype or Bool; the largest uint64 is given by its bits.
struct IntegerLimits {
    int64_t min, max;
};
IntegerLimits integerLimits(DType dtype);

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
