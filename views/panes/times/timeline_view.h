// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Draws a Timeline: a lane below the other, the wheel zooms at the pointer, dragging moves, a
/// click selects a kernel.
#pragma once

#include "views/models/timeline.h"
#include "views/panes/times/chart.h"

namespace cutaway::views {

class TimelineView : public Chart {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    void setSelectionState(SelectionState* selection) { selection_ = selection; }
    /// \param dimmed it is not of what is shown
    void setTimeline(Timeline line, bool dimmed);
    const Timeline& timeline() const { return line_; }
    /// Where a span is on the screen.
    QRectF rectOf(const Span& span) const;
    void fit();

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plot() const;
    const Span* spanAt(QPointF at) const;
    void zoomAt(double x, double factor);
    void moveBy(double pixels);
    void paintAxis(QPainter& painter) const;
    void paintSpan(QPainter& painter, const Span& span) const;

    Timeline line_;
    bool dimmed_ = false;
    SelectionState* selection_ = nullptr;
    double from_ = 0, zoom_ = 1; ///< microsecond at the left rim; 1: all of it is on the screen
    QPointF pressed_;
    double fromAtPress_ = 0;
    bool dragging_ = false;
};

} // namespace cutaway::views
