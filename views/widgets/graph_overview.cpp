// SPDX-License-Identifier: GPL-3.0-or-later
// The overview of GraphCanvas: where the part on the screen lies in a graph that is larger.
#include "views/widgets/graph_canvas.h"

#include <QPainter>
#include <algorithm>

namespace cutaway::views {

namespace {
constexpr double kLongest = 150, kLeast = 36, kGap = 10;
constexpr double kOverviewBelow = 0.9; ///< shown when less than this share is on the screen
} // namespace

/// In the lower right corner; empty while there is nothing to look over.
QRectF GraphCanvas::overviewRect() const {
    if (scene_.nodes.empty() || width() < 2 * kLongest || height() < kLongest) return {};
    const QRectF seen = shownArea().intersected(scene_.bounds);
    const double all = scene_.bounds.width() * scene_.bounds.height();
    if (seen.width() * seen.height() > kOverviewBelow * all) return {};
    const double scale =
        std::min(kLongest / scene_.bounds.width(), kLongest / scene_.bounds.height());
    const QSizeF size(std::max(kLeast, scene_.bounds.width() * scale),
                      std::max(kLeast, scene_.bounds.height() * scale));
    return {QPointF(width() - size.width() - kGap, height() - size.height() - kGap), size};
}

QPointF GraphCanvas::overviewToScene(QPointF p) const {
    const QRectF map = overviewRect();
    return {scene_.bounds.left() + (p.x() - map.left()) / map.width() * scene_.bounds.width(),
            scene_.bounds.top() + (p.y() - map.top()) / map.height() * scene_.bounds.height()};
}

void GraphCanvas::centerOn(QPointF scenePoint) {
    fitted_ = false;
    offset_ = QRectF(rect()).center() - scenePoint * zoom_;
    update();
}

void GraphCanvas::paintOverview(QPainter& painter) {
    const QRectF map = overviewRect();
    if (map.isEmpty()) return;
    const double x = map.width() / scene_.bounds.width(), y = map.height() / scene_.bounds.height();
    auto placed = [&](const QRectF& rect) {
        return QRectF((rect.left() - scene_.bounds.left()) * x,
                      (rect.top() - scene_.bounds.top()) * y, std::max(1.0, rect.width() * x),
                      std::max(1.0, rect.height() * y));
    };
    if (overview_.isNull()) {
        const double ratio = devicePixelRatioF();
        overview_ = QPixmap((map.size() * ratio).toSize());
        overview_.setDevicePixelRatio(ratio);
        overview_.fill(theme_.raised);
        QPainter nodes(&overview_);
        for (size_t i = 0; i < scene_.nodes.size(); ++i) {
            const bool dim = i < dimmed_.size() && dimmed_[i];
            nodes.fillRect(placed(scene_.nodes[i].rect),
                           dim ? theme_.border : theme_.colorOf(scene_.nodes[i]));
        }
    }
    painter.drawPixmap(map.topLeft(), overview_);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (selection_ && !selection_->isEmpty())
        for (size_t i = 0; i < scene_.nodes.size(); ++i)
            if (levelOf(static_cast<int>(i)) >= Highlight::Direct)
                painter.fillRect(
                    placed(scene_.nodes[i].rect).translated(map.topLeft()).adjusted(-1, -1, 1, 1),
                    theme_.mark);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme_.border);
    painter.drawRect(map);
    painter.setPen(QPen(theme_.accent, 1.5));
    painter.drawRect(placed(shownArea().intersected(scene_.bounds)).translated(map.topLeft()));
}

} // namespace cutaway::views
