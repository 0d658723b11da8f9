// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/stage_drawing.h"

namespace cutaway::views {

GraphScene drawnStage(const record::GraphStage& stage, const QFont& font, const Folding& folding) {
    return stageScene(stage, textWidth(font), folding);
}

void placeStage(GraphScene& scene, const record::GraphStage& stage) {
    if (stage.name == "joint")
        placeMirrored(scene, backwardNodes(stage, scene));
    else
        placeLayered(scene);
}

GraphScene wholeStage(const record::GraphStage& stage, const QFont& font, const Folding& folding) {
    GraphScene scene = drawnStage(stage, font, withEverythingOpen(foldItems(stage), folding));
    placeStage(scene, stage);
    return scene;
}

} // namespace cutaway::views
