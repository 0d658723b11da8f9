// SPDX-License-Identifier: Apache-2.0
/// \file
/// Typed indices: a NodeId cannot be used as a BufferId.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace cutaway::base {

template <typename Tag> struct Id {
    static constexpr uint32_t kNone = 0xffffffffu;
    uint32_t index = kNone;

    constexpr Id() = default;
    constexpr explicit Id(uint32_t i) : index(i) {}
    constexpr bool valid() const { return index != kNone; }
    constexpr auto operator<=>(const Id&) const = default;
};

} // namespace cutaway::base

template <typename Tag> struct std::hash<cutaway::base::Id<Tag>> {
    size_t operator()(cutaway::base::Id<Tag> id) const noexcept { return id.index; }
};
