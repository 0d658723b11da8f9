// SPDX-License-Identifier: Apache-2.0
/// \file
/// A program whose sizes are symbols, for one combination of sizes.
#pragma once

#include "core/kernel/loop_nest.h"

#include <span>

namespace cutaway::kernel {

/// What memory plan, library calls and outputs of one combination of sizes are made from: buffers,
/// views and products with numbers in place of size symbols (\p symbols, by index). The values that
/// kernels compute are left out: kernels are compiled once, for all sizes. The hints of the
/// result's `shapes` are the numbers.
KernelProgram sized(const KernelProgram& program, std::span<const int64_t> symbols);

/// The sizes of the call that was captured.
std::vector<int64_t> hintsOf(const KernelProgram& program);
/// The same with the sizes of the call that was captured; a program without symbols as it is.
KernelProgram sizedByHints(const KernelProgram& program);

} // namespace cutaway::kernel
