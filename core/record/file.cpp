// SPDX-License-Identifier: Apache-2.0
#include "core/record/checks.h"
#include "core/record/columns.h"
#include "core/record/json.h"

#include "core/base/file_system.h"
#include "core/formats/zip.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace cutaway::record {

/// All parts together; a join of 3000 computed parts came to 70 MiB of JSON.
static constexpr size_t kUnpackedLimit = size_t{384} << 20;

constexpr const char* kColumns = "record.columns";

/// A record takes the place of a record, or of nothing: no script is lost to `-o script.py`.
static base::Status checkReplaceable(const std::string& path) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code)) return {};
    if (std::filesystem::file_size(path, code) == 0 || code) return {};
    std::ifstream file(path, std::ios::binary);
    char start[2] = {};
    file.read(start, 2);
    if (!file || (start[0] == 'P' && start[1] == 'K')) return {};
    return base::userError({path}, "there is a file that is no record, which would be replaced",
                           "give another name, or remove the file first");
}

base::Status save(const Record& record, const std::string& path) {
    CUTAWAY_CHECK(checkReplaceable(path));
    // Names of files may be any bytes; what is no UTF-8 in them is replaced.
    auto text = [](const nlohmann::json& json) {
        return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    const nlohmann::json head{{"version", Record::kVersion},
                              {"producer", record.producer},
                              {"path", record.path},
                              {"size", record.size},
                              {"columns", kColumns}};
    formats::ZipEntries entries{{"record.json", text(head)},
                                {kColumns, toColumns(record, Part::Deterministic)},
                                {"timings.json", text(toJson(record, Part::Timings))}};
    size_t unpacked = 0;
    for (const auto& [name, bytes] : entries)
        unpacked += bytes.size();
    if (unpacked > kUnpackedLimit)
        return base::userError({path},
                               fmt::format("the record takes {} MiB, only {} could be opened again",
                                           unpacked >> 20, kUnpackedLimit >> 20),
                               "compile a part of the model by itself");
    CUTAWAY_TRY(std::string bytes, formats::writeZip(entries));
    return base::writeFileAtomically(path, bytes);
}

base::Result<Record> open(const std::string& path) {
    CUTAWAY_TRY(std::string bytes, base::readFile(path));
    return parse(bytes, path);
}

/// The entry's JSON. Its text is dropped: it and its values need not fit together.
static base::Result<nlohmann::json> jsonIn(formats::ZipEntries& entries, const char* name) {
    auto json = parseJson(*entries.find(name));
    for (auto& [entry, text] : entries)
        if (entry == name) text = std::string();
    if (!json)
        return base::userError({}, fmt::format("{} is not valid JSON ({}); the file is damaged",
                                               name, json.error().message));
    return json;
}

/// What record.json holds, or tells of the columns.
static base::Result<Record> recordIn(formats::ZipEntries& entries) {
    if (!entries.find("record.json"))
        return base::userError({}, "not a Cutaway record: it holds no record.json",
                               "open a file written by 'cutaway compile -o FILE.cutaway'");
    CUTAWAY_TRY(const nlohmann::json head, jsonIn(entries, "record.json"));
    if (!head.is_object() || !head.contains("columns")) return fromJson(head);
    CUTAWAY_CHECK(checkVersionOf(head));
    const std::string* bytes = entries.find(kColumns);
    if (!bytes)
        return base::userError({}, fmt::format("it holds no {}; the file is damaged", kColumns));
    auto record = fromColumns(*bytes);
    if (!record && record.error().hint.empty())
        return base::userError({}, fmt::format("{} cannot be read ({}); the file is damaged",
                                               kColumns, record.error().message));
    return record;
}

base::Result<Record> parse(std::string_view bytes, const std::string& path) {
    auto located = [&](base::Diagnostic error) {
        if (error.where.file.empty()) error.where.file = path;
        return error;
    };
    auto entries = formats::readZip(bytes, kUnpackedLimit);
    if (!entries) {
        base::Diagnostic error = located(entries.error());
        error.hint = "open a file written by 'cutaway compile -o FILE.cutaway'";
        return error;
    }
    auto record = recordIn(*entries);
    if (!record) return located(record.error());
    if (!entries->find("timings.json")) return record;
    auto timings = jsonIn(*entries, "timings.json");
    if (!timings) return located(timings.error());
    if (auto status = addTimings(*record, *timings); !status) return located(status.error());
    return record;
}

} // namespace cutaway::record
