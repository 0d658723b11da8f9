// SPDX-License-Identifier: Apache-2.0
// conv1d .. conv_transpose3d: images without a batch, words for the padding, argument orders.
#include "core/ir/dtype_words.h"
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/convolution_rules.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/image_tools.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Shape;
using ir::Sym;
using ir::TensorType;

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

/// How far the taps reach beyond the place itself.
int64_t reachOf(const OpCall& call, const Wrapped& how, size_t spatial, size_t d) {
    const Shape& w = call.tensor(1).sizes;
    return spatialNumbers(call, how.dilation, spatial)[d] *
           (call.number(w[w.size() - spatial + d]) - 1);
}

/// The padding of "same" and "valid": half of what the taps reach, the lesser half of an odd reach,
/// whose other side gets unevenPad() before. Errors: user error for other words, or strides.
Result<std::vector<int64_t>> paddingOf(const OpCall& call, const Wrapped& how, size_t spatial) {
    const auto* word = std::get_if<std::string>(&call.args[how.padding]);
    if (!word) {
        CUTAWAY_CHECK(convolvedList(call, how.padding, spatial));
        return spatialNumbers(call, how.padding, spatial);
    }
    std::vector<int64_t> padding(spatial, 0);
    if (*word == "valid") return padding;
    if (*word != "same")
        return base::userError({}, fmt::format("Invalid padding string: '{}'", *word));
    CUTAWAY_CHECK(convolvedList(call, how.stride, spatial));
    CUTAWAY_CHECK(convolvedList(call, how.dilation, spatial));
    for (size_t d = 0; d < spatial; ++d) {
        if (spatialNumbers(call, how.stride, spatial)[d] != 1)
            return base::userError({}, "padding='same' is not supported for strided convolutions");
        padding[d] = reachOf(call, how, spatial, d) / 2;
    }
    return padding;
}

/// What padding 'same' adds at the end of each spatial dimension beside that: 1 for an odd reach.
/// Empty where that is nothing.
std::vector<int64_t> unevenPad(const OpCall& call) {
    const Wrapped how = wrapped(call.def);
    const auto* word = std::get_if<std::string>(&call.args[how.padding]);
    if (!word || *word != "same") return {};
    const size_t spatial = batchedRank(call) - 2;
    if (!spatialList(call, how.dilation, spatial).ok()) return {}; // paddingOf() says so
    std::vector<int64_t> more(spatial);
    for (size_t d = 0; d < spatial; ++d)
        more[d] = reachOf(call, how, spatial, d) % 2;
    return std::ranges::count(more, 0) == static_cast<int64_t>(spatial) ? std::vector<int64_t>()
                                                                        : more;
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

/// Of integers, the same for both operands.
bool isWhole(const OpCall& call) {
    const ir::DType dtype = call.tensor(0).dtype;
    return !ir::isFloating(dtype) && dtype != ir::DType::Bool && call.tensor(1).dtype == dtype;
}

/// Through convolution's own rule, with the wrapper's name in messages.
Result<Types> wrapperShape(const OpCall& call) {
    const TensorType& x = call.tensor(0);
    const size_t rank = batchedRank(call);
    const bool batched = x.rank() == rank;
    if (!batched && x.rank() + 1 != rank)
        return base::userError({},
                               fmt::format("Expected {}D (unbatched) or {}D (batched) input to "
                                           "{}, but got input of size: {}",
                                           rank - 1, rank, call.def.parsed.base, ir::str(x.sizes)));
    if (call.tensor(1).rank() != rank)
        return refuse(call, fmt::format("expected an input of rank {} or {} and a weight of rank "
                                        "{}, found {} and {}",
                                        rank, rank - 1, rank, ir::str(x.sizes),
                                        ir::str(call.tensor(1).sizes)));
    if (call.has(2) && call.tensor(2).dtype != x.dtype)
        return base::userError(
            {}, fmt::format("Input type ({}) and bias type ({}) should be the same",
                            ir::nameInCpp(x.dtype), ir::nameInCpp(call.tensor(2).dtype)));
    ir::Graph scratch;
    scratch.shapes = call.graph.shapes;
    auto placeholder = [&](const TensorType& type) {
        return Arg(scratch.addPlaceholder("x", type));
    };
    // The decomposition computes integers in float64.
    const bool whole = isWhole(call);
    TensorType input = x, weight = call.tensor(1);
    if (whole) input.dtype = weight.dtype = ir::DType::Float64;
    if (!batched) {
        input.sizes.insert(input.sizes.begin(), Sym(1));
        input.strides.insert(input.strides.begin(), x.numel());
    }
    if (const std::vector<int64_t> more = unevenPad(call); !more.empty()) {
        Shape sizes = input.sizes;
        for (size_t d = 0; d < more.size(); ++d)
            sizes[2 + d] = sizes[2 + d] + Sym(more[d]);
        input = TensorType::contiguous(input.dtype, sizes, input.device);
    }
    const Arg first = placeholder(input), second = placeholder(weight);
    Arg bias;
    if (call.has(2)) {
        TensorType type = call.tensor(2);
        if (whole) type.dtype = ir::DType::Float64;
        bias = placeholder(type);
    }
    CUTAWAY_TRY(ir::ArgList args, convolutionArgs(call, *first.node()));
    args[1] = second;
    args[2] = bias;
    OpDef named = *catalogue().find("convolution");
    named.parsed.base = call.def.parsed.base;
    CUTAWAY_TRY(Types types, convolutionShape(OpCall(named, args, scratch)));
    types[0].dtype = x.dtype;
    if (batched) return types;
    types[0].sizes.erase(types[0].sizes.begin());
    types[0].strides.erase(types[0].strides.begin());
    return types;
}

Results wrapper(const Operands& x) {
    OpCall call = x.call();
    const bool batched = x.type(0).rank() == batchedRank(call);
    Value input = batched ? x[0] : unsqueeze(x[0], 0);
    if (const std::vector<int64_t> more = unevenPad(call); !more.empty()) {
        ir::ArgList sides;
        for (size_t d = more.size(); d-- > 0;)
            sides.insert(sides.end(), {intArg(0), intArg(more[d])});
        input = aten("constant_pad_nd", input, sides, 0);
    }
    Value out(x.b, x.b.call("convolution", *convolutionArgs(call, input)));
    return {batched ? out : squeeze(out, 0)};
}

/// \p x with a row of zeros at the end of dimension \p dim.
ir::HostTensor longer(const ir::HostTensor& x, size_t dim) {
    std::vector<int64_t> sizes = x.sizes;
    int64_t inner = 1;
    for (size_t d = dim + 1; d < sizes.size(); ++d)
        inner *= sizes[d];
    const int64_t row = sizes[dim] * inner;
    ++sizes[dim];
    ir::HostTensor out = ir::HostTensor::zeros(x.dtype, sizes);
    for (int64_t i = 0; i < x.numel(); ++i)
        out.set(i / row * (row + inner) + i % row, x.get(i));
    return out;
}

/// conv2d as convolution of the batched input.
Values wrapperReference(const OpCall& call, Tensors tensors) {
    const size_t rank = batchedRank(call);
    ir::HostTensor input = *tensors[0];
    const bool batched = input.sizes.size() == rank;
    if (!batched) input.sizes.insert(input.sizes.begin(), 1);
    const std::vector<int64_t> more = unevenPad(call);
    for (size_t d = 0; d < more.size(); ++d)
        if (more[d]) input = longer(input, 2 + d);
    const ir::ArgList args = *convolutionArgs(call, {});
    std::vector<const ir::HostTensor*> all(tensors.begin(), tensors.end());
    all[0] = &input;
    Values out =
        convolutionReference(OpCall(*catalogue().find("convolution"), args, call.graph), all);
    if (!batched) out[0].sizes.erase(out[0].sizes.begin());
    return out;
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
            forwardOnly({i64(x), i64(w), i64({channels})}, {T(0), T(1), T(2), L({2}), L({1})}),
            good({f32(plain), f32(w)}, {T(0), T(1)}),
            bad({f32({4}), f32(w)}, {T(0), T(1)},
                fmt::format("Expected {}D (unbatched) or {}D (batched) input to {}, but got input "
                            "of size: [4]",
                            spatial + 1, spatial + 2, base))};
}

