// SPDX-License-Identifier: Apache-2.0
#include "core/ops/image_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

using ir::Shape;
using ir::Sym;
using ir::TensorType;

TensorType imageType(ir::DType dtype, Shape sizes, ir::Device device, bool channelsLast) {
    TensorType type = TensorType::contiguous(dtype, std::move(sizes), device);
    if (!channelsLast) return type;
    Sym next = type.sizes[1];
    type.strides[1] = Sym(1);
    for (size_t d = type.rank(); d-- > 0;) {
        if (d == 1) continue;
        type.strides[d] = next;
        next = next * type.sizes[d];
    }
    return type;
}

Result<std::vector<Sym>> spatialList(const OpCall& call, size_t arg, size_t count) {
    std::vector<Sym> list = call.integers(arg);
    if (list.size() == 1) list.assign(count, list[0]);
    if (list.size() != count)
        return refuse(call, fmt::format("expected {} of {} numbers, found {}",
                                        call.def.parsed.args[arg].name, count, ir::str(list)));
    return list;
}

std::vector<int64_t> spatialNumbers(const OpCall& call, size_t arg, size_t count) {
    std::vector<Sym> list = call.integers(arg);
    if (list.size() == 1) list.assign(count, list[0]);
    std::vector<int64_t> numbers;
    for (const Sym& value : list)
        numbers.push_back(call.number(value));
    return numbers;
}

Shape withSpatial(const Shape& sizes, std::span<const Sym> spatial) {
    Shape out(sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(spatial.size()));
    out.insert(out.end(), spatial.begin(), spatial.end());
    return out;
}

ir::ArgList numberList(std::span<const int64_t> values) {
    ir::ArgList list;
    for (int64_t value : values)
        list.push_back(intArg(value));
    return list;
}

} // namespace cutaway::ops
