// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/masked_read.h"

#include "core/kernel/bits.h"
#include "core/kernel/interpret_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

namespace cutaway::kernel {

using ir::Sym;

namespace {

/// Whether all size symbols in it have values.
bool isKnown(const Sym& sym, const LoopState& state) {
    return std::ranges::all_of(
        sym.variables(), [&](ir::Var v) { return v.kind != 's' || v.index < state.s.size(); });
}

} // namespace

std::optional<int64_t> valueAt(const ExprPool& pool, ExprId root, const LoopState& state) {
    std::unordered_map<ExprId, std::optional<int64_t>> values;
    pool.visit(root, [&](ExprId id, const Expr& e) {
        std::optional<int64_t>& value = values[id];
        std::vector<Scalar> args;
        for (ExprId arg : e.args) {
            const std::optional<int64_t>& known = values.at(arg);
            if (!known || ir::isFloating(pool[arg].dtype)) return;
            args.push_back({0, *known});
        }
        if (e.kind == ExprKind::Index && isKnown(e.index, state)) value = valueOf(e.index, state);
        if (ir::isFloating(e.dtype)) return;
        if (e.kind == ExprKind::Constant) value = e.integer;
        if (e.kind == ExprKind::Cast && castOf(e) == e.dtype) // not one of bits
            value = convert(args[0], pool[e.args[0]].dtype, e.dtype).integer;
        if (e.kind == ExprKind::Op)
            value =
                evaluate(e.op, pool[e.args[e.op == ScalarOp::Where ? 1 : 0]].dtype, args).integer;
    });
    return values.at(root);
}

namespace {

std::optional<std::string> outsideAt(const LoopProgram& program, const Expr& load,
                                     const LoopState& state) {
    const auto reads = valueAt(program.pool, load.mask(), state);
    if (!reads || *reads == 0) return std::nullopt;
    const Buffer& buffer = program.buffer(load.buffer);
    std::vector<int64_t> place, sizes;
    bool inside = true;
    for (size_t k = 0; k < load.coords.size(); ++k) {
        const Coord& coord = load.coords[k];
        sizes.push_back(valueOf(buffer.sizes[k], state));
        // A computed coordinate is kept inside its dimension.
        place.push_back(coord.indirect.valid() ? 0 : valueOf(coord.index, state));
        inside = inside && place[k] >= 0 && place[k] < sizes[k];
    }
    if (inside) return std::nullopt;
    return fmt::format("{} is read at [{}], outside of [{}]", buffer.name, fmt::join(place, ", "),
                       fmt::join(sizes, ", "));
}

} // namespace

std::optional<std::string> readsOutside(const LoopProgram& program, const Expr& load,
                                        const std::vector<Axis>& loops) {
    LoopState state;
    if (program.shapes)
        for (const ir::SizeSymbol& symbol : program.shapes->symbols())
            state.s.push_back(symbol.hint);
    std::vector<std::pair<ir::Var, int64_t>> last;
    const Buffer& buffer = program.buffer(load.buffer);
    bool known = true; // a tree of its own may leave out what its sizes are
    for (const Axis& loop : loops)
        known = known && isKnown(loop.extent, state);
    for (size_t k = 0; k < load.coords.size(); ++k)
        known = known && isKnown(load.coords[k].index, state) && isKnown(buffer.sizes[k], state);
    if (!known) return std::nullopt;
    for (const Axis& loop : loops) {
        const int64_t extent = valueOf(loop.extent, state);
        if (extent <= 0) return std::nullopt;
        last.emplace_back(loop.variable, extent - 1);
        state.set(loop.variable, 0);
    }
    constexpr size_t kMostLoops = 8;
    const size_t varied = std::min(last.size(), kMostLoops);
    for (size_t corner = 0; corner < size_t(1) << varied; ++corner) {
        std::string where;
        for (size_t k = 0; k < varied; ++k) {
            const int64_t at = (corner >> k) & 1 ? last[k].second : 0;
            state.set(last[k].first, at);
            where += fmt::format("{}{} = {}", k ? ", " : "", last[k].first.str(), at);
        }
        if (auto outside = outsideAt(program, load, state))
            return fmt::format("{}, where {}", *outside, where);
    }
    return std::nullopt;
}

bool isFixedInside(const LoopProgram& program, const Expr& load) {
    const Buffer& buffer = program.buffer(load.buffer);
    for (size_t k = 0; k < load.coords.size(); ++k) {
        const Sym& at = load.coords[k].index;
        if (load.coords[k].indirect.valid() || !at.isConst() || !buffer.sizes[k].isConst() ||
            at.constant() < 0 || at.constant() >= buffer.sizes[k].constant())
            return false;
    }
    return true;
}

std::optional<LaneBound> laneBound(const ExprPool& pool, const Expr& e, ir::Var variable) {
    if (e.kind != ExprKind::Op || e.args.size() != 2) return std::nullopt;
    auto index = [&](ExprId id) -> std::optional<Sym> {
        const Expr& side = pool[id];
        if (side.kind == ExprKind::Index) return side.index;
        if (side.kind == ExprKind::Constant && side.dtype == ir::DType::Int64)
            return Sym(side.integer);
        return std::nullopt;
    };
    const auto a = index(e.args[0]), b = index(e.args[1]);
    if (!a || !b) return std::nullopt;
    // As distance >= 0 or distance < 0.
    Sym distance = *a - *b;
    bool atLeast = true;
    switch (e.op) {
    case ScalarOp::Ge:
        break;
    case ScalarOp::Gt:
        distance = distance - Sym(1);
        break;
    case ScalarOp::Lt:
        atLeast = false;
        break;
    case ScalarOp::Le:
        distance = distance - Sym(1);
        atLeast = false;
        break;
    default:
        return std::nullopt;
    }
    const auto step = distance.coefficient(variable);
    if (!step || !step->isConst() || step->is(0)) return std::nullopt;
    // distance + step * l >= 0: l >= -distance / step, or for falling ones l <= distance / -step.
    if (step->constant() > 0) return LaneBound{atLeast, Sym(0) - ir::floorDiv(distance, *step)};
    return LaneBound{!atLeast, ir::floorDiv(distance, Sym(0) - *step) + Sym(1)};
}

} // namespace cutaway::kernel
