// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/address.h"

#include <algorithm>

namespace cutaway::kernel {

using ir::Sym;

Sym offsetOf(const Buffer& buffer, const std::vector<Sym>& coords) {
    Sym offset(0);
    for (size_t i = 0; i < coords.size(); ++i)
        offset = offset + coords[i] * buffer.strides[i];
    return offset;
}

std::optional<Sym> offsetOf(const Buffer& buffer, const std::vector<Coord>& coords) {
    std::vector<Sym> plain;
    for (const Coord& coord : coords) {
        if (coord.indirect.valid()) return std::nullopt;
        plain.push_back(coord.index);
    }
    return offsetOf(buffer, plain);
}

bool sideBySide(const Sym& offset, ir::Var variable, int width) {
    if (offset.isConst()) return false;
    const auto step = offset.coefficient(variable);
    if (!step || !step->is(1)) return false;
    const Sym rest = offset - Sym(variable);
    if (rest.isConst()) return rest.constant() % width == 0;
    return std::all_of(rest.terms().begin(), rest.terms().end(),
                       [&](const Sym::Term& t) { return t.coefficient % width == 0; });
}

static bool isSize(const Sym& sym) {
    const std::vector<ir::Var> variables = sym.variables();
    return std::all_of(variables.begin(), variables.end(), [](ir::Var v) { return v.kind == 's'; });
}

std::optional<StridedView> stridedView(const Buffer& buffer, const std::vector<Sym>& coords,
                                       const ir::Shape& sizes) {
    StridedView view{buffer.id, sizes, {}, Sym(0)};
    const Sym offset = offsetOf(buffer, coords);
    Sym rest = offset;
    for (size_t i = 0; i < sizes.size(); ++i) {
        std::optional<Sym> stride = offset.coefficient(dimVar(i));
        if (!stride || !isSize(*stride)) return std::nullopt;
        view.strides.push_back(*stride);
        rest = rest - *stride * Sym(dimVar(i));
    }
    if (!isSize(rest)) return std::nullopt;
    view.offset = rest;
    return view;
}

} // namespace cutaway::kernel
