// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A box to choose from that the wheel does not change in passing: only once it has the focus.
#pragma once

#include <QComboBox>
#include <QWheelEvent>

namespace cutaway::views {

class ChoiceBox : public QComboBox {
public:
    explicit ChoiceBox(QWidget* parent = nullptr) : QComboBox(parent) {
        setFocusPolicy(Qt::StrongFocus);
    }

protected:
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus()) return QComboBox::wheelEvent(event);
        event->ignore();
    }
};

} // namespace cutaway::views
