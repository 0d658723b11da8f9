// SPDX-License-Identifier: Apache-2.0
#include "core/ops/refused_dtypes.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

bool refuses(Refuses what, std::span<const ir::DType> tensors) {
    const auto are = [&](auto property) { return std::ranges::all_of(tensors, property); };
    const auto isBool = [](ir::DType dtype) { return dtype == ir::DType::Bool; };
    const auto isWhole = [&](ir::DType dtype) { return isBool(dtype) || ir::isIntegral(dtype); };
    switch (what) {
    case Refuses::Nothing:
        return false;
    case Refuses::Bools:
        return are(isBool);
    case Refuses::SeveralBools:
        return tensors.size() > 1 && are(isBool);
    case Refuses::WholeNumbers:
        return are(isWhole);
    }
    return false;
}

} // namespace

std::optional<base::Diagnostic> refusedDType(const OpDef& def, std::string_view name,
                                             std::span<const ir::DType> tensors) {
    if (tensors.empty() || !refuses(def.traits.refuses, tensors)) return std::nullopt;
    return base::userError(
               {}, fmt::format("{}: not implemented for {}", name, ir::name(tensors.front())),
               "convert it to another dtype")
        .as(base::ErrorClass::NotImplemented);
}

} // namespace cutaway::ops
