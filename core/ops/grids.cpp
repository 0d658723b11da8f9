// SPDX-License-Identifier: Apache-2.0
// Images read at computed places: grid_sampler, affine_grid; columns and images: im2col, col2im;
// pixels and channels exchanged. Source: torch/_decomp/decompositions.py.
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/families_composed.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"
#include "core/ops/seen_formula.h"

#include <fmt/format.h>

#include <array>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;
using ir::DType;

// --- grid_sampler ---

enum Interpolation { kBilinear = 0, kNearest = 1, kCubic = 2 };
enum Outside { kZeros = 0, kBorder = 1, kReflection = 2 };

/// One spatial dimension of the image, and how places in it are read.
struct GridAxis {
    Sym size;
    int64_t outside;
    bool corners;
};

/// -1 .. 1 as positions.
Formula unnormalized(const Formula& place, const GridAxis& axis) {
    if (axis.corners) return (place + 1) * 0.5 * (axis.size - Sym(1));
    return ((place + 1) * axis.size - 1) * 0.5;
}

/// Mirrored at the edges as often as it takes.
Formula reflected(const Value& place, const GridAxis& axis) {
    if (axis.corners && axis.size.is(1)) return place * 0;
    const double least = axis.corners ? 0 : -0.5;
    const Formula span = axis.corners ? Formula(axis.size - Sym(1)) : Formula(axis.size);
    Value away = abs(place - least);
    Value flips = aten("floor", aten("detach", away) / span);
    Value extra = away - flips * span;
    return where(eq(aten("remainder.Scalar", flips, 2), 0), extra + least, span + (-extra) + least);
}

Formula inside(const Value& place, const GridAxis& axis) {
    Formula y = place;
    if (axis.outside == kReflection) y = reflected(place, axis);
    if (axis.outside != kZeros) y = aten("clamp", y, 0, axis.size - Sym(1));
    return y;
}

/// The image at whole positions, one tensor of [n, ...] for each spatial dimension; 0 outside.
Formula read(const Operands& x, const std::vector<Value>& places,
             const std::vector<GridAxis>& axes) {
    const TensorType image = x.type(0);
    const size_t spatial = axes.size(), rank = spatial + 2;
    const Shape grid = places[0].type().sizes; // [n, spatial...]
    auto vector = [&](const Sym& count, size_t dim) {
        Shape sizes(rank, Sym(1));
        sizes[dim] = count;
        return reshape(positions(x.b, count, image.device), sizes);
    };
    std::vector<Formula> index{vector(image.sizes[0], 0), vector(image.sizes[1], 1)};
    Value seen;
    for (size_t d = 0; d < spatial; ++d) {
        Value whole = convert(places[d], DType::Int64);
        Value here = logicalAnd(ge(places[d], 0), le(places[d], axes[d].size - Sym(1)));
        seen = d == 0 ? here : Value(logicalAnd(seen, here));
        index.push_back(unsqueeze(aten("clamp", whole, 0, axes[d].size - Sym(1)), 1));
    }
    Value values = aten("index.Tensor", x[0], index);
    return where(unsqueeze(seen, 1), values, 0);
}

/// Corners weighted by the opposite volume.
Value bilinear(const Operands& x, const std::vector<Value>& places,
               const std::vector<GridAxis>& axes) {
    const size_t spatial = axes.size();
    std::vector<Value> below, part;
    for (size_t d = 0; d < spatial; ++d) {
        below.push_back(aten("floor", aten("detach", places[d])));
        part.push_back(places[d] - below[d]);
    }
    Value sum;
    for (size_t corner = 0; corner < size_t{1} << spatial; ++corner) {
        std::vector<Value> at;
        Value weight;
        for (size_t d = 0; d < spatial; ++d) {
            const bool above = corner >> d & 1;
            at.push_back(above ? Value(below[d] + 1) : below[d]);
            Value w = above ? part[d] : Value(1 - part[d]);
            weight = d == 0 ? w : Value(weight * w);
        }
        Value term = read(x, at, axes) * unsqueeze(weight, 1);
        sum = corner == 0 ? term : Value(sum + term);
    }
    return sum;
}

