// SPDX-License-Identifier: Apache-2.0
// torch.autograd.grad and backward() while capturing: the part of the graph between inputs and
// outputs is differentiated, and what that adds goes into the graph itself.
#include "core/capture/capture.h"
#include "core/capture/tensor_world.h"

#include "core/autodiff/differentiability.h"
#include "core/autodiff/joint_graph.h"
#include "core/base/said.h"
#include "core/ops/gradients.h"
#include "core/ops/memory_order.h"
#include "core/ops/op_def.h"
#include "core/passes/decompose.h"
#include "core/passes/remove_dead.h"
#include "core/runtime/autograd.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

namespace cutaway::capture {

using What = GuardStep::What;

namespace {

/// What the outputs are computed of, with a placeholder for each input.
struct Region {
    ir::Graph graph{"region"};
    std::vector<ir::NodeId> inGraph;      ///< by id of the region: the captured node
    std::vector<ir::NodeId> placeholders; ///< in order: the captured node
};

/// The nodes that the outputs depend on.
std::vector<bool> coneOf(const ir::Graph& graph, const std::vector<ir::NodeId>& outputs) {
    std::vector<bool> cone(graph.idLimit());
    for (ir::NodeId id : outputs)
        cone[id.index] = true;
    const auto& order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at)
        if (cone[at->index])
            ir::forEachNode(graph.node(*at).args,
                            [&](ir::NodeId input) { cone[input.index] = true; });
    return cone;
}

Region regionOf(const ir::Graph& graph, const std::vector<ir::NodeId>& outputs,
                const std::vector<bool>& isInput, const std::vector<bool>& cone) {
    Region region;
    region.graph.shapes = graph.shapes;
    ops::Builder builder(region.graph);
    std::vector<ir::NodeId> copies(graph.idLimit());
    auto is = [&](ir::NodeId copy, ir::NodeId id) {
        region.inGraph.resize(region.graph.idLimit());
        region.inGraph[copy.index] = id;
        copies[id.index] = copy;
    };
    auto addPlaceholder = [&](ir::NodeId id) {
        ir::TensorType type = graph.node(id).type();
        type.requiresGrad = isInput[id.index];
        region.placeholders.push_back(id);
        return region.graph.addPlaceholder(graph.node(id).name, type);
    };
    for (ir::NodeId id : graph.order()) {
        if (!cone[id.index]) continue;
        const ir::Node& node = graph.node(id);
        if (node.kind == ir::NodeKind::Placeholder) {
            is(addPlaceholder(id), id);
            continue;
        }
        is(region.graph.addCopy(node, [&](ir::NodeId k) { return copies[k.index]; }), id);
        // A computed input: its gradient is that of something added to it, and goes on from there.
        if (isInput[id.index]) is(builder.add(copies[id.index], addPlaceholder(id)), id);
    }
    for (ir::NodeId id : outputs)
        region.graph.outputs.push_back(copies[id.index]);
    region.graph.outputNames.resize(outputs.size(), "output");
    return region;
}

/// A captured node whose gradient reads a value that the forward computed.
struct Saved {
    ir::NodeId by;
    ir::NodeId value; ///< the captured node; invalid: part of one
    ir::NodeId joint; ///< what it is in the joint graph; invalid: no gradient reads it there
};

/// What else PyTorch's tape keeps (Traits::saves) of nodes that give gradients on.
void addSavedBeside(const Region& region, const ir::Graph& graph,
                    const std::unordered_set<uint32_t>& gives, std::vector<Saved>& saved) {
    for (ir::NodeId by : region.inGraph) {
        if (!by.valid()) continue;
        const ir::Node& node = graph.node(by);
        const ops::OpDef* def =
            node.kind == ir::NodeKind::Call ? ops::catalogue().find(node.op) : nullptr;
        if (!def || def->saved.none() || !gives.contains(by.index)) continue;
        for (size_t at : def->saved.arguments)
            if (const ir::NodeId* value = at < node.args.size() ? node.args[at].node() : nullptr)
                saved.push_back({by, *value, {}});
        if (def->saved.result) saved.push_back({by, by, {}});
    }
    const std::vector<Saved> whole = saved;
    for (ir::NodeId id : region.inGraph) // results of several
        if (id.valid() && graph.node(id).op == "getitem")
            for (const Saved& each : whole)
                if (!each.joint.valid() && each.by == each.value &&
                    *graph.node(id).args[0].node() == each.by)
                    saved.push_back({each.by, id, {}});
}

/// \param gives the captured nodes whose gradients were computed
std::vector<Saved> savedValues(const Region& region, const ir::Graph& prepared,
                               const ir::Graph& joint, std::unordered_set<uint32_t>& gives) {
    const std::vector<ir::NodeId> primals = joint.placeholders();
    std::vector<ir::NodeId> values(joint.idLimit());
    for (size_t i = 0; i < region.placeholders.size(); ++i)
        values[primals[i].index] = region.placeholders[i];
    std::vector<ir::NodeId> last(region.graph.idLimit()); // of what a node was decomposed to
    const auto captured = [&](ir::NodeId id) { // invalid: a constant that a decomposition made
        const std::vector<ir::NodeId>& from = prepared.node(id).from;
        return from.empty() ? ir::NodeId() : from[0];
    };
    for (ir::NodeId id : prepared.order())
        if (const ir::NodeId of = captured(id); of.valid()) last[of.index] = id;
    for (ir::NodeId id : joint.order()) {
        const ir::Node& node = joint.node(id);
        if (node.backward || node.from.size() != 1 || values[id.index].valid()) continue;
        const ir::NodeId of = captured(node.from[0]);
        if (of.valid() && last[of.index] == node.from[0])
            values[id.index] = region.inGraph[of.index];
    }
    // Of what an operation consists of, views show what it was given.
    const auto valueOf = [&](ir::NodeId id) {
        while (!values[id.index].valid()) {
            const ir::Node& node = joint.node(id);
            const ops::OpDef* def =
                node.kind == ir::NodeKind::Call ? ops::catalogue().find(node.op) : nullptr;
            if (!def || !def->isView()) break;
            id = *node.args[0].node();
        }
        return values[id.index];
    };
    std::vector<Saved> found;
    for (ir::NodeId id : joint.order()) {
        const ir::Node& node = joint.node(id);
        if (!node.backward || node.kind != ir::NodeKind::Call || node.from.size() != 1) continue;
        const ir::NodeId of = captured(node.from[0]);
        const ir::NodeId by = of.valid() ? region.inGraph[of.index] : of;
        if (!by.valid()) continue;
        gives.insert(by.index);
        const ops::OpDef* def = ops::catalogue().find(node.op);
        if (def && def->traits.ignoresValues) continue;
        ir::forEachNode(node.args, [&](ir::NodeId input) {
            if (!joint.node(input).backward) found.push_back({by, valueOf(input), input});
        });
    }
    return found;
}

/// Whether gradients read \p input of \p joint in the operations that they consist of: batch norm
/// takes running statistics when it trains, too, and does not look at them.
base::Result<bool> isReadByParts(const ir::Graph& joint, ir::NodeId input) {
    ir::Graph parts = joint.clone();
    CUTAWAY_CHECK(passes::decomposeAfterAutograd(parts));
    CUTAWAY_CHECK(passes::removeDead(parts));
    for (ir::NodeId id : parts.order()) {
        const ir::Node& node = parts.node(id);
        if (!node.backward) continue;
        bool reads = false;
        ir::forEachNode(node.args, [&](ir::NodeId read) { reads |= read == input; });
        if (reads) return true;
    }
    return false;
}

/// Puts gradients of a region's joint graph into the captured graph.
class Inlining {
public:
    Inlining(ir::Graph& graph, ops::Builder& builder, const ir::Graph& joint)
        : graph_(graph), builder_(builder), joint_(joint), map_(joint.idLimit()) {}

