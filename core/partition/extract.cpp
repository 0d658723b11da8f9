// SPDX-License-Identifier: Apache-2.0
#include "core/partition/extract.h"

#include "core/base/tick.h"
#include "core/partition/op_kinds.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::partition {
namespace {

/// What the given outputs need when those of \p isInput are given; they are marked but not entered.
std::vector<bool> neededFor(const ir::Graph& graph, const std::vector<bool>& isInput,
                            const std::vector<ir::NodeId>& outputs) {
    std::vector<bool> needed(graph.idLimit());
    for (ir::NodeId id : outputs)
        if (id.valid()) needed[id.index] = true;
    const std::vector<ir::NodeId>& order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at)
        if (needed[at->index] && !isInput[at->index])
            ir::forEachNode(graph.node(*at).args,
                            [&](ir::NodeId input) { needed[input.index] = true; });
    return needed;
}

std::vector<bool> asTable(const ir::Graph& graph, const std::vector<ir::NodeId>& ids) {
    std::vector<bool> table(graph.idLimit());
    for (ir::NodeId id : ids)
        table[id.index] = true;
    return table;
}

/// Getitems directly behind their tuple: the other elements can be freed early.
std::vector<ir::NodeId> withRaisedGetitems(const JointInfo& info,
                                           const std::vector<ir::NodeId>& calls) {
    std::vector<bool> wanted = asTable(info.graph, calls);
    std::vector<bool> placed(info.graph.idLimit());
    std::vector<ir::NodeId> order;
    order.reserve(calls.size());
    auto place = [&](ir::NodeId id) {
        if (!placed[id.index]) order.push_back(id);
        placed[id.index] = true;
    };
    for (ir::NodeId id : calls) {
        place(id);
        if (!info.graph.node(id).tuple) continue;
        for (ir::NodeId user : info.users[id.index])
            if (wanted[user.index]) place(user);
    }
    return order;
}

/// Starts at the first use of a tangent and brings every other call in right before the first that
/// needs it, so that recomputed values live shortly.
std::vector<ir::NodeId> inAutogradOrder(const JointInfo& info,
                                        const std::vector<ir::NodeId>& calls) {
    std::vector<bool> isCall = asTable(info.graph, calls);
    std::vector<bool> isTangent = asTable(info.graph, info.tangents);
    std::vector<bool> placed(info.graph.idLimit());
    std::vector<ir::NodeId> order;
    order.reserve(calls.size());
    auto place = [&](ir::NodeId target) {
        std::vector<ir::NodeId> open{target}, batch;
        while (!open.empty()) {
            ir::NodeId at = open.back();
            open.pop_back();
            if (!isCall[at.index] || placed[at.index]) continue;
            placed[at.index] = true;
            batch.push_back(at);
            ir::forEachNode(info.graph.node(at).args,
                            [&](ir::NodeId input) { open.push_back(input); });
        }
        std::sort(batch.begin(), batch.end(), [&](ir::NodeId a, ir::NodeId b) {
            return info.position[a.index] < info.position[b.index];
        });
        order.insert(order.end(), batch.begin(), batch.end());
    };
    auto readsTangent = [&](ir::NodeId id) {
        bool reads = false;
        ir::forEachNode(info.graph.node(id).args,
                        [&](ir::NodeId input) { reads |= isTangent[input.index]; });
        return reads;
    };
    auto first = std::find_if(calls.begin(), calls.end(), readsTangent);
    for (auto at = first; at != calls.end(); ++at)
        place(*at);
    // Gradients that no tangent enters are left.
    for (ir::NodeId id : calls)
        place(id);
    return order;
}

class Extractor {
public:
    Extractor(const JointInfo& info, std::string name)
        : info_(info), map_(info.graph.idLimit()), result_(std::move(name)) {
        result_.shapes = info.graph.shapes;
    }

