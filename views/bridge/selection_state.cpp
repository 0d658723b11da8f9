// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/selection_state.h"

namespace cutaway::views {

namespace {
constexpr qsizetype kMaxHistory = 200;
}

SelectionState::SelectionState(QObject* parent) : QObject(parent), record_(emptyRecord()) {}

void SelectionState::setRecord(RecordPtr record) {
    QStringList keys;
    for (ItemId item : items_)
        keys << record_->key(item);
    record_ = std::move(record);
    applyKeys(keys);
}

void SelectionState::applyKeys(const QStringList& keys) {
    std::vector<ItemId> items;
    for (const QString& key : keys)
        if (ItemId item = record_->find(key); item != kNoItem) items.push_back(item);
    apply(items, nullptr);
}

void SelectionState::select(const std::vector<ItemId>& items, const QObject* origin) {
    std::vector<ItemId> known;
    for (ItemId item : items)
        if (item < record_->itemCount()) known.push_back(item);
    if (known == items_) {
        origin_ = origin;
        return;
    }
    QStringList keys;
    for (ItemId item : known)
        keys << record_->key(item);
    if (!keys.isEmpty()) {
        history_.resize(position_ + 1);
        history_ << keys;
        if (history_.size() > kMaxHistory) history_.removeFirst();
        position_ = history_.size() - 1;
    }
    apply(known, origin);
}

void SelectionState::apply(const std::vector<ItemId>& items, const QObject* origin) {
    items_ = items;
    origin_ = origin;
    levels_.assign(record_->itemCount(), static_cast<uint8_t>(Highlight::None));
    if (!items_.empty()) {
        record::LinkIndex::Related related = record_->links().related(items_);
        auto mark = [&](const std::vector<ItemId>& marked, Highlight level) {
            for (ItemId item : marked)
                if (item < levels_.size()) levels_[item] = static_cast<uint8_t>(level);
        };
        mark(related.through, Highlight::Through);
        mark(related.direct, Highlight::Direct);
        mark(items_, Highlight::Selected);
    }
    emit changed();
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
    apply({}, nullptr);
}

void SelectionState::goBack() {
    if (canGoBack()) applyKeys(history_[--position_]);
}

void SelectionState::goForward() {
    if (canGoForward()) applyKeys(history_[++position_]);
}

} // namespace cutaway::views
