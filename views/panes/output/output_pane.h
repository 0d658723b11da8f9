// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the script printed while it was compiled or measured.
#pragma once

#include "views/panes/pane.h"

class QPlainTextEdit;

namespace cutaway::views {

class OutputPane : public Pane {
    Q_OBJECT
public:
    OutputPane(PaneContext context, QWidget* parent);
    QString text() const;

protected:
    void showTheme() override;
    void showRecord() override {}
    void showSelection(bool) override {}
    bool showsResults() const override { return false; }
    void cameIntoSight() override { setUnread(false); }

private:
    void setUnread(bool unread);

    QPlainTextEdit* text_;
    QString title_; ///< of the dock
    bool unread_ = false;
    bool fresh_ = false; ///< a new piece of work began: its first line replaces the old text
};

} // namespace cutaway::views
