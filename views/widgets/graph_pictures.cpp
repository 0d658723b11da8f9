// SPDX-License-Identifier: GPL-3.0-or-later
// GraphCanvas on the screen: painted where it is shown, or pictures that another thread painted.
#include "views/widgets/graph_canvas.h"

#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace cutaway::views {

namespace {
/// More nodes or edges than these take longer than a frame; of a scene that has pictures, more than
/// these take long enough to let another thread paint them.
constexpr size_t kMostNodes = 160, kMostEdges = 500, kFewNodes = 48, kFewEdges = 150;
/// The part of a picture that goes over the rim of the screen, by its sides.
constexpr double kRim = 0.25;
/// Lines that take so long that their nodes are shown before them, where nothing has been shown.
constexpr size_t kSketchedEdges = 20000;
constexpr double kWholeSide = 1600; ///< pixels of the picture of everything
constexpr size_t kMostLit = 100;    ///< painted above a picture that does not show them yet
constexpr double kMargin = 10;      ///< pixels that nodes' rims and shadows may stand out
} // namespace

void GraphCanvas::changeLook(bool colours) {
    ++lookNumber_;
    if (colours) ++coloursNumber_;
    update();
}

/// A selection that nothing here comes from dims nothing.
void GraphCanvas::refreshLights() {
    lightsOld_ = false;
    std::vector<Highlight> lights;
    bool any = false;
    if (selection_ && !selection_->isEmpty()) {
        lights.resize(scene_->graph.nodes.size());
        for (size_t i = 0; i < lights.size(); ++i) {
            lights[i] = levelOf(static_cast<int>(i));
            any = any || lights[i] != Highlight::None;
        }
    }
    if (!any) lights.clear();
    if (lights == look_.lights) return;
    look_.lights = std::move(lights);
    look_.fades = any;
    ++lookNumber_;
}

/// The part of the scene that should be painted, with what stands out of it.
QRectF GraphCanvas::wantedArea() const {
    const double margin = kMargin / zoom_;
    return shownArea().adjusted(-margin, -margin, margin, margin);
}

bool GraphCanvas::paintsItself() const {
    const QRectF area = wantedArea();
    const bool large =
        scene_->graph.nodes.size() > kMostNodes || scene_->graph.edges.size() > kMostEdges;
    return !scene_->nodes.holdsMore(area, large ? kFewNodes : kMostNodes) &&
           !scene_->edges.holdsMore(area, large ? kFewEdges : kMostEdges);
}

/// All of the scene with what stands out of it; titles rise the higher the smaller it is drawn.
QRectF GraphCanvas::picturedArea(double scale) const {
    constexpr double kAround = 20;
    QRectF area = scene_->graph.bounds.adjusted(-kAround, -kAround, kAround, kAround);
    for (const ScenePainter::Placed& title : ScenePainter(*scene_, look_).bandTitles(scale))
        area |= title.box;
    return area;
}

/// Whether what is on the screen is not in the newest picture.
bool GraphCanvas::wantsPart() const {
    const QRectF seen = wantedArea().intersected(picturedArea(zoom_));
    return part_.look != lookNumber_ || part_.scale != zoom_ * devicePixelRatioF() ||
           !part_.area.contains(seen);
}

bool GraphCanvas::isShown() const {
    return paintsItself() || !part_.image.isNull() || !whole_.image.isNull();
}

bool GraphCanvas::isSettled() {
    if (isVisible() && !scene_->graph.nodes.empty()) {
        if (lightsOld_) refreshLights();
        if (!paintsItself()) requestPicture(); // what nobody looks at is not painted by itself
    }
    return !painter_.isBusy();
}

