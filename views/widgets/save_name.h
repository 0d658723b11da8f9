// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Asks for the name of a file that is to be written.
#pragma once

#include <QString>

class QWidget;

namespace cutaway::views {

/// \param proposal a name with its folder; \param filter the kinds of files, "A (*.a);;B (*.b)"
/// \param suffix of a name that has none \returns empty: none is to be written
QString askSaveName(QWidget* parent, const QString& title, const QString& proposal,
                    const QString& filter, const QString& suffix);

} // namespace cutaway::views
