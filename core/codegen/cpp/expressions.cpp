// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/expressions.h"

#include "core/base/tick.h"
#include "core/codegen/signs.h"
#include "core/kernel/address.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
using ir::Sym;

namespace {

constexpr int kPrimary = 10, kUnary = 9, kProduct = 8, kSum = 7, kShift = 6, kComparison = 5,
              kBitwise = 3, kChoice = 1;
/// Texts longer than this get a name of their own.
constexpr size_t kLongText = 64; ///< see length
/// So does a part of an expression that nests deeper: text is made by recursion.
constexpr int kDeep = 100;

/// Stands for the number of the row, when outer variables are joined.
const ir::Var kRow{'w', 0};

/// Characters, with every name counted as one of eight: what is compiled has other names than what
/// is shown, and the same lines.
size_t length(std::string_view text) {
    constexpr size_t kName = 8;
    auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    size_t length = 0;
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        while (end < text.size() && isWord(text[end]))
            ++end;
        const bool name = end > i && !std::isdigit(static_cast<unsigned char>(text[i]));
        length += name ? kName : std::max<size_t>(end - i, 1);
        i = std::max(end, i + 1);
    }
    return length;
}

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

bool onlySizes(const Sym& sym) {
    const std::vector<ir::Var> variables = sym.variables();
    return std::all_of(variables.begin(), variables.end(), [](ir::Var v) { return v.kind == 's'; });
}

/// The bound of a variable whose extent is known only when the kernel runs.
constexpr int64_t kVeryMany = int64_t{1} << 31;

} // namespace

KernelNames::KernelNames(const KernelProgram& p, const LoopTree& tree, std::vector<Axis> joined)
    : program(p), rows(std::move(joined)) {
    for (const Axis& axis : tree.axes)
        if (std::find(rows.begin(), rows.end(), axis) == rows.end()) others.push_back(axis);
    auto isInner = [&](AxisId id) { return tree.axis(id).variable == innerVar(); };
    for (const TreeLocal& local : tree.locals)
        perElement.push_back(std::any_of(local.axes.begin(), local.axes.end(), isInner));
    visitSteps(tree, tree.root, [&](const Step& step, const std::vector<StepId>& open) {
        const bool inside = std::any_of(open.begin(), open.end(), [&](StepId id) {
            return has(tree.step(id).places, Place::Vector);
        });
        if (defines(step.kind) && inside)
            for (LocalId local : step.locals)
                perElement[local.index] = true;
    });
}

Sym KernelNames::extentOf(ir::Var variable) const {
    for (const auto* axes : {&rows, &others})
        for (const Axis& axis : *axes)
            if (axis.variable == variable) return axis.extent;
    Sym count(1);
    for (const Axis& axis : rows)
        count = count * axis.extent;
    return count;
}

int64_t KernelNames::sizeOf(ir::Var variable) const {
    if (variable.kind == 's') return kVeryMany;
    const Sym extent = extentOf(variable);
    return extent.isConst() ? extent.constant() : kVeryMany;
}

std::string KernelNames::nameOf(ir::Var variable) {
    if (variable == innerVar()) return "i";
    if (variable == kRow || (rows.size() == 1 && rows[0].variable == variable)) return "row";
    return variable.str();
}

IndexText KernelNames::indices() {
    return IndexText([this](ir::Var v) { return nameOf(v); },
                     [this](ir::Var v) { return sizeOf(v); });
}

Sym KernelNames::byRow(const Sym& sym) const {
    if (rows.size() < 2 || sym.isConst()) return sym;
    Sym rest = sym, expected(0);
    for (size_t k = rows.size(); k-- > 0;) {
        const Sym variable = rows[k].variable;
        const auto coefficient = sym.coefficient(rows[k].variable);
        if (!coefficient || !onlySizes(*coefficient)) return sym;
        const bool last = k + 1 == rows.size();
        if (last)
            expected = *coefficient;
        else if (!rows[k].extent.is(1) && !rows[k].extent.is(0) && !(*coefficient == expected))
            return sym;
        expected = expected * rows[k].extent;
        rest = rest - *coefficient * variable;
    }
    return rest + *sym.coefficient(rows.back().variable) * Sym(kRow);
}

std::string KernelNames::vectorOf(DType dtype) {
    usedVectors.insert(dtype);
    return vectorType(dtype, lanes);
}

