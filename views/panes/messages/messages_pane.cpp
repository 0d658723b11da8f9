// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/messages/messages_pane.h"

#include "views/models/rows.h"
#include "views/widgets/item_view.h"

#include <QFileInfo>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::views {

MessagesPane::MessagesPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), list_(new ItemView(rows::messageColumns(), "messageList")) {
    setFocusProxy(list_);
    body()->addWidget(list_);
    list_->setSelectionState(&selection());
    list_->setOrigin(this);
    list_->setWrapped(true);
    list_->setStretchColumn(static_cast<int>(rows::MessageColumn::Message));
    connect(&session(), &Session::diagnosticsChanged, this, &MessagesPane::fill);
    connect(list_, &ItemView::rowChosen, this, [this](const Row* row) {
        size_t index = row->detail.toULongLong();
        if (index >= session().diagnostics().size()) return;
        const base::Location& where = session().diagnostics()[index].where;
        bool own = QFileInfo(QString::fromStdString(where.file)).fileName() ==
                   QFileInfo(session().path()).fileName();
        if (where.known() && own) emit placeChosen(where.line - 1, where.column - 1);
    });
}

/// What was said of an earlier text stands dimmed until this one is compiled.
bool MessagesPane::isOfEarlier() const {
    return (session().isStale() || session().isPartial()) && !session().failed() &&
           !session().compilesNothing();
}

void MessagesPane::fill() {
    const auto& found = session().diagnostics();
    std::vector<Row> rows = rows::messages(record(), found);
    dimmed_ = isOfEarlier();
    for (Row& row : rows)
        row.dimmed = dimmed_;
    list_->setRows(std::move(rows));
    const auto waits = [](const base::Diagnostic& one) {
        return one.severity != base::Severity::Note;
    };
    emit waitingChanged(static_cast<int>(std::ranges::count_if(found, waits)));
}

void MessagesPane::showTheme() {
    list_->setTheme(theme());
}

void MessagesPane::showRecord() {
    fill();
}

void MessagesPane::showSelection(bool) {
    list_->updateHighlights(false);
}

void MessagesPane::showStatus() {
    if (dimmed_ != isOfEarlier()) fill();
    list_->setEmptyText(emptyAdvice(tr("No messages.")));
}

} // namespace cutaway::views
