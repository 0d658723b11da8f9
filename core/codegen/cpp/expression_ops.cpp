// SPDX-License-Identifier: Apache-2.0
// Operations and conversions as C++ text.
#include "core/codegen/cpp/expressions.h"
#include "core/codegen/signs.h"
#include "core/kernel/bits.h"
#include "core/kernel/masked_read.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;

namespace {

/// The prelude's function for an operation that is a call.
const char* function(ScalarOp op) {
    switch (op) {
    case ScalarOp::FloorDiv:
        return "floor_div";
    case ScalarOp::Remainder:
        return "remainder";
    case ScalarOp::Max:
        return "max";
    case ScalarOp::Min:
        return "min";
    case ScalarOp::Pow:
        return "pow";
    case ScalarOp::Abs:
        return "abs";
    case ScalarOp::Sign:
        return "sign";
    case ScalarOp::Exp:
        return "exp";
    case ScalarOp::Expm1:
        return "expm1";
    case ScalarOp::Log:
        return "log";
    case ScalarOp::Log1p:
        return "log1p";
    case ScalarOp::Sin:
        return "sin";
    case ScalarOp::Cos:
        return "cos";
    case ScalarOp::Tan:
        return "tan";
    case ScalarOp::Tanh:
        return "tanh";
    case ScalarOp::Erf:
        return "erf";
    case ScalarOp::Sqrt:
        return "sqrt";
    case ScalarOp::Rsqrt:
        return "rsqrt";
    case ScalarOp::Reciprocal:
        return "reciprocal";
    case ScalarOp::Sigmoid:
        return "sigmoid";
    case ScalarOp::Floor:
        return "floor";
    case ScalarOp::Ceil:
        return "ceil";
    case ScalarOp::Round:
        return "round";
    case ScalarOp::Trunc:
        return "trunc";
    case ScalarOp::Where:
        return "where";
    default:
        return nullptr;
    }
}

/// Rounding does nothing to integers.
bool isRounding(ScalarOp op) {
    return op == ScalarOp::Floor || op == ScalarOp::Ceil || op == ScalarOp::Round ||
           op == ScalarOp::Trunc;
}

} // namespace

Expressions::Value Expressions::infix(std::string_view sign, int precedence, const Expr& e,
                                      bool vector) {
    const std::string a = operand(e.args[0], precedence, vector, false);
    const std::string b = operand(e.args[1], precedence + 1, vector, false);
    return {fmt::format("{} {} {}", a, sign, b), precedence};
}

Expressions::Value Expressions::call(std::string_view name, const Expr& e, bool vector) {
    std::string text;
    for (ExprId arg : e.args)
        text += (text.empty() ? "" : ", ") + operand(arg, 0, vector, true);
    return {fmt::format("{}::{}({})", isSpecial(e.op) ? "special" : "math", name, text), kPrimary};
}

/// Positions along the loop: lanes from one on, or up to one.
std::optional<Expressions::Value> Expressions::laneComparison(const Expr& e) {
    const auto bound = laneBound(pool(), e, innerVar());
    if (!bound) return std::nullopt;
    const std::string first = kernel_.indices().scalar(kernel_.byRow(bound->first));
    return Value{fmt::format("{}({})", bound->from ? "lanes_from" : "lanes_below", first),
                 kPrimary};
}

/// A vector comparison has lanes as wide as its operands; a boolv has lanes as wide as int.
Expressions::Value Expressions::comparison(const Expr& e, std::string_view sign, bool vector) {
    if (vector)
        if (auto lanes = laneComparison(e)) return *lanes;
    const DType dtype = pool()[e.args[0]].dtype;
    Value v = infix(sign, kComparison, e, vector);
    if (!vector || ir::sizeBytes(dtype) == 4) return v;
    return {fmt::format("convert<boolv>({})", v.text), kPrimary};
}

/// Operations on lanes that are 0 or -1.
Expressions::Value Expressions::boolean(const Expr& e, bool vector) {
    auto arg = [&](size_t k) { return operand(e.args[k], kUnary, vector, true); };
    auto both = [&](const char* format) {
        return Value{fmt::format(fmt::runtime(format), arg(0), arg(1)), kBitwise};
    };
    switch (e.op) {
    case ScalarOp::Not:
        return {(vector ? "~" : "!") + arg(0), kUnary};
    case ScalarOp::Or:
    case ScalarOp::Add:
    case ScalarOp::Max:
        return vector ? both("{} | {}") : both("({} || {})");
    case ScalarOp::And:
    case ScalarOp::Mul:
    case ScalarOp::Min:
        return vector ? both("{} & {}") : both("({} && {})");
    case ScalarOp::Ne:
    case ScalarOp::Sub:
        return vector ? both("{} ^ {}") : both("({} != {})");
    case ScalarOp::Eq:
        return vector ? both("~({} ^ {})") : both("({} == {})");
    case ScalarOp::Lt:
        return vector ? both("~{} & {}") : both("({} < {})");
    case ScalarOp::Le:
        return vector ? both("~{} | {}") : both("({} <= {})");
    case ScalarOp::Gt:
        return vector ? both("{} & ~{}") : both("({} > {})");
    case ScalarOp::Ge:
        return vector ? both("{} | ~{}") : both("({} >= {})");
    case ScalarOp::IsNan:
        return {vector ? "splat(false)" : "false", kPrimary};
    default:
        break;
    }
    // The rest keeps a bool what it is.
    const Value v = value(e.args[0], vector);
    return v;
}

