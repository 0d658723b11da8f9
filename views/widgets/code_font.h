// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The family that code is written in: chosen, else the first of some good ones that is there.
#pragma once

#include <QString>

namespace cutaway::views {

/// \param family empty: as usual
void setCodeFamily(const QString& family);

} // namespace cutaway::views
