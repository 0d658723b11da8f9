// SPDX-License-Identifier: Apache-2.0
// The tape of the eager world: what a call leaves on it, and the way back.
#include "core/backend/eager_prepared.h"

#include "core/backend/call_key.h"
#include "core/capture/call_observer.h"
#include "core/capture/call_timer.h"
#include "core/ops/builder.h"
#include "core/ops/gradients.h"
#include "core/ops/rule_guard.h"
#include "core/passes/decompose.h"
#include "core/passes/remove_dead.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::backend {

namespace {

/// By placeholder: whether anything depends on its values (zeros_like reads the type alone).
std::vector<bool> valuesRead(const ir::Graph& graph) {
    std::vector<bool> read(graph.idLimit());
    for (ir::NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        const ops::OpDef* def = ops::catalogue().find(node.op);
        if (def && def->traits.ignoresValues) continue;
        for (ir::NodeId input : ir::inputNodes(node.args))
            read[input.index] = true;
    }
    for (ir::NodeId output : graph.outputs)
        if (output.valid()) read[output.index] = true;
    std::vector<bool> reads;
    for (ir::NodeId id : graph.placeholders())
        reads.push_back(read[id.index]);
    return reads;
}

/// The same of the operations that \p graph's consist of: batch norm takes running statistics when
/// it trains, too, and does not look at them.
base::Result<std::vector<bool>> valuesReadByParts(const ir::Graph& graph) {
    ir::Graph parts = graph.clone();
    CUTAWAY_CHECK(passes::decomposeAfterAutograd(parts));
    CUTAWAY_CHECK(passes::removeDead(parts));
    return valuesRead(parts);
}

/// Whether one of the first \p count values is read.
bool readsAny(const std::vector<bool>& reads, size_t count) {
    return std::find(reads.begin(), reads.begin() + static_cast<std::ptrdiff_t>(count), true) !=
           reads.begin() + static_cast<std::ptrdiff_t>(count);
}

/// The tape's node of an operation that cannot be differentiated: tells so when it is reached.
struct Refusal : runtime::GradFunction {
    std::string operation, why;
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>&) override {
        return base::userError(
            {}, fmt::format("derivative for aten::{} is not implemented: {}", operation, why),
            "detach() its argument if no gradient is to pass");
    }
    base::Result<std::vector<TensorPtr>>
    applyRecorded(const std::vector<TensorPtr>& gradOutputs) override {
        return apply(gradOutputs);
    }
};

/// The tape's node of a gradient that was computed of values without a slope in them (relu's: which
/// of them are positive): its own derivatives are zeros, not none.
struct FlatGradient : runtime::GradFunction {
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>&) override {
        std::vector<TensorPtr> zeros;
        for (const TensorPtr& input : inputs) {
            const auto host =
                ir::HostTensor::zeros(input->type.dtype, ir::constants(input->type.sizes));
            CUTAWAY_TRY(TensorPtr zero, runtime::fromHost(host, input->type.device));
            zeros.push_back(std::move(zero));
        }
        return zeros;
    }
    base::Result<std::vector<TensorPtr>>
    applyRecorded(const std::vector<TensorPtr>& gradOutputs) override {
        return apply(gradOutputs);
    }
};

void recordRefusal(const ops::OpDef& def, std::string_view why, std::span<const TensorPtr> tensors,
                   std::vector<TensorPtr>& results) {
    auto entry = std::make_shared<Refusal>();
    entry->name = "NotImplemented";
    entry->operation = def.parsed.base;
    entry->why = why;
    for (const TensorPtr& tensor : tensors)
        entry->inputs.push_back(runtime::gradEdge(tensor));
    for (size_t i = 0; i < results.size(); ++i) {
        entry->outputTypes.push_back(results[i]->type);
        if (!ir::hasGradients(results[i]->type.dtype)) continue;
        results[i]->type.requiresGrad = true;
        results[i]->gradFunction = entry;
        results[i]->gradOutput = static_cast<int>(i);
    }
}

