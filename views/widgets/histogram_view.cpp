// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/histogram_view.h"

#include "views/models/format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace cutaway::views {

HistogramView::HistogramView(QWidget* parent) : QWidget(parent), theme_(lightTheme()) {
    setAccessibleName(tr("How often values occur"));
    setMinimumHeight(80);
}

void HistogramView::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void HistogramView::setParts(std::vector<qint64> parts, double least, double most,
                             const QString& title) {
    parts_ = std::move(parts);
    least_ = least;
    most_ = most;
    title_ = title;
    setAccessibleDescription(title);
    update();
}

QRectF HistogramView::plot() const {
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(10, line + 8, -10, -line - 6);
}

QString HistogramView::textAt(int x) const {
    const QRectF area = plot();
    if (parts_.empty() || x < area.left() || x >= area.right()) return {};
    const double count = static_cast<double>(parts_.size());
    const auto part = static_cast<size_t>((x - area.left()) / area.width() * count);
    const double width = (most_ - least_) / count;
    const auto number = [](double value) { return QString::number(value, 'g', 4); };
    return tr("%1 value(s) from %2 to %3", nullptr, static_cast<int>(parts_[part]))
        .arg(format::count(parts_[part]), number(least_ + width * static_cast<double>(part)),
             number(least_ + width * static_cast<double>(part + 1)));
}

bool HistogramView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), textAt(help->pos().x()), this);
    return true;
}

void HistogramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.base);
    painter.setPen(theme_.muted);
    const QRectF area = plot(), head(area.left(), 4, area.width(), fontMetrics().height());
    painter.drawText(head, Qt::AlignLeft,
                     fontMetrics().elidedText(title_, Qt::ElideRight, int(head.width())));
    if (parts_.empty()) return;
    const qint64 most = std::max<qint64>(1, *std::ranges::max_element(parts_));
    const double width = area.width() / static_cast<double>(parts_.size());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.accent);
    for (size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i] == 0) continue;
        // What occurs at all is seen.
        const double high = std::max(1.0, area.height() * static_cast<double>(parts_[i]) /
                                              static_cast<double>(most));
        painter.drawRect(QRectF(area.left() + width * static_cast<double>(i), area.bottom() - high,
                                std::max(1.0, width - 1), high));
    }
    painter.setPen(theme_.border);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(theme_.muted);
    const QRectF foot(area.left(), area.bottom() + 2, area.width(), fontMetrics().height());
    painter.drawText(foot, Qt::AlignLeft, QString::number(least_, 'g', 4));
    painter.drawText(foot, Qt::AlignRight, QString::number(most_, 'g', 4));
}

} // namespace cutaway::views
