// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Diagnostics as a list; a click goes to the place in the source.
#pragma once

#include "views/panes/pane.h"

namespace cutaway::views {

class ItemView;

class MessagesPane : public Pane {
    Q_OBJECT
public:
    MessagesPane(PaneContext context, QWidget* parent);

signals:
    void placeChosen(int line, int column);

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;
    bool showsResults() const override { return false; }

private:
    void fill();
    bool isOfEarlier() const;
    ItemView* list_;
    bool dimmed_ = false;
};

} // namespace cutaway::views
