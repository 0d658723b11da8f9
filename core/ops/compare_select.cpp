// SPDX-License-Identifier: Apache-2.0
// Comparisons, logic, and choosing between values.
#include "core/ir/dtype_words.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/held_numbers.h"
#include "core/ops/number_argument.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

constexpr NotDifferentiable kLogic{"its result is true or false"};

template <ScalarOp op> ExprId buildCompare(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = resultDType(call, {0, 1});
    Elements e(pool, call, x);
    return pool.op(op, {e.as(0, dtype), e.as(1, dtype)});
}

template <auto F> Values compareReference(const OpCall& call, Tensors tensors) {
    return oneValue(
        broadcastMap<2>(call, tensors, {0, 1}, resultDType(call, {0, 1}), DType::Bool, F));
}

std::vector<Sample> comparePairs() {
    return {good({f32({2, 3}), f32({3})}, {T(0), T(1)}),
            good({i64({9}), i64({9})}, {T(0), T(1)}),
            good({i64({9}), f32({9})}, {T(0), T(1)}),
            good({f32({0}), f32({1})}, {T(0), T(1)}),
            good({awkward(f32({16})), awkward(f32({16}))}, {T(0), T(1)}),
            good({b8({4}), b8({})}, {T(0), T(1)})};
}
std::vector<Sample> compareScalars() {
    return {good({f32({2, 3})}, {T(0), Arg(0.5)}),
            good({i64({9})}, {T(0), I(1)}),
            good({i64({9})}, {T(0), Arg(0.5)}),
            good({f64({})}, {T(0), I(0)}),
            good({transposed(f32({3, 4}))}, {T(0), Arg(0.1)}),
            good({b8({4})}, {T(0), Arg(true)})};
}

template <ScalarOp op, auto F>
void addComparison(std::vector<OpDef>& ops, std::string_view tensorSchema,
                   std::string_view scalarSchema, OpDoc doc) {
    constexpr bool symmetric = op == ScalarOp::Eq || op == ScalarOp::Ne;
    const auto taken = symmetric ? withFloat8 : withoutFloat8;
    ops.push_back(taken({scalarSchema,
                         compareBinary,
                         kLogic,
                         Pointwise{buildCompare<op>},
                         compareReference<F>,
                         compareScalars,
                         doc,
                         {.holdsNumbers = true}}));
    ops.push_back(taken({tensorSchema,
                         compareBinary,
                         kLogic,
                         Pointwise{buildCompare<op>},
                         compareReference<F>,
                         comparePairs,
                         doc,
                         {.commutative = symmetric}}));
}

void addComparisons(std::vector<OpDef>& ops) {
    addComparison<ScalarOp::Lt, [](auto a, auto b) { return (a < b); }>(
        ops, "lt.Tensor(Tensor self, Tensor other) -> Tensor",
        "lt.Scalar(Tensor self, Scalar other) -> Tensor", {"less than", "y = a < b", "torch.lt"});
    addComparison<ScalarOp::Le, [](auto a, auto b) { return (a <= b); }>(
        ops, "le.Tensor(Tensor self, Tensor other) -> Tensor",
        "le.Scalar(Tensor self, Scalar other) -> Tensor", {"at most", "y = a <= b", "torch.le"});
    addComparison<ScalarOp::Gt, [](auto a, auto b) { return (a > b); }>(
        ops, "gt.Tensor(Tensor self, Tensor other) -> Tensor",
        "gt.Scalar(Tensor self, Scalar other) -> Tensor",
        {"greater than", "y = a > b", "torch.gt"});
    addComparison<ScalarOp::Ge, [](auto a, auto b) { return (a >= b); }>(
        ops, "ge.Tensor(Tensor self, Tensor other) -> Tensor",
        "ge.Scalar(Tensor self, Scalar other) -> Tensor", {"at least", "y = a >= b", "torch.ge"});
    addComparison<ScalarOp::Eq, [](auto a, auto b) { return (a == b); }>(
        ops, "eq.Tensor(Tensor self, Tensor other) -> Tensor",
        "eq.Scalar(Tensor self, Scalar other) -> Tensor", {"equal", "y = a == b", "torch.eq"});
    addComparison<ScalarOp::Ne, [](auto a, auto b) { return (a != b); }>(
        ops, "ne.Tensor(Tensor self, Tensor other) -> Tensor",
        "ne.Scalar(Tensor self, Scalar other) -> Tensor", {"not equal", "y = a != b", "torch.ne"});
}

