// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shared libraries that a person asks for by name, which add backends and numbers of graph nodes
/// through a small C interface (resources/plugin/cutaway_plugin.h).
#pragma once

#include "core/base/result.h"
#include "resources/plugin/cutaway_plugin.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::backend {

/// A plug-in that was loaded; stays to the end of the process.
struct LoadedPlugin {
    std::string path, name;
    const CutawayPlugin* parts = nullptr;
};

/// Loads a plug-in; its backends are among backends() from then on. To be called before the first
/// session, and before the process confines itself: the library is found and started with the rights
/// of who asked for it. Errors: environment error for a file that cannot be loaded; user error for
/// a library that is no plug-in, one of another version, and names that are taken.
base::Status loadPlugin(const std::string& path);
std::span<const LoadedPlugin> loadedPlugins();

/// What may be asked of nodeNumbers().
struct OverlayRow {
    std::string name, summary, plugin;
};
std::vector<OverlayRow> overlays();

/// Errors: usage error for a name that no loaded plug-in has.
base::Status knownOverlay(const std::string& name);

/// Numbers of nodes of one graph, in the plug-in's order; one may come twice.
/// \param graph text of a graph. Errors: usage error for an unknown name; user error: what the
/// plug-in says.
base::Result<std::vector<std::pair<std::string, double>>> nodeNumbers(const std::string& overlay,
                                                                      const std::string& graph);

} // namespace cutaway::backend
