// SPDX-License-Identifier: Apache-2.0
#include "core/capture/program.h"

#include "core/capture/compiled_unit.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_set>

namespace cutaway::capture {

namespace {

class ScriptProgram : public Program {
public:
    ScriptProgram(ProgramOptions options, EagerOps& eager, GraphCompiler& compiler)
        : options_(std::move(options)),
          interp_(std::make_unique<Interp>(options_, eager, compiler)) {}
    ~ScriptProgram() override {
        if (globals_) globals_->clear(); // functions hold it: it would not go by itself
        globals_ = {};
        for (auto& unit : interp_->units())
            unit->drop();
    }

    base::Status run() {
        interp_->eager().generator().seed(options_.seed);
        interp_->keepCalls(options_.keepCalls ? &*options_.keepCalls : nullptr);
        std::optional<base::Diagnostic> failure;
        base::Status status = interp_->guarded([&] {
            globals_ = interp_->module("__main__")->attributes; // sys.modules knows it
            interp_->libraryImport("torch");
            globals_->set(interp_->intern("__name__"), interp_->str("__main__"));
            globals_->set(interp_->intern("__file__"), interp_->str(options_.path));
            auto source = std::make_shared<SourceText>();
            source->file = options_.path;
            try {
                interp_->runScript(options_.text, source, globals_);
            } catch (ScriptError& error) {
                if (!error.exception.bound()) throw;
                if (!exits(error)) failure = uncaught(error);
            }
            runAtExit();
        });
        interp_->keepCalls(nullptr);
        if (status.ok() && failure) return std::move(*failure);
        return status;
    }

    /// Whether \p error is sys.exit(): its argument is the status.
    bool exits(const ScriptError& error) {
        if (!isA(error, Error::SystemExit)) return false;
        exitStatus_ = statusOf(interp_->getAttr(error.exception, interp_->intern("code")));
        return true;
    }

    /// What the script set sys.excepthook to; nothing: it set none.
    Val exceptHook() {
        DictObj& sys = *interp_->module("sys")->attributes;
        const Val* hook = sys.find(std::string_view("excepthook"));
        const Val* usual = sys.find(std::string_view("__excepthook__"));
        return hook && usual && !hook->identical(*usual) ? *hook : Val();
    }

    /// Tells of an exception that ends the script: by the script's sys.excepthook where it set one.
    /// \returns nothing where that ended it by sys.exit().
    std::optional<base::Diagnostic> uncaught(ScriptError& error) {
        const Val hook = exceptHook();
        auto* raised = error.exception.as<InstanceObj>();
        raised->raised =
            std::make_shared<const Raised>(Raised{error.diagnostic, error.trace, error.sealed});
        if (hook.bound() && options_.traceback) {
            try {
                interp_->call(
                    hook, {Val(error.exception.as<InstanceObj>()->type), error.exception,
                           interp_->getAttr(error.exception, interp_->intern("__traceback__"))});
            } catch (ScriptError& another) {
                if (!another.exception.bound()) throw;
                if (exits(another)) return std::nullopt;
                options_.traceback(
                    fmt::format("Error in sys.excepthook:\n{}\nOriginal exception was:\n{}",
                                interp_->traceback(another), interp_->traceback(error)));
            }
        } else if (options_.traceback) {
            options_.traceback(interp_->traceback(error));
        }
        base::Diagnostic failure = interp_->finish(error);
        if (isA(error, Error::KeyboardInterrupt)) {
            const std::string text = interp_->text(error.exception);
            failure.message = "KeyboardInterrupt" + (text.empty() ? "" : ": " + text);
            failure.fault = base::Fault::Cancelled;
        }
        return failure;
    }

    /// What the script gave atexit.register().
    void runAtExit() {
        if (const Val* run = interp_->module("atexit")->attributes->find(interp_->intern("_run")))
            interp_->call(*run, {});
        interp_->finishObjects(!isCaseFile());
    }

    bool isA(const ScriptError& error, Error which) {
        return interp_->isInstance(error.exception, Val(interp_->errorClass(which)));
    }
    /// As Python: None is 0, an integer itself (of eight bits), anything else is printed and is 1.
    int statusOf(const Val& code) {
        if (code.isNone()) return 0;
        if (code.is(Kind::Integer)) return 0xff; // more than 64 bits
        if (code.isIntegral()) return static_cast<int>(code.asInt() & 0xff);
        interp_->printError(interp_->text(code) + "\n");
        return 1;
    }

    const std::string& text() const override { return options_.text; }
    int exitStatus() const override { return exitStatus_; }

    ValuePtr global(const std::string& name) override {
        Val* found = globals_->find(interp_->intern(name));
        return found ? std::make_shared<Value>(*found) : nullptr;
    }

    bool isCaseFile() const override { return find("model") && find("example_inputs"); }

    bool train() const override {
        const Val* flag = find("train");
        return flag && flag->isBool() && flag->asBool();
    }

    std::vector<std::string> sizeKeys() const override {
        std::vector<std::string> keys;
        const Val* sizes = find("sizes");
        if (auto* dict = sizes ? sizes->to<DictObj>() : nullptr)
            for (const auto& e : dict->entries())
                if (e.key.is(Kind::Str)) keys.push_back(e.key.as<StrObj>()->text);
        return keys;
    }

