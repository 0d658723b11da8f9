// SPDX-License-Identifier: Apache-2.0
/// \file
/// The engine: compiles, runs and lays out on behalf of a window, in its own process, so that
/// whatever a kernel does takes down this process only.
#pragma once

#include "core/driver/session.h"

#include <string>
#include <vector>

namespace cutaway::engine {

/// Serves requests from standard input until it ends. \returns the exit status.
/// Methods: initialize, compile, listing, run, layout, sizes, open; notifications: $/cancel {id};
/// sent: progress {request, stage, fraction}, log {message}. See docs in app/engine/README.md.
/// \param plugins shared libraries to load before the box closes (core/backend/plugin.h); one that
/// cannot be used is told to the client, and the engine serves without it
int serve(const base::Result<std::string>& cacheFolder, const std::vector<std::string>& plugins);

} // namespace cutaway::engine
