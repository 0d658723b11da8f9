// SPDX-License-Identifier: Apache-2.0
// Every value of a compiled step beside eager mode and double precision: `check --probe`.
#include "app/cli/commands.h"
#include "core/base/quote.h"
#include "core/driver/probe.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace cutaway::cli {

int probeFile(driver::Tools& tools, const CommandOptions& options, const std::string& file) {
    driver::SessionOptions request = options.session;
    request.path = file;
    auto probe = driver::probe(tools, request);
    if (!probe) return fail(probe.error());
    std::string text;
    if (options.json) {
        nlohmann::json line = driver::probeJson(*probe);
        line["file"] = file;
        text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    } else {
        text = base::terminalText(driver::probeText(*probe));
    }
    std::fwrite(text.data(), 1, text.size(), stdout);
    return probe->first < 0 ? kSuccess : kInputWrong;
}

} // namespace cutaway::cli
