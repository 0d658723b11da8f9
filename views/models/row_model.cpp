// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/row_model.h"

#include "views/models/release_aside.h"

#include <algorithm>
#include <cstdlib>

namespace cutaway::views {

namespace {
constexpr int kFetchedFirst = 500;

/// How rows are ordered by one column: numbers by size, all else by its text.
struct SortKey {
    bool number = false;
    double value = 0;
    QString text;

    explicit SortKey(const Cell& cell) {
        const int type = cell.sort.typeId();
        number = type == QMetaType::Int || type == QMetaType::UInt || type == QMetaType::LongLong ||
                 type == QMetaType::ULongLong || type == QMetaType::Double ||
                 type == QMetaType::Float || type == QMetaType::Bool;
        if (number)
            value = cell.sort.toDouble();
        else
            text = cell.sort.isValid() ? cell.sort.toString() : cell.text;
    }
    bool operator<(const SortKey& other) const {
        if (number != other.number) return number; // numbers before texts
        return number ? value < other.value : text < other.text;
    }
};

/// A row with its cells, which \p room holds where the table makes them.
const Row& whole(const Table& table, const Row& row, Row& room) {
    if (!table.cells) return row;
    room.items = row.items;
    room.cells = table.cells(static_cast<size_t>(&row - table.rows.data()));
    return room;
}

std::vector<const Row*> sorted(const Table& table, std::vector<const Row*> rows,
                               const Arrangement& how) {
    if (how.column < 0) return rows;
    const auto column = static_cast<size_t>(how.column);
    std::vector<std::pair<SortKey, const Row*>> keyed;
    keyed.reserve(rows.size());
    Row room;
    for (const Row* row : rows) {
        const std::vector<Cell>& cells = whole(table, *row, room).cells;
        keyed.emplace_back(SortKey(column < cells.size() ? cells[column] : Cell{}), row);
    }
    const bool up = how.order == Qt::AscendingOrder;
    std::ranges::stable_sort(keyed, [up](const auto& a, const auto& b) {
        return up ? a.first < b.first : b.first < a.first;
    });
    std::ranges::transform(keyed, rows.begin(), [](const auto& one) { return one.second; });
    return rows;
}
} // namespace

/// Mirrors the rows that are shown with parent pointers, which a QModelIndex needs.
struct RowModel::Node {
    const Row* row = nullptr;
    Node* parent = nullptr;
    int position = 0;
    std::vector<Node> children; ///< stay where they are: indices point to them

    /// \param all rows below one that is kept are kept whatever they are
    void adopt(const Table& table, const std::vector<Row>& rows, const Arrangement& how, bool all) {
        std::vector<const Row*> shown;
        Row room;
        for (const Row& one : rows)
            if (all || !how.keeps || keeps(whole(table, one, room), how)) shown.push_back(&one);
        shown = sorted(table, std::move(shown), how);
        children.resize(shown.size());
        for (size_t i = 0; i < shown.size(); ++i) {
            children[i].row = shown[i];
            children[i].parent = this;
            children[i].position = static_cast<int>(i);
            if (!shown[i]->children.empty())
                children[i].adopt(table, shown[i]->children, how,
                                  all || !how.keeps || how.keeps(*shown[i]));
        }
    }

private:
    static bool keeps(const Row& row, const Arrangement& how) {
        return !how.keeps || how.keeps(row) ||
               std::ranges::any_of(row.children,
                                   [&](const Row& below) { return keeps(below, how); });
    }
};

struct RowModel::Content {
    Content(std::shared_ptr<Table> of, const Arrangement& how) : table(std::move(of)) {
        root.adopt(*table, table->rows, how, false);
        isTree =
            std::ranges::any_of(table->rows, [](const Row& row) { return !row.children.empty(); });
    }
    std::shared_ptr<Table> table; ///< cells that it makes are put into its rows on the GUI thread
    Node root;
    bool isTree = false; ///< some row of the table has others below it
};

RowModel::RowModel(std::vector<Column> columns, QObject* parent)
    : QAbstractItemModel(parent), columns_(std::move(columns)), content_(contentOf({})) {}

RowModel::~RowModel() = default;

RowModel::ContentPtr RowModel::contentOf(Table table) {
    auto shared = std::make_shared<Table>(std::move(table));
    return sharedAside(std::make_unique<Content>(std::move(shared), Arrangement{}));
}

RowModel::ContentPtr RowModel::arranged(const ContentPtr& content, const Arrangement& how) {
    return sharedAside(std::make_unique<Content>(content->table, how));
}

void RowModel::setContent(ContentPtr content) {
    beginResetModel();
    content_ = std::move(content);
    const auto all = static_cast<int>(content_->root.children.size());
    fetched_ = isTree() ? all : std::min(all, kFetchedFirst);
    endResetModel();
}

bool RowModel::isTree() const {
    return content_->isTree;
}

static size_t countOf(const std::vector<Row>& rows) {
    size_t all = rows.size();
    for (const Row& row : rows)
        all += countOf(row.children);
    return all;
}

size_t RowModel::size(const ContentPtr& content) {
    return countOf(content->table->rows);
}

bool RowModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && static_cast<size_t>(fetched_) < content_->root.children.size();
}

