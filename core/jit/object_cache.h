// SPDX-License-Identifier: Apache-2.0
/// \file
/// Compiled objects on disk, one file each, named by the hash of everything that made them.
/// Private to this folder.
#pragma once

#include "core/base/diagnostic.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::jit {

/// Thread-safe. Several processes may share a folder: files are written beside and renamed, and a
/// file whose content does not match its checksum counts as absent.
class ObjectCache {
public:
    /// \param kind subfolder of the cache: "cpu", "cuda"
    explicit ObjectCache(std::string kind = "cpu") : kind_(std::move(kind)) {}
    std::optional<std::string> find(const std::string& folder, const std::string& key);
    void put(const std::string& folder, const std::string& key, std::string_view object);
    /// The first failure to read or write, once.
    std::optional<base::Diagnostic> takeProblem();

private:
    void remember(base::Diagnostic problem);
    std::string pathOf(const std::string& folder, const std::string& key) const;
    std::string kind_;
    std::mutex mutex_;
    std::optional<base::Diagnostic> problem_;
    bool said_ = false;
};

} // namespace cutaway::jit
