// SPDX-License-Identifier: Apache-2.0
// Pools over two spatial dimensions. Sources: aten/src/ATen/native/Pool.h (sizes),
// aten/src/ATen/native/cpu/MaxPoolKernel.cpp, torch/_decomp/decompositions.py (adaptive).
#include "core/ops/call_forms.h"
#include "core/ops/composite.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/lying.h"
#include "core/ops/pooling_rules.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Shape;
using ir::Sym;
using ir::TensorType;

std::array<int64_t, 2> pairOf(const OpCall& call, size_t arg) {
    const std::vector<int64_t> numbers = spatialNumbers(call, arg, 2);
    return {numbers[0], numbers[1]};
}

} // namespace

Sym PoolWindow::places(size_t d, const Sym& size) const {
    const int64_t reach = dilation[d] * (taps[d] - 1) + 1;
    const int64_t extra = ceil ? stride[d] - 1 : 0;
    Sym count = floorDiv(size + Sym(2 * padding[d] - reach + extra), Sym(stride[d])) + Sym(1);
    // The last window begins inside the image or its left padding.
    if (ceil) count = minimum(count, floorDiv(size + Sym(padding[d] - 1), Sym(stride[d])) + Sym(1));
    return count;
}

PoolWindow poolWindow(const OpCall& call, bool isMax, size_t shift) {
    PoolWindow w;
    w.taps = pairOf(call, 1 + shift);
    w.stride = call.integers(2 + shift).empty() ? w.taps : pairOf(call, 2 + shift);
    w.padding = pairOf(call, 3 + shift);
    w.dilation = {1, 1};
    if (isMax) w.dilation = pairOf(call, 4 + shift);
    w.ceil = call.boolean((isMax ? 5 : 4) + shift);
    return w;
}

