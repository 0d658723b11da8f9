// SPDX-License-Identifier: Apache-2.0
// Convolutions of one to three spatial dimensions. Sources: aten/src/ATen/native/Convolution.cpp,
// torch/_meta_registrations.py (calc_conv_nd_return_shape).
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
    if (!ir::isFloating(x.dtype) || x.dtype != w.dtype)
        return refuse(call, fmt::format("expected operands of one floating-point dtype, found {} "
                                        "and {}",
                                        ir::name(x.dtype), ir::name(w.dtype)));
    return {};
}

base::Status checkChannels(const OpCall& call) {
    const TensorType &x = call.tensor(0), &w = call.tensor(1);
    const bool transposed = call.boolean(kTransposed);
    const Sym groups = call.integer(kGroups);
    if (call.number(groups) < 1)
        return refuse(call, fmt::format("expected groups of at least 1, found {}", groups.str()));
    const Sym wanted = transposed ? w.sizes[0] : w.sizes[1] * groups;
    if (!call.same(x.sizes[1], wanted))
        return refuse(call, fmt::format("weight {} with {} groups expects {} channels, the input "
                                        "{} has {}",
                                        ir::str(w.sizes), groups.str(), wanted.str(),
                                        ir::str(x.sizes), x.sizes[1].str()));
    if (!call.divisible(w.sizes[0], groups))
        return refuse(call, fmt::format("{} channels cannot be divided into {} groups",
                                        w.sizes[0].str(), groups.str()));
    const Sym channels = transposed ? w.sizes[1] * groups : w.sizes[0];
    if (call.has(2) && !call.same(call.tensor(2).sizes, Shape{channels}))
        return refuse(call, fmt::format("expected bias [{}], found {}", channels.str(),
                                        ir::str(call.tensor(2).sizes)));
    return {};
}

base::Status checkNumbers(const OpCall& call, size_t spatial) {
    for (size_t arg : {+kStride, +kPadding, +kDilation, +kOutputPadding}) {
        CUTAWAY_TRY(std::vector<Sym> list, spatialList(call, arg, spatial));
        const int64_t least = arg == kStride || arg == kDilation ? 1 : 0;
        for (const Sym& value : list)
            if (call.number(value) < least)
                return refuse(call,
                              fmt::format("expected {} of at least {}, found {}",
                                          call.def.parsed.args[arg].name, least, ir::str(list)));
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
        if (call.less(sizes.back(), Sym(1)))
            return refuse(call, fmt::format("a kernel of {} taps {} apart does not fit the input "
                                            "{} padded by {}",
                                            taps.str(), dilation, ir::str(x.sizes), padding));
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

/// grad_output, input, weight, bias_sizes, stride ...
Result<Types> backwardShape(const OpCall& call) {
    const TensorType &x = call.tensor(1), &w = call.tensor(2);
    const bool last = resultIsChannelsLast(x, w);
    const Sym channels = call.boolean(kTransposed + kBackward)
                             ? w.sizes[1] * call.integer(kGroups + kBackward)
                             : w.sizes[0];
    return Types{imageType(x.dtype, x.sizes, x.device, last),
                 imageType(w.dtype, w.sizes, w.device, isChannelsLast(w)),
                 TensorType::contiguous(x.dtype, {channels}, x.device)};
}

/// first, second, SymInt[] size, stride, padding, dilation, groups, channels_last
Result<Types> adjointShape(const OpCall& call) {
    const TensorType& first = call.tensor(0);
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

Gradients convolutionVjp(Builder& b, NodeId forward, GradOutputs grads) {
    Vjp v(b, forward, grads);
    const ir::ArgList mask{Arg(v.wants(0)), Arg(v.wants(1)), Arg(v.wants(2))};
    if (!v.wants(0) && !v.wants(1) && !v.wants(2)) return v.finish();
    const Arg biasSizes = v.arg(2).isNone() ? Arg{} : Arg(sizeList(v.type(2).sizes));
    NodeId all =
        b.call("convolution_backward", {Arg(v.grad), v.arg(0), v.arg(1), biasSizes, v.arg(kStride),
                                        v.arg(kPadding), v.arg(kDilation), v.arg(kTransposed),
                                        v.arg(kOutputPadding), v.arg(kGroups), Arg(mask)});
    for (int i = 0; i < 3; ++i)
        if (v.wants(static_cast<size_t>(i))) v.set(static_cast<size_t>(i), b.getitem(all, i));
    return v.finish();
}

/// The pieces of convolution_backward, each a library call or a sum.
class BackwardRule {
public:
    BackwardRule(Builder& b, const ir::Node& node)
        : b_(b), node_(node), call_(callOf(b, node)), grad_(*node.args[0].node()),
          x_(*node.args[1].node()), w_(*node.args[2].node()),
          transposed_(call_.boolean(kTransposed + kBackward)) {}

    std::vector<NodeId> build() {
        NodeId image = wanted(0) ? towardsInput() : zeros(0);
        NodeId weight = wanted(1) ? towardsWeight() : zeros(1);
        return {image, weight, wanted(2) ? towardsBias() : zeros(2)};
    }

private:
    bool wanted(size_t i) const {
        return std::get<bool>((*node_.args[kGroups + kBackward + 1].list())[i]);
    }
    const Arg& arg(size_t i) const { return node_.args[i + kBackward]; }
    NodeId zeros(size_t i) {
        const TensorType type = node_.types[i];
        return b_.call("full", {Arg(sizeList(type.sizes)), intArg(0), Arg(type.dtype), Arg{},
                                Arg(type.device)});
    }
    NodeId adjoint(std::string_view op, NodeId first, NodeId second, size_t result) {
        const TensorType type = node_.types[result];
        return b_.call(op,
                       {Arg(first), Arg(second), Arg(sizeList(type.sizes)), arg(kStride),
                        arg(kPadding), arg(kDilation), arg(kGroups), Arg(isChannelsLast(type))});
    }
    NodeId towardsInput() {
        if (!transposed_) return adjoint("_convolution_image_gradient", grad_, w_, 0);
        // A transposed convolution is an adjoint itself; places that only the output's padding
        // reaches are cut off.
        NodeId out =
            b_.call("convolution", {Arg(grad_), Arg(w_), Arg{}, arg(kStride), arg(kPadding),
                                    arg(kDilation), Arg(false), Arg(intList({0})), arg(kGroups)});
        const Shape wanted = b_.type(x_).sizes;
        for (size_t d = 2; d < wanted.size(); ++d)
            if (!call_.same(b_.type(out).sizes[d], wanted[d]))
                out = b_.call("slice.Tensor", {Arg(out), intArg(static_cast<int64_t>(d)), intArg(0),
                                               Arg(wanted[d])});
        return out;
    }
    NodeId towardsWeight() {
        return transposed_ ? adjoint("_convolution_weight_gradient", grad_, x_, 1)
                           : adjoint("_convolution_weight_gradient", x_, grad_, 1);
    }
    NodeId towardsBias() {
        std::vector<int> dims{0};
        for (size_t d = 2; d < b_.type(grad_).rank(); ++d)
            dims.push_back(static_cast<int>(d));
        return b_.call("sum.dim_IntList", {Arg(grad_), Arg(intList(dims)), Arg(false)});
    }

    Builder& b_;
    const ir::Node& node_;
    OpCall call_;
    NodeId grad_, x_, w_;
    bool transposed_;
};

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
            "convolution: weight [4, 2, 3, 3] with 1 groups expects 2 channels, the input [1, 3, "
            "8, 8] has 3"),
        bad({f32({1, 2, 2, 8}), f32({4, 2, 3, 3})}, arguments(none(), {1}, {0}, {1}),
            "convolution: a kernel of 3 taps 1 apart does not fit the input [1, 2, 2, 8] padded "
            "by 0"),
        bad({f32({1, 2, 8, 8}), f32({4, 2, 3, 3})}, arguments(none(), {0}, {0}, {1}),
            "convolution: expected stride of at least 1, found [0, 0]"),
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
                  Arg(every)})};
}

