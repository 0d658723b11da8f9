// SPDX-License-Identifier: Apache-2.0
#include "core/record/json.h"

#include "core/base/file_system.h"
#include "core/formats/zip.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace cutaway::record {

/// Both parts together; a join of 3000 computed parts comes to 70 MiB.
static constexpr size_t kUnpackedLimit = size_t{384} << 20;

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
    auto text = [](const nlohmann::json& json, int indent) {
        return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    formats::ZipEntries entries{{"record.json", text(toJson(record, Part::Deterministic), 1)},
                                {"timings.json", text(toJson(record, Part::Timings), 1)}};
    const size_t unpacked = entries[0].second.size() + entries[1].second.size();
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
    // A text is dropped once it is parsed: it and its values need not fit together.
    auto part = [&](const char* name) -> base::Result<nlohmann::json> {
        auto json = parseJson(*entries->find(name));
        for (auto& [entry, text] : *entries)
            if (entry == name) text = std::string();
        if (!json)
            return base::userError({path}, fmt::format("{} is not valid JSON ({}); the file is "
                                                       "damaged",
                                                       name, json.error().message));
        return json;
    };
    if (!entries->find("record.json"))
        return base::userError({path}, "not a Cutaway record: it holds no record.json",
                               "open a file written by 'cutaway compile -o FILE.cutaway'");
    CUTAWAY_TRY(nlohmann::json json, part("record.json"));
    auto record = fromJson(json);
    if (!record) return located(record.error());
    if (!entries->find("timings.json")) return record;
    CUTAWAY_TRY(json, part("timings.json"));
    if (auto status = addTimings(*record, json); !status) return located(status.error());
    return record;
}

} // namespace cutaway::record
