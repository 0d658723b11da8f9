// SPDX-License-Identifier: Apache-2.0
#include "core/ir/shape_env.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace cutaway::ir {

using Relation = Condition::Relation;

struct ShapeEnv::Undecided : std::logic_error {
    using std::logic_error::logic_error;
};

std::string Condition::str() const {
    static constexpr const char* kText[] = {"==", "!=", "<", "<="};
    return fmt::format("{} {} {}", a.str(), kText[static_cast<size_t>(relation)], b.str());
}

Condition Condition::negated() const {
    switch (relation) {
    case Relation::Equal:
        return {Relation::NotEqual, a, b};
    case Relation::NotEqual:
        return {Relation::Equal, a, b};
    case Relation::Less:
        return {Relation::AtMost, b, a};
    case Relation::AtMost:
        break;
    }
    return {Relation::Less, b, a};
}

bool Condition::holds(int64_t x, int64_t y) const {
    switch (relation) {
    case Relation::Equal:
        return x == y;
    case Relation::NotEqual:
        return x != y;
    case Relation::Less:
        return x < y;
    case Relation::AtMost:
        break;
    }
    return x <= y;
}

std::string Asker::str() const {
    if (!where.known()) return "asked by " + what;
    const size_t slash = where.file.rfind('/');
    return fmt::format("asked by {} at {}:{}", what,
                       slash == std::string::npos ? where.file : where.file.substr(slash + 1),
                       where.line);
}

namespace {

constexpr int64_t kNoLimit = INT64_MAX;

bool isLimit(int64_t a) {
    return a == kNoLimit || a == INT64_MIN;
}

int64_t times(int64_t a, int64_t b) {
    if (a == 0 || b == 0) return 0;
    if (isLimit(a) || isLimit(b)) return (a < 0) != (b < 0) ? INT64_MIN : kNoLimit;
    int64_t product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    return (a < 0) != (b < 0) ? INT64_MIN : kNoLimit;
}

int64_t plus(int64_t a, int64_t b) {
    if (a == INT64_MIN || b == INT64_MIN) return INT64_MIN;
    if (a == kNoLimit || b == kNoLimit) return kNoLimit;
    int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : kNoLimit) : sum;
}

using RangeOf = std::function<SizeRange(Var)>;
SizeRange limits(const Sym& size, const RangeOf& of);

SizeRange atomLimits(const Sym::Atom& atom, const RangeOf& of) {
    if (atom.kind == Sym::Atom::Kind::Variable) return of(atom.variable);
    const SizeRange a = limits(atom.a, of), b = limits(atom.b, of);
    switch (atom.kind) {
    case Sym::Atom::Kind::FloorDiv: {
        if (b.least < 1) return {INT64_MIN, kNoLimit};
        auto quotient = [](int64_t x, int64_t y) {
            if (isLimit(x)) return y == kNoLimit && x > 0 ? int64_t{0} : x;
            return x / y - (x % y != 0 && x < 0);
        };
        return {quotient(a.least, a.least >= 0 ? b.most : b.least),
                quotient(a.most, a.most >= 0 ? b.least : b.most)};
    }
    case Sym::Atom::Kind::Mod:
        if (b.least < 1) return {INT64_MIN, kNoLimit};
        return {0, a.least >= 0 ? std::min(a.most, b.most - 1) : b.most - 1};
    case Sym::Atom::Kind::Min:
        return {std::min(a.least, b.least), std::min(a.most, b.most)};
    default:
        return {std::max(a.least, b.least), std::max(a.most, b.most)};
    }
}

