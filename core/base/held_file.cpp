// SPDX-License-Identifier: Apache-2.0
#include "core/base/held_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace cutaway::base {

namespace {
int opened(const std::string& path, int how) {
    return ::open(path.c_str(), how | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}
} // namespace

HeldFile::~HeldFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void HeldFile::hold(const std::string& path) {
    const int now = opened(path, O_WRONLY);
    if (now >= 0) ::flock(now, LOCK_SH | LOCK_NB);
    if (const int before = std::exchange(descriptor_, now); before >= 0) ::close(before);
}

bool HeldFile::isHeld(const std::string& path) {
    const int descriptor = opened(path, O_RDONLY);
    if (descriptor < 0) return false;
    const bool held = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return held;
}

} // namespace cutaway::base
