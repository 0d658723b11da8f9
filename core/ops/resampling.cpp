// SPDX-License-Identifier: Apache-2.0
// Images of other sizes. Source: ATen/native/UpSample.h (positions and weights, in float for
// nearest neighbours, else in the tensor's dtype), ATen/native/cpu/UpSampleKernel.cpp
// (antialiasing; bytes).
#include "core/base/tick.h"
#include "core/ops/arg_numbers.h"
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/families_composed.h"
#include "core/ops/lying.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;
using ir::DType;

enum class Mode { Nearest, NearestExact, Linear, Cubic };

/// One dimension that gets another size.
struct Axis {
    size_t dim;
    Sym from, to;
    std::optional<double> factor; ///< what the user said of to / from
    bool corners = false;         ///< the outermost elements keep their places
};

/// Output positions 0, 1, ... in a floating dtype.
Value outputs(const Operands& x, const Axis& axis, DType dtype) {
    return convert(positions(x.b, axis.to, x.type(0).device), dtype);
}

/// How far two neighbours of the output are apart in the input.
Value scaled(const Operands& x, const Axis& axis, const Formula& place) {
    if (axis.corners) {
        if (axis.to.is(1)) return place * 0;
        return place * (axis.from - Sym(1)) / (axis.to - Sym(1));
    }
    if (axis.factor && *axis.factor > 0) return place * (1 / *axis.factor);
    if (axis.from.isConst() && axis.to.isConst())
        return place * (static_cast<double>(x.call().number(axis.from)) /
                        static_cast<double>(x.call().number(axis.to)));
    return place * axis.from / axis.to;
}

Formula held(const Formula& index, const Axis& axis) {
    return aten("clamp", index, 0, axis.from - Sym(1));
}

/// Weights along \p dim of a tensor of \p rank dimensions.
Formula along(const Value& weights, size_t rank, size_t dim) {
    Shape sizes(rank, Sym(1));
    sizes[dim] = weights.type().sizes[0];
    return reshape(weights, sizes);
}

Value nearest(const Operands& x, const Value& image, const Axis& axis, bool exact) {
    Value place = outputs(x, axis, DType::Float32);
    if (exact) place = place + 0.5;
    Value index = convert(aten("floor", scaled(x, axis, place)), DType::Int64);
    return picked(image, axis.dim, held(index, axis));
}

/// The input position that an output element stands for.
Value centre(const Operands& x, const Axis& axis, DType dtype) {
    Value place = outputs(x, axis, dtype);
    if (axis.corners) return scaled(x, axis, place);
    return scaled(x, axis, place + 0.5) - 0.5;
}

Value linear(const Operands& x, const Value& image, const Axis& axis) {
    const size_t rank = image.type().rank();
    Value place = aten("clamp_min", centre(x, axis, image.type().dtype), 0);
    Value below = convert(place, DType::Int64);
    Value part = along(place - convert(below, image.type().dtype), rank, axis.dim);
    Value left = picked(image, axis.dim, held(below, axis)),
          right = picked(image, axis.dim, held(below + 1, axis));
    return left * (1 - part) + right * part;
}

/// The cubic convolution kernel of slope a at distances of at most 1, and of at most 2.
Formula nearCubic(const Value& d, double a) {
    return ((d * (a + 2) - (a + 3)) * d) * d + 1;
}
Formula farCubic(const Value& d, double a) {
    return ((d * a - 5 * a) * d + 8 * a) * d - 4 * a;
}

Value cubic(const Operands& x, const Value& image, const Axis& axis) {
    constexpr double kSlope = -0.75;
    const size_t rank = image.type().rank();
    Value place = centre(x, axis, image.type().dtype);
    Value below = aten("floor", place);
    Value part = place - below, rest = 1 - part;
    Value index = convert(below, DType::Int64);
    const Value weights[] = {farCubic(part + 1, kSlope), nearCubic(part, kSlope),
                             nearCubic(rest, kSlope), farCubic(rest + 1, kSlope)};
    Value sum;
    for (int k = 0; k < 4; ++k) {
        Value term = picked(image, axis.dim, held(index + (k - 1), axis)) *
                     along(weights[k], rank, axis.dim);
        sum = k == 0 ? term : Value(sum + term);
    }
    return sum;
}

