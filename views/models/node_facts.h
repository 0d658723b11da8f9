// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What factsOf says of a node of a graph, and the small parts that facts are made of.
#pragma once

#include "views/models/item_facts.h"

namespace cutaway::views::facts {

inline QString str(const std::string& text) {
    return QString::fromStdString(text);
}
inline FactPiece plain(const QString& text) {
    return {text, kNoItem, false, Tone::Normal};
}
inline FactPiece code(const QString& text) {
    return {text, kNoItem, true, Tone::Normal};
}
FactPiece link(const RecordView& view, ItemId item);
/// Appends a piece after a comma.
void addPiece(Fact& fact, FactPiece piece);
/// Appends links to the first of \p items and says how many more there are.
void addLinks(Fact& fact, const RecordView& view, const std::vector<ItemId>& items);
/// The lowered graph that a buffer, kernel or code line stands in; null: none.
const record::LoweredGraph* loweredOf(const RecordView& view, ItemId item);
/// Why pairs with one of \p buffers were joined or kept apart.
FactSection decisionsOf(const RecordView& view, const std::vector<ItemId>& buffers);
/// Why these two were; empty: they share nothing.
FactSection decisionOfPair(const RecordView& view, ItemId a, ItemId b);

void describeNode(ItemFacts& out, const RecordView& view, ItemId item, const FactSources& sources);

} // namespace cutaway::views::facts
