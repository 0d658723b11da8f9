// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/restyle.h"

#include <QApplication>
#include <QEvent>
#include <QStyle>
#include <QWidget>

namespace cutaway::views {

Restyle::Restyle(QObject* parent) : QObject(parent) {
    parent->installEventFilter(this);
}

bool Restyle::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::StyleChange) return changing_;
    if (event->type() != QEvent::Show || !object->isWidgetType()) return false;
    auto* widget = static_cast<QWidget*>(object);
    if (widget->testAttribute(Qt::WA_WState_Polished)) return false;
    widget->style()->polish(widget);
    widget->setAttribute(Qt::WA_WState_Polished);
    return false;
}

void Restyle::apply(const QString& sheet, const QPalette& palette) {
    static Restyle* const restyle = new Restyle(qApp);
    for (QWidget* widget : QApplication::allWidgets()) // Qt polishes those that were before
        if (!widget->isVisible()) widget->setAttribute(Qt::WA_WState_Polished, false);
    restyle->changing_ = true;
    qApp->setStyleSheet({}); // one sheet in place of another takes five times as long
    QApplication::setPalette(palette);
    qApp->setStyleSheet(sheet);
    restyle->changing_ = false;
}

} // namespace cutaway::views
