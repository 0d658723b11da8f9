// SPDX-License-Identifier: Apache-2.0
// Operations of bits, and bounds that are tensors. Sources: torch/_refs and
// tools/autograd/derivatives.yaml.
#include "core/ops/elementwise_parts.h"
#include "core/ops/elementwise_tools.h"
#include "core/ops/lying.h"

namespace cutaway::ops {

namespace {

using ir::DType;

DType wantIntegers(const Operands& x) {
    const DType dtype = resultDType(x.call(), {0, 1});
    if (ir::isFloating(dtype))
        refuseComposed(x.call(), "expected integers or bool, found " + std::string(ir::name(dtype)),
                       {}, ErrorClass::NotImplemented);
    return dtype;
}
int64_t bitsOf(DType dtype) {
    return static_cast<int64_t>(ir::sizeBytes(dtype)) * 8;
}

template <auto F> Values bitsReference(const OpCall& call, Tensors tensors) {
    const DType out = outDType(call);
    return oneValue(
        broadcastMapAs<int64_t, 2>(call, tensors, {0, 1}, out, out,
                                   [&](int64_t a, int64_t b) { return F(a, b, bitsOf(out)); }));
}

template <int low, int high> std::vector<Sample> bitPairs() {
    return {forwardOnly({i64({9}, -30, 30), i64({9}, low, high)}, {T(0), T(1)}),
            forwardOnly({i32({9}, -30, 30), u8({9}, 0, high)}, {T(0), T(1)}),
            forwardOnly({u8({9}), u8({9}, 0, high)}, {T(0), T(1)})};
}
std::vector<Sample> bitScalar() {
    return {forwardOnly({i64({9}, -30, 30)}, {T(0), I(3)}),
            forwardOnly({i32({9}, -30, 30)}, {T(0), I(2)})};
}
std::vector<Sample> bitFirst() {
    return {forwardOnly({i64({9}, 0, 30)}, {I(13), T(0)})};
}

} // namespace

void addBits(std::vector<OpDef>& ops) {
    constexpr NotDifferentiable kBits{"its operands are integers"};
    auto add = [&](std::string_view tensors, std::string_view first, std::string_view second,
                   DecomposeRule build, Reference reference, Samples samples, OpDoc doc) {
        const size_t at = ops.size();
        addOverloads(ops, composed("", kBits, build, reference, samples, doc),
                     {tensors, first, second});
        ops[at + 1].samples = bitFirst;
        ops[at + 2].samples = bitScalar;
    };
    // a ^ b is what is in one of them, less what is in both.
    add(
        "bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor",
        "bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        "bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor",
        [](const Operands& x) {
            const DType dtype = wantIntegers(x);
            Value a = valueAs(x, 0, dtype), b = valueAs(x, 1, dtype);
            if (dtype == DType::Bool) return Results{aten("logical_xor", a, b)};
            return Results{aten("bitwise_or.Tensor", a, b) - aten("bitwise_and.Tensor", a, b)};
        },
        bitsReference<[](int64_t a, int64_t b, int64_t) { return a ^ b; }>,
        [] {
            auto samples = bitPairs<-30, 30>();
            samples.push_back(forwardOnly({b8({4}), b8({4})}, {T(0), T(1)}));
            samples.push_back(bad({f32({2}), b8({2})}, {T(0), T(1)},
                                  "bitwise_xor: expected integers or bool, found float32"));
            return samples;
        },
        {"bitwise exclusive or; logical xor of bool", "y = a ^ b", "torch.bitwise_xor"});
    for (bool isAnd : {true, false}) {
        const OpDoc doc =
            isAnd ? OpDoc{"bitwise and; logical and of bool", "y = a & b", "torch.bitwise_and"}
                  : OpDoc{"bitwise or; logical or of bool", "y = a | b", "torch.bitwise_or"};
        DecomposeRule both = isAnd ? DecomposeRule{[](const Operands& x) {
            const DType dtype = wantIntegers(x);
            return Results{aten("bitwise_and.Tensor", valueAs(x, 0, dtype), valueAs(x, 1, dtype))};
        }}
                                   : DecomposeRule{[](const Operands& x) {
                                         const DType dtype = wantIntegers(x);
                                         return Results{aten("bitwise_or.Tensor",
                                                             valueAs(x, 0, dtype),
                                                             valueAs(x, 1, dtype))};
                                     }};
        Reference reference =
            isAnd ? Reference{bitsReference<[](int64_t a, int64_t b, int64_t) { return a & b; }>}
                  : Reference{bitsReference<[](int64_t a, int64_t b, int64_t) { return a | b; }>};
        const size_t at = ops.size();
        const OpDef def = composed("", kBits, both, reference, bitScalar, doc);
        if (isAnd)
            addOverloads(ops, def,
                         {"bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor",
                          "bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"});
        else
            addOverloads(ops, def,
                         {"bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor",
                          "bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"});
        ops[at + 1].samples = bitFirst;
    }
    const size_t shifts = ops.size();
    // Shifts by as many bits as there are, or by fewer than none: nothing is left but the sign.
    add("bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor",
        "bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        "bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
        [](const Operands& x) {
            const DType dtype = wantIntegers(x);
            Value a = valueAs(x, 0, dtype), b = valueAs(x, 1, dtype);
            Value outside = logicalOr(lt(b, 0), ge(b, bitsOf(dtype)));
            Value power = aten("pow.Scalar", 2, where(outside, 0, b));
            return Results{where(outside, 0, a * power)};
        },
        bitsReference<[](int64_t a, int64_t b, int64_t bits) {
            return b < 0 || b >= bits ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << b);
        }>,
        bitPairs<-2, 70>, {"bits moved up", "y = a 2^b", "torch.bitwise_left_shift"});
    add("bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor",
        "bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        "bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
        [](const Operands& x) {
            const DType dtype = wantIntegers(x);
            const int64_t last = bitsOf(dtype) - (ir::integerLimits(dtype).min == 0 ? 0 : 1);
            Value a = valueAs(x, 0, dtype), b = valueAs(x, 1, dtype);
            Value outside = logicalOr(lt(b, 0), ge(b, last));
            Value power = aten("pow.Scalar", 2, where(outside, 0, b));
            Value rest = where(lt(a, 0), -1, aten("zeros_like", a));
            return Results{where(outside, rest, aten("floor_divide", a, power))};
        },
        bitsReference<[](int64_t a, int64_t b, int64_t bits) {
            return b < 0 || bits <= b ? (a < 0 ? -1 : 0) : (a >> b);
        }>,
        bitPairs<-2, 70>,
        {"bits moved down, the sign kept", "y = floor(a / 2^b)", "torch.bitwise_right_shift"});
    for (size_t i = shifts; i < ops.size(); ++i) {
        ops[i] = lying<likeAll>(std::move(ops[i]));
        ops[i].traits.refuses = Refuses::SeveralBools;
    }
}

