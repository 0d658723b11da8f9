// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/perf_events.h"

#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

namespace cutaway::runtime {

int openEvent(perf_event_attr how, int cpu) {
    how.size = sizeof how;
    how.disabled = 1;
    how.exclude_kernel = 1; // what anybody may see
    how.exclude_hv = 1;
    how.inherit = 1; // threads that come of this one
    const long file = syscall(SYS_perf_event_open, &how, 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    return file < 0 ? -errno : static_cast<int>(file);
}

std::string whyNoEvent(int error) {
    switch (error) {
    case EACCES:
    case EPERM:
        return "this process may not count (/proc/sys/kernel/perf_event_paranoid must be 2 or "
               "less, and a container has to allow perf_event_open)";
    case ENOSYS:
        return "the kernel offers no perf events";
    case EMFILE:
        return "too many files are open";
    default:
        return "this machine's processor offers no counters (a virtual machine hides them)";
    }
}

} // namespace cutaway::runtime
