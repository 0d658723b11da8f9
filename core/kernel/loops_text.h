// SPDX-License-Identifier: Apache-2.0
/// \file
/// The text of a loop program (printer.h) back to a loop program.
#pragma once

#include "core/base/result.h"
#include "core/kernel/loop_program.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::kernel {

/// The program that prints as \p text. What the text leaves out: Buffer::from, who asked for a
/// check, and what is known of sizes besides their ranges. Errors: user error with line and column, telling what was expected and found.
/// From # on a line is a comment.
base::Result<LoopProgram> parseLoops(std::string_view text, const std::string& file = {});
/// All programs of a text, each from its line "loops NAME:" on, as `explain --stage loops` prints them.
base::Result<std::vector<LoopProgram>> parseAllLoops(std::string_view text,
                                                     const std::string& file = {});

} // namespace cutaway::kernel
