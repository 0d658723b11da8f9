// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/parse_expr.h"

#include "core/kernel/bits.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace cutaway::kernel {

using ir::DType;
using ir::Sym;

namespace {

bool isLetter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

constexpr int kUnary = 5;

} // namespace

void TextReader::skip() {
    while (!rest_.empty() && rest_.front() == ' ')
        rest_.remove_prefix(1);
}

bool TextReader::atEnd() {
    skip();
    return rest_.empty() || rest_.front() == '#';
}

bool TextReader::take(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) return false;
    const bool word = isLetter(token.back()) || isDigit(token.back());
    if (word && rest_.size() > token.size() &&
        (isLetter(rest_[token.size()]) || isDigit(rest_[token.size()])))
        return false;
    rest_.remove_prefix(token.size());
    return true;
}

void TextReader::expect(std::string_view token) {
    if (!take(token))
        throw ParseError{fmt::format("expected '{}', found '{}'", token, rest_.substr(0, 20))};
}

std::string TextReader::word() {
    skip();
    size_t end = 0;
    while (end < rest_.size() && (isLetter(rest_[end]) || (end > 0 && isDigit(rest_[end]))))
        ++end;
    if (end == 0) throw ParseError{fmt::format("expected a name, found '{}'", rest_.substr(0, 20))};
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return result;
}

std::string TextReader::rest() {
    skip();
    return std::string(rest_);
}

std::vector<TextPart> partsOf(std::string_view text, std::string_view word) {
    std::vector<TextPart> parts;
    const std::string start = "\n" + std::string(word);
    size_t at = 0;
    int lines = 0;
    while (at < text.size()) {
        const bool first = parts.empty() && !text.starts_with(word);
        size_t end = text.find(start, at);
        if (first && end != std::string_view::npos) end = text.find(start, end + 1);
        end = end == std::string_view::npos ? text.size() : end + 1;
        parts.push_back({text.substr(at, end - at), lines});
        lines +=
            static_cast<int>(std::count(parts.back().text.begin(), parts.back().text.end(), '\n'));
        at = end;
    }
    return parts;
}

void TextReader::skipOver(size_t characters) {
    rest_.remove_prefix(std::min(characters, rest_.size()));
}

std::string TextReader::upTo(std::string_view token) {
    skip();
    const size_t end = rest_.find(token);
    if (end == std::string_view::npos)
        throw ParseError{fmt::format("expected '{}' after '{}'", token, rest_.substr(0, 20))};
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return result;
}

/// The sign at the front and how strongly it binds; longer ones first.
std::optional<std::pair<std::string, int>> TextReader::sign() {
    skip();
    static constexpr std::array<std::pair<std::string_view, int>, 15> kSigns = {{{"//", 4},
                                                                                 {"<=", 2},
                                                                                 {">=", 2},
                                                                                 {"==", 2},
                                                                                 {"!=", 2},
                                                                                 {"<", 2},
                                                                                 {">", 2},
                                                                                 {"&", 1},
                                                                                 {"|", 1},
                                                                                 {"+", 3},
                                                                                 {"-", 3},
                                                                                 {"*", 4},
                                                                                 {"/", 4},
                                                                                 {"%", 4},
                                                                                 {"^", 1}}};
    for (auto [text, strength] : kSigns)
        if (rest_.starts_with(text)) return std::pair(std::string(text), strength);
    return std::nullopt;
}

SyntaxNode TextReader::expression(int strength) {
    SyntaxNode left = atom();
    while (auto next = sign()) {
        auto [text, binds] = *next;
        if (binds < strength) break;
        rest_.remove_prefix(text.size());
        SyntaxNode right = expression(binds + 1);
        left = {SyntaxNode::Kind::Sign, text, {std::move(left), std::move(right)}};
    }
    return left;
}

std::vector<SyntaxNode> TextReader::list(std::string_view end) {
    std::vector<SyntaxNode> nodes;
    if (take(end)) return nodes;
    do {
        nodes.push_back(expression());
    } while (take(","));
    expect(end);
    return nodes;
}

