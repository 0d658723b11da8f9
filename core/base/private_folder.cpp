// SPDX-License-Identifier: Apache-2.0
#include "core/base/private_folder.h"

#include "core/base/file_system.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace cutaway::base {

namespace {

constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
constexpr const char* kHint =
    "set CUTAWAY_CACHE_DIR to a folder that belongs to you and that nobody else can write to";

Diagnostic failed(const char* what, const std::string& path, int code) {
    return environmentError(fmt::format("cannot {} '{}': {}", what, path, std::strerror(code)),
                            "check the folder's permissions and the free space, or choose another "
                            "place");
}

std::string unguessableName() {
    std::random_device random; // the kernel's
    return fmt::format(".{:08x}{:08x}{:08x}{:08x}.part", random(), random(), random(), random());
}

} // namespace

PrivateFolder::PrivateFolder(int descriptor, std::string path)
    : descriptor_(new int(descriptor),
                  [](const int* held) {
                      ::close(*held);
                      delete held;
                  }),
      path_(std::move(path)) {}

Result<PrivateFolder> PrivateFolder::openAt(int parent, const std::string& name, std::string path) {
    if (::mkdirat(parent, name.c_str(), 0700) != 0 && errno != EEXIST)
        return failed("make the folder", path, errno);
    const int descriptor =
        ::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
        if (errno == ELOOP || errno == ENOTDIR)
            return environmentError(fmt::format("'{}' is a link or no folder", path), kHint);
        return failed("open the folder", path, errno);
    }
    PrivateFolder folder(descriptor, std::move(path));
    struct stat info{};
    if (::fstat(descriptor, &info) != 0) return failed("open the folder", folder.path_, errno);
    if (info.st_uid != ::geteuid())
        return environmentError(
            fmt::format("the folder '{}' belongs to another user", folder.path_), kHint);
    if (info.st_mode & kOthersMayWrite)
        return environmentError(
            fmt::format("other users may write to the folder '{}': found mode {:04o}, expected "
                        "0700",
                        folder.path_, info.st_mode & 07777),
            fmt::format("look at what is in it, then run chmod 700 on it, or {}", kHint));
    return folder;
}

Result<PrivateFolder> PrivateFolder::open(const std::string& path) {
    std::filesystem::path whole = path;
    if (!whole.has_filename()) whole = whole.parent_path(); // a last "/"
    std::error_code code;
    if (whole.has_parent_path()) std::filesystem::create_directories(whole.parent_path(), code);
    return openAt(AT_FDCWD, whole.string(), whole.string());
}

Result<PrivateFolder> PrivateFolder::folder(const std::string& name) const {
    return openAt(*descriptor_, name, path_ + "/" + name);
}

Result<std::string> PrivateFolder::read(const std::string& name) const {
    const int file =
        ::openat(*descriptor_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        if (errno == ENOENT || errno == ELOOP) return std::string();
        return failed("read", path_ + "/" + name, errno);
    }
    struct stat info{};
    const bool ours = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                      info.st_uid == ::geteuid() && !(info.st_mode & kOthersMayWrite);
    std::string bytes(ours ? static_cast<size_t>(info.st_size) : 0, '\0');
    size_t got = 0;
    while (got < bytes.size()) {
        const ssize_t n = ::read(file, bytes.data() + got, bytes.size() - got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        got += static_cast<size_t>(n);
    }
    ::close(file);
    bytes.resize(got);
    return bytes;
}

Status PrivateFolder::put(const std::string& name, std::string_view bytes, bool replace) const {
    const std::string temporary = unguessableName(), path = path_ + "/" + name;
    const int file = ::openat(*descriptor_, temporary.c_str(),
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return failed("write", path, errno);
    bool good = writeAll(file, bytes);
    int code = good ? 0 : errno;
    if (::close(file) != 0 && good) good = false, code = errno;
    if (good && replace &&
        ::renameat(*descriptor_, temporary.c_str(), *descriptor_, name.c_str()) == 0)
        return {};
    if (good && !replace &&
        (::linkat(*descriptor_, temporary.c_str(), *descriptor_, name.c_str(), 0) == 0 ||
         errno == EEXIST)) {
        ::unlinkat(*descriptor_, temporary.c_str(), 0);
        return {};
    }
    if (good) code = errno;
    ::unlinkat(*descriptor_, temporary.c_str(), 0);
    return failed("write", path, code);
}

Status PrivateFolder::write(const std::string& name, std::string_view bytes) const {
    return put(name, bytes, true);
}

Status PrivateFolder::writeIfAbsent(const std::string& name, std::string_view bytes) const {
    return put(name, bytes, false);
}

} // namespace cutaway::base
