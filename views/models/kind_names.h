// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The record's words for kinds of kernels and buffers, in the language that is spoken.
#pragma once

#include <QString>
#include <string>

namespace cutaway::views {

/// The word itself where it is none that is known.
QString kindName(const std::string& recorded);

} // namespace cutaway::views
