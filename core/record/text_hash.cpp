// SPDX-License-Identifier: Apache-2.0
#include "core/base/keyed_hash.h"
#include "core/record/record.h"

namespace cutaway::record {

std::string textHash(std::string_view text) {
    return base::hexText(base::keyedHash({}, {text}));
}

} // namespace cutaway::record
