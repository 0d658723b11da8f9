// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/row_query.h"

#include "views/models/node_query.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

namespace cutaway::views {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(RowQuery)
};

/// The first column whose title begins so; -1: none.
int columnOf(const QString& name, const std::vector<Column>& columns) {
    for (size_t i = 0; i < columns.size(); ++i)
        if (QString(columns[i].title).remove(' ').startsWith(name, Qt::CaseInsensitive))
            return static_cast<int>(i);
    return -1;
}

bool compare(const QString& sign, double value, double limit) {
    return sign == ">"    ? value > limit
           : sign == "<"  ? value < limit
           : sign == ">=" ? value >= limit
           : sign == "<=" ? value <= limit
                          : value == limit;
}

} // namespace

RowQuery::RowQuery(const QString& text, const std::vector<Column>& columns) {
    for (const QString& word : text.split(' ', Qt::SkipEmptyParts))
        if (Term term = parse(word, columns)) terms_.push_back(std::move(term));
}

RowQuery::Term RowQuery::parse(const QString& word, const std::vector<Column>& columns) {
    if (word.size() > 1 && word.startsWith('-')) {
        Term term = parse(word.mid(1), columns);
        if (!term) return {};
        return [term](const Row& row) { return !term(row); };
    }
    if (word.size() > 1 && word.startsWith('/')) {
        QString pattern = word.mid(1);
        if (pattern.endsWith('/')) pattern.chop(1);
        const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
        if (!expression.isValid()) {
            problem_ = Words::tr("“%1”: %2").arg(pattern, expression.errorString());
            return {};
        }
        return [expression](const Row& row) {
            return std::ranges::any_of(row.cells, [&](const Cell& cell) {
                return expression.match(cell.text).hasMatch();
            });
        };
    }
    static const QRegularExpression field("^([\\p{L}_]+)(>=|<=|>|<|=|:)(.+)$");
    if (const auto match = field.match(word); match.hasMatch()) {
        const int column = columnOf(match.captured(1), columns);
        const QString sign = match.captured(2), text = match.captured(3);
        const auto at = static_cast<size_t>(column);
        if (column >= 0 && sign == ":")
            return [at, text](const Row& row) {
                return at < row.cells.size() &&
                       row.cells[at].text.contains(text, Qt::CaseInsensitive);
            };
        if (column >= 0) {
            const auto limit = queriedNumber(text);
            if (!limit) {
                problem_ = Words::tr("“%1” is no number: 1000, 64k, 1.5M, 1e-6").arg(text);
                return {};
            }
            return [at, sign, limit = *limit](const Row& row) {
                bool number = false;
                const double value =
                    at < row.cells.size() ? row.cells[at].sort.toDouble(&number) : 0;
                return number && compare(sign, value, limit);
            };
        }
    }
    return [word](const Row& row) {
        return std::ranges::any_of(row.cells, [&](const Cell& cell) {
            return cell.text.contains(word, Qt::CaseInsensitive);
        });
    };
}

bool RowQuery::matches(const Row& row) const {
    return std::ranges::all_of(terms_, [&](const Term& term) { return term(row); });
}

QString RowQuery::help() {
    return Words::tr("Words, columns and expressions: relu  kind:library  traffic>1M  -kind:loops  "
                     "/^mm_\\d+$/");
}

} // namespace cutaway::views
