// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is typed to filter a table or tree: words, fields and regular expressions, all of which must
/// hold.
///   relu           in any cell
///   /^mm_\d+$/     a regular expression over any cell
///   kind:library   the column whose title begins so holds the text (spaces left out)
///   traffic>1M     the number behind the cell, with k, M or G of 1024
///   -kind:library  a minus in front: what follows must not hold
#pragma once

#include "views/models/row_model.h"

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
    Term parse(const QString& word, const std::vector<Column>& columns);

    std::vector<Term> terms_;
    QString problem_;
};

} // namespace cutaway::views
