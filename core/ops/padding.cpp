// SPDX-License-Identifier: Apache-2.0
// Padding in all modes. Source: ATen/native/PadNd.cpp, torch/_decomp/decompositions.py.
#include "core/ir/dtype_words.h"
#include "core/ops/arg_numbers.h"
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/image_tools.h"
#include "core/ops/lying.h"
#include "core/ops/outside_reads.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;
using kernel::Coord;

/// What is added before and behind each dimension; a negative number cuts off.
struct Edges {
    std::vector<Sym> before, behind;
};

/// \p pad begins with the last dimension.
Result<Edges> edgesOf(const OpCall& call, const std::vector<Sym>& pad, const Shape& sizes) {
    if (pad.size() % 2 != 0) return base::userError({}, "Padding length must be divisible by 2");
    if (pad.size() / 2 > sizes.size())
        return refuse(call, fmt::format("expected two numbers for each of the last dimensions of "
                                        "{}, found {} numbers",
                                        ir::str(sizes), pad.size()));
    Edges edges{std::vector<Sym>(sizes.size(), Sym(0)), std::vector<Sym>(sizes.size(), Sym(0))};
    for (size_t i = 0; i < pad.size() / 2; ++i) {
        const size_t dim = sizes.size() - 1 - i;
        edges.before[dim] = pad[2 * i];
        edges.behind[dim] = pad[2 * i + 1];
        if (call.less(sizes[dim] + pad[2 * i] + pad[2 * i + 1], Sym(0)))
            return refuse(call, fmt::format("dimension {} of size {} cannot lose {} elements", dim,
                                            sizes[dim].str(),
                                            (Sym(0) - pad[2 * i] - pad[2 * i + 1]).str()));
    }
    return edges;
}

/// Whether a number of the script stands for one of \p dtype (c10::overflows).
bool holds(ir::DType dtype, const ir::Arg& number) {
    if (dtype == ir::DType::Bool || ir::isComplex(dtype)) return true;
    const auto* whole = std::get_if<Sym>(&number);
    if (number.node() || (whole && !whole->isConst())) return true;
    const double value = realOf(number);
    if (!ir::isFloating(dtype)) {
        const bool isUnsigned = ir::name(dtype).starts_with("uint");
        const int bits = static_cast<int>(8 * ir::sizeBytes(dtype)) - (isUnsigned ? 0 : 1);
        const double most = std::ldexp(1.0, bits);
        return value < most && value >= (isUnsigned ? 0 : -most);
    }
    return !std::isfinite(value) || std::isfinite(ir::HostTensor::scalar(dtype, value).get(0));
}

/// What cuts off adds no place that lies outside.
bool mayGrow(const Sym& edge) {
    return !maximum(edge, Sym(0)).is(0);
}

Result<Types> constantPadShape(const OpCall& call) {
    const TensorType& self = call.tensor(0);
    if (!holds(self.dtype, call.args[2]))
        return refuse(call, fmt::format("value cannot be converted to type {} without overflow",
                                        ir::isFloating(self.dtype) ? ir::nameInCpp(self.dtype)
                                        : self.dtype == ir::DType::Int32
                                            ? "int"
                                            : fmt::format("{}_t", ir::name(self.dtype))));
    CUTAWAY_TRY(Edges edges, edgesOf(call, call.integers(1), self.sizes));
    Shape sizes = self.sizes;
    bool grows = false;
    for (size_t d = 0; d < sizes.size(); ++d) {
        for (const Sym& edge : {edges.before[d], edges.behind[d]})
            if (call.less(sizes[d] + edge, Sym(0)))
                return refuse(call, fmt::format("dimension {} of size {} cannot lose {} elements",
                                                d, sizes[d].str(), (Sym(0) - edge).str()));
        sizes[d] = sizes[d] + edges.before[d] + edges.behind[d];
        grows |= mayGrow(edges.before[d]) || mayGrow(edges.behind[d]);
    }
    if (!grows) { // a copy of what is left
        TensorType left = self;
        left.sizes = std::move(sizes);
        left.strides = stridesLike(left);
        return one(std::move(left));
    }
    const bool channelsLast = self.rank() > 3 && isChannelsLast(self);
    return one(imageType(self.dtype, std::move(sizes), self.device, channelsLast));
}