/// Gradients that no tape leads back from, though they were computed of \p values that require one.
void recordFlat(const std::vector<bool>& reads, const std::vector<TensorPtr>& values,
                std::vector<TensorPtr>& gradients) {
    auto entry = std::make_shared<FlatGradient>();
    entry->name = "FlatBackward0";
    for (size_t i = 0; i < values.size(); ++i)
        if (reads[i] && values[i]->type.requiresGrad)
            entry->inputs.push_back(runtime::gradEdge(values[i]));
    if (entry->inputs.empty()) return;
    for (TensorPtr& gradient : gradients) {
        if (!gradient || gradient->type.requiresGrad || !ir::hasGradients(gradient->type.dtype))
            continue;
        gradient = valueOf(gradient);
        gradient->type.requiresGrad = true;
        gradient->gradFunction = entry;
        gradient->gradOutput = static_cast<int>(entry->outputTypes.size());
        entry->outputTypes.push_back(gradient->type);
    }
}

} // namespace

base::Status EagerRunner::recordOnTape(const PreparedPtr& prepared,
                                       std::span<const TensorPtr> tensors, const ir::ArgList& args,
                                       size_t numbers, std::vector<TensorPtr>& results) {
    if (ops::cutsGradient(*prepared->def)) return {};
    if (const auto* none = std::get_if<ops::NotDifferentiable>(&prepared->def->gradient)) {
        recordRefusal(*prepared->def, none->why, tensors, results);
        return {};
    }
    if (!std::holds_alternative<ops::VjpRule>(prepared->def->gradient)) return {};
    auto entry = std::make_shared<TapeEntry>();
    entry->name = ops::gradientName(*prepared->def);
    entry->runner = this;
    entry->forward = prepared;
    entry->numbers = numbers;
    if (numbers > 0) entry->args = args;
    for (const TensorPtr& tensor : tensors) {
        entry->tensors.push_back(valueOf(tensor));
        entry->origins.push_back(tensor);
        entry->inputs.push_back(runtime::gradEdge(tensor));
        entry->versions.push_back(tensor->version());
    }
    for (size_t i = 0; i < results.size(); ++i) {
        entry->outputTypes.push_back(results[i]->type);
        entry->resultStorage.push_back(results[i]->storage);
        entry->versions.push_back(results[i]->storage->version);
        entry->resultOffsets.push_back(results[i]->offset);
        const bool statistic = i > 0 && prepared->def->traits.oneGradient;
        if (!ir::hasGradients(results[i]->type.dtype) || statistic) continue;
        results[i]->type.requiresGrad = true;
        results[i]->gradFunction = entry;
        results[i]->gradOutput = static_cast<int>(i);
    }
    return savedHooks_ ? pack(*entry) : base::Status();
}

base::Result<EagerRunner::PreparedPtr>
EagerRunner::prepareBackward(TapeEntry& entry, const std::vector<TensorPtr>& gradOutputs) {
    const Prepared& forward = *entry.forward;
    // Not by the entry's name, which may be that of what it is the last part of.
    std::string key = callKey("backward of " + forward.def->name(),
                              forward.graph.node(forward.call).args, entry.tensors);
    for (const TensorPtr& gradient : gradOutputs)
        addToKey(key, gradient);
    for (const TensorPtr& input : entry.inputs)
        key += input ? '1' : '0';
    auto known = prepared_.find(key);
    if (known != prepared_.end() && known->second) return known->second;
    if (known == prepared_.end()) {
        base::Result<PreparedPtr> prepared = newBackward(entry, gradOutputs, key);
        if (prepared.ok() || entry.numbers == 0) return prepared;
        prepared_[key] = nullptr; // the rule reads a number
    }
    CUTAWAY_CHECK(entry.putNumbersIn());
    return prepareBackward(entry, gradOutputs);
}

base::Result<EagerRunner::PreparedPtr>
EagerRunner::newBackward(const TapeEntry& entry, const std::vector<TensorPtr>& gradOutputs,
                         const std::string& key) {
    std::vector<int> gradientOutputs;
    CUTAWAY_TRY(ir::Graph graph, backwardGraph(entry, gradOutputs, gradientOutputs));
    CUTAWAY_TRY(PreparedPtr prepared, prepareGraph(std::move(graph)));
    prepared->gradientOutputs = std::move(gradientOutputs);
    prepared->reads = valuesRead(prepared->graph);
    prepared_[key] = prepared;
    return prepared;
}

