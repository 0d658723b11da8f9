// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tensors in the texts and files of an export. Private to this folder.
#pragma once

#include "core/kernel/kernel_program.h"
#include "core/runtime/tensor.h"

namespace cutaway::driver {

/// Elements that C++ has no type for are passed as their bits.
std::string cType(ir::DType dtype);
/// "{{2, 3}, {3, 1}, 0}": sizes, strides and offset.
std::string viewText(const ir::Shape& sizes, const ir::Shape& strides, const ir::Sym& offset);
std::string viewText(const kernel::StridedView& view);
/// Whether a kernel is a library call of attention, either way.
bool isAttention(const kernel::Kernel& kernel);
/// From the first element of such a tensor to behind its last one.
int64_t spanElements(const ir::Shape& sizes, const ir::Shape& strides);
/// The memory that a strided tensor spans, from its first element.
base::Result<std::string> spannedBytes(const runtime::Tensor& tensor);

} // namespace cutaway::driver
