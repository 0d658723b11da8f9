// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/graph_canvas.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace cutaway::views {

namespace {
constexpr double kMinZoom = 0.003, kMaxZoom = 4;
constexpr double kReadable = 0.55; ///< what revealing a node zooms to at least
/// Texts can be read with ease; texts can just be read.
constexpr double kComfortable = 0.5, kLegible = 0.3;
constexpr double kMargin = 16;
} // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent), theme_(lightTheme()) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 80);
    setAccessibleName(tr("Graph"));
}

void GraphCanvas::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void GraphCanvas::setSelectionState(SelectionState* selection, const QObject* origin) {
    selection_ = selection;
    origin_ = origin;
}

void GraphCanvas::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

void GraphCanvas::setScene(GraphScene scene, bool keepView) {
    scene_ = std::move(scene);
    hovered_ = -1;
    std::vector<QRectF> rects;
    for (const SceneNode& node : scene_.nodes)
        rects.push_back(node.rect);
    nodeGrid_.build(rects);
    rects.clear();
    for (const SceneEdge& edge : scene_.edges) {
        QRectF rect;
        for (QPointF p : edge.points)
            rect |= QRectF(p - QPointF(1, 1), QSizeF(2, 2));
        rects.push_back(rect);
    }
    edgeGrid_.build(rects);
    setSearch(search_);
    if (!keepView || !viewSet_ || fitted_) showFromTop();
    update();
}

void GraphCanvas::showFromTop() {
    if (scene_.nodes.empty() || width() < 20) return;
    viewSet_ = true;
    // Smaller scenes open as a whole, larger ones from the top. Of a joint graph both sides should
    // be seen even when their texts get small.
    bool sides = !scene_.bands.empty();
    double wide = (width() - 2 * kMargin) / std::max(1.0, scene_.bounds.width());
    double high = (height() - 2 * kMargin) / std::max(1.0, scene_.bounds.height());
    bool wholeWidth = sides || wide >= kLegible;
    if (std::min(wide, high) >= (sides ? kLegible : kComfortable) || (wholeWidth && high >= wide))
        return fit();
    zoom_ = wholeWidth ? std::clamp(wide, kMinZoom, 1.0) : kComfortable;
    fitted_ = true;
    // Too wide for any legible text: in the middle of what the first nodes span.
    double x = wholeWidth ? scene_.bounds.center().x() : scene_.nodes.front().rect.center().x();
    offset_ = QPointF(width() / 2.0 - x * zoom_, kMargin - scene_.bounds.top() * zoom_);
    update();
}

void GraphCanvas::fit() {
    if (scene_.nodes.empty()) return;
    double wide = (width() - 2 * kMargin) / std::max(1.0, scene_.bounds.width());
    double high = (height() - 2 * kMargin) / std::max(1.0, scene_.bounds.height());
    zoom_ = std::clamp(std::min(wide, high), kMinZoom, 1.15);
    offset_ = QRectF(rect()).center() - scene_.bounds.center() * zoom_;
    viewSet_ = fitted_ = true;
    update();
}

void GraphCanvas::actualSize() {
    zoomAt(QRectF(rect()).center(), 1 / zoom_);
}

void GraphCanvas::zoomAt(QPointF at, double factor) {
    double zoom = std::clamp(zoom_ * factor, kMinZoom, kMaxZoom);
    offset_ = at - (at - offset_) * (zoom / zoom_);
    zoom_ = zoom;
    fitted_ = false;
    update();
}

void GraphCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (fitted_) showFromTop();
}

Highlight GraphCanvas::levelOf(int node) const {
    return selection_ ? selection_->level(scene_.nodes[static_cast<size_t>(node)].item)
                      : Highlight::None;
}

void GraphCanvas::revealNode(int index) {
    QRectF target = scene_.nodes[static_cast<size_t>(index)].rect;
    QPointF center = target.center() * zoom_ + offset_;
    if (zoom_ < kReadable) zoomAt(center, kReadable / zoom_);
    fitted_ = false;
    offset_ += QRectF(rect()).center() - (target.center() * zoom_ + offset_);
    update();
}

void GraphCanvas::revealHighlight() {
    update();
    if (!selection_ || scene_.nodes.empty()) return;
    QRectF shown = shownArea();
    Highlight best = Highlight::None;
    int first = -1;
    bool visible = false;
    for (size_t i = 0; i < scene_.nodes.size(); ++i) {
        Highlight level = levelOf(static_cast<int>(i));
        if (level == Highlight::None || level < best) continue;
        if (level > best) {
            best = level;
            first = static_cast<int>(i);
            visible = false;
        }
        visible = visible || shown.contains(scene_.nodes[i].rect);
    }
    if (first >= 0 && !visible && best > Highlight::Through) revealNode(first);
}

