// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace cutaway::views {

static QFrame* lineOf(const Banner::Message& message) {
    auto* line = new QFrame;
    line->setObjectName("banner");
    line->setProperty("tone", message.tone == Tone::Error     ? "error"
                              : message.tone == Tone::Warning ? "warning"
                                                              : "info");
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(12, 5, 8, 5);
    auto* label = new QLabel(message.text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setToolTip(message.detail);
    row->addWidget(label, 1);
    for (const Banner::Choice& choice : message.choices) {
        auto* button = new QPushButton(choice.text);
        QObject::connect(button, &QPushButton::clicked, line, [act = choice.act] { act(); });
        row->addWidget(button);
    }
    return line;
}

Banner::Banner(QWidget* parent) : QFrame(parent), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    hide();
}

void Banner::showMessages(const std::vector<Message>& messages) {
    for (QFrame* line : lines_) { // a button of one of them may have been clicked just now
        line->hide();
        line->setParent(nullptr);
        line->deleteLater();
    }
    lines_.clear();
    texts_.clear();
    for (const Message& message : messages) {
        lines_.push_back(lineOf(message));
        texts_ << message.text;
        column_->addWidget(lines_.back());
    }
    setVisible(!messages.empty());
}

QString Banner::text() const {
    return texts_.join('\n');
}

} // namespace cutaway::views
