// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/bits.h"
#include "core/kernel/expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cutaway::kernel {

namespace {

// Binding strength of the infix operators; calls and names bind strongest.
enum Strength { kLogic = 1, kCompare = 2, kSum = 3, kProduct = 4, kUnary = 5, kAtom = 6 };

struct Infix {
    std::string_view sign;
    int strength;
};

std::optional<Infix> infix(ScalarOp op) {
    switch (op) {
    case ScalarOp::Add:
        return Infix{"+", kSum};
    case ScalarOp::Sub:
        return Infix{"-", kSum};
    case ScalarOp::Mul:
        return Infix{"*", kProduct};
    case ScalarOp::Div:
        return Infix{"/", kProduct};
    case ScalarOp::FloorDiv:
        return Infix{"//", kProduct};
    case ScalarOp::Remainder:
        return Infix{"%", kProduct};
    case ScalarOp::Lt:
        return Infix{"<", kCompare};
    case ScalarOp::Le:
        return Infix{"<=", kCompare};
    case ScalarOp::Gt:
        return Infix{">", kCompare};
    case ScalarOp::Ge:
        return Infix{">=", kCompare};
    case ScalarOp::Eq:
        return Infix{"==", kCompare};
    case ScalarOp::Ne:
        return Infix{"!=", kCompare};
    case ScalarOp::And:
        return Infix{"&", kLogic};
    case ScalarOp::Or:
        return Infix{"|", kLogic};
    default:
        return std::nullopt;
    }
}

struct Text {
    std::string text;
    int strength = kAtom;

    std::string at(int least) const { return strength >= least ? text : "(" + text + ")"; }
};

Text constantText(const Expr& e) {
    if (e.dtype == ir::DType::Bool) return {e.integer ? "true" : "false"};
    if (!ir::isFloating(e.dtype))
        return {std::to_string(e.integer), e.integer < 0 ? kUnary : kAtom};
    std::string text = e.dtype == ir::DType::Float32
                           ? fmt::format("{}", static_cast<float>(e.value))
                           : fmt::format("{}", e.value);
    if (text.find_first_of(".enai") == std::string::npos) text += ".0";
    return {text, std::signbit(e.value) ? kUnary : kAtom};
}

Text opText(const Expr& e, const std::vector<const Text*>& args) {
    if (auto sign = infix(e.op)) {
        // Left associative: the right operand needs parentheses at equal strength; comparisons and
        // logic always do, for the reader's sake.
        const bool plain = sign->strength >= kSum;
        return {fmt::format("{} {} {}", args[0]->at(sign->strength + !plain), sign->sign,
                            args[1]->at(sign->strength + 1)),
                sign->strength};
    }
    if (e.op == ScalarOp::Neg) return {"-" + args[0]->at(kAtom), kUnary};
    std::string text = std::string(info(e.op).text) + "(";
    for (size_t i = 0; i < args.size(); ++i)
        text += (i ? ", " : "") + args[i]->text;
    return {text + ")"};
}

} // namespace

std::string indexText(const ir::Sym& index) {
    return index.str([](ir::Var v) { return v.kind == 'i' ? "i" : v.str(); });
}

std::string ExprPool::str(ExprId root, const Names& names) const {
    std::map<uint32_t, Text> texts;
    visit(root, [&](ExprId id, const Expr& e) {
        Text& text = texts[id.index];
        std::vector<const Text*> args;
        for (ExprId arg : e.args)
            args.push_back(&texts[arg.index]);
        switch (e.kind) {
        case ExprKind::Constant:
            text = constantText(e);
            break;
        case ExprKind::Index:
            text = {indexText(e.index), e.index.asVar() ? kAtom : kLogic};
            break;
        case ExprKind::Local:
            text = {names.local ? names.local(e.local) : "l" + std::to_string(e.local.index)};
            break;
        case ExprKind::Op:
            text = opText(e, args);
            break;
        case ExprKind::Cast:
            text = {fmt::format("{}{}({})", keepsBits(e) ? "bits_" : "", ir::name(e.dtype),
                                args[0]->text)};
            break;
        case ExprKind::Check:
            text = {fmt::format("check{}({})", e.check.index, args[0]->text)};
            break;
        case ExprKind::Load: {
            std::string place = names.place ? names.place(e) : "";
            if (place.empty())
                for (size_t i = 0; i < e.coords.size(); ++i) {
                    const Coord& c = e.coords[i];
                    place += i ? ", " : "";
                    place += c.indirect.valid() ? texts[c.indirect.index].text : indexText(c.index);
                }
            text.text = fmt::format("{}[{}]", names.buffer(e.buffer), place);
            if (e.isMasked())
                text.text = fmt::format("{}({}, {}, {})", kMaskedLoad, text.text, args[0]->text,
                                        args[1]->text);
            break;
        }
        }
    });
    return texts[root.index].text;
}

} // namespace cutaway::kernel