std::array<Value, 4> cubicWeights(const Value& t) {
    constexpr double a = -0.75;
    auto near = [](const Value& d) { return ((d * (a + 2) - (a + 3)) * d) * d + 1; };
    auto far = [](const Value& d) { return ((d * a - 5 * a) * d + 8 * a) * d - 4 * a; };
    Value rest = 1 - t;
    return {far(t + 1), near(t), near(rest), far(rest + 1)};
}

/// Four neighbours along each dimension; those outside are found as the padding says.
Value cubic(const Operands& x, const std::vector<Value>& places,
            const std::vector<GridAxis>& axes) {
    const size_t spatial = axes.size();
    std::vector<std::array<Value, 4>> found(spatial), weights(spatial);
    for (size_t d = 0; d < spatial; ++d) {
        Value below = aten("floor", aten("detach", places[d]));
        weights[d] = cubicWeights(places[d] - below);
        for (size_t i = 0; i < 4; ++i)
            found[d][i] = inside(below + (static_cast<int>(i) - 1), axes[d]);
    }
    Value sum;
    for (size_t neighbour = 0; neighbour < size_t{1} << 2 * spatial; ++neighbour) {
        std::vector<Value> at;
        Value weight;
        for (size_t d = 0; d < spatial; ++d) {
            const size_t i = neighbour >> 2 * (spatial - 1 - d) & 3;
            at.push_back(found[d][i]);
            weight = d == 0 ? weights[d][i] : Value(weight * weights[d][i]);
        }
        Value term = read(x, at, axes) * unsqueeze(weight, 1);
        sum = neighbour == 0 ? term : Value(sum + term);
    }
    return sum;
}

Results gridSample(const Operands& x) {
    const OpCall call = x.call();
    const TensorType image = x.type(0), grid = x.type(1);
    const size_t spatial = image.rank() < 2 ? 0 : image.rank() - 2;
    const bool fits = (spatial == 2 || spatial == 3) && grid.rank() == image.rank() &&
                      call.same(grid.sizes[0], image.sizes[0]) &&
                      call.same(grid.sizes.back(), Sym(static_cast<int64_t>(spatial)));
    if (!fits)
        refuseCall(x, fmt::format("expected an image [N, C, H, W] and a grid [N, h, w, 2], or with "
                                  "three dimensions, found {} and {}",
                                  ir::str(image.sizes), ir::str(grid.sizes)));
    if (image.dtype != grid.dtype)
        refuseCall(x, fmt::format("expected a grid of {}, found {}", ir::name(image.dtype),
                                  ir::name(grid.dtype)));
    const int64_t how = call.number(2), outside = call.number(3);
    if (how < 0 || how > kCubic || outside < 0 || outside > 2)
        refuseCall(x, fmt::format("expected modes from 0 to 2, found {} and {}", how, outside));
    std::vector<GridAxis> axes;
    std::vector<Value> places;
    for (size_t d = 0; d < spatial; ++d) {
        axes.push_back({image.sizes[d + 2], call.number(3), call.boolean(4)});
        // The grid's last dimension begins with the image's last.
        Value place = unnormalized(aten("select.int", x[1], -1, spatial - 1 - d), axes[d]);
        if (how != kCubic) place = inside(place, axes[d]);
        places.push_back(how == kNearest ? Value(aten("round", aten("detach", place))) : place);
    }
    if (how == kNearest) {
        Value first = unsqueeze(aten("select.int", x[1], -1, 0), 1);
        return {flatIn(x.b, first, read(x, places, axes))};
    }
    return {how == kBilinear ? bilinear(x, places, axes) : cubic(x, places, axes)};
}

// --- affine_grid_generator ---

