// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Everything that the record says of one item, in words: what the inspector shows and, cut down,
/// what hovering over it tells. Plain values; the looks come from fact_text.h.
#pragma once

#include "views/models/measured.h"
#include "views/models/record_view.h"
#include "views/models/remarks.h"
#include "views/models/row_model.h"

#include <functional>
#include <optional>

namespace cutaway::views {

/// A stretch of text; with an item it is a link to it.
struct FactPiece {
    QString text;
    ItemId item = kNoItem;
    bool code = false;
    Tone tone = Tone::Normal;
};

struct Fact {
    QString label;
    std::vector<FactPiece> pieces; ///< separated by the caller's own texts
    bool brief = false;            ///< told when hovering, too
};

struct FactSection {
    QString title;
    std::vector<Fact> facts;
};

/// Where an item can be looked at.
struct FactPlace {
    QString pane;          ///< id of the pane list
    QString stage;         ///< stage of the graph pane; empty: whatever it shows
    QString title;         ///< "Graph: joint"
    ItemId item = kNoItem; ///< what to select there
};

struct ItemFacts {
    QString kind;  ///< "operation", "input", "kernel", …; empty: no such item
    QString title; ///< its name
    QString head;  ///< one line under it: a type, a text
    std::vector<FactSection> sections;
    std::vector<FactPlace> places;
};

/// Summary and formula of an operation, a line each; empty: not known.
using OpDocs = std::function<QString(const QString& op)>;

/// What else is known beside the record.
struct FactSources {
    OpDocs docs;
    const std::vector<record::Run>* runs = nullptr; ///< measurements,
    std::optional<Measured> of = std::nullopt;      ///< which count only where they are of this
    /// What is said of a kernel's C++ text by its compiler; null: it was not asked.
    std::function<const std::vector<PlacedRemark>*(ItemId kernel)> remarks = {};
};

ItemFacts factsOf(const RecordView& view, ItemId item, const FactSources& sources);

/// The kernels with C++ text that an item became part of, the first few: whose compilers' remarks are
/// about it.
std::vector<ItemId> remarkedKernels(const RecordView& view, ItemId item);

/// What all of several selected items add up to.
ItemFacts factsOf(const RecordView& view, const std::vector<ItemId>& items,
                  const FactSources& sources);

} // namespace cutaway::views