template <int spatial, bool transposed> std::vector<Sample> samplesOf() {
    return wrapperSamples(fmt::format(transposed ? "conv_transpose{}d" : "conv{}d", spatial),
                          transposed);
}

/// A convolution along the first dimension.
Results convolutionOfTimes(const Operands& x) {
    const TensorType &input = x.type(0), &weight = x.type(1), &bias = x.type(2);
    auto fits = [&](const Sym& found, const Sym& wanted) { return x.call().same(found, wanted); };
    if (input.rank() != 3 || weight.rank() != 3 || bias.rank() != 1 ||
        !fits(weight.sizes[1], input.sizes[2]) || !fits(bias.sizes[0], weight.sizes[2]))
        refuseCall(x,
                   fmt::format("expected an input [time, batch, in], a weight [window, in, out] "
                               "and a bias [out], found {}, {} and {}",
                               ir::str(input.sizes), ir::str(weight.sizes), ir::str(bias.sizes)));
    Value rows = aten("conv1d", permute(x[0], {1, 2, 0}), permute(x[1], {2, 1, 0}), x[2], 1, x[3]);
    return {aten("clone", permute(rows, {2, 0, 1}), "contiguous_format")};
}

} // namespace

void addConvolutionWrappers(std::vector<OpDef>& ops) {
    const auto add = [&](std::string_view schema, Samples samples, std::string_view page,
                         bool transposed) {
        ops.push_back({schema,
                       wrapperShape,
                       ThroughDecomposition{},
                       Decompose{inDouble<wrapper>, DecomposeWhen::BeforeAutograd},
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
                                   good({f32({2, 3, 5}), f32({4, 3, 4})},
                                        {T(0), T(1), none(), I(1), Arg(std::string("same"))}),
                                   bad({f32({2, 3, 5}), f32({4, 3, 3})},
                                       {T(0), T(1), none(), I(2), Arg(std::string("same"))},
                                       "padding='same' is not supported for strided convolutions")};
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
                                       good({f32({2, 5, 4}), f32({3, 2, 2, 3})},
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
    ops.push_back(composite(
        "conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor",
        convolutionOfTimes,
        [] {
            return std::vector<Sample>{
                good({f32({5, 2, 3}), f32({2, 3, 4}), f32({4})}, {T(0), T(1), T(2), I(1)}),
                bad({f32({5, 2, 3}), f32({2, 4, 4}), f32({4})}, {T(0), T(1), T(2), I(0)},
                    "conv_tbc: expected an input [time, batch, in], a weight [window, in, out] and "
                    "a bias [out], found [5, 2, 3], [2, 4, 4] and [4]")};
        },
        {"convolution along the first dimension",
         "y[t, n, o] = b[o] + sum of x[t - p + k, n, c] w[k, c, o]", "torch.conv_tbc"}));
}

} // namespace cutaway::ops
