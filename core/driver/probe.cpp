// SPDX-License-Identifier: Apache-2.0
#include "core/driver/probe_runs.h"

#include "core/base/tick.h"
#include "core/driver/oracle.h"
#include "core/memory/plan.h"
#include "core/ops/reference.h"
#include "core/runtime/precision.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

namespace cutaway::driver {

namespace {

using backend::KeptRun;
using ir::HostTensor;
using runtime::TensorPtr;
using HostTensors = std::vector<HostTensor>;

/// Elements of all values of a step: each is held as several doubles.
constexpr int64_t kMostElements = int64_t{1} << 25;
constexpr size_t kParts = 32; ///< of a histogram

base::Result<HostTensors> toHost(std::span<const TensorPtr> tensors) {
    HostTensors result;
    for (const TensorPtr& tensor : tensors) {
        if (!tensor) {
            result.push_back(HostTensor::zeros(ir::DType::Float32, {0}));
            continue;
        }
        CUTAWAY_TRY(HostTensor host, runtime::toHost(*tensor));
        result.push_back(std::move(host));
    }
    return result;
}

bool sameKind(const HostTensor& tensor, const ir::TensorType& type) {
    return tensor.dtype == type.dtype && tensor.sizes == ir::constants(type.sizes);
}

/// What the kernels of a run left in memory, by the name of the graph's node: the same machine code
/// is run once more, with every buffer that it writes among the outputs.
base::Result<std::unordered_map<std::string, HostTensor>> storedValues(const KeptRun& run) {
    auto program = std::make_shared<kernel::KernelProgram>(*run.program);
    kernel::LoopProgram& loops = program->loops;
    const size_t outputs = loops.outputs.size();
    std::vector<bool> overwritten(loops.buffers.size());
    for (const kernel::Buffer& buffer : loops.buffers)
        if (buffer.base.valid()) overwritten[buffer.base.index] = true;
    for (const kernel::Kernel& kernel : program->kernels)
        for (kernel::BufferId id : kernel.writes) {
            const kernel::Buffer& buffer = loops.buffer(id);
            if (overwritten[id.index]) continue;
            loops.outputs.push_back({id, buffer.sizes, buffer.strides, ir::Sym(0)});
            loops.outputNames.push_back(buffer.name);
        }
    const memory::MemoryPlan plan = memory::planMemory(*program);
    CUTAWAY_TRY(std::shared_ptr<runtime::Executable> again,
                run.executable->replanned(program, plan));
    CUTAWAY_TRY(std::vector<TensorPtr> results, again->run(run.inputs, run.symbols));
    CUTAWAY_TRY(HostTensors values, toHost(results));
    std::unordered_map<std::string, HostTensor> stored;
    for (size_t i = 0; i < outputs; ++i)
        if (const ir::NodeId id = run.compiled->outputs[i]; id.valid() && results[i])
            stored.insert_or_assign(run.compiled->node(id).name, std::move(values[i]));
    for (size_t i = outputs; i < values.size(); ++i)
        stored.emplace(loops.outputNames[i], std::move(values[i]));
    return stored;
}

/// A value of the step's graph, and which node of which graph it is.
struct Place {
    const char* graph;
    const ir::Graph* of;
    ir::NodeId original, here;

    const ir::Node& node() const { return of->node(original); }
};

/// Forward and backward as one graph, with every value among the outputs.
struct Step {
    ir::Graph graph{"step"};
    std::vector<Place> places; ///< one an output
    int64_t elements = 0;

