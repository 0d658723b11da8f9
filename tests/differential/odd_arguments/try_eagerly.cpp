// SPDX-License-Identifier: Apache-2.0
#include "tries.h"

#include "core/backend/eager_runner.h"
#include "core/jit/quick_code.h"
#include "core/ops/call_forms.h"
#include "tests/ops/sample_graph.h"

#include <fmt/format.h>

namespace cutaway::testing {

namespace {

/// What is wrong with it; nothing where it was refused in the user's words, or done.
std::string tried(backend::EagerRunner& eager, const OddCall& call, int& done) {
    const auto defect = [](const base::Diagnostic& error) {
        return error.fault == base::Fault::Bug ? error.message : std::string();
    };
    if (!ops::checkKinds(*call.def, call.sample.args).ok())
        return {}; // whoever binds calls has asked
    auto made = tests::makeSampleGraph(*call.def, call.sample);
    if (!made.ok()) return defect(made.error());
    if (resultBytes(call) > kLargest) return {};
    std::vector<runtime::TensorPtr> tensors;
    for (size_t k = 0; k < made->inputs.size(); ++k) {
        auto tensor = runtime::fromHost(made->inputs[k], {});
        if (!tensor.ok()) return tensor.error().message;
        (*tensor)->type.requiresGrad = ir::isFloating(made->inputs[k].dtype);
        tensors.push_back(*tensor);
    }
    ir::ArgList args = made->graph.node(made->call).args; // complete
    uint32_t next = 0;
    ir::rewriteNodes(args, [&](ir::NodeId) { return ir::NodeId(next++); });
    auto results = eager.call(*call.def, args, tensors, true);
    if (!results.ok()) return defect(results.error());
    ++done;
    runtime::BackwardRequest request{.inputs = {}, .accumulate = false};
    for (const runtime::TensorPtr& result : *results) {
        if (!result || !result->type.requiresGrad || !result->gradFunction) continue;
        auto ones = eager.call("ones_like", {ir::Arg(ir::NodeId(0))}, {backend::valueOf(result)});
        if (!ones.ok()) return defect(ones.error());
        request.roots.push_back(result);
        request.gradients.push_back(*ones);
    }
    for (const runtime::TensorPtr& tensor : tensors)
        if (tensor->type.requiresGrad) request.inputs.push_back(tensor);
    if (request.roots.empty() || request.inputs.empty()) return {};
    auto gradients = eager.backward(request);
    if (!gradients.ok()) return defect(gradients.error());
    for (size_t k = 0; k < gradients->size(); ++k)
        if ((*gradients)[k] && (*gradients)[k]->type.sizes != request.inputs[k]->type.sizes)
            return fmt::format("a gradient of sizes {} for {}",
                               ir::str((*gradients)[k]->type.sizes),
                               ir::str(request.inputs[k]->type.sizes));
    return {};
}

} // namespace

void tryEagerly(std::span<const OddCall> calls, size_t begin, const std::string& cache,
                const Say& say) {
    const jit::QuickCode quick;
    pipeline::Toolchain toolchain(cache);
    backend::EagerRunner eager(toolchain, {});
    for (size_t k = begin; k < calls.size(); ++k) {
        say(fmt::format("@{}", k));
        int done = 0;
        std::string wrong;
        try {
            wrong = tried(eager, calls[k], done);
        } catch (const std::exception& error) {
            wrong = std::string("exception: ") + error.what();
        }
        if (done) say("+");
        if (!wrong.empty()) say(wrong + "\n    " + textOf(calls[k]));
    }
}

} // namespace cutaway::testing
