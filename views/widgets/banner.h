// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// One line across the window that says what happened and offers what can be done about it.
#pragma once

#include "views/widgets/theme.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <functional>

namespace cutaway::views {

class Banner : public QFrame {
    Q_OBJECT
public:
    struct Choice {
        QString text;
        std::function<void()> act;
    };
    explicit Banner(QWidget* parent = nullptr);

    void showMessage(Tone tone, const QString& text, const QString& detail,
                     const std::vector<Choice>& choices);
    QString text() const { return label_->text(); }

private:
    QLabel* label_;
    QHBoxLayout* row_;
    std::vector<QPushButton*> buttons_;
};

} // namespace cutaway::views