base::Status EagerRunner::TapeEntry::putNumbersIn() {
    if (numbers == 0) return {};
    const size_t count = tensors.size() - numbers;
    tensors.resize(count);
    inputs.resize(count);
    versions.erase(versions.begin() + static_cast<std::ptrdiff_t>(count),
                   versions.begin() + static_cast<std::ptrdiff_t>(count + numbers));
    numbers = 0;
    CUTAWAY_TRY(forward, runner->written(*forward->def, args, tensors));
    return {};
}

base::Result<ir::Graph> EagerRunner::backwardGraph(const TapeEntry& entry,
                                                   const std::vector<TensorPtr>& gradOutputs,
                                                   std::vector<int>& gradientOutputs) {
    const Prepared& forward = *entry.forward;
    ir::Graph graph = forward.graph.clone();
    graph.graphName = "eager_backward";
    std::vector<ir::NodeId> primals = graph.placeholders(), results, gradients;
    for (size_t i = 0; i < entry.outputTypes.size(); ++i)
        results.push_back(graph.addPlaceholder(fmt::format("result{}", i), entry.outputTypes[i]));
    for (size_t i = 0; i < gradOutputs.size(); ++i)
        gradients.push_back(
            gradOutputs[i] ? graph.addPlaceholder(fmt::format("grad{}", i), gradOutputs[i]->type)
                           : ir::NodeId());
    ops::Builder builder(graph);
    builder.wantsGradient = [&](ir::NodeId id) {
        const auto at = std::find(primals.begin(), primals.end(), id);
        return at != primals.end() && entry.inputs[static_cast<size_t>(at - primals.begin())];
    };
    auto vjp = std::get<ops::VjpRule>(forward.def->gradient);
    CUTAWAY_TRY(std::vector<ir::NodeId> byArgument,
                ops::guardGradient(
                    forward.def->name(), nullptr, [&]() -> base::Result<std::vector<ir::NodeId>> {
                        return ops::gradientsOf(vjp, builder, forward.call, gradients);
                    }));

    // The forward's results are inputs here; the call itself goes away.
    const ir::Node& call = graph.node(forward.call);
    std::vector<ir::NodeId> replacement(graph.idLimit());
    for (ir::NodeId id : graph.order())
        replacement[id.index] = id;
    if (!call.tuple) replacement[call.id.index] = results[0];
    for (ir::NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        if (node.op == "getitem" && *node.args[0].node() == call.id)
            replacement[id.index] =
                results[static_cast<size_t>(std::get<ir::Sym>(node.args[1]).constant())];
    }
    auto map = [&](ir::NodeId id) { return replacement[id.index]; };
    for (ir::NodeId id : graph.order())
        if (graph.node(id).op != "getitem") ir::rewriteNodes(graph.node(id).args, map);

    gradientOutputs.assign(entry.tensors.size(), -1);
    const std::vector<const ir::NodeId*> arguments = ops::gradientTargets(call.args);
    for (size_t i = 0; i < byArgument.size() && i < arguments.size(); ++i) {
        const ir::NodeId* argument = arguments[i];
        if (!argument) continue;
        auto at = std::find(primals.begin(), primals.end(), *argument);
        auto tensor = static_cast<size_t>(at - primals.begin());
        if (!byArgument[i].valid() || tensor >= primals.size() || !entry.inputs[tensor]) continue;
        gradientOutputs[tensor] = static_cast<int>(graph.outputs.size());
        graph.outputs.push_back(map(byArgument[i]));
    }
    CUTAWAY_CHECK(passes::removeDead(graph));
    return graph;
}

/// Of the i-th saved value: an operand, or behind them a result of this very function.
runtime::Producer EagerRunner::TapeEntry::producerOf(size_t i) const {
    if (i < tensors.size()) return runtime::Producer::of(inputs[i]);
    return {this, static_cast<int>(i - tensors.size())};
}

