// SPDX-License-Identifier: Apache-2.0
/// \file
/// A folder of files that nobody else can have written: what is read back may be run.
#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace cutaway::base {

/// Thread-safe. Files are reached through the folder's descriptor, never by path again, so that
/// replacing a folder above changes nothing.
class PrivateFolder {
public:
    /// Makes the folder (0700, with those above it) where it is missing; one that is there stays as it
    /// is. Errors: environment error
    /// when it is a link, belongs to another user or may be written by one, or cannot be made.
    static Result<PrivateFolder> open(const std::string& path);
    /// The folder of that name inside; the same promises.
    Result<PrivateFolder> folder(const std::string& name) const;

    /// A file's bytes; an empty value when there is none, or what is there is no regular file of
    /// this user. Errors: environment error when it cannot be read.
    Result<std::string> read(const std::string& name) const;
    /// Writes beside, under a name that cannot be guessed, and renames. Errors: environment error.
    Status write(const std::string& name, std::string_view bytes) const;
    /// As write, but a file that is there stays. Not an error.
    Status writeIfAbsent(const std::string& name, std::string_view bytes) const;
    const std::string& path() const { return path_; }

private:
    PrivateFolder(int descriptor, std::string path);
    static Result<PrivateFolder> openAt(int parent, const std::string& name, std::string path);
    Status put(const std::string& name, std::string_view bytes, bool replace) const;
    std::shared_ptr<const int> descriptor_;
    std::string path_;
};

} // namespace cutaway::base
