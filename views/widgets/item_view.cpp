// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/item_view.h"
#include "views/widgets/save_name.h"

#include "core/base/file_system.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QToolTip>
#include <utility>

namespace cutaway::views {

namespace {

constexpr int kShortText = 140, kLeastStretch = 40, kLeastWrapped = 150, kLeastNarrow = 130,
              kMeasuredRows = 50;
constexpr int kCellRoom = 14, kTitleRoom = 24; ///< beside the text of a cell, and of a title
constexpr size_t kMostAtOnce = 200;

/// Paints lights, bars and tones; everything else is the style's.
class CellDelegate : public QStyledItemDelegate {
public:
    CellDelegate(const Theme* theme, ItemView* view)
        : QStyledItemDelegate(view), theme_(theme), view_(view) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem own(option);
        initStyleOption(&own, index);
        auto level = static_cast<Highlight>(index.data(RowModel::HighlightRole).toInt());
        // Rows that share an item with the one that was chosen are not as much as it is.
        if (level == Highlight::Selected && !view_->isMeantAlone(index)) level = Highlight::Direct;
        bool current = own.state & QStyle::State_Selected;
        const Row* row = rowAt(index);
        const bool dimmed = row && row->dimmed;
        QColor back = theme_->highlight(level);
        if (!back.isValid() && current) back = theme_->through;
        if (back.isValid()) painter->fillRect(own.rect, back);
        // Among rows that are lit alike, the chosen one is marked.
        if (current && index.column() == 0)
            painter->fillRect(QRect(0, own.rect.top(), kMark, own.rect.height()), theme_->accent);
        double bar = index.data(RowModel::BarRole).toDouble();
        bool hasBar = index.data(RowModel::BarRole).isValid() && bar >= 0;
        if (hasBar) {
            QColor color = theme_->accent;
            color.setAlphaF((theme_->dark ? 0.34 : 0.20) / (dimmed ? 3 : 1));
            QRectF area = QRectF(own.rect).adjusted(3, 3, -3, -3);
            area.setWidth(area.width() * std::min(1.0, bar));
            painter->setPen(Qt::NoPen);
            painter->setBrush(color);
            painter->drawRoundedRect(area, 2, 2);
            if (row)
                paintSpread(painter, own.rect, row->cells[static_cast<size_t>(index.column())]);
        }
        own.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver);
        auto tone = static_cast<Tone>(index.data(RowModel::ToneRole).toInt());
        // Grey on a bar or on a light cannot be read.
        if (tone == Tone::Muted && (hasBar || back.isValid())) tone = Tone::Normal;
        own.palette.setColor(QPalette::Text, dimmed ? theme_->faint : theme_->tone(tone));
        own.backgroundBrush = Qt::NoBrush;
        QStyledItemDelegate::paint(painter, own, index);
    }

    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(RowModel::CodeRole).toBool()) option->font = codeFont();
        if (const Row* row = rowAt(index); row && row->bold) option->font.setBold(true);
        if (!view_->isWrapped()) return;
        const auto column = static_cast<size_t>(index.column());
        if (view_->rowModel()->columns()[column].number) return; // "10." is another number
        // Long names may be broken at their joints.
        for (QChar joint : {'_', '.', '/'})
            option->text.replace(joint, QString(joint) + QChar(0x200b));
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem own(option);
        initStyleOption(&own, index);
        QFontMetrics metrics(own.font);
        QString text = index.data(Qt::DisplayRole).toString();
        int high = metrics.height();
        if (view_->isWrapped()) {
            QRect room(0, 0, view_->columnWidth(index.column()) - kCellInset, 1 << 14);
            high = std::max(high, metrics.boundingRect(room, Qt::TextWordWrap, own.text).height());
        }
        const Row* row = rowAt(index);
        if (row && row->cells[static_cast<size_t>(index.column())].low >= 0) high += 2 * kFoot;
        return {metrics.horizontalAdvance(text) + kCellRoom, high + 2 * kRowMargin};
    }

    /// The whole of a text that its cell cuts off, in lines of a readable length.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
        QString tip = index.data(Qt::ToolTipRole).toString();
        QString text = index.data(Qt::DisplayRole).toString();
        if (tip.isEmpty() && sizeHint(option, index).width() > option.rect.width()) tip = text;
        const Row* row = rowAt(index);
        if (tip.isEmpty() && row && row->items.size() == 1 && event->type() == QEvent::ToolTip)
            if (const QString facts = view_->itemTooltip(row->items.front()); !facts.isEmpty()) {
                QToolTip::showText(event->globalPos(), facts, view);
                return true;
            }
        if (event->type() != QEvent::ToolTip || tip.contains('\n') || tip.size() < kLongTip)
            return QStyledItemDelegate::helpEvent(event, view, option, index);
        QToolTip::showText(event->globalPos(), "<p>" + tip.toHtmlEscaped() + "</p>", view);
        return true;
    }