// --- logic ---

template <ScalarOp op> ExprId buildLogical(ExprPool& pool, const OpCall& call, Inputs x) {
    Elements e(pool, call, x);
    return pool.op(op, {e.as(0, DType::Bool), e.as(1, DType::Bool)});
}

template <auto F> Values logicalReference(const OpCall& call, Tensors tensors) {
    // Compared as numbers first: 0.5 is true although it converts to the integer 0.
    DType dtype = resultDType(call, {0, 1});
    return oneValue(broadcastMap<2>(call, tensors, {0, 1}, dtype, DType::Bool, F));
}

template <ScalarOp op, auto F> OpDef logicalOp(std::string_view schema, OpDoc doc) {
    return {schema,
            compareBinary,
            kLogic,
            Pointwise{buildLogical<op>},
            logicalReference<F>,
            comparePairs,
            doc,
            {.commutative = true}};
}

Result<Types> bitwiseShape(const OpCall& call) {
    DType dtype = resultDType(call, {0, call.args.size() - 1});
    if (ir::isFloating(dtype))
        return refuse(call, "expected integers or bool, found " + std::string(ir::name(dtype)))
            .as(ErrorClass::NotImplemented);
    return pointwiseType(call, dtype, {0, call.args.size() - 1});
}

template <auto F> Values bitwiseReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {0, 1});
    return oneValue(broadcastMapAs<int64_t, 2>(call, tensors, {0, 1}, dtype, dtype, F));
}

std::vector<Sample> bitwiseSamples(std::string_view base) {
    return {good({b8({4}), b8({4})}, {T(0), T(1)}),
            good({i64({5}, 0, 15), i32({5}, 0, 15)}, {T(0), T(1)}),
            good({b8({0}), b8({})}, {T(0), T(1)}),
            bad({f32({2}), b8({2})}, {T(0), T(1)},
                std::string(base) + ": expected integers or bool, found float32")};
}

ExprId buildBitwiseNot(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = call.tensor(0).dtype;
    if (dtype == DType::Bool) return pool.op(ScalarOp::Not, {x[0]});
    // Two's complement: ~x = -x - 1.
    return pool.op(ScalarOp::Sub, {pool.op(ScalarOp::Neg, {x[0]}), pool.constantInt(dtype, 1)});
}

Values bitwiseNotReference(const OpCall& call, Tensors tensors) {
    bool isBool = tensors[0]->dtype == DType::Bool;
    return oneValue(broadcastMapAs<int64_t, 1>(call, tensors, {0}, DType::Int64, tensors[0]->dtype,
                                               [&](int64_t x) { return isBool ? !x : ~x; }));
}

std::vector<Sample> anyValues() {
    return {good({f32({2, 3})}, {T(0)}), good({i64({4})}, {T(0)}), good({b8({4})}, {T(0)}),
            good({awkward(f32({16}))}, {T(0)}), good({f64({0})}, {T(0)})};
}

template <auto F> Values testReference(const OpCall& call, Tensors tensors) {
    return oneValue(broadcastMap<1>(call, tensors, {0}, tensors[0]->dtype, DType::Bool, F));
}

