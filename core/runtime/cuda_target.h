// SPDX-License-Identifier: Apache-2.0
/// \file
/// NVIDIA GPUs as a target: CUDA text through NVRTC, launched by the driver; both are opened at run
/// time.
#pragma once

#include "core/runtime/target.h"

namespace cutaway::runtime {

std::unique_ptr<Target> makeCudaTarget();
base::Result<DeviceBackend*> openCudaBackend(int index);
std::vector<DeviceBackend*> openedCudaBackends();

/// The one that the runtime compiles kernels of its own with: those that no graph asked for.
Target& runtimeCudaTarget();

} // namespace cutaway::runtime
