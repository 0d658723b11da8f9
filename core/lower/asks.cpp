// SPDX-License-Identifier: Apache-2.0
#include "core/lower/asks.h"

#include "core/lower/range.h"
#include "core/ops/catalogue.h"

#include <set>

namespace cutaway::lower {

using ir::Sym;
using kernel::ExprId;

base::Location locationOf(const ir::Node& node) {
    if (!node.source) return {};
    for (size_t i = node.source->size(); i-- > 0;)
        if (const base::Location& where = (*node.source)[i].where; !where.file.starts_with('<'))
            return where;
    return {};
}

namespace {

/// The operation with an index argument that \p node is, asks for, or is a part of, as far as it
/// was decomposed in one step.
const ops::OpDef& askedBy(const ir::Node& node) {
    if (node.op == "check_index")
        return *ops::catalogue().find(std::get<std::string>(node.args[3]));
    constexpr std::string_view kDecomposition = " decomposition";
    if (node.rule.ends_with(kDecomposition))
        if (const ops::OpDef* whole = ops::catalogue().find(
                node.rule.substr(0, node.rule.size() - kDecomposition.size()));
            whole && whole->traits.index)
            return *whole;
    return *ops::catalogue().find(node.op);
}

} // namespace

ExprId NodeAsks::inside(ExprId position, const Sym& size, int dim, bool wraps) {
    const auto range = rangeOf(program_, position);
    if (range && range->least >= 0 && ir::provable(ir::less(Sym(range->most), size)))
        return position;
    kernel::Check check = made(kernel::Check::Kind::Index);
    check.size = size;
    check.dimension = dim;
    check.wraps = wraps;
    return add(std::move(check), position);
}

ExprId NodeAsks::notZero(ExprId divisor) {
    const kernel::Expr& e = program_.pool[divisor];
    if (e.kind == kernel::ExprKind::Constant && e.integer != 0) return divisor;
    return add(made(kernel::Check::Kind::Divisor), divisor);
}

ExprId NodeAsks::keep(ExprId body) const {
    kernel::ExprPool& pool = program_.pool;
    std::set<ExprId> reached;
    pool.visit(body, [&](ExprId id, const kernel::Expr&) { reached.insert(id); });
    for (ExprId check : checks_) {
        if (reached.contains(check)) continue;
        const ExprId always = pool.op(kernel::ScalarOp::Eq, {check, check});
        body = pool.op(kernel::ScalarOp::Where, {always, body, body});
    }
    return body;
}

kernel::Check NodeAsks::made(kernel::Check::Kind kind) const {
    const ops::OpDef& def = askedBy(node_);
    kernel::Check check;
    check.kind = kind;
    check.operation = def.parsed.base;
    if (kind == kernel::Check::Kind::Index) {
        const ops::IndexArgument& index = def.traits.index.value();
        check.argument = index.word;
        check.outside = index.outside;
    }
    check.where = locationOf(node_);
    check.from = node_.id.index;
    return check;
}

ExprId NodeAsks::add(kernel::Check check, ExprId value) {
    program_.checks.push_back(std::move(check));
    checks_.push_back(program_.pool.check(
        kernel::CheckId(static_cast<uint32_t>(program_.checks.size() - 1)), value));
    return checks_.back();
}

} // namespace cutaway::lower
