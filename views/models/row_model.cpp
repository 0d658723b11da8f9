// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/row_model.h"

#include "views/models/release_aside.h"

#include <algorithm>

namespace cutaway::views {

/// Mirrors the rows with parent pointers, which a QModelIndex needs.
struct RowModel::Node {
    const Row* row = nullptr;
    Node* parent = nullptr;
    int position = 0;
    std::vector<Node> children; ///< stay where they are: indices point to them

    void adopt(const std::vector<Row>& rows) {
        children.resize(rows.size());
        for (size_t i = 0; i < rows.size(); ++i) {
            children[i].row = &rows[i];
            children[i].parent = this;
            children[i].position = static_cast<int>(i);
            children[i].adopt(rows[i].children);
        }
    }
};

struct RowModel::Content {
    explicit Content(std::vector<Row> made) : rows(std::move(made)) { root.adopt(rows); }
    std::vector<Row> rows;
    Node root;
};

RowModel::RowModel(std::vector<Column> columns, QObject* parent)
    : QAbstractItemModel(parent), columns_(std::move(columns)), content_(contentOf({})) {}

RowModel::~RowModel() = default;

RowModel::ContentPtr RowModel::contentOf(std::vector<Row> rows) {
    return sharedAside(std::make_unique<Content>(std::move(rows)));
}

void RowModel::setContent(ContentPtr content) {
    beginResetModel();
    content_ = std::move(content);
    endResetModel();
}

bool RowModel::isTree() const {
    return std::ranges::any_of(content_->rows, [](const Row& row) { return !row.children.empty(); });
}

const RowModel::Node* RowModel::node(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const Node*>(index.constInternalPointer())
                           : &content_->root;
}

const Row* RowModel::row(const QModelIndex& index) const {
    return index.isValid() && index.model() == this ? node(index)->row : nullptr;
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
    return static_cast<int>(node(parent)->children.size());
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
    if (static_cast<size_t>(column) >= node.row->cells.size()) return {};
    const Cell& cell = node.row->cells[static_cast<size_t>(column)];
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

QVariant RowModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 ||
        static_cast<size_t>(section) >= columns_.size())
        return {};
    const Column& column = columns_[static_cast<size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty()) return column.tooltip;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    return {};
}

QModelIndex RowModel::strongestHighlight() const {
    if (!selection_ || selection_->isEmpty()) return {};
    const Node* best = nullptr;
    Highlight strongest = Highlight::None;
    auto visit = [&](auto& self, const Node& at) -> void {
        if (at.row && level(*at.row) > strongest) {
            strongest = level(*at.row);
            best = &at;
        }
        for (const auto& child : at.children)
            self(self, child);
    };
    visit(visit, content_->root);
    return best ? createIndex(best->position, 0, best) : QModelIndex();
}

QModelIndex RowModel::rowOf(const std::vector<ItemId>& items) const {
    auto find = [&](auto& self, const Node& at) -> const Node* {
        if (at.row && at.row->items == items) return &at;
        for (const auto& child : at.children)
            if (const Node* found = self(self, child)) return found;
        return nullptr;
    };
    const Node* found = find(find, content_->root);
    return found ? createIndex(found->position, 0, found) : QModelIndex();
}

} // namespace cutaway::views
