// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/graph_canvas.h"

#include "views/models/compound_layout.h"
#include "views/models/node_query.h"
#include "views/widgets/graph_accessible.h"

#include <QAccessible>
#include <QHash>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace cutaway::views {

namespace {
constexpr double kMinZoom = 0.003, kMaxZoom = 4;
constexpr double kReadable = 0.55; ///< what revealing a node zooms to at least
/// Texts can be read with ease; texts can just be read; what stands nearer looks coarse.
constexpr double kComfortable = 0.6, kLegible = 0.3, kNearest = 1.4;
constexpr double kMargin = 16;
} // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent), scene_(shared({})) {
    installGraphAccessibility(); // before anything asks for the first canvas' interface, which is kept
    look_.theme = lightTheme();
    look_.font = font();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 80);
    setAccessibleName(tr("Graph"));
}

void GraphCanvas::setTheme(const Theme& theme) {
    look_.theme = theme;
    changeLook(true);
}

void GraphCanvas::setSelectionState(SelectionState* selection, const QObject* origin) {
    selection_ = selection;
    origin_ = origin;
    lightsOld_ = true;
    for (auto lit : {&SelectionState::changed, &SelectionState::hovered})
        connect(selection, lit, this, [this] {
            lightsOld_ = true;
            update();
        });
}

void GraphCanvas::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

/// Where the upper left of a box or frame is; nothing: there is none.
static std::optional<QPointF> placeOf(const GraphScene& scene, const QString& key) {
    if (key.isEmpty()) return {};
    for (const SceneNode& node : scene.nodes)
        if (node.fold == key) return node.rect.topLeft();
    for (const SceneFrame& frame : scene.frames)
        if (frame.key == key) return frame.rect.topLeft();
    return {};
}

static QRectF frameOf(const GraphScene& scene, const QString& key) {
    const auto at = std::ranges::find(scene.frames, key, &SceneFrame::key);
    return at == scene.frames.end() ? QRectF() : at->rect;
}

static const QString& nameOf(const SceneNode& node) {
    return !node.fold.isEmpty() ? node.fold : node.name.isEmpty() ? node.title : node.name;
}

/// How far the node moved that is nearest to \p at of those that both have; nothing: there is none.
static std::optional<QPointF> movedNear(QPointF at, const GraphScene& before,
                                        const GraphScene& after) {
    QHash<QString, QPointF> places;
    for (const SceneNode& node : after.nodes)
        places.insert(nameOf(node), node.rect.center());
    std::optional<QPointF> moved;
    double nearest = 0;
    for (const SceneNode& node : before.nodes) {
        const QPointF away = node.rect.center() - at;
        const double far = QPointF::dotProduct(away, away);
        if (moved && far >= nearest) continue;
        const auto now = places.constFind(nameOf(node));
        if (now == places.constEnd()) continue;
        moved = *now - node.rect.center();
        nearest = far;
    }
    return moved;
}

void GraphCanvas::setEdited(ScenePtr scene) {
    const bool isGoneTo = viewSet_ && view_ == View::Free;
    const bool isWhole = viewSet_ && view_ == View::Whole;
    const auto moved =
        isGoneTo ? movedNear(shownArea().center(), scene_->graph, scene->graph) : std::nullopt;
    if (moved) offset_ -= *moved * zoom_;
    setScene(std::move(scene), moved.has_value());
    if (isWhole) fit();
}

/// How far what is drawn at \p from ... \p to moves so that it is seen, from its begin on at least.
static double intoRoom(double from, double to, double room) {
    if (from < 0 || to - from > room) return -from;
    return std::min(0.0, room - to);
}

void GraphCanvas::setScene(ScenePtr scene, bool keepView, const QString& anchor) {
    const auto before = placeOf(scene_->graph, anchor), after = placeOf(scene->graph, anchor);
    if (before && after && viewSet_) {
        offset_ += (*before - *after) * zoom_;
        keepView = true;
        view_ = View::Free;
        // Under a mouse it stays; no hand is on what a key opened.
        const QRectF frame = frameOf(scene->graph, anchor);
        if (std::exchange(openedByKey_, QString()) == anchor && !frame.isEmpty()) {
            const double fits = std::min((width() - 2 * kMargin) / frame.width(),
                                         (height() - 2 * kMargin) / frame.height());
            if (fits < zoom_) // smaller where it is legible then
                zoomAt(frame.topLeft() * zoom_ + offset_,
                       std::max(fits, std::min(zoom_, kLegible)) / zoom_);
            offset_ += QPointF(intoRoom(frame.left() * zoom_ + offset_.x() - kMargin,
                                        frame.right() * zoom_ + offset_.x() + kMargin, width()),
                               intoRoom(frame.top() * zoom_ + offset_.y() - kMargin,
                                        frame.bottom() * zoom_ + offset_.y() + kMargin, height()));
        }
    }
    scene_ = std::move(scene);
    ++sceneNumber_;
    hovered_ = -1;
    look_.font = font();
    look_.dimmed.clear();
    look_.heat.clear();
    if (!keepView) part_ = whole_ = {}; // else they stay until new ones are there
    atSight_ = {};
    lightsOld_ = true;
    changeLook(true);
    setSearch(search_);
    if (!keepView || !viewSet_)
        open();
    else
        follow();
    update();
}

