// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is selected, for the whole window: record items, and everything related to them through the
/// record's provenance. Panes read highlight levels from here and never talk to each other.
#pragma once

#include "views/models/record_view.h"

#include <QObject>
#include <QTimer>

namespace cutaway::views {

/// How strongly an item lights up.
enum class Highlight : uint8_t { None, Through, Direct, Selected };

class SelectionState : public QObject {
    Q_OBJECT
public:
    explicit SelectionState(QObject* parent = nullptr);

    /// Keeps the selection and the history: items are found again by their names, be it in a later
    /// record, where this one lacks them yet.
    void setRecord(RecordPtr record);

    /// \param origin the pane that was clicked: it is not scrolled.
    void select(const std::vector<ItemId>& items, const QObject* origin = nullptr);
    void clear() { select({}); }
    /// What the pointer rests on lights weakly, with all that it is related to, wherever the selection
    /// does not light anyway. A moment later, so that moving over a text does nothing.
    /// \param item kNoItem: it rests on nothing
    void hover(ItemId item);

    const std::vector<ItemId>& items() const { return items_; }
    bool isEmpty() const { return items_.empty(); }
    Highlight level(ItemId item) const {
        return item < levels_.size() ? static_cast<Highlight>(levels_[item]) : Highlight::None;
    }
    /// The strongest of several items.
    Highlight level(const std::vector<ItemId>& items) const;
    const QObject* origin() const { return origin_; }

    bool canGoBack() const { return position_ > 0; }
    bool canGoForward() const { return position_ + 1 < history_.size(); }
    void goBack();
    /// Another document: nothing that was selected before is in it.
    void forget();
    void goForward();

signals:
    void changed();
    /// Levels changed by what the pointer rests on: nothing is to be scrolled.
    void hovered();

private:
    using Names = std::vector<ItemName>;
    void apply(const std::vector<ItemId>& items, const QObject* origin);
    void applyChosen();
    void fillLevels();

    RecordPtr record_;
    Names chosen_;                                ///< what was selected
    std::vector<ItemId> items_;                   ///< what of it is in the record
    ItemId wanted_ = kNoItem, hovered_ = kNoItem; ///< the pointer rests on; levels_ tell of
    QTimer rest_;
    std::vector<uint8_t> levels_;
    const QObject* origin_ = nullptr;
    QList<Names> history_;
    qsizetype position_ = -1;
};

} // namespace cutaway::views
