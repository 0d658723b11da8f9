// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Draws a Timeline: a lane below the other, the wheel zooms at the pointer, dragging moves, a
/// click selects a kernel. What shares a pixel is drawn once: a million spans cost as much as those
/// that can be told apart.
#pragma once

#include "views/models/timeline.h"
#include "views/widgets/chart.h"

#include <QHash>

namespace cutaway::views {

class TimelineView : public Chart {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    void setSelectionState(SelectionState* selection) { selection_ = selection; }
    /// \param dimmed it is not of what is shown
    void setTimeline(Timeline line, bool dimmed);
    const Timeline& timeline() const { return line_; }
    /// How high all lanes are together.
    int wantedHeight() const;
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
    /// Calls \p paint for spans of \p lane that are on the screen, one for each pixel at least.
    template <typename F> void eachSeen(const std::vector<int>& lane, F paint) const;
    bool isLit(const Span& span) const;
    double nameWidth() const;
    void zoomAt(double x, double factor);
    void moveBy(double pixels);
    void paintAxis(QPainter& painter) const;
    void paintSpan(QPainter& painter, const Span& span, const QRectF& area) const;
    QRectF rectOf(const Span& span, const QRectF& area) const;

    Timeline line_;
    std::vector<std::vector<int>> lanes_;         ///< spans by their begins, none over the next
    QHash<ItemId, std::vector<int>> spansOfItem_; ///< what can be lit
    double widestName_ = 0;
    bool dimmed_ = false;
    SelectionState* selection_ = nullptr;
    double from_ = 0, zoom_ = 1; ///< microsecond at the left rim; 1: all of it is on the screen
    QPointF pressed_;
    double fromAtPress_ = 0;
    bool dragging_ = false;
};

} // namespace cutaway::views
