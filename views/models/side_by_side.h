// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The measured calls of several records below each other on one axis. Kernels lead to those of the
/// first record that compute the same.
#pragma once

#include "views/models/comparison.h"
#include "views/models/timeline.h"

#include <QHash>

namespace cutaway::views {

/// Finds the kernels of one record that compute what those of others do.
class KernelMatch {
public:
    explicit KernelMatch(const ComparedRecord& shown);
    /// The kernel that stands for \p kernel of \p other: that of its graph and name, or else the one
    /// that computes the most of its nodes; kNoItem: none computes any.
    ItemId find(const ComparedRecord& other, ItemId kernel) const;

private:
    ComparedRecord shown_;
    QHash<QString, QList<ItemId>> byNode_; ///< kernels that compute "joint/cos"
};

/// Each record has a bar for its whole call, told beside the first that was measured, above lanes
/// of its kernels; items are those of the first record. Records without times of kernels are left
/// out and told in the note, and so are those that others disturbed. Safe on any thread.
/// \param measurable what is shown can be measured: the first record, where it was not
Timeline callsSideBySide(const std::vector<ComparedRecord>& records, bool measurable = true);

} // namespace cutaway::views
