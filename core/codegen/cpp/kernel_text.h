// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the C++ texts of nests and of trees have in common: heading, names, the pointers that a
/// function takes out of the table of buffers, scratch memory. Private to this folder.
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
    /// \param loops of which KernelNames are made
    template <typename... Loops>
    KernelText(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
               const schedule::CpuPlan& plan, Loops&&... loops)
        : program_(program), kernel_(kernel), plan_(plan),
          names_(program, std::forward<Loops>(loops)...) {}

    /// Of the kernel, its variables, vector types, values and memory, in this order.
    template <typename Locals>
    void nameEverything(const std::vector<ir::Var>& variables, const Locals& locals) {
        std::vector<std::string> values;
        for (const auto& local : locals)
            values.push_back(local.name);
        nameAll(variables, values);
    }
    /// The comment that begins the text, and the types of its vectors.
    Lines heading() const;
    /// What a function takes out of the table of buffers. \param sizes those that are arguments
    Lines pointers(const Lines& used, const std::vector<ir::Var>& sizes) const;

    const kernel::KernelProgram& program_;
    const kernel::Kernel& kernel_;
    const schedule::CpuPlan plan_;
    KernelNames names_;

private:
    void nameAll(const std::vector<ir::Var>& variables, const std::vector<std::string>& values);
};

} // namespace cutaway::codegen::cpp
