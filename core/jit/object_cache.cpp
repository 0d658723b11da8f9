// SPDX-License-Identifier: Apache-2.0
#include "core/jit/object_cache.h"

#include "core/base/file_system.h"
#include "core/base/hash.h"

#include <fmt/format.h>

#include <filesystem>

namespace cutaway::jit {

namespace {

/// First line of a file; the checksum of the rest follows on the same line.
constexpr std::string_view kMagic = "cutaway object 1 ";
constexpr size_t kChecksumDigits = 32;

} // namespace

std::string ObjectCache::pathOf(const std::string& folder, const std::string& key) const {
    return folder + "/" + kind_ + "/" + key + ".o";
}

std::optional<std::string> ObjectCache::find(const std::string& folder, const std::string& key) {
    const std::string path = pathOf(folder, key);
    std::error_code failed;
    if (!std::filesystem::exists(path, failed)) return std::nullopt;
    base::Result<std::string> file = base::readFile(path);
    if (!file.ok()) {
        remember(file.error());
        return std::nullopt;
    }
    const size_t header = kMagic.size() + kChecksumDigits + 1;
    if (file->size() < header || std::string_view(*file).substr(0, kMagic.size()) != kMagic)
        return std::nullopt;
    std::string object = file->substr(header);
    if (file->compare(kMagic.size(), kChecksumDigits, base::hashHex(object)) != 0)
        return std::nullopt;
    return object;
}

void ObjectCache::put(const std::string& folder, const std::string& key, std::string_view object) {
    std::string file = fmt::format("{}{}\n", kMagic, base::hashHex(object));
    file += object;
    const base::Status written = base::writeFileAtomically(pathOf(folder, key), file);
    if (!written.ok()) remember(written.error());
}

void ObjectCache::remember(base::Diagnostic problem) {
    problem.severity = base::Severity::Warning;
    problem.message = "compiled kernels are not kept on disk: " + problem.message;
    const std::lock_guard lock(mutex_);
    if (!problem_ && !said_) problem_ = std::move(problem);
}

std::optional<base::Diagnostic> ObjectCache::takeProblem() {
    const std::lock_guard lock(mutex_);
    if (!problem_) return std::nullopt;
    said_ = true;
    return std::exchange(problem_, std::nullopt);
}

} // namespace cutaway::jit
