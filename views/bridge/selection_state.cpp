// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/selection_state.h"

#include <algorithm>

namespace cutaway::views {

namespace {
constexpr qsizetype kMaxHistory = 200;
constexpr int kRestMs = 60;
} // namespace

SelectionState::SelectionState(QObject* parent) : QObject(parent), record_(emptyRecord()) {
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMs);
    connect(&rest_, &QTimer::timeout, this, [this] {
        if (wanted_ == hovered_) return;
        hovered_ = wanted_;
        fillLevels();
        emit hovered();
    });
}

void SelectionState::hover(ItemId item) {
    wanted_ = item < record_->itemCount() ? item : kNoItem;
    if (wanted_ == hovered_)
        rest_.stop();
    else
        rest_.start();
}

void SelectionState::setRecord(RecordPtr record) {
    record_ = std::move(record);
    wanted_ = hovered_ = kNoItem;
    applyChosen();
}

void SelectionState::applyChosen() {
    std::vector<ItemId> items;
    for (const ItemName& name : chosen_)
        if (const ItemId item = record_->find(name);
            item != kNoItem && std::ranges::find(items, item) == items.end())
            items.push_back(item);
    apply(items, nullptr);
}

void SelectionState::select(const std::vector<ItemId>& items, const QObject* origin) {
    std::vector<ItemId> known;
    for (ItemId item : items)
        if (item < record_->itemCount()) known.push_back(item);
    chosen_.clear();
    for (ItemId item : known)
        chosen_.push_back(record_->nameOf(item));
    if (known == items_) {
        origin_ = origin;
        return;
    }
    if (!chosen_.empty()) {
        history_.resize(position_ + 1);
        history_ << chosen_;
        if (history_.size() > kMaxHistory) history_.removeFirst();
        position_ = history_.size() - 1;
    }
    apply(known, origin);
}

void SelectionState::apply(const std::vector<ItemId>& items, const QObject* origin) {
    items_ = items;
    origin_ = origin;
    fillLevels();
    emit changed();
}

void SelectionState::fillLevels() {
    levels_.assign(record_->itemCount(), static_cast<uint8_t>(Highlight::None));
    auto mark = [&](const std::vector<ItemId>& marked, Highlight level) {
        for (ItemId item : marked)
            if (item < levels_.size()) levels_[item] = static_cast<uint8_t>(level);
    };
    if (hovered_ != kNoItem) mark(record_->links().related({hovered_}).direct, Highlight::Through);
    if (items_.empty()) return;
    record::LinkIndex::Related related = record_->links().related(items_);
    mark(related.through, Highlight::Through);
    mark(related.direct, Highlight::Direct);
    mark(items_, Highlight::Selected);
}

Highlight SelectionState::level(const std::vector<ItemId>& items) const {
    Highlight best = Highlight::None;
    for (ItemId item : items)
        best = std::max(best, level(item));
    return best;
}

void SelectionState::forget() {
    history_.clear();
    position_ = -1;
    chosen_.clear();
    apply({}, nullptr);
}

void SelectionState::goBack() {
    if (!canGoBack()) return;
    chosen_ = history_[--position_];
    applyChosen();
}

void SelectionState::goForward() {
    if (!canGoForward()) return;
    chosen_ = history_[++position_];
    applyChosen();
}

} // namespace cutaway::views
