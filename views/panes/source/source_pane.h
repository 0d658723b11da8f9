// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The script in an editor: errors beside their lines, related lines lit, edits compiled.
#pragma once

#include "views/panes/pane.h"

namespace cutaway::views {

class CodeView;

class SourcePane : public Pane {
    Q_OBJECT
public:
    SourcePane(PaneContext context, QWidget* parent);
    CodeView* editor() const { return editor_; }
    FindBar* findBar() const override { return find_; }
    void goTo(int line, int column);
    /// An edit as if it was typed: the first \p from of a line becomes \p to.
    void replaceInLine(int line, const QString& from, const QString& to);

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    bool showsResults() const override { return false; }
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int fileIndex() const;
    void showDiagnostics();
    void selectLine(int line);
    CodeView* editor_;
    FindBar* find_;
    bool typed_ = false; ///< since the record that is shown was made
    QString lit_;        ///< key of the line that the caret lit; empty: none
};

} // namespace cutaway::views
