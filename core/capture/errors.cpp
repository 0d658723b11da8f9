// SPDX-License-Identifier: Apache-2.0
// Exceptions of scripts and their way to a located message.
#include "core/base/text.h"
#include "core/base/tick.h"
#include "core/capture/interp.h"
#include "core/runtime/matrix_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cutaway::capture {

namespace {

/// An exception that the evaluator raises; bases come first.
struct ErrorRow {
    Error kind;
    const char* name;
    Error base;
};
constexpr ErrorRow kErrors[] = {
    {Error::Base, "BaseException", Error::Base},
    {Error::Exception, "Exception", Error::Base},
    {Error::Type, "TypeError", Error::Exception},
    {Error::Value, "ValueError", Error::Exception},
    {Error::Name, "NameError", Error::Exception},
    {Error::UnboundLocal, "UnboundLocalError", Error::Name},
    {Error::Attribute, "AttributeError", Error::Exception},
    {Error::Lookup, "LookupError", Error::Exception},
    {Error::Index, "IndexError", Error::Lookup},
    {Error::Key, "KeyError", Error::Lookup},
    {Error::Runtime, "RuntimeError", Error::Exception},
    {Error::NotImplemented, "NotImplementedError", Error::Runtime},
    {Error::Recursion, "RecursionError", Error::Runtime},
    {Error::Assertion, "AssertionError", Error::Exception},
    {Error::Arithmetic, "ArithmeticError", Error::Exception},
    {Error::ZeroDivision, "ZeroDivisionError", Error::Arithmetic},
    {Error::Overflow, "OverflowError", Error::Arithmetic},
    {Error::Import, "ImportError", Error::Exception},
    {Error::ModuleNotFound, "ModuleNotFoundError", Error::Import},
    {Error::StopIteration, "StopIteration", Error::Exception},
    {Error::GeneratorExit, "GeneratorExit", Error::Base},
    {Error::SystemExit, "SystemExit", Error::Base},
    {Error::KeyboardInterrupt, "KeyboardInterrupt", Error::Base},
    {Error::OS, "OSError", Error::Exception},
    {Error::FileNotFound, "FileNotFoundError", Error::OS},
    {Error::Memory, "MemoryError", Error::Exception},
    {Error::Buffer, "BufferError", Error::Exception},
    {Error::OutOfMemory, "torch.OutOfMemoryError", Error::Runtime},
    {Error::Dynamo, "torch._dynamo.exc.TorchDynamoException", Error::Runtime},
    {Error::Unsupported, "torch._dynamo.exc.Unsupported", Error::Dynamo},
    {Error::InvalidBackend, "torch._dynamo.exc.InvalidBackend", Error::Dynamo},
    {Error::BackendFailed, "torch._dynamo.exc.BackendCompilerFailed", Error::Dynamo},
    {Error::RecompileLimit, "torch._dynamo.exc.FailOnRecompileLimitHit", Error::Exception},
};

// Those that the evaluator itself does not raise, and their bases.
constexpr std::pair<const char*, const char*> kOtherErrors[] = {
    {"EOFError", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"ReferenceError", "Exception"},
    {"SystemError", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"IndentationError", "SyntaxError"},
    {"TabError", "IndentationError"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"BlockingIOError", "OSError"},
    {"ChildProcessError", "OSError"},
    {"ConnectionError", "OSError"},
    {"BrokenPipeError", "ConnectionError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"FileExistsError", "OSError"},
    {"InterruptedError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"PermissionError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"TimeoutError", "OSError"},
    {"Warning", "Exception"},
    {"UserWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"FutureWarning", "Warning"},
    {"ImportWarning", "Warning"},
    {"UnicodeWarning", "Warning"},
    {"BytesWarning", "Warning"},
    {"ResourceWarning", "Warning"}};

} // namespace

void Interp::setUpErrors() {
    for (const ErrorRow& row : kErrors) {
        std::string_view name = row.name;
        size_t dot = name.rfind('.');
        auto* type = make<ClassObj>(std::string(name.substr(dot == name.npos ? 0 : dot + 1)));
        Ref<ClassObj> keep(type);
        type->exception = true;
        type->attributes = Ref<DictObj>(make<DictObj>());
        type->native = true;
        type->qualifiedName = type->name;
        if (dot != name.npos)
            type->attributes->set(intern("__module__"), str(std::string(name.substr(0, dot))));
        type->order = {type};
        if (row.kind != Error::Base) {
            Ref<ClassObj> base = errors_[static_cast<size_t>(row.base)];
            type->bases = {base};
            type->order.insert(type->order.end(), base->order.begin(), base->order.end());
        }
        errors_[static_cast<size_t>(row.kind)] = keep;
        DictObj* home = dot == name.npos
                            ? builtins_.get()
                            : module(std::string(name.substr(0, dot)))->attributes.get();
        home->set(intern(type->name), keep.val());
    }
    auto add = [&](const char* name, const char* baseName) {
        auto* type = make<ClassObj>(name);
        Ref<ClassObj> keep(type);
        auto* base = builtins_->find(intern(baseName))->as<ClassObj>();
        type->exception = type->native = true;
        type->qualifiedName = name;
        type->attributes = Ref<DictObj>(make<DictObj>());
        type->bases = {Ref<ClassObj>(base)};
        type->order = {type};
        type->order.insert(type->order.end(), base->order.begin(), base->order.end());
        return keep;
    };
    for (auto [name, baseName] : kOtherErrors)
        builtins_->set(intern(name), add(name, baseName).val());
    Ref<ClassObj> matrix = add("_LinAlgError", "RuntimeError");
    matrix->attributes->set(intern("__module__"), str("torch._C"));
    module("torch.linalg")->attributes->set(intern("LinAlgError"), matrix.val());
    for (const char* name : {"IOError", "EnvironmentError"})
        builtins_->set(intern(name), Val(errorClass(Error::OS)));
    module("torch.cuda")
        ->attributes->set(intern("OutOfMemoryError"), Val(errorClass(Error::OutOfMemory)));
}

std::string Interp::qualifiedName(const ClassObj& type) const {
    if (&type == errorClass(Error::OutOfMemory)) return "torch." + type.name;
    for (Error kind : {Error::Dynamo, Error::Unsupported, Error::InvalidBackend,
                       Error::BackendFailed, Error::RecompileLimit})
        if (&type == errorClass(kind)) return "torch._dynamo.exc." + type.name;
    return type.qualifiedName.empty() ? type.name : type.qualifiedName;
}

void Interp::raise(Error kind, std::string message, std::string hint) {
    raise(kind, base::userError({}, std::move(message), std::move(hint)));
}

Val Interp::newException(Error kind, std::vector<Val> args) {
    auto* instance = make<InstanceObj>();
    Val exception(instance);
    instance->type = errors_[static_cast<size_t>(kind)];
    instance->attributes = Ref<DictObj>(make<DictObj>());
    instance->attributes->set(intern("args"), tuple(std::move(args)));
    if (Val context = handled(); context.bound())
        instance->attributes->set(intern("__context__"), context);
    return exception;
}

void Interp::raisePython(Error kind, std::vector<Val> args, std::string message, std::string hint) {
    Val exception = newException(kind, std::move(args));
    throw ScriptError{
        exception, base::userError({}, std::move(message), std::move(hint)), {}, false};
}

void Interp::raise(Error kind, base::Diagnostic diagnostic) {
    Val exception = newException(kind, {str(diagnostic.message)});
    bool sealed = diagnostic.where.known();
    throw ScriptError{exception, std::move(diagnostic), {}, sealed};
}

Val Interp::handled() const {
    for (const Frame* f = top_; f; f = f->caller) {
        const Code::Handled* innermost = nullptr;
        for (const Code::Handled& h : f->code->handled)
            if (f->ip >= h.from && f->ip < h.to && (!innermost || h.from > innermost->from))
                innermost = &h;
        if (!innermost) continue;
        const Val& v = f->locals[static_cast<size_t>(innermost->local)];
        if (v.bound()) return v;
    }
    return {};
}

static Error errorOf(base::ErrorClass errorClass) {
    switch (errorClass) {
    case base::ErrorClass::Type:
        return Error::Type;
    case base::ErrorClass::Value:
        return Error::Value;
    case base::ErrorClass::Index:
        return Error::Index;
    case base::ErrorClass::NotImplemented:
        return Error::NotImplemented;
    case base::ErrorClass::OutOfMemory:
        return Error::OutOfMemory;
    case base::ErrorClass::Runtime:
        break;
    }
    return Error::Runtime;
}

void Interp::fail(base::Diagnostic diagnostic) {
    if (diagnostic.fault == base::Fault::Cancelled) stopped();
    // Nothing in a script may hide a defect of ours or a wrong use from outside.
    if (diagnostic.fault != base::Fault::User && diagnostic.fault != base::Fault::Environment)
        throw ScriptError{{}, std::move(diagnostic), {}, false};
    if (runtime::tellsOfMatrix(diagnostic)) {
        Val exception = newException(Error::Runtime, {str(diagnostic.message)});
        const Val* type = module("torch.linalg")->attributes->find(intern("LinAlgError"));
        if (auto* own = type ? type->to<ClassObj>() : nullptr; own && own->exception)
            exception.as<InstanceObj>()->type = Ref<ClassObj>(own);
        const bool sealed = diagnostic.where.known();
        throw ScriptError{exception, std::move(diagnostic), {}, sealed};
    }
    Error kind = errorOf(diagnostic.errorClass);
    raise(kind, std::move(diagnostic));
}

ScriptError Interp::memoryError() {
    Val exception(make<InstanceObj>());
    exception.as<InstanceObj>()->type = errors_[static_cast<size_t>(Error::Memory)];
    exception.as<InstanceObj>()->attributes = Ref<DictObj>(make<DictObj>());
    exception.as<InstanceObj>()->attributes->set(intern("args"), tuple({}));
    return {exception, base::environmentError("memory is exhausted"), {}, false};
}

/// A script's own exception may carry any text: what people read of it ends somewhere.
static void shorten(std::string& message) {
    constexpr size_t kMaxMessage = 10000;
    if (message.size() <= kMaxMessage) return;
    size_t end = kMaxMessage;
    while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xc0) == 0x80)
        --end;
    message.resize(end);
    message += " ...";
}

