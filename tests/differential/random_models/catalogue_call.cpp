// SPDX-License-Identifier: Apache-2.0
#include "catalogue_call.h"

#include "core/ops/bits_view.h"
#include "core/ops/call_forms.h"
#include "core/ops/catalogue.h"
#include "tests/ops/sample_graph.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace cutaway::testing {

namespace {

std::string numberText(double value) {
    if (std::isnan(value)) return "float('nan')";
    if (std::isinf(value)) return value > 0 ? "float('inf')" : "float('-inf')";
    const std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// torch.ops.aten does not look at the default device by itself.
const std::string kOwnDevice = "torch.get_default_device()";

std::string argText(const ir::Arg& arg, const std::vector<std::string>& tensors) {
    if (arg.isNone()) return "None";
    if (auto id = arg.node()) return tensors[id->index];
    if (auto b = std::get_if<bool>(&arg)) return *b ? "True" : "False";
    if (auto s = std::get_if<ir::Sym>(&arg)) return s->str();
    if (auto d = std::get_if<double>(&arg)) return numberText(*d);
    if (auto d = std::get_if<ir::DType>(&arg)) return fmt::format("torch.{}", ir::name(*d));
    if (std::holds_alternative<ir::Device>(arg)) // where the model's tensors are
        return tensors.empty() ? kOwnDevice : tensors[0] + ".device";
    if (auto s = std::get_if<std::string>(&arg)) return fmt::format("\"{}\"", *s);
    std::vector<std::string> elements;
    for (const ir::Arg& element : *arg.list())
        elements.push_back(argText(element, tensors));
    return fmt::format("[{}]", fmt::join(elements, ", "));
}

/// torch.ops.aten takes no number for a tensor.
bool hasTensors(const ops::OpDef& def, const ops::Sample& sample) {
    for (size_t i = 0; i < sample.args.size(); ++i)
        if (def.parsed.args[i].type == "Tensor" && !sample.args[i].node() &&
            !sample.args[i].isNone())
            return false;
    return true;
}

struct Choice {
    const ops::OpDef* def;
    std::vector<ops::Sample> samples;
};

const std::vector<Choice>& choices() {
    static const std::vector<Choice> all = [] {
        std::vector<Choice> made;
        for (const ops::OpDef& def : ops::catalogue().all()) {
            if (!isCallable(def)) continue;
            Choice choice{&def, {}};
            for (const ops::Sample& sample : def.samples())
                if (sample.expectedError.empty() && hasTensors(def, sample))
                    choice.samples.push_back(sample);
            if (!choice.samples.empty()) made.push_back(std::move(choice));
        }
        return made;
    }();
    return all;
}

} // namespace

/// Matrices at random have next to no inverse and are not symmetric: small differences become large
/// ones. tests/data/linear_algebra.py has matrices that do.
bool wantsGoodMatrix(std::string_view name) {
    static const std::set<std::string_view> kOther = {
        "cholesky_inverse", "cholesky_solve", "det",     "inverse", "logdet",          "lu_solve",
        "lu_unpack",        "pinverse",       "slogdet", "svd",     "triangular_solve"};
    return (name.starts_with("linalg_") && !name.starts_with("linalg_vector_norm")) ||
           kOther.contains(name.substr(0, name.find('.')));
}

bool isCallable(const ops::OpDef& def) {
    const std::string& name = def.name();
    if (wantsGoodMatrix(name)) return false;
    if (ops::isInternal(def)) return false;
    if (ops::seesBits(def)) return false; // of numbers that are almost the same
    return name.find("_backward") == std::string::npos && name[0] != '_' &&
           !name.starts_with("prims.") && name.find("empty") == std::string::npos &&
           !def.isRandom();
}

bool CatalogueCall::isCut(size_t tensor) const {
    // Its own gradient is not the derivative: none, or none of a padding row.
    static const std::set<std::pair<std::string_view, std::string_view>> kCut = {
        {"special_zeta", "self"},
        {"special_zeta.other_scalar", "self"},
        {"igamma", "self"},
        {"igammac", "self"},
        {"embedding", "weight"},
        {"batch_norm", "running_mean"},
        {"batch_norm", "running_var"},
        {"native_batch_norm", "running_mean"},
        {"native_batch_norm", "running_var"},
        {"nll_loss", "weight"},
        {"nll_loss_nd", "weight"},
        {"nll_loss_forward", "weight"},
        {"cross_entropy_loss", "weight"},
        {"soft_margin_loss", "target"}};
    if (std::holds_alternative<ops::NotDifferentiable>(def->gradient)) return true;
    // What the catalogue itself does not compare: positions that meet, neighbours of equal numbers.
    if (!sample->gradient) return true;
    for (size_t i = 0; i < sample->args.size(); ++i)
        if (const ir::NodeId* node = sample->args[i].node(); node && node->index == tensor)
            return kCut.contains({def->name(), def->parsed.args[i].name});
    return false;
}

bool CatalogueCall::looksAtBits() const {
    static const std::set<std::string_view> kBits = {
        "signbit", "copysign", "nextafter", "frexp", "atan2", "angle", "view", "view_copy",
        // Whether a number is 0.
        "all", "any", "logical_and", "logical_or", "logical_xor", "logical_not", "count_nonzero"};
    const std::string_view name = def->name();
    const std::string_view base = name.substr(0, name.find('.'));
    return kBits.contains(base) && (!base.starts_with("view") || name.ends_with("dtype"));
}

bool CatalogueCall::converts() const {
    const std::string_view name = def->name();
    return name == "type_as" || name == "to" || name.starts_with("to.");
}

std::string CatalogueCall::text(const std::vector<std::string>& tensors) const {
    std::vector<std::string> args;
    for (size_t i = 0; i < def->parsed.args.size(); ++i) {
        const auto& declared = def->parsed.args[i];
        const bool isGiven = i < sample->args.size();
        std::string value = isGiven ? argText(sample->args[i], tensors) : "None";
        if (declared.type == "MemoryFormat" && value != "None")
            value = "torch." + value.substr(1, value.size() - 2);
        else if (declared.type.ends_with(']') && value != "None" &&
                 !value.starts_with('[')) // torch.ops wants lists
            value = fmt::format("[{}]", value);
        if (!declared.keywordOnly) {
            if (isGiven) args.push_back(value);
        } else if (value != "None")
            args.push_back(fmt::format("{}={}", declared.name, value));
        else if (declared.type == "Device" && tensors.empty())
            args.push_back("device=" + kOwnDevice);
    }
    return fmt::format("torch.ops.aten.{}({})", def->name(), fmt::join(args, ", "));
}

CatalogueCall randomCall(std::mt19937_64& random) {
    while (true) {
        const Choice& choice = choices()[random() % choices().size()];
        const ops::Sample& sample = choice.samples[random() % choice.samples.size()];
        auto made = tests::makeSampleGraph(*choice.def, sample);
        if (!made.ok()) continue;
        const ir::Node& call = made->graph.node(made->call);
        return {choice.def, &sample, call.types, call.tuple};
    }
}

} // namespace cutaway::testing
