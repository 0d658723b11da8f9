// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/times/roofline_chart.h"

#include "views/models/format.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

namespace {
constexpr double kDot = 5, kNear = 9;

QRectF dotAt(QPointF middle) {
    return {middle - QPointF(kDot, kDot), middle + QPointF(kDot, kDot)};
}
} // namespace

RooflineChart::RooflineChart(QWidget* parent) : Chart(parent) {
    setMinimumSize(160, 100);
    setAccessibleName(tr("Roofline"));
}

void RooflineChart::setPoints(std::vector<RooflinePoint> points, const Ceilings& ceilings,
                              bool dimmed) {
    points_ = std::move(points);
    ceilings_ = ceilings;
    dimmed_ = dimmed;
    chooseAxes();
    update();
}

void RooflineChart::setArrow(std::optional<RooflineArrow> arrow) {
    arrow_ = std::move(arrow);
    chooseAxes();
    update();
}

/// Whole powers of ten around all that is drawn.
void RooflineChart::chooseAxes() {
    double left = 1e300, right = 0, low = 1e300, high = 0;
    auto hold = [&](double intensity, double rate) {
        left = std::min(left, intensity), right = std::max(right, intensity);
        low = std::min(low, rate), high = std::max(high, rate);
    };
    for (const RooflinePoint& point : points_)
        hold(point.intensity, point.flopsPerSecond);
    if (arrow_)
        for (const RooflinePoint* point : {&arrow_->eager, &arrow_->compiled})
            hold(point->intensity, point->flopsPerSecond);
    if (ceilings_.known()) {
        const double ridge = ceilings_.flopsPerSecond / ceilings_.bytesPerSecond;
        hold(ridge * 2, ceilings_.flopsPerSecond * 1.5);
        hold(ridge / 20, ceilings_.flopsPerSecond / 20);
    }
    if (high <= 0) return;
    left_ = std::floor(std::log10(left)), right_ = std::ceil(std::log10(right) + 1e-9);
    low_ = std::floor(std::log10(low)), high_ = std::ceil(std::log10(high) + 1e-9);
    right_ = std::max(right_, left_ + 1), high_ = std::max(high_, low_ + 1);
}

QRectF RooflineChart::plot() const {
    return QRectF(rect()).adjusted(84, 14, -16, -40);
}

QPointF RooflineChart::place(double intensity, double flopsPerSecond) const {
    const QRectF area = plot();
    return {area.left() + (std::log10(intensity) - left_) / (right_ - left_) * area.width(),
            area.bottom() - (std::log10(flopsPerSecond) - low_) / (high_ - low_) * area.height()};
}

QPointF RooflineChart::placeOf(const RooflinePoint& point) const {
    return place(point.intensity, point.flopsPerSecond);
}

const RooflinePoint* RooflineChart::pointAt(QPointF at) const {
    const RooflinePoint* nearest = nullptr;
    double best = kNear;
    for (const RooflinePoint& point : points_) {
        const QPointF d = placeOf(point) - at;
        if (std::hypot(d.x(), d.y()) >= best) continue;
        best = std::hypot(d.x(), d.y());
        nearest = &point;
    }
    if (arrow_ && !nearest)
        for (const RooflinePoint* point : {&arrow_->eager, &arrow_->compiled})
            if (const QPointF d = placeOf(*point) - at; std::hypot(d.x(), d.y()) < kNear)
                return point;
    return nearest;
}

void RooflineChart::paintAxes(QPainter& painter) const {
    const QRectF area = plot();
    for (double x = left_; x <= right_; ++x) {
        const double at = place(std::pow(10, x), 1).x();
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
        painter.setPen(theme_.muted);
        painter.drawText(QRectF(at - 40, area.bottom() + 3, 80, 16), Qt::AlignHCenter,
                         QString::number(std::pow(10, x), 'g', 4));
    }
    for (double y = low_; y <= high_; ++y) {
        const double at = place(1, std::pow(10, y)).y();
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
        painter.setPen(theme_.muted);
        painter.drawText(QRectF(0, at - 9, area.left() - 6, 18), Qt::AlignRight | Qt::AlignVCenter,
                         format::flops(std::pow(10, y)) + "/s");
    }
    painter.drawText(QRectF(area.left(), area.bottom() + 19, area.width(), 18), Qt::AlignCenter,
                     tr("operations for each byte read or written"));
}

/// Up along the memory's bandwidth to where the arithmetic ends it. \returns where its words stand
QRectF RooflineChart::paintCeilings(QPainter& painter) const {
    if (!ceilings_.known()) return {};
    const double ridge = ceilings_.flopsPerSecond / ceilings_.bytesPerSecond;
    const double first = std::pow(10, left_), last = std::pow(10, right_);
    painter.save();
    painter.setClipRect(plot());
    painter.setPen(QPen(theme_.warning, 2));
    painter.drawLine(place(first, first * ceilings_.bytesPerSecond),
                     place(ridge, ceilings_.flopsPerSecond));
    painter.drawLine(place(ridge, ceilings_.flopsPerSecond), place(last, ceilings_.flopsPerSecond));
    painter.restore();
    painter.setPen(theme_.warning);
    const QRectF area = plot();
    const double top = place(ridge, ceilings_.flopsPerSecond).y();
    const QString words = tr("%1/s, %2")
                              .arg(format::flops(ceilings_.flopsPerSecond),
                                   format::bandwidth(ceilings_.bytesPerSecond));
    const double wide = painter.fontMetrics().horizontalAdvance(words) + 2;
    const QRectF label(area.right() - 4 - wide, top - 18, wide, 16);
    painter.drawText(label, Qt::AlignRight | Qt::AlignBottom, words);
    return label;
}

