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
    std::vector<Coord> composed;
    for (const Sym& coord : value.coords) {
        Coord place = kernel::substitute(program.pool, coord, element);
        if (!place.indirect.valid()) place.index = place.index.simplify(bound);
        composed.push_back(place);
    }
    return program.pool.load(value.buffer, program.buffer(value.buffer).dtype, composed);
}

} // namespace cutaway::lower
