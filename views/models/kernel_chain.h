// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// From a kernel's time back to what caused it: the kernel, what was fused into it, the rules that
/// made its operations, the lines of the script; and what would be faster. A step each.
#pragma once

#include "views/models/rows.h"

namespace cutaway::views {

struct ChainStep {
    QString text;
    std::vector<ItemId> items{}; ///< what it leads to; none: it only says so
    QString decision{};          ///< what can be decided there; see models/decisions.h
    bool times = false;          ///< its alternatives can be timed
};

/// Empty: \p kernel is none, or \p run did not time it.
std::vector<ChainStep> kernelChain(const RecordView& view, ItemId kernel, const record::Run& run,
                                   const rows::TimedSchedule& timed);

} // namespace cutaway::views
