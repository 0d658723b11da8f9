// SPDX-License-Identifier: Apache-2.0
/// \file
/// The CUDA driver and cuBLASLt, opened at run time: one build serves machines with and without.
#pragma once

#include "core/base/result.h"

#include <string>

namespace cutaway::runtime {

struct CudaDeviceInfo {
    std::string name;         ///< "NVIDIA H200"
    std::string architecture; ///< "sm_90"
    int multiprocessors = 0;
    int64_t memoryBytes = 0, l2Bytes = 0;
    int driverVersion = 0; ///< 13000 for 13.0
};

/// Opens the driver and creates the context on first use. Errors: environment error that tells what
/// is missing (driver library, a device, permission) and what to do.
base::Result<CudaDeviceInfo> cudaDevice(int index = 0);

/// How many there are; 0 without a driver.
int cudaDeviceCount();
/// Bytes of its memory that no program holds. Errors: those of cudaDevice().
base::Result<int64_t> cudaFreeBytes(int index);

} // namespace cutaway::runtime
