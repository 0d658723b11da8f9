// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/overflow_row.h"

#include <QEvent>
#include <QMenu>
#include <algorithm>

namespace cutaway::views {

namespace {
constexpr int kGap = 4;
}

OverflowRow::OverflowRow(const QString& moreTip, QWidget* parent)
    : QWidget(parent), more_(new QToolButton(this)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    more_->setObjectName("moreButtons");
    more_->setText(QStringLiteral("»"));
    more_->setToolTip(moreTip);
    more_->setAccessibleName(moreTip);
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setMenu(new QMenu(more_));
    more_->hide();
    connect(more_->menu(), &QMenu::aboutToShow, this, [this] { fillMenu(); });
}

void OverflowRow::setButtons(const QList<QToolButton*>& buttons) {
    for (QToolButton* old : buttons_)
        delete old;
    buttons_ = buttons;
    for (QToolButton* button : buttons_)
        button->setParent(this);
    more_->raise();
    if (!buttons_.isEmpty()) setTabOrder(buttons_.last(), more_);
    updateGeometry();
    arrange();
}

void OverflowRow::fillMenu() {
    QMenu* menu = more_->menu();
    menu->clear();
    for (QToolButton* button : buttons_)
        if (button->isHidden())
            menu->addAction(button->text(), button, [button] { button->click(); })
                ->setToolTip(button->toolTip());
}

/// As many as fit, from the first on.
void OverflowRow::arrange() {
    const bool all = sizeHint().width() <= width();
    int room = width();
    if (!all) room -= more_->sizeHint().width() + kGap;
    const auto need = [](const QToolButton* button) { return button->sizeHint().width() + kGap; };
    for (const QToolButton* button : buttons_)
        if (button->isChecked()) room -= need(button);
    int x = 0;
    bool full = false;
    for (QToolButton* button : buttons_) {
        const bool fits = button->isChecked() || (!full && need(button) <= room + kGap);
        if (!button->isChecked() && fits) room -= need(button);
        full = full || !fits;
        button->setVisible(fits);
        if (!fits) continue;
        const QSize size = button->sizeHint();
        button->setGeometry(x, (height() - size.height()) / 2, size.width(), size.height());
        x += size.width() + kGap;
    }
    more_->setVisible(full);
    const QSize size = more_->sizeHint();
    more_->setGeometry(x, (height() - size.height()) / 2, size.width(), size.height());
}

QSize OverflowRow::sizeHint() const {
    QSize size(0, more_->sizeHint().height());
    for (const QToolButton* button : buttons_) {
        const QSize one = button->sizeHint();
        size = {size.width() + one.width() + (size.width() > 0 ? kGap : 0),
                std::max(size.height(), one.height())};
    }
    return size;
}

QSize OverflowRow::minimumSizeHint() const {
    int widest = 0;
    for (const QToolButton* button : buttons_)
        widest = std::max(widest, button->sizeHint().width());
    const QSize whole = sizeHint();
    return {std::min(whole.width(), widest + kGap + more_->sizeHint().width()), whole.height()};
}

void OverflowRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

bool OverflowRow::event(QEvent* event) {
    // Of other type, or another theme, they are of another size.
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        arrange();
    }
    return QWidget::event(event);
}

} // namespace cutaway::views
