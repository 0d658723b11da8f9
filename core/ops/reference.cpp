// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reference.h"

#include "core/base/tick.h"
#include "core/kernel/scalar_eval.h"
#include "core/ops/bits_view.h"
#include "core/ops/reference_tools.h"

#include <bit>
#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::HostTensor;
using ir::NodeId;

base::Location locationOf(const ir::Node& node) {
    return node.source && !node.source->empty() ? node.source->back().where : base::Location{};
}

/// Rounds values held in double to another dtype, at random but equal ones equally.
class Rounding {
public:
    explicit Rounding(uint64_t sample) : sample_(sample) {}

    /// Elements that \p dtype does not hold exactly get one of its values within two of its units.
    void round(HostTensor& tensor, DType dtype) const {
        if (tensor.dtype != DType::Float64) return;
        // Of a float64 with few digits, too, no rounding is to be seen: a whole number stays one.
        const DType digits = dtype == DType::Float64 ? DType::Float32 : dtype;
        for (double& value : tensor.as<double>()) {
            if (value == toDType(value, digits)) continue;
            value = toDType(value * noise(value, dtype), dtype);
        }
    }
    /// Elements are changed by about a unit whether exact or not, equal ones unequally: what an
    /// operation that rounds inside (a sum) does to its result.
    HostTensor disturbed(HostTensor tensor, DType dtype) const {
        if (tensor.dtype == DType::Float64)
            for (uint64_t place = 1; double& value : tensor.as<double>())
                value *= noise(value, dtype, place++);
        return tensor;
    }

private:
    static double toDType(double value, DType dtype) {
        return ir::isFloating(dtype) ? kernel::scalarOf(dtype, value).real : value;
    }
    /// 1 + u, |u| at most two units of the dtype, a function of value and place (splitmix64).
    double noise(double value, DType dtype, uint64_t place = 0) const {
        uint64_t bits = std::bit_cast<uint64_t>(value) + sample_ * 0x9e3779b97f4a7c15 +
                        place * 0xd1b54a32d192ed03;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
        const double unit = ir::isFloating(dtype) ? ir::floatLimits(dtype).eps : 0x1p-52;
        return 1 + unit * (static_cast<double>(bits >> 11) * 0x1p-51 - 2);
    }

    uint64_t sample_;
};

/// Whether the operation adds or multiplies many elements on the way to one.
bool accumulates(const OpDef& def) {
    if (def.isView() || def.isPointwise() || std::holds_alternative<Indexed>(def.lowering))
        return false;
    const auto* reduction = std::get_if<Reduction>(&def.lowering);
    return !reduction || reduction->op == kernel::ReduceOp::Sum ||
           reduction->op == kernel::ReduceOp::Prod;
}

class Evaluator {
public:
    /// \param rounded null, or the graph in its own dtypes that \p rounding rounds to
    Evaluator(const ir::Graph& graph, DType defaultDType, const ir::Graph* rounded = nullptr,
              Rounding rounding = Rounding(0))
        : graph_(graph), defaultDType_(defaultDType), rounded_(rounded), rounding_(rounding),
          values_(graph.idLimit()), uses_(graph.idLimit()) {}