// --- bounds that are tensors ---

void addBounds(std::vector<OpDef>& ops) {
    OpDoc clamp{"values kept within bounds", "y = min(max(x, low), high)", "torch.clamp"};
    auto reference = [](const OpCall& call, Tensors tensors) {
        const DType out = outDType(call);
        const int high = call.def.parsed.find("max"), low = call.def.parsed.find("min");
        auto bound = [&](int i) { return i >= 0 && call.has(static_cast<size_t>(i)); };
        ir::HostTensor value = *tensors[0];
        auto apply = [&](int i, bool isMin) {
            if (!bound(i)) return;
            const ir::HostTensor* pair[] = {&value,
                                            &tensorArg(call, tensors, static_cast<size_t>(i))};
            Sizes to = broadcastSizes({pair[0]->sizes, pair[1]->sizes});
            Sizes a = broadcastStrides(pair[0]->sizes, to),
                  b = broadcastStrides(pair[1]->sizes, to);
            ir::HostTensor next = ir::HostTensor::zeros(out, to);
            Odometer<2> at(to, {a, b});
            for (int64_t k = 0; k < next.numel(); ++k, at.next()) {
                const double x = pair[0]->get(at.offsets[0]), y = pair[1]->get(at.offsets[1]);
                const bool takes = x == x && (y != y || (isMin ? x < y : x > y));
                next.set(k, takes ? y : x);
            }
            value = next;
        };
        apply(low, true);
        apply(high, false);
        return oneValue(value);
    };
    auto build = [](const Operands& x) {
        const OpCall call = x.call();
        const int low = call.def.parsed.find("min"), high = call.def.parsed.find("max");
        auto has = [&](int i) { return i >= 0 && x.has(static_cast<size_t>(i)); };
        if (!has(low) && !has(high)) refuseComposed(call, "expected min or max, found neither");
        Value value = x[0];
        if (has(low)) value = aten("maximum", value, x[static_cast<size_t>(low)]);
        if (has(high)) value = aten("minimum", value, x[static_cast<size_t>(high)]);
        return Results{value};
    };
    // As PyTorch 2.15 shares it: half to each where the value meets a bound, all to the value where
    // both bounds do; a lower bound above the upper one gives way to it.
    auto vjp = [](Vjp& v) {
        const OpCall call = v.call();
        const int low = call.def.parsed.find("min"), high = call.def.parsed.find("max");
        auto has = [&](int i) { return i >= 0 && v.has(static_cast<size_t>(i)); };
        auto bound = [&](int i) { return has(i) ? v[static_cast<size_t>(i)] : Value(); };
        const bool pair = has(low) && has(high);
        const Value x = v[0], min = bound(low), max = bound(high);
        auto either = [](Value a, Value b) {
            return a.valid() && b.valid() ? logicalOr(a, b) : (a.valid() ? a : b);
        };
        auto meets = [&](Value limit) {
            return pair ? logicalAnd(eq(x, limit), lt(min, max)) : eq(x, limit);
        };
        auto give = [&](size_t i, Value takes, Value shares) {
            v.set(i, where(takes, where(shares, v.grad * 0.5, v.grad), 0));
        };
        if (has(low) && v.wants(static_cast<size_t>(low))) {
            Value outside = pair ? logicalAnd(lt(x, min), le(min, max)) : logicalNot(gt(x, min));
            give(static_cast<size_t>(low), either(outside, meets(min)), meets(min));
        }
        if (has(high) && v.wants(static_cast<size_t>(high))) {
            // Of a NaN for the least, the result is that NaN.
            Value above = pair ? logicalAnd(gt(x, max), eq(min, min)) : logicalNot(lt(x, max));
            Value outside = pair ? logicalOr(above, gt(min, max)) : above;
            give(static_cast<size_t>(high), either(outside, meets(max)), meets(max));
        }
        if (!v.wants(0)) return;
        Value outside = either(has(low) ? lt(x, min) : Value(), has(high) ? gt(x, max) : Value());
        Value shares = either(has(low) ? meets(min) : Value(), has(high) ? meets(max) : Value());
        give(0, logicalNot(outside), shares);
    };
    auto both = [] {
        return std::vector<Sample>{
            good({f32({2, 3}), f32({3}, -1, -0.5), f32({2, 1}, 0.5, 1)}, {T(0), T(1), T(2)}),
            good({f64({7}), f64({7}, -1, 1)}, {T(0), T(1), none()}),
            good({f64({7}), f64({7}, -1, 1)}, {T(0), none(), T(1)}),
            good({f64({7}), f64({7}), f64({7})}, {T(0), T(1), T(2)}),
            bad({f32({2})}, {T(0), none(), none()}, "clamp: expected min or max, found neither")};
    };
    auto oneBound = [] {
        return std::vector<Sample>{good({f32({2, 3}), f32({3})}, {T(0), T(1)}),
                                   forwardOnly({i64({6}), i32({6})}, {T(0), T(1)})};
    };
    ops.push_back(
        composed("clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                 VjpRule{vjp}, build, reference, both, clamp));
    ops.push_back(composed("clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", VjpRule{vjp},
                           build, reference, oneBound, clamp));
    ops.push_back(composed("clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", VjpRule{vjp},
                           build, reference, oneBound, clamp));
    ops.push_back(composed(
        "clamp_max(Tensor self, Scalar max) -> Tensor",
        [](const Operands& x) { return Results{aten("clamp", x[0], ir::Arg{}, x[1])}; },
        numberReference<[](auto x, auto high) { return high < x ? high : x; }, 0, 1>,
        [] {
            return std::vector<Sample>{good({f32({2, 3})}, {T(0), Arg(0.25)}),
                                       forwardOnly({i64({9})}, {T(0), I(-1)})};
        },
        clamp));
    ops.back().traits.refuses = Refuses::SeveralBools;
}

} // namespace cutaway::ops
