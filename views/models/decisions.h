// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a person decides instead of the compiler ("recompute cos", "apart forward/a forward/b",
/// "schedule forward/fused_a=rows: vector 8"), what may be decided of an item, and what came of it.
/// The engine reads the same texts.
#pragma once

#include "views/models/measured.h"
#include "views/models/record_view.h"

#include <QDateTime>
#include <QHash>
#include <QMap>
#include <QStringList>
#include <optional>

namespace cutaway::views {

struct DecisionChoice {
    QString title; ///< "Save “cos” for the backward"; empty: there is nothing to decide, only `now`
    QString decision; ///< the text; empty: what was decided is taken back
    QString subject;  ///< what it is about: one decision a subject
    QString now;      ///< how it is: "computed again", "fused: same loops"
};

/// A recipe: a line for each, in their order, and remarks in people's words.
QString recipeText(const QStringList& decisions);
/// \param problem gets why \p text is no recipe
std::optional<QStringList> readRecipe(const QString& text, QString* problem);
/// What a decision is about: the same for "save cos" and "recompute cos".
QString decisionSubject(const QString& decision);
/// "compute cos again", "memory budget 2 KiB"
QString decisionText(const QString& decision);
/// The same of all that Measured::decisions holds; empty: none.
QString decisionsText(const QString& decisions);
/// With \p decision instead of what was decided on its subject before.
QStringList decided(QStringList all, const QString& decision);
/// Without what was decided on \p subject.
QStringList leftToCompiler(QStringList all, const QString& subject);

/// What can be decided of one item (a value of the joint graph) or of two (a pair of buffers);
/// \p made what was decided already.
std::vector<DecisionChoice>
decisionChoices(const RecordView& view, const std::vector<ItemId>& items, const QStringList& made);
/// "Run kernel K so". \param candidate its text
QString scheduleDecision(const RecordView& view, ItemId kernel, const QString& candidate);

/// What a decision on values or buffers is about: their operations and lines of the script, which
/// tell them from others of the same name; empty: the record has no such values.
QString decisionMeaning(const RecordView& view, const QString& decision);

/// What there is to say of a decision that is in force, for people.
struct DecisionNote {
    bool followed = false; ///< it is so, but of a value that only has the name of the one meant
    QString text;
    bool operator==(const DecisionNote&) const = default;
};
using DecisionNotes = QMap<QString, DecisionNote>;
/// \param meanings what the decisions were about when they were made
DecisionNotes notesOf(const RecordView& view, const QStringList& decisions,
                      const QHash<QString, QString>& meanings);

/// How a kernel is run, of several that could run it.
struct TakenSchedule {
    QString text;
    double predictedUs = 0;
    bool operator==(const TakenSchedule&) const = default;
};

/// What one compilation came to, in a few numbers.
struct Outcome {
    int64_t savedBytes = 0, traffic = 0, arena = 0;
    int saved = 0, recomputed = 0, kernels = 0;
    double predictedUs = 0; ///< of the kernels whose schedules are predicted
    int unpredicted = 0;    ///< kernels that are not
    int parts =
        0; ///< compiled entries of all functions, with their backwards: all of it is summed over them
    QHash<QString, TakenSchedule> schedules{}; ///< by graph and kernel: "forward/fused_cos"
    bool operator==(const Outcome&) const = default;
};
Outcome outcomeOf(const record::Record& record);

/// What it came to, and what it was of.
struct Experiment {
    Measured of;
    Outcome outcome;
    DecisionNotes notes{}; ///< what of it is not as decided
    QString text{};        ///< of the script
    QDateTime made{};
    quint64 number = 0,
            before = 0; ///< of those of its document; the one that it was made from, or 0
};

} // namespace cutaway::views
