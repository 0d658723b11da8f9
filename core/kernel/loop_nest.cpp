// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/loop_nest.h"

namespace cutaway::kernel {

bool makesChecks(const KernelProgram& program, const Kernel& kernel) {
    if (!kernel.loops || program.loops.checks.empty()) return false;
    bool found = false;
    for (const auto* phases : {&kernel.loops->phases, &kernel.loops->finish})
        for (const Phase& phase : *phases)
            for (const Statement& s : phase.statements)
                program.loops.pool.visit(
                    s.value, [&](ExprId, const Expr& e) { found |= e.kind == ExprKind::Check; });
    return found;
}

} // namespace cutaway::kernel
