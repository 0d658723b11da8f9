// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Colour chips with names, wrapped into as few rows as fit. A legend may filter: a click, or the
/// space bar on the current chip, switches one off and on.
#pragma once

#include "views/widgets/theme.h"

#include <QMouseEvent>
#include <QWidget>

namespace cutaway::views {

struct LegendEntry {
    QColor color;
    QString text;
    bool dashed = false;
    QString letter{}; ///< on the chip
    int id = -1;      ///< what it stands for, for who filters by it
};

class Legend : public QWidget {
    Q_OBJECT
public:
    explicit Legend(QWidget* parent = nullptr);
    void setTheme(const Theme& theme) {
        theme_ = theme;
        update();
    }
    void setFilters(bool filters);
    /// Entries that are switched off stay so while their texts are there.
    void setEntries(std::vector<LegendEntry> entries, const QString& summary);
    const std::vector<LegendEntry>& entries() const { return entries_; }
    /// Whether the entry with this id is switched off.
    bool isOff(int id) const;
    void toggle(int entry);
    QRect placeOf(int entry) const { return places_.value(entry); }
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    void filterChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override { event->accept(); }
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int arrange(int width, QPainter* painter) const;
    void paintEntry(QPainter& painter, size_t index, const QRect& place) const;
    std::vector<LegendEntry> entries_;
    QStringList off_;
    QString summary_;
    Theme theme_;
    bool filters_ = false;
    int current_ = 0;
    mutable QList<QRect> places_;
};

} // namespace cutaway::views
