// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text and JSON of a record, for the command line. Everything printed comes from the record.
#pragma once

#include "core/driver/session.h"

#include <nlohmann/json_fwd.hpp>

namespace cutaway::driver {

/// What `explain --stage` takes, separated by ", ".
std::string stageNames();

/// \param stage a name of the stage table, "breaks", "transformed", or empty for every stage
/// Errors: usage error for an unknown stage; environment error when a tool is missing for the one
/// stage that was asked for.
base::Result<std::string> explainText(Tools& tools, const record::Record& record,
                                      const std::string& stage);
base::Result<nlohmann::json> explainJson(Tools& tools, const record::Record& record,
                                         const std::string& stage);

/// Numbers of nodes that an overlay of a plug-in (backend/plugin.h) computes for every graph of a
/// record: by the nodes' keys, in the record's order. Errors: usage error for an unknown overlay; user
/// error: what the plug-in says.
base::Result<std::vector<std::pair<std::string, double>>> nodeNumbers(const record::Record& record,
                                                                      const std::string& overlay);

/// {by, samples, codes [{kernels [{graph, kernel}], samples, lines [{line, samples}]}], missing}
nlohmann::json samplesJson(const Sampled& sampled);

/// What changed between two records, stage by stage; empty when nothing did.
std::string diffText(const record::Record& before, const record::Record& after);
/// [{entry, stage, removed [line], added [line]}]
nlohmann::json diffJson(const record::Record& before, const record::Record& after);

/// The catalogue as a table, or one operation's page. Errors: usage error with the nearest names.
base::Result<std::string> opsText(const std::string& name);
nlohmann::json opsJson();

/// What this machine offers: CPU features, CUDA driver, toolkit, libraries, cache folder.
nlohmann::json doctorJson(Tools& tools);
std::string doctorText(Tools& tools);

} // namespace cutaway::driver
