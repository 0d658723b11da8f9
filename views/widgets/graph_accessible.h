// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The graph for people who do not see it: every node is an element with a name, a place, what it
/// reads and who reads it, which can be selected and, if it is a box, opened.
#pragma once

namespace cutaway::views {

/// From now on screen readers find the nodes of every GraphCanvas.
void installGraphAccessibility();

} // namespace cutaway::views
