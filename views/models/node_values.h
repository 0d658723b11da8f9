// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Numbers of nodes that somebody else computed: a colour for each node out of a file.
#pragma once

#include "core/base/result.h"

#include <QHash>
#include <QString>
#include <memory>
#include <vector>

namespace cutaway::views {

struct NodeValues {
    QString title;                 ///< of the column, or of the file
    QHash<QString, double> byName; ///< by a node's name ("cos_1") or key ("joint/cos_1")
};
using NodeValuesPtr = std::shared_ptr<const NodeValues>;

/// Lines "node,value" (the first may be titles; further columns that hold numbers are further values, and
/// what separates them may be a semicolon or a tab) or a JSON object {"node": value}.
/// Errors: user error naming \p file and what was expected.
base::Result<std::vector<NodeValues>> readNodeValues(const QByteArray& bytes, const QString& file);

} // namespace cutaway::views
