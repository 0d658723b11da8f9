// SPDX-License-Identifier: Apache-2.0
#include "core/driver/check.h"

#include "core/base/tick.h"
#include "core/driver/case.h"
#include "core/driver/nothing_compiled.h"
#include "core/driver/oracle.h"
#include "core/kernel/interpret.h"
#include "core/runtime/precision.h"

#include <fmt/format.h>

namespace cutaway::driver {

namespace {

using ir::HostTensor;
using runtime::TensorPtr;
using HostTensors = std::vector<HostTensor>;

/// \param sizes when not null, null tensors become zeros of these tensors' sizes
base::Result<HostTensors> toHost(std::span<const TensorPtr> tensors,
                                 const HostTensors* sizes = nullptr) {
    HostTensors result;
    for (size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i]) {
            result.push_back(sizes ? HostTensor::zeros(ir::DType::Float32, (*sizes)[i].sizes)
                                   : HostTensor::zeros(ir::DType::Float32, {0}));
            continue;
        }
        CUTAWAY_TRY(HostTensor host, runtime::toHost(*tensors[i]));
        result.push_back(std::move(host));
    }
    return result;
}

struct Values {
    HostTensors outputs, gradients; ///< gradients: one per primal, zeros where none
};

/// Operation by operation. \param tangents of the outputs \p tangentOutputs, may be empty
base::Result<Values> eagerValues(backend::EagerRunner& eager, const ir::Graph& captured,
                                 std::span<const TensorPtr> primals, const HostTensors& sizes,
                                 std::span<const TensorPtr> tangents,
                                 const std::vector<int>& tangentOutputs) {
    std::vector<TensorPtr> leaves;
    for (const TensorPtr& primal : primals)
        leaves.push_back(backend::valueOf(primal));
    CUTAWAY_TRY(std::vector<TensorPtr> outputs,
                backend::runOneByOne(captured, eager, leaves, !tangents.empty()));
    // Of all outputs at once, as the compiled graph has it: what a rule makes of a NaN is not linear
    // in gradients (logcumsumexp's takes it for none).
    runtime::BackwardRequest backward;
    for (size_t t = 0; t < tangents.size(); ++t) {
        const TensorPtr& output = outputs[static_cast<size_t>(tangentOutputs[t])];
        if (!output->type.requiresGrad) continue;
        backward.roots.push_back(output);
        backward.gradients.push_back(tangents[t]);
    }
    if (!backward.roots.empty()) CUTAWAY_CHECK(eager.backward(backward));
    std::vector<TensorPtr> gradients;
    for (const TensorPtr& leaf : leaves)
        gradients.push_back(leaf->grad);
    Values values;
    CUTAWAY_TRY(values.outputs, toHost(outputs));
    CUTAWAY_TRY(values.gradients, toHost(gradients, &sizes));
    return values;
}

record::Check row(std::string what, double compiled, double eager, double limit) {
    record::Check row;
    row.what = std::move(what);
    row.compiledError = compiled;
    row.eagerError = eager;
    row.limit = limit;
    row.passed = compiled <= limit;
    return row;
}

/// One compiled graph's run beside what it should have given.
class RunCheck {
public:
    RunCheck(backend::EagerRunner& eager, const backend::KeptRun& run, bool interpreted,
             std::vector<record::Check>& rows)
        : eager_(eager), run_(run), interpreted_(interpreted), rows_(rows) {}

    base::Status forward() {
        CUTAWAY_TRY(HostTensors primals, toHost(run_.primals));
        CUTAWAY_TRY(Oracle oracle, consult(*run_.captured, primals, {}));
        CUTAWAY_TRY(Values plain,
                    eagerValues(eager_, *run_.captured, run_.primals, primals, {}, {}));
        auto outputs = static_cast<size_t>(run_.forwardOutputs);
        CUTAWAY_TRY(HostTensors found, toHost(std::span(run_.outputs).first(outputs)));
        CUTAWAY_TRY(HostTensors slow, interpretedOutputs());
        for (size_t i = 0; i < outputs; ++i)
            if (run_.captured->outputs[i].valid())
                compare(fmt::format("{} output {}", run_.function, i), oracle.outputs[i], found[i],
                        plain.outputs[i], slow.empty() ? nullptr : &slow[i]);
        return {};
    }