ExprId buildConstantPad(ExprPool& pool, const OpCall& call, LoadArg& load,
                        std::span<const Sym> coords) {
    const TensorType& self = call.tensor(0);
    const Edges edges = *edgesOf(call, call.integers(1), self.sizes);
    const ExprId filled =
        call.isTensor(2) ? pool.cast(self.dtype, load(2, {})) : scalarOf(pool, call, 2, self.dtype);
    if (self.numel().is(0)) return filled;
    std::vector<Coord> from;
    ExprId inside;
    for (size_t d = 0; d < coords.size(); ++d) {
        const Sym place = coords[d] - edges.before[d];
        if (edges.before[d].is(0) && edges.behind[d].is(0)) {
            from.push_back({coords[d], {}});
            continue;
        }
        from.push_back({place, {}});
        inside = pool.both(inside, isInside(pool, place, self.sizes[d], mayGrow(edges.before[d]),
                                            mayGrow(edges.behind[d])));
    }
    return readInside(pool, inside, load(0, from), filled);
}

Formula constantPadGradient(Vjp& v) {
    Shape back;
    for (const Sym& number : v.call().integers(1))
        back.push_back(Sym(0) - number);
    return aten("constant_pad_nd", v.grad, back, 0);
}

Values constantPadReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const std::vector<int64_t> pad = call.numbers(1);
    const size_t rank = in.sizes.size();
    Sizes before(rank), sizes = in.sizes, strides = rowMajorStrides(in.sizes);
    for (size_t i = 0; i < pad.size() / 2; ++i) {
        before[rank - 1 - i] = pad[2 * i];
        sizes[rank - 1 - i] += pad[2 * i] + pad[2 * i + 1];
    }
    ir::HostTensor out = ir::HostTensor::zeros(in.dtype, sizes);
    Odometer<1> at(sizes, {Sizes(rank)});
    for (int64_t i = 0, n = out.numel(); i < n; ++i, at.next()) {
        int64_t place = 0;
        bool inside = true;
        for (size_t d = 0; d < rank; ++d) {
            const int64_t c = at.coords()[d] - before[d];
            inside = inside && c >= 0 && c < in.sizes[d];
            place += c * strides[d];
        }
        if (ir::isFloating(in.dtype))
            out.set(i, inside ? in.get(place) : call.real(2));
        else
            out.setInt(i, inside ? in.getInt(place) : call.number(2));
    }
    return oneValue(std::move(out));
}

// --- modes that repeat elements ---

enum class Mode { Reflect, Replicate, Circular };

/// Where in a dimension the elements of the padded one come from.
Formula sources(Mode mode, const Formula& place, const Sym& size) {
    const Sym last = size - Sym(1);
    if (mode == Mode::Replicate) return aten("clamp", place, 0, last);
    if (mode == Mode::Circular) return aten("remainder.Scalar", place, size);
    return Formula(last) - abs(Formula(last) - abs(place));
}

