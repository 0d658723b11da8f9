// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/source/source_pane.h"

#include "views/language/sentences.h"
#include "views/widgets/code_view.h"
#include "views/widgets/find_bar.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace cutaway::views {

SourcePane::SourcePane(PaneContext context, QWidget* parent)
    : Pane(context, parent), editor_(new CodeView), find_(new FindBar(editor_)) {
    body()->addWidget(editor_, 1);
    body()->addWidget(find_);
    setFocusProxy(editor_);
    editor_->setLanguage("python");
    editor_->setObjectName("sourceEditor");
    editor_->setAccessibleName(tr("Source"));
    editor_->setAutoIndent(true);
    editor_->setBraceMatching(QsciScintilla::SloppyBraceMatch);
    editor_->setBackspaceUnindents(true);
    connect(&session(), &Session::textReplaced, this, [this](bool other) {
        editor_->setReadOnly(session().isReadOnly() || session().isModel());
        editor_->setCode(session().text(), !other);
        // What was typed can be had back after a reload, but not out of another document.
        if (other) {
            editor_->SendScintilla(QsciScintilla::SCI_EMPTYUNDOBUFFER);
            editor_->cancelFind();
            find_->forget();
        }
        showDiagnostics();
    });
    connect(editor_, &CodeView::edited, this, [this] {
        typed_ = true;
        session().setText(editor_->text());
    });
    connect(&session(), &Session::diagnosticsChanged, this, &SourcePane::showDiagnostics);
    connect(&session(), &Session::optionsChanged, this, [this] {
        if (!session().isDecisionLast()) return;
        editor_->beginUndoAction(); // what is typed from now on is taken back by itself
        editor_->endUndoAction();
    });
    // Scintilla takes back all that was typed in a row: a line at a time is enough.
    connect(editor_, &QsciScintilla::SCN_CHARADDED, this, [this](int character) {
        if (character != '\n') return;
        editor_->beginUndoAction();
        editor_->endUndoAction();
    });
    connect(editor_, &CodeView::lineActivated, this, &SourcePane::selectLine);
    connect(editor_, &CodeView::lineHovered, this, [this](int line) {
        selection().hover(line < 0 || session().isStale() ? kNoItem
                                                          : record().sourceItem(fileIndex(), line));
    });
    editor_->setTooltip([this](int line) {
        const ItemId item = record().sourceItem(fileIndex(), line);
        const bool used = item != kNoItem && record().links().descendants({item}).size() > 1;
        return used && !session().isStale() ? itemTip(item) : QString();
    });
    editor_->setReadOnly(session().isReadOnly() || session().isModel());
    editor_->setCode(session().text());
    editor_->installEventFilter(this);
}

/// Scintilla types the character of a shortcut that is disabled just now (Ctrl+. of Cancel).
bool SourcePane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == editor_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool control = key->modifiers().testFlag(Qt::ControlModifier) &&
                             !key->modifiers().testFlag(Qt::AltModifier); // both: AltGr
        if (control && !key->text().isEmpty() && key->text().front().isPrint()) {
            event->ignore(); // the window says why it does nothing
            return true;
        }
    }
    return Pane::eventFilter(watched, event);
}

int SourcePane::fileIndex() const {
    const auto& files = record().record().files;
    QString name = QFileInfo(session().path()).fileName();
    for (size_t i = 0; i < files.size(); ++i)
        if (QFileInfo(QString::fromStdString(files[i].name)).fileName() == name)
            return static_cast<int>(i);
    return files.empty() ? -1 : 0;
}

void SourcePane::goTo(int line, int column) {
    editor_->setCursorPosition(std::max(0, line), std::max(0, column));
    editor_->ensureCursorVisible();
    editor_->setFocus();
}

void SourcePane::replaceInLine(int line, const QString& from, const QString& to) {
    const auto at = static_cast<int>(editor_->text(line).indexOf(from));
    if (at < 0) return;
    editor_->setSelection(line, at, line, at + static_cast<int>(from.size()));
    editor_->replaceSelectedText(to);
    editor_->ensureCursorVisible();
}

void SourcePane::showTheme() {
    editor_->setTheme(theme());
}

void SourcePane::selectLine(int line) {
    const ItemId item = record().sourceItem(fileIndex(), line);
    // A line that became nothing (a comment, an import) clears the lights.
    lit_ = item == kNoItem ? QString() : record().key(item);
    selection().select(item == kNoItem ? std::vector<ItemId>{} : std::vector<ItemId>{item}, this);
}

/// While a line is written it is no line of the record. Then the light follows the caret, if it was
/// the caret that had lit a line.
void SourcePane::showRecord() {
    if (!typed_ || !session().isCurrent()) return;
    typed_ = false;
    const auto& items = selection().items();
    if (items.size() != 1 || record().key(items.front()) != lit_) return;
    int line = 0, column = 0;
    editor_->getCursorPosition(&line, &column);
    selectLine(line);
}

void SourcePane::showSelection(bool reveal) {
    int file = fileIndex();
    editor_->setHighlights([&](int line) {
        ItemId item = record().sourceItem(file, line);
        return item == kNoItem ? Highlight::None : selection().level(item);
    });
    if (reveal) editor_->revealHighlight();
}

void SourcePane::showDiagnostics() {
    editor_->clearErrors();
    QString own = QFileInfo(session().path()).fileName();
    for (const base::Diagnostic& one : session().diagnostics()) {
        const auto isOwn = [&own](const base::Location& place) {
            return place.known() && QFileInfo(QString::fromStdString(place.file)).fileName() == own;
        };
        // In a function of the library: at the line that called it.
        const auto caller =
            std::ranges::find_if(one.notes, [&](const auto& note) { return isOwn(note.where); });
        if (!isOwn(one.where) && caller == one.notes.end()) continue;
        const base::Location& where = isOwn(one.where) ? one.where : caller->where;
        QString text = told(one.message);
        if (!one.hint.empty()) text += "\n" + tr("hint: ") + told(one.hint);
        bool oneLine = where.endLine == 0 || where.endLine == where.line;
        editor_->addError(where.line - 1, where.column - 1, oneLine ? where.endColumn - 1 : 0, text,
                          one.severity != base::Severity::Error);
    }
}

} // namespace cutaway::views