    /// \param forward a run of the graph that saved what this run reads
    base::Status backward(const backend::KeptRun& forward) {
        const auto tangents = std::span(run_.inputs).last(run_.tangentOutputs.size());
        CUTAWAY_TRY(HostTensors primals, toHost(run_.primals));
        CUTAWAY_TRY(HostTensors hostTangents, toHost(tangents));
        CUTAWAY_TRY(Oracle oracle, consult(*run_.captured, primals, hostTangents));
        CUTAWAY_TRY(Values plain, eagerValues(eager_, *run_.captured, run_.primals, primals,
                                              tangents, run_.tangentOutputs));
        CUTAWAY_TRY(HostTensors found, toHost(run_.outputs, &primals));
        CUTAWAY_TRY(HostTensors slow, interpretedGradients(forward, primals, hostTangents));
        const std::vector<ir::NodeId> inputs = run_.captured->placeholders();
        for (size_t i = 0; i < found.size(); ++i) {
            const ir::Node& input = run_.captured->node(inputs[i]);
            if (!input.type().requiresGrad) continue;
            const bool any = run_.outputs[i] != nullptr;
            compare(fmt::format("{} grad of {}", run_.function,
                                input.inputSource.empty() ? input.name : input.inputSource),
                    oracle.gradients[i], found[i], plain.gradients[i],
                    any && !slow.empty() ? &slow[i] : nullptr);
        }
        if (oracle.differences)
            rows_.push_back(row(run_.function + " gradients by central differences",
                                *oracle.differences, *oracle.differences, kDifferencesLimit));
        return {};
    }

private:
    /// The kernels' outputs by the loop IR's interpreter, where wanted.
    base::Result<HostTensors> interpretedOutputs() const {
        if (!interpreted_) return HostTensors();
        CUTAWAY_TRY(HostTensors inputs, toHost(run_.inputs));
        return kernel::interpret(*run_.program, inputs, run_.symbols);
    }
    /// From what the interpreter itself saves: a value that is computed again must equal it to the
    /// last bit (x == x.amax()), which machine code's need not.
    base::Result<HostTensors> interpretedGradients(const backend::KeptRun& forward,
                                                   const HostTensors& primals,
                                                   const HostTensors& tangents) const {
        if (!interpreted_) return HostTensors();
        CUTAWAY_TRY(HostTensors inputs,
                    kernel::interpret(*forward.program, primals, forward.symbols));
        inputs.erase(inputs.begin(), inputs.begin() + forward.forwardOutputs);
        inputs.insert(inputs.end(), tangents.begin(), tangents.end());
        return kernel::interpret(*run_.program, inputs, run_.symbols);
    }

    void compare(const std::string& what, const Expected& expected, const HostTensor& compiled,
                 const HostTensor& eager, const HostTensor* slow) {
        const double eagerError = expected.error(eager);
        rows_.push_back(row(what, expected.error(compiled), eagerError, expected.limit));
        if (slow)
            rows_.push_back(row(what + ", kernels interpreted", expected.error(*slow), eagerError,
                                expected.limit));
    }

    backend::EagerRunner& eager_;
    const backend::KeptRun& run_;
    bool interpreted_;
    std::vector<record::Check>& rows_;
};

} // namespace

base::Result<std::vector<record::Check>> checkRuns(backend::EagerRunner& eager,
                                                   const std::vector<backend::KeptRun>& runs,
                                                   bool interpreted) {
    std::vector<record::Check> rows;
    for (const backend::KeptRun& forward : runs) {
        base::tick();
        if (forward.graph != "forward") continue;
        CUTAWAY_CHECK(RunCheck(eager, forward, interpreted, rows).forward());
        for (const backend::KeptRun& backward : runs)
            if (backward.graph == "backward" && backward.captured == forward.captured)
                CUTAWAY_CHECK(RunCheck(eager, backward, interpreted, rows).backward(forward));
    }
    return rows;
}

base::Result<std::vector<record::Check>> check(Tools& tools, const SessionOptions& options) {
    const runtime::FullPrecision exact; // the limits are float32's
    CUTAWAY_TRY(const ProgramRun run, runOnce(tools, options, nullptr));
    CUTAWAY_CHECK(wishesMet(run.loaded, options));
    CUTAWAY_TRY(std::vector<record::Check> rows, checkRuns(*run.loaded.eager, run.kept()));
    if (rows.empty()) {
        CUTAWAY_TRY(const ModelScript script, scriptOf(options));
        const base::Diagnostic why = nothingCompiled(options.path, script.text);
        return base::userError(why.where, why.message, why.hint);
    }
    for (record::Check& row : rows) {
        row.size = run.size;
        row.device = options.device;
        row.threads = runtime::threads();
        row.textHash = run.loaded.textHash;
        row.decisions = decisionsText(options);
    }
    return rows;
}

} // namespace cutaway::driver
