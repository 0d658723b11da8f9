// SPDX-License-Identifier: Apache-2.0
// CPU: a tree of loops. Its steps say which loops may be shared and which are vectors.
#include "core/schedule/cpu_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::schedule {

namespace {

/// Bytes of the widest value that a vector holds.
int64_t widestOf(const kernel::KernelProgram& program, const kernel::Kernel& kernel) {
    size_t widest = 1;
    for (const kernel::TreeLocal& local : kernel.tree->locals)
        widest = std::max(widest, ir::sizeBytes(local.dtype));
    for (const auto* buffers : {&kernel.reads, &kernel.writes})
        for (kernel::BufferId id : *buffers)
            widest = std::max(widest, ir::sizeBytes(program.loops.buffer(id).dtype));
    return static_cast<int64_t>(widest);
}

} // namespace

std::vector<Candidate> treeCandidates(const kernel::KernelProgram& program,
                                      const kernel::Kernel& kernel, const DeviceModel& model) {
    if (model.kind != ir::Device::Kind::Cpu)
        return {{std::string(kCpuTree),
                 {},
                 0,
                 {},
                 base::said("a tree of loops: only processors have text for it")}};
    const int64_t lanes = std::max<int64_t>(model.vectorBytes / widestOf(program, kernel), 1);
    const auto bytes = static_cast<double>(kernel.bytesRead + kernel.bytesWritten);
    std::vector<Candidate> all;
    for (int64_t threads : {int64_t{1}, int64_t{model.units}}) {
        const auto units = static_cast<double>(threads);
        const double compute = kernel.flops / static_cast<double>(lanes) / model.opsPerUs / units;
        const double moved = bytes / std::min(model.bytesPerUs, units * model.unitBytesPerUs);
        const double wake = model.wake(threads);
        all.push_back({std::string(kCpuTree),
                       {{"vector", lanes}, {"threads", threads}},
                       model.launchUs + std::max(compute, moved) + wake,
                       {base::said("{:.1f} us to compute, {:.1f} us to move {:.0f} bytes, {:.1f} "
                                   "us to wake threads",
                                   compute, moved, bytes, wake)},
                       {}});
        if (model.units == 1) break;
    }
    return all;
}

} // namespace cutaway::schedule
