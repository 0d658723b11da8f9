// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Draws a Timeline: a lane below the other, the wheel zooms at the pointer, dragging moves, a
/// click selects a kernel. What shares a pixel is drawn once: a million spans cost as much as those
/// that can be told apart.
#pragma once

#include "views/models/timeline.h"
#include "views/widgets/chart.h"

#include <QFont>
#include <QHash>
#include <QStaticText>
#include <utility>

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
    /// The spans whose names hold a text stand out; empty: all do.
    struct Found {
        size_t count = 0;
        double us = 0; ///< of all of them together
    };
    Found find(const QString& text);
    /// Brings the next span of those into sight; behind the last comes the first.
    /// \returns it; null: there is none
    const Span* goToFound(bool forward);

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
    /// A span, beside those that are painted with it.
    struct Placed {
        double begin, end;
        int span;
        ItemId item;
        uint8_t look; ///< which of colors_
    };
    /// Calls \p paint for spans of \p lane that are on the screen, one for each pixel at least.
    template <typename F> void eachSeen(const std::vector<Placed>& lane, F paint) const;
    bool isLit(ItemId item) const;
    double nameWidth() const;
    void zoomAt(double x, double factor);
    void moveBy(double pixels);
    void paintAxis(QPainter& painter) const;
    void mixColors();
    void paintLane(QPainter& painter, const std::vector<Placed>& lane, const QRectF& area) const;
    void paintSpan(QPainter& painter, const Span& span, const QRectF& area) const;
    QRectF rectOf(const Span& span, const QRectF& area) const;
    const QStaticText& nameIn(const QString& name, int room) const;

    Timeline line_;
    std::vector<std::vector<Placed>> lanes_;      ///< spans by their begins, none over the next
    QHash<ItemId, std::vector<int>> spansOfItem_; ///< what can be lit
    std::vector<int> found_;                      ///< by their begins
    size_t foundAt_ = 0;                          ///< of these, from 1; 0: none was gone to
    double widestName_ = 0;
    std::vector<QColor> colors_; ///< of the theme, as mixColors() has it
    mutable QHash<std::pair<QString, int>, QStaticText> names_; ///< by the room that they have
    mutable QFont namesFont_;                                   ///< that they are laid out in
    bool dimmed_ = false;
    SelectionState* selection_ = nullptr;
    double from_ = 0, zoom_ = 1; ///< microsecond at the left rim; 1: all of it is on the screen
    QPointF pressed_;
    double fromAtPress_ = 0;
    bool dragging_ = false;
};

} // namespace cutaway::views
