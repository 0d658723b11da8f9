// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What was decided instead of the compiler, and what it changed: predicted at once, measured after
/// a run. Every compilation of the text is a row that can be gone back to.
#pragma once

#include "views/panes/pane.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace cutaway::views {

class ItemView;
class PartTabs;

class WhatIfPane : public Pane {
    Q_OBJECT
public:
    WhatIfPane(PaneContext context, QWidget* parent);
    ItemView* table() const { return table_; }
    PartTabs* parts() const { return parts_; }
    /// What the decisions changed, in words.
    QString summary() const;

protected:
    void showTheme() override;
    void showRecord() override;
    void showMeasured() override { fill(); }
    void showSelection(bool) override {}
    void showStatus() override;

private:
    void fill();
    void showTables();
    QLabel* summary_;
    QToolButton *undo_, *redo_;
    QPushButton *clear_, *measure_;
    QToolButton* all_ = nullptr; ///< all attempts, not only decisions
    ItemView *table_, *attempts_;
    QWidget* told_; ///< the summary, which is scrolled where it is long
    PartTabs* parts_;
};

} // namespace cutaway::views
