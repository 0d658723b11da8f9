// SPDX-License-Identifier: Apache-2.0
#include "core/ops/norm_statistics.h"

#include "core/ops/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::ops {

// Source: param_scalar_type in aten/src/ATen/native/cpu/mixed_data_type.h.
ir::DType statisticsType(const OpCall& call, std::initializer_list<size_t> parameters) {
    const ir::TensorType& x = call.tensor(0);
    const bool mixed = std::any_of(parameters.begin(), parameters.end(), [&](size_t i) {
        return call.isTensor(i) && call.tensor(i).dtype != x.dtype;
    });
    return mixed || x.device.isCuda() ? ir::computeType(x.dtype) : x.dtype;
}

base::Status wantWideFloats(const OpCall& call) {
    const ir::DType dtype = call.tensor(0).dtype;
    if (ir::sizeBytes(dtype) > 1) return {};
    return refuse(call, fmt::format("not implemented for {}", ir::name(dtype)))
        .as(base::ErrorClass::NotImplemented);
}

base::Status wantParameterDTypes(const OpCall& call, std::initializer_list<size_t> parameters) {
    const ir::DType dtype = call.tensor(0).dtype, wide = ir::computeType(dtype);
    for (size_t i : parameters) {
        if (!call.isTensor(i)) continue;
        const ir::DType found = call.tensor(i).dtype;
        if (found == dtype || found == wide) continue;
        return refuse(call,
                      fmt::format("expected {} of {}{}{}, found {}", call.def.parsed.args[i].name,
                                  ir::name(dtype), wide == dtype ? "" : " or ",
                                  wide == dtype ? "" : ir::name(wide), ir::name(found)));
    }
    return {};
}

} // namespace cutaway::ops