Results padded(const Operands& x, Mode mode, size_t spatial) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    const std::vector<Sym> pad = call.integers(1);
    const size_t rank = self.rank();
    if (pad.size() != 2 * spatial)
        refuseCall(x, fmt::format("expected {} numbers, found {}", 2 * spatial, pad.size()));
    if (rank != spatial + 1 && rank != spatial + 2)
        refuseCall(x, fmt::format("expected {} or {} dimensions, found shape {}", spatial + 1,
                                  spatial + 2, ir::str(self.sizes)));
    const Edges edges = orRefuse(edgesOf(call, pad, self.sizes));
    Value y = x.tensor(0);
    bool grown = false;
    for (size_t d = rank - spatial; d < rank; ++d) {
        const Sym size = self.sizes[d];
        for (const Sym& edge : {edges.before[d], edges.behind[d]}) {
            const bool fits = mode == Mode::Reflect    ? call.less(edge, size)
                              : mode == Mode::Circular ? call.atMost(edge, size)
                                                       : !size.is(0);
            if (!fits)
                refuseCall(x, fmt::format("padding of {} is too large for dimension {} of size {}",
                                          edge.str(), d, size.str()));
        }
        const Sym whole = size + edges.before[d] + edges.behind[d];
        if (mode != Mode::Circular && call.less(whole, Sym(1)))
            refuseCall(x, fmt::format("dimension {} of size {} is too small: calculated output "
                                      "size {}",
                                      d, size.str(), whole.str()));
        if (edges.before[d].is(0) && edges.behind[d].is(0)) continue;
        // What is cut off is not wrapped around.
        const auto cut = [&](const Sym& edge) {
            const bool cuts = mode == Mode::Circular && call.less(edge, Sym(0));
            return cuts ? Sym(0) - edge : Sym(0);
        };
        const Sym first = cut(edges.before[d]), rest = size - first - cut(edges.behind[d]);
        if (call.less(rest, Sym(1)) && !whole.is(0))
            refuseCall(x, fmt::format("dimension {} of size {} is cut away whole: nothing is left "
                                      "to wrap around",
                                      d, size.str()));
        Value place = positions(x.b, whole, self.device) - (edges.before[d] + first);
        Value from = sources(mode, place, rest);
        y = picked(y, d, first.is(0) ? from : Value(from + first));
        grown = true;
    }
    return {grown ? y : Value(aten("clone", x[0]))};
}

template <Mode mode, size_t spatial> Results padIn(const Operands& x) {
    return padded(x, mode, spatial);
}

/// torch.nn.functional.pad
Results pad(const Operands& x) {
    const OpCall call = x.call();
    const std::string mode = std::get<std::string>(x.node.args[2]);
    if (mode == "constant") {
        const double value = call.has(3) ? call.real(3) : 0;
        const bool whole = !ir::isFloating(x.type(0).dtype) && std::abs(value) < 0x1p62;
        return {aten("constant_pad_nd", x[0], x[1],
                     whole ? Formula(static_cast<int64_t>(value)) : Formula(value))};
    }
    if (call.has(3) && call.real(3) != 0)
        refuseCall(x, fmt::format("padding mode '{}' takes no value", mode));
    const size_t spatial = call.integers(1).size() / 2;
    if (mode == "reflect" || mode == "replicate") {
        const char* kind = mode == "reflect" ? "reflection" : "replication";
        return {
            aten(fmt::format("{}_pad{}d", kind, std::clamp<size_t>(spatial, 1, 3)), x[0], x[1])};
    }
    if (mode == "circular") return padded(x, Mode::Circular, spatial);
    refuseCall(x,
               fmt::format("expected mode 'constant', 'reflect', 'replicate' or 'circular', "
                           "found '{}'",
                           mode),
               {}, ErrorClass::NotImplemented);
}

/// PyTorch's circular padding makes rows, whatever the image's order.
Shape paddedLike(const OpCall& call, const TensorType& result) {
    const auto& mode = std::get<std::string>(call.args[2]);
    if (mode == "constant") return result.strides;
    return mode == "circular" ? rowMajor(call, result) : likeImage(call, result);
}

