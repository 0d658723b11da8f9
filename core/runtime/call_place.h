// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the work comes from that is being queued: a GPU tells of a wrong index when it is waited
/// for, which is elsewhere in the program.
#pragma once

#include "core/base/diagnostic.h"

namespace cutaway::runtime {

/// Answers for the calls that this thread makes while it lives. Costs nothing until it is asked.
class CallPlace {
public:
    using Where = base::Location (*)(const void* who);
    CallPlace(Where where, const void* who) : where_(where), who_(who), before_(current_) {
        current_ = this;
    }
    ~CallPlace() { current_ = before_; }
    CallPlace(const CallPlace&) = delete;
    CallPlace& operator=(const CallPlace&) = delete;

    /// Unknown when nobody answers.
    static base::Location now() {
        return current_ ? current_->where_(current_->who_) : base::Location();
    }

private:
    Where where_;
    const void* who_;
    CallPlace* before_;
    inline static thread_local CallPlace* current_ = nullptr;
};

} // namespace cutaway::runtime
