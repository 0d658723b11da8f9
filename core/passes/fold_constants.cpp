// SPDX-License-Identifier: Apache-2.0
#include "core/passes/fold_constants.h"

#include "core/base/said.h"
#include "core/kernel/scalar_eval.h"
#include "core/ops/bits_view.h"
#include "core/passes/shared_memory.h"
#include "core/passes/sweep.h"

#include <algorithm>
#include <cmath>

namespace cutaway::passes {
namespace {

constexpr double kExactIntegers = 9007199254740992.0; // 2^53

bool holdsSpecial(const ir::Graph& graph, const ir::Node& node, const ops::OpDef& def);

class Folder {
public:
    Folder(ir::Graph& graph, int64_t elements)
        : graph_(graph), most_(elements), sweep_(graph), shared_(graph) {}

    base::Status run() {
        return sweep_.run([this](ir::Node& node) { return visit(node); }, false);
    }

private:
    base::Status visit(ir::Node& node) {
        if (node.tuple || node.kind == ir::NodeKind::Placeholder) return {};
        if (auto number = uniformOf(node)) setUniform(node.id, *number);
        const ops::OpDef* def = opOf(node);
        if (!def) return {};
        sweep_.builder().provenance.rule = base::said("constants folded");
        sweep_.because(base::said(
            "an operand changes nothing: 0 in a sum, 1 in a product, a known condition"));
        if (auto same = neutral(node)) return replace(node, *same, Origin::Earlier);
        sweep_.because(base::said("all operands are known"));
        if (def->isRandom() || !def->reference || def->isView() || !allInputsKnown(node)) return {};
        // The library's own numbers are promised, and its error where it refuses a matrix.
        if (std::holds_alternative<ops::MatrixOfLibrary>(def->lowering)) return {};
        if (holdsSpecial(graph_, node, *def)) return {};
        if (def->isPointwise() && allInputsUniform(node)) return foldUniform(node, *def);
        // References compute with a sign.
        bool unsignedWide = node.type().dtype == ir::DType::UInt64;
        ir::forEachNode(node.args, [&](ir::NodeId id) {
            unsignedWide |= graph_.node(id).type().dtype == ir::DType::UInt64;
        });
        if (unsignedWide) return {};
        // Kernels compute in float32 and round at the end, references after each operation.
        if (def->isPointwise() && ir::isHalf(node.type().dtype)) return {};
        return foldSmall(node, *def);
    }

    enum class Origin { Earlier, JustBuilt };
    base::Status replace(ir::Node& node, ir::NodeId with, Origin origin) {
        if (!sameType(graph_.node(with).type(), node.type()) ||
            !shared_.mayReplace(node.id, with)) {
            if (origin == Origin::JustBuilt) sweep_.drop(with);
            return {};
        }
        shared_.replaced(node.id, with);
        sweep_.replace(node.id, with);
        return {};
    }

    // What is known of values.
    std::optional<double> uniform(const ir::Arg& arg) const {
        if (!arg.node()) return numberOf(arg);
        size_t at = arg.node()->index;
        return at < uniform_.size() ? uniform_[at] : std::nullopt;
    }
    void setUniform(ir::NodeId id, double value) {
        if (uniform_.size() <= id.index) uniform_.resize(graph_.idLimit());
        uniform_[id.index] = value;
    }
    std::optional<double> uniformOf(const ir::Node& node) const;
    bool allInputsKnown(const ir::Node& node) const;
    bool allInputsUniform(const ir::Node& node) const;
    std::optional<ir::NodeId> neutral(const ir::Node& node) const;

    base::Status foldUniform(ir::Node& node, const ops::OpDef& def);
    base::Status foldSmall(ir::Node& node, const ops::OpDef& def);
    ir::HostTensor valueOf(ir::NodeId id) const;
    ir::NodeId buildUniform(const ir::TensorType& type, double value);