static std::string traceLines(std::span<const TraceEntry> trace) {
    std::string out;
    for (size_t i = trace.size(); i-- > 0;) {
        const TraceEntry& t = trace[i];
        bool module = t.function.empty() || t.function == "<script>";
        out += fmt::format("  File \"{}\", line {}, in {}\n", t.source->file, t.span.line,
                           module ? "<module>" : t.function);
        if (std::string line = t.source->trimmed(t.span.line); !line.empty())
            out += "    " + line + "\n";
    }
    return out.empty() ? out : "Traceback (most recent call last):\n" + out;
}

std::string Interp::traceback(const Val& value, std::span<const TraceEntry> trace, int depth) {
    constexpr int kMaxChain = 20;
    const InstanceObj& exception = *value.as<InstanceObj>();
    std::string out, message;
    auto attribute = [&](const char* name) {
        Val* found = exception.attributes->find(intern(name));
        return found ? *found : Val::none();
    };
    const Val cause = attribute("__cause__"), context = attribute("__context__");
    const Val before = cause.is(Kind::Instance)                    ? cause
                       : truthy(attribute("__suppress_context__")) ? Val::none()
                                                                   : context;
    if (auto* earlier = before.to<InstanceObj>(); earlier && depth < kMaxChain) {
        const std::vector<TraceEntry> none;
        out = traceback(before, earlier->raised ? earlier->raised->trace : none, depth + 1);
        out += cause.is(Kind::Instance)
                   ? "\nThe above exception was the direct cause of the following exception:\n\n"
                   : "\nDuring handling of the above exception, another exception occurred:\n\n";
    }
    try {
        message = text(value);
    } catch (ScriptError&) { // raised by the script's own __str__
        message = "<exception str() failed>";
    }
    shorten(message);
    out += traceLines(trace) + qualifiedName(*exception.type) +
           (message.empty() ? "" : ": " + message) + "\n";
    if (const Val notes = attribute("__notes__"); notes.is(Kind::List))
        for (const Val& note : notes.as<ListObj>()->items)
            if (note.is(Kind::Str)) out += note.as<StrObj>()->text + "\n";
    return out;
}

