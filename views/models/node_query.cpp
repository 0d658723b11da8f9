// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/node_query.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(NodeQuery)
};
} // namespace

NodeQuery::NodeQuery(const QString& text) {
    for (const QString& word : text.split(' ', Qt::SkipEmptyParts))
        if (Term term = parse(word)) terms_.push_back(std::move(term));
}

std::optional<double> queriedNumber(const QString& text) {
    static const QRegularExpression form("^(\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)([kKmMgG]?)(?:i?[bB])?$");
    const auto match = form.match(text);
    if (!match.hasMatch()) return std::nullopt;
    const QString unit = match.captured(2).toLower();
    const double factor = unit == "k"   ? 1024
                          : unit == "m" ? 1024.0 * 1024
                          : unit == "g" ? 1024.0 * 1024 * 1024
                                        : 1;
    return match.captured(1).toDouble() * factor;
}

NodeQuery::Term NodeQuery::parse(QString word) {
    if (word.size() > 1 && word.startsWith('-')) {
        Term term = parse(word.mid(1));
        if (!term) return {};
        return [term](const SceneNode& node) { return !term(node); };
    }
    if (word.size() > 1 && word.startsWith('/')) {
        QString pattern = word.mid(1);
        if (pattern.endsWith('/')) pattern.chop(1);
        const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
        if (!expression.isValid()) {
            problem_ = Words::tr("“%1”: %2").arg(pattern, expression.errorString());
            return {};
        }
        return [expression](const SceneNode& node) {
            return expression.match(node.title).hasMatch() ||
                   expression.match(node.name).hasMatch() ||
                   expression.match(node.subtitle).hasMatch();
        };
    }
    static const QRegularExpression size("^bytes(>=|<=|>|<|=|:)(.*)$");
    if (const auto match = size.match(word); match.hasMatch()) {
        const QString sign = match.captured(1);
        const auto limit = queriedNumber(match.captured(2));
        if (!limit) {
            problem_ = Words::tr("“%1” is no size: 1000, 64k, 1.5M").arg(match.captured(2));
            return {};
        }
        return [sign, limit = *limit](const SceneNode& node) {
            const auto bytes = static_cast<double>(node.bytes);
            return sign == ">"    ? bytes > limit
                   : sign == "<"  ? bytes < limit
                   : sign == ">=" ? bytes >= limit
                   : sign == "<=" ? bytes <= limit
                                  : bytes == limit;
        };
    }
    static const QRegularExpression field("^(op|name|type|module|kind):(.*)$");
    if (const auto match = field.match(word); match.hasMatch()) {
        const QString name = match.captured(1), text = match.captured(2);
        return [name, text](const SceneNode& node) {
            const QString value = name == "op"     ? node.op
                                  : name == "name" ? (node.name.isEmpty() ? node.title : node.name)
                                  : name == "type" ? node.subtitle
                                  : name == "module" ? node.module
                                                     : opKindName(node.kind);
            return value.contains(text, Qt::CaseInsensitive);
        };
    }
    return [word](const SceneNode& node) {
        return node.title.contains(word, Qt::CaseInsensitive) ||
               node.name.contains(word, Qt::CaseInsensitive) ||
               node.subtitle.contains(word, Qt::CaseInsensitive);
    };
}

bool NodeQuery::matches(const SceneNode& node) const {
    for (const Term& term : terms_)
        if (!term(node)) return false;
    return !terms_.empty();
}

QString NodeQuery::help() {
    return Words::tr(
        "Words, fields and expressions: relu  op:mm  module:attn  kind:product  type:f16  "
        "bytes>1M  -op:view  /^mm_\\d+$/");
}

} // namespace cutaway::views
