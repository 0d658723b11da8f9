// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A button that may be narrower than its text, which then ends in an ellipsis; the tooltip has it
/// whole.
#pragma once

#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>

namespace cutaway::views {

class ElidedButton : public QPushButton {
public:
    explicit ElidedButton(const QString& text) : QPushButton(text) {
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    QSize minimumSizeHint() const override {
        const QSize whole = sizeHint();
        return {std::min(whole.width(), fontMetrics().averageCharWidth() * kLeastLetters),
                whole.height()};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        const int whole = sizeHint().width(), textWidth = fontMetrics().horizontalAdvance(text());
        if (width() < whole)
            option.text =
                fontMetrics().elidedText(text(), Qt::ElideRight, textWidth - (whole - width()));
        painter.drawControl(QStyle::CE_PushButton, option);
    }

private:
    static constexpr int kLeastLetters = 12;
};

} // namespace cutaway::views
