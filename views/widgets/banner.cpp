// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/banner.h"

#include <QStyle>

namespace cutaway::views {

Banner::Banner(QWidget* parent) : QFrame(parent), label_(new QLabel), row_(new QHBoxLayout(this)) {
    setObjectName("banner");
    row_->setContentsMargins(12, 5, 8, 5);
    label_->setWordWrap(true);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row_->addWidget(label_, 1);
    hide();
}

void Banner::showMessage(Tone tone, const QString& text, const QString& detail,
                         const std::vector<Choice>& choices) {
    setProperty("tone", tone == Tone::Error ? "error" : tone == Tone::Warning ? "warning" : "info");
    style()->unpolish(this);
    style()->polish(this);
    label_->setText(text);
    label_->setToolTip(detail);
    for (QPushButton* button : buttons_)
        button->deleteLater();
    buttons_.clear();
    for (const Choice& choice : choices) {
        auto* button = new QPushButton(choice.text);
        connect(button, &QPushButton::clicked, this, [act = choice.act] { act(); });
        row_->addWidget(button);
        buttons_.push_back(button);
    }
    show();
}

} // namespace cutaway::views