void addLogic(std::vector<OpDef>& ops) {
    ops.push_back(logicalOp<ScalarOp::And, [](auto a, auto b) { return a != 0 && b != 0; }>(
        "logical_and(Tensor self, Tensor other) -> Tensor",
        {"true where both are not zero", "y = a and b", "torch.logical_and"}));
    ops.push_back(logicalOp<ScalarOp::Or, [](auto a, auto b) { return a != 0 || b != 0; }>(
        "logical_or(Tensor self, Tensor other) -> Tensor",
        {"true where either is not zero", "y = a or b", "torch.logical_or"}));
    ops.push_back(logicalOp<ScalarOp::Ne, [](auto a, auto b) { return (a != 0) != (b != 0); }>(
        "logical_xor(Tensor self, Tensor other) -> Tensor",
        {"true where exactly one is not zero", "y = a xor b", "torch.logical_xor"}));
    ops.push_back({"logical_not(Tensor self) -> Tensor",
                   boolUnary,
                   kLogic,
                   Pointwise{[](ExprPool& pool, const OpCall&, Inputs x) {
                       return pool.op(ScalarOp::Not, {pool.cast(DType::Bool, x[0])});
                   }},
                   testReference<[](auto x) { return x == 0; }>,
                   anyValues,
                   {"true where zero", "y = not x", "torch.logical_not"}});
    ops.push_back(
        {"bitwise_not(Tensor self) -> Tensor",
         bitwiseShape,
         kLogic,
         Pointwise{buildBitwiseNot},
         bitwiseNotReference,
         [] {
             return std::vector<Sample>{
                 good({b8({4})}, {T(0)}), good({i64({5})}, {T(0)}), good({i32({0})}, {T(0)}),
                 bad({f32({2})}, {T(0)}, "bitwise_not: expected integers or bool, found float32")};
         },
         {"bits inverted; logical not of bool", "y = ~x", "torch.bitwise_not"}});
    ops.push_back({"bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor",
                   bitwiseShape,
                   kLogic,
                   Pointwise{buildCompare<ScalarOp::And>},
                   bitwiseReference<[](int64_t a, int64_t b) { return a & b; }>,
                   [] { return bitwiseSamples("bitwise_and"); },
                   {"bitwise and; logical and of bool", "y = a & b", "torch.bitwise_and"},
                   {.commutative = true}});
    ops.push_back({"bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor",
                   bitwiseShape,
                   kLogic,
                   Pointwise{buildCompare<ScalarOp::Or>},
                   bitwiseReference<[](int64_t a, int64_t b) { return a | b; }>,
                   [] { return bitwiseSamples("bitwise_or"); },
                   {"bitwise or; logical or of bool", "y = a | b", "torch.bitwise_or"},
                   {.commutative = true}});
    ops.push_back(withFloat8({"isnan(Tensor self) -> Tensor",
                              boolUnary,
                              kLogic,
                              Pointwise{[](ExprPool& pool, const OpCall& call, Inputs x) {
                                  bool integral = ir::isIntegral(call.tensor(0).dtype);
                                  return integral ? pool.constantInt(DType::Bool, 0)
                                                  : pool.op(ScalarOp::IsNan, {x[0]});
                              }},
                              testReference<[](auto x) { return x != x; }>,
                              anyValues,
                              {"true where not a number", "y = (x != x)", "torch.isnan"}}));
}

// --- clamp ---

/// A minimum below, or a maximum above, all integers of \p dtype bounds nothing.
bool boundsNothing(const OpCall& call, size_t bound, DType dtype) {
    const auto* whole =
        bound < call.args.size() ? std::get_if<ir::Sym>(&call.args[bound]) : nullptr;
    if (!whole || !whole->isConst() || !ir::isIntegral(dtype) || ir::sizeBytes(dtype) == 8)
        return false;
    const ir::IntegerLimits limits = ir::integerLimits(dtype);
    return bound == 1 ? call.number(*whole) < limits.min : call.number(*whole) > limits.max;
}
bool bounds(const OpCall& call, size_t bound, DType dtype) {
    return call.has(bound) && !boundsNothing(call, bound, dtype);
}