SyntaxNode TextReader::atom() {
    skip();
    if (take("(")) {
        SyntaxNode inside = expression();
        expect(")");
        return inside;
    }
    if (take("-")) return {SyntaxNode::Kind::Sign, "neg", {expression(kUnary)}};
    if (!rest_.empty() && isDigit(rest_.front())) {
        size_t end = 0;
        auto exponent = [&](size_t at) {
            return (rest_[at] == '-' || rest_[at] == '+') && rest_[at - 1] == 'e';
        };
        while (end < rest_.size() && (isDigit(rest_[end]) ||
                                      (rest_[end] == '.' && !rest_.substr(end).starts_with("..")) ||
                                      rest_[end] == 'e' || (end > 0 && exponent(end))))
            ++end;
        SyntaxNode number{SyntaxNode::Kind::Number, std::string(rest_.substr(0, end)), {}};
        rest_.remove_prefix(end);
        return number;
    }
    SyntaxNode node{SyntaxNode::Kind::Name, word(), {}};
    if (node.text == "inf" || node.text == "nan" || node.text == "true" || node.text == "false") {
        node.kind = SyntaxNode::Kind::Number;
    } else if (take("(")) {
        node.kind = SyntaxNode::Kind::Call;
        node.operands = list(")");
    } else if (take("[")) {
        node.kind = SyntaxNode::Kind::Element;
        node.operands = list("]");
    }
    return node;
}

std::optional<DType> dtypeNamed(std::string_view word) {
    for (const ir::DTypeInfo& row : ir::allDTypes())
        if (word == row.name || word == row.shortName) return row.id;
    return std::nullopt;
}

std::optional<ir::Var> variableOf(std::string_view word) {
    if (word == "i") return ir::Var{'i', 0};
    if (word.size() < 2 || std::string_view("dros").find(word[0]) == std::string_view::npos)
        return std::nullopt;
    uint16_t number = 0;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return ir::Var{word[0], number};
}

std::optional<Sym> indexOf(const SyntaxNode& node) {
    if (node.kind == SyntaxNode::Kind::Name) {
        const auto variable = variableOf(node.text);
        return variable ? std::optional(Sym(*variable)) : std::nullopt;
    }
    if (node.kind == SyntaxNode::Kind::Number) {
        int64_t value = 0;
        const char* last = node.text.data() + node.text.size();
        const auto [end, error] = std::from_chars(node.text.data(), last, value);
        return error == std::errc() && end == last ? std::optional(Sym(value)) : std::nullopt;
    }
    if (node.kind == SyntaxNode::Kind::Element) return std::nullopt;
    std::vector<Sym> args;
    for (const SyntaxNode& operand : node.operands) {
        auto arg = indexOf(operand);
        if (!arg) return std::nullopt;
        args.push_back(std::move(*arg));
    }
    if (node.text == "neg" && args.size() == 1) return Sym(0) - args[0];
    if (args.size() != 2) return std::nullopt;
    if (node.text == "+") return args[0] + args[1];
    if (node.text == "-") return args[0] - args[1];
    if (node.text == "*") return args[0] * args[1];
    if ((node.text == "/" || node.text == "%") && args[1].is(0))
        throw ParseError{"an index is divided by 0"};
    if (node.text == "/") return ir::floorDiv(args[0], args[1]);
    if (node.text == "%") return ir::mod(args[0], args[1]);
    if (node.text == "min") return ir::minimum(args[0], args[1]);
    if (node.text == "max") return ir::maximum(args[0], args[1]);
    return std::nullopt;
}

