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
        cells_.assign(static_cast<size_t>(columns_) * static_cast<size_t>(rows_), {});
        stamp_.assign(rects.size(), 0);
        for (size_t i = 0; i < rects.size(); ++i)
            each(rects[i], [&](std::vector<int>& cell) { cell.push_back(static_cast<int>(i)); });
    }

    /// Indices whose cells touch \p area, each once, in ascending order.
    std::vector<int> query(const QRectF& area) {
        std::vector<int> found;
        ++now_;
        if (cells_.empty() || !bounds_.intersects(area)) return found;
        each(area, [&](std::vector<int>& cell) {
            for (int index : cell)
                if (stamp_[static_cast<size_t>(index)] != now_) {
                    stamp_[static_cast<size_t>(index)] = now_;
                    found.push_back(index);
                }
        });
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    template <typename F> void each(const QRectF& area, F visit) {
        auto clampTo = [](double v, int most) {
            return std::clamp(static_cast<int>(std::floor(v)), 0, most - 1);
        };
        int left = clampTo((area.left() - bounds_.left()) / cell_, columns_);
        int right = clampTo((area.right() - bounds_.left()) / cell_, columns_);
        int top = clampTo((area.top() - bounds_.top()) / cell_, rows_);
        int bottom = clampTo((area.bottom() - bounds_.top()) / cell_, rows_);
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x)
                visit(cells_[static_cast<size_t>(y) * static_cast<size_t>(columns_) +
                             static_cast<size_t>(x)]);
    }

    QRectF bounds_;
    double cell_ = 64;
    int columns_ = 0, rows_ = 0;
    std::vector<std::vector<int>> cells_;
    std::vector<uint32_t> stamp_;
    uint32_t now_ = 0;
};

} // namespace cutaway::views
