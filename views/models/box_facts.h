// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a closed box of a graph stands for, in words: what hovering over it tells.
#pragma once

#include "views/models/graph_scene.h"
#include "views/models/item_facts.h"

namespace cutaway::views {

ItemFacts boxFacts(const SceneNode& box);

} // namespace cutaway::views
