// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/item_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>

namespace cutaway::views {

namespace {

/// Paints lights, bars and tones; everything else is the style's.
class CellDelegate : public QStyledItemDelegate {
public:
    CellDelegate(const Theme* theme, QObject* parent)
        : QStyledItemDelegate(parent), theme_(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem own(option);
        initStyleOption(&own, index);
        auto level = static_cast<Highlight>(index.data(RowModel::HighlightRole).toInt());
        bool current = own.state & QStyle::State_Selected;
        QColor back = theme_->highlight(level);
        if (!back.isValid() && current) back = theme_->through;
        if (back.isValid()) painter->fillRect(own.rect, back);
        double bar = index.data(RowModel::BarRole).toDouble();
        if (index.data(RowModel::BarRole).isValid() && bar >= 0) {
            QColor color = theme_->accent;
            color.setAlphaF(theme_->dark ? 0.34 : 0.20);
            QRectF area = QRectF(own.rect).adjusted(3, 3, -3, -3);
            area.setWidth(area.width() * std::min(1.0, bar));
            painter->setPen(Qt::NoPen);
            painter->setBrush(color);
            painter->drawRoundedRect(area, 2, 2);
        }
        own.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver);
        own.palette.setColor(QPalette::Text, theme_->tone(static_cast<Tone>(
                                                 index.data(RowModel::ToneRole).toInt())));
        own.backgroundBrush = Qt::NoBrush;
        QStyledItemDelegate::paint(painter, own, index);
    }

    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(RowModel::CodeRole).toBool()) option->font = codeFont();
        const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(index.model());
        const auto* model = proxy ? qobject_cast<const RowModel*>(proxy->sourceModel()) : nullptr;
        const Row* row = model ? model->row(proxy->mapToSource(index)) : nullptr;
        if (row && row->bold) option->font.setBold(true);
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem own(option);
        initStyleOption(&own, index);
        QFontMetrics metrics(own.font);
        QString text = index.data(Qt::DisplayRole).toString();
        return {metrics.horizontalAdvance(text) + 14, metrics.height() + 6};
    }

private:
    const Theme* theme_;
};

} // namespace

ItemView::ItemView(std::vector<Column> columns, const QString& name, QWidget* parent)
    : QTreeView(parent), model_(new RowModel(std::move(columns), this)),
      proxy_(new QSortFilterProxyModel(this)), theme_(lightTheme()) {
    setObjectName(name);
    setAccessibleName(name);
    proxy_->setSourceModel(model_);
    proxy_->setSortRole(RowModel::SortRole);
    proxy_->setFilterKeyColumn(-1);
    proxy_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    proxy_->setRecursiveFilteringEnabled(true);
    setModel(proxy_);
    setItemDelegate(new CellDelegate(&theme_, this));
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setRootIsDecorated(false);
    setIndentation(14);
    setSelectionMode(ExtendedSelection);
    setSortingEnabled(true);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    header()->setSortIndicatorClearable(true);
    header()->setHighlightSections(false);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(36);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { choose(current); });
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

void ItemView::setRows(std::vector<Row> rows, bool expand) {
    bool tree =
        std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.children.empty(); });
    filling_ = true;
    model_->setSelection(selection_);
    model_->setRows(std::move(rows));
    filling_ = false;
    setRootIsDecorated(tree);
    if (expand)
        expandAll();
    else
        expandToDepth(0);
    fitColumns();
}

void ItemView::fitColumns() {
    int used = 0;
    for (int column = 0; column < model_->columnCount(); ++column) {
        if (column == stretch_) continue;
        int wanted = std::max(sizeHintForColumn(column), header()->sectionSizeHint(column));
        // One long name must not push every other column off a narrow pane.
        wanted = std::min({wanted, 340, std::max(110, viewport()->width() * 2 / 5)});
        header()->resizeSection(column, wanted);
        used += wanted;
    }
    if (stretch_ >= 0) {
        int room = viewport()->width() - used;
        int wanted = std::max(sizeHintForColumn(stretch_), header()->sectionSizeHint(stretch_));
        // The last column may go beyond the rim; one in the middle must not push others there.
        bool last = stretch_ == model_->columnCount() - 1;
        header()->resizeSection(stretch_, last ? std::max(wanted, room)
                                               : std::max(std::min(wanted, 140), room));
    }
}

void ItemView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    if (stretch_ >= 0) fitColumns();
}

void ItemView::setFilter(const QString& text) {
    proxy_->setFilterFixedString(text);
    expandAll();
}

const Row* ItemView::currentRow() const {
    return model_->row(proxy_->mapToSource(currentIndex()));
}

void ItemView::selectDetail(const QString& detail) {
    const QModelIndexList found =
        proxy_->match(proxy_->index(0, 0), RowModel::DetailRole, detail, 1,
                      Qt::MatchExactly | Qt::MatchRecursive | Qt::MatchWrap);
    if (!found.isEmpty()) setCurrentIndex(found.first());
}

void ItemView::choose(const QModelIndex& index) {
    if (filling_ || !index.isValid()) return;
    const Row* row = model_->row(proxy_->mapToSource(index));
    if (!row) return;
    if (selection_ && !row->items.empty()) selection_->select(row->items, origin_);
    emit rowChosen(row);
}

void ItemView::updateHighlights(bool reveal) {
    model_->selectionChanged();
    if (!reveal) return;
    QModelIndex strongest = proxy_->mapFromSource(model_->strongestHighlight());
    if (strongest.isValid()) scrollTo(strongest, EnsureVisible);
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

void ItemView::keyPressEvent(QKeyEvent* event) {
    if (event == QKeySequence::Copy) {
        QApplication::clipboard()->setText(selectionAsTsv());
        return;
    }
    QTreeView::keyPressEvent(event);
}

void ItemView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("&Copy rows"), QKeySequence::Copy, this,
                   [this] { QApplication::clipboard()->setText(selectionAsTsv()); });
    menu.addAction(tr("&Select all"), QKeySequence::SelectAll, this, [this] { selectAll(); });
    menu.addSeparator();
    menu.addAction(tr("&Original order"), this, [this] { sortByColumn(-1, Qt::AscendingOrder); });
    menu.exec(event->globalPos());
}

void ItemView::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (proxy_->rowCount() > 0 || emptyText_.isEmpty()) return;
    QPainter painter(viewport());
    painter.setPen(theme_.muted);
    painter.drawText(viewport()->rect().adjusted(16, 8, -16, -8),
                     Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
}

} // namespace cutaway::views
