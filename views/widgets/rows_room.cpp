// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/rows_room.h"

#include <QEvent>
#include <QHeaderView>
#include <QSplitter>
#include <QTreeView>
#include <algorithm>
#include <utility>

namespace cutaway::views {

RowsRoom::RowsRoom(QSplitter* splitter, QTreeView* table, double most)
    : QObject(splitter), splitter_(splitter), table_(table), most_(most) {
    splitter->setStretchFactor(splitter->indexOf(table), 0);
    splitter->installEventFilter(this);
    connect(splitter, &QSplitter::splitterMoved, this, [this] { moved_ = true; });
    connect(table->model(), &QAbstractItemModel::modelReset, this, &RowsRoom::fitLater);
}

bool RowsRoom::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize) fitLater();
    return false;
}

/// Once all is where it will be.
void RowsRoom::fitLater() {
    if (!std::exchange(due_, true))
        QMetaObject::invokeMethod(this, &RowsRoom::fit, Qt::QueuedConnection);
}

void RowsRoom::fit() {
    due_ = false;
    if (moved_ || splitter_->height() <= 0) return;
    const int all = splitter_->height(), most = static_cast<int>(most_ * all);
    const int row = std::max(1, table_->sizeHintForRow(0));
    int wanted = table_->header()->sizeHint().height() + row; // a row of air
    for (QModelIndex at = table_->model()->index(0, 0); at.isValid() && wanted < most;
         at = table_->indexBelow(at))
        wanted += row;
    const int top = std::min(most, wanted);
    splitter_->setSizes({top, all - top});
}

} // namespace cutaway::views
