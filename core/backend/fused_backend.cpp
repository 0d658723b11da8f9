// SPDX-License-Identifier: Apache-2.0
#include "core/backend/fused_backend.h"

#include "core/backend/frozen_inputs.h"
#include "core/backend/host_tensors.h"
#include "core/runtime/autograd.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cutaway::backend {

using runtime::TensorPtr;

/// Whether saved tensors are wanted after the backward.
enum class Saved : uint8_t { Kept, Given };

/// Forward and backward graphs compiled as fused kernels.
class FusedGraph : public capture::CompiledGraph, public std::enable_shared_from_this<FusedGraph> {
public:
    FusedGraph(const BackendTools& tools, const capture::CapturedFunction& captured,
               pipeline::Options options, pipeline::Partitioned partitioned,
               std::unique_ptr<pipeline::EntryRecorder> recorder,
               const std::optional<UnitCompiler>& compiler)
        : tools_(tools), functionName_(captured.functionName), captured_(captured.graph),
          options_(std::move(options)), partitioned_(std::move(partitioned)),
          recorder_(std::move(recorder)), compiler_(compiler) {}

    /// A backward graph with symbols is compiled at once, too: it may ask about sizes, and only
    /// until the capture is over can the answers become guards.
    base::Status compile() {
        CUTAWAY_TRY(forward_, unitOf(partitioned_.forward, recorder_.get()));
        if (!partitioned_.frozen.empty()) {
            CUTAWAY_TRY(frozen_, FrozenInputs::make(partitioned_.frozen, tools_.toolchain, options_,
                                                    recorder_.get()));
        }
        if (!captured_->shapes || !partitioned_.training) return {};
        Layout layout;
        for (const ir::TensorType* type : tangentTypes())
            layout.push_back(ir::contiguousStrides(type->sizes));
        CUTAWAY_TRY(pipeline::ExecutableGraph * unit, backwardUnit(layout));
        (void)unit;
        return {};
    }

    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::span<const int64_t> symbols,
                                              bool gradMode) override;
    /// Gradients of the inputs from gradients of the outputs.
    /// \param primals copies of the forward's inputs while runs are kept, else empty
    base::Result<std::vector<TensorPtr>> backward(std::vector<TensorPtr> saved, Saved what,
                                                  const std::vector<TensorPtr>& gradOutputs,
                                                  const std::vector<ir::TensorType>& outputTypes,
                                                  std::span<const TensorPtr> primals,
                                                  std::span<const int64_t> symbols);
    void addTo(GraphStatistics& statistics) const;

private:
    /// Strides of the tangents, over the size symbols.
    using Layout = std::vector<ir::Shape>;
    std::vector<const ir::TensorType*> tangentTypes() const;
    base::Result<Layout> layoutOf(std::vector<TensorPtr>& tangents,
                                  std::span<const int64_t> symbols) const;
    pipeline::ExecutableGraph* knownBackward(const std::vector<TensorPtr>& tangents);
    base::Result<pipeline::ExecutableGraph*> backwardUnit(const Layout& layout);
    base::Result<pipeline::ExecutableGraph> unitOf(const ir::Graph& graph,
                                                   pipeline::EntryRecorder* recorder) const {
        if (compiler_) return compiler_->compile(graph);
        return pipeline::compileGraph(graph, tools_.toolchain, options_, recorder);
    }
    std::shared_ptr<const ir::Graph> compiledGraph(std::string_view graph,
                                                   std::span<const int64_t> symbols) const {
        const ir::Graph& of = graph == "forward" ? partitioned_.forward : partitioned_.backward;
        return std::make_shared<const ir::Graph>(of.shapes ? of.withSizes(symbols) : of.clone());
    }
    base::Result<std::vector<TensorPtr>> executeAndKeep(pipeline::ExecutableGraph& unit,
                                                        const char* graph,
                                                        std::span<const TensorPtr> inputs,
                                                        std::span<const TensorPtr> primals,
                                                        std::span<const int64_t> symbols);
    base::Result<std::vector<TensorPtr>> execute(pipeline::ExecutableGraph& unit, const char* graph,
                                                 std::span<const TensorPtr> inputs,
                                                 std::span<const TensorPtr> primals,
                                                 std::span<const int64_t> symbols);

    /// The forward graph with the frozen inputs behind the others.
    base::Result<std::vector<TensorPtr>> executeFrozen(std::span<const TensorPtr> inputs,
                                                       std::span<const TensorPtr> primals,
                                                       std::span<const int64_t> symbols);

    BackendTools tools_;
    int counted_ = 0; ///< RunWatch::counted when it last ran
    std::string functionName_;
    std::shared_ptr<const ir::Graph> captured_;
    pipeline::Options options_;
    pipeline::Partitioned partitioned_;
    std::unique_ptr<pipeline::EntryRecorder> recorder_;
    std::optional<UnitCompiler> compiler_; ///< nothing: the stages
    pipeline::ExecutableGraph forward_;
    std::unique_ptr<FrozenInputs> frozen_; ///< null: nothing is frozen
    /// One per layout of the tangents: an expanded gradient is read through its zero strides.
    std::vector<std::pair<Layout, pipeline::ExecutableGraph>> backwards_;
    /// While runs are kept: the captured graph with the sizes of each.
    std::map<std::vector<int64_t>, std::shared_ptr<const ir::Graph>> kept_;
};

