// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Assembly as a person wants to read it.
#pragma once

#include "core/record/record.h"

#include <QString>

namespace cutaway::views {

/// Without constants, labels that nothing jumps to and the assembler's directives; names of C++
/// functions in plain text. Lines keep their items.
record::Code readableAssembly(const record::Code& code);

/// What the instruction of a line does, in one sentence; empty: no instruction, or none known here.
QString instructionHelp(const QString& line);

} // namespace cutaway::views
