// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The newest measurement drawn: its kernels in their order, the stages that made them, and each
/// kernel below what the machine reaches.
#pragma once

#include "views/models/measured.h"
#include "views/panes/pane.h"

class QLabel;
class QPushButton;
class QTabWidget;

namespace cutaway::views {

class RooflineChart;
class TimelineView;

class TimesPane : public Pane {
    Q_OBJECT
public:
    TimesPane(PaneContext context, QWidget* parent);
    TimelineView* call() const { return call_; }
    TimelineView* compilation() const { return compilation_; }
    RooflineChart* roofline() const { return roofline_; }
    QTabWidget* tabs() const { return tabs_; }

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    /// The newest run of the whole pipeline; null: none.
    const record::Run* run() const;
    void showMeasurements();

    QTabWidget* tabs_;
    TimelineView *call_, *compilation_;
    RooflineChart* roofline_;
    QLabel *callNote_, *compileNote_, *machineNote_;
    QPushButton* measure_;
};

} // namespace cutaway::views
