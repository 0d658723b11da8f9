// SPDX-License-Identifier: Apache-2.0
/// \file
/// A flag that a person (or the engine) raises and long work looks at between steps.
#pragma once

#include <atomic>
#include <memory>

namespace cutaway::base {

class CancelToken {
public:
    CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
    void cancel() const { flag_->store(true, std::memory_order_relaxed); }
    bool cancelled() const { return flag_->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> flag_;
};

} // namespace cutaway::base
