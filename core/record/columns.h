// SPDX-License-Identifier: Apache-2.0
/// \file
/// The record as columns: what a field holds in all nodes, lines, links lies together, and a text
/// that stands in many places is kept once. A tenth of the JSON's size, and read as much faster.
///
/// The bytes: a mark, the version, the texts (how many, their lengths, their bytes), then the
/// columns of the record in depth-first order: kind, name, and the values; of a list how many
/// elements each has, and one more column for these; of an object its fields. Numbers are LEB128,
/// signed ones zigzag, items as the difference to the one before. A reader takes the columns that
/// it knows by name: other fields may come and go.
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"

#include <string>
#include <string_view>

namespace cutaway::record {

/// \param part All or Deterministic. Equal records give equal bytes.
/// \param codeTexts without them the lines of generated code keep their items, but no text
std::string toColumns(const Record& record, Part part = Part::All, bool codeTexts = true);
/// Errors: user error that names the column that does not fit; a newer version than ours is an
/// error that says so. What damaged bytes claim to hold is checked before memory is taken for it.
base::Result<Record> fromColumns(std::string_view bytes);

/// Lines of generated code in all kernels.
size_t codeLineCount(const Record& record);
/// Whether these lines were written without their texts.
bool lacksTexts(const Code& code);
bool lacksTexts(const Record& record);

} // namespace cutaway::record