std::string combined(ReduceOp op, const std::string& a, const std::string& b) {
    switch (op) {
    case ReduceOp::Sum:
        return fmt::format("{} + {}", a, b);
    case ReduceOp::Prod:
        return fmt::format("{} * {}", a, b);
    case ReduceOp::Any:
        return fmt::format("{} | {}", a, b);
    case ReduceOp::All:
        return fmt::format("{} & {}", a, b);
    case ReduceOp::Max:
    case ReduceOp::ArgMax:
        return fmt::format("math::max({}, {})", a, b);
    case ReduceOp::Min:
    case ReduceOp::ArgMin:
        return fmt::format("math::min({}, {})", a, b);
    case ReduceOp::Welford:
        break;
    }
    return {};
}

std::string_view updating(ReduceOp op) {
    switch (op) {
    case ReduceOp::Sum:
        return "add";
    case ReduceOp::Prod:
        return "prod";
    case ReduceOp::Max:
        return "max";
    case ReduceOp::Min:
        return "min";
    default:
        throw std::logic_error(fmt::format("{} is not accumulated in memory", kernel::text(op)));
    }
}

Expressions::Expressions(KernelNames& kernel, const std::vector<ExprId>& roots, bool inner,
                         Lines& before, Lines& body, std::string lanes)
    : kernel_(kernel), inner_(inner), before_(before), body_(body), lanes_(std::move(lanes)),
      loop_(*kernel.block),
      varying_(kernel.program.loops, innerVar(),
               [&kernel](LocalId local) { return kernel.perElement[local.index]; }, false) {
    for (ExprId root : roots)
        count(root);
}

void Expressions::count(ExprId root) {
    ++uses_[root];
    pool().visit(root, [&](ExprId id, const Expr& e) {
        if (depth_.contains(id)) return;
        int below = 0;
        auto use = [&](ExprId operand) {
            ++uses_[operand];
            below = std::max(below, depth_.at(operand));
        };
        for (ExprId arg : e.args)
            use(arg);
        for (const Coord& coord : e.coords)
            if (coord.indirect.valid()) use(coord.indirect);
        depth_[id] = below + 1;
    });
}

std::string Expressions::scalar(ExprId id, BufferId from) {
    from_ = from;
    nameDeepParts(id, false);
    return value(id, false).text;
}

std::string Expressions::vector(ExprId id, BufferId from) {
    from_ = from;
    nameDeepParts(id, true);
    return operand(id, 0, true, true);
}

bool Expressions::deep(ExprId id) const {
    return depth_.at(id) % kDeep == 0;
}

/// The deepest first, so that value() meets a name after at most kDeep steps.
void Expressions::nameDeepParts(ExprId root, bool vector) {
    if (depth_.at(root) <= kDeep) return;
    pool().visit(root, [&](ExprId id, const Expr&) {
        if (deep(id)) value(id, vector && varying(id));
    });
}

/// Text of an operand, in parentheses when it binds less than \p precedence. In vector text, a
/// uniform operand stays a scalar (which arithmetic signs accept) unless \p spread.
std::string Expressions::operand(ExprId id, int precedence, bool vector, bool spread) {
    const bool uniform = vector && !varying(id);
    const Value v = value(id, vector && !uniform);
    if (uniform && spread) return "splat(" + v.text + ")";
    return v.precedence < precedence ? "(" + v.text + ")" : v.text;
}

Expressions::Value Expressions::bind(ExprId id, const std::string& wanted, DType dtype,
                                     const std::string& text, bool vector, bool exact) {
    Scope& scope = vector ? loop_ : *kernel_.block;
    const std::string name = exact ? wanted : scope.unique(wanted);
    const std::string type = vector ? kernel_.vectorOf(dtype) : scalarType(dtype);
    Lines& lines = vector || !inner_ ? body_ : before_;
    const LinePtr line = lines.add(fmt::format("const {} {} = {};", type, name, text), {from_});
    bindings_[{id, vector}] = {name, line};
    return {name, kPrimary};
}

Expressions::Value Expressions::value(ExprId id, bool vector) {
    if (auto found = bindings_.find({id, vector}); found != bindings_.end()) {
        found->second.line->from.insert(from_);
        return {found->second.name, kPrimary};
    }
    base::tick();
    const Expr& e = pool()[id];
    if (e.kind == ExprKind::Constant) return {literal(e.dtype, e.value, e.integer), kUnary};
    if (e.kind == ExprKind::Local) return localValue(id, e, vector);
    if (e.kind == ExprKind::Load) return load(id, e, vector);
    if (e.kind == ExprKind::Check) return bind(id, "checked", e.dtype, check(e, vector), vector);
    Value v = leaf(id, e, vector);
    // Named: what is used again, what is long or deep, and what can be computed before the loop.
    const bool hoist = inner_ && !vector;
    if (uses_[id] > 1 || hoist || length(v.text) > kLongText || deep(id))
        return bind(id, fmt::format("t{}", kernel_.temporaries++), e.dtype, v.text, vector);
    return v;
}

