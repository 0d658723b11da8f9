// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/tour/speaker_notes.h"

#include "views/panes/tour/tour_pane.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr double kNotesType = 1.6;
} // namespace

SpeakerNotes::SpeakerNotes(TourPane* tour, QWidget* beside)
    : QWidget(beside, Qt::Window), tour_(tour), text_(new QTextBrowser), place_(new QLabel),
      next_(new QLabel), time_(new QLabel) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName("speakerNotes");
    setWindowTitle(tr("Speaker notes"));
    resize(560, 420);
    for (QScreen* screen : QGuiApplication::screens())
        if (screen != beside->screen()) {
            move(screen->availableGeometry().center() - rect().center());
            break;
        }
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * kNotesType);
    text_->setFont(large);
    text_->setAccessibleName(tr("Notes of this step"));
    next_->setWordWrap(true);
    next_->setObjectName("muted");
    auto* column = new QVBoxLayout(this);
    auto* head = new QHBoxLayout;
    head->addWidget(place_, 1);
    head->addWidget(time_);
    column->addLayout(head);
    column->addWidget(text_, 1);
    column->addWidget(next_);
    auto* row = new QHBoxLayout;
    auto* back = new QPushButton(tr("Back"));
    auto* ahead = new QPushButton(tr("Next"));
    auto* again = new QPushButton(tr("Time from 0"));
    row->addWidget(again);
    row->addStretch(1);
    row->addWidget(back);
    row->addWidget(ahead);
    column->addLayout(row);
    connect(back, &QPushButton::clicked, this,
            [this] { tour_->goTo(std::max(0, tour_->step() - 1)); });
    connect(ahead, &QPushButton::clicked, this, [this] {
        if (tour_->isPlaying()) tour_->goTo(tour_->step() + 1);
    });
    connect(again, &QPushButton::clicked, this, [this] {
        since_.start();
        showTime();
    });
    connect(tour_, &TourPane::stepShown, this, &SpeakerNotes::showStep);
    connect(&second_, &QTimer::timeout, this, &SpeakerNotes::showTime);
    since_.start();
    second_.start(1000);
    showStep();
    showTime();
}

QString SpeakerNotes::nextTitle() const {
    const auto at = static_cast<size_t>(tour_->step() + 1);
    if (!tour_->isPlaying() || at >= tour_->tour().steps.size()) return {};
    const TourStep& step = tour_->tour().steps[at];
    return step.title.isEmpty() ? step.text.section('\n', 0, 0).left(80) : step.title;
}

void SpeakerNotes::showStep() {
    if (!tour_->isPlaying()) {
        place_->clear();
        next_->clear();
        return text_->setPlainText(
            tr("No tour is played. Begin one in the Tours pane: the notes of "
               "its steps stand here."));
    }
    const Tour& tour = tour_->tour();
    const TourStep& step = tour.steps[static_cast<size_t>(tour_->step())];
    place_->setText(tr("%1: step %2 of %3, %4")
                        .arg(tour.title)
                        .arg(tour_->step() + 1)
                        .arg(tour.steps.size())
                        .arg(step.title));
    text_->setPlainText(step.notes.isEmpty()
                            ? tr("This step has no notes. Its text:") + "\n\n" + step.text
                            : step.notes);
    const QString next = nextTitle();
    next_->setText(next.isEmpty() ? tr("This is the last step.") : tr("Next: %1").arg(next));
}

void SpeakerNotes::showTime() {
    const qint64 seconds = since_.elapsed() / 1000;
    time_->setText(QString("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0')));
}

void SpeakerNotes::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_PageDown && tour_->isPlaying())
        return tour_->goTo(tour_->step() + 1);
    if (event->key() == Qt::Key_PageUp && tour_->isPlaying())
        return tour_->goTo(std::max(0, tour_->step() - 1));
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace cutaway::views