Results affineGrid(const Operands& x) {
    const OpCall call = x.call();
    const TensorType theta = x.type(0);
    const std::vector<Sym> sizes = call.integers(1);
    const size_t spatial = sizes.size() < 2 ? 0 : sizes.size() - 2;
    const auto rows = static_cast<int64_t>(spatial);
    if ((spatial != 2 && spatial != 3) || theta.rank() != 3 ||
        !call.same(theta.sizes[1], Sym(rows)) || !call.same(theta.sizes[2], Sym(rows + 1)))
        refuseCall(
            x, fmt::format("expected [N, 2, 3] and 4 sizes, or [N, 3, 4] and 5, found {} and {}",
                           ir::str(theta.sizes), ir::str(Shape(sizes.begin(), sizes.end()))));
    const Shape image(sizes.begin() + 2, sizes.end());
    std::vector<Formula> columns;
    auto column = [&](const Value& v, size_t dim) {
        Shape along(spatial, Sym(1));
        along[dim] = image[dim];
        return reshape(expand(reshape(v, along), image), {productOf(image)});
    };
    for (size_t k = 0; k < spatial; ++k) { // x first
        const size_t dim = spatial - 1 - k;
        const Sym& size = image[dim];
        Value place = convert(positions(x.b, size, theta.device), theta.dtype);
        if (size.is(1))
            place = place * 0;
        else if (call.boolean(2))
            place = place * 2 / (size - Sym(1)) - 1;
        else
            place = (place * 2 + 1) / size - 1;
        columns.push_back(column(place, dim));
    }
    columns.push_back(full(x.b, {productOf(image)}, 1, theta));
    Value base = aten("stack", columns, 1);
    Shape result{sizes[0]};
    result.insert(result.end(), image.begin(), image.end());
    result.push_back(Sym(rows));
    Value product = aten("matmul", base, aten("transpose.int", x[0], 1, 2));
    return {reshape(product, result)};
}

// --- columns of an image ---

/// Rows of an image that windows read, [taps, windows].
struct Taps {
    int64_t kernel, dilation, padding, stride;
    Sym windows(const Sym& size) const {
        return ir::floorDiv(size + Sym(2 * padding - dilation * (kernel - 1) - 1), Sym(stride)) +
               Sym(1);
    }
    Value index(const Operands& x, const Sym& size) const {
        const ir::Device device = x.type(0).device;
        Value taps = reshape(positions(x.b, Sym(kernel), device) * dilation, {Sym(kernel), Sym(1)});
        Value starts =
            reshape(positions(x.b, windows(size), device) * stride, {Sym(1), windows(size)});
        return taps + starts;
    }
};

std::array<Taps, 2> tapsOf(const Operands& x, size_t first) {
    const OpCall call = x.call();
    std::array<Taps, 2> taps;
    for (size_t i = 0; i < 4; ++i) {
        std::vector<int64_t> pair = call.numbers(first + i);
        if (pair.size() == 1) pair.push_back(pair[0]);
        if (pair.size() != 2 || pair[0] < (i == 2 ? 0 : 1) || pair[1] < (i == 2 ? 0 : 1))
            refuseCall(x,
                       fmt::format("expected two {} numbers as {}", i == 2 ? "whole" : "positive",
                                   call.def.parsed.args[first + i].name));
        for (size_t d = 0; d < 2; ++d)
            (i == 0   ? taps[d].kernel
             : i == 1 ? taps[d].dilation
             : i == 2 ? taps[d].padding
                      : taps[d].stride) = pair[d];
    }
    return taps;
}

/// The padded image's rows and columns as index tensors of a four-dimensional gather.
std::vector<Formula> windowIndex(const Operands& x, const std::array<Taps, 2>& taps,
                                 const Sym& height, const Sym& width) {
    Value rows = unsqueeze(unsqueeze(taps[0].index(x, height), -1), -1);
    return {Arg{}, Arg{}, rows, taps[1].index(x, width)};
}

void wantWindows(const Operands& x, const std::array<Taps, 2>& taps, const Sym& height,
                 const Sym& width) {
    const DType dtype = x.type(0).dtype;
    if (ir::isIntegral(dtype) && dtype != DType::Bool)
        refuseCall(x, fmt::format("not implemented for {}", ir::name(dtype)),
                   "convert it to another dtype", ErrorClass::NotImplemented);
    if (x.call().less(taps[0].windows(height), Sym(1)) ||
        x.call().less(taps[1].windows(width), Sym(1)))
        refuseCall(
            x, fmt::format("no window fits into an image of {} x {}", height.str(), width.str()));
}

