// SPDX-License-Identifier: Apache-2.0
// Convolutions of one to three spatial dimensions. Sources: aten/src/ATen/native/Convolution.cpp,
// torch/_meta_registrations.py (calc_conv_nd_return_shape).
#include "core/ir/dtype_words.h"
#include "core/ops/call_forms.h"
#include "core/ops/convolution_rules.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/image_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::Shape;
using ir::Sym;
using ir::TensorType;
using kernel::LibraryOp;

kernel::ConvolutionWindow windowOf(const OpCall& call, size_t shift, size_t spatial) {
    return {spatialNumbers(call, kStride + shift, spatial),
            spatialNumbers(call, kPadding + shift, spatial),
            spatialNumbers(call, kDilation + shift, spatial), call.number(kGroups + shift)};
}

// --- shapes ---

base::Status checkRanks(const OpCall& call) {
    const TensorType &x = call.tensor(0), &w = call.tensor(1);
    if (x.rank() != w.rank() || x.rank() < 3 || x.rank() > 5)
        return refuse(call, fmt::format("expected input [n, channels, ..] and weight of the same "
                                        "rank, 3 to 5, found {} and {}",
                                        ir::str(x.sizes), ir::str(w.sizes)));
    if (x.dtype != w.dtype)
        return base::userError({},
                               fmt::format("Input type ({}) and {} type ({}) should be the same",
                                           ir::nameInCpp(x.dtype), call.has(2) ? "bias" : "weight",
                                           ir::nameInCpp(w.dtype)));
    if (!ir::isFloating(x.dtype))
        return refuse(call, fmt::format("expected operands of one floating-point dtype, found {} "
                                        "and {}",
                                        ir::name(x.dtype), ir::name(w.dtype)));
    const size_t inputChannels = call.boolean(kTransposed) ? 0 : 1;
    for (size_t d = 0; d < w.rank(); ++d)
        if (w.sizes[d].is(0) && (d > 1 || d != inputChannels))
            return refuse(call, fmt::format("expected a weight with output channels and a kernel "
                                            "size greater than zero, found {}",
                                            ir::str(w.sizes)));
    return {};
}

base::Status checkChannels(const OpCall& call) {
    const TensorType &x = call.tensor(0), &w = call.tensor(1);
    const bool transposed = call.boolean(kTransposed);
    const Sym groups = call.integer(kGroups);
    if (call.number(groups) < 1) return base::userError({}, "non-positive groups is not supported");
    const Sym wanted = transposed ? w.sizes[0] : w.sizes[1] * groups;
    if (!call.same(x.sizes[1], wanted))
        return base::userError(
            {}, fmt::format("Given {}groups={}, weight of size {}, expected input{} to have {} "
                            "channels, but got {} channels instead",
                            transposed ? "transposed=1, " : "", groups.str(), ir::str(w.sizes),
                            ir::str(x.sizes), wanted.str(), x.sizes[1].str()));
    if (!call.divisible(w.sizes[0], groups))
        return refuse(call, fmt::format("{} channels cannot be divided into {} groups",
                                        w.sizes[0].str(), groups.str()));
    const Sym channels = transposed ? w.sizes[1] * groups : w.sizes[0];
    if (call.has(2) && !call.same(call.tensor(2).sizes, Shape{channels}))
        return refuse(call, fmt::format("expected bias [{}], found {}", channels.str(),
                                        ir::str(call.tensor(2).sizes)));
    return {};
}

} // namespace

Result<std::vector<Sym>> convolvedList(const OpCall& call, size_t arg, size_t count) {
    auto list = spatialList(call, arg, count);
    if (list.ok()) return list;
    return base::userError(
        {}, fmt::format("expected {0} to be a single integer value or a list of {1} values to "
                        "match the convolution dimensions, but got {0}={2}",
                        call.def.parsed.args[arg].name, count, ir::str(call.integers(arg))));
}

