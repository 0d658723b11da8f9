// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A text that is as high as it needs where there is room, and is scrolled where there is not.
#pragma once

#include <QEvent>
#include <QLabel>
#include <QScrollArea>

namespace cutaway::views {

class FittedScroll : public QScrollArea {
public:
    explicit FittedScroll(QLabel* text) {
        setWidget(text);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return widget()->heightForWidth(width); }
    QSize sizeHint() const override {
        return {widget()->sizeHint().width(), heightForWidth(std::max(1, width()))};
    }
    QSize minimumSizeHint() const override {
        return {1, std::min(sizeHint().height(), 3 * fontMetrics().lineSpacing())};
    }

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest) updateGeometry(); // another text
        return QScrollArea::event(event);
    }
};

} // namespace cutaway::views
