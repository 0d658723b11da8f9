// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work that hears nothing while it runs, and takes long.
#pragma once

#include <functional>

namespace cutaway::runtime {

/// Calls \p work on a thread of its own and waits for its end, or for base::tick(): Cancelled
/// leaves the work to end by itself, so it must own all that it refers to. Exceptions of the work
/// are thrown here.
void runAside(std::function<void()> work);

} // namespace cutaway::runtime
