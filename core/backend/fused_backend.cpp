// SPDX-License-Identifier: Apache-2.0
#include "core/backend/fused_backend.h"

#include "core/runtime/autograd.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::backend {

using runtime::TensorPtr;

/// Forward and backward graphs compiled as fused kernels.
class FusedGraph : public capture::CompiledGraph,
                               public std::enable_shared_from_this<FusedGraph> {
public:
    FusedGraph(const BackendTools& tools, const capture::CapturedFunction& captured,
          pipeline::Options options, pipeline::Partitioned partitioned,
          std::unique_ptr<pipeline::EntryRecorder> recorder)
        : tools_(tools), functionName_(captured.functionName), captured_(captured.graph),
          options_(std::move(options)), partitioned_(std::move(partitioned)),
          recorder_(std::move(recorder)) {}

    base::Status compileForward() {
        CUTAWAY_TRY(forward_, pipeline::compileGraph(partitioned_.forward, tools_.toolchain,
                                                     options_, recorder_.get()));
        return {};
    }

    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::span<const int64_t> symbols,
                                              bool gradMode) override;
    /// Gradients of the inputs from gradients of the outputs.
    /// \param primals copies of the forward's inputs while runs are kept, else empty
    base::Result<std::vector<TensorPtr>> backward(const std::vector<TensorPtr>& saved,
                                                  const std::vector<TensorPtr>& gradOutputs,
                                                  const std::vector<ir::TensorType>& outputTypes,
                                                  const std::vector<TensorPtr>& primals);
    void addTo(GraphStatistics& statistics) const;

private:
    base::Result<pipeline::ExecutableGraph*> backwardUnit(const std::vector<TensorPtr>& tangents);
    base::Result<std::vector<TensorPtr>> executeAndKeep(pipeline::ExecutableGraph& unit,
                                                        const char* graph,
                                                        std::span<const TensorPtr> inputs,
                                                        const std::vector<TensorPtr>& primals);
    base::Result<std::vector<TensorPtr>> execute(pipeline::ExecutableGraph& unit, const char* graph,
                                                 std::span<const TensorPtr> inputs,
                                                 const std::vector<TensorPtr>& primals);

    BackendTools tools_;
    std::string functionName_;
    std::shared_ptr<const ir::Graph> captured_;
    pipeline::Options options_;
    pipeline::Partitioned partitioned_;
    std::unique_ptr<pipeline::EntryRecorder> recorder_;
    pipeline::ExecutableGraph forward_;
    /// One per layout of the tangents: an expanded gradient is read through its zero strides.
    std::vector<std::pair<std::vector<ir::Shape>, pipeline::ExecutableGraph>> backwards_;
};

namespace {

/// The tape's node of one call of a compiled graph.
struct CompiledBackward : runtime::GradFunction {
    std::function<base::Result<std::vector<TensorPtr>>(const std::vector<TensorPtr>& saved,
                                                       const std::vector<TensorPtr>& gradOutputs)>
        run;
    std::vector<TensorPtr> saved;
    std::vector<uint32_t> versions; ///< of the saved tensors' storage
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& gradOutputs) override {
        for (size_t i = 0; i < saved.size(); ++i)
            CUTAWAY_CHECK(
                runtime::checkUnchanged(*this, saved[i]->type, *saved[i]->storage, versions[i]));
        return run(saved, gradOutputs);
    }
    bool release() override {
        run = nullptr;
        saved.clear();
        return true;
    }
};

/// The same values and strides in memory of their own; null stays null.
base::Result<std::vector<TensorPtr>> copies(std::span<const TensorPtr> tensors) {
    std::vector<TensorPtr> result;
    for (const TensorPtr& tensor : tensors) {
        result.push_back(nullptr);
        if (!tensor) continue;
        CUTAWAY_TRY(result.back(), runtime::emptyTensor(tensor->type));
        CUTAWAY_CHECK(runtime::copyInto(*result.back(), *tensor));
    }
    return result;
}