private:
    /// From where to where single values lie, as a line with ends under the digits.
    void paintSpread(QPainter* painter, const QRect& rect, const Cell& cell) const {
        if (cell.low < 0 || cell.high < cell.low) return;
        const QRectF room = QRectF(rect).adjusted(3, 3, -3, -3);
        const double y = rect.bottom() - kFoot / 2.0, half = kFoot / 2.0 - 1; // below the text
        const double left = room.left() + room.width() * std::min(1.0, cell.low),
                     right = room.left() + room.width() * std::min(1.0, cell.high);
        painter->setPen(QPen(theme_->accent, 1.5));
        painter->drawLine(QPointF(left, y), QPointF(right, y));
        painter->drawLine(QPointF(left, y - half), QPointF(left, y + half));
        painter->drawLine(QPointF(right, y - half), QPointF(right, y + half));
    }

    const Row* rowAt(const QModelIndex& index) const { return view_->rowModel()->row(index); }

    static constexpr int kRowMargin = 3, kFoot = 6, kMark = 3, kCellInset = 6, kLongTip = 60;
    const Theme* theme_;
    ItemView* view_;
};

} // namespace

ItemView::ItemView(std::vector<Column> columns, const QString& name, QWidget* parent)
    : QTreeView(parent), model_(new RowModel(std::move(columns), this)), all_(model_->content()),
      filter_(new QLineEdit(this)), theme_(lightTheme()) {
    setObjectName(name);
    filter_->setObjectName("rowFilter");
    filter_->setPlaceholderText(tr("Filter rows"));
    filter_->setAccessibleName(tr("Filter rows"));
    filter_->setToolTip(RowQuery::help());
    filter_->setClearButtonEnabled(true);
    filter_->installEventFilter(this);
    filter_->hide();
    connect(filter_, &QLineEdit::textChanged, this, &ItemView::setFilter);
    connect(this, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const Row* row = model_->row(index)) emit rowOpened(row);
    });
    setModel(model_);
    setItemDelegate(new CellDelegate(&theme_, this));
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setRootIsDecorated(false);
    setIndentation(14);
    setSelectionMode(ExtendedSelection);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    header()->setSectionsClickable(true);
    header()->setSortIndicatorShown(true);
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    header()->setSortIndicatorClearable(true);
    connect(header(), &QHeaderView::sortIndicatorChanged, this, [this] { arrange(); });
    header()->setHighlightSections(false);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(36);
    header()->setResizeContentsPrecision(kMeasuredRows); // beyond those on the screen
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                choose(current);
                exact_ = rowOfSelection();
                emit meantRowChanged();
            });
    connect(this, &QTreeView::clicked, this, &ItemView::choose);
}

void ItemView::setTheme(const Theme& theme) {
    theme_ = theme;
    viewport()->update();
}

void ItemView::setEmptyText(const QString& text) {
    emptyText_ = text;
    viewport()->update();
}

void ItemView::setStretchColumn(int column) {
    stretch_ = column;
}

void ItemView::setWrapped(bool wrapped) {
    setUniformRowHeights(!wrapped);
    setWordWrap(wrapped);
    model_->setTitlesInTwoLines(wrapped);
}

void ItemView::setContent(RowModel::ContentPtr content, bool expand) {
    maker_.forget();
    model_->setSelection(selection_);
    all_ = content;
    expands_ = expand;
    if (howArranged().isTrivial())
        put(std::move(content));
    else
        arrange();
}

