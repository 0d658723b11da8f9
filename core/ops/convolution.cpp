// SPDX-License-Identifier: Apache-2.0
// Convolutions of one to three spatial dimensions. Sources: aten/src/ATen/native/Convolution.cpp,
// torch/_meta_registrations.py (calc_conv_nd_return_shape).
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/image_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::Shape;
using ir::Sym;
using ir::TensorType;
using kernel::LibraryOp;

/// Positions of aten::convolution's arguments from the stride on; convolution_backward has the same
/// from `kBackward` places later.
enum : size_t { kStride = 3, kPadding, kDilation, kTransposed, kOutputPadding, kGroups };
constexpr size_t kBackward = 1;

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

Result<Types> convolutionShape(const OpCall& call) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    CUTAWAY_CHECK(checkRanks(call));
    CUTAWAY_CHECK(checkChannels(call));
    const TensorType &x = call.tensor(0), &w = call.tensor(1);
    CUTAWAY_CHECK(checkNumbers(call, x.rank() - 2));
    CUTAWAY_TRY(Shape sizes, resultSizes(call));
    return one(imageType(x.dtype, std::move(sizes), device, resultIsChannelsLast(x, w)));
}

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

// --- conv1d .. conv_transpose3d ---

/// The tensors' common rank with a batch, from the operation's name: conv2d has 4.
size_t batchedRank(const OpCall& call) {
    for (char c : call.def.parsed.base)
        if (c >= '1' && c <= '3') return static_cast<size_t>(c - '0') + 2;
    return 4;
}

/// What aten::convolution is asked for conv2d(input, weight, bias, stride, padding, dilation,
/// groups) or conv_transpose2d(.., stride, padding, output_padding, groups, dilation).
struct Wrapped {
    bool transposed = false;
    size_t stride = 3, padding = 4, dilation = 5, groups = 6, outputPadding = 0;
};
Wrapped wrapped(const OpDef& def) {
    if (!def.parsed.base.starts_with("conv_transpose")) return {};
    return {true, 3, 4, 7, 6, 5};
}

/// The padding of "same" and "valid": half of what the taps reach beyond the place itself. Errors:
/// user error for other words, strides, or an odd reach.
Result<std::vector<int64_t>> paddingOf(const OpCall& call, const Wrapped& how, size_t spatial) {
    const auto* word = std::get_if<std::string>(&call.args[how.padding]);
    if (!word) {
        CUTAWAY_CHECK(spatialList(call, how.padding, spatial));
        return spatialNumbers(call, how.padding, spatial);
    }
    std::vector<int64_t> padding(spatial, 0);
    if (*word == "valid") return padding;
    if (*word != "same")
        return refuse(call, fmt::format("expected padding 'valid' or 'same', found '{}'", *word));
    for (size_t d = 0; d < spatial; ++d) {
        if (spatialNumbers(call, how.stride, spatial)[d] != 1)
            return refuse(call, "padding 'same' needs a stride of 1");
        const Shape& w = call.tensor(1).sizes;
        const int64_t reach = spatialNumbers(call, how.dilation, spatial)[d] *
                              (call.number(w[w.size() - spatial + d]) - 1);
        if (reach % 2)
            return refuse(call, "padding 'same' of an even number of taps is not supported",
                          "pad the input on one side and use padding 'valid'");
        padding[d] = reach / 2;
    }
    return padding;
}

Result<ir::ArgList> convolutionArgs(const OpCall& call, ir::NodeId input) {
    const size_t spatial = batchedRank(call) - 2;
    const Wrapped how = wrapped(call.def);
    CUTAWAY_TRY(std::vector<int64_t> padding, paddingOf(call, how, spatial));
    return ir::ArgList{Arg(input),
                       call.args[1],
                       call.args[2],
                       call.args[how.stride],
                       Arg(numberList(padding)),
                       call.args[how.dilation],
                       Arg(how.transposed),
                       how.transposed ? call.args[how.outputPadding] : Arg(intList({0})),
                       call.args[how.groups]};
}

