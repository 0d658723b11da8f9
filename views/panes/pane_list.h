// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The only list of panes. Adding a pane is one folder and one row here.
#pragma once

#include "views/panes/pane.h"

#include <span>

namespace cutaway::views {

/// Where the default layout puts a pane; panes of one place share it as tabs, in list order.
enum class PanePlace { Left, LeftBottom, Center, Right, RightBottom };

struct PaneRow {
    const char* id;    ///< stable: names the dock in stored layouts
    const char* title; ///< to be translated in context "Panes"
    const char* about; ///< one sentence
    const char* key;   ///< shortcut that shows and focuses it
    PanePlace place;
    Pane* (*make)(PaneContext context, QWidget* parent);
};

std::span<const PaneRow> paneList();

} // namespace cutaway::views
