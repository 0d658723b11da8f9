// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A graph ready to paint: boxes, routes and bands, built from record data. No widgets here.
#pragma once

#include "views/models/graph_fold.h"
#include "views/models/op_kind.h"
#include "views/models/record_view.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <functional>
#include <memory>

namespace cutaway::views {

/// How much larger than usual SceneNode::brief may be written, and the room that it leaves.
constexpr double kBriefGrowth = 1.8, kBriefInset = 24;
/// The end of a box with the triangle that opens it.
constexpr double kOpenerWidth = 20;

struct SceneNode {
    ItemId item = kNoItem;
    QString title;    ///< operation, or the name of an input
    QString name;     ///< the value's name, when the title is the operation
    QString subtitle; ///< type
    QString brief;    ///< the one thing to say where there is room for one
    QString ending;   ///< of a box's title: how many it holds, which is never cut
    OpKind kind = OpKind::Other;
    QRectF rect;
    bool ghost = false; ///< computed again in the backward graph
    bool output = false;
    bool chip = false; ///< stands for an input beside one of its many uses
    int64_t bytes = 0;
    QString op, module;          ///< in full
    int change = 0;              ///< by a pass: +1 added, -1 removed, 2 rewritten
    QString fold;                ///< key of the box that this is; empty: a node
    std::vector<ItemId> members; ///< of the box
    std::shared_ptr<const std::vector<SceneNode>> inside; ///< the members themselves
    int frame = -1;                                       ///< the innermost one that it stands in
};

/// Around the parts of a box that is open.
struct SceneFrame {
    QString key, title;
    int parent = -1;
    QRectF rect;
    double titleWidth = 0;
};

enum class EdgeStyle : uint8_t { Normal, Saved, Again };

/// What is written along an edge.
enum EdgeWord : uint8_t { kDtype = 1, kShape = 2, kStride = 4, kBytes = 8 };
constexpr uint8_t kAllWords = kDtype | kShape | kStride | kBytes;
/// Those words of a SceneEdge::type.
QString edgeText(const QString& type, uint8_t words);

struct SceneEdge {
    int from = 0, to = 0;
    std::vector<QPointF> points;
    EdgeStyle style = EdgeStyle::Normal;
    int change = 0;    ///< between two graphs: +1 only in the later, -1 only in the earlier
    bool rail = false; ///< right-angled route across the cut
    double width = 1;
    int64_t savedBytes = 0; ///< kept for the backward along this edge, each value counted once
    QString type;           ///< what flows along it
    QString label;
    QPointF labelAt; ///< left end of the label's middle
};

struct SceneBand {
    QRectF rect;
    QString title;
    bool backward = false;
};

struct GraphScene {
    std::vector<SceneNode> nodes;
    std::vector<SceneEdge> edges;
    std::vector<SceneBand> bands;
    std::vector<SceneFrame> frames; ///< parents first
    QRectF bounds;
    bool cut = false; ///< the line between two bands is the cut of the partition
    bool smoothed =
        false; ///< routes are polylines to be rounded, not ranks to be joined by S-curves

    /// Index of a node that stands for the item, or of the box that holds it; -1: none.
    int find(ItemId item) const;
    QRectF rectOf(const std::vector<int>& nodes) const;
};

/// Where a click closes an open box.
QRectF headOf(const SceneFrame& frame);

/// Width of a text in the node font; \p bold for titles.
using TextWidth = std::function<double(const QString& text, bool bold)>;
/// How much larger than usual the type is: boxes grow with it. 1 for usual and smaller type.
double typeScale(const TextWidth& width);
/// That of a font, on any thread. Texts are the same over and over: each is measured once.
TextWidth textWidth(const QFont& font);

/// One stage's nodes and edges, not placed yet. Edges are the thicker the more bytes flow along
/// them. An input that many nodes use, far apart, stands as a chip beside each of them.
GraphScene stageScene(const record::GraphStage& stage, const TextWidth& width,
                      const Folding& folding = {});
/// Without chips and boxes: every node stands for itself, every use is an edge.
GraphScene plainScene(const record::GraphStage& stage, const TextWidth& width);
/// Puts boxes in place of the nodes of each fold. \returns where each node is now
std::vector<int> foldScene(GraphScene& scene, const FoldPlan& plan, const TextWidth& width);
/// Places a scene with the in-process layout.
void placeLayered(GraphScene& scene);
/// Places a joint graph: forward from the top down on the left, backward from the bottom up on the
/// right, what crosses in between as rungs. Nodes whose `backward[i]` is set go right.
void placeMirrored(GraphScene& scene, const std::vector<bool>& backward);
/// Which nodes of the joint graph's scene stand on the backward side.
std::vector<bool> backwardNodes(const record::GraphStage& joint, const GraphScene& scene);

/// The joint graph with the cut: saved tensors cross it as thick edges with their bytes, recomputed
/// values stand again (as ghosts) on the backward side.
GraphScene partitionScene(const record::Entry& entry, const TextWidth& width,
                          const Folding& folding = {});

} // namespace cutaway::views
