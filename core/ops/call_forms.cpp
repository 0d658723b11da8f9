// SPDX-License-Identifier: Apache-2.0
#include "core/ops/call_forms.h"

#include "core/ops/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace cutaway::ops {

namespace {

// Names with a space behind each.
constexpr std::string_view kInPlace =
    " "
    "abs acos acosh add addbmm addcdiv addcmul addmm addmv addr as_strided asin asinh "
    "atan atan2 atanh baddbmm bitwise_and bitwise_left_shift bitwise_not bitwise_or "
    "bitwise_right_shift bitwise_xor ceil celu clamp clamp_max clamp_min conj_physical "
    "copysign cos cosh cumprod cumsum deg2rad detach digamma div elu eq erf erfc erfinv "
    "exp exp2 expm1 fill float_power floor floor_divide fmod frac gcd ge gt hardsigmoid "
    "hardswish hardtanh heaviside hypot i0 igamma igammac index_add index_copy index_fill "
    "index_put index_reduce lcm ldexp le leaky_relu lerp lgamma log log10 log1p log2 "
    "logical_and logical_not logical_or logical_xor logit lt masked_fill masked_scatter "
    "mish mul mvlgamma nan_to_num ne neg nextafter polygamma pow put rad2deg reciprocal "
    "relu relu6 remainder renorm round rrelu rsqrt scatter scatter_add scatter_reduce "
    "selu sgn sigmoid sign silu sin sinc sinh sqrt square squeeze sub t tan tanh "
    "threshold transpose tril triu trunc unsqueeze xlogy ";
/// Those without a derivative formula (tools/autograd/derivatives.yaml).
constexpr std::string_view kUnseenInPlace = " logical_and logical_not logical_or logical_xor ";
constexpr std::string_view kWithoutOut =
    " "
    "adaptive_avg_pool1d adaptive_max_pool1d adjoint affine_grid_generator as_strided "
    "as_strided_scatter atleast_1d atleast_2d atleast_3d avg_pool1d batch_norm "
    "binary_cross_entropy_with_logits broadcast_tensors broadcast_to cartesian_prod cdist "
    "celu channel_shuffle chunk clone combinations conj constant_pad_nd conv1d conv2d "
    "conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution "
    "corrcoef cosine_embedding_loss cosine_similarity count_nonzero cov "
    "cumulative_trapezoid det detach diag_embed diagflat diagonal diagonal_scatter "
    "dropout dsplit einsum embedding flatten flip fliplr flipud full_like grid_sampler "
    "grid_sampler_2d grid_sampler_3d group_norm hinge_embedding_loss hsplit index_fill "
    "index_put instance_norm isclose isfinite isinf isnan isreal kl_div layer_norm logdet "
    "margin_ranking_loss masked_fill masked_scatter matrix_exp max_pool1d "
    "max_pool1d_with_indices max_pool2d max_pool3d meshgrid movedim narrow "
    "native_group_norm native_layer_norm ones_like pairwise_distance pdist permute "
    "pinverse pixel_shuffle pixel_unshuffle poisson_nll_loss positive prelu put rand_like "
    "randn_like ravel real relu repeat_interleave reshape resolve_conj resolve_neg "
    "rms_norm roll rot90 rsub scalar_tensor select select_scatter selu split "
    "split_with_sizes squeeze std_mean t tensor_split tile trace transpose trapezoid "
    "trapz tril_indices triplet_margin_loss triu_indices unbind unflatten unsafe_chunk "
    "unsafe_split unsafe_split_with_sizes unsqueeze vander var_mean view_as_complex "
    "view_as_real vsplit zeros_like ";

bool lists(std::string_view names, std::string_view name) {
    return names.find(fmt::format(" {} ", name)) != std::string_view::npos;
}

/// The schemas of the operations that PyTorch does not have: filled while the catalogue is made, and
/// only read behind that.
std::set<std::string_view>& internalSchemas() {
    static std::set<std::string_view> schemas;
    return schemas;
}

} // namespace

OpDef internal(OpDef def) {
    internalSchemas().insert(def.schema);
    return def;
}

bool isInternal(const OpDef& def) {
    return internalSchemas().contains(def.schema);
}

bool hasName(std::string_view base) {
    return std::ranges::any_of(overloadsOf(base),
                               [](const OpDef* def) { return !isInternal(*def); });
}

bool hasInPlaceForm(const OpDef& def) {
    return lists(kInPlace, def.parsed.base);
}

bool leavesHistory(std::string_view base) {
    return lists(kUnseenInPlace, base);
}

bool takesOut(std::string_view function) {
    return !lists(kWithoutOut, function);
}

} // namespace cutaway::ops