Arrangement ItemView::howArranged() const {
    Arrangement how;
    if (!query_.isEmpty())
        how.keeps = [query = query_](const Row& row) { return query.matches(row); };
    how.column = header()->sortIndicatorSection();
    if (how.column >= model_->columnCount()) how.column = -1;
    how.order = header()->sortIndicatorOrder();
    return how;
}

/// Filters and sorts; many rows on another thread, until when those before stay.
void ItemView::arrange() {
    const Arrangement how = howArranged();
    if (how.isTrivial()) {
        arranger_.forget();
        return put(all_);
    }
    if (RowModel::size(all_) <= kMostAtOnce) return put(RowModel::arranged(all_, how));
    arranger_.start([this, of = all_, how]() -> LatestWork::Finish {
        return [this, content = RowModel::arranged(of, how)] { put(content); };
    });
}

/// What stays among the rows is chosen as before.
void ItemView::put(RowModel::ContentPtr content) {
    arranger_.forget();
    const Row* current = currentRow(); // of the rows before, or among these too
    const bool same = std::exchange(shown_, all_) == all_;
    filling_ = true;
    model_->setContent(std::move(content));
    const bool tree = model_->isTree();
    setRootIsDecorated(tree);
    if (tree && (expands_ || !query_.isEmpty()))
        expandAll();
    else if (tree)
        for (int i = 0; i < model_->rowCount(); ++i)
            QTreeView::expand(model_->index(i, 0));
    if (same && current)
        if (const QModelIndex at = model_->find([&](const Row& row) { return &row == current; });
            at.isValid()) {
            setCurrentIndex(at);
            scrollTo(at, EnsureVisible);
        }
    exact_ = rowOfSelection();
    // So that the arrow keys go on from what is selected.
    if (!same && exact_.isValid()) setCurrentIndex(exact_);
    filling_ = false;
    if (RowModel::size(all_) <= kMostAtOnce)
        fitColumns();
    else
        fitLater(); // in a turn of its own, before they are painted
    emit meantRowChanged();
}

void ItemView::fillRows(size_t about, std::function<Table()> make) {
    if (about <= kMostAtOnce) return setRows(make());
    model_->setSelection(nullptr);
    viewport()->update();
    maker_.start([this, make = std::move(make)]() -> LatestWork::Finish {
        return [this, content = RowModel::contentOf(make())] {
            setContent(content, false); // parts are laid out when they are looked at
            updateHighlights(true);
        };
    });
}

/// Widths are those of the rows, of the letters and of the room: what is told twice of these changes
/// nothing, not even a width that somebody gave a column.
void ItemView::fitColumns() {
    fitDue_ = false;
    FittedTo now{model_->content(), font(), codeFont(), 0, viewport()->width()};
    for (int column = 0; column < model_->columnCount(); ++column)
        if (!isColumnHidden(column)) now.head += header()->sectionSizeHint(column);
    if (fittedTo_ == now) return;
    fittedTo_ = now;
    bool narrow = false;
    auto wantedBy = [this, &narrow](int column) {
        return narrow ? widestWord(column)
                      : std::max(sizeHintForColumn(column), header()->sectionSizeHint(column));
    };
    int room = viewport()->width(), used = 0;
    if (isWrapped()) {
        int all = kLeastWrapped;
        for (int column = 0; column < model_->columnCount(); ++column)
            all += column == stretch_ || isColumnHidden(column) ? 0 : wantedBy(column);
        narrow = all > room;
    }
    // A sentence is cut off in any case; what is shorter is worth scrolling to.
    int stretched = stretch_ >= 0 ? wantedBy(stretch_) : 0;
    bool sentence = stretched > kShortText;
    // One long name must not push every other column off a narrow pane.
    int most = std::min(340, std::max(110, sentence ? room / 3 : room * 2 / 5));
    for (int column = 0; column < model_->columnCount(); ++column) {
        if (column == stretch_ || isColumnHidden(column)) continue;
        // A number that is cut off is another number.
        const int least = !model_->columns()[static_cast<size_t>(column)].number ? 0
                          : narrow ? widestWord(column)
                                   : sizeHintForColumn(column);
        const int width = std::max(least, std::min(wantedBy(column), most));
        header()->resizeSection(column, width);
        used += width;
    }
    if (stretch_ >= 0) {
        // Words that go over several lines need room for the longest of them.
        const int least = narrow        ? kLeastNarrow
                          : isWrapped() ? kLeastWrapped
                          : sentence    ? kLeastStretch
                                        : stretched;
        header()->resizeSection(stretch_, std::max(least, room - used));
    }
    if (isWrapped()) scheduleDelayedItemsLayout(); // heights follow widths
}