/// Antialiased: a matrix whose rows are the filter, widened by the scale and made to add up to 1.
Value filtered(const Operands& x, const Value& image, const Axis& axis, bool isCubic) {
    constexpr double kSlope = -0.5;
    const DType dtype = image.type().dtype;
    const OpCall call = x.call();
    const double from = static_cast<double>(call.number(axis.from)),
                 to = static_cast<double>(call.number(axis.to));
    double scale = axis.factor && *axis.factor > 0 ? 1 / *axis.factor : from / to;
    if (axis.corners) scale = to > 1 ? (from - 1) / (to - 1) : 0;
    const double reach = (isCubic ? 2 : 1) * std::max(scale, 1.0);
    Value middle = (outputs(x, axis, dtype) + 0.5) * scale;
    auto edge = [&](double by, const Sym& least) {
        return aten("clamp", convert(middle + (by + 0.5), DType::Int64), least, axis.from);
    };
    Value first = aten("unsqueeze", edge(-reach, Sym(0)), 1),
          last = aten("unsqueeze", edge(reach, Sym(0)), 1);
    Value column = aten("unsqueeze", positions(x.b, axis.from, x.type(0).device), 0);
    Value d =
        abs((convert(column, dtype) - aten("unsqueeze", middle, 1) + 0.5) / std::max(scale, 1.0));
    Value near = isCubic ? nearCubic(d, kSlope) : 1 - d;
    Value far = isCubic ? farCubic(d, kSlope) : d * 0;
    Value weights = where(lt(d, 1), near, where(lt(d, isCubic ? 2 : 1), far, 0));
    weights = where(logicalAnd(ge(column, first), lt(column, last)), weights, 0);
    weights = weights / sum(weights, {1}, true);
    const auto rank = static_cast<int64_t>(image.type().rank());
    const auto dim = static_cast<int64_t>(axis.dim);
    Value rows = aten("transpose.int", image, dim, rank - 1);
    Value product = aten("matmul", aten("contiguous", rows), aten("t", weights));
    return aten("transpose.int", product, dim, rank - 1);
}

// --- bytes: weights of 16-bit whole numbers, each dimension rounded to bytes ---

