// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is typed to filter a table or tree, in the words of text_query.h: words and expressions are
/// looked for in any cell, a field is the column whose title begins so (spaces left out), and its
/// number the one behind the cell.
#pragma once

#include "views/models/row_model.h"
#include "views/models/text_query.h"

#include <functional>

namespace cutaway::views {

class RowQuery {
public:
    explicit RowQuery(const QString& text = {}, const std::vector<Column>& columns = {});

    bool isEmpty() const { return terms_.empty(); }
    /// What is wrong with the text; empty: nothing.
    const QString& problem() const { return problem_; }
    bool matches(const Row& row) const;
    /// What can be typed, in one line.
    static QString help();

private:
    using Term = std::function<bool(const Row&)>;
    Term parse(const QueryWord& word, const std::vector<Column>& columns);

    std::vector<Term> terms_;
    QString problem_;
};

} // namespace cutaway::views
