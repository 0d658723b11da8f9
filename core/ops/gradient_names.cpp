// SPDX-License-Identifier: Apache-2.0
// How PyTorch names functions of the tape (tools/autograd/derivatives.yaml).
#include "core/ops/catalogue.h"
#include "core/ops/gradients.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <unordered_map>

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
};

/// Where PyTorch's tape shows another operation, which it goes through.
constexpr std::pair<std::string_view, std::string_view> kThrough[] = {
    {"prims.convert_element_type", "_to_copy"},
    {"prims.device_put", "_to_copy"},
    {"adaptive_avg_pool2d", "_adaptive_avg_pool2d"},
    {"adaptive_avg_pool3d", "_adaptive_avg_pool3d"},
    {"chunk", "split"},
    {"cross", "linalg_cross"},
    {"det", "linalg_det"},
    {"grid_sampler", "grid_sampler_2d"},
    {"group_norm", "native_group_norm"},
    {"inverse", "linalg_inv_ex"},
    {"linalg_cholesky", "linalg_cholesky_ex"},
    {"linalg_eigvalsh", "linalg_eigh"},
    {"linalg_inv", "linalg_inv_ex"},
    {"linalg_lu_factor", "linalg_lu_factor_ex"},
    {"linalg_solve", "linalg_solve_ex"},
    {"linalg_svdvals", "linalg_svd"},
    {"max_pool3d", "max_pool3d_with_indices"},
    {"norm.ScalarOpt_dim_dtype", "linalg_vector_norm"},
    {"prelu", "_prelu_kernel"},
    {"relu6", "hardtanh"},
    {"selu", "elu"},
    {"slogdet", "linalg_slogdet"},
    {"special_i0", "i0"},
    {"svd", "linalg_svd"},
    {"tile", "repeat"},
};

/// Composed of others here, and one function of the tape there.
constexpr std::string_view kWhole =
    "_unsafe_view adaptive_avg_pool2d adaptive_avg_pool3d cross det grid_sampler group_norm "
    "inverse linalg_cholesky linalg_det linalg_eigh linalg_eigvalsh linalg_inv linalg_lu_factor "
    "linalg_slogdet linalg_solve linalg_solve_ex linalg_svd linalg_svdvals log_sigmoid "
    "masked_select max_pool3d multilabel_margin_loss prelu slogdet svd tile "
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

static std::string namedAs(const OpDef& def) {
    const auto* through = std::ranges::find(kThrough, def.name(),
                                            &std::pair<std::string_view, std::string_view>::first);
    const std::string_view shown =
        through == std::end(kThrough) ? std::string_view(def.parsed.base) : through->second;
    std::string name;
    bool letter = false; // before this character
    for (char c : shown) {
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

static bool isWhole(const OpDef& def) {
    const std::string name = def.name();
    for (size_t at = kWhole.find(name); at != kWhole.npos; at = kWhole.find(name, at + 1)) {
        const size_t end = at + name.size();
        if ((at == 0 || kWhole[at - 1] == ' ') && (end == kWhole.size() || kWhole[end] == ' '))
            return true;
    }
    return false;
}

namespace {

struct OnTape {
    std::string name;
    bool whole;
};

/// Asked for with every call of an eager operation.
const OnTape& onTape(const OpDef& def) {
    static std::unordered_map<const OpDef*, OnTape> known;
    static std::mutex mutex;
    const std::lock_guard guard(mutex);
    auto [at, isNew] = known.try_emplace(&def);
    if (isNew) at->second = {namedAs(def), isWhole(def)};
    return at->second;
}

} // namespace

std::string gradientName(const OpDef& def) {
    return onTape(def).name;
}

bool isOneGradient(const OpDef& def) {
    return onTape(def).whole;
}

/// Whether a tensor says where, which or how much, and gets no gradient.
static bool isBeside(const OpDef& def, std::string_view argument) {
    constexpr std::string_view kNames[] = {"index",     "indices",      "mask",
                                           "condition", "running_mean", "running_var"};
    constexpr std::pair<std::string_view, std::string_view> kOf[] = {
        {"binary_cross_entropy", "weight"},
        {"binary_cross_entropy_with_logits", "weight"},
        {"binary_cross_entropy_with_logits", "pos_weight"},
        {"linalg_pinv", "atol"},
        {"linalg_pinv", "rtol"},
        {"multi_margin_loss", "target"},
        {"multi_margin_loss", "weight"},
        {"multilabel_margin_loss", "target"},
        {"nll_loss_forward", "target"},
        {"nll_loss_forward", "weight"},
        {"soft_margin_loss", "target"},
    };
    return std::ranges::find(kNames, argument) != std::end(kNames) ||
           std::ranges::find(kOf, std::pair(std::string_view(def.parsed.base), argument)) !=
               std::end(kOf);
}

static bool isTensor(const SchemaArg& arg) {
    return arg.type.starts_with("Tensor");
}

/// Of the overloads whose functions have one name the one with the most tensors.
static const OpDef* widest(const std::string& name) {
    static const auto known = [] {
        std::map<std::string, const OpDef*> found;
        for (const OpDef& def : catalogue().all()) {
            if (!std::holds_alternative<VjpRule>(def.gradient) && !isOneGradient(def)) continue;
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
    std::vector<const SchemaArg*> tensors; // one for each input
    if (def)
        for (const SchemaArg& arg : def->parsed.args)
            if (isTensor(arg)) tensors.push_back(&arg);
    if (tensors.empty()) { // nothing is known of it
        for (size_t i = 0; i < inputs.size(); ++i)
            edges.emplace_back(i);
        return edges;
    }
    const auto list = std::ranges::find_if(
        tensors, [](const SchemaArg* arg) { return arg->type.ends_with("[]"); });
    if (list != tensors.end()) { // of as many as the call decides
        const SchemaArg* each = *list;
        const size_t others = tensors.size() - 1;
        const auto at = tensors.erase(list);
        tensors.insert(at, inputs.size() > others ? inputs.size() - others : 0, each);
    }
    for (size_t i = 0; i < std::max(inputs.size(), tensors.size()); ++i) {
        const bool taken = i < inputs.size() && inputs[i];
        if (!taken && (i >= tensors.size() || isBeside(*def, tensors[i]->name))) continue;
        edges.push_back(i < inputs.size() ? std::optional(i) : std::nullopt);
    }
    return edges;
}

} // namespace cutaway::ops