void addModes(std::vector<OpDef>& ops) {
    const OpDoc reflect{"a border of what lies inside, mirrored",
                        "y[i] = x[|i - before|, mirrored]", "torch.nn.ReflectionPad2d"};
    const OpDoc replicate{"a border of copies of the edge", "y[i] = x[i - before, held inside]",
                          "torch.nn.ReplicationPad2d"};
    auto one = [] { return List{good({f32({2, 3, 5})}, {T(0), L({2, 1})})}; };
    auto two = [] {
        return List{good({f32({2, 4, 5})}, {T(0), L({2, 1, 0, 3})}),
                    good({f32({1, 2, 3, 3})}, {T(0), L({1, -1, 2, 0})})};
    };
    auto three = [] { return List{good({f32({1, 2, 3, 3, 2})}, {T(0), L({1, 0, 2, 1, 1, 1})})}; };
    auto add = [&](std::string_view schema, auto formula, auto samples, const OpDoc& doc) {
        ops.push_back(saving("self", lying<likeImage>(composite(schema, formula, samples, doc))));
    };
    add("reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor", padIn<Mode::Reflect, 1>, one,
        reflect);
    add("reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor", padIn<Mode::Reflect, 2>, two,
        reflect);
    add("reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor", padIn<Mode::Reflect, 3>,
        three, reflect);
    add("replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor", padIn<Mode::Replicate, 1>,
        one, replicate);
    add("replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor", padIn<Mode::Replicate, 2>,
        two, replicate);
    add("replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor", padIn<Mode::Replicate, 3>,
        three, replicate);
    ops.push_back(lying<paddedLike>(withFloat8(composite(
        "pad(Tensor self, SymInt[] pad, str mode='constant', float? value=None) -> Tensor", pad,
        [] {
            auto mode = [](const char* name) { return Arg(std::string(name)); };
            return List{
                good({f32({2, 3, 5})}, {T(0), L({1, 2}), mode("circular"), none()}),
                good({f32({2, 3, 5})}, {T(0), L({1, 2}), mode("reflect"), none()}),
                good({f32({2, 3, 4, 4})}, {T(0), L({1, 2, 0, 1}), mode("circular"), none()}),
                good({f32({2, 3})}, {T(0), L({1, 2}), mode("constant"), Arg(1.5)}),
                bad({f32({2, 3, 2})}, {T(0), L({2, 0}), mode("reflect"), none()},
                    "pad: padding of 2 is too large for dimension 2 of size 2"),
                bad({f32({2, 3})}, {T(0), L({1, 1}), mode("wrap"), none()},
                    "pad: expected mode 'constant', 'reflect', 'replicate' or 'circular', found "
                    "'wrap'")};
        },
        {"a border in one of four modes", "y[i] = x[i - before] inside",
         "torch.nn.functional.pad"}))));
}

} // namespace

std::vector<OpDef> paddingOps() {
    std::vector<OpDef> ops;
    ops.push_back(withFloat8(
        {"constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor",
         constantPadShape,
         VjpRule{vjpOfFirst<constantPadGradient>},
         Indexed{buildConstantPad},
         constantPadReference,
         [] {
             return List{
                 good({f32({2, 3})}, {T(0), L({1, 2}), I(0)}),
                 good({f32({2, 3})}, {T(0), L({-1, 2, 1, 0}), Arg(0.5)}),
                 good({f32({0})}, {T(0), L({1, 2}), I(3)}),
                 forwardOnly({i64({3})}, {T(0), L({1, 0}), I(7)}),
                 good({transposed(f32({3, 2}))}, {T(0), L({1, 1, 1, 1}), I(0)}),
                 bad({f32({3})}, {T(0), L({1, 2, 1, 0}), I(0)},
                     "constant_pad_nd: expected two numbers for each of the last dimensions "
                     "of [3], found 4 numbers"),
                 bad({u8({3})}, {T(0), L({1, 1}), I(300)},
                     "constant_pad_nd: value cannot be converted to type uint8_t without "
                     "overflow"),
                 bad({f32({3})}, {T(0), L({-2, -2}), I(0)},
                     "constant_pad_nd: dimension 0 of size 3 cannot lose 4 elements")};
         },
         {"a border of one value", "y[i] = x[i - before] inside, else value",
          "torch.nn.functional.pad"}}));
    addModes(ops);
    return ops;
}

} // namespace cutaway::ops
