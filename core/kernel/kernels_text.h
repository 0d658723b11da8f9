// SPDX-License-Identifier: Apache-2.0
/// \file
/// The text of a kernel program (printer.h) back to a kernel program.
#pragma once

#include "core/base/result.h"
#include "core/kernel/kernel_program.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::kernel {

/// The program that prints as \p text: its loop IR, then its kernels in launch order. What the text
/// leaves out: where things come from (Buffer::from, Kernel::members beyond what is written), why
/// (reasons, decisions), and the traffic. Errors: user error with the line, and with the column where
/// it is known, telling what was expected and found, or which invariant is broken (verify.h).
/// From # on a line is a comment.
base::Result<KernelProgram> parseKernels(std::string_view text, const std::string& file = {});
/// All programs of a text, each from its line "loops NAME:" on, as `explain --stage kernels` prints
/// them.
base::Result<std::vector<KernelProgram>> parseAllKernels(std::string_view text,
                                                         const std::string& file = {});

} // namespace cutaway::kernel
