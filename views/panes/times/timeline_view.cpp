// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/times/timeline_view.h"

#include "views/models/format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

namespace {
constexpr double kLane = 26, kLaneGap = 6, kNames = 84, kAxis = 22, kMostZoom = 1e5;
constexpr double kLeastTick = 90; ///< pixels from one number of the axis to the next
} // namespace

TimelineView::TimelineView(QWidget* parent) : Chart(parent) {
    setMinimumSize(160, 80);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
}

void TimelineView::setTimeline(Timeline line, bool dimmed) {
    line_ = std::move(line);
    dimmed_ = dimmed;
    fit();
}

void TimelineView::fit() {
    from_ = 0;
    zoom_ = 1;
    update();
}

QRectF TimelineView::plot() const {
    return QRectF(rect()).adjusted(kNames, kAxis, -10, -8);
}

QRectF TimelineView::rectOf(const Span& span) const {
    const QRectF area = plot();
    const double scale = line_.us > 0 ? area.width() * zoom_ / line_.us : 0;
    return {area.left() + (span.begin - from_) * scale, area.top() + span.lane * (kLane + kLaneGap),
            std::max(1.0, span.us * scale), kLane};
}

const Span* TimelineView::spanAt(QPointF at) const {
    if (!plot().contains(at)) return nullptr;
    for (const Span& span : line_.spans)
        if (rectOf(span).contains(at)) return &span;
    return nullptr;
}

void TimelineView::moveBy(double pixels) {
    const double seen = line_.us / zoom_;
    from_ = std::clamp(from_ + pixels * seen / plot().width(), 0.0, std::max(0.0, line_.us - seen));
    update();
}

void TimelineView::zoomAt(double x, double factor) {
    const double share = std::clamp((x - plot().left()) / plot().width(), 0.0, 1.0);
    const double at = from_ + share * line_.us / zoom_;
    zoom_ = std::clamp(zoom_ * factor, 1.0, kMostZoom);
    from_ = at - share * line_.us / zoom_;
    moveBy(0);
}

/// Numbers at round places.
void TimelineView::paintAxis(QPainter& painter) const {
    const QRectF area = plot();
    const double seen = line_.us / zoom_, wanted = seen * kLeastTick / area.width();
    double step = std::pow(10, std::floor(std::log10(wanted)));
    while (step < wanted)
        step *= step * 2 >= wanted ? 2 : step * 5 >= wanted ? 5 : 10;
    for (double us = std::ceil(from_ / step) * step; us <= from_ + seen; us += step) {
        const double x = area.left() + (us - from_) / seen * area.width();
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(x, area.top() - 4), QPointF(x, area.bottom()));
        painter.setPen(theme_.muted);
        const QString text = us > 0 ? format::microseconds(us) : QStringLiteral("0");
        if (x + painter.fontMetrics().horizontalAdvance(text) / 2.0 > width()) continue;
        painter.drawText(QRectF(x - 60, 0, 120, kAxis - 4), Qt::AlignHCenter | Qt::AlignBottom,
                         text);
    }
}

void TimelineView::paintSpan(QPainter& painter, const Span& span) const {
    const QRectF box = rectOf(span).intersected(plot());
    if (box.isEmpty()) return;
    const Highlight level =
        selection_ && span.item != kNoItem ? selection_->level(span.item) : Highlight::None;
    QColor fill = span.kind == Span::Kind::Rest    ? theme_.faint
                  : span.kind == Span::Kind::Pass  ? theme_.kind(OpKind::View)
                  : span.kind == Span::Kind::Lines ? theme_.kind(OpKind::Reduction)
                                                   : theme_.kind(OpKind::Pointwise);
    fill.setAlphaF(dimmed_ ? 0.12 : 0.30);
    if (level >= Highlight::Direct) fill = theme_.highlight(level);
    if (box.width() < 3)
        return painter.fillRect(box, level >= Highlight::Direct ? theme_.mark : fill);
    QColor rim = level >= Highlight::Direct ? theme_.mark : theme_.base;
    painter.setPen(QPen(rim, level >= Highlight::Direct ? 1.8 : 1)); // parts it from the next
    painter.setBrush(fill);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    if (box.width() < 30) return;
    painter.setPen(dimmed_ ? theme_.faint : theme_.text);
    painter.drawText(box.adjusted(4, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(span.name, Qt::ElideMiddle,
                                                      static_cast<int>(box.width()) - 8));
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!begin(painter, line_.spans.empty() || line_.us <= 0)) return;
    paintAxis(painter);
    painter.setPen(theme_.muted);
    for (int lane = 0; lane < line_.lanes.size(); ++lane)
        painter.drawText(
            QRectF(6, plot().top() + lane * (kLane + kLaneGap), kNames - 12, kLane),
            Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(line_.lanes[lane], Qt::ElideRight, int(kNames) - 12));
    for (const Span& span : line_.spans)
        paintSpan(painter, span);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ShiftModifier) return moveBy(-event->angleDelta().y());
    zoomAt(event->position().x(), std::pow(1.002, event->angleDelta().y()));
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->position();
    fromAtPress_ = from_;
    dragging_ = false;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    const double moved = event->position().x() - pressed_.x();
    if (!dragging_ && std::abs(moved) < 5) return;
    dragging_ = true;
    from_ = fromAtPress_;
    moveBy(-moved);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (dragging_ || !selection_ || event->button() != Qt::LeftButton) return;
    const Span* span = spanAt(event->position());
    if (span && span->item != kNoItem) selection_->select({span->item}, this);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent*) {
    fit();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(plot().center().x(), 1.5);
    case Qt::Key_Minus:
        return zoomAt(plot().center().x(), 1 / 1.5);
    case Qt::Key_Left:
        return moveBy(-plot().width() / 10);
    case Qt::Key_Right:
        return moveBy(plot().width() / 10);
    case Qt::Key_Space:
        return fit();
    default:
        QWidget::keyPressEvent(event);
    }
}

bool TimelineView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    if (const Span* span = spanAt(help->pos()))
        QToolTip::showText(help->globalPos(),
                           tr("%1\n%2, %3 % of all")
                               .arg(span->name, format::microseconds(span->us),
                                    QString::number(100 * span->us / line_.us, 'f', 1)),
                           this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace cutaway::views
