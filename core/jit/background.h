// SPDX-License-Identifier: Apache-2.0
/// \file
/// Threads whose work nobody waits for once it is cancelled: neither Clang nor NVRTC can be
/// interrupted inside one text. Private to this folder.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

namespace cutaway::jit {

class Background {
public:
    Background() = default;
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    ~Background(); ///< waits for all of them

    /// \p work, and all that it holds, is gone when its thread ends.
    void start(std::function<void()> work);

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    size_t running_ = 0;
};

} // namespace cutaway::jit
