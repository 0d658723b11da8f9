// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/placed_scene.h"

#include "views/models/release_aside.h"

#include <algorithm>

namespace cutaway::views {

static bool hasChange(const SceneNode& node) {
    return node.change != 0;
}

PlacedScene::PlacedScene(GraphScene placed)
    : graph(std::move(placed)), isDifference(std::ranges::any_of(graph.nodes, hasChange)) {
    std::vector<QRectF> rects;
    for (const SceneNode& node : graph.nodes)
        rects.push_back(node.rect);
    nodes.build(rects);
    rects.clear();
    for (const SceneEdge& edge : graph.edges) {
        QRectF rect;
        for (QPointF p : edge.points)
            rect |= QRectF(p - QPointF(1, 1), QSizeF(2, 2));
        rects.push_back(rect);
    }
    edges.build(rects);
}

ScenePtr shared(GraphScene placed) {
    return sharedAside(std::make_unique<PlacedScene>(std::move(placed)));
}

} // namespace cutaway::views
