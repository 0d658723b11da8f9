// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a record's messages say of a decision that the compiler could not follow, written and read.
#pragma once

#include "core/base/diagnostic.h"

#include <optional>

namespace cutaway::record {

struct NotFollowed {
    std::string decision; ///< "save cos"
    std::string reason;
};

/// The warning for people. \param path the script that was compiled
base::Diagnostic notFollowedMessage(const NotFollowed& what, const std::string& path);
/// What such a warning is about; nothing: it is another message.
std::optional<NotFollowed> notFollowedOf(const base::Diagnostic& message);

} // namespace cutaway::record
