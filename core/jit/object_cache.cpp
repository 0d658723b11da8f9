// SPDX-License-Identifier: Apache-2.0
#include "core/jit/object_cache.h"

#include "core/base/keyed_hash.h"

namespace cutaway::jit {

namespace {

/// Start of a file; the hash of its kind, its name and the rest follows.
constexpr std::string_view kMagic = "cutaway object 2\n";
constexpr const char* kKeyFile = "key";

std::string nameOf(const std::string& key, const std::vector<std::string>& madeFrom) {
    return base::hexText(base::keyedHash(key, {madeFrom.begin(), madeFrom.end()})) + ".o";
}

} // namespace

base::Result<ObjectCache::Place> ObjectCache::openPlace(const std::string& folder) const {
    CUTAWAY_TRY(base::PrivateFolder root, base::PrivateFolder::open(folder));
    CUTAWAY_TRY(std::string key, root.read(kKeyFile));
    if (key.size() != base::kHashKeyBytes) {
        const std::string drawn = base::drawHashKey();
        // Of two processes that come at once, one wins, and both use its key.
        CUTAWAY_CHECK(key.empty() ? root.writeIfAbsent(kKeyFile, drawn)
                                  : root.write(kKeyFile, drawn));
        CUTAWAY_TRY(key, root.read(kKeyFile));
        if (key.empty()) { // it was there without a byte, as a full disk leaves it
            CUTAWAY_CHECK(root.write(kKeyFile, drawn));
            CUTAWAY_TRY(key, root.read(kKeyFile));
        }
        if (key.size() != base::kHashKeyBytes)
            return base::environmentError("cannot keep a key in '" + folder + "'");
    }
    CUTAWAY_TRY(base::PrivateFolder objects, root.folder(kind_));
    return Place{std::move(objects), std::move(key)};
}

const ObjectCache::Place* ObjectCache::place(const std::string& folder) {
    std::unique_lock lock(mutex_);
    auto found = places_.find(folder);
    if (found == places_.end()) {
        auto opened = openPlace(folder);
        found = places_.emplace(folder, std::nullopt).first;
        if (opened)
            found->second = std::move(*opened);
        else
            lock.unlock(), remember(opened.error());
    }
    return found->second ? &*found->second : nullptr; // never moved or erased
}

std::optional<std::string> ObjectCache::find(const std::string& folder,
                                             const std::vector<std::string>& madeFrom) {
    const Place* at = place(folder);
    if (!at) return std::nullopt;
    const std::string name = nameOf(at->key, madeFrom);
    auto file = at->folder.read(name);
    if (!file) {
        remember(file.error());
        return std::nullopt;
    }
    const size_t header = kMagic.size() + base::kHashBytes;
    if (file->size() < header || !file->starts_with(kMagic)) return std::nullopt;
    const std::string_view object = std::string_view(*file).substr(header);
    if (!base::equalHashes(base::keyedHash(at->key, {kind_, name, object}),
                           std::string_view(*file).substr(kMagic.size(), base::kHashBytes)))
        return std::nullopt;
    return std::string(object);
}

void ObjectCache::put(const std::string& folder, const std::vector<std::string>& madeFrom,
                      std::string_view object) {
    const Place* at = place(folder);
    if (!at) return;
    const std::string name = nameOf(at->key, madeFrom);
    std::string file(kMagic);
    file += base::keyedHash(at->key, {kind_, name, object});
    file += object;
    if (base::Status written = at->folder.write(name, file); !written) remember(written.error());
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
