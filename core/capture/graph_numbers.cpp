// SPDX-License-Identifier: Apache-2.0
#include "core/capture/graph_numbers.h"

#include "core/capture/capture.h"
#include "core/capture/control_flow.h"
#include "core/capture/settings.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace cutaway::capture {

namespace {

using ir::DType;

bool isNumber(const Val& v) {
    return v.isNumber() || v.is(Kind::Number) || v.is(Kind::Symbol);
}

/// The dtype that holds numbers of this type: bool, int64 or float64.
DType dtypeOf(const Val& v) {
    if (auto* number = v.to<NumberObj>()) return number->dtype();
    return v.isBool() ? DType::Bool : v.isFloat() ? DType::Float64 : DType::Int64;
}

Val asTensor(Interp& in, const Val& v, DType dtype, ir::Device device) {
    if (auto* number = v.to<NumberObj>())
        return moveTo(in, convertTo(in, number->tensor.val(), dtype), device);
    return in.world().number(v, dtype, device);
}

ir::Device deviceOf(const Val& a, const Val& b) {
    return (a.is(Kind::Number) ? a : b).as<NumberObj>()->tensor->type().device;
}

Val made(Interp& in, const Val& tensor) {
    return Val(in.make<NumberObj>(Ref<TensorObj>(tensor.as<TensorObj>())));
}

const char* operationOf(BinaryOp op) {
    switch (op) {
    case BinaryOp::Add:
        return "add";
    case BinaryOp::Sub:
        return "sub";
    case BinaryOp::Mul:
        return "mul";
    case BinaryOp::Div:
        return "div";
    case BinaryOp::FloorDiv:
        return "floor_divide";
    case BinaryOp::Mod:
        return "remainder";
    case BinaryOp::Pow:
        return "pow";
    case BinaryOp::And:
        return "bitwise_and";
    case BinaryOp::Or:
        return "bitwise_or";
    case BinaryOp::Xor:
        return "bitwise_xor";
    default:
        return nullptr;
    }
}

/// Whether the operator of Python is the operation for all values of such an operand: it raises
/// nothing and stays in its type.
bool sameAsOperation(BinaryOp op, const Val& a, const Val& b, bool floats) {
    switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
        return true;
    case BinaryOp::Div:
        if (b.is(Kind::Number) && b.as<NumberObj>()->positive) return true;
        [[fallthrough]];
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
        return b.isNumber() && b.asFloat() != 0;
    case BinaryOp::Pow:
        if (!a.is(Kind::Number)) // grows beyond no float
            return a.isFloat() && a.asFloat() > 0 && a.asFloat() <= 1 &&
                   b.as<NumberObj>()->positive;
        return (b.isIntegral() && b.asInt() >= 0) ||
               (b.isNumber() && a.as<NumberObj>()->positive && floats);
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
        return !floats;
    default:
        return false;
    }
}

std::optional<double> knownOf(const Val& v) {
    if (v.isNumber()) return v.asFloat();
    auto* number = v.to<NumberObj>();
    return number ? number->known : std::nullopt;
}

bool isPositive(const Val& v) {
    auto* number = v.to<NumberObj>();
    return number ? number->positive : v.asFloat() > 0;
}

/// What \p op makes of numbers that follow from sizes is one, too.
void noteKnown(Interp& in, NumberObj& result, BinaryOp op, const Val& a, const Val& b) {
    const std::optional<double> x = knownOf(a), y = knownOf(b);
    if (!x || !y || result.dtype() != DType::Float64) return;
    const Val known = in.binary(op, Val::real(*x), Val::real(*y));
    if (!known.isFloat()) return;
    result.known = known.asFloat();
    for (const Val* side : {&a, &b})
        if (auto* number = side->to<NumberObj>())
            result.sizes.insert(result.sizes.end(), number->sizes.begin(), number->sizes.end());
    result.positive = op != BinaryOp::Sub && op != BinaryOp::Mod && op != BinaryOp::FloorDiv &&
                      isPositive(a) && (isPositive(b) || op == BinaryOp::Pow);
}