    void know(const std::map<uint32_t, HostTensor>& values) { known_ = &values; }
    base::Result<std::vector<HostTensor>> run(std::span<const HostTensor> inputs) {
        countUses();
        size_t next = 0;
        for (NodeId id : graph_.order()) {
            const ir::Node& node = graph_.node(id);
            if (node.kind == ir::NodeKind::Placeholder)
                CUTAWAY_CHECK(input(node, inputs, next++));
            else if (node.kind == ir::NodeKind::Constant)
                values_[id.index] = oneValue(*node.constant);
            else if (known_ && known_->contains(id.index))
                values_[id.index] = oneValue(known_->at(id.index));
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
        base::tick();
        const OpDef* def = catalogue().find(node.op);
        if (!def) return base::bugError(fmt::format("unknown operation '{}'", node.op));
        if (!def->reference)
            return base::userError(
                locationOf(node),
                fmt::format("{}: random values have no reference", def->parsed.base));
        OpCall call(*def, node.args, graph_);
        call.defaultDType = defaultDType_;
        std::vector<HostTensor> results = rounded_ && accumulates(*def)
                                              ? ofDisturbed(call, node, tensors)
                                              : def->reference(call, tensors);
        if (results.size() != node.types.size())
            return base::bugError(fmt::format("{}: reference gives {} results, expected {}",
                                              node.op, results.size(), node.types.size()));
        for (size_t i = 0; i < results.size(); ++i)
            if (results[i].dtype != node.types[i].dtype ||
                results[i].sizes != ir::constants(node.types[i].sizes))
                return base::bugError(fmt::format("{}: reference gives {}, the shape rule {}",
                                                  node.op, results[i].type().str(),
                                                  node.types[i].str()));
        if (rounded_ && !def->isView())
            for (size_t i = 0; i < results.size(); ++i)
                rounding_.round(results[i], rounded_->node(node.id).types[i].dtype);
        values_[node.id.index] = std::move(results);
        return {};
    }

    std::vector<HostTensor> ofDisturbed(const OpCall& call, const ir::Node& node,
                                        std::span<const HostTensor* const> tensors) const {
        std::vector<HostTensor> disturbed;
        std::vector<const HostTensor*> pointers;
        ir::forEachNode(node.args, [&](NodeId id) {
            disturbed.push_back(
                rounding_.disturbed(*tensors[disturbed.size()], rounded_->node(id).type().dtype));
        });
        for (const HostTensor& tensor : disturbed)
            pointers.push_back(&tensor);
        return call.def.reference(call, pointers);
    }

    const ir::Graph& graph_;
    DType defaultDType_;
    const ir::Graph* rounded_;
    Rounding rounding_;
    const std::map<uint32_t, HostTensor>* known_ = nullptr;
    std::vector<std::vector<HostTensor>> values_;
    std::vector<int> uses_;
};

void promoteArgs(ir::ArgList& args) {
    for (ir::Arg& arg : args) {
        if (auto dtype = std::get_if<DType>(&arg); dtype && ir::isFloating(*dtype))
            *dtype = DType::Float64;
        if (auto list = std::get_if<ir::ArgList>(&arg)) promoteArgs(*list);
    }
}

} // namespace

base::Result<std::vector<HostTensor>> evaluate(const ir::Graph& graph,
                                               std::span<const HostTensor> inputs) {
    return Evaluator(graph, DType::Float32).run(inputs);
}

base::Result<std::vector<HostTensor>> evaluateFrom(const std::map<uint32_t, HostTensor>& known,
                                                   const ir::Graph& graph,
                                                   std::span<const HostTensor> inputs) {
    Evaluator evaluator(graph, DType::Float32);
    evaluator.know(known);
    return evaluator.run(inputs);
}

ir::Graph promotedToDouble(const ir::Graph& graph) {
    ir::Graph copy = graph.clone();
    for (NodeId id : copy.order()) {
        ir::Node& node = copy.node(id);
        const OpDef* def = node.kind == ir::NodeKind::Call ? catalogue().find(node.op) : nullptr;
        if (def && seesBits(*def)) // of numbers as they are in memory
            node.args.push_back(graph.node(*node.args[0].node()).type().dtype);
        else
            promoteArgs(node.args);
        for (ir::TensorType& type : node.types)
            if (ir::isFloating(type.dtype)) type.dtype = DType::Float64;
        if (node.constant && ir::isFloating(node.constant->dtype))
            node.constant =
                std::make_shared<const HostTensor>(converted(*node.constant, DType::Float64));
    }
    return copy;
}

static std::vector<HostTensor> promoted(std::span<const HostTensor> inputs) {
    std::vector<HostTensor> result;
    for (const HostTensor& input : inputs)
        result.push_back(ir::isFloating(input.dtype) ? converted(input, DType::Float64) : input);
    return result;
}

base::Result<std::vector<HostTensor>> evaluateDouble(const ir::Graph& graph,
                                                     std::span<const HostTensor> inputs) {
    return Evaluator(promotedToDouble(graph), DType::Float64).run(promoted(inputs));
}

base::Result<std::vector<HostTensor>>
evaluateRounded(const ir::Graph& graph, std::span<const HostTensor> inputs, uint64_t sample) {
    return Evaluator(promotedToDouble(graph), DType::Float64, &graph, Rounding(sample))
        .run(promoted(inputs));
}

} // namespace cutaway::ops
