// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/executable_internal.h"

#include "core/kernel/device_traits.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::runtime {
namespace {

using memory::Placement;

bool allConstant(const ir::Shape& shape) {
    for (const ir::Sym& size : shape)
        if (!size.isConst()) return false;
    return true;
}

/// Slots of all placements; constants are numbered in the order of their buffers.
base::Status placeBuffers(const kernel::KernelProgram& program, const memory::MemoryPlan& plan,
                          ProgramLayout& layout, std::vector<bool>& placed) {
    layout.slots.resize(program.loops.buffers.size());
    placed.resize(layout.slots.size());
    layout.outputBytes.assign(static_cast<size_t>(plan.outputAllocations), 0);
    for (const Placement& placement : plan.placements) {
        if (placement.buffer.index >= layout.slots.size())
            return base::bugError("the memory plan places a buffer that the program lacks");
        Slot& slot = layout.slots[placement.buffer.index];
        slot = {placement.kind, placement.index, placement.offset};
        placed[placement.buffer.index] = true;
        if (placement.kind == Placement::Kind::Constant) {
            slot.index = static_cast<int>(layout.constants.size());
            slot.offset = 0;
            layout.constants.push_back(placement.buffer);
        }
        if (placement.kind != Placement::Kind::Output) continue;
        if (placement.index < 0 || placement.index >= plan.outputAllocations)
            return base::bugError(fmt::format("the memory plan places a buffer in output {} of {}",
                                              placement.index, plan.outputAllocations));
        int64_t& bytes = layout.outputBytes[static_cast<size_t>(placement.index)];
        bytes = std::max(bytes, placement.offset + placement.bytes);
    }
    return {};
}

base::Result<OutputRecipe> recipe(const kernel::KernelProgram& program, const ProgramLayout& layout,
                                  const kernel::StridedView& view, const std::string& name) {
    OutputRecipe out;
    if (!view.buffer.valid()) {
        out.none = true;
        return out;
    }
    const kernel::Buffer& buffer = program.loops.buffer(view.buffer);
    if (!allConstant(view.sizes) || !allConstant(view.strides) || !view.offset.isConst())
        return base::bugError(fmt::format("output {}: sizes are no constants", name));
    out.slot = layout.slots[view.buffer.index];
    if (out.slot.kind == Placement::Kind::Arena)
        return base::bugError(fmt::format("output {}: {} lives in the arena", name, buffer.name));
    out.offset = view.offset.constant() +
                 out.slot.offset / static_cast<int64_t>(ir::sizeBytes(buffer.dtype));
    out.sameInput = out.slot.kind == Placement::Kind::Input && view.sizes == buffer.sizes &&
                    view.strides == buffer.strides && out.offset == 0;
    out.type = {buffer.dtype, view.sizes, view.strides, buffer.device, false};
    return out;
}

} // namespace

[[gnu::hot]] std::optional<base::Diagnostic> faultOf(std::span<const kernel::Check> checks,
                                                     std::span<const int64_t> words) {
    if (words.empty() || words[0] == 0) return std::nullopt;
    const auto number = static_cast<size_t>(words[0]);
    return checks[number - 1].failed(words[number]);
}

ir::Device deviceOf(const kernel::KernelProgram& program) {
    if (!program.kernels.empty()) return program.kernels.front().device;
    if (!program.loops.buffers.empty()) return program.loops.buffers.front().device;
    return {};
}

base::Result<ProgramLayout> layOut(const kernel::KernelProgram& program,
                                   const memory::MemoryPlan& plan) {
    ProgramLayout layout;
    std::vector<bool> placed;
    CUTAWAY_CHECK(placeBuffers(program, plan, layout, placed));
    auto check = [&](kernel::BufferId id, const std::string& user) -> base::Status {
        if (id.index < placed.size() && placed[id.index]) return {};
        return base::bugError(
            fmt::format("the memory plan lacks a place for a buffer of {}", user));
    };
    for (const kernel::Kernel& kernel : program.kernels) {
        for (kernel::BufferId id : kernel.reads)
            CUTAWAY_CHECK(check(id, kernel.name));
        for (kernel::BufferId id : kernel.writes)
            CUTAWAY_CHECK(check(id, kernel.name));
    }
    for (size_t i = 0; i < program.loops.outputs.size(); ++i) {
        const kernel::StridedView& view = program.loops.outputs[i];
        std::string name = i < program.loops.outputNames.size() ? program.loops.outputNames[i]
                                                                : fmt::format("number {}", i);
        if (view.buffer.valid()) CUTAWAY_CHECK(check(view.buffer, "output " + name));
        CUTAWAY_TRY(OutputRecipe output, recipe(program, layout, view, name));
        layout.outputs.push_back(std::move(output));
    }
    return layout;
}