/// \p v as a number of the graph, where that can be: for a backend of the script within a call that is
/// written down.
Val ofSize(Interp& in, const Val& v) {
    auto* symbol = v.to<SymbolObj>();
    if (!symbol || !in.capture() || (in.capture()->calls && !in.capture()->calls->busy()))
        return {};
    Val number = made(in, in.world().number(v, DType::Float64, {}));
    auto& made = *number.as<NumberObj>();
    made.known = static_cast<double>(in.capture()->graph.shapes->hint(symbol->size));
    made.sizes = {symbol->size};
    made.positive = in.capture()->graph.shapes->known(ir::less(0, symbol->size));
    return number;
}

/// Whether \p v follows from sizes and goes to a GPU, which would wait for it: a constant there.
bool isFixedOn(const Val& v, const ir::Device& device) {
    auto* number = v.to<NumberObj>();
    return number && number->known && device.isCuda();
}

/// \p number as a tensor without dimensions for an operation beside a tensor of \p type, whose
/// dtype decides as beside any number.
Val besideTensor(Interp& in, const NumberObj& number, ir::TensorType type) {
    const DType own = number.dtype();
    const bool fits = own == DType::Float64 ? ir::isFloating(type.dtype)
                                            : own == DType::Bool || type.dtype != DType::Bool;
    const DType dtype = fits ? type.dtype : own == DType::Float64 ? in.defaultDType() : own;
    return moveTo(in, convertTo(in, number.tensor.val(), dtype), type.device);
}

Val ofTensors(Interp& in, BinaryOp op, const Val& a, const Val& b) {
    const bool second = b.is(Kind::Number);
    const auto& number = *(second ? b : a).as<NumberObj>();
    auto& tensor = *(second ? a : b).as<TensorObj>();
    const ir::TensorType type = in.world().type(tensor);
    if (isFixedOn(second ? b : a, type.device))
        return second ? in.binary(op, a, in.plain(b)) : in.binary(op, in.plain(a), b);
    // A number keeps its bits beside a tensor of 16 bits, and the result is rounded once.
    const bool half = type.dtype == DType::Float16 || type.dtype == DType::BFloat16;
    if (half && number.dtype() == DType::Float64) {
        const DType narrow = type.dtype;
        const Val wide = convertTo(in, Val(&tensor), DType::Float32);
        const Val result = second ? ofTensors(in, op, wide, b) : ofTensors(in, op, a, wide);
        return convertTo(in, result, narrow);
    }
    const Val beside = besideTensor(in, number, type);
    return second ? in.binary(op, a, beside) : in.binary(op, beside, b);
}

} // namespace

Val graphNumber(Interp& in, TensorObj& t) {
    const ir::TensorType type = in.world().type(t);
    const DType dtype = type.dtype == DType::Bool    ? DType::Bool
                        : ir::isFloating(type.dtype) ? DType::Float64
                                                     : DType::Int64;
    Val v(&t);
    if (type.requiresGrad) v = in.operation("detach", {v});
    if (type.rank() != 0) v = in.operation("reshape", {v, in.list({})});
    // Never a view: the number stays when the tensor changes.
    v = type.dtype == dtype ? in.operation("clone", {v}) : convertTo(in, v, dtype);
    return made(in, v);
}

Val graphBinary(Interp& in, BinaryOp op, const Val& a, const Val& b) {
    if (a.is(Kind::Tensor) || b.is(Kind::Tensor)) return ofTensors(in, op, a, b);
    if (!isNumber(a) || !isNumber(b) || !operationOf(op)) return {};
    const DType x = dtypeOf(a), y = dtypeOf(b);
    const bool floats = x == DType::Float64 || y == DType::Float64;
    if (!sameAsOperation(op, a, b, floats)) return {};
    const bool bits = op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor;
    const DType dtype = floats || op == BinaryOp::Div                  ? DType::Float64
                        : bits && x == DType::Bool && y == DType::Bool ? DType::Bool
                                                                       : DType::Int64;
    const ir::Device device = deviceOf(a, b);
    const Val result = made(in, in.operation(operationOf(op), {asTensor(in, a, dtype, device),
                                                               asTensor(in, b, dtype, device)}));
    noteKnown(in, *result.as<NumberObj>(), op, a, b);
    return result;
}

