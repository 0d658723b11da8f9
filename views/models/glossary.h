// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The words of the window, each explained in a sentence or two.
#pragma once

#include <QString>
#include <vector>

namespace cutaway::views {

struct GlossaryEntry {
    QString term, meaning;
    QString pane; ///< that shows it; may be empty
};

/// In the language that is spoken, sorted by term.
std::vector<GlossaryEntry> glossary();

} // namespace cutaway::views
