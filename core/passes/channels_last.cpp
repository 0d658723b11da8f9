// SPDX-License-Identifier: Apache-2.0
#include "core/passes/channels_last.h"

#include "core/passes/sweep.h"

#include <map>
#include <set>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

class ChannelsLast {
public:
    explicit ChannelsLast(ir::Graph& graph) : graph_(graph), sweep_(graph) {}

    base::Status run() {
        bool any = false;
        for (NodeId id : graph_.order())
            any = any || imagesOf(graph_.node(id)) > 0;
        if (!any) return {};
        CUTAWAY_CHECK(sweep_.run([&](ir::Node& node) { return visit(node); }, false));
        if (!given_.empty()) restoreOutputs();
        return {};
    }

private:
    /// How many of the leading arguments are images of a convolution on the CPU.
    size_t imagesOf(const ir::Node& node) const {
        if (node.kind != ir::NodeKind::Call) return 0;
        const size_t images = node.op == "convolution"            ? 1
                              : node.op == "convolution_backward" ? 2
                                                                  : 0;
        if (images == 0) return 0;
        const ir::TensorType& image = graph_.node(*node.args[0].node()).type();
        return !image.device.isCuda() && image.staticSizes() ? images : 0;
    }

    base::Status visit(ir::Node& node) {
        for (size_t i = 0, images = imagesOf(node); i < images; ++i)
            node.args[i] = Arg(lastOf(*node.args[i].node()));
        if (node.kind != ir::NodeKind::Call) return {};
        bool touched = false;
        ir::forEachNode(node.args,
                        [&](NodeId input) { touched = touched || changed_.contains(input); });
        if (!touched) return {};
        if (node.op == "getitem") {
            const auto at = static_cast<size_t>(std::get<ir::Sym>(node.args[1]).constant());
            take(node, {graph_.node(*node.args[0].node()).types[at]});
            return {};
        }
        const ops::OpDef* def = opOf(node);
        if (!def) return {};
        auto types = def->shape(ops::OpCall(*def, node.args, graph_));
        if (types.ok() && fits(node, *types)) {
            take(node, std::move(*types));
            return {};
        }
        ir::rewriteNodes(node.args, [&](NodeId input) { return rowsOf(input); });
        return {};
    }

    static bool fits(const ir::Node& node, const std::vector<ir::TensorType>& types) {
        for (size_t i = 0; i < types.size(); ++i)
            if (i >= node.types.size() || types[i].sizes != node.types[i].sizes) return false;
        return types.size() == node.types.size();
    }

    /// Gives the node the strides of \p types and remembers what it had.
    void take(ir::Node& node, const std::vector<ir::TensorType>& types) {
        bool same = true;
        for (size_t i = 0; i < types.size(); ++i)
            same = same && types[i].strides == node.types[i].strides;
        if (same) return;
        given_.emplace(node.id, node.types);
        changed_.insert(node.id);
        for (size_t i = 0; i < types.size(); ++i)
            node.types[i].strides = types[i].strides;
    }

    NodeId copy(NodeId value, const char* format, const char* rule) {
        sweep_.builder().provenance.rule = rule;
        return sweep_.builder().call("clone", {Arg(value), Arg(std::string(format))});
    }

    NodeId lastOf(NodeId image) {
        NodeId& last = last_[image];
        if (last.valid()) return last;
        const size_t rank = graph_.node(image).type().rank();
        const char* format = rank == 3   ? "channels_last_1d"
                             : rank == 5 ? "channels_last_3d"
                                         : "channels_last";
        last = copy(image, format, "channels innermost for convolutions");
        // One copy that lies so already is none.
        if (sameType(graph_.node(last).type(), graph_.node(image).type())) {
            sweep_.drop(last);
            return last = image;
        }
        changed_.insert(last);
        return last;
    }

    /// The value as it lay before, for what cannot read it otherwise.
    NodeId rowsOf(NodeId value) {
        if (!given_.contains(value)) return value;
        NodeId& rows = rows_[value];
        if (!rows.valid()) rows = copy(value, "contiguous_format", "row-major for a view");
        return rows;
    }

    /// The value with the strides that the script gave it: a copy of what it is a view of, seen
    /// through the same views.
    NodeId restored(NodeId value) {
        auto had = given_.find(value);
        if (had == given_.end()) return value;
        const ir::Node& node = graph_.node(value);
        if (node.op == "getitem") return copy(value, "contiguous_format", kRestored);
        const ops::OpDef* def = opOf(node);
        if (!def || !def->isView()) return copy(value, "contiguous_format", kRestored);
        ir::ArgList args = node.args;
        args[0] = Arg(restored(*args[0].node()));
        sweep_.builder().provenance.rule = kRestored;
        return sweep_.builder().call(node.op, std::move(args));
    }

    void restoreOutputs() {
        std::map<NodeId, NodeId> done;
        for (NodeId& output : graph_.outputs) {
            if (!output.valid() || !given_.contains(output)) continue;
            const ir::Node& node = graph_.node(output);
            sweep_.builder().provenance = {node.source, node.modulePath, node.from, node.backward,
                                           node.rule};
            auto [at, fresh] = done.emplace(output, NodeId());
            if (fresh) at->second = restored(output);
            output = at->second;
        }
    }

    static constexpr const char* kRestored = "results keep the script's strides";

    ir::Graph& graph_;
    Sweep sweep_;
    std::map<NodeId, std::vector<ir::TensorType>> given_; ///< the types that were changed
    std::set<NodeId> changed_;                            ///< their nodes, and the copies
    std::map<NodeId, NodeId> last_, rows_;
};

} // namespace

base::Status channelsLast(ir::Graph& graph) {
    return ChannelsLast(graph).run();
}

} // namespace cutaway::passes
