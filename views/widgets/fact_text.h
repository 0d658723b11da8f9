// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Facts of an item as rich text: whole for the inspector, the brief ones for a tooltip.
#pragma once

#include "views/models/item_facts.h"
#include "views/widgets/theme.h"

namespace cutaway::views {

/// Links are "item:NUMBER" and, for ItemFacts::places, "place:INDEX".
QString factsHtml(const ItemFacts& facts, const Theme& theme);
/// Empty when there are no facts.
QString factsTip(const ItemFacts& facts, const Theme& theme);

} // namespace cutaway::views
