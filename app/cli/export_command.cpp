// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/graph_drawer.h"
#include "app/engine/dot_layout.h"
#include "core/base/file_set.h"
#include "core/base/file_system.h"
#include "core/base/text.h"
#include "core/driver/export.h"
#include "core/record/html_report.h"
#include "core/record/named_graphs.h"

#include <cstdio>
#include <filesystem>

namespace cutaway::cli {

/// \param as "dot", "graphml" or what Graphviz draws: "svg", "pdf", "png"
static base::Status exportGraphs(const record::Record& record, const std::string& folder,
                                 const std::string& as) {
    base::FileSet files;
    for (const auto& [name, entry, graph] : record::namedGraphs(record)) {
        std::string text =
            as == "graphml" ? driver::graphMl(*graph) : driver::graphDot(*entry, *graph);
        if (as != "dot" && as != "graphml") {
            CUTAWAY_TRY(text, engine::renderDot(text, as));
        }
        CUTAWAY_CHECK(files.add(folder + "/" + name + "." + as, text));
    }
    return files.commit();
}

/// One page, named after the script.
static base::Status exportReport(const record::Record& record, const std::string& script,
                                 const std::string& folder) {
    base::FileNames names;
    const std::string name = names.next(std::filesystem::path(script).stem().string());
    return base::writeFileAtomically(folder + "/" + name + ".html", record::htmlReport(record));
}

int exportCommand(const CommandOptions& options) {
    std::unique_ptr<GraphDrawer> drawer;
    if (options.exportAs == "svg" || options.exportAs == "pdf" || options.exportAs == "png")
        drawer = GraphDrawer::start(options.output, options.exportAs);
    confine(options);
    const driver::SessionOptions& request = options.session;
    driver::Tools tools(cacheFolder(options));
    base::Status status;
    if (options.exportAs == "cpp" || options.exportAs == "cuda") {
        status = driver::exportSources(tools, request, options.output, options.exportAs == "cuda");
    } else {
        driver::Compiled compiled = driver::compile(tools, request);
        if (compiled.error) return fail(*compiled.error);
        if (compiled.record.functions.empty() && !compiled.record.messages.empty()) {
            base::Diagnostic nothing = compiled.record.messages.back();
            nothing.severity = base::Severity::Error;
            return fail(nothing);
        }
        status = options.exportAs == "html"
                     ? exportReport(compiled.record, request.path, options.output)
                 : drawer ? drawer->draw(compiled.record)
                          : exportGraphs(compiled.record, options.output, options.exportAs);
    }
    warnOfCache(tools);
    if (!status) return fail(status.error());
    return kSuccess;
}

} // namespace cutaway::cli
