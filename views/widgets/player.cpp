// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/player.h"

#include "views/widgets/choice_box.h"
#include "views/widgets/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

namespace cutaway::views {

namespace {
constexpr double kSpeeds[] = {0.5, 1, 2, 4, 8}; ///< moments a second
constexpr int kUsualSpeed = 2;
} // namespace

Player::Player(QWidget* parent)
    : QWidget(parent), play_(new QToolButton), back_(new QToolButton), forward_(new QToolButton),
      line_(new QSlider(Qt::Horizontal)), speed_(new ChoiceBox), where_(new QLabel) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Moments"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 3, 6, 3);
    for (QToolButton* button : {back_, play_, forward_}) {
        button->setAutoRaise(true);
        row->addWidget(button);
    }
    back_->setToolTip(tr("One moment back (←)"));
    forward_->setToolTip(tr("One moment on (→)"));
    line_->setToolTip(tr("Drag to any moment"));
    line_->setAccessibleName(tr("Moment"));
    for (QToolButton* button : {back_, forward_})
        button->setAccessibleName(button->toolTip());
    row->addWidget(line_, 1);
    row->addWidget(where_);
    for (double speed : kSpeeds)
        speed_->addItem(tr("%1 a second").arg(speed), speed);
    speed_->setCurrentIndex(kUsualSpeed);
    speed_->setToolTip(tr("Speed"));
    speed_->setAccessibleName(speed_->toolTip());
    row->addWidget(speed_);
    connect(back_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(forward_, &QToolButton::clicked, this, [this] { step(1); });
    connect(play_, &QToolButton::clicked, this, [this] { isPlaying() ? pause() : play(); });
    connect(line_, &QSlider::valueChanged, this, [this](int moment) {
        showState();
        emit momentChanged(moment);
    });
    connect(speed_, &QComboBox::activated, this, [this] {
        if (isPlaying()) play();
    });
    connect(&timer_, &QTimer::timeout, this, [this] {
        step(1);
        if (moment() + 1 >= length_) pause();
    });
    setLength(0);
}

void Player::setLength(int moments) {
    pause();
    length_ = moments;
    const int before = moment();
    line_->setRange(0, std::max(0, moments - 1));
    line_->setValue(0);
    showState();
    if (before == 0 && moments > 0) emit momentChanged(0);
}

int Player::moment() const {
    return line_->value();
}

void Player::setMoment(int moment) {
    line_->setValue(std::clamp(moment, 0, std::max(0, length_ - 1)));
}

void Player::play() {
    if (lessMotion_ || length_ < 2) return;
    if (moment() + 1 >= length_) setMoment(0);
    timer_.start(static_cast<int>(1000 / speed_->currentData().toDouble()));
    showState();
}

void Player::pause() {
    timer_.stop();
    showState();
}

void Player::setLessMotion(bool less) {
    lessMotion_ = less;
    if (less) pause();
    showState();
}

void Player::setTheme(const Theme& theme) {
    playIcon_ = theme.icon("run");
    pauseIcon_ = theme.icon("pause");
    back_->setIcon(theme.icon("back"));
    forward_->setIcon(theme.icon("forward"));
    showState();
}

void Player::showState() {
    play_->setVisible(!lessMotion_);
    speed_->setVisible(!lessMotion_);
    play_->setIcon(isPlaying() ? pauseIcon_ : playIcon_);
    play_->setToolTip(isPlaying() ? tr("Pause (space)") : tr("Play (space)"));
    play_->setAccessibleName(play_->toolTip());
    for (QWidget* one : std::initializer_list<QWidget*>{play_, line_, speed_})
        one->setEnabled(length_ > 1);
    back_->setEnabled(moment() > 0);
    forward_->setEnabled(moment() + 1 < length_);
    where_->setText(length_ > 0 ? tr("%1 of %2").arg(moment() + 1).arg(length_) : QString());
}

void Player::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Space:
        return isPlaying() ? pause() : play();
    case Qt::Key_Left:
        return step(-1);
    case Qt::Key_Right:
        return step(1);
    case Qt::Key_Home:
        return setMoment(0);
    case Qt::Key_End:
        return setMoment(length_ - 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

/// Nobody watches.
void Player::hideEvent(QHideEvent* event) {
    pause();
    QWidget::hideEvent(event);
}

} // namespace cutaway::views
