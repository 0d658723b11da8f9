// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/fold_names.h"

#include "views/models/format.h"

namespace cutaway::views {

namespace {

/// "layers.0" of "self.layers.0" and of "G['net'].layers[0]".
QString modulePath(QString source) {
    if (source.startsWith("self."))
        source.remove(0, 5);
    else if (const qsizetype at = source.indexOf("']"); at >= 0)
        source.remove(0, at + 2);
    else
        return {};
    source.replace('[', '.').remove(']');
    return source.startsWith('.') ? source.mid(1) : source;
}

} // namespace

QString placeOf(const record::GraphNode& node) {
    if (node.source.empty() || !node.source.back().known()) return {};
    const base::Location& at = node.source.back();
    return QString("%1@%2:%3:%4-%5:%6")
        .arg(QString::fromStdString(node.modulePath), QString::fromStdString(at.file))
        .arg(at.line)
        .arg(at.column)
        .arg(at.endLine)
        .arg(at.endColumn);
}

FoldNames foldNames(const record::Entry& entry) {
    static const QString same = QStringLiteral("is the same ");
    FoldNames names;
    for (const record::Guard& guard : entry.guards) {
        const QString condition = QString::fromStdString(guard.condition);
        if (guard.kind != "MODULE_MATCH" || !condition.startsWith(same)) continue;
        const QString path = modulePath(QString::fromStdString(guard.source));
        const QString made = condition.mid(same.size());
        // The plain class tells nothing: an exported program's modules have no other.
        if (!path.isEmpty() && made != "Module") names.classes.insert(path, made);
    }
    const record::GraphStage* captured = entry.graph("captured");
    QHash<QString, int> uses; // what stands in a loop is no single operation
    for (size_t i = 0; captured && i < captured->nodes.size(); ++i) {
        const record::GraphNode& node = captured->nodes[i];
        const QString place = node.kind == "call" ? placeOf(node) : QString();
        if (place.isEmpty()) continue;
        if (++uses[place] == 1)
            names.calls.insert(place, QString::fromStdString(node.name));
        else
            names.calls.remove(place);
    }
    return names;
}

} // namespace cutaway::views
