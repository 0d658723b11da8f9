// SPDX-License-Identifier: Apache-2.0
/// \file
/// The host's caching allocator, and how much memory the system would still give.
#pragma once

#include "core/base/result.h"
#include "core/base/spin_lock.h"
#include "core/runtime/tensor.h"

#include <map>
#include <optional>
#include <string>

namespace cutaway::runtime {

/// Bytes that can be taken without swapping or being killed: the kernel's MemAvailable, or what is
/// left of a control group's limit when that is less. Nothing when the system does not tell.
/// \param root where /proc and /sys are looked for (tests give a folder of their own)
std::optional<int64_t> availableHostBytes(const std::string& root = {});

/// Hands out blocks and takes them back for the next request of the same size class. Fresh memory
/// costs a page fault for every page at first touch, more than most kernels; a block used before
/// costs nothing. Large blocks are 2 MiB aligned and ask for huge pages.
class HostAllocator {
public:
    HostAllocator() = default;
    HostAllocator(const HostAllocator&) = delete;
    HostAllocator& operator=(const HostAllocator&) = delete;
    ~HostAllocator() { trim(); }

    struct Block {
        void* data = nullptr;
        size_t bytes = 0; ///< of the size class
    };
    /// Errors: environment error when the system has less left than asked for.
    base::Result<Block> take(size_t bytes);
    void giveBack(Block block, size_t askedBytes);
    /// Returns cached blocks to the system.
    void trim();

    MemoryStatistics statistics() const;
    void resetPeak();
    int64_t cachedBytes() const;

private:
    /// \param bytes of the size class; \param askedBytes what a message names
    base::Result<Block> takeFresh(size_t bytes, size_t askedBytes);

    mutable base::SpinLock lock_;               ///< of all below
    std::map<size_t, std::vector<void*>> free_; ///< by size class
    MemoryStatistics statistics_;
    int64_t cachedBytes_ = 0;
};

/// The size class of a request: at most an eighth more than asked for, plus a huge page.
size_t sizeClass(size_t bytes);

} // namespace cutaway::runtime
