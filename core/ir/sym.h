// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integer expressions over variables: tensor sizes (constants or symbols s0, s1 ...), loop
/// variables and index expressions of the loop IR are all of this one kind.
///
/// An expression is kept as a polynomial in canonical order whose atoms are variables, floor
/// divisions, remainders, minima and maxima; equal canonical forms compare equal. Constants are
/// held inline and cost nothing; sums and products of constants stay at the limits of 64 bits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::ir {

/// A variable: 's' size symbol, 'd' loop variable over an output dimension, 'r' over a reduced
/// dimension, 'o'/'i' outer/inner variable of a scheduled kernel.
struct Var {
    char kind = 's';
    uint16_t index = 0;

    std::string str() const { return kind + std::to_string(index); }
    auto operator<=>(const Var&) const = default;
};

class Sym {
public:
    Sym(int64_t value = 0) : constant_(value) {}
    Sym(Var variable);

    bool isConst() const { return !node_; }
    /// The value; std::logic_error when it depends on a variable.
    int64_t constant() const;
    bool is(int64_t value) const { return isConst() && constant_ == value; }
    /// The variable, when the expression is exactly one.
    std::optional<Var> asVar() const;

    bool dependsOn(Var variable) const;
    /// c when the expression is c * variable + rest with c and rest free of \p variable.
    std::optional<Sym> coefficient(Var variable) const;
    /// Every variable, in order, once.
    std::vector<Var> variables() const;

    using Replacement = std::function<std::optional<Sym>(Var)>;
    Sym substitute(const Replacement& replacement) const;
    /// With what \p replacement gives for divisions, remainders, minima and maxima, inner ones first.
    Sym substituteParts(const std::function<std::optional<Sym>(const Sym&)>& replacement) const;
    int64_t evaluate(const std::function<int64_t(Var)>& value) const;
    /// An exclusive upper bound of a loop variable (its lower bound is 0), or nothing.
    using Bound = std::function<std::optional<Sym>(Var)>;
    /// Simplifies divisions and remainders: (i*8 + j) / 8 is i when j < 8. Size symbols are taken
    /// to be 2 or more.
    Sym simplify(const Bound& bound) const;

    /// Readable infix text, "1024*d0 + d1". \p name renames variables (default: Var::str).
    std::string str() const;
    std::string str(const std::function<std::string(Var)>& name) const;

    friend Sym operator+(const Sym& a, const Sym& b);
    friend Sym operator-(const Sym& a, const Sym& b);
    friend Sym operator*(const Sym& a, const Sym& b);
    friend bool operator==(const Sym& a, const Sym& b);
    /// A total order (for canonical forms, not numeric).
    friend int compare(const Sym& a, const Sym& b);

    uint64_t hash() const;

    struct Atom;
    struct Term;
    struct Node;
    /// The atom as an expression.
    static Sym of(const Atom& atom);
    /// The terms of a non-constant expression, for printers and code generators.
    const std::vector<Term>& terms() const;

private:
    friend Sym fromTerms(std::vector<Term> terms);
    friend Sym floorDiv(const Sym& a, const Sym& b);
    friend Sym mod(const Sym& a, const Sym& b);
    friend Sym minimum(const Sym& a, const Sym& b);
    friend Sym maximum(const Sym& a, const Sym& b);

    int64_t constant_ = 0;
    std::shared_ptr<const Node> node_;
};

struct Sym::Atom {
    enum class Kind : uint8_t { Variable, FloorDiv, Mod, Min, Max };
    Kind kind = Kind::Variable;
    Var variable;
    Sym a, b; ///< operands of the other kinds
};

/// coefficient * product of atoms; no atoms: the constant part.
struct Sym::Term {
    int64_t coefficient = 0;
    std::vector<Atom> atoms;
};

struct Sym::Node {
    std::vector<Term> terms;
    uint64_t hash = 0;
};

/// Floor division and non-negative remainder, as Python's // and % with a positive divisor.
Sym floorDiv(const Sym& a, const Sym& b);
Sym mod(const Sym& a, const Sym& b);
Sym minimum(const Sym& a, const Sym& b);
Sym maximum(const Sym& a, const Sym& b);

} // namespace cutaway::ir
