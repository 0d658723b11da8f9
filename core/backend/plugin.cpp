// SPDX-License-Identifier: Apache-2.0
#include "core/backend/plugin.h"

#include "core/backend/backends.h"
#include "core/backend/plugin_backend.h"

#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace cutaway::backend {

namespace {

std::vector<LoadedPlugin>& plugins() {
    static std::vector<LoadedPlugin> all;
    return all;
}

std::span<const CutawayBackend> backendsOf(const CutawayPlugin& parts) {
    return {parts.backends, static_cast<size_t>(parts.backendCount)};
}

std::span<const CutawayOverlay> overlaysOf(const CutawayPlugin& parts) {
    return {parts.overlays, static_cast<size_t>(parts.overlayCount)};
}

bool isText(const char* text) {
    return text && *text;
}

/// What is wrong with what the library told of itself; empty: nothing.
std::string problemOf(const CutawayPlugin* parts) {
    if (!parts) return "cutaway_plugin() gave nothing";
    if (parts->version != CUTAWAY_PLUGIN_VERSION)
        return fmt::format("it was built for version {} of the plug-in interface, this program has "
                           "version {}",
                           parts->version, CUTAWAY_PLUGIN_VERSION);
    if (!isText(parts->name)) return "it has no name";
    if (parts->backendCount < 0 || parts->overlayCount < 0 ||
        (parts->backendCount > 0 && !parts->backends) ||
        (parts->overlayCount > 0 && !parts->overlays))
        return "it counts backends or overlays that are not there";
    std::set<std::string_view> names;
    for (const BackendRow& known : cutaway::backend::backends())
        names.insert(known.name);
    for (const CutawayBackend& one : backendsOf(*parts)) {
        if (!isText(one.name) || !one.summary || !one.compile || !one.run || !one.release)
            return "one of its backends lacks a name, a summary or a function";
        if (!names.insert(one.name).second)
            return fmt::format("there is a backend '{}' already", one.name);
    }
    const std::vector<OverlayRow> others = overlays();
    names.clear();
    for (const OverlayRow& known : others)
        names.insert(known.name);
    for (const CutawayOverlay& one : overlaysOf(*parts)) {
        if (!isText(one.name) || !one.summary || !one.values)
            return "one of its overlays lacks a name, a summary or its function";
        if (!names.insert(one.name).second)
            return fmt::format("there is an overlay '{}' already", one.name);
    }
    return {};
}

} // namespace

base::Status loadPlugin(const std::string& path) {
    std::error_code code;
    const std::string file = std::filesystem::absolute(path, code).string(); // no search for it
    for (const LoadedPlugin& known : plugins())
        if (known.path == file) return {};
    // A pipe would be read until somebody writes.
    if (std::filesystem::exists(file, code) && !std::filesystem::is_regular_file(file, code))
        return base::userError({}, fmt::format("'{}' is no plug-in: it is no regular file", path),
                               "give a shared library");
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* why = ::dlerror();
        return base::environmentError(fmt::format("the plug-in '{}' cannot be loaded: {}", path,
                                                  why ? why : "no reason given"));
    }
    using Entry = const CutawayPlugin* (*)();
    const auto entry = reinterpret_cast<Entry>(::dlsym(library, "cutaway_plugin"));
    if (!entry)
        return base::userError(
            {}, fmt::format("'{}' is no plug-in: it exports no cutaway_plugin()", path),
            "build it with resources/plugin/cutaway_plugin.h");
    const CutawayPlugin* parts = entry();
    if (std::string problem = problemOf(parts); !problem.empty())
        return base::userError({}, fmt::format("the plug-in '{}' is not used: {}", path, problem));
    plugins().push_back({file, parts->name, parts});
    for (const CutawayBackend& one : backendsOf(*parts))
        addBackend({one.name, one.summary,
                    [&one](const BackendTools& tools) { return makePluginBackend(tools, one); }});
    return {};
}

std::span<const LoadedPlugin> loadedPlugins() {
    return plugins();
}

std::vector<OverlayRow> overlays() {
    std::vector<OverlayRow> rows;
    for (const LoadedPlugin& plugin : plugins())
        for (const CutawayOverlay& one : overlaysOf(*plugin.parts))
            rows.push_back({one.name, one.summary, plugin.name});
    return rows;
}

/// Null: there is none.
static const CutawayOverlay* findOverlay(std::string_view name) {
    for (const LoadedPlugin& plugin : plugins())
        for (const CutawayOverlay& one : overlaysOf(*plugin.parts))
            if (name == one.name) return &one;
    return nullptr;
}

base::Status knownOverlay(const std::string& name) {
    if (findOverlay(name)) return {};
    std::string known;
    for (const OverlayRow& row : overlays())
        known += (known.empty() ? "" : ", ") + row.name;
    return base::usageError(fmt::format("unknown overlay '{}'", name),
                            known.empty() ? "no plug-in was loaded that has any: --plugin FILE"
                                          : "known overlays: " + known);
}

base::Result<std::vector<std::pair<std::string, double>>> nodeNumbers(const std::string& overlay,
                                                                      const std::string& graph) {
    CUTAWAY_CHECK(knownOverlay(overlay));
    using Numbers = std::vector<std::pair<std::string, double>>;
    Numbers numbers;
    const char* problem = findOverlay(overlay)->values(
        graph.c_str(),
        [](void* to, const char* node, double value) {
            if (node) static_cast<Numbers*>(to)->emplace_back(node, value);
        },
        &numbers);
    if (problem) return base::userError({}, fmt::format("overlay {}: {}", overlay, problem));
    return numbers;
}

} // namespace cutaway::backend
