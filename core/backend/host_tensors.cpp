// SPDX-License-Identifier: Apache-2.0
#include "core/backend/host_tensors.h"

#include "core/ops/catalogue.h"

#include <fmt/format.h>
#include <set>

namespace cutaway::backend {

using runtime::TensorPtr;

namespace {

bool isCopy(const ir::Node& node) {
    return node.kind == ir::NodeKind::Call && node.op == "prims.device_put";
}

void moveDevices(ir::ArgList& args, ir::Device device) {
    for (ir::Arg& arg : args) {
        if (std::holds_alternative<ir::Device>(arg)) arg = device;
        if (auto* list = std::get_if<ir::ArgList>(&arg)) moveDevices(*list, device);
    }
}

/// A factory function without a device makes its tensor on the host: it is told to make it on
/// \p device, which its decomposition asks for again.
void placeNewTensor(ir::Node& node, ir::Device device) {
    if (node.kind != ir::NodeKind::Call) return;
    const ops::OpDef* def = ops::catalogue().find(node.op);
    const int at = def ? def->parsed.find("device") : -1;
    if (at < 0 || static_cast<size_t>(at) >= node.args.size()) return;
    ir::Arg& wanted = node.args[static_cast<size_t>(at)];
    if (std::holds_alternative<std::monostate>(wanted)) wanted = device;
}

base::Result<TensorPtr> copied(const TensorPtr& tensor, ir::Device device) {
    ir::TensorType type = tensor->type;
    type.device = device;
    type.requiresGrad = false;
    CUTAWAY_TRY(TensorPtr copy, runtime::emptyTensor(type));
    CUTAWAY_CHECK(runtime::copyInto(*copy, *tensor));
    return copy;
}

class WithCopies : public capture::CompiledGraph {
public:
    WithCopies(OneDeviceGraph placed, std::shared_ptr<capture::CompiledGraph> compiled)
        : placed_(std::move(placed)), compiled_(std::move(compiled)) {}

    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::span<const int64_t> symbols,
                                              bool gradMode) override {
        std::vector<TensorPtr> up(inputs.begin(), inputs.end());
        for (size_t i : placed_.inputs) {
            CUTAWAY_TRY(up[i], copied(up[i], placed_.device));
        }
        CUTAWAY_TRY(std::vector<TensorPtr> results, compiled_->call(up, symbols, gradMode));
        for (size_t i : placed_.outputs) {
            CUTAWAY_TRY(results[i], copied(results[i], ir::Device()));
        }
        return results;
    }

private:
    OneDeviceGraph placed_;
    std::shared_ptr<capture::CompiledGraph> compiled_;
};

} // namespace

base::Result<std::optional<OneDeviceGraph>> onOneDevice(const ir::Graph& original) {
    std::set<int> gpus;
    bool host = false;
    for (ir::NodeId id : original.order())
        for (const ir::TensorType& type : original.node(id).types) {
            if (type.device.isCuda()) gpus.insert(type.device.index);
            host |= !type.device.isCuda();
        }
    if (gpus.size() > 1)
        return base::userError({},
                               fmt::format("a compiled graph runs on one GPU, found cuda:{} and "
                                           "cuda:{}",
                                           *gpus.begin(), *gpus.rbegin()),
                               "copy between GPUs outside the compiled function");
    if (gpus.empty() || !host) return std::optional<OneDeviceGraph>();

    OneDeviceGraph placed;
    placed.device = {ir::Device::Kind::Cuda, *gpus.begin()};
    const std::vector<ir::NodeId> placeholders = original.placeholders();
    for (size_t i = 0; i < placeholders.size(); ++i) {
        const ir::Node& input = original.node(placeholders[i]);
        if (input.type().device.isCuda()) continue;
        if (input.type().requiresGrad)
            return base::userError({},
                                   fmt::format("{} lies on the host and requires gradients, the "
                                               "rest of its graph is on {}",
                                               input.inputSource, placed.device.str()),
                                   "move it outside the compiled function");
        placed.inputs.push_back(i);
    }
    for (size_t i = 0; i < original.outputs.size(); ++i)
        if (original.outputs[i].valid() &&
            !original.node(original.outputs[i]).type().device.isCuda())
            placed.outputs.push_back(i);

    auto graph = std::make_shared<ir::Graph>(original.clone());
    std::vector<ir::NodeId> copies;
    for (ir::NodeId id : original.order()) {
        ir::Node& node = graph->node(id);
        for (ir::TensorType& type : node.types)
            type.device = placed.device;
        moveDevices(node.args, placed.device);
        placeNewTensor(node, placed.device);
        if (!isCopy(node)) continue;
        graph->replaceAllUses(id, *node.args[0].node());
        copies.push_back(id);
    }
    graph->erase(copies);
    placed.graph = std::move(graph);
    return std::optional(std::move(placed));
}

std::shared_ptr<capture::CompiledGraph>
withCopies(OneDeviceGraph placed, std::shared_ptr<capture::CompiledGraph> compiled) {
    return std::make_shared<WithCopies>(std::move(placed), std::move(compiled));
}

} // namespace cutaway::backend