    /// \p joint is \p node of the graph.
    void put(ir::NodeId joint, ir::NodeId node) { map_[joint.index] = node; }
    /// Copies of the region's own nodes are the nodes that they were copied from.
    void putForward(const Region& region) {
        for (ir::NodeId id : joint_.order()) {
            const ir::Node& node = joint_.node(id);
            if (map_[id.index].valid() || node.backward || node.from.size() != 1) continue;
            const uint32_t from = node.from[0].index;
            if (from < region.inGraph.size() && region.inGraph[from].valid())
                map_[id.index] = region.inGraph[from];
        }
    }
    /// \returns the nodes of \p wanted in the graph. \p again: they will be differentiated again,
    /// so that formulas stand there instead of gradient operations, which have no gradient.
    base::Result<std::vector<ir::NodeId>> run(std::span<const ir::NodeId> wanted, bool again) {
        for (ir::NodeId id : joint_.order()) { // results of a tuple that is in the graph
            const ir::Node& node = joint_.node(id);
            if (map_[id.index].valid() || node.op != "getitem") continue;
            const ir::NodeId tuple = map_[node.args[0].node()->index];
            if (tuple.valid()) map_[id.index] = builder_.getitem(tuple, indexOf(node));
        }
        ir::Graph gradients = added(wanted);
        if (again) CUTAWAY_CHECK(passes::decomposeAfterAutograd(gradients));
        return append(gradients);
    }

private:
    static int indexOf(const ir::Node& getitem) {
        return static_cast<int>(std::get<ir::Sym>(getitem.args[1]).constant());
    }
    /// What the joint graph has and the captured one has not, on its way to \p wanted; what the
    /// latter has are placeholders, whose nodes are in known_.
    ir::Graph added(std::span<const ir::NodeId> wanted) {
        std::vector<bool> live(joint_.idLimit());
        for (ir::NodeId id : wanted)
            if (id.valid()) live[id.index] = true;
        const auto& order = joint_.order();
        for (auto at = order.rbegin(); at != order.rend(); ++at)
            if (live[at->index] && !map_[at->index].valid())
                ir::forEachNode(joint_.node(*at).args,
                                [&](ir::NodeId input) { live[input.index] = true; });
        ir::Graph part("gradients");
        part.shapes = joint_.shapes;
        std::vector<ir::NodeId> copies(joint_.idLimit());
        for (ir::NodeId id : order) {
            if (!live[id.index]) continue;
            const ir::Node& node = joint_.node(id);
            if (map_[id.index].valid()) {
                copies[id.index] =
                    part.addPlaceholder(node.name, graph_.node(map_[id.index]).type());
                known_.push_back(map_[id.index]);
            } else {
                copies[id.index] =
                    part.addCopy(node, [&](ir::NodeId k) { return copies[k.index]; });
            }
        }
        for (ir::NodeId id : wanted)
            part.outputs.push_back(id.valid() ? copies[id.index] : id);
        part.outputNames.resize(wanted.size(), "gradient");
        return part;
    }
    base::Result<std::vector<ir::NodeId>> append(const ir::Graph& part) {
        std::vector<ir::NodeId> map(part.idLimit());
        const std::vector<ir::NodeId> placeholders = part.placeholders();
        for (size_t i = 0; i < placeholders.size(); ++i)
            map[placeholders[i].index] = known_[i];
        for (ir::NodeId id : part.order()) {
            if (map[id.index].valid()) continue;
            const ir::Node& node = part.node(id);
            if (node.kind == ir::NodeKind::Constant) {
                map[id.index] = graph_.addConstant(node.name, node.constant, node.type().device);
            } else if (node.op == "getitem") {
                map[id.index] = builder_.getitem(map[node.args[0].node()->index], indexOf(node));
            } else {
                ir::ArgList args = node.args;
                ir::rewriteNodes(args, [&](ir::NodeId k) { return map[k.index]; });
                CUTAWAY_TRY(map[id.index], builder_.tryCall(node.op, std::move(args)));
            }
        }
        std::vector<ir::NodeId> outputs;
        for (ir::NodeId id : part.outputs)
            outputs.push_back(id.valid() ? map[id.index] : id);
        return outputs;
    }

