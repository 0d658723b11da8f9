// SPDX-License-Identifier: Apache-2.0
#include "core/backend/plugin_backend.h"

#include "core/backend/fused_backend.h"
#include "core/ir/printer.h"
#include "core/pipeline/compile.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::backend {

using runtime::TensorPtr;

namespace {

base::Diagnostic saidBy(const CutawayBackend& how, std::string_view what) {
    return base::userError({}, fmt::format("backend {}: {}", how.name, what));
}

/// A tensor as the plug-in sees it; the numbers that it points to live here.
struct SeenTensor {
    explicit SeenTensor(const runtime::Tensor& tensor) {
        for (size_t i = 0; i < tensor.type.rank(); ++i) {
            sizes.push_back(tensor.type.sizes[i].constant());
            strides.push_back(tensor.type.strides[i].constant());
        }
        data = tensor.data();
        dtype = ir::shortName(tensor.type.dtype);
    }
    CutawayTensor seen() const {
        return {data, sizes.data(), strides.data(), static_cast<int32_t>(sizes.size()),
                dtype.c_str()};
    }
    void* data;
    std::vector<int64_t> sizes, strides;
    std::string dtype;
};

std::vector<CutawayTensor> seen(const std::vector<SeenTensor>& tensors) {
    std::vector<CutawayTensor> result;
    for (const SeenTensor& tensor : tensors)
        result.push_back(tensor.seen());
    return result;
}

/// One graph that a plug-in compiled.
class PluginExecutable : public runtime::Executable {
public:
    PluginExecutable(const CutawayBackend& how, void* compiled, const ir::Graph& graph)
        : how_(how), compiled_(compiled) {
        const std::vector<ir::NodeId> inputs = graph.placeholders();
        for (ir::NodeId id : graph.outputs) {
            const auto at = std::ranges::find(inputs, id);
            Output output;
            output.isThere = id.valid();
            if (at != inputs.end()) output.input = static_cast<int>(at - inputs.begin());
            if (id.valid()) output.type = graph.node(id).type();
            outputs_.push_back(std::move(output));
        }
    }
    ~PluginExecutable() override { how_.release(compiled_); }

    base::Result<std::vector<TensorPtr>> run(std::span<const TensorPtr> inputs,
                                             std::span<const int64_t>) override {
        std::vector<SeenTensor> given, wanted;
        for (const TensorPtr& input : inputs)
            given.emplace_back(*input);
        std::vector<TensorPtr> results;
        for (const Output& output : outputs_) {
            results.emplace_back();
            if (!output.isThere) continue;
            if (output.input >= 0) {
                results.back() = inputs[static_cast<size_t>(output.input)];
                continue;
            }
            CUTAWAY_TRY(results.back(), runtime::emptyTensor(output.type));
            wanted.emplace_back(*results.back());
        }
        const std::vector<CutawayTensor> from = seen(given), to = seen(wanted);
        const char* problem = how_.run(compiled_, from.data(), static_cast<int32_t>(from.size()),
                                       to.data(), static_cast<int32_t>(to.size()));
        if (problem) return saidBy(how_, problem);
        return results;
    }
    base::Result<std::vector<TensorPtr>> profile(std::span<const TensorPtr> inputs,
                                                 std::vector<runtime::KernelTime>& times,
                                                 std::span<const int64_t> symbols) override {
        times.clear(); // of what runs inside nobody here knows
        return run(inputs, symbols);
    }
    base::Result<std::shared_ptr<runtime::Executable>>
    replanned(std::shared_ptr<const kernel::KernelProgram>, memory::MemoryPlan) const override {
        return saidBy(how_, "what its kernels store cannot be looked at");
    }
    int launches() const override { return 1; }
    int64_t arenaBytes() const override { return 0; }

private:
    struct Output {
        bool isThere = false;
        int input = -1; ///< the input that is returned as it is; -1: it is computed
        ir::TensorType type;
    };
    const CutawayBackend& how_;
    void* compiled_;
    std::vector<Output> outputs_;
};

} // namespace

static base::Result<pipeline::ExecutableGraph> compiledBy(const CutawayBackend& how,
                                                          const ir::Graph& graph) {
    if (pipeline::deviceOf(graph).kind != ir::Device::Kind::Cpu)
        return saidBy(how, "a plug-in computes in host memory, and this graph runs on a device");
    for (ir::NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        if (node.kind == ir::NodeKind::Constant &&
            ir::print(node, graph).find("...") != std::string::npos)
            return saidBy(how,
                          fmt::format("constant {} has more numbers than a graph's text tells; "
                                      "make it an argument",
                                      node.name));
    }
    void* compiled = nullptr;
    const std::string text = ir::print(graph);
    if (const char* problem = how.compile(text.c_str(), &compiled)) return saidBy(how, problem);
    pipeline::ExecutableGraph unit;
    unit.executable = std::make_shared<PluginExecutable>(how, compiled, graph);
    return unit;
}

std::unique_ptr<Backend> makePluginBackend(const BackendTools& tools, const CutawayBackend& how) {
    return makeWithCompiler(tools,
                            {[&how](const ir::Graph& graph) { return compiledBy(how, graph); },
                             "a plug-in's graphs have sizes that are numbers"});
}

} // namespace cutaway::backend