/// Of the title and the first rows, what stands on one line at least.
int ItemView::widestWord(int column) const {
    int widest = 0;
    for (const QString& line :
         model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().split('\n'))
        widest = std::max(widest, header()->fontMetrics().horizontalAdvance(line) + kTitleRoom);
    const bool tree = rootIsDecorated() && column == 0;
    QModelIndex at = model_->index(0, column);
    for (int i = 0; at.isValid() && i < kMeasuredRows; ++i, at = indexBelow(at)) {
        int before = kCellRoom;
        for (QModelIndex up = at; tree && up.isValid(); up = up.parent())
            before += indentation();
        QFont letters = at.data(RowModel::CodeRole).toBool() ? codeFont() : font();
        if (const Row* row = model_->row(at)) letters.setBold(row->bold);
        for (const QString& word : at.data().toString().split(' '))
            widest = std::max(widest, QFontMetrics(letters).horizontalAdvance(word) + before);
    }
    return widest;
}

void ItemView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    if (filter_->isVisible()) placeFilter();
    fitLater(); // how wide a column may be depends on the room
    // What was revealed stays in sight when a scroll bar or a neighbour takes its place.
    QModelIndex row = strongestRow();
    if (row.isValid() && QRect({}, event->oldSize()).contains(visualRect(row).center()))
        scrollTo(row, EnsureVisible);
}

/// Widths are those of texts.
void ItemView::changeEvent(QEvent* event) {
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitLater();
}

/// Between two style sheets a view has another size for a moment.
void ItemView::fitLater() {
    if (!std::exchange(fitDue_, true))
        QMetaObject::invokeMethod(this, &ItemView::fitColumns, Qt::QueuedConnection);
}

void ItemView::setFilter(const QString& text) {
    query_ = RowQuery(text, model_->columns());
    filter_->setToolTip(query_.problem().isEmpty() ? RowQuery::help() : query_.problem());
    arrange();
}

void ItemView::selectAll() {
    model_->fetchAll();
    QTreeView::selectAll();
}

QModelIndex ItemView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
    if (action == MoveEnd) model_->fetchAll();
    return QTreeView::moveCursor(action, modifiers);
}

void ItemView::openFilter() {
    filter_->show();
    placeFilter();
    filter_->setFocus();
    filter_->selectAll();
}

/// In the corner below, over the rows.
void ItemView::placeFilter() {
    const QRect room = viewport()->geometry();
    const int width = std::min(260, room.width() - 8);
    filter_->setGeometry(room.right() - width - 3, room.bottom() - filter_->sizeHint().height() - 3,
                         width, filter_->sizeHint().height());
    filter_->raise();
}

/// Ctrl+F is the table's while it has the keyboard, not the window's.
bool ItemView::event(QEvent* event) {
    if (event->type() == QEvent::Show) fitLater(); // out of sight titles hear late of another type
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find))
        event->accept();
    return QTreeView::event(event);
}

bool ItemView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == filter_ && event->type() == QEvent::KeyPress)
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Escape:
            filter_->clear();
            filter_->hide();
            setFocus();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Down:
            setFocus(); // the rows that are left
            if (model_->rowCount() > 0 && !currentIndex().isValid())
                setCurrentIndex(model_->index(0, 0));
            return true;
        default:
            break;
        }
    return QTreeView::eventFilter(watched, event);
}

const Row* ItemView::currentRow() const {
    return model_->row(currentIndex());
}

void ItemView::selectDetail(const QString& detail) {
    const QModelIndex found = model_->find([&](const Row& row) { return row.detail == detail; });
    if (found.isValid()) setCurrentIndex(found);
}

