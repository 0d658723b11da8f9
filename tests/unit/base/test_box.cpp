// SPDX-License-Identifier: Apache-2.0
// What a process in the box can still do: each attempt is made by a child that enters the box and
// ends with 0 when it got through.
#include "core/base/box.h"
#include "core/base/sanitizers.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <arpa/inet.h>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cutaway::base;

namespace {

constexpr int kDone = 0, kRefused = 1;

int tries(const BoxRules& rules, const std::function<bool()>& attempt) {
    const pid_t child = ::fork();
    if (child == 0) {
        enterBox(rules);
        ::_exit(attempt() ? kDone : kRefused);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool opens(const std::string& path, int how) {
    return ::open(path.c_str(), how | O_CLOEXEC, 0600) >= 0;
}

} // namespace

class TestBox : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    BoxRules rules_;
    std::string path(const char* name) { return folder_.filePath(name).toStdString(); }

private Q_SLOTS:
    void initTestCase() {
        if (boxSupport().find("no Landlock") != std::string::npos ||
            boxSupport().find("no seccomp") != std::string::npos)
            QSKIP(boxSupport().c_str());
        QFile secret(folder_.filePath("secret"));
        QVERIFY(secret.open(QIODevice::WriteOnly));
        secret.write("secret");
        rules_ = systemRules(path("cache"));
    }
    void files_of_the_user_are_out_of_reach() {
        QCOMPARE(tries(rules_, [&] { return opens(path("secret"), O_RDONLY); }), kRefused);
        QCOMPARE(tries(rules_, [&] { return opens(path("secret"), O_WRONLY); }), kRefused);
        QCOMPARE(tries(rules_, [&] { return ::truncate(path("secret").c_str(), 0) == 0; }),
                 kRefused);
        QCOMPARE(tries(rules_, [&] { return ::unlink(path("secret").c_str()) == 0; }), kRefused);
        QCOMPARE(tries(rules_, [&] { return opens(path("new"), O_WRONLY | O_CREAT); }), kRefused);
        QCOMPARE(tries(rules_, [&] { return ::chmod(path("secret").c_str(), 0777) == 0; }),
                 kRefused);
        QCOMPARE(tries(rules_, [] { return opens("/etc/passwd", O_RDONLY); }), kRefused);
        QCOMPARE(tries(rules_, [] { return opens("/dev/shm/cutaway-test", O_RDWR | O_CREAT); }),
                 kRefused);
    }
    void the_cache_and_the_system_are_in_reach() {
        QCOMPARE(tries(rules_,
                       [&] {
                           return opens(path("cache/a"), O_WRONLY | O_CREAT) &&
                                  ::rename(path("cache/a").c_str(), path("cache/b").c_str()) == 0 &&
                                  ::unlink(path("cache/b").c_str()) == 0;
                       }),
                 kDone);
        for (const char* file : {"/proc/meminfo", "/proc/self/maps", "/proc/cpuinfo"})
            QCOMPARE(tries(rules_, [&] { return opens(file, O_RDONLY); }), kDone);
        QCOMPARE(tries(rules_, [] { return opens("/dev/null", O_RDWR); }), kDone);
    }
    void other_processes_are_out_of_reach() {
        const std::string parent = "/proc/" + std::to_string(::getpid());
        for (const char* what : {"/environ", "/mem", "/maps"})
            QCOMPARE(tries(rules_, [&] { return opens(parent + what, O_RDONLY); }), kRefused);
        QCOMPARE(tries(rules_, [] { return ::unshare(CLONE_NEWUSER) == 0; }), kRefused);
        QCOMPARE(tries(rules_,
                       [] {
                           const char* none[] = {"/bin/true", nullptr};
                           ::execv("/bin/true", const_cast<char**>(none));
                           return false;
                       }),
                 kRefused);
    }
    void the_network_is_out_of_reach() {
        for (int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK})
            QCOMPARE(tries(rules_, [&] { return ::socket(family, SOCK_STREAM, 0) >= 0; }),
                     kRefused);
        for (int family : {AF_INET, AF_INET6, AF_NETLINK})
            QCOMPARE(tries(rules_, [&] { return ::socket(family, SOCK_SEQPACKET, 0) >= 0; }),
                     kRefused);
        // The CUDA driver needs a socket that it listens at; nobody comes in, and it gets to
        // nobody.
        QCOMPARE(tries(rules_,
                       [] {
                           const int own = ::socket(AF_UNIX, SOCK_SEQPACKET, 0);
                           sockaddr_un name{AF_UNIX, "\0cutaway-test"};
                           const auto* at = reinterpret_cast<const sockaddr*>(&name);
                           return own >= 0 && ::bind(own, at, sizeof name) == 0 &&
                                  ::listen(own, 1) == 0 && ::accept(own, nullptr, nullptr) < 0 &&
                                  errno == EPERM &&
                                  ::connect(::socket(AF_UNIX, SOCK_SEQPACKET, 0), at, sizeof name) <
                                      0 &&
                                  errno == ECONNREFUSED;
                       }),
                 kDone);
    }
    void it_may_name_its_threads() {
        // The CUDA driver does, and gives up where it may not.
        QCOMPARE(tries(rules_,
                       [] {
                           return opens("/proc/self/task/" + std::to_string(::getpid()) + "/comm",
                                        O_WRONLY);
                       }),
                 kDone);
    }
    void there_are_limits_and_no_core_dumps() {
        QCOMPARE(tries(rules_,
                       [] {
                           rlimit core{}, data{}, files{};
                           ::getrlimit(RLIMIT_CORE, &core);
                           ::getrlimit(RLIMIT_DATA, &data);
                           ::getrlimit(RLIMIT_NOFILE, &files);
                           return core.rlim_max == 0 &&
                                  (kSanitized || data.rlim_max != RLIM_INFINITY) &&
                                  files.rlim_max <= 4096;
                       }),
                 kDone);
    }
    void processes_can_be_started_and_threads_too() {
        QCOMPARE(tries(rules_,
                       [] {
                           const pid_t child = ::fork();
                           if (child == 0) ::_exit(7);
                           int status = 0;
                           return ::waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7;
                       }),
                 kDone);
    }
};

QTEST_APPLESS_MAIN(TestBox)
#include "test_box.moc"
