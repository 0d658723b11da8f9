// SPDX-License-Identifier: Apache-2.0
#include "core/capture/autocast.h"

#include "core/capture/capture.h"
#include "core/capture/interp.h"
#include "core/capture/torch_calls.h"
#include "core/capture/torch_support.h"
#include "core/ops/bits_view.h"
#include "core/runtime/conjugate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace cutaway::capture {

namespace {

struct Rules {
    AutocastRule cpu, cuda;
};

constexpr std::string_view kLowerBoth =
    "conv1d conv2d conv3d conv_tbc convolution _convolution conv_transpose1d conv_transpose2d "
    "conv_transpose3d linear matmul mm bmm addmm baddbmm addbmm scaled_dot_product_attention "
    "linalg_vecdot linalg_multi_dot prelu";
/// As the matrix products that they are made of there.
constexpr std::string_view kLowerCpu = "tensordot inner chain_matmul einsum";
constexpr std::string_view kLowerCuda =
    "addmv addr einsum mv chain_matmul lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell";
constexpr std::string_view kFloatBoth =
    "prod cdist poisson_nll_loss cosine_embedding_loss nll_loss nll_loss2d nll_loss_nd "
    "hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss "
    "multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss "
    "binary_cross_entropy_with_logits cross_entropy_loss cross_entropy ctc_loss";
constexpr std::string_view kFloatCpu =
    "avg_pool3d binary_cross_entropy grid_sampler polar quantile nanquantile stft trace cholesky "
    "cholesky_inverse cholesky_solve inverse lu_solve max_pool3d max_unpool2d max_unpool3d "
    "adaptive_avg_pool3d reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d "
    "replication_pad3d linalg_matrix_norm linalg_cond linalg_matrix_rank linalg_solve "
    "linalg_cholesky linalg_svdvals linalg_eigvals linalg_inv linalg_qr linalg_det linalg_slogdet "
    "linalg_svd linalg_eigh linalg_lstsq linalg_pinv";
constexpr std::string_view kFloatCuda =
    "acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow softplus "
    "layer_norm native_layer_norm rms_norm group_norm frobenius_norm nuclear_norm "
    "cosine_similarity dist pdist renorm logsumexp softmax log_softmax cumprod cumsum "
    "linalg_vector_norm linalg_matrix_norm sum norm upsample_nearest1d upsample_nearest2d "
    "upsample_nearest3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d "
    "upsample_bicubic2d interpolate";
constexpr std::string_view kWidestBoth = "cat stack";
constexpr std::string_view kWidestCpu = "index_copy";
constexpr std::string_view kWidestCuda =
    "addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add";

template <typename Set> void forEachWord(std::string_view words, const Set& set) {
    while (!words.empty()) {
        const size_t end = std::min(words.find(' '), words.size());
        set(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

std::map<std::string_view, Rules> makeRules() {
    std::map<std::string_view, Rules> rules;
    const auto add = [&](std::string_view words, AutocastRule rule, bool cpu, bool cuda) {
        forEachWord(words, [&](std::string_view word) {
            if (cpu) rules[word].cpu = rule;
            if (cuda) rules[word].cuda = rule;
        });
    };
    add(kLowerBoth, AutocastRule::Lower, true, true);
    add(kLowerCpu, AutocastRule::Lower, true, false);
    add(kLowerCuda, AutocastRule::Lower, false, true);
    add(kFloatBoth, AutocastRule::Float32, true, true);
    add(kFloatCpu, AutocastRule::Float32, true, false);
    add(kFloatCuda, AutocastRule::Float32, false, true);
    add(kWidestBoth, AutocastRule::Widest, true, true);
    add(kWidestCpu, AutocastRule::Widest, true, false);
    add(kWidestCuda, AutocastRule::Widest, false, true);
    return rules;
}

/// Calls \p visit for every tensor of \p v, which may be a sequence.
template <typename Visit> void forEachTensor(const Val& v, const Visit& visit) {
    if (auto* t = v.to<TensorObj>()) return visit(*t);
    if (auto* tuple = v.to<TupleObj>())
        for (const Val& item : tuple->items)
            forEachTensor(item, visit);
    if (auto* list = v.to<ListObj>())
        for (const Val& item : list->items)
            forEachTensor(item, visit);
}

/// Floating tensors of fewer than 64 bits on that kind of device, in \p dtype.
Val converted(Interp& in, const Val& v, ir::DType dtype, bool cuda) {
    if (auto* t = v.to<TensorObj>()) {
        const ir::TensorType& type = t->type();
        const bool eligible = ir::isFloating(type.dtype) && type.dtype != ir::DType::Float64 &&
                              type.dtype != dtype && type.device.isCuda() == cuda;
        return eligible ? convertTo(in, v, dtype) : v;
    }
    const auto each = [&](const auto& items) {
        std::vector<Val> made;
        for (const Val& item : items)
            in.add(made, converted(in, item, dtype, cuda));
        return made;
    };
    if (auto* tuple = v.to<TupleObj>()) return in.tuple(each(tuple->items));
    if (auto* list = v.to<ListObj>()) return in.list(each(list->items));
    return v;
}

/// Whether einsum multiplies matrices: it sums along what two operands share.
bool contracts(const Arguments& arguments) {
    if (arguments.positional.empty() || !arguments.positional[0].is(Kind::Str)) return false;
    const std::string& equation = arguments.positional[0].as<StrObj>()->text;
    const size_t arrow = std::min(equation.find("->"), equation.size());
    const auto isLabel = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    std::map<char, size_t> last; // in which operand, from 1
    std::set<char> shared;
    size_t operand = 1;
    for (const char c : equation.substr(0, arrow)) {
        operand += c == ',';
        if (!isLabel(c)) continue;
        if (last[c] && last[c] != operand) shared.insert(c);
        last[c] = operand;
    }
    // Without an arrow, what occurs twice is summed.
    return std::ranges::any_of(
        shared, [&](char c) { return equation.find(c, arrow) == std::string::npos; });
}

} // namespace

std::string TensorModes::str() const {
    std::vector<std::string> parts;
    for (const auto& [name, mode] : {std::pair{"cpu", cpu}, {"cuda", cuda}})
        if (mode.enabled)
            parts.push_back(fmt::format("autocast {} {}", name, ir::name(mode.dtype)));
    if (defaultDType != ir::DType::Float32)
        parts.push_back(fmt::format("default {}", ir::name(defaultDType)));
    if (inference) parts.push_back("inference");
    if (plain) parts.push_back("no __torch_function__");
    return fmt::format("{}", fmt::join(parts, ", "));
}

AutocastRule autocastRule(std::string_view operation, bool cuda) {
    static const std::map<std::string_view, Rules> rules = makeRules();
    const auto found = rules.find(operation);
    if (found == rules.end()) return AutocastRule::None;
    return cuda ? found->second.cuda : found->second.cpu;
}

Val Interp::operation(const std::string& base, const Arguments& arguments) {
    if (!tensorModes_.anyAutocast()) return plainOperation(base, arguments);
    const TensorObj* first = nullptr;
    bool wide = false;
    const auto look = [&](const TensorObj& t) {
        if (!first) first = &t;
        wide |= t.type().dtype == ir::DType::Float32;
    };
    for (const Val& v : arguments.positional)
        forEachTensor(v, look);
    for (const auto& [name, v] : arguments.keywords)
        forEachTensor(v, look);
    if (!first) return plainOperation(base, arguments);
    const bool cuda = first->type().device.isCuda();
    const Autocast& mode = cuda ? tensorModes_.cuda : tensorModes_.cpu;
    AutocastRule rule = mode.enabled ? autocastRule(base, cuda) : AutocastRule::None;
    if (base == "einsum" && !cuda && !contracts(arguments)) rule = AutocastRule::None;
    if (rule == AutocastRule::None) return plainOperation(base, arguments);
    const bool lower = rule == AutocastRule::Lower || (rule == AutocastRule::Widest && !wide);
    const ir::DType dtype = lower ? mode.dtype : ir::DType::Float32;
    std::vector<Val> positional;
    std::vector<std::pair<StrObj*, Val>> keywords;
    for (const Val& v : arguments.positional)
        add(positional, converted(*this, v, dtype, cuda));
    for (const auto& [name, v] : arguments.keywords)
        keywords.emplace_back(name, converted(*this, v, dtype, cuda));
    return plainOperation(base, Arguments{positional, keywords});
}

namespace {

bool wantsCuda(Interp& in, const Val& v) {
    const std::string name = v.is(Kind::Str) ? v.as<StrObj>()->text : in.repr(v);
    if (name == "cpu" || name == "cuda") return name == "cuda";
    in.raise(Error::Runtime,
             fmt::format("User specified an unsupported autocast device_type '{}'", name),
             "it is 'cpu' or 'cuda'");
}

/// _C.autocast_mode(device type): (enabled, dtype).
Val autocastMode(Interp& in, const BuiltinObj& self, const Arguments& a) {
    const bool cuda = wantsCuda(in, parseArguments(in, self.name, a, {"device_type"})[0]);
    const Autocast& mode = cuda ? in.tensorModes().cuda : in.tensorModes().cpu;
    return in.tuple({Val::boolean(mode.enabled), Val::dtype(mode.dtype)});
}

/// _C.tell_autocast(*what _enter_autocast() is given): a block begins; without: one ends.
Val tellAutocast(Interp& in, const BuiltinObj&, const Arguments& args) {
    TorchCalls* const calls = in.torchOverrides.calls;
    if (calls && args.positional.empty()) calls->endAutocast();
    if (calls && !args.positional.empty())
        calls->beginAutocast({args.positional.begin(), args.positional.end()});
    return Val::none();
}

/// _C.set_autocast_mode(device type, enabled, dtype).
Val setAutocastMode(Interp& in, const BuiltinObj& self, const Arguments& a) {
    auto v = parseArguments(in, self.name, a, {"device_type", "enabled", "dtype"});
    TensorModes modes = in.tensorModes();
    (wantsCuda(in, v[0]) ? modes.cuda : modes.cpu) = {in.truthy(v[1]), v[2].asDType()};
    in.setTensorModes(modes);
    return Val::none();
}

/// _C.default_dtype().
Val defaultDType(Interp& in, const BuiltinObj& self, const Arguments& a) {
    parseArguments(in, self.name, a, {});
    return Val::dtype(in.defaultDType());
}

/// _C.set_default_dtype(dtype).
Val setDefaultDType(Interp& in, const BuiltinObj& self, const Arguments& a) {
    TensorModes modes = in.tensorModes();
    modes.defaultDType = parseArguments(in, self.name, a, {"dtype"})[0].asDType();
    in.setTensorModes(modes);
    return Val::none();
}

/// _C.inference_mode().
Val inferenceMode(Interp& in, const BuiltinObj& self, const Arguments& a) {
    parseArguments(in, self.name, a, {});
    return Val::boolean(in.tensorModes().inference);
}

/// _C.set_inference_mode(enabled).
Val setInferenceMode(Interp& in, const BuiltinObj& self, const Arguments& a) {
    TensorModes modes = in.tensorModes();
    modes.inference = in.truthy(parseArguments(in, self.name, a, {"enabled"})[0]);
    in.setTensorModes(modes);
    return Val::none();
}

/// _C.is_inference(tensor).
Val isInference(Interp& in, const BuiltinObj& self, const Arguments& a) {
    const Val t = parseArguments(in, self.name, a, {"tensor"})[0];
    in.world().wantReal("'is_inference' of a tensor is read",
                        "read it outside the compiled function");
    return Val::boolean(t.is(Kind::Tensor) && t.as<TensorObj>()->inference);
}

/// Whether what a graph has of a tensor is conjugated an odd number of times on the way from what is
/// computed; nothing: on the way from an input, which may be conjugated itself.
std::optional<bool> conjugatedIn(const ir::Graph& graph, ir::NodeId id) {
    bool odd = false;
    while (graph.node(id).kind != ir::NodeKind::Placeholder) {
        const ir::Node& node = graph.node(id);
        const ops::OpDef* def = ops::catalogue().find(node.op);
        if (!def || !def->isView() || !node.args[0].node()) return odd;
        odd ^= ops::conjugates(*def);
        id = *node.args[0].node();
    }
    return {};
}

/// _C.is_conj(tensor).
Val isConjugated(Interp& in, const BuiltinObj& self, const Arguments& a) {
    const Val given = parseArguments(in, self.name, a, {"tensor"})[0];
    auto* t = given.to<TensorObj>();
    if (!t || !ir::isComplex(t->type().dtype)) return Val::boolean(false);
    if (t->fake && in.capture()) {
        in.world().type(*t); // of what it is now
        if (const auto known = conjugatedIn(in.capture()->graph, t->fake->node))
            return Val::boolean(*known);
    }
    in.world().wantReal("whether a tensor of the outside is conjugated is read",
                        "read it outside the compiled function");
    return Val::boolean(runtime::isConjugate(*in.real(given, "is_conj()")->storage));
}

} // namespace

void addTensorModes(Interp& in, ModuleObj& internal) {
    for (auto [name, function] :
         {std::pair<const char*, BuiltinFunction>{"autocast_mode", autocastMode},
          {"set_autocast_mode", setAutocastMode},
          {"tell_autocast", tellAutocast},
          {"default_dtype", defaultDType},
          {"set_default_dtype", setDefaultDType},
          {"inference_mode", inferenceMode},
          {"set_inference_mode", setInferenceMode},
          {"is_inference", isInference},
          {"is_conj", isConjugated}})
        internal.attributes->set(in.intern(name),
                                 in.builtin("torch._C." + std::string(name), function));
}

} // namespace cutaway::capture
