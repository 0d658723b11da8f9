// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The pipeline in one line: each stage of the engine's table with what one entry's record says of
/// it.
#pragma once

#include "core/record/record.h"

#include <QString>
#include <vector>

namespace cutaway::views {

/// A row of the engine's stage table.
struct StageInfo {
    QString name; ///< "joint"; times and progress are "joint" or "forward: joint"
    QString title, summary;
    bool shown = false; ///< the record holds something of it that can be looked at
};

struct StageCell {
    enum class State {
        Absent,  ///< the record holds nothing of it
        Done,    ///< it ran
        Running, ///< the engine is at it
        Failed   ///< the compilation ended in it
    };
    StageInfo stage;
    State state = State::Absent;
    QString count; ///< "12 nodes"; empty where there is nothing to count
    double ms = 0; ///< of the forward and the backward graph together; 0: not timed
};

/// \param at label of the stage that the engine is at or that failed ("forward: kernels"); empty:
/// none. \param failed which of both
std::vector<StageCell> stageCells(const std::vector<StageInfo>& stages, const record::Entry* entry,
                                  const QString& at, bool failed);

} // namespace cutaway::views