    ir::Graph& graph_;
    int64_t most_; ///< elements of a tensor that is computed
    Sweep sweep_;
    SharedMemory shared_;
    std::vector<std::optional<double>> uniform_; ///< by id
};

std::optional<double> asElement(ir::DType dtype, std::optional<double> value) {
    if (!value || (ir::isIntegral(dtype) && std::abs(*value) > kExactIntegers)) return std::nullopt;
    // The one conversion that the rest of the program uses, too.
    double element = ir::HostTensor::scalar(dtype, *value).get(0);
    return element;
}

/// \param most elements that are looked at
std::optional<double> uniformConstant(const ir::HostTensor& value, int64_t most) {
    int64_t count = value.numel();
    if (count == 0 || count > most) return std::nullopt;
    size_t step = ir::sizeBytes(value.dtype);
    // Every element equals the next one, bit by bit.
    if (!std::equal(value.bytes.begin() + static_cast<std::ptrdiff_t>(step), value.bytes.end(),
                    value.bytes.begin()))
        return std::nullopt;
    return asElement(value.dtype, value.get(0));
}

/// What every element is by the operation's own expression: full, zeros_like.
std::optional<double> constantElement(const ir::Graph& graph, const ir::Node& node,
                                      const ops::OpDef& def) {
    const auto* pointwise = std::get_if<ops::Pointwise>(&def.lowering);
    const bool reads = !def.traits.ignoresValues && !ir::inputNodes(node.args).empty();
    if (!pointwise || reads) return std::nullopt;
    kernel::ExprPool pool;
    const ops::OpCall call(def, node.args, graph);
    const kernel::ExprId unread = pool.constantInt(ir::DType::Int64, 0);
    const std::vector<kernel::ExprId> inputs(node.args.size(), unread);
    const kernel::Expr& element = pool[pointwise->build(pool, call, inputs)];
    if (element.kind != kernel::ExprKind::Constant) return std::nullopt;
    return ir::isFloating(element.dtype) ? element.value : static_cast<double>(element.integer);
}

/// Whether the operation's expression holds a special function. Its reference is a check of what
/// kernels compute, right where the samples are and not everywhere (erfcx overflows, std's Bessel
/// functions throw): the kernel computes it.
bool holdsSpecial(const ir::Graph& graph, const ir::Node& node, const ops::OpDef& def) {
    const auto* pointwise = std::get_if<ops::Pointwise>(&def.lowering);
    if (!pointwise) return false;
    kernel::ExprPool pool;
    std::vector<kernel::ExprId> inputs;
    for (const ir::Arg& arg : node.args) {
        const ir::DType dtype =
            arg.node() ? graph.node(*arg.node()).type().dtype : ir::DType::Int64;
        inputs.push_back(pool.local(kernel::LocalId(0), ir::computeType(dtype)));
    }
    bool found = false;
    pool.visit(pointwise->build(pool, ops::OpCall(def, node.args, graph), inputs),
               [&](kernel::ExprId, const kernel::Expr& expr) {
                   found |= expr.kind == kernel::ExprKind::Op && kernel::isSpecial(expr.op);
               });
    return found;
}

std::optional<double> Folder::uniformOf(const ir::Node& node) const {
    if (node.constant) return uniformConstant(*node.constant, most_);
    const ops::OpDef* def = opOf(node);
    if (!def) return std::nullopt;
    if (def->isView() && !ops::seesBits(*def) && node.args[0].node()) return uniform(node.args[0]);
    return asElement(node.type().dtype, constantElement(graph_, node, *def));
}

bool Folder::allInputsKnown(const ir::Node& node) const {
    bool known = true, any = false;
    ir::forEachNode(node.args, [&](ir::NodeId id) {
        any = true;
        const ir::Node& input = graph_.node(id);
        if (!input.constant && !uniform(ir::Arg(id))) known = false;
    });
    return any && known;
}

bool Folder::allInputsUniform(const ir::Node& node) const {
    bool all = true;
    ir::forEachNode(node.args,
                    [&](ir::NodeId id) { all = all && uniform(ir::Arg(id)).has_value(); });
    return all;
}

/// The operand that the node equals when the other one is 0 or 1.
std::optional<ir::NodeId> Folder::neutral(const ir::Node& node) const {
    auto operand = [&](size_t i) {
        return node.args[i].node() ? std::optional(*node.args[i].node()) : std::nullopt;
    };
    if (node.op == "where.self") {
        auto condition = uniform(node.args[0]);
        return condition ? operand(*condition != 0 ? 1 : 2) : std::nullopt;
    }
    bool sum = node.op == "add.Tensor", difference = node.op == "sub.Tensor";
    if (sum || difference) {
        auto alpha = node.args.size() > 2 && !node.args[2].isNone() ? numberOf(node.args[2])
                                                                    : std::optional(1.0);
        if (uniform(node.args[1]) == 0 && alpha && std::isfinite(*alpha)) return operand(0);
        if (sum && alpha == 1 && uniform(node.args[0]) == 0) return operand(1);
    }
    bool product = node.op == "mul.Tensor", quotient = node.op == "div.Tensor";
    if ((product || quotient) && uniform(node.args[1]) == 1) return operand(0);
    if (product && uniform(node.args[0]) == 1) return operand(1);
    return std::nullopt;
}

ir::NodeId Folder::buildUniform(const ir::TensorType& type, double value) {
    ops::Builder& builder = sweep_.builder();
    if (type.rank() == 0) return builder.scalar(value, type.dtype, type.device);
    ir::ArgList sizes(type.sizes.begin(), type.sizes.end());
    ir::Arg number =
        ir::isFloating(type.dtype) ? ir::Arg(value) : ir::Arg(ir::Sym(static_cast<int64_t>(value)));
    return builder.call("full", {ir::Arg(std::move(sizes)), number, ir::Arg(type.dtype), ir::Arg(),
                                 ir::Arg(type.device), ir::Arg()});
}

static bool hasSymbols(const ir::ArgList& args) {
    return std::any_of(args.begin(), args.end(), [](const ir::Arg& arg) {
        const auto* size = std::get_if<ir::Sym>(&arg);
        return (size && !size->isConst()) || (arg.list() && hasSymbols(*arg.list()));
    });
}

/// Evaluates on one element, in a scratch graph whose tensors have the same ranks (dtype promotion
/// depends on them).
base::Status Folder::foldUniform(ir::Node& node, const ops::OpDef& def) {
    if (node.types.size() != 1 || hasSymbols(node.args)) return {};
    ir::Graph scratch;
    std::vector<ir::HostTensor> values;
    ir::ArgList args = node.args;
    ir::rewriteNodes(args, [&](ir::NodeId id) {
        const ir::TensorType& type = graph_.node(id).type();
        std::vector<int64_t> sizes(type.rank(), 1);
        values.push_back(ir::HostTensor::zeros(type.dtype, sizes));
        values.back().set(0, *uniform(ir::Arg(id)));
        return scratch.addPlaceholder("x", values.back().type(type.device));
    });
    std::vector<const ir::HostTensor*> tensors;
    for (const ir::HostTensor& value : values)
        tensors.push_back(&value);
    std::vector<ir::HostTensor> result = def.reference(ops::OpCall(def, args, scratch), tensors);
    if (result.empty()) return {}; // the call will tell why
    auto number = asElement(node.type().dtype, result.at(0).get(0));
    if (!number || result[0].dtype != node.type().dtype) return {};
    ir::NodeId with = buildUniform(node.type(), *number);
    setUniform(with, *number);
    return replace(node, with, Origin::JustBuilt);
}

ir::HostTensor Folder::valueOf(ir::NodeId id) const {
    const ir::Node& node = graph_.node(id);
    if (node.constant) return *node.constant;
    ir::HostTensor value =
        ir::HostTensor::zeros(node.type().dtype, ir::constants(node.type().sizes));
    for (int64_t i = 0; i < value.numel(); ++i)
        value.set(i, *uniform(ir::Arg(id)));
    return value;
}

base::Status Folder::foldSmall(ir::Node& node, const ops::OpDef& def) {
    const ir::TensorType type = node.type();
    bool small = node.types.size() == 1 && type.staticSizes() && type.isContiguous() &&
                 type.numel().constant() <= most_;
    ir::forEachNode(node.args, [&](ir::NodeId id) {
        const ir::TensorType& input = graph_.node(id).type();
        small = small && input.staticSizes() && input.numel().constant() <= most_;
    });
    if (!small || hasSymbols(node.args)) return {};
    std::vector<ir::HostTensor> values;
    ir::forEachNode(node.args, [&](ir::NodeId id) { values.push_back(valueOf(id)); });
    std::vector<const ir::HostTensor*> tensors;
    for (const ir::HostTensor& value : values)
        tensors.push_back(&value);
    std::vector<ir::HostTensor> result =
        def.reference(ops::OpCall(def, node.args, graph_), tensors);
    if (result.empty()) return {}; // the call will tell why
    if (result.size() != 1 || result[0].dtype != type.dtype ||
        result[0].sizes != ir::constants(type.sizes))
        return base::bugError("reference of " + node.op +
                              " gives another type than its shape rule");
    if (auto number = uniformConstant(result[0], most_)) {
        ir::NodeId with = buildUniform(type, *number);
        setUniform(with, *number);
        return replace(node, with, Origin::JustBuilt);
    }
    ir::NodeId with = graph_.addConstant(
        node.name + "_value", std::make_shared<const ir::HostTensor>(std::move(result[0])),
        type.device);
    ir::Node& constant = graph_.node(with);
    const ops::Provenance& inherited = sweep_.builder().provenance;
    constant.source = inherited.source;
    constant.modulePath = inherited.modulePath;
    constant.from = inherited.from;
    constant.backward = inherited.backward;
    constant.rule = inherited.rule;
    return replace(node, with, Origin::JustBuilt);
}

} // namespace

base::Status foldConstants(ir::Graph& graph, int64_t elements) {
    return Folder(graph, elements).run();
}

} // namespace cutaway::passes
