// SPDX-License-Identifier: Apache-2.0
/// \file
/// The engine is two processes. The one that its client started, the broker, reads the files that
/// the client's requests name and passes messages on. Its child does the work in a box (base/box.h):
/// it evaluates scripts of strangers and runs what they compile to, so it can open no file but those
/// of the system and the kernel cache, reach no network and start no program.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cutaway::engine {

/// Runs \p work in a boxed child whose standard input is the client's messages with the files they
/// name. \param before what the child does before the box closes around it, and with it
/// \param work gets notices on what this system could not confine. Ends with the child: the
/// same exit status, or by the same signal. The child ends with its parent.
int inBox(const std::string& cacheFolder, const std::function<void()>& before,
          const std::function<int(std::vector<std::string> notices)>& work);

} // namespace cutaway::engine