Expressions::Value Expressions::leaf(ExprId, const Expr& e, bool vector) {
    if (e.kind == ExprKind::Index) {
        const Sym sym = kernel_.byRow(e.index);
        return {vector ? kernel_.indices().vector(sym) : kernel_.indices().scalar(sym), kSum};
    }
    return e.kind == ExprKind::Cast ? cast(e, vector) : operation(e, vector);
}

Expressions::Value Expressions::localValue(ExprId id, const Expr& e, bool vector) {
    const LocalAccess& access = kernel_.locals[e.local.index];
    if (definedHere(e.local)) return {access.name, kPrimary};
    if (!vector && !access.address.empty())
        return {fmt::format("{}[{}]", access.address, kernel_.indices().scalar(access.index)),
                kPrimary};
    if (!vector) return {access.name, kPrimary};
    if (!access.address.empty())
        return bind(id, access.name, e.dtype,
                    fmt::format("load({}{})",
                                plus(access.address, kernel_.indices().scalar(access.index)),
                                lanes_),
                    true, true);
    const Value first = bind(id, access.name, e.dtype,
                             fmt::format("load({} + i{})", access.parts, lanes_), true, true);
    // One partial result a thread.
    LinePtr& line = bindings_[{id, true}].line;
    line->text.erase(line->text.find("const "), 6);
    body_.add("for (long part = 1; part < threads; ++part)", {from_});
    body_.add("    " + fmt::format("{} = {};", first.text,
                                   combined(access.reduce, first.text,
                                            fmt::format("load({} + {} * part + i{})", access.parts,
                                                        access.columns, lanes_))),
              {from_});
    return first;
}

/// A check is a line of its own: every element of the loop makes it, whatever is chosen later.
std::string Expressions::check(const Expr& e, bool vector) {
    const Check& check = kernel_.program.loops.check(e.check);
    const std::string value = operand(e.args[0], 0, vector, true);
    const std::string faults = fmt::format("faults, {}{}", e.check.index + 1, vector ? lanes_ : "");
    return check.kind == Check::Kind::Index
               ? fmt::format("check_index({}, {}, {})", value, kernel_.indices().scalar(check.size),
                             faults)
               : fmt::format("check_divisor({}, {})", value, faults);
}

std::string Expressions::within(const Buffer& buffer, size_t dimension, const Coord& coord,
                                bool vector) {
    return fmt::format("within({}, {})", operand(coord.indirect, 0, vector, false),
                       kernel_.indices().scalar(buffer.sizes[dimension]));
}

std::string Expressions::address(const Buffer& buffer, const std::vector<Coord>& coords,
                                 bool vector, bool& uniform) {
    Sym plain(0);
    std::vector<std::string> scalars, vectors;
    for (size_t k = 0; k < coords.size(); ++k) {
        const Coord& coord = coords[k];
        const Sym& stride = buffer.strides[k];
        if (!coord.indirect.valid()) {
            plain = plain + coord.index * stride;
            continue;
        }
        const bool wide = vector && varying(coord.indirect);
        const std::string index = within(buffer, k, coord, wide);
        const std::string scaled =
            stride.is(1)       ? index
            : stride.isConst() ? fmt::format("{}L * {}", stride.constant(), index)
                               : fmt::format("({}) * {}", kernel_.indices().scalar(stride), index);
        (wide ? vectors : scalars).push_back(scaled);
    }
    const Sym sym = kernel_.byRow(plain);
    std::string text;
    uniform = vectors.empty();
    if (vector && sym.dependsOn(innerVar())) {
        uniform = false;
        text = kernel_.indices().vector(sym);
    } else if (!sym.is(0) || (scalars.empty() && vectors.empty())) {
        text = kernel_.indices().scalar(sym);
    }
    for (const auto* group : {&scalars, &vectors})
        for (const std::string& term : *group)
            text += (text.empty() ? "" : " + ") + term;
    return text;
}

