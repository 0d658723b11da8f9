// SPDX-License-Identifier: Apache-2.0
#include "core/backend/eager_runner.h"

#include "core/backend/call_key.h"
#include "core/backend/call_numbers.h"
#include "core/capture/call_observer.h"
#include "core/ops/builder.h"
#include "core/ops/gradients.h"
#include "core/ops/rule_guard.h"
#include "core/ops/written_view.h"
#include "core/passes/decompose.h"
#include "core/passes/remove_dead.h"
#include "core/pipeline/pass_runner.h"
#include "core/runtime/autograd.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::backend {

using runtime::TensorPtr;

/// An operation with everything that depends on its arguments and its tensors' types only.
struct EagerRunner::Prepared {
    const ops::OpDef* def = nullptr;
    ir::Graph graph; ///< placeholders for the tensors, then the call (or its decomposition)
    ir::NodeId call; ///< the call, when it was not decomposed
    std::vector<ir::TensorType> types;
    bool composite = false; ///< decomposed before autograd: runs call by call
    bool copy = false;      ///< to another device: no kernel
    bool view = false;
    int64_t viewOffset = 0; ///< elements, relative to the input
    std::shared_ptr<runtime::Executable> executable;
    int64_t bytesMoved = 0;           ///< by one call
    std::vector<int> gradientOutputs; ///< backward graphs: output of each tensor's gradient, or -1
    std::vector<bool>
        reads; ///< backward graphs: whether each saved value matters, not its type only

    /// What the shape rule says of other numbers: full() does not take 300 for uint8.
    base::Status accepts(ir::ArgList args) const;
};

/// Calls that differ in the values of their numbers only.
struct EagerRunner::Family {
    PreparedPtr prepared; ///< takes the numbers behind the tensors; null until a second value came
    NumberDTypes dtypes;
    bool refused = false;   ///< what the operation is depends on the values
    bool composite = false; ///< of operations that take the numbers: not kept
};

/// One operation on the tape.
struct EagerRunner::TapeEntry : runtime::GradFunction {
    EagerRunner* runner = nullptr;
    std::shared_ptr<const Prepared> forward;
    std::vector<TensorPtr> tensors;                 ///< forward inputs
    ir::ArgList args;                               ///< of the call
    size_t numbers = 0;                             ///< of the inputs, the last ones
    std::vector<runtime::StoragePtr> resultStorage; ///< keeps values alive, not the tape (no cycle)
    std::vector<int64_t> resultOffsets;
    std::vector<uint32_t> versions; ///< of the tensors' storage, then of the results'

    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& gradOutputs) override;
    base::Result<std::vector<TensorPtr>>
    applyRecorded(const std::vector<TensorPtr>& gradOutputs) override {
        return oneByOne(gradOutputs, true);
    }
    base::Result<std::vector<TensorPtr>> oneByOne(const std::vector<TensorPtr>& gradOutputs,
                                                  bool record);
    /// The call with its numbers as constants again, for a gradient rule that reads them.
    base::Status putNumbersIn();
    base::Status checkSaved(const Prepared& backward, const std::vector<TensorPtr>& saved) const;
    runtime::Producer producerOf(size_t i) const;
    bool saves = true; ///< the last apply() read values of the forward
    /// Of what no gradient reads, the types stay: it can be run back again, as in PyTorch.
    bool release() override {
        if (saves) {
            tensors.clear();
            resultStorage.clear();
            return true;
        }
        for (TensorPtr& tensor : tensors) {
            auto typeOnly = std::make_shared<runtime::Tensor>();
            typeOnly->type = tensor->type;
            tensor = std::move(typeOnly);
        }
        resultStorage.assign(resultStorage.size(), nullptr);
        return false;
    }
    /// Any memory will do for what release() left the type of.
    base::Status putMemoryIn();
};