Val sizeBinary(Interp& in, BinaryOp op, const Val& a, const Val& b) {
    const bool floats = a.isFloat() || b.isFloat() || op == BinaryOp::Div ||
                        (op == BinaryOp::Pow && b.isIntegral() && b.asInt() < 0);
    if (!floats || !isNumber(a) || !isNumber(b)) return {};
    const Val x = a.is(Kind::Symbol) ? ofSize(in, a) : a,
              y = b.is(Kind::Symbol) ? ofSize(in, b) : b;
    return x.bound() && y.bound() ? graphBinary(in, op, x, y) : Val();
}

Val rootOfSize(Interp& in, const Val& v) {
    const Val x = v.is(Kind::Symbol) ? ofSize(in, v) : v;
    auto* number = x.bound() ? x.to<NumberObj>() : nullptr;
    if (!number || !number->known || !number->positive) return {};
    const Val result = made(in, in.operation("sqrt", {Val(number->tensor.get())}));
    auto& root = *result.as<NumberObj>();
    root.known = std::sqrt(*number->known);
    root.sizes = number->sizes;
    root.positive = true;
    return result;
}

Val floatOfSize(Interp& in, const Val& v) {
    return ofSize(in, v);
}

Val graphCompare(Interp& in, CompareOp op, const Val& a, const Val& b) {
    static constexpr const char* kOperations[] = {"lt", "le", "eq", "ne", "gt", "ge"};
    static constexpr CompareOp kMirrored[] = {CompareOp::Greater, CompareOp::GreaterEqual,
                                              CompareOp::Equal,   CompareOp::NotEqual,
                                              CompareOp::Less,    CompareOp::LessEqual};
    const char* operation = kOperations[static_cast<size_t>(op)];
    if (knownOf(a) && knownOf(b)) return in.compare(op, in.plain(a), in.plain(b));
    if (a.is(Kind::Tensor) || b.is(Kind::Tensor)) {
        const Val& tensor = a.is(Kind::Tensor) ? a : b;
        const ir::Device place = in.world().type(*tensor.as<TensorObj>()).device;
        if (isFixedOn(a, place) || isFixedOn(b, place))
            return in.compare(op, a.is(Kind::Number) ? in.plain(a) : a,
                              b.is(Kind::Number) ? in.plain(b) : b);
        auto of = [&](const Val& v, const Val& other) {
            auto* number = v.to<NumberObj>();
            return number ? besideTensor(in, *number, in.world().type(*other.as<TensorObj>())) : v;
        };
        return in.operation(operation, {of(a, b), of(b, a)});
    }
    if (!isNumber(a) || !isNumber(b)) {
        if (op == CompareOp::Equal || op == CompareOp::NotEqual)
            return Val::boolean(op == CompareOp::NotEqual);
        return {};
    }
    if (b.is(Kind::Number) && !a.is(Kind::Number))
        return graphCompare(in, kMirrored[static_cast<size_t>(op)], b, a);
    Capture& capture = *in.capture();
    const bool whole = dtypeOf(a) != DType::Float64 && b.isIntegral();
    if (whole)
        if (std::optional<bool> known = capture.answer(*a.as<NumberObj>(), op, b.asInt()))
            return Val::boolean(*known);
    const DType dtype = dtypeOf(a) == DType::Float64 || dtypeOf(b) == DType::Float64
                            ? DType::Float64
                            : DType::Int64;
    const ir::Device device = deviceOf(a, b);
    Val result = made(in, in.operation(operation, {asTensor(in, a, dtype, device),
                                                   asTensor(in, b, dtype, device)}));
    if (b.isNumber())
        capture.noteOrder(*result.as<NumberObj>(), *a.as<NumberObj>(), op, b.asFloat());
    if (whole) capture.noteComparison(*result.as<NumberObj>(), *a.as<NumberObj>(), op, b.asInt());
    return result;
}

