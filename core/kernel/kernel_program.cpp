// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/kernel_program.h"

namespace cutaway::kernel {

bool makesChecks(const KernelProgram& program, const Kernel& kernel) {
    if (!kernel.hasCode() || program.loops.checks.empty()) return false;
    bool found = false;
    auto look = [&](ExprId value) {
        program.loops.pool.visit(
            value, [&](ExprId, const Expr& e) { found |= e.kind == ExprKind::Check; });
    };
    for (const Step& step : kernel.tree->steps) {
        if (step.value.valid()) look(step.value);
        for (const Coord& coord : step.coords)
            if (coord.indirect.valid()) look(coord.indirect);
    }
    return found;
}

} // namespace cutaway::kernel
