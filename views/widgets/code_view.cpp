// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/code_view.h"

#include "views/widgets/listing_lexer.h"

#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

namespace cutaway::views {

namespace {
constexpr int kActivationMs = 40;
constexpr int kRereadMs = 1000;   ///< after the last letter typed into a long line
constexpr int kLongLine = 20'000; ///< bytes, above which to read it takes longer than a key should
constexpr int kStripMargin = 2, kShareMargin = 3, kLeastNote = 24;
constexpr double kHot = 0.1, kWarm = 0.02; ///< shares from which on a line is marked
constexpr double kMostBlanks = 4000;       ///< before a note in a line that is shown further right
constexpr double kNoteScale = 0.92;        ///< of notes beside code
// Above the styles of every lexer used here.
constexpr int kErrorStyle = 100, kWarningStyle = 101, kGoodStyle = 102;
} // namespace

CodeView::CodeView(QWidget* parent) : QsciScintilla(parent), theme_(lightTheme()) {
    setUtf8(true);
    setFrameShape(QFrame::NoFrame);
    setMarginType(0, NumberMargin);
    setMarginWidth(1, 0);
    setMarginType(kStripMargin, SymbolMargin);
    setMarginWidth(kStripMargin, 5);
    setMarginMarkerMask(kStripMargin, (1 << kErrorMark) | (1 << kWarningMark));
    setTabWidth(4);
    setIndentationsUseTabs(false);
    setWrapMode(WrapNone);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setAnnotationDisplay(AnnotationIndented);
    SendScintilla(SCI_SETEXTRAASCENT, 1);
    SendScintilla(SCI_SETEXTRADESCENT, 1);
    SendScintilla(SCI_SETMARGINLEFT, 0, 6);
    SendScintilla(SCI_SETLAYOUTCACHE,
                  SC_CACHE_DOCUMENT); // a long line is measured once, not at every move or click
    for (int marker : {kThrough, kDirect, kSelected, kAdded, kRemoved})
        markerDefine(Background, marker);
    markerDefine(FullRectangle, kErrorMark);
    markerDefine(FullRectangle, kWarningMark);
    indicatorDefine(SquiggleLowIndicator, kErrorIndicator);
    indicatorDefine(SquiggleLowIndicator, kWarningIndicator);
    activation_.setSingleShot(true);
    activation_.setInterval(kActivationMs);
    connect(&activation_, &QTimer::timeout, this, [this] { emit lineActivated(cursorLine()); });
    reread_.setSingleShot(true);
    reread_.setInterval(kRereadMs);
    connect(&reread_, &QTimer::timeout, this, [this] {
        SendScintilla(SCI_STARTSTYLING, std::exchange(rereadFrom_, 0));
        viewport()->update();
    });
    connect(this, &QsciScintilla::SCN_MODIFIED, this, &CodeView::keepStyles);
    connect(this, &QsciScintilla::cursorPositionChanged, this, &CodeView::lineMaybeChanged);
    connect(this, &QsciScintilla::textChanged, this, [this] {
        edited_ = !programmatic_;
        if (!programmatic_) emit edited();
    });
    connect(this, &QsciScintilla::linesChanged, this, &CodeView::showLineNumbers);
    // Notes of a line that is longer than the view stay where they can be read.
    connect(
        this, &QsciScintilla::SCN_UPDATEUI, this,
        [this](int what) {
            if ((what & SC_UPDATE_H_SCROLL) && !notes_.empty()) placeNotes();
        },
        Qt::QueuedConnection);
    setTheme(theme_);
}

void CodeView::setTheme(const Theme& theme) {
    const long first = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    theme_ = theme;
    if (lexer()) applyTheme(lexer(), theme_);
    setFont(codeFont());
    setColor(theme_.text);
    setPaper(theme_.base);
    if (lexer()) setLexer(lexer());
    setMarginsFont(codeFont());
    setMarginsBackgroundColor(theme_.base);
    setMarginsForegroundColor(theme_.faint);
    showLineNumbers();
    setFoldMarginColors(theme_.base, theme_.base);
    setCaretForegroundColor(theme_.text);
    setSelectionBackgroundColor(theme_.dark ? QColor("#2d4a7a") : QColor("#bcd3fa"));
    resetSelectionForegroundColor();
    setMatchedBraceBackgroundColor(theme_.direct);
    setMatchedBraceForegroundColor(theme_.text);
    setUnmatchedBraceForegroundColor(theme_.error);
    setMarkerBackgroundColor(theme_.selected, kSelected);
    setMarkerBackgroundColor(theme_.direct, kDirect);
    setMarkerBackgroundColor(theme_.through, kThrough);
    setMarkerBackgroundColor(theme_.added, kAdded);
    setMarkerBackgroundColor(theme_.removed, kRemoved);
    setMarkerBackgroundColor(theme_.error, kErrorMark);
    setMarkerBackgroundColor(theme_.warning, kWarningMark);
    setIndicatorForegroundColor(theme_.error, kErrorIndicator);
    setIndicatorForegroundColor(theme_.warning, kWarningIndicator);
    setIndentationGuidesForegroundColor(theme_.border);
    applyNoteStyles();
    if (!notes_.empty()) placeNotes();
    if (!shares_.isEmpty()) showShares();
    setHiddenPrefix(hidden_); // a lexer that is set anew shows all lines
    SendScintilla(SCI_SETFIRSTVISIBLELINE, first);
}

/// What is typed into data of hundreds of kilobytes looks like what stands before it, so that the
/// line is measured once and read when typing pauses, not at every key.
void CodeView::keepStyles(int at, int change, const char*, int length, int linesAdded) {
    if (change & (SC_MOD_BEFOREINSERT | SC_MOD_BEFOREDELETE))
        styledBefore_ = SendScintilla(SCI_GETENDSTYLED);
    const bool inserted = change & SC_MOD_INSERTTEXT;
    if (programmatic_ || linesAdded != 0 || !(inserted || (change & SC_MOD_DELETETEXT))) return;
    const long line = SendScintilla(SCI_LINEFROMPOSITION, at);
    if (length > kLongLine || SendScintilla(SCI_LINELENGTH, line) < kLongLine) return;
    const long start = SendScintilla(SCI_POSITIONFROMLINE, line),
               styled = styledBefore_ + (inserted ? length : -length);
    if (styled < start + SendScintilla(SCI_LINELENGTH, line)) return; // nor has the rest been read
    if (inserted) {
        const long like = at > start ? at - 1 : at + length;
        const long style = SendScintilla(SCI_GETSTYLEAT, like);
        SendScintilla(SCI_STARTSTYLING, at);
        SendScintilla(SCI_SETSTYLING, length, style);
    }
    SendScintilla(SCI_STARTSTYLING, styled);
    rereadFrom_ = reread_.isActive() ? std::min(rereadFrom_, start) : start;
    reread_.start();
}

/// -1: below the last one.
int CodeView::lineAt(QPoint place) const {
    const long at = SendScintilla(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(place.x()),
                                  static_cast<long>(place.y()));
    const int line = static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, at));
    const int bottom =
        static_cast<int>(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, at)) + textHeight(line);
    return place.y() > bottom ? -1 : line;
}