Val graphNegative(Interp& in, const NumberObj& x) {
    const DType dtype = x.dtype() == DType::Bool ? DType::Int64 : x.dtype();
    Val result = made(in, in.operation("neg", {convertTo(in, x.tensor.val(), dtype)}));
    if (x.known) result.as<NumberObj>()->known = -*x.known;
    result.as<NumberObj>()->sizes = x.sizes;
    return result;
}

Val graphConverted(Interp& in, const NumberObj& x, DType dtype) {
    if (x.known && dtype == DType::Float64) return Val(const_cast<NumberObj*>(&x));
    return made(in, convertTo(in, x.tensor.val(), dtype));
}

Val graphExtreme(Interp& in, bool greatest, const Val& a, const Val& b) {
    if (a.isNumber() && b.isNumber())
        return in.truthy(in.compare(greatest ? CompareOp::Less : CompareOp::Greater, a, b)) ? b : a;
    if (!isNumber(a) || !isNumber(b)) return {};
    const auto of = [&](const Val& v) { return v.is(Kind::Symbol) ? ofSize(in, v) : v; };
    const Val x = of(a), y = of(b);
    if (!x.bound() || !y.bound()) return {};
    const bool floats = dtypeOf(x) == DType::Float64 || dtypeOf(y) == DType::Float64;
    const DType dtype = floats ? DType::Float64 : DType::Int64;
    const ir::Device device = deviceOf(x, y);
    const Val first = asTensor(in, x, dtype, device), second = asTensor(in, y, dtype, device);
    // The second where it is beyond the first, as Python's own.
    const Val beyond =
        greatest ? in.operation("lt", {first, second}) : in.operation("lt", {second, first});
    Val result = made(in, in.operation("where", {beyond, second, first}));
    const std::optional<double> left = knownOf(x), right = knownOf(y);
    if (!left || !right || !floats) return result;
    auto& number = *result.as<NumberObj>();
    number.known = greatest ? std::max(*left, *right) : std::min(*left, *right);
    number.positive = greatest ? isPositive(x) || isPositive(y) : isPositive(x) && isPositive(y);
    for (const Val* side : {&x, &y})
        if (auto* known = side->to<NumberObj>())
            number.sizes.insert(number.sizes.end(), known->sizes.begin(), known->sizes.end());
    return result;
}

Val graphMagnitude(Interp& in, const NumberObj& x) {
    const DType dtype = x.dtype() == DType::Bool ? DType::Int64 : x.dtype();
    Val result = made(in, in.operation("abs", {convertTo(in, x.tensor.val(), dtype)}));
    auto& number = *result.as<NumberObj>();
    if (x.known) number.known = std::abs(*x.known);
    number.sizes = x.sizes;
    number.positive = x.positive;
    return result;
}

Val graphFunction(Interp& in, const Val& v, const char* operation, double (*function)(double)) {
    const Val x = v.is(Kind::Symbol) ? ofSize(in, v) : v;
    auto* number = x.bound() ? x.to<NumberObj>() : nullptr;
    // Of an infinity Python raises: a float that a call gives is none.
    if (!number || number->dtype() != DType::Float64 ||
        !(number->known || in.capture()->isFloatInput(*number)))
        return {};
    const Val result = made(in, in.operation(operation, {Val(number->tensor.get())}));
    if (number->known) result.as<NumberObj>()->known = function(*number->known);
    result.as<NumberObj>()->sizes = number->sizes;
    return result;
}

