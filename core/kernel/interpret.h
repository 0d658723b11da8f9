// SPDX-License-Identifier: Apache-2.0
/// \file
/// The slow meaning of loop IR and of scheduled kernels: statement by statement on host values,
/// with float32 rounding after every operation and sums in double. What generated code is tested
/// against.
#pragma once

#include "core/base/result.h"
#include "core/kernel/kernel_program.h"

#include <span>

namespace cutaway::kernel {

/// \param inputs one per placeholder, row-major values; placed in memory by the buffer's strides.
/// \returns one row-major tensor per output; an empty one for None.
/// Errors: user error for a wrong number of inputs, sizes or dtypes, and for the first value that
/// does not meet a check; bug for a malformed program.
base::Result<std::vector<ir::HostTensor>> interpret(const LoopProgram& program,
                                                    std::span<const ir::HostTensor> inputs);

/// The same for scheduled kernels: buffers that no kernel writes hold NaN, so that a kernel that
/// reads what nobody wrote is seen.
/// \param symbols values of the size symbols, where known; a backward's inputs need not tell them
base::Result<std::vector<ir::HostTensor>> interpret(const KernelProgram& program,
                                                    std::span<const ir::HostTensor> inputs,
                                                    std::span<const int64_t> symbols = {});

} // namespace cutaway::kernel
