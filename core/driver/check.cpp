// SPDX-License-Identifier: Apache-2.0
#include "core/autodiff/joint_graph.h"
#include "core/driver/case.h"
#include "core/ops/reference.h"
#include "core/pipeline/runner.h"

#include <cmath>
#include <fmt/format.h>

namespace cutaway::driver {

namespace {

using ir::HostTensor;
using runtime::TensorPtr;

constexpr double kPointwiseLimit = 2e-6;  ///< design section 14
constexpr double kReductionLimit = 1e-5;  ///< times the square root of the summed elements
constexpr double kDoublePrecision = 1e-9; ///< float64 limits, relative to float32's

/// Largest difference, relative to the larger of the value and the values' root mean square.
double relativeError(const HostTensor& got, const HostTensor& want) {
    if (got.sizes != want.sizes) return INFINITY;
    double squares = 0;
    int64_t finite = 0;
    for (int64_t i = 0; i < want.numel(); ++i)
        if (double w = want.get(i); std::isfinite(w)) squares += w * w, ++finite;
    double scale = finite ? std::sqrt(squares / static_cast<double>(finite)) : 1;
    double worst = 0;
    for (int64_t i = 0; i < want.numel(); ++i) {
        double w = want.get(i), g = got.get(i);
        if (w == g || (std::isnan(w) && std::isnan(g))) continue;
        double error = std::abs(w - g) / std::max({std::abs(w), scale, 1e-30});
        worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
    return worst;
}

/// The longest sum of the graph: elements of a reduction or of a product's inner dimension.
double longestSum(const ir::Graph& graph) {
    double longest = 1;
    for (ir::NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        const ops::OpDef* def =
            node.kind == ir::NodeKind::Call ? ops::catalogue().find(node.op) : nullptr;
        if (!def || def->isView() || def->isPointwise()) continue;
        double out = static_cast<double>(node.type().numel().constant());
        for (ir::NodeId input : ir::inputNodes(node.args)) {
            const ir::TensorType& type = graph.node(input).type();
            double in = static_cast<double>(type.numel().constant());
            if (std::holds_alternative<ops::MatrixProduct>(def->lowering) && type.rank() > 0)
                longest = std::max(longest, static_cast<double>(type.sizes.back().constant()));
            else if (out > 0)
                longest = std::max(longest, in / out);
        }
    }
    return longest;
}

double limitFor(ir::DType dtype, double longest) {
    if (!ir::isFloating(dtype)) return 0;
    double limit = longest > 1 ? kReductionLimit * std::sqrt(longest) : kPointwiseLimit;
    return dtype == ir::DType::Float64 ? limit * kDoublePrecision : limit;
}

base::Result<std::vector<HostTensor>> toHost(const std::vector<TensorPtr>& tensors) {
    std::vector<HostTensor> result;
    for (const TensorPtr& tensor : tensors) {
        if (!tensor) {
            result.emplace_back();
            continue;
        }
        CUTAWAY_TRY(HostTensor host, runtime::toHost(*tensor));
        result.push_back(std::move(host));
    }
    return result;
}

struct Values {
    std::vector<HostTensor> outputs, gradients; ///< gradients: one per primal, empty where none
};

/// Double precision, by the operations' references on the joint graph.
base::Result<Values> oracle(const ir::Graph& captured, const std::vector<HostTensor>& primals,
                            const std::vector<HostTensor>& tangents) {
    pipeline::Options options;
    options.strategy.graphPasses = false;
    ir::Graph working = pipeline::beginStage(captured);
    CUTAWAY_CHECK(pipeline::runPasses(pipeline::PassPoint::Captured, working, options, nullptr));
    Values values;
    if (tangents.empty()) {
        CUTAWAY_TRY(values.outputs, ops::evaluateDouble(working, primals));
        return values;
    }
    CUTAWAY_TRY(autodiff::JointGraph joint, autodiff::buildJointGraph(working));
    std::vector<HostTensor> inputs = primals;
    inputs.insert(inputs.end(), tangents.begin(), tangents.end());
    CUTAWAY_TRY(std::vector<HostTensor> all, ops::evaluateDouble(joint.graph, inputs));
    values.outputs.assign(all.begin(), all.begin() + joint.forwardOutputs);
    values.gradients.assign(all.begin() + joint.forwardOutputs, all.end());
    return values;
}

base::Result<Values> eagerValues(backend::EagerRunner& eager, const backend::KeptRun& run,
                                 const std::vector<TensorPtr>& tangents) {
    std::vector<TensorPtr> leaves;
    for (const TensorPtr& input : run.inputs)
        leaves.push_back(backend::valueOf(input));
    CUTAWAY_TRY(std::vector<TensorPtr> outputs,
                backend::runOneByOne(*run.captured, eager, leaves, !tangents.empty()));
    size_t next = 0;
    for (const TensorPtr& output : outputs)
        if (output->type.requiresGrad && output->gradFunction && next < tangents.size())
            CUTAWAY_CHECK(eager.backward(output, tangents[next++]));
    std::vector<TensorPtr> gradients;
    for (const TensorPtr& leaf : leaves)
        gradients.push_back(leaf->grad);
    Values values;
    CUTAWAY_TRY(values.outputs, toHost(outputs));
    CUTAWAY_TRY(values.gradients, toHost(gradients));
    return values;
}

record::Check compare(std::string what, const HostTensor& compiled, const HostTensor& eager,
                      const HostTensor& want, double longest) {
    record::Check row;
    row.what = std::move(what);
    row.compiledError = relativeError(compiled, want);
    row.eagerError = relativeError(eager, want);
    row.limit = limitFor(compiled.dtype, longest);
    row.passed = row.compiledError <= row.limit;
    return row;
}

/// Eager gives a gradient where the compiled graph gives none.
record::Check missingGradient(std::string what) {
    record::Check row;
    row.what = std::move(what);
    row.compiledError = INFINITY;
    row.eagerError = 0;
    row.limit = kReductionLimit;
    row.passed = false;
    return row;
}

base::Status checkGraph(backend::EagerRunner& eager, const backend::KeptRun& forward,
                        const backend::KeptRun* backward, std::vector<record::Check>& rows) {
    std::vector<TensorPtr> tangents;
    if (backward)
        tangents.assign(backward->inputs.end() - backward->tangents, backward->inputs.end());
    CUTAWAY_TRY(std::vector<HostTensor> primals, toHost(forward.inputs));
    CUTAWAY_TRY(std::vector<HostTensor> hostTangents, toHost(tangents));
    CUTAWAY_TRY(Values want, oracle(*forward.captured, primals, hostTangents));
    CUTAWAY_TRY(Values plain, eagerValues(eager, forward, tangents));
    std::vector<TensorPtr> outputs(forward.outputs.begin(),
                                   forward.outputs.begin() + forward.forwardOutputs);
    CUTAWAY_TRY(std::vector<HostTensor> got, toHost(outputs));
    double longest = longestSum(*forward.captured);
    for (size_t i = 0; i < got.size(); ++i)
        rows.push_back(compare(fmt::format("{} output {}", forward.function, i), got[i],
                               plain.outputs[i], want.outputs[i], longest));
    if (!backward) return {};
    CUTAWAY_TRY(std::vector<HostTensor> gradients, toHost(backward->outputs));
    std::vector<ir::NodeId> inputs = forward.captured->placeholders();
    for (size_t i = 0; i < gradients.size() && i < inputs.size(); ++i) {
        const ir::Node& input = forward.captured->node(inputs[i]);
        const std::string what =
            fmt::format("{} grad of {}", forward.function,
                        input.inputSource.empty() ? input.name : input.inputSource);
        if (!backward->outputs[i]) {
            if (plain.gradients[i].numel() > 0 && !plain.gradients[i].bytes.empty())
                rows.push_back(missingGradient(what));
            continue;
        }
        // Gradients also sum over what was broadcast in the forward.
        double sums = longest;
        for (const TensorPtr& tangent : tangents)
            sums =
                std::max(sums, static_cast<double>(tangent->type.numel().constant()) /
                                   std::max<double>(1, static_cast<double>(gradients[i].numel())));
        rows.push_back(compare(what, gradients[i], plain.gradients[i], want.gradients[i], sums));
    }
    return {};
}

} // namespace

base::Result<std::vector<record::Check>> check(Tools& tools, const SessionOptions& options) {
    CUTAWAY_TRY(LoadedProgram loaded, loadProgram(tools, options, options.backend, nullptr, true));
    if (loaded.program->isCaseFile()) {
        CUTAWAY_TRY(CaseStep step, CaseStep::make(loaded, options.size, options.backend));
        CUTAWAY_CHECK(step.run());
    }
    const std::vector<backend::KeptRun>& runs = loaded.compiler->keptRuns();
    std::vector<record::Check> rows;
    for (const backend::KeptRun& run : runs) {
        if (run.graph != "forward") continue;
        const backend::KeptRun* backward = nullptr;
        for (const backend::KeptRun& other : runs)
            if (other.graph == "backward" && other.captured == run.captured) backward = &other;
        CUTAWAY_CHECK(checkGraph(*loaded.eager, run, backward, rows));
    }
    if (rows.empty())
        return base::userError({options.path}, "nothing to check: no graph was compiled",
                               "add torch.compile, or define 'model' and 'example_inputs(size)'");
    return rows;
}

} // namespace cutaway::driver