void GraphCanvas::open() {
    if (scene_->graph.nodes.empty() || width() < 20) return;
    seen_ = false;
    // What can be read as a whole opens as a whole, larger scenes from the top. Of a joint graph
    // both sides should be seen even when their texts get small.
    bool sides = !scene_->graph.bands.empty();
    double wide = (width() - 2 * kMargin) / std::max(1.0, scene_->graph.bounds.width());
    double high = (height() - 2 * kMargin) / std::max(1.0, scene_->graph.bounds.height());
    bool wholeWidth = sides || wide >= kLegible;
    if (std::min(wide, high) >= kComfortable || (wholeWidth && high >= wide))
        fit();
    else
        showFromTop();
}

void GraphCanvas::showFromTop() {
    if (scene_->graph.nodes.empty()) return;
    const bool sides = !scene_->graph.bands.empty();
    const double wide = (width() - 2 * kMargin) / std::max(1.0, scene_->graph.bounds.width());
    const bool wholeWidth = sides || wide >= kLegible;
    zoom_ = wholeWidth ? std::clamp(wide, kMinZoom, 1.0) : kComfortable;
    viewSet_ = true;
    view_ = View::FromTop;
    // Too wide for any legible text: in the middle of what the first nodes span.
    double x = wholeWidth ? scene_->graph.bounds.center().x()
                          : scene_->graph.nodes.front().rect.center().x();
    offset_ = QPointF(width() / 2.0 - x * zoom_, kMargin - scene_->graph.bounds.top() * zoom_);
    update();
}

void GraphCanvas::fit() {
    if (scene_->graph.nodes.empty()) return;
    double wide = (width() - 2 * kMargin) / std::max(1.0, scene_->graph.bounds.width());
    double high = (height() - 2 * kMargin) / std::max(1.0, scene_->graph.bounds.height());
    zoom_ = std::clamp(std::min(wide, high), kMinZoom, kNearest);
    offset_ = QRectF(rect()).center() - scene_->graph.bounds.center() * zoom_;
    viewSet_ = true;
    view_ = View::Whole;
    update();
}

void GraphCanvas::actualSize() {
    zoomAt(QRectF(rect()).center(), 1 / zoom_);
}

void GraphCanvas::zoomAt(QPointF at, double factor) {
    double zoom = std::clamp(zoom_ * factor, kMinZoom, kMaxZoom);
    offset_ = at - (at - offset_) * (zoom / zoom_);
    zoom_ = zoom;
    view_ = View::Free;
    update();
}

void GraphCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    follow();
}

/// Another size, or the same graph placed otherwise: what was chosen when it was opened stays.
void GraphCanvas::follow() {
    if (view_ == View::Free) return;
    if (!seen_)
        open();
    else if (view_ == View::Whole)
        fit();
    else
        showFromTop();
}

Highlight GraphCanvas::levelOf(int node) const {
    if (!selection_) return Highlight::None;
    const SceneNode& shown = scene_->graph.nodes[static_cast<size_t>(node)];
    return shown.members.empty() ? selection_->level(shown.item) : selection_->level(shown.members);
}

/// How far what is drawn at \p from ... \p to moves so that it fills the room from 0 to \p room, or
/// stands in the middle of it.
static double towardsRoom(double from, double to, double room) {
    if (to - from <= room) return (room - to - from) / 2;
    return from > 0 ? -from : std::max(0.0, room - to);
}

void GraphCanvas::revealNode(int index) {
    if (isVisible() && !seen_) {
        atSight_ = [this, index] {
            if (!shownArea().contains(scene_->graph.nodes[static_cast<size_t>(index)].rect))
                revealNode(index);
        };
        return update();
    }
    QRectF target = scene_->graph.nodes[static_cast<size_t>(index)].rect;
    QPointF center = target.center() * zoom_ + offset_;
    if (zoom_ < kReadable) zoomAt(center, kReadable / zoom_);
    view_ = View::Free;
    offset_ += QRectF(rect()).center() - (target.center() * zoom_ + offset_);
    const QRectF& bounds = scene_->graph.bounds; // nobody wants to see what lies beyond them
    const QPointF from = bounds.topLeft() * zoom_ + offset_ - QPointF(kMargin, kMargin),
                  to = bounds.bottomRight() * zoom_ + offset_ + QPointF(kMargin, kMargin);
    offset_ +=
        QPointF(towardsRoom(from.x(), to.x(), width()), towardsRoom(from.y(), to.y(), height()));
    update();
}

