// SPDX-License-Identifier: Apache-2.0
/// \file
/// The launches of calls recorded as CUDA graphs. Private to this folder.
#pragma once

#include "core/runtime/cuda_device.h"

#include <functional>
#include <list>
#include <span>
#include <vector>

namespace cutaway::runtime {

/// Graphs of one executable's launches (CUDA driver API, "Graph Management"). A loop's calls come back
/// with the same few sets of addresses, since the allocator gives back what it was given: a set that
/// comes for the second time is recorded, from then on it is one launch.
class CudaReplays {
public:
    explicit CudaReplays(CudaDevice& device) : device_(device) {}
    ~CudaReplays();
    CudaReplays(const CudaReplays&) = delete;
    CudaReplays& operator=(const CudaReplays&) = delete;

    /// What \p launches queues on the device's stream for these \p arguments, on which alone it depends
    /// until clear(). What cannot be recorded (a library that waits for the device) is queued as it is,
    /// now and later. Errors: those of \p launches, or the driver's.
    base::Status run(std::vector<void*> arguments, const std::function<base::Status()>& launches);
    void clear();

private:
    struct Call {
        std::vector<void*> arguments;
        CuGraphExec graph = nullptr; ///< null: seen once
    };
    bool record(Call& call, const std::function<base::Status()>& launches) const;

    CudaDevice& device_;
    std::list<Call> calls_; ///< the last one in front
    bool refused_ = false;
};

} // namespace cutaway::runtime
