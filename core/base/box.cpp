// SPDX-License-Identifier: Apache-2.0
#include "core/base/box.h"

#include "core/base/private_folder.h"
#include "core/base/sanitizers.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cutaway::base {

namespace fs = std::filesystem;

namespace {

// Landlock's interface grew with the kernel; headers of Debian 12 know its first two versions.
constexpr uint64_t kTruncate = 1 << 14, kIoctlDevice = 1 << 15;
constexpr uint64_t kBindTcp = 1 << 0, kConnectTcp = 1 << 1;
constexpr uint64_t kAbstractSockets = 1 << 0, kSignals = 1 << 1;
struct RulesetAttributes {
    uint64_t files, network, scoped;
};

constexpr uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                            LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                            LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REFER | kTruncate;
constexpr uint64_t kOnFiles = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                              LANDLOCK_ACCESS_FS_EXECUTE | kTruncate | kIoctlDevice;

int landlockVersion() {
    const long version =
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return static_cast<int>(std::max(version, 0L));
}

/// Everything that this version can forbid.
RulesetAttributes forbidden(int version) {
    RulesetAttributes all{};
    all.files = (uint64_t{1} << 13) - 1;
    if (version >= 2) all.files |= LANDLOCK_ACCESS_FS_REFER;
    if (version >= 3) all.files |= kTruncate;
    if (version >= 4) all.network = kBindTcp | kConnectTcp;
    if (version >= 5) all.files |= kIoctlDevice;
    if (version >= 6) all.scoped = kAbstractSockets | kSignals;
    return all;
}

size_t attributeBytes(int version) {
    return version >= 6 ? 24 : version >= 4 ? 16 : 8;
}

class Ruleset {
public:
    explicit Ruleset(int version) : all_(forbidden(version)) {
        descriptor_ = static_cast<int>(
            ::syscall(SYS_landlock_create_ruleset, &all_, attributeBytes(version), 0));
    }
    ~Ruleset() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Ruleset(const Ruleset&) = delete;
    Ruleset& operator=(const Ruleset&) = delete;

    void allow(const std::vector<std::string>& paths, uint64_t access) const {
        for (const std::string& path : paths) {
            const int file = ::open(path.c_str(), O_PATH | O_CLOEXEC);
            struct stat info{};
            if (file < 0) continue;
            if (::fstat(file, &info) == 0) {
                landlock_path_beneath_attr rule{};
                rule.allowed_access =
                    access & all_.files & (S_ISDIR(info.st_mode) ? ~uint64_t{0} : kOnFiles);
                rule.parent_fd = file;
                ::syscall(SYS_landlock_add_rule, descriptor_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
            }
            ::close(file);
        }
    }
    bool restrict() const {
        return descriptor_ >= 0 && ::syscall(SYS_landlock_restrict_self, descriptor_, 0) == 0;
    }

private:
    RulesetAttributes all_;
    int descriptor_ = -1;
};

bool restrictFiles(const BoxRules& rules, int version) {
    if (version == 0) return false;
    const Ruleset ruleset(version);
    ruleset.allow(rules.readable, kRead);
    ruleset.allow(rules.writable, kRead | kWrite);
    ruleset.allow(rules.devices, kRead | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kIoctlDevice);
    ruleset.allow(rules.executable, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE);
    return ruleset.restrict();
}

// Refused with "operation not permitted": what reaches other machines and processes, what changes
// the system, and what has been a way around filters. Libraries that try (a profiler, say) carry on
// without. A list of what is allowed would be tighter, but the CUDA driver's needs change with its
// version.
// clang-format off
const int kRefused[] = {
    SCMP_SYS(accept),          SCMP_SYS(accept4),
    SCMP_SYS(sendmsg),         SCMP_SYS(sendmmsg),       SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd),     SCMP_SYS(pidfd_send_signal), SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),  SCMP_SYS(io_uring_register), SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd),    SCMP_SYS(execveat),
    SCMP_SYS(keyctl),          SCMP_SYS(add_key),        SCMP_SYS(request_key),
    SCMP_SYS(mount),           SCMP_SYS(umount2),        SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),          SCMP_SYS(unshare),        SCMP_SYS(setns),
    SCMP_SYS(open_tree),       SCMP_SYS(move_mount),     SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),        SCMP_SYS(fsmount),        SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),   SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(init_module),     SCMP_SYS(finit_module),   SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),      SCMP_SYS(kexec_file_load), SCMP_SYS(reboot),
    SCMP_SYS(swapon),          SCMP_SYS(swapoff),        SCMP_SYS(acct),
    SCMP_SYS(quotactl),        SCMP_SYS(settimeofday),   SCMP_SYS(clock_settime),
    SCMP_SYS(sethostname),     SCMP_SYS(setdomainname),  SCMP_SYS(iopl),
    SCMP_SYS(ioperm),          SCMP_SYS(syslog),         SCMP_SYS(vhangup),
    SCMP_SYS(personality),     SCMP_SYS(mknod),          SCMP_SYS(mknodat),
    SCMP_SYS(chmod),           SCMP_SYS(fchmodat),       SCMP_SYS(chown),
    SCMP_SYS(fchown),          SCMP_SYS(lchown),         SCMP_SYS(fchownat),
    SCMP_SYS(setxattr),        SCMP_SYS(lsetxattr),      SCMP_SYS(fsetxattr)};