Result<Types> clampShape(const OpCall& call) {
    if (!call.has(1) && !call.has(2)) return refuse(call, "expected min or max, found neither");
    const DType dtype = resultDType(call, {0, 1, 2});
    for (size_t bound = 1; bound < call.args.size(); ++bound) {
        if (boundsNothing(call, bound, dtype)) continue;
        CUTAWAY_CHECK(wantHeld(call, bound, dtype));
        const auto* whole = std::get_if<ir::Sym>(&call.args[bound]);
        if (whole && whole->isConst() &&
            asElement(dtype, call.number(*whole)) != call.number(*whole))
            return base::userError({}, ir::notHeld(dtype));
    }
    return pointwiseType(call, dtype, {0, 1, 2});
}

ExprId buildClamp(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = resultDType(call, {0, 1, 2});
    Elements e(pool, call, x);
    // Numbers that arrive as tensors may lie outside a narrow dtype: they are compared as they are.
    const bool wide =
        ir::isIntegral(dtype) && ir::sizeBytes(dtype) < 8 && (call.isTensor(1) || call.isTensor(2));
    const DType compute = wide ? DType::Int64 : dtype;
    ExprId value = e.as(0, compute);
    if (bounds(call, 1, dtype)) value = pool.op(ScalarOp::Max, {value, e.as(1, compute)});
    if (bounds(call, 2, dtype)) value = pool.op(ScalarOp::Min, {value, e.as(2, compute)});
    return wide ? pool.cast(dtype, value) : value;
}

Values clampReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {0, 1, 2});
    const bool low = bounds(call, 1, dtype), high = bounds(call, 2, dtype);
    if (!low && !high) return oneValue(ir::HostTensor(*tensors[0]));
    constexpr auto atLeast = [](auto v, auto low) { return low != low || v < low ? low : v; };
    constexpr auto atMost = [](auto v, auto high) { return high != high || v > high ? high : v; };
    if (!high) return oneValue(broadcastMap<2>(call, tensors, {0, 1}, dtype, dtype, atLeast));
    if (!low) return oneValue(broadcastMap<2>(call, tensors, {0, 2}, dtype, dtype, atMost));
    return oneValue(
        broadcastMap<3>(call, tensors, {0, 1, 2}, dtype, dtype, [=](auto v, auto low, auto high) {
            return atMost(atLeast(v, low), high);
        }));
}

/// where(self between min and max, grad, 0): clamp_backward. At a bound the value no longer moves
/// (PyTorch 2.15; 2.11 lets the gradient pass there).
Formula clampGradient(Vjp& v) {
    Value inside;
    if (v.has(1)) inside = gt(v[0], v[1]);
    if (v.has(2)) {
        Value below = lt(v[0], v[2]);
        inside = inside.valid() ? logicalAnd(inside, below) : below;
    }
    return where(inside, v.grad, 0);
}

std::vector<Sample> clampSamples() {
    return {good({f32({9}, -3, 3)}, {T(0), I(-1), Arg(1.5)}),
            good({f32({2, 3})}, {T(0), Arg(0.25), none()}),
            good({f64({})}, {T(0), none(), I(0)}),
            forwardOnly({i64({9})}, {T(0), I(-2), I(2)}),
            forwardOnly({i64({9})}, {T(0), Arg(0.5), none()}),
            forwardOnly({awkward(f32({16}))}, {T(0), I(0), I(1)}),
            forwardOnly({u8({9})}, {T(0), I(-1), I(300)}),
            forwardOnly({u8({9})}, {T(0), I(3), I(300)}),
            bad({f32({2})}, {T(0), none(), none()}, "clamp: expected min or max, found neither"),
            bad({u8({2})}, {T(0), none(), I(-1)},
                "value cannot be converted to type uint8_t without overflow")};
}

// --- where and masked_fill ---

Result<Types> whereShape(const OpCall& call) {
    // uint8 is an older PyTorch's bool.
    if (call.tensor(0).dtype != DType::Bool && call.tensor(0).dtype != DType::UInt8)
        return refuse(call, "expected a bool condition, found " +
                                std::string(ir::name(call.tensor(0).dtype)));
    const DType dtype = resultDType(call, {1, 2});
    for (size_t value : {1, 2})
        CUTAWAY_CHECK(wantHeld(call, value, dtype));
    return pointwiseType(call, dtype, {0, 1, 2});
}

