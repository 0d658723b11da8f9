// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text and JSON of what stages have recorded. Everything shown comes from the record, but for the
/// listings that a compiler makes on demand.
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cutaway::pipeline {

/// What is shown of one entry.
struct ShownEntry {
    const record::Record& record;
    const record::Function& function;
    const record::Entry& entry;
    /// A text of a kernel in a language. Errors: environment error when a tool is missing.
    std::function<base::Result<record::Code>(const record::KernelInfo&,
                                             const std::string& language)>
        code;
};

/// \param stage the row's name. Errors: those of ShownEntry::code.
using StageText = base::Status (*)(const ShownEntry& shown, std::string_view stage,
                                   std::string& out);
/// Adds objects to an array; an entry that lacks the stage adds none.
/// \param entry the entry as JSON
using StageJson = base::Status (*)(const ShownEntry& shown, const nlohmann::json& entry,
                                   std::string_view stage, nlohmann::json& out);

base::Status guardsText(const ShownEntry&, std::string_view, std::string& out);
base::Status graphText(const ShownEntry&, std::string_view, std::string& out);
base::Status partitionText(const ShownEntry&, std::string_view, std::string& out);
base::Status passesText(const ShownEntry&, std::string_view, std::string& out);
base::Status loopsText(const ShownEntry&, std::string_view, std::string& out);
base::Status kernelsText(const ShownEntry&, std::string_view, std::string& out);
base::Status schedulesText(const ShownEntry&, std::string_view, std::string& out);
base::Status memoryText(const ShownEntry&, std::string_view, std::string& out);
base::Status codeText(const ShownEntry&, std::string_view, std::string& out);

/// The entry's field of the stage's name.
base::Status fieldJson(const ShownEntry&, const nlohmann::json& entry, std::string_view,
                       nlohmann::json& out);
base::Status graphJson(const ShownEntry&, const nlohmann::json& entry, std::string_view,
                       nlohmann::json& out);
base::Status partitionJson(const ShownEntry&, const nlohmann::json& entry, std::string_view,
                           nlohmann::json& out);
base::Status loopsJson(const ShownEntry&, const nlohmann::json& entry, std::string_view,
                       nlohmann::json& out);
base::Status kernelsJson(const ShownEntry&, const nlohmann::json& entry, std::string_view,
                         nlohmann::json& out);
base::Status schedulesJson(const ShownEntry&, const nlohmann::json& entry, std::string_view,
                           nlohmann::json& out);
base::Status memoryJson(const ShownEntry&, const nlohmann::json& entry, std::string_view,
                        nlohmann::json& out);
base::Status codeJson(const ShownEntry&, const nlohmann::json& entry, std::string_view,
                      nlohmann::json& out);

/// "1.5 MiB", "512 B"
std::string bytesText(int64_t bytes);

} // namespace cutaway::pipeline
