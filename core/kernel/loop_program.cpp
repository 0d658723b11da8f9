// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/loop_program.h"

#include <fmt/format.h>

namespace cutaway::kernel {

ir::Sym Buffer::numel() const {
    ir::Sym product(1);
    for (const ir::Sym& size : sizes)
        product = product * size;
    return product;
}

int64_t Buffer::bytes() const {
    return numel().constant() * static_cast<int64_t>(ir::sizeBytes(dtype));
}

std::string Check::message(std::string_view value) const {
    if (kind == Kind::Divisor)
        return fmt::format("{}: integer division by zero (ZeroDivisionError)", operation);
    return fmt::format("{}: {} {} is out of bounds for dimension {} with size {}", operation,
                       argument, value, dimension, size.str());
}

base::Diagnostic Check::failed(int64_t value) const {
    if (kind == Kind::Divisor)
        return base::userError(where, message(std::to_string(value)),
                               "divide floats, or replace the zeros with torch.where first");
    const int64_t read = wraps && value < 0 && size.isConst() ? value - size.constant() : value;
    const ir::Sym least = wraps ? ir::Sym(0) - size : ir::Sym(0);
    return base::userError(where, message(std::to_string(read)),
                           fmt::format("values from {} to {} are allowed", least.str(),
                                       (size - ir::Sym(1)).str()))
        .as(outside);
}

} // namespace cutaway::kernel
