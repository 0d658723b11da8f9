// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A scene that is placed, with what finds its parts. It never changes and is shared by pointer:
/// made beside the GUI thread, it costs that thread nothing.
#pragma once

#include "views/models/graph_scene.h"
#include "views/models/spatial_grid.h"

#include <memory>

namespace cutaway::views {

struct PlacedScene {
    explicit PlacedScene(GraphScene placed);

    const GraphScene graph;
    SpatialGrid nodes, edges; ///< by the indices of graph
    const bool isDifference;  ///< between two graphs: some node is told to have changed
};

using ScenePtr = std::shared_ptr<const PlacedScene>;

ScenePtr shared(GraphScene placed);

} // namespace cutaway::views
