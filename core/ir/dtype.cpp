// SPDX-License-Identifier: Apache-2.0
#include "core/ir/dtype.h"

#include "core/ir/meta_device.h"

#include "core/ir/promotion.h"

#include <cmath>
#include <cstdlib>

namespace cutaway::ir {

namespace {
using Category = DTypeInfo::Category;
constexpr DTypeInfo kRows[] = {
#define DTYPE(id, name, alias, short, bytes, category, host, compute, cpp, cuda, numpy, onnx)      \
    {DType::id,      name, alias, short, bytes, Category::category,                                \
     DType::compute, cpp,  cuda,  numpy, onnx},
#include "core/ir/dtypes.def"
#undef DTYPE
};

bool isFloat8(const DTypeInfo& row) {
    return row.category == Category::Floating && row.bytes == 1;
}
/// uint16, uint32, uint64: PyTorch stores them and promotes them to floating types only.
bool isBareUnsigned(const DTypeInfo& row) {
    return row.category == Category::Unsigned && row.bytes > 1;
}

DType widerInteger(const DTypeInfo& a, const DTypeInfo& b) {
    if (a.category == b.category) return a.bytes > b.bytes ? a.id : b.id;
    const DTypeInfo& with = a.category == Category::Signed ? a : b;
    // Of the unsigned ones only uint8 gets here.
    return with.bytes > 1 ? with.id : DType::Int16;
}
} // namespace

const DTypeInfo& info(DType dtype) {
    return kRows[static_cast<size_t>(dtype)];
}
std::span<const DTypeInfo> allDTypes() {
    return kRows;
}
size_t sizeBytes(DType dtype) {
    return info(dtype).bytes;
}
bool isFloating(DType dtype) {
    return info(dtype).category == Category::Floating;
}
bool isIntegral(DType dtype) {
    return !hasGradients(dtype);
}
bool isComplex(DType dtype) {
    return info(dtype).category == Category::Complex;
}
DType realType(DType dtype) {
    if (!isComplex(dtype)) return dtype;
    return dtype == DType::Complex128 ? DType::Float64 : DType::Float32;
}
DType complexType(DType dtype) {
    return dtype == DType::Float64 || dtype == DType::Complex128 ? DType::Complex128
                                                                 : DType::Complex64;
}
DType computeType(DType dtype) {
    return info(dtype).compute;
}
bool isHalf(DType dtype) {
    return dtype == DType::Float16 || dtype == DType::BFloat16;
}
std::string_view name(DType dtype) {
    return info(dtype).name;
}
std::string_view shortName(DType dtype) {
    return info(dtype).shortName;
}

std::optional<DType> dtypeFromName(std::string_view text) {
    for (const DTypeInfo& row : kRows)
        if (row.name == text || row.shortName == text || (!row.alias.empty() && row.alias == text))
            return row.id;
    return std::nullopt;
}

std::optional<DType> dtypeFromOnnx(int number) {
    for (const DTypeInfo& row : kRows)
        if (row.onnx == number) return row.id;
    return std::nullopt;
}

std::optional<DType> promoted(DType a, DType b) {
    if (a == b) return a;
    const DTypeInfo &x = info(a), &y = info(b);
    if (isFloat8(x) || isFloat8(y)) return std::nullopt;
    if (isComplex(a) || isComplex(b)) {
        const bool wide =
            complexType(a) == DType::Complex128 || complexType(b) == DType::Complex128;
        return wide ? DType::Complex128 : DType::Complex64;
    }
    const bool floatX = isFloating(a), floatY = isFloating(b);
    if (floatX && floatY)
        return x.bytes == y.bytes ? DType::Float32 : x.bytes > y.bytes ? a : b; // half and bfloat16
    if (floatX || floatY) return floatX ? a : b;
    if (isBareUnsigned(x) || isBareUnsigned(y)) return std::nullopt;
    if (a == DType::Bool) return b;
    if (b == DType::Bool) return a;
    return widerInteger(x, y);
}

DType promote(DType a, DType b) {
    if (const auto dtype = promoted(a, b)) return *dtype;
    throw PromotionRefused(a, b);
}

PromotionRefused::PromotionRefused(DType a, DType b)
    : std::runtime_error("Promotion for " +
                         std::string(isFloat8(info(a)) || isFloat8(info(b))
                                         ? "Float8 Types"
                                         : "uint16, uint32, uint64 types") +
                         " is not supported, attempted to promote " + std::string(name(a)) +
                         " and " + std::string(name(b))) {}

FloatLimits floatLimits(DType dtype) {
    dtype = realType(dtype);
    const auto ieee = [](int mantissa, int largest) {
        return FloatLimits{std::ldexp(1.0, -mantissa),
                           std::ldexp(2.0 - std::ldexp(1.0, -mantissa), largest),
                           std::ldexp(1.0, 1 - largest)};
    };
    switch (dtype) {
    case DType::Float8E4M3:
        return {0.125, 448, 0.015625};
    case DType::Float8E5M2:
        return ieee(2, 15);
    case DType::Float16:
        return ieee(10, 15);
    case DType::BFloat16:
        return ieee(7, 127);
    case DType::Float32:
        return ieee(23, 127);
    default:
        return ieee(52, 1023);
    }
}

IntegerLimits integerLimits(DType dtype) {
    const DTypeInfo& row = info(dtype);
    if (row.category == Category::Bool) return {0, 1};
    const int bits = static_cast<int>(row.bytes) * 8;
    const uint64_t ones = ~uint64_t{0} >> (64 - bits);
    if (row.category == Category::Unsigned) return {0, static_cast<int64_t>(ones)};
    const auto most = static_cast<int64_t>(ones >> 1);
    return {-most - 1, most};
}

std::string Device::str() const {
    return isCuda() ? "cuda:" + std::to_string(index) : isMeta(*this) ? "meta" : "cpu";
}

std::optional<Device> deviceFromName(std::string_view text) {
    if (text == "cpu") return Device{};
    if (text == "meta") return kMetaDevice;
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
