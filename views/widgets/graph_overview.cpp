// SPDX-License-Identifier: GPL-3.0-or-later
// The overview of GraphCanvas: where the part on the screen lies in a graph that is larger.
#include "views/widgets/graph_canvas.h"

#include <QPainter>
#include <algorithm>

namespace cutaway::views {

namespace {
constexpr double kLongest = 150, kShortest = 72, kLeast = 36, kGap = 10;
constexpr size_t kMostCounted = 500;   ///< nodes under it: more are as bad
constexpr size_t kMostAtOnce = 2000;   ///< nodes; more are drawn on another thread
constexpr double kOverviewBelow = 0.7; ///< shown when less than this share is on the screen
constexpr double kMostOfCanvas = 0.15; ///< of a smaller canvas it would hide more than it tells
} // namespace

/// How many nodes stand in a part of the scene; where these are many, about.
size_t GraphCanvas::nodesIn(const QRectF& area) const {
    if (scene_->nodes.holdsMore(area, kMostCounted)) return kMostCounted;
    return static_cast<size_t>(std::ranges::count_if(scene_->nodes.query(area), [&](int index) {
        return scene_->graph.nodes[static_cast<size_t>(index)].rect.intersects(area);
    }));
}

/// Numbers and headings between and above the nodes: of these no part may be hidden.
std::vector<QRectF> GraphCanvas::textsShown() const {
    const ScenePainter painter(*scene_, look_);
    std::vector<QRectF> boxes;
    for (const ScenePainter::Placed& title : painter.bandTitles(zoom_))
        boxes.push_back(title.box);
    for (const ScenePainter::Placed& label :
         painter.edgeLabels(scene_->edges.query(shownArea()), zoom_))
        boxes.push_back(label.box);
    return boxes;
}

/// Where it hides the fewest nodes, and no text between them: below or above, right or left;
/// nothing: no corner is without them.
std::optional<QPointF> GraphCanvas::overviewCorner(QSizeF size) const {
    const QPointF corners[] = {{width() - size.width() - kGap, height() - size.height() - kGap},
                               {kGap, height() - size.height() - kGap},
                               {width() - size.width() - kGap, kGap},
                               {kGap, kGap}};
    const std::vector<QRectF> texts = textsShown();
    std::optional<QPointF> best;
    size_t least = SIZE_MAX;
    for (const QPointF& corner : corners) {
        const QRectF under = QRectF(corner, size).adjusted(-kGap, -kGap, kGap, kGap);
        const QRectF area(toScene(under.topLeft()), toScene(under.bottomRight()));
        const auto isUnder = [&](const QRectF& text) { return text.intersects(area); };
        if (std::ranges::any_of(texts, isUnder)) continue;
        const size_t hidden = nodesIn(area);
        if (hidden >= least) continue;
        least = hidden;
        best = corner;
        if (hidden == 0) break;
    }
    return best;
}

/// In a corner; empty while there is nothing to look over. While it is dragged it stays.
QRectF GraphCanvas::overviewRect() const {
    if (overviewDrag_) return overviewRect_;
    // Asked for at every move of the mouse.
    if (const auto of = std::pair(sceneNumber_, shownArea()); overviewOf_ != of) {
        overviewOf_ = of;
        overviewRect_ = placedOverview();
    }
    return overviewRect_;
}

QRectF GraphCanvas::placedOverview() const {
    if (scene_->graph.nodes.empty() || width() < 2 * kLongest || height() < kLongest) return {};
    const QRectF seen = shownArea().intersected(scene_->graph.bounds);
    const double all = scene_->graph.bounds.width() * scene_->graph.bounds.height();
    if (seen.width() * seen.height() > kOverviewBelow * all) return {};
    // In a small pane it would hide much of what it looks over.
    const double longest = std::clamp(std::min(width(), height()) / 4.0, kShortest, kLongest);
    const double scale =
        std::min(longest / scene_->graph.bounds.width(), longest / scene_->graph.bounds.height());
    const QSizeF size(std::max(kLeast, scene_->graph.bounds.width() * scale),
                      std::max(kLeast, scene_->graph.bounds.height() * scale));
    if (size.width() * size.height() > kMostOfCanvas * width() * height()) return {};
    const auto corner = overviewCorner(size);
    return corner ? QRectF(*corner, size) : QRectF();
}

QPointF GraphCanvas::overviewToScene(QPointF p) const {
    const QRectF map = overviewRect();
    return {scene_->graph.bounds.left() +
                (p.x() - map.left()) / map.width() * scene_->graph.bounds.width(),
            scene_->graph.bounds.top() +
                (p.y() - map.top()) / map.height() * scene_->graph.bounds.height()};
}

void GraphCanvas::centerOn(QPointF scenePoint) {
    view_ = View::Free;
    offset_ = QRectF(rect()).center() - scenePoint * zoom_;
    update();
}

/// A node's place in an overview of that size, large enough to be seen.
static QRectF inOverview(const QRectF& rect, const QRectF& bounds, QSizeF size) {
    const double x = size.width() / bounds.width(), y = size.height() / bounds.height();
    return {(rect.left() - bounds.left()) * x, (rect.top() - bounds.top()) * y,
            std::max(1.0, rect.width() * x), std::max(1.0, rect.height() * y)};
}

static QImage drawnOverview(const PlacedScene& scene, const SceneLook& look, QSizeF size,
                            double ratio) {
    QImage image((size * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(look.theme.raised);
    QPainter painter(&image);
    const ScenePainter colours(scene, look);
    const GraphScene& graph = scene.graph;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const int node = static_cast<int>(i);
        painter.fillRect(inOverview(graph.nodes[i].rect, graph.bounds, size),
                         look.isDimmed(node) ? look.theme.border : colours.colorFromAfar(node));
    }
    return image;
}

/// Of many nodes on another thread; it needs to be asked for again once that is done.
void GraphCanvas::refreshOverview(QSizeF size) {
    const double ratio = devicePixelRatioF();
    if (overviewLook_ == coloursNumber_ && overview_.size() == (size * ratio).toSize()) return;
    const int number = coloursNumber_;
    if (scene_->graph.nodes.size() <= kMostAtOnce) {
        overview_ = drawnOverview(*scene_, look_, size, ratio);
        overviewLook_ = number;
        return;
    }
    if (painter_.isBusy()) return;
    painter_.start(
        [this, number, size, ratio, scene = scene_, look = look_]() -> LatestWork::Finish {
            return [this, number, image = drawnOverview(*scene, look, size, ratio)] {
                overview_ = image;
                overviewLook_ = number;
                update();
            };
        });
}

void GraphCanvas::paintOverview(QPainter& painter) {
    const QRectF map = overviewRect();
    if (map.isEmpty()) return;
    refreshOverview(map.size());
    painter.fillRect(map, look_.theme.raised);
    if (!overview_.isNull()) painter.drawImage(map, overview_);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF& bounds = scene_->graph.bounds;
    auto placed = [&](const QRectF& rect) {
        return inOverview(rect, bounds, map.size()).translated(map.topLeft());
    };
    painter.setBrush(Qt::NoBrush);
    painter.setPen(look_.theme.mark);
    for (size_t i = 0; i < look_.lights.size(); ++i) {
        if (look_.lights[i] < Highlight::Direct) continue;
        const QRectF around = placed(scene_->graph.nodes[i].rect).adjusted(-1, -1, 1, 1);
        if (scene_->isDifference) // whose colours tell what became of a node
            painter.drawRect(around);
        else
            painter.fillRect(around, look_.theme.mark);
    }
    painter.setPen(look_.theme.border);
    painter.drawRect(map);
    painter.setPen(QPen(look_.theme.accent, 1.5));
    painter.drawRect(placed(shownArea().intersected(bounds)));
}

} // namespace cutaway::views
