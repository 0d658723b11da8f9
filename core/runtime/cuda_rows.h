// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sorting and running values along one dimension on a GPU: kernels of our own, whose results are
/// those of the CPU's loops, ties included.
#pragma once

#include "core/runtime/cuda_generic.h"
#include "core/runtime/rows.h"

namespace cutaway::runtime {

base::Result<LibraryKernelPtr> makeGeneratedRows(CudaDevice& device, const RowsSpec& spec);

/// A text and what of it is launched in turn; scratch memory is shared by all.
struct RowsProgram {
    std::string text;
    struct Launch {
        std::string entry;
        int64_t blocks = 1, threads = 256;
        /// Which halves of the scratch memory are read and written (0, 1), and the length of the
        /// runs that are merged.
        int64_t from = 0, to = 0, width = 0;
    };
    std::vector<Launch> launches;
    int64_t scratchBytes = 0; ///< of one half
};
/// A spec that is not empty.
RowsProgram sortProgram(const RowsSpec& spec);
RowsProgram scanProgram(const RowsSpec& spec);

} // namespace cutaway::runtime
