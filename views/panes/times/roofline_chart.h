// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Kernels over their intensity, both axes by powers of ten, below what the machine reaches.
#pragma once

#include "views/models/roofline.h"
#include "views/widgets/chart.h"

namespace cutaway::views {

class RooflineChart : public Chart {
    Q_OBJECT
public:
    explicit RooflineChart(QWidget* parent = nullptr);
    void setSelectionState(SelectionState* selection) { selection_ = selection; }
    /// \param dimmed the points are not of what is shown
    void setPoints(std::vector<RooflinePoint> points, const Ceilings& ceilings, bool dimmed);
    /// From eager mode to compiled.
    void setArrow(std::optional<RooflineArrow> arrow);
    const std::optional<RooflineArrow>& arrow() const { return arrow_; }
    const std::vector<RooflinePoint>& points() const { return points_; }
    const Ceilings& ceilings() const { return ceilings_; }
    /// Where a kernel is on the screen.
    QPointF placeOf(const RooflinePoint& point) const;
    /// Where names stand that were painted last.
    const std::vector<QRectF>& names() const { return names_; }
    /// Without the numbers of the axes.
    QRectF plot() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    QPointF place(double intensity, double flopsPerSecond) const;
    const RooflinePoint* pointAt(QPointF at) const;
    void chooseAxes();
    void paintAxes(QPainter& painter) const;
    QRectF paintCeilings(QPainter& painter) const;
    QRectF placeOfName(QPointF at, double wide, const std::vector<QRectF>& taken) const;
    void paintArrow(QPainter& painter, std::vector<QRectF>& taken);

    std::vector<RooflinePoint> points_;
    std::optional<RooflineArrow> arrow_;
    std::vector<QRectF> names_;
    Ceilings ceilings_;
    bool dimmed_ = false;
    double left_ = -1, right_ = 1, low_ = 8, high_ = 12; ///< powers of ten
    SelectionState* selection_ = nullptr;
};

} // namespace cutaway::views