namespace {

std::optional<ScalarOp> opNamed(const SyntaxNode& node) {
    static constexpr std::array<std::pair<std::string_view, ScalarOp>, 14> kSigns = {
        {{"+", ScalarOp::Add},
         {"-", ScalarOp::Sub},
         {"*", ScalarOp::Mul},
         {"/", ScalarOp::Div},
         {"//", ScalarOp::FloorDiv},
         {"%", ScalarOp::Remainder},
         {"<", ScalarOp::Lt},
         {"<=", ScalarOp::Le},
         {">", ScalarOp::Gt},
         {">=", ScalarOp::Ge},
         {"==", ScalarOp::Eq},
         {"!=", ScalarOp::Ne},
         {"&", ScalarOp::And},
         {"|", ScalarOp::Or}}};
    for (auto [text, op] : kSigns)
        if (node.text == text) return op;
    for (auto op = ScalarOp::Add; op <= ScalarOp::Where;
         op = static_cast<ScalarOp>(static_cast<uint8_t>(op) + 1))
        if (node.text == info(op).text) return op;
    return std::nullopt;
}

/// check0(VALUE): the program's first check.
std::optional<CheckId> checkNamed(const SyntaxNode& node) {
    if (node.kind != SyntaxNode::Kind::Call || node.operands.size() != 1 ||
        !node.text.starts_with("check"))
        return std::nullopt;
    uint32_t number = 0;
    const char* last = node.text.data() + node.text.size();
    const auto [end, error] = std::from_chars(node.text.data() + 5, last, number);
    return error == std::errc() && end == last ? std::optional(CheckId(number)) : std::nullopt;
}

bool hasVariable(const SyntaxNode& node) {
    if (node.kind == SyntaxNode::Kind::Name && variableOf(node.text)) return true;
    for (const SyntaxNode& operand : node.operands)
        if (hasVariable(operand)) return true;
    return false;
}

class Builder {
public:
    Builder(ExprPool& pool, const NameTable& names) : pool_(pool), names_(names) {}

    ExprId run(const SyntaxNode& node, std::optional<DType> wanted) {
        if (const auto local = localOf(node)) return pool_.local(*local, names_.localType(*local));
        if (hasVariable(node))
            if (const auto index = indexOf(node)) return pool_.index(*index);
        switch (node.kind) {
        case SyntaxNode::Kind::Number:
            return number(node.text, wanted);
        case SyntaxNode::Kind::Name:
            throw ParseError{node.text + " is no value that is known here"};
        case SyntaxNode::Kind::Element: {
            const auto buffer = names_.buffer(node.text);
            if (!buffer) throw ParseError{node.text + " is no buffer"};
            return pool_.load(*buffer, names_.bufferType(*buffer),
                              names_.place(*buffer, coordsOf(pool_, names_, node.operands)));
        }
        case SyntaxNode::Kind::Call:
            if (auto dtype = dtypeNamed(node.text); dtype && node.operands.size() == 1)
                return pool_.cast(*dtype, run(node.operands[0], std::nullopt));
            if (auto dtype = bitsNamed(node))
                return pool_.cast(sameBits(*dtype), run(node.operands[0], std::nullopt));
            if (auto check = checkNamed(node))
                return pool_.check(*check, run(node.operands[0], wanted));
            if (node.text == kMaskedLoad) return masked(node);
            break;
        case SyntaxNode::Kind::Sign:
            break;
        }
        return operation(node, wanted);
    }

private:
    /// The dtype of "bits_float32(..)".
    static std::optional<DType> bitsNamed(const SyntaxNode& node) {
        constexpr std::string_view kPrefix = "bits_";
        const bool names = node.kind == SyntaxNode::Kind::Call && node.operands.size() == 1 &&
                           node.text.starts_with(kPrefix);
        return names ? dtypeNamed(std::string_view(node.text).substr(kPrefix.size()))
                     : std::nullopt;
    }
    std::optional<LocalId> localOf(const SyntaxNode& node) const {
        return node.kind == SyntaxNode::Kind::Name && names_.local ? names_.local(node.text)
                                                                   : std::nullopt;
    }

    /// masked(BUFFER[COORDINATES], CONDITION, NEUTRAL)
    ExprId masked(const SyntaxNode& node) {
        if (node.operands.size() != 3 || node.operands[0].kind != SyntaxNode::Kind::Element)
            throw ParseError{
                fmt::format("{} takes an element, a condition and a neutral value", kMaskedLoad)};
        Expr load = pool_[run(node.operands[0], std::nullopt)];
        const ExprId condition = run(node.operands[1], DType::Bool);
        if (pool_[condition].dtype != DType::Bool)
            throw ParseError{fmt::format("the condition of {} is {}, expected bool",
                                         node.operands[0].text, ir::name(pool_[condition].dtype))};
        const ExprId neutral = run(node.operands[2], load.dtype);
        if (pool_[neutral].dtype != load.dtype)
            throw ParseError{fmt::format("the neutral value of {} is {}, expected {}",
                                         node.operands[0].text, ir::name(pool_[neutral].dtype),
                                         ir::name(load.dtype))};
        return pool_.load(load.buffer, load.dtype, load.coords, condition, neutral);
    }

