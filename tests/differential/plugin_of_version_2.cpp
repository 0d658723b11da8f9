// SPDX-License-Identifier: Apache-2.0
// A plug-in as a later version of the interface may have it: only its first member can be read.
#include "resources/plugin/cutaway_plugin.h"

static const uint32_t kVersion[64] = {2};

extern "C" const CutawayPlugin* cutaway_plugin(void) {
    return reinterpret_cast<const CutawayPlugin*>(kVersion);
}
