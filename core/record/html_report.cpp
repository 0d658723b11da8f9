// SPDX-License-Identifier: Apache-2.0
#include "core/record/html_report.h"

#include "core/record/json.h"

#include <nlohmann/json.hpp>

namespace cutaway::resources {
extern const std::string_view kReportPage;
}

namespace cutaway::record {

std::string htmlReport(const Record& record) {
    const std::string json = toJson(record).dump();
    std::string data;
    data.reserve(json.size());
    for (char c : json) // no text may end the script that holds it, or begin a comment
        c == '<' ? data.append("\\u003c") : data.append(1, c);
    const std::string_view page = resources::kReportPage, place = "@RECORD@";
    const size_t at = page.find(place);
    return std::string(page.substr(0, at)) + data + std::string(page.substr(at + place.size()));
}

} // namespace cutaway::record
