// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is known of the sizes of one capture that are symbols, and the guards that deciding
/// questions about them has left. Source of the rules (0 and 1 are special, hints decide, decisions
/// are guards): torch/fx/experimental/symbolic_shapes.py.
#pragma once

#include "core/base/diagnostic.h"
#include "core/ir/sym.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::ir {

/// A statement about sizes.
struct Condition {
    enum class Relation : uint8_t { Equal, NotEqual, Less, AtMost };
    Relation relation = Relation::Equal;
    Sym a, b;

    std::string str() const; ///< "s0 == s1", "s0 % 2 == 0", "s0 <= 64"
    Condition negated() const;
    bool holds(int64_t a, int64_t b) const;
    bool operator==(const Condition&) const = default;
};
inline Condition equal(Sym a, Sym b) {
    return {Condition::Relation::Equal, std::move(a), std::move(b)};
}
inline Condition less(Sym a, Sym b) {
    return {Condition::Relation::Less, std::move(a), std::move(b)};
}
inline Condition atMost(Sym a, Sym b) {
    return {Condition::Relation::AtMost, std::move(a), std::move(b)};
}
inline Condition divisible(const Sym& a, const Sym& by) {
    return equal(mod(a, by), Sym(0));
}

/// Inclusive limits.
struct SizeRange {
    int64_t least = 2, most = INT64_MAX;
    bool operator==(const SizeRange&) const = default;
};

/// Who asked a question about sizes.
struct Asker {
    std::string what; ///< "x + y", an operation's name when the line is unknown
    base::Location where;
    std::string str() const; ///< "asked by x + y at model.py:12"
};

struct SizeGuard {
    Condition condition;
    Asker asker;
};

struct SizeSymbol {
    Var variable;
    int64_t hint = 0;
    SizeRange range;
    std::string source;                ///< "L['x'].size()[0]"
    std::optional<SizeRange> promised; ///< by mark_dynamic: a decision beyond it is an error
};

/// True when \p condition follows from every symbol being 2 or more: what code without a ShapeEnv
/// may rely on.
bool provable(const Condition& condition);

class ShapeEnv {
public:
    /// A new symbol. \p range is narrowed to 2 and more: 0 and 1 are never symbols.
    Sym add(int64_t hint, std::string source, SizeRange range = {});
    /// The caller of mark_dynamic relies on these sizes being served.
    void promise(Var variable, SizeRange range);

    /// Proved true; asks nothing.
    bool known(const Condition& condition) const { return answer(condition).value_or(false); }
    /// What can be proved of the condition; asks nothing.
    std::optional<bool> answer(const Condition& condition) const;
    /// The truth of the condition: proved, or else the hints', with a guard.
    bool decide(const Condition& condition);
    /// The hint of \p size, which it has from now on: a guard.
    int64_t specialize(const Sym& size);
    /// The value of \p size in the call that was captured. Decides nothing that must be right.
    int64_t hint(const Sym& size) const;
    SizeRange range(const Sym& size) const;
    /// \p size with everything that was found equal put in.
    Sym replaced(const Sym& size) const;

    /// Says who asks from now on.
    void setAsker(Asker asker) { asker_ = std::move(asker); }
    /// From now on a question that cannot be proved throws Undecided.
    void freeze() { frozen_ = true; }
    bool frozen() const { return frozen_; }
    struct Undecided;

    const std::vector<SizeSymbol>& symbols() const { return symbols_; }
    const std::vector<SizeGuard>& guards() const { return guards_; }
    /// "s0 = 16: L['x'].size()[0], 2 and more"
    std::string describe(const SizeSymbol& symbol) const;

private:
    void learn(const Condition& condition);
    void learnPart(const Sym& difference);
    const SizeSymbol& symbol(Var variable) const { return symbols_[variable.index]; }

    std::vector<SizeSymbol> symbols_;
    std::vector<std::optional<Sym>> replacements_; ///< by symbol
    /// Divisions, remainders, minima and maxima that were found equal to something.
    std::vector<std::pair<Sym, Sym>> parts_;
    std::vector<SizeGuard> guards_;
    Asker asker_;
    bool frozen_ = false;
};

} // namespace cutaway::ir
