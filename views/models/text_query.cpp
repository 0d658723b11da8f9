// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/text_query.h"

#include <QCoreApplication>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(TextQuery)
};
} // namespace

std::optional<double> queriedNumber(const QString& text) {
    static const QRegularExpression form(
        "^(\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)([kKmMgG]?)(?:i?[bB])?$");
    const auto match = form.match(text);
    if (!match.hasMatch()) return std::nullopt;
    const QString unit = match.captured(2).toLower();
    const double factor = unit == "k"   ? 1024
                          : unit == "m" ? 1024.0 * 1024
                          : unit == "g" ? 1024.0 * 1024 * 1024
                                        : 1;
    return match.captured(1).toDouble() * factor;
}

bool QueryWord::isIn(const QString& text) const {
    return expression ? expression->match(text).hasMatch()
                      : text.contains(word, Qt::CaseInsensitive);
}

bool QueryWord::compares(double number, double limit) const {
    return sign == ">"    ? number > limit
           : sign == "<"  ? number < limit
           : sign == ">=" ? number >= limit
           : sign == "<=" ? number <= limit
                          : number == limit;
}

std::vector<QueryWord> queryWords(const QString& text, QString& problem) {
    static const QRegularExpression field("^([\\p{L}_]+)(>=|<=|>|<|=|:)(.*)$");
    std::vector<QueryWord> words;
    for (QString typed : text.split(' ', Qt::SkipEmptyParts)) {
        QueryWord one;
        for (; typed.size() > 1 && typed.startsWith('-'); typed = typed.mid(1))
            one.negated = !one.negated;
        one.word = typed;
        if (typed.size() > 1 && typed.startsWith('/')) {
            QString pattern = typed.mid(1);
            if (pattern.endsWith('/')) pattern.chop(1);
            one.expression.emplace(pattern, QRegularExpression::CaseInsensitiveOption);
            if (!one.expression->isValid()) {
                problem = Words::tr("“%1”: %2").arg(pattern, one.expression->errorString());
                continue;
            }
        } else if (const auto match = field.match(typed); match.hasMatch()) {
            one.field = match.captured(1);
            one.sign = match.captured(2);
            one.value = match.captured(3);
        }
        words.push_back(std::move(one));
    }
    return words;
}

std::optional<double> numberOf(const QueryWord& word, QString& problem) {
    const auto number = queriedNumber(word.value);
    if (!number) problem = Words::tr("“%1” is no number: 1000, 64k, 1.5M, 1e-6").arg(word.value);
    return number;
}

} // namespace cutaway::views
