// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inputs of programs that add at computed places: how many updates meet at one place.
#pragma once

#include "case_run.h"

namespace cutaway::testing {

/// Places of the updates: all apart, as far as there are enough; some the same; all the same.
enum Meeting { Nobody, Some, All };

inline int64_t placeOf(Meeting meeting, int64_t k, int64_t places) {
    return meeting == Nobody ? k * 7 % places : meeting == Some ? k * k % 31 % places : places / 2;
}

inline std::vector<ir::HostTensor> inputsOf(const CudaProgram& c, Meeting meeting, int64_t places) {
    std::vector<ir::HostTensor> inputs = inputsNear1(c, 3);
    for (ir::HostTensor& t : inputs)
        for (int64_t k = 0; k < t.numel() && t.dtype == ir::DType::Int64; ++k)
            t.setInt(k, placeOf(meeting, k, places));
    return inputs;
}

} // namespace cutaway::testing