// clang-format on

bool restrictCalls() {
    scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return false;
    ::seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    // Searched as a tree; and without the slow-down that kernels before 5.16 give filtered
    // processes against an attack from within, which has nothing here to find.
    ::seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    ::seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
    bool good = true;
    for (int call : kRefused)
        good &= ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
    // A new name space brings rights of its own. clone3 hides its flags from a filter; without it
    // the C library takes clone.
    constexpr uint64_t kNameSpaces = 0x7e020000;
    for (uint64_t flag = 1; flag <= kNameSpaces; flag <<= 1)
        if (kNameSpaces & flag)
            good &= ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                       SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)) == 0;
    good &= ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    // The CUDA driver gives up where it may not make a socket of its own kind and listen at it; one
    // that nobody can be reached through does.
    good &= ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                               SCMP_A0(SCMP_CMP_NE, AF_UNIX)) == 0;
    for (int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_RDM})
        good &=
            ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, static_cast<uint64_t>(type))) == 0;
    good &= ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ECONNREFUSED), SCMP_SYS(connect), 0) == 0;
    // Typing into the terminal that the program was started from.
    for (uint64_t request : {0x5412ul, 0x541cul}) // TIOCSTI, TIOCLINUX
        good &= ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                                   SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, request)) == 0;
    good = good && ::seccomp_load(filter) == 0;
    ::seccomp_release(filter);
    return good;
}

/// What makes root more than its files' owner: reading other processes' memory, among much else.
void dropCapabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
    ::syscall(SYS_capset, &header, none);
}

void limit(int resource, rlim_t value) {
    rlimit now{};
    ::getrlimit(static_cast<__rlimit_resource>(resource), &now);
    const rlim_t least = std::min(value, now.rlim_max);
    now = {least, least};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

std::vector<std::string> foldersOf(const char* variable) {
    const char* value = std::getenv(variable);
    std::vector<std::string> folders;
    std::string rest = value ? value : "";
    for (size_t begin = 0; begin < rest.size();) {
        const size_t end = std::min(rest.find(':', begin), rest.size());
        if (rest[begin] == '/') folders.push_back(rest.substr(begin, end - begin));
        begin = end + 1;
    }
    return folders;
}

} // namespace

void noCoreDumps() {
    limit(RLIMIT_CORE, 0);
}

/// The device of unified memory is made at its first use, by a program that the box would not let
/// the driver start.
static void makeCudaDevices() {
    if (::access("/dev/nvidiactl", F_OK) != 0 || ::access("/dev/nvidia-uvm", F_OK) == 0) return;
    std::string program = "/usr/bin/nvidia-modprobe", unified = "-u", first = "-c=0";
    char* arguments[] = {program.data(), unified.data(), first.data(), nullptr};
    pid_t child = 0;
    if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) == 0)
        ::waitpid(child, nullptr, 0);
}

