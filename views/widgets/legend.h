// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Colour chips with names, wrapped into as few rows as fit.
#pragma once

#include "views/widgets/theme.h"

#include <QWidget>

namespace cutaway::views {

struct LegendEntry {
    QColor color;
    QString text;
    bool dashed = false;
};

class Legend : public QWidget {
    Q_OBJECT
public:
    explicit Legend(QWidget* parent = nullptr);
    void setTheme(const Theme& theme) {
        theme_ = theme;
        update();
    }
    void setEntries(std::vector<LegendEntry> entries, const QString& summary);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int arrange(int width, QPainter* painter) const;
    std::vector<LegendEntry> entries_;
    QString summary_;
    Theme theme_;
};

} // namespace cutaway::views
