// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The words that are typed to find or filter, whatever they are looked for in:
///   relu           a word
///   /^mm_\d+$/     a regular expression
///   kind:library   a field that contains the text
///   bytes>1M       a field with a number: > < >= <= =, k, M and G of 1024
///   -op:view       a minus in front: what follows must not hold
/// All of them must hold. What has which fields is said by who looks. \see NodeQuery, RowQuery
#pragma once

#include <QRegularExpression>
#include <QString>
#include <optional>
#include <vector>

namespace cutaway::views {

/// "64k" -> 65536, "1e-6"; k, M and G of 1024. Nothing: no number.
std::optional<double> queriedNumber(const QString& text);

struct QueryWord {
    QString word; ///< as typed, without the minus
    bool negated = false;
    std::optional<QRegularExpression> expression;
    QString field, sign, value; ///< of "field:value" and "field>value"; else empty

    /// Whether a text holds the word, or the expression matches in it.
    bool isIn(const QString& text) const;
    /// Whether "number sign value" holds; \p limit is the value.
    bool compares(double number, double limit) const;
};

/// \param problem what is wrong with an expression, which is left out then; else it stays as it is
std::vector<QueryWord> queryWords(const QString& text, QString& problem);
/// The number of a word's value. Without one \p problem tells so.
std::optional<double> numberOf(const QueryWord& word, QString& problem);

} // namespace cutaway::views