base::Result<TensorPtr> zerosLike(const ir::TensorType& type) {
    CUTAWAY_TRY(TensorPtr zero,
                runtime::fromHost(ir::HostTensor::scalar(type.dtype, 0), type.device));
    return runtime::viewOf(zero, type.sizes, ir::Shape(type.rank(), ir::Sym(0)), 0);
}

} // namespace

base::Result<std::vector<TensorPtr>>
FusedGraph::executeAndKeep(pipeline::ExecutableGraph& unit, const char* graph,
                                       std::span<const TensorPtr> inputs,
                                       const std::vector<TensorPtr>& primals) {
    for (const KeptRun& run : tools_.watch.kept)
        if (run.program == unit.program) return unit.executable->run(inputs);
    KeptRun run{functionName_,
                graph,
                captured_,
                partitioned_.forwardOutputs,
                partitioned_.tangentOutputs,
                primals,
                unit.program,
                unit.plan,
                unit.sources,
                {},
                {}};
    CUTAWAY_TRY(run.inputs, copies(inputs));
    CUTAWAY_TRY(std::vector<TensorPtr> outputs, unit.executable->run(inputs));
    CUTAWAY_TRY(run.outputs, copies(outputs));
    tools_.watch.kept.push_back(std::move(run));
    return outputs;
}

base::Result<std::vector<TensorPtr>>
FusedGraph::execute(pipeline::ExecutableGraph& unit, const char* graph,
                                std::span<const TensorPtr> inputs,
                                const std::vector<TensorPtr>& primals) {
    if (tools_.watch.keep) return executeAndKeep(unit, graph, inputs, primals);
    if (!tools_.watch.timings) return unit.executable->run(inputs);
    std::vector<runtime::KernelTime> times;
    auto outputs = unit.executable->profile(inputs, times);
    for (const runtime::KernelTime& time : times) {
        const kernel::Kernel& kernel = unit.program->kernels[static_cast<size_t>(time.kernel)];
        tools_.watch.timings->push_back({graph, kernel.name, record::kNoItem, time.us,
                                    kernel.bytesRead + kernel.bytesWritten, kernel.flops});
    }
    return outputs;
}

base::Result<std::vector<TensorPtr>> FusedGraph::call(std::span<const TensorPtr> inputs,
                                                                  std::span<const int64_t> symbols,
                                                                  bool gradMode) {
    (void)symbols;
    std::vector<TensorPtr> primals;
    if (tools_.watch.keep) {
        CUTAWAY_TRY(primals, copies(inputs));
    }
    auto results = execute(forward_, "forward", inputs, primals);
    if (!results) return results;
    auto outputs = static_cast<size_t>(partitioned_.forwardOutputs);
    // An input that comes back is a new tensor: what it requires is the graph's to say, not the
    // input's (x.detach()).
    for (TensorPtr& output : std::span(*results).first(std::min(outputs, results->size())))
        if (std::find(inputs.begin(), inputs.end(), output) != inputs.end())
            output = runtime::viewOf(output, output->type.sizes, output->type.strides, 0);
    if (!partitioned_.training || !gradMode) return results;

    auto node = std::make_shared<CompiledBackward>();
    node->name = "CompiledFunctionBackward";
    for (const TensorPtr& input : inputs)
        node->inputs.push_back(runtime::gradEdge(input));
    // Values only: an output kept by the tape would keep the tape.
    for (size_t i = outputs; i < results->size(); ++i) {
        node->saved.push_back(valueOf((*results)[i]));
        node->versions.push_back(node->saved.back()->storage->version);
    }
    results->resize(outputs);
    for (const TensorPtr& output : *results)
        node->outputTypes.push_back(output->type);
    for (int index : partitioned_.tangentOutputs) {
        TensorPtr& output = (*results)[static_cast<size_t>(index)];
        output->type.requiresGrad = true;
        output->gradFunction = node;
        output->gradOutput = index;
    }
    node->run = [self = shared_from_this(), types = node->outputTypes,
                 primals = std::move(primals)](const std::vector<TensorPtr>& saved,
                                               const std::vector<TensorPtr>& gradOutputs) {
        return self->backward(saved, gradOutputs, types, primals);
    };
    return results;
}

