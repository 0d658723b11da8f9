// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the compiler says (core/base/said.h), in the language that is spoken. A record holds the
/// sentence as it was printed; of the texts that the catalogue knows, the one is found that it was
/// printed from, and what was filled in is told in its translation, itself a sentence or not.
#pragma once

#include "core/base/diagnostic.h"

#include <QString>
#include <string>

namespace cutaway::views {

/// The sentence itself where it is of no text that the catalogue knows. Thread-safe.
QString told(const QString& sentence);
QString told(const std::string& sentence);
/// "FILE: it is so. Do that." of what failed, in a line of the window.
QString told(const base::Diagnostic& problem);

} // namespace cutaway::views
