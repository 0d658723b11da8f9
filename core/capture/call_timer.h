// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sees when what the eager world runs on this thread begins and ends: operations, those that
/// composites are made of within them, and functions of the tape.
#pragma once

#include <string>

namespace cutaway::capture {

class CallTimer {
public:
    CallTimer() = default;
    CallTimer(const CallTimer&) = delete;
    CallTimer& operator=(const CallTimer&) = delete;
    virtual ~CallTimer() = default;
    virtual void begins(const std::string& name) = 0;
    virtual void ends() = 0;
    /// The one in force on this thread; null: none.
    static CallTimer*& current() {
        static thread_local CallTimer* timer = nullptr;
        return timer;
    }

    /// One of them, from here to the end of the block.
    class Stretch {
    public:
        Stretch(const char* family, const std::string& name) : timer_(current()) {
            if (timer_) timer_->begins(family + name);
        }
        Stretch(const Stretch&) = delete;
        Stretch& operator=(const Stretch&) = delete;
        ~Stretch() {
            if (timer_ && timer_ == current()) timer_->ends();
        }

    private:
        CallTimer* timer_;
    };
};

} // namespace cutaway::capture
