// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Layered drawing with nested frames: every frame is laid out by itself and stands in its parent
/// as one large node. Edges enter and leave a frame through places at its rims, one for each value.
#pragma once

#include "views/models/layered_layout.h"

namespace cutaway::views {

struct CompoundInput {
    LayoutInput flat;
    std::vector<int> frameOf;        ///< by node: the innermost frame; -1: none
    std::vector<int> parents;        ///< by frame, parents before their children; -1: none
    std::vector<double> titleWidths; ///< by frame: room that its head needs
    bool headBelow = false;          ///< for a drawing that is turned upside down afterwards
};

struct CompoundResult {
    LayoutResult flat;
    std::vector<QRectF> frames;
};

/// Of a frame, above what it holds.
constexpr double kFrameHead = 22, kFrameMargin = 14;

CompoundResult compoundLayout(const CompoundInput& input);

} // namespace cutaway::views
