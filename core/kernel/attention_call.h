// SPDX-License-Identifier: Apache-2.0
/// \file
/// The rows Attention and AttentionBackward of the table of operations. Internal to core/kernel.
#pragma once

#include "core/kernel/row_call.h"

namespace cutaway::kernel {

bool readsAttentionRows(const StridedView& view);
ir::Sym attentionFlops(const LibraryCall& call);
std::optional<std::string> verifyAttention(const LibraryCall& call, const Buffer& result);
Scalar attentionElement(const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
                        const RowElements& operand);
Scalar attentionBackwardElement(const LibraryCall& call, ir::DType dtype,
                                std::span<const int64_t> index, const RowElements& operand);
/// "; causal, scale 0.125".
std::string attentionText(const LibraryCall& call);

} // namespace cutaway::kernel
