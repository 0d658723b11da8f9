// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/varying.h"

namespace cutaway::kernel {

bool Varying::operator()(ExprId root) {
    if (auto known = known_.find(root); known != known_.end()) return known->second;
    // visit() gives operands first, so every look-up of an operand is a hit.
    program_.pool.visit(root, [&](ExprId id, const Expr& e) {
        if (!known_.contains(id)) known_.emplace(id, operation(e));
    });
    return known_.at(root);
}

/// Whether a value varies whose operands are known.
bool Varying::operation(const Expr& e) const {
    bool varies = false;
    if (e.kind == ExprKind::Local) varies = local_(e.local);
    if (e.kind == ExprKind::Index) varies = e.index.dependsOn(variable_);
    for (size_t k = 0; k < e.coords.size(); ++k) {
        const Coord& coord = e.coords[k];
        if (coord.indirect.valid()) {
            varies |= known_.at(coord.indirect);
            continue;
        }
        const bool moves = broadcast_ || !program_.buffer(e.buffer).strides[k].is(0);
        varies |= moves && coord.index.dependsOn(variable_);
    }
    for (ExprId arg : e.args)
        varies |= known_.at(arg);
    return varies;
}

} // namespace cutaway::kernel
