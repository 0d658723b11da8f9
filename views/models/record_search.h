// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Finds anything of a record, whichever pane shows it: nodes of every stage, buffers, kernels, lines
/// of the script and of generated texts, what passes changed, reasons, guards, messages.
#pragma once

#include "views/models/record_view.h"

#include <optional>

namespace cutaway::views {

struct FoundItem {
    ItemId item = kNoItem;
    QString text;    ///< "joint/cos_1: f32[16, 16] = aten.cos.default(primals_1)"
    QString where;   ///< "joint", "source", "kernels", "cpp"
    QString owner{}; ///< "GPT, entry 2"; empty: the record has one entry, or it is of none
};

/// The terms of NodeQuery, and "in:joint", "in:kernels", "in:source", "in:cpp", "in:passes",
/// "in:reasons", "in:guards", "in:messages" for where to look.
/// What is called just so comes first, then the order of the record. On any thread.
/// \param most so many are found at most
/// \param problem set to what is wrong with the query, if anything is
std::vector<FoundItem> searchRecord(const RecordView& view, const QString& query, size_t most,
                                    QString* problem = nullptr);

/// A line of the script that is asked for by its number: "1500", "line 1500", ":1500".
struct AskedLine {
    int number = 0; ///< from 1
    QString text;
};
std::optional<AskedLine> lineAsked(const QString& query, const QString& script);

} // namespace cutaway::views
