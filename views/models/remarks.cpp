// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/remarks.h"

#include <QCoreApplication>
#include <QMap>
#include <QRegularExpression>
#include <algorithm>
#include <string_view>

namespace cutaway::views {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Remarks)
};

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

/// The page that a function's frame fills, in one line: "432 bytes in 54 places (Spill)"; empty: it
/// holds nothing.
QString frameText(const QString& message) {
    static const QRegularExpression place(
        QStringLiteral("Type: (\\w+), Align: \\d+, Size: (\\d+)"));
    QMap<QString, std::pair<int64_t, int>> kinds; // bytes, places
    for (auto all = place.globalMatch(message); all.hasNext();) {
        const auto one = all.next();
        auto& [bytes, places] = kinds[one.captured(1)];
        bytes += one.captured(2).toLongLong();
        ++places;
    }
    QStringList parts;
    for (auto kind = kinds.constBegin(); kind != kinds.constEnd(); ++kind)
        parts << Words::tr("%1 bytes in %n place(s) (%2)", nullptr, kind->second)
                     .arg(kind->first)
                     .arg(kind.key());
    return parts.join(", ");
}

} // namespace

std::vector<PlacedRemark> placedRemarks(const record::Code& code,
                                        const std::vector<record::Remark>& remarks) {
    std::vector<PlacedRemark> placed;
    for (const record::Remark& remark : remarks) {
        const auto index = static_cast<size_t>(remark.line) - 1;
        if (remark.line <= code.hiddenPrefix || index >= code.lines.size()) continue;
        QString message = QString::fromStdString(remark.message);
        if (remark.pass == "stack-frame-layout") message = frameText(message);
        if (message.isEmpty()) continue;
        const QString text = QString::fromStdString(remark.pass) + ": " + message;
        // A line that calls the prelude five times is told the same five times.
        const auto same = std::ranges::find_if(placed, [&](const PlacedRemark& one) {
            return one.line == remark.line && one.text == text;
        });
        if (same != placed.end())
            ++same->times;
        else
            placed.push_back({text, remark.kind == "missed", remark.line, itemsAt(code, index)});
    }
    for (PlacedRemark& one : placed)
        if (one.times > 1) one.text += QString(" (× %1)").arg(one.times);
    return placed;
}

} // namespace cutaway::views