namespace {

/// Placeholders a0, a1 ... for the tensors, and \p args with NodeId(k) made to refer to them.
ir::Graph graphFor(std::span<const TensorPtr> tensors, ir::ArgList& args) {
    ir::Graph graph("eager");
    std::vector<ir::NodeId> ids;
    for (size_t i = 0; i < tensors.size(); ++i)
        ids.push_back(graph.addPlaceholder(fmt::format("a{}", i), tensors[i]->type));
    ir::rewriteNodes(args, [&](ir::NodeId id) { return ids[id.index]; });
    return graph;
}

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

/// Whether one of the first \p count values is read.
bool readsAny(const std::vector<bool>& reads, size_t count) {
    return std::find(reads.begin(), reads.begin() + static_cast<std::ptrdiff_t>(count), true) !=
           reads.begin() + static_cast<std::ptrdiff_t>(count);
}

/// An operation without a gradient rule that is made of others which have one: the backward of an
/// operation, differentiated once more.
bool takenApart(const ops::OpDef& def) {
    const auto* decompose = std::get_if<ops::Decompose>(&def.lowering);
    return decompose && decompose->when == ops::DecomposeWhen::AfterAutograd &&
           std::holds_alternative<ops::ThroughDecomposition>(def.gradient);
}

/// Runs call by call, eagerly.
bool isComposite(const ops::OpDef& def) {
    const auto* decompose = std::get_if<ops::Decompose>(&def.lowering);
    return decompose && decompose->when == ops::DecomposeWhen::BeforeAutograd;
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

base::Status EagerRunner::Prepared::accepts(ir::ArgList args) const {
    const std::vector<ir::NodeId> inputs = graph.placeholders();
    ir::rewriteNodes(args, [&](ir::NodeId id) { return inputs[id.index]; });
    const ops::OpCall exact(*def, args, graph);
    auto types =
        ops::guardRule(def->name(), nullptr, "shape rule", [&] { return def->shape(exact); });
    return types.ok() ? base::Status() : base::Status(types.error());
}

TensorPtr valueOf(const TensorPtr& tensor) {
    auto value = std::make_shared<runtime::Tensor>();
    value->type = tensor->type;
    value->storage = tensor->storage;
    value->offset = tensor->offset;
    return value;
}

EagerRunner::EagerRunner(pipeline::Toolchain& toolchain, pipeline::Options options)
    : toolchain_(toolchain), options_(std::move(options)) {
    options_.strategy = {true, true, partition::Partitioner::Default};
}
EagerRunner::~EagerRunner() = default;

EagerRunner::Work EagerRunner::takeWork() {
    return std::exchange(work_, {});
}

base::Result<EagerRunner::PreparedPtr> EagerRunner::prepareGraph(ir::Graph graph) {
    auto prepared = std::make_shared<Prepared>();
    CUTAWAY_CHECK(pipeline::runPasses(pipeline::PassPoint::Captured, graph, options_, nullptr));
    CUTAWAY_CHECK(pipeline::runPasses(pipeline::PassPoint::Joint, graph, options_, nullptr));
    CUTAWAY_TRY(pipeline::ExecutableGraph unit,
                pipeline::compileGraph(graph, toolchain_, options_, nullptr));
    ++work_.compiled;
    prepared->executable = unit.executable;
    prepared->bytesMoved = unit.program->bytesMoved();
    prepared->graph = std::move(graph);
    return prepared;
}

base::Result<EagerRunner::PreparedPtr> EagerRunner::prepare(const ops::OpDef& def,
                                                            const ir::ArgList& args,
                                                            std::span<const TensorPtr> tensors,
                                                            bool apart) {
    std::string key = callKey(apart ? def.name() + " taken apart" : def.name(), args, tensors);
    if (auto known = prepared_.find(key); known != prepared_.end()) return known->second;
    CUTAWAY_TRY(PreparedPtr prepared, written(def, args, tensors));
    CUTAWAY_CHECK(complete(*prepared, apart));
    prepared_[key] = prepared;
    return prepared;
}

base::Result<EagerRunner::PreparedPtr> EagerRunner::written(const ops::OpDef& def,
                                                            const ir::ArgList& args,
                                                            std::span<const TensorPtr> tensors) {
    auto prepared = std::make_shared<Prepared>();
    prepared->def = &def;
    ir::ArgList linked = args;
    prepared->graph = graphFor(tensors, linked);
    ops::Builder builder(prepared->graph);
    CUTAWAY_TRY(prepared->call, builder.tryCall(def.name(), linked));
    prepared->types = prepared->graph.node(prepared->call).types;
    return prepared;
}

base::Status EagerRunner::complete(Prepared& form, bool apart) {
    Prepared* const prepared = &form;
    const ops::OpDef& def = *form.def;
    ops::Builder builder(form.graph);
    const ir::Node& call = form.graph.node(form.call);
    if (apart || isComposite(def)) {
        prepared->composite = true;
        prepared->graph.outputs = {};
        std::vector<ir::NodeId> results;
        if (call.tuple)
            for (size_t i = 0; i < call.types.size(); ++i)
                results.push_back(builder.getitem(prepared->call, static_cast<int>(i)));
        else
            results.push_back(prepared->call);
        prepared->graph.outputs = results;
        CUTAWAY_CHECK(
            pipeline::runPasses(pipeline::PassPoint::Captured, prepared->graph, options_, nullptr));
        if (apart) CUTAWAY_CHECK(passes::decomposeAfterAutograd(prepared->graph));
        CUTAWAY_CHECK(passes::removeDead(prepared->graph));
    } else if (std::holds_alternative<ops::NoLowering>(def.lowering)) {
        prepared->copy = true;
    } else if (std::holds_alternative<ops::View>(def.lowering)) {
        prepared->view = true;
        ops::OpCall opCall(def, call.args, prepared->graph);
        prepared->viewOffset = ops::startOfView(opCall, call.type(), -1).constant();
    } else {
        ir::Graph whole = prepared->graph.clone();
        ops::Builder tail(whole);
        if (call.tuple)
            for (size_t i = 0; i < call.types.size(); ++i)
                whole.outputs.push_back(tail.getitem(prepared->call, static_cast<int>(i)));
        else
            whole.outputs = {prepared->call};
        CUTAWAY_TRY(PreparedPtr compiled, prepareGraph(std::move(whole)));
        prepared->executable = compiled->executable;
        prepared->bytesMoved = compiled->bytesMoved;
    }
    return {};
}

base::Result<EagerRunner::Family*> EagerRunner::family(const ops::OpDef& def,
                                                       const ir::ArgList& args,
                                                       std::span<const TensorPtr> tensors,
                                                       std::span<const size_t> numbers) {
    std::string key = callKey(def.name(), withInputs(args, numbers, tensors.size()), tensors);
    for (size_t i : numbers)
        key += std::holds_alternative<double>(args[i]) ? 'f' : 'i';
    auto [at, isNew] = families_.try_emplace(key);
    Family& family = at->second;
    if (isNew || family.prepared || family.refused || family.composite) return &family;
    // A second value came. Errors of this call are those of the call as it is written.
    CUTAWAY_TRY(PreparedPtr exact, written(def, args, tensors));
    family.composite = isComposite(def);
    if (family.composite) return &family;
    family.refused = true;
    for (const NumberDTypes& dtypes : numberDTypes()) {
        CUTAWAY_TRY(std::vector<TensorPtr> inputs,
                    withNumbers(tensors, args, numbers, dtypes, exact->types.front().device));
        auto general = written(def, withInputs(args, numbers, tensors.size()), inputs);
        if (!general.ok() || (*general)->types != exact->types) continue;
        if (!complete(**general, false).ok()) continue;
        family.prepared = *general;
        family.dtypes = dtypes;
        family.refused = false;
        break;
    }
    return &family;
}

base::Result<EagerRunner::PreparedPtr> EagerRunner::find(const ops::OpDef& def,
                                                         const ir::ArgList& given,
                                                         std::vector<TensorPtr>& tensors,
                                                         bool apart) {
    const std::optional<ir::ArgList> rounded = roundedNumbers(def, given, tensors);
    const ir::ArgList& args = rounded ? *rounded : given;
    const std::vector<size_t> numbers = apart ? std::vector<size_t>() : numberArguments(def, args);
    if (numbers.empty()) return prepare(def, args, tensors, apart);
    const std::string key = callKey(def.name(), args, tensors);
    if (auto known = prepared_.find(key); known != prepared_.end()) return known->second;
    CUTAWAY_TRY(Family * of, family(def, args, tensors, numbers));
    if (of->composite) {
        CUTAWAY_TRY(PreparedPtr once, written(def, args, tensors));
        CUTAWAY_CHECK(complete(*once, apart));
        return once;
    }
    if (!of->prepared) return prepare(def, args, tensors, apart);
    CUTAWAY_CHECK(of->prepared->accepts(args));
    CUTAWAY_TRY(tensors, withNumbers(tensors, args, numbers, of->dtypes,
                                     of->prepared->types.front().device));
    return of->prepared;
}

base::Result<std::vector<TensorPtr>> EagerRunner::run(Prepared& prepared,
                                                      std::span<const TensorPtr> tensors) {
    if (prepared.view) {
        const ir::TensorType& type = prepared.types.front();
        const bool same = type.dtype == tensors[0]->type.dtype;
        return std::vector<TensorPtr>{
            same ? runtime::viewOf(tensors[0], type.sizes, type.strides, prepared.viewOffset)
                 : runtime::seenAs(tensors[0], type)};
    }
    if (prepared.copy) {
        CUTAWAY_TRY(TensorPtr result, runtime::emptyTensor(prepared.types.front()));
        CUTAWAY_CHECK(runtime::copyInto(*result, *tensors[0]));
        return std::vector<TensorPtr>{std::move(result)};
    }
    return launch(prepared, tensors);
}

base::Result<std::vector<TensorPtr>> EagerRunner::launch(const Prepared& prepared,
                                                         std::span<const TensorPtr> inputs) {
    work_.launches += prepared.executable->launches();
    work_.bytesMoved += prepared.bytesMoved;
    return prepared.executable->run(inputs);
}

base::Result<std::vector<TensorPtr>> runOneByOne(const ir::Graph& graph, capture::EagerOps& eager,
                                                 std::span<const TensorPtr> inputs, bool gradMode) {
    std::vector<std::vector<TensorPtr>> values(graph.idLimit());
    // A value is let go after its last use: a long chain needs two tensors, not all of them.
    std::vector<ir::NodeId> lastUser(graph.idLimit());
    for (ir::NodeId id : graph.order())
        for (ir::NodeId input : ir::inputNodes(graph.node(id).args))
            lastUser[input.index] = id;
    for (ir::NodeId output : graph.outputs)
        if (output.valid()) lastUser[output.index] = ir::NodeId();
    size_t nextInput = 0;
    for (ir::NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        std::vector<TensorPtr>& results = values[id.index];
        if (node.kind == ir::NodeKind::Placeholder) {
            results = {inputs[nextInput++]};
        } else if (node.kind == ir::NodeKind::Constant) {
            CUTAWAY_TRY(TensorPtr constant, runtime::fromHost(*node.constant, node.type().device));
            results = {std::move(constant)};
        } else if (node.op == "getitem") {
            auto index = static_cast<size_t>(std::get<ir::Sym>(node.args[1]).constant());
            results = {values[node.args[0].node()->index][index]};
        } else {
            std::vector<TensorPtr> tensors;
            ir::ArgList args = node.args;
            ir::rewriteNodes(args, [&](ir::NodeId input) {
                tensors.push_back(values[input.index].front());
                return ir::NodeId(static_cast<uint32_t>(tensors.size() - 1));
            });
            const ops::OpDef* def = ops::catalogue().find(node.op);
            if (!def) return base::bugError("unknown operation " + node.op);
            CUTAWAY_TRY(results, eager.call(*def, args, tensors, gradMode));
        }
        for (ir::NodeId input : ir::inputNodes(node.args))
            if (lastUser[input.index] == id) values[input.index].clear();
    }
    std::vector<TensorPtr> outputs;
    for (ir::NodeId id : graph.outputs)
        outputs.push_back(id.valid() ? values[id.index].front() : nullptr);
    return outputs;
}

/// The GPU of some tensors when others, of no dimensions, lie on the host.
static std::optional<ir::Device> gpuBesideNumbers(std::span<const TensorPtr> tensors) {
    std::optional<ir::Device> gpu;
    bool number = false;
    for (const TensorPtr& tensor : tensors)
        if (tensor->type.device.isCuda())
            gpu = tensor->type.device;
        else
            number |= tensor->type.rank() == 0;
    return number ? gpu : std::nullopt;
}

base::Result<std::vector<TensorPtr>> EagerRunner::plainCall(const ops::OpDef& def,
                                                            const ir::ArgList& args,
                                                            std::span<const TensorPtr> tensors,
                                                            bool gradMode) {
    if (const std::optional<ir::Device> gpu = gpuBesideNumbers(tensors)) {
        std::vector<TensorPtr> moved(tensors.begin(), tensors.end());
        for (TensorPtr& tensor : moved) {
            if (tensor->type.rank() > 0 || tensor->type.device.isCuda()) continue;
            CUTAWAY_TRY(tensor,
                        call("prims.device_put", {ir::NodeId(0), *gpu}, {tensor}, gradMode));
        }
        return call(def, args, moved, gradMode);
    }
    if (def.isRandom() && tensors.empty()) {
        CUTAWAY_TRY(TensorPtr drawn, random(def, args));
        return std::vector<TensorPtr>{std::move(drawn)};
    }
    const bool wanted = gradMode && std::ranges::any_of(tensors, [](const TensorPtr& tensor) {
                            return tensor->type.requiresGrad;
                        });
    std::vector<TensorPtr> inputs(tensors.begin(), tensors.end());
    CUTAWAY_TRY(PreparedPtr prepared, find(def, args, inputs, wanted && takenApart(def)));
    if (prepared->composite) return runOneByOne(prepared->graph, *this, tensors, gradMode);
    CUTAWAY_TRY(std::vector<TensorPtr> results, run(*prepared, inputs));
    for (TensorPtr& result : results)
        for (const TensorPtr& tensor : tensors)
            if (result ==
                tensor) // an operation that returned its input: the tape needs a new tensor
                result = runtime::viewOf(tensor, tensor->type.sizes, tensor->type.strides, 0);
    for (TensorPtr& result : results)
        result->type.requiresGrad = false;
    if (wanted) recordOnTape(prepared, inputs, args, inputs.size() - tensors.size(), results);
    if (capture::CallObserver* observer = capture::CallObserver::current())
        observer->called(def, args, tensors, results);
    return results;
}

base::Result<TensorPtr> EagerRunner::random(const ops::OpDef& def, const ir::ArgList& args) {
    ir::ArgList linked = args;
    ir::Graph graph = graphFor({}, linked);
    ops::Builder builder(graph);
    CUTAWAY_TRY(ir::NodeId id, builder.tryCall(def.name(), linked));
    CUTAWAY_TRY(TensorPtr tensor, runtime::emptyTensor(graph.node(id).type()));
    auto integer = [&](const char* name, int64_t otherwise) {
        int at = def.parsed.find(name);
        if (at < 0 || linked[static_cast<size_t>(at)].isNone()) return otherwise;
        return std::get<ir::Sym>(linked[static_cast<size_t>(at)]).constant();
    };
    runtime::Draw draw{.low = integer("low", 0), .high = integer("high", 0)};
    draw.distribution =
        def.traits.distribution == ops::Distribution::Normal    ? runtime::Distribution::Normal
        : def.traits.distribution == ops::Distribution::Uniform ? runtime::Distribution::Uniform
                                                                : runtime::Distribution::Integer;
    CUTAWAY_CHECK(runtime::fillRandom(*tensor, draw, generator_));
    return tensor;
}

void EagerRunner::recordOnTape(const PreparedPtr& prepared, std::span<const TensorPtr> tensors,
                               const ir::ArgList& args, size_t numbers,
                               std::vector<TensorPtr>& results) {
    if (ops::cutsGradient(*prepared->def)) return;
    if (const auto* none = std::get_if<ops::NotDifferentiable>(&prepared->def->gradient))
        return recordRefusal(*prepared->def, none->why, tensors, results);
    if (!std::holds_alternative<ops::VjpRule>(prepared->def->gradient)) return;
    auto entry = std::make_shared<TapeEntry>();
    entry->name = ops::gradientName(*prepared->def);
    entry->runner = this;
    entry->forward = prepared;
    entry->numbers = numbers;
    if (numbers > 0) entry->args = args;
    for (const TensorPtr& tensor : tensors) {
        entry->tensors.push_back(valueOf(tensor));
        entry->inputs.push_back(runtime::gradEdge(tensor));
        entry->versions.push_back(tensor->storage->version);
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
}

base::Result<EagerRunner::PreparedPtr>
EagerRunner::prepareBackward(TapeEntry& entry, const std::vector<TensorPtr>& gradOutputs) {
    const Prepared& forward = *entry.forward;
    std::string key = callKey(entry.name, forward.graph.node(forward.call).args, entry.tensors);
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
                ops::guardRule(forward.def->name(), nullptr, "gradient rule",
                               [&]() -> base::Result<std::vector<ir::NodeId>> {
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
        if (backward.reads[i])
            CUTAWAY_CHECK(runtime::checkUnchanged(*this, *saved[i], versions[i], producerOf(i)));
    return {};
}

base::Status EagerRunner::TapeEntry::putMemoryIn() {
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
    // Somebody watches, or no kernel does it: one operation at a time.
    const bool complex = ir::isComplex(outputTypes[0].dtype) ||
                         (!tensors.empty() && ir::isComplex(tensors[0]->type.dtype));
    if (capture::CallObserver::current() || forward->copy || complex)
        return oneByOne(gradOutputs, false);
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
    CUTAWAY_CHECK(putNumbersIn());
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
    for (size_t i = 0; i < values.size(); ++i)
        if (reads[i])
            CUTAWAY_CHECK(runtime::checkUnchanged(*this, *values[i], versions[i], producerOf(i)));
    saves = readsAny(reads, values.size());
    // Statistics that the forward call saved carry no gradient; what is differentiated again
    // depends on them: they are computed anew, operation by operation.
    if (record && forward->def->traits.oneGradient &&
        std::holds_alternative<ops::Decompose>(forward->def->lowering)) {
        const ir::Node& call = forward->graph.node(forward->call);
        const std::span<const TensorPtr> forwardInputs(values.data(), tensors.size());
        CUTAWAY_TRY(PreparedPtr parts,
                    runner->prepare(*forward->def, call.args, forwardInputs, true));
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

base::Result<TensorPtr> EagerRunner::call(std::string_view op, ir::ArgList args,
                                          std::vector<TensorPtr> tensors, bool gradMode) {
    const ops::OpDef* def = ops::catalogue().find(op);
    if (!def) return base::bugError(fmt::format("unknown operation {}", op));
    while (args.size() < def->parsed.args.size())
        args.push_back(def->parsed.args[args.size()].defaultValue.value_or(ir::Arg{}));
    CUTAWAY_TRY(std::vector<TensorPtr> results, call(*def, args, tensors, gradMode));
    return results.front();
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
