// SPDX-License-Identifier: Apache-2.0
#include "core/backend/eager_backend.h"

#include "core/backend/fused_backend.h"

namespace cutaway::backend {

using runtime::TensorPtr;

namespace {

/// A graph whose calls run one by one.
class OneByOne : public capture::CompiledGraph {
public:
    OneByOne(std::shared_ptr<const ir::Graph> graph, EagerRunner& eager)
        : graph_(std::move(graph)), eager_(eager) {}
    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::span<const int64_t> symbols,
                                              bool gradMode) override {
        if (!graph_->shapes) return runOneByOne(*graph_, eager_, inputs, gradMode);
        return runOneByOne(graph_->withSizes(symbols), eager_, inputs, gradMode);
    }

private:
    std::shared_ptr<const ir::Graph> graph_;
    EagerRunner& eager_;
};

class EagerBackend : public Backend {
public:
    explicit EagerBackend(const BackendTools& tools) : tools_(tools) {}

    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& captured, bool gradMode,
            const pipeline::Options& options,
            std::unique_ptr<pipeline::EntryRecorder> recorder) override {
        // The gradients of an autograd.Function stand in the graph: the tape cannot follow them.
        const ir::Graph& graph = *captured.graph;
        for (ir::NodeId id : graph.order())
            if (graph.node(id).op == "prims.custom_function")
                return makeAotEager(tools_)->compile(captured, gradMode, options,
                                                     std::move(recorder));
        if (recorder) recorder->addGraph(*captured.graph, "");
        return std::shared_ptr<capture::CompiledGraph>(
            std::make_shared<OneByOne>(captured.graph, tools_.eager));
    }

private:
    BackendTools tools_;
};

} // namespace

std::unique_ptr<Backend> makeEager(const BackendTools& tools) {
    return std::make_unique<EagerBackend>(tools);
}

} // namespace cutaway::backend