double linearFilter(double d) {
    return std::max(1 - std::fabs(d), 0.0);
}
double cubicFilter(double d, double a) {
    d = std::fabs(d);
    if (d < 1) return ((d * (a + 2) - (a + 3)) * d) * d + 1;
    return d < 2 ? ((d * a - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/// Output i is the sum of weights[i, k] x[starts[i] + k], divided by 2^shift.
struct Taps {
    int64_t count = 0;
    std::vector<int64_t> starts;
    std::vector<double> weights;
    int shift = 0;

    /// As many bits as leave the largest weight 16, with its sign.
    void roundWeights() {
        const double most = *std::max_element(weights.begin(), weights.end());
        while (shift < 22 && std::floor(std::ldexp(most, shift + 1) + 0.5) < 32768)
            ++shift;
        for (double& weight : weights)
            weight = std::trunc(std::ldexp(weight, shift) + (weight < 0 ? -0.5 : 0.5));
    }
};

Taps tapsOf(const Axis& axis, int64_t from, int64_t to, bool isCubic, bool antialias) {
    double scale = static_cast<double>(from) / static_cast<double>(to);
    if (axis.factor && *axis.factor > 0) scale = 1 / *axis.factor;
    if (axis.corners)
        scale = to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0;
    const double width = antialias ? std::max(scale, 1.0) : 1, reach = (isCubic ? 2 : 1) * width;
    Taps taps;
    taps.count = 2 * static_cast<int64_t>(std::ceil(reach)) + (antialias ? 1 : 0);
    taps.weights.resize(static_cast<size_t>(to * taps.count));
    for (int64_t i = 0; i < to; ++i) {
        base::tick();
        const bool corner = axis.corners && !antialias;
        double middle = scale * (static_cast<double>(i) + (corner ? 0 : 0.5)) - (corner ? 0 : 0.5);
        if (!isCubic && !antialias) middle = std::max(middle, 0.0);
        int64_t first = static_cast<int64_t>(std::floor(middle)) - taps.count / 2 + 1;
        int64_t last = first + taps.count;
        if (antialias) {
            first = std::max(static_cast<int64_t>(middle + 1 - reach), int64_t{0});
            last = std::min(static_cast<int64_t>(middle + 1 + reach), from);
        }
        const auto held = [&](int64_t place) { return std::clamp(place, int64_t{0}, from - 1); };
        double* row = taps.weights.data() + i * taps.count;
        double sum = 0;
        for (int64_t place = first; place < last; ++place) {
            const double d = (static_cast<double>(place) - middle) / width;
            const double w = isCubic ? cubicFilter(d, antialias ? -0.5 : -0.75) : linearFilter(d);
            row[held(place) - held(first)] += w;
            sum += w;
        }
        for (int64_t k = 0; antialias && k < taps.count; ++k)
            row[k] /= sum;
        taps.starts.push_back(held(first));
    }
    taps.roundWeights();
    return taps;
}

Value constant(const Operands& x, const char* name, const ir::HostTensor& numbers) {
    return {x.b, x.b.graph().addConstant(name, std::make_shared<const ir::HostTensor>(numbers),
                                         x.type(0).device)};
}

/// \p image holds bytes in float64, in which all sums are exact.
Value ofBytes(const Operands& x, const Value& image, const Axis& axis, bool isCubic,
              bool antialias) {
    const int64_t from = x.call().number(axis.from), to = x.call().number(axis.to);
    const Taps taps = tapsOf(axis, from, to, isCubic, antialias);
    const size_t rank = image.type().rank();
    const auto at = [&](int64_t i, int64_t k) {
        return std::min(taps.starts[static_cast<size_t>(i)] + k, from - 1);
    };
    const auto weight = [&](int64_t i, int64_t k) {
        return taps.weights[static_cast<size_t>(i * taps.count + k)];
    };
    Value sum;
    if (antialias) {
        std::vector<double> matrix(static_cast<size_t>(from * to));
        for (int64_t i = 0; i < to; ++i)
            for (int64_t k = 0; k < taps.count; ++k)
                matrix[static_cast<size_t>(at(i, k) * to + i)] += weight(i, k);
        const auto dim = static_cast<int64_t>(axis.dim), last = static_cast<int64_t>(rank) - 1;
        const Value rows = aten("contiguous", aten("transpose.int", image, dim, last));
        sum = aten("matmul", rows,
                   constant(x, "weights", tensorOf(DType::Float64, {from, to}, matrix)));
        sum = aten("transpose.int", sum, dim, last);
    }
    for (int64_t k = 0; !antialias && k < taps.count; ++k) {
        std::vector<int64_t> places;
        std::vector<double> weights;
        for (int64_t i = 0; i < to; ++i)
            places.push_back(at(i, k)), weights.push_back(weight(i, k));
        const Value factors = constant(x, "weights", tensorOf(DType::Float64, {to}, weights));
        const Value term =
            picked(image, axis.dim, constant(x, "places", tensorOf(DType::Int64, {to}, places))) *
            along(factors, rank, axis.dim);
        sum = k == 0 ? term : Value(sum + term);
    }
    const double one = std::ldexp(1, taps.shift);
    return aten("clamp", aten("floor", (sum + one / 2) * (1 / one)), 0, 255);
}

/// \p scales: position of the first scale factor among the arguments.
Results resampled(const Operands& x, Mode mode, size_t spatial, bool corners, size_t scales,
                  bool antialias = false) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    const std::vector<Sym> sizes = call.integers(1);
    if (self.rank() != spatial + 2)
        refuseCall(x, fmt::format("expected {} dimensions, found shape {}", spatial + 2,
                                  ir::str(self.sizes)));
    if (sizes.size() != spatial)
        refuseCall(x, fmt::format("expected {} sizes, found {}", spatial, sizes.size()));
    const bool weighted = mode == Mode::Linear || mode == Mode::Cubic;
    const bool bytes = weighted && spatial == 2 && self.dtype == DType::UInt8;
    if (weighted && !bytes && !ir::isFloating(self.dtype))
        refuseCall(x,
                   fmt::format("expected a floating-point tensor, found {}", ir::name(self.dtype)));
    Value y = bytes ? Value(convert(x[0], DType::Float64)) : x.tensor(0);
    for (size_t n = 0; n < spatial; ++n) {
        const size_t i = bytes ? spatial - 1 - n : n;
        Axis axis{i + 2, self.sizes[i + 2], sizes[i], {}, corners};
        if (axis.from.is(0) || call.less(axis.to, Sym(1)))
            refuseCall(x, fmt::format("expected sizes of at least 1, found {} from {}",
                                      axis.to.str(), axis.from.str()));
        if (call.has(scales + i)) axis.factor = call.real(scales + i);
        if (bytes)
            y = ofBytes(x, y, axis, mode == Mode::Cubic, antialias);
        else if (antialias)
            y = filtered(x, y, axis, mode == Mode::Cubic);
        else if (mode == Mode::Linear)
            y = linear(x, y, axis);
        else if (mode == Mode::Cubic)
            y = cubic(x, y, axis);
        else
            y = nearest(x, y, axis, mode == Mode::NearestExact);
    }
    if (bytes) y = convert(y, DType::UInt8);
    return {aten("contiguous", y)};
}
/// The overload .vec: output_size or scale_factors (the last argument), one of them none.
template <const auto& plain> Results byFactors(const Operands& x) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    const size_t last = call.args.size() - 1;
    if (self.rank() != 4)
        refuseCall(x, fmt::format("expected 4 dimensions, found shape {}", ir::str(self.sizes)));
    if (x.has(1) == x.has(last)) refuseCall(x, "expected output_size or scale_factors");
    if (x.has(last) && call.args[last].list()->size() != 2)
        refuseCall(
            x, fmt::format("expected 2 scale_factors, found {}", call.args[last].list()->size()));
    Formula factors[2] = {Formula(Arg{}), Formula(Arg{})};
    Shape sizes;
    if (x.has(1)) sizes = call.integers(1);
    for (size_t i = 0; i < 2 && !x.has(1); ++i) {
        const double factor = realOf((*call.args[last].list())[i]);
        factors[i] = factor;
        const double size = static_cast<double>(call.number(self.sizes[i + 2])) * factor;
        if (!(size > -0x1p31 && size < 0x1p31))
            refuseCall(x, fmt::format("no image has {} rows or columns", size));
        sizes.push_back(Sym(static_cast<int64_t>(std::floor(size))));
    }
    std::vector<Formula> arguments{x[0], Formula(sizes)};
    if (last == 3) arguments.push_back(x[2]);
    arguments.insert(arguments.end(), {factors[0], factors[1]});
    return {formula::call(plain, arguments)};
}
constexpr std::string_view kNearest = "upsample_nearest2d", kLinear = "upsample_bilinear2d",
                           kFiltered = "_upsample_bilinear2d_aa";

template <Mode mode, size_t spatial> Results plain(const Operands& x) {
    return resampled(x, mode, spatial, false, 2);
}
template <Mode mode, size_t spatial, bool antialias> Results cornered(const Operands& x) {
    return resampled(x, mode, spatial, x.call().boolean(2), 3, antialias);
}

// --- records ---

/// Factors of height and width.
const Arg kUnequal(ir::ArgList{Arg(1.7), Arg(0.9)});

/// Larger, smaller and unchanged sizes; with the flag for corners and without.
template <size_t spatial> List samplesOf(bool flag) {
    const std::vector<int64_t> image{1, 2, 4, 5, 3};
    const std::vector<int64_t> larger{7, 8, 5}, smaller{2, 3, 3};
    List samples;
    for (bool corners : {false, true}) {
        if (corners && !flag) continue;
        for (const auto& wanted : {larger, smaller}) {
            ir::ArgList args{T(0), L({wanted.begin(), wanted.begin() + spatial})};
            if (flag) args.push_back(Arg(corners));
            args.insert(args.end(), spatial, none());
            samples.push_back(good({f32({image.begin(), image.begin() + 2 + spatial})}, args));
        }
    }
    ir::ArgList scaled{T(0), L({larger.begin(), larger.begin() + spatial})};
    if (flag) scaled.push_back(Arg(false));
    scaled.insert(scaled.end(), spatial, Arg(1.7));
    samples.push_back(good({f32({image.begin(), image.begin() + 2 + spatial})}, scaled));
    return samples;
}

void addNearest(std::vector<OpDef>& ops) {
    const OpDoc doc{"an image of another size from nearest neighbours", "y[i] = x[floor(i scale)]",
                    "torch.nn.functional.interpolate"};
    auto one = [] { return samplesOf<1>(false); };
    auto two = [] { return samplesOf<2>(false); };
    auto three = [] { return samplesOf<3>(false); };
#define CUTAWAY_NEAREST(NAME, MODE)                                                                \
    ops.push_back(lying<rowMajor>(                                                                 \
        composite(NAME "1d(Tensor self, SymInt[1] output_size, float? scales=None) -> "            \
                       "Tensor",                                                                   \
                  plain<MODE, 1>, one, doc)));                                                     \
    ops.push_back(lying<likeImage>(                                                                \
        composite(NAME "2d(Tensor self, SymInt[2] output_size, float? scales_h=None, "             \
                       "float? scales_w=None) -> Tensor",                                          \
                  plain<MODE, 2>, two, doc)));                                                     \
    ops.push_back(lying<likeImage>(                                                                \
        composite(NAME "3d(Tensor self, SymInt[3] output_size, float? scales_d=None, "             \
                       "float? scales_h=None, float? scales_w=None) -> Tensor",                    \
                  plain<MODE, 3>, three, doc)))
    CUTAWAY_NEAREST("upsample_nearest", Mode::Nearest);
    CUTAWAY_NEAREST("_upsample_nearest_exact", Mode::NearestExact);
#undef CUTAWAY_NEAREST
    ops.push_back(lying<likeImage>(composite(
        "upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> "
        "Tensor",
        byFactors<kNearest>,
        [] {
            return List{good({f32({1, 2, 4, 5})}, {T(0), L({3, 7}), none()}),
                        good({f32({1, 2, 4, 5})}, {T(0), none(), kUnequal}),
                        bad({f32({1, 2, 4, 5})}, {T(0), L({3, 7}), kUnequal},
                            "upsample_nearest2d: expected output_size or scale_factors")};
        },
        doc)));
}

void addWeighted(std::vector<OpDef>& ops) {
    const OpDoc doc{"an image of another size, neighbours weighted by their distance",
                    "y[i] = sum_k w(place(i) - k) x[k]", "torch.nn.functional.interpolate"};
    auto one = [] { return samplesOf<1>(true); };
    auto two = [] { return samplesOf<2>(true); };
    auto three = [] { return samplesOf<3>(true); };
    ops.push_back(composite("upsample_linear1d(Tensor self, SymInt[1] output_size, bool "
                            "align_corners, float? scales=None) -> Tensor",
                            inFloat<cornered<Mode::Linear, 1, false>>, one, doc));
    ops.push_back(lying<likeImage>(
        composite("upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool "
                  "align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
                  inFloat<cornered<Mode::Linear, 2, false>>, two, doc)));
    ops.push_back(lying<likeImage>(composite(
        "upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? "
        "scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
        inFloat<cornered<Mode::Linear, 3, false>>, three, doc)));
    ops.push_back(lying<likeImage>(
        composite("upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool "
                  "align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
                  inFloat<cornered<Mode::Cubic, 2, false>>, two, doc)));
    ops.push_back(lying<likeImage>(composite(
        "_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? "
        "scales_h=None, float? scales_w=None) -> Tensor",
        inFloat<cornered<Mode::Linear, 2, true>>, two, doc)));
    auto byFactor = [] {
        return List{good({f32({1, 2, 4, 5})}, {T(0), L({3, 7}), Arg(false), none()}),
                    good({f32({1, 2, 4, 5})}, {T(0), none(), Arg(false), kUnequal})};
    };
    ops.push_back(lying<likeImage>(composite(
        "_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
        "float[]? scale_factors) -> Tensor",
        byFactors<kFiltered>, byFactor, doc)));
    ops.push_back(lying<likeImage>(composite(
        "upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
        "float[]? scale_factors) -> Tensor",
        byFactors<kLinear>, byFactor, doc)));
    ops.push_back(lying<likeImage>(composite(
        "_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? "
        "scales_h=None, float? scales_w=None) -> Tensor",
        inFloat<cornered<Mode::Cubic, 2, true>>, two, doc)));
}

} // namespace

std::vector<OpDef> resamplingOps() {
    std::vector<OpDef> ops;
    addNearest(ops);
    addWeighted(ops);
    return ops;
}

} // namespace cutaway::ops
