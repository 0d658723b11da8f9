// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Lines across the window that say what happened and offer what can be done about it.
#pragma once

#include "views/widgets/theme.h"

#include <QFrame>
#include <functional>

class QVBoxLayout;

namespace cutaway::views {

class Banner : public QFrame {
    Q_OBJECT
public:
    struct Choice {
        QString text;
        std::function<void()> act;
    };
    struct Message {
        Tone tone = Tone::Normal;
        QString text, detail;
        std::vector<Choice> choices;
    };
    explicit Banner(QWidget* parent = nullptr);

    /// Each on a line of its own, so that none hides another; hidden without any.
    void showMessages(const std::vector<Message>& messages);
    /// What they say, a line each.
    QString text() const;

private:
    QVBoxLayout* column_;
    std::vector<QFrame*> lines_;
    QStringList texts_;
};

} // namespace cutaway::views
