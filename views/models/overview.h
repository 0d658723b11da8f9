// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What became of a compiled part as a whole: what the inspector shows while nothing is selected.
#pragma once

#include "views/models/item_facts.h"

namespace cutaway::views {

/// \p entry is one of \p function's. \param isPartial its later stages are on their way, or failed
ItemFacts overviewOf(const RecordView& view, const record::Function& function,
                     const record::Entry& entry, bool isPartial);

} // namespace cutaway::views
