// SPDX-License-Identifier: Apache-2.0
#include "core/backend/eager_prepared.h"

#include "core/backend/call_key.h"
#include "core/backend/call_numbers.h"
#include "core/capture/call_observer.h"
#include "core/ir/meta_device.h"
#include "core/ops/bits_view.h"
#include "core/ops/builder.h"
#include "core/ops/gradients.h"
#include "core/ops/rule_guard.h"
#include "core/ops/written_view.h"
#include "core/passes/decompose.h"
#include "core/passes/remove_dead.h"
#include "core/pipeline/pass_runner.h"
#include "core/runtime/autograd.h"
#include "core/runtime/conjugate.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::backend {

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
    value->ownVersion = tensor->ownVersion;
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
    if (PreparedPtr known = forOpenSizes(graph)) return known;
    return compile(std::move(graph));
}

base::Result<EagerRunner::PreparedPtr> EagerRunner::compile(ir::Graph graph) {
    auto prepared = std::make_shared<Prepared>();
    CUTAWAY_CHECK(pipeline::runPasses(pipeline::PassPoint::Captured, graph, options_, nullptr));
    CUTAWAY_CHECK(pipeline::runPasses(pipeline::PassPoint::Joint, graph, options_, nullptr));
    if (pipeline::deviceOf(graph) == ir::kMetaDevice) { // nothing runs: launch() makes the results
        for (ir::NodeId output : graph.outputs)
            prepared->types.push_back(graph.node(output).type());
        prepared->graph = std::move(graph);
        return prepared;
    }
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
                                                            Parts parts) {
    const std::string how = parts == Parts::Apart   ? " taken apart"
                            : parts == Parts::Shown ? " on the tape"
                                                    : "";
    std::string key = callKey(def.name() + how, args, tensors);
    if (auto known = prepared_.find(key); known != prepared_.end()) return known->second;
    CUTAWAY_TRY(PreparedPtr prepared, written(def, args, tensors));
    CUTAWAY_CHECK(complete(*prepared, parts));
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

base::Status EagerRunner::complete(Prepared& form, Parts parts) {
    Prepared* const prepared = &form;
    const ops::OpDef& def = *form.def;
    ops::Builder builder(form.graph);
    const ir::Node& call = form.graph.node(form.call);
    if (call.types.empty()) { // unbind() over no elements: nothing is computed
        form.composite = true;
        form.graph.outputs = {};
        return passes::removeDead(form.graph);
    }
    if (parts == Parts::Apart || isComposite(def)) {
        prepared->composite = true;
        prepared->graph.outputs = {};
        std::vector<ir::NodeId> results;
        if (call.tuple)
            for (size_t i = 0; i < call.types.size(); ++i)
                results.push_back(builder.getitem(prepared->call, static_cast<int>(i)));
        else
            results.push_back(prepared->call);
        prepared->graph.outputs = results;
        if (parts == Parts::Shown)
            CUTAWAY_CHECK(
                passes::decomposeBeforeAutograd(prepared->graph, [&](const ir::Node& node) {
                    const ops::OpDef* part = ops::catalogue().find(node.op);
                    return node.id != prepared->call && ops::isOneGradient(*part);
                }));
        else
            CUTAWAY_CHECK(pipeline::runPasses(pipeline::PassPoint::Captured, prepared->graph,
                                              options_, nullptr));
        if (parts == Parts::Apart) CUTAWAY_CHECK(passes::decomposeAfterAutograd(prepared->graph));
        CUTAWAY_CHECK(passes::removeDead(prepared->graph));
    } else if (std::holds_alternative<ops::NoLowering>(def.lowering)) {
        prepared->copy = true;
    } else if (std::holds_alternative<ops::View>(def.lowering) || ops::seesBits(def)) {
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
        prepared->symbols = compiled->symbols;
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
        if (!complete(**general, Parts::AsItSays).ok()) continue;
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
                                                         Parts parts) {
    const std::optional<ir::ArgList> rounded = roundedNumbers(def, given, tensors);
    const ir::ArgList& args = rounded ? *rounded : given;
    const std::vector<size_t> numbers =
        parts == Parts::Apart ? std::vector<size_t>() : numberArguments(def, args);
    if (numbers.empty()) return prepare(def, args, tensors, parts);
    const std::string key = callKey(def.name(), args, tensors);
    if (auto known = prepared_.find(key); known != prepared_.end()) return known->second;
    CUTAWAY_TRY(Family * of, family(def, args, tensors, numbers));
    if (of->composite) {
        CUTAWAY_TRY(PreparedPtr once, written(def, args, tensors));
        CUTAWAY_CHECK(complete(*once, parts));
        return once;
    }
    if (!of->prepared) return prepare(def, args, tensors, parts);
    CUTAWAY_CHECK(of->prepared->accepts(args));
    CUTAWAY_TRY(tensors, withNumbers(tensors, args, numbers, of->dtypes,
                                     of->prepared->types.front().device));
    return of->prepared;
}

base::Result<std::vector<TensorPtr>> EagerRunner::run(Prepared& prepared,
                                                      std::span<const TensorPtr> tensors) {
    if (prepared.view && ops::conjugates(*prepared.def)) {
        CUTAWAY_TRY(TensorPtr seen, runtime::conjugateOf(tensors[0]));
        return std::vector<TensorPtr>{std::move(seen)};
    }
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
    if (!prepared.executable) {
        std::vector<TensorPtr> results;
        for (const ir::TensorType& type : prepared.types) {
            CUTAWAY_TRY(TensorPtr result, runtime::emptyTensor(type));
            results.push_back(std::move(result));
        }
        return results;
    }
    work_.launches += prepared.executable->launches();
    work_.bytesMoved += prepared.bytesMoved;
    return prepared.executable->run(inputs, prepared.symbols);
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

void EagerRunner::saveBeside(const ops::OpDef& def, const ir::ArgList& args,
                             std::span<const TensorPtr> tensors,
                             const std::vector<TensorPtr>& results) {
    if (parts_ > 0 || def.saved.none()) return;
    for (const TensorPtr& result : results) {
        const auto given = [&](const TensorPtr& tensor) {
            return tensor->gradFunction == result->gradFunction;
        };
        auto* entry = dynamic_cast<TapeEntry*>(result->gradFunction.get());
        if (entry && entry->beside.empty() && std::ranges::none_of(tensors, given))
            entry->saveBeside(def.saved, args, tensors, results);
    }
}

/// The last functions of the tape that a composite's results have are called as the composite is,
/// and lead on to what it was given.
static void nameGradients(const ops::OpDef& def, std::span<const TensorPtr> tensors,
                          const std::vector<TensorPtr>& results) {
    for (const TensorPtr& result : results) {
        const auto given = [&](const TensorPtr& tensor) {
            return tensor->gradFunction == result->gradFunction;
        };
        if (!result || !result->gradFunction || std::ranges::any_of(tensors, given)) continue;
        runtime::GradFunction& last = *result->gradFunction;
        last.name = ops::gradientName(def);
        auto* part = dynamic_cast<runtime::ShownInputs*>(&last);
        if (!part) continue;
        part->shownInputs.emplace();
        for (const TensorPtr& tensor : tensors)
            part->shownInputs->push_back(runtime::gradEdge(tensor));
    }
}

/// Strides of dimensions of one element, which a composite's formula leaves as they come, are as its
/// record says.
static void strideSingles(const std::vector<ir::TensorType>& types,
                          std::span<const TensorPtr> tensors, std::vector<TensorPtr>& results) {
    for (size_t i = 0; i < std::min(types.size(), results.size()); ++i) {
        ir::TensorType& type = results[i]->type;
        const auto shared = [&](const TensorPtr& tensor) {
            return tensor->storage == results[i]->storage;
        };
        if (std::ranges::any_of(tensors, shared)) continue;
        for (size_t d = 0; d < type.rank(); ++d)
            if (type.sizes[d].is(1)) type.strides[d] = types[i].strides[d];
    }
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
    CUTAWAY_TRY(PreparedPtr prepared, find(def, args, inputs,
                                           !wanted            ? Parts::AsItSays
                                           : takenApart(def)  ? Parts::Apart
                                           : isComposite(def) ? Parts::Shown
                                                              : Parts::AsItSays));
    if (prepared->composite) {
        struct Parts { // what is called may throw what a script raises
            int& count;
            explicit Parts(int& parts) : count(parts) { ++count; }
            ~Parts() { --count; }
        };
        auto results = [&] {
            const Parts inside(parts_);
            return runOneByOne(prepared->graph, *this, tensors, gradMode);
        }();
        if (!results.ok()) return results;
        strideSingles(prepared->types, tensors, *results);
        if (!wanted) return results;
        if (ops::isOneGradient(def)) nameGradients(def, tensors, *results);
        saveBeside(def, args, tensors, *results);
        return results;
    }
    capture::CallObserver* const observer = capture::CallObserver::current();
    CUTAWAY_TRY(std::vector<TensorPtr> results,
                observer && observer->replaces()
                    ? observer->instead(def, args, tensors, prepared->types.size())
                    : run(*prepared, inputs));
    for (TensorPtr& result : results)
        for (const TensorPtr& tensor : tensors)
            if (result ==
                tensor) // an operation that returned its input: the tape needs a new tensor
                result = runtime::viewOf(tensor, tensor->type.sizes, tensor->type.strides, 0);
    for (TensorPtr& result : results)
        result->type.requiresGrad = false;
    if (wanted) {
        CUTAWAY_CHECK(
            recordOnTape(prepared, inputs, args, inputs.size() - tensors.size(), results));
        saveBeside(def, args, tensors, results);
    }
    if (observer) observer->called(def, args, tensors, results);
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

base::Result<TensorPtr> EagerRunner::call(std::string_view op, ir::ArgList args,
                                          std::vector<TensorPtr> tensors, bool gradMode) {
    const ops::OpDef* def = ops::catalogue().find(op);
    if (!def) return base::bugError(fmt::format("unknown operation {}", op));
    while (args.size() < def->parsed.args.size())
        args.push_back(def->parsed.args[args.size()].defaultValue.value_or(ir::Arg{}));
    CUTAWAY_TRY(std::vector<TensorPtr> results, call(*def, args, tensors, gradMode));
    return results.front();
}

} // namespace cutaway::backend
