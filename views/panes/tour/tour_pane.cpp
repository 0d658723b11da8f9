// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/tour/tour_pane.h"

#include <QApplication>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>
#include <array>

namespace cutaway::views {

/// At least; where the window is low, fewer.
static constexpr int kTextLines = 5, kFewLines = 3, kLowWindow = 45;
static constexpr int kTitleLines = 15; ///< of the pane, from which on a title has one of its own

TourPane::TourPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), all_(shippedTours()), text_(new QTextBrowser), asking_(new QWidget),
      question_(new QLabel), answer_(new QLineEdit), verdict_(new QLabel), progress_(new QLabel),
      back_(new QPushButton(tr("Back"))), next_(new QPushButton(tr("Next"))),
      end_(new QPushButton(tr("End"))) {
    text_->setOpenLinks(false);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setAccessibleName(tr("Tour"));
    body()->addWidget(text_, 1);
    question_->setObjectName("question");
    question_->setWordWrap(true);
    asked_ = new QGridLayout(asking_);
    asked_->setContentsMargins(8, 0, 8, 2);
    answer_->setPlaceholderText(tr("Your answer"));
    answer_->setAccessibleName(tr("Your answer"));
    verdict_->setWordWrap(true);
    for (QLabel* one : {question_, verdict_}) // however low the pane is
        one->setMinimumHeight(fontMetrics().lineSpacing());
    arrangeQuestion();
    body()->addWidget(asking_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 6);
    row->setSpacing(8);
    progress_->setWordWrap(true);
    row->addWidget(progress_, 1);
    for (QPushButton* button : {back_, next_, end_}) {
        button->setAutoDefault(true); // Return goes on, as it begins
        row->addWidget(button);
    }
    body()->addLayout(row);
    connect(back_, &QPushButton::clicked, this, [this] { goTo(step_ - 1); });
    connect(next_, &QPushButton::clicked, this, [this] { goTo(step_ + 1); });
    connect(end_, &QPushButton::clicked, this, [this] { goTo(-1); });
    connect(answer_, &QLineEdit::returnPressed, this, &TourPane::check);
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.toString() == "sample:") return begin(tour_, step_);
        if (link.toString() == "original:") return session().discardDraft();
        const auto at = static_cast<size_t>(link.toString().section(':', 1).toInt());
        if (at < all_.size()) begin(all_[at]);
    });
    connect(&session(), &Session::recordChanged, this, [this] {
        if (isPlaying()) showThings();
    });
    for (auto changed : {&Session::documentChanged, &Session::modifiedChanged})
        connect(&session(), changed, this, [this] {
            if (isPlaying()) showStep();
        });
    showStep();
}

void TourPane::begin(Tour tour, int step) {
    const bool isHere = text_->hasFocus(); // and not where the sample is opened
    tour_ = std::move(tour);
    about_.clear();
    if (!tour_.sample.isEmpty()) {
        emit sampleRequested(tour_.sample);
        // It could not be opened, and the window has said so: no tour about something else.
        if (QFileInfo(session().path()).fileName() != tour_.sample) return goTo(-1);
        about_ = session().path();
    }
    if (isHere) text_->setFocus();
    goTo(step);
}

void TourPane::goTo(int step) {
    const bool played = isPlaying();
    step_ = step < 0 || static_cast<size_t>(step) >= tour_.steps.size() ? -1 : step;
    if (played && !isPlaying()) emit ended();
    answer_->clear();
    verdict_->clear();
    showStep();
    showThings();
    emit stepShown();
}

void TourPane::showStep() {
    const bool playing = isPlaying();
    const bool isHere = text_->hasFocus() || next_->hasFocus();
    for (QWidget* one : std::initializer_list<QWidget*>{back_, next_, end_, progress_})
        one->setVisible(playing);
    // Its room is there at every step: the buttons stay under the mouse.
    QSizePolicy stays = asking_->sizePolicy();
    stays.setRetainSizeWhenHidden(playing);
    asking_->setSizePolicy(stays);
    // The list is gone through by Tab, and Return begins a tour; then it goes on.
    setFocusProxy(playing ? static_cast<QWidget*>(next_) : text_);
    if (isHere) setFocus();
    const QString muted = theme().muted.name();
    if (!playing) {
        asking_->hide();
        QString html = QString("<p style='color:%1'>%2</p>")
                           .arg(muted, tr("Tours lead through the window. Choose one:"));
        for (size_t i = 0; i < all_.size(); ++i)
            html += QString("<p><a href='tour:%1' style='color:%2'><b>%3</b></a><br>%4</p>")
                        .arg(i)
                        .arg(theme().accent.name(), all_[i].title.toHtmlEscaped(),
                             all_[i].about.toHtmlEscaped());
        return text_->setHtml(html);
    }
    const TourStep& step = tour_.steps[static_cast<size_t>(step_)];
    progress_->setText(
        tr("%1: step %2 of %3").arg(tour_.title).arg(step_ + 1).arg(tour_.steps.size()));
    const bool here = !isElsewhere();
    back_->setEnabled(here && step_ > 0);
    next_->setEnabled(here);
    next_->setText(static_cast<size_t>(step_) + 1 == tour_.steps.size() ? tr("Done") : tr("Next"));
    asking_->setVisible(here && !step.question.isEmpty());
    question_->setText(
        QString("<b style='color:%1'>%2</b> %3")
            .arg(theme().accent.name(), tr("Question:"), step.question.toHtmlEscaped()));
    showProgress();
}

