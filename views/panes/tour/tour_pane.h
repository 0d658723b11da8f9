// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Plays tours: tells a step, shows it in the other panes, watches what is tried, checks answers.
#pragma once

#include "views/models/tour.h"
#include "views/panes/pane.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace cutaway::views {

class TourPane : public Pane {
    Q_OBJECT
public:
    TourPane(PaneContext context, QWidget* parent);
    /// \param step counted from 0
    void begin(Tour tour, int step = 0);
    /// Goes to a step, counted from 0; beyond the last: the tour ends.
    void goTo(int step);
    int step() const { return step_; }
    bool isPlaying() const { return step_ >= 0; }
    const Tour& tour() const { return tour_; }
    QTextBrowser* text() const { return text_; }
    QLineEdit* answer() const { return answer_; }
    QString verdict() const;

signals:
    void stepShown();
    void ended(); ///< the list of all tours is shown again
    /// A script of the samples is to be opened.
    void sampleRequested(const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showTheme() override { showStep(); }
    void showRecord() override { showProgress(); }
    void showSelection(bool) override { showProgress(); }
    bool showsResults() const override { return false; }

private:
    void showStep();
    void showThings();
    void showProgress();
    bool isLow() const;
    void arrangeQuestion();
    void check();
    bool tried() const;
    /// Whether another file is open than the one that the tour is about.
    bool isElsewhere() const { return !about_.isEmpty() && session().path() != about_; }

    std::vector<Tour> all_;
    Tour tour_;
    QString about_; ///< path of the script that the tour is about; empty: whatever is open
    int step_ = -1; ///< -1: the list of tours
    QTextBrowser* text_;
    QWidget* asking_;
    QGridLayout* asked_; ///< of it
    QLabel* question_;
    QLineEdit* answer_;
    QLabel *verdict_, *progress_;
    QPushButton *back_, *next_, *end_;
};

} // namespace cutaway::views