int GraphCanvas::setSearch(const QString& text) {
    search_ = text.trimmed();
    matches_.assign(scene_.nodes.size(), false);
    int found = 0;
    if (!search_.isEmpty())
        for (size_t i = 0; i < scene_.nodes.size(); ++i) {
            const SceneNode& node = scene_.nodes[i];
            bool match = node.title.contains(search_, Qt::CaseInsensitive) ||
                         node.name.contains(search_, Qt::CaseInsensitive) ||
                         node.subtitle.contains(search_, Qt::CaseInsensitive);
            matches_[i] = match;
            found += match;
        }
    update();
    return found;
}

void GraphCanvas::goToMatch(int step) {
    int count = static_cast<int>(scene_.nodes.size());
    int from = currentNode();
    for (int i = 1; i <= count; ++i) {
        int index = ((from + step * i) % count + count) % count;
        if (!matches_[static_cast<size_t>(index)]) continue;
        selectNode(index, false);
        revealNode(index);
        return;
    }
}

int GraphCanvas::nodeAt(QPointF p) {
    for (int index : nodeGrid_.query(QRectF(p, QSizeF(0.1, 0.1))))
        if (scene_.nodes[static_cast<size_t>(index)].rect.contains(p)) return index;
    return -1;
}

int GraphCanvas::currentNode() const {
    return selection_ && !selection_->isEmpty() ? scene_.find(selection_->items().front()) : -1;
}

void GraphCanvas::selectNode(int index, bool extend) {
    ItemId item = scene_.nodes[static_cast<size_t>(index)].item;
    std::vector<ItemId> items{item};
    if (selection_ && extend) {
        items = selection_->items();
        auto at = std::find(items.begin(), items.end(), item);
        if (at == items.end())
            items.push_back(item);
        else
            items.erase(at);
    }
    if (selection_) selection_->select(items, origin_);
    emit nodeActivated(item);
    update();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->position();
    offsetAtPress_ = offset_;
    dragging_ = false;
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        QPointF moved = event->position() - pressed_;
        if (!dragging_ && moved.manhattanLength() < 5) return;
        dragging_ = true;
        fitted_ = false;
        offset_ = offsetAtPress_ + moved;
        setCursor(Qt::ClosedHandCursor);
        return update();
    }
    int over = nodeAt(toScene(event->position()));
    if (over == hovered_) return;
    hovered_ = over;
    setCursor(over >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
    setCursor(Qt::ArrowCursor);
    if (dragging_ || event->button() != Qt::LeftButton) return;
    int over = nodeAt(toScene(event->position()));
    if (over >= 0)
        selectNode(over, event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier));
    else if (selection_)
        selection_->select({}, origin_);
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    int over = nodeAt(toScene(event->position()));
    if (over < 0) return fit();
    zoomAt(event->position(), 1 / zoom_);
    revealNode(over);
}

void GraphCanvas::leaveEvent(QEvent*) {
    hovered_ = -1;
    update();
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ShiftModifier) {
        offset_ += QPointF(event->angleDelta().y(), 0);
        fitted_ = false;
        return update();
    }
    zoomAt(event->position(), std::pow(1.0015, event->angleDelta().y()));
}

void GraphCanvas::moveTo(int key) {
    int from = currentNode();
    if (scene_.nodes.empty()) return;
    if (from < 0) {
        selectNode(0, false);
        return revealHighlight();
    }
    QPointF at = scene_.nodes[static_cast<size_t>(from)].rect.center();
    int best = -1;
    double bestScore = 1e300;
    for (size_t i = 0; i < scene_.nodes.size(); ++i) {
        QPointF d = scene_.nodes[i].rect.center() - at;
        double along = key == Qt::Key_Down    ? d.y()
                       : key == Qt::Key_Up    ? -d.y()
                       : key == Qt::Key_Right ? d.x()
                                              : -d.x();
        double aside = key == Qt::Key_Down || key == Qt::Key_Up ? d.x() : d.y();
        if (along < 4) continue;
        double score = along + 3 * std::fabs(aside);
        if (score < bestScore) {
            bestScore = score;
            best = static_cast<int>(i);
        }
    }
    if (best < 0) return;
    selectNode(best, false);
    if (!shownArea().contains(scene_.nodes[static_cast<size_t>(best)].rect)) revealNode(best);
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Space:
        return fit();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(1.25);
    case Qt::Key_Minus:
        return zoomBy(0.8);
    case Qt::Key_1:
        return actualSize();
    case Qt::Key_F:
        return revealHighlight();
    case Qt::Key_Escape:
        if (selection_) selection_->select({}, origin_);
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier)
            return moveTo(event->key());
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

bool GraphCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        int over = nodeAt(toScene(help->pos()));
        if (over >= 0 && tooltip_)
            QToolTip::showText(help->globalPos(), tooltip_(scene_.nodes[static_cast<size_t>(over)]),
                               this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace cutaway::views
