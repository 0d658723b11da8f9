// SPDX-License-Identifier: Apache-2.0
#include "core/ops/refused_dtypes.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

/// For floating and complex dtypes alone.
constexpr std::string_view kNumbers[] = {
    "celu",
    "elu",
    "frac",
    "frexp",
    "glu",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "histc",
    "huber_loss",
    "leaky_relu",
    "lerp",
    "linalg_vector_norm",
    "log_sigmoid",
    "logaddexp",
    "logaddexp2",
    "logcumsumexp",
    "max_pool1d",
    "mish",
    "mse_loss",
    "nanmean",
    "nll_loss",
    "norm",
    "renorm",
    "scaled_dot_product_attention",
    "selu",
    "silu",
    "smooth_l1_loss",
    "softplus",
    "softshrink",
};
/// For all dtypes but bool.
constexpr std::string_view kNotBool[] = {
    "abs",    "argmax",    "argmin", "avg_pool1d", "ceil",  "floor",     "hardtanh", "kthvalue",
    "median", "nanmedian", "relu",   "relu6",      "round", "threshold", "topk",     "trunc",
};
/// For all pairs of dtypes but bools.
constexpr std::string_view kNotBools[] = {
    "addcmul", "addmm",  "baddbmm", "bmm", "dot", "floor_divide",
    "fmod",    "linear", "matmul",  "mm",  "mv",  "remainder",
};

} // namespace

std::optional<base::Diagnostic> refusedDType(std::string_view base,
                                             std::span<const DType> tensors) {
    auto are = [&](auto property) { return std::ranges::all_of(tensors, property); };
    auto in = [&](const auto& table) { return std::ranges::find(table, base) != std::end(table); };
    auto isBool = [](DType dtype) { return dtype == DType::Bool; };
    auto isWhole = [](DType dtype) { return dtype == DType::Bool || ir::isIntegral(dtype); };
    if (tensors.empty()) return std::nullopt;
    const bool refused = (are(isWhole) && in(kNumbers)) || (are(isBool) && in(kNotBool)) ||
                         (tensors.size() > 1 && are(isBool) && in(kNotBools));
    if (!refused) return std::nullopt;
    return base::userError(
               {}, fmt::format("{}: not implemented for {}", base, ir::name(tensors.front())),
               "convert it to another dtype")
        .as(base::ErrorClass::NotImplemented);
}

} // namespace cutaway::ops
