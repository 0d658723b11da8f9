// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <csignal>
#include <cstdlib>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cutaway::testing {

Child::Child(const std::function<std::string()>& compute) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    const int parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0) std::abort();
    if (process_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
        ::signal(SIGINT, SIG_IGN); // the parent decides
        ::signal(SIGTERM, SIG_DFL);
        ::close(ends[0]);
        const std::string text = compute();
        size_t sent = 0;
        while (sent < text.size()) {
            const ssize_t n = ::write(ends[1], text.data() + sent, text.size() - sent);
            if (n < 0) ::_exit(1);
            sent += static_cast<size_t>(n);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
}

Child::~Child() {
    if (process_ < 0) return;
    kill();
    end();
}

void Child::kill() const {
    ::kill(process_, SIGKILL);
}

Child::End Child::end() {
    End result;
    char block[4096];
    for (ssize_t n; (n = ::read(pipe_, block, sizeof block)) > 0;)
        result.text.append(block, static_cast<size_t>(n));
    ::close(pipe_);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = pipe_ = -1;
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    return result;
}

} // namespace cutaway::testing