namespace {

base::Status refusedNumber(const OpCall& call, size_t arg, int64_t value) {
    const std::string& name = call.def.parsed.args[arg].name;
    if (value > INT32_MAX)
        return refuse(call, fmt::format("expected {} below 2^31, found {}", name, value));
    const bool positive = arg == kStride || arg == kDilation;
    return base::userError(
        {}, fmt::format("{} {} is not supported", positive ? "non-positive" : "negative", name));
}

base::Status checkNumbers(const OpCall& call, size_t spatial) {
    for (size_t arg : {+kStride, +kPadding, +kDilation, +kOutputPadding}) {
        CUTAWAY_TRY(std::vector<Sym> list, convolvedList(call, arg, spatial));
        const int64_t least = arg == kStride || arg == kDilation ? 1 : 0;
        for (const Sym& value : list)
            if (call.number(value) < least || call.number(value) > INT32_MAX)
                return refusedNumber(call, arg, call.number(value));
    }
    return {};
}

/// Places along one dimension that a kernel of \p taps fits in \p size.
Sym outputSize(const Sym& size, const Sym& taps, int64_t stride, int64_t padding,
               int64_t dilation) {
    return floorDiv(size + Sym(2 * padding) - Sym(dilation) * (taps - Sym(1)) - Sym(1),
                    Sym(stride)) +
           Sym(1);
}

base::Diagnostic tooLargeKernel(const OpCall& call, size_t spatial) {
    const TensorType &x = call.tensor(0), &w = call.tensor(1);
    const kernel::ConvolutionWindow window = windowOf(call, 0, spatial);
    std::string input, taps;
    for (size_t d = 0; d < spatial; ++d) {
        const char* between = d ? " x " : "";
        input += between + (x.sizes[d + 2] + Sym(2 * window.padding[d])).str();
        taps += between + (Sym(window.dilation[d]) * (w.sizes[d + 2] - Sym(1)) + Sym(1)).str();
    }
    return base::userError({}, fmt::format("Calculated padded input size per channel: ({}). Kernel "
                                           "size: ({}). Kernel size can't be greater than actual "
                                           "input size",
                                           input, taps));
}

Result<Shape> resultSizes(const OpCall& call) {
    const TensorType &x = call.tensor(0), &w = call.tensor(1);
    const size_t spatial = x.rank() - 2;
    const kernel::ConvolutionWindow window = windowOf(call, 0, spatial);
    const auto extra = spatialNumbers(call, kOutputPadding, spatial);
    const bool transposed = call.boolean(kTransposed);
    Shape sizes{x.sizes[0], transposed ? w.sizes[1] * call.integer(kGroups) : w.sizes[0]};
    for (size_t d = 0; d < spatial; ++d) {
        const int64_t stride = window.stride[d], padding = window.padding[d];
        const int64_t dilation = window.dilation[d];
        const Sym &in = x.sizes[d + 2], &taps = w.sizes[d + 2];
        if (transposed && extra[d] >= std::max(stride, dilation))
            return refuse(call, fmt::format("output_padding must be smaller than stride or "
                                            "dilation, found {}",
                                            extra[d]));
        sizes.push_back(transposed ? (in - Sym(1)) * Sym(stride) - Sym(2 * padding) +
                                         Sym(dilation) * (taps - Sym(1)) + Sym(extra[d] + 1)
                                   : outputSize(in, taps, stride, padding, dilation));
        if (call.less(sizes.back(), Sym(1))) return tooLargeKernel(call, spatial);
    }
    return sizes;
}

bool resultIsChannelsLast(const TensorType& x, const TensorType& w) {
    return isChannelsLast(x) || isChannelsLast(w);
}

} // namespace

