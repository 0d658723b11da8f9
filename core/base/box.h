// SPDX-License-Identifier: Apache-2.0
/// \file
/// Confining this process: a script or record of a stranger that breaks out of the evaluator finds
/// no files, no network and no other program. Landlock says which files may be reached, seccomp
/// which system calls made, limits how much memory taken.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace cutaway::base {

/// Paths that do not exist are left out; folders stand for all that is below them.
struct BoxRules {
    std::vector<std::string> readable;
    std::vector<std::string> writable;   ///< folders: also to make, rename and remove files in
    std::vector<std::string> devices;    ///< to read, write and ioctl
    std::vector<std::string> executable; ///< single files
};

/// What any engine needs: the system's libraries, fonts and facts about processor and memory, the
/// CUDA driver and toolkit, this program itself and the toolkit's disassembler to start.
/// \param cacheFolder made where it is missing, and used for temporary files too; empty: none
BoxRules systemRules(const std::string& cacheFolder);

/// Confines the calling process, which must not have started threads yet, and all that it will
/// start: also limits its memory to what the machine has, its open files, and its core dumps to
/// none. There is no way out. \returns a sentence for each thing this system cannot confine.
/// CUTAWAY_UNBOXED in the environment leaves the process as it is (a driver that needs more).
std::vector<std::string> enterBox(const BoxRules& rules);

/// Environment error where the process may open so few files that it cannot confine itself.
Status wantOpenFiles();

/// What enterBox can do here, a line for `doctor`.
std::string boxSupport();

void noCoreDumps();

} // namespace cutaway::base
