// SPDX-License-Identifier: Apache-2.0
// How PyTorch names functions of the tape (tools/autograd/derivatives.yaml).
#include "core/ops/catalogue.h"
#include "core/ops/gradients.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cutaway::ops {

namespace {

/// The number behind a name where it is not 0: how many overloads are listed before this one.
constexpr std::pair<std::string_view, int> kNumbers[] = {
    {"rsub.Scalar", 1},
    {"div.Tensor_mode", 2},
    {"div.Scalar_mode", 2},
    {"remainder.Tensor", 1},
    {"pow.Tensor_Tensor", 1},
    {"pow.Scalar", 2},
    {"copysign.Scalar", 1},
    {"fmod.Tensor", 1},
    {"round.decimals", 1},
    {"special_zeta.self_scalar", 1},
    {"special_zeta.other_scalar", 2},
    {"clamp", 1},
    {"masked_fill.Tensor", 1},
    {"xlogy.Scalar_Self", 1},
    {"xlogy.Scalar_Other", 2},
    {"special_xlog1py.self_scalar", 1},
    {"special_xlog1py.other_scalar", 2},
    {"lerp.Tensor", 1},
    {"clamp_min.Tensor", 1},
    {"clamp_max.Tensor", 1},
    {"sum.dim_IntList", 1},
    {"prod.dim_int", 1},
    {"max", 1},
    {"min", 1},
    {"mean.dim", 1},
    {"squeeze.dim", 1},
    {"squeeze.dims", 2},
    {"scatter.value", 1},
    {"index_fill.int_Tensor", 1},
    {"sort.stable", 1},
    {"median.dim", 1},
    {"nanmedian.dim", 1},
    {"fill.Tensor", 1},
    {"norm.ScalarOpt_dim_dtype", 3},
};

/// What .to() of another dtype or device is made of.
constexpr std::string_view kCopies[] = {"prims.convert_element_type", "prims.device_put"};

/// Composed of others here, and one function of the tape there.
constexpr std::string_view kWhole =
    "deg2rad rad2deg frac round.decimals mvlgamma ldexp.Tensor clamp_max aminmax nansum "
    "transpose.int t roll rot90 diag_embed trace repeat diagonal_scatter select_scatter "
    "slice_scatter narrow_copy as_strided_scatter stack block_diag unbind.int "
    "unsafe_split.Tensor unsafe_split_with_sizes dot vdot mv linalg_cross addmv addr "
    "baddbmm addbmm index_select index_add index_fill.int_Tensor index_fill.int_Scalar "
    "index_copy index_reduce take put scatter.src scatter_reduce.two masked_scatter "
    "_unsafe_masked_index _unsafe_masked_index_put_accumulate cumprod logcumsumexp cummax "
    "cummin sort sort.stable topk kthvalue median.dim nanmedian.dim mode "
    "std_mean.correction fill.Tensor threshold glu binary_cross_entropy_with_logits "
    "soft_margin_loss multi_margin_loss _native_batch_norm_legit_no_training "
    "_adaptive_avg_pool2d max_pool3d_with_indices adaptive_max_pool2d adaptive_max_pool3d "
    "max_unpool2d max_unpool3d avg_pool3d _adaptive_avg_pool3d reflection_pad1d "
    "reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d "
    "replication_pad3d upsample_nearest1d upsample_nearest2d upsample_nearest3d "
    "_upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d "
    "upsample_linear1d upsample_bilinear2d upsample_trilinear3d upsample_bicubic2d "
    "_upsample_bilinear2d_aa _upsample_bicubic2d_aa grid_sampler_2d grid_sampler_3d "
    "affine_grid_generator im2col col2im pixel_shuffle pixel_unshuffle channel_shuffle "
    "native_group_norm _cdist_forward _pdist_forward linalg_vector_norm "
    "norm.ScalarOpt_dim_dtype linalg_cholesky_ex cholesky_solve linalg_inv_ex "
    "linalg_solve_triangular triangular_solve linalg_lstsq linalg_lu_factor_ex linalg_lu "
    "linalg_qr linalg_matrix_exp lu_unpack linalg_lu_solve linalg_householder_product "
    "linalg_polar";

} // namespace

std::string gradientName(const OpDef& def) {
    if (std::ranges::find(kCopies, def.name()) != std::end(kCopies)) return "ToCopyBackward0";
    std::string name;
    bool letter = false; // before this character
    for (char c : def.parsed.base == "chunk" ? "split" : def.parsed.base) {
        const bool next = std::isalpha(static_cast<unsigned char>(c)) != 0;
        if (c != '_') name += letter ? c : static_cast<char>(std::toupper(c));
        letter = next;
    }
    constexpr std::string_view kForward = "Forward";
    if (name.ends_with(kForward)) name.resize(name.size() - kForward.size());
    const auto* number =
        std::ranges::find(kNumbers, def.name(), &std::pair<std::string_view, int>::first);
    return fmt::format("{}Backward{}", name, number == std::end(kNumbers) ? 0 : number->second);
}

/// Whether a tensor says where, which or how much, and gets no gradient.
static bool isBeside(const OpDef& def, std::string_view argument) {
    constexpr std::string_view kNames[] = {"index",     "indices",      "mask",
                                           "condition", "running_mean", "running_var"};
    return std::ranges::find(kNames, argument) != std::end(kNames) ||
           (def.parsed.base == "binary_cross_entropy" && argument == "weight");
}

static bool isTensor(const SchemaArg& arg) {
    return arg.type.starts_with("Tensor");
}

/// Of the overloads whose functions have one name the one with the most tensors.
static const OpDef* widest(const std::string& name) {
    static const auto known = [] {
        std::map<std::string, const OpDef*> found;
        for (const OpDef& def : catalogue().all()) {
            const OpDef*& at = found[gradientName(def)];
            if (!at || std::ranges::count_if(def.parsed.args, isTensor) >
                           std::ranges::count_if(at->parsed.args, isTensor))
                at = &def;
        }
        return found;
    }();
    const auto at = known.find(name);
    return at == known.end() ? nullptr : at->second;
}

std::vector<std::optional<size_t>> edgesOf(const std::string& name,
                                           const std::vector<bool>& inputs) {
    std::vector<std::optional<size_t>> edges;
    const OpDef* def = widest(name);
    std::vector<const SchemaArg*> tensors;
    bool list = false; // a number of tensors that the call decides
    if (def && std::holds_alternative<VjpRule>(def->gradient))
        for (const SchemaArg& arg : def->parsed.args)
            if (isTensor(arg)) {
                tensors.push_back(&arg);
                list |= arg.type.ends_with("[]");
            }
    for (size_t i = 0; i < inputs.size(); ++i) {
        const SchemaArg* arg = tensors.empty()      ? nullptr
                               : list && i > 0      ? tensors.back()
                               : i < tensors.size() ? tensors[i]
                                                    : nullptr;
        if (inputs[i] || !arg || !isBeside(*def, arg->name)) edges.emplace_back(i);
    }
    for (size_t i = inputs.size(); !list && i < tensors.size(); ++i)
        if (!isBeside(*def, tensors[i]->name)) edges.emplace_back();
    return edges;
}

bool isOneGradient(const OpDef& def) {
    const std::string name = def.name();
    for (size_t at = kWhole.find(name); at != kWhole.npos; at = kWhole.find(name, at + 1)) {
        const size_t end = at + name.size();
        if ((at == 0 || kWhole[at - 1] == ' ') && (end == kWhole.size() || kWhole[end] == ' '))
            return true;
    }
    return false;
}

} // namespace cutaway::ops
