// SPDX-License-Identifier: Apache-2.0
/// \file
/// Attention on CUDA by blocks of keys: kernels of our own, forwards one, backwards three. The same
/// results every time: no two blocks add to one number.
#pragma once

#include "core/runtime/attention.h"
#include "core/runtime/cuda_generic.h"

namespace cutaway::runtime {

/// Wider heads have no place in shared memory.
constexpr int64_t kWidestHead = 128;
/// float32 or 16 bits, and heads that are not too wide.
bool takesAttention(const AttentionSpec& spec);

/// \param aligned all pointers of the call will be multiples of 16 bytes
base::Result<LibraryKernelPtr> makeGeneratedAttention(CudaDevice& device, const AttentionSpec& spec,
                                                      bool aligned);

/// CUDA texts. Forwards the pass takes query, key, value, mask (or null) and the result; backwards
/// the sums take gradient and output and leave one number for each row, and the passes take query,
/// key, value, gradient, logarithms, these numbers, mask (or null) and the result.
struct AttentionSources {
    codegen::KernelSource sums; ///< backwards
    std::vector<codegen::KernelSource> passes;
    int64_t sumBytes = 0;
};
/// \param sharedLimit bytes of shared memory that a block may have
AttentionSources attentionSources(const AttentionSpec& spec, int64_t sharedLimit, bool aligned);
/// The same of 16-bit operands, on tensor cores.
AttentionSources halfAttentionSources(const AttentionSpec& spec, int64_t sharedLimit, bool aligned);
/// "constexpr long long kQueryB = 4096, ..": the strides of every operand.
std::string attentionStrides(const AttentionSpec& spec);
/// Whether pointers and strides of what is brought in tiles are multiples of \p count numbers.
bool inMultiples(const AttentionSpec& spec, int64_t count);

} // namespace cutaway::runtime
