// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/engine/dot_layout.h"
#include "core/base/file_set.h"
#include "core/base/file_system.h"
#include "core/base/text.h"
#include "core/driver/export.h"
#include "core/record/html_report.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace cutaway::cli {

/// \param as "dot", "graphml" or what Graphviz draws: "svg", "pdf", "png"
static base::Status exportGraphs(const record::Record& record, const std::string& folder,
                                 const std::string& as) {
    base::FileNames functions, names;
    base::FileSet files;
    for (const record::Function& function : record.functions) {
        const std::string own = functions.next(function.name);
        for (size_t e = 0; e < function.entries.size(); ++e)
            for (const record::GraphStage& graph : function.entries[e].graphs) {
                const std::string name = folder + "/" +
                                         names.next(fmt::format("{}_{}_{}", own, e, graph.name)) +
                                         "." + as;
                std::string text = as == "graphml" ? driver::graphMl(graph)
                                                   : driver::graphDot(function.entries[e], graph);
                if (as != "dot" && as != "graphml") {
                    CUTAWAY_TRY(text, engine::renderDot(text, as));
                }
                CUTAWAY_CHECK(files.add(name, text));
            }
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
    confine(options);
    const driver::SessionOptions& request = options.session;
    driver::Tools tools(cacheFolder(options));
    base::Status status;
    if (options.exportAs == "cpp" || options.exportAs == "cuda") {
        status = driver::exportSources(tools, request, options.output, options.exportAs == "cuda");
    } else {
        driver::Compiled compiled = driver::compile(tools, request);
        if (compiled.error) return fail(*compiled.error);
        status = options.exportAs == "html"
                     ? exportReport(compiled.record, request.path, options.output)
                     : exportGraphs(compiled.record, options.output, options.exportAs);
    }
    warnOfCache(tools);
    if (!status) return fail(status.error());
    return kSuccess;
}

} // namespace cutaway::cli
