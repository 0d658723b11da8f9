// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A window of its own for who speaks: the notes of the tour's step, what comes next, how long it
/// has been. It opens on another screen than the main window where there is one.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QTextBrowser;

namespace cutaway::views {

class TourPane;

class SpeakerNotes : public QWidget {
    Q_OBJECT
public:
    /// \param beside the window that is presented
    SpeakerNotes(TourPane* tour, QWidget* beside);
    QTextBrowser* text() const { return text_; }
    QString nextTitle() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showStep();
    void showTime();

    TourPane* tour_;
    QTextBrowser* text_;
    QLabel *place_, *next_, *time_;
    QTimer second_;
    QElapsedTimer since_;
};

} // namespace cutaway::views
