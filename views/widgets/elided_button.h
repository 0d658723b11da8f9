// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Buttons that may be narrower than their text: it then ends in an ellipsis (the tooltip has it
/// whole), or goes on in further lines.
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

    static constexpr int kLeastLetters = 12;
};

class WrappedButton : public ElidedButton {
public:
    explicit WrappedButton(const QString& text) : ElidedButton(text) {
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    /// The text in lines of the button's width; a word that is wider is shortened.
    QString lines(int width) const {
        const int room = width - (sizeHint().width() - fontMetrics().horizontalAdvance(text()));
        QStringList result;
        for (const QString& word : text().split(' ')) {
            const QString longer = result.isEmpty() ? word : result.last() + ' ' + word;
            if (result.isEmpty() || fontMetrics().horizontalAdvance(longer) > room)
                result << fontMetrics().elidedText(word, Qt::ElideRight, room);
            else
                result.last() = longer;
        }
        return result.join('\n');
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override {
        return sizeHint().height() + int(lines(width).count('\n')) * fontMetrics().lineSpacing();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        option.text = lines(width());
        painter.drawControl(QStyle::CE_PushButton, option);
    }
};

} // namespace cutaway::views
