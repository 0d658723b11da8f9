// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the evaluator needs from the rest of the compiler, as interfaces: running one operation on
/// real tensors, and compiling a captured graph. core/backend implements both.
#pragma once

#include "core/ir/graph.h"
#include "core/ops/catalogue.h"
#include "core/runtime/autograd.h"
#include "core/runtime/random.h"
#include "core/runtime/tensor.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cutaway::capture {

/// Runs operations on real tensors, one at a time, each as its own kernel, and records them on the
/// autograd tape where a gradient is wanted.
/// What saved_tensors_hooks() makes of values that the tape saves; both may throw as scripts do.
struct SavedHooks {
    std::function<std::shared_ptr<void>(const runtime::TensorPtr&)> pack;
    std::function<runtime::TensorPtr(const std::shared_ptr<void>&)> unpack;
};

class EagerOps {
public:
    virtual ~EagerOps() = default;
    /// \param args complete, in schema order, with NodeId(k) for the k-th of \p tensors.
    /// Random operations draw from the generator. Errors carry no location: the caller adds it.
    virtual base::Result<std::vector<runtime::TensorPtr>>
    call(const ops::OpDef& def, const ir::ArgList& args,
         std::span<const runtime::TensorPtr> tensors, bool gradMode) = 0;
    /// Runs the tape backwards.
    virtual base::Result<std::vector<runtime::TensorPtr>>
    backward(const runtime::BackwardRequest& request) = 0;
    virtual runtime::Generator& generator() = 0;
    /// What calls from here on save for backward() goes through \p hooks; null: is kept as it is.
    virtual void setSavedHooks(std::shared_ptr<const SavedHooks>) {}
};

/// torch.compile's arguments.
struct CompileOptions {
    std::string backend = "inductor";
    std::string mode = "default";
    bool fullgraph = false;
    std::optional<bool> dynamic;
    std::map<std::string, std::string> options;
    bool operator==(const CompileOptions&) const = default;
};

/// A compiled graph: takes the captured graph's inputs, returns its outputs, linked to the tape.
class CompiledGraph {
public:
    virtual ~CompiledGraph() = default;
    /// \param symbols values of the graph's size symbols, by index
    virtual base::Result<std::vector<runtime::TensorPtr>>
    call(std::span<const runtime::TensorPtr> inputs, std::span<const int64_t> symbols,
         bool gradMode) = 0;
};

/// A guard: what the capture relied on, as text for people.
struct GuardText {
    std::string kind;      ///< "TENSOR_MATCH", "CONSTANT_MATCH", "MODULE_MATCH", "GRAD_MODE" ...
    std::string source;    ///< "L['x']", "self.layers[0].training"
    std::string condition; ///< "float32, cpu, sizes [16, 16], strides [16, 1], requires_grad"
    base::Location where;  ///< the line that made the capture rely on it
};

/// Which calls of a function took one of its entries.
struct EntryCalls {
    static constexpr size_t kTold = 32;
    std::vector<int> first; ///< numbers of the first of them, from 1, each once
    int64_t count = 0;
    bool kept = false; ///< a call of the number that KeepCalls asks for is among them
    void add(int call) {
        if (!first.empty() && first.back() == call) return;
        if (first.size() < kTold) first.push_back(call);
        ++count;
    }
    /// "1, 2, 5", and how many more there are
    std::string text() const;
};

/// Where the modules were made in whose forward() a stretch of the graph is computed.
struct MadeModules {
    uint32_t first = 0; ///< node with which the stretch begins; it ends where the next one does
    std::vector<base::Location> lines; ///< the outermost module's first
};

/// What capture hands over for one entry.
struct CapturedFunction {
    std::string functionName;
    base::Location where;
    int entry = 0; ///< number of this entry of the function
    int call = 0;  ///< of the function, from 1, that it was captured for; 0: none of the script's
    std::string segment; ///< "" for the whole function, "resume_at_12" after a graph break
    std::shared_ptr<const ir::Graph> graph; ///< placeholders carry inputSource and requiresGrad
    /// Placeholders that belong to modules (parameters, buffers) and that the function does not write.
    std::vector<ir::NodeId> moduleTensors;
    /// Placeholders whose tensors the call has changed when it returns: a backward finds other values.
    std::vector<ir::NodeId> writtenInputs;
    std::vector<GuardText> guards;
    std::vector<MadeModules> modules;     ///< by node, ascending
    std::string transformedCode;          ///< source text calling __compiled_fn_k
    std::vector<base::Diagnostic> breaks; ///< why the graph broke here, with a hint each
    double captureMs = 0;
    std::shared_ptr<const EntryCalls> calls; ///< counted while the program runs
};

class GraphCompiler {
public:
    virtual ~GraphCompiler() = default;
    /// Errors: user error for a name that is no backend's.
    virtual base::Status wantBackend(const std::string&) const { return {}; }
    /// Compiles for inputs of exactly the placeholders' types. \p gradMode: gradients are wanted
    /// for placeholders that require one.
    virtual base::Result<std::shared_ptr<CompiledGraph>>
    compile(const CapturedFunction& captured, const CompileOptions& options, bool gradMode) = 0;
};

} // namespace cutaway::capture