/// Through convolution's own rule, with the wrapper's name in messages.
Result<Types> wrapperShape(const OpCall& call) {
    const TensorType& x = call.tensor(0);
    const size_t rank = batchedRank(call);
    const bool batched = x.rank() == rank;
    if ((!batched && x.rank() + 1 != rank) || call.tensor(1).rank() != rank)
        return refuse(call, fmt::format("expected an input of rank {} or {} and a weight of rank "
                                        "{}, found {} and {}",
                                        rank, rank - 1, rank, ir::str(x.sizes),
                                        ir::str(call.tensor(1).sizes)));
    ir::Graph scratch;
    scratch.shapes = call.graph.shapes;
    auto placeholder = [&](const TensorType& type) {
        return Arg(scratch.addPlaceholder("x", type));
    };
    TensorType input = x;
    if (!batched) {
        input.sizes.insert(input.sizes.begin(), Sym(1));
        input.strides.insert(input.strides.begin(), x.numel());
    }
    const Arg first = placeholder(input), second = placeholder(call.tensor(1));
    const Arg bias = call.has(2) ? placeholder(call.tensor(2)) : Arg{};
    CUTAWAY_TRY(ir::ArgList args, convolutionArgs(call, *first.node()));
    args[1] = second;
    args[2] = bias;
    OpDef named = *catalogue().find("convolution");
    named.parsed.base = call.def.parsed.base;
    CUTAWAY_TRY(Types types, convolutionShape(OpCall(named, args, scratch)));
    if (batched) return types;
    types[0].sizes.erase(types[0].sizes.begin());
    types[0].strides.erase(types[0].strides.begin());
    return types;
}

std::vector<NodeId> wrapper(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    NodeId input = *node.args[0].node();
    const bool batched = b.type(input).rank() == batchedRank(call);
    if (!batched) input = b.call("unsqueeze", {Arg(input), intArg(0)});
    NodeId out = b.call("convolution", *convolutionArgs(call, input));
    return {batched ? out : b.call("squeeze.dim", {Arg(out), intArg(0)})};
}

// --- references ---

/// A convolution's three tensors with plain numbers, and a walk over all products.
struct Geometry {
    Sizes image, weight, output; ///< [n, c, ..], [o, c / groups, ..], [n, o, ..]
    Sizes stride, padding, dilation;
    int64_t groups;

    /// Calls f(image index, weight index, output index) for every product of the sums.
    template <typename F> void forEach(F f) const {
        const size_t spatial = image.size() - 2;
        const Sizes taps(weight.begin() + 2, weight.end()),
            places(output.begin() + 2, output.end());
        const Sizes inside(image.begin() + 2, image.end());
        const int64_t tapCount = product(taps), placeCount = product(places);
        const int64_t imageCount = product(inside);
        const Sizes imageStrides = rowMajorStrides(inside);
        const int64_t perGroup = weight[0] / groups;
        Odometer<1> tap(taps, {Sizes(spatial, 0)});
        for (int64_t k = 0; k < tapCount; ++k, tap.next()) {
            Odometer<1> place(places, {Sizes(spatial, 0)});
            for (int64_t y = 0; y < placeCount; ++y, place.next()) {
                int64_t x = 0;
                bool in = true;
                for (size_t d = 0; d < spatial; ++d) {
                    const int64_t at =
                        place.coords()[d] * stride[d] - padding[d] + tap.coords()[d] * dilation[d];
                    in = in && at >= 0 && at < inside[d];
                    x += at * imageStrides[d];
                }
                if (!in) continue;
                for (int64_t n = 0; n < output[0]; ++n)
                    for (int64_t o = 0; o < output[1]; ++o)
                        for (int64_t c = 0; c < weight[1]; ++c)
                            f(((n * image[1]) + o / perGroup * weight[1] + c) * imageCount + x,
                              (o * weight[1] + c) * tapCount + k,
                              (n * output[1] + o) * placeCount + y);
            }
        }
    }
};

