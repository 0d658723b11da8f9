// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The modules of a graph as a tree, and which of them compute the same.
#pragma once

#include "core/record/repeats.h"
#include "views/models/fold_names.h"

#include <QString>
#include <span>
#include <vector>

namespace cutaway::views {

/// A node that may be put into a box: one of a stage, or a copy of one that is computed again.
using FoldItem = record::RepeatItem;
using record::CallSignatures;

/// A module, or those of its calls that the backward makes of it, or computes again. Or the many
/// nodes that one operation of the script became, beside others of its module.
struct ModuleGroup {
    QString path; ///< of an operation: the module's, and its name
    int parent = -1;
    bool backward = false, again = false;
    bool operation = false;
    std::vector<int> children; ///< groups, in the order of their first calls
    std::vector<int> own;      ///< items of no child, ascending
    std::vector<int> all;      ///< items, ascending
    int calls = 0;             ///< among all
    int sameAs = -1;           ///< a number that is equal for groups that compute the same
    QString key() const {
        return (operation ? "operation:" : "module:") + side(backward, again) + path;
    }
    static QString side(bool backward, bool again) { return again ? "<<" : backward ? "<" : ""; }
};

/// Parents come before their children. A module whose only part is another one is one with it. The
/// parameters that a module alone uses belong to it; what the caller gives does not. A container that
/// the computation leaves and enters again is none: its parts stand in its parent.
struct ModuleTree {
    std::vector<ModuleGroup> groups;
    std::vector<int> roots;
    std::vector<int> outside; ///< items of no module
};
/// Whether a value goes from the items that are \p inside through others back into them: one box around
/// them would be both before and after what stands between.
bool isLeft(std::span<const FoldItem> items, const std::vector<bool>& inside);
ModuleTree moduleTree(std::span<const FoldItem> items, const FoldNames& names,
                      CallSignatures& signatures);

} // namespace cutaway::views
