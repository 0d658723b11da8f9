// SPDX-License-Identifier: Apache-2.0
#include "core/passes/channels_last.h"

#include "core/passes/relaid.h"

#include <map>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

class ChannelsLast {
public:
    explicit ChannelsLast(ir::Graph& graph) : graph_(graph), sweep_(graph), relaid_(sweep_) {}

    base::Status run() {
        bool any = false;
        for (NodeId id : graph_.order())
            any = any || imagesOf(graph_.node(id)) > 0;
        if (!any) return {};
        CUTAWAY_CHECK(sweep_.run([&](ir::Node& node) { return visit(node); }, false));
        if (!relaid_.none()) relaid_.restoreOutputs();
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
        return relaid_.follow(node);
    }

    NodeId lastOf(NodeId image) {
        NodeId& last = last_[image];
        if (last.valid()) return last;
        const size_t rank = graph_.node(image).type().rank();
        const char* format = rank == 3   ? "channels_last_1d"
                             : rank == 5 ? "channels_last_3d"
                                         : "channels_last";
        last = relaid_.copy(image, format, "channels innermost for convolutions");
        // One copy that lies so already is none.
        if (sameType(graph_.node(last).type(), graph_.node(image).type())) {
            sweep_.drop(last);
            return last = image;
        }
        relaid_.add(last);
        return last;
    }

    ir::Graph& graph_;
    Sweep sweep_;
    Relaid relaid_;
    std::map<NodeId, NodeId> last_;
};

} // namespace

base::Status channelsLast(ir::Graph& graph) {
    return ChannelsLast(graph).run();
}

} // namespace cutaway::passes
