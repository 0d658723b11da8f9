// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs a prepared library call of a processor. For tests only.
#pragma once

#include "core/runtime/library_kernel.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace cutaway::testing {

/// Runs \p kernel with memory of its own that holds anything, behind which nothing may be written.
inline base::Status runCall(runtime::LibraryKernel& kernel, void* const* pointers, int threads) {
    constexpr size_t kBehind = 256;
    const auto bytes = static_cast<size_t>(kernel.workspace(threads));
    const size_t whole = (bytes + kBehind + 63) / 64 * 64;
    const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(64, whole),
                                                             std::free);
    auto* const begin = static_cast<unsigned char*>(memory.get());
    std::fill(begin, begin + whole, 0xab);
    base::Status status = kernel.run(pointers, begin, threads);
    if (std::any_of(begin + bytes, begin + whole, [](unsigned char byte) { return byte != 0xab; }))
        return base::bugError(kernel.implementation() + " writes behind its workspace");
    return status;
}

} // namespace cutaway::testing