Geometry geometryOf(const OpCall& call, size_t shift, Sizes image, Sizes weight, Sizes output) {
    const size_t spatial = image.size() - 2;
    return {std::move(image),
            std::move(weight),
            std::move(output),
            spatialNumbers(call, kStride + shift, spatial),
            spatialNumbers(call, kPadding + shift, spatial),
            spatialNumbers(call, kDilation + shift, spatial),
            call.number(kGroups + shift)};
}

/// Sizes by plain arithmetic, apart from the shape rule.
Sizes hostResultSizes(const OpCall& call, const Sizes& x, const Sizes& w) {
    const size_t spatial = x.size() - 2;
    const Geometry g = geometryOf(call, 0, x, w, x);
    const Sizes extra = spatialNumbers(call, kOutputPadding, spatial);
    const bool transposed = call.boolean(kTransposed);
    Sizes sizes{x[0], transposed ? w[1] * g.groups : w[0]};
    for (size_t d = 0; d < spatial; ++d) {
        const int64_t reach = g.dilation[d] * (w[d + 2] - 1);
        sizes.push_back(transposed
                            ? (x[d + 2] - 1) * g.stride[d] - 2 * g.padding[d] + reach + extra[d] + 1
                            : (x[d + 2] + 2 * g.padding[d] - reach - 1) / g.stride[d] + 1);
    }
    return sizes;
}

Values convolutionReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &x = *tensors[0], &w = *tensors[1];
    const Sizes sizes = hostResultSizes(call, x.sizes, w.sizes);
    const std::vector<double> in = valuesOf<double>(x), weight = valuesOf<double>(w);
    std::vector<double> out(static_cast<size_t>(product(sizes)));
    if (call.boolean(kTransposed))
        geometryOf(call, 0, sizes, w.sizes, x.sizes).forEach([&](int64_t i, int64_t k, int64_t o) {
            out[i] += in[o] * weight[k];
        });
    else
        geometryOf(call, 0, x.sizes, w.sizes, sizes).forEach([&](int64_t i, int64_t k, int64_t o) {
            out[o] += in[i] * weight[k];
        });
    if (call.has(2)) {
        const std::vector<double> bias = valuesOf<double>(tensorArg(call, tensors, 2));
        const int64_t each = product(sizes) / std::max<int64_t>(sizes[0] * sizes[1], 1);
        for (size_t i = 0; i < out.size(); ++i)
            out[i] += bias[static_cast<size_t>(static_cast<int64_t>(i) / each % sizes[1])];
    }
    return oneValue(tensorOf(x.dtype, sizes, out));
}

Values backwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &g = *tensors[0], &x = *tensors[1], &w = *tensors[2];
    const std::vector<double> grad = valuesOf<double>(g), in = valuesOf<double>(x);
    const std::vector<double> weight = valuesOf<double>(w);
    std::vector<double> dx(in.size()), dw(weight.size()), db(static_cast<size_t>(g.sizes[1]));
    if (call.boolean(kTransposed + kBackward))
        geometryOf(call, kBackward, g.sizes, w.sizes, x.sizes)
            .forEach([&](int64_t i, int64_t k, int64_t o) {
                dx[o] += grad[i] * weight[k];
                dw[k] += grad[i] * in[o];
            });
    else
        geometryOf(call, kBackward, x.sizes, w.sizes, g.sizes)
            .forEach([&](int64_t i, int64_t k, int64_t o) {
                dx[i] += grad[o] * weight[k];
                dw[k] += in[i] * grad[o];
            });
    const int64_t each = product(g.sizes) / std::max<int64_t>(g.sizes[0] * g.sizes[1], 1);
    for (size_t i = 0; i < grad.size(); ++i)
        db[static_cast<size_t>(static_cast<int64_t>(i) / each % g.sizes[1])] += grad[i];
    const ir::ArgList& mask = *call.args[kGroups + kBackward + 1].list();
    std::vector<std::vector<double>*> all{&dx, &dw, &db};
    for (size_t i = 0; i < 3; ++i)
        if (!std::get<bool>(mask[i])) std::fill(all[i]->begin(), all[i]->end(), 0.0);
    Values results = oneValue(tensorOf(x.dtype, x.sizes, dx));
    results.push_back(tensorOf(w.dtype, w.sizes, dw));
    results.push_back(tensorOf(x.dtype, {g.sizes[1]}, db));
    return results;
}

