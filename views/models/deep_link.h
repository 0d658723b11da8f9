// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A link to one item of one file, for a note or a message: "cutaway:///home/me/model.py?size=small
/// &select=Block.0/joint/cos", or to a box of a graph: "…&select=Block.0/captured/mm&box=captured/
/// module:layers.0". `cutaway-gui LINK` and File > Open a link open it.
#pragma once

#include <QString>
#include <optional>

namespace cutaway::views {

struct DeepLink {
    QString path;   ///< absolute
    QString size;   ///< key of the case file; empty: the file's first, or it is none
    QString select; ///< key of an item, as RecordView::key gives it
    QString box{};  ///< around that item: the graph's stage, and Fold::key

    QString text() const;
};

/// Nothing: the text is no link.
std::optional<DeepLink> readLink(const QString& text);

} // namespace cutaway::views
