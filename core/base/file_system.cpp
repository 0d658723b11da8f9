// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_system.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cutaway::base {

Result<std::string> readFile(const std::string& path) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return userError({path}, fmt::format("cannot open file: {}", std::strerror(errno)),
                         errno == ENOENT ? "check the spelling of the path" : "");
    struct stat info {};
    if (::fstat(file, &info) == 0 && S_ISDIR(info.st_mode)) {
        ::close(file);
        return userError({path}, "expected a file, found a folder");
    }
    std::string bytes;
    char block[1 << 16];
    for (;;) {
        ssize_t n = ::read(file, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            Diagnostic error =
                environmentError(fmt::format("{}: read failed: {}", path, std::strerror(errno)));
            ::close(file);
            return error;
        }
        if (n == 0) break;
        bytes.append(block, static_cast<size_t>(n));
    }
    ::close(file);
    return bytes;
}

static bool writeAll(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t n = ::write(file, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
}

Status writeFileAtomically(const std::string& path, std::string_view bytes) {
    namespace fs = std::filesystem;
    std::error_code code;
    // A link is written through; only a file may be replaced.
    const fs::path target =
        fs::is_symlink(path, code) ? fs::weakly_canonical(path, code) : fs::path(path);
    if (fs::exists(target, code) && !fs::is_regular_file(target, code))
        return environmentError(fmt::format("cannot replace '{}': it is not a regular file", path),
                                "choose another place");
    fs::path folder = target.parent_path();
    if (!folder.empty()) fs::create_directories(folder, code);
    std::string temporary = fmt::format("{}.{}.part", target.string(), ::getpid());
    auto failed = [&](const char* what) -> Status {
        Diagnostic error = environmentError(
            fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno)),
            "check the folder's permissions and the free space, or choose another place");
        ::unlink(temporary.c_str());
        return error;
    };
    int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) return failed("write");
    bool written = writeAll(file, bytes) && ::fsync(file) == 0;
    if (::close(file) != 0 || !written) return failed("write");
    if (::rename(temporary.c_str(), target.c_str()) != 0) return failed("replace");
    return {};
}

std::string defaultCacheFolder() {
    if (const char* folder = std::getenv("CUTAWAY_CACHE_DIR"); folder && *folder) return folder;
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
        return std::string(folder) + "/cutaway";
    const char* home = std::getenv("HOME");
    return std::string(home && *home ? home : "/tmp") + "/.cache/cutaway";
}

} // namespace cutaway::base