    ExprId number(const std::string& text, std::optional<DType> wanted) {
        if (text == "true" || text == "false")
            return pool_.constantInt(DType::Bool, text == "true");
        const bool integer = text.find_first_not_of("0123456789") == std::string::npos;
        const DType dtype =
            ir::computeType(wanted.value_or(integer ? DType::Int64 : DType::Float32));
        if (ir::isFloating(dtype)) return pool_.constant(dtype, std::strtod(text.c_str(), nullptr));
        if (!integer) throw ParseError{text + " is no integer"};
        return pool_.constantInt(dtype, std::strtoll(text.c_str(), nullptr, 10));
    }

    /// The dtype that follows from the text alone.
    std::optional<DType> typeOf(const SyntaxNode& node) const {
        if (const auto local = localOf(node)) return names_.localType(*local);
        if (hasVariable(node) && indexOf(node)) return DType::Int64;
        if (node.kind == SyntaxNode::Kind::Number)
            return node.text == "true" || node.text == "false" ? std::optional(DType::Bool)
                                                               : std::nullopt;
        if (node.kind == SyntaxNode::Kind::Element) {
            const auto buffer = names_.buffer(node.text);
            return buffer ? std::optional(names_.bufferType(*buffer)) : std::nullopt;
        }
        if (node.kind == SyntaxNode::Kind::Call)
            if (auto dtype = dtypeNamed(node.text)) return dtype;
        if (auto dtype = bitsNamed(node)) return dtype;
        const bool masked = node.kind == SyntaxNode::Kind::Call && node.text == kMaskedLoad;
        if (checkNamed(node) || (masked && !node.operands.empty())) return typeOf(node.operands[0]);
        const auto op = opNamed(node);
        if (!op) return std::nullopt;
        return isPredicate(*op) ? std::optional(DType::Bool) : operandType(node, *op);
    }

    std::optional<DType> operandType(const SyntaxNode& node, ScalarOp op) const {
        for (size_t k = op == ScalarOp::Where ? 1 : 0; k < node.operands.size(); ++k)
            if (auto dtype = typeOf(node.operands[k])) return dtype;
        return std::nullopt;
    }

    ExprId operation(const SyntaxNode& node, std::optional<DType> wanted) {
        const auto op = opNamed(node);
        if (!op) throw ParseError{node.text + " is no operation"};
        if (node.operands.size() != static_cast<size_t>(info(*op).arity))
            throw ParseError{fmt::format("{} takes {} operands, found {}", node.text,
                                         info(*op).arity, node.operands.size())};
        if (*op == ScalarOp::Neg && node.operands[0].kind == SyntaxNode::Kind::Number) {
            SyntaxNode negative = node.operands[0];
            return negated(number(negative.text, wanted));
        }
        const std::optional<DType> known = operandType(node, *op);
        const std::optional<DType> type = known || isPredicate(*op) ? known : wanted;
        std::vector<ExprId> args;
        for (size_t k = 0; k < node.operands.size(); ++k) {
            const bool condition = *op == ScalarOp::Where && k == 0;
            args.push_back(run(node.operands[k], condition ? std::optional(DType::Bool) : type));
        }
        return pool_.op(*op, args);
    }

    ExprId negated(ExprId id) {
        const Expr e = pool_[id];
        return ir::isFloating(e.dtype) ? pool_.constant(e.dtype, -e.value)
                                       : pool_.constantInt(e.dtype, -e.integer);
    }

    ExprPool& pool_;
    const NameTable& names_;
};

} // namespace

std::vector<Coord> coordsOf(ExprPool& pool, const NameTable& names,
                            const std::vector<SyntaxNode>& nodes) {
    std::vector<Coord> coords;
    for (const SyntaxNode& node : nodes) {
        if (auto index = indexOf(node))
            coords.push_back({std::move(*index), {}});
        else
            coords.push_back({Sym(0), build(pool, names, node, DType::Int64)});
    }
    return coords;
}

ExprId build(ExprPool& pool, const NameTable& names, const SyntaxNode& node,
             std::optional<DType> wanted) {
    return Builder(pool, names).run(node, wanted);
}

} // namespace cutaway::kernel
