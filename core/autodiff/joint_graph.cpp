// SPDX-License-Identifier: Apache-2.0
#include "core/autodiff/joint_graph.h"

#include "core/base/said.h"
#include "core/ops/rule_guard.h"

#include "core/base/tick.h"

#include "core/autodiff/differentiability.h"
#include "core/ops/builder.h"
#include "core/ops/gradients.h"
#include "core/ops/memory_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::autodiff {
namespace {

/// One gradient per result of a captured node; invalid ids where none has arrived.
using Gradients = std::vector<ir::NodeId>;

class JointBuilder {
public:
    JointBuilder(const ir::Graph& captured, const std::vector<ir::TensorType>& tangentTypes)
        : captured_(captured), tangentTypes_(tangentTypes), carries_(carriesGradient(captured)),
          map_(captured.idLimit()), gradients_(captured.idLimit()), builder_(graph_) {}

    base::Result<JointGraph> build();

private:
    void copyForward();
    void addTangents();
    base::Status sweepBackwards();
    base::Status differentiate(const ir::Node& node);
    base::Status distribute(const ir::Node& node, const std::vector<ir::NodeId>& gradients);
    bool areSame(const ir::Shape& found, const ir::Shape& expected) const;
    base::Status accumulate(ir::NodeId target, size_t result, ir::NodeId gradient,
                            const ir::Node& consumer);
    void setOutputs();
    ir::Graph withoutDeadGradients() const;

    const ir::Graph& captured_;
    const std::vector<ir::TensorType>& tangentTypes_;
    std::vector<bool> carries_;
    std::vector<ir::NodeId> map_;      ///< captured id -> joint id
    std::vector<bool> wanted_;         ///< by joint id: carries_ of the node it is a copy of
    std::vector<Gradients> gradients_; ///< by captured id
    ir::Graph graph_{"joint"};
    ops::Builder builder_;
    JointGraph result_;
};

void JointBuilder::copyForward() {
    graph_.shapes = captured_.shapes;
    int primals = 0;
    for (ir::NodeId id : captured_.order()) {
        const ir::Node& original = captured_.node(id);
        ir::NodeId copy;
        if (original.kind == ir::NodeKind::Placeholder) {
            copy = graph_.addPlaceholder(fmt::format("primals_{}", ++primals), original.type());
            graph_.node(copy).inputSource = original.inputSource;
            graph_.node(copy).source = original.source;
        } else {
            copy = graph_.addCopy(original, [&](ir::NodeId input) { return map_[input.index]; });
            // Its work, keeping gradients away, is done here; what remains shares memory.
            if (original.op == "detach") graph_.node(copy).op = "alias";
        }
        graph_.node(copy).from = {id};
        map_[id.index] = copy;
        wanted_.resize(graph_.idLimit());
        wanted_[copy.index] = carries_[id.index];
    }
    builder_.wantsGradient = [this](ir::NodeId id) {
        return id.index < wanted_.size() && wanted_[id.index];
    };
}

void JointBuilder::addTangents() {
    for (size_t k = 0; k < captured_.outputs.size(); ++k) {
        ir::NodeId output = captured_.outputs[k];
        if (!output.valid() || !carries_[output.index]) continue;
        const ir::Node& node = captured_.node(output);
        size_t index = result_.tangentOutputs.size();
        ir::TensorType type =
            ir::TensorType::contiguous(node.type().dtype, node.type().sizes, node.type().device);
        if (ops::isDense(node.type())) type.strides = node.type().strides;
        if (index < tangentTypes_.size()) type = tangentTypes_[index];
        ir::NodeId tangent = graph_.addPlaceholder(fmt::format("tangents_{}", index + 1), type);
        graph_.node(tangent).from = {output};
        graph_.node(tangent).source = node.source;
        graph_.node(tangent).backward = true;
        graph_.node(tangent).inputSource = fmt::format("gradient of output {}", k);
        result_.tangentOutputs.push_back(static_cast<int>(k));
    }
}

/// For all sizes, or in the captured call by a guard.
bool JointBuilder::areSame(const ir::Shape& found, const ir::Shape& expected) const {
    return std::ranges::equal(found, expected, [this](const ir::Sym& a, const ir::Sym& b) {
        return a == b || (graph_.shapes && graph_.shapes->decide(ir::equal(a, b)));
    });
}

base::Status JointBuilder::accumulate(ir::NodeId target, size_t result, ir::NodeId gradient,
                                      const ir::Node& consumer) {
    const ir::Node& node = captured_.node(target);
    const ir::TensorType& found = graph_.node(gradient).type();
    const ir::TensorType& expected = node.types[result];
    if (!areSame(found.sizes, expected.sizes) || found.dtype != expected.dtype)
        return base::bugError(fmt::format("the gradient of {} through {} is {}, expected {}",
                                          node.name, consumer.name, found.str(), expected.str()));
    Gradients& slots = gradients_[target.index];
    slots.resize(node.types.size());
    if (!slots[result].valid()) {
        slots[result] = gradient;
        return {};
    }
    // As PyTorch's engine: what has arrived first is the left operand.
    builder_.provenance = {node.source ? node.source : consumer.source,
                           node.modulePath,
                           {target},
                           true,
                           base::said("gradients of a value used more than once are added")};
    slots[result] = builder_.add(slots[result], gradient);
    return {};
}

base::Status JointBuilder::distribute(const ir::Node& node,
                                      const std::vector<ir::NodeId>& gradients) {
    const std::vector<const ir::NodeId*> targets = ops::gradientTargets(node.args);
    for (size_t i = 0; i < std::min(targets.size(), gradients.size()); ++i) {
        const ir::NodeId* input = targets[i];
        if (!input || !gradients[i].valid() || !carries_[input->index]) continue;
        CUTAWAY_CHECK(accumulate(*input, 0, gradients[i], node));
    }
    return {};
}

base::Status JointBuilder::differentiate(const ir::Node& node) {
    if (node.kind != ir::NodeKind::Call || !carries_[node.id.index]) return {};
    Gradients gradOutputs = gradients_[node.id.index];
    if (gradOutputs.empty()) return {};
    if (node.op == "getitem") {
        auto index = static_cast<size_t>(std::get<ir::Sym>(node.args[1]).constant());
        return accumulate(*node.args[0].node(), index, gradOutputs[0], node);
    }

    const ops::OpDef* def = ops::catalogue().find(node.op);
    if (!def) return base::bugError(fmt::format("no operation is named {}", node.op));
    if (const auto* none = std::get_if<ops::NotDifferentiable>(&def->gradient)) {
        base::Location where = node.source ? node.source->back().where : base::Location{};
        return base::userError(where,
                               fmt::format("derivative for aten::{} is not implemented: {}",
                                           def->parsed.base, none->why),
                               "detach() its argument if no gradient is to pass");
    }
    const auto* rule = std::get_if<ops::VjpRule>(&def->gradient);
    if (!rule)
        return base::bugError(fmt::format("{} must be decomposed before differentiation", node.op));
    builder_.provenance = {
        node.source,    node.modulePath, {node.id}, true, base::said("vjp of {}", def->parsed.base),
        node.checkpoint};
    return distribute(node, ops::gradientsOf(*rule, builder_, map_[node.id.index], gradOutputs));
}

base::Status JointBuilder::sweepBackwards() {
    std::vector<ir::NodeId> tangents = graph_.placeholders();
    tangents.erase(tangents.begin(),
                   tangents.end() - static_cast<std::ptrdiff_t>(result_.tangentOutputs.size()));
    for (size_t k = 0; k < tangents.size(); ++k) {
        ir::NodeId output = captured_.outputs[static_cast<size_t>(result_.tangentOutputs[k])];
        CUTAWAY_CHECK(accumulate(output, 0, tangents[k], captured_.node(output)));
    }
    const std::vector<ir::NodeId>& order = captured_.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        base::tick();
        const ir::Node& node = captured_.node(*at);
        CUTAWAY_CHECK(
            ops::guardGradient(node.op, node.source, [&] { return differentiate(node); }));
    }
    return {};
}