    void add(const char* name, const ir::Graph& of, ir::NodeId original, ir::NodeId here) {
        const ir::Node& node = of.node(original);
        if (node.tuple) return;
        places.push_back({name, &of, original, here});
        graph.outputNames.push_back(node.name);
        elements += node.type().numel().constant();
    }
    void finish() {
        graph.outputs.clear();
        for (const Place& place : places)
            graph.outputs.push_back(place.here);
    }
};

Step stepOf(const ir::Graph& forward, const ir::Graph* backward, size_t forwardOutputs,
            const char* name) {
    Step step;
    step.graph = forward.clone();
    step.graph.outputNames.clear();
    for (ir::NodeId id : forward.order())
        step.add(name, forward, id, id);
    if (backward) {
        std::vector<ir::NodeId> here(backward->idLimit());
        size_t saved = forwardOutputs;
        for (ir::NodeId id : backward->order()) {
            const ir::Node& node = backward->node(id);
            if (node.kind == ir::NodeKind::Placeholder && saved < forward.outputs.size()) {
                here[id.index] = forward.outputs[saved++];
                continue;
            }
            here[id.index] =
                step.graph.addCopy(node, [&](ir::NodeId input) { return here[input.index]; });
            step.add("backward", *backward, id, here[id.index]);
        }
    }
    step.finish();
    return step;
}

double size(const HostTensor& value) {
    double squares = 0;
    int64_t finite = 0;
    for (int64_t i = 0; i < value.numel(); ++i)
        if (double x = value.get(i); std::isfinite(x)) squares += x * x, ++finite;
    return finite ? std::sqrt(squares / static_cast<double>(finite)) : 0;
}

double difference(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double difference = std::abs(a - b);
    return std::isfinite(difference) ? difference : INFINITY;
}

ValueError errorOf(const Expected& expected, const HostTensor& found) {
    ValueError error;
    error.beyond = expected.error(found) > expected.limit;
    if (found.sizes != expected.value.sizes) return {INFINITY, INFINITY, true};
    const double scale = std::max(size(expected.value), 1e-30);
    for (int64_t i = 0; i < found.numel(); ++i) {
        const double want = expected.value.get(i);
        const double off = difference(found.get(i), want);
        if (off == 0) continue;
        const double magnitude = std::isfinite(want) ? std::max(std::abs(want), scale) : scale;
        error.absolute = std::max(error.absolute, off);
        error.relative = std::max(error.relative, off / magnitude);
    }
    return error;
}

/// "[0, 3]": where element \p i stands.
std::string placeOf(const HostTensor& value, int64_t i) {
    std::vector<int64_t> place(value.sizes.size());
    for (size_t d = place.size(); d-- > 0; i /= value.sizes[d])
        place[d] = i % value.sizes[d];
    return fmt::format("[{}]", fmt::join(place, ", "));
}

void describe(const HostTensor& value, ProbedValue& row) {
    row.elements = value.numel();
    row.least = row.most = row.mean = NAN;
    double sum = 0;
    for (int64_t i = 0; i < row.elements; ++i) {
        const double x = value.get(i);
        if (!std::isfinite(x)) {
            if (row.notFinite++ == 0)
                row.firstNotFinite =
                    placeOf(value, i) + " is " + (std::isnan(x) ? "nan" : fmt::format("{}", x));
            continue;
        }
        row.least = std::isnan(row.least) ? x : std::min(row.least, x);
        row.most = std::isnan(row.most) ? x : std::max(row.most, x);
        sum += x;
    }
    if (row.notFinite == row.elements) return;
    row.mean = sum / static_cast<double>(row.elements - row.notFinite);
    row.histogram.resize(kParts);
    const double width = (row.most - row.least) / kParts;
    for (int64_t i = 0; i < row.elements; ++i) {
        const double x = value.get(i);
        if (!std::isfinite(x)) continue;
        const double part = width > 0 && std::isfinite(width) ? (x - row.least) / width : 0;
        ++row.histogram[std::min(kParts - 1, static_cast<size_t>(part))];
    }
}

/// The same to what double precision can tell.
bool equal(const HostTensor& a, const HostTensor& b) {
    if (a.sizes != b.sizes) return false;
    const double allowed = 1e-9 * std::max(size(a), 1e-30);
    for (int64_t i = 0; i < a.numel(); ++i)
        if (difference(a.get(i), b.get(i)) > allowed) return false;
    return true;
}

/// For nodes of a captured graph, the nodes of the forward graph that came from them.
class Provenance {
public:
    explicit Provenance(const record::Record& record) : record_(record), links_(record) {
        for (record::ItemId id = 0; id < record.items.size(); ++id)
            byKey_.emplace(record.items[id].key, id);
    }
    /// Keys of what \p key came from.
    std::vector<std::string> ancestors(const std::string& key) const {
        std::vector<std::string> keys;
        const auto at = byKey_.find(key);
        if (at == byKey_.end()) return keys;
        for (record::ItemId id : links_.ancestors({at->second}))
            keys.push_back(record_.items[id].key);
        return keys;
    }

private:
    const record::Record& record_;
    record::LinkIndex links_;
    std::unordered_map<std::string, record::ItemId> byKey_;
};

/// One call of one compiled function.
class FunctionProbe {
public:
    FunctionProbe(backend::EagerRunner& eager, const Provenance& provenance, const KeptRun& forward,
                  const KeptRun* backward, Probe& into)
        : eager_(eager), provenance_(provenance), forward_(forward), backward_(backward),
          probe_(into) {}

