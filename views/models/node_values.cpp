// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/node_values.h"

#include "core/record/json.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace cutaway::views {

using base::Result; // a qualified type before a function hides its words from lupdate

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(NodeValues)
};

base::Diagnostic wrong(const QString& text) {
    return base::userError({}, text.toStdString());
}

Result<std::vector<NodeValues>> fromJson(const QByteArray& bytes, NodeValues values) {
    auto parsed = record::parseJson({bytes.constData(), static_cast<size_t>(bytes.size())});
    if (!parsed) return parsed.error();
    for (const auto& [name, value] : parsed->items()) {
        if (!value.is_number())
            return wrong(Words::tr("%1: “%2” has no number")
                             .arg(values.title, QString::fromStdString(name)));
        values.byName.insert(QString::fromStdString(name), value.get<double>());
    }
    return std::vector{std::move(values)};
}

/// What separates the cells of \p line: of a title or a name, none.
QChar separatorOf(const QString& line) {
    for (const char one : {'\t', ';'})
        if (line.contains(QLatin1Char(one))) return QLatin1Char(one);
    return u',';
}

/// The cells of a line; commas in quotes separate nothing, as in shapes.
QStringList cellsOf(const QString& line, QChar separator) {
    QStringList cells(1);
    bool quoted = false;
    for (const QChar one : line) {
        if (one == u'"')
            quoted = !quoted;
        else if (one == separator && !quoted)
            cells << QString();
        else
            cells.back() += one;
    }
    for (QString& cell : cells)
        cell = cell.trimmed();
    return cells;
}

std::optional<double> numberIn(const QString& cell) {
    bool good = false;
    const double value = cell.toDouble(&good);
    return good && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// A column holds numbers where any of its cells is one; what is none there tells nothing.
std::vector<NodeValues> columnsOf(const std::vector<QStringList>& rows, const QStringList& titles,
                                  const QString& file) {
    std::vector<NodeValues> columns;
    for (qsizetype c = 1; c < rows.front().size(); ++c) {
        NodeValues column{titles.value(c, file), {}};
        for (const QStringList& row : rows)
            if (const auto value = numberIn(row.value(c))) column.byName.insert(row[0], *value);
        if (!column.byName.isEmpty()) columns.push_back(std::move(column));
    }
    return columns;
}
} // namespace

Result<std::vector<NodeValues>> readNodeValues(const QByteArray& bytes, const QString& file) {
    if (bytes.trimmed().startsWith('{')) return fromJson(bytes, {file, {}});
    std::vector<QStringList> rows;
    QStringList titles;
    int number = 0;
    QChar separator = u',';
    for (const QString& line : QString::fromUtf8(bytes).split('\n')) {
        ++number;
        if (line.trimmed().isEmpty()) continue;
        if (rows.empty() && titles.isEmpty()) separator = separatorOf(line);
        const QStringList cells = cellsOf(line, separator);
        const bool numbers = std::any_of(cells.begin() + 1, cells.end(),
                                         [](const QString& c) { return numberIn(c); });
        if (numbers && !cells[0].isEmpty())
            rows.push_back(cells);
        else if (number == 1 && !cells[0].isEmpty())
            titles = cells;
        else
            return wrong(Words::tr("%1, line %2: expected a node and a number, “cos_1,0.5”")
                             .arg(file)
                             .arg(number));
    }
    if (rows.empty()) return wrong(Words::tr("%1 holds no numbers of nodes").arg(file));
    return columnsOf(rows, titles, file);
}

} // namespace cutaway::views
