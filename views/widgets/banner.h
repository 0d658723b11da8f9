// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A line across the window that says what happened and offers what can be done about it. Of several
/// the first is shown, with a button that opens the others.
#pragma once

#include "views/widgets/theme.h"

#include <QFrame>
#include <functional>

class QPushButton;
class QScrollArea;
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

    /// Hidden without any. Those that were opened stay open while there are several.
    void showMessages(const std::vector<Message>& messages);
    /// What all of them say, a line each.
    QString text() const;
    /// Opens or closes those behind the first.
    void setOpen(bool open);
    bool isOpen() const { return open_; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fill();
    void fit();
    QScrollArea* scroll_;
    QVBoxLayout* column_;
    std::vector<Message> messages_;
    std::vector<QFrame*> lines_;
    bool open_ = false;
};

} // namespace cutaway::views
