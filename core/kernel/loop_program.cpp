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
    // PyTorch's classes: positions that are written or gathered one by one are told apart from
    // rows.
    bool position = operation.starts_with("gather") || operation.starts_with("scatter");
    return base::userError(where, message(std::to_string(value)),
                           fmt::format("values from 0 to {} are allowed", (size - ir::Sym(1)).str()))
        .as(position ? base::ErrorClass::Runtime : base::ErrorClass::Index);
}

} // namespace cutaway::kernel
