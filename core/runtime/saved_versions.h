// SPDX-License-Identifier: Apache-2.0
/// \file
/// Functions of the tape that save results of their own.
#pragma once

#include <cstdint>

namespace cutaway::runtime {

class SavesResults {
public:
    virtual ~SavesResults() = default;
    /// The results' memory, which nobody has written yet, counts as written \p writes times: it takes the
    /// place of memory that was.
    virtual void countEarlierWrites(uint32_t writes) = 0;
};

} // namespace cutaway::runtime
