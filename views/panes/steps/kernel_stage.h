// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A kernel's loops beside the elements that they touch: the line that is carried out, and each
/// buffer as a grid in which reads, writes and sums light up and stay marked, with a stroke where
/// another cache line begins.
#pragma once

#include "views/models/stories.h"
#include "views/widgets/theme.h"

#include <QWidget>

namespace cutaway::views {

class KernelStage : public QWidget {
    Q_OBJECT
public:
    /// What an element had done to it before.
    static QColor wasRead(const Theme& theme);
    static QColor wasWritten(const Theme& theme);
    explicit KernelStage(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setStory(KernelStory story);
    const KernelStory& story() const { return story_; }
    void setMoment(int moment);
    QSize sizeHint() const override { return {420, 320}; }
    /// Every buffer has a place in sight.
    bool showsAllBuffers() const;
    /// What is touched now is in sight, also where others are not.
    bool showsTouched() const;
    /// What is said of each buffer is whole.
    bool showsTitles() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// A buffer's elements that the story touches: rows by all coordinates but the last.
    struct Grid {
        std::vector<std::vector<int64_t>> rows;
        std::vector<int64_t> columns;
        bool computed = false;          ///< some places only values could tell
        std::vector<bool> beginsLine;   ///< of cache: whether one begins at a place, by rows
        std::vector<size_t> cacheLines; ///< touched by each moment
        size_t rowOf(const KernelStory::Touch& touch) const;
        size_t columnOf(const KernelStory::Touch& touch) const;
    };
    struct Areas {
        QRectF loops, buffers;
    };
    Areas areasOf() const;
    double gridWidth(size_t buffer, double cell) const;
    QString titleOf(size_t buffer, size_t cacheLines) const;
    double titleWidth(size_t buffer) const;
    std::vector<QRectF> placesOf(double width, double cell) const;
    double heightOfBuffers(double width, double cell) const;
    double scrolledBy(const std::vector<QRectF>& places, double room) const;
    static double lineHeight(); ///< of the loops
    void paintLoops(QPainter& painter, const QRectF& area) const;
    void paintGrid(QPainter& painter, size_t buffer, const QRectF& area, double cell) const;
    double heightOf(size_t buffer, double cell) const;
    double labelWidth(size_t buffer) const;
    void findCacheLines(size_t buffer);

    KernelStory story_;
    std::vector<Grid> grids_;
    size_t moment_ = 0;
    Theme theme_;
};

} // namespace cutaway::views
