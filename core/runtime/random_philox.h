// SPDX-License-Identifier: Apache-2.0
/// \file
/// The numbers that PyTorch's CUDA generator gives, computed by the host.
#pragma once

#include "core/runtime/random.h"

namespace cutaway::runtime {

/// Fills contiguous host memory with what GPU \p device would draw. Errors: environment error where
/// there is no such GPU (its number of processors decides which thread makes which number).
base::Status fillPhilox(Tensor& tensor, const Draw& draw, Generator& generator, int device);

/// The same for a GPU with so many multiprocessors of so many threads.
base::Status fillPhilox(Tensor& tensor, const Draw& draw, Generator& generator, int multiprocessors,
                        int threadsEach);

} // namespace cutaway::runtime
