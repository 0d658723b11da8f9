// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// When most of a memory plan's arena is in use, and by what.
#pragma once

#include "core/record/record.h"

#include <QString>

namespace cutaway::views {

struct MemoryPeak {
    int kernel = -1;   ///< index in the plan's order; -1: the arena is empty
    int64_t inUse = 0; ///< bytes then
    std::vector<const record::MemoryItem*> items; ///< in use then, the largest first
    /// Beside each the item in whose place it is then; null: it has one of its own.
    std::vector<const record::MemoryItem*> places;
};

/// By item of the plan: the item before it in the arena that is still in use in the same place, as a
/// kernel's result that takes the place of what the kernel reads last; -1: none.
std::vector<int> sharedPlaces(const record::MemoryPlan& plan);

/// The first kernel at which most is in use.
MemoryPeak memoryPeak(const record::LoweredGraph& lowered);
/// What is in use at that kernel.
MemoryPeak memoryAt(const record::LoweredGraph& lowered, int kernel);
/// "Peak at fused_a, kernel 3 of 7: 12 MiB in use by x (8 MiB) and y (4 MiB). The arena …"
QString explainPeak(const record::LoweredGraph& lowered, const MemoryPeak& peak);

} // namespace cutaway::views