/// Beside the dot, or above or below it, within the plot and off what is \p taken; empty: nowhere.
QRectF RooflineChart::placeOfName(QPointF at, double wide, const std::vector<QRectF>& taken) const {
    constexpr double kAway = 9, kHigh = 18;
    // Not over the numbers of the axes.
    const QRectF room(plot().left(), 0, width() - plot().left(), plot().bottom());
    const QPointF corners[] = {{at.x() + kAway, at.y() - kHigh / 2},
                               {at.x() - kAway - wide, at.y() - kHigh / 2},
                               {at.x() - wide / 2, at.y() - kAway - kHigh},
                               {at.x() - wide / 2, at.y() + kAway}};
    for (const QPointF& corner : corners) {
        const QRectF name(corner, QSizeF(wide, kHigh));
        if (room.contains(name) && std::ranges::none_of(taken, [&](const QRectF& other) {
                return other.intersects(name);
            }))
            return name;
    }
    return {};
}

/// Squares, since these are no kernels. \param taken where no name may lie; these names are added
void RooflineChart::paintArrow(QPainter& painter, std::vector<QRectF>& taken) {
    const QPointF from = placeOf(arrow_->eager), to = placeOf(arrow_->compiled);
    const bool disturbed = arrow_->eager.disturbed || arrow_->compiled.disturbed;
    const QColor color = dimmed_ ? theme_.faint : disturbed ? theme_.warning : theme_.accent;
    painter.setPen(QPen(color, 2));
    painter.setBrush(theme_.base);
    const QPointF corner(kDot, kDot);
    const QPointF way = to - from;
    const double length = std::hypot(way.x(), way.y());
    if (length > 4 * kDot) {
        const QPointF ahead = way / length, side(-ahead.y(), ahead.x());
        const QPointF tip = to - ahead * (kDot + 3), base = tip - ahead * 9;
        painter.drawLine(from, base);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF{tip, base + side * 5, base - side * 5});
        painter.setBrush(theme_.base);
    }
    painter.drawRect(QRectF(from - corner, from + corner));
    painter.setBrush(color);
    painter.drawRect(QRectF(to - corner, to + corner));
    taken.push_back(dotAt(to));
    for (double part = 0; part < length; part += kDot) // no name on the way
        taken.push_back(dotAt(from + way / length * part));
    for (const RooflinePoint* point : {&arrow_->eager, &arrow_->compiled}) {
        const double wide = painter.fontMetrics().horizontalAdvance(point->kernel) + 2;
        const QRectF label = placeOfName(placeOf(*point), wide, taken);
        if (label.isEmpty()) continue; // its tooltip tells it
        taken.push_back(label);
        names_.push_back(label);
        painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, point->kernel);
    }
}

void RooflineChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!begin(painter, points_.empty())) return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    names_.clear();
    std::vector<QRectF> taken{paintCeilings(painter)}; // so that no name lies on anything
    for (const RooflinePoint& point : points_)
        taken.push_back(dotAt(placeOf(point)));
    if (arrow_) paintArrow(painter, taken);
    const auto levelOf = [this](const RooflinePoint& point) {
        return selection_ && point.item != kNoItem ? selection_->level(point.item)
                                                   : Highlight::None;
    };
    std::vector<RooflinePoint> inOrder = points_; // what is lit has its name before others
    std::ranges::stable_partition(
        inOrder, [&](const RooflinePoint& point) { return levelOf(point) >= Highlight::Direct; });
    for (const RooflinePoint& point : inOrder) {
        const QPointF at = placeOf(point);
        const Highlight level = levelOf(point);
        QColor fill = point.disturbed ? theme_.warning : theme_.kind(OpKind::Pointwise);
        if (dimmed_) fill.setAlphaF(0.35);
        const bool lit = level >= Highlight::Direct;
        const bool open = point.disturbed && !lit; // a ring: told without its colour, too
        painter.setPen(QPen(lit ? theme_.mark : open ? fill : theme_.base, lit || open ? 2 : 1));
        painter.setBrush(lit ? theme_.highlight(level) : open ? theme_.base : fill);
        painter.drawEllipse(at, kDot + (lit ? 2 : 0), kDot + (lit ? 2 : 0));
        const QString text = painter.fontMetrics().elidedText(point.kernel, Qt::ElideMiddle, 150);
        const double wide = painter.fontMetrics().horizontalAdvance(text) + 2;
        const QRectF name = placeOfName(at, wide, taken);
        if (name.isEmpty()) continue; // its tooltip tells it
        taken.push_back(name);
        names_.push_back(name);
        painter.setPen(dimmed_ ? theme_.faint : theme_.text);
        painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

void RooflineChart::mousePressEvent(QMouseEvent* event) {
    const RooflinePoint* point = pointAt(event->position());
    if (point && point->item != kNoItem && selection_) selection_->select({point->item}, this);
}

bool RooflineChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    if (const RooflinePoint* point = pointAt(help->pos()))
        QToolTip::showText(help->globalPos(), explained(*point, ceilings_), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace cutaway::views
