// SPDX-License-Identifier: Apache-2.0
/// \file
/// Compiled objects on disk, one file each, named by the hash of everything that made them.
/// Private to this folder.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/private_folder.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::jit {

/// Thread-safe. What is read back is run, so it must be what was put: the folder is private
/// (base::PrivateFolder), names and contents carry a BLAKE2b hash under a key that is drawn once
/// and kept in the folder, and a file that does not match counts as absent. Without a safe folder
/// nothing is kept. Several processes may share a folder.
class ObjectCache {
public:
    /// \param kind subfolder of the cache: "cpu", "cuda"
    explicit ObjectCache(std::string kind = "cpu") : kind_(std::move(kind)) {}
    /// \param madeFrom everything that the object depends on: versions, options, text
    std::optional<std::string> find(const std::string& folder,
                                    const std::vector<std::string>& madeFrom);
    void put(const std::string& folder, const std::vector<std::string>& madeFrom,
             std::string_view object);
    /// The first failure to read or write, once.
    std::optional<base::Diagnostic> takeProblem();

private:
    struct Place {
        base::PrivateFolder folder;
        std::string key;
    };
    base::Result<Place> openPlace(const std::string& folder) const;
    /// Opened once; nothing where there is no safe folder, which is remembered as a problem.
    const Place* place(const std::string& folder);
    void remember(base::Diagnostic problem);
    std::string kind_;
    std::mutex mutex_;
    std::map<std::string, std::optional<Place>> places_;
    std::optional<base::Diagnostic> problem_;
    bool said_ = false;
};

} // namespace cutaway::jit
