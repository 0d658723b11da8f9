// SPDX-License-Identifier: Apache-2.0
/// \file
/// The record as JSON (design section 4): human-readable, versioned, deterministic.
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace cutaway::record {

/// In Timings, null stands in place of an element that has none.
nlohmann::json toJson(const Record& record, Part part = Part::All);
/// Errors: user error naming the field, found and expected. Older versions are brought up to date;
/// a newer version than ours is an error that says so.
base::Result<Record> fromJson(const nlohmann::json& json);
/// Puts what toJson gave as Timings into the record that was read from the deterministic part.
/// Errors: user error as above, also when it belongs to another record.
base::Status addTimings(Record& record, const nlohmann::json& json);

nlohmann::json toJson(const base::Diagnostic& diagnostic);
/// Nothing when the JSON is no diagnostic.
std::optional<base::Diagnostic> diagnosticFromJson(const nlohmann::json& json);
nlohmann::json toJson(const Run& run);
nlohmann::json toJson(const Check& check);
nlohmann::json toJson(const Entry& entry);
nlohmann::json toJson(const Code& code);
nlohmann::json toJson(const Remark& remark);
base::Result<Run> runFromJson(const nlohmann::json& json);
base::Result<Check> checkFromJson(const nlohmann::json& json);
base::Result<Code> codeFromJson(const nlohmann::json& json);
base::Result<Remark> remarkFromJson(const nlohmann::json& json);

/// JSON from outside. Errors: user error when it is none, or nests deeper than anything that we
/// write (copying and printing it would recurse as deep).
base::Result<nlohmann::json> parseJson(std::string_view text);

/// The .cutaway file: a zip with record.json, which tells what the file is, record.columns
/// (columns.h; deterministic: two compilations of one input can be compared byte by byte) and
/// timings.json. Up to version 2 record.json held the whole record; such files open, too.
base::Status save(const Record& record, const std::string& path);
base::Result<Record> open(const std::string& path);
/// \param bytes of the file; \param path for messages
base::Result<Record> parse(std::string_view bytes, const std::string& path);

} // namespace cutaway::record
