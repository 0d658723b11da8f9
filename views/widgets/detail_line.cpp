// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/detail_line.h"

#include "views/widgets/item_view.h"

#include <QEvent>
#include <QStylePainter>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kLines = 2, kLowLines = 7;
}

DetailLine::DetailLine(ItemView* view, int column, const QString& hint)
    : view_(view), column_(column), hint_(hint) {
    setObjectName("detailLine");
    setWordWrap(true);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setContentsMargins(7, 4, 7, 4);
    setMinimumWidth(1); // of a sentence on one line
    // The height stays the same for all but the longest texts: rows should not jump under the
    // mouse.
    leaveRoom();
    view->setMouseTracking(true);
    view->viewport()->installEventFilter(this);
    connect(view, &ItemView::entered, this, &DetailLine::showRow);
    connect(view, &ItemView::meantRowChanged, this, &DetailLine::showUsual);
    showUsual();
}

QWidget* DetailLine::below(ItemView* view, int column, const QString& hint) {
    auto* both = new QWidget;
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(view, 1);
    auto* line = new DetailLine(view, column, hint);
    layout->addWidget(line);
    both->installEventFilter(line);
    both->setFocusProxy(view);
    return both;
}

/// In a low pane the rows come first.
void DetailLine::leaveRoom() {
    const QWidget* both = parentWidget();
    const bool low = both && both->height() < kLowLines * fontMetrics().lineSpacing();
    setMinimumHeight((low ? 1 : kLines) * fontMetrics().lineSpacing() + 8);
    setWordWrap(!low);
}

/// The tooltip has all of it, where a low pane cuts it off.
void DetailLine::say(const QString& text) {
    setText(text);
    setToolTip(text.isEmpty() ? text : "<p>" + text.toHtmlEscaped() + "</p>");
}

/// Where one line is all there is, its end is told to be missing.
void DetailLine::paintEvent(QPaintEvent* event) {
    if (wordWrap()) return QLabel::paintEvent(event);
    QStylePainter painter(this);
    const QRect room = contentsRect();
    painter.drawItemText(room, Qt::AlignLeft | Qt::AlignTop, palette(), isEnabled(),
                         fontMetrics().elidedText(text(), Qt::ElideRight, room.width()),
                         foregroundRole());
}

bool DetailLine::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize) leaveRoom();
        return QLabel::eventFilter(watched, event);
    }
    if (event->type() == QEvent::Leave) showUsual();
    return QLabel::eventFilter(watched, event);
}

void DetailLine::showRow(const QModelIndex& row) {
    if (!row.isValid()) return showUsual();
    setForegroundRole(QPalette::WindowText);
    say(row.siblingAtColumn(column_).data().toString());
}

void DetailLine::showUsual() {
    if (QModelIndex row = view_->meantRow(); row.isValid()) {
        showRow(row);
        // Others may be lit beside it: it is said whose reason this is.
        if (view_->isMeantByLight()) say(row.siblingAtColumn(0).data().toString() + ": " + text());
        return;
    }
    setForegroundRole(QPalette::PlaceholderText);
    say(view_->model()->rowCount() > 0 ? hint_ : QString());
}

} // namespace cutaway::views