Geometry adjointGeometry(const OpCall& call, Sizes image, Sizes weight, Sizes output) {
    const size_t spatial = image.size() - 2;
    return {std::move(image),
            std::move(weight),
            std::move(output),
            spatialNumbers(call, 3, spatial),
            spatialNumbers(call, 4, spatial),
            spatialNumbers(call, 5, spatial),
            call.number(6)};
}

Values imageReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &g = *tensors[0], &w = *tensors[1];
    const Sizes sizes = call.numbers(2);
    const std::vector<double> grad = valuesOf<double>(g), weight = valuesOf<double>(w);
    std::vector<double> out(static_cast<size_t>(product(sizes)));
    adjointGeometry(call, sizes, w.sizes, g.sizes).forEach([&](int64_t i, int64_t k, int64_t o) {
        out[i] += grad[o] * weight[k];
    });
    return oneValue(tensorOf(g.dtype, sizes, out));
}

Values weightReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &x = *tensors[0], &g = *tensors[1];
    const Sizes sizes = call.numbers(2);
    const std::vector<double> in = valuesOf<double>(x), grad = valuesOf<double>(g);
    std::vector<double> out(static_cast<size_t>(product(sizes)));
    adjointGeometry(call, x.sizes, sizes, g.sizes).forEach([&](int64_t i, int64_t k, int64_t o) {
        out[k] += in[i] * grad[o];
    });
    return oneValue(tensorOf(x.dtype, sizes, out));
}

