// SPDX-License-Identifier: Apache-2.0
#include "core/lower/value.h"

namespace cutaway::lower {

using ir::Sym;
using kernel::Coord;

std::vector<Sym> loopCoords(const ir::Shape& sizes) {
    std::vector<Sym> coords;
    for (size_t i = 0; i < sizes.size(); ++i)
        coords.push_back(sizes[i].is(1) ? Sym(0) : Sym(kernel::dimVar(i)));
    return coords;
}

ir::Sym::Bound bounds(const ir::Shape& sizes, const ir::Shape& reduced) {
    return [sizes, reduced](ir::Var v) -> std::optional<Sym> {
        const ir::Shape* limits = v.kind == 'd' ? &sizes : v.kind == 'r' ? &reduced : nullptr;
        if (!limits || v.index >= limits->size()) return {};
        return (*limits)[v.index];
    };
}

kernel::ExprId loadValue(kernel::LoopProgram& program, const Value& value,
                         const std::vector<Coord>& coords, const ir::Sym::Bound& bound) {
    if (value.isConstant()) return value.constant;
    auto element = [&](ir::Var v) -> std::optional<Coord> {
        if (v.kind != 'd' || v.index >= coords.size()) return std::nullopt;
        return coords[v.index];
    };
    const kernel::Buffer& buffer = program.buffer(value.buffer);
    std::vector<Coord> composed;
    for (size_t k = 0; k < value.coords.size(); ++k) {
        Coord place = kernel::substitute(program.pool, value.coords[k], element);
        if (!place.indirect.valid()) place.index = place.index.simplify(bound);
        const bool oneElement = buffer.strides[k].is(0) && buffer.sizes[k].isConst();
        if (oneElement && !buffer.sizes[k].is(0)) place = {Sym(0), {}}; // what was expanded
        composed.push_back(place);
    }
    return program.pool.load(value.buffer, buffer.dtype, composed);
}

} // namespace cutaway::lower
