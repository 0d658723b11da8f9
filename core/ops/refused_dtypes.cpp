// SPDX-License-Identifier: Apache-2.0
#include "core/ops/refused_dtypes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cutaway::ops {

namespace {

using ir::DType;

enum Refused : unsigned { kBool = 1, kIntegers = 2 };

unsigned kindOf(DType dtype) {
    if (dtype == DType::Bool) return kBool;
    return ir::isIntegral(dtype) ? kIntegers : 0u;
}

constexpr std::pair<std::string_view, unsigned> kOfOne[] = {
    {"abs", kBool},
    {"argmax", kBool},
    {"argmin", kBool},
    {"ceil", kBool},
    {"floor", kBool},
    {"frac", kBool | kIntegers},
    {"histc", kBool | kIntegers},
    {"kthvalue", kBool},
    {"lerp", kBool | kIntegers},
    {"logcumsumexp", kBool | kIntegers},
    {"median", kBool},
    {"nanmean", kBool | kIntegers},
    {"relu", kBool},
    {"round", kBool},
    {"topk", kBool},
    {"trunc", kBool},
};
/// When all tensors are of the kind; there are two at least.
constexpr std::pair<std::string_view, unsigned> kOfTwo[] = {
    {"bmm", kBool}, {"dot", kBool}, {"floor_divide", kBool}, {"fmod", kBool},
    {"matmul", kBool}, {"mm", kBool}, {"mv", kBool}, {"remainder", kBool},
};

} // namespace

std::optional<base::Diagnostic> refusedDType(std::string_view base,
                                             std::span<const DType> tensors) {
    auto refuses = [&](const auto& table) {
        const auto* row = std::ranges::find(table, base, [](const auto& r) { return r.first; });
        return row != std::end(table) && std::ranges::all_of(tensors, [&](DType dtype) {
                   return (kindOf(dtype) & row->second) != 0;
               });
    };
    if (tensors.empty()) return std::nullopt;
    if (!refuses(kOfOne) && !(tensors.size() > 1 && refuses(kOfTwo))) return std::nullopt;
    return base::userError({}, fmt::format("{}: not implemented for {}", base,
                                           ir::name(tensors.front())),
                           "convert it to another dtype")
        .as(base::ErrorClass::NotImplemented);
}

} // namespace cutaway::ops
