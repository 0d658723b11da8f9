// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/expr.h"

#include "core/base/tick.h"
#include "core/kernel/bits.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace cutaway::kernel {

using ir::DType;

namespace {

uint64_t bitsOf(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t mix(uint64_t h, uint64_t v) {
    h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdull;
}

uint64_t hashOf(const Expr& e) {
    uint64_t h = mix(static_cast<uint64_t>(e.kind), static_cast<uint64_t>(e.dtype));
    h = mix(mix(h, static_cast<uint64_t>(e.op)), bitsOf(e.value));
    h = mix(mix(h, static_cast<uint64_t>(e.integer)), e.index.hash());
    h = mix(mix(mix(h, e.buffer.index), e.local.index), e.check.index);
    for (const Coord& c : e.coords)
        h = mix(mix(h, c.index.hash()), c.indirect.index);
    for (ExprId a : e.args)
        h = mix(h, a.index);
    return h;
}

// Unlike operator==, tells 0.0 from -0.0 and finds NaN equal to itself.
bool identical(const Expr& a, const Expr& b) {
    return a.kind == b.kind && a.dtype == b.dtype && a.op == b.op &&
           bitsOf(a.value) == bitsOf(b.value) && a.integer == b.integer && a.index == b.index &&
           a.buffer == b.buffer && a.local == b.local && a.check == b.check &&
           a.coords == b.coords && a.args == b.args;
}

Scalar valueOf(const Expr& constant) {
    return {constant.value, constant.integer};
}

bool divides(ScalarOp op) {
    return op == ScalarOp::FloorDiv || op == ScalarOp::Remainder;
}

void checkOperands(ScalarOp op, std::span<const DType> dtypes) {
    const ScalarOpInfo& about = info(op);
    if (static_cast<int>(dtypes.size()) != about.arity)
        throw std::logic_error(
            fmt::format("{} takes {} operands, found {}", about.text, about.arity, dtypes.size()));
    const size_t first = op == ScalarOp::Where ? 1 : 0;
    if (first == 1 && dtypes[0] != DType::Bool)
        throw std::logic_error(
            fmt::format("condition of where is {}, expected bool", ir::name(dtypes[0])));
    for (size_t i = first + 1; i < dtypes.size(); ++i)
        if (dtypes[i] != dtypes[first])
            throw std::logic_error(fmt::format("operands of {} differ: {} and {}", about.text,
                                               ir::name(dtypes[first]), ir::name(dtypes[i])));
}

/// Numbers of 8 bits are made to lose bits, so a cast to them does, whether it is stored or not.
std::optional<ScalarOp> roundingOf(DType dtype) {
    if (dtype == DType::Float8E4M3) return ScalarOp::RoundE4M3;
    if (dtype == DType::Float8E5M2) return ScalarOp::RoundE5M2;
    return std::nullopt;
}

} // namespace

ExprId ExprPool::intern(Expr expr) {
    base::tick();
    const uint64_t hash = hashOf(expr);
    auto [begin, end] = byHash_.equal_range(hash);
    for (auto it = begin; it != end; ++it)
        if (identical(exprs_[it->second], expr)) return ExprId(it->second);
    const auto index = static_cast<uint32_t>(exprs_.size());
    byHash_.emplace(hash, index);
    exprs_.push_back(std::move(expr));
    return ExprId(index);
}

ExprId ExprPool::constant(DType dtype, double value) {
    dtype = ir::computeType(dtype);
    const Scalar scalar = scalarOf(dtype, value);
    Expr expr;
    expr.dtype = dtype;
    expr.value = std::isnan(scalar.real) ? std::numeric_limits<double>::quiet_NaN() : scalar.real;
    expr.integer = scalar.integer;
    return intern(std::move(expr));
}

ExprId ExprPool::constantInt(DType dtype, int64_t value) {
    dtype = ir::computeType(dtype);
    const Scalar scalar = scalarOfInt(dtype, value);
    Expr expr;
    expr.dtype = dtype;
    expr.value = scalar.real;
    expr.integer = scalar.integer;
    return intern(std::move(expr));
}

ExprId ExprPool::index(const ir::Sym& value) {
    if (value.isConst()) return constantInt(DType::Int64, value.constant());
    Expr expr;
    expr.kind = ExprKind::Index;
    expr.dtype = DType::Int64;
    expr.index = value;
    return intern(std::move(expr));
}

ExprId ExprPool::load(BufferId buffer, DType dtype, std::vector<Coord> coords) {
    for (Coord& coord : coords) {
        if (!coord.indirect.valid()) continue;
        const Expr& indirect = exprs_[coord.indirect.index];
        if (indirect.kind == ExprKind::Constant)
            coord = {ir::Sym(indirect.integer), {}};
        else if (indirect.kind == ExprKind::Index)
            coord = {ir::Sym(indirect.index), {}};
        else
            coord.index = ir::Sym(0);
    }
    Expr expr;
    expr.kind = ExprKind::Load;
    expr.dtype = ir::computeType(dtype);
    expr.buffer = buffer;
    expr.coords = std::move(coords);
    return intern(std::move(expr));
}

ExprId ExprPool::load(BufferId buffer, DType dtype, std::vector<Coord> coords, ExprId mask,
                      ExprId neutral) {
    if (!mask.valid()) return load(buffer, dtype, std::move(coords));
    const Expr &condition = exprs_[mask.index], &none = exprs_[neutral.index];
    if (condition.dtype != DType::Bool || none.dtype != ir::computeType(dtype))
        throw std::logic_error(fmt::format("a load of {} is masked by {} and {}", ir::name(dtype),
                                           ir::name(condition.dtype), ir::name(none.dtype)));
    if (condition.kind == ExprKind::Constant)
        return condition.integer ? load(buffer, dtype, std::move(coords)) : neutral;
    Expr masked = exprs_[load(buffer, dtype, std::move(coords)).index];
    masked.args = {mask, neutral};
    return intern(std::move(masked));
}

ExprId ExprPool::load(const Expr& load) {
    return this->load(load.buffer, load.dtype, load.coords, load.mask(), load.neutral());
}

ExprId ExprPool::both(ExprId a, ExprId b) {
    if (!a.valid() || a == b) return b;
    return b.valid() ? op(ScalarOp::And, {a, b}) : a;
}

ExprId ExprPool::local(LocalId local, DType dtype) {
    Expr expr;
    expr.kind = ExprKind::Local;
    expr.dtype = ir::computeType(dtype);
    expr.local = local;
    return intern(std::move(expr));
}

ExprId ExprPool::op(ScalarOp op, std::span<const ExprId> args) {
    std::vector<DType> dtypes;
    std::vector<Scalar> values;
    for (ExprId arg : args) {
        const Expr& operand = exprs_[arg.index];
        dtypes.push_back(operand.dtype);
        if (operand.kind == ExprKind::Constant) values.push_back(valueOf(operand));
    }
    checkOperands(op, dtypes);
    const DType operandDType = op == ScalarOp::Where ? dtypes[1] : dtypes[0];
    const DType result = resultDType(op, dtypes);
    const bool undefined = divides(op) && !ir::isFloating(operandDType) && values.size() == 2 &&
                           values[1].integer == 0;
    if (values.size() == args.size() && !undefined) {
        const Scalar folded = evaluate(op, operandDType, values);
        return ir::isFloating(result) ? constant(result, folded.real)
                                      : constantInt(result, folded.integer);
    }
    Expr expr;
    expr.kind = ExprKind::Op;
    expr.dtype = result;
    expr.op = op;
    expr.args.assign(args.begin(), args.end());
    if (info(op).commutative && args[0] != args[1]) {
        // a+b and b+a share one id; whoever came first keeps the order that was written.
        Expr swapped = expr;
        std::swap(swapped.args[0], swapped.args[1]);
        auto [begin, end] = byHash_.equal_range(hashOf(swapped));
        for (auto it = begin; it != end; ++it)
            if (identical(exprs_[it->second], swapped)) return ExprId(it->second);
    }
    return intern(std::move(expr));
}

/// Throws where a cast cannot keep the bits.
static void checkBits(DType from, DType to) {
    const size_t bytes = ir::sizeBytes(to);
    if (ir::isStorageOnly(to) || bytes != ir::sizeBytes(from) || bytes < 4)
        throw std::logic_error(fmt::format("bits of {} as {}", ir::name(from), ir::name(to)));
}

ExprId ExprPool::cast(DType dtype, ExprId a) {
    const std::optional<DType> kept = bitsAskedFor(dtype);
    if (kept) {
        dtype = *kept;
        checkBits(exprs_[a.index].dtype, dtype);
    }
    if (const auto rounding = roundingOf(dtype)) return op(*rounding, {cast(DType::Float32, a)});
    dtype = ir::computeType(dtype);
    const Expr& operand = exprs_[a.index];
    if (operand.dtype == dtype) return a;
    if (operand.kind == ExprKind::Constant) {
        const Scalar folded = kept ? bitsOf(valueOf(operand), operand.dtype, dtype)
                                   : convert(valueOf(operand), operand.dtype, dtype);
        return ir::isFloating(dtype) ? constant(dtype, folded.real)
                                     : constantInt(dtype, folded.integer);
    }
    Expr expr;
    expr.kind = ExprKind::Cast;
    expr.dtype = dtype;
    expr.integer = kept.has_value();
    expr.args = {a};
    return intern(std::move(expr));
}

ExprId ExprPool::check(CheckId check, ExprId a) {
    Expr expr;
    expr.kind = ExprKind::Check;
    expr.dtype = exprs_[a.index].dtype;
    expr.check = check;
    expr.args = {a};
    return intern(std::move(expr));
}

namespace {

// Operands always have smaller ids than their users, so a max-heap of ids walks the expression
// without recursion and meets every node once all its users have been met.
std::vector<ExprId> reachable(const ExprPool& pool, ExprId root) {
    std::vector<uint32_t> heap{root.index};
    std::vector<ExprId> found;
    auto push = [&](ExprId id) {
        heap.push_back(id.index);
        std::push_heap(heap.begin(), heap.end());
    };
    while (!heap.empty()) {
        base::tick();
        std::pop_heap(heap.begin(), heap.end());
        const ExprId id(heap.back());
        heap.pop_back();
        if (!found.empty() && found.back() == id) continue;
        found.push_back(id);
        for (ExprId arg : pool[id].args)
            push(arg);
        for (const Coord& coord : pool[id].coords)
            if (coord.indirect.valid()) push(coord.indirect);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

} // namespace

ExprId ExprPool::rewrite(ExprId root, const ir::Sym::Replacement& variable,
                         const std::function<ExprId(const Expr& load)>& load) {
    const std::vector<ExprId> nodes = reachable(*this, root);
    std::vector<ExprId> rewritten(nodes.size());
    auto now = [&](ExprId old) {
        return rewritten[std::lower_bound(nodes.begin(), nodes.end(), old) - nodes.begin()];
    };
    auto substitute = [&](const ir::Sym& sym) { return variable ? sym.substitute(variable) : sym; };
    for (size_t i = 0; i < nodes.size(); ++i) {
        Expr expr = exprs_[nodes[i].index];
        switch (expr.kind) {
        case ExprKind::Constant:
        case ExprKind::Local:
            rewritten[i] = nodes[i];
            break;
        case ExprKind::Index:
            rewritten[i] = index(substitute(expr.index));
            break;
        case ExprKind::Cast:
            rewritten[i] = cast(castOf(expr), now(expr.args[0]));
            break;
        case ExprKind::Check:
            rewritten[i] = check(expr.check, now(expr.args[0]));
            break;
        case ExprKind::Op:
            for (ExprId& arg : expr.args)
                arg = now(arg);
            rewritten[i] = op(expr.op, expr.args);
            break;
        case ExprKind::Load:
            for (Coord& coord : expr.coords) {
                if (coord.indirect.valid())
                    coord.indirect = now(coord.indirect);
                else
                    coord.index = substitute(coord.index);
            }
            for (ExprId& arg : expr.args)
                arg = now(arg);
            rewritten[i] = this->load(expr);
            if (rewritten[i] == expr.neutral() || !load) break;
            const Expr read(exprs_[rewritten[i].index]);
            if (const ExprId value = load(read); value.valid())
                rewritten[i] = read.isMasked()
                                   ? op(ScalarOp::Where, {read.mask(), value, read.neutral()})
                                   : value;
            break;
        }
    }
    return rewritten.back();
}

void ExprPool::visit(ExprId root, const std::function<void(ExprId, const Expr&)>& visitor) const {
    for (ExprId id : reachable(*this, root))
        visitor(id, exprs_[id.index]);
}

} // namespace cutaway::kernel
