// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Times over sizes or threads, a curve for each backend; the axis of times by powers of ten.
#pragma once

#include "views/models/sweep.h"
#include "views/widgets/chart.h"

namespace cutaway::views {

class CurveChart : public Chart {
    Q_OBJECT
public:
    explicit CurveChart(QWidget* parent = nullptr);
    void setCurves(Curves curves);
    const Curves& curves() const { return curves_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plot() const;
    QPointF place(const CurvePoint& point, double us) const;
    void paintAxes(QPainter& painter) const;
    void paintCurve(QPainter& painter, const Curves::One& curve, int number) const;

    Curves curves_;
    double low_ = 0, high_ = 1; ///< powers of ten of a microsecond
};

} // namespace cutaway::views
