// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: a loaded program with its two worlds, and a case file's step.
#pragma once

#include "core/backend/graph_compiler.h"
#include "core/capture/program.h"
#include "core/driver/exported_model.h"
#include "core/driver/inputs.h"
#include "core/driver/tools.h"

namespace cutaway::driver {

/// A program and what it runs on. Order of members matters: the program refers to the others.
struct LoadedProgram {
    pipeline::Toolchain* toolchain = nullptr;
    pipeline::Options options;
    std::string textHash;           ///< record::textHash of the script
    std::vector<GivenInput> inputs; ///< instead of the case's own
    std::function<base::Result<std::string>(const std::string& path)> readInput;
    std::unique_ptr<backend::EagerRunner> eager;
    std::unique_ptr<backend::BackendCompiler> compiler;
    std::unique_ptr<capture::Program> program;
    std::map<int, std::string> modulesOfLines; ///< of an exported program
};

/// The script: an editor's buffer, or what the file holds; an exported program's with its tensors.
/// Errors: no script, or it cannot be read.
base::Result<ModelScript> scriptOf(const SessionOptions& options);

/// Nodes of an exported program's lines stand in the modules that those were computed in.
void nameModules(record::Record& record, const std::string& path,
                 const std::map<int, std::string>& modulesOfLines);

/// Calls that a script makes of its compiled functions and that are made again: Program::keptCalls()
/// gives them. What they print when they are made again is not told.
struct CallsKept {
    std::string function; ///< of that name only; empty: of all
    int number = 0;       ///< among the calls of a function, from 1; 0: the last
    /// With a number: told the call while the script stands behind it. Null: nobody asks.
    std::function<void(LoadedProgram&, const capture::KeptCall&)> made;
};

/// Reads the file, applies device, threads and backend, and runs the module's top level.
/// \param keep the tensors of every graph's first run (BackendCompiler::keptRuns)
/// \param calls which calls of compiled functions are kept; null: none
base::Result<LoadedProgram> loadProgram(Tools& tools, const SessionOptions& options,
                                        const std::string& backendName,
                                        pipeline::RecordBuilder* recorder,
                                        backend::KeepRuns keep = backend::KeepRuns::No,
                                        const CallsKept* calls = nullptr);

/// Passes to be left out: what the options name, and what "without PASS" decides.
std::set<std::string> disabledPasses(const SessionOptions& options);

/// What "order PASS OTHER" decides, in the order of the decisions. Errors: usage error for one that is
/// not possible.
base::Result<std::vector<pipeline::PassOrder>> passOrders(const SessionOptions& options);
/// "with PASS ARGUMENT=NUMBER", by pass.
base::Result<std::map<std::string, int64_t, std::less<>>>
passArguments(const SessionOptions& options);

/// Errors: usage error for a schedule that no compiled kernel was run by.
base::Status schedulesMet(const LoadedProgram& loaded);
/// Decisions that were asked for and not followed, as warnings.
std::vector<base::Diagnostic> unmetDecisions(const LoadedProgram& loaded, const std::string& path);
/// Both, after a program ran: warns of decisions that were not followed. Errors: schedulesMet's.
base::Status wishesMet(const LoadedProgram& loaded, const SessionOptions& options);
/// What was asked for, taken apart; null: nothing. Errors: usage error for what cannot be read.
base::Result<std::shared_ptr<pipeline::Wishes>> wishesOf(const SessionOptions& options);
/// The values that decisions give. Errors: usage error for what cannot be read.
base::Result<std::vector<GivenInput>> inputsOf(const SessionOptions& options);
/// What was asked for, in one line: what record::Run::decisions holds.
std::string decisionsText(const SessionOptions& options);

/// A case file's model with its example inputs: what torch_runner.py calls a step.
class CaseStep {
public:
    /// \param size key; empty: the first of the case's sizes
    static base::Result<CaseStep> make(LoadedProgram& loaded, const std::string& size,
                                       const std::string& backendName);

    /// Runs forward and, for a training case, sum of every floating output and backward.
    base::Status run();
    /// Of the last run.
    const std::vector<runtime::TensorPtr>& outputs() const { return outputs_; }
    const std::string& size() const { return size_; }
    bool train() const { return train_; }

private:
    LoadedProgram* loaded_ = nullptr;
    std::shared_ptr<capture::CompiledFunction> function_;
    std::vector<capture::ValuePtr> arguments_;
    std::vector<runtime::TensorPtr> leaves_; ///< collect gradients: of arguments and the model
    std::vector<runtime::TensorPtr> outputs_;
    std::string size_;
    bool train_ = false;
};

/// A call of a compiled function that a script made, made again and again.
class CallStep {
public:
    /// \param backward and back from the sum of what it gives, where that has a gradient
    CallStep(LoadedProgram& loaded, capture::KeptCall call, bool backward);
    /// The script's own gradients are back then: it may run on behind the call.
    ~CallStep();
    CallStep(const CallStep&) = delete;
    CallStep& operator=(const CallStep&) = delete;

    base::Status run();
    const capture::KeptCall& call() const { return call_; }

private:
    LoadedProgram& loaded_;
    capture::KeptCall call_;
    bool backward_;
    std::vector<runtime::TensorPtr> gradients_; ///< of the call's leaves before
};

/// An error that lists the compiled functions where none has that name.
base::Status functionThere(const std::set<std::string>& compiled, const std::string& name);
/// Usage errors for a function that is not compiled and for a call that is not made, by a case file
/// above all. \p loaded kept the call.
base::Status askedIsThere(const LoadedProgram& loaded, const SessionOptions& options);

/// Whether a case file's step is meant, not calls that its text makes itself. Before there is a step.
bool isOfCase(const LoadedProgram& loaded, const SessionOptions& options);

/// A program that ran once: its module's top level and, of a case file, a step of \c size.
struct ProgramRun {
    LoadedProgram loaded;
    std::string size;
    /// The tensors of every graph's first run; of the function and in the call that were asked for.
    const std::vector<backend::KeptRun>& kept() const { return loaded.compiler->keptRuns(); }
};
base::Result<ProgramRun> runOnce(Tools& tools, const SessionOptions& options,
                                 pipeline::RecordBuilder* recorder,
                                 backend::KeepRuns keep = backend::KeepRuns::Yes);

} // namespace cutaway::driver
