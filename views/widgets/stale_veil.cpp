// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/stale_veil.h"

#include "views/models/format.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>

namespace cutaway::views {

namespace {
constexpr int kTickMs = 1000;
constexpr double kVeil = 0.45; ///< how much of the content is covered
} // namespace

StaleVeil::StaleVeil(QWidget* pane) : QWidget(pane), label_(new QLabel(this)) {
    setObjectName("staleVeil");
    label_->setObjectName("staleAge");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    clock_.setInterval(kTickMs);
    connect(&clock_, &QTimer::timeout, this, &StaleVeil::showAge);
    pane->installEventFilter(this);
    hide();
}

void StaleVeil::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void StaleVeil::lift(const QDateTime& of) {
    of_ = of;
    showAge();
    clock_.start();
    show();
    raise();
}

void StaleVeil::drop() {
    clock_.stop();
    hide();
}

void StaleVeil::showAge() {
    label_->setText(tr("Last good result, %1 old (%2)")
                        .arg(format::age(of_.secsTo(QDateTime::currentDateTime())),
                             QLocale().toString(of_.time(), "HH:mm:ss")));
    label_->setAccessibleName(label_->text());
    place();
}

void StaleVeil::place() {
    setGeometry(parentWidget()->rect());
    label_->adjustSize();
    const int gap = 8;
    label_->move(std::max(gap, width() - label_->width() - gap - 12),
                 std::max(gap, height() - label_->height() - gap - 12));
}

bool StaleVeil::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return QWidget::eventFilter(watched, event);
}

void StaleVeil::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor veil = theme_.base;
    veil.setAlphaF(kVeil);
    painter.fillRect(rect(), veil);
}

} // namespace cutaway::views