base::Status EagerRunner::TapeEntry::checkSaved(const Prepared& backward,
                                                const std::vector<TensorPtr>& saved) const {
    for (size_t i = 0; i < saved.size(); ++i)
        if (backward.reads[i] && lost.contains(i))
            return lost.at(i);
        else if (backward.reads[i] && !packed.contains(i))
            CUTAWAY_CHECK(runtime::checkUnchanged(*this, *saved[i], versions[i], producerOf(i)));
    return {};
}

void EagerRunner::TapeEntry::saveBeside(const ops::SavedValues& saved, const ir::ArgList& args,
                                        std::span<const TensorPtr> given,
                                        const std::vector<TensorPtr>& results) {
    for (size_t at : saved.arguments) {
        const ir::NodeId* tensor = at < args.size() ? args[at].node() : nullptr;
        if (!tensor) continue;
        const TensorPtr& of = given[tensor->index];
        beside.push_back({valueOf(of), runtime::gradEdge(of), -1, of->version()});
    }
    if (saved.result)
        for (size_t i = 0; i < results.size(); ++i)
            beside.push_back(
                {valueOf(results[i]), nullptr, static_cast<int>(i), results[i]->storage->version});
}

base::Status EagerRunner::TapeEntry::checkBeside() const {
    for (const SavedBeside& saved : beside)
        CUTAWAY_CHECK(runtime::checkUnchanged(*this, *saved.value, saved.version,
                                              saved.output < 0
                                                  ? runtime::Producer::of(saved.edge)
                                                  : runtime::Producer{this, saved.output}));
    return {};
}

void EagerRunner::TapeEntry::countEarlierWrites(uint32_t writes) {
    for (size_t i = 0; i < resultStorage.size(); ++i)
        versions[tensors.size() + i] += writes;
    for (SavedBeside& saved : beside)
        if (saved.output >= 0) saved.version += writes;
}

void EagerRunner::TapeEntry::drop(size_t i) {
    if (i >= tensors.size()) {
        resultStorage[i - tensors.size()] = nullptr;
        return;
    }
    auto typeOnly = std::make_shared<runtime::Tensor>();
    typeOnly->type = tensors[i]->type;
    tensors[i] = std::move(typeOnly);
}

void EagerRunner::TapeEntry::unpack() {
    for (const auto& [i, kept] : packed) {
        const TensorPtr value = hooks->unpack(kept);
        if (i < tensors.size()) {
            tensors[i] = valueOf(value);
        } else {
            resultStorage[i - tensors.size()] = value->storage;
            resultOffsets[i - tensors.size()] = value->offset;
        }
    }
}

/// Gives what the gradients read to the hooks.
base::Status EagerRunner::pack(TapeEntry& entry) {
    entry.hooks = savedHooks_;
    std::vector<TensorPtr> gradients; // their types
    for (const ir::TensorType& type : entry.outputTypes) {
        gradients.push_back(nullptr);
        if (!ir::hasGradients(type.dtype)) continue;
        gradients.back() = std::make_shared<runtime::Tensor>();
        gradients.back()->type = type;
        gradients.back()->type.requiresGrad = false;
    }
    std::vector<int> outputs;
    CUTAWAY_TRY(const ir::Graph graph, backwardGraph(entry, gradients, outputs));
    const std::vector<bool> reads = valuesRead(graph);
    const size_t count = entry.tensors.size();
    for (size_t i = 0; i < count + entry.resultStorage.size(); ++i) {
        if (!reads[i] || (i < count && i >= count - entry.numbers)) continue;
        TensorPtr value;
        if (i < count) {
            value = valueOf(entry.tensors[i]);
        } else {
            value = std::make_shared<runtime::Tensor>();
            value->type = entry.outputTypes[i - count];
            value->type.requiresGrad = false;
            value->storage = entry.resultStorage[i - count];
            value->offset = entry.resultOffsets[i - count];
        }
        entry.packed[i] = savedHooks_->pack(value);
        entry.drop(i);
    }
    return {};
}

