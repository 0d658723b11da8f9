// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every graph of a record as a file of its own, without a window.
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"
#include "views/widgets/theme.h"

namespace cutaway::views {

/// Writes them to \p folder, each with every box open, as record::namedGraphs() calls them: all or none.
/// \param suffix as of exportGraph()
/// Errors: those of exportGraph().
base::Status exportGraphs(const record::Record& record, const QString& folder,
                          const QString& suffix, const Theme& theme, double pngScale);

} // namespace cutaway::views
