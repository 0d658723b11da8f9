// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cpu_target.h"
#include "core/runtime/cuda_target.h"
#include "core/runtime/library.h"

#include <algorithm>
#include <cassert>

namespace cutaway::runtime {

static constexpr TargetRow kTargets[] = {
    {ir::Device::Kind::Cpu, makeCpuTarget, openCpuBackend, openedCpuBackends},
    {ir::Device::Kind::Cuda, makeCudaTarget, openCudaBackend, openedCudaBackends},
};

std::span<const TargetRow> targetTable() {
    return kTargets;
}

const TargetRow& targetRow(ir::Device::Kind kind) {
    const auto* row = std::ranges::find(kTargets, kind, &TargetRow::kind);
    assert(row != std::end(kTargets));
    return *row;
}

schedule::Schedule Target::schedule(const kernel::KernelProgram& program,
                                    const kernel::Kernel& kernel,
                                    const TargetDevice& device) const {
    if (kernel.call) return providerSchedule(program, kernel, device.model);
    return schedule::makeSchedule(program, kernel, device.model);
}

base::Result<DeviceBackend*> backendFor(ir::Device device) {
    return targetRow(device.kind).open(device.index);
}

std::vector<DeviceBackend*> openBackends() {
    std::vector<DeviceBackend*> all;
    for (const TargetRow& row : kTargets)
        for (DeviceBackend* backend : row.opened())
            all.push_back(backend);
    return all;
}

} // namespace cutaway::runtime
