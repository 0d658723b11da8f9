// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Uniform grid over rectangles: which of ten thousand are on the screen.
#pragma once

#include <QRectF>
#include <algorithm>
#include <cmath>
#include <vector>

namespace cutaway::views {

class SpatialGrid {
public:
    void build(const std::vector<QRectF>& rects) {
        bounds_ = {};
        for (const QRectF& rect : rects)
            bounds_ |= rect;
        // About four rectangles a cell; a long chain gets a column of cells, not a square of them.
        double area = std::max(1.0, bounds_.width()) * std::max(1.0, bounds_.height());
        cell_ = std::max(64.0, std::sqrt(area * 4 / std::max<size_t>(1, rects.size())));
        columns_ = std::max(1, static_cast<int>(std::ceil(bounds_.width() / cell_)));
        rows_ = std::max(1, static_cast<int>(std::ceil(bounds_.height() / cell_)));
        count_ = rects.size();
        cells_.assign(static_cast<size_t>(columns_) * static_cast<size_t>(rows_), {});
        for (size_t i = 0; i < rects.size(); ++i)
            forCells(rects[i], [&](size_t cell) { cells_[cell].push_back(static_cast<int>(i)); });
    }

    /// Indices whose cells touch \p area, each once, in ascending order.
    std::vector<int> query(const QRectF& area) const {
        std::vector<int> found;
        if (cells_.empty() || !bounds_.intersects(area)) return found;
        each(area, [&](const std::vector<int>& cell) {
            found.insert(found.end(), cell.begin(), cell.end());
        });
        // What is long stands in many cells: sorting would take longer than looking at all.
        if (found.size() > count_ / 8) {
            std::vector<bool> seen(count_);
            for (int index : found)
                seen[static_cast<size_t>(index)] = true;
            found.clear();
            for (size_t i = 0; i < count_; ++i)
                if (seen[i]) found.push_back(static_cast<int>(i));
            return found;
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    /// Whether more than \p most stand in the cells that touch \p area; one in several cells counts
    /// several times.
    bool holdsMore(const QRectF& area, size_t most) const {
        size_t held = 0;
        if (!cells_.empty() && bounds_.intersects(area))
            each(area, [&](const std::vector<int>& cell) { held += cell.size(); });
        return held > most;
    }

private:
    template <typename F> void each(const QRectF& area, F visit) const {
        forCells(area, [&](size_t cell) { visit(cells_[cell]); });
    }
    template <typename F> void forCells(const QRectF& area, F visit) const {
        auto clampTo = [](double v, int most) {
            return std::clamp(static_cast<int>(std::floor(v)), 0, most - 1);
        };
        int left = clampTo((area.left() - bounds_.left()) / cell_, columns_);
        int right = clampTo((area.right() - bounds_.left()) / cell_, columns_);
        int top = clampTo((area.top() - bounds_.top()) / cell_, rows_);
        int bottom = clampTo((area.bottom() - bounds_.top()) / cell_, rows_);
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x)
                visit(static_cast<size_t>(y) * static_cast<size_t>(columns_) +
                      static_cast<size_t>(x));
    }

    QRectF bounds_;
    double cell_ = 64;
    int columns_ = 0, rows_ = 0;
    size_t count_ = 0;
    std::vector<std::vector<int>> cells_;
};

} // namespace cutaway::views
