// SPDX-License-Identifier: Apache-2.0
/// \file
/// The frame of a kernel's text: heading, names, the pointers that a function takes out of the
/// table of buffers. Private to this folder.
#pragma once

#include "core/codegen/cpp/expressions.h"
#include "core/schedule/cpu_plan.h"

namespace cutaway::codegen::cpp {

/// Scratch memory is given out in cache lines.
constexpr int64_t kAlignment = 64;
/// Elements summed in vectors before the sum goes into a double.
constexpr int64_t kBlock = 4096;

bool mentions(const Lines& lines, const std::string& name);

class KernelText {
protected:
    /// \param joined loops of \p tree whose iterations are counted by one row number
    KernelText(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
               const schedule::CpuPlan& plan, const kernel::LoopTree& tree,
               std::vector<kernel::Axis> joined)
        : program_(program), kernel_(kernel), plan_(plan),
          names_(program, tree, std::move(joined)) {}

    /// Of the kernel, its variables, vector types, values and memory, in this order.
    void nameEverything(const std::vector<ir::Var>& variables,
                        const std::vector<kernel::TreeLocal>& values);
    /// The comment that begins the text, and the types of its vectors.
    Lines heading() const;
    /// What a function takes out of the table of buffers. \param sizes those that are arguments
    Lines pointers(const Lines& used, const std::vector<ir::Var>& sizes) const;

    const kernel::KernelProgram& program_;
    const kernel::Kernel& kernel_;
    const schedule::CpuPlan plan_;
    KernelNames names_;
};

} // namespace cutaway::codegen::cpp
