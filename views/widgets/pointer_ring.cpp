// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/pointer_ring.h"

#include <QCursor>
#include <QPainter>

namespace cutaway::views {

namespace {
constexpr int kSide = 56, kFollowMs = 16;
constexpr double kWidth = 4;
} // namespace

PointerRing::PointerRing(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setObjectName("pointerRing");
    resize(kSide, kSide);
    timer_.setInterval(kFollowMs);
    connect(&timer_, &QTimer::timeout, this, &PointerRing::follow);
    hide();
}

void PointerRing::setColor(const QColor& color) {
    color_ = color;
    update();
}

void PointerRing::follow() {
    const QPoint at = parentWidget()->mapFromGlobal(QCursor::pos()) - QPoint(kSide, kSide) / 2;
    if (at != pos()) move(at);
}

void PointerRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color_, kWidth));
    painter.drawEllipse(QRectF(rect()).adjusted(kWidth, kWidth, -kWidth, -kWidth));
}

void PointerRing::showEvent(QShowEvent*) {
    raise();
    follow();
    timer_.start();
}

void PointerRing::hideEvent(QHideEvent*) {
    timer_.stop();
}

} // namespace cutaway::views
