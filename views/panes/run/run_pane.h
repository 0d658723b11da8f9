// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Eager against compiled, on the size and device chosen in the tool bar.
#pragma once

#include "views/panes/pane.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QSplitter;
class QTabWidget;

namespace cutaway::views {

class FlowLayout;
class ItemView;

class RunPane : public Pane {
    Q_OBJECT
public:
    RunPane(PaneContext context, QWidget* parent);
    /// Measures with the options set here.
    void run();

protected:
    bool showsResults() const override { return false; } // each row says what it is of
    void showTheme() override;
    void showRecord() override;
    void showMeasured() override;
    void showSelection(bool reveal) override;
    void showStatus() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeForm();
    void showThreads();
    void chooseInputs();
    void showNote();
    void fillTables();
    std::vector<Row> dimmed(std::vector<Row> rows) const;
    Measured shown() const;
    QString staleNote() const;
    void showTimings(const QString& backend);
    void showLines();
    QCheckBox* addBackend(const QString& name, bool chosen);
    void showBackends();

    std::vector<QCheckBox*> backends_;
    QWidget* form_;                  ///< what to measure: in a low pane one of the tabs
    FlowLayout* othersAt_ = nullptr; ///< behind ours
    QSpinBox* threads_;
    QDoubleSpinBox* seconds_;
    QPushButton *inputs_, *run_;
    QLabel* note_;
    QStringList notes_; ///< what it says
    QTabWidget* tabs_;
    QSplitter* splitter_; ///< of the backends' rows and the tabs, which take them up in a low pane
    ItemView *runs_, *timings_, *lines_, *counts_, *checks_, *history_;
    int leastRuns_ = 1; ///< height of runs_ beside other tables
    QString backend_;   ///< whose kernels are listed
    std::optional<Measured> filledFor_;
    bool filledAwaiting_ = false; ///< while what they show was measured anew
    int baseline_ = 0;            ///< of the history: what the others are compared with
};

} // namespace cutaway::views