base::Result<std::vector<TensorPtr>> uploadConstants(const kernel::KernelProgram& program,
                                                     const ProgramLayout& layout,
                                                     ir::Device device) {
    std::vector<TensorPtr> constants;
    for (kernel::BufferId id : layout.constants) {
        const kernel::Buffer& buffer = program.loops.buffer(id);
        if (!buffer.constant)
            return base::bugError(fmt::format("constant {} has no value", buffer.name));
        CUTAWAY_TRY(TensorPtr tensor, fromHost(*buffer.constant, device));
        constants.push_back(std::move(tensor));
    }
    return constants;
}

[[gnu::hot]] std::vector<TensorPtr> makeOutputs(const ProgramLayout& layout,
                                                std::span<const TensorPtr> inputs,
                                                std::span<const TensorPtr> constants,
                                                std::span<const StoragePtr> outputs) {
    std::vector<TensorPtr> results;
    results.reserve(layout.outputs.size());
    for (const OutputRecipe& recipe : layout.outputs) {
        auto index = static_cast<size_t>(recipe.slot.index);
        if (recipe.none) {
            results.push_back(nullptr);
            continue;
        }
        if (recipe.sameInput) {
            results.push_back(inputs[index]);
            continue;
        }
        auto tensor = std::make_shared<Tensor>();
        tensor->type = recipe.type;
        tensor->offset = recipe.offset;
        switch (recipe.slot.kind) {
        case Placement::Kind::Output:
            tensor->storage = outputs[index];
            break;
        case Placement::Kind::Constant:
            tensor->storage = constants[index]->storage;
            break;
        case Placement::Kind::Input:
            tensor->storage = inputs[index]->storage;
            tensor->ownVersion = inputs[index]->ownVersion;
            tensor->offset += inputs[index]->offset;
            break;
        case Placement::Kind::Arena:
            break; // layOut refuses it
        }
        results.push_back(std::move(tensor));
    }
    return results;
}

double passes(const kernel::Kernel& kernel) {
    double count = 1;
    auto times = [&](const ir::Sym& size) {
        if (size.isConst()) count *= static_cast<double>(size.constant());
    };
    if (kernel.call) return kernel.flops / kernel::info(kernel.call->op).flopsPerElement;
    if (!kernel.tree) return count;
    for (const kernel::Axis& axis : kernel.tree->axes)
        times(axis.extent);
    return count;
}

base::Status checkComplete(const kernel::KernelProgram& program,
                           const std::vector<CompiledKernel>& kernels) {
    if (kernels.size() == program.kernels.size()) return {};
    return base::bugError(fmt::format("{} kernels are compiled, the program has {}", kernels.size(),
                                      program.kernels.size()));
}

base::Diagnostic wrongPlace(ir::Device found, ir::Device expected) {
    return base::userError({},
                           fmt::format("expected all tensors on one device, found {} and {}",
                                       expected.str(), found.str()),
                           "move them with .to(device)");
}

base::Status checkLoadable(const kernel::KernelProgram& program) {
    // Memory bounds what a kernel writes, nothing bounds what it reads through strides of 0.
    const double most = kernel::traitsOf(deviceOf(program)).mostPasses;
    auto tooLargeForMemory = [&](kernel::BufferId id) {
        const ir::Sym elements = program.loops.buffer(id).numel();
        return elements.isConst() && static_cast<double>(elements.constant()) > most;
    };
    for (const kernel::Kernel& kernel : program.kernels)
        if (passes(kernel) > most &&
            std::none_of(kernel.writes.begin(), kernel.writes.end(), tooLargeForMemory))
            return base::userError({},
                                   fmt::format("{} would look at {:.2g} elements, at most {:.2g} "
                                               "are possible",
                                               kernel.name, passes(kernel), most),
                                   "make the tensors smaller");
    return {};
}

} // namespace cutaway::runtime