/// Whether an elementwise operation has overloads with a tensor where others have a number.
static bool takesTensorForNumber(std::string_view base) {
    const auto overloads = ops::overloadsOf(base);
    const auto has = [&](size_t place, std::string_view type) {
        return std::ranges::any_of(overloads, [&](const ops::OpDef* def) {
            return place < def->parsed.args.size() && def->parsed.args[place].type == type;
        });
    };
    if (overloads.empty() || overloads.front()->category > ops::Category::Selection) return false;
    size_t places = 0;
    for (const ops::OpDef* def : overloads)
        places = std::max(places, def->parsed.args.size());
    for (size_t place = 0; place < places; ++place)
        if (has(place, "Tensor") && has(place, "Scalar")) return true;
    return false;
}

/// What an operation multiplies one of its operands by.
struct Scale {
    std::string_view operations, name;
    size_t operand;
};
static constexpr Scale kScales[] = {
    {" add sub subtract ", "alpha", 1}, {" rsub ", "alpha", 0}, {" addcmul addcdiv ", "value", 1}};

/// Multiplies operands by such numbers, where both are floats of 32 bits and more.
static void scaleOperands(Interp& in, const std::string& base, std::vector<Val>& positional,
                          std::vector<std::pair<StrObj*, Val>>& keywords) {
    for (const Scale& scale : kScales) {
        if (scale.operations.find(" " + base + " ") == std::string_view::npos) continue;
        const auto given = std::ranges::find_if(keywords, [&](const auto& keyword) {
            return keyword.first->text == scale.name && keyword.second.is(Kind::Number);
        });
        if (given == keywords.end() || positional.size() <= scale.operand) continue;
        Val &operand = positional[scale.operand], &self = positional[0];
        if (!self.is(Kind::Tensor) || !(operand.is(Kind::Tensor) || operand.isNumber())) continue;
        const ir::TensorType type = in.world().type(*self.as<TensorObj>());
        const bool same = !operand.is(Kind::Tensor) ||
                          in.world().type(*operand.as<TensorObj>()).dtype == type.dtype;
        if (!same || !ir::isFloating(type.dtype) || ir::sizeBytes(type.dtype) < 4) continue;
        const Val factor = besideTensor(in, *given->second.as<NumberObj>(), type);
        operand = in.binary(BinaryOp::Mul, operand, factor);
        keywords.erase(given);
    }
}

/// The dtype and device that an operation is asked for, before what is given; none: something else is.
static std::optional<std::pair<DType, ir::Device>>
wantedPlace(DType dtype, ir::Device device, const std::vector<std::pair<StrObj*, Val>>& keywords) {
    for (const auto& [name, value] : keywords) {
        if (value.isNone()) continue;
        if (name->text == "dtype" && value.tag() == Tag::DType)
            dtype = value.asDType();
        else if (name->text == "device" && value.tag() == Tag::Device)
            device = value.asDevice();
        else
            return std::nullopt;
    }
    return std::pair(dtype, device);
}

/// An operation whose number no overload takes as a tensor, as others that do; unbound for others.
Val graphOperation(Interp& in, const std::string& base, const std::vector<Val>& positional,
                   const std::vector<std::pair<StrObj*, Val>>& keywords) {
    if (base == "scalar_tensor" && positional.size() == 1)
        if (auto* truth = positional[0].to<TruthObj>())
            if (auto wanted = wantedPlace(in.defaultDType(), in.defaultDevice(), keywords))
                return moveTo(in, convertTo(in, tensorOfTruth(in, *truth), wanted->first),
                              wanted->second);
    auto* number = positional.size() == 2 ? positional[1].to<NumberObj>() : nullptr;
    if (!number) return {};
    if (base == "leaky_relu" && positional[0].is(Kind::Tensor)) {
        const Val& x = positional[0];
        const Val right = in.compare(CompareOp::Greater, x, Val::integer(0));
        return in.operation("where", {right, x, in.binary(BinaryOp::Mul, x, positional[1])});
    }
    if (base != "full") return {};
    const auto wanted =
        wantedPlace(number->dtype() == DType::Float64 ? in.defaultDType() : number->dtype(),
                    in.defaultDevice(), keywords);
    if (!wanted) return {};
    const auto& [dtype, device] = *wanted;
    if (number->known && device.isCuda()) return {};
    const Val one = in.world().number(positional[1], dtype, device);
    return in.operation("clone", {in.operation("expand", {one, positional[0]})});
}

