// SPDX-License-Identifier: Apache-2.0
#include "core/ir/size_program.h"

#include <algorithm>
#include <stdexcept>

namespace cutaway::ir {

int32_t SizeProgram::add(Step step) {
    auto [known, fresh] = known_.emplace(step, static_cast<int32_t>(steps_.size()));
    if (fresh) steps_.push_back(step);
    return known->second;
}

int32_t SizeProgram::slot(const Sym& size) {
    auto constant = [&](int64_t value) { return add({Op::Constant, 0, 0, value}); };
    if (size.isConst()) return constant(size.constant());
    auto atomSlot = [&](const Sym::Atom& atom) {
        if (atom.kind == Sym::Atom::Kind::Variable) {
            if (atom.variable.kind != 's')
                throw std::logic_error("a size depends on the loop variable " +
                                       atom.variable.str());
            return add({Op::Symbol, 0, 0, atom.variable.index});
        }
        static constexpr Op kOps[] = {Op::Symbol, Op::FloorDiv, Op::Mod, Op::Min, Op::Max};
        const int32_t a = slot(atom.a), b = slot(atom.b);
        return add({kOps[static_cast<size_t>(atom.kind)], a, b, 0});
    };
    int32_t sum = -1;
    for (const Sym::Term& term : size.terms()) {
        int32_t product =
            term.coefficient == 1 && !term.atoms.empty() ? -1 : constant(term.coefficient);
        for (const Sym::Atom& atom : term.atoms) {
            const int32_t factor = atomSlot(atom);
            product = product < 0 ? factor : add({Op::Mul, product, factor, 0});
        }
        sum = sum < 0 ? product : add({Op::Add, sum, product, 0});
    }
    return sum;
}

void SizeProgram::run(std::span<const int64_t> symbols, std::vector<int64_t>& slots) const {
    slots.resize(steps_.size());
    for (size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        const int64_t a = slots[static_cast<size_t>(step.a)],
                      b = slots[static_cast<size_t>(step.b)];
        int64_t& out = slots[i];
        switch (step.op) {
        case Op::Constant:
            out = step.number;
            break;
        case Op::Symbol:
            out = symbols[static_cast<size_t>(step.number)];
            break;
        case Op::Add:
            if (__builtin_add_overflow(a, b, &out)) out = a < 0 ? INT64_MIN : INT64_MAX;
            break;
        case Op::Mul:
            if (__builtin_mul_overflow(a, b, &out))
                out = (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
            break;
        case Op::FloorDiv:
            out = b == 0                      ? 0
                  : b == -1 && a == INT64_MIN ? INT64_MAX
                                              : a / b - (a % b != 0 && (a < 0) != (b < 0));
            break;
        case Op::Mod:
            out = b == 0 || b == -1 ? 0 : (a % b + b) % b;
            break;
        case Op::Min:
            out = std::min(a, b);
            break;
        case Op::Max:
            out = std::max(a, b);
            break;
        }
    }
}

} // namespace cutaway::ir
