// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/pointer_ring.h"

#include <QCursor>
#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace cutaway::views {

namespace {
constexpr int kFollowMs = 16;
constexpr double kRadius = 24, kWidth = 4;
constexpr qint64 kTrailMs = 450;
constexpr double kLightPart = 0.22; ///< of the window's height: the radius of the spotlight
const QColor kDark(0, 0, 0, 150);
} // namespace

PointerRing::PointerRing(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setObjectName("pointerRing");
    timer_.setInterval(kFollowMs);
    connect(&timer_, &QTimer::timeout, this, &PointerRing::follow);
    clock_.start();
    window->installEventFilter(this);
    hide();
}

void PointerRing::setColor(const QColor& color) {
    color_ = color;
    update();
}

void PointerRing::setSpotlight(bool on) {
    spotlight_ = on;
    before_ = rect(); // all of it is painted otherwise now
    update();
}

void PointerRing::setTrail(bool on) {
    trailing_ = on;
    trail_.clear();
}

QRectF PointerRing::light() const {
    const double radius = kLightPart * height();
    return QRectF(at_, QSizeF()).adjusted(-radius, -radius, radius, radius);
}

QRegion PointerRing::touched() const {
    const double margin = kRadius + kWidth;
    QRectF all = QRectF(at_, QSizeF()).adjusted(-margin, -margin, margin, margin);
    for (const Passed& one : trail_)
        all |= QRectF(one.at, QSizeF()).adjusted(-kWidth, -kWidth, kWidth, kWidth);
    if (spotlight_) all |= light();
    return all.toAlignedRect();
}

void PointerRing::follow() {
    const QPointF now = parentWidget()->mapFromGlobal(QCursor::pos());
    const qint64 ms = clock_.elapsed();
    const bool moved = now != at_;
    if (!moved && trail_.empty()) return;
    if (moved && trailing_) trail_.push_back({at_, ms});
    at_ = now;
    while (!trail_.empty() && ms - trail_.front().ms > kTrailMs)
        trail_.pop_front();
    const QRegion painted = touched();
    update(painted + before_);
    before_ = painted;
}

void PointerRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (spotlight_) {
        QPainterPath dark;
        dark.addRect(rect());
        dark.addEllipse(light());
        painter.fillPath(dark, kDark); // the even-odd rule leaves the light out
    }
    const qint64 ms = clock_.elapsed();
    for (size_t i = 0; i < trail_.size(); ++i) {
        const double left = 1 - double(ms - trail_[i].ms) / kTrailMs;
        QColor faded = color_;
        faded.setAlphaF(static_cast<float>(std::clamp(left, 0.0, 1.0)) * color_.alphaF());
        painter.setPen(QPen(faded, kWidth, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(trail_[i].at, i + 1 < trail_.size() ? trail_[i + 1].at : at_);
    }
    painter.setPen(QPen(color_, kWidth));
    painter.drawEllipse(at_, kRadius - kWidth, kRadius - kWidth);
}

bool PointerRing::eventFilter(QObject* object, QEvent* event) {
    if (object == parentWidget() && event->type() == QEvent::Resize && isVisible())
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(object, event);
}

void PointerRing::showEvent(QShowEvent*) {
    setGeometry(parentWidget()->rect());
    raise();
    at_ = parentWidget()->mapFromGlobal(QCursor::pos());
    trail_.clear();
    timer_.start();
}

void PointerRing::hideEvent(QHideEvent*) {
    timer_.stop();
}

} // namespace cutaway::views