/// The least value of a polynomial: with every atom written as its own least value plus something
/// that is not negative, the constant term is a lower limit when no coefficient is negative.
std::optional<int64_t> leastByShift(const Sym& size, const RangeOf& of) {
    std::map<std::string, Sym> shifted;
    Sym total(0);
    for (const Sym::Term& term : size.terms()) {
        Sym product(term.coefficient);
        for (const Sym::Atom& atom : term.atoms) {
            const SizeRange range = atomLimits(atom, of);
            if (range.least == INT64_MIN) return std::nullopt;
            Sym whole = atom.kind == Sym::Atom::Kind::Variable ? Sym(atom.variable) : Sym(0);
            const std::string key = atom.kind == Sym::Atom::Kind::Variable
                                        ? atom.variable.str()
                                        : fmt::format("{}|{}|{}", static_cast<int>(atom.kind),
                                                      atom.a.str(), atom.b.str());
            auto [known, fresh] = shifted.emplace(key, Sym(0));
            if (fresh)
                known->second =
                    Sym(Var{'p', static_cast<uint16_t>(shifted.size())}) + Sym(range.least);
            product = product * known->second;
        }
        total = total + product;
    }
    if (total.isConst()) return total.constant();
    int64_t least = 0;
    for (const Sym::Term& term : total.terms()) {
        if (term.atoms.empty())
            least = term.coefficient;
        else if (term.coefficient < 0)
            return std::nullopt;
    }
    return least;
}

