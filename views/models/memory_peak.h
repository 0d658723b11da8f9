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
};

/// The first kernel at which most is in use.
MemoryPeak memoryPeak(const record::LoweredGraph& lowered);
/// What is in use at that kernel.
MemoryPeak memoryAt(const record::LoweredGraph& lowered, int kernel);
/// "Peak at fused_a, kernel 3 of 7: 12 MiB in use by x (8 MiB) and y (4 MiB). The arena …"
QString explainPeak(const record::LoweredGraph& lowered, const MemoryPeak& peak);

} // namespace cutaway::views
