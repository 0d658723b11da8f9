// SPDX-License-Identifier: Apache-2.0
/// \file
/// Schedules and texts of kernels, as tests want them. For tests only.
#pragma once

#include "core/codegen/source.h"
#include "core/schedule/templates.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::testing {

/// A candidate for the processor of the template that the kernel's loops are for; passes of as many
/// loops as they have where the innermost fills vectors.
inline schedule::Candidate cpuCandidate(const kernel::KernelProgram& program,
                                        const kernel::Kernel& kernel, int lanes, int threads,
                                        bool stream) {
    const schedule::RowFacts facts(program, kernel);
    for (const schedule::Template& row : schedule::templates()) {
        if (row.device != ir::Device::Kind::Cpu || !row.refuse(facts).empty()) continue;
        const bool alone = row.name == "rows" && facts.rows < 2 && !facts.scatters;
        schedule::Decisions these{
            {"vector", lanes}, {"threads", alone ? 1 : threads}, {"stream", stream}};
        if (facts.piece() >= std::max(lanes, 2))
            these.set("loops", facts.passLoops());
        else if (facts.constantSizes && !facts.scatters)
            these.set("keep-in-output", !stream);
        return {std::string(row.name), std::move(these), 0, {}, {}};
    }
    return {};
}

/// Each kernel's schedule with \p how where it fits, and how many those are.
inline std::pair<std::vector<schedule::Schedule>, int>
schedulesBy(const kernel::KernelProgram& program, const schedule::DeviceModel& model,
            const std::string& how) {
    std::vector<schedule::Schedule> schedules = schedule::makeSchedules(program, model);
    int fit = 0;
    for (size_t i = 0; i < schedules.size(); ++i)
        fit += schedule::force(schedules[i], program, program.kernels[i], model, how).ok();
    return {std::move(schedules), fit};
}

/// The text by the candidate that is taken; empty for a library call.
inline codegen::KernelSource sourceBy(const kernel::KernelProgram& program,
                                      const kernel::Kernel& kernel,
                                      const schedule::Schedule& schedule, ir::Device::Kind kind) {
    if (schedule.taken < 0) return {};
    return kind == ir::Device::Kind::Cuda ? codegen::emitCuda(program, kernel, schedule.chosen())
                                          : codegen::emitCpp(program, kernel, schedule.chosen());
}
/// The text by the candidate that is taken on a model.
inline codegen::KernelSource scheduledText(const kernel::KernelProgram& program,
                                           const kernel::Kernel& kernel,
                                           const schedule::DeviceModel& model) {
    return sourceBy(program, kernel, schedule::makeSchedule(program, kernel, model), model.kind);
}
inline codegen::KernelSource cudaText(const kernel::KernelProgram& program,
                                      const kernel::Kernel& kernel, int multiprocessors = 132) {
    return scheduledText(program, kernel, schedule::cudaModel(multiprocessors));
}

} // namespace cutaway::testing
