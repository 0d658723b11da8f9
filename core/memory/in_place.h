// SPDX-License-Identifier: Apache-2.0
/// \file
/// Results that may lie where an operand lay (re-inplacing).
#pragma once

#include "core/kernel/kernel_program.h"

namespace cutaway::memory {

/// Whether \p kernel may write \p written into the memory of \p read, which nothing reads after it:
/// the kernel is one nest of loops that computes element by element, both buffers lie alike, and
/// where an element of `written` is stored, that element of `read`, and no other, has been loaded
/// for the last time. Not on a GPU, whose kernels are told that their arguments lie apart.
bool mayReplace(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                kernel::BufferId read, kernel::BufferId written);

} // namespace cutaway::memory
