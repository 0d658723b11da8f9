// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What drawings of measurements share: colours, and words where there is nothing to draw.
#pragma once

#include "views/widgets/theme.h"

#include <QPainter>
#include <QWidget>

namespace cutaway::views {

class Chart : public QWidget {
public:
    void setTheme(const Theme& theme) {
        theme_ = theme;
        update();
    }
    void setEmptyText(const QString& text) {
        emptyText_ = text;
        update();
    }
    const QString& emptyText() const { return emptyText_; }

protected:
    explicit Chart(QWidget* parent) : QWidget(parent), theme_(lightTheme()) {}
    /// The background and, where there is nothing to draw, the words. \returns whether there is
    /// something.
    bool begin(QPainter& painter, bool empty) const {
        painter.fillRect(rect(), theme_.base);
        painter.setPen(theme_.muted);
        if (empty)
            painter.drawText(rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                             emptyText_);
        return !empty;
    }

    Theme theme_;

private:
    QString emptyText_;
};

} // namespace cutaway::views
