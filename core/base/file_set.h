// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several files that are of use together: all are written, or none.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::base {

/// Files appear at commit(). Without it the folders are left as they were found.
class FileSet {
public:
    FileSet() = default;
    FileSet(const FileSet&) = delete;
    FileSet& operator=(const FileSet&) = delete;
    ~FileSet();

    /// Writes beside the target and flushes; creates missing folders. A link is written through.
    /// Errors: environment error naming the path and the system's reason.
    Status add(const std::string& path, std::string_view bytes);
    /// Puts every file in its place; permissions of those that were there stay.
    Status commit();

private:
    struct Part {
        std::string path, temporary, target;
    };
    Status makeFolders(const std::string& folder);
    std::vector<Part> parts_;
    std::vector<std::string> folders_; ///< made here, outer ones first
};

} // namespace cutaway::base
