// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cuda/cuda_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::codegen {

namespace {

// Words that a value may not be called: C++'s, CUDA's and the names that emitted text uses itself.
constexpr std::string_view kReserved[] = {
    "alignas",   "alignof",   "and",      "and_eq",    "asm",       "auto",      "bitand",
    "bitor",     "bool",      "break",    "case",      "catch",     "char",      "class",
    "compl",     "concept",   "const",    "consteval", "constexpr", "continue",  "decltype",
    "default",   "delete",    "do",       "double",    "else",      "enum",      "explicit",
    "export",    "extern",    "false",    "float",     "for",       "friend",    "goto",
    "if",        "inline",    "int",      "long",      "mutable",   "namespace", "new",
    "noexcept",  "not",       "not_eq",   "nullptr",   "operator",  "or",        "or_eq",
    "private",   "protected", "public",   "register",  "requires",  "return",    "short",
    "signed",    "sizeof",    "static",   "struct",    "switch",    "template",  "this",
    "throw",     "true",      "try",      "typedef",   "typeid",    "typename",  "union",
    "unsigned",  "using",     "virtual",  "void",      "volatile",  "while",     "xor",
    "xor_eq",    "op",        "scratch",  "row",       "chunk",     "lane",      "i",
    "i0",        "k",         "c",        "u",         "x",         "y",         "tile",
    "split",     "group",     "tickets",  "s",         "column",    "threadIdx", "blockIdx",
    "blockDim",  "gridDim",   "warpSize", "rows",      "DEVICE",    "shared",    "first",
    "end",       "n0",        "faults",   "f16",       "bf16",      "f8e4m3fn",  "f8e5m2",
    "SmallFloat"};

std::string wrapped(const ir::Sym& s, const std::function<std::string(ir::Var)>& name) {
    const bool simple = s.isConst() || s.asVar();
    return simple ? cudaIndex(s, name) : "(" + cudaIndex(s, name) + ")";
}

std::string atomText(const ir::Sym::Atom& atom, const std::function<std::string(ir::Var)>& name) {
    using Kind = ir::Sym::Atom::Kind;
    switch (atom.kind) {
    case Kind::Variable:
        return name(atom.variable);
    case Kind::FloorDiv:
        return wrapped(atom.a, name) + " / " + wrapped(atom.b, name);
    case Kind::Mod:
        return wrapped(atom.a, name) + " % " + wrapped(atom.b, name);
    case Kind::Min:
        return fmt::format("op::min<long long>({}, {})", cudaIndex(atom.a, name),
                           cudaIndex(atom.b, name));
    case Kind::Max:
        return fmt::format("op::max<long long>({}, {})", cudaIndex(atom.a, name),
                           cudaIndex(atom.b, name));
    }
    return {};
}

} // namespace

TextWriter::TextWriter(std::string_view before) : text(before) {
    line_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void TextWriter::setOrigin(kernel::BufferId buffer) {
    origin_.clear();
    if (buffer.valid()) origin_.push_back(buffer);
}

void TextWriter::line(std::string_view content) {
    const bool directive = !content.empty() && content[0] == '#';
    if (!content.empty() && !directive) text.append(static_cast<size_t>(depth_) * 4, ' ');
    text.append(content).push_back('\n');
    if (!origin_.empty() && !content.empty()) origins.push_back({line_, origin_});
    ++line_;
}

void TextWriter::open(std::string_view content) {
    line(content.empty() ? std::string("{") : std::string(content) + " {");
    ++depth_;
}

void TextWriter::close(std::string_view content) {
    --depth_;
    line(content);
}

Namer::Namer() : used_(std::begin(kReserved), std::end(kReserved)) {}

std::string Namer::fresh(std::string_view wanted) {
    std::string base;
    for (char ch : wanted)
        base += std::isalnum(static_cast<unsigned char>(ch)) ? ch : '_';
    if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0]))) base = "v" + base;
    std::string name = base;
    for (int& n = next_.emplace(base, 2).first->second; !used_.insert(name).second; ++n)
        name = fmt::format("{}_{}", base, n);
    return name;
}

std::string_view cudaType(ir::DType dtype) {
    return ir::info(dtype).cudaType;
}

std::string cudaLiteral(ir::DType dtype, double value, int64_t integer) {
    const bool single = dtype == ir::DType::Float32;
    switch (dtype) {
    case ir::DType::Bool:
        return integer ? "true" : "false";
    case ir::DType::Int64:
        if (integer == std::numeric_limits<int64_t>::min()) return "(-9223372036854775807ll - 1)";
        return integer < 0 ? fmt::format("({}ll)", integer) : fmt::format("{}ll", integer);
    case ir::DType::Int32:
        if (integer == std::numeric_limits<int32_t>::min()) return "(-2147483647 - 1)";
        return integer < 0 ? fmt::format("({})", integer) : fmt::format("{}", integer);
    case ir::DType::UInt64:
        return fmt::format("{}ull", static_cast<uint64_t>(integer));
    case ir::DType::UInt32:
        return fmt::format("{}u", integer);
    default:
        break;
    }
    if (ir::isIntegral(dtype)) return fmt::format("({})({})", cudaType(dtype), integer);
    if (std::isnan(value))
        return single ? "__int_as_float(0x7fc00000)" : "__longlong_as_double(0x7ff8000000000000ll)";
    if (std::isinf(value))
        return fmt::format("({}{})", value < 0 ? "-" : "",
                           single ? "__int_as_float(0x7f800000)"
                                  : "__longlong_as_double(0x7ff0000000000000ll)");
    std::string text =
        single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    if (single) text += "f";
    return std::signbit(value) ? "(" + text + ")" : text;
}

std::string cudaIndex(const ir::Sym& index, const std::function<std::string(ir::Var)>& name) {
    if (index.isConst()) return std::to_string(index.constant());
    std::string text;
    for (const ir::Sym::Term& term : index.terms()) {
        const int64_t magnitude = std::abs(term.coefficient);
        if (text.empty())
            text += term.coefficient < 0 ? "-" : "";
        else
            text += term.coefficient < 0 ? " - " : " + ";
        std::string product;
        if (magnitude != 1 || term.atoms.empty()) product = std::to_string(magnitude);
        for (const ir::Sym::Atom& atom : term.atoms) {
            const bool divides =
                atom.kind == ir::Sym::Atom::Kind::FloorDiv || atom.kind == ir::Sym::Atom::Kind::Mod;
            const bool alone = product.empty() && term.atoms.size() == 1;
            if (!product.empty()) product += " * ";
            // 4 * (a / 3) is not 4 * a / 3.
            product += divides && !alone ? "(" + atomText(atom, name) + ")" : atomText(atom, name);
        }
        text += product;
    }
    return text.empty() ? "0" : text;
}

} // namespace cutaway::codegen
