// SPDX-License-Identifier: Apache-2.0
/// \file
/// Captured graphs become callables: finds the backend, begins the record's entry, and compiles for
/// every combination of sizes where a backend needs numbers.
#pragma once

#include "core/backend/backends.h"

#include <functional>

namespace cutaway::backend {

class BackendCompiler : public capture::GraphCompiler {
public:
    /// \param recorder may be null: nothing is recorded
    BackendCompiler(pipeline::Toolchain& toolchain, pipeline::Options options, EagerRunner& eager,
                    pipeline::RecordBuilder* recorder);

    base::Status wantBackend(const std::string& name) const override;
    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& captured, const capture::CompileOptions& options,
            bool gradMode) override;

    /// Writes into the record which calls of the script took each entry: once, after its run.
    /// \param keptOnly the record loses the entries that no kept call took (capture::KeepCalls)
    void recordCalls(bool keptOnly = false);

    /// Is told when a graph falls back to kernels for each combination of sizes because of a bug.
    void setWarn(std::function<void(const base::Diagnostic&)> warn) { warn_ = std::move(warn); }

    void beginCount() { ++watch_.counted; }
    /// Sums over the graphs that ran since beginCount(), each counted once.
    GraphStatistics statistics() const;
    /// Profiles the next calls: kernel times are added to this list (null: off).
    void setProfile(std::vector<ProfiledKernel>* timings) { watch_.timings = timings; }

    /// Keeps copies of the tensors of the first run of every graph from now on.
    void keepRuns(KeepRuns how) { watch_.keep = how; }
    const std::vector<KeptRun>& keptRuns() const { return watch_.kept; }
    /// None is kept then, and the next run of a graph is its first.
    std::vector<KeptRun> takeKeptRuns() { return std::exchange(watch_.kept, {}); }
    void setKeptRuns(std::vector<KeptRun> runs) { watch_.kept = std::move(runs); }

private:
    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compileWithSymbols(Backend& backend, const capture::CapturedFunction& captured,
                       const std::string& backendName, bool gradMode,
                       const pipeline::Options& options);
    std::unique_ptr<pipeline::EntryRecorder> beginEntry(const capture::CapturedFunction& captured,
                                                        const std::string& backendName);
    /// An entry of the record, and the calls that took it so far.
    struct Called {
        std::string function;
        base::Location where;
        size_t entry = 0;
        std::shared_ptr<const capture::EntryCalls> calls;
    };

    pipeline::Options options_;
    EagerRunner& eager_;
    pipeline::RecordBuilder* recorder_;
    std::vector<Called> called_;
    RunWatch watch_;
    std::function<void(const base::Diagnostic&)> warn_;
    std::vector<std::unique_ptr<Backend>> backends_; ///< by row; theirs refer to watch_
};

} // namespace cutaway::backend
