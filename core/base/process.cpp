// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

namespace cutaway::base {

namespace {

constexpr size_t kStack = size_t{8} << 20;
/// Clang's front end over a long kernel, with the evaluator's reserve below it.
constexpr size_t kLeastStack = size_t{2} << 20;

/// The system grows the first thread's stack up to what the limit says at that moment.
Status growFirstStack() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStack) return {};
    const rlimit raised{kStack, std::max<rlim_t>(limit.rlim_max, kStack)};
    if (::setrlimit(RLIMIT_STACK, &raised) == 0) return {};
    limit.rlim_cur = limit.rlim_max; // not ours to raise
    if (::setrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= kLeastStack) return {};
    return environmentError(fmt::format("the stack may take {} KiB, compiling needs {}",
                                        limit.rlim_max >> 10, kLeastStack >> 10),
                            fmt::format("start it from a shell with 'ulimit -s {}'", kStack >> 10));
}

/// Threads take the limit of the program's start unless they are told otherwise.
void growOtherStacks() {
    pthread_attr_t attributes;
    if (::pthread_getattr_default_np(&attributes) != 0) return;
    size_t size = 0;
    if (::pthread_attr_getstacksize(&attributes, &size) == 0 && size < kStack &&
        ::pthread_attr_setstacksize(&attributes, kStack) == 0)
        ::pthread_setattr_default_np(&attributes);
    ::pthread_attr_destroy(&attributes);
}

} // namespace

Status prepareProcess() {
    std::signal(SIGXFSZ, SIG_IGN);
    growOtherStacks();
    return growFirstStack();
}

} // namespace cutaway::base