/// Where C++ would compute in int: the bits that the dtype does not have are lost at once.
Expressions::Value Expressions::operation(const Expr& e, bool vector) {
    const Value v = plainOperation(e, vector);
    const bool narrow = ir::isIntegral(e.dtype) && e.dtype != DType::Bool &&
                        ir::sizeBytes(e.dtype) < ir::sizeBytes(DType::Int32);
    if (vector || !narrow || v.precedence == kPrimary) return v;
    return {fmt::format("({})({})", scalarType(e.dtype), v.text), kUnary};
}

Expressions::Value Expressions::plainOperation(const Expr& e, bool vector) {
    const DType dtype = pool()[e.args[e.op == ScalarOp::Where ? 1 : 0]].dtype;
    const bool floating = ir::isFloating(dtype);
    if (e.op != ScalarOp::Where && dtype == DType::Bool) return boolean(e, vector);
    if (auto sign = comparisonSign(e.op); !sign.empty()) return comparison(e, sign, vector);
    switch (e.op) {
    case ScalarOp::Add:
        return infix("+", kSum, e, vector);
    case ScalarOp::Sub:
        return infix("-", kSum, e, vector);
    case ScalarOp::Mul:
        return infix("*", kProduct, e, vector);
    case ScalarOp::Div:
        return infix("/", kProduct, e, vector);
    case ScalarOp::And:
        return infix("&", kBitwise, e, vector);
    case ScalarOp::Or:
        return infix("|", kBitwise, e, vector);
    case ScalarOp::Neg:
        return {"-" + operand(e.args[0], kPrimary, vector, false), kUnary};
    case ScalarOp::Not:
        return {fmt::format("{} == 0", operand(e.args[0], kShift, vector, false)), kComparison};
    case ScalarOp::IsNan: {
        if (!floating) return {vector ? "splat(false)" : "false", kPrimary};
        const std::string a = operand(e.args[0], kShift, vector, false);
        const std::string test = fmt::format("{} != {}", a, a);
        if (vector && dtype == DType::Float64)
            return {fmt::format("convert<boolv>({})", test), kPrimary};
        return {test, kComparison};
    }
    default:
        break;
    }
    if (!floating && isRounding(e.op)) return value(e.args[0], vector);
    return call(isSpecial(e.op) ? info(e.op).text : function(e.op), e, vector);
}

std::string Expressions::converted(const std::string& text, DType from, DType to,
                                   bool vector) const {
    if (from == to) return text;
    if (to == DType::Bool)
        return vector ? fmt::format("to_bool({})", text) : fmt::format("({} != 0)", text);
    if (ir::isFloating(from) && to == DType::UInt64)
        return fmt::format("to_u64({})", vector ? text : "(double)(" + text + ")");
    if (!vector && ir::isFloating(from) && ir::isIntegral(to) && ir::sizeBytes(to) < 8 &&
        to != DType::Int32)
        return fmt::format("({})(long)({})", scalarType(to), text);
    if (!vector) return fmt::format("({})({})", scalarType(to), text);
    const std::string type = vectorType(to, kernel_.lanes);
    kernel_.usedVectors.insert(to);
    if (from == DType::Bool)
        return to == DType::Int32 ? fmt::format("({} & 1)", text)
                                  : fmt::format("convert<{}>({} & 1)", type, text);
    const bool narrow = ir::isIntegral(to) && to != DType::Int32 && ir::sizeBytes(to) < 8;
    if (ir::isFloating(from) && narrow)
        return fmt::format("convert<{}>(convert<i64v>({}))", type, text);
    return fmt::format("convert<{}>({})", type, text);
}

Expressions::Value Expressions::cast(const Expr& e, bool vector) {
    if (keepsBits(e)) {
        const std::string type = vector ? kernel_.vectorOf(e.dtype) : scalarType(e.dtype);
        return {fmt::format("same_bits<{}>({})", type, operand(e.args[0], 0, vector, true)),
                kPrimary};
    }
    const DType from = pool()[e.args[0]].dtype;
    const int precedence = from == DType::Bool || e.dtype == DType::Bool ? kShift : 0;
    return {converted(operand(e.args[0], precedence, vector, true), from, e.dtype, vector), kUnary};
}

} // namespace cutaway::codegen::cpp
