// SPDX-License-Identifier: Apache-2.0
#include "core/ops/storage_reach.h"

#include <fmt/format.h>

namespace cutaway::ops {

base::Diagnostic storageOverflow(const ir::Shape& sizes, const ir::Shape& strides) {
    return base::userError(
        {}, fmt::format("Storage size calculation overflowed with sizes={} and strides={}",
                        ir::str(sizes), ir::str(strides)));
}

base::Diagnostic outsideStorage(const ir::Shape& sizes, const ir::Shape& strides,
                                const ir::Sym& from, const ir::Sym& itemsize, const ir::Sym& needed,
                                const ir::Sym& available) {
    return base::userError(
        {}, fmt::format("setStorage: sizes {}, strides {}, storage offset {}, and itemsize {} "
                        "requiring a storage size of {} are out of bounds for storage of size {}",
                        ir::str(sizes), ir::str(strides), from.str(), itemsize.str(), needed.str(),
                        available.str()));
}

} // namespace cutaway::ops
