// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a graph computes, by names.
#pragma once

#include "core/ir/graph.h"

#include <QStringList>

namespace cutaway::testing {

/// The operations of \p graph's calls, in order.
inline QStringList calls(const ir::Graph& graph) {
    QStringList ops;
    for (ir::NodeId id : graph.order())
        if (graph.node(id).kind == ir::NodeKind::Call)
            ops << QString::fromStdString(graph.node(id).op);
    return ops;
}

} // namespace cutaway::testing
