// SPDX-License-Identifier: Apache-2.0
// Normalizations over groups, and by the root mean square. Source: ATen/native/group_norm.cpp,
// layer_norm.cpp (rms_norm), Normalization.cpp (instance_norm).
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/families_composed.h"
#include "core/ops/lying.h"
#include "core/ops/norm_statistics.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <limits>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

/// A vector with an element for each channel, to be multiplied with the image.
Formula perChannel(const Operands& x, size_t i, const TensorType& image) {
    if (!x.call().same(x.type(i).sizes, Shape{image.sizes[1]}))
        refuseCall(x, fmt::format("expected a {} of {} elements, found {}",
                                  x.call().def.parsed.args[i].name, image.sizes[1].str(),
                                  ir::str(x.type(i).sizes)));
    Shape sizes(image.rank(), Sym(1));
    sizes[1] = image.sizes[1];
    return reshape(x[i], sizes);
}

/// Rows of \p count elements with mean 0 and variance 1.
Formula normalizedRows(const Value& rows, const Sym& count, double eps) {
    return item(aten("native_layer_norm", rows, Shape{count}, Arg{}, Arg{}, eps), 0);
}

Results groupNorm(const Operands& x) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    const int64_t groups = call.number(1);
    if (self.rank() < 2)
        refuseCall(
            x, fmt::format("expected at least 2 dimensions, found shape {}", ir::str(self.sizes)));
    if (groups <= 0 || !call.divisible(self.sizes[1], Sym(groups)))
        refuseCall(x,
                   fmt::format("{} channels do not make {} groups", self.sizes[1].str(), groups));
    const Sym count = ir::floorDiv(productOf(std::span(self.sizes).subspan(1)), Sym(groups));
    Value y = reshape(x[0], {self.sizes[0], Sym(groups), count});
    if (!self.numel().is(0)) y = normalizedRows(y, count, call.real(4));
    y = reshape(y, self.sizes);
    if (x.has(2)) y = y * perChannel(x, 2, self);
    if (x.has(3)) y = y + perChannel(x, 3, self);
    return {y};
}

/// Also the means and reciprocal deviations of the groups.
Results nativeGroupNorm(const Operands& x) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    const Sym rows = call.integer(3), channels = call.integer(4), area = call.integer(5);
    const int64_t groups = call.number(6);
    if (groups <= 0 || !call.divisible(channels, Sym(groups)) || self.rank() < 2)
        refuseCall(x, fmt::format("{} channels do not make {} groups", channels.str(), groups));
    const Sym count = ir::floorDiv(channels * area, Sym(groups));
    Value grouped = reshape(x[0], {rows, Sym(groups), count});
    Value mean = aten("mean.dim", grouped, std::vector<int>{2}, true);
    Value centred = grouped - mean;
    Value rstd = rsqrt(aten("mean.dim", centred * centred, std::vector<int>{2}, true) + x[7]);
    Value y = reshape(centred * rstd, self.sizes);
    if (x.has(1)) y = y * perChannel(x, 1, self);
    if (x.has(2)) y = y + perChannel(x, 2, self);
    return {y, squeeze(mean, -1), squeeze(rstd, -1)};
}
/// 16 bits are computed in float32; parameters of float32 beside them keep the statistics there.
Results groupNormWithStatistics(const Operands& x) {
    const ir::DType dtype = x.type(0).dtype;
    if (!ir::isHalf(dtype)) return nativeGroupNorm(x);
    std::vector<Formula> wide = x.all();
    for (size_t i = 0; i < wide.size(); ++i)
        if (x.isValue(i)) wide[i] = convert(wide[i], ir::DType::Float32);
    const Value found = formula::call("native_group_norm", wide);
    const ir::DType statistics = statisticsType(x.call(), {1, 2});
    return {convert(item(found, 0), dtype), convert(item(found, 1), statistics),
            convert(item(found, 2), statistics)};
}

