// SPDX-License-Identifier: Apache-2.0
#include "core/partition/op_kinds.h"

namespace cutaway::partition {

const ops::OpDef* opOf(const ir::Node& node) {
    if (node.kind != ir::NodeKind::Call || isGetitem(node)) return nullptr;
    return ops::catalogue().find(node.op);
}

bool isGetitem(const ir::Node& node) {
    return node.op == "getitem";
}

bool isView(const ir::Node& node) {
    const ops::OpDef* def = opOf(node);
    return def && def->isView();
}

bool isRandom(const ir::Node& node) {
    const ops::OpDef* def = opOf(node);
    return def && def->isRandom();
}

bool isRecomputable(const ir::Node& node) {
    if (isGetitem(node)) return true;
    const ops::OpDef* def = opOf(node);
    if (!def || def->isRandom() || def->traits.computeIntensive) return false;
    if (def->traits.recompute != ops::Recompute::ByKind)
        return def->traits.recompute == ops::Recompute::Yes;
    return !def->isLibrary() && !std::holds_alternative<ops::NoLowering>(def->lowering);
}

bool isFusible(const ir::Node& node) {
    return isRecomputable(node) || isRandom(node);
}

bool areFusible(const ir::Node& producer, const ir::Node& user) {
    const ops::OpDef* def = opOf(user);
    if (def && def->traits.takesProducers) return true;
    return isFusible(producer) && isFusible(user);
}

/// A size in the call that was captured: what is cheap there is taken to be cheap.
static int64_t hintOf(const ir::Sym& size, const ir::Graph& graph) {
    return size.isConst() ? size.constant() : graph.shapes->hint(size);
}

int64_t bytesOf(const ir::Node& node, const ir::Graph& graph) {
    int64_t bytes = 0;
    for (const ir::TensorType& type : node.types)
        bytes += hintOf(type.numel(), graph) * static_cast<int64_t>(ir::sizeBytes(type.dtype));
    return bytes;
}

double flopsOf(const ir::Node& node, const ir::Graph& graph) {
    const ops::OpDef* def = opOf(node);
    if (!def) return 0;
    auto elements = static_cast<double>(hintOf(node.type().numel(), graph));
    if (const auto* convolution = std::get_if<ops::Convolution>(&def->lowering))
        return 2 * elements * convolution->summed(ops::OpCall(*def, node.args, graph));
    const auto* product = std::get_if<ops::MatrixProduct>(&def->lowering);
    if (!product) return elements * def->traits.flops;
    const ir::NodeId* a = node.args[static_cast<size_t>(product->a)].node();
    if (!a || graph.node(*a).type().sizes.empty()) return elements;
    return 2 * elements * static_cast<double>(hintOf(graph.node(*a).type().sizes.back(), graph));
}

} // namespace cutaway::partition
