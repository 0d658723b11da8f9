// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/row_query.h"

#include <QCoreApplication>
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

} // namespace

RowQuery::RowQuery(const QString& text, const std::vector<Column>& columns) {
    for (const QueryWord& word : queryWords(text, problem_))
        if (Term term = parse(word, columns)) {
            if (word.negated)
                terms_.push_back([term](const Row& row) { return !term(row); });
            else
                terms_.push_back(std::move(term));
        }
}

RowQuery::Term RowQuery::parse(const QueryWord& word, const std::vector<Column>& columns) {
    const int column = word.field.isEmpty() ? -1 : columnOf(word.field, columns);
    const auto at = static_cast<size_t>(column);
    if (column >= 0 && word.sign == ":")
        return [at, text = word.value](const Row& row) {
            return at < row.cells.size() && row.cells[at].text.contains(text, Qt::CaseInsensitive);
        };
    if (column >= 0) {
        const auto limit = numberOf(word, problem_);
        if (!limit) return {};
        return [at, word, limit = *limit](const Row& row) {
            bool number = false;
            const double value = at < row.cells.size() ? row.cells[at].sort.toDouble(&number) : 0;
            return number && word.compares(value, limit);
        };
    }
    return [word](const Row& row) {
        return std::ranges::any_of(row.cells,
                                   [&](const Cell& cell) { return word.isIn(cell.text); });
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
