// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/node_query.h"

#include <QCoreApplication>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(NodeQuery)
};

/// Whether an operation ("aten._softmax.default") is called so: "softmax"; "soft*" begins so.
class OperationName {
public:
    explicit OperationName(const QString& wanted) : wanted_(wanted) {
        if (wanted.contains('*')) form_ = QRegularExpression::fromWildcard(wanted);
    }
    bool isOf(const QString& op) const {
        if (is(op)) return true;
        for (QStringView rest = op; !rest.isEmpty();) {
            const qsizetype dot = rest.indexOf('.');
            QStringView part = dot < 0 ? rest : rest.first(dot);
            if (is(part)) return true;
            while (part.startsWith('_')) // what stands for "inner", and for "in place"
                part = part.sliced(1);
            while (part.endsWith('_'))
                part.chop(1);
            if (is(part)) return true;
            rest = dot < 0 ? QStringView() : rest.sliced(dot + 1);
        }
        return false;
    }

private:
    bool is(QStringView name) const {
        return form_ ? form_->match(name.toString()).hasMatch()
                     : name.compare(wanted_, Qt::CaseInsensitive) == 0;
    }
    QString wanted_;
    std::optional<QRegularExpression> form_;
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
    if (word.sign == ":" && word.field == "op")
        return [name = OperationName(word.value)](const SceneNode& node) {
            return name.isOf(node.op);
        };
    static const QStringList fields{"name", "type", "module", "kind"};
    if (word.sign == ":" && fields.contains(word.field))
        return [word](const SceneNode& node) {
            const QString& field = word.field;
            const QString value = field == "name"   ? (node.name.isEmpty() ? node.title : node.name)
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
        "Words, fields and expressions: relu  op:mm  op:*mm  module:attn  kind:product  type:f16  "
        "bytes>1M  -op:view  /^mm_\\d+$/");
}

} // namespace cutaway::views
