// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file whose writer tells readers that more may come: it holds a lock on it, which ends with the
/// program however that ends.
#pragma once

#include <string>

namespace cutaway::base {

class HeldFile {
public:
    HeldFile() = default;
    ~HeldFile();
    HeldFile(const HeldFile&) = delete;
    HeldFile& operator=(const HeldFile&) = delete;

    /// Holds the file that is at \p path now, instead of the one before. Where there is none, or the
    /// system has no locks for it, readers see nothing held.
    void hold(const std::string& path);
    /// Whether any program holds the file at \p path.
    static bool isHeld(const std::string& path);

private:
    int descriptor_ = -1;
};

} // namespace cutaway::base
