// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Makes a tour out of what the window shows: go somewhere, take it as a step, write what is to be
/// said, try the tour, save it as a file that others can open.
#pragma once

#include "views/models/tour.h"

#include <QDialog>
#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace cutaway::views {

/// What the window shows just now.
struct ShownPlace {
    QString pane, stage, select;
};

class TourMaker : public QDialog {
    Q_OBJECT
public:
    /// \param shown asked when a step is taken. \param sample the file that the tour is about, in
    /// the folder of the samples; empty: whatever is open
    TourMaker(std::function<ShownPlace()> shown, const QString& sample, QWidget* parent);
    /// As far as it is written.
    Tour tour() const;
    void addStep();
    void setStepText(const QString& title, const QString& text);
    /// \returns false when it cannot be written; the dialog says why.
    bool save(const QString& path);

signals:
    void tryRequested(const Tour& tour);

private:
    QWidget* makeFields();
    void take();
    void removeStep();
    void moveStep(int by);
    void keepFields();
    void showFields();
    void showSteps();
    void saveAs();
    int current() const;

    std::function<ShownPlace()> shown_;
    Tour tour_;
    bool filling_ = false;
    QLineEdit *title_, *about_, *stepTitle_, *try_, *question_, *hint_;
    QPlainTextEdit *text_, *notes_;
    QComboBox* value_;
    QLabel *place_, *problem_;
    QListWidget* steps_;
    QPushButton *take_, *remove_, *up_, *down_, *save_, *test_;
};

} // namespace cutaway::views
