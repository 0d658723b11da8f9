// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether this build runs under a sanitizer, whichever compiler made it: sanitizers keep much
/// memory of their own, and take their time.
#pragma once

#if defined(__has_feature)
#define CUTAWAY_HAS(feature) __has_feature(feature)
#else
#define CUTAWAY_HAS(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || CUTAWAY_HAS(address_sanitizer)
#define CUTAWAY_ADDRESS_SANITIZER 1
#else
#define CUTAWAY_ADDRESS_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__) || CUTAWAY_HAS(thread_sanitizer)
#define CUTAWAY_THREAD_SANITIZER 1
#else
#define CUTAWAY_THREAD_SANITIZER 0
#endif

namespace cutaway::base {

inline constexpr bool kSanitized = CUTAWAY_ADDRESS_SANITIZER || CUTAWAY_THREAD_SANITIZER;

} // namespace cutaway::base