Result<Types> convolutionShape(const OpCall& call) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    CUTAWAY_CHECK(checkRanks(call));
    CUTAWAY_CHECK(checkChannels(call));
    const TensorType &x = call.tensor(0), &w = call.tensor(1);
    CUTAWAY_CHECK(checkNumbers(call, x.rank() - 2));
    CUTAWAY_TRY(Shape sizes, resultSizes(call));
    return one(imageType(x.dtype, std::move(sizes), device, resultIsChannelsLast(x, w)));
}

namespace {

/// Whether a convolution of \p x with \p w gives \p y, or more of which that was cut off (as an output's
/// padding is). Its numbers are arguments of the call: stride at \p stride, padding and dilation behind it.
base::Status checkFit(const OpCall& call, const Shape& x, const Shape& w, const Shape& y,
                      size_t stride, const Sym& groups, bool cut) {
    const auto refused = [&] {
        return refuse(call, fmt::format("input {}, weight {} and gradient {} do not belong to one "
                                        "convolution",
                                        ir::str(x), ir::str(w), ir::str(y)));
    };
    if (x.size() < 3 || x.size() > 5 || w.size() != x.size() || y.size() != x.size())
        return refused();
    const size_t spatial = x.size() - 2;
    for (size_t arg : {stride, stride + 1, stride + 2}) {
        CUTAWAY_TRY(std::vector<Sym> list, convolvedList(call, arg, spatial));
        for (const Sym& value : list)
            if (call.number(value) < (arg == stride + 1 ? 0 : 1) || call.number(value) > INT32_MAX)
                return refused();
    }
    if (call.number(groups) < 1 || !call.same(x[0], y[0]) || !call.same(y[1], w[0]) ||
        !call.same(x[1], w[1] * groups) || !call.divisible(w[0], groups))
        return refused();
    const auto strides = spatialNumbers(call, stride, spatial),
               padding = spatialNumbers(call, stride + 1, spatial),
               dilation = spatialNumbers(call, stride + 2, spatial);
    for (size_t d = 0; d < spatial; ++d) {
        const Sym places = outputSize(x[d + 2], w[d + 2], strides[d], padding[d], dilation[d]);
        const Sym most((std::max(strides[d], dilation[d]) - 1) / strides[d]); // that may be cut
        if (w[d + 2].is(0) ||
            !(call.same(y[d + 2], places) ||
              (cut && call.less(y[d + 2], places) && !call.less(y[d + 2] + most, places))))
            return refused();
    }
    return {};
}

/// Floating-point numbers of one dtype on one device.
base::Status checkNumbersAlike(const OpCall& call, size_t count) {
    CUTAWAY_CHECK(commonDevice(call));
    const ir::DType dtype = call.tensor(0).dtype;
    for (size_t i = 0; i < count; ++i)
        if (!ir::isFloating(dtype) || call.tensor(i).dtype != dtype)
            return refuse(call, fmt::format("expected operands of one floating-point dtype, found "
                                            "{} and {}",
                                            ir::name(dtype), ir::name(call.tensor(i).dtype)));
    return {};
}

/// grad_output, input, weight, bias_sizes, stride ...
Result<Types> backwardShape(const OpCall& call) {
    const TensorType &grad = call.tensor(0), &x = call.tensor(1), &w = call.tensor(2);
    CUTAWAY_CHECK(checkNumbersAlike(call, 3));
    const bool transposed = call.boolean(kTransposed + kBackward);
    CUTAWAY_CHECK(checkFit(call, transposed ? grad.sizes : x.sizes, w.sizes,
                           transposed ? x.sizes : grad.sizes, kStride + kBackward,
                           call.integer(kGroups + kBackward), transposed));
    if (call.args[kGroups + kBackward + 1].list()->size() != 3)
        return refuse(call, "expected an output_mask of three");
    const bool last = resultIsChannelsLast(x, w);
    const Sym channels = call.boolean(kTransposed + kBackward)
                             ? w.sizes[1] * call.integer(kGroups + kBackward)
                             : w.sizes[0];
    return Types{imageType(x.dtype, x.sizes, x.device, last),
                 imageType(w.dtype, w.sizes, w.device, last),
                 TensorType::contiguous(x.dtype, {channels}, x.device)};
}

/// first, second, SymInt[] size, stride, padding, dilation, groups, channels_last
template <LibraryOp op> Result<Types> adjointShape(const OpCall& call) {
    const TensorType &first = call.tensor(0), &second = call.tensor(1);
    const Shape size = call.integers(2);
    const bool image = op == LibraryOp::ConvolutionImage;
    CUTAWAY_CHECK(checkNumbersAlike(call, 2));
    CUTAWAY_CHECK(checkFit(call, image ? size : first.sizes, image ? second.sizes : size,
                           image ? first.sizes : second.sizes, 3, call.integer(6), !image));
    return one(imageType(first.dtype, call.integers(2), first.device, call.boolean(7)));
}

// --- lowering ---

Convolution::Call libraryCall(const OpCall& call) {
    return {call.boolean(kTransposed) ? LibraryOp::ConvolutionImage : LibraryOp::Convolution,
            windowOf(call, 0, call.tensor(0).rank() - 2)};
}

double countOf(const OpCall& call, const Shape& sizes, size_t from) {
    double count = 1;
    for (size_t d = from; d < sizes.size(); ++d)
        count *= static_cast<double>(call.number(sizes[d]));
    return count;
}
double summedByConvolution(const OpCall& call) {
    return countOf(call, call.tensor(1).sizes, 1);
}

template <LibraryOp op> Convolution::Call adjointCall(const OpCall& call) {
    const size_t spatial = call.tensor(0).rank() - 2;
    return {op,
            {spatialNumbers(call, 3, spatial), spatialNumbers(call, 4, spatial),
             spatialNumbers(call, 5, spatial), call.number(6)}};
}
/// The tangents of one place: every output channel of the group and every tap.
double summedByImage(const OpCall& call) {
    const Shape& w = call.tensor(1).sizes;
    return countOf(call, w, 2) * countOf(call, {w[0]}, 0) / call.real(6);
}
double summedByWeight(const OpCall& call) {
    const Shape& grad = call.tensor(1).sizes;
    return countOf(call, grad, 2) * countOf(call, {grad[0]}, 0);
}

// --- gradients ---

void convolutionVjp(Vjp& v) {
    const ir::ArgList mask{Arg(v.wants(0)), Arg(v.wants(1)), Arg(v.wants(2))};
    if (!v.wants(0) && !v.wants(1) && !v.wants(2)) return;
    const Formula biasSizes = v.has(2) ? Formula(v.type(2).sizes) : v[2];
    Value all = aten("convolution_backward", v.grad, v[0], v[1], biasSizes, v[kStride], v[kPadding],
                     v[kDilation], v[kTransposed], v[kOutputPadding], v[kGroups], mask);
    for (int i = 0; i < 3; ++i)
        v.set(static_cast<size_t>(i), item(all, i));
}

/// An adjoint of a convolution through the library; the result \p i of convolution_backward.
Formula adjoint(const Operands& x, std::string_view op, const Formula& first, const Formula& second,
                size_t i) {
    const TensorType& type = x.node.types[i];
    return aten(op, first, second, type.sizes, x[kStride + kBackward], x[kPadding + kBackward],
                x[kDilation + kBackward], x[kGroups + kBackward], isChannelsLast(type));
}

Formula towardsInput(const Operands& x) {
    if (!x.call().boolean(kTransposed + kBackward))
        return adjoint(x, "_convolution_image_gradient", x[0], x[2], 0);
    // A transposed convolution is an adjoint itself; places that only the output's padding reaches
    // are cut off.
    Value out =
        aten("convolution", x[0], x[2], ir::Arg{}, x[kStride + kBackward], x[kPadding + kBackward],
             x[kDilation + kBackward], false, std::vector<int>{0}, x[kGroups + kBackward]);
    const Shape wanted = x.type(1).sizes;
    for (size_t d = 2; d < wanted.size(); ++d)
        if (!x.b.same(out.type().sizes[d], wanted[d]))
            out = aten("slice.Tensor", out, d, 0, wanted[d]);
    return out;
}

Formula towardsWeight(const Operands& x) {
    const bool transposed = x.call().boolean(kTransposed + kBackward);
    return adjoint(x, "_convolution_weight_gradient", x[transposed ? 0 : 1], x[transposed ? 1 : 0],
                   1);
}

Formula towardsBias(const Operands& x) {
    std::vector<int> dims{0};
    for (size_t d = 2; d < x.type(0).rank(); ++d)
        dims.push_back(static_cast<int>(d));
    return sum(x[0], dims);
}

/// Each a library call or a sum; zeros where the mask does not ask.
Results convolutionBackward(const Operands& x) {
    Formula (*const towards[])(const Operands&) = {towardsInput, towardsWeight, towardsBias};
    const ir::ArgList& mask = *x.node.args[kGroups + kBackward + 1].list();
    Results results;
    for (size_t i = 0; i < 3; ++i) {
        const TensorType& type = x.node.types[i];
        results.push_back(std::get<bool>(mask[i]) ? towards[i](x) : full(x.b, type.sizes, 0, type));
    }
    return results;
}

// --- samples ---

ir::ArgList arguments(Arg bias, std::vector<int64_t> stride, std::vector<int64_t> padding,
                      std::vector<int64_t> dilation, bool transposed = false,
                      std::vector<int64_t> extra = {0}, int64_t groups = 1) {
    return {T(0),       T(1),        std::move(bias), L(stride),
            L(padding), L(dilation), Arg(transposed), L(extra),
            I(groups)};
}

std::vector<Sample> convolutionSamples() {
    return {
        good({f32({2, 3, 6, 5}), f32({4, 3, 3, 3}), f32({4})}, arguments(T(2), {1}, {1}, {1})),
        good({f32({1, 2, 7, 8}), f32({3, 2, 3, 2})}, arguments(none(), {2, 3}, {1, 0}, {1, 2})),
        good({f32({2, 4, 9}), f32({6, 2, 3}), f32({6})},
             arguments(T(2), {2}, {2}, {2}, false, {0}, 2)),
        good({f32({1, 2, 4, 3, 4}), f32({2, 2, 2, 3, 1})}, arguments(none(), {1}, {0, 1, 0}, {1})),
        good({f32({2, 4, 3, 4}), f32({4, 3, 3, 2}), f32({3})},
             arguments(T(2), {2}, {1, 0}, {1}, true, {1, 0})),
        good({f32({1, 4, 5}), f32({4, 2, 3})}, arguments(none(), {1}, {0}, {2}, true, {1}, 2)),
        good({f64({1, 3, 4, 4}), f64({3, 1, 3, 3})},
             arguments(none(), {1}, {1}, {1}, false, {0}, 3)),
        good({f32({0, 2, 4, 4}), f32({3, 2, 3, 3})}, arguments(none(), {1}, {0}, {1})),
        bad({f32({1, 3, 8, 8}), f32({4, 2, 3, 3})}, arguments(none(), {1}, {0}, {1}),
            "Given groups=1, weight of size [4, 2, 3, 3], expected input[1, 3, 8, 8] to have 2 "
            "channels, but got 3 channels instead"),
        bad({f32({1, 2, 2, 8}), f32({4, 2, 3, 3})}, arguments(none(), {1}, {0}, {1}),
            "Calculated padded input size per channel: (2 x 8). Kernel size: (3 x 3). Kernel size "
            "can't be greater than actual input size"),
        bad({f32({1, 2, 8, 8}), f32({4, 2, 3, 3})}, arguments(none(), {0}, {0}, {1}),
            "non-positive stride is not supported"),
        bad({f32({1, 2, 8, 8}), f32({4, 2, 3, 3}), f32({3})}, arguments(T(2), {1}, {0}, {1}),
            "convolution: expected bias [4], found [3]"),
        bad({i64({1, 2, 8, 8}), i64({4, 2, 3, 3})}, arguments(none(), {1}, {0}, {1}),
            "convolution: expected operands of one floating-point dtype, found int64 and int64")};
}

std::vector<Sample> backwardSamples() {
    const ir::ArgList every{Arg(true), Arg(true), Arg(true)},
        some{Arg(false), Arg(true), Arg(false)};
    return {good({f32({2, 4, 3, 2}), f32({2, 3, 6, 5}), f32({4, 3, 3, 2})},
                 {T(0), T(1), T(2), L({4}), L({2}), L({1, 0}), L({1}), Arg(false), L({0}), I(1),
                  Arg(every)}),
            good({f32({1, 4, 5}), f32({1, 4, 5}), f32({4, 2, 3})},
                 {T(0), T(1), T(2), none(), L({1}), L({1}), L({1}), Arg(true), L({0}), I(2),
                  Arg(some)}),
            good({f32({2, 3, 7, 8}), f32({2, 4, 3, 4}), f32({4, 3, 3, 2})},
                 {T(0), T(1), T(2), L({3}), L({2}), L({0}), L({1}), Arg(true), L({0}), I(1),
                  Arg(every)}),
            bad({f32({2, 4, 3, 3}), f32({2, 3, 6, 5}), f32({4, 3, 3, 2})},
                {T(0), T(1), T(2), L({4}), L({2}), L({1, 0}), L({1}), Arg(false), L({0}), I(1),
                 Arg(every)},
                "convolution_backward: input [2, 3, 6, 5], weight [4, 3, 3, 2] and gradient [2, 4, "
                "3, 3] do not belong to one convolution")};
}

std::vector<Sample> adjointSamples(bool weight) {
    const std::vector<int64_t> x{2, 4, 6, 5}, w{6, 2, 3, 2}, y{2, 6, 3, 4};
    return {good({f32(weight ? x : y), f32(weight ? y : w)},
                 {T(0), T(1), L(weight ? w : x), L({2, 1}), L({1, 0}), L({1}), I(2), Arg(false)}),
            good({f64(weight ? x : y), f64(weight ? y : w)},
                 {T(0), T(1), L(weight ? w : x), L({2, 1}), L({1, 0}), L({1}), I(2), Arg(true)}),
            bad({f32(weight ? x : y), f32(y)},
                {T(0), T(1), L(weight ? std::vector<int64_t>{6, 2, 9, 2} : x), L({2, 1}), L({1, 0}),
                 L({1}), I(2), Arg(false)},
                weight
                    ? "_convolution_weight_gradient: input [2, 4, 6, 5], weight [6, 2, 9, 2] and "
                      "gradient [2, 6, 3, 4] do not belong to one convolution"
                    : "_convolution_image_gradient: input [2, 4, 6, 5], weight [2, 6, 3, 4] and "
                      "gradient [2, 6, 3, 4] do not belong to one convolution")};
}

void addAdjoints(std::vector<OpDef>& ops, const Traits& heavy) {
    ops.push_back(internal(
        {"_convolution_image_gradient(Tensor grad_output, Tensor weight, SymInt[] size, SymInt[] "
         "stride, SymInt[] padding, SymInt[] dilation, SymInt groups, bool channels_last) -> "
         "Tensor",
         adjointShape<LibraryOp::ConvolutionImage>,
         NotDifferentiable{"a part of convolution_backward, after differentiation"},
         Convolution{0, 1, -1, adjointCall<LibraryOp::ConvolutionImage>, summedByImage},
         convolutionImageReference,
         [] { return adjointSamples(false); },
         {"gradient of a convolution's input", "dx[n, c, y s - p + k d] += dy[n, o, y] w[o, c, k]",
          "torch.nn.grad.conv2d_input"},
         heavy}));
    ops.push_back(internal(
        {"_convolution_weight_gradient(Tensor input, Tensor grad_output, SymInt[] size, SymInt[] "
         "stride, SymInt[] padding, SymInt[] dilation, SymInt groups, bool channels_last) -> "
         "Tensor",
         adjointShape<LibraryOp::ConvolutionWeight>,
         NotDifferentiable{"a part of convolution_backward, after differentiation"},
         Convolution{0, 1, -1, adjointCall<LibraryOp::ConvolutionWeight>, summedByWeight},
         convolutionWeightReference,
         [] { return adjointSamples(true); },
         {"gradient of a convolution's weight",
          "dw[o, c, k] = sum of x[n, c, y s - p + k d] "
          "dy[n, o, y]",
          "torch.nn.grad.conv2d_weight"},
         heavy}));
}

/// Every gradient of a convolution is linear in two of output gradient, image and weight.
void secondVjp(Vjp& v) {
    auto convolution = [&](const Formula& image, const Formula& weight) {
        return aten("convolution", image, weight, Formula(Arg{}), v[4], v[5], v[6], v[7], v[8],
                    v[9]);
    };
    auto gradient = [&](const Formula& image, const Formula& weight, int which) {
        const ir::ArgList mask{Arg(which == 0), Arg(which == 1), Arg(false)};
        return formula::item(aten("convolution_backward", v[0], image, weight, Formula(Arg{}), v[4],
                                  v[5], v[6], v[7], v[8], v[9], Formula(mask)),
                             which);
    };
    // A result that was not asked for is zero, whatever the arguments.
    const ir::ArgList& asked = *v.node.args[kGroups + 2].list();
    auto tangent = [&](size_t i) { return std::get<bool>(asked[i]) ? v.grads[i] : Value(); };
    const Value image = tangent(0), weight = tangent(1), bias = tangent(2);
    Value output;
    auto add = [&](const Formula& part) { output = output.valid() ? Value(output + part) : part; };
    if (v.wants(0)) {
        if (image.valid()) add(convolution(image, v[2]));
        if (weight.valid()) add(convolution(v[1], weight));
        if (bias.valid()) {
            ir::Shape sizes(v.type(0).rank(), ir::Sym(1));
            sizes[1] = v.type(0).sizes[1];
            add(formula::expand(formula::reshape(bias, sizes), v.type(0).sizes));
        }
        if (output.valid()) v.set(0, output);
    }
    if (weight.valid()) v.set(1, gradient(v[1], weight, 0));
    if (image.valid()) v.set(2, gradient(image, v[2], 1));
}

} // namespace

std::vector<OpDef> convolutionOps() {
    const Traits heavy{.computeIntensive = true, .recompute = Recompute::No};
    std::vector<OpDef> ops;
    addConvolutionWrappers(ops);
    ops.push_back(
        {"convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] "
         "padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> "
         "Tensor",
         convolutionShape,
         VjpRule{convolutionVjp},
         Convolution{0, 1, 2, libraryCall, summedByConvolution},
         convolutionReference,
         convolutionSamples,
         {"convolution or transposed convolution",
          "y[n, o, y] = b[o] + sum of x[n, c, y s - p + k d] w[o, c, k]", "torch.convolution"},
         heavy});
    ops.push_back(
        {"convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? "
         "bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
         "SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
         backwardShape,
         VjpRule{secondVjp},
         Decompose{convolutionBackward, DecomposeWhen::BeforeLowering},
         convolutionBackwardReference,
         backwardSamples,
         {"gradients of a convolution", "dx, dw and db of y = convolution(x, w, b)",
          "aten::convolution_backward"},
         heavy});
    addAdjoints(ops, heavy);
    return ops;
}

} // namespace cutaway::ops