/// Keys that Scintilla takes before the window's commands can have them, although what was done last
/// may be no edit, and Escape leaves more than a selection. Where no command has them, they come here.
bool CodeView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const QKeyCombination keys = static_cast<QKeyEvent*>(event)->keyCombination();
        // Both of redo's: which of them is usual depends on the desktop.
        constexpr QKeyCombination kLeft[] = {Qt::Key_Escape, Qt::CTRL | Qt::Key_Z,
                                             Qt::CTRL | Qt::SHIFT | Qt::Key_Z,
                                             Qt::CTRL | Qt::Key_Y};
        if (std::ranges::find(kLeft, keys) != std::end(kLeft)) {
            event->ignore();
            return true;
        }
    }
    // They go back and forth; where there is nowhere to go, the text does not move either.
    if (event->type() == QEvent::KeyPress) {
        const QKeyCombination keys = static_cast<QKeyEvent*>(event)->keyCombination();
        if (keys == (Qt::ALT | Qt::Key_Left) || keys == (Qt::ALT | Qt::Key_Right)) {
            event->ignore();
            return true;
        }
    }
    return QsciScintilla::event(event);
}

bool CodeView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::Leave) {
        const int line = event->type() == QEvent::Leave
                             ? -1
                             : lineAt(static_cast<QMouseEvent*>(event)->position().toPoint());
        if (line != std::exchange(hoveredLine_, line)) emit lineHovered(line);
    }
    if (event->type() != QEvent::ToolTip || !tooltip_) return QsciScintilla::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = lineAt(help->pos());
    const QString text = line < 0 ? QString() : tooltip_(line);
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

void CodeView::setLanguage(const QString& language) {
    QsciLexer* old = lexer();
    QsciLexer* fresh = makeLexer(language, this);
    if (fresh) applyTheme(fresh, theme_);
    setLexer(fresh);
    delete old;
    setTheme(theme_);
}

void CodeView::setShares(const QHash<int, double>& shares) {
    if (shares == shares_) return;
    shares_ = shares;
    showShares();
}

void CodeView::showShares() {
    clearMarginText();
    setMarginWidth(kShareMargin, 0);
    if (shares_.isEmpty()) return;
    setMarginType(kShareMargin, TextMarginRightJustified);
    setMarginWidth(kShareMargin, QStringLiteral("100.0 %"));
    for (auto at = shares_.cbegin(); at != shares_.cend(); ++at) {
        const int style = *at >= kHot ? kErrorStyle : *at >= kWarm ? kWarningStyle : kGoodStyle;
        setMarginText(at.key(), QString::number(100 * *at, 'f', 1) + " %", style);
    }
}