void GraphCanvas::revealHighlight() {
    update();
    if (!selection_ || scene_->graph.nodes.empty()) return;
    if (isVisible() && !seen_) {
        atSight_ = [this] { revealHighlight(); };
        return;
    }
    QRectF shown = shownArea();
    Highlight best = Highlight::None;
    int first = -1;
    bool visible = false;
    for (size_t i = 0; i < scene_->graph.nodes.size(); ++i) {
        Highlight level = levelOf(static_cast<int>(i));
        if (level == Highlight::None || level < best) continue;
        if (level > best) {
            best = level;
            first = static_cast<int>(i);
            visible = false;
        }
        visible = visible || shown.contains(scene_->graph.nodes[i].rect);
    }
    if (first >= 0 && !visible && best > Highlight::Through) revealNode(first);
}

/// What a query finds of a node, or of those in a box; of a box by itself when only its title fits.
static std::vector<ItemId> foundIn(const SceneNode& node, const NodeQuery& query, bool titles) {
    if (node.chip) return {};
    std::vector<ItemId> found;
    if (node.inside)
        for (const SceneNode& one : *node.inside)
            if (query.matches(one)) found.push_back(one.item);
    if (found.empty() && (!node.inside || titles) && query.matches(node)) found = {node.item};
    return found;
}

int GraphCanvas::setSearch(const QString& text) {
    search_ = text.trimmed();
    const NodeQuery query(search_);
    searchProblem_ = query.problem();
    look_.matches.clear();
    found_.clear();
    if (!query.isEmpty()) {
        const bool titles = !(' ' + search_).contains(" -"); // of a box, which is no operation
        look_.matches.assign(scene_->graph.nodes.size(), false);
        for (size_t i = 0; i < scene_->graph.nodes.size(); ++i) {
            const auto found = foundIn(scene_->graph.nodes[i], query, titles);
            look_.matches[i] = !found.empty();
            found_.insert(found_.end(), found.begin(), found.end());
        }
    }
    changeLook(false);
    return static_cast<int>(found_.size());
}

void GraphCanvas::setDimmed(std::vector<bool> dimmed) {
    look_.dimmed = std::move(dimmed);
    changeLook(true);
}

void GraphCanvas::setHeat(std::vector<int> heat) {
    look_.heat = std::move(heat);
    changeLook(true);
}

void GraphCanvas::setEdgeTypes(uint8_t words) {
    look_.edgeTypes = words;
    // Where there is no room for them they are asked for in vain: they are gone to.
    if (words && zoom_ < ScenePainter::kTypeScale)
        zoomAt(rect().center(), ScenePainter::kTypeScale / zoom_ * 1.001);
    changeLook(false);
}

void GraphCanvas::goToMatch(int step) {
    int count = static_cast<int>(scene_->graph.nodes.size());
    int from = currentNode();
    for (int i = 1; i <= count; ++i) {
        int index = ((from + step * i) % count + count) % count;
        if (!look_.isFound(index)) continue;
        const SceneNode& node = scene_->graph.nodes[static_cast<size_t>(index)];
        if (node.inside)
            if (const auto found = foundIn(node, NodeQuery(search_), false); !found.empty())
                return emit insideWanted(step > 0 ? found.front() : found.back());
        selectNode(index, false);
        if (!shownArea().contains(scene_->graph.nodes[static_cast<size_t>(index)].rect))
            revealNode(index);
        return;
    }
}

int GraphCanvas::nodeAt(QPointF p) const {
    for (int index : scene_->nodes.query(QRectF(p, QSizeF(0.1, 0.1))))
        if (scene_->graph.nodes[static_cast<size_t>(index)].rect.contains(p)) return index;
    return -1;
}

int GraphCanvas::frameHeadAt(QPointF p) const {
    for (size_t f = scene_->graph.frames.size(); f-- > 0;) // the innermost come last
        if (headOf(scene_->graph.frames[f]).contains(p)) return static_cast<int>(f);
    return -1;
}

/// Whether a click there, on the triangle of a box, opens it.
bool GraphCanvas::opens(int node, QPointF p) const {
    const SceneNode& box = scene_->graph.nodes[static_cast<size_t>(node)];
    return !box.fold.isEmpty() && p.x() > box.rect.right() - kOpenerWidth;
}

