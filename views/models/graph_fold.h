// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Several nodes of a stage drawn as one box: what repeats ("add × 1000", "block × 12") and what
/// belongs to one module.
///
/// Repeats are proven, not guessed by names: two nodes count as equal when they are the same
/// operation of the same type, with the same numbers as arguments, and read values that lie equally
/// far back, or inputs of the same type, or (backward) values that the same operation saved. A run
/// of n equal stretches follows from comparing each node with the one a period later.
#pragma once

#include "core/record/record.h"

#include <QSet>
#include <QString>
#include <vector>

namespace cutaway::views {

enum class FoldKind : uint8_t { None, Repeats, Modules };

struct Folding {
    FoldKind kind = FoldKind::None;
    QSet<QString> open; ///< Fold::key of boxes that were opened
};

/// One box: nodes of the stage by index, ascending.
struct Fold {
    QString key; ///< stable for the same text: "repeat:add_3" or "module:layers.0"
    QString title;
    std::vector<int> members;
    int times = 1; ///< how often the stretch repeats
};

/// Boxes that do not overlap; nodes in none of them stand by themselves.
std::vector<Fold> folds(const record::GraphStage& stage, const Folding& folding);

} // namespace cutaway::views
