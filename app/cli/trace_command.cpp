// SPDX-License-Identifier: Apache-2.0
// A compilation and its measured runs as a trace: `bench --trace`.
#include "app/cli/commands.h"
#include "core/base/file_system.h"
#include "core/record/chrome_trace.h"

namespace cutaway::cli {

int writeTrace(const CommandOptions& options, std::vector<record::Run> runs) {
    driver::SessionOptions request = options.session;
    request.path = options.files.front();
    driver::Tools tools(cacheFolder(options));
    driver::Compiled compiled = driver::compile(tools, request);
    if (compiled.error) return fail(*compiled.error);
    compiled.record.runs = std::move(runs);
    const base::Status written =
        base::writeFileAtomically(options.output, record::chromeTrace(compiled.record));
    return written ? kSuccess : fail(written.error());
}

} // namespace cutaway::cli
