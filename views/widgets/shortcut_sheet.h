// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every command with its keys, searchable; the keys can be changed.
#pragma once

#include <QDialog>
#include <QKeySequence>
#include <functional>
#include <vector>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace cutaway::views {

/// A command whose keys can be changed.
struct ShortcutRow {
    QString group, title;
    QAction* action = nullptr; ///< null: a fixed key of a pane
    QKeySequence usual;        ///< what it has when nobody changed it
};

class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    /// \param changed is called after the keys of a command were changed here.
    ShortcutSheet(std::vector<ShortcutRow> rows, std::function<void(const ShortcutRow&)> changed,
                  QWidget* parent);
    /// Keys of the panes that are no commands of the menus.
    static std::vector<ShortcutRow> paneKeys();
    QTreeWidget* list() const { return list_; }
    /// Gives a command other keys. \returns why not; empty: done.
    QString setKeys(int row, const QKeySequence& keys);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& wanted);
    void showRow();
    int currentRow() const;

    std::vector<ShortcutRow> rows_;
    std::function<void(const ShortcutRow&)> changed_;
    QLineEdit* filter_;
    QTreeWidget* list_;
    QKeySequenceEdit* keys_;
    QPushButton* reset_;
    QLabel* problem_;
};

} // namespace cutaway::views
