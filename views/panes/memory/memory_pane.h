// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The memory plan drawn: kernels from left to right, offsets in the arena from the bottom up, one
/// box a buffer.
#pragma once

#include "views/panes/pane.h"

class QComboBox;
class QLabel;

namespace cutaway::views {

class MemoryMap;

class MemoryPane : public Pane {
    Q_OBJECT
public:
    MemoryPane(PaneContext context, QWidget* parent);
    bool showStage(const QString& stage) override { return stage == "memory"; }

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    void showGraph();
    QComboBox* graphs_;
    QLabel* summary_;
    MemoryMap* map_;
    QLabel* peak_; ///< when most is in use, and by what
};

} // namespace cutaway::views