/// conv2d as convolution of the batched input.
Values wrapperReference(const OpCall& call, Tensors tensors) {
    const size_t rank = batchedRank(call);
    ir::HostTensor input = *tensors[0];
    const bool batched = input.sizes.size() == rank;
    if (!batched) input.sizes.insert(input.sizes.begin(), 1);
    const ir::ArgList args = *convolutionArgs(call, {});
    std::vector<const ir::HostTensor*> all(tensors.begin(), tensors.end());
    all[0] = &input;
    Values out =
        convolutionReference(OpCall(*catalogue().find("convolution"), args, call.graph), all);
    if (!batched) out[0].sizes.erase(out[0].sizes.begin());
    return out;
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

std::vector<Sample> wrapperSamples(std::string_view base, bool transposed) {
    const size_t spatial = static_cast<size_t>(base[base.size() - 2] - '0');
    std::vector<int64_t> x{2, 4}, w{4, transposed ? 3 : 4}, plain{4};
    for (size_t d = 0; d < spatial; ++d) {
        x.push_back(4 + static_cast<int64_t>(d));
        w.push_back(3);
        plain.push_back(5);
    }
    const int64_t channels = transposed ? 3 : 4;
    return {good({f32(x), f32(w), f32({channels})}, {T(0), T(1), T(2), L({2}), L({1})}),
            good({f32(plain), f32(w)}, {T(0), T(1)}),
            bad({f32({4}), f32(w)}, {T(0), T(1)},
                fmt::format("{}: expected an input of rank {} or {} and a weight of rank {}, found "
                            "[4] and {}",
                            base, spatial + 2, spatial + 1, spatial + 2,
                            fmt::format("[{}]", fmt::join(w, ", "))))};
}

template <int spatial, bool transposed> std::vector<Sample> samplesOf() {
    return wrapperSamples(fmt::format(transposed ? "conv_transpose{}d" : "conv{}d", spatial),
                          transposed);
}

void addWrappers(std::vector<OpDef>& ops) {
    const auto add = [&](std::string_view schema, Samples samples, std::string_view page,
                         bool transposed) {
        ops.push_back({schema,
                       wrapperShape,
                       ThroughDecomposition{},
                       Decompose{wrapper, DecomposeWhen::BeforeAutograd},
                       wrapperReference,
                       samples,
                       {transposed ? "transposed convolution" : "convolution",
                        transposed ? "y[n, o, x s - p + k d] += x[n, c, x] w[c, o, k]"
                                   : "y[n, o, y] = b[o] + sum of x[n, c, y s - p + k d] w[o, c, k]",
                        page}});
    };
    add("conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] "
        "padding=0, SymInt[1] dilation=1, SymInt groups=1) -> Tensor",
        samplesOf<1, false>, "torch.nn.functional.conv1d", false);
    add("conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] "
        "padding=0, SymInt[2] dilation=1, SymInt groups=1) -> Tensor",
        samplesOf<2, false>, "torch.nn.functional.conv2d", false);
    add("conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] "
        "padding=0, SymInt[3] dilation=1, SymInt groups=1) -> Tensor",
        samplesOf<3, false>, "torch.nn.functional.conv3d", false);
    const Samples named = [] {
        return std::vector<Sample>{good({f32({2, 3, 5}), f32({4, 3, 3})},
                                        {T(0), T(1), none(), I(1), Arg(std::string("same"))}),
                                   bad({f32({2, 3, 5}), f32({4, 3, 3})},
                                       {T(0), T(1), none(), I(2), Arg(std::string("same"))},
                                       "conv1d: padding 'same' needs a stride of 1")};
    };
    add("conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, str "
        "padding='valid', SymInt[1] dilation=1, SymInt groups=1) -> Tensor",
        named, "torch.nn.functional.conv1d", false);
    add(
        "conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str "
        "padding='valid', SymInt[2] dilation=1, SymInt groups=1) -> Tensor",
        [] {
            return std::vector<Sample>{good({f32({1, 2, 5, 4}), f32({3, 2, 3, 3})},
                                            {T(0), T(1), none(), I(1), Arg(std::string("same"))}),
                                       good({f32({1, 2, 5, 4}), f32({3, 2, 3, 3})},
                                            {T(0), T(1), none(), I(2), Arg(std::string("valid"))})};
        },
        "torch.nn.functional.conv2d", false);
    add(
        "conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, str "
        "padding='valid', SymInt[3] dilation=1, SymInt groups=1) -> Tensor",
        [] {
            return std::vector<Sample>{good({f32({1, 2, 3, 3, 3}), f32({2, 2, 3, 1, 1})},
                                            {T(0), T(1), none(), I(1), Arg(std::string("same"))})};
        },
        "torch.nn.functional.conv3d", false);
    add("conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, "
        "SymInt[1] padding=0, SymInt[1] output_padding=0, SymInt groups=1, SymInt[1] dilation=1) "
        "-> Tensor",
        samplesOf<1, true>, "torch.nn.functional.conv_transpose1d", true);
    add("conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] "
        "stride=1, SymInt[2] padding=0, SymInt[2] output_padding=0, SymInt groups=1, SymInt[2] "
        "dilation=1) -> Tensor",
        samplesOf<2, true>, "torch.nn.functional.conv_transpose2d", true);
    add("conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] "
        "stride=1, SymInt[3] padding=0, SymInt[3] output_padding=0, SymInt groups=1, SymInt[3] "
        "dilation=1) -> Tensor",
        samplesOf<3, true>, "torch.nn.functional.conv_transpose3d", true);
}

void addAdjoints(std::vector<OpDef>& ops, const Traits& heavy) {
    ops.push_back(
        {"_convolution_image_gradient(Tensor grad_output, Tensor weight, SymInt[] size, SymInt[] "
         "stride, SymInt[] padding, SymInt[] dilation, SymInt groups, bool channels_last) -> "
         "Tensor",
         adjointShape,
         NotDifferentiable{"second derivatives are not supported"},
         Convolution{0, 1, -1, adjointCall<LibraryOp::ConvolutionImage>, summedByImage},
         imageReference,
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
         weightReference,
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
    addWrappers(ops);
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
         backwardReference,
         backwardSamples,
         {"gradients of a convolution", "dx, dw and db of y = convolution(x, w, b)",
          "aten::convolution_backward"},
         heavy});
    addAdjoints(ops, heavy);
    return ops;
}

} // namespace cutaway::ops