int GraphCanvas::currentNode() const {
    return selection_ && !selection_->isEmpty() ? scene_->graph.find(selection_->items().front())
                                                : -1;
}

void GraphCanvas::selectNode(int index, bool extend) {
    const SceneNode& chosen = scene_->graph.nodes[static_cast<size_t>(index)];
    const ItemId item = chosen.item;
    std::vector<ItemId> items{item};
    if (!chosen.members.empty()) items = chosen.members;
    if (selection_ && extend) {
        items = selection_->items();
        auto at = std::find(items.begin(), items.end(), item);
        if (at == items.end())
            items.push_back(item);
        else
            items.erase(at);
    }
    if (selection_) selection_->select(items, origin_);
    if (QAccessible::isActive()) { // a screen reader says what was walked to
        QAccessibleEvent focus(this, QAccessible::Focus);
        focus.setChild(index);
        QAccessible::updateAccessibility(&focus);
    }
    update();
}

void GraphCanvas::choose(int node) {
    selectNode(node, false);
    revealHighlight();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->position();
    offsetAtPress_ = offset_;
    dragging_ = false;
    overviewDrag_ = event->button() == Qt::LeftButton && overviewRect().contains(pressed_);
    if (overviewDrag_) centerOn(overviewToScene(pressed_));
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (overviewDrag_) return centerOn(overviewToScene(event->position()));
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        QPointF moved = event->position() - pressed_;
        if (!dragging_ && moved.manhattanLength() < 5) return;
        dragging_ = true;
        view_ = View::Free;
        offset_ = offsetAtPress_ + moved;
        setCursor(Qt::ClosedHandCursor);
        return update();
    }
    const bool outside = overviewRect().contains(event->position());
    const QPointF at = toScene(event->position());
    const int over = outside ? -1 : nodeAt(at);
    const bool head = over < 0 && !outside && frameHeadAt(at) >= 0;
    setCursor(over >= 0 || head ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (over == hovered_) return;
    hovered_ = over;
    if (selection_)
        selection_->hover(over < 0 ? kNoItem : scene_->graph.nodes[static_cast<size_t>(over)].item);
    update();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
    setCursor(Qt::ArrowCursor);
    if (std::exchange(overviewDrag_, false)) return;
    if (dragging_ || event->button() != Qt::LeftButton) return;
    int over = nodeAt(toScene(event->position()));
    if (over >= 0 && opens(over, toScene(event->position())))
        emit foldToggled(scene_->graph.nodes[static_cast<size_t>(over)].fold, true);
    else if (over >= 0)
        selectNode(over, event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier));
    else if (const int head = frameHeadAt(toScene(event->position())); head >= 0)
        emit foldToggled(scene_->graph.frames[static_cast<size_t>(head)].key, false);
    else if (selection_)
        selection_->select({}, origin_);
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    int over = nodeAt(toScene(event->position()));
    if (over < 0 && frameHeadAt(toScene(event->position())) >= 0) return;
    if (over < 0) return fit();
    if (opens(over, toScene(event->position()))) return; // by the first click of the two
    if (const QString key = scene_->graph.nodes[static_cast<size_t>(over)].fold; !key.isEmpty())
        return emit foldToggled(key, true);
    zoomAt(event->position(), 1 / zoom_);
    revealNode(over);
}

void GraphCanvas::leaveEvent(QEvent*) {
    hovered_ = -1;
    if (selection_) selection_->hover(kNoItem);
    update();
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
    // The key asks for the menu of what is selected, the mouse for that of what it points at.
    const bool key = event->reason() == QContextMenuEvent::Keyboard;
    const int node = key ? currentNode() : nodeAt(toScene(event->pos()));
    if (!key && node >= 0 && levelOf(node) != Highlight::Selected) selectNode(node, false);
    QPoint at = event->globalPos();
    if (key && node >= 0) {
        const QRectF& rect = scene_->graph.nodes[static_cast<size_t>(node)].rect;
        at = mapToGlobal((rect.center() * zoom_ + offset_).toPoint());
    }
    emit menuRequested(node, at);
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ShiftModifier) {
        offset_ += QPointF(event->angleDelta().y(), 0);
        view_ = View::Free;
        return update();
    }
    zoomAt(event->position(), std::pow(1.0015, event->angleDelta().y()));
}

bool GraphCanvas::event(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        look_.font = font();
        changeLook(false);
    }
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        int over = nodeAt(toScene(help->pos()));
        if (over >= 0 && tooltip_)
            QToolTip::showText(help->globalPos(),
                               tooltip_(scene_->graph.nodes[static_cast<size_t>(over)]), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace cutaway::views