    ir::Graph& graph_;
    ops::Builder& builder_;
    const ir::Graph& joint_;
    std::vector<ir::NodeId> map_;   ///< by id of the joint graph: what the captured one has
    std::vector<ir::NodeId> known_; ///< by placeholder of what is added
};

} // namespace

std::vector<bool> Capture::carries() const {
    std::vector<ir::NodeId> leaves;
    for (ir::NodeId id : leaves_)
        if (graph.contains(id)) leaves.push_back(id);
    return autodiff::carriesGradient(graph, leaves);
}

TensorObj* Capture::madeTensor(ir::NodeId node, bool requiresGrad) {
    auto* t = interp_.make<TensorObj>();
    t->madeAt = interp_.userSite();
    t->fake = std::make_unique<FakeTensor>();
    t->fake->node = node;
    t->fake->type = graph.node(node).type();
    t->fake->type.requiresGrad = requiresGrad;
    t->fake->capture = startSerial_;
    t->fake->aliases = std::make_shared<int>(1);
    return t;
}

void Capture::makeLeaf(TensorObj& t) {
    if (t.fake->type.requiresGrad) return;
    if (views_.count(&t) && versionOf(views_.at(&t).base) > 0)
        interp_.stop(base::said("requires_grad_() of a view of a tensor that was changed in place"),
                     base::said("call it on a clone()"));
    beforeChange(&t, "a tensor");
    const ir::NodeId node = appended("alias", {detached(nodeOf(t))});
    since_.undo.push_back([this, t = &t, before = views_.count(&t) ? views_.at(&t) : View()] {
        if (before.self.bound()) views_[t] = before;
    });
    views_.erase(&t);
    t.fake->node = node;
    t.fake->type.requiresGrad = true;
    t.fake->leaf = true;
    leaves_.push_back(node);
    recordsGradients_ = true;
}

