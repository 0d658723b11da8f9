// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/index_text.h"

#include "core/kernel/row_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace cutaway::codegen::cpp {

using ir::Sym;
using Atom = ir::Sym::Atom;

namespace {

/// The values an index expression can take.
struct Bounds {
    int64_t least = 0, most = 0;
};

/// Products of sizes that are not known stay at the limits.
int64_t product(int64_t a, int64_t b) {
    int64_t result = 0;
    if (!__builtin_mul_overflow(a, b, &result)) return result;
    return (a < 0) != (b < 0) ? std::numeric_limits<int64_t>::min() / 4
                              : std::numeric_limits<int64_t>::max() / 4;
}

Bounds times(Bounds a, Bounds b) {
    const int64_t corners[] = {product(a.least, b.least), product(a.least, b.most),
                               product(a.most, b.least), product(a.most, b.most)};
    return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

int64_t floorOf(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// \p size gives the number of values (0 ... size - 1) of a variable.
Bounds boundsOf(const Sym& sym, const std::function<int64_t(ir::Var)>& size);

Bounds atomBounds(const Atom& atom, const std::function<int64_t(ir::Var)>& size) {
    if (atom.kind == Atom::Kind::Variable)
        return {0, std::max<int64_t>(size(atom.variable) - 1, 0)};
    const Bounds a = boundsOf(atom.a, size), b = boundsOf(atom.b, size);
    switch (atom.kind) {
    case Atom::Kind::Min:
        return {std::min(a.least, b.least), std::min(a.most, b.most)};
    case Atom::Kind::Max:
        return {std::max(a.least, b.least), std::max(a.most, b.most)};
    case Atom::Kind::Mod:
        return {0, std::max<int64_t>(b.most - 1, 0)};
    default:
        break;
    }
    const int64_t least = std::max<int64_t>(b.least, 1), most = std::max<int64_t>(b.most, 1);
    const int64_t corners[] = {floorOf(a.least, least), floorOf(a.least, most),
                               floorOf(a.most, least), floorOf(a.most, most)};
    return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Bounds boundsOf(const Sym& sym, const std::function<int64_t(ir::Var)>& size) {
    if (sym.isConst()) return {sym.constant(), sym.constant()};
    Bounds sum;
    for (const Sym::Term& term : sym.terms()) {
        Bounds product{term.coefficient, term.coefficient};
        for (const Atom& atom : term.atoms)
            product = times(product, atomBounds(atom, size));
        const int64_t limit = std::numeric_limits<int64_t>::max() / 4;
        sum.least = std::clamp(sum.least, -limit, limit) + std::clamp(product.least, -limit, limit);
        sum.most = std::clamp(sum.most, -limit, limit) + std::clamp(product.most, -limit, limit);
    }
    return sum;
}

} // namespace

std::string IndexText::vector(const Sym& sym) const {
    const ir::Var inner = kernel::innerVar();
    if (!sym.dependsOn(inner)) return fmt::format("splat((long)({}))", scalar(sym));
    if (const auto step = sym.coefficient(inner); step && step->isConst()) {
        const std::string lanes = step->is(1)
                                      ? std::string("lane_numbers()")
                                      : fmt::format("{}L * lane_numbers()", step->constant());
        return fmt::format("({}) + {}", scalar(sym), lanes);
    }
    return text(sym, true);
}

std::string IndexText::operand(const Sym& sym, bool vector) const {
    const bool varying = vector && sym.dependsOn(kernel::innerVar());
    if (sym.isConst()) return fmt::format("{}L", sym.constant());
    const std::string inside = varying ? text(sym, true) : scalar(sym);
    return sym.asVar() && !varying ? inside : "(" + inside + ")";
}

std::string IndexText::atomText(const Atom& atom, bool vector) const {
    if (atom.kind == Atom::Kind::Variable) {
        const std::string name = name_(atom.variable);
        const bool varying = vector && atom.variable == kernel::innerVar();
        return varying ? fmt::format("({} + lane_numbers())", name) : name;
    }
    const std::string a = operand(atom.a, vector), b = operand(atom.b, vector);
    if (atom.kind == Atom::Kind::Min || atom.kind == Atom::Kind::Max) {
        const bool widenA = vector && !atom.a.dependsOn(kernel::innerVar());
        const bool widenB = vector && !atom.b.dependsOn(kernel::innerVar());
        auto widened = [](const std::string& text, bool widen) {
            return widen ? fmt::format("splat((long){})", text) : "(" + text + ")";
        };
        return fmt::format("math::{}({}, {})", atom.kind == Atom::Kind::Min ? "min" : "max",
                           vector ? widened(a, widenA) : "(long)" + a,
                           vector ? widened(b, widenB) : "(long)" + b);
    }
    const bool divides = atom.kind == Atom::Kind::FloorDiv;
    // C++ rounds towards zero: the operators only do for what is never negative.
    if (boundsOf(atom.a, size_).least >= 0)
        return fmt::format("({} {} {})", a, divides ? "/" : "%", b);
    auto whole = [&](const Sym& sym, const std::string& text) {
        const bool varying = vector && sym.dependsOn(kernel::innerVar());
        return vector && !varying ? fmt::format("splat((long){})", text) : "(" + text + ")";
    };
    return fmt::format("math::{}({}, {})", divides ? "floor_div" : "remainder", whole(atom.a, a),
                       whole(atom.b, b));
}

std::string IndexText::text(const Sym& sym, bool vector) const {
    if (sym.isConst()) return std::to_string(sym.constant());
    // The inner index comes last: "4096 * row + i".
    std::vector<Sym::Term> terms = sym.terms();
    std::stable_partition(terms.begin(), terms.end(), [](const Sym::Term& term) {
        return std::none_of(term.atoms.begin(), term.atoms.end(), [](const Atom& atom) {
            return atom.kind == Atom::Kind::Variable && atom.variable == kernel::innerVar();
        });
    });
    std::string sum;
    for (const Sym::Term& term : terms) {
        int64_t magnitude = term.coefficient;
        if (!sum.empty()) {
            sum += magnitude < 0 ? " - " : " + ";
            magnitude = magnitude < 0 ? -magnitude : magnitude;
        }
        std::string product;
        if (magnitude != 1 || term.atoms.empty())
            product = std::to_string(magnitude) + (vector ? "L" : "");
        for (const Atom& atom : term.atoms)
            product += (product.empty() ? "" : " * ") + atomText(atom, vector);
        sum += product;
    }
    return sum;
}

std::string operand(const std::string& text) {
    int depth = 0;
    for (char c : text) {
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (c == ' ' && depth == 0) return "(" + text + ")";
    }
    return text;
}

std::string plus(const std::string& base, const std::string& offset) {
    if (offset == "0") return base;
    if (offset.starts_with('-')) return fmt::format("{} + ({})", base, offset);
    return base + " + " + offset;
}

} // namespace cutaway::codegen::cpp
