// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/output/output_pane.h"

#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <utility>

namespace cutaway::views {

namespace {
constexpr int kMostLines = 5000;
}

OutputPane::OutputPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), text_(new QPlainTextEdit) {
    text_->setReadOnly(true);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setMaximumBlockCount(kMostLines);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setAccessibleName(tr("Output"));
    text_->setPlaceholderText(tr("What the script prints stands here."));
    setFocusProxy(text_);
    body()->addWidget(text_);
    connect(session().engine(), &EngineClient::log, this, [this](const QString& line) {
        if (std::exchange(fresh_, false)) text_->clear();
        text_->moveCursor(QTextCursor::End);
        text_->insertPlainText(line.endsWith('\n') ? line : line + "\n");
        setUnread(!isInSight());
    });
    connect(&session(), &Session::statusChanged, this, [this, busy = false]() mutable {
        const bool now = session().isCompiling() || session().isRunning();
        if (now && !busy) fresh_ = true;
        busy = now;
    });
    connect(&session(), &Session::textReplaced, this, [this](bool other) {
        if (other) text_->clear();
        if (other) setUnread(false);
    });
}

/// The tab tells that there is something to read.
void OutputPane::setUnread(bool unread) {
    QWidget* dock = parentWidget();
    if (!dock || unread == unread_) return;
    unread_ = unread;
    if (unread) title_ = dock->windowTitle();
    dock->setWindowTitle(unread ? title_ + " •" : title_);
}

QString OutputPane::text() const {
    return text_->toPlainText();
}

void OutputPane::showTheme() {
    text_->setFont(codeFont());
}

} // namespace cutaway::views
