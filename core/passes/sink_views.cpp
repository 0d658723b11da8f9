// SPDX-License-Identifier: Apache-2.0
#include "core/passes/sink_views.h"

#include "core/base/hash.h"
#include "core/base/said.h"
#include "core/passes/shared_memory.h"
#include "core/passes/sweep.h"

#include <unordered_map>

namespace cutaway::passes {
namespace {

using ir::NodeId;

/// Readers are looked at through so many calls of one tensor.
constexpr int kDepth = 8;

class SinkViews {
public:
    explicit SinkViews(ir::Graph& graph) : graph_(graph), sweep_(graph), shared_(graph) {
        readers_.resize(graph.idLimit());
        for (NodeId id : graph.order()) {
            const ir::Node& node = graph.node(id);
            ir::forEachNode(node.args, [&](NodeId input) { readers_[input.index].push_back(id); });
            if (isUnary(node)) calls_.emplace(keyOf(node, *node.args[0].node()), id);
        }
        for (NodeId id : graph.outputs)
            if (id.valid()) readers_[id.index].push_back({});
    }

    base::Status run() {
        return sweep_.run([this](ir::Node& node) { return visit(node); }, false);
    }

private:
    /// A pointwise call of one tensor and numbers.
    static bool isUnary(const ir::Node& node) {
        const ops::OpDef* def = opOf(node);
        if (!def || node.tuple || !std::holds_alternative<ops::Pointwise>(def->lowering))
            return false;
        if (def->traits.distribution != ops::Distribution::None || node.args.empty() ||
            !node.args[0].node())
            return false;
        int tensors = 0;
        ir::forEachNode(node.args, [&](NodeId) { ++tensors; });
        return tensors == 1;
    }
    /// The view's operand, where the view shows all of it once.
    std::optional<NodeId> viewed(NodeId id) const {
        const ir::Node& node = graph_.node(id);
        const ops::OpDef* def = opOf(node);
        if (!def || !std::holds_alternative<ops::View>(def->lowering)) return {};
        if (node.op == "detach" || !node.args[0].node()) return {};
        const ir::TensorType& from = graph_.node(*node.args[0].node()).type();
        if (node.op == "expand" || !(from.numel() == node.type().numel())) return {};
        return *node.args[0].node();
    }
    static uint64_t keyOf(const ir::Node& node, NodeId operand) {
        ir::ArgList args = node.args;
        args[0] = ir::Arg(operand);
        return base::Hasher().add(node.op).add(ir::hashArgs(args)).word();
    }
    bool hasTwin(const ir::Node& node, NodeId operand) const {
        if (node.op != "prims.convert_element_type") return false;
        auto [at, end] = calls_.equal_range(keyOf(node, operand));
        for (; at != end; ++at) {
            const ir::Node& other = graph_.node(at->second);
            if (other.op != node.op || *other.args[0].node() != operand) continue;
            if (std::equal(other.args.begin() + 1, other.args.end(), node.args.begin() + 1,
                           node.args.end()))
                return true;
        }
        return false;
    }
    /// Whether a view reads it, behind calls that have no other reader.
    bool isViewedAgain(NodeId id) const {
        for (int depth = 0; depth < kDepth && id.index < readers_.size(); ++depth) {
            const std::vector<NodeId>& readers = readers_[id.index];
            if (readers.size() != 1 || !readers[0].valid()) return false;
            const ir::Node& reader = graph_.node(readers[0]);
            if (viewed(reader.id)) return true;
            if (!isUnary(reader)) return false;
            id = reader.id;
        }
        return false;
    }

    base::Status visit(ir::Node& node) {
        if (!isUnary(node)) return {};
        const NodeId view = *node.args[0].node();
        const std::optional<NodeId> from = viewed(view);
        if (!from || (!hasTwin(node, *from) && !isViewedAgain(node.id))) return {};
        ops::Builder& builder = sweep_.builder();
        builder.provenance.rule = base::said("view sunk below {}", node.op);
        sweep_.because(hasTwin(node, *from)
                           ? base::said("what the view shows is converted so elsewhere")
                           : base::said("a view reads it again"));
        ir::ArgList args = node.args;
        args[0] = ir::Arg(*from);
        const NodeId call = builder.call(node.op, std::move(args));
        ir::ArgList shown = graph_.node(view).args;
        shown[0] = ir::Arg(call);
        auto again = builder.tryCall(graph_.node(view).op, std::move(shown));
        const bool same = again.ok() && sameType(graph_.node(*again).type(), node.type()) &&
                          shared_.mayReplace(node.id, *again);
        if (same) {
            shared_.replaced(node.id, *again);
            sweep_.replace(node.id, *again);
            return {};
        }
        if (again.ok()) sweep_.drop(*again);
        sweep_.drop(call);
        return {};
    }

    ir::Graph& graph_;
    Sweep sweep_;
    SharedMemory shared_;
    std::vector<std::vector<NodeId>> readers_; ///< by id; invalid: the caller
    std::unordered_multimap<uint64_t, NodeId> calls_;
};

} // namespace

base::Status sinkViews(ir::Graph& graph) {
    return SinkViews(graph).run();
}

} // namespace cutaway::passes
