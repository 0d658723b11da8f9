// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A stage's graph as a drawing, in two steps: what is drawn, and where. On any thread.
#pragma once

#include "views/models/graph_scene.h"

namespace cutaway::views {

GraphScene drawnStage(const record::GraphStage& stage, const QFont& font, const Folding& folding);
/// Gives the nodes their places: of a joint graph the backward beside the forward.
void placeStage(GraphScene& scene, const record::GraphStage& stage);
/// Placed, with every box open.
GraphScene wholeStage(const record::GraphStage& stage, const QFont& font, const Folding& folding);

} // namespace cutaway::views
