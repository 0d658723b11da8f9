// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How high a table is that stands above something else.
#pragma once

#include <QObject>

class QSplitter;
class QTreeView;

namespace cutaway::views {

/// As high as its rows are, but no more than a share of both: until somebody moves what is between.
class RowsRoom : public QObject {
public:
    /// \param table the first of the splitter
    RowsRoom(QSplitter* splitter, QTreeView* table, double most);

private:
    bool eventFilter(QObject* object, QEvent* event) override;
    void fitLater();
    void fit();

    QSplitter* splitter_;
    QTreeView* table_;
    double most_;
    bool moved_ = false, due_ = false;
};

} // namespace cutaway::views
