// SPDX-License-Identifier: Apache-2.0
/// \file
/// This machine's processor as a target: C++ text through Clang and LLVM in this process.
#pragma once

#include "core/runtime/target.h"

namespace cutaway::runtime {

std::unique_ptr<Target> makeCpuTarget();
base::Result<DeviceBackend*> openCpuBackend(int index);
std::vector<DeviceBackend*> openedCpuBackends();

} // namespace cutaway::runtime
