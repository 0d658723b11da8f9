// SPDX-License-Identifier: Apache-2.0
// The memory of a tensor seen as elements of another dtype. In a kernel that is arithmetic on the
// bits of elements; what a script gets, and may write to, is the memory itself.
// Source: aten/src/ATen/native/TensorConversions.cpp, view_dtype.
#include "core/ops/bits_view.h"
#include "core/ir/dtype_words.h"

#include "core/kernel/bits.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"
#include "core/ops/view_strides.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using formula::aten;
using formula::Operands;
using formula::Value;
using ir::DType;
using ir::NodeId;
using ir::Sym;
using kernel::ExprId;
using kernel::ExprPool;
using kernel::ScalarOp;

int64_t bytesOf(DType dtype) {
    return static_cast<int64_t>(ir::sizeBytes(dtype));
}

Result<Types> bitsShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    const DType dtype = call.dtype(1);
    if (ir::isComplex(self.dtype) != ir::isComplex(dtype))
        return refuse(call, fmt::format("{} cannot be seen as {} here", ir::name(self.dtype),
                                        ir::name(dtype)));
    const int64_t from = bytesOf(self.dtype), to = bytesOf(dtype);
    ir::TensorType type = viewType(call, self.sizes, self.strides);
    type.dtype = dtype;
    if (from == to) return one(type);
    const std::string deed = fmt::format("to view {} as {} (different element sizes)",
                                         ir::scalarType(self.dtype), ir::scalarType(dtype));
    const auto uneven = [&](const std::string& what, const Sym& number) {
        return base::userError({}, fmt::format("{} must be divisible by {} {}, but got {}", what,
                                               to / from, deed, number.str()));
    };
    const auto refused = [&](const std::string& what) {
        return base::userError({}, what + " " + deed);
    };
    if (type.rank() == 0)
        return refused("self.dim"
                       "() cannot be 0");
    if (from < to && !call.divisible(type.sizes.back(), Sym(to / from)))
        return uneven("self.size(-1)", type.sizes.back());
    if (!call.same(type.strides.back(), Sym(1)))
        return base::userError({}, fmt::format("self.stride(-1) must be 1 {}, but got {}", deed,
                                               type.strides.back().str()));
    if (from > to) {
        const Sym ratio(from / to);
        type.sizes.back() = type.sizes.back() * ratio;
        for (size_t d = 0; d + 1 < type.rank(); ++d)
            type.strides[d] = type.strides[d] * ratio;
        return one(type);
    }
    const Sym ratio(to / from);
    type.sizes.back() = ir::floorDiv(type.sizes.back(), ratio);
    for (size_t d = 0; d + 1 < type.rank(); ++d) {
        if (!call.divisible(type.strides[d], ratio))
            return uneven(fmt::format("self.stride({})", d), type.strides[d]);
        type.strides[d] = ir::floorDiv(type.strides[d], ratio);
    }
    return one(type);
}

NodeId intoBits(const Operands& view, NodeId part, int) {
    return aten("view.dtype", aten("contiguous", Value(view.b, part)), view.type(0).dtype);
}

/// Bits as unsigned integers of 4 or 8 bytes, and back.
class Bits {
public:
    explicit Bits(ExprPool& pool) : pool_(pool) {}

    /// The bits of \p element of a tensor of \p dtype, in the low bytes of a uint32 or uint64.
    ExprId of(ExprId element, DType dtype) {
        if (!ir::isFloating(dtype)) {
            const DType wide = carrier(bytesOf(dtype));
            const ExprId whole = pool_.cast(wide, element);
            return bytesOf(dtype) < 4 ? masked(whole, bytesOf(dtype)) : whole;
        }
        if (bytesOf(dtype) >= 4) return bits(carrier(bytesOf(dtype)), element);
        const ExprId all = bits(DType::UInt32, element);
        const ExprId magnitude = both(all, number(0x7fffffff));
        const ExprId isNan = pool_.op(ScalarOp::Gt, {magnitude, number(0x7f800000)});
        switch (dtype) {
        case DType::BFloat16:
            return choose(isNan, down(either(all, number(0x400000)), 16), rounded(all, 16));
        case DType::Float16:
            return either(half(magnitude, isNan), both(down(all, 16), number(0x8000)));
        case DType::Float8E5M2: // float16 without its last byte
            return down(either(half(magnitude, isNan), both(down(all, 16), number(0x8000))), 8);
        default: { // float8_e4m3fn
            const ExprId small = down(scaled(magnitude, 0x1p-120), 20);
            return either(choose(isNan, number(0x7f), small), both(down(all, 24), number(0x80)));
        }
        }
    }