bool graphArguments(Interp& in, const std::string& base, std::vector<Val>& positional,
                    std::vector<std::pair<StrObj*, Val>>& keywords) {
    auto isGraphNumber = [](const Val& v) { return v.is(Kind::Number); };
    const bool any = std::ranges::any_of(positional, isGraphNumber) ||
                     std::ranges::any_of(keywords, isGraphNumber, [](auto& k) { return k.second; });
    if (!any) return false;
    scaleOperands(in, base, positional, keywords);
    const bool taken = takesTensorForNumber(base);
    // The last tensor: a choice of where(), not its condition.
    const auto like = std::find_if(positional.rbegin(), positional.rend(),
                                   [](const Val& v) { return v.is(Kind::Tensor); });
    const Val tensor = like == positional.rend() ? Val() : *like;
    const bool choice = base == "where" && like + 1 == positional.rend();
    std::optional<ir::TensorType> type;
    if (tensor.bound()) type = in.world().type(*tensor.as<TensorObj>());
    for (size_t i = 0; i < positional.size() + keywords.size(); ++i) {
        Val& v = i < positional.size() ? positional[i] : keywords[i - positional.size()].second;
        auto* number = v.to<NumberObj>();
        if (!number) continue;
        const bool scale = i >= positional.size() && // add(x, y, alpha=number)
                           keywords[i - positional.size()].first->text == "alpha";
        const bool narrow = type && ir::sizeBytes(type->dtype) == 2 && // would be rounded first
                            number->dtype() == DType::Float64 &&
                            !in.capture()->floatsBehind(*number).empty();
        if (scale || narrow || (number->known && type && type->device.isCuda()))
            v = in.plain(v);
        else if (taken && tensor.bound() && !choice)
            v = besideTensor(in, *number, *type);
        else if (taken && choice)
            v = moveTo(
                in,
                convertTo(in, number->tensor.val(),
                          number->dtype() == DType::Float64 ? in.defaultDType() : number->dtype()),
                type->device);
        else
            v = in.plain(v);
    }
    return true;
}

Val tensorOfNumbers(Interp& in, const std::vector<Val>& values, const std::vector<int64_t>& sizes,
                    const std::optional<ir::DType>& wanted, ir::Device device) {
    DType dtype = DType::Bool;
    for (const Val& v : values) {
        const DType own = dtypeOf(v);
        if (own == DType::Float64) dtype = in.defaultDType();
        if (own == DType::Int64 && dtype == DType::Bool) dtype = own;
    }
    dtype = wanted.value_or(dtype);
    std::vector<Val> elements, shape;
    for (const Val& v : values) {
        auto* number = v.to<NumberObj>();
        in.add(elements, number ? moveTo(in, convertTo(in, number->tensor.val(), dtype), device)
                                : in.world().number(v, dtype, device));
    }
    for (int64_t size : sizes)
        shape.push_back(Val::integer(size));
    return in.operation("reshape", {in.operation("stack", {in.list(std::move(elements))}),
                                    in.list(std::move(shape))});
}

Val checkedLater(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const std::vector<Val> v = parseArguments(in, self.name, args, {"condition", "message"});
    auto* condition = v[0].to<NumberObj>();
    if (!condition) return Val::boolean(false);
    const std::string message = in.text(v[1]);
    if (TorchCalls* calls = in.torchOverrides.calls) calls->asserts(v[0], message);
    in.capture()->checkLater(*condition, message);
    return Val::boolean(true);
}

/// asserted_later(condition, message)
Val assertedLater(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const std::vector<Val> v = parseArguments(in, self.name, args, {"condition", "message"});
    return Val::boolean(in.capture() && assertedLater(in, v[0], in.text(v[1])));
}

