// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_system.h"

#include "core/base/file_set.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace cutaway::base {

namespace {

/// Reads what the descriptor still gives, up to \p limit bytes; false with errno set on failure.
bool readAll(int file, size_t limit, std::string& bytes) {
    char block[1 << 16];
    while (bytes.size() <= limit) {
        ssize_t n = ::read(file, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (n == 0) break;
        bytes.append(block, static_cast<size_t>(n));
    }
    return true;
}

} // namespace

Result<std::string> readFile(const std::string& path, size_t limit) {
    if (path.find('\0') != std::string::npos)
        return userError({}, "a path cannot hold a zero byte", "check the spelling of the path");
    // A pipe without a writer would hold up an open that waits.
    int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return userError({path}, fmt::format("cannot open file: {}", std::strerror(errno)),
                         errno == ENOENT ? "check the spelling of the path" : "");
    struct stat info{};
    std::string bytes;
    std::optional<Diagnostic> error;
    if (::fstat(file, &info) == 0 && S_ISDIR(info.st_mode))
        error = userError({path}, "expected a file, found a folder");
    else if (!S_ISREG(info.st_mode))
        error = userError({path}, "expected a regular file, found a pipe, socket or device",
                          "save its content as a file and open that");
    else if (!readAll(file, limit, bytes))
        error = environmentError(fmt::format("{}: read failed: {}", path, std::strerror(errno)));
    else if (bytes.size() > limit)
        error = userError({path}, fmt::format("the file is larger than {} MiB", limit >> 20),
                          "check that it is the right file");
    ::close(file);
    if (error) return *error;
    return bytes;
}

bool writeAll(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t n = ::write(file, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
}

Status writeFileAtomically(const std::string& path, std::string_view bytes) {
    FileSet file;
    CUTAWAY_CHECK(file.add(path, bytes));
    return file.commit();
}

Result<std::string> defaultCacheFolder() {
    if (const char* folder = std::getenv("CUTAWAY_CACHE_DIR"); folder && *folder)
        return std::string(folder);
    // The base directory specification has relative paths ignored.
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder == '/')
        return std::string(folder) + "/cutaway";
    if (const char* home = std::getenv("HOME"); home && *home == '/')
        return std::string(home) + "/.cache/cutaway";
    return environmentError("there is no folder for them: HOME is not set",
                            "set CUTAWAY_CACHE_DIR to a folder that belongs to you");
}

} // namespace cutaway::base