void ItemView::choose(const QModelIndex& index) {
    if (filling_ || maker_.isBusy() || shown_ != all_ || !index.isValid()) return;
    const Row* row = model_->row(index);
    if (!row) return;
    if (selection_ && !row->items.empty()) selection_->select(row->items, origin_);
    emit rowChosen(row);
}

bool ItemView::isMeantAlone(const QModelIndex& index) const {
    return !exact_.isValid() || exact_ == index.siblingAtColumn(0);
}

void ItemView::updateHighlights(bool reveal) {
    exact_ = rowOfSelection();
    viewport()->update();
    emit meantRowChanged();
    if (reveal) revealStrongest();
}

/// A row is lit because of those below it, so it is these that are looked for.
QModelIndex ItemView::strongestRow() const {
    QModelIndex at = model_->strongestHighlight();
    auto level = [](const QModelIndex& row) { return row.data(RowModel::HighlightRole).toInt(); };
    for (int i = 0; at.isValid() && i < model_->rowCount(at); ++i)
        if (QModelIndex child = model_->index(i, 0, at); level(child) >= level(at)) {
            at = child;
            i = -1;
        }
    return at;
}

/// The row whose items are just those that are selected; the current one if there are several.
QModelIndex ItemView::rowOfSelection() const {
    if (!selection_ || selection_->isEmpty()) return {};
    auto isIt = [this](const QModelIndex& at) {
        const Row* row = model_->row(at);
        return row && row->items == selection_->items();
    };
    if (isIt(currentIndex())) return currentIndex().siblingAtColumn(0);
    return model_->rowOf(selection_->items());
}

QModelIndex ItemView::meantRow() const {
    if (exact_.isValid()) return exact_;
    if (!selection_ || selection_->isEmpty()) return currentIndex();
    // What only shares a line or a kernel with the selection is lit, too, but not meant.
    const QModelIndex lit = strongestRow();
    if (lit.data(RowModel::HighlightRole).toInt() >= static_cast<int>(Highlight::Direct))
        return lit;
    const Row* current = currentRow(); // without items it is lit by nothing
    return current && current->items.empty() ? currentIndex() : QModelIndex();
}

bool ItemView::isMeantByLight() const {
    return selection_ && !selection_->isEmpty() && !exact_.isValid();
}

/// Qt makes the first row current when the keyboard comes here, which is nobody's choice.
void ItemView::focusInEvent(QFocusEvent* event) {
    filling_ = true;
    QTreeView::focusInEvent(event);
    filling_ = false;
}

void ItemView::revealStrongest() {
    const QModelIndex first = exact_.isValid() ? QModelIndex(exact_) : strongestRow();
    if (!first.isValid()) return;
    // As many of its lit neighbours and parents as there is room for, but this one by all means.
    QModelIndex last = first;
    const int most = viewport()->height() / std::max(1, visualRect(first).height());
    for (int i = 0; i < most; ++i) {
        const QModelIndex below = indexBelow(last);
        if (below.data(RowModel::HighlightRole) != first.data(RowModel::HighlightRole)) break;
        last = below;
    }
    scrollTo(last, EnsureVisible);
    if (first.parent().isValid()) scrollTo(first.parent(), EnsureVisible);
    scrollTo(first, EnsureVisible);
}

QString ItemView::selectionAsTsv() const {
    QStringList lines;
    QStringList titles;
    for (const Column& column : model_->columns())
        titles << column.title;
    lines << titles.join('\t');
    for (const QModelIndex& row : selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < model_->columnCount(); ++column)
            cells << row.siblingAtColumn(column).data().toString().replace(QChar(0x00a0), ' ');
        lines << cells.join('\t');
    }
    return lines.join('\n');
}

/// "a, b" with the quotes that a spreadsheet wants.
static QString csvCell(QString text) {
    text.replace(QChar(0x00a0), ' ');
    if (!text.contains(QRegularExpression("[\",\n]"))) return text;
    return '"' + text.replace("\"", "\"\"") + '"';
}