    void addInput(ir::NodeId id) {
        ir::Node input = info_.graph.node(id);
        if (input.kind != ir::NodeKind::Placeholder) {
            input.kind = ir::NodeKind::Placeholder;
            input.inputSource = "saved " + input.name;
            input.op.clear();
            input.args.clear();
        }
        copy(input);
    }
    void addCall(ir::NodeId id) { copy(info_.graph.node(id)); }
    void addOutput(ir::NodeId id, std::string name) {
        result_.outputs.push_back(id.valid() ? map_[id.index] : id);
        result_.outputNames.push_back(std::move(name));
    }
    ir::Graph take() { return std::move(result_); }

private:
    void copy(const ir::Node& node) {
        base::tick();
        ir::NodeId made =
            result_.addCopy(node, [&](ir::NodeId input) { return map_[input.index]; });
        result_.node(made).from = {node.id};
        map_[node.id.index] = made;
    }

    const JointInfo& info_;
    std::vector<ir::NodeId> map_; ///< joint id -> id in the result
    ir::Graph result_;
};

std::string outputName(const JointInfo& info, size_t position) {
    const auto& names = info.graph.outputNames;
    return position < names.size() ? names[position] : fmt::format("output {}", position);
}

ir::Graph extractForward(const JointInfo& info, const std::vector<ir::NodeId>& saved) {
    std::vector<ir::NodeId> outputs = info.forwardOutputs;
    outputs.insert(outputs.end(), saved.begin(), saved.end());
    std::vector<bool> needed = neededFor(info.graph, asTable(info.graph, info.primals), outputs);
    std::vector<ir::NodeId> calls;
    for (ir::NodeId id : info.graph.order())
        if (needed[id.index] && info.graph.node(id).kind != ir::NodeKind::Placeholder)
            calls.push_back(id);

    Extractor forward(info, "forward");
    for (ir::NodeId id : info.primals)
        forward.addInput(id);
    for (ir::NodeId id : withRaisedGetitems(info, calls))
        forward.addCall(id);
    for (size_t k = 0; k < info.forwardOutputs.size(); ++k)
        forward.addOutput(info.forwardOutputs[k], outputName(info, k));
    for (ir::NodeId id : saved)
        forward.addOutput(id, "saved " + info.graph.node(id).name);
    return forward.take();
}

} // namespace

base::Result<Extracted> extractGraphs(const JointInfo& info, std::vector<ir::NodeId> saved) {
    const ir::Graph& graph = info.graph;
    std::vector<ir::NodeId> inputs = saved;
    inputs.insert(inputs.end(), info.tangents.begin(), info.tangents.end());
    std::vector<bool> isInput = asTable(graph, inputs);
    std::vector<bool> needed = neededFor(graph, isInput, info.gradients);
    std::erase_if(saved, [&](ir::NodeId id) { return !needed[id.index]; });

    std::vector<ir::NodeId> calls;
    for (ir::NodeId id : graph.order()) {
        if (!needed[id.index] || isInput[id.index]) continue;
        if (graph.node(id).kind == ir::NodeKind::Placeholder)
            return base::bugError(fmt::format("the backward graph needs {}, which is not saved",
                                              graph.node(id).name));
        calls.push_back(id);
    }

    Extracted result;
    Extractor backward(info, "backward");
    for (ir::NodeId id : saved)
        backward.addInput(id);
    for (ir::NodeId id : info.tangents)
        backward.addInput(id);
    for (ir::NodeId id : withRaisedGetitems(info, inAutogradOrder(info, calls)))
        backward.addCall(id);
    for (size_t k = 0; k < info.gradients.size(); ++k)
        backward.addOutput(info.gradients[k], outputName(info, info.forwardOutputs.size() + k));
    result.backward = backward.take();

    result.forward = extractForward(info, saved);
    for (ir::NodeId id : calls)
        if (info.requiredForward[id.index] && graph.node(id).kind == ir::NodeKind::Call)
            result.recomputed.push_back(id);
    result.saved = std::move(saved);
    return result;
}

} // namespace cutaway::partition
