// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/node_query.h"

#include <QCoreApplication>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(NodeQuery)
};
} // namespace

NodeQuery::NodeQuery(const QString& text) {
    for (const QueryWord& word : queryWords(text, problem_))
        if (Term term = parse(word)) {
            if (word.negated)
                terms_.push_back([term](const SceneNode& node) { return !term(node); });
            else
                terms_.push_back(std::move(term));
        }
}

NodeQuery::Term NodeQuery::parse(const QueryWord& word) {
    if (word.field == "bytes") {
        const auto limit = numberOf(word, problem_);
        if (!limit) return {};
        return [word, limit = *limit](const SceneNode& node) {
            return word.compares(static_cast<double>(node.bytes), limit);
        };
    }
    static const QStringList fields{"op", "name", "type", "module", "kind"};
    if (word.sign == ":" && fields.contains(word.field))
        return [word](const SceneNode& node) {
            const QString& field = word.field;
            const QString value = field == "op"     ? node.op
                                  : field == "name" ? (node.name.isEmpty() ? node.title : node.name)
                                  : field == "type" ? node.subtitle
                                  : field == "module" ? node.module
                                                      : opKindName(node.kind);
            return value.contains(word.value, Qt::CaseInsensitive);
        };
    if (word.sign == ":" && !word.value.isEmpty() && problem_.isEmpty())
        problem_ = Words::tr("no field “%1”: op, name, type, module, kind, bytes").arg(word.field);
    return [word](const SceneNode& node) {
        return word.isIn(node.title) || word.isIn(node.name) || word.isIn(node.subtitle);
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
