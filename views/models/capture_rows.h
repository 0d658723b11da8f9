// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the Capture pane's tree shows: compiled functions, their entries with the calls that took
/// each, why one was not enough, and the parts behind graph breaks below what broke.
#pragma once

#include "views/models/row_model.h"

namespace cutaway::record {
struct Function;
struct Record;
struct Entry;
} // namespace cutaway::record

namespace cutaway::views {

class RecordView;

namespace rows {

enum class UnitColumn { Part, Calls, What, Where };
std::vector<Column> unitColumns();
/// Whether a record says which calls of its functions took which entry.
bool tellsCalls(const record::Record& record);
/// Rows of an entry have its function's number and its own as detail: "0 2".
std::vector<Row> units(const RecordView& view);

} // namespace rows
} // namespace cutaway::views
