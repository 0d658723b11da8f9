// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Two graphs drawn as one: stages or graphs as passes left them, of one record or of two. All that
/// either holds is placed at once, so that what is the same in both stands at one place however it
/// is looked at.
#pragma once

#include "views/models/comparison.h"
#include "views/models/graph_scene.h"

namespace cutaway::views {

struct GraphDifference {
    /// Both graphs, placed. SceneNode::change tells what became of a node from left to right.
    GraphScene scene;
    std::vector<QString> told;   ///< by node of the scene: its line on the left, on the right
    std::vector<SceneNode> left; ///< by node of the scene: what it was called on the left
    int same = 0, added = 0, removed = 0, rewritten = 0;
    bool isGraph = false; ///< both texts are of graphs
};

/// Nodes are taken for the same where one came from the other, or of two records where they compute
/// the same in the same order, on one line of the script where that can be told. One that reads something else,
/// has another type or is another operation was rewritten. Safe on any thread.
/// \param shownLeft, shownRight the record is the one that is shown: its items are those of the scene
GraphDifference graphDifference(const ComparedRecord& left, const QString& leftText, bool shownLeft,
                                const ComparedRecord& right, const QString& rightText,
                                bool shownRight, const TextWidth& width);

enum class DifferenceSide : uint8_t { Both, Left, Right };
/// The nodes and edges of one side, where they stand in the scene of both.
GraphScene sideOf(const GraphDifference& difference, DifferenceSide side);

} // namespace cutaway::views
