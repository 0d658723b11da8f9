// SPDX-License-Identifier: Apache-2.0
/// \file
/// The numbers that PyTorch's CUDA generator gives, drawn by a kernel on the GPU itself.
#pragma once

#include "core/codegen/source.h"
#include "core/runtime/random.h"

namespace cutaway::runtime {

/// Fills \p tensor, dense on a GPU, in the order of its memory. Which thread makes which number
/// depends on the GPU's multiprocessors, as in PyTorch. Errors: user error for a distribution
/// (Permutation) or a dtype that is not drawn there.
base::Status fillOnCuda(Tensor& tensor, const Draw& draw, Generator& generator);

/// The CUDA text of a fill of \p count elements: entry "fill_random". Arguments: the memory, the number of its elements,
/// the first counter of the engine, both words of the seed, a, b, low, the size of the range.
codegen::KernelSource randomSource(const Draw& draw, ir::DType dtype, int64_t count);

} // namespace cutaway::runtime
