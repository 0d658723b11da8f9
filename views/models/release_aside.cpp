// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/release_aside.h"

#include <malloc.h>

namespace cutaway::views {

void giveBackFree() {
    constexpr size_t kMuch = size_t{64} << 20;
    if (::mallinfo2().fordblks > kMuch) ::malloc_trim(0);
}

} // namespace cutaway::views
