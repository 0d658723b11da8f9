// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/passes/passes_pane.h"

#include "views/models/rows.h"
#include "views/widgets/code_view.h"
#include "views/widgets/item_view.h"
#include "views/widgets/pane_bar.h"

#include <QCheckBox>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>

namespace cutaway::views {

PassesPane::PassesPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), list_(new ItemView(rows::passColumns(), "passList")),
      onlyChanged_(new QCheckBox(tr("Only passes that changed something"))), summary_(new QLabel),
      changes_(new CodeView) {
    auto* bar = new PaneBar;
    onlyChanged_->setChecked(true);
    bar->addWidget(onlyChanged_);
    bar->addStretch();
    bar->addButton("up", tr("Previous pass that changed something ([)"), this,
                   [this] { step(-1); });
    bar->addButton("down", tr("Next pass that changed something (])"), this, [this] { step(1); });
    body()->addWidget(bar);
    auto* detail = new QWidget;
    auto* column = new QVBoxLayout(detail);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    summary_->setWordWrap(true);
    summary_->setMargin(6);
    summary_->setObjectName("muted");
    column->addWidget(summary_);
    column->addWidget(changes_, 1);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(list_);
    splitter->addWidget(detail);
    splitter->setSizes({260, 260});
    body()->addWidget(splitter);
    list_->setStretchColumn(static_cast<int>(rows::PassColumn::Pass));
    changes_->setReadOnly(true);
    changes_->setLanguage("python");
    changes_->setLineNumbers(false);
    changes_->setAccessibleName(tr("Changes"));
    connect(onlyChanged_, &QCheckBox::toggled, this, [this] { showRecord(); });
    connect(list_, &ItemView::rowChosen, this,
            [this](const Row* row) { showPass(row->detail.toInt()); });
    auto key = [this](const char* keys, int direction) {
        auto* shortcut = new QShortcut(QKeySequence(QLatin1String(keys)), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, direction] { step(direction); });
    };
    key("[", -1);
    key("]", 1);
}

void PassesPane::step(int direction) {
    if (!entry()) return;
    int count = static_cast<int>(entry()->passes.size());
    int start = current_ < 0 && direction < 0 ? count : current_;
    for (int i = start + direction; i >= 0 && i < count; i += direction)
        if (entry()->passes[static_cast<size_t>(i)].changed)
            return list_->selectDetail(QString::number(i));
}

void PassesPane::showRecord() {
    int before = current_;
    list_->setRows(entry() ? rows::passes(*entry(), onlyChanged_->isChecked())
                           : std::vector<Row>{});
    bool exists = entry() && before >= 0 && static_cast<size_t>(before) < entry()->passes.size();
    current_ = exists ? before : -1;
    if (current_ >= 0)
        showPass(current_);
    else
        step(1);
    if (current_ < 0) showPass(-1);
}

void PassesPane::showPass(int index) {
    current_ = index;
    if (!entry() || index < 0 || static_cast<size_t>(index) >= entry()->passes.size()) {
        summary_->clear();
        changes_->setCode({});
        return;
    }
    const record::PassRun& pass = entry()->passes[static_cast<size_t>(index)];
    summary_->setText(QString("<b>%1</b> · %2")
                          .arg(QString::fromStdString(pass.pass).toHtmlEscaped(),
                               QString::fromStdString(pass.summary).toHtmlEscaped()));
    QStringList lines;
    std::vector<int> signs;
    auto add = [&](const std::string& text, int sign) {
        for (const QString& line : QString::fromStdString(text).trimmed().split('\n')) {
            lines << (sign > 0 ? "+ " : sign < 0 ? "- " : "  ") + line;
            signs.push_back(sign);
        }
    };
    for (const record::NodeChange& change : pass.changes) {
        if (!change.before.empty()) add(change.before, -1);
        if (!change.after.empty()) add(change.after, 1);
        if (change.before.empty() && change.after.empty())
            add(change.kind + " " + change.node, change.kind == "removed" ? -1 : 1);
    }
    if (lines.isEmpty()) add("nothing to change", 0);
    changes_->setCode(lines.join('\n'));
    changes_->setDiff(signs);
    changes_->revealLine(0);
}

void PassesPane::showSelection(bool) {}

void PassesPane::showStatus() {
    list_->setEmptyText(emptyAdvice(tr("No pass changed anything.")));
}

void PassesPane::showTheme() {
    list_->setTheme(theme());
    changes_->setTheme(theme());
}

} // namespace cutaway::views