Results im2col(const Operands& x) {
    const TensorType self = x.type(0);
    const bool batched = self.rank() == 4;
    if (!batched && self.rank() != 3)
        refuseCall(x,
                   fmt::format("expected 3 or 4 dimensions, found shape {}", ir::str(self.sizes)));
    const std::array<Taps, 2> taps = tapsOf(x, 1);
    Value image = batched ? x.tensor(0) : Value(unsqueeze(x[0], 0));
    const Shape sizes = image.type().sizes;
    wantWindows(x, taps, sizes[2], sizes[3]);
    const int64_t py = taps[0].padding, px = taps[1].padding;
    Value wide = aten("constant_pad_nd", image,
                      ir::ArgList{intArg(px), intArg(px), intArg(py), intArg(py)}, 0);
    Value blocks = aten("index.Tensor", wide, windowIndex(x, taps, sizes[2], sizes[3]));
    Value columns = reshape(permute(blocks, {0, 1, 2, 4, 3, 5}),
                            {sizes[0], sizes[1] * Sym(taps[0].kernel * taps[1].kernel),
                             taps[0].windows(sizes[2]) * taps[1].windows(sizes[3])});
    return {batched ? columns : Value(squeeze(columns, 0))};
}

Results col2im(const Operands& x) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    const bool batched = self.rank() == 3;
    std::vector<Sym> image = call.integers(1);
    if (image.size() == 1) image.push_back(image[0]);
    if (image.size() != 2)
        refuseCall(x, fmt::format("It is expected output_size equals to 2, but got size {}",
                                  image.size()));
    const std::array<Taps, 2> taps = tapsOf(x, 2);
    if (!batched && self.rank() != 2)
        refuseCall(x,
                   fmt::format("expected 2 or 3 dimensions, found shape {}", ir::str(self.sizes)));
    wantWindows(x, taps, image[0], image[1]);
    Value columns = batched ? x.tensor(0) : Value(unsqueeze(x[0], 0));
    const Shape sizes = columns.type().sizes;
    const Sym taken(taps[0].kernel * taps[1].kernel);
    const Sym rows = taps[0].windows(image[0]), across = taps[1].windows(image[1]);
    if (!call.divisible(sizes[1], taken) || !call.same(sizes[2], rows * across))
        refuseCall(x, fmt::format("columns {} are not those of images of {} x {}",
                                  ir::str(self.sizes), image[0].str(), image[1].str()));
    const Sym channels = ir::floorDiv(sizes[1], taken);
    Value blocks = permute(reshape(columns, {sizes[0], channels, Sym(taps[0].kernel),
                                             Sym(taps[1].kernel), rows, across}),
                           {0, 1, 2, 4, 3, 5});
    const Sym py(taps[0].padding), px(taps[1].padding);
    Value zeros =
        full(x.b, {sizes[0], channels, image[0] + py * Sym(2), image[1] + px * Sym(2)}, 0, self);
    Value sums = aten("index_put", zeros, windowIndex(x, taps, image[0], image[1]), blocks, true);
    Value cut = sliced(sliced(sums, 2, py, py + image[0]), 3, px, px + image[1]);
    return {aten("clone", batched ? cut : Value(squeeze(cut, 0)), "contiguous_format")};
}

// --- pixels and channels ---

Results pixelShuffle(const Operands& x) {
    const TensorType self = x.type(0);
    const int64_t factor = x.call().number(1);
    const Sym r(factor);
    if (self.rank() < 3 || factor <= 0 || !x.call().divisible(self.sizes[self.rank() - 3], r * r))
        refuseCall(x, fmt::format("expected [.., C r^2, H, W] with r = {}, found {}", r.str(),
                                  ir::str(self.sizes)));
    Shape sizes(self.sizes.begin(), self.sizes.end() - 3), apart = sizes;
    const Sym channels = ir::floorDiv(self.sizes[self.rank() - 3], r * r),
              height = self.sizes[self.rank() - 2], width = self.sizes.back();
    apart.insert(apart.end(), {channels, r, r, height, width});
    sizes.insert(sizes.end(), {channels, height * r, width * r});
    const int n = static_cast<int>(self.rank()) - 3;
    std::vector<int> order = allDims(static_cast<size_t>(n));
    order.insert(order.end(), {n, n + 3, n + 1, n + 4, n + 2});
    return {owned(x, reshape(permute(reshape(x[0], apart), order), sizes))};
}