ExprId buildWhere(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = resultDType(call, {1, 2});
    Elements e(pool, call, x);
    return pool.op(ScalarOp::Where, {e.as(0, DType::Bool), e.as(1, dtype), e.as(2, dtype)});
}

Values whereReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {1, 2});
    return oneValue(broadcastMap<3>(call, tensors, {0, 1, 2}, dtype, dtype,
                                    [](auto c, auto a, auto b) { return c != 0 ? a : b; }));
}

void whereVjp(Vjp& v) {
    v.set(2, where(v[0], 0, v.grad));
    v.set(1, where(v[0], v.grad, 0));
}

/// where with numbers: they become 0-dim tensors.
Results whereScalars(const Operands& x) {
    OpCall call = x.call();
    auto tensor = [&](size_t i) {
        return x.isValue(i) ? x.tensor(i) : numberValue(x, i, resultDType(call, {1, 2}));
    };
    Value first = tensor(1), second = tensor(2);
    return {where(x[0], first, second)};
}

Results maskedFill(const Operands& x) {
    const ir::TensorType self = x.type(0);
    Value value = numberValue(x, 2, self.dtype);
    return {where(x[1], value, x[0])};
}

Result<Types> maskedFillShape(const OpCall& call) {
    if (call.tensor(1).dtype != DType::Bool)
        return refuse(call,
                      "expected a bool mask, found " + std::string(ir::name(call.tensor(1).dtype)));
    if (call.isTensor(2) && call.tensor(2).rank() != 0)
        return refuse(call, "expected a 0-dim value, found shape " + ir::str(call.tensor(2).sizes));
    CUTAWAY_CHECK(wantHeld(call, 2, call.tensor(0).dtype));
    CUTAWAY_TRY(Types types, pointwiseType(call, call.tensor(0).dtype, {0, 1}));
    types[0].strides = ir::contiguousStrides(types[0].sizes); // PyTorch's too, whatever self's
    return types;
}

Values maskedFillReference(const OpCall& call, Tensors tensors) {
    DType dtype = tensors[0]->dtype;
    return oneValue(
        broadcastMap<3>(call, tensors, {0, 1, 2}, dtype, dtype,
                        [](auto x, auto mask, auto value) { return mask != 0 ? value : x; }));
}

void maskedFillVjp(Vjp& v) {
    v.set(0, formula::maskedFill(v.grad, v[1], 0));
    v.set(2, sum(where(v[1], v.grad, 0)));
}

