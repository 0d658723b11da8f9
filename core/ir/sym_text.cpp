// SPDX-License-Identifier: Apache-2.0
#include "core/ir/sym.h"

namespace cutaway::ir {

std::string Sym::str() const {
    return str([](Var v) { return v.str(); });
}

static std::string atomText(const Sym::Atom& atom, const std::function<std::string(Var)>& name) {
    auto wrapped = [&](const Sym& s) {
        bool simple = s.isConst() || s.asVar();
        return simple ? s.str(name) : "(" + s.str(name) + ")";
    };
    switch (atom.kind) {
    case Sym::Atom::Kind::Variable:
        return name(atom.variable);
    case Sym::Atom::Kind::FloorDiv:
        return "(" + wrapped(atom.a) + " / " + wrapped(atom.b) + ")";
    case Sym::Atom::Kind::Mod:
        return "(" + wrapped(atom.a) + " % " + wrapped(atom.b) + ")";
    case Sym::Atom::Kind::Min:
        return "min(" + atom.a.str(name) + ", " + atom.b.str(name) + ")";
    case Sym::Atom::Kind::Max:
        return "max(" + atom.a.str(name) + ", " + atom.b.str(name) + ")";
    }
    return {};
}

std::string Sym::str(const std::function<std::string(Var)>& name) const {
    if (!node_) return std::to_string(constant_);
    std::string text;
    for (const Term& term : node_->terms) {
        int64_t magnitude = term.coefficient;
        if (!text.empty()) {
            text += magnitude < 0 ? " - " : " + ";
            magnitude = magnitude < 0 ? -magnitude : magnitude;
        }
        std::string product;
        if (magnitude != 1 || term.atoms.empty()) product = std::to_string(magnitude);
        for (const Atom& atom : term.atoms)
            product += (product.empty() ? "" : "*") + atomText(atom, name);
        text += product;
    }
    return text;
}

} // namespace cutaway::ir
