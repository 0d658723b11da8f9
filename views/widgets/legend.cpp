// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/legend.h"

#include <QPainter>

namespace cutaway::views {

namespace {
constexpr int kMargin = 8, kChip = 10, kGap = 14;
}

Legend::Legend(QWidget* parent) : QWidget(parent), theme_(lightTheme()) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void Legend::setEntries(std::vector<LegendEntry> entries, const QString& summary) {
    entries_ = std::move(entries);
    summary_ = summary;
    setVisible(!entries_.empty());
    updateGeometry();
    update();
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
    for (const LegendEntry& entry : entries_) {
        int needed = kChip + 5 + metrics.horizontalAdvance(entry.text);
        advance(needed);
        if (painter) {
            QRectF chip(x, y + (row - kChip) / 2.0, kChip, kChip);
            painter->setPen(entry.dashed ? QPen(entry.color, 1.2, Qt::DashLine) : Qt::NoPen);
            painter->setBrush(entry.dashed ? Qt::NoBrush : QBrush(entry.color));
            painter->drawRoundedRect(chip, 3, 3);
            painter->setPen(theme_.muted);
            painter->drawText(QRect(x + kChip + 5, y, needed, row), Qt::AlignVCenter, entry.text);
        }
        x += needed + kGap;
    }
    int needed = metrics.horizontalAdvance(summary_) + 2;
    advance(needed);
    if (painter) {
        painter->setPen(theme_.faint);
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

} // namespace cutaway::views