base::Result<pipeline::ExecutableGraph*>
FusedGraph::backwardUnit(const std::vector<TensorPtr>& tangents) {
    std::vector<ir::Shape> layout;
    for (const TensorPtr& tangent : tangents)
        layout.push_back(tangent->type.strides);
    for (auto& [known, unit] : backwards_)
        if (known == layout) return &unit;
    ir::Graph graph = partitioned_.backward.clone();
    std::vector<ir::NodeId> placeholders = graph.placeholders();
    for (size_t i = 0; i < tangents.size(); ++i) {
        ir::NodeId id = placeholders[placeholders.size() - tangents.size() + i];
        graph.node(id).types[0].strides = layout[i];
    }
    std::unique_ptr<pipeline::EntryRecorder> recorder;
    if (recorder_) recorder = recorder_->forBackward();
    CUTAWAY_TRY(pipeline::ExecutableGraph unit,
                pipeline::compileGraph(graph, tools_.toolchain, options_, recorder.get()));
    backwards_.emplace_back(std::move(layout), std::move(unit));
    return &backwards_.back().second;
}

base::Result<std::vector<TensorPtr>> FusedGraph::backward(
    const std::vector<TensorPtr>& saved, const std::vector<TensorPtr>& gradOutputs,
    const std::vector<ir::TensorType>& outputTypes, const std::vector<TensorPtr>& primals) {
    std::vector<TensorPtr> tangents;
    for (int index : partitioned_.tangentOutputs) {
        auto at = static_cast<size_t>(index);
        tangents.push_back(gradOutputs[at]);
        if (tangents.back()) continue;
        CUTAWAY_TRY(tangents.back(), zerosLike(outputTypes[at]));
    }
    CUTAWAY_TRY(pipeline::ExecutableGraph * unit, backwardUnit(tangents));
    std::vector<TensorPtr> inputs = saved;
    inputs.insert(inputs.end(), tangents.begin(), tangents.end());
    return execute(*unit, "backward", inputs, primals);
}

static void addUnit(const pipeline::ExecutableGraph& unit, GraphStatistics& statistics) {
    if (!unit.executable) return;
    statistics.launches += unit.executable->launches();
    statistics.bytesMoved += unit.program->bytesMoved();
}

void FusedGraph::addTo(GraphStatistics& statistics) const {
    statistics.savedBytes += partitioned_.savedBytes;
    addUnit(forward_, statistics);
    if (!backwards_.empty()) addUnit(backwards_.front().second, statistics);
}

namespace {

class FusedBackend : public Backend {
public:
    FusedBackend(const BackendTools& tools, pipeline::Strategy strategy)
        : tools_(tools), strategy_(strategy) {}

    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& captured, bool gradMode,
            const pipeline::Options& options,
            std::unique_ptr<pipeline::EntryRecorder> recorder) override {
        pipeline::Options own = options;
        own.strategy = strategy_;
        CUTAWAY_TRY(pipeline::Partitioned parts,
                    pipeline::partitionGraph(*captured.graph, gradMode, own, recorder.get()));
        auto graph = std::make_shared<FusedGraph>(tools_, captured, std::move(own),
                                                  std::move(parts), std::move(recorder));
        CUTAWAY_CHECK(graph->compileForward());
        tools_.watch.counters.push_back(
            [weak = std::weak_ptr(graph)](GraphStatistics& statistics) {
                if (auto alive = weak.lock()) alive->addTo(statistics);
            });
        return std::shared_ptr<capture::CompiledGraph>(std::move(graph));
    }

private:
    BackendTools tools_;
    pipeline::Strategy strategy_;
};

} // namespace

std::unique_ptr<Backend> makeInductor(const BackendTools& tools) {
    return std::make_unique<FusedBackend>(
        tools, pipeline::Strategy{true, true, partition::Partitioner::MinCut});
}

std::unique_ptr<Backend> makeAotEager(const BackendTools& tools) {
    return std::make_unique<FusedBackend>(
        tools, pipeline::Strategy{false, true, partition::Partitioner::MinCut});
}

} // namespace cutaway::backend
