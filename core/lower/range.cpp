// SPDX-License-Identifier: Apache-2.0
#include "core/lower/range.h"

#include <algorithm>

namespace cutaway::lower {

using ir::DType;
using ir::Sym;
using kernel::Buffer;
using kernel::BufferKind;
using kernel::ExprId;
using kernel::LoopProgram;

std::optional<Range> rangeOf(const LoopProgram& program, ExprId id) {
    const kernel::Expr& e = program.pool[id];
    if (e.kind == kernel::ExprKind::Constant) return Range{e.integer, e.integer};
    if (e.kind == kernel::ExprKind::Cast && e.dtype == DType::Int64 &&
        !ir::isFloating(program.pool[e.args[0]].dtype))
        return rangeOf(program, e.args[0]);
    if (e.kind != kernel::ExprKind::Load || e.isMasked()) return std::nullopt;
    const Buffer& buffer = program.buffer(e.buffer);
    if (buffer.kind == BufferKind::Constant && buffer.constant->dtype == DType::Int64) {
        const auto values = buffer.constant->as<int64_t>();
        if (values.empty()) return std::nullopt;
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        return Range{*least, *most};
    }
    if (buffer.kind != BufferKind::Pointwise) return std::nullopt;
    const kernel::Expr& body = program.pool[buffer.body];
    if (body.kind != kernel::ExprKind::Index) return std::nullopt;
    // A sum of multiples of loop variables: each is at one of its ends.
    Range range;
    for (const Sym::Term& term : body.index.terms()) {
        if (term.atoms.size() > 1) return std::nullopt;
        int64_t last = 1;
        if (!term.atoms.empty()) {
            const Sym::Atom& atom = term.atoms.front();
            if (atom.kind != Sym::Atom::Kind::Variable || atom.variable.kind != 'd')
                return std::nullopt;
            const Sym& size = buffer.sizes[atom.variable.index];
            if (!size.isConst()) return std::nullopt;
            last = size.constant() - 1;
        }
        const int64_t end = term.coefficient * last;
        range.least += term.atoms.empty() ? end : std::min<int64_t>(end, 0);
        range.most += term.atoms.empty() ? end : std::max<int64_t>(end, 0);
    }
    return range;
}

} // namespace cutaway::lower
