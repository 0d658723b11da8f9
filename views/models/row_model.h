// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The one item model behind every table and tree of the window: rows of cells with raw values for
/// sorting, record items for linking, and children. Builders (rows.h) fill it from a record. Which
/// rows are kept and in which order is made with the content, beside the GUI thread where there are
/// many; a long table's rows come to the view as it scrolls to them, and may have cells only then.
#pragma once

#include "views/bridge/selection_state.h"

#include <QAbstractItemModel>
#include <functional>
#include <memory>

namespace cutaway::views {

enum class Tone : uint8_t { Normal, Muted, Good, Warning, Error };

struct Cell {
    QString text;
    QVariant sort;   ///< raw value; invalid: the text
    double bar = -1; ///< 0..1: a bar behind the text
    Tone tone = Tone::Normal;
    QString tooltip{};
    double low = -1, high = -1; ///< spread along the bar; -1: none
};

struct Row {
    std::vector<Cell> cells;
    std::vector<ItemId> items; ///< what a click on the row selects
    QString detail;            ///< longer text, shown by panes that have a place for it
    std::vector<Row> children;
    bool bold = false;
    bool dimmed = false; ///< not of what is shown
};

/// The rows of a table. A long one's have no cells but those that somebody looks at: two hundred
/// thousand rows of text would hold as much as all else in the window.
struct Table {
    using CellsOf = std::function<std::vector<Cell>(size_t row)>;
    Table() = default;
    Table(std::vector<Row> all) : rows(std::move(all)) {}
    /// \param make the cells of a row by its number, on any thread; the rows have no others below
    Table(std::vector<Row> all, CellsOf make) : rows(std::move(all)), cells(std::move(make)) {}

    std::vector<Row> rows;
    CellsOf cells; ///< none: the rows have them
};

struct Column {
    QString title;
    bool number = false; ///< right-aligned
    bool code = false;   ///< fixed-pitch
    QString tooltip;
    const char* unit = ""; ///< of Cell::sort, for files; "1": a number as such; "": only text
};

/// Which rows are shown, and in which order.
struct Arrangement {
    std::function<bool(const Row&)> keeps; ///< those with a row below that is kept are kept, too
    int column = -1;                       ///< sorted by; -1: as they were made
    Qt::SortOrder order = Qt::AscendingOrder;

    bool isTrivial() const { return !keeps && column < 0; }
};

class RowModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        SortRole = Qt::UserRole + 1, ///< raw value
        ItemsRole,                   ///< QVariantList of item ids
        HighlightRole,               ///< int(Highlight)
        BarRole,                     ///< double, -1: none
        ToneRole,                    ///< int(Tone)
        CodeRole,                    ///< bool: fixed pitch
        DetailRole                   ///< QString
    };

    explicit RowModel(std::vector<Column> columns, QObject* parent = nullptr);
    ~RowModel() override;

    /// Rows with all that the model needs of them. Does not change; made on any thread.
    struct Content;
    using ContentPtr = std::shared_ptr<const Content>;
    static ContentPtr contentOf(Table table);
    /// The same rows (they stay where they are) as \p how wants them.
    static ContentPtr arranged(const ContentPtr& content, const Arrangement& how);
    void setContent(ContentPtr content);
    void setRows(Table table) { setContent(contentOf(std::move(table))); }
    const ContentPtr& content() const { return content_; }
    /// Whether some row has rows below it.
    bool isTree() const;
    /// Of all rows, those below others included, that \p content was made of.
    static size_t size(const ContentPtr& content);
    /// Highlights come from \p selection and follow it; who shows them paints anew when it changed.
    void setSelection(const SelectionState* selection) { selection_ = selection; }
    const Row* row(const QModelIndex& index) const;
    const std::vector<Column>& columns() const { return columns_; }
    /// The first row (depth first) with the strongest highlight; invalid: none. Rows up to it come
    /// to the view.
    QModelIndex strongestHighlight();
    /// The first row (depth first) that is \p meant; invalid: none. Rows up to it come to the view.
    /// \param meant looks at no cells
    QModelIndex find(const std::function<bool(const Row&)>& meant);
    /// That which stands for just these items.
    QModelIndex rowOf(const std::vector<ItemId>& items) {
        return find([&](const Row& row) { return row.items == items; });
    }
    void fetchAll();
    /// Titles of several words stand in two lines.
    void setTitlesInTwoLines(bool two) { titlesInTwoLines_ = two; }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node;
    const Node* node(const QModelIndex& index) const;
    const Row& filled(const Node& node) const;
    Highlight level(const Row& row) const;
    QVariant cellData(const Node& node, int column, int role) const;
    QModelIndex indexOf(const Node* node);
    void fetchUpTo(int count);

    std::vector<Column> columns_;
    ContentPtr content_;
    int fetched_ = 0; ///< rows of the first level that views know of
    const SelectionState* selection_ = nullptr;
    bool titlesInTwoLines_ = false;
};

} // namespace cutaway::views
