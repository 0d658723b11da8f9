// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/shortcut_sheet.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kRowRole = Qt::UserRole;

QString shown(const QKeySequence& keys) {
    return keys.toString(QKeySequence::NativeText);
}
} // namespace

std::vector<ShortcutRow> ShortcutSheet::paneKeys() {
    const QString graph = tr("In a graph"), passes = tr("In the passes");
    return {{graph, tr("To the next node along an edge, or in the row: arrow keys"), nullptr, {}},
            {graph, tr("Fit the whole graph"), nullptr, QKeySequence(Qt::Key_Space)},
            {graph, tr("Zoom in"), nullptr, QKeySequence(Qt::Key_Plus)},
            {graph, tr("Zoom out"), nullptr, QKeySequence(Qt::Key_Minus)},
            {graph, tr("Real size"), nullptr, QKeySequence(Qt::Key_1)},
            {graph, tr("To what is lit"), nullptr, QKeySequence(Qt::Key_F)},
            {graph, tr("Next that was found"), nullptr, QKeySequence(Qt::Key_N)},
            {graph, tr("Open a box"), nullptr, QKeySequence(Qt::Key_Return)},
            {graph, tr("Menu of the node"), nullptr, QKeySequence(Qt::Key_Menu)},
            {passes, tr("Previous pass that changed something"), nullptr, QKeySequence("[")},
            {passes, tr("Next pass that changed something"), nullptr, QKeySequence("]")},
            {passes, tr("Previous pass"), nullptr, QKeySequence("{")},
            {passes, tr("Next pass"), nullptr, QKeySequence("}")}};
}

ShortcutSheet::ShortcutSheet(std::vector<ShortcutRow> rows,
                             std::function<void(const ShortcutRow&)> changed, QWidget* parent)
    : QDialog(parent), rows_(std::move(rows)), changed_(std::move(changed)), filter_(new QLineEdit),
      list_(new QTreeWidget), keys_(new QKeySequenceEdit),
      reset_(new QPushButton(tr("&Usual keys"))), problem_(new QLabel) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName("shortcutSheet");
    setWindowTitle(tr("Commands and keys"));
    resize(620, 560);
    auto* column = new QVBoxLayout(this);
    filter_->setPlaceholderText(tr("Find a command or a key"));
    filter_->setAccessibleName(filter_->placeholderText());
    column->addWidget(filter_);
    list_->setHeaderLabels({tr("Command"), tr("Keys")});
    list_->setRootIsDecorated(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->header()->setStretchLastSection(false);
    list_->setAccessibleName(tr("Commands"));
    column->addWidget(list_, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Keys of the chosen command")));
    row->addWidget(keys_, 1);
    row->addWidget(reset_);
    column->addLayout(row);
    problem_->setWordWrap(true);
    column->addWidget(problem_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(filter_, &QLineEdit::textChanged, this, &ShortcutSheet::fill);
    connect(list_, &QTreeWidget::currentItemChanged, this, &ShortcutSheet::showRow);
    connect(keys_, &QKeySequenceEdit::editingFinished, this,
            [this] { problem_->setText(setKeys(currentRow(), keys_->keySequence())); });
    keys_->installEventFilter(this); // Esc is no key to be given
    connect(reset_, &QPushButton::clicked, this, [this] {
        if (const int at = currentRow(); at >= 0)
            problem_->setText(setKeys(at, rows_[static_cast<size_t>(at)].usual));
    });
    fill({});
}

/// Escape leaves the field with the keys as they were: it closes what is open everywhere.
bool ShortcutSheet::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != keys_ || !key || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QDialog::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress) {
        showRow();
        list_->setFocus();
    }
    event->accept();
    return true;
}

int ShortcutSheet::currentRow() const {
    QTreeWidgetItem* item = list_->currentItem();
    return item && item->data(0, kRowRole).isValid() ? item->data(0, kRowRole).toInt() : -1;
}

void ShortcutSheet::fill(const QString& wanted) {
    list_->clear();
    QTreeWidgetItem* group = nullptr;
    for (size_t i = 0; i < rows_.size(); ++i) {
        const ShortcutRow& row = rows_[i];
        const QString keys = shown(row.action ? row.action->shortcut() : row.usual);
        if (!row.title.contains(wanted, Qt::CaseInsensitive) &&
            !keys.contains(wanted, Qt::CaseInsensitive) &&
            !row.group.contains(wanted, Qt::CaseInsensitive))
            continue;
        if (!group || group->text(0) != row.group) {
            group = new QTreeWidgetItem(list_, {row.group});
            group->setFlags(Qt::ItemIsEnabled);
            QFont bold = list_->font();
            bold.setBold(true);
            group->setFont(0, bold);
        }
        auto* item = new QTreeWidgetItem(list_, {"    " + row.title, keys});
        item->setData(0, kRowRole, static_cast<int>(i));
    }
    showRow();
}

void ShortcutSheet::showRow() {
    const int at = currentRow();
    QAction* action = at < 0 ? nullptr : rows_[static_cast<size_t>(at)].action;
    keys_->setEnabled(action);
    reset_->setEnabled(action && action->shortcut() != rows_[static_cast<size_t>(at)].usual);
    keys_->setKeySequence(action ? action->shortcut() : QKeySequence());
    problem_->clear();
}

QString ShortcutSheet::setKeys(int at, const QKeySequence& keys) {
    if (at < 0 || !rows_[static_cast<size_t>(at)].action) return {};
    const ShortcutRow& row = rows_[static_cast<size_t>(at)];
    if (row.action->shortcut() == keys) return {};
    if (keys == QKeySequence(Qt::Key_Escape)) {
        keys_->setKeySequence(row.action->shortcut());
        return tr("Esc leaves what is open, and is no key of a command.");
    }
    for (const ShortcutRow& other : rows_)
        if (!keys.isEmpty() && other.action && other.action != row.action &&
            other.action->shortcut() == keys) {
            keys_->setKeySequence(row.action->shortcut());
            return tr("%1 is taken by “%2”. Give that other keys first.")
                .arg(shown(keys), other.title);
        }
    row.action->setShortcut(keys);
    for (QTreeWidgetItemIterator item(list_); *item; ++item)
        if ((*item)->data(0, kRowRole).isValid() && (*item)->data(0, kRowRole).toInt() == at)
            (*item)->setText(1, shown(keys));
    reset_->setEnabled(keys != row.usual);
    changed_(row);
    return {};
}

} // namespace cutaway::views