/// The number of a cell with a unit, as programs read it; of other cells the text.
static QString fileText(const Column& column, const QModelIndex& cell) {
    const QString shown = cell.data().toString();
    static const QRegularExpression digit("\\d");
    if (!*column.unit || !shown.contains(digit)) return *column.unit ? QString() : shown;
    bool isNumber = false;
    const QVariant raw = cell.data(RowModel::SortRole);
    const double value = raw.toDouble(&isNumber);
    if (!isNumber || raw.typeId() == QMetaType::QString) return shown;
    return raw.typeId() == QMetaType::Double ? QString::number(value, 'g', 15) : raw.toString();
}

/// "Time [us]"
static QString fileTitle(const Column& column) {
    const QString unit = QString::fromLatin1(column.unit);
    return unit.isEmpty() || unit == "1" ? column.title : column.title + " [" + unit + "]";
}

QString ItemView::tableAsCsv() {
    QStringList lines, cells{tr("Level")};
    for (const Column& column : model_->columns())
        cells << csvCell(fileTitle(column));
    lines << cells.join(',');
    auto add = [&](auto& self, const QModelIndex& parent, int level) -> void {
        for (int i = 0; i < model_->rowCount(parent); ++i) {
            const QModelIndex row = model_->index(i, 0, parent);
            QStringList texts{QString::number(level)};
            for (int column = 0; column < model_->columnCount(); ++column)
                texts << csvCell(fileText(model_->columns()[static_cast<size_t>(column)],
                                          row.siblingAtColumn(column)));
            lines << texts.join(',');
            self(self, row, level + 1);
        }
    };
    model_->fetchAll();
    add(add, {}, 0);
    return lines.join('\n') + '\n';
}

void ItemView::saveCsv() {
    const QString path =
        askSaveName(this, tr("Save table"), objectName() + ".csv", tr("Tables (*.csv)"), "csv");
    if (path.isEmpty()) return;
    const base::Status written = base::writeFileAtomically(QFile::encodeName(path).toStdString(),
                                                           tableAsCsv().toStdString());
    if (!written)
        QMessageBox::warning(this, tr("Save table"),
                             QString::fromStdString(written.error().message));
}

void ItemView::keyPressEvent(QKeyEvent* event) {
    if (event == QKeySequence::Copy) {
        QApplication::clipboard()->setText(selectionAsTsv());
        return;
    }
    if (event == QKeySequence::Find) return openFilter();
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (const Row* row = enter ? currentRow() : nullptr) emit rowOpened(row);
    QTreeView::keyPressEvent(event);
}

void ItemView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    if (const Row* row = currentRow(); row && !row->items.empty() && fillMenu_)
        fillMenu_(&menu, row->items);
    menu.addAction(tr("&Copy rows"), QKeySequence::Copy, this,
                   [this] { QApplication::clipboard()->setText(selectionAsTsv()); });
    menu.addAction(tr("&Select all"), QKeySequence::SelectAll, this, [this] { selectAll(); });
    menu.addAction(tr("&Filter rows…"), QKeySequence::Find, this, [this] { openFilter(); });
    menu.addAction(tr("&Save table as CSV…"), this, [this] { saveCsv(); });
    menu.addSeparator();
    menu.addAction(tr("&Original order"), this,
                   [this] { header()->setSortIndicator(-1, Qt::AscendingOrder); });
    menu.exec(event->globalPos());
}

void ItemView::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    const bool filtered = model_->rowCount() == 0 && !query_.isEmpty() && RowModel::size(all_) > 0;
    const QString said = filtered ? tr("No row holds what is asked for.") : emptyText_;
    if (model_->rowCount() > 0 || said.isEmpty()) return;
    QPainter painter(viewport());
    painter.setPen(theme_.muted);
    const QRect room = viewport()->rect().adjusted(16, 2, -16, -2);
    const int high = painter.boundingRect(room, Qt::AlignCenter | Qt::TextWordWrap, said).height();
    const auto place = high > room.height() ? Qt::AlignHCenter | Qt::AlignTop : Qt::AlignCenter;
    painter.drawText(room, static_cast<int>(place) | Qt::TextWordWrap, said);
}

} // namespace cutaway::views