void EagerRunner::TapeEntry::followData() {
    for (size_t i = 0; i < tensors.size(); ++i)
        if (base::Status followed = runtime::followData(tensors[i], versions[i], origins[i]);
            !followed.ok())
            lost.insert_or_assign(i, followed.error());
}

base::Status EagerRunner::TapeEntry::putMemoryIn() {
    unpack();
    for (TensorPtr& tensor : tensors) {
        if (tensor->storage) continue;
        CUTAWAY_TRY(tensor, runtime::emptyTensor(tensor->type));
    }
    for (size_t i = 0; i < resultStorage.size(); ++i) {
        if (resultStorage[i]) continue;
        CUTAWAY_TRY(TensorPtr result, runtime::emptyTensor(outputTypes[i]));
        resultStorage[i] = result->storage;
        resultOffsets[i] = result->offset;
    }
    return {};
}

base::Result<std::vector<TensorPtr>>
EagerRunner::TapeEntry::apply(const std::vector<TensorPtr>& gradOutputs) {
    const capture::CallTimer::Stretch timed("autograd::engine::evaluate_function: ", name);
    CUTAWAY_CHECK(checkBeside());
    // Somebody watches, or no kernel does it: one operation at a time.
    const bool complex = ir::isComplex(outputTypes[0].dtype) ||
                         (!tensors.empty() && ir::isComplex(tensors[0]->type.dtype));
    // On a CPU, 16 bits are rounded after each step of a formula, as PyTorch's are.
    const bool rounds =
        ir::isHalf(outputTypes[0].dtype) && !outputTypes[0].device.isCuda() && packed.empty();
    if (capture::CallObserver::current() || forward->copy || complex || rounds)
        return oneByOne(gradOutputs, false);
    followData();
    CUTAWAY_CHECK(putMemoryIn());
    CUTAWAY_TRY(PreparedPtr prepared, runner->prepareBackward(*this, gradOutputs));
    std::vector<TensorPtr> values = tensors;
    for (size_t i = 0; i < outputTypes.size(); ++i) {
        auto result = std::make_shared<runtime::Tensor>();
        result->type = outputTypes[i];
        result->storage = resultStorage[i];
        result->offset = resultOffsets[i];
        values.push_back(std::move(result));
    }
    CUTAWAY_CHECK(checkSaved(*prepared, values));
    for (const auto& [i, kept] : packed)
        drop(i);
    saves = readsAny(prepared->reads, values.size());
    for (const TensorPtr& gradient : gradOutputs)
        if (gradient) values.push_back(gradient);
    CUTAWAY_TRY(std::vector<TensorPtr> outputs, runner->launch(*prepared, values));
    std::vector<TensorPtr> gradients(tensors.size());
    for (size_t i = 0; i < gradients.size(); ++i)
        if (prepared->gradientOutputs[i] >= 0)
            gradients[i] = outputs[static_cast<size_t>(prepared->gradientOutputs[i])];
    return gradients;
}