Results pixelUnshuffle(const Operands& x) {
    const TensorType self = x.type(0);
    const int64_t factor = x.call().number(1);
    const Sym r(factor);
    if (self.rank() < 3 || factor <= 0 || !x.call().divisible(self.sizes[self.rank() - 2], r) ||
        !x.call().divisible(self.sizes.back(), r))
        refuseCall(x, fmt::format("expected [.., C, H r, W r] with r = {}, found {}", r.str(),
                                  ir::str(self.sizes)));
    Shape sizes(self.sizes.begin(), self.sizes.end() - 3), apart = sizes;
    const Sym channels = self.sizes[self.rank() - 3],
              height = ir::floorDiv(self.sizes[self.rank() - 2], r),
              width = ir::floorDiv(self.sizes.back(), r);
    apart.insert(apart.end(), {channels, height, r, width, r});
    sizes.insert(sizes.end(), {channels * r * r, height, width});
    const int n = static_cast<int>(self.rank()) - 3;
    std::vector<int> order = allDims(static_cast<size_t>(n));
    order.insert(order.end(), {n, n + 2, n + 4, n + 1, n + 3});
    return {owned(x, reshape(permute(reshape(x[0], apart), order), sizes))};
}

Results channelShuffle(const Operands& x) {
    const TensorType self = x.type(0);
    const int64_t count = x.call().number(1);
    const Sym groups(count);
    if (self.rank() < 3 || count <= 0 || !x.call().divisible(self.sizes[1], groups))
        refuseCall(x, fmt::format("expected [N, C, ..] with channels for {} groups, found {}",
                                  groups.str(), ir::str(self.sizes)));
    Shape apart = self.sizes;
    apart[1] = ir::floorDiv(self.sizes[1], groups);
    apart.insert(apart.begin() + 1, groups);
    return {owned(x, reshape(aten("transpose.int", reshape(x[0], apart), 1, 2), self.sizes))};
}

void addImages(std::vector<OpDef>& ops) {
    ops.push_back(composite(
        "im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) "
        "-> Tensor",
        im2col,
        [] {
            return List{
                good({f32({2, 3, 4, 5})}, {T(0), L({2, 3}), L({1, 1}), L({0, 1}), L({1, 2})}),
                good({f32({1, 5, 5})}, {T(0), L({2, 2}), L({2, 1}), L({1, 1}), L({1, 1})}),
                bad({f32({1, 2, 2})}, {T(0), L({3, 3}), L({1, 1}), L({0, 0}), L({1, 1})},
                    "im2col: no window fits into an image of 2 x 2")};
        },
        {"windows of an image as columns", "y[c k, w] = x[c, window w at tap k]",
         "torch.nn.functional.unfold"}));
    ops.push_back(composite(
        "col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] "
        "padding, int[2] stride) -> Tensor",
        col2im,
        [] {
            return List{
                good({f32({2, 8, 9})},
                     {T(0), L({4, 4}), L({2, 2}), L({1, 1}), L({0, 0}), L({1, 1})}),
                good({f32({4, 9})}, {T(0), L({4, 4}), L({2, 2}), L({1, 1}), L({1, 1}), L({2, 2})}),
                bad({f32({4, 9})}, {T(0), L({}), L({2, 2}), L({1, 1}), L({1, 1}), L({2, 2})},
                    "col2im: It is expected output_size equals to 2, but got size 0")};
        },
        {"columns added up where windows read them", "y[c, window w at tap k] += x[c k, w]",
         "torch.nn.functional.fold"}));
    ops.push_back(lying<likeImage>(composite(
        "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", pixelShuffle,
        [] {
            return List{good({f32({2, 8, 2, 4})}, {T(0), I(2)}),
                        good({f32({9, 2, 1})}, {T(0), I(3)})};
        },
        {"channels spread over pixels", "y[c, h r + i, w r + j] = x[c r^2 + i r + j, h, w]",
         "arXiv:1609.05158; torch.nn.functional.pixel_shuffle"})));
    ops.push_back(lying<likeImage>(composite(
        "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", pixelUnshuffle,
        [] { return List{good({f32({2, 2, 4, 6})}, {T(0), I(2)})}; },
        {"pixels gathered into channels", "y[c r^2 + i r + j, h, w] = x[c, h r + i, w r + j]",
         "torch.nn.functional.pixel_unshuffle"})));
    ops.push_back(lying<likeImage>(
        composite("channel_shuffle(Tensor self, SymInt groups) -> Tensor", channelShuffle,
                  [] { return List{good({f32({2, 6, 2})}, {T(0), I(3)})}; },
                  {"channels of groups taken in turn", "y[i g + k] = x[k n + i]",
                   "arXiv:1707.01083; torch.nn.functional.channel_shuffle"})));
}

} // namespace

