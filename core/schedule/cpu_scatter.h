// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sums at computed places on a processor, where threads may meet: each owns a part of the target
/// (nothing decided), adds atomically ("atomics"), into a copy of its own ("copies"), or iterations
/// are sorted by their place first ("sorted"). Private to this folder.
#pragma once

#include "core/schedule/templates.h"

namespace cutaway::schedule {

/// The names of those decisions, all flags.
std::span<const std::string_view> waysToMeet();

/// The statement that adds at computed places where rows or elements may meet, or null.
const kernel::RowTree::Statement* meetingStatement(const RowFacts& facts);
/// The first dimension of the target whose coordinate is computed; -1: there is none.
int computedDimension(const kernel::Step& store);

/// Why threads cannot do so; empty: they can, or nothing is decided.
std::string checkMeeting(const RowFacts& facts, const DeviceModel& model, const Decisions& these);
/// How long the threads of \p these compute what one of them does in \p oneUs but for additions in
/// memory, with those, and with what it takes that none is lost where threads meet. Adds the reasons.
double meetingUs(const RowFacts& facts, const DeviceModel& model, const Decisions& these,
                 double oneUs, std::vector<std::string>& reasons);

/// What the kernel writes: of a target that is added to, no more than the additions touch.
double bytesWritten(const RowFacts& facts);

} // namespace cutaway::schedule