void CodeView::setLineNumbers(bool shown) {
    lineNumbers_ = shown;
    showLineNumbers();
}

void CodeView::showLineNumbers() {
    const QString widest = "0" + QString(QString::number(lines()).size(), '0');
    if (lineNumbers_)
        setMarginWidth(0, widest);
    else
        setMarginWidth(0, 0);
}

void CodeView::setCode(const QString& text, bool keepPlace) {
    if (text == this->text() && keepPlace) return;
    programmatic_ = true;
    bool wasReadOnly = isReadOnly();
    setReadOnly(false);
    int line = 0, column = 0, first = 0;
    if (keepPlace) {
        getCursorPosition(&line, &column);
        first = firstVisibleLine();
    }
    markerDeleteAll();
    notes_.clear();
    clearAnnotations();
    if (keepPlace && !wasReadOnly)
        SendScintilla(SCI_SETTEXT, text.toUtf8().constData()); // can be undone; setText() cannot
    else
        setText(text);
    setEolMode(text.contains("\r\n") ? EolWindows : EolUnix); // of lines typed from now on
    setCursorPosition(std::min(line, lines() - 1), 0);
    setFirstVisibleLine(std::min(first, lines() - 1));
    if (!keepPlace) SendScintilla(SCI_SETXOFFSET, 0);
    SendScintilla(SCI_SETSCROLLWIDTH, 1);
    setReadOnly(wasReadOnly);
    activation_.stop();
    activeLine_ = cursorLine();
    strongest_.clear();
    programmatic_ = false;
}

void CodeView::mousePressEvent(QMouseEvent* event) {
    QsciScintilla::mousePressEvent(event);
    if (event->button() != Qt::LeftButton) return;
    activeLine_ = -1; // a click counts even on the line that has the cursor
    edited_ = false;
    lineMaybeChanged();
}

void CodeView::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) return event->ignore();
    QsciScintilla::dragEnterEvent(event);
}

void CodeView::dragMoveEvent(QDragMoveEvent* event) {
    if (event->mimeData()->hasUrls()) return event->ignore();
    QsciScintilla::dragMoveEvent(event);
}

void CodeView::dropEvent(QDropEvent* event) {
    if (event->mimeData()->hasUrls()) return event->ignore();
    QsciScintilla::dropEvent(event);
}

/// Without the column, for which QScintilla counts the letters before it.
int CodeView::cursorLine() const {
    const long at = SendScintilla(SCI_GETCURRENTPOS);
    return static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, at));
}

void CodeView::lineMaybeChanged() {
    const int line = cursorLine();
    if (programmatic_ || line == activeLine_) return;
    activeLine_ = line;
    bool typing = edited_;
    edited_ = false;
    if (!typing) activation_.start();
}

void CodeView::setHighlights(const std::function<Highlight(int)>& level) {
    for (int marker : {kThrough, kDirect, kSelected})
        markerDeleteAll(marker);
    strongest_.clear();
    Highlight best = Highlight::None;
    for (int line = 0; line < lines(); ++line) {
        Highlight at = level(line);
        if (at == Highlight::None || text(line).trimmed().isEmpty()) continue;
        markerAdd(line, at == Highlight::Selected ? kSelected
                        : at == Highlight::Direct ? kDirect
                                                  : kThrough);
        if (at > best) strongest_.clear();
        best = std::max(best, at);
        if (at == best) strongest_.push_back(line);
    }
}

void CodeView::setDiff(const std::vector<int>& signs) {
    markerDeleteAll(kAdded);
    markerDeleteAll(kRemoved);
    for (size_t i = 0; i < signs.size(); ++i)
        if (signs[i] != 0) markerAdd(static_cast<int>(i), signs[i] > 0 ? kAdded : kRemoved);
}

bool CodeView::isVisible(int line) const {
    long first = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    long shown = SendScintilla(SCI_LINESONSCREEN);
    long at = SendScintilla(SCI_VISIBLEFROMDOCLINE, line);
    return at >= first && at < first + shown;
}

void CodeView::revealHighlight() {
    for (int line : strongest_)
        if (isVisible(line)) return;
    if (!strongest_.empty()) revealLine(strongest_.front());
}

void CodeView::revealLine(int line) {
    long shown = SendScintilla(SCI_LINESONSCREEN);
    long at = SendScintilla(SCI_VISIBLEFROMDOCLINE, line);
    SendScintilla(SCI_SETFIRSTVISIBLELINE, std::max(0L, at - shown / 3));
}