/// An input from outside may be what another tensor of the outside was computed from: only of
/// leaves the graph holds the whole way.
void Capture::wantLeaves(const std::vector<bool>& cone, std::span<const Val> inputs) {
    const bool outsideInput = std::any_of(inputs.begin(), inputs.end(), [](const Val& input) {
        return input.as<TensorObj>()->fake == nullptr;
    });
    if (!outsideInput) return;
    std::vector<std::pair<TensorObj*, int32_t>> found;
    for (const auto& [object, node] : placeholders_) {
        auto* t = const_cast<TensorObj*>(static_cast<const TensorObj*>(object));
        if (cone[node.index] && t->real && t->real->type.requiresGrad)
            found.emplace_back(t, sourceOf(t));
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto isInput = [&](const auto& each) {
        return std::ranges::any_of(inputs,
                                   [&](const Val& input) { return input.object() == each.first; });
    };
    if (found.empty() || (found.size() == 1 && isInput(found[0]))) return;
    for (auto [t, source] : found) {
        if (!t->real->isLeaf())
            interp_.stop(
                base::said(
                    "torch.autograd.grad for tensors that were computed outside the compiled "
                    "function"),
                base::said("compute them in it, or ask for the gradient outside"));
        if (!(t->parameter && belongsToModule(source)) && first(source, What::CheckLeaf))
            guard(source, GuardStep::of(What::CheckLeaf), "TENSOR_MATCH", "is a leaf");
    }
}

/// The value that \p id is a view of, or itself.
ir::NodeId Capture::viewedBy(ir::NodeId id) const {
    for (;;) {
        const ir::Node& node = graph.node(id);
        const ops::OpDef* def = ops::catalogue().find(node.op);
        const bool part = node.op == "getitem";
        const bool view = def && (def->isView() || TensorWorld::sharesMemory(*def));
        if (!part && !(view && !node.args.empty() && node.args[0].node())) return id;
        const ir::NodeId of = *node.args[0].node();
        if (!part && !(def->isView() && !def->traits.mayCopy) &&
            !sharesElements(*def, graph.node(of).type(), node.type()))
            return id;
        if (part && !(ops::catalogue().find(graph.node(of).op) &&
                      ops::catalogue().find(graph.node(of).op)->isView()))
            return id;
        id = of;
    }
}

void Capture::noteInPlace(size_t firstNode, ir::NodeId self, bool savesResult) {
    inPlace_.push_back({firstNode, graph.idLimit(), self, savesResult});
    since_.undo.push_back([this] { inPlace_.pop_back(); });
}

/// The value that an operation in place has written over since \p by saved \p value for its gradient;
/// invalid: none has.
ir::NodeId Capture::changedSince(ir::NodeId by, ir::NodeId value) const {
    for (const InPlace& write : inPlace_) {
        if (by.index < write.first || by.index >= write.last) continue;
        // Such an operation keeps a copy of its first operand; some read their result instead.
        size_t reads = 0;
        ir::forEachNode(graph.node(by).args, [&](ir::NodeId read) { reads += read == write.self; });
        if (value == write.self && reads < 2) {
            if (!write.savesResult) return {};
            value = by;
        }
        break;
    }
    value = viewedBy(value);
    return overwritten_.contains(value.index) ? value : ir::NodeId();
}

void Capture::refuseChanged(ir::NodeId by, ir::NodeId value) {
    const ir::Node& node = graph.node(value);
    const Overwritten& then = overwritten_.at(value.index);
    const auto name = [&](const ir::Node& of) {
        const ops::OpDef* def = ops::catalogue().find(of.op);
        return def ? runtime::stepName(ops::gradientName(*def)) : of.name;
    };
    const std::string output = node.kind == ir::NodeKind::Call
                                   ? fmt::format(", which is output 0 of {},", name(node))
                                   : "";
    interp_.fail(runtime::changedError(node.type(), output, versionOf(Val(then.base)), then.version,
                                       fmt::format("{} saved it; ", name(graph.node(by)))));
}

/// By input the sum of the gradients of all that it has been; \p gradients are of the placeholders.
static std::vector<ir::NodeId>
summedOver(const std::vector<std::vector<ir::NodeId>>& versions,
           const std::vector<ir::NodeId>& placeholders, const std::vector<ir::NodeId>& gradients,
           const std::function<ir::NodeId(ir::NodeId, ir::NodeId)>& add) {
    std::vector<ir::NodeId> sums;
    for (const std::vector<ir::NodeId>& nodes : versions) {
        ir::NodeId sum;
        for (ir::NodeId node : nodes) {
            const auto at = std::ranges::find(placeholders, node) - placeholders.begin();
            if (static_cast<size_t>(at) >= placeholders.size()) continue;
            const ir::NodeId gradient = gradients[static_cast<size_t>(at)];
            if (gradient.valid()) sum = sum.valid() ? add(sum, gradient) : gradient;
        }
        sums.push_back(sum);
    }
    return sums;
}

/// The nodes whose gradients are those of \p t: of a leaf of the outside all that it has been, since it
/// is written without recording that.
std::vector<ir::NodeId> Capture::versionsOf(TensorObj& t) {
    std::vector<ir::NodeId> all;
    for (const auto& [node, then] : overwritten_)
        if (!t.fake && then.base == &t) all.emplace_back(node);
    std::ranges::sort(all, {}, &ir::NodeId::index);
    const ir::NodeId now = nodeOf(t);
    if (std::ranges::find(all, now) == all.end()) all.push_back(now);
    return all;
}

std::vector<ir::NodeId> Capture::gradientNodes(const GradientRequest& request,
                                               std::span<const Val> inputs) {
    const std::vector<Val>&outputs = request.roots, &seeds = request.gradients;
    if (interp_.checksGradients)
        interp_.stop(base::said("detect_anomaly() looks at every gradient"),
                     base::said("compute gradients outside the compiled function there"));
    setPlace();
    std::vector<ir::NodeId> roots, wanted, given;
    for (size_t i = 0; i < outputs.size(); ++i) {
        TensorObj& root = *outputs[i].as<TensorObj>();
        if (!root.type().requiresGrad)
            interp_.raise(Error::Runtime,
                          fmt::format("element {} of tensors does not require grad and does not "
                                      "have a grad_fn",
                                      i),
                          "create an input with requires_grad=True");
        if (!root.fake)
            interp_.stop(
                base::said("torch.autograd.grad of a tensor that was computed outside the compiled "
                           "function"),
                base::said("compute it in the function, or ask for the gradient outside"));
        roots.push_back(nodeOf(root));
        if (!seeds[i].isNone()) {
            given.push_back(nodeOf(*seeds[i].as<TensorObj>()));
            if (seeds[i].as<TensorObj>()->type().sizes != root.type().sizes)
                interp_.fail(
                    runtime::mismatchedShape(i, seeds[i].as<TensorObj>()->type(), root.type()));
            continue;
        }
        if (!root.type().numel().is(1))
            interp_.raise(Error::Runtime, "grad can be implicitly created only for scalar outputs",
                          fmt::format("found sizes {}, expected one element: reduce it first, or "
                                      "give grad_outputs",
                                      ir::str(root.type().sizes)));
        given.push_back(appended("ones_like", {roots.back()}));
    }
    std::vector<std::vector<ir::NodeId>> versions; // by input
    for (const Val& input : inputs) {
        versions.push_back(versionsOf(*input.as<TensorObj>()));
        wanted.insert(wanted.end(), versions.back().begin(), versions.back().end());
    }
    std::vector<bool> isInput(graph.idLimit());
    for (ir::NodeId id : wanted)
        isInput[id.index] = true;
    const std::vector<bool> cone = coneOf(graph, roots);
    wantLeaves(cone, inputs);
    const Region region = regionOf(graph, roots, isInput, cone);
    ir::Graph prepared = region.graph.clone();
    for (ir::NodeId id : prepared.order()) // what it is decomposed to comes from it
        prepared.node(id).from = {id};
    interp_.need(passes::decomposeBeforeAutograd(prepared));
    const autodiff::JointGraph joint = interp_.need(autodiff::buildJointGraph(prepared));
    std::unordered_set<uint32_t> gives;
    std::vector<Saved> saved = savedValues(region, prepared, joint.graph, gives);
    addSavedBeside(region, graph, gives, saved);
    std::vector<ir::NodeId> saving;
    for (const Saved& each : saved) {
        const bool beside = !each.joint.valid();
        if (beside || joint.graph.node(each.joint).kind != ir::NodeKind::Constant)
            saving.push_back(each.by);
        const ir::NodeId changed =
            each.value.valid() ? changedSince(each.by, each.value) : ir::NodeId();
        if (!changed.valid()) continue;
        if (beside || joint.graph.node(each.joint).kind != ir::NodeKind::Placeholder ||
            interp_.need(isReadByParts(joint.graph, each.joint)))
            refuseChanged(each.by, changed);
    }
    for (ir::NodeId id : saving)
        if (id.index < spent_.size() && spent_[id.index])
            interp_.raise(
                Error::Runtime,
                "Trying to backward through the graph a second time (or directly access saved "
                "tensors after they have already been freed). Saved intermediate values of the "
                "graph are "
                "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if "
                "you need "
                "to backward through the graph a second time or if you need to access saved "
                "tensors after "
                "calling backward.",
                fmt::format("what {} saved was freed", graph.node(id).name));
    if (!request.retainGraph && !request.record) spend(saving);

    Inlining inlining(graph, builder_, joint.graph);
    const std::vector<ir::NodeId> primals = joint.graph.placeholders();
    const size_t count = region.placeholders.size();
    for (size_t i = 0; i < count; ++i)
        inlining.put(primals[i], region.placeholders[i]);
    for (size_t k = 0; k < joint.tangentOutputs.size(); ++k)
        inlining.put(primals[count + k], given[static_cast<size_t>(joint.tangentOutputs[k])]);
    inlining.putForward(region);
    const std::vector<ir::NodeId> gradients = interp_.need(inlining.run(
        std::span(joint.graph.outputs).subspan(static_cast<size_t>(joint.forwardOutputs)),
        request.record));

    return summedOver(versions, region.placeholders, gradients,
                      [&](ir::NodeId x, ir::NodeId y) { return appended("add.Tensor", {x, y}); });
}

std::vector<Val> Capture::gradients(const GradientRequest& request) {
    const bool record = request.record;
    const std::vector<ir::NodeId> found = gradientNodes(request, request.inputs);
    const std::vector<bool> carried = record ? carries() : std::vector<bool>();
    std::vector<Val> results;
    for (ir::NodeId node : found) {
        if (!node.valid()) {
            results.push_back(Val::none());
            continue;
        }
        if (!record) node = detached(node);
        const bool again = record && carried[node.index];
        recordsGradients_ |= again;
        results.emplace_back(madeTensor(node, again));
    }
    return results;
}

/// The leaves of the outside that a gradient on its way back from \p roots reaches.
std::vector<Val> Capture::leavesBehind(const std::vector<ir::NodeId>& roots) {
    const std::vector<bool> cone = coneOf(graph, roots);
    for (ir::NodeId leaf : leaves_)
        if (leaf.index < cone.size() && cone[leaf.index])
            interp_.stop(base::said("backward() reaches a leaf that the compiled function made"),
                         base::said("make it outside, or use torch.autograd.grad"));
    std::vector<std::pair<int32_t, Val>> found;
    for (const auto& [object, node] : placeholders_) {
        auto* t = const_cast<TensorObj*>(static_cast<const TensorObj*>(object));
        if (!t->real || !t->real->type.requiresGrad) continue;
        if (std::ranges::any_of(versionsOf(*t), [&](ir::NodeId id) {
                return id.index < cone.size() && cone[id.index];
            }))
            found.emplace_back(sourceOf(t), Val(t));
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Val> leaves;
    for (auto& [source, leaf] : found)
        leaves.push_back(std::move(leaf));
    return leaves;
}

/// Its .grad is what a backward() of this graph says, in every call.
void Capture::wantPlainLeaf(const Val& v) {
    TensorObj& t = *v.as<TensorObj>();
    if (t.fake || !t.real->isLeaf())
        interp_.stop(
            base::said(
                "backward() reaches a tensor that was computed outside the compiled function"),
            base::said("compute it in it, or call backward() outside"));
    if (hasHooks(*t.real))
        interp_.stop(base::said("backward() reaches a tensor with hooks"),
                     base::said("call backward() outside the compiled function"));
    const int32_t source = sourceOf(&t);
    if (first(source, What::CheckLeaf))
        guard(source, GuardStep::of(What::CheckLeaf), "TENSOR_MATCH", "is a leaf without hooks");
}

/// The gradient as a tensor that lies as \p leaf does, in memory that nobody else sees. \p known:
/// nodes before it are of the script; \p taken: memory that other leaves have.
ir::NodeId Capture::ownGradient(ir::NodeId node, const TensorObj& leaf, size_t known,
                                std::set<uint32_t>& taken) {
    ir::NodeId memory = node;
    auto isView = [&](ir::NodeId id) {
        const ir::Node& n = graph.node(id);
        const ops::OpDef* def =
            n.kind == ir::NodeKind::Call ? ops::catalogue().find(n.op) : nullptr;
        return def && CapturingWorld::sharesMemory(*def);
    };
    while (isView(memory))
        memory = *graph.node(memory).args[0].node();
    const bool fresh = memory.index >= known && graph.node(memory).kind == ir::NodeKind::Call &&
                       taken.insert(memory.index).second;
    const ir::TensorType& type = leaf.real->type;
    ir::TensorType wanted = ir::TensorType::contiguous(type.dtype, type.sizes, type.device);
    if (ops::isDense(type)) wanted.strides = type.strides;
    const bool lies = graph.node(node).type().strides == wanted.strides;
    if (!fresh || !lies) node = appended("clone", {node});
    return detached(lyingAs(node, wanted));
}

/// Behind a backward() that frees the graph, what \p saving computed can be differentiated no more.
void Capture::spend(const std::vector<ir::NodeId>& saving) {
    if (saving.empty()) return;
    since_.undo.push_back([this, before = spent_] { spent_ = before; });
    spent_.resize(graph.idLimit());
    for (ir::NodeId id : saving)
        spent_[id.index] = true;
}

bool Capture::isSpent(ir::NodeId node) const {
    if (spent_.empty()) return false;
    const std::vector<bool> carried = carries();
    std::vector<bool> reached(graph.idLimit());
    reached[node.index] = true;
    const auto& order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const ir::Node& n = graph.node(*at);
        if (!reached[at->index] || !carried[at->index] || n.kind == ir::NodeKind::Placeholder)
            continue;
        if (at->index < spent_.size() && spent_[at->index]) return true;
        ir::forEachNode(n.args, [&](ir::NodeId input) { reached[input.index] = true; });
    }
    return false;
}

void Capture::backward(const GradientRequest& request) {
    if (request.record)
        interp_.stop(
            base::said("backward() with create_graph=True leaves a tape behind .grad"),
            base::said(
                "use torch.autograd.grad, or call backward() outside the compiled function"));
    std::vector<ir::NodeId> roots;
    for (const Val& root : request.roots)
        if (root.as<TensorObj>()->fake) roots.push_back(nodeOf(*root.as<TensorObj>()));
    const std::vector<Val> leaves = request.inputs.empty() ? leavesBehind(roots) : request.inputs;
    for (const Val& leaf : leaves)
        wantPlainLeaf(leaf);
    const size_t known = graph.idLimit();
    const std::vector<ir::NodeId> found = gradientNodes(request, leaves);
    std::set<uint32_t> taken;
    for (size_t i = 0; i < leaves.size(); ++i) {
        if (!found[i].valid()) continue;
        TensorObj& leaf = *leaves[i].as<TensorObj>();
        const Val gradient(madeTensor(ownGradient(found[i], leaf, known, taken), false));
        const Val before = world_.gradient(leaf);
        if (before.bound())
            interp_.changeInPlace("add", before, [&] {
                const Val operands[] = {before, gradient};
                return interp_.plainOperation("add", Arguments{operands, {}});
            });
        else
            world_.setGradient(leaf, gradient);
    }
}

/// A leaf that the capture made is known to nobody else: what wants a gradient for its sake alone
/// cannot leave the graph.
void Capture::wantNoLeaf(const FakeTensor& t) {
    if (leaves_.empty() || !t.type.requiresGrad) return;
    if (!t.leaf && autodiff::carriesGradient(graph)[t.node.index]) return;
    interp_.stop(
        base::said("a tensor that requires a gradient because of requires_grad_() in the compiled "
                   "function is used outside of it"),
        base::said("call requires_grad_() before the compiled function, or detach() the result"));
}

} // namespace cutaway::capture
