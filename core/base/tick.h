// SPDX-License-Identifier: Apache-2.0
/// \file
/// How long work that nobody waits for any more stops: its loops call tick(), whoever began it
/// says with a CancelScope which token to look at, and catches Cancelled.
#pragma once

#include "core/base/cancel.h"

namespace cutaway::base {

/// Thrown by tick(). No std::exception: nothing on its way takes it for a mistake.
struct Cancelled {};

namespace detail {
inline constinit thread_local const CancelToken* watched = nullptr;
}

/// Until it ends, tick() on this thread looks at \p token, which outlives it.
class CancelScope {
public:
    explicit CancelScope(const CancelToken& token) : before_(detail::watched) {
        detail::watched = &token;
    }
    ~CancelScope() { detail::watched = before_; }
    CancelScope(const CancelScope&) = delete;
    CancelScope& operator=(const CancelScope&) = delete;

private:
    const CancelToken* before_;
};

/// Belongs into every loop whose length a user's program decides. Costs two loads.
inline void tick() {
    if (detail::watched && detail::watched->cancelled()) throw Cancelled();
}

} // namespace cutaway::base
