// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/detail_line.h"

#include "views/widgets/item_view.h"

#include <QEvent>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kLines = 2;
}

DetailLine::DetailLine(ItemView* view, int column, const QString& hint)
    : view_(view), column_(column), hint_(hint) {
    setObjectName("detailLine");
    setWordWrap(true);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setContentsMargins(7, 4, 7, 4);
    // The height stays the same for all but the longest texts: rows should not jump under the
    // mouse.
    setMinimumHeight(kLines * fontMetrics().lineSpacing() + 8);
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
    layout->addWidget(new DetailLine(view, column, hint));
    both->setFocusProxy(view);
    return both;
}

bool DetailLine::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave) showUsual();
    return QLabel::eventFilter(watched, event);
}

void DetailLine::showRow(const QModelIndex& row) {
    if (!row.isValid()) return showUsual();
    setForegroundRole(QPalette::WindowText);
    setText(row.siblingAtColumn(column_).data().toString());
}

void DetailLine::showUsual() {
    if (QModelIndex row = view_->meantRow(); row.isValid()) return showRow(row);
    setForegroundRole(QPalette::PlaceholderText);
    setText(view_->model()->rowCount() > 0 ? hint_ : QString());
}

} // namespace cutaway::views
