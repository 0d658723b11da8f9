// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/device_traits.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace cutaway::kernel {

static constexpr DeviceTraits kTraits[] = {
    {ir::Device::Kind::Cpu, true, Conflict::Owner, INT64_MAX, 0, INT64_MAX, 0, false, true, 0x1p42,
     INT64_MAX},
    {ir::Device::Kind::Cuda, false, Conflict::Atomic, 4096, 128, 1024, 1024, true, false, 0x1p48,
     1 << 18},
};

const DeviceTraits& traitsOf(ir::Device device) {
    const auto* row = std::ranges::find(kTraits, device.kind, &DeviceTraits::kind);
    assert(row != std::end(kTraits));
    return *row;
}

} // namespace cutaway::kernel