    base::Status run() {
        step_ = stepOf(*forward_.compiled, backward_ ? backward_->compiled.get() : nullptr,
                       static_cast<size_t>(forward_.forwardOutputs), "forward");
        const Step captured = stepOf(*forward_.captured, nullptr, 0, "captured");
        if (step_.elements + captured.elements > kMostElements)
            return base::userError(
                {},
                fmt::format("{} has {} elements in all its values, and at most {} are compared",
                            forward_.function, step_.elements + captured.elements, kMostElements),
                "choose a smaller size");
        CUTAWAY_CHECK(evaluateStep());
        CUTAWAY_CHECK(addCaptured(captured));
        addStep();
        return {};
    }

private:
    std::vector<TensorPtr> inputs() const {
        std::vector<TensorPtr> all = forward_.inputs;
        if (backward_) {
            const auto tangents =
                std::span(backward_->inputs).last(backward_->tangentOutputs.size());
            all.insert(all.end(), tangents.begin(), tangents.end());
        }
        return all;
    }

    /// Eager mode's values of a graph; empty where it cannot run it, which is told.
    base::Result<HostTensors> eagerValues(const ir::Graph& graph,
                                          const std::vector<TensorPtr>& inputs) {
        auto values = backend::runOneByOne(graph, eager_, inputs, false);
        if (!values) {
            if (values.error().fault == base::Fault::Cancelled) return values.error();
            probe_.problems.push_back(values.error().message);
            return HostTensors();
        }
        return toHost(*values);
    }

    base::Status evaluateStep() {
        const std::vector<TensorPtr> tensors = inputs();
        CUTAWAY_TRY(const HostTensors hosts, toHost(tensors));
        CUTAWAY_TRY(expected_, expectations(step_.graph, hosts));
        CUTAWAY_TRY(eagerly_, eagerValues(step_.graph, tensors));
        CUTAWAY_TRY(const auto fromForward, storedValues(forward_));
        std::unordered_map<std::string, HostTensor> fromBackward;
        if (backward_) {
            CUTAWAY_TRY(fromBackward, storedValues(*backward_));
        }
        std::map<uint32_t, HostTensor> known;
        for (const Place& place : step_.places) {
            const auto& stored = place.of == forward_.compiled.get() ? fromForward : fromBackward;
            const auto at = stored.find(place.node().name);
            if (place.node().kind == ir::NodeKind::Call && at != stored.end() &&
                sameKind(at->second, place.node().type()))
                known.emplace(place.here.index, at->second);
        }
        CUTAWAY_TRY(compiled_, ops::evaluateFrom(known, step_.graph, hosts));
        for (const Place& place : step_.places)
            origins_.push_back(place.node().kind != ir::NodeKind::Call ? ProbedValue::Origin::Input
                               : known.contains(place.here.index)      ? ProbedValue::Origin::Stored
                                                                  : ProbedValue::Origin::Computed);
        return {};
    }

    ProbedValue rowOf(const Place& place, const Expected& expected) const {
        const ir::Node& node = place.node();
        ProbedValue row;
        row.key = fmt::format("{}/{}/{}", forward_.entry, place.graph, node.name);
        row.function = forward_.function;
        row.graph = place.graph;
        row.name = node.name;
        if (node.kind == ir::NodeKind::Call) row.op = node.op;
        row.type = node.type().str();
        row.limit = expected.limit;
        return row;
    }

    void addStep() {
        for (size_t i = 0; i < step_.places.size(); ++i) {
            base::tick();
            ProbedValue row = rowOf(step_.places[i], expected_[i]);
            row.origin = origins_[i];
            row.compiled = errorOf(expected_[i], compiled_[i]);
            if (!eagerly_.empty()) row.eager = errorOf(expected_[i], eagerly_[i]);
            describe(compiled_[i], row);
            if (row.compiled.beyond && probe_.first < 0)
                probe_.first = static_cast<int>(probe_.values.size());
            probe_.values.push_back(std::move(row));
        }
    }