void JointBuilder::setOutputs() {
    for (size_t k = 0; k < captured_.outputs.size(); ++k) {
        ir::NodeId output = captured_.outputs[k];
        graph_.outputs.push_back(output.valid() ? map_[output.index] : output);
        graph_.outputNames.push_back(k < captured_.outputNames.size()
                                         ? captured_.outputNames[k]
                                         : fmt::format("output {}", k));
    }
    result_.forwardOutputs = static_cast<int>(captured_.outputs.size());
    for (ir::NodeId primal : captured_.placeholders()) {
        const Gradients& gradient = gradients_[primal.index];
        bool wanted = carries_[primal.index] && !gradient.empty();
        graph_.outputs.push_back(wanted ? gradient[0] : ir::NodeId());
        graph_.outputNames.push_back("grad of " + graph_.node(map_[primal.index]).name);
    }
}

/// Gradient rules build the gradients of all arguments; those that nobody wants go here, before
/// they take part in the numbering of names.
ir::Graph JointBuilder::withoutDeadGradients() const {
    std::vector<bool> live(graph_.idLimit());
    for (ir::NodeId id : graph_.outputs)
        if (id.valid()) live[id.index] = true;
    const std::vector<ir::NodeId>& order = graph_.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const ir::Node& node = graph_.node(*at);
        if (!node.backward || node.kind == ir::NodeKind::Placeholder) live[at->index] = true;
        if (live[at->index])
            ir::forEachNode(node.args, [&](ir::NodeId input) { live[input.index] = true; });
    }
    ir::Graph clean("joint");
    clean.shapes = graph_.shapes;
    std::vector<ir::NodeId> map(graph_.idLimit());
    for (ir::NodeId id : order) {
        if (!live[id.index]) continue;
        ir::Node node = graph_.node(id);
        if (node.backward && node.kind == ir::NodeKind::Call) {
            node.name = node.op.substr(0, node.op.find('.'));
            if (node.op.starts_with("prims.")) node.name = node.op.substr(6);
            node.name.erase(0, node.name.find_first_not_of('_'));
        }
        map[id.index] = clean.addCopy(node, [&](ir::NodeId input) { return map[input.index]; });
    }
    for (ir::NodeId id : graph_.outputs)
        clean.outputs.push_back(id.valid() ? map[id.index] : id);
    clean.outputNames = graph_.outputNames;
    return clean;
}

base::Result<JointGraph> JointBuilder::build() {
    copyForward();
    addTangents();
    CUTAWAY_CHECK(sweepBackwards());
    setOutputs();
    result_.graph = withoutDeadGradients();
    return std::move(result_);
}

} // namespace

bool needsGradient(const ir::Graph& captured) {
    std::vector<bool> carries = carriesGradient(captured);
    for (ir::NodeId id : captured.outputs)
        if (id.valid() && carries[id.index]) return true;
    return false;
}

base::Result<JointGraph> buildJointGraph(const ir::Graph& captured,
                                         const std::vector<ir::TensorType>& tangentTypes) {
    return JointBuilder(captured, tangentTypes).build();
}

} // namespace cutaway::autodiff
