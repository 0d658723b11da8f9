// SPDX-License-Identifier: Apache-2.0
/// \file
/// A record as one HTML page with linked panes, for people without the program.
#pragma once

#include "core/record/record.h"

namespace cutaway::record {

/// The page (resources/export/report.html) with the record inside of it. It loads nothing and runs
/// no text of the record: whatever a script's names hold is shown as text.
std::string htmlReport(const Record& record);

} // namespace cutaway::record