    /// The last value of the forward graph that came from a captured node and equals it in double
    /// precision, as an index in the step's places; -1: none.
    std::vector<int> counterparts(const Step& captured, const std::vector<Expected>& values) const {
        std::unordered_map<std::string, size_t> byKey;
        for (size_t i = 0; i < captured.places.size(); ++i)
            byKey.emplace(
                fmt::format("{}/captured/{}", forward_.entry, captured.places[i].node().name), i);
        std::vector<int> found(captured.places.size(), -1);
        for (size_t i = 0; i < step_.places.size(); ++i) {
            const Place& place = step_.places[i];
            if (place.of != forward_.compiled.get()) break;
            for (const std::string& key : provenance_.ancestors(
                     fmt::format("{}/{}/{}", forward_.entry, place.graph, place.node().name))) {
                const auto at = byKey.find(key);
                if (at != byKey.end() && equal(values[at->second].value, expected_[i].value))
                    found[at->second] = static_cast<int>(i);
            }
        }
        return found;
    }

    base::Status addCaptured(const Step& captured) {
        CUTAWAY_TRY(const HostTensors hosts, toHost(forward_.primals));
        CUTAWAY_TRY(const std::vector<Expected> values, expectations(captured.graph, hosts));
        CUTAWAY_TRY(const HostTensors eagerly, eagerValues(captured.graph, forward_.primals));
        const std::vector<int> same = counterparts(captured, values);
        for (size_t i = 0; i < captured.places.size(); ++i) {
            base::tick();
            ProbedValue row = rowOf(captured.places[i], values[i]);
            if (!eagerly.empty()) row.eager = errorOf(values[i], eagerly[i]);
            if (same[i] >= 0) {
                const auto at = static_cast<size_t>(same[i]);
                row.origin = origins_[at];
                row.counterpart = step_.places[at].node().name;
                row.compiled = errorOf(expected_[at], compiled_[at]);
                describe(compiled_[at], row);
            } else {
                describe(values[i].value, row);
            }
            probe_.values.push_back(std::move(row));
        }
        return {};
    }

    backend::EagerRunner& eager_;
    const Provenance& provenance_;
    const KeptRun& forward_;
    const KeptRun* backward_;
    Probe& probe_;
    Step step_;
    std::vector<Expected> expected_; ///< by place of the step, as the next three
    HostTensors eagerly_, compiled_;
    std::vector<ProbedValue::Origin> origins_;
};

} // namespace

base::Result<Probe> probeRuns(backend::EagerRunner& eager, const record::Record& record,
                              const std::vector<KeptRun>& runs) {
    Probe probe;
    const Provenance provenance(record);
    for (const KeptRun& forward : runs) {
        if (forward.graph != "forward") continue;
        const auto backward = std::find_if(runs.begin(), runs.end(), [&](const KeptRun& run) {
            return run.graph == "backward" && run.captured == forward.captured;
        });
        CUTAWAY_CHECK(FunctionProbe(eager, provenance, forward,
                                    backward == runs.end() ? nullptr : &*backward, probe)
                          .run());
    }
    return probe;
}

base::Result<Probe> probe(Tools& tools, const SessionOptions& options) {
    const runtime::FullPrecision exact; // the limits are float32's
    pipeline::RecordBuilder builder;
    CUTAWAY_TRY(ProgramRun run, runOnce(tools, options, &builder));
    if (options.progress) options.progress("comparing values", 0);
    CUTAWAY_TRY(Probe probe, probeRuns(*run.loaded.eager, builder.record, run.kept()));
    if (probe.values.empty())
        return base::userError({options.path}, "nothing to compare: no graph was compiled",
                               "add torch.compile, or define 'model' and 'example_inputs(size)'");
    probe.size = std::move(run.size);
    probe.device = options.device;
    probe.threads = runtime::threads();
    probe.textHash = run.loaded.textHash;
    probe.decisions = decisionsText(options);
    return probe;
}

} // namespace cutaway::driver