std::string Interp::traceback(const ScriptError& error) {
    return traceback(error.exception, error.trace, 0);
}

Val Interp::exceptionOf(const Val& given) {
    Val exception = given;
    if (auto* type = given.to<ClassObj>(); type && type->exception) exception = call(given, {});
    auto* instance = exception.to<InstanceObj>();
    if (!instance || !instance->type->exception)
        raisePython(Error::Type, "exceptions must derive from BaseException",
                    fmt::format("only exceptions can be raised, found {}", typeName(exception)),
                    "write: raise ValueError(\"...\")");
    return exception;
}

void Interp::raiseFrom(const Val& given, const Val& cause) {
    Val exception = exceptionOf(given);
    Val from = cause;
    if (auto* type = cause.to<ClassObj>(); type && type->exception) from = call(cause, {});
    auto* instance = from.to<InstanceObj>();
    if (!from.isNone() && !(instance && instance->type->exception))
        raisePython(Error::Type, "exception causes must derive from BaseException",
                    fmt::format("the cause of an exception is an exception or None, found {}",
                                typeName(from)));
    auto& attributes = *exception.as<InstanceObj>()->attributes;
    attributes.set(intern("__cause__"), from);
    attributes.set(intern("__suppress_context__"), Val::boolean(true));
    raise(exception);
}

