// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The thin row of controls on top of a pane. Its icons follow the theme.
#pragma once

#include "views/widgets/theme.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QToolButton>

namespace cutaway::views {

class PaneBar : public QFrame {
    Q_OBJECT
public:
    explicit PaneBar(QWidget* parent = nullptr) : QFrame(parent), row_(new QHBoxLayout(this)) {
        setObjectName("paneBar");
        row_->setContentsMargins(6, 3, 6, 3);
        row_->setSpacing(4);
    }
    QHBoxLayout* row() const { return row_; }
    void addWidget(QWidget* widget, int stretch = 0) { row_->addWidget(widget, stretch); }
    void addStretch() { row_->addStretch(1); }
    template <typename F>
    QToolButton* addButton(const char* icon, const QString& tip, QObject* receiver, F slot) {
        auto* button = new QToolButton;
        button->setProperty("iconName", QString::fromLatin1(icon));
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, receiver, slot);
        row_->addWidget(button);
        return button;
    }
    /// Gives every button below \p root that names an icon that icon in the theme's colour.
    static void applyIcons(QWidget* root, const Theme& theme) {
        for (QToolButton* button : root->findChildren<QToolButton*>())
            if (QString name = button->property("iconName").toString(); !name.isEmpty())
                button->setIcon(theme.icon(name));
    }

private:
    QHBoxLayout* row_;
};

} // namespace cutaway::views