/// Each channel of each image for itself. Running statistics are the Python function's.
Results instanceNorm(const Operands& x) {
    const TensorType self = x.type(0);
    if (self.rank() < 3)
        refuseCall(
            x, fmt::format("expected at least 3 dimensions, found shape {}", ir::str(self.sizes)));
    if (x.has(3) || x.has(4) || !x.call().boolean(5))
        refuseCall(x, "running statistics are not kept here",
                   "use torch.nn.functional.instance_norm");
    const Sym count = productOf(std::span(self.sizes).subspan(2));
    Value y = reshape(x[0], {self.sizes[0], self.sizes[1], count});
    y = reshape(normalizedRows(y, count, x.call().real(7)), self.sizes);
    if (x.has(1)) y = y * perChannel(x, 1, self);
    if (x.has(2)) y = y + perChannel(x, 2, self);
    return {y};
}

Results rmsNorm(const Operands& x) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    const Shape shape = call.integers(1);
    const bool fits =
        !shape.empty() && shape.size() <= self.rank() &&
        call.same(Shape(self.sizes.end() - std::ssize(shape), self.sizes.end()), shape);
    if (!fits)
        refuseCall(x, fmt::format("expected input of sizes [.., {}], found {}",
                                  ir::str(shape).substr(1, ir::str(shape).size() - 2),
                                  ir::str(self.sizes)));
    std::vector<int> dims;
    for (size_t d = self.rank() - shape.size(); d < self.rank(); ++d)
        dims.push_back(static_cast<int>(d));
    const double eps = x.has(3) ? call.real(3)
                                // computed in float32 where the dtype is narrower
                                : ir::floatLimits(ir::computeType(self.dtype)).eps;
    Value v = convert(x[0], ir::computeType(self.dtype));
    Value y = v * rsqrt(aten("mean.dim", v * v, dims, true) + eps);
    if (x.has(2)) y = y * x[2];
    return {convert(y, self.dtype)};
}

} // namespace

std::vector<OpDef> normalizationOps() {
    std::vector<OpDef> ops;
    ops.push_back(lying<likeImage>(composite(
        "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float "
        "eps=1e-05, bool cudnn_enabled=True) -> Tensor",
        groupNorm,
        [] {
            return List{
                good({f32({2, 6, 3}), f32({6}), f32({6})},
                     {T(0), I(3), T(1), T(2), Arg(1e-5), Arg(true)}),
                good({f32({2, 4, 2, 2})}, {T(0), I(2), none(), none(), Arg(0.1), Arg(true)}),
                bad({f32({2, 5})}, {T(0), I(2), none(), none(), Arg(0.1), Arg(true)},
                    "group_norm: 5 channels do not make 2 groups")};
        },
        {"groups of channels with mean 0 and variance 1", "y = (x - mean) / sqrt(var + eps) w + b",
         "arXiv:1803.08494; torch.nn.functional.group_norm"})));
    ops.push_back(lying<likeImage>(composite(
        "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt "
        "HxW, int group, float eps) -> (Tensor, Tensor, Tensor)",
        groupNormWithStatistics,
        [] {
            return List{good({f32({2, 6, 3}), f32({6}), f32({6})},
                             {T(0), T(1), T(2), I(2), I(6), I(3), I(3), Arg(1e-5)})};
        },
        {"group_norm with the statistics of the groups", "y = (x - mean) rstd w + b",
         "torch.native_group_norm"})));
    ops.push_back(composite(
        "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
        "running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> "
        "Tensor",
        instanceNorm,
        [] {
            return List{good(
                {f32({2, 3, 4}), f32({3}), f32({3})},
                {T(0), T(1), T(2), none(), none(), Arg(true), Arg(0.1), Arg(1e-5), Arg(true)})};
        },
        {"each channel of each image with mean 0 and variance 1",
         "y = (x - mean) / sqrt(var + eps) w + b", "torch.nn.functional.instance_norm"}));
    ops.push_back(lying<rowMajor>(composite(
        "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) "
        "-> Tensor",
        rmsNorm,
        [] {
            return List{good({f32({2, 4}), f32({4})}, {T(0), L({4}), T(1), Arg(1e-5)}),
                        good({f32({2, 3, 4})}, {T(0), L({3, 4}), none(), none()}),
                        bad({f32({2, 4})}, {T(0), L({3}), none(), none()},
                            "rms_norm: expected input of sizes [.., 3], found [2, 4]")};
        },
        {"rows divided by their root mean square", "y = x / sqrt(mean x^2 + eps) w",
         "arXiv:1910.07467; torch.nn.functional.rms_norm"})));
    return ops;
}

} // namespace cutaway::ops
