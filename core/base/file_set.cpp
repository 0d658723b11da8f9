// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_set.h"

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

namespace fs = std::filesystem;

namespace {

std::string unguessableSuffix() {
    std::random_device random; // the kernel's
    return fmt::format(".{:08x}{:08x}.part", random(), random());
}

Diagnostic failed(const char* what, const std::string& path) {
    return environmentError(
        fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno)),
        "check the folder's permissions and the free space, or choose another place");
}

} // namespace

FileSet::~FileSet() {
    for (const Part& part : parts_)
        ::unlink(part.temporary.c_str());
    for (size_t i = folders_.size(); i-- > 0;)
        ::rmdir(folders_[i].c_str()); // where it is empty
}

Status FileSet::makeFolders(const std::string& folder) {
    std::vector<std::string> missing;
    std::error_code code;
    for (fs::path at = folder; !at.empty() && !fs::exists(at, code); at = at.parent_path()) {
        if (at.has_filename()) missing.push_back(at.string());
        if (at == at.parent_path()) break;
    }
    for (size_t i = missing.size(); i-- > 0;) {
        if (::mkdir(missing[i].c_str(), 0777) == 0)
            folders_.push_back(missing[i]);
        else if (errno != EEXIST)
            return failed("make the folder", missing[i]);
    }
    return {};
}

Status FileSet::add(const std::string& path, std::string_view bytes) {
    if (path.find('\0') != std::string::npos)
        return environmentError("a path cannot hold a zero byte", "choose another place");
    std::error_code code;
    // Only a file may be replaced.
    const fs::path target =
        fs::is_symlink(path, code) ? fs::weakly_canonical(path, code) : fs::path(path);
    if (fs::exists(target, code) && !fs::is_regular_file(target, code))
        return environmentError(fmt::format("cannot replace '{}': it is not a regular file", path),
                                "choose another place");
    CUTAWAY_CHECK(makeFolders(target.parent_path().string()));
    Part part{path, target.string() + unguessableSuffix(), target.string()};
    const int file =
        ::open(part.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file < 0) return failed("write", path);
    parts_.push_back(part);
    struct stat old{};
    const bool kept = ::stat(target.c_str(), &old) != 0 || ::fchmod(file, old.st_mode & 07777) == 0;
    const bool written = kept && writeAll(file, bytes) && ::fsync(file) == 0;
    const int reason = errno;
    if (::close(file) == 0 && written) return {};
    if (!written) errno = reason;
    return failed("write", path);
}

Status FileSet::commit() {
    while (!parts_.empty()) {
        const Part& next = parts_.back();
        if (::rename(next.temporary.c_str(), next.target.c_str()) != 0)
            return failed("replace", next.path);
        parts_.pop_back();
    }
    folders_.clear();
    return {};
}

} // namespace cutaway::base
