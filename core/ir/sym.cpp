// SPDX-License-Identifier: Apache-2.0
#include "core/ir/sym.h"

#include "core/ir/shape_env.h"

#include <algorithm>
#include <stdexcept>

namespace cutaway::ir {

Sym fromTerms(std::vector<Sym::Term> terms);

namespace {

int64_t floorDivide(int64_t a, int64_t b) {
    int64_t q = a / b;
    return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

uint64_t mix(uint64_t h, uint64_t v) {
    h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdull;
}

int compareAtoms(const Sym::Atom& a, const Sym::Atom& b) {
    if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
    if (a.kind == Sym::Atom::Kind::Variable)
        return a.variable == b.variable ? 0 : a.variable < b.variable ? -1 : 1;
    if (int c = compare(a.a, b.a)) return c;
    return compare(a.b, b.b);
}

// Higher degree first, then by atoms; the constant term comes last.
int compareProducts(const std::vector<Sym::Atom>& a, const std::vector<Sym::Atom>& b) {
    if (a.empty() != b.empty()) return a.empty() ? 1 : -1;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (int c = compareAtoms(a[i], b[i])) return c;
    return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

uint64_t hashTerms(const std::vector<Sym::Term>& terms) {
    uint64_t h = 17;
    for (const Sym::Term& term : terms) {
        h = mix(h, static_cast<uint64_t>(term.coefficient));
        for (const Sym::Atom& atom : term.atoms) {
            h = mix(h, static_cast<uint64_t>(atom.kind));
            h = mix(h, (static_cast<uint64_t>(atom.variable.kind) << 16) | atom.variable.index);
            h = mix(mix(h, atom.a.hash()), atom.b.hash());
        }
    }
    return h;
}

// A constant or a single product: what divisions by it can be worked out for.
bool isProduct(const Sym& sym) {
    return sym.isConst() || sym.terms().size() == 1;
}

// The index of the Mod atom whose divisor is a product, or -1.
int modAtom(const Sym::Term& term) {
    for (size_t i = 0; i < term.atoms.size(); ++i)
        if (term.atoms[i].kind == Sym::Atom::Kind::Mod && isProduct(term.atoms[i].b))
            return static_cast<int>(i);
    return -1;
}

// c*b*(a / b) + c*(a % b) is c*a: the offset of an element of a contiguous tensor whose coordinates
// were split off one flat index is that index again.
std::optional<Sym> joinQuotientAndRemainder(const std::vector<Sym::Term>& terms) {
    for (size_t i = 0; i < terms.size(); ++i) {
        const int at = modAtom(terms[i]);
        if (at < 0) continue;
        const Sym::Atom remainder = terms[i].atoms[at];
        std::vector<Sym::Atom> wanted = terms[i].atoms, others = terms[i].atoms;
        wanted[at].kind = Sym::Atom::Kind::FloorDiv;
        others.erase(others.begin() + at);
        int64_t coefficient = terms[i].coefficient;
        if (remainder.b.isConst()) {
            coefficient *= remainder.b.constant();
        } else {
            const Sym::Term& divisor = remainder.b.terms().front();
            coefficient *= divisor.coefficient;
            wanted.insert(wanted.end(), divisor.atoms.begin(), divisor.atoms.end());
        }
        std::sort(wanted.begin(), wanted.end(),
                  [](const auto& a, const auto& b) { return compareAtoms(a, b) < 0; });
        for (size_t j = 0; j < terms.size(); ++j) {
            if (terms[j].coefficient != coefficient) continue;
            if (compareProducts(terms[j].atoms, wanted) != 0) continue;
            std::vector<Sym::Term> rest;
            for (size_t k = 0; k < terms.size(); ++k)
                if (k != i && k != j) rest.push_back(terms[k]);
            return fromTerms(std::move(rest)) +
                   fromTerms({{terms[i].coefficient, std::move(others)}}) * remainder.a;
        }
    }
    return std::nullopt;
}

} // namespace

Sym fromTerms(std::vector<Sym::Term> terms) {
    for (Sym::Term& term : terms)
        std::sort(term.atoms.begin(), term.atoms.end(),
                  [](const auto& a, const auto& b) { return compareAtoms(a, b) < 0; });
    std::sort(terms.begin(), terms.end(),
              [](const auto& a, const auto& b) { return compareProducts(a.atoms, b.atoms) < 0; });
    std::vector<Sym::Term> merged;
    for (Sym::Term& term : terms) {
        if (!merged.empty() && compareProducts(merged.back().atoms, term.atoms) == 0)
            merged.back().coefficient += term.coefficient;
        else
            merged.push_back(std::move(term));
        if (merged.back().coefficient == 0) merged.pop_back();
    }
    if (merged.empty()) return Sym(0);
    if (merged.size() == 1 && merged[0].atoms.empty()) return Sym(merged[0].coefficient);
    if (std::optional<Sym> joined = joinQuotientAndRemainder(merged)) return *joined;
    Sym result;
    auto node = std::make_shared<Sym::Node>();
    node->hash = hashTerms(merged);
    node->terms = std::move(merged);
    result.node_ = std::move(node);
    return result;
}

static std::vector<Sym::Term> termsOf(const Sym& a) {
    if (!a.isConst()) return a.terms();
    if (a.is(0)) return {};
    return {{a.constant(), {}}};
}

Sym::Sym(Var variable) {
    *this = fromTerms({{1, {Atom{Atom::Kind::Variable, variable, {}, {}}}}});
}

int64_t Sym::constant() const {
    if (!isConst()) throw std::logic_error("the size " + str() + " is no constant");
    return constant_;
}

const std::vector<Sym::Term>& Sym::terms() const {
    if (!node_) throw std::logic_error("the terms of a constant");
    return node_->terms;
}

uint64_t Sym::hash() const {
    return node_ ? node_->hash : mix(3, static_cast<uint64_t>(constant_));
}

std::optional<Var> Sym::asVar() const {
    if (!node_ || node_->terms.size() != 1) return std::nullopt;
    const Term& term = node_->terms[0];
    if (term.coefficient != 1 || term.atoms.size() != 1) return std::nullopt;
    if (term.atoms[0].kind != Atom::Kind::Variable) return std::nullopt;
    return term.atoms[0].variable;
}

static bool atomDependsOn(const Sym::Atom& atom, Var variable) {
    if (atom.kind == Sym::Atom::Kind::Variable) return atom.variable == variable;
    return atom.a.dependsOn(variable) || atom.b.dependsOn(variable);
}

bool Sym::dependsOn(Var variable) const {
    if (!node_) return false;
    for (const Term& term : node_->terms)
        for (const Atom& atom : term.atoms)
            if (atomDependsOn(atom, variable)) return true;
    return false;
}

std::optional<Sym> Sym::coefficient(Var variable) const {
    if (!node_) return Sym(0);
    std::vector<Term> result;
    for (const Term& term : node_->terms) {
        int hits = 0;
        Term rest{term.coefficient, {}};
        for (const Atom& atom : term.atoms) {
            if (atom.kind == Atom::Kind::Variable && atom.variable == variable)
                ++hits;
            else if (atomDependsOn(atom, variable))
                return std::nullopt;
            else
                rest.atoms.push_back(atom);
        }
        if (hits > 1) return std::nullopt;
        if (hits == 1) result.push_back(std::move(rest));
    }
    return fromTerms(std::move(result));
}

static void collect(const Sym& sym, std::vector<Var>& into) {
    if (sym.isConst()) return;
    for (const Sym::Term& term : sym.terms())
        for (const Sym::Atom& atom : term.atoms) {
            if (atom.kind == Sym::Atom::Kind::Variable) {
                into.push_back(atom.variable);
            } else {
                collect(atom.a, into);
                collect(atom.b, into);
            }
        }
}

std::vector<Var> Sym::variables() const {
    std::vector<Var> all;
    collect(*this, all);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

static Sym rebuild(const Sym::Atom& atom, const Sym& a, const Sym& b) {
    switch (atom.kind) {
    case Sym::Atom::Kind::FloorDiv:
        return floorDiv(a, b);
    case Sym::Atom::Kind::Mod:
        return mod(a, b);
    case Sym::Atom::Kind::Min:
        return minimum(a, b);
    case Sym::Atom::Kind::Max:
        return maximum(a, b);
    case Sym::Atom::Kind::Variable:
        break;
    }
    return Sym(atom.variable);
}

Sym Sym::of(const Atom& atom) {
    return rebuild(atom, atom.a, atom.b);
}

/// The sum of products with \p atomOf(atom) for every atom.
template <typename AtomOf> static Sym rebuilt(const std::vector<Sym::Term>& terms, AtomOf atomOf) {
    Sym sum(0);
    for (const Sym::Term& term : terms) {
        Sym product(term.coefficient);
        for (const Sym::Atom& atom : term.atoms)
            product = product * atomOf(atom);
        sum = sum + product;
    }
    return sum;
}

Sym Sym::substitute(const Replacement& replacement) const {
    if (!node_) return *this;
    return rebuilt(node_->terms, [&](const Atom& atom) {
        if (atom.kind == Atom::Kind::Variable)
            return replacement(atom.variable).value_or(Sym(atom.variable));
        return rebuild(atom, atom.a.substitute(replacement), atom.b.substitute(replacement));
    });
}

Sym Sym::substituteParts(const std::function<std::optional<Sym>(const Sym&)>& replacement) const {
    if (!node_) return *this;
    return rebuilt(node_->terms, [&](const Atom& atom) {
        if (atom.kind == Atom::Kind::Variable) return Sym(atom.variable);
        const Sym part =
            rebuild(atom, atom.a.substituteParts(replacement), atom.b.substituteParts(replacement));
        return replacement(part).value_or(part);
    });
}

int64_t Sym::evaluate(const std::function<int64_t(Var)>& value) const {
    Sym result = substitute([&](Var v) -> std::optional<Sym> { return Sym(value(v)); });
    return result.constant();
}

namespace {
using Bound = Sym::Bound;

// Inclusive upper bound of a non-negative expression with non-negative coefficients, or nothing.
std::optional<int64_t> upperBound(const Sym& sym, const Bound& bound) {
    if (sym.isConst()) return sym.constant() >= 0 ? std::optional(sym.constant()) : std::nullopt;
    int64_t total = 0;
    for (const Sym::Term& term : sym.terms()) {
        if (term.coefficient < 0) return std::nullopt;
        int64_t product = term.coefficient;
        for (const Sym::Atom& atom : term.atoms) {
            std::optional<int64_t> most;
            if (atom.kind == Sym::Atom::Kind::Variable) {
                if (auto limit = bound(atom.variable); limit && limit->isConst())
                    most = limit->constant() - 1;
            } else if (atom.kind == Sym::Atom::Kind::Mod && atom.b.isConst()) {
                most = atom.b.constant() - 1;
            } else if (atom.kind == Sym::Atom::Kind::FloorDiv && atom.b.isConst()) {
                if (auto inner = upperBound(atom.a, bound)) most = *inner / atom.b.constant();
            }
            if (!most || *most < 0) return std::nullopt;
            if (*most != 0 && product > INT64_MAX / std::max<int64_t>(*most, 1))
                return std::nullopt;
            product *= *most;
        }
        total += product;
    }
    return total;
}

// The greatest value, as a size, of an expression with coefficients that are not negative: loop
// variables at their ends.
std::optional<Sym> upperSize(const Sym& sym, const Bound& bound) {
    if (sym.isConst()) return sym;
    Sym total(0);
    for (const Sym::Term& term : sym.terms()) {
        if (term.coefficient < 0 && !term.atoms.empty()) return std::nullopt;
        Sym product(term.coefficient);
        for (const Sym::Atom& atom : term.atoms) {
            if (atom.kind == Sym::Atom::Kind::Variable) {
                const std::optional<Sym> limit = bound(atom.variable);
                if (!limit && atom.variable.kind != 's') return std::nullopt;
                product = product * (limit ? *limit - Sym(1) : Sym(atom.variable));
            } else if (atom.kind == Sym::Atom::Kind::Mod) {
                product = product * (atom.b - Sym(1));
            } else if (atom.kind == Sym::Atom::Kind::FloorDiv && atom.b.isConst()) {
                const std::optional<Sym> inner = upperSize(atom.a, bound);
                if (!inner) return std::nullopt;
                product = product * floorDiv(*inner, atom.b);
            } else {
                return std::nullopt;
            }
        }
        total = total + product;
    }
    return total;
}

// Whether an expression is never negative: its sizes beside its number, with loop variables, quotients and
// remainders at 0.
bool neverNegative(const Sym& sym, const Bound& bound) {
    if (sym.isConst()) return sym.constant() >= 0;
    std::vector<Sym::Term> least;
    for (const Sym::Term& term : sym.terms()) {
        const bool sizes = std::all_of(term.atoms.begin(), term.atoms.end(), [&](const auto& atom) {
            return atom.kind == Sym::Atom::Kind::Variable && !bound(atom.variable);
        });
        if (sizes) {
            least.push_back(term);
            continue;
        }
        if (term.coefficient < 0) return false;
        for (const Sym::Atom& atom : term.atoms)
            if (atom.kind == Sym::Atom::Kind::FloorDiv && !neverNegative(atom.a, bound))
                return false;
    }
    return provable(less(Sym(-1), fromTerms(std::move(least))));
}

// Whether 0 <= rest < divisor.
bool isBelow(const Sym& rest, const Sym& divisor, const Bound& bound) {
    if (divisor.isConst()) {
        const std::optional<int64_t> most = upperBound(rest, bound);
        return most && *most < divisor.constant();
    }
    const std::optional<Sym> most = upperSize(rest, bound);
    return most && provable(less(*most, divisor)) && neverNegative(rest, bound);
}

// term / divisor when that is a product again.
std::optional<Sym::Term> quotientOf(Sym::Term term, const Sym& divisor) {
    const int64_t number =
        divisor.isConst() ? divisor.constant() : divisor.terms().front().coefficient;
    if (number == 0 || term.coefficient % number != 0) return std::nullopt;
    term.coefficient /= number;
    if (divisor.isConst()) return term;
    for (const Sym::Atom& wanted : divisor.terms().front().atoms) {
        auto at = std::find_if(term.atoms.begin(), term.atoms.end(), [&](const Sym::Atom& atom) {
            return compareAtoms(atom, wanted) == 0;
        });
        if (at == term.atoms.end()) return std::nullopt;
        term.atoms.erase(at);
    }
    return term;
}

// Splits a = divisor * quotient + rest, taking the terms that the divisor, a product, divides.
void splitByDivisor(const Sym& a, const Sym& divisor, Sym& quotient, Sym& rest) {
    std::vector<Sym::Term> divided, left;
    for (const Sym::Term& term : termsOf(a)) {
        if (auto part = quotientOf(term, divisor))
            divided.push_back(std::move(*part));
        else
            left.push_back(term);
    }
    quotient = fromTerms(std::move(divided));
    rest = fromTerms(std::move(left));
}

Sym simplifyAtom(const Sym::Atom& atom, const Sym& a, const Sym& b, const Bound& bound) {
    bool division = atom.kind == Sym::Atom::Kind::FloorDiv || atom.kind == Sym::Atom::Kind::Mod;
    if (!division || !isProduct(b) || (b.isConst() && b.constant() <= 0))
        return rebuild(atom, a, b);
    Sym quotient, rest;
    splitByDivisor(a, b, quotient, rest);
    const bool small = isBelow(rest, b, bound);
    if (atom.kind == Sym::Atom::Kind::FloorDiv)
        return small ? quotient : quotient + floorDiv(rest, b);
    return small ? rest : mod(rest, b);
}
} // namespace

Sym Sym::simplify(const Bound& bound) const {
    if (!node_) return *this;
    Sym sum(0);
    for (const Term& term : node_->terms) {
        Sym product(term.coefficient);
        for (const Atom& atom : term.atoms)
            product = product * (atom.kind == Atom::Kind::Variable
                                     ? Sym(atom.variable)
                                     : simplifyAtom(atom, atom.a.simplify(bound),
                                                    atom.b.simplify(bound), bound));
        sum = sum + product;
    }
    return sum;
}

// Sizes beyond 64 bits stay at the limit instead of wrapping round to something that looks small.
static int64_t saturatedSum(int64_t a, int64_t b) {
    int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t saturatedProduct(int64_t a, int64_t b) {
    int64_t product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

Sym operator+(const Sym& a, const Sym& b) {
    if (a.isConst() && b.isConst()) return Sym(saturatedSum(a.constant_, b.constant_));
    if (a.is(0)) return b;
    if (b.is(0)) return a;
    std::vector<Sym::Term> terms = termsOf(a), more = termsOf(b);
    terms.insert(terms.end(), more.begin(), more.end());
    return fromTerms(std::move(terms));
}

Sym operator-(const Sym& a, const Sym& b) {
    return a + Sym(-1) * b;
}

Sym operator*(const Sym& a, const Sym& b) {
    if (a.isConst() && b.isConst()) return Sym(saturatedProduct(a.constant_, b.constant_));
    if (a.is(0) || b.is(0)) return Sym(0);
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    std::vector<Sym::Term> terms;
    std::vector<Sym::Term> left = termsOf(a), right = termsOf(b);
    for (const Sym::Term& x : left)
        for (const Sym::Term& y : right) {
            Sym::Term product{x.coefficient * y.coefficient, x.atoms};
            product.atoms.insert(product.atoms.end(), y.atoms.begin(), y.atoms.end());
            terms.push_back(std::move(product));
        }
    return fromTerms(std::move(terms));
}

int compare(const Sym& a, const Sym& b) {
    if (a.isConst() && b.isConst())
        return a.constant_ == b.constant_ ? 0 : a.constant_ < b.constant_ ? -1 : 1;
    if (a.isConst() != b.isConst()) return a.isConst() ? 1 : -1;
    if (a.node_ == b.node_) return 0;
    const auto &x = a.node_->terms, &y = b.node_->terms;
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (int c = compareProducts(x[i].atoms, y[i].atoms)) return c;
        if (x[i].coefficient != y[i].coefficient)
            return x[i].coefficient < y[i].coefficient ? -1 : 1;
    }
    return x.size() == y.size() ? 0 : x.size() < y.size() ? -1 : 1;
}

bool operator==(const Sym& a, const Sym& b) {
    if (a.isConst() || b.isConst()) return a.isConst() && b.isConst() && a.constant_ == b.constant_;
    return a.node_ == b.node_ || (a.node_->hash == b.node_->hash && compare(a, b) == 0);
}

Sym floorDiv(const Sym& a, const Sym& b) {
    if (b.is(1)) return a;
    if (a.isConst() && b.isConst() && b.constant_ != 0)
        return Sym(floorDivide(a.constant_, b.constant_));
    if (a == b) return Sym(1);
    if (isProduct(b) && !(b.isConst() && b.constant_ <= 0)) {
        Sym quotient, rest;
        splitByDivisor(a, b, quotient, rest);
        if (rest.is(0)) return quotient;
    }
    return fromTerms({{1, {{Sym::Atom::Kind::FloorDiv, {}, a, b}}}});
}

Sym mod(const Sym& a, const Sym& b) {
    if (b.is(1) || a == b) return Sym(0);
    if (a.isConst() && b.isConst() && b.constant_ != 0)
        return Sym(a.constant_ - b.constant_ * floorDivide(a.constant_, b.constant_));
    if (isProduct(b) && !(b.isConst() && b.constant_ <= 0)) {
        Sym quotient, rest;
        splitByDivisor(a, b, quotient, rest);
        if (rest.is(0)) return Sym(0);
    }
    return fromTerms({{1, {{Sym::Atom::Kind::Mod, {}, a, b}}}});
}

static Sym extremum(Sym::Atom::Kind kind, const Sym& a, const Sym& b) {
    const bool swap = compare(a, b) > 0;
    return fromTerms({{1, {{kind, {}, swap ? b : a, swap ? a : b}}}});
}

Sym minimum(const Sym& a, const Sym& b) {
    if (a == b) return a;
    if (a.isConst() && b.isConst()) return Sym(std::min(a.constant_, b.constant_));
    return extremum(Sym::Atom::Kind::Min, a, b);
}

Sym maximum(const Sym& a, const Sym& b) {
    if (a == b) return a;
    if (a.isConst() && b.isConst()) return Sym(std::max(a.constant_, b.constant_));
    return extremum(Sym::Atom::Kind::Max, a, b);
}

} // namespace cutaway::ir
