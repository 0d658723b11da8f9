// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A tour: steps that tell something, show it in the window, give something to try, and ask a
/// question whose answer is looked up in the record, so that it holds for whatever was compiled.
///
/// The file is JSON (resources/tours, or anybody's own):
///   {"title": "…", "about": "…", "sample": "double_cosine.py",
///    "steps": [{"title": "…", "text": "…",
///               "show": {"pane": "graph", "stage": "joint", "select": "joint/cos"},
///               "try": "…", "until": {"selected": "joint/cos"} or {"value": "saved.count", "is":
///               "1"}, "ask": {"question": "…", "value": "saved.count", "hint": "…"},
///               "notes": "…"}]}
/// Everything of a step but its text may be left out. \see tourValue for the values.
#pragma once

#include "core/base/result.h"
#include "views/models/record_view.h"

#include <optional>

namespace cutaway::views {

struct TourStep {
    QString title, text;
    QString pane, stage, select; ///< what to show
    QString attempt;             ///< what to try
    QString untilSelected, untilValue, untilIs;
    QString question, value, hint;
    QString notes; ///< for who speaks; those who watch do not see them
};

struct Tour {
    QString title, about;
    QString sample; ///< script that it is about, in the folder of the samples
    std::vector<TourStep> steps;
};

/// Errors: user error naming \p name, the step and the field.
base::Result<Tour> readTour(const QByteArray& json, const QString& name);
/// The file of a tour: what readTour reads back.
QByteArray writeTour(const Tour& tour);
/// Tours that come with the program, in the order of teaching.
std::vector<Tour> shippedTours();

/// What the record says, as a person would write it; nothing when there is no such value.
///   nodes.STAGE  kernels.count  kernels.GRAPH  saved.count  saved.bytes  saved.names
///   recomputed.count  recomputed.names  passes.changed  guards.count  breaks.count  memory.arena
std::optional<QString> tourValue(const record::Entry& entry, const QString& name);
/// Whether what somebody typed is that value; spaces, case and the order of names do not count.
bool isAnswer(const QString& typed, const QString& value);

} // namespace cutaway::views
