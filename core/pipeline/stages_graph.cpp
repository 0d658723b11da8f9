// SPDX-License-Identifier: Apache-2.0
#include "core/ops/catalogue.h"
#include "core/ops/gradients.h"
#include "core/pipeline/compile.h"
#include "core/pipeline/pass_runner.h"
#include "core/pipeline/stages.h"

#include <algorithm>
#include <cstdlib>

namespace cutaway::pipeline {

/// Nodes of \p later refer to \p middle, whose nodes refer to an earlier graph: shortens the way.
static void skipStage(ir::Graph& later, const ir::Graph& middle) {
    for (ir::NodeId id : later.order()) {
        std::vector<ir::NodeId> from;
        for (ir::NodeId step : later.node(id).from)
            if (middle.contains(step))
                from.insert(from.end(), middle.node(step).from.begin(),
                            middle.node(step).from.end());
        std::sort(from.begin(), from.end());
        from.erase(std::unique(from.begin(), from.end()), from.end());
        later.node(id).from = std::move(from);
    }
}

base::Status runDecompose(StageContext& context) {
    context.simplified = beginStage(*context.captured);
    if (!context.gradMode) // then no parameter is trained
        for (ir::NodeId id : context.simplified.order())
            for (ir::TensorType& type : context.simplified.node(id).types)
                type.requiresGrad = false;
    return runPasses(PassPoint::Captured, context.simplified, context.options, context.passRuns());
}

bool wantsGradient(const StageContext& context) {
    return autodiff::needsGradient(context.simplified);
}

bool trains(const StageContext& context) {
    return context.has(kJointGraph);
}

base::Status runJoint(StageContext& context) {
    CUTAWAY_TRY(context.joint, autodiff::buildJointGraph(context.simplified));
    skipStage(context.joint.graph, context.simplified);
    context.joint.graph.graphName = "joint";
    return {};
}

base::Status runSimplify(StageContext& context) {
    const bool training = trains(context);
    ir::Graph& graph = training ? context.joint.graph : context.simplified;
    if (!training) graph.graphName = "forward";
    return runPasses(PassPoint::Joint, graph, context.options, context.passRuns());
}

/// What the device does in a microsecond, as schedules see it: an instruction of a product adds and
/// multiplies, and about every other one waits.
static partition::Rates ratesOf(const Options& options, const ir::Graph& graph) {
    const auto target = runtime::targetRow(deviceOf(graph).kind).create();
    const schedule::DeviceModel model = target->exampleDevice(options.limits()).model;
    const double lanes = static_cast<double>(model.vectorBytes) / sizeof(float);
    partition::Rates rates;
    rates.bytesPerUs = std::min(model.bytesPerUs, model.units * model.unitBytesPerUs);
    rates.flopsPerUs = model.opsPerUs * model.units * lanes;
    rates.launchUs = model.launchUs + model.wake(model.units);
    return rates;
}

/// Whether a tape of single operations saves \p value, or a view of it, for one of \p users.
static bool isSavedByTape(const ir::Graph& graph, const std::vector<std::vector<ir::NodeId>>& users,
                          ir::NodeId value) {
    return std::ranges::any_of(users[value.index], [&](ir::NodeId id) {
        const ops::OpDef* def = ops::catalogue().find(graph.node(id).op);
        if (!def || def->isView()) return isSavedByTape(graph, users, id); // none: one of several
        return !def->traits.savesNothing && !ops::cutsGradient(*def) &&
               !std::holds_alternative<ops::NotDifferentiable>(def->gradient);
    });
}

/// An input that is changed in place though the script saves nothing of it: the backward then reads
/// what is a copy of the input in the script, which the graph does without.
static std::vector<partition::WrittenPrimal> writtenPrimals(const StageContext& context) {
    std::vector<partition::WrittenPrimal> written;
    const std::vector<ir::NodeId>& changed = context.options.writtenInputs;
    if (changed.empty()) return written;
    const std::vector<ir::NodeId> inputs = context.captured->placeholders();
    const auto users = context.captured->users();
    for (size_t i = 0; i < inputs.size(); ++i)
        if (std::ranges::find(changed, inputs[i]) != changed.end())
            written.push_back({i, !isSavedByTape(*context.captured, users, inputs[i])});
    return written;
}

static partition::PartitionOptions partitionOptions(const StageContext& context) {
    const Options& options = context.options;
    partition::PartitionOptions how(options.strategy.partitioner);
    how.rates = ratesOf(options, context.joint.graph);
    how.written = writtenPrimals(context);
    const auto share = options.settings.find("activation_memory_budget");
    if (share != options.settings.end())
        how.budget = partition::Budget{std::strtod(share->second.c_str(), nullptr)};
    if (!options.wishes) return how;
    how.wishes = &options.wishes->savings;
    if (options.wishes->budget) how.budget = options.wishes->budget;
    if (options.wishes->partitioner) how.how = *options.wishes->partitioner;
    return how;
}

/// In the order of the forward's saved outputs.
static std::vector<SavedValue> savedValues(const partition::Partition& cut, size_t forwardOutputs) {
    std::vector<SavedValue> values;
    const std::vector<ir::NodeId> inputs = cut.forward.placeholders();
    for (size_t i = 0; i < cut.saved.size(); ++i) {
        SavedValue& value = values.emplace_back();
        const auto input = std::ranges::find(inputs, cut.forward.outputs[forwardOutputs + i]);
        if (input == inputs.end()) continue;
        value.input = static_cast<size_t>(input - inputs.begin());
        value.copied = !cut.saved[i].input;
    }
    return values;
}

base::Status runPartition(StageContext& context) {
    Partitioned& result = context.partitioned;
    if (!trains(context)) {
        result.forwardOutputs = static_cast<int>(context.simplified.outputs.size());
        result.frozen = partition::takeFrozenPart(context.simplified);
        result.forward = std::move(context.simplified);
        return {};
    }
    CUTAWAY_TRY(context.cut,
                partition::partitionJointGraph(context.joint, partitionOptions(context)));
    result.training = true;
    result.forwardOutputs = context.joint.forwardOutputs;
    result.tangentOutputs = context.joint.tangentOutputs;
    result.saved = savedValues(context.cut, static_cast<size_t>(result.forwardOutputs));
    for (const partition::SavedTensor& saved : context.cut.saved)
        result.savedBytes += saved.bytes;
    result.forward = std::move(context.cut.forward);
    result.backward = std::move(context.cut.backward);
    result.forward.graphName = "forward";
    result.backward.graphName = "backward";
    return {};
}

bool weighsChoices(const StageContext& context) {
    return context.recorder && trains(context);
}

base::Status runChoices(StageContext& context) {
    return partition::predictChoices(context.joint, partitionOptions(context), context.cut);
}

std::optional<std::string> verifySimplified(const StageContext& context) {
    return ir::verify(trains(context) ? context.joint.graph : context.simplified);
}

std::optional<std::string> verifyJoint(const StageContext& context) {
    return ir::verify(context.joint.graph);
}

std::optional<std::string> verifyPartition(const StageContext& context) {
    if (auto broken = ir::verify(context.partitioned.forward)) return broken;
    if (auto broken = ir::verify(context.partitioned.frozen.graph)) return broken;
    return trains(context) ? ir::verify(context.partitioned.backward) : std::nullopt;
}

void recordCaptured(EntryRecorder& recorder, const StageContext& context) {
    recorder.addGraph(*context.captured, "");
}

void recordJoint(EntryRecorder& recorder, const StageContext& context) {
    if (trains(context)) recorder.addGraph(context.joint.graph, "captured");
}

void recordPartition(EntryRecorder& recorder, const StageContext& context) {
    if (trains(context)) recorder.addPartition(context.cut);
}

void recordChoices(EntryRecorder& recorder, const StageContext& context) {
    recorder.addChoices(context.cut);
}

bool freezes(const StageContext& context) {
    return !context.partitioned.frozen.empty();
}

void recordFrozen(EntryRecorder& recorder, const StageContext& context) {
    recorder.addGraph(context.partitioned.frozen.graph, "captured");
}

void recordForward(EntryRecorder& recorder, const StageContext& context) {
    recorder.addGraph(context.partitioned.forward, trains(context) ? "joint" : "captured");
}

void recordBackward(EntryRecorder& recorder, const StageContext& context) {
    recorder.addGraph(context.partitioned.backward, "joint");
}

} // namespace cutaway::pipeline
