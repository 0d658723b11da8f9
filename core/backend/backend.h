// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a backend of torch.compile is: a captured graph in, a callable out.
#pragma once

#include "core/backend/eager_runner.h"

namespace cutaway::backend {

/// Machine code of one kernel of a compiled graph, while that lives.
struct KernelPlace {
    std::string graph, kernel; ///< "forward", "fused_cos"
    runtime::CodeInMemory code;
};

/// Counters of one compiled graph, for bench.
struct GraphStatistics {
    int64_t savedBytes = 0;
    int launches = 0;       ///< of one forward (and backward) call
    int64_t bytesMoved = 0; ///< read and written by kernels, per call
    std::vector<KernelPlace> code;
};

/// One execution of one compiled graph, kept for export and check: its tensors are copies, which
/// an optimizer's step or any later in-place write leaves alone.
struct KeptRun {
    std::string function, graph;               ///< "model", "forward"
    std::shared_ptr<const ir::Graph> captured; ///< with the sizes of that call
    int forwardOutputs = 0;          ///< outputs of the captured graph; more are saved tensors
    std::vector<int> tangentOutputs; ///< forward output of each tangent: a backward's last inputs
    std::vector<runtime::TensorPtr> primals; ///< the captured graph's inputs in that call
    std::vector<int64_t> symbols;            ///< values of the size symbols in that call
    std::shared_ptr<const kernel::KernelProgram> program;
    memory::MemoryPlan plan;
    std::vector<codegen::KernelSource> sources;
    std::vector<runtime::TensorPtr> inputs, outputs;
    std::shared_ptr<const ir::Graph> compiled; ///< what became the program; sizes are that call's
    std::shared_ptr<const runtime::Executable> executable;
    std::string entry; ///< EntryRecorder::entryName of the forward; empty: nothing is recorded
};

/// Copies of the tensors of the first run of every graph.
enum class KeepRuns : uint8_t {
    No,
    Yes,       ///< of every combination of sizes where they are symbols
    FixedSizes ///< and every combination of sizes is compiled for itself
};

/// One execution of one kernel, timed.
struct ProfiledKernel {
    std::string entry; ///< EntryRecorder::entryName of the forward; empty: nothing is recorded
    record::KernelTiming timing;
};

/// What is looked at while compiled graphs run, by bench, tune, export and check.
struct RunWatch {
    std::vector<ProfiledKernel>* timings = nullptr; ///< null: kernels are not timed
    KeepRuns keep = KeepRuns::No;
    std::vector<KeptRun> kept;
    int counted = 0; ///< a graph that runs remembers it
    /// Each adds the counters of one compiled graph that ran since `counted` changed, while that
    /// lives.
    std::vector<std::function<void(GraphStatistics&)>> counters;
};

/// What backends share; outlives the graphs that they compile.
struct BackendTools {
    pipeline::Toolchain& toolchain;
    EagerRunner& eager;
    RunWatch& watch;
};

/// One way to run a captured graph. Adding one is a Backend in files of its own and a row in
/// backends.cpp.
class Backend {
public:
    virtual ~Backend() = default;
    /// Why a graph with symbols is compiled anew for every combination of sizes; empty when a
    /// compiled graph takes the values of its symbols with each call.
    virtual std::string whyBySize(const ir::Graph& graph) const {
        (void)graph;
        return {};
    }
    /// Compiles for inputs of exactly the placeholders' types. \p gradMode: gradients are wanted for
    /// placeholders that require one. \param recorder of this graph's entry; may be null
    virtual base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& captured, bool gradMode,
            const pipeline::Options& options,
            std::unique_ptr<pipeline::EntryRecorder> recorder) = 0;
};

} // namespace cutaway::backend