bool assertedLater(Interp& in, const Val& v, const std::string& message) {
    Val condition = v;
    if (auto* t = v.to<TensorObj>()) {
        if (!t->fake || t->subclass) return false;
        const ir::Sym count = in.world().type(*t).numel();
        if (!count.isConst() || count.constant() != 1) return false;
        const ir::TensorType type = in.world().type(*t);
        condition =
            type.dtype == DType::Bool && type.rank() == 0 ? made(in, v) : graphNumber(in, *t);
    }
    auto* number = condition.to<NumberObj>();
    if (!number || number->known || !in.capture()->floatsBehind(*number).empty()) return false;
    if (dtypeOf(condition) != DType::Bool)
        condition = graphCompare(in, CompareOp::NotEqual, condition, Val::integer(0));
    number = condition.to<NumberObj>();
    if (!number) return false;
    if (TorchCalls* calls = in.torchOverrides.calls) calls->asserts(v, message);
    in.capture()->checkLater(*number, message);
    return true;
}

// --- what the capture knows of them ---

namespace {

/// The numbers x of which "x op value" holds.
std::optional<ir::SizeRange> rangeOf(CompareOp op, int64_t value) {
    constexpr int64_t kLeast = INT64_MIN, kMost = INT64_MAX;
    switch (op) {
    case CompareOp::Less:
        return value == kLeast ? std::nullopt : std::optional(ir::SizeRange{kLeast, value - 1});
    case CompareOp::LessEqual:
        return ir::SizeRange{kLeast, value};
    case CompareOp::Greater:
        return value == kMost ? std::nullopt : std::optional(ir::SizeRange{value + 1, kMost});
    case CompareOp::GreaterEqual:
        return ir::SizeRange{value, kMost};
    case CompareOp::Equal:
        return ir::SizeRange{value, value};
    default:
        return std::nullopt;
    }
}

} // namespace

bool Capture::readsNumbers() const {
    return noBreaks || capturesNumbers(interp_);
}

std::optional<Val> Capture::graphFloat(GuardStep load, const Val& v, const std::string& text) {
    if (!v.isFloat() || !history_ || !std::isfinite(v.asFloat())) return std::nullopt;
    if (specializesFloats(interp_)) return std::nullopt;
    history_->note(text, {std::bit_cast<int64_t>(v.asFloat())});
    const bool varies = history_->dynamic.value_or(history_->varies(text, 0));
    if (!varies || history_->isFixed(text)) return std::nullopt;
    const auto id = static_cast<int32_t>(sources_.size());
    load.slot = id;
    const int32_t parent = load.from;
    sources_.push_back({std::move(load), parent, text, false, here(), nullptr});
    guard(id, GuardStep::of(GuardStep::What::CheckFloat), "TYPE_MATCH", "is a finite float");
    auto* t = interp_.make<TensorObj>();
    const Val number(interp_.make<NumberObj>(Ref<TensorObj>(t)));
    t->madeAt = interp_.userSite();
    t->fake = std::make_unique<FakeTensor>();
    t->fake->type.dtype = DType::Float64;
    t->fake->node = graph.addPlaceholder(placeholderName(text), t->fake->type);
    graph.node(t->fake->node).inputSource = text;
    graph.node(t->fake->node).source = sourceStack();
    t->fake->capture = startSerial_;
    t->fake->aliases = std::make_shared<int>(1);
    inputs_.emplace_back(t->fake->node, id);
    floatInputs_[t->fake->node.index] = {text, id, v.asFloat()};
    byObject_.emplace(number.object(), id);
    kept_.push_back(number);
    return number;
}

std::vector<std::string> Capture::floatsBehind(const NumberObj& number) const {
    std::vector<bool> seen(graph.idLimit());
    std::vector<ir::NodeId> todo{number.tensor->fake->node};
    std::vector<std::string> found;
    while (!todo.empty()) {
        const ir::NodeId id = todo.back();
        todo.pop_back();
        if (seen[id.index]) continue;
        seen[id.index] = true;
        const ir::Node& node = graph.node(id);
        if (node.kind == ir::NodeKind::Placeholder) {
            const auto input = floatInputs_.find(id.index);
            if (input == floatInputs_.end()) return {};
            found.push_back(input->second.source);
        }
        ir::forEachNode(node.args, [&](ir::NodeId operand) { todo.push_back(operand); });
    }
    return found;
}