void TourPane::resizeEvent(QResizeEvent* event) {
    Pane::resizeEvent(event);
    const int line = fontMetrics().lineSpacing();
    text_->setMinimumHeight((window()->height() < kLowWindow * line ? kFewLines : kTextLines) *
                            line);
    arrangeQuestion();
    showProgress();
}

bool TourPane::isLow() const {
    return height() < kTitleLines * fontMetrics().lineSpacing();
}

/// In a low pane, which is wide, all in one row.
void TourPane::arrangeQuestion() {
    const bool low = isLow();
    if (asked_->count() > 0 && (asked_->columnStretch(2) > 0) == low) return;
    for (QWidget* one : std::initializer_list<QWidget*>{question_, answer_, verdict_})
        asked_->removeWidget(one);
    asked_->addWidget(question_, 0, 0, 1, low ? 1 : 2);
    asked_->addWidget(answer_, low ? 0 : 1, low ? 1 : 0);
    asked_->addWidget(verdict_, low ? 0 : 1, low ? 2 : 1);
    const std::array stretches = low ? std::array{4, 1, 3} : std::array{1, 2, 0};
    for (size_t column = 0; column < stretches.size(); ++column)
        asked_->setColumnStretch(static_cast<int>(column), stretches[column]);
    // Hidden, it tells nobody how high it is.
    QMetaObject::invokeMethod(this, [this] { body()->invalidate(); }, Qt::QueuedConnection);
}

void TourPane::showProgress() {
    if (!isPlaying()) return;
    const TourStep& step = tour_.steps[static_cast<size_t>(step_)];
    QString html;
    const QString accent = theme().accent.name();
    if (isElsewhere())
        html = tr("<p><b>The tour waits.</b> It is about “%1”, and another file is open now. "
                  "<a href='sample:' style='color:%2'>Open it again</a></p>")
                   .arg(tour_.sample.toHtmlEscaped(), accent);
    else if (!about_.isEmpty() && session().isModified())
        html = tr("<p><b>This script is edited</b>: the tour is about what it said at first. "
                  "<a href='original:' style='color:%1'>Take the edits back</a></p>")
                   .arg(accent);
    const QString title = step.title.toHtmlEscaped();
    const QString text = step.text.toHtmlEscaped().replace('\n', "<br>");
    if (isLow())
        html += QString("<p style='margin:0'><b>%1</b> %2</p>").arg(title, text);
    else
        html += QString("<p style='margin-bottom:2px'><b style='font-size:large'>%1</b></p>"
                        "<p style='margin-top:2px'>%2</p>")
                    .arg(title, text);
    if (!step.attempt.isEmpty()) {
        const bool done = tried();
        html += QString("<p style='margin-top:4px'><b style='color:%1'>%2</b> %3</p>")
                    .arg(done ? theme().good.name() : theme().accent.name(),
                         done ? tr("✓ Done:") : tr("Try:"), step.attempt.toHtmlEscaped());
    }
    if (html != text_->property("html").toString()) {
        text_->setProperty("html", html);
        text_->setHtml(html);
    }
}

bool TourPane::tried() const {
    const TourStep& step = tour_.steps[static_cast<size_t>(step_)];
    if (!step.untilSelected.isEmpty()) {
        const ItemId item = record().search(step.untilSelected);
        const auto& chosen = selection().items();
        return item != kNoItem && std::find(chosen.begin(), chosen.end(), item) != chosen.end();
    }
    if (isElsewhere() || step.untilValue.isEmpty() || !entry() || !session().isCurrent())
        return false;
    const auto value = tourValue(*entry(), step.untilValue);
    return value && isAnswer(step.untilIs, *value);
}

/// Turns the other panes to what the step is about; again when a record came. The keyboard stays with
/// whoever has it: here with who goes on by Return, in the script with who tries something.
void TourPane::showThings() {
    if (!isPlaying() || isElsewhere()) return;
    const TourStep& step = tour_.steps[static_cast<size_t>(step_)];
    const QPointer<QWidget> typing = QApplication::focusWidget();
    if (!step.pane.isEmpty()) emit revealRequested(step.pane, step.stage);
    if (typing && typing->isVisible()) typing->setFocus();
    if (step.select.isEmpty()) return;
    if (const ItemId item = record().search(step.select); item != kNoItem)
        selection().select({item});
}

void TourPane::check() {
    if (!isPlaying() || !entry() || isElsewhere()) return;
    const TourStep& step = tour_.steps[static_cast<size_t>(step_)];
    const auto value = tourValue(*entry(), step.value);
    const bool right = value && isAnswer(answer_->text(), *value);
    verdict_->setText(
        QString("<span style='color:%1'>%2</span>")
            .arg(right ? theme().good.name() : theme().warning.name(),
                 (right   ? tr("✓ Right: the record says %1.").arg(*value)
                  : value ? step.hint.isEmpty() ? tr("Not quite. Look again.") : step.hint
                          : tr("The record does not hold this just now."))
                     .toHtmlEscaped()));
}

QString TourPane::verdict() const {
    return verdict_->text();
}

} // namespace cutaway::views
