// SPDX-License-Identifier: Apache-2.0
#include "core/ops/held_numbers.h"

#include "core/ir/dtype_words.h"
#include "core/ops/rules.h"

#include <fmt/format.h>

#include <cmath>

namespace cutaway::ops {

bool holds(ir::DType dtype, double number) {
    if (ir::isComplex(dtype) || dtype == ir::DType::Bool) return true;
    if (ir::isFloating(dtype))
        return !std::isfinite(number) || std::fabs(number) <= ir::floatLimits(dtype).max;
    if (dtype == ir::DType::UInt64) return number >= -0x1p64 && number < 0x1p64;
    const ir::IntegerLimits limits = ir::integerLimits(dtype);
    if (ir::sizeBytes(dtype) == 8) return number >= -0x1p63 && number < 0x1p63;
    return number >= static_cast<double>(limits.min) &&
           number < static_cast<double>(limits.max) + 1;
}

bool holds(ir::DType dtype, int64_t number) {
    if (ir::isComplex(dtype) || dtype == ir::DType::Bool || ir::sizeBytes(dtype) == 8) return true;
    if (ir::isFloating(dtype)) return holds(dtype, static_cast<double>(number));
    const ir::IntegerLimits limits = ir::integerLimits(dtype);
    return number >= (limits.min == 0 ? -limits.max : limits.min) && number <= limits.max;
}

int64_t asElement(ir::DType dtype, int64_t number) {
    if (dtype == ir::DType::Bool) return number != 0;
    const bool wraps = !ir::isFloating(dtype) && !ir::isComplex(dtype) &&
                       ir::sizeBytes(dtype) < 8 && ir::integerLimits(dtype).min == 0;
    return wraps ? number & ((int64_t{1} << (8 * ir::sizeBytes(dtype))) - 1) : number;
}

ir::DType floatBeside(ir::DType other) {
    return ir::isFloating(other) ? other : ir::DType::Float32;
}

bool readsNumberAsIs(const OpDef& def, size_t i) {
    return def.parsed.base == "mul" || (def.parsed.name == "div.Tensor" && i == 1);
}

base::Status wantHeld(const OpCall& call, size_t arg, ir::DType dtype) {
    if (const auto* real = std::get_if<double>(&call.args[arg]); real && !holds(dtype, *real))
        return base::userError({}, ir::notHeld(dtype));
    if (const auto* whole = std::get_if<ir::Sym>(&call.args[arg]);
        whole && whole->isConst() && !holds(dtype, call.number(*whole)))
        return base::userError({}, ir::notHeld(dtype));
    return {};
}

Value numberAs(const Operands& x, size_t i, ir::DType dtype, ir::Device device) {
    const bool whole = std::holds_alternative<ir::Sym>(x.node.args[i]);
    if (ir::isFloating(dtype) || !whole) return scalar(x.b, x.call().real(i), dtype, device);
    // 64 bits of it are more than a double holds, and others than those of a smaller dtype.
    const Value number(x.b, x.b.call("scalar_tensor", {x.node.args[i], ir::Arg(ir::DType::Int64),
                                                       ir::Arg{}, ir::Arg(device), ir::Arg{}}));
    return convert(number, dtype);
}

} // namespace cutaway::ops
