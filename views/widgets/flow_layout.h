// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Lays widgets out in rows, as words in a paragraph. One that is wider than a row is squeezed; the
/// last may have what is left of its row, or all may be of one width that fills the rows.
#pragma once

#include <QLayout>
#include <QList>
#include <QWidget>
#include <algorithm>

namespace cutaway::views {

class FlowLayout : public QLayout {
public:
    FlowLayout(QWidget* parent, int margin, int gap, int rowGap)
        : QLayout(parent), gap_(gap), rowGap_(rowGap) {
        setContentsMargins(margin, rowGap, margin, rowGap);
    }
    ~FlowLayout() override { qDeleteAll(items_); }

    void addItem(QLayoutItem* item) override { items_ << item; }
    /// Before the item that is at \p index now.
    void insertWidget(int index, QWidget* widget) {
        addChildWidget(widget);
        items_.insert(index, new QWidgetItem(widget));
        invalidate();
    }
    void setLastWide(bool wide) { lastWide_ = wide; }
    void setEven(bool even) { even_ = even; }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override { return items_.value(index); }
    QLayoutItem* takeAt(int index) override {
        return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override {
        QSize size;
        for (const QLayoutItem* item : items_)
            size = size.expandedTo(item->minimumSize());
        QMargins m = contentsMargins();
        return size + QSize(m.left() + m.right(), m.top() + m.bottom());
    }
    void setGeometry(const QRect& rect) override {
        QLayout::setGeometry(rect);
        arrange(rect, true);
    }

private:
    int arrange(const QRect& rect, bool apply) const {
        QMargins m = contentsMargins();
        QRect inner = rect.marginsRemoved(m);
        int x = inner.x(), y = inner.y(), row = 0, widest = 1;
        for (QLayoutItem* item : items_) {
            row = std::max(row, item->sizeHint().height());
            widest = std::max(widest, item->sizeHint().width());
        }
        const int columns = std::max(1, (inner.width() + gap_) / (widest + gap_));
        const int even = (inner.width() + gap_) / columns - gap_;
        for (QLayoutItem* item : items_) {
            QSize size = item->sizeHint();
            size.setWidth(std::clamp(inner.width(), item->minimumSize().width(),
                                     std::max(size.width(), item->minimumSize().width())));
            if (even_) size.setWidth(even);
            if (x > inner.x() && x + size.width() > inner.x() + inner.width()) {
                x = inner.x();
                y += row + rowGap_;
            }
            if (lastWide_ && item == items_.back()) size.setWidth(inner.right() + 1 - x);
            if (apply) item->setGeometry(QRect(QPoint(x, y + (row - size.height()) / 2), size));
            x += size.width() + gap_;
        }
        return y + row + m.bottom() - rect.y();
    }

    QList<QLayoutItem*> items_;
    int gap_, rowGap_;
    bool lastWide_ = false, even_ = false;
};

} // namespace cutaway::views