namespace {

/// What the tape keeps of a saved tensor: a value only, for an output would keep the tape.
struct TapeValue {
    TensorPtr value;
    uint32_t version = 0;                 ///< when it was saved
    std::weak_ptr<runtime::Tensor> input; ///< whose value it is; computed and copied ones: nobody's
};

/// The tape's node of one call of a compiled graph.
struct CompiledBackward : runtime::GradFunction {
    std::function<base::Result<std::vector<TensorPtr>>(
        std::vector<TensorPtr> saved, const std::vector<TensorPtr>& gradOutputs, Saved what)>
        run;
    std::vector<TapeValue> kept;
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& gradOutputs) override {
        CUTAWAY_TRY(std::vector<TensorPtr> values, saved());
        return run(std::move(values), gradOutputs, Saved::Kept);
    }
    base::Result<std::vector<TensorPtr>>
    applyLast(const std::vector<TensorPtr>& gradOutputs) override {
        CUTAWAY_TRY(std::vector<TensorPtr> values, saved());
        kept.clear();
        released = true;
        return run(std::move(values), gradOutputs, Saved::Given);
    }
    bool release() override {
        run = nullptr;
        kept.clear();
        return true;
    }

private:
    /// Of an input whose .data was assigned since, what that is now; refuses what was written in place.
    base::Result<std::vector<TensorPtr>> saved() {
        std::vector<TensorPtr> values;
        values.reserve(kept.size());
        for (auto& [value, version, input] : kept) {
            CUTAWAY_CHECK(runtime::followData(value, version, input));
            CUTAWAY_CHECK(
                runtime::checkUnchanged(*this, *value, version, runtime::Producer::of(value)));
            values.push_back(value);
        }
        return values;
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

base::Result<TapeValue> keep(const pipeline::SavedValue& how, const TensorPtr& saved,
                             std::span<const TensorPtr> inputs) {
    TapeValue kept;
    if (how.copied) {
        CUTAWAY_TRY(std::vector<TensorPtr> own, copies({&saved, 1}));
        kept.value = std::move(own[0]);
    } else {
        kept.value = valueOf(saved);
        if (how.input) kept.input = inputs[*how.input];
    }
    kept.version = kept.value->version();
    return kept;
}

base::Result<TensorPtr> zerosLike(const ir::TensorType& type) {
    CUTAWAY_TRY(TensorPtr zero,
                runtime::fromHost(ir::HostTensor::scalar(type.dtype, 0), type.device));
    return runtime::viewOf(zero, type.sizes, ir::Shape(type.rank(), ir::Sym(0)), 0);
}

} // namespace

base::Result<std::vector<TensorPtr>> FusedGraph::executeAndKeep(pipeline::ExecutableGraph& unit,
                                                                const char* graph,
                                                                std::span<const TensorPtr> inputs,
                                                                std::span<const TensorPtr> primals,
                                                                std::span<const int64_t> symbols) {
    const std::vector<int64_t> sizes(symbols.begin(), symbols.end());
    for (const KeptRun& run : tools_.watch.kept)
        if (run.program == unit.program && run.symbols == sizes)
            return unit.executable->run(inputs, symbols);
    std::shared_ptr<const ir::Graph>& captured = kept_[sizes];
    if (!captured)
        captured = captured_->shapes
                       ? std::make_shared<const ir::Graph>(captured_->withSizes(symbols))
                       : captured_;
    KeptRun run{functionName_,
                graph,
                captured,
                partitioned_.forwardOutputs,
                partitioned_.tangentOutputs,
                {primals.begin(), primals.end()},
                sizes,
                unit.program,
                unit.plan,
                unit.sources,
                {},
                {},
                compiledGraph(graph, symbols),
                unit.executable,
                recorder_ ? recorder_->entryName() : std::string()};
    CUTAWAY_TRY(run.inputs, copies(inputs));
    CUTAWAY_TRY(std::vector<TensorPtr> outputs, unit.executable->run(inputs, symbols));
    CUTAWAY_TRY(run.outputs, copies(outputs));
    tools_.watch.kept.push_back(std::move(run));
    return outputs;
}

[[gnu::hot]] base::Result<std::vector<TensorPtr>>
FusedGraph::execute(pipeline::ExecutableGraph& unit, const char* graph,
                    std::span<const TensorPtr> inputs, std::span<const TensorPtr> primals,
                    std::span<const int64_t> symbols) {
    if (tools_.watch.keep != KeepRuns::No && unit.program)
        return executeAndKeep(unit, graph, inputs, primals, symbols);
    if (!tools_.watch.timings) return unit.executable->run(inputs, symbols);
    std::vector<runtime::KernelTime> times;
    auto outputs = unit.executable->profile(inputs, times, symbols);
    for (const runtime::KernelTime& time : times) {
        const kernel::Kernel& kernel = unit.program->kernels[static_cast<size_t>(time.kernel)];
        ProfiledKernel& profiled = tools_.watch.timings->emplace_back();
        profiled.entry = recorder_ ? recorder_->entryName() : std::string();
        record::KernelTiming& timing = profiled.timing;
        timing = {graph,
                  kernel.name,
                  record::kNoItem,
                  time.us,
                  kernel.bytesRead + kernel.bytesWritten,
                  kernel.flops};
        for (const runtime::Count& one : time.counts)
            timing.counts.push_back({std::string(one.what), one.value});
        for (const runtime::TeamPart& part : time.team) // clocks are read one after the other
            if (part.begin < time.us)
                timing.threads.push_back(
                    {part.thread, part.begin, std::min(part.us, time.us - part.begin)});
    }
    return outputs;
}

base::Result<std::vector<TensorPtr>> FusedGraph::executeFrozen(std::span<const TensorPtr> inputs,
                                                               std::span<const TensorPtr> primals,
                                                               std::span<const int64_t> symbols) {
    CUTAWAY_TRY(std::vector<TensorPtr> all, frozen_->append(inputs));
    return execute(forward_, "forward", all, primals, symbols);
}

[[gnu::hot]] base::Result<std::vector<TensorPtr>>
FusedGraph::call(std::span<const TensorPtr> inputs, std::span<const int64_t> symbols,
                 bool gradMode) {
    counted_ = tools_.watch.counted;
    std::vector<TensorPtr> primals;
    if (tools_.watch.keep != KeepRuns::No) {
        CUTAWAY_TRY(primals, copies(inputs));
    }
    auto results = frozen_ ? executeFrozen(inputs, primals, symbols)
                           : execute(forward_, "forward", inputs, primals, symbols);
    if (!results) return results;
    auto outputs = static_cast<size_t>(partitioned_.forwardOutputs);
    // An input that comes back is a new tensor: what it requires is the graph's to say, not the
    // input's (x.detach()).
    for (TensorPtr& output : std::span(*results).first(std::min(outputs, results->size())))
        if (output.use_count() > 1 && std::ranges::find(inputs, output) != inputs.end())
            output = runtime::viewOf(output, output->type.sizes, output->type.strides, 0);
    if (!partitioned_.training || !gradMode) return results;

    auto node = std::make_shared<CompiledBackward>();
    node->name = "CompiledFunctionBackward";
    for (const TensorPtr& input : inputs)
        node->inputs.push_back(runtime::gradEdge(input));
    for (size_t i = 0; i < partitioned_.saved.size(); ++i) {
        CUTAWAY_TRY(TapeValue kept, keep(partitioned_.saved[i], (*results)[outputs + i], inputs));
        node->kept.push_back(std::move(kept));
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
    node->run = [self = shared_from_this(), types = node->outputTypes, primals = std::move(primals),
                 sizes = std::vector<int64_t>(symbols.begin(), symbols.end())](
                    std::vector<TensorPtr> saved, const std::vector<TensorPtr>& gradOutputs,
                    Saved what) {
        return self->backward(std::move(saved), what, gradOutputs, types, primals, sizes);
    };
    return results;
}

/// Of the backward graph's last inputs.
std::vector<const ir::TensorType*> FusedGraph::tangentTypes() const {
    const std::vector<ir::NodeId> placeholders = partitioned_.backward.placeholders();
    std::vector<const ir::TensorType*> types;
    const size_t count = partitioned_.tangentOutputs.size();
    for (size_t i = placeholders.size() - count; i < placeholders.size(); ++i)
        types.push_back(&partitioned_.backward.node(placeholders[i]).type());
    return types;
}

/// Where sizes are symbols, strides are symbols, too: a tangent that lies neither as expected nor is
/// one element repeated is copied.
base::Result<FusedGraph::Layout> FusedGraph::layoutOf(std::vector<TensorPtr>& tangents,
                                                      std::span<const int64_t> symbols) const {
    const std::vector<const ir::TensorType*> types = tangentTypes();
    Layout layout;
    for (size_t i = 0; i < tangents.size(); ++i) {
        const ir::TensorType& real = tangents[i]->type;
        layout.push_back(real.strides);
        const bool repeated = std::all_of(real.strides.begin(), real.strides.end(),
                                          [](const ir::Sym& stride) { return stride.is(0); });
        if (types[i]->staticSizes() || repeated) continue;
        layout.back() = types[i]->strides;
        ir::TensorType wanted = real;
        for (size_t d = 0; d < wanted.rank(); ++d)
            if (!wanted.sizes[d].is(1))
                wanted.strides[d] = ir::Sym(
                    types[i]->strides[d].evaluate([&](ir::Var v) { return symbols[v.index]; }));
        if (wanted.strides == real.strides) continue;
        const TensorPtr given = tangents[i];
        CUTAWAY_TRY(tangents[i], runtime::emptyTensor(wanted));
        CUTAWAY_CHECK(runtime::copyInto(*tangents[i], *given));
    }
    return layout;
}

/// The usual call: sizes are numbers, and tangents are laid out as in a call before. Else null.
pipeline::ExecutableGraph* FusedGraph::knownBackward(const std::vector<TensorPtr>& tangents) {
    if (captured_->shapes) return nullptr;
    auto fits = [](const ir::Shape& strides, const TensorPtr& tangent) {
        return strides == tangent->type.strides;
    };
    for (auto& [known, unit] : backwards_)
        if (std::equal(known.begin(), known.end(), tangents.begin(), tangents.end(), fits))
            return &unit;
    return nullptr;
}

base::Result<pipeline::ExecutableGraph*> FusedGraph::backwardUnit(const Layout& layout) {
    for (auto& [known, unit] : backwards_)
        if (known == layout) return &unit;
    ir::Graph graph = partitioned_.backward.clone();
    std::vector<ir::NodeId> placeholders = graph.placeholders();
    for (size_t i = 0; i < layout.size(); ++i) {
        ir::NodeId id = placeholders[placeholders.size() - layout.size() + i];
        graph.node(id).types[0].strides = layout[i];
    }
    std::unique_ptr<pipeline::EntryRecorder> recorder;
    if (recorder_) recorder = recorder_->forBackward();
    CUTAWAY_TRY(pipeline::ExecutableGraph unit, unitOf(graph, recorder.get()));
    backwards_.emplace_back(layout, std::move(unit));
    return &backwards_.back().second;
}

base::Result<std::vector<TensorPtr>>
FusedGraph::backward(std::vector<TensorPtr> saved, Saved what,
                     const std::vector<TensorPtr>& gradOutputs,
                     const std::vector<ir::TensorType>& outputTypes,
                     std::span<const TensorPtr> primals, std::span<const int64_t> symbols) {
    std::vector<TensorPtr> tangents;
    for (int index : partitioned_.tangentOutputs) {
        auto at = static_cast<size_t>(index);
        tangents.push_back(gradOutputs[at]);
        if (tangents.back()) continue;
        CUTAWAY_TRY(tangents.back(), zerosLike(outputTypes[at]));
    }
    pipeline::ExecutableGraph* unit = knownBackward(tangents);
    if (!unit) {
        CUTAWAY_TRY(Layout layout, layoutOf(tangents, symbols));
        CUTAWAY_TRY(unit, backwardUnit(layout));
    }
    std::vector<TensorPtr> inputs = std::move(saved);
    inputs.insert(inputs.end(), std::make_move_iterator(tangents.begin()),
                  std::make_move_iterator(tangents.end()));
    const bool watched = tools_.watch.keep != KeepRuns::No || tools_.watch.timings;
    if (what == Saved::Given && !watched)
        return unit->executable->runGiven(std::move(inputs), symbols);
    return execute(*unit, "backward", inputs, primals, symbols);
}

static void addUnit(const pipeline::ExecutableGraph& unit, const char* graph,
                    GraphStatistics& statistics) {
    if (!unit.executable) return;
    statistics.launches += unit.executable->launches();
    if (!unit.program) return; // a plug-in's
    statistics.bytesMoved += unit.program->bytesMoved();
    for (const runtime::CodeInMemory& code : unit.executable->code())
        statistics.code.push_back(
            {graph, unit.program->kernels[static_cast<size_t>(code.kernel)].name, code});
}

void FusedGraph::addTo(GraphStatistics& statistics) const {
    if (counted_ != tools_.watch.counted) return;
    statistics.savedBytes += partitioned_.savedBytes;
    addUnit(forward_, "forward", statistics);
    if (!backwards_.empty()) addUnit(backwards_.front().second, "backward", statistics);
}

namespace {

/// The captured graph with the tensors of modules frozen.
std::shared_ptr<const ir::Graph> withFrozen(const capture::CapturedFunction& captured) {
    auto graph = std::make_shared<ir::Graph>(captured.graph->clone());
    for (ir::NodeId id : captured.moduleTensors)
        graph->node(id).frozen = true;
    return graph;
}

/// One guard for each tensor that the frozen part reads.
void tellFrozen(const partition::FrozenPart& part, const capture::CapturedFunction& captured,
                record::Entry& entry) {
    for (ir::NodeId id : part.graph.placeholders())
        entry.guards.push_back({"FROZEN", part.graph.node(id).inputSource,
                                "is as it was; else the frozen part is computed again",
                                captured.where});
}

/// A note for each input that is copied up.
void tellCopies(const OneDeviceGraph& placed, const capture::CapturedFunction& captured,
                record::Entry& entry) {
    const std::vector<ir::NodeId> inputs = captured.graph->placeholders();
    for (size_t i : placed.inputs)
        entry.guards.push_back(
            {"DEVICE", captured.graph->node(inputs[i]).inputSource,
             fmt::format("lies on the host: copied to {} before each call", placed.device.str()),
             captured.where});
}

class FusedBackend : public Backend {
public:
    FusedBackend(const BackendTools& tools, pipeline::Strategy strategy,
                 std::optional<UnitCompiler> compiler = {})
        : tools_(tools), strategy_(strategy), compiler_(std::move(compiler)) {}

    std::string whyBySize(const ir::Graph& graph) const override {
        if (compiler_) return compiler_->whyBySize;
        if (tools_.watch.keep == KeepRuns::FixedSizes) return "exported code has sizes of its own";
        const runtime::Target& target = tools_.toolchain.target(pipeline::deviceOf(graph).kind);
        if (target.takesSizes()) return {};
        return fmt::format("{} texts take no sizes as arguments", target.language());
    }
    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& captured, bool gradMode,
            const pipeline::Options& options,
            std::unique_ptr<pipeline::EntryRecorder> recorder) override {
        CUTAWAY_TRY(std::optional<OneDeviceGraph> placed, onOneDevice(*captured.graph));
        if (!placed) return compileOn(captured, gradMode, options, std::move(recorder));
        if (recorder) tellCopies(*placed, captured, recorder->entry());
        capture::CapturedFunction moved = captured;
        moved.graph = placed->graph;
        CUTAWAY_TRY(std::shared_ptr<capture::CompiledGraph> compiled,
                    compileOn(moved, gradMode, options, std::move(recorder)));
        return withCopies(std::move(*placed), std::move(compiled));
    }

private:
    /// All tensors lie on one device.
    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compileOn(const capture::CapturedFunction& captured, bool gradMode,
              const pipeline::Options& options, std::unique_ptr<pipeline::EntryRecorder> recorder) {
        pipeline::Options own = options;
        own.strategy = strategy_;
        own.writtenInputs = captured.writtenInputs;
        const auto graph = !gradMode && own.freezing() ? withFrozen(captured) : captured.graph;
        CUTAWAY_TRY(pipeline::Partitioned parts,
                    pipeline::partitionGraph(*graph, gradMode, own, recorder.get()));
        if (recorder) tellFrozen(parts.frozen, captured, recorder->entry());
        auto compiled = std::make_shared<FusedGraph>(
            tools_, captured, std::move(own), std::move(parts), std::move(recorder), compiler_);
        CUTAWAY_CHECK(compiled->compile());
        tools_.watch.counters.push_back(
            [weak = std::weak_ptr(compiled)](GraphStatistics& statistics) {
                if (auto alive = weak.lock()) alive->addTo(statistics);
            });
        return std::shared_ptr<capture::CompiledGraph>(std::move(compiled));
    }

    BackendTools tools_;
    pipeline::Strategy strategy_;
    std::optional<UnitCompiler> compiler_;
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

std::unique_ptr<Backend> makeWithCompiler(const BackendTools& tools, UnitCompiler compiler) {
    return std::make_unique<FusedBackend>(
        tools, pipeline::Strategy{false, true, partition::Partitioner::MinCut},
        std::move(compiler));
}

} // namespace cutaway::backend