namespace {

base::Status checkNumbers(const OpCall& call, size_t count, size_t shift) {
    for (size_t arg = 1 + shift; arg <= count + shift; ++arg) {
        if (arg == 2 + shift && call.integers(arg).empty()) continue;
        CUTAWAY_TRY(std::vector<Sym> list, spatialList(call, arg, 2));
        for (const Sym& value : list)
            if (call.number(value) > INT32_MAX)
                return refuse(call, value.str() + " is more than 32 bits hold");
    }
    const PoolWindow w = poolWindow(call, count == 4, shift);
    std::vector<WindowNumbers> windows;
    for (size_t d = 0; d < 2; ++d)
        windows.push_back({w.taps[d], w.stride[d], w.padding[d], w.dilation[d]});
    if (const std::string unfit = unfitNumbers(windows); !unfit.empty())
        return base::userError({}, unfit);
    return {};
}

Result<TensorType> pooledType(const OpCall& call, bool isMax) {
    const TensorType& x = call.tensor(0);
    if (isMax && x.rank() != 3 && x.rank() != 4)
        return base::userError({}, "non-empty 3D or 4D (batch mode) tensor expected for input");
    if (isMax ? x.dtype == DType::Bool : !ir::isFloating(x.dtype) && x.dtype != DType::Int64)
        return refuse(call, fmt::format("expected a {} tensor, found {}",
                                        isMax ? "number" : "floating-point", ir::name(x.dtype)))
            .as(ErrorClass::NotImplemented);
    CUTAWAY_CHECK(checkNumbers(call, isMax ? 4 : 3, 0));
    bool image = x.rank() == 3 || x.rank() == 4;
    for (size_t d = x.rank() == 4; d < x.rank(); ++d)
        image &= !x.sizes[d].is(0);
    if (!image)
        return base::userError({}, "Expected 3D or 4D (batch mode) tensor with optional 0 dim "
                                   "batch size for input, but got:" +
                                       ir::str(x.sizes));
    const PoolWindow w = poolWindow(call, isMax, 0);
    std::vector<Sym> spatial;
    for (size_t d = 0; d < 2; ++d)
        spatial.push_back(w.places(d, x.sizes[x.rank() - 2 + d]));
    if (const std::string unfit = unfitPlaces(call, x.sizes, spatial); !unfit.empty())
        return base::userError({}, unfit);
    return imageType(x.dtype, withSpatial(x.sizes, spatial), x.device,
                     x.rank() == 4 && isChannelsLast(x));
}

Result<Types> maxPoolShape(const OpCall& call) {
    CUTAWAY_TRY(TensorType type, pooledType(call, true));
    return one(std::move(type));
}
Result<Types> positionsShape(const OpCall& call) {
    CUTAWAY_TRY(TensorType type, pooledType(call, true));
    type.dtype = DType::Int64;
    return one(std::move(type));
}
Result<Types> withIndicesShape(const OpCall& call) {
    CUTAWAY_TRY(TensorType type, pooledType(call, true));
    TensorType indices = type;
    indices.dtype = DType::Int64;
    return Types{std::move(type), std::move(indices)};
}
Result<Types> avgPoolShape(const OpCall& call) {
    CUTAWAY_TRY(TensorType type, pooledType(call, false));
    if (call.has(6) && call.integer(6).is(0))
        return base::userError({}, "divisor must be not zero");
    return one(std::move(type));
}
/// grad_output, self, ...: like self.
template <bool isMax> Result<Types> likeSelf(const OpCall& call) {
    const TensorType& x = call.tensor(1);
    auto misfit = [&] {
        return refuse(call, fmt::format("no windows of {} give {}", ir::str(x.sizes),
                                        ir::str(call.tensor(0).sizes)));
    };
    if (x.rank() != 3 && x.rank() != 4) return misfit();
    CUTAWAY_CHECK(commonDevice(call));
    if (call.tensor(0).dtype != x.dtype ||
        (isMax ? x.dtype == DType::Bool : !ir::isFloating(x.dtype)))
        return refuse(call, fmt::format("expected two {} tensors of one dtype, found {} and {}",
                                        isMax ? "number" : "floating-point", ir::name(x.dtype),
                                        ir::name(call.tensor(0).dtype)));
    if (isMax && call.tensor(7).dtype != DType::Int64)
        return refuse(call, fmt::format("expected indices of int64, found {}",
                                        ir::name(call.tensor(7).dtype)));
    CUTAWAY_CHECK(checkNumbers(call, isMax ? 4 : 3, 1));
    const PoolWindow w = poolWindow(call, isMax, 1);
    std::vector<Sym> spatial;
    for (size_t d = 0; d < 2; ++d)
        spatial.push_back(w.places(d, x.sizes[x.rank() - 2 + d]));
    const ir::Shape pooled = withSpatial(x.sizes, spatial);
    if (!call.same(call.tensor(0).sizes, pooled)) return misfit();
    if (isMax && !call.same(call.tensor(7).sizes, pooled)) return misfit();
    return one(imageType(x.dtype, x.sizes, x.device, x.rank() == 4 && isChannelsLast(x)));
}

// --- gradients and decompositions ---

Formula maxPoolGradient(Vjp& v) {
    return aten("max_pool2d_with_indices_backward", v.grad, v[0], v[1], v[2], v[3], v[4], v[5],
                item(v.result, 1));
}
Formula avgPoolGradient(Vjp& v) {
    return aten("avg_pool2d_backward", v.grad, v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
}

/// A window of more elements than this is looked through along one dimension and then along the
/// other: what is written out for an element grows with the sum of its lengths, not with the product.
constexpr int64_t kManyTaps = 16;

bool isLarge(const PoolWindow& w) {
    return w.taps[0] > 1 && w.taps[1] > 1 && w.taps[0] * w.taps[1] > kManyTaps;
}
/// More windows than that which one place of the image lies in.
bool manyCover(const PoolWindow& w) {
    int64_t count = 1;
    for (size_t d = 0; d < 2; ++d)
        count *= (w.taps[d] - 1) * w.dilation[d] / w.stride[d] + 1;
    return count > kManyTaps;
}
/// The window along dimension \p d alone.
PoolWindow along(const PoolWindow& w, size_t d) {
    PoolWindow one{{1, 1}, {1, 1}, {0, 0}, {1, 1}, w.ceil};
    one.taps[d] = w.taps[d], one.stride[d] = w.stride[d];
    one.padding[d] = w.padding[d], one.dilation[d] = w.dilation[d];
    return one;
}
DType computedIn(DType dtype) {
    return ir::isHalf(dtype) ? DType::Float32 : dtype;
}
ir::Shape numbers(const std::array<int64_t, 2>& two) {
    return {Sym(two[0]), Sym(two[1])};
}
/// The two last dimensions as one.
Value planes(const Value& x) {
    ir::Shape sizes = x.type().sizes;
    const Sym columns = sizes.back();
    sizes.pop_back();
    sizes.back() = sizes.back() * columns;
    return formula::reshape(x, sizes);
}

Formula maxAlong(std::string_view op, const Value& image, const PoolWindow& w) {
    return aten(op, image, numbers(w.taps), numbers(w.stride), numbers(w.padding),
                numbers(w.dilation), w.ceil);
}
Results withIndicesParts(const Operands& x) {
    const std::string_view values = "_max_pool2d_values", places = "_max_pool2d_positions";
    const PoolWindow w = poolWindow(x.call(), true, 0);
    if (!isLarge(w)) return {formula::call(values, x.all()), formula::call(places, x.all())};
    // The first of equal ones lies in the first row that has one, and is the first there.
    const PoolWindow across = along(w, 1), down = along(w, 0);
    Value inRows = maxAlong(values, x.tensor(0), across);
    Value best = maxAlong(values, inRows, down);
    Value row = planes(maxAlong(places, inRows, down));
    Value found = aten("gather", planes(maxAlong(places, x.tensor(0), across)), -1, row);
    return {best, formula::reshape(found, best.type().sizes)};
}
Results maxBackwardParts(const Operands& x) {
    if (!manyCover(poolWindow(x.call(), true, 1)))
        return {formula::call("_max_pool2d_windows_backward", x.all())};
    Value nothing =
        aten("zeros_like", x.tensor(1), Arg{}, Arg{}, Arg{}, Arg{}, "contiguous_format");
    Value spread =
        aten("scatter_add", planes(nothing), -1, planes(x.tensor(7)), planes(x.tensor(0)));
    return {formula::reshape(spread, x.type(1).sizes)};
}

Formula averageAlong(const Value& image, const PoolWindow& w, bool countsPadding,
                     const Arg& divisor) {
    return aten("_avg_pool2d_windows", image, numbers(w.taps), numbers(w.stride),
                numbers(w.padding), w.ceil, countsPadding, divisor);
}
/// Averages of averages: a window's count is the product of its counts along the dimensions.
Results averageParts(const Operands& x) {
    const OpCall call = x.call();
    const PoolWindow w = poolWindow(call, false, 0);
    if (!isLarge(w) || !ir::isFloating(x.type(0).dtype))
        return {formula::call("_avg_pool2d_windows", x.all())};
    const bool own = call.has(6), countsPadding = call.boolean(5);
    Value image = formula::convert(x.tensor(0), computedIn(x.type(0).dtype));
    Value rows = averageAlong(image, along(w, 1), countsPadding, own ? Arg(Sym(1)) : Arg{});
    return {
        formula::convert(averageAlong(rows, along(w, 0), countsPadding, own ? call.args[6] : Arg{}),
                         x.type(0).dtype)};
}
Formula averageBackwardAlong(const Value& grad, const Value& image, const PoolWindow& w,
                             bool countsPadding, const Arg& divisor) {
    return aten("_avg_pool2d_windows_backward", grad, image, numbers(w.taps), numbers(w.stride),
                numbers(w.padding), w.ceil, countsPadding, divisor);
}
Results averageBackwardParts(const Operands& x) {
    const OpCall call = x.call();
    const PoolWindow w = poolWindow(call, false, 1);
    const TensorType& image = x.type(1);
    if (!isLarge(w)) return {formula::call("_avg_pool2d_windows_backward", x.all())};
    const bool own = call.has(7), countsPadding = call.boolean(6);
    const DType dtype = computedIn(image.dtype);
    const size_t rank = image.rank();
    ir::Shape between = image.sizes;
    between[rank - 1] = x.type(0).sizes[rank - 1];
    // Only the sizes of an image count.
    TensorType wide = image;
    wide.dtype = dtype;
    Value rows = full(x.b, between, 0, wide);
    Value whole = full(x.b, image.sizes, 0, wide);
    Value grad = formula::convert(x.tensor(0), dtype);
    Value down =
        averageBackwardAlong(grad, rows, along(w, 0), countsPadding, own ? call.args[7] : Arg{});
    return {formula::convert(
        averageBackwardAlong(down, whole, along(w, 1), countsPadding, own ? Arg(Sym(1)) : Arg{}),
        image.dtype)};
}
Results maxPoolByIndices(const Operands& x) {
    return {item(formula::call("max_pool2d_with_indices", x.all()), 0)};
}

} // namespace

std::string unfitNumbers(std::span<const WindowNumbers> windows) {
    for (const WindowNumbers& w : windows) {
        if (w.stride == 0) return "stride should not be zero";
        if (w.padding < 0)
            return fmt::format("pad must be non-negative, but got pad: {}", w.padding);
        if (w.padding > (w.dilation * (w.taps - 1) + 1) / 2)
            return fmt::format("pad should be at most half of effective kernel size, but got "
                               "pad={}, kernel_size={} and dilation={}",
                               w.padding, w.taps, w.dilation);
    }
    const std::string_view names = windows.size() == 2 ? "HW" : "THW";
    auto all = [&](std::string_view prefix, int64_t WindowNumbers::* number,
                   std::string_view sign) {
        std::string text;
        for (size_t d = 0; d < windows.size(); ++d)
            text += fmt::format(" {}{}{}{}", prefix, names[d], sign, windows[d].*number);
        return text;
    };
    auto someBelowOne = [&](int64_t WindowNumbers::* number) {
        return std::ranges::any_of(windows, [&](const auto& w) { return w.*number < 1; });
    };
    if (someBelowOne(&WindowNumbers::taps))
        return "kernel size should be greater than zero, but got" +
               all("k", &WindowNumbers::taps, ": ");
    if (someBelowOne(&WindowNumbers::stride))
        return "stride should be greater than zero, but got" +
               all("d", &WindowNumbers::stride, ": ");
    if (someBelowOne(&WindowNumbers::dilation))
        return "dilation should be greater than zero, but got" +
               all("dilation", &WindowNumbers::dilation, ": ");
    if (std::ranges::any_of(windows, [](const auto& w) { return w.padding > w.taps / 2; }))
        return "pad should be smaller than or equal to half of kernel size, but got" +
               all("pad", &WindowNumbers::padding, " = ") + all("k", &WindowNumbers::taps, " = ");
    return {};
}

std::string unfitPlaces(const OpCall& call, const Shape& sizes, const Shape& places) {
    if (std::ranges::none_of(places, [&](const Sym& p) { return call.less(p, Sym(1)); })) return {};
    const size_t rank = sizes.size(), spatial = places.size();
    std::string given = sizes[rank - spatial - 1].str(), found = given;
    for (size_t d = 0; d < spatial; ++d) {
        given += "x" + sizes[rank - spatial + d].str();
        found += "x" + places[d].str();
    }
    return fmt::format(
        "Given input size: ({}). Calculated output size: ({}). Output size is too small", given,
        found);
}

std::string emptyImage(const OpCall& call, std::string_view name, size_t from) {
    const TensorType& x = call.tensor(0);
    for (size_t d = from; d < x.rank(); ++d)
        if (x.sizes[d].is(0))
            return fmt::format("{}(): Expected input to have non-zero size for non-batch "
                               "dimensions, but input has sizes {} with dimension {} being empty",
                               name, ir::str(x.sizes), d);
    return {};
}

namespace {

Result<Types> adaptiveShape(const OpCall& call) {
    const TensorType& x = call.tensor(0);
    if (x.rank() != 3 && x.rank() != 4)
        return base::userError({}, fmt::format("{}(): Expected 3D or 4D tensor, but got {}",
                                               call.def.parsed.base, ir::str(x.sizes)));
    if (!ir::isFloating(x.dtype))
        return refuse(call,
                      "expected a floating-point tensor, found " + std::string(ir::name(x.dtype)));
    CUTAWAY_TRY(std::vector<Sym> out, spatialList(call, 1, 2));
    for (const Sym& size : out)
        if (call.less(size, Sym(0)))
            return base::userError({},
                                   fmt::format("{}: elements of output_size must be greater "
                                               "than or equal to 0 but received {{{}, {}}}",
                                               call.def.parsed.base, out[0].str(), out[1].str()));
    // PyTorch: one place is the mean, a NaN where the image has no elements.
    const bool mean = out[0].is(1) && out[1].is(1);
    if (!mean && (x.sizes[x.rank() - 2].is(0) || x.sizes[x.rank() - 1].is(0)))
        return base::userError({}, emptyImage(call, call.def.parsed.base));
    return one(imageType(x.dtype, withSpatial(x.sizes, out), x.device,
                         x.rank() == 4 && isChannelsLast(x)));
}

Results adaptive(const Operands& x) {
    const TensorType type = x.type(0);
    const Shape& out = x.node.types[0].sizes;
    const size_t rank = type.rank();
    const Sym in[] = {type.sizes[rank - 2], type.sizes[rank - 1]};
    const Sym to[] = {out[rank - 2], out[rank - 1]};
    if (to[0].is(1) && to[1].is(1)) return {aten("mean.dim", x[0], std::vector<int>{-1, -2}, true)};
    const bool empty = to[0].is(0) || to[1].is(0) || type.sizes[rank - 3].is(0);
    if (!empty && mod(in[0], to[0]).is(0) && mod(in[1], to[1]).is(0))
        return {aten("avg_pool2d", x[0], Shape{floorDiv(in[0], to[0]), floorDiv(in[1], to[1])})};
    return averagesOfWindows(x);
}

// --- samples ---

std::vector<Sample> maxSamples() {
    return {
        good({f32({2, 3, 6, 7})}, {T(0), L({2}), L({}), L({0}), L({1}), Arg(false)}),
        good({f32({1, 2, 7, 6})}, {T(0), L({3}), L({2}), L({1}), L({1}), Arg(false)}),
        good({f32({2, 7, 5})}, {T(0), L({3, 2}), L({2, 1}), L({1, 0}), L({2, 1}), Arg(true)}),
        forwardOnly({awkward(f32({1, 1, 5, 5}))},
                    {T(0), L({2}), L({1}), L({0}), L({1}), Arg(false)}),
        good({f64({1, 2, 4, 4})}, {T(0), L({2}), L({2}), L({1}), L({1}), Arg(true)}),
        good({f32({1, 2, 9, 11})}, {T(0), L({5, 4}), L({2, 3}), L({2, 1}), L({1, 2}), Arg(true)}),
        forwardOnly({awkward(f32({1, 1, 7, 7}))}, {T(0), L({5}), L({1}), L({2})}),
        bad({f32({4, 4})}, {T(0), L({2})},
            "non-empty 3D or 4D (batch mode) tensor expected for input"),
        bad({f32({1, 1, 4, 4})}, {T(0), L({2}), L({2}), L({2})},
            "pad should be at most half of effective kernel size, but got pad=2, "
            "kernel_size=2 and dilation=1"),
        bad({f32({1, 1, 2, 4})}, {T(0), L({3})},
            "Given input size: (1x2x4). Calculated output size: (1x0x1). Output size is too "
            "small")};
}

/// Places that each of the windows covers, as max_pool2d_with_indices gives them.
std::vector<Sample> maxBackwardSamples() {
    return {good({f32({2, 2, 1, 1}), f32({2, 2, 3, 3}), i64({2, 2, 1, 1}, 0, 8)},
                 {T(0), T(1), L({3}), L({2}), L({0}), L({1}), Arg(false), T(2)}),
            good({f32({2, 1, 2}), f32({2, 1, 4}), i64({2, 1, 2}, 1, 2)},
                 {T(0), T(1), L({1, 3}), L({1}), L({0}), L({1}), Arg(false), T(2)}),
            good({f32({1, 2, 2, 2}), f32({1, 2, 3, 3}), i64({1, 2, 2, 2}, 4, 4)},
                 {T(0), T(1), L({3}), L({2}), L({1}), L({1}), Arg(true), T(2)})};
}

std::vector<Sample> avgSamples() {
    return {
        good({f32({2, 3, 6, 7})}, {T(0), L({2})}),
        good({f32({1, 2, 7, 6})}, {T(0), L({3}), L({2}), L({1}), Arg(false), Arg(true)}),
        good({f32({2, 7, 5})}, {T(0), L({3, 2}), L({2, 3}), L({1, 1}), Arg(true), Arg(false)}),
        good({f32({1, 1, 6, 6})}, {T(0), L({3}), L({2}), L({1}), Arg(true), Arg(true)}),
        good({f32({1, 1, 4, 4})}, {T(0), L({2}), L({1}), L({0}), Arg(false), Arg(true), I(3)}),
        good({f32({1, 2, 9, 8})}, {T(0), L({5, 4}), L({2, 3}), L({2, 1}), Arg(true), Arg(false)}),
        good({f32({2, 7, 6})}, {T(0), L({5, 6}), L({1}), L({2, 3}), Arg(false), Arg(true)}),
        good({f32({1, 1, 6, 6})}, {T(0), L({5}), L({1}), L({0}), Arg(false), Arg(true), I(7)}),
        bad({i32({1, 1, 4, 4})}, {T(0), L({2})},
            "avg_pool2d: expected a floating-point tensor, found int32"),
        bad({f32({1, 1, 4, 4})}, {T(0), L({2}), L({}), L({0}), Arg(false), Arg(true), I(0)},
            "divisor must be not zero")};
}

/// Those that the operation itself would refuse in its own name, left out.
template <std::vector<Sample> (*samples)()> std::vector<Sample> partSamples() {
    std::vector<Sample> all = samples();
    std::erase_if(all, [](const Sample& s) { return !s.expectedError.empty(); });
    return all;
}

std::vector<Sample> avgBackwardSamples() {
    return {good({f32({2, 3, 4, 3}), f32({2, 3, 7, 6})},
                 {T(0), T(1), L({3}), L({2}), L({1}), Arg(false), Arg(false), none()}),
            good({f32({1, 4, 3}), f32({1, 7, 6})},
                 {T(0), T(1), L({3, 2}), L({2, 2}), L({1, 0}), Arg(true), Arg(true), none()})};
}

std::vector<Sample> adaptiveSamples() {
    return {good({f32({2, 3, 6, 8})}, {T(0), L({1, 1})}),
            good({f32({2, 3, 6, 8})}, {T(0), L({3, 4})}), good({f32({2, 5, 7})}, {T(0), L({3, 2})}),
            bad({f32({5, 7})}, {T(0), L({3, 2})},
                "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got [5, 7]")};
}

constexpr std::string_view kMaxArguments =
    "(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool "
    "ceil_mode=False) -> ";

constexpr std::string_view kMaxBackwardArguments =
    "(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] "
    "dilation, bool ceil_mode, Tensor indices) -> Tensor";

/// The gradient is linear in the first one: what it was spread to is gathered again.
Formula maxSecond(Vjp& v) {
    Value places = planes(v[7]), taken = aten("gather", planes(v.grad), -1, places);
    return formula::reshape(taken, v.type(0).sizes);
}
/// The image has a gradient, of zeros, as in PyTorch.
template <auto Second> void linearInFirst(Vjp& v) {
    if (v.wants(0)) v.set(0, Second(v));
    v.set(1, zerosLike(v.grad));
}
Formula avgSecond(Vjp& v) {
    return aten("avg_pool2d", v.grad, v[2], v[3], v[4], v[5], v[6], v[7]);
}

constexpr std::string_view kAverageArguments =
    "int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool "
    "count_include_pad=True, int? divisor_override=None) -> Tensor";
constexpr std::string_view kAverageBackwardArguments =
    "(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool "
    "ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor";

void addMax(std::vector<OpDef>& ops) {
    static const std::string values = fmt::format("_max_pool2d_values{}Tensor", kMaxArguments);
    static const std::string positions =
        fmt::format("_max_pool2d_positions{}Tensor", kMaxArguments);
    static const std::string both =
        fmt::format("max_pool2d_with_indices{}(Tensor, Tensor)", kMaxArguments);
    static const std::string whole = fmt::format("max_pool2d{}Tensor", kMaxArguments);
    const std::string_view formula = "y[p] = max over k of x[p s - pad + k d]";
    const NotDifferentiable part{"a part of max_pool2d_with_indices, after differentiation"};
    ops.push_back(
        internal({values,
                  maxPoolShape,
                  part,
                  Indexed{buildMaxPool},
                  maxPoolReference,
                  maxSamples,
                  {"largest elements of windows", formula, "aten::max_pool2d_with_indices"}}));
    ops.push_back(internal({positions,
                            positionsShape,
                            part,
                            Indexed{buildPositions},
                            positionsReference,
                            maxSamples,
                            {"where in the plane the largest elements lie", "y[p] = argmax over k",
                             "aten::max_pool2d_with_indices"}}));
    ops.push_back({both,
                   withIndicesShape,
                   VjpRule{vjpOfFirst<maxPoolGradient>},
                   Decompose{withIndicesParts, DecomposeWhen::BeforeLowering},
                   withIndicesReference,
                   maxSamples,
                   {"largest elements of windows, and their places", formula,
                    "torch.nn.functional.max_pool2d_with_indices"},
                   {.oneGradient = true}});
    ops.push_back(saving(
        "self", {whole,
                 maxPoolShape,
                 ThroughDecomposition{},
                 Decompose{maxPoolByIndices, DecomposeWhen::BeforeAutograd},
                 maxPoolReference,
                 maxSamples,
                 {"largest elements of windows", formula, "torch.nn.functional.max_pool2d"}}));
    const OpDoc slopes{"gradient of max_pool2d", "dx[i] = sum of dy[p] where indices[p] = i",
                       "aten::max_pool2d_with_indices_backward"};
    static const std::string windows =
        fmt::format("_max_pool2d_windows_backward{}", kMaxBackwardArguments);
    static const std::string back =
        fmt::format("max_pool2d_with_indices_backward{}", kMaxBackwardArguments);
    ops.push_back(internal({windows, likeSelf<true>, part, Indexed{buildMaxBackward},
                            maxBackwardReference, maxBackwardSamples, slopes}));
    ops.push_back({back, likeSelf<true>, VjpRule{linearInFirst<maxSecond>},
                   Decompose{maxBackwardParts, DecomposeWhen::BeforeLowering}, maxBackwardReference,
                   maxBackwardSamples, slopes});
}

void addAverage(std::vector<OpDef>& ops) {
    static const std::string whole = fmt::format("avg_pool2d(Tensor self, {}", kAverageArguments);
    static const std::string windows =
        fmt::format("_avg_pool2d_windows(Tensor self, {}", kAverageArguments);
    static const std::string back = fmt::format("avg_pool2d_backward{}", kAverageBackwardArguments);
    static const std::string backWindows =
        fmt::format("_avg_pool2d_windows_backward{}", kAverageBackwardArguments);
    const OpDoc doc{"averages of windows", "y[p] = sum over k of x[p s - pad + k] / count",
                    "torch.nn.functional.avg_pool2d"};
    const OpDoc slopes{"gradient of avg_pool2d", "dx[i] = sum of dy[p] / count over windows p of i",
                       "aten::avg_pool2d_backward"};
    const NotDifferentiable part{"a part of avg_pool2d, after differentiation"};
    ops.push_back(internal({windows, avgPoolShape, part, Indexed{buildAvgPool}, avgPoolReference,
                            partSamples<avgSamples>, doc}));
    ops.push_back(internal({backWindows, likeSelf<false>, part, Indexed{buildAvgBackward},
                            avgBackwardReference, avgBackwardSamples, slopes}));
    ops.push_back(saving("self", {whole, avgPoolShape, VjpRule{vjpOfFirst<avgPoolGradient>},
                                  Decompose{averageParts, DecomposeWhen::BeforeLowering},
                                  avgPoolReference, avgSamples, doc}));
    ops.push_back({back, likeSelf<false>, VjpRule{linearInFirst<avgSecond>},
                   Decompose{averageBackwardParts, DecomposeWhen::BeforeLowering},
                   avgBackwardReference, avgBackwardSamples, slopes});
}

} // namespace

std::vector<OpDef> poolingOps() {
    std::vector<OpDef> ops;
    addMax(ops);
    addAverage(ops);
    ops.push_back(
        saving("self", with<&Traits::refuses, Refuses::WholeNumbers>(
                           {"adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
                            adaptiveShape,
                            ThroughDecomposition{},
                            Decompose{adaptive, DecomposeWhen::BeforeAutograd},
                            adaptiveReference,
                            adaptiveSamples,
                            {"averages of as many windows as asked for",
                             "windows from floor(p in / out) to ceil((p + 1) in / out)",
                             "torch.nn.functional.adaptive_avg_pool2d"}})));
    ops.push_back(composite(
        "_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
        [](const Operands& x) { return Results{formula::call("adaptive_avg_pool2d", x.all())}; },
        [] {
            return std::vector<Sample>{good({f32({2, 3, 6, 8})}, {T(0), L({3, 4})}),
                                       good({f32({2, 5, 7})}, {T(0), L({3, 2})})};
        },
        {"adaptive_avg_pool2d, as core ATen calls it",
         "windows from floor(p in / out) to ceil((p + 1) in / out)",
         "aten::_adaptive_avg_pool2d"}));
    ops.push_back(lying<likeImage>(composite(
        "_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor",
        slopesOfAverages,
        [] {
            return std::vector<Sample>{good({f32({2, 3, 3, 4}), f32({2, 3, 6, 8})}, {T(0), T(1)}),
                                       good({f32({2, 3, 2}), f32({2, 5, 7})}, {T(0), T(1)}),
                                       bad({f32({2, 3}), f32({5, 7})}, {T(0), T(1)},
                                           "_adaptive_avg_pool2d_backward: expected images of 3 or "
                                           "4 dimensions, found f32[2, 3] and f32[5, 7]")};
        },
        {"gradient of adaptive_avg_pool2d", "dx[i] = sum of dy[p] / count over windows p of i",
         "aten::_adaptive_avg_pool2d_backward"})));
    return ops;
}

} // namespace cutaway::ops
