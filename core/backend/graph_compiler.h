// SPDX-License-Identifier: Apache-2.0
/// \file
/// Captured graphs become callables: joins capture with the pipeline, for every backend.
#pragma once

#include "core/backend/backends.h"
#include "core/backend/eager_runner.h"

namespace cutaway::backend {

/// Counters of one compiled graph, for bench.
struct GraphStatistics {
    int64_t savedBytes = 0;
    int launches = 0;       ///< of one forward (and backward) call
    int64_t bytesMoved = 0; ///< read and written by kernels, per call
};

/// One execution of one compiled graph, kept for export and check: its tensors are copies, which
/// an optimizer's step or any later in-place write leaves alone.
struct KeptRun {
    std::string function, graph; ///< "model", "forward"
    std::shared_ptr<const ir::Graph> captured;
    int forwardOutputs = 0;          ///< outputs of the captured graph; more are saved tensors
    std::vector<int> tangentOutputs; ///< forward output of each tangent: a backward's last inputs
    std::vector<runtime::TensorPtr> primals; ///< the captured graph's inputs in that call
    std::shared_ptr<const kernel::KernelProgram> program;
    memory::MemoryPlan plan;
    std::vector<codegen::KernelSource> sources;
    std::vector<runtime::TensorPtr> inputs, outputs;
};

class BackendCompiler : public capture::GraphCompiler {
public:
    /// \param recorder may be null: nothing is recorded
    BackendCompiler(pipeline::Toolchain& toolchain, pipeline::Options options, EagerRunner& eager,
                    pipeline::RecordBuilder* recorder);

    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& captured, const capture::CompileOptions& options,
            bool gradMode) override;

    /// Sums over every graph compiled so far.
    GraphStatistics statistics() const;
    /// Profiles the next calls: kernel times are added to this list (null: off).
    void setProfile(std::vector<record::KernelTiming>* timings) { timings_ = timings; }

    /// Keeps copies of the tensors of the first run of every graph from now on.
    void keepRuns() { keep_ = true; }
    const std::vector<KeptRun>& keptRuns() const { return kept_; }

private:
    class Fused;
    class OneByOne;
    class BySize;

    /// \param record write an entry into the record
    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compileStatic(const capture::CapturedFunction& captured, const capture::CompileOptions& options,
                  bool gradMode, bool record);

    pipeline::Toolchain& toolchain_;
    pipeline::Options options_;
    EagerRunner& eager_;
    pipeline::RecordBuilder* recorder_;
    std::vector<std::weak_ptr<Fused>> compiled_;
    std::vector<record::KernelTiming>* timings_ = nullptr;
    bool keep_ = false;
    std::vector<KeptRun> kept_;
};

} // namespace cutaway::backend