void CodeView::setHiddenPrefix(int count) {
    hidden_ = count;
    SendScintilla(SCI_SHOWLINES, 0, lines() - 1);
    // Scintilla never hides the first line.
    if (count > 1 && count < lines()) SendScintilla(SCI_HIDELINES, 1, count - 1);
}

void CodeView::addError(int line, int column, int endColumn, const QString& message, bool warning) {
    if (line < 0 || line >= lines()) return;
    markerAdd(line, warning ? kWarningMark : kErrorMark);
    int from = std::max(0, column), to = endColumn;
    QString content = text(line);
    if (to <= from) {
        to = from;
        while (to < content.size() && (content[to].isLetterOrNumber() || content[to] == '_'))
            ++to;
        if (to == from) to = static_cast<int>(content.trimmed().isEmpty() ? 0 : from + 1);
    }
    fillIndicatorRange(line, from, line, to, warning ? kWarningIndicator : kErrorIndicator);
    addNote(line, message, warning ? Tone::Warning : Tone::Error);
}

void CodeView::addNote(int line, const QString& message, Tone tone) {
    if (line < 0 || line >= lines()) return;
    notes_.push_back({line, message, tone});
    if (noteColumns() == notesWide_)
        showNote(notes_.back());
    else
        placeNotes();
}

/// How many letters of a note stand side by side.
int CodeView::noteColumns() const {
    int wide = 0;
    for (int margin = 0; margin < margins(); ++margin)
        wide += marginWidth(margin);
    const int letter = QFontMetrics(codeFont()).horizontalAdvance('m');
    return std::max(kLeastNote, (viewport()->width() - wide) / std::max(1, letter) - 1);
}

/// \p text in lines of at most \p columns letters, broken between words where there are some.
static QString broken(const QString& text, int columns) {
    QStringList lines;
    for (QString rest : text.split('\n')) {
        while (rest.size() > columns) {
            const auto space = rest.lastIndexOf(' ', columns);
            const auto end = space > columns / 3 ? space : columns;
            lines << rest.left(end);
            rest = rest.mid(space > columns / 3 ? end + 1 : end);
        }
        lines << rest;
    }
    return lines.join('\n');
}

void CodeView::showNote(const Note& note) {
    if (note.line >= lines()) return;
    // They begin where the line's words do, or where what is shown of it does.
    const double letter = QFontMetricsF(codeFont()).horizontalAdvance('m');
    const double hidden = static_cast<double>(SendScintilla(SCI_GETXOFFSET)) / letter;
    const int indent = indentation(note.line);
    // Within data of a hundred thousand letters blanks would cost more than they show.
    const bool far = hidden > kMostBlanks;
    const auto gone =
        far ? 0 : static_cast<int>(std::ceil(std::max(0.0, hidden - indent) / kNoteScale));
    const int columns = std::max(kLeastNote, notesWide_ - (gone > 0 ? 0 : indent));
    QString text = broken(note.text, columns);
    if (gone > 0) {
        const QString blank(gone, ' ');
        text = blank + text.replace("\n", "\n" + blank);
    }
    const QString before = annotation(note.line);
    annotate(note.line, before.isEmpty() ? text : before + "\n" + text,
             note.tone == Tone::Error     ? kErrorStyle
             : note.tone == Tone::Warning ? kWarningStyle
                                          : kGoodStyle);
}

void CodeView::placeNotes() {
    clearAnnotations();
    notesWide_ = noteColumns();
    for (const Note& note : notes_)
        showNote(note);
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QsciScintilla::resizeEvent(event);
    if (!notes_.empty() && noteColumns() != notesWide_) placeNotes();
}

void CodeView::applyNoteStyles() {
    QByteArray family = codeFont().family().toUtf8();
    for (auto [style, color] :
         {std::pair{kErrorStyle, theme_.error}, std::pair{kWarningStyle, theme_.warning},
          std::pair{kGoodStyle, theme_.good}}) {
        auto number = static_cast<unsigned long>(style);
        SendScintilla(SCI_STYLESETFONT, number, family.constData());
        SendScintilla(SCI_STYLESETSIZEFRACTIONAL, number,
                      static_cast<long>(codeFont().pointSizeF() * 100 * kNoteScale));
        SendScintilla(SCI_STYLESETFORE, number, color);
        SendScintilla(SCI_STYLESETBACK, number, theme_.raised);
    }
}

void CodeView::clearErrors() {
    markerDeleteAll(kErrorMark);
    markerDeleteAll(kWarningMark);
    notes_.clear();
    clearAnnotations();
    int last = lines() - 1;
    clearIndicatorRange(0, 0, last, static_cast<int>(text(last).size()), kErrorIndicator);
    clearIndicatorRange(0, 0, last, static_cast<int>(text(last).size()), kWarningIndicator);
}

} // namespace cutaway::views