    /// The element of \p dtype, in its compute dtype, whose bits these are.
    ExprId as(ExprId found, DType dtype) {
        if (dtype == DType::Bool)
            return pool_.op(ScalarOp::Ne, {found, pool_.constantInt(pool_[found].dtype, 0)});
        if (!ir::isFloating(dtype)) return pool_.cast(dtype, found);
        if (bytesOf(dtype) >= 4) return bits(dtype, found);
        switch (dtype) {
        case DType::BFloat16:
            return bits(DType::Float32, up(found, 16));
        case DType::Float16:
            return wide(found, 0x1p112, 13, 0x7fff, 0x7c00);
        case DType::Float8E5M2:
            return wide(up(found, 8), 0x1p112, 13, 0x7fff, 0x7c00);
        default: // float8_e4m3fn: no infinities, one NaN
            return wide(found, 0x1p120, 20, 0x7f, 0x7f);
        }
    }

    static DType carrier(int64_t bytes) { return bytes > 4 ? DType::UInt64 : DType::UInt32; }
    ExprId masked(ExprId whole, int64_t bytes) {
        return both(whole, pool_.constantInt(pool_[whole].dtype, (int64_t{1} << 8 * bytes) - 1));
    }
    ExprId up(ExprId whole, int64_t count) {
        return pool_.op(ScalarOp::Mul, {whole, power(whole, count)});
    }
    ExprId down(ExprId whole, int64_t count) {
        return pool_.op(ScalarOp::FloorDiv, {whole, power(whole, count)});
    }
    ExprId either(ExprId a, ExprId b) { return pool_.op(ScalarOp::Or, {a, b}); }
    ExprId choose(ExprId condition, ExprId a, ExprId b) {
        return pool_.op(ScalarOp::Where, {condition, a, b});
    }

private:
    ExprId bits(DType dtype, ExprId of) { return pool_.cast(kernel::sameBits(dtype), of); }
    ExprId number(int64_t value) { return pool_.constantInt(DType::UInt32, value); }
    ExprId both(ExprId a, ExprId b) { return pool_.op(ScalarOp::And, {a, b}); }
    ExprId power(ExprId like, int64_t exponent) {
        return pool_.constantInt(pool_[like].dtype, int64_t{1} << exponent);
    }
    /// The float32 with bits \p magnitude times \p factor, a power of two, as bits.
    ExprId scaled(ExprId magnitude, double factor) {
        const ExprId product = pool_.op(ScalarOp::Mul, {bits(DType::Float32, magnitude),
                                                        pool_.constant(DType::Float32, factor)});
        return bits(DType::UInt32, product);
    }
    /// Without the last \p count bits, the nearest, in halves the even one.
    ExprId rounded(ExprId whole, int64_t count) {
        const ExprId last = both(down(whole, count), number(1));
        const ExprId half = number((int64_t{1} << (count - 1)) - 1);
        return down(pool_.op(ScalarOp::Add, {pool_.op(ScalarOp::Add, {whole, half}), last}), count);
    }
    /// The bits of a float16 without its sign, of those of a float32.
    ExprId half(ExprId magnitude, ExprId isNan) {
        const ExprId near = rounded(scaled(magnitude, 0x1p-112), 13);
        const ExprId finite = pool_.op(ScalarOp::Min, {near, number(0x7c00)});
        const ExprId payload = both(down(magnitude, 13), number(0x3ff));
        return choose(isNan, either(payload, number(0x7e00)), finite);
    }
    /// A float32 of the bits of a narrower number: its magnitude, \p shift bits up, times \p factor;
    /// what has all bits of \p special is infinite or no number.
    ExprId wide(ExprId narrow, double factor, int64_t shift, int64_t magnitude, int64_t special) {
        const ExprId up23 = up(both(narrow, number(magnitude)), shift);
        const ExprId isSpecial =
            pool_.op(ScalarOp::Eq, {both(narrow, number(special)), number(special)});
        const int64_t quiet = magnitude == special ? 0x7fc00000 : 0x7f800000;
        const ExprId value = choose(isSpecial, either(up23, number(quiet)), scaled(up23, factor));
        const int64_t signAt = magnitude == 0x7f ? 24 : 16;
        const ExprId sign = both(up(narrow, signAt), number(int64_t{1} << 31));
        return bits(DType::Float32, either(value, sign));
    }

    ExprPool& pool_;
};

