// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reference.h"

#include "core/ops/reference_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::HostTensor;
using ir::NodeId;

base::Location locationOf(const ir::Node& node) {
    return node.source && !node.source->empty() ? node.source->back().where : base::Location{};
}

class Evaluator {
public:
    Evaluator(const ir::Graph& graph, DType defaultDType)
        : graph_(graph), defaultDType_(defaultDType), values_(graph.idLimit()),
          uses_(graph.idLimit()) {}

    base::Result<std::vector<HostTensor>> run(std::span<const HostTensor> inputs) {
        countUses();
        size_t next = 0;
        for (NodeId id : graph_.order()) {
            const ir::Node& node = graph_.node(id);
            if (node.kind == ir::NodeKind::Placeholder)
                CUTAWAY_CHECK(input(node, inputs, next++));
            else if (node.kind == ir::NodeKind::Constant)
                values_[id.index] = oneValue(*node.constant);
            else if (uses_[id.index] > 0)
                CUTAWAY_CHECK(call(node));
        }
        std::vector<HostTensor> outputs;
        for (NodeId id : graph_.outputs)
            outputs.push_back(id.valid() ? values_[id.index].front()
                                         : HostTensor::zeros(DType::Float32, {0}));
        return outputs;
    }

private:
    /// Uses by live nodes and outputs; a value is dropped after its last use.
    void countUses() {
        for (NodeId id : graph_.outputs)
            if (id.valid()) ++uses_[id.index];
        for (size_t i = graph_.order().size(); i-- > 0;) {
            NodeId id = graph_.order()[i];
            if (uses_[id.index] > 0)
                ir::forEachNode(graph_.node(id).args, [&](NodeId arg) { ++uses_[arg.index]; });
        }
    }

    base::Status input(const ir::Node& node, std::span<const HostTensor> inputs, size_t index) {
        if (index >= inputs.size())
            return base::userError({}, fmt::format("expected a value for input {}, found {} values",
                                                   node.name, inputs.size()));
        const HostTensor& value = inputs[index];
        if (value.dtype != node.type().dtype || value.sizes != ir::constants(node.type().sizes))
            return base::userError({}, fmt::format("input {}: expected {}, found {}", node.name,
                                                   node.type().str(), value.type().str()));
        values_[node.id.index] = oneValue(value);
        return {};
    }

    base::Status call(const ir::Node& node) {
        std::vector<const HostTensor*> tensors;
        ir::forEachNode(node.args,
                        [&](NodeId id) { tensors.push_back(&values_[id.index].front()); });
        if (node.op == "getitem") {
            auto index = static_cast<size_t>(std::get<ir::Sym>(node.args[1]).constant());
            values_[node.id.index] = oneValue(values_[node.args[0].node()->index][index]);
        } else {
            CUTAWAY_CHECK(reference(node, tensors));
        }
        ir::forEachNode(node.args, [&](NodeId id) {
            if (--uses_[id.index] == 0) values_[id.index].clear();
        });
        return {};
    }

    base::Status reference(const ir::Node& node, std::span<const HostTensor* const> tensors) {
        const OpDef* def = catalogue().find(node.op);
        if (!def) return base::bugError(fmt::format("unknown operation '{}'", node.op));
        if (!def->reference)
            return base::userError(
                locationOf(node),
                fmt::format("{}: random values have no reference", def->parsed.base));
        OpCall call(*def, node.args, graph_);
        call.defaultDType = defaultDType_;
        std::vector<HostTensor> results = def->reference(call, tensors);
        if (results.size() != node.types.size())
            return base::bugError(fmt::format("{}: reference gives {} results, expected {}",
                                              node.op, results.size(), node.types.size()));
        for (size_t i = 0; i < results.size(); ++i)
            if (results[i].dtype != node.types[i].dtype ||
                results[i].sizes != ir::constants(node.types[i].sizes))
                return base::bugError(fmt::format("{}: reference gives {}, the shape rule {}",
                                                  node.op, results[i].type().str(),
                                                  node.types[i].str()));
        values_[node.id.index] = std::move(results);
        return {};
    }

    const ir::Graph& graph_;
    DType defaultDType_;
    std::vector<std::vector<HostTensor>> values_;
    std::vector<int> uses_;
};

void promoteArgs(ir::ArgList& args) {
    for (ir::Arg& arg : args) {
        if (auto dtype = std::get_if<DType>(&arg); dtype && *dtype == DType::Float32)
            *dtype = DType::Float64;
        if (auto list = std::get_if<ir::ArgList>(&arg)) promoteArgs(*list);
    }
}

} // namespace

base::Result<std::vector<HostTensor>> evaluate(const ir::Graph& graph,
                                               std::span<const HostTensor> inputs) {
    return Evaluator(graph, DType::Float32).run(inputs);
}

ir::Graph promotedToDouble(const ir::Graph& graph) {
    ir::Graph copy = graph.clone();
    for (NodeId id : copy.order()) {
        ir::Node& node = copy.node(id);
        promoteArgs(node.args);
        for (ir::TensorType& type : node.types)
            if (type.dtype == DType::Float32) type.dtype = DType::Float64;
        if (node.constant && node.constant->dtype == DType::Float32)
            node.constant =
                std::make_shared<const HostTensor>(converted(*node.constant, DType::Float64));
    }
    return copy;
}

base::Result<std::vector<HostTensor>> evaluateDouble(const ir::Graph& graph,
                                                     std::span<const HostTensor> inputs) {
    std::vector<HostTensor> promoted;
    for (const HostTensor& input : inputs)
        promoted.push_back(input.dtype == DType::Float32 ? converted(input, DType::Float64)
                                                         : input);
    ir::Graph copy = promotedToDouble(graph);
    return Evaluator(copy, DType::Float64).run(promoted);
}

} // namespace cutaway::ops
