// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/remarks.h"

#include <algorithm>
#include <string_view>

namespace cutaway::views {

namespace {

size_t indentOf(std::string_view text) {
    return std::min(text.find_first_not_of(' '), text.size());
}

/// Of the line itself, else of those that are set in deeper below it.
std::vector<record::ItemId> itemsAt(const record::Code& code, size_t index) {
    if (code.lines[index].item != record::kNoItem) return {code.lines[index].item};
    std::vector<record::ItemId> items;
    const size_t indent = indentOf(code.lines[index].text);
    for (size_t i = index + 1; i < code.lines.size(); ++i) {
        const record::CodeLine& line = code.lines[i];
        if (!line.text.empty() && line.text.front() != '#' && indentOf(line.text) <= indent) break;
        if (line.item != record::kNoItem) items.push_back(line.item);
    }
    return items;
}

} // namespace

std::vector<PlacedRemark> placedRemarks(const record::Code& code,
                                        const std::vector<record::Remark>& remarks) {
    std::vector<PlacedRemark> placed;
    for (const record::Remark& remark : remarks) {
        const auto index = static_cast<size_t>(remark.line) - 1;
        if (remark.line <= code.hiddenPrefix || index >= code.lines.size()) continue;
        placed.push_back({QString::fromStdString(remark.pass + ": " + remark.message),
                          remark.kind == "missed", remark.line, itemsAt(code, index)});
    }
    return placed;
}

} // namespace cutaway::views
