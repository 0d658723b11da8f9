// SPDX-License-Identifier: Apache-2.0
#include "core/ops/norm_statistics.h"

#include <algorithm>

namespace cutaway::ops {

// Source: param_scalar_type in aten/src/ATen/native/cpu/mixed_data_type.h.
ir::DType statisticsType(const OpCall& call, std::initializer_list<size_t> parameters) {
    const ir::TensorType& x = call.tensor(0);
    const bool mixed = std::any_of(parameters.begin(), parameters.end(), [&](size_t i) {
        return call.isTensor(i) && call.tensor(i).dtype != x.dtype;
    });
    return mixed || x.device.isCuda() ? ir::computeType(x.dtype) : x.dtype;
}

} // namespace cutaway::ops
