// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Any two texts of one record or two, compared line by line: stages, the graph as a pass left it,
/// loops, kernels, code. Lines of nodes are told apart by their names, so that one that moved or
/// was written anew is not taken for another.
#pragma once

#include "views/models/decisions.h"
#include "views/models/record_view.h"

#include <QStringList>

namespace cutaway::views {

/// A record to be compared, and the entry of it.
struct ComparedRecord {
    QString title;
    RecordPtr record = emptyRecord();
    int function = 0, entry = 0;
    std::vector<record::Run> runs; ///< of this record

    const record::Entry* shown() const { return record->entry(function, entry); }
};

struct TextChoice {
    QString id;    ///< "graph/joint", "pass/3", "cpp/forward"
    QString title; ///< "joint graph", "after pass 3: simplify", "C++ of forward"
};
/// Every text of an entry that can be compared, in the order of the stages.
std::vector<TextChoice> textChoices(const record::Entry& entry);

struct ComparedLine {
    QString text;
    ItemId left = kNoItem, right = kNoItem; ///< what it is of in each record
    int sign = 0;                           ///< -1: only left, +1: only right
};
struct Comparison {
    std::vector<ComparedLine> lines;
    int removed = 0, added = 0;
};
/// Safe on any thread.
Comparison compareTexts(const ComparedRecord& left, const QString& leftText,
                        const ComparedRecord& right, const QString& rightText);

/// What one text is in two records.
struct StageDifference {
    TextChoice text;
    int removed = 0, added = 0; ///< lines
};
/// Of all stages that both have, in their order. Safe on any thread.
std::vector<StageDifference> compareStages(const ComparedRecord& left, const ComparedRecord& right);

} // namespace cutaway::views
