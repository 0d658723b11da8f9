// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The one table and tree widget: sorting by raw values, lit rows, bars, copying as TSV, a line of
/// advice when empty. Clicking a row selects its items.
#pragma once

#include "views/models/latest_work.h"
#include "views/models/row_query.h"
#include "views/widgets/theme.h"

#include <QTreeView>
#include <functional>

class QLineEdit;
class QMenu;

namespace cutaway::views {

class ItemView : public QTreeView {
    Q_OBJECT
public:
    /// \param name stable: header state is stored under it.
    ItemView(std::vector<Column> columns, const QString& name, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setSelectionState(SelectionState* selection) { selection_ = selection; }
    /// \param origin what SelectionState::select gets as its origin.
    void setOrigin(const QObject* origin) { origin_ = origin; }
    void setRows(Table table, bool expand = true) {
        setContent(RowModel::contentOf(std::move(table)), expand);
    }
    void setContent(RowModel::ContentPtr content, bool expand);
    /// As setRows with what \p make gives; of many rows on another thread, so that \p make holds all
    /// that it reads. Until then what is shown stays, but lights nothing and can not be chosen.
    void fillRows(size_t about, std::function<Table()> make);
    void setEmptyText(const QString& text);
    const QString& emptyText() const { return emptyText_; }
    /// Column that takes the room that is left; the others fit their contents.
    void setStretchColumn(int column);
    /// Texts go over as many lines as they need, numbers too where there is no room: "5 µs" over
    /// "(+2 µs)". For short tables.
    void setWrapped(bool wrapped);
    bool isWrapped() const { return wordWrap(); }
    /// What hovering over a row of one item tells where its cell tells nothing of its own.
    void setItemTooltip(std::function<QString(ItemId)> tooltip) { tooltip_ = std::move(tooltip); }
    /// Adds to the menu of a row that stands for items.
    void setItemMenu(std::function<void(QMenu*, const std::vector<ItemId>&)> fill) {
        fillMenu_ = std::move(fill);
    }
    QString itemTooltip(ItemId item) const { return tooltip_ ? tooltip_(item) : QString(); }
    /// Shows the rows that hold what is typed (models/row_query.h), and those above them.
    void setFilter(const QString& text);
    /// The field in which that is typed: Ctrl+F opens it, Escape empties and closes it.
    QLineEdit* filterField() const { return filter_; }
    RowModel* rowModel() const { return model_; }
    const Row* currentRow() const;
    void selectDetail(const QString& detail);
    /// The row that a selection means: the one that was chosen here, as long as its items are what
    /// is selected; else another row of just these items; else the first and deepest that stands for
    /// what is selected elsewhere; while nothing is, the current one. Invalid: none.
    QModelIndex meantRow() const;
    /// Whether meantRow() is only lit, maybe beside others, by what is selected elsewhere.
    bool isMeantByLight() const;
    /// False of a row that is lit beside the one whose items are just what is selected.
    bool isMeantAlone(const QModelIndex& index) const;

    /// Repaints lights; \p reveal scrolls to the strongest.
    void updateHighlights(bool reveal);
    QString selectionAsTsv() const;
    /// Every row that is not filtered away, its depth in front.
    QString tableAsCsv();
    QSize sizeHint() const override { return {240, 120}; }
    void selectAll() override;

signals:
    void rowChosen(const Row* row);
    void rowOpened(const Row* row); ///< by a double click, or by Enter
    void meantRowChanged();

protected:
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What the widths of columns depend on.
    struct FittedTo {
        RowModel::ContentPtr rows;
        QFont words, code;
        int head = 0, room = 0; ///< widths of all titles together, and of the view
        bool operator==(const FittedTo&) const = default;
    };
    void choose(const QModelIndex& index);
    void fitColumns();
    void fitLater();
    int widestWord(int column) const;
    Arrangement howArranged() const;
    void arrange();
    void put(RowModel::ContentPtr content);
    QModelIndex strongestRow() const;
    QModelIndex rowOfSelection() const;
    void revealStrongest();

    void saveCsv();
    void openFilter();
    void placeFilter();

    RowModel* model_;
    RowModel::ContentPtr all_;   ///< every row, in the order in which they were made
    RowModel::ContentPtr shown_; ///< that of which what is shown was arranged
    RowQuery query_;
    QLineEdit* filter_;
    SelectionState* selection_ = nullptr;
    const QObject* origin_ = nullptr;
    Theme theme_;
    std::function<QString(ItemId)> tooltip_;
    std::function<void(QMenu*, const std::vector<ItemId>&)> fillMenu_;
    QString emptyText_;
    FittedTo fittedTo_;
    QPersistentModelIndex exact_; ///< the row of just the items that are selected
    int stretch_ = -1;
    bool filling_ = false, expands_ = false, fitDue_ = false;
    LatestWork maker_{this}, arranger_{this}; ///< last: they wait for what is under way
};

} // namespace cutaway::views
