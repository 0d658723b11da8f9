// SPDX-License-Identifier: Apache-2.0
/// \file
/// Kernels for a GPU: their CUDA text run by the processor, and their times on a device. For tests
/// only.
#pragma once

#include "case_run.h"

#include "tests/support/cuda_on_host.h"
#include "tests/support/schedules.h"

namespace cutaway::testing {

/// Every kernel by its text, on memory of each buffer; a scatter takes over its base's. \param results
/// the outputs. What went wrong, or nothing.
inline QString ranOnHost(CudaOnHost& host, const CudaProgram& c,
                         const std::vector<schedule::Schedule>& schedules,
                         const std::vector<ir::HostTensor>& inputs,
                         std::vector<ir::HostTensor>& results) {
    const kernel::LoopProgram& loops = c.program->loops;
    std::vector<std::shared_ptr<ir::HostTensor>> memory;
    for (const kernel::Buffer& buffer : loops.buffers)
        memory.push_back(buffer.kind == kernel::BufferKind::Scatter
                             ? memory[buffer.base.index]
                             : std::make_shared<ir::HostTensor>(ir::HostTensor::zeros(
                                   buffer.dtype, ir::constants(buffer.sizes))));
    for (size_t i = 0; i < inputs.size(); ++i)
        *memory[loops.inputs[i].index] = inputs[i];
    std::vector<int64_t> faults(loops.checks.size() + 1);
    for (size_t k = 0; k < schedules.size(); ++k) {
        const kernel::Kernel& kernel = c.program->kernels[k];
        const auto source = sourceBy(*c.program, kernel, schedules[k], ir::Device::Kind::Cuda);
        std::vector<void*> arguments;
        for (const auto* ids : {&kernel.reads, &kernel.writes})
            for (kernel::BufferId id : *ids)
                arguments.push_back(memory[id.index]->bytes.data());
        if (source.checks) arguments.push_back(faults.data());
        std::vector<int64_t> scratch(static_cast<size_t>(source.scratchBytes.constant() / 8 + 1));
        arguments.push_back(scratch.data());
        if (QString problem = host.run(source, arguments); !problem.isEmpty()) return problem;
        const auto* tickets = reinterpret_cast<const std::byte*>(scratch.data());
        if (std::any_of(tickets, tickets + source.ticketBytes.constant(),
                        [](std::byte b) { return b != std::byte(0); }))
            return "a ticket is left";
    }
    results.clear();
    for (const auto& output : loops.outputs)
        results.push_back(*memory[output.buffer.index]);
    return faults[0] ? "an index is out of range" : QString();
}

/// The least of seven runs' kernel times in all, in us. \param executable of a GPU
inline double leastKernelUs(runtime::Executable& executable,
                            const std::vector<runtime::TensorPtr>& tensors) {
    double least = 1e30;
    for (int run = 0; run < 7; ++run) {
        std::vector<runtime::KernelTime> times;
        take(executable.profile(tensors, times));
        double us = 0;
        for (const runtime::KernelTime& time : times)
            us += time.us;
        least = std::min(least, us);
    }
    return least;
}

} // namespace cutaway::testing
