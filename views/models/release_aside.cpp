// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/release_aside.h"

#include "core/base/sanitizers.h"

#include <malloc.h>

namespace cutaway::views {

void giveBackFree() {
    if (base::kSanitized) return; // another allocator's, of which glibc knows nothing
    constexpr size_t kMuch = size_t{64} << 20;
    if (::mallinfo2().fordblks > kMuch) ::malloc_trim(0);
}

} // namespace cutaway::views
