// SPDX-License-Identifier: Apache-2.0
#include "core/driver/case.h"

#include "core/base/tick.h"
#include "core/driver/nothing_compiled.h"
#include "core/record/json.h"

namespace cutaway::driver {

/// Notes the texts that were generated, so that listing() may compile them once more.
static void rememberCode(Tools& tools, const record::Record& record) {
    for (const record::Function& function : record.functions)
        for (const record::Entry& entry : function.entries)
            for (const record::LoweredGraph& lowered : entry.lowered)
                for (const record::KernelInfo& kernel : lowered.kernels)
                    for (const record::Code& code : kernel.codes) {
                        base::tick();
                        tools.parts().generated.insert(codeHash(code));
                    }
}

static void keepFunction(record::Record& record, const std::string& name) {
    std::erase_if(record.functions, [&](const auto& each) { return each.name != name; });
}

static Compiled failed(record::Record record, base::Diagnostic error) {
    record.messages.push_back(error);
    return {std::move(record), std::move(error)};
}

static Compiled compileScript(Tools& tools, const SessionOptions& options);

/// Leaves an opened record the function that was asked for.
static base::Status keepAsked(record::Record& record, const SessionOptions& options) {
    if (options.call > 0)
        return base::usageError(options.path +
                                    " is a saved record, whose script does not run: it "
                                    "has no call " +
                                    std::to_string(options.call),
                                "give the script that it was made from");
    if (options.function.empty()) return {};
    std::set<std::string> names;
    for (const record::Function& function : record.functions)
        names.insert(function.name);
    CUTAWAY_CHECK(functionThere(names, options.function));
    keepFunction(record, options.function);
    return {};
}

// Opens a record, or runs a script once and records what its compiled functions become: capture
// calls backend/graph_compiler.cpp, which runs the stages of pipeline/stage_table.cpp, whenever a
// compiled function meets arguments that no entry's guards accept.
Compiled compile(Tools& tools, const SessionOptions& options) {
    if (options.path.ends_with(".cutaway") && !options.text) {
        auto record = options.content ? record::parse(*options.content, options.path)
                                      : record::open(options.path);
        if (!record) return failed({}, record.error());
        if (base::Status status = keepAsked(*record, options); !status)
            return failed({}, status.error());
        return {std::move(*record), std::nullopt};
    }
    Compiled compiled = compileScript(tools, options);
    rememberCode(tools, compiled.record);
    return compiled;
}

static Compiled compileScript(Tools& tools, const SessionOptions& options) {
    auto progress = [&](const char* stage) {
        if (options.progress) options.progress(stage, 0);
    };
    pipeline::RecordBuilder builder;
    builder.record.producer = "cutaway " CUTAWAY_VERSION;
    builder.record.path = options.path;
    builder.record.size = options.size;
    builder.record.decisions = options.decisions;

    progress("capturing");
    SessionOptions told = options;
    told.warn = [&](const base::Diagnostic& warning) {
        builder.record.messages.push_back(warning);
    };
    const CallsKept calls{options.function, options.call, nullptr};
    auto loaded = loadProgram(tools, told, options.backend, &builder, backend::KeepRuns::No,
                              options.call > 0 ? &calls : nullptr);
    if (!loaded) return failed(std::move(builder.record), loaded.error());

    if (loaded->program->isCaseFile()) {
        builder.record.sizes = loaded->program->sizeKeys();
        auto step = CaseStep::make(*loaded, options.size, options.backend);
        if (!step) return failed(std::move(builder.record), step.error());
        builder.record.size = step->size();
        progress("compiling and running once");
        if (base::Status status = step->run(); !status)
            return failed(std::move(builder.record), status.error());
    }
    loaded->compiler->recordCalls(options.call > 0);
    if (base::Status status = askedIsThere(*loaded, options); !status)
        return failed(std::move(builder.record), status.error());
    if (!options.function.empty()) keepFunction(builder.record, options.function);
    if (builder.record.functions.empty()) {
        auto script = scriptOf(options);
        builder.record.messages.push_back(nothingCompiled(
            options.path, script ? std::string_view(script->text) : std::string_view()));
    }
    nameModules(builder.record, options.path, loaded->modulesOfLines);
    if (base::Status status = schedulesMet(*loaded); !status)
        return failed(std::move(builder.record), status.error());
    for (base::Diagnostic& unmet : unmetDecisions(*loaded, options.path))
        builder.record.messages.push_back(std::move(unmet));
    if (auto problem = cacheProblem(tools)) builder.record.messages.push_back(*problem);
    progress("recording");
    return {std::move(builder.record), std::nullopt};
}

base::Result<int> runScript(Tools& tools, const SessionOptions& options, record::Record* record) {
    pipeline::RecordBuilder builder;
    builder.record.producer = "cutaway " CUTAWAY_VERSION;
    builder.record.path = options.path;
    builder.record.decisions = options.decisions;
    auto loaded = loadProgram(tools, options, options.backend, record ? &builder : nullptr);
    if (record) *record = std::move(builder.record);
    if (!loaded) return loaded.error();
    CUTAWAY_CHECK(wishesMet(*loaded, options));
    return loaded->program->exitStatus();
}

} // namespace cutaway::driver
