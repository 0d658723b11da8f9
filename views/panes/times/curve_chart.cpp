// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/times/curve_chart.h"

#include "views/models/format.h"
#include "views/models/significance.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::views {

CurveChart::CurveChart(QWidget* parent) : Chart(parent) {
    setMinimumSize(160, 100);
    setAccessibleName(tr("Times over sizes or threads"));
}

void CurveChart::setCurves(Curves curves) {
    curves_ = std::move(curves);
    double low = 1e300, high = 0;
    for (const Curves::One& curve : curves_.curves)
        for (const CurvePoint& point : curve.points)
            low = std::min(low, point.low), high = std::max(high, point.high);
    if (high > 0) {
        low_ = std::floor(std::log10(low));
        high_ = std::max(low_ + 1, std::ceil(std::log10(high) + 1e-9));
    }
    update();
}

QRectF CurveChart::plot() const {
    return QRectF(rect()).adjusted(72, 28, -24, -46);
}

QPointF CurveChart::place(const CurvePoint& point, double us) const {
    const QRectF area = plot();
    const double steps = std::max<double>(1, double(curves_.places.size()) - 1);
    return {area.left() + point.place / steps * area.width(),
            area.bottom() - (std::log10(us) - low_) / (high_ - low_) * area.height()};
}

void CurveChart::paintAxes(QPainter& painter) const {
    const QRectF area = plot();
    for (double power = low_; power <= high_; ++power) {
        const double y = place({}, std::pow(10, power)).y();
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme_.muted);
        painter.drawText(QRectF(0, y - 9, area.left() - 6, 18), Qt::AlignRight | Qt::AlignVCenter,
                         format::microseconds(std::pow(10, power)));
    }
    for (int i = 0; i < curves_.places.size(); ++i) {
        const double x = place({i, 1, 1, 1}, 1).x();
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(theme_.muted);
        painter.drawText(QRectF(x - 60, area.bottom() + 5, 120, 18), Qt::AlignHCenter,
                         curves_.places[i]);
    }
    const QRectF below(8, area.bottom() + 24, width() - 16, 18);
    painter.drawText(below, Qt::AlignCenter,
                     painter.fontMetrics().elidedText(curves_.across, Qt::ElideRight,
                                                      static_cast<int>(below.width())));
}

/// Backends are told apart by their dashes and their names, not by colours alone.
void CurveChart::paintCurve(QPainter& painter, const Curves::One& curve, int number) const {
    const std::array colours{theme_.kind(OpKind::Pointwise), theme_.kind(OpKind::Matmul),
                             theme_.kind(OpKind::Reduction)};
    const std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    const auto style = static_cast<size_t>(number) % dashes.size();
    const QPen line(colours[style], 2, dashes[style]);
    for (size_t i = 1; i < curve.points.size(); ++i) {
        painter.setPen(line);
        painter.drawLine(place(curve.points[i - 1], curve.points[i - 1].us),
                         place(curve.points[i], curve.points[i].us));
    }
    for (const CurvePoint& point : curve.points) {
        painter.setPen(QPen(colours[style], 1.2));
        painter.drawLine(place(point, point.low), place(point, point.high));
        const bool disturbed = !point.disturbed.isEmpty();
        painter.setBrush(disturbed ? theme_.base : colours[style]);
        if (disturbed) painter.setPen(QPen(theme_.warning, 2));
        painter.drawEllipse(place(point, point.us), 3.5, 3.5);
        painter.setPen(disturbed ? theme_.warning : theme_.text);
        const QString time = format::microseconds(point.us);
        const QString words = disturbed ? disturbedText(time) : time;
        // The second curve's numbers stand below it, the last ones within the chart.
        QRectF text(place(point, point.us) + QPointF(6, number % 2 ? 3 : -18),
                    QSizeF(painter.fontMetrics().horizontalAdvance(words) + 4, 16));
        const bool last = text.right() > width();
        if (last) text.moveRight(place(point, point.us).x() - 6);
        painter.drawText(text, (last ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, words);
    }
    const double left = plot().left() + number * 130;
    painter.setPen(line);
    painter.drawLine(QPointF(left, 13), QPointF(left + 26, 13));
    painter.setPen(theme_.text);
    painter.drawText(QRectF(left + 32, 4, 96, 18), Qt::AlignLeft | Qt::AlignVCenter, curve.backend);
}

void CurveChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!begin(painter, curves_.curves.empty())) return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    for (size_t i = 0; i < curves_.curves.size(); ++i)
        paintCurve(painter, curves_.curves[i], static_cast<int>(i));
}

} // namespace cutaway::views
