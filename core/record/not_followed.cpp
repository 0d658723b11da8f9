// SPDX-License-Identifier: Apache-2.0
#include "core/record/not_followed.h"

#include <string_view>

namespace cutaway::record {

namespace {
constexpr std::string_view kBefore = "the decision '", kBetween = "' was not followed: ";
}

base::Diagnostic notFollowedMessage(const NotFollowed& what, const std::string& path) {
    return {base::Severity::Warning,
            base::Fault::User,
            {path},
            std::string(kBefore) + what.decision + std::string(kBetween) + what.reason,
            {},
            "take it back, or decide otherwise"};
}

std::optional<NotFollowed> notFollowedOf(const base::Diagnostic& message) {
    const std::string& text = message.message;
    const size_t at = text.find(kBetween);
    if (!text.starts_with(kBefore) || at == std::string::npos) return std::nullopt;
    return NotFollowed{text.substr(kBefore.size(), at - kBefore.size()),
                       text.substr(at + kBetween.size())};
}

} // namespace cutaway::record
