// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every pass run in order; what the chosen one added, removed and rewrote.
#pragma once

#include "views/panes/pane.h"

class QCheckBox;
class QLabel;

namespace cutaway::views {

class CodeView;
class ItemView;

class PassesPane : public Pane {
    Q_OBJECT
public:
    PassesPane(PaneContext context, QWidget* parent);
    /// The next (+1) or previous (-1) pass that changed something.
    void step(int direction);
    int currentPass() const { return current_; }
    bool showStage(const QString& stage) override {
        return stage == "passes" || stage == "decompose";
    }

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    void showPass(int index);
    ItemView* list_;
    QCheckBox* onlyChanged_;
    QLabel* summary_;
    CodeView* changes_;
    int current_ = -1;
};

} // namespace cutaway::views