/// The place of the first lane where lanes lie one after the other; computed coordinates may be
/// part of it as long as they are the same for all lanes.
std::optional<std::string> Expressions::contiguous(const Buffer& buffer,
                                                   const std::vector<Coord>& coords) {
    Sym plain(0);
    for (size_t k = 0; k < coords.size(); ++k) {
        if (!coords[k].indirect.valid())
            plain = plain + coords[k].index * buffer.strides[k];
        else if (varying(coords[k].indirect))
            return std::nullopt;
    }
    const auto step = kernel_.byRow(plain).coefficient(innerVar());
    if (!step || !step->is(1)) return std::nullopt;
    bool uniform = true;
    return address(buffer, coords, false, uniform);
}

/// An element of memory in its compute dtype.
Expressions::Value Expressions::element(const Buffer& buffer, const std::string& index) const {
    const std::string text = fmt::format("{}[{}]", kernel_.pointers.at(buffer.id), index);
    if (!ir::isStorageOnly(buffer.dtype)) return {text, kPrimary};
    return {fmt::format("({}){}", scalarType(ir::computeType(buffer.dtype)), text), kUnary};
}

Expressions::Value Expressions::load(ExprId id, const Expr& e, bool vector) {
    const Buffer& buffer = kernel_.program.loops.buffer(e.buffer);
    const std::string& pointer = kernel_.pointers.at(e.buffer);
    bool uniform = true;
    if (!vector) {
        const Value v = element(buffer, address(buffer, e.coords, false, uniform));
        if (!inner_ && uses_[id] <= 1 && !deep(id)) return v;
        return bind(id, buffer.name, e.dtype, v.text, false);
    }
    if (const auto place = contiguous(buffer, e.coords))
        return bind(id, buffer.name, e.dtype,
                    fmt::format("{}({}{})", kernel_.prefetch ? "load_ahead" : "load",
                                plus(pointer, *place), lanes_),
                    true);
    const std::string index = address(buffer, e.coords, true, uniform);
    return bind(id, buffer.name, e.dtype, fmt::format("gather({}, {}{})", pointer, index, lanes_),
                true);
}

void Expressions::store(const Step& s, const std::string& value, bool stream) {
    const Buffer& buffer = kernel_.program.loops.buffer(s.target);
    const std::string& pointer = kernel_.pointers.at(s.target);
    const bool adds = s.store == StoreKind::Accumulate;
    const DType dtype = buffer.dtype;
    // Sums of truth values are "or", in memory and in lanes.
    const ReduceOp op =
        dtype == DType::Bool && s.reduce == ReduceOp::Sum ? ReduceOp::Any : s.reduce;
    bool uniform = true;
    if (!inner_ && s.conflict == Conflict::Atomic) {
        const std::string index = address(buffer, s.coords, false, uniform);
        body_.add(fmt::format("atomic_{}({}, {});", updating(s.reduce), plus(pointer, index), value),
                  {s.from});
        return;
    }
    if (!inner_) {
        const std::string place =
            fmt::format("{}[{}]", pointer, address(buffer, s.coords, false, uniform));
        const std::string old = element(buffer, address(buffer, s.coords, false, uniform)).text;
        const std::string text =
            adds ? fmt::format("({})({})", scalarType(dtype), combined(op, old, "(" + value + ")"))
                 : value;
        body_.add(fmt::format("{} = {};", place, text), {s.from});
        return;
    }
    if (const auto place = contiguous(buffer, s.coords)) {
        const std::string at = plus(pointer, *place);
        const std::string text =
            adds ? combined(op, fmt::format("load({}{})", at, lanes_), "(" + value + ")") : value;
        body_.add(fmt::format("{}({}, {}{});", stream ? "stream" : "store", at, text, lanes_),
                  {s.from});
        return;
    }
    std::string index = address(buffer, s.coords, true, uniform);
    if (uniform) index = fmt::format("splat((long)({}))", index);
    const std::string text =
        adds ? combined(op, fmt::format("gather({}, {}{})", pointer, index, lanes_),
                        "(" + value + ")")
             : value;
    body_.add(fmt::format("scatter({}, {}, {}{});", pointer, index, text, lanes_), {s.from});
}

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

/// A vector comparison has lanes as wide as its operands; a boolv has lanes as wide as int.
Expressions::Value Expressions::comparison(const Expr& e, std::string_view sign, bool vector) {
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
    const DType from = pool()[e.args[0]].dtype;
    const int precedence = from == DType::Bool || e.dtype == DType::Bool ? kShift : 0;
    return {converted(operand(e.args[0], precedence, vector, true), from, e.dtype, vector), kUnary};
}

} // namespace cutaway::codegen::cpp
