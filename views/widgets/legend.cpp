// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/legend.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace cutaway::views {

namespace {
constexpr int kMargin = 8, kLeastChip = 14, kGap = 12, kInset = 5;

QFont letterFont(QFont font) {
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 0.8);
    return font;
}

/// A side of a chip: as its letter needs.
int chipSide(const QFont& font) {
    return std::max(kLeastChip, QFontMetrics(letterFont(font)).horizontalAdvance('M') + 3);
}
} // namespace

Legend::Legend(QWidget* parent) : QWidget(parent), theme_(lightTheme()) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Legend"));
}

void Legend::setFilters(bool filters) {
    filters_ = filters;
    setFocusPolicy(filters ? Qt::TabFocus : Qt::NoFocus);
    setToolTip(filters ? tr("Click a colour to put its nodes back or forth") : QString());
}

void Legend::setEntries(std::vector<LegendEntry> entries, const QString& summary) {
    entries_ = std::move(entries);
    summary_ = summary;
    off_.removeIf([this](const QString& text) {
        return std::none_of(entries_.begin(), entries_.end(),
                            [&](const LegendEntry& entry) { return entry.text == text; });
    });
    current_ = 0;
    setVisible(!entries_.empty() || !summary_.isEmpty());
    updateGeometry();
    update();
}

bool Legend::isOff(int id) const {
    for (const LegendEntry& entry : entries_)
        if (entry.id == id) return off_.contains(entry.text);
    return false;
}

void Legend::toggle(int index) {
    if (!filters_ || index < 0 || static_cast<size_t>(index) >= entries_.size()) return;
    current_ = index;
    const QString& text = entries_[static_cast<size_t>(index)].text;
    if (!off_.removeOne(text)) off_ << text;
    update();
    emit filterChanged();
}

void Legend::paintEntry(QPainter& painter, size_t index, const QRect& place) const {
    const LegendEntry& entry = entries_[index];
    const bool off = off_.contains(entry.text);
    const int side = chipSide(font());
    QRectF chip(place.left(), place.top() + (place.height() - side) / 2.0, side, side);
    const bool hollow = entry.dashed || off;
    painter.setPen(hollow ? QPen(entry.color, 1.2, entry.dashed ? Qt::DashLine : Qt::SolidLine)
                          : Qt::NoPen);
    painter.setBrush(hollow ? Qt::NoBrush : QBrush(entry.color));
    painter.drawRoundedRect(chip, 3, 3);
    QFont font = this->font();
    painter.setFont(letterFont(font));
    painter.setPen(off ? theme_.muted : theme_.on(entry.color));
    painter.drawText(chip, Qt::AlignCenter, entry.letter);
    font.setStrikeOut(off);
    painter.setFont(font);
    painter.setPen(theme_.muted);
    painter.drawText(place.adjusted(side + kInset, 0, 0, 0), Qt::AlignVCenter, entry.text);
    if (filters_ && hasFocus() && current_ == static_cast<int>(index)) {
        painter.setPen(theme_.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(place.adjusted(-3, 0, 3, -1), 3, 3);
    }
}

int Legend::arrange(int width, QPainter* painter) const {
    QFontMetrics metrics(font());
    int row = metrics.height() + 6, x = kMargin, y = 3;
    auto advance = [&](int needed) {
        if (x > kMargin && x + needed > width - kMargin) {
            x = kMargin;
            y += row;
        }
    };
    if (painter) places_.clear();
    for (size_t i = 0; i < entries_.size(); ++i) {
        int needed = chipSide(font()) + kInset + metrics.horizontalAdvance(entries_[i].text);
        advance(needed);
        if (painter) {
            places_ << QRect(x, y, needed, row);
            paintEntry(*painter, i, places_.back());
        }
        x += needed + kGap;
    }
    if (!summary_.isEmpty()) advance(metrics.horizontalAdvance(summary_) + 2);
    if (painter) {
        painter->setFont(font());
        painter->setPen(theme_.muted);
        painter->drawText(QRect(x, y, width - x - kMargin, row), Qt::AlignVCenter | Qt::AlignRight,
                          summary_);
    }
    return y + row + 3;
}

QSize Legend::sizeHint() const {
    return {200, heightForWidth(width() > 40 ? width() : 400)};
}

int Legend::heightForWidth(int width) const {
    return arrange(width, nullptr);
}

void Legend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    arrange(width(), &painter);
}

void Legend::mouseReleaseEvent(QMouseEvent* event) {
    for (int i = 0; i < places_.size(); ++i)
        if (places_[i].contains(event->position().toPoint())) return toggle(i);
}

void Legend::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(entries_.size());
    if (!filters_ || count == 0) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        current_ = (current_ + count - 1) % count;
        return update();
    case Qt::Key_Right:
        current_ = (current_ + 1) % count;
        return update();
    case Qt::Key_Space:
    case Qt::Key_Return:
        return toggle(current_);
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace cutaway::views