/// What a call took and gave, as the tape knows it: the gradients are operations on these.
base::Result<std::vector<TensorPtr>>
EagerRunner::TapeEntry::oneByOne(const std::vector<TensorPtr>& gradOutputs, bool record) {
    CUTAWAY_CHECK(checkBeside());
    CUTAWAY_CHECK(putNumbersIn());
    followData();
    CUTAWAY_CHECK(putMemoryIn());
    std::vector<int> outputs;
    CUTAWAY_TRY(ir::Graph graph, runner->backwardGraph(*this, gradOutputs, outputs));
    std::vector<TensorPtr> values;
    for (size_t i = 0; i < tensors.size(); ++i) {
        TensorPtr value = valueOf(tensors[i]);
        value->type.requiresGrad = inputs[i] != nullptr;
        if (inputs[i]) {
            value->gradFunction = inputs[i]->gradFunction;
            value->gradOutput = inputs[i]->gradOutput;
        }
        // A leaf stands for itself: its gradient goes where it is asked for.
        values.push_back(inputs[i] && inputs[i]->isLeaf() ? inputs[i] : std::move(value));
    }
    for (size_t i = 0; i < outputTypes.size(); ++i) {
        auto result = std::make_shared<runtime::Tensor>();
        result->type = outputTypes[i];
        result->storage = resultStorage[i];
        result->offset = resultOffsets[i];
        if (ir::hasGradients(result->type.dtype)) {
            result->type.requiresGrad = true;
            result->gradFunction = shared_from_this();
            result->gradOutput = static_cast<int>(i);
        }
        values.push_back(std::move(result));
    }
    const std::vector<bool> reads = valuesRead(graph);
    std::optional<std::vector<bool>> parts;
    for (size_t i = 0; i < values.size(); ++i) {
        if (reads[i] && lost.contains(i)) return lost.at(i);
        if (!reads[i] || packed.contains(i)) continue;
        base::Status same = runtime::checkUnchanged(*this, *values[i], versions[i], producerOf(i));
        if (same.ok()) continue;
        if (!parts) {
            CUTAWAY_TRY(parts, valuesReadByParts(graph));
        }
        if ((*parts)[i]) return same.error();
    }
    saves = readsAny(reads, values.size());
    // Statistics that the forward call saved carry no gradient; what is differentiated again
    // depends on them: they are computed anew, operation by operation.
    if (record && forward->def->traits.oneGradient &&
        std::holds_alternative<ops::Decompose>(forward->def->lowering)) {
        const ir::Node& call = forward->graph.node(forward->call);
        const std::span<const TensorPtr> forwardInputs(values.data(), tensors.size());
        CUTAWAY_TRY(PreparedPtr parts,
                    runner->prepare(*forward->def, call.args, forwardInputs, Parts::Apart));
        CUTAWAY_TRY(std::vector<TensorPtr> anew,
                    runOneByOne(parts->graph, *runner, forwardInputs, true));
        for (size_t i = 1; i < anew.size(); ++i)
            values[tensors.size() + i] = anew[i];
    }
    for (const TensorPtr& gradient : gradOutputs)
        if (gradient) values.push_back(gradient);
    CUTAWAY_TRY(std::vector<TensorPtr> results, runOneByOne(graph, *runner, values, record));
    std::vector<TensorPtr> gradients(tensors.size());
    for (size_t i = 0; i < gradients.size(); ++i)
        if (outputs[i] >= 0) gradients[i] = results[static_cast<size_t>(outputs[i])];
    if (record) recordFlat(reads, values, gradients);
    return gradients;
}

base::Result<std::vector<TensorPtr>>
EagerRunner::backward(const runtime::BackwardRequest& request) {
    runtime::GradientArithmetic arithmetic;
    arithmetic.add = [this, record = request.record](
                         const TensorPtr& a, const TensorPtr& b) -> base::Result<TensorPtr> {
        if (!ir::isComplex(a->type.dtype))
            return call("add.Tensor", {ir::NodeId(0), ir::NodeId(1)}, {a, b}, record);
        CUTAWAY_TRY(TensorPtr x, call("view_as_real", {ir::NodeId(0)}, {a}, record));
        CUTAWAY_TRY(TensorPtr y, call("view_as_real", {ir::NodeId(0)}, {b}, record));
        CUTAWAY_TRY(TensorPtr sum,
                    call("add.Tensor", {ir::NodeId(0), ir::NodeId(1)}, {x, y}, record));
        CUTAWAY_TRY(sum, call("contiguous", {ir::NodeId(0)}, {sum}, record));
        return call("view_as_complex", {ir::NodeId(0)}, {sum}, record);
    };
    arithmetic.full = [](const ir::TensorType& type, double value) -> base::Result<TensorPtr> {
        // One element seen through zero strides: no memory traffic.
        CUTAWAY_TRY(TensorPtr one,
                    runtime::fromHost(ir::HostTensor::scalar(type.dtype, value), type.device));
        return runtime::viewOf(one, type.sizes, ir::Shape(type.rank(), ir::Sym(0)), 0);
    };
    return runtime::backward(request, arithmetic);
}

} // namespace cutaway::backend
