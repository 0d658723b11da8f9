// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The docks: one for each row of the pane list, in a window inside the window, with layouts that
/// are stored and restored.
#pragma once

#include "views/panes/pane_list.h"

#include <QDockWidget>
#include <QMainWindow>

namespace cutaway::views {

class Workspace : public QMainWindow {
    Q_OBJECT
public:
    Workspace(PaneContext context, QWidget* parent);

    void applyTheme(const Theme& theme);
    void restoreDefaultLayout();
    /// Docks in list order.
    const std::vector<QDockWidget*>& docks() const { return docks_; }
    Pane* pane(const QString& id) const;
    /// Shows, raises and focuses a pane.
    void reveal(const QString& id);
    bool isSettled() const;

private:
    std::vector<QDockWidget*> docks_;
    std::vector<Pane*> panes_;
};

} // namespace cutaway::views
