// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What capture relied on: guards, and the transformed code that calls the compiled graphs.
#pragma once

#include "views/panes/pane.h"

class QSplitter;

namespace cutaway::views {

class CodeView;
class ItemView;

class CapturePane : public Pane {
    Q_OBJECT
public:
    CapturePane(PaneContext context, QWidget* parent);
    bool showStage(const QString& stage) override { return stage == "guards"; }

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    ItemView* guards_;
    CodeView* code_;
    QSplitter* splitter_;
};

} // namespace cutaway::views
