// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A small record written by hand: cos(cos(x)) with its gradient, through every stage.
#pragma once

#include "core/record/record.h"

namespace cutaway::views::testing {

/// The text of the script that the record is of.
extern const char* const kDoubleCosine;

record::Record doubleCosineRecord();

} // namespace cutaway::views::testing
