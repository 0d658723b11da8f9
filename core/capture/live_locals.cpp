// SPDX-License-Identifier: Apache-2.0
// Which local variables a function still reads from an instruction on.
#include "core/capture/compiled_unit.h"

#include <algorithm>

namespace cutaway::capture {

/// Whether the code may ask for its local variables by name.
static bool seesAllLocals(const Code& code) {
    return std::any_of(code.names.begin(), code.names.end(), [](const Ref<StrObj>& name) {
        const std::string& n = name->text;
        return n == "locals" || n == "vars" || n == "dir" || n == "eval" || n == "exec";
    });
}

std::vector<bool> liveLocals(const Code& code, uint32_t ip, const std::vector<TryBlock>& blocks) {
    const size_t n = code.instructions.size(), variables = code.locals.size();
    constexpr size_t kMaxTable = size_t{1} << 28; // beyond, all of them count as live
    if (n * variables > kMaxTable || seesAllLocals(code)) return std::vector<bool>(variables, true);
    std::vector<std::vector<bool>> live(n + 1, std::vector<bool>(variables));
    auto merge = [&](std::vector<bool>& into, const std::vector<bool>& from) {
        bool changed = false;
        for (size_t v = 0; v < variables; ++v)
            if (from[v] && !into[v]) changed = into[v] = true;
        return changed;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = n; i-- > 0;) {
            const Instruction& in = code.instructions[i];
            std::vector<bool> now(variables);
            bool falls = in.op != Op::Jump && in.op != Op::Return && in.op != Op::Raise &&
                         in.op != Op::Reraise && in.op != Op::RaiseHandled &&
                         in.op != Op::AssertFailed;
            bool jumps = in.op == Op::Jump || in.op == Op::JumpIfFalse || in.op == Op::JumpIfTrue ||
                         in.op == Op::JumpIfFalseOrPop || in.op == Op::JumpIfTrueOrPop ||
                         in.op == Op::ForIter || in.op == Op::SetupTry || in.op == Op::SetupWith;
            if (falls) merge(now, live[i + 1]);
            if (jumps) merge(now, live[static_cast<size_t>(in.a)]);
            if (in.op == Op::StoreFast || in.op == Op::DeleteFast)
                now[static_cast<size_t>(in.a)] = false;
            if (in.op == Op::LoadFast) now[static_cast<size_t>(in.a)] = true;
            for (const Code::Handled& h : code.handled) // a new exception's __context__
                if (i >= h.from && i < h.to) now[static_cast<size_t>(h.local)] = true;
            changed |= merge(live[i], now);
        }
    }
    // Inside try, an exception may lead to the handler from anywhere.
    bool handlers = !blocks.empty();
    for (size_t i = ip; i < n; ++i)
        handlers |=
            code.instructions[i].op == Op::SetupTry || code.instructions[i].op == Op::SetupWith;
    if (handlers) return std::vector<bool>(variables, true);
    return live[ip];
}

} // namespace cutaway::capture