ExprId bitsElement(ExprPool& pool, const OpCall& call, LoadArg& load, std::span<const Sym> coords) {
    const DType from = call.tensor(0).dtype, to = call.dtype(1);
    const int64_t fromBytes = bytesOf(from), toBytes = bytesOf(to);
    Bits bits(pool);
    std::vector<kernel::Coord> at;
    for (const Sym& coord : coords)
        at.push_back({coord, {}});
    if (fromBytes == toBytes) return bits.as(bits.of(load(0, at), from), to);
    const Sym last = coords.back();
    if (fromBytes < toBytes) { // the first element has the lowest bits
        const int64_t ratio = toBytes / fromBytes;
        ExprId whole;
        for (int64_t k = 0; k < ratio; ++k) {
            at.back().index = last * Sym(ratio) + Sym(k);
            const ExprId part = bits.up(
                pool.cast(Bits::carrier(toBytes), bits.of(load(0, at), from)), 8 * fromBytes * k);
            whole = k == 0 ? part : bits.either(whole, part);
        }
        return bits.as(toBytes < 4 ? bits.masked(whole, toBytes) : whole, to);
    }
    const int64_t ratio = fromBytes / toBytes;
    at.back().index = ir::floorDiv(last, Sym(ratio));
    ExprId rest = bits.of(load(0, at), from);
    for (int64_t step = 1; step < ratio; step *= 2) {
        const Sym digit = ir::mod(ir::floorDiv(last, Sym(step)), Sym(2));
        const ExprId moves =
            pool.op(ScalarOp::Eq, {pool.index(digit), pool.constantInt(DType::Int64, 1)});
        rest = bits.choose(moves, bits.down(rest, 8 * toBytes * step), rest);
    }
    if (toBytes < 8) rest = bits.masked(rest, toBytes);
    return bits.as(toBytes <= 4 ? pool.cast(DType::UInt32, rest) : rest, to);
}

/// The same bytes. A third argument, which double precision's oracle gives (promotedToDouble), says
/// what dtype the operand has outside of it.
Values sameBytes(const OpCall& call, Tensors tensors) {
    const bool promoted = call.args.size() > 2;
    ir::HostTensor result = promoted ? converted(*tensors[0], call.dtype(2)) : *tensors[0];
    const DType to = call.dtype(1);
    if (!result.sizes.empty())
        result.sizes.back() = result.sizes.back() * bytesOf(result.dtype) / bytesOf(to);
    result.dtype = to;
    if (promoted && ir::isFloating(to)) result = converted(result, DType::Float64);
    return oneValue(std::move(result));
}

} // namespace

OpDef bitsView() {
    const auto samples = [] {
        const auto as = [](SampleTensor tensor, DType dtype) {
            return forwardOnly({std::move(tensor)}, {T(0), Arg(dtype)});
        };
        const auto of = [](DType dtype, std::vector<int64_t> sizes) {
            SampleTensor tensor = f32(std::move(sizes));
            tensor.dtype = dtype;
            return tensor;
        };
        return std::vector<Sample>{
            as(awkward(f32({2, 6})), DType::Int32),
            as(f32({2, 6}), DType::Float64),
            as(f32({2, 3}), DType::Int16),
            as(f32({5}), DType::UInt8),
            as(awkward(f64({3})), DType::Int64),
            as(f64({2, 2}), DType::Float32),
            as(f64({3}), DType::UInt8),
            as(i64({4}), DType::Float64),
            as(i64({2, 3}), DType::Int32),
            as(i32({4}, -2000000000, 2000000000), DType::Float32),
            as(i32({2, 4}), DType::Float16),
            as(u8({3, 8}), DType::Int64),
            as(u8({8}), DType::BFloat16),
            as(u8({16}, 0, 255), DType::Float8E4M3),
            as(u8({16}, 0, 255), DType::Float8E5M2),
            as(b8({4}), DType::UInt8),
            as(of(DType::Float16, {4, 2}), DType::Int16),
            as(of(DType::BFloat16, {4, 2}), DType::Float32),
            as(of(DType::Float8E4M3, {8}), DType::UInt8),
            as(of(DType::Float8E5M2, {8}), DType::Int8),
            as(transposed(f32({2, 3})), DType::Int32),
            bad({f32({3})}, {T(0), Arg(DType::Float64)},
                "self.size(-1) must be divisible by 2 to view Float as Double (different "
                "element sizes), but got 3"),
            bad({f32({})}, {T(0), Arg(DType::Int16)},
                "self.dim"
                "() cannot be 0 to view Float as Short (different element sizes)"),
            bad({transposed(f32({2, 4}))}, {T(0), Arg(DType::Int16)},
                "self.stride(-1) must be 1 to view Float as Short (different element sizes), "
                "but got 2")};
    };
    OpDef def{
        "view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)",
        bitsShape,
        VjpRule{noGradients},
        Indexed{bitsElement},
        sameBytes,
        samples,
        {"the same memory as elements of another dtype", "y = bits of x", "torch.Tensor.view"}};
    return with<&Traits::view>(written({intoBits}, std::move(def)));
}

} // namespace cutaway::ops