/// Twice as many: whoever goes on scrolling wants to get somewhere.
void RowModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent)) fetchUpTo(2 * fetched_);
}

void RowModel::fetchAll() {
    fetchUpTo(static_cast<int>(content_->root.children.size()));
}

void RowModel::fetchUpTo(int count) {
    const int last = std::min(count, static_cast<int>(content_->root.children.size())) - 1;
    if (last < fetched_) return;
    beginInsertRows({}, fetched_, last);
    fetched_ = last + 1;
    endInsertRows();
}

const RowModel::Node* RowModel::node(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const Node*>(index.constInternalPointer())
                           : &content_->root;
}

const Row& RowModel::filled(const Node& node) const {
    Table& table = *content_->table;
    if (!table.cells || !node.row->cells.empty()) return *node.row;
    const auto number = static_cast<size_t>(node.row - table.rows.data());
    table.rows[number].cells = table.cells(number);
    return *node.row;
}

const Row* RowModel::row(const QModelIndex& index) const {
    return index.isValid() && index.model() == this ? &filled(*node(index)) : nullptr;
}

QModelIndex RowModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, &node(parent)->children[static_cast<size_t>(row)]);
}

QModelIndex RowModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    const Node* parent = node(child)->parent;
    return parent == &content_->root ? QModelIndex() : createIndex(parent->position, 0, parent);
}

int RowModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0) return 0;
    return parent.isValid() ? static_cast<int>(node(parent)->children.size()) : fetched_;
}

int RowModel::columnCount(const QModelIndex&) const {
    return static_cast<int>(columns_.size());
}

Highlight RowModel::level(const Row& row) const {
    return selection_ ? selection_->level(row.items) : Highlight::None;
}

QVariant RowModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Node& at = *node(index);
    switch (role) {
    case ItemsRole: {
        QVariantList items;
        for (ItemId item : at.row->items)
            items << item;
        return items;
    }
    case HighlightRole:
        return static_cast<int>(level(*at.row));
    case DetailRole:
        return at.row->detail;
    default:
        return cellData(at, index.column(), role);
    }
}

QVariant RowModel::cellData(const Node& node, int column, int role) const {
    const Column& header = columns_[static_cast<size_t>(column)];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((header.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role == CodeRole) return header.code;
    const std::vector<Cell>& cells = filled(node).cells;
    if (static_cast<size_t>(column) >= cells.size()) return {};
    const Cell& cell = cells[static_cast<size_t>(column)];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        if (!cell.tooltip.isEmpty()) return cell.tooltip;
        return cell.text.size() > 24 ? QVariant(cell.text) : QVariant();
    case SortRole:
        return cell.sort.isValid() ? cell.sort : QVariant(cell.text);
    case BarRole:
        return cell.bar;
    case ToneRole:
        return static_cast<int>(cell.tone);
    default:
        return {};
    }
}

/// The words over two lines that are about as long.
static QString inTwoLines(QString title) {
    qsizetype best = -1;
    for (qsizetype at = title.indexOf(' '); at >= 0; at = title.indexOf(' ', at + 1))
        if (best < 0 || std::abs(2 * at - title.size()) < std::abs(2 * best - title.size()))
            best = at;
    if (best >= 0) title[best] = '\n';
    return title;
}

QVariant RowModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 ||
        static_cast<size_t>(section) >= columns_.size())
        return {};
    const Column& column = columns_[static_cast<size_t>(section)];
    if (role == Qt::DisplayRole) return titlesInTwoLines_ ? inTwoLines(column.title) : column.title;
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty()) return column.tooltip;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    return {};
}

QModelIndex RowModel::indexOf(const Node* node) {
    if (!node) return {};
    const Node* top = node;
    while (top->parent != &content_->root)
        top = top->parent;
    fetchUpTo(top->position + 1);
    return createIndex(node->position, 0, node);
}

QModelIndex RowModel::strongestHighlight() {
    if (!selection_ || selection_->isEmpty()) return {};
    const Node* best = nullptr;
    Highlight strongest = Highlight::None;
    auto visit = [&](auto& self, const Node& at) -> void {
        if (strongest == Highlight::Selected) return; // no other is stronger
        if (const Highlight of = at.row ? level(*at.row) : Highlight::None; of > strongest) {
            strongest = of;
            best = &at;
        }
        for (const auto& child : at.children)
            self(self, child);
    };
    visit(visit, content_->root);
    return indexOf(best);
}

QModelIndex RowModel::find(const std::function<bool(const Row&)>& meant) {
    auto look = [&](auto& self, const Node& at) -> const Node* {
        if (at.row && meant(*at.row)) return &at;
        for (const auto& child : at.children)
            if (const Node* found = self(self, child)) return found;
        return nullptr;
    };
    return indexOf(look(look, content_->root));
}

} // namespace cutaway::views
