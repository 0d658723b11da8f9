// SPDX-License-Identifier: Apache-2.0
/// \file
/// A script that has been read and run at module level: what app and tests hold on to.
#pragma once

#include "core/base/cancel.h"
#include "core/capture/world.h"

#include <functional>

namespace cutaway::capture {

class Value; ///< a script value; capture/value.h
using ValuePtr = std::shared_ptr<Value>;

/// A call that the script made.
struct KeptCall {
    std::string function;
    int number = 0;
    double firstSeconds = 0;                ///< the function's first call took, compiling included
    std::vector<runtime::TensorPtr> leaves; ///< of arguments and module that collect gradients
    std::function<base::Result<ValuePtr>()> again;
};

/// Which calls of compiled functions are kept while a script runs, to be made again.
struct KeepCalls {
    std::string function; ///< of that name only; empty: of all
    int number = 0;       ///< among the calls of a function, from 1; 0: the last
    /// Told a call of that number as soon as it is made: modules are in the mode that it was made in,
    /// which the script may change later. Null: nobody asks.
    std::function<void(const KeptCall&)> made;

    bool asksFor(const std::string& called, int call) const {
        return (function.empty() || function == called) && number == call;
    }
};

/// A tensor that a model's file holds beside its graph.
struct HeldTensor {
    enum class Kind : uint8_t { Parameter, Buffer, Constant, Input };
    Kind kind = Kind::Parameter;
    std::string name; ///< in the module; empty for inputs
    runtime::TensorPtr tensor;
    bool requiresGrad = false;
};

struct ProgramOptions {
    std::string path;                            ///< for messages and __file__
    std::string text;                            ///< the script
    ir::Device defaultDevice;                    ///< as torch.set_default_device
    uint64_t seed = 0;                           ///< as torch.manual_seed before the script starts
    std::function<void(std::string_view)> print; ///< where print() goes
    std::function<void(std::string_view)> printError;  ///< where print(file=sys.stderr) goes
    std::function<void(const base::Diagnostic&)> warn; ///< functions that run eagerly, and why
    std::function<void(std::string_view)>
        traceback;                        ///< Python's account of an exception that nobody caught
    base::CancelToken cancel;             ///< looked at in every loop
    size_t memoryLimit = size_t{1} << 30; ///< bytes of script values, those of tensors not counted
    bool runTransformed = false; ///< the text of every entry runs in place of what it was made from
    std::optional<KeepCalls> keepCalls; ///< none: no call is kept
    std::vector<HeldTensor> held;       ///< what torch.export.load gives of the file at path
    CompileOptions compileDefaults; ///< the command line's --backend replaces the script's default
};

/// One compiled function of a program (a torch.compile call, a decorated function, or a case file's
/// model).
class CompiledFunction {
public:
    virtual ~CompiledFunction() = default;
    virtual std::string name() const = 0;
    virtual int entries() const = 0;
    virtual base::Result<ValuePtr> call(const std::vector<ValuePtr>& args, bool gradMode) = 0;
};

/// One test case: model, example inputs, train (design section 12: a case file).
class Program {
public:
    /// Parses and runs the module's top level. Errors: located user errors.
    static base::Result<std::unique_ptr<Program>> load(ProgramOptions options, EagerOps& eager,
                                                       GraphCompiler& compiler);
    virtual ~Program() = default;

    virtual const std::string& text() const = 0;
    /// What sys.exit() ended the script with, as a process's status; 0 when it came to its end.
    virtual int exitStatus() const = 0;
    /// A global of the script; null when there is none.
    virtual ValuePtr global(const std::string& name) = 0;
    virtual bool isCaseFile() const = 0; ///< defines model and example_inputs
    virtual bool train() const = 0;      ///< the case's `train`, false by default
    /// The keys of the case's `sizes` dict in order, when it has one.
    virtual std::vector<std::string> sizeKeys() const = 0;
    /// Calls example_inputs(size), the arguments as values.
    virtual base::Result<std::vector<ValuePtr>> exampleInputs(const std::string& size) = 0;
    virtual base::Result<ValuePtr> call(const ValuePtr& callable, const std::vector<ValuePtr>& args,
                                        bool gradMode) = 0;
    /// Wraps a callable as torch.compile does.
    virtual base::Result<std::shared_ptr<CompiledFunction>>
    compile(const ValuePtr& callable, const CompileOptions& options) = 0;
    virtual std::vector<std::shared_ptr<CompiledFunction>> compiledFunctions() const = 0;
    /// In the order in which the functions were compiled.
    virtual std::vector<KeptCall> keptCalls() const = 0;
};

/// Every tensor in a value (lists, tuples and dicts opened), in order: torch_runner.py's flat().
std::vector<runtime::TensorPtr> flattenTensors(const ValuePtr& value);
/// A module's parameters in order with their names; empty for other values.
std::vector<std::pair<std::string, runtime::TensorPtr>> namedParameters(const ValuePtr& value);

} // namespace cutaway::capture