std::vector<Sample> adjointSamples(bool weight) {
    const std::vector<int64_t> x{2, 4, 6, 5}, w{6, 2, 3, 2}, y{2, 6, 3, 4};
    return {good({f32(weight ? x : y), f32(weight ? y : w)},
                 {T(0), T(1), L(weight ? w : x), L({2, 1}), L({1, 0}), L({1}), I(2), Arg(false)}),
            good({f64(weight ? x : y), f64(weight ? y : w)},
                 {T(0), T(1), L(weight ? w : x), L({2, 1}), L({1, 0}), L({1}), I(2), Arg(true)})};
}

void addAdjoints(std::vector<OpDef>& ops, const Traits& heavy) {
    ops.push_back(
        {"_convolution_image_gradient(Tensor grad_output, Tensor weight, SymInt[] size, SymInt[] "
         "stride, SymInt[] padding, SymInt[] dilation, SymInt groups, bool channels_last) -> "
         "Tensor",
         adjointShape,
         NotDifferentiable{"second derivatives are not supported"},
         Convolution{0, 1, -1, adjointCall<LibraryOp::ConvolutionImage>, summedByImage},
         convolutionImageReference,
         [] { return adjointSamples(false); },
         {"gradient of a convolution's input", "dx[n, c, y s - p + k d] += dy[n, o, y] w[o, c, k]",
          "torch.nn.grad.conv2d_input"},
         heavy});
    ops.push_back(
        {"_convolution_weight_gradient(Tensor input, Tensor grad_output, SymInt[] size, SymInt[] "
         "stride, SymInt[] padding, SymInt[] dilation, SymInt groups, bool channels_last) -> "
         "Tensor",
         adjointShape,
         NotDifferentiable{"second derivatives are not supported"},
         Convolution{0, 1, -1, adjointCall<LibraryOp::ConvolutionWeight>, summedByWeight},
         convolutionWeightReference,
         [] { return adjointSamples(true); },
         {"gradient of a convolution's weight",
          "dw[o, c, k] = sum of x[n, c, y s - p + k d] "
          "dy[n, o, y]",
          "torch.nn.grad.conv2d_weight"},
         heavy});
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
         NotDifferentiable{"second derivatives are not supported"},
         Decompose{[](Builder& b, const ir::Node& node) { return BackwardRule(b, node).build(); },
                   DecomposeWhen::BeforeLowering},
         convolutionBackwardReference,
         backwardSamples,
         {"gradients of a convolution", "dx, dw and db of y = convolution(x, w, b)",
          "aten::convolution_backward"},
         heavy});
    addAdjoints(ops, heavy);
    return ops;
}

} // namespace cutaway::ops
