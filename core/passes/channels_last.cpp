// SPDX-License-Identifier: Apache-2.0
#include "core/passes/channels_last.h"

#include "core/base/said.h"
#include "core/passes/relaid.h"

#include <map>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

// A GPU's convolutions, as measured on an H200 with cuDNN: operations in a microsecond with images
// as they are and with channels last (TF32, 16 bits), bytes read and written by copies of inputs,
// by what turns results back, and by a pass over them that turns nothing.
struct Rates {
    double rows, last;
};
constexpr Rates kSingle{1.1e8, 2e8}, kHalf{2.2e8, 4.5e8};
constexpr double kCopied = 3.1e6, kRestored = 2.6e6, kPassed = 4e6;
/// Fewer channels are read faster as they are.
constexpr int64_t kManyChannels = 16;

double elementsOf(const ir::TensorType& type) {
    double count = 1;
    for (const ir::Sym& size : type.sizes)
        count *= static_cast<double>(size.constant());
    return count;
}

/// Bytes that a pass over the tensor reads and writes.
double moved(const ir::TensorType& type) {
    return 2 * static_cast<double>(ir::sizeBytes(type.dtype)) * elementsOf(type);
}

class ChannelsLast {
public:
    explicit ChannelsLast(ir::Graph& graph) : graph_(graph), sweep_(graph), relaid_(sweep_) {}

    base::Status run() {
        bool any = false;
        for (NodeId id : graph_.order())
            any = any || imagesOf(graph_.node(id)) > 0;
        if (!any) return {};
        onGpu_ = paysOnGpu();
        CUTAWAY_CHECK(sweep_.run([&](ir::Node& node) { return visit(node); }, false));
        if (!relaid_.none()) relaid_.restoreOutputs();
        return {};
    }

private:
    const ir::TensorType& typeOf(const ir::Node& node, size_t argument) const {
        return graph_.node(*node.args[argument].node()).type();
    }

    /// How many of the leading arguments are images of a convolution.
    size_t imagesOf(const ir::Node& node) const {
        if (node.kind != ir::NodeKind::Call) return 0;
        const size_t images = node.op == "convolution"            ? 1
                              : node.op == "convolution_backward" ? 2
                                                                  : 0;
        return images > 0 && typeOf(node, 0).staticSizes() ? images : 0;
    }

    /// A GPU's convolution of float32 or 16 bits that would gain.
    bool gains(const ir::Node& node) const {
        const ir::TensorType& image = typeOf(node, 0);
        return node.op == "convolution" && image.device.isCuda() && image.rank() == 4 &&
               (image.dtype == ir::DType::Float32 || ir::isHalf(image.dtype));
    }
    bool hasManyChannels(const ir::Node& node) const {
        return typeOf(node, 1).sizes[1].constant() >= kManyChannels;
    }

    /// Whether all of them together gain more than the copies at the graph's edges cost.
    bool paysOnGpu() const {
        double gain = 0, copied = 0, restored = 0; // microseconds
        for (NodeId id : graph_.order()) {
            const ir::Node& node = graph_.node(id);
            if (imagesOf(node) == 0 || !gains(node) || !hasManyChannels(node)) continue;
            const ir::TensorType& weight = typeOf(node, 1);
            const double flops = 2 * elementsOf(node.type()) * elementsOf(weight) /
                                 static_cast<double>(weight.sizes[0].constant());
            const Rates& rates = ir::isHalf(node.type().dtype) ? kHalf : kSingle;
            gain += flops / rates.rows - flops / rates.last;
            if (graph_.node(*node.args[0].node()).kind != ir::NodeKind::Call)
                copied += moved(typeOf(node, 0)) / kCopied;
        }
        for (NodeId id : graph_.outputs) {
            if (!id.valid()) continue;
            const ir::Node& node = graph_.node(id);
            if (node.type().rank() != 4 || !node.type().staticSizes()) continue;
            // What follows a convolution passes over its result anyway.
            const double anyway = imagesOf(node) == 0 ? 1 / kPassed : 0;
            restored += moved(node.type()) * (1 / kRestored - anyway);
        }
        return gain > copied + restored;
    }

    base::Status visit(ir::Node& node) {
        const size_t images = imagesOf(node);
        if (images > 0 && typeOf(node, 0).device.isCuda()) {
            // Of few channels the image stays, and the result follows the weight.
            if (onGpu_ && gains(node)) relay(node, hasManyChannels(node) ? 0 : 1);
            return relaid_.follow(node);
        }
        for (size_t i = 0; i < images; ++i)
            relay(node, i);
        return relaid_.follow(node);
    }
    void relay(ir::Node& node, size_t argument) {
        node.args[argument] = Arg(lastOf(*node.args[argument].node()));
        sweep_.because(base::said("it is a convolution whose image is row-major"));
    }

    NodeId lastOf(NodeId image) {
        NodeId& last = last_[image];
        if (last.valid()) return last;
        const size_t rank = graph_.node(image).type().rank();
        const char* format = rank == 3   ? "channels_last_1d"
                             : rank == 5 ? "channels_last_3d"
                                         : "channels_last";
        last = relaid_.copy(image, format, base::said("channels innermost for convolutions"));
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
    bool onGpu_ = false;
};

} // namespace

base::Status channelsLast(ir::Graph& graph) {
    return ChannelsLast(graph).run();
}

} // namespace cutaway::passes