/// One after the other: first what is on the screen, then all of it from afar.
void GraphCanvas::requestPicture() {
    if (painter_.isBusy()) return;
    const double ratio = devicePixelRatioF();
    Picture wanted;
    wanted.look = lookNumber_;
    const bool part = wantsPart();
    if (part) {
        const QRectF seen = wantedArea();
        const double x = seen.width() * kRim, y = seen.height() * kRim;
        wanted.area = seen.adjusted(-x, -y, x, y).intersected(picturedArea(zoom_));
        wanted.scale = zoom_ * ratio;
    } else if (whole_.look != lookNumber_) {
        const QRectF& bounds = scene_->graph.bounds;
        wanted.scale = std::min(1.0, kWholeSide / std::max(bounds.width(), bounds.height()));
        wanted.area = picturedArea(wanted.scale);
    } else {
        return;
    }
    if (wanted.area.isEmpty()) { // nothing of the scene is on the screen
        part_ = wanted;
        part_.area = wantedArea();
        return;
    }
    const bool sketched = part_.image.isNull() && whole_.image.isNull() &&
                          scene_->edges.holdsMore(wanted.area, kSketchedEdges);
    if (sketched) wanted.look = 0; // another one follows
    painter_.start([this, wanted, part, ratio, sketched, scene = scene_, look = look_,
                    number = sceneNumber_]() mutable -> LatestWork::Finish {
        const QSizeF size = wanted.area.size() * wanted.scale;
        wanted.image =
            QImage(std::max(1, int(std::ceil(size.width()))),
                   std::max(1, int(std::ceil(size.height()))), QImage::Format_ARGB32_Premultiplied);
        wanted.image.fill(look.theme.base);
        QPainter painter(&wanted.image);
        painter.scale(wanted.scale, wanted.scale);
        painter.translate(-wanted.area.topLeft());
        const ScenePainter drawing(*scene, look);
        const double scale = wanted.scale / (part ? ratio : 1);
        if (sketched)
            drawing.paintSketch(painter, wanted.area, scale);
        else
            drawing.paint(painter, wanted.area, scale);
        painter.end();
        return [this, wanted = std::move(wanted), part, number] {
            if (number != sceneNumber_) return;
            (part ? part_ : whole_) = wanted;
            update();
        };
    });
}

void GraphCanvas::paintPictures(QPainter& painter) {
    requestPicture();
    auto placed = [this](const QRectF& area) {
        return QRectF(area.topLeft() * zoom_ + offset_, area.size() * zoom_);
    };
    auto draw = [&](const Picture& picture) {
        if (picture.image.isNull()) return;
        const QRectF at = placed(picture.area);
        const double scale = zoom_ * devicePixelRatioF() / picture.scale;
        const QRectF seen = at.intersected(rect());
        if (seen.isEmpty()) return;
        if (scale == 1) { // no pixel is mixed of others
            QImage image = picture.image;
            image.setDevicePixelRatio(devicePixelRatioF());
            return painter.drawImage(at.topLeft().toPoint(), image);
        }
        const QRectF from((seen.topLeft() - at.topLeft()) / zoom_ * picture.scale,
                          seen.size() / zoom_ * picture.scale);
        painter.drawImage(seen, picture.image, from);
    };
    const QRectF seen = shownArea().intersected(scene_->graph.bounds);
    if (part_.image.isNull() || !part_.area.contains(seen)) draw(whole_);
    draw(part_);
    if (part_.image.isNull() && whole_.image.isNull()) {
        painter.setPen(look_.theme.muted);
        painter.drawText(rect(), Qt::AlignCenter, tr("Drawing the graph…"));
        return;
    }
    std::vector<int> above;
    if (part_.look != lookNumber_ && !look_.lights.empty()) {
        const QRectF area = wantedArea();
        for (size_t i = 0; i < look_.lights.size() && above.size() < kMostLit; ++i)
            if (look_.lights[i] >= Highlight::Direct &&
                scene_->graph.nodes[i].rect.intersects(area))
                above.push_back(static_cast<int>(i));
    }
    if (hovered_ >= 0) above.push_back(hovered_);
    if (above.empty()) return;
    painter.save();
    painter.translate(offset_);
    painter.scale(zoom_, zoom_);
    ScenePainter(*scene_, look_, hovered_).paintNodes(painter, above, zoom_);
    painter.restore();
}

void GraphCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), look_.theme.base);
    if (scene_->graph.nodes.empty()) {
        painter.setPen(look_.theme.muted);
        painter.drawText(rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         emptyText_);
        return paintFocus(painter);
    }
    seen_ = true;
    if (const auto show = std::exchange(atSight_, {})) show();
    if (lightsOld_) refreshLights();
    if (paintsItself()) {
        painter.save();
        painter.translate(offset_);
        painter.scale(zoom_, zoom_);
        ScenePainter(*scene_, look_, hovered_).paint(painter, wantedArea(), zoom_);
        painter.restore();
    } else {
        paintPictures(painter);
    }
    paintOverview(painter);
    paintFocus(painter);
}

/// As tables show it: where the keyboard is.
void GraphCanvas::paintFocus(QPainter& painter) const {
    constexpr int kWide = 2;
    if (hasFocus()) painter.fillRect(QRect(0, 0, kWide, height()), look_.theme.accent);
}

} // namespace cutaway::views
