// SPDX-License-Identifier: Apache-2.0
#include "core/driver/case.h"

#include "core/driver/onnx_model.h"

#include "core/base/file_system.h"
#include "core/ir/meta_device.h"
#include "core/pipeline/pass_table.h"
#include "core/runtime/cuda.h"
#include "core/runtime/device.h"
#include "core/runtime/tensor.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <thread>

namespace cutaway::driver {

using runtime::TensorPtr;

Tools::Tools(const base::Result<std::string>& cacheFolder)
    : parts_(std::make_unique<Parts>(cacheFolder ? *cacheFolder : std::string())) {
    if (cacheFolder) return;
    parts_->noCache = cacheFolder.error();
    parts_->noCache->severity = base::Severity::Warning;
    parts_->noCache->message = "compiled kernels are not kept on disk: " + parts_->noCache->message;
}
Tools::~Tools() = default;

std::optional<base::Diagnostic> cacheProblem(Tools& tools) {
    if (auto problem = std::exchange(tools.parts().noCache, std::nullopt)) return problem;
    for (const auto& target : tools.parts().toolchain.targets())
        if (auto problem = target->cacheProblem()) return problem;
    return std::nullopt;
}

static base::Result<ir::Device> deviceFor(const SessionOptions& options) {
    auto device = ir::deviceFromName(options.device);
    if (!device || ir::isMeta(*device))
        return base::usageError(fmt::format("unknown device '{}'", options.device),
                                "known devices: cpu, cuda, cuda:0, cuda:1 ...");
    if (auto opened = runtime::backendFor(*device); !opened) return opened.error();
    return *device;
}

base::Result<ModelScript> scriptOf(const SessionOptions& options) {
    auto endsWith = [&](std::string_view suffix) { return options.path.ends_with(suffix); };
    auto content = [&](size_t limit) -> base::Result<std::string> {
        if (options.content) return *options.content;
        return base::readFile(options.path, limit);
    };
    if (endsWith(".pt2") || endsWith(".onnx")) {
        CUTAWAY_TRY(const std::string bytes, content(kLargestModel));
        CUTAWAY_TRY(ModelScript model, endsWith(".onnx")
                                           ? onnxModel(bytes, options.path, options.readInput)
                                           : exportedModel(bytes, options.path));
        if (options.text) model.text = *options.text;
        return model;
    }
    if (options.text) return ModelScript{*options.text, {}, {}};
    if (endsWith(".cutaway"))
        return base::userError({options.path}, "a saved record cannot be run again",
                               "give the script that it was made from; explain, diff and export "
                               "--as dot|svg take records");
    CUTAWAY_TRY(std::string text, content(base::kLargestScript));
    return ModelScript{std::move(text), {}, {}};
}

/// Threads cost memory and time to start; more than this help nobody.
static base::Result<int> threadCount(int asked) {
    const int machine = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const int most = std::max(256, 4 * machine);
    if (asked < 0 || asked > most)
        return base::usageError(
            fmt::format("expected from 1 to {} threads, or 0 for all of the machine's; found {}",
                        most, asked),
            fmt::format("this machine has {}", machine));
    return std::min(asked > 0 ? asked : machine, runtime::mostThreads());
}

static base::Status knownPasses(const std::set<std::string>& names) {
    std::string known;
    for (const pipeline::PassRow& row : pipeline::passTable())
        if (!row.required && known.find(row.name) == std::string::npos)
            known += (known.empty() ? "" : ", ") + std::string(row.name);
    for (const std::string& name : names) {
        auto is = [&](const pipeline::PassRow& row) { return row.name == name; };
        auto rows = pipeline::passTable();
        auto found = std::find_if(rows.begin(), rows.end(), is);
        if (found == rows.end())
            return base::usageError(fmt::format("unknown pass '{}'", name),
                                    "passes that can be left out: " + known);
        if (found->required)
            return base::usageError(
                fmt::format("pass '{}' cannot be left out: later stages rely on it", name),
                "passes that can be left out: " + known);
    }
    return {};
}

void nameModules(record::Record& record, const std::string& path,
                 const std::map<int, std::string>& modulesOfLines) {
    if (modulesOfLines.empty()) return;
    for (record::Function& function : record.functions)
        for (record::Entry& entry : function.entries)
            for (record::GraphStage& stage : entry.graphs)
                for (record::GraphNode& node : stage.nodes) {
                    if (!node.modulePath.empty()) continue;
                    const auto frame = std::ranges::find(node.source, path, &base::Location::file);
                    if (frame == node.source.end()) continue;
                    const auto at = modulesOfLines.find(frame->line);
                    if (at != modulesOfLines.end()) node.modulePath = at->second;
                }
}

base::Result<LoadedProgram> loadProgram(Tools& tools, const SessionOptions& options,
                                        const std::string& backendName,
                                        pipeline::RecordBuilder* recorder, backend::KeepRuns keep,
                                        const CallsKept* calls) {
    CUTAWAY_TRY(ir::Device device, deviceFor(options));
    const std::set<std::string> disabled = disabledPasses(options);
    CUTAWAY_CHECK(knownPasses(disabled));
    CUTAWAY_TRY(ModelScript script, scriptOf(options));
    if (!backend::findBackend(backendName))
        return base::usageError(fmt::format("unknown backend '{}'", backendName),
                                "known backends: " + backend::backendNames());
    LoadedProgram loaded;
    CUTAWAY_TRY(const int threads, threadCount(options.threads));
    loaded.options.verify = options.verify;
    loaded.options.vectorBytes = options.vectorBytes;
    loaded.options.disabledPasses = disabled;
    CUTAWAY_TRY(loaded.options.passOrders, passOrders(options));
    CUTAWAY_TRY(loaded.options.passArguments, passArguments(options));
    loaded.options.cancel = options.cancel;
    loaded.textHash = record::textHash(script.text);
    runtime::setThreads(threads);
    pipeline::Toolchain& toolchain = tools.parts().toolchain;
    loaded.toolchain = &toolchain;
    loaded.eager = std::make_unique<backend::EagerRunner>(toolchain, loaded.options);
    CUTAWAY_TRY(loaded.options.wishes, wishesOf(options));
    CUTAWAY_TRY(loaded.inputs, inputsOf(options));
    loaded.readInput = options.readInput;
    loaded.options.progress = options.progress; // single operations are not worth telling
    loaded.modulesOfLines = std::move(script.modulesOfLines);
    if (recorder && options.recorded)
        loaded.options.recorded = [told = options.recorded, recorder, path = options.path,
                                   modules = loaded.modulesOfLines] {
            nameModules(recorder->record, path, modules);
            told(recorder->record);
        };
    loaded.compiler = std::make_unique<backend::BackendCompiler>(toolchain, loaded.options,
                                                                 *loaded.eager, recorder);
    loaded.compiler->keepRuns(keep);
    loaded.compiler->setWarn(options.warn);
    if (recorder) recorder->addSource(options.path, script.text);
    capture::ProgramOptions program;
    program.path = options.path;
    program.text = std::move(script.text);
    program.held = std::move(script.tensors);
    program.defaultDevice = device;
    program.print = options.print;
    program.printError = options.printError;
    program.warn = options.warn;
    program.traceback = options.traceback;
    program.cancel = options.cancel;
    program.compileDefaults.backend = backendName;
    program.runTransformed = options.transformed;
    const auto scriptRuns = std::make_shared<bool>(true); // not: a kept call is made again
    if (calls) {
        program.print = [scriptRuns, print = options.print](std::string_view printed) {
            if (*scriptRuns && print) print(printed);
        };
        program.keepCalls = capture::KeepCalls{calls->function, calls->number, nullptr};
        if (calls->made)
            program.keepCalls->made = [&, scriptRuns](const capture::KeptCall& call) {
                if (!std::exchange(*scriptRuns, false)) return;
                calls->made(loaded, call);
                *scriptRuns = true;
            };
    }
    auto ran = capture::Program::load(std::move(program), *loaded.eager, *loaded.compiler);
    *scriptRuns = false;
    CUTAWAY_TRY(loaded.program, std::move(ran));
    return loaded;
}

base::Result<CaseStep> CaseStep::make(LoadedProgram& loaded, const std::string& size,
                                      const std::string& backendName) {
    capture::Program& program = *loaded.program;
    CaseStep step;
    step.loaded_ = &loaded;
    step.train_ = program.train();
    std::vector<std::string> sizes = program.sizeKeys();
    step.size_ = !size.empty() ? size : sizes.empty() ? "" : sizes.front();
    if (!sizes.empty() && std::find(sizes.begin(), sizes.end(), step.size_) == sizes.end()) {
        std::string known;
        for (const std::string& key : sizes)
            known += (known.empty() ? "" : ", ") + key;
        return base::usageError(fmt::format("unknown size '{}'", step.size_),
                                "known sizes: " + known);
    }
    CUTAWAY_TRY(step.arguments_, program.exampleInputs(step.size_));
    CUTAWAY_CHECK(giveInputs(loaded.inputs, loaded.readInput, caseTensors(step.arguments_)));
    capture::ValuePtr model = program.global("model");
    capture::CompileOptions options;
    options.backend = backendName;
    CUTAWAY_TRY(step.function_, program.compile(model, options));
    for (const capture::ValuePtr& argument : step.arguments_)
        for (const TensorPtr& tensor : capture::flattenTensors(argument))
            if (tensor->type.requiresGrad) step.leaves_.push_back(tensor);
    for (const auto& [name, tensor] : capture::namedParameters(model))
        step.leaves_.push_back(tensor);
    return step;
}

/// Runs back from the sum of every floating output; nothing where none has a gradient.
static base::Status backwardOfSum(backend::EagerRunner& eager,
                                  const std::vector<TensorPtr>& outputs) {
    TensorPtr loss;
    for (const TensorPtr& output : outputs) {
        if (!ir::isFloating(output->type.dtype)) continue;
        CUTAWAY_TRY(TensorPtr sum, eager.call("sum", {ir::NodeId(0)}, {output}, true));
        if (!loss) {
            loss = sum;
            continue;
        }
        CUTAWAY_TRY(loss,
                    eager.call("add.Tensor", {ir::NodeId(0), ir::NodeId(1)}, {loss, sum}, true));
    }
    if (!loss || !loss->type.requiresGrad) return {};
    CUTAWAY_CHECK(eager.backward({.roots = {loss}, .gradients = {nullptr}}));
    return {};
}

[[gnu::hot]] base::Status CaseStep::run() {
    for (const TensorPtr& leaf : leaves_)
        leaf->grad = nullptr;
    outputs_.clear();
    auto value = function_->call(arguments_, train_);
    if (!value) return value.error();
    outputs_ = capture::flattenTensors(*value);
    return train_ ? backwardOfSum(*loaded_->eager, outputs_) : base::Status();
}

CallStep::CallStep(LoadedProgram& loaded, capture::KeptCall call, bool backward)
    : loaded_(loaded), call_(std::move(call)), backward_(backward) {
    for (const TensorPtr& leaf : call_.leaves)
        gradients_.push_back(leaf->grad);
}

CallStep::~CallStep() {
    for (size_t i = 0; i < gradients_.size(); ++i)
        call_.leaves[i]->grad = gradients_[i];
}

base::Status CallStep::run() {
    if (backward_)
        for (const TensorPtr& leaf : call_.leaves)
            leaf->grad = nullptr;
    auto value = call_.again();
    if (!value) return value.error();
    return backward_ ? backwardOfSum(*loaded_.eager, capture::flattenTensors(*value))
                     : base::Status();
}

base::Status functionThere(const std::set<std::string>& compiled, const std::string& name) {
    if (compiled.contains(name)) return {};
    return base::usageError(fmt::format("no compiled function is named '{}'", name),
                            compiled.empty()
                                ? "the script compiles no function"
                                : fmt::format("compiled: {}", fmt::join(compiled, ", ")));
}

/// Names of the functions that the program has compiled so far, a case's model among them once there
/// is a step.
static std::set<std::string> compiledNames(const LoadedProgram& loaded) {
    std::set<std::string> names;
    for (const auto& function : loaded.program->compiledFunctions())
        names.insert(function->name());
    return names;
}

base::Status askedIsThere(const LoadedProgram& loaded, const SessionOptions& options) {
    const std::set<std::string> compiled = compiledNames(loaded);
    if (!options.function.empty()) CUTAWAY_CHECK(functionThere(compiled, options.function));
    if (options.call == 0 || !loaded.program->keptCalls().empty()) return {};
    if (loaded.program->isCaseFile())
        return base::usageError(
            fmt::format("{} is a case file: call {} of it is none of a script's", options.path,
                        options.call),
            "leave out --call, or give a script that calls what torch.compile makes");
    return base::usageError(fmt::format("the script makes no call {} of {}", options.call,
                                        options.function.empty() ? "a compiled function"
                                                                 : "'" + options.function + "'"),
                            "calls count from 1, each function's for itself");
}

bool isOfCase(const LoadedProgram& loaded, const SessionOptions& options) {
    return loaded.program->isCaseFile() && options.call == 0 &&
           !compiledNames(loaded).contains(options.function);
}

base::Result<ProgramRun> runOnce(Tools& tools, const SessionOptions& options,
                                 pipeline::RecordBuilder* recorder, backend::KeepRuns keep) {
    std::vector<backend::KeptRun> asked;
    base::Status again;
    const CallsKept calls{
        options.function, options.call, [&](LoadedProgram& loaded, const capture::KeptCall& call) {
            loaded.compiler->takeKeptRuns();
            if (again) again = CallStep(loaded, call, true).run();
            std::ranges::move(loaded.compiler->takeKeptRuns(), std::back_inserter(asked));
        }};
    CUTAWAY_TRY(LoadedProgram loaded, loadProgram(tools, options, options.backend, recorder, keep,
                                                  options.call > 0 ? &calls : nullptr));
    if (!again) return again.error();
    ProgramRun run{std::move(loaded), options.size};
    if (run.loaded.program->isCaseFile()) {
        CUTAWAY_TRY(CaseStep step, CaseStep::make(run.loaded, options.size, options.backend));
        run.size = step.size();
        CUTAWAY_CHECK(step.run());
    }
    CUTAWAY_CHECK(askedIsThere(run.loaded, options));
    std::vector<backend::KeptRun> runs = run.loaded.compiler->takeKeptRuns();
    if (options.call > 0) runs = std::move(asked);
    if (!options.function.empty())
        std::erase_if(runs, [&](const auto& kept) { return kept.function != options.function; });
    run.loaded.compiler->setKeptRuns(std::move(runs));
    return run;
}

} // namespace cutaway::driver
