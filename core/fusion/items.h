// SPDX-License-Identifier: Apache-2.0
/// \file
/// The values of a kernel before they are put into phases. Internal to core/fusion.
///
/// Phases are numbered by time: rows' scalar statements at even times, inner loops at odd ones. A
/// sum over an inner loop at time t is known to rows at t + 1 and to elements at t + 2.
#pragma once

#include "core/fusion/loops.h"

namespace cutaway::fusion {

struct Item {
    BufferId buffer;
    ExprId value; ///< over kernel variables; other items appear as itemRef
    kernel::RowOp op = kernel::RowOp::Let;
    kernel::Level level = kernel::Level::Element;
    bool finish = false;       ///< runs after all rows
    bool everyElement = false; ///< ReduceAll: over rows and inner loop, whatever the value reads
    bool stored = false;
    std::vector<ir::Sym> place;         ///< coordinates of the store
    std::vector<kernel::Coord> updated; ///< of a scatter's; computed ones are items
    bool position = false;              ///< one of those: an int64, not the buffer's element
    int with = -1;                      ///< the item whose statement gives this, too
    std::vector<int> uses;              ///< items that value refers to
    int time = 1;                       ///< earliest phase
    double cost = 0;                    ///< of computing it again in a later phase
    bool kept = false;
    std::vector<int> times; ///< phases that compute it, in order
};

/// The item that a load stands for, or -1.
int itemOf(const kernel::Expr& load);

/// Values of all members in order, with the producers that they recompute in front of them.
std::vector<Item> makeItems(kernel::LoopProgram& program, const Analysis& analysis,
                            const Grouping& grouping, const Group& group, const Loops& loops,
                            const std::vector<bool>& stores);

/// Fills in time, kept and times, with a reason for each value that a later phase needs again.
void assignPhases(const kernel::LoopProgram& program, std::vector<Item>& items,
                  std::vector<std::string>& reasons);

} // namespace cutaway::fusion