void Interp::raise(const Val& given) {
    Val exception = exceptionOf(given);
    auto* instance = exception.to<InstanceObj>();
    if (Val context = handled(); context.bound() && !context.identical(exception))
        instance->attributes->set(intern("__context__"), context);
    std::string message;
    try {
        message = text(exception);
    } catch (ScriptError&) {
        message = "<exception str() failed>";
    }
    std::string name = qualifiedName(*instance->type);
    if (!instance->type->native || name == "Exception" || message.empty())
        message = message.empty() ? name : name + ": " + message;
    throw ScriptError{exception, base::userError({}, std::move(message)), {}, false};
}

void Interp::raiseAgain(const Val& exception) {
    auto* instance = exception.to<InstanceObj>();
    if (!instance || !instance->raised) raise(exception);
    const Raised& raised = *instance->raised;
    throw ScriptError{exception, raised.diagnostic, raised.trace, raised.sealed, true};
}

void Interp::stop(std::string message, std::string hint) {
    throw CaptureStop{std::move(message), std::move(hint), {}, {}};
}

void Interp::addTrace(std::vector<TraceEntry>& trace, const Frame& frame) const {
    if (trace.size() >= 64) return;
    size_t ip = std::min<size_t>(frame.ip, frame.code->spans.size() - 1);
    trace.push_back({frame.code->source, frame.code->spans[ip], frame.code->name});
}

base::Diagnostic Interp::finish(ScriptError& error) {
    base::Diagnostic d = std::move(error.diagnostic);
    shorten(d.message);
    if (error.sealed || d.where.known()) return d;
    auto user = std::find_if(error.trace.begin(), error.trace.end(),
                             [](const TraceEntry& t) { return !t.source->library; });
    if (user == error.trace.end()) user = error.trace.begin();
    if (user == error.trace.end()) return d;
    d.where = frontend::locate(user->source->file, user->span);
    for (auto inner = user; inner != error.trace.begin();) {
        --inner;
        d.notes.push_back({frontend::locate(inner->source->file, inner->span),
                           fmt::format("in {}(), called from there", inner->function)});
    }
    int callers = 0;
    for (auto outer = user + 1; outer != error.trace.end() && callers < 8; ++outer) {
        if (outer->source->library) continue;
        base::DiagnosticNote note{
            frontend::locate(outer->source->file, outer->span),
            fmt::format("{}() was called from here", std::prev(outer)->function)};
        bool repeated = !d.notes.empty() && d.notes.back().where == note.where;
        if (repeated) continue; // recursion
        d.notes.push_back(std::move(note));
        ++callers;
    }
    return d;
}

