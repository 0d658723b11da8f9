// SPDX-License-Identifier: Apache-2.0
// A record, as a .cutaway file or as the columns or the JSON inside of one: it is refused with one
// message, or is sound: it can be written and read again, walked and exported.
#include "core/base/quote.h"
#include "core/driver/export.h"
#include "core/record/columns.h"
#include "core/record/json.h"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace cutaway;

namespace {

void use(const record::Record& record) {
    const nlohmann::json json = record::toJson(record);
    const std::string text = json.dump(); // throws on what is no UTF-8
    auto parsed = record::parseJson(text);
    if (!parsed.ok()) std::abort();
    auto again = record::fromJson(*parsed);
    if (!again.ok() || record::toJson(*again) != json) std::abort();
    auto columns = record::fromColumns(record::toColumns(record));
    if (!columns.ok() || record::toJson(*columns) != json) std::abort();
    const record::LinkIndex links(record);
    if (!record.items.empty()) links.related({0});
    for (const record::Function& function : record.functions) {
        if (base::fileName(function.name).find('/') != std::string::npos) std::abort();
        for (const record::Entry& entry : function.entries)
            for (const record::GraphStage& graph : entry.graphs)
                if (driver::graphDot(entry, graph).find('`') != std::string::npos) std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    if (auto record = record::parse(bytes, "fuzz.cutaway"); record.ok())
        use(*record);
    else if (record.error().message.empty())
        std::abort();
    if (auto record = record::fromColumns(bytes); record.ok())
        use(*record);
    else if (record.error().message.empty())
        std::abort();
    if (auto json = record::parseJson(bytes); json.ok())
        if (auto record = record::fromJson(*json); record.ok()) use(*record);
    return 0;
}
