// SPDX-License-Identifier: Apache-2.0
/// \file
/// A program whose sizes are symbols, with the numbers of one call in their place.
#pragma once

#include "core/ir/size_program.h"
#include "core/kernel/kernel_program.h"

#include <span>

namespace cutaway::kernel {

/// All size arithmetic of a program as one flat list, run once for each combination of sizes: what
/// memory, launches, library calls and results depend on. The values that kernels compute have no
/// part in it: kernels are compiled once and are given the symbols they use.
class SizedProgram {
public:
    /// \param program outlives this
    explicit SizedProgram(const KernelProgram& program);
    SizedProgram(const SizedProgram&) = delete;

    /// Has the value of \p size after every at().
    int32_t slot(const ir::Sym& size) { return flat_.slot(size); }
    int64_t value(int32_t slot) const { return values_[static_cast<size_t>(slot)]; }

    /// Buffers, views, loops and library calls with numbers; the program itself when it has no
    /// symbols. \p symbols by index. Valid until the next at().
    const KernelProgram& at(std::span<const int64_t> symbols);

private:
    void add(ir::Sym& size);
    void add(ir::Shape& shape);
    void add(StridedView& view);
    void add(Buffer& buffer);
    void add(Kernel& kernel);

    const KernelProgram& program_;
    KernelProgram numbers_; ///< without expressions
    ir::SizeProgram flat_;
    std::vector<std::pair<ir::Sym*, int32_t>> places_; ///< in numbers_
    std::vector<int64_t> values_;
};

/// The sizes of the call that was captured, by symbol.
std::vector<int64_t> hintsOf(const LoopProgram& program);

} // namespace cutaway::kernel
