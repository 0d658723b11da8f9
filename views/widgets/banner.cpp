// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kMostOfWindow = 3; ///< open, they take a third of it; more is scrolled

/// Takes one line, and ends in an ellipsis where that is too short; the tooltip has it whole.
class OneLine : public QLabel {
public:
    explicit OneLine(const QString& text) : QLabel(text) {
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QString line = text().simplified();
        painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeading,
                         fontMetrics().elidedText(line, Qt::ElideRight, width()));
    }
};

QFrame* lineOf(const Banner::Message& message, bool whole) {
    auto* line = new QFrame;
    line->setObjectName("banner");
    line->setProperty("tone", message.tone == Tone::Error     ? "error"
                              : message.tone == Tone::Warning ? "warning"
                                                              : "info");
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(12, 5, 8, 5);
    auto* label = whole ? new QLabel(message.text) : new OneLine(message.text);
    label->setWordWrap(whole);
    if (whole) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setToolTip(whole                      ? message.detail
                      : message.detail.isEmpty() ? message.text
                                                 : message.text + "\n" + message.detail);
    row->addWidget(label, 1);
    for (const Banner::Choice& choice : message.choices) {
        auto* button = new QPushButton(choice.text);
        QObject::connect(button, &QPushButton::clicked, line, [act = choice.act] { act(); });
        row->addWidget(button);
    }
    return line;
}
} // namespace

Banner::Banner(QWidget* parent) : QFrame(parent), scroll_(new QScrollArea) {
    auto* inner = new QWidget;
    column_ = new QVBoxLayout(inner);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    scroll_->setWidget(inner);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    // No layout: to one an area that may scroll is higher than a line of text.
    scroll_->setParent(this);
    hide();
}

void Banner::showMessages(const std::vector<Message>& messages) {
    messages_ = messages;
    open_ = open_ && messages_.size() > 1;
    fill();
}

void Banner::setOpen(bool open) {
    open_ = open && messages_.size() > 1;
    fill();
}

void Banner::fill() {
    for (QFrame* line : lines_) { // a button of one of them may have been clicked just now
        line->hide();
        line->setParent(nullptr);
        line->deleteLater();
    }
    lines_.clear();
    const bool several = messages_.size() > 1;
    for (const Message& message : messages_) {
        lines_.push_back(lineOf(message, open_ || !several));
        column_->addWidget(lines_.back());
        lines_.back()->show(); // else it counts for nothing yet
        if (!open_) break;
    }
    if (several) {
        auto* more = new QPushButton(
            open_ ? tr("Only the first")
                  : tr("and %n more", nullptr, static_cast<int>(messages_.size()) - 1));
        more->setObjectName("moreMessages");
        connect(more, &QPushButton::clicked, this, [this] { setOpen(!open_); });
        lines_.front()->layout()->addWidget(more);
    }
    setVisible(!messages_.empty());
    fit();
}

/// As high as they are, of a window that has the room.
void Banner::fit() {
    const int wide = std::max(1, width());
    const QWidget* inner = scroll_->widget();
    inner->layout()->activate();
    const int whole = inner->layout()->hasHeightForWidth()
                          ? inner->layout()->totalHeightForWidth(wide)
                          : inner->layout()->totalSizeHint().height();
    const int most = open_ ? window()->height() / kMostOfWindow : whole;
    scroll_->setVerticalScrollBarPolicy(whole > most ? Qt::ScrollBarAsNeeded
                                                     : Qt::ScrollBarAlwaysOff);
    setFixedHeight(std::min(whole, most));
    scroll_->setGeometry(rect());
}

void Banner::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    scroll_->setGeometry(rect());
    if (event->size().width() != event->oldSize().width()) fit();
}

void Banner::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    fit();
}

QString Banner::text() const {
    QStringList texts;
    for (const Message& message : messages_)
        texts << message.text;
    return texts.join('\n');
}

} // namespace cutaway::views
