// SPDX-License-Identifier: Apache-2.0
#include "core/backend/complex_boundary.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::backend {

namespace {

using runtime::TensorPtr;

bool isComplex(const ir::Node& node) {
    return std::any_of(node.types.begin(), node.types.end(),
                       [](const ir::TensorType& type) { return ir::isComplex(type.dtype); });
}

/// What is the same of pairs: what sums and hands on gradients makes.
bool isOfPairs(const ir::Graph& graph, const ir::Node& node) {
    if (node.op == "detach" || node.op == "alias") return true;
    if (node.op != "add.Tensor") return false;
    return std::all_of(node.args.begin(), node.args.begin() + 2, [&](const ir::Arg& arg) {
        return arg.node() && isComplex(graph.node(*arg.node())) &&
               graph.node(*arg.node()).type().sizes == node.type().sizes;
    });
}

class BehindPairs : public capture::CompiledGraph {
public:
    BehindPairs(std::shared_ptr<CompiledGraph> inner, PairsGraph pairs, capture::EagerOps& eager)
        : inner_(std::move(inner)), pairs_(std::move(pairs)), eager_(eager) {}

    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::span<const int64_t> symbols,
                                              bool gradMode) override {
        std::vector<TensorPtr> given(inputs.begin(), inputs.end());
        for (size_t i = 0; i < given.size(); ++i)
            if (pairs_.inputs[i]) {
                CUTAWAY_TRY(given[i], seen("view_as_real", given[i], gradMode));
            }
        CUTAWAY_TRY(std::vector<TensorPtr> outputs, inner_->call(given, symbols, gradMode));
        for (size_t i = 0; i < outputs.size(); ++i) {
            if (!pairs_.outputs[i] || !outputs[i]) continue;
            if (!fits(*outputs[i])) {
                CUTAWAY_TRY(outputs[i], seen("clone", outputs[i], gradMode));
            }
            CUTAWAY_TRY(outputs[i], seen("view_as_complex", outputs[i], gradMode));
        }
        return outputs;
    }

private:
    /// Whether pairs lie together, at even places.
    static bool fits(const runtime::Tensor& pairs) {
        const ir::Shape& strides = pairs.type.strides;
        return strides.back().is(1) && pairs.offset % 2 == 0 &&
               std::all_of(strides.begin(), strides.end() - 1,
                           [](const ir::Sym& s) { return s.constant() % 2 == 0; });
    }
    base::Result<TensorPtr> seen(std::string_view op, const TensorPtr& tensor, bool gradMode) {
        const ops::OpDef& def = *ops::catalogue().find(op);
        ir::ArgList args{ir::NodeId(0)};
        const std::string dense = "contiguous_format";
        if (op == "clone") args.emplace_back(dense);
        const TensorPtr operands[] = {tensor};
        CUTAWAY_TRY(std::vector<TensorPtr> results, eager_.call(def, args, operands, gradMode));
        return results.front();
    }

    std::shared_ptr<CompiledGraph> inner_;
    PairsGraph pairs_;
    capture::EagerOps& eager_;
};

} // namespace

bool hasComplex(const ir::Graph& graph) {
    return std::any_of(graph.order().begin(), graph.order().end(),
                       [&](ir::NodeId id) { return isComplex(graph.node(id)); });
}

base::Result<PairsGraph> onPairs(const ir::Graph& captured) {
    PairsGraph result;
    for (ir::NodeId id : captured.placeholders())
        result.inputs.push_back(isComplex(captured.node(id)));
    for (ir::NodeId id : captured.outputs)
        result.outputs.push_back(id.valid() && isComplex(captured.node(id)));
    auto graph = std::make_shared<ir::Graph>(captured.clone());
    std::vector<ir::NodeId> gone;
    for (ir::NodeId id : captured.order()) {
        const ir::Node& before = captured.node(id);
        if (before.op == "view_as_real" || before.op == "view_as_complex") {
            graph->replaceAllUses(id, *graph->node(id).args[0].node());
            gone.push_back(id);
            continue;
        }
        if (!isComplex(before)) continue;
        if (before.kind != ir::NodeKind::Placeholder && !isOfPairs(captured, before))
            return base::userError(
                {}, fmt::format("{} of complex numbers in a compiled graph", before.op),
                "do it outside the compiled function, or on torch.view_as_real(x)");
        ir::Node& node = graph->node(id);
        for (ir::TensorType& type : node.types)
            type = runtime::pairsType(type);
    }
    graph->erase(gone);
    result.graph = std::move(graph);
    return result;
}

std::shared_ptr<capture::CompiledGraph> behindPairs(std::shared_ptr<capture::CompiledGraph> inner,
                                                    PairsGraph pairs, capture::EagerOps& eager) {
    return std::make_shared<BehindPairs>(std::move(inner), std::move(pairs), eager);
}

} // namespace cutaway::backend
