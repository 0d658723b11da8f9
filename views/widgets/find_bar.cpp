// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/find_bar.h"

#include "views/widgets/code_view.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>

namespace cutaway::views {

FindBar::FindBar(CodeView* view, QWidget* parent)
    : QFrame(parent), view_(view), wanted_(new QLineEdit), replacement_(new QLineEdit),
      matchCase_(new QCheckBox(tr("Aa"))), expression_(new QCheckBox(tr(".*"))),
      replaceButton_(new QToolButton), allButton_(new QToolButton), said_(new QLabel) {
    setObjectName("paneBar");
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(6, 3, 6, 3);
    grid->setSpacing(4);
    wanted_->setPlaceholderText(tr("Find"));
    wanted_->setAccessibleName(tr("Find"));
    wanted_->setObjectName("findText");
    replacement_->setPlaceholderText(tr("Replace by"));
    replacement_->setAccessibleName(tr("Replace by"));
    matchCase_->setToolTip(tr("Tell small and capital letters apart"));
    expression_->setToolTip(tr("A regular expression; \\1 in what replaces it is its first group"));
    said_->setObjectName("muted");
    std::vector<QWidget*> order{wanted_, replacement_, matchCase_, expression_};
    auto button = [this, &order](const QString& text, const QString& tip, auto act) {
        auto* made = new QToolButton;
        made->setText(text);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        connect(made, &QToolButton::clicked, this, act);
        order.push_back(made);
        return made;
    };
    grid->addWidget(wanted_, 0, 0);
    grid->addWidget(said_, 0, 1);
    grid->addWidget(
        button(tr("↑"), tr("Find the one before (Shift+Enter)"), [this] { findNext(false); }), 0,
        2);
    grid->addWidget(button(tr("↓"), tr("Find the next (Enter)"), [this] { findNext(true); }), 0, 3);
    grid->addWidget(button(tr("×"), tr("Close (Esc)"),
                           [this] {
                               hide();
                               view_->setFocus();
                           }),
                    0, 4);
    grid->addWidget(replacement_, 1, 0);
    auto* flags = new QHBoxLayout;
    flags->addWidget(matchCase_);
    flags->addWidget(expression_);
    grid->addLayout(flags, 0, 5);
    replaceButton_->setText(tr("Replace"));
    allButton_->setText(tr("All"));
    allButton_->setToolTip(tr("Replace all of them"));
    connect(replaceButton_, &QToolButton::clicked, this, &FindBar::replaceOne);
    connect(allButton_, &QToolButton::clicked, this, &FindBar::replaceAll);
    grid->addWidget(replaceButton_, 1, 1);
    grid->addWidget(allButton_, 1, 2, 1, 2);
    grid->setColumnStretch(0, 1);
    // What is typed comes first, then how it is meant, then what is done with it.
    order.insert(order.end() - 1, {replaceButton_, allButton_});
    for (size_t i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
    connect(wanted_, &QLineEdit::textChanged, this, [this] { find(true, true); });
    for (QCheckBox* box : {matchCase_, expression_})
        connect(box, &QCheckBox::toggled, this, [this] { find(true, true); });
    connect(view_, &QsciScintilla::textChanged, this, [this] {
        if (isVisible()) showCount();
    });
    hide();
}

void FindBar::forget() {
    hide();
    wanted_->clear();
    replacement_->clear();
    said_->clear();
}

void FindBar::open(bool replace) {
    show();
    for (QWidget* one : std::initializer_list<QWidget*>{replacement_, replaceButton_, allButton_})
        one->setVisible(replace && !view_->isReadOnly());
    const QString selected = view_->selectedText();
    if (!selected.isEmpty() && !selected.contains('\n')) wanted_->setText(selected);
    wanted_->setFocus();
    wanted_->selectAll();
    showCount();
}

int FindBar::count() const {
    if (wanted_->text().isEmpty()) return -1;
    const QString pattern =
        expression_->isChecked() ? wanted_->text() : QRegularExpression::escape(wanted_->text());
    QRegularExpression expression(pattern, QRegularExpression::MultilineOption);
    if (!matchCase_->isChecked())
        expression.setPatternOptions(expression.patternOptions() |
                                     QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) return -2;
    return static_cast<int>(view_->text().count(expression));
}

void FindBar::showCount() {
    const int found = count();
    said_->setText(found == -1   ? QString()
                   : found == -2 ? tr("no valid expression")
                   : found == 0  ? tr("none")
                                 : tr("%1 found").arg(found));
}

QString FindBar::said() const {
    return said_->text();
}

bool FindBar::find(bool forward, bool fromSelectionStart) {
    showCount();
    if (count() <= 0) return false;
    int line = -1, column = -1, endLine = 0, endColumn = 0;
    if (view_->hasSelectedText()) {
        view_->getSelection(&line, &column, &endLine, &endColumn);
        if (forward && !fromSelectionStart) line = endLine, column = endColumn;
    } else {
        view_->getCursorPosition(&line, &column);
    }
    return view_->findFirst(wanted_->text(), expression_->isChecked(), matchCase_->isChecked(),
                            false, true, forward, line, column, true, true);
}

void FindBar::findNext(bool forward) {
    find(forward, false);
}

void FindBar::replaceOne() {
    if (view_->isReadOnly()) return;
    if (!view_->hasSelectedText() && !find(true, true)) return;
    find(true, true); // what is selected may not be what is wanted
    view_->replace(replacement_->text());
    find(true, false);
}

void FindBar::replaceAll() {
    if (view_->isReadOnly() || count() <= 0) return;
    int replaced = 0;
    view_->beginUndoAction();
    bool found = view_->findFirst(wanted_->text(), expression_->isChecked(),
                                  matchCase_->isChecked(), false, false, true, 0, 0, false, true);
    while (found) {
        view_->replace(replacement_->text());
        ++replaced;
        found = view_->findNext();
    }
    view_->endUndoAction();
    said_->setText(tr("%1 replaced").arg(replaced));
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        hide();
        view_->setFocus();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (replacement_->hasFocus()) return replaceOne();
        return findNext(!(event->modifiers() & Qt::ShiftModifier));
    default:
        QFrame::keyPressEvent(event);
    }
}

} // namespace cutaway::views
