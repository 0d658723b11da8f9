// SPDX-License-Identifier: Apache-2.0
/// \file
/// What schedules know of a device: sizes that decide what fits, rates that predict times.
#pragma once

#include "core/ir/tensor_type.h"

#include <cstdint>

namespace cutaway::schedule {

struct DeviceModel {
    ir::Device::Kind kind = ir::Device::Kind::Cpu;
    int units = 1; ///< CPU threads of a kernel; multiprocessors
    /// CPU: widest vector register, in bytes.
    int vectorBytes = 64;
    int64_t nearBytes = 0;  ///< CPU: second-level cache of one core; CUDA: shared memory of a block
    int64_t cacheBytes = 0; ///< last-level cache
    double launchUs = 0;    ///< of an empty kernel
    double wakeUs = 0;      ///< CPU: a second thread wakes, and is waited for
    double opsPerUs = 0;    ///< of one unit: vector instructions (CPU), operations (CUDA)
    double bytesPerUs = 0;  ///< memory, all units together
    double unitBytesPerUs = 0;  ///< memory, one unit
    double cacheBytesPerUs = 0; ///< last-level cache: one unit (CPU), all (CUDA)
    double nearBytesPerUs = 0;  ///< CPU: second-level cache, one unit
    /// Results are to be the same bits in every run: nothing is added in any order.
    bool deterministic = false;

    /// Microseconds to wake a team and to wait for it: threads wake each other along a tree.
    double wake(int64_t threads) const;
};

/// A processor. \param vectorBytes widest register; \param nearBytes second-level cache of a core;
/// \param cacheBytes last-level cache; 0: unknown, a usual size is taken.
DeviceModel cpuModel(int threads, int vectorBytes, int64_t nearBytes = 0, int64_t cacheBytes = 0);

/// A GPU. Without arguments an H200, which CUDA text is made for where there is no device.
DeviceModel cudaModel(int multiprocessors = 132, int64_t l2Bytes = 0);

} // namespace cutaway::schedule