void Capture::wantNumber(const NumberObj& number) {
    CaptureStop stop{"the value of a number that the graph computes is needed",
                     "the graph ends here, and another one goes on with the number",
                     {},
                     {},
                     {},
                     true};
    if (std::vector<std::string> floats = floatsBehind(number); !floats.empty())
        stop.before = [history = history_, floats] {
            for (const std::string& source : floats)
                history->fix(source);
        };
    throw stop;
}

std::optional<bool> Capture::answer(const NumberObj& number, CompareOp op, int64_t value) const {
    const auto known = numberRanges_.find(number.tensor->fake->node.index);
    if (known == numberRanges_.end()) return std::nullopt;
    const ir::SizeRange range = known->second;
    if (op == CompareOp::NotEqual) {
        const std::optional<bool> equal = answer(number, CompareOp::Equal, value);
        return equal ? std::optional(!*equal) : std::nullopt;
    }
    const std::optional<ir::SizeRange> asked = rangeOf(op, value);
    if (!asked) return std::nullopt;
    if (range.least >= asked->least && range.most <= asked->most) return true;
    if (range.least > asked->most || range.most < asked->least) return false;
    return std::nullopt;
}

void Capture::noteOrder(const NumberObj& result, const NumberObj& number, CompareOp op,
                        double value) {
    if (isFloatInput(number))
        orders_[result.tensor->fake->node.index] = {number.tensor->fake->node.index, op, value};
}

std::optional<bool> Capture::decideOrder(const NumberObj& result) {
    static constexpr const char* kSigns[] = {"<", "<=", "==", "!=", ">", ">="};
    const auto order = orders_.find(result.tensor->fake->node.index);
    if (order == orders_.end()) return std::nullopt;
    const auto& [input, op, value] = order->second;
    const FloatInput& from = floatInputs_.at(input);
    const bool holds = isInOrder(op, from.value, value);
    guard(from.slot,
          GuardStep::of(GuardStep::What::CheckOrder, static_cast<int64_t>(op) * 2 + holds,
                        Val::real(value)),
          "SHAPE_ENV",
          fmt::format("{}{} {}", holds ? "" : "not ", kSigns[static_cast<size_t>(op)], value));
    return holds;
}

void Capture::noteComparison(const NumberObj& result, const NumberObj& number, CompareOp op,
                             int64_t value) {
    comparisons_[result.tensor->fake->node.index] = {number.tensor->fake->node.index, op, value};
}

void Capture::checkLater(const NumberObj& condition, std::string message) {
    wantNow();
    const uint32_t node = condition.tensor->fake->node.index;
    checks_.push_back({Val(condition.tensor.get()), std::move(message)});
    const auto compared = comparisons_.find(node);
    if (compared == comparisons_.end()) return;
    const auto& [number, op, value] = compared->second;
    const std::optional<ir::SizeRange> now = rangeOf(op, value);
    if (!now) return;
    ir::SizeRange& range =
        numberRanges_.emplace(number, ir::SizeRange{INT64_MIN, INT64_MAX}).first->second;
    range.least = std::max(range.least, now->least);
    range.most = std::min(range.most, now->most);
}

std::vector<LaterCheck> Capture::laterChecks() {
    std::vector<LaterCheck> all;
    std::set<int32_t> seen;
    const size_t others = graph.outputs.size();
    for (const auto& [tensor, message] : checks_) {
        const int32_t output = outputOf(*tensor.as<TensorObj>()->fake, "check");
        const bool only = static_cast<size_t>(output) >= others && seen.insert(output).second;
        all.push_back({output, message, only});
    }
    return all;
}

} // namespace cutaway::capture
