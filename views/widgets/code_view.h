// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Scintilla set up for the window: themed, with lit lines, foldable head, and a signal when a
/// person goes to a line (by mouse or keyboard).
#pragma once

#include "views/widgets/theme.h"

#include <QTimer>
#include <Qsci/qsciscintilla.h>
#include <functional>

namespace cutaway::views {

class CodeView : public QsciScintilla {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// As in record::Code::language, or "python".
    void setLanguage(const QString& language);
    /// Replaces the text. \param keepPlace a newer version of the same text: cursor and scroll
    /// position stay where they can; else it is shown from its start.
    void setCode(const QString& text, bool keepPlace = true);

    /// Lights lines by \p level (line counted from 0); blank lines stay dark.
    void setHighlights(const std::function<Highlight(int)>& level);
    /// Backgrounds for added and removed lines of a diff: +1, -1, 0.
    void setDiff(const std::vector<int>& signs);
    /// Scrolls to the first line with the strongest light, if none of these is on the screen.
    void revealHighlight();
    void revealLine(int line);
    /// Hides the first \p lines (a prelude) but for the very first, which can say so.
    void setHiddenPrefix(int lines);
    /// A share beside each line (counted from 0) that has one; none: no room is taken for it.
    void setShares(const QHash<int, double>& shares);
    /// Texts that are no listing (a difference, loops) have no line numbers.
    void setLineNumbers(bool shown);

    void addError(int line, int column, int endColumn, const QString& message, bool warning);
    /// Text below \p line, broken to as many lines as the view is narrow.
    size_t notes() const { return notes_.size(); }
    void addNote(int line, const QString& text, Tone tone);
    /// Removes errors and notes.
    void clearErrors();

    /// What hovering over a line (counted from 0) tells, as rich text; empty: nothing.
    void setTooltip(std::function<QString(int line)> tooltip) { tooltip_ = std::move(tooltip); }

signals:
    void lineActivated(int line);
    /// The pointer is over a line, or (-1) over none.
    void lineHovered(int line);
    /// A person changed the text; setCode() does not count.
    void edited();

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    // Files that are dropped here are for the window, not to be pasted as their names.
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    enum Marker { kSelected = 1, kDirect, kThrough, kAdded, kRemoved, kErrorMark, kWarningMark };
    enum Indicator { kErrorIndicator = 9, kWarningIndicator };
    int cursorLine() const;
    void lineMaybeChanged();
    void keepStyles(int at, int change, const char* text, int length, int linesAdded);
    int hidden_ = 0; ///< lines of the prefix
    struct Note {
        int line = 0;
        QString text;
        Tone tone = Tone::Normal;
    };
    void applyNoteStyles();
    void placeNotes();
    void showNote(const Note& note);
    int noteColumns() const;
    void showLineNumbers();
    void showShares();
    bool isVisible(int line) const;
    int lineAt(QPoint at) const;

    Theme theme_;
    QTimer activation_, reread_;
    long styledBefore_ = 0; ///< bytes that had colours before the text changed
    long rereadFrom_ = 0;   ///< the first byte whose colours may be out of date
    std::vector<Note> notes_;
    int notesWide_ = 0; ///< columns that they are broken to
    std::function<QString(int)> tooltip_;
    int activeLine_ = -1, hoveredLine_ = -1;
    bool edited_ = false, programmatic_ = false, lineNumbers_ = true;
    QHash<int, double> shares_;
    std::vector<int> strongest_; ///< lines with the strongest light
};

} // namespace cutaway::views