BoxRules systemRules(const std::string& cacheFolder) {
    makeCudaDevices();
    BoxRules rules;
    if (!cacheFolder.empty() && PrivateFolder::open(cacheFolder)) {
        rules.writable.push_back(cacheFolder);
        ::setenv("TMPDIR", cacheFolder.c_str(), 1);
        // The CUDA driver keeps compiled programs, too; its usual folder cannot be written here.
        ::setenv("CUDA_CACHE_PATH", (cacheFolder + "/cuda").c_str(), 0);
    }
    rules.readable = {"/usr",
                      "/lib",
                      "/lib64",
                      "/opt",
                      "/etc/ld.so.cache",
                      "/etc/fonts",
                      "/etc/nvidia",
                      "/etc/localtime",
                      "/var/cache/fontconfig",
                      "/sys",
                      "/proc"};
    for (const char* variable : {"LD_LIBRARY_PATH", "GVBINDIR", "CUDA_HOME", "CUDA_PATH"})
        for (std::string& folder : foldersOf(variable))
            rules.readable.push_back(std::move(folder));
    // The CUDA driver names its threads through /proc and gives up where it may not.
    rules.devices = {"/dev/null",   "/dev/zero",    "/dev/full",
                     "/dev/random", "/dev/urandom", "/proc/self/task"};
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator("/dev", code))
        if (entry.path().filename().string().starts_with("nvidia"))
            rules.devices.push_back(entry.path().string());
    // The layout child is this program again; both need the loader.
    const fs::path self = fs::read_symlink("/proc/self/exe", code);
    rules.executable = {self.string(), "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"};
    std::vector<std::string> tools = foldersOf("PATH");
    for (const char* root : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"})
        tools.push_back(std::string(root) + "/bin");
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        for (const std::string& root : foldersOf(variable))
            tools.push_back(root + "/bin");
    for (const std::string& folder : tools)
        for (const char* tool : {"/nvdisasm", "/cuobjdump"})
            rules.executable.push_back(folder + tool);
    return rules;
}

std::vector<std::string> enterBox(const BoxRules& rules) {
    if (const char* off = std::getenv("CUTAWAY_UNBOXED"); off && *off)
        return {"CUTAWAY_UNBOXED is set: scripts and records of strangers are not confined\n"};
    noCoreDumps();
    limit(RLIMIT_NOFILE, 4096);
    // Private memory that can be written; address space alone costs nothing, and CUDA reserves
    // terabytes of it.
    if (!kSanitized) // whose shadow of the address space counts, too
        limit(RLIMIT_DATA, static_cast<rlim_t>(::sysconf(_SC_PHYS_PAGES)) *
                               static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)));
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    dropCapabilities();
    std::vector<std::string> open;
    const int version = landlockVersion();
    if (!restrictFiles(rules, version))
        open.push_back("this kernel has no Landlock: a script that breaks out of the evaluator "
                       "could read and write this user's files\n");
    if (!restrictCalls())
        open.push_back("this kernel has no seccomp filters: a script that breaks out of the "
                       "evaluator could reach the network\n");
    return open;
}

Status wantOpenFiles() {
    constexpr rlim_t kNeeded = 16;
    rlimit limits{};
    if (::getrlimit(RLIMIT_NOFILE, &limits) != 0 || limits.rlim_cur >= kNeeded) return {};
    return environmentError(fmt::format("this process may open {} files at once, expected {}",
                                        limits.rlim_cur, kNeeded),
                            "raise the limit, for example with 'ulimit -n 256'");
}

std::string boxSupport() {
    const int version = landlockVersion();
    const bool filters = ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
    return fmt::format("files: {}, network and system calls: {}",
                       version ? fmt::format("Landlock {}", version)
                               : "not confined (this kernel has no Landlock)",
                       filters ? "seccomp" : "not confined (this kernel has no seccomp)");
}

} // namespace cutaway::base
