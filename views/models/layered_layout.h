// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Layered drawing of a directed graph, in process and in near linear time: what the window shows
/// while the engine's layout is under way, and whenever the engine has none.
///
/// Method: longest-path ranks with nodes pulled towards their users, barycentre sweeps against
/// crossings, coordinates by isotonic regression that keeps the longest path straight. Edges over
/// many ranks get a lane beside the drawing instead of dummies, whose number grows with the square
/// of a joint graph's size.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <utility>
#include <vector>

namespace cutaway::views {

struct LayoutInput {
    std::vector<QSizeF> sizes;
    std::vector<std::pair<int, int>> edges; ///< from, to; cycles are tolerated
    std::vector<int8_t>
        pins; ///< by node: -1 above all others, 1 below them, 0 free; empty: all free
    double rankGap = 40;
    double nodeGap = 22;
    bool narrow = false; ///< the widest ranks give nodes to their neighbours
};

struct LayoutResult {
    std::vector<QPointF> centers;
    std::vector<std::vector<QPointF>> routes; ///< from the lower rim of `from` to the upper of `to`
    QRectF bounds;
};

LayoutResult layeredLayout(const LayoutInput& input);

} // namespace cutaway::views
