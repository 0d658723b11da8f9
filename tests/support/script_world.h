// SPDX-License-Identifier: Apache-2.0
/// \file
/// A world for script tests without code generation: operations and captured graphs run by their
/// reference functions.
#pragma once

#include "core/capture/program.h"
#include "core/ir/printer.h"
#include "core/ops/builder.h"
#include "core/ops/reference.h"
#include "core/runtime/autograd.h"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

namespace cutaway::test {

/// "<torch/nn.py>:12:4" without its numbers: where the script library's lines stand is not told.
inline std::string withoutLibraryLines(const std::string& text) {
    static const std::regex kPlace("(<torch/[^>]*>)(:[0-9]+)+");
    return std::regex_replace(text, kPlace, "$1");
}

/// Runs a graph on tensors.
inline base::Result<std::vector<runtime::TensorPtr>>
evaluateGraph(const ir::Graph& graph, std::span<const runtime::TensorPtr> inputs) {
    std::vector<ir::HostTensor> values;
    for (const runtime::TensorPtr& t : inputs) {
        CUTAWAY_TRY(ir::HostTensor host, runtime::toHost(*t));
        values.push_back(std::move(host));
    }
    CUTAWAY_TRY(auto results, ops::evaluate(graph, values));
    std::vector<runtime::TensorPtr> tensors;
    for (const ir::HostTensor& host : results) {
        CUTAWAY_TRY(runtime::TensorPtr t, runtime::fromHost(host, {}));
        tensors.push_back(std::move(t));
    }
    return tensors;
}

class ReferenceEager : public capture::EagerOps {
public:
    int calls = 0;
    int64_t largest = INT64_MAX; ///< more elements than that in a result are refused

    base::Result<std::vector<runtime::TensorPtr>> call(const ops::OpDef& def,
                                                       const ir::ArgList& args,
                                                       std::span<const runtime::TensorPtr> tensors,
                                                       bool gradMode) override {
        ++calls;
        ir::Graph graph("one operation");
        bool wantsGradient = false;
        for (size_t i = 0; i < tensors.size(); ++i) {
            ir::TensorType type = tensors[i]->type;
            wantsGradient |= type.requiresGrad && gradMode;
            graph.addPlaceholder(fmt::format("x{}", i), std::move(type));
        }
        ops::Builder builder(graph);
        CUTAWAY_TRY(ir::NodeId id, builder.tryCall(def.name(), args));
        const bool tuple = graph.node(id).tuple;
        const size_t count = graph.node(id).types.size();
        for (const ir::TensorType& type : graph.node(id).types)
            if (type.numel().constant() > largest)
                return base::usageError("the result is too large for this world");
        for (size_t i = 0; i < count; ++i)
            graph.outputs.push_back(tuple ? builder.getitem(id, static_cast<int>(i)) : id);
        std::vector<runtime::TensorPtr> results;
        if (const auto* view = std::get_if<ops::View>(&def.lowering)) {
            results.push_back(window(*view, def, graph, id, tensors[0]));
        } else {
            CUTAWAY_TRY(auto values, evaluateGraph(graph, tensors));
            results = std::move(values);
        }
        for (auto& r : results) {
            r->type.requiresGrad =
                wantsGradient && ir::isFloating(r->type.dtype) && def.name() != "detach";
            if (r->type.requiresGrad) r->gradFunction = std::make_shared<Untaped>();
        }
        return results;
    }
    base::Result<std::vector<runtime::TensorPtr>>
    backward(const runtime::BackwardRequest&) override {
        return base::usageError("this world has no gradients");
    }
    runtime::Generator& generator() override { return generator_; }

private:
    /// Marks computed values; there is no tape behind it.
    struct Untaped : runtime::GradFunction {
        base::Result<std::vector<runtime::TensorPtr>>
        apply(const std::vector<runtime::TensorPtr>&) override {
            return base::usageError("this world has no gradients");
        }
    };
    /// A view shares memory, as it does in the real world.
    static runtime::TensorPtr window(const ops::View& view, const ops::OpDef& def,
                                     const ir::Graph& graph, ir::NodeId id,
                                     const runtime::TensorPtr& base) {
        const ir::TensorType& type = graph.node(id).type();
        ops::OpCall call(def, graph.node(id).args, graph);
        std::vector<ir::Sym> first(type.rank(), ir::Sym(0)), at = view.map(call, first);
        ir::Sym offset = 0;
        for (size_t i = 0; i < at.size(); ++i)
            offset = offset + at[i] * base->type.strides[i];
        return runtime::viewOf(base, type.sizes, type.strides, offset.constant());
    }

    runtime::Generator generator_;
};

/// Keeps what capture handed over; its compiled graphs evaluate the captured one.
class ReferenceCompiler : public capture::GraphCompiler {
public:
    std::vector<capture::CapturedFunction> captured;
    std::vector<capture::CompileOptions> options;
    int runs = 0;

    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& function, const capture::CompileOptions& given,
            bool) override {
        if (auto problem = ir::verify(*function.graph)) return base::bugError(*problem);
        captured.push_back(function);
        options.push_back(given);
        return std::shared_ptr<capture::CompiledGraph>(
            std::make_shared<Evaluated>(function.graph, runs));
    }

private:
    struct Evaluated : capture::CompiledGraph {
        Evaluated(std::shared_ptr<const ir::Graph> g, int& r) : graph(std::move(g)), runs(r) {}
        base::Result<std::vector<runtime::TensorPtr>>
        call(std::span<const runtime::TensorPtr> inputs, std::span<const int64_t> symbols,
             bool) override {
            ++runs;
            if (!graph->shapes) return evaluateGraph(*graph, inputs);
            return evaluateGraph(graph->withSizes(symbols), inputs);
        }
        std::shared_ptr<const ir::Graph> graph;
        int& runs;
    };
};

struct ScriptRun {
    std::string printed;
    std::string error;     ///< the diagnostic's text, empty when the script ran
    std::string traceback; ///< of an uncaught exception
    std::vector<base::Diagnostic> warnings;
    std::unique_ptr<capture::Program> program;
};

struct ScriptWorld {
    ReferenceEager eager;
    ReferenceCompiler compiler;
    size_t memoryLimit = capture::ProgramOptions().memoryLimit;
    std::function<void()> onPrint; ///< called at each text that a script prints

    ScriptRun run(const std::string& text, const std::string& path = "script.py",
                  base::CancelToken cancel = {}) {
        ScriptRun result;
        capture::ProgramOptions options;
        options.path = path;
        options.text = text;
        options.cancel = cancel;
        options.memoryLimit = memoryLimit;
        auto* out = &result;
        auto printed = std::make_shared<std::string>();
        auto warnings = std::make_shared<std::vector<base::Diagnostic>>();
        options.print = [printed, tell = onPrint](std::string_view s) {
            printed->append(s);
            if (tell) tell();
        };
        auto traceback = std::make_shared<std::string>();
        options.traceback = [traceback](std::string_view s) { traceback->assign(s); };
        options.warn = [warnings](const base::Diagnostic& d) { warnings->push_back(d); };
        auto program = capture::Program::load(options, eager, compiler);
        out->printed = *printed;
        out->traceback = *traceback;
        out->warnings = *warnings;
        if (program.ok())
            out->program = std::move(*program);
        else
            out->error = program.error().str();
        return result;
    }
};

inline std::string readText(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace cutaway::test
