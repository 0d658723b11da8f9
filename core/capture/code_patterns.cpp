// SPDX-License-Identifier: Apache-2.0
// match: patterns as comparisons and jumps.
#include "core/capture/code_compiler.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

using namespace frontend;

int32_t CodeCompiler::hiddenLocal() {
    return local(fmt::format("@match{}", hidden_++));
}

void CodeCompiler::matchStatement(const Stmt& s) {
    const int32_t subject = hiddenLocal();
    expression(*s.value);
    emit(Op::StoreFast, subject, s.span);
    std::vector<size_t> ends;
    for (const MatchCase& one : s.cases) {
        std::vector<size_t> failures;
        pattern(*one.pattern, subject, failures);
        if (one.guard) jumpIf(*one.guard, false, failures);
        block(one.body);
        ends.push_back(static_cast<size_t>(emit(Op::Jump, 0, one.span)));
        for (size_t jump : failures)
            patch(jump);
    }
    for (size_t jump : ends)
        patch(jump);
}

/// values-or-None on the stack -> nothing; the items of \p p against them.
void CodeCompiler::parts(const Pattern& p, std::vector<size_t>& failures) {
    const int32_t values = hiddenLocal();
    emit(Op::StoreFast, values, p.span);
    emit(Op::LoadFast, values, p.span);
    push(Val::none(), p.span);
    emit(Op::Compare, static_cast<int32_t>(CompareOp::Is), p.span);
    failures.push_back(static_cast<size_t>(emit(Op::JumpIfTrue, 0, p.span)));
    std::vector<int32_t> locals;
    for (size_t i = 0; i < p.items.size(); ++i)
        locals.push_back(hiddenLocal());
    emit(Op::LoadFast, values, p.span);
    emit(Op::Unpack, static_cast<int32_t>(p.items.size()), p.span);
    for (int32_t slot : locals)
        emit(Op::StoreFast, slot, p.span);
    for (size_t i = 0; i < p.items.size(); ++i)
        pattern(*p.items[i], locals[i], failures);
}

void CodeCompiler::sequencePattern(const Pattern& p, int32_t of, std::vector<size_t>& failures) {
    auto star = std::find_if(p.items.begin(), p.items.end(), [](const PatternPtr& item) {
        return item->kind == Pattern::Kind::Star;
    });
    const bool starred = star != p.items.end();
    const int32_t count = static_cast<int32_t>(p.items.size()), fixed = count - starred;
    emit(Op::LoadFast, of, p.span);
    emit(Op::MatchSequence, fixed | (starred ? 1 << 16 : 0), p.span);
    failures.push_back(static_cast<size_t>(emit(Op::JumpIfFalse, 0, p.span)));
    emit(Op::LoadFast, of, p.span);
    const int32_t before = static_cast<int32_t>(star - p.items.begin());
    if (starred)
        emit(Op::UnpackRest, before | ((count - before - 1) << 16), p.span);
    else
        emit(Op::Unpack, count, p.span);
    std::vector<int32_t> locals;
    for (int32_t i = 0; i < count; ++i) {
        locals.push_back(hiddenLocal());
        emit(Op::StoreFast, locals.back(), p.span);
    }
    for (int32_t i = 0; i < count; ++i)
        pattern(*p.items[static_cast<size_t>(i)], locals[static_cast<size_t>(i)], failures);
}

void CodeCompiler::pattern(const Pattern& p, int32_t of, std::vector<size_t>& failures) {
    auto keep = [&] {
        if (p.name.empty()) return;
        emit(Op::LoadFast, of, p.span);
        store(p.name, p.span);
    };
    switch (p.kind) {
    case Pattern::Kind::Value: {
        const bool same = p.value->kind == ExprKind::None || p.value->kind == ExprKind::Bool;
        emit(Op::LoadFast, of, p.span);
        expression(*p.value);
        emit(Op::Compare, static_cast<int32_t>(same ? CompareOp::Is : CompareOp::Equal), p.span);
        failures.push_back(static_cast<size_t>(emit(Op::JumpIfFalse, 0, p.span)));
        return;
    }
    case Pattern::Kind::Capture:
    case Pattern::Kind::Star:
        return keep();
    case Pattern::Kind::As:
        pattern(*p.items[0], of, failures);
        return keep();
    case Pattern::Kind::Sequence:
        return sequencePattern(p, of, failures);
    case Pattern::Kind::Or: {
        std::vector<size_t> found;
        for (size_t i = 0; i < p.items.size(); ++i) {
            std::vector<size_t> otherwise;
            const bool last = i + 1 == p.items.size();
            pattern(*p.items[i], of, last ? failures : otherwise);
            if (!last) found.push_back(static_cast<size_t>(emit(Op::Jump, 0, p.span)));
            for (size_t jump : otherwise)
                patch(jump);
        }
        for (size_t jump : found)
            patch(jump);
        return;
    }
    case Pattern::Kind::Mapping: {
        emit(Op::LoadFast, of, p.span);
        emit(Op::MatchMapping, 0, p.span);
        failures.push_back(static_cast<size_t>(emit(Op::JumpIfFalse, 0, p.span)));
        auto keys = [&] {
            emit(Op::LoadFast, of, p.span);
            for (const ExprPtr& key : p.keys)
                expression(*key);
            emit(Op::BuildTuple, static_cast<int32_t>(p.keys.size()), p.span);
        };
        keys();
        emit(Op::MatchKeys, 0, p.span);
        parts(p, failures);
        if (p.name.empty()) return;
        keys();
        emit(Op::MatchRest, 0, p.span);
        store(p.name, p.span);
        return;
    }
    case Pattern::Kind::Class: {
        emit(Op::LoadFast, of, p.span);
        expression(*p.value);
        for (const std::string& name : p.names)
            emit(Op::LoadConst, string(name), p.span);
        emit(Op::BuildTuple, static_cast<int32_t>(p.names.size()), p.span);
        emit(Op::MatchClass, static_cast<int32_t>(p.items.size() - p.names.size()), p.span);
        return parts(p, failures);
    }
    }
}

} // namespace cutaway::capture
