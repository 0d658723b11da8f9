// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Measurements drawn: the kernels of the newest in their order, the stages that made them, each
/// kernel below what the machine reaches; all of them over sizes or threads; traces of other programs.
#pragma once

#include "views/models/kernel_chain.h"
#include "views/models/latest_work.h"
#include "views/models/sweep.h"
#include "views/models/timeline.h"
#include "views/panes/pane.h"

#include <QTimer>
#include <deque>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QTabWidget;

namespace cutaway::views {

class CurveChart;
class RooflineChart;
class TimelineView;

class TimesPane : public Pane {
    Q_OBJECT
public:
    TimesPane(PaneContext context, QWidget* parent);
    TimelineView* call() const { return call_; }
    TimelineView* flame() const { return flame_; }
    TimelineView* compilation() const { return compilation_; }
    TimelineView* trace() const { return trace_; }
    /// Asks which, and does so.
    void askTrace();
    QLineEdit* searchField() const override;
    /// Shows a trace that another program wrote beside our own; read on another thread.
    void openTrace(const QString& path);
    bool isSettled() const override {
        return Pane::isSettled() && !reader_.isBusy() && !linker_.isBusy();
    }
    RooflineChart* roofline() const { return roofline_; }
    QTabWidget* tabs() const { return tabs_; }
    /// From the time of the kernel that is selected to its causes.
    QLabel* chain() const { return chain_; }
    CurveChart* curves() const { return curves_; }
    /// Measures eager and compiled at every size or number of threads, one after the other, and
    /// shows the size again that was shown.
    void sweep(SweepOver over);
    bool isSweeping() const { return sweeping_; }

protected:
    void showTheme() override;
    void showRecord() override;
    void showMeasured() override { showMeasurements(); }
    void showColours() override { showMeasurements(); }
    void showSelection(bool reveal) override;
    void showStatus() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The newest run of the whole pipeline; null: none.
    const record::Run* run() const;
    void showMeasurements();
    void showChain();
    void follow(const QString& link);
    QWidget* makeSweepPage();
    QWidget* makeTracePage();
    void showTrace();
    void showFound();
    SweepOver over() const;
    void showCurves();
    void advance();
    void endSweep();
    void tellSweep(const QString& text);
    /// What was said of a sweep goes with what it was said of.
    void forgetSweep();

    /// What is measured next.
    struct Step {
        QString size;
        int threads; ///< 0: all
    };
    std::deque<Step> steps_;
    int allSteps_ = 0;
    std::optional<Measured> drawnFor_;
    bool awaiting_ = false; ///< what is drawn was measured before, and is measured anew
    bool sweeping_ = false, ran_ = false, asked_ = false;
    QString sizeBefore_, sweepText_, toldText_;
    QStringList toldDecisions_;

    QTabWidget* tabs_;
    TimelineView *call_, *flame_, *compilation_, *trace_;
    RooflineChart* roofline_;
    QLabel *callNote_, *flameNote_, *compileNote_, *machineNote_, *traceNote_;
    QLabel* chain_;
    QLineEdit* search_; ///< in the trace
    QScrollArea* traceScroll_;
    std::vector<ChainStep> chainSteps_;
    QTimer alternatives_;                   ///< times what else the selected kernel may run by
    RecordPtr askedOf_;                     ///< whose were timed so
    QString traceName_, told_;              ///< the latter: of the whole trace
    std::shared_ptr<const Timeline> given_; ///< of the file
    LatestWork reader_, linker_;
    QPushButton *measure_, *sweep_;
    QComboBox* over_;
    CurveChart* curves_;
    QLabel* curveNote_; ///< what is disturbed
    QLabel* sweepNote_; ///< how far it is, or why it ended early; of toldText_, toldDecisions_
};

} // namespace cutaway::views
