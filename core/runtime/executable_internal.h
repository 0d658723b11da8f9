// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the executables of both devices share: who is asked, and where outputs come from.
#pragma once

#include "core/runtime/executable.h"

namespace cutaway::runtime {

using ProgramPtr = std::shared_ptr<const kernel::KernelProgram>;

base::Result<std::shared_ptr<Executable>>
makeCpuExecutable(ProgramPtr program, memory::MemoryPlan plan, std::vector<CompiledKernel> kernels);
base::Result<std::shared_ptr<Executable>> makeCudaExecutable(ProgramPtr program,
                                                             memory::MemoryPlan plan,
                                                             std::vector<CompiledKernel> kernels);

/// Errors: bug, when there is not one compiled kernel for each of the program.
base::Status checkComplete(const kernel::KernelProgram& program,
                           const std::vector<CompiledKernel>& kernels);
/// Errors: user error, when a kernel would run for ever.
base::Status checkLoadable(const kernel::KernelProgram& program);

base::Diagnostic wrongPlace(ir::Device found, ir::Device expected);
/// Errors: user error, when an input lies elsewhere: a kernel that reads another device's memory ends
/// the process, or leaves the GPU unusable.
inline base::Status checkPlaces(std::span<const TensorPtr> inputs, ir::Device device) {
    for (const TensorPtr& input : inputs)
        if (input->storage->device() != device) return wrongPlace(input->storage->device(), device);
    return {};
}

/// Where a buffer's memory comes from in one call; `index` counts inputs, constants or output
/// allocations, `offset` is bytes into the arena.
struct Slot {
    memory::Placement::Kind kind = memory::Placement::Kind::Arena;
    int index = 0;
    int64_t offset = 0;
};

/// One result of the graph.
struct OutputRecipe {
    bool none = false;      ///< the graph returns None here
    bool sameInput = false; ///< exactly an input: that tensor object is returned
    Slot slot;
    ir::TensorType type; ///< as the caller sees it
    int64_t offset = 0;  ///< elements from the slot's start
};

/// A program's memory with every name resolved: computed once, read in every call.
struct ProgramLayout {
    std::vector<Slot> slots;                 ///< by BufferId; only buffers in memory are meaningful
    std::vector<kernel::BufferId> constants; ///< by Slot::index of kind Constant
    std::vector<int64_t> outputBytes;        ///< one per output allocation
    std::vector<OutputRecipe> outputs;       ///< one per graph output
};

/// Errors: bug, when the plan lacks a buffer that a kernel or an output needs, or a size is no
/// constant.
base::Result<ProgramLayout> layOut(const kernel::KernelProgram& program,
                                   const memory::MemoryPlan& plan);

/// The constants that a program reads, on its device, in the layout's order.
base::Result<std::vector<TensorPtr>> uploadConstants(const kernel::KernelProgram& program,
                                                     const ProgramLayout& layout,
                                                     ir::Device device);

/// Makes the tensors of one call. \param outputs storages of the output allocations.
std::vector<TensorPtr> makeOutputs(const ProgramLayout& layout, std::span<const TensorPtr> inputs,
                                   std::span<const TensorPtr> constants,
                                   std::span<const StoragePtr> outputs);

/// Fault words of one call (codegen::KernelSource): what they tell when the call is over, or
/// nothing.
std::optional<base::Diagnostic> faultOf(std::span<const kernel::Check> checks,
                                        std::span<const int64_t> words);

/// How often a kernel runs through its innermost loop (a product: multiplications / 64).
double passes(const kernel::Kernel& kernel);

/// The device that the program's kernels (or, with none, its buffers) live on.
ir::Device deviceOf(const kernel::KernelProgram& program);

} // namespace cutaway::runtime
