// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The generated text of one kernel: C++, LLVM IR, assembly, CUDA, PTX. Texts that the record does
/// not hold are asked of the engine when their tab is opened.
#pragma once

#include "views/panes/pane.h"

class QComboBox;
class QLabel;
class QTabBar;
class QToolButton;

namespace cutaway::views {

class CodeView;

class CodePane : public Pane {
    Q_OBJECT
public:
    CodePane(PaneContext context, QWidget* parent);
    bool isSettled() const override { return Pane::isSettled() && !waiting_; }
    CodeView* view() const { return view_; }
    FindBar* findBar() const override { return find_; }
    QToolButton* wholeAssembly() const { return whole_; }
    void setLanguage(const QString& language);
    bool showStage(const QString& stage) override;
    QString currentKernelName() const;

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showHover() override { showLights(false); }
    void showStatus() override;

private:
    void makeBar();
    QString lineTip(int line) const;
    void fillKernels();
    ItemId bestKernel() const;
    void showCode();
    void showCall(const record::KernelInfo& kernel);
    void showText(const record::Code& code);
    /// \param ofStatus what the session does, or the engine: it is told anew when that changes
    void showNotice(const QString& text, bool ofStatus = false);
    void askEngine(const record::KernelInfo& kernel, const QString& language);
    void showLights(bool reveal);
    void showRemarks();
    void showShares();
    void showPrelude(bool keepPlace);

    QComboBox* kernels_;
    QTabBar* languages_;
    QToolButton *prelude_, *remarksButton_;
    QToolButton* whole_;     ///< assembly with all that the assembler reads
    QLabel *notice_, *foot_; ///< instead of a text; what is said of one
    CodeView* view_;
    FindBar* find_;
    ItemId kernel_ = kNoItem;
    ItemName kept_; ///< the kernel that was shown last, while a record that grows lacks it, too
    record::Code given_;         ///< as the compiler wrote it
    record::Code code_;          ///< what is shown
    QString shown_;              ///< names the text in the view: file, kernel and language
    QHash<QString, int> places_; ///< where texts were scrolled to that were shown before
    QHash<int, double> shares_;  ///< of a call's samples, by line from 0
    bool waiting_ = false;
    bool noticeOfStatus_ = false;
    int ticket_ = 0; ///< counts texts asked for, so that a late one is not shown
};

} // namespace cutaway::views
