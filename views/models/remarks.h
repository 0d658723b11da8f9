// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the compiler of a kernel's text says of its lines, and which items of the record that is
/// about: remarks of a loop are about all that is computed in it.
#pragma once

#include "core/record/record.h"

#include <QString>
#include <vector>

namespace cutaway::views {

struct PlacedRemark {
    QString text; ///< "loop-vectorize: vectorized loop (…)"
    bool missed = false;
    int line = 0;                      ///< of the text, counted from 1
    std::vector<record::ItemId> items; ///< lines of code
    int times = 1;                     ///< how often the line is told the same
};

/// \param code the text with its items; remarks of its prelude are left out
std::vector<PlacedRemark> placedRemarks(const record::Code& code,
                                        const std::vector<record::Remark>& remarks);

} // namespace cutaway::views