void addWheres(std::vector<OpDef>& ops) {
    OpDoc doc{"one of two values by a condition", "y = a if condition else b", "torch.where"};
    Decompose scalars{whereScalars, DecomposeWhen::BeforeAutograd};
    ops.push_back(
        withFloat8({"where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", whereShape,
                    VjpRule{whereVjp}, Pointwise{buildWhere}, whereReference,
                    [] {
                        return std::vector<Sample>{
                            good({b8({2, 3}), f32({3}), f32({2, 1})}, {T(0), T(1), T(2)}),
                            good({b8({}), f64({2}), f32({2})}, {T(0), T(1), T(2)}),
                            forwardOnly({b8({4}), i64({4}), f32({})}, {T(0), T(1), T(2)}),
                            forwardOnly({u8({4}, 0, 2), f32({4}), f32({})}, {T(0), T(1), T(2)}),
                            forwardOnly({b8({0}), i64({}), i64({1})}, {T(0), T(1), T(2)}),
                            bad({f32({2}), f32({2}), f32({2})}, {T(0), T(1), T(2)},
                                "where: expected a bool condition, found float32")};
                    },
                    doc}));
    ops.push_back(withFloat8(
        {"where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor", whereShape,
         ThroughDecomposition{}, scalars, whereReference,
         [] {
             return std::vector<Sample>{good({b8({2, 3}), f32({3})}, {T(0), T(1), I(0)}),
                                        good({b8({3}), i64({3})}, {T(0), T(1), Arg(0.5)})};
         },
         doc}));
    ops.push_back(withFloat8(
        {"where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", whereShape,
         ThroughDecomposition{}, scalars, whereReference,
         [] { return std::vector<Sample>{good({b8({2, 3}), f32({3})}, {T(0), I(1), T(1)})}; },
         doc}));
    ops.push_back(withFloat8({"where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
                              whereShape, ThroughDecomposition{}, scalars, whereReference,
                              [] {
                                  return std::vector<Sample>{
                                      good({b8({4})}, {T(0), Arg(1.0), Arg(0.0)}),
                                      good({b8({4})}, {T(0), I(1), I(0)})};
                              },
                              doc}));
    OpDoc fill{"a value where a mask is true", "y = value if mask else x",
               "torch.Tensor.masked_fill"};
    ops.push_back({"masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
                   maskedFillShape, VjpRule{maskedFillVjp},
                   Decompose{maskedFill, DecomposeWhen::AfterAutograd}, maskedFillReference,
                   [] {
                       return std::vector<Sample>{
                           good({f32({2, 3}), b8({3})}, {T(0), T(1), Arg(-3.5)}),
                           good({f32({3}), b8({2, 3})}, {T(0), T(1), I(0)}),
                           forwardOnly({i64({3}), b8({3})}, {T(0), T(1), I(7)}),
                           bad({f32({2}), i64({2})}, {T(0), T(1), I(0)},
                               "masked_fill: expected a bool mask, found int64"),
                           bad({f32({2}), b8({2})}, {T(0), T(1), Arg(1e300)},
                               "value cannot be converted to type float without overflow")};
                   },
                   fill});
    ops.push_back({"masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
                   maskedFillShape, VjpRule{maskedFillVjp},
                   Decompose{maskedFill, DecomposeWhen::AfterAutograd}, maskedFillReference,
                   [] {
                       return std::vector<Sample>{
                           good({f32({2, 3}), b8({3}), f32({})}, {T(0), T(1), T(2)}),
                           bad({f32({2}), b8({2}), f32({2})}, {T(0), T(1), T(2)},
                               "masked_fill: expected a 0-dim value, found shape [2]")};
                   },
                   fill});
}

} // namespace

std::vector<OpDef> comparisonOps() {
    std::vector<OpDef> ops;
    addComparisons(ops);
    addLogic(ops);
    outTakes(ops, {"bitwise_not"}, OutDTypes::Same, "Found dtype {out} but expected {result}");
    return ops;
}

std::vector<OpDef> selectionOps() {
    std::vector<OpDef> ops;
    OpDoc clamp{"values kept within bounds", "y = min(max(x, low), high)", "torch.clamp"};
    const size_t clamps = ops.size();
    ops.push_back({"clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", clampShape,
                   VjpRule{vjpOfFirst<clampGradient>}, Pointwise{buildClamp}, clampReference,
                   clampSamples, clamp});
    ops.push_back({"clamp_min(Tensor self, Scalar min) -> Tensor", clampShape,
                   VjpRule{vjpOfFirst<clampGradient>}, Pointwise{buildClamp}, clampReference,
                   [] {
                       return std::vector<Sample>{good({f32({2, 3})}, {T(0), Arg(0.25)}),
                                                  good({f64({})}, {T(0), I(0)}),
                                                  forwardOnly({i64({9})}, {T(0), I(-1)}),
                                                  forwardOnly({u8({9})}, {T(0), I(-1)})};
                   },
                   clamp});
    for (size_t i = clamps; i < ops.size(); ++i)
        ops[i].traits.refuses = Refuses::SeveralBools;
    addWheres(ops);
    outTakes(ops, {"clamp", "clamp_min"}, OutDTypes::Same,
             "Found dtype {out} but expected {result}");
    outTakes(ops, {"where.self"}, OutDTypes::Same,
             "Expected out type to be {result} but got {out}");
    return ops;
}

} // namespace cutaway::ops
