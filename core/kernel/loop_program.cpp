// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/loop_program.h"

namespace cutaway::kernel {

ir::Sym Buffer::numel() const {
    ir::Sym product(1);
    for (const ir::Sym& size : sizes) product = product * size;
    return product;
}

int64_t Buffer::bytes() const {
    return numel().constant() * static_cast<int64_t>(ir::sizeBytes(dtype));
}

} // namespace cutaway::kernel