std::vector<OpDef> gridOps() {
    std::vector<OpDef> ops;
    ops.push_back(saving(
        "input grid",
        with<&Traits::refuses, Refuses::WholeNumbers>(lying<rowMajor>(composite(
            "grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
            "bool "
            "align_corners) -> Tensor",
            inFloat<gridSample>,
            [] {
                List samples;
                for (int64_t how : {0, 1, 2})
                    for (int64_t outside : {0, 1, 2})
                        samples.push_back(
                            good({f32({2, 2, 3, 4}), f32({2, 2, 3, 2}, -1.4, 1.4)},
                                 {T(0), T(1), I(how), I(outside), Arg(outside == how)}));
                samples.push_back(good({f32({1, 2, 3, 2, 4}), f32({1, 2, 1, 3, 3}, -1.2, 1.2)},
                                       {T(0), T(1), I(0), I(0), Arg(false)}));
                return samples;
            },
            {"an image read at the places of a grid", "y[.., h, w] = x[.., grid[h, w]]",
             "torch.nn.functional.grid_sample"})))));
    const OpDoc sampler{"an image read at the places of a grid", "y[.., h, w] = x[.., grid[h, w]]",
                        "torch.nn.functional.grid_sample"};
    ops.push_back(saving("input grid",
                         lying<rowMajor>(composite(
                             "grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, "
                             "int padding_mode, bool "
                             "align_corners) -> Tensor",
                             inFloat<gridSample>,
                             [] {
                                 return List{good({f32({1, 2, 3, 4}), f32({1, 2, 3, 2}, -1.4, 1.4)},
                                                  {T(0), T(1), I(0), I(1), Arg(false)})};
                             },
                             sampler))));
    ops.push_back(saving("input grid",
                         lying<rowMajor>(composite(
                             "grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, "
                             "int padding_mode, bool "
                             "align_corners) -> Tensor",
                             inFloat<gridSample>,
                             [] {
                                 return List{
                                     good({f32({1, 2, 3, 2, 4}), f32({1, 2, 1, 3, 3}, -1.2, 1.2)},
                                          {T(0), T(1), I(0), I(2), Arg(true)})};
                             },
                             sampler))));
    ops.push_back(composite(
        "affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor",
        affineGrid,
        [] {
            return List{good({f32({2, 2, 3})}, {T(0), L({2, 1, 3, 4}), Arg(false)}),
                        good({f32({2, 2, 3})}, {T(0), L({2, 1, 3, 1}), Arg(true)}),
                        good({f32({1, 3, 4})}, {T(0), L({1, 1, 2, 3, 2}), Arg(true)})};
        },
        {"a grid moved by a matrix", "y[h, w] = theta (x_w, y_h, 1)",
         "torch.nn.functional.affine_grid"}));
    addImages(ops);
    return ops;
}

} // namespace cutaway::ops