SizeRange limits(const Sym& size, const RangeOf& of) {
    if (size.isConst()) return {size.constant(), size.constant()};
    SizeRange sum{0, 0};
    for (const Sym::Term& term : size.terms()) {
        SizeRange product{term.coefficient, term.coefficient};
        for (const Sym::Atom& atom : term.atoms) {
            const SizeRange factor = atomLimits(atom, of);
            const int64_t ends[] = {
                times(product.least, factor.least), times(product.least, factor.most),
                times(product.most, factor.least), times(product.most, factor.most)};
            product = {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
        }
        sum = {plus(sum.least, product.least), plus(sum.most, product.most)};
    }
    if (auto least = leastByShift(size, of)) sum.least = std::max(sum.least, *least);
    if (auto most = leastByShift(Sym(-1) * size, of)) sum.most = std::min(sum.most, -*most);
    return sum;
}

std::optional<bool> proved(const Condition& condition, const RangeOf& of) {
    const Sym difference = condition.a - condition.b;
    const SizeRange range = limits(difference, of);
    switch (condition.relation) {
    case Relation::Equal:
    case Relation::NotEqual: {
        const bool yes = condition.relation == Relation::Equal;
        if (difference.is(0)) return yes;
        if (range.least > 0 || range.most < 0) return !yes;
        return std::nullopt;
    }
    case Relation::Less:
        if (range.most < 0) return true;
        if (range.least >= 0) return false;
        return std::nullopt;
    case Relation::AtMost:
        if (range.most <= 0) return true;
        if (range.least > 0) return false;
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

bool provable(const Condition& condition) {
    if (condition.a.isConst() && condition.b.isConst())
        return condition.holds(condition.a.constant(), condition.b.constant());
    return proved(
               condition,
               [](Var v) { return v.kind == 's' ? SizeRange{} : SizeRange{INT64_MIN, kNoLimit}; })
        .value_or(false);
}

Sym ShapeEnv::add(int64_t hint, std::string source, SizeRange range) {
    const Var variable{'s', static_cast<uint16_t>(symbols_.size())};
    range.least = std::max<int64_t>(range.least, 2);
    symbols_.push_back({variable, hint, range, std::move(source), {}});
    replacements_.emplace_back();
    return Sym(variable);
}

void ShapeEnv::promise(Var variable, SizeRange range) {
    symbols_[variable.index].promised = range;
}

namespace {

std::optional<Sym> equalTo(const std::vector<std::pair<Sym, Sym>>& parts, const Sym& part) {
    for (const auto& [known, value] : parts)
        if (known == part) return value;
    return std::nullopt;
}

Sym with(const Sym& size, Var variable, const Sym& value) {
    return size.substitute(
        [&](Var u) { return u == variable ? std::optional<Sym>(value) : std::nullopt; });
}

bool isDivided(const Sym& size) {
    if (size.isConst()) return false;
    for (const Sym::Term& term : size.terms())
        for (const Sym::Atom& atom : term.atoms)
            if (atom.kind != Sym::Atom::Kind::Variable) return true;
    return false;
}

/// In one form, where \p rest, a % k, is 0: a for every k * (a / k), and of a - a / k what is left.
Sym multiplied(const Sym& size, const Sym::Atom& rest) {
    if (size.isConst()) return size;
    const Sym quotient = ir::floorDiv(rest.a, rest.b);
    const std::optional<Var> variable = rest.a.asVar();
    Sym parts(0);
    for (const Sym::Term& term : size.terms()) {
        Sym product(term.coefficient);
        for (const Sym::Atom& atom : term.atoms) {
            const bool whole = atom.kind == Sym::Atom::Kind::Variable && variable == atom.variable;
            product = product * (whole ? quotient * rest.b : Sym::of(atom));
        }
        parts = parts + product;
    }
    if (parts.isConst()) return parts;
    Sym sum(0);
    for (const Sym::Term& term : parts.terms()) {
        int64_t coefficient = term.coefficient;
        Sym product(1);
        for (const Sym::Atom& atom : term.atoms) {
            const bool whole = atom.kind == Sym::Atom::Kind::FloorDiv && atom.a == rest.a &&
                               atom.b == rest.b && coefficient % rest.b.constant() == 0;
            if (whole) coefficient /= rest.b.constant();
            product = product * (whole ? rest.a : Sym::of(atom));
        }
        sum = sum + product * Sym(coefficient);
    }
    return sum;
}

/// Of all such rests, until none says more: a quotient may be divided once more.
Sym multiplied(Sym size, const std::vector<std::pair<Sym, Sym>>& parts) {
    for (size_t round = 0; round < parts.size(); ++round) {
        const Sym before = size;
        for (const auto& [part, value] : parts) {
            if (part.isConst() || !value.is(0)) continue;
            const Sym::Atom& atom = part.terms().front().atoms.front();
            if (atom.kind == Sym::Atom::Kind::Mod && atom.b.isConst())
                size = multiplied(size, atom);
        }
        if (size == before) break;
    }
    return size;
}

} // namespace

Sym ShapeEnv::replaced(const Sym& size) const {
    if (size.isConst()) return size;
    const Sym known = size.substitute([&](Var v) -> std::optional<Sym> {
        if (v.kind != 's' || v.index >= replacements_.size()) return std::nullopt;
        return replacements_[v.index];
    });
    if (parts_.empty()) return known;
    const Sym parts = known.substituteParts([&](const Sym& part) -> std::optional<Sym> {
        if (part.isConst()) return part;
        Sym::Atom atom = part.terms().front().atoms.front();
        atom.a = multiplied(atom.a, parts_);
        atom.b = multiplied(atom.b, parts_);
        const Sym inner = Sym::of(atom);
        return equalTo(parts_, inner).value_or(inner);
    });
    return multiplied(parts, parts_);
}

std::optional<bool> ShapeEnv::answer(const Condition& asked) const {
    const Condition condition{asked.relation, replaced(asked.a), replaced(asked.b)};
    if (condition.a.isConst() && condition.b.isConst())
        return condition.holds(condition.a.constant(), condition.b.constant());
    if (auto answer = proved(condition, [&](Var v) {
            return v.kind == 's' && v.index < symbols_.size() ? symbol(v).range : SizeRange{};
        }))
        return answer;
    const Condition opposite = condition.negated();
    for (const SizeGuard& guard : guards_) {
        const Condition known{guard.condition.relation, replaced(guard.condition.a),
                              replaced(guard.condition.b)};
        if (known == condition) return true;
        if (known == opposite) return false;
        const Condition turned{known.relation, known.b, known.a};
        const bool symmetric =
            known.relation == Relation::Equal || known.relation == Relation::NotEqual;
        if (symmetric && turned == condition) return true;
        if (symmetric && turned == opposite) return false;
        if (known.relation == Relation::Less && condition.a == known.a && condition.b == known.b &&
            condition.relation == Relation::AtMost)
            return true;
    }
    return std::nullopt;
}

bool ShapeEnv::decide(const Condition& asked) {
    if (auto answer = this->answer(asked)) return *answer;
    const Condition condition{asked.relation, replaced(asked.a), replaced(asked.b)};
    const bool yes = condition.holds(hint(condition.a), hint(condition.b));
    const Condition holds = yes ? condition : condition.negated();
    if (frozen_)
        throw Undecided(fmt::format("whether {} was asked after the capture", asked.str()));
    guards_.push_back({holds, asker_});
    learn(holds);
    return yes;
}

int64_t ShapeEnv::specialize(const Sym& size) {
    if (size.isConst()) return size.constant();
    const int64_t value = hint(size);
    decide(equal(size, Sym(value)));
    return value;
}

int64_t ShapeEnv::hint(const Sym& size) const {
    if (size.isConst()) return size.constant();
    return size.evaluate([&](Var v) {
        if (v.kind != 's' || v.index >= symbols_.size())
            throw std::logic_error("no hint for " + v.str());
        return symbol(v).hint;
    });
}

SizeRange ShapeEnv::range(const Sym& size) const {
    return limits(replaced(size), [&](Var v) { return symbol(v).range; });
}

/// Takes what a condition says of one symbol into its range or its replacement.
void ShapeEnv::learn(const Condition& condition) {
    const Sym difference = condition.a - condition.b;
    const std::vector<Var> variables = difference.variables();
    for (auto v = variables.rbegin(); v != variables.rend(); ++v) {
        const std::optional<Sym> coefficient = difference.coefficient(*v);
        if (!coefficient || !(coefficient->is(1) || coefficient->is(-1))) continue;
        const Sym rest = difference - *coefficient * Sym(*v);
        const Sym value = coefficient->is(1) ? Sym(-1) * rest : rest;
        if (condition.relation == Relation::Equal) {
            for (auto& known : replacements_)
                if (known) known = with(*known, *v, value);
            replacements_[v->index] = value;
            for (auto& [part, equal] : parts_) {
                part = with(part, *v, value);
                equal = with(equal, *v, value);
            }
            return;
        }
        if (!value.isConst()) continue;
        SizeRange& range = symbols_[v->index].range;
        const bool strict = condition.relation == Relation::Less;
        if (condition.relation == Relation::NotEqual) {
            if (value.is(range.least)) ++range.least;
            if (value.is(range.most)) --range.most;
        } else if (coefficient->is(1)) { // v - value < 0
            range.most = std::min(range.most, value.constant() - strict);
        } else {
            range.least = std::max(range.least, value.constant() + strict);
        }
        return;
    }
    if (condition.relation == Relation::Equal) learnPart(difference);
}

/// \p difference is 0, and no variable can be told by the others: of s0 / 2 - 3 it is known what
/// s0 / 2 is, though not what s0 is.
void ShapeEnv::learnPart(const Sym& difference) {
    if (difference.isConst()) return;
    for (const Sym::Term& term : difference.terms()) {
        if (term.atoms.size() != 1 || std::abs(term.coefficient) != 1) continue;
        if (term.atoms[0].kind == Sym::Atom::Kind::Variable) continue;
        const Sym rest = difference * Sym(-term.coefficient);
        const Sym part = Sym::of(term.atoms[0]);
        const Sym value = rest + part;
        if (isDivided(value)) continue;
        const auto put = [&](const Sym& size) {
            return size.substituteParts([&](const Sym& inner) {
                return inner == part ? std::optional<Sym>(value) : std::nullopt;
            });
        };
        for (auto& known : replacements_)
            if (known) known = put(*known);
        parts_.emplace_back(part, value);
        return;
    }
}

std::string ShapeEnv::describe(const SizeSymbol& symbol) const {
    std::string text =
        fmt::format("{} = {}: {}", symbol.variable.str(), symbol.hint, symbol.source);
    if (const auto& equal = replacements_[symbol.variable.index])
        return text + ", equal to " + equal->str();
    text += fmt::format(", from {}", symbol.range.least);
    return symbol.range.most == kNoLimit ? text + " on"
                                         : text + fmt::format(" to {}", symbol.range.most);
}

} // namespace cutaway::ir
