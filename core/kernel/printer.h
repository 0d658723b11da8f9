// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loop IR and kernels as text, the form shown in the window and by the tool. Deterministic.
#pragma once

#include "core/kernel/kernel_program.h"

namespace cutaway::kernel {

/// "cos: f32[16, 16] = cos(primals_1[d0, d1])", a reduction with its range, a product with its
/// views.
std::string print(const LoopProgram& program, const Buffer& buffer);
/// A head line, the sizes that are symbols, the buffers, and an ending: the checks and the results.
/// loops_text.h reads it back.
std::string print(const LoopProgram& program);
std::string printSizes(const LoopProgram& program);
std::string printEnding(const LoopProgram& program);
/// Its tree of loops, or what its library call computes.
std::string print(const LoopProgram& program, const Kernel& kernel);
/// The loop program, then the kernels in launch order. kernels_text.h reads it back.
std::string print(const KernelProgram& program);
/// "x[512, 64; strides 64, 1; offset 0]"
std::string print(const LoopProgram& program, const StridedView& view);

} // namespace cutaway::kernel