[[gnu::hot]] base::Status Interp::guarded(const std::function<void()>& body) {
    Frame* top = top_;
    int depth = depth_;
    findStackLimit();
    auto failed = [&](base::Diagnostic d) -> base::Status {
        top_ = top;
        depth_ = depth;
        return d;
    };
    try {
        const base::CancelScope scope(options_.cancel);
        body();
        return {};
    } catch (const base::Cancelled&) {
        return failed(base::cancelledError());
    } catch (ScriptError& error) {
        if (error.exception.bound() && options_.traceback) options_.traceback(traceback(error));
        return failed(finish(error));
    } catch (CaptureStop& reason) {
        return failed(base::bugError("capture stopped outside capture: " + reason.message));
    } catch (std::bad_alloc&) {
        return failed(base::environmentError("memory is exhausted"));
    } catch (std::length_error&) {
        return failed(base::environmentError("memory is exhausted"));
    } catch (std::exception& mistake) {
        return failed(base::bugError(mistake.what()));
    }
}

std::string Interp::nearest(const std::string& name, const std::vector<std::string>& names) {
    constexpr size_t kMaxLength = 60, kMaxNames = 5000;
    if (name.size() > kMaxLength) return {};
    std::string best;
    size_t bestDistance = (name.size() < 4 ? 1 : std::max<size_t>(2, name.size() / 3)) + 1;
    for (size_t i = 0; i < std::min(names.size(), kMaxNames); ++i) {
        const std::string& other = names[i];
        if (other == name || other.empty() || other[0] == '@' || other.size() > kMaxLength)
            continue;
        if (other.starts_with('_') && !name.starts_with('_')) continue;
        const size_t d = base::editDistance(name, other);
        if (d < bestDistance || (d == bestDistance && !best.empty() && other < best)) {
            best = other;
            bestDistance = d;
        }
    }
    return best;
}

CallSite Interp::userSite() const {
    for (const Frame* f = top_; f; f = f->caller) {
        if (f->code->source->library) continue;
        size_t ip = std::min<size_t>(f->ip, f->code->spans.size() - 1);
        return {f->code->source, f->code->spans[ip], f->code->name};
    }
    return {};
}

ir::SourceStack Interp::sourceStack(const Frame* last) const {
    std::vector<const Frame*> frames;
    for (const Frame* f = top_; f; f = f->caller) {
        frames.push_back(f);
        if (f == last) break;
    }
    auto stack = std::make_shared<std::vector<ir::SourceFrame>>();
    bool inLibrary = true; // nothing of the user's so far
    for (size_t i = frames.size(); i-- > 0;) {
        const Frame& f = *frames[i];
        // A module called by library code (Sequential) or by nobody: the user's line is the one
        // that made the module.
        if (f.module && inLibrary && f.code->source->library && f.module->madeAt.source) {
            const CallSite& made = f.module->madeAt;
            stack->push_back({frontend::locate(made.source->file, made.span), made.function,
                              made.source->trimmed(made.span.line)});
        }
        size_t ip = std::min<size_t>(f.ip, f.code->spans.size() - 1);
        const frontend::Span& span = f.code->spans[ip];
        stack->push_back({frontend::locate(f.code->source->file, span), f.code->name,
                          f.code->source->trimmed(span.line)});
        inLibrary = f.code->source->library;
    }
    return stack;
}

} // namespace cutaway::capture
