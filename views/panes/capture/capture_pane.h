// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What was captured of which function: entries with the calls that took each, graph breaks and the
/// parts behind them; of the shown entry the guards, and the transformed code that calls its graph.
#pragma once

#include "views/panes/pane.h"

namespace cutaway::views {

class CodeView;
class ItemView;
class PartTabs;

class CapturePane : public Pane {
    Q_OBJECT
public:
    CapturePane(PaneContext context, QWidget* parent);
    bool showStage(const QString& stage) override;

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    ItemView* units_;
    RecordPtr unitsOf_; ///< what units_ shows
    ItemView* guards_;
    CodeView* code_;
    PartTabs* parts_;
};

} // namespace cutaway::views
