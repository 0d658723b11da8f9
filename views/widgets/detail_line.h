// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Below a table: the whole text of one column of the row that is pointed at, lit or current. For
/// sentences that a narrow column cuts off.
#pragma once

#include <QLabel>
#include <QModelIndex>

namespace cutaway::views {

class ItemView;

class DetailLine : public QLabel {
    Q_OBJECT
public:
    /// \param hint stands there while no row is meant.
    DetailLine(ItemView* view, int column, const QString& hint);
    /// The table with such a line below it.
    static QWidget* below(ItemView* view, int column, const QString& hint);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void say(const QString& text);
    void leaveRoom();
    void showRow(const QModelIndex& row);
    void showUsual();
    ItemView* view_;
    int column_;
    QString hint_;
};

} // namespace cutaway::views