    base::Result<std::vector<ValuePtr>> exampleInputs(const std::string& size) override {
        const Val* function = find("example_inputs");
        if (!function)
            return base::userError({options_.path, 0, 0, 0, 0},
                                   "the script defines no example_inputs(size)");
        std::vector<ValuePtr> values;
        base::Status status = interp_->guarded([&] {
            Val result = interp_->call(*function, {interp_->str(size)});
            if (!result.is(Kind::Tuple) && !result.is(Kind::List)) {
                values.push_back(std::make_shared<Value>(result));
                return;
            }
            for (const Val& v : interp_->items(result))
                values.push_back(std::make_shared<Value>(v));
        });
        if (!status.ok()) return status.error();
        return values;
    }

    base::Result<ValuePtr> call(const ValuePtr& callable, const std::vector<ValuePtr>& args,
                                bool gradMode) override {
        std::vector<Val> values;
        for (const ValuePtr& a : args)
            values.push_back(a->val);
        Val result;
        bool keep = interp_->gradMode();
        interp_->setGradMode(gradMode);
        base::Status status =
            interp_->guarded([&] { result = interp_->call(callable->val, values); });
        interp_->setGradMode(keep);
        if (!status.ok()) return status.error();
        return std::make_shared<Value>(std::move(result));
    }

    base::Result<std::shared_ptr<CompiledFunction>>
    compile(const ValuePtr& callable, const CompileOptions& options) override {
        if (!callable || !callable->val.isObject())
            return base::usageError("only functions and modules can be compiled");
        Val target = callable->val;
        if (auto* compiled = target.to<CompiledObj>()) target = compiled->original;
        std::shared_ptr<CompiledUnit> unit;
        base::Status status = interp_->guarded(
            [&] { unit = std::make_shared<CompiledUnit>(*interp_, target, options); });
        if (!status.ok()) return status.error();
        interp_->addUnit(unit);
        return std::shared_ptr<CompiledFunction>(unit);
    }

    std::vector<std::shared_ptr<CompiledFunction>> compiledFunctions() const override {
        return {interp_->units().begin(), interp_->units().end()};
    }

    std::vector<KeptCall> keptCalls() const override {
        std::vector<KeptCall> calls;
        for (const auto& unit : interp_->units())
            if (auto call = unit->keptCall()) calls.push_back(std::move(*call));
        return calls;
    }

private:
    const Val* find(const char* name) const { return globals_->find(std::string_view(name)); }

    ProgramOptions options_;
    std::unique_ptr<Interp> interp_;
    Ref<DictObj> globals_;
    int exitStatus_ = 0;
};

/// What was walked already: a nest of n containers can hold the same one in 2^n places.
using Seen = std::unordered_set<const void*>;

void flatten(const Val& v, std::vector<runtime::TensorPtr>& out, Seen& seen, int depth) {
    if (!v.isObject() || depth > 100) return;
    if (auto* t = v.to<TensorObj>()) {
        if (t->real) out.push_back(t->real);
        return;
    }
    if (!seen.insert(v.object()).second) return;
    if (auto* list = v.to<ListObj>()) {
        for (const Val& item : list->items)
            flatten(item, out, seen, depth + 1);
    } else if (auto* tuple = v.to<TupleObj>()) {
        for (const Val& item : tuple->items)
            flatten(item, out, seen, depth + 1);
    } else if (auto* dict = v.to<DictObj>()) {
        for (const auto& e : dict->entries())
            if (e.live()) flatten(e.value, out, seen, depth + 1);
    }
}

void collectParameters(const InstanceObj& module, const std::string& prefix,
                       std::vector<std::pair<std::string, runtime::TensorPtr>>& out, Seen& seen,
                       int depth) {
    if (depth > 100 || !seen.insert(&module).second) return;
    auto table = [&](const char* name) {
        Val* found = module.attributes->find(std::string_view(name));
        return found ? found->to<DictObj>() : nullptr;
    };
    if (DictObj* parameters = table("_parameters"))
        for (const auto& e : parameters->entries())
            if (auto* t = e.key.is(Kind::Str) ? e.value.to<TensorObj>() : nullptr;
                t && t->real && seen.insert(t->real.get()).second)
                out.emplace_back(prefix + e.key.as<StrObj>()->text, t->real);
    if (DictObj* modules = table("_modules"))
        for (const auto& e : modules->entries())
            if (auto* child = e.key.is(Kind::Str) ? e.value.to<InstanceObj>() : nullptr)
                collectParameters(*child, prefix + e.key.as<StrObj>()->text + ".", out, seen,
                                  depth + 1);
}

} // namespace

base::Result<std::unique_ptr<Program>> Program::load(ProgramOptions options, EagerOps& eager,
                                                     GraphCompiler& compiler) {
    auto program = std::make_unique<ScriptProgram>(std::move(options), eager, compiler);
    if (base::Status status = program->run(); !status.ok()) return status.error();
    return std::unique_ptr<Program>(std::move(program));
}

[[gnu::hot]] std::vector<runtime::TensorPtr> flattenTensors(const ValuePtr& value) {
    std::vector<runtime::TensorPtr> tensors;
    Seen seen;
    if (value) flatten(value->val, tensors, seen, 0);
    return tensors;
}

std::vector<std::pair<std::string, runtime::TensorPtr>> namedParameters(const ValuePtr& value) {
    std::vector<std::pair<std::string, runtime::TensorPtr>> parameters;
    if (!value) return parameters;
    Seen seen;
    Val v = value->val;
    if (auto* compiled = v.to<CompiledObj>()) v = compiled->original;
    if (auto* instance = v.to<InstanceObj>(); instance && instance->type->module)
        collectParameters(*instance, "", parameters, seen, 0);
    return parameters;
}

} // namespace cutaway::capture
