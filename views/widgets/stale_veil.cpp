// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/stale_veil.h"

#include "views/models/format.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QTabBar>
#include <algorithm>

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

void StaleVeil::lift(const QDateTime& of, bool partial) {
    of_ = of;
    partial_ = partial;
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
    const QString said = partial_ ? tr("First stages of an earlier text, %1 old (%2)")
                                  : tr("Last good result, %1 old (%2)");
    label_->setText(said.arg(format::age(of_.secsTo(QDateTime::currentDateTime())),
                             QLocale().toString(of_.time(), "HH:mm:ss")));
    label_->setAccessibleName(label_->text());
    place();
}

/// The largest part of the pane that holds nothing to click on by itself: the age covers no button.
QRect StaleVeil::quietPlace() const {
    auto isControl = [](const QWidget* widget) {
        return qobject_cast<const QAbstractButton*>(widget) ||
               qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
               qobject_cast<const QAbstractSpinBox*>(widget) ||
               qobject_cast<const QTabBar*>(widget);
    };
    const QWidget* pane = parentWidget();
    QRect best;
    for (const QWidget* widget : pane->findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget == this || widget->parent() == this) continue;
        const QRect rect(widget->mapTo(pane, QPoint()), widget->size());
        if (rect.width() * rect.height() <= best.width() * best.height()) continue;
        const auto inside = widget->findChildren<QWidget*>();
        if (!isControl(widget) && std::none_of(inside.begin(), inside.end(), isControl))
            best = rect;
    }
    return best.isEmpty() ? rect() : best;
}

void StaleVeil::place() {
    setGeometry(parentWidget()->rect());
    label_->adjustSize();
    const int gap = 8, bar = 12; // beside scroll bars
    const QRect room = quietPlace();
    label_->move(std::max(room.left() + gap, room.right() - label_->width() - gap - bar),
                 std::max(room.top() + gap, room.bottom() - label_->height() - gap - bar));
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
