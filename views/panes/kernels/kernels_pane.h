// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Kernels and their buffers, with loop IR, schedule, and the reason for every pair fused or not.
#pragma once

#include "views/panes/pane.h"

class QSplitter;
class QTabWidget;
class QTextBrowser;

namespace cutaway::views {

class CodeView;
class DecisionBar;
class ItemView;

class KernelsPane : public Pane {
    Q_OBJECT
public:
    KernelsPane(PaneContext context, QWidget* parent);
    ItemView* tree() const { return tree_; }
    ItemView* decisions() const { return decisions_; }
    bool showStage(const QString& stage) override;

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showHover() override;
    void showStatus() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showDetail();
    void showLoops();
    void askForLoops(const record::KernelInfo& kernel);
    void showSchedule();
    void runSo(int candidate);
    ItemView* tree_;
    QSplitter* splitter_;
    QTabWidget* tabs_;
    CodeView* loops_;
    QTextBrowser* schedule_;
    ItemView* decisions_;
    DecisionBar* bar_;
    ItemId kernel_ = kNoItem; ///< whose detail is shown
    bool loopsThere_ = false; ///< else words stand in their place
    int loopsTicket_ = 0;     ///< of what was asked of the engine
};

} // namespace cutaway::views
