// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the text of a graph does not say of its boxes, and the rest of its entry knows: of which
/// class a module is, and which of the nodes were one operation in the script.
#pragma once

#include "core/record/record.h"

#include <QHash>
#include <QString>

namespace cutaway::views {

struct FoldNames {
    QHash<QString, QString> classes; ///< of modules, by path: "Linear" of "layers.0"
    QHash<QString, QString> calls;   ///< captured operations, by placeOf() what was made of them
};
FoldNames foldNames(const record::Entry& entry);
/// The module and the place in the script that a node was made for; empty: not known.
QString placeOf(const record::GraphNode& node);

} // namespace cutaway::views
