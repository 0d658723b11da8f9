// SPDX-License-Identifier: Apache-2.0
#include "core/capture/compiled_unit.h"
#include "core/base/tick.h"
#include "core/capture/call_observer.h"
#include "core/capture/script_graph.h"
#include "core/capture/transformed_code.h"

#include "core/capture/scope.h"
#include "core/capture/settings.h"
#include "core/runtime/deterministic.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace cutaway::capture {

namespace {

/// Puts the evaluator's state back whatever happens in between.
struct StateGuard {
    explicit StateGuard(Interp& interp)
        : interp(interp), capture(interp.capture()), gradMode(interp.gradMode()),
          device(interp.defaultDevice()), tensorModes(interp.tensorModes()) {}
    ~StateGuard() { restore(); }
    /// An exception leaves with the modes that the blocks it passed have set.
    void keepModes() {
        gradMode = interp.gradMode();
        device = interp.defaultDevice();
        tensorModes = interp.tensorModes();
    }
    void restore() {
        interp.setCapture(capture);
        interp.setGradMode(gradMode);
        interp.setDefaultDevice(device);
        interp.setTensorModes(tensorModes);
    }
    Interp& interp;
    Capture* capture;
    bool gradMode;
    ir::Device device;
    TensorModes tensorModes;
};

} // namespace

CompiledUnit::CompiledUnit(Interp& interp, const Val& callable, CompileOptions options, Val backend)
    : interp_(interp), callable_(callable), options_(std::move(options)),
      backend_(std::move(backend)) {
    Val target = callable;
    if (auto* instance = target.to<InstanceObj>()) {
        name_ = instance->type->name;
        Val* method =
            instance->type->find(interp.intern(instance->type->module ? "forward" : "__call__"));
        if (method && method->is(Kind::Function)) {
            self_ = target;
            target = *method;
        }
    } else if (auto* method = target.to<MethodObj>()) {
        self_ = method->self;
        target = method->function;
        // What is compiled already is compiled anew, for this object.
        if (auto* compiled = target.to<CompiledObj>()) target = compiled->original;
    }
    if (auto* f = target.to<FunctionObj>()) {
        function_ = Ref<FunctionObj>(f);
        if (name_.empty()) name_ = f->name;
    }
    if (name_.empty()) name_ = interp.text(interp.tryAttr(target, interp.intern("__name__")));
    begin();
}

void CompiledUnit::begin() {
    auto segment = std::make_unique<Segment>();
    if (function_) segment->frames = {{function_->code, 0, {}}};
    segment->eager = !function_ || function_->code->generator;
    segments_.clear();
    segments_.push_back(std::move(segment));
    forgotten_ = interp_.forgotten();
}

bool CompiledUnit::is(const Val& callable, const CompileOptions& options,
                      const Val& backend) const {
    const auto* mine = callable_.to<MethodObj>();
    const auto* theirs = callable.to<MethodObj>();
    const bool same = mine && theirs ? mine->self.identical(theirs->self) &&
                                           mine->function.identical(theirs->function)
                                     : callable_.identical(callable);
    return same && backend_.bound() == backend.bound() &&
           (!backend.bound() || backend_.identical(backend)) && options_ == options;
}

void CompiledUnit::drop() {
    kept_.reset();
    segments_.clear();
    callable_ = self_ = Val();
    function_ = {};
    wholeCall_ = nullptr; // the program drops it, too
}

int CompiledUnit::entries() const {
    size_t n = 0;
    for (const auto& s : segments_)
        n += s->entries.size();
    return static_cast<int>(n);
}

[[gnu::hot]] base::Result<ValuePtr> CompiledUnit::call(const std::vector<ValuePtr>& args,
                                                       bool gradMode) {
    if (segments_.empty()) return base::usageError("the program of this compiled function is gone");
    std::vector<Val> values;
    values.reserve(args.size());
    for (const ValuePtr& a : args)
        values.push_back(a->val);
    Val result;
    bool keep = interp_.gradMode();
    interp_.setGradMode(gradMode);
    auto body = [&] { result = callCompiled(Arguments{values, {}}); };
    base::Status status = interp_.guarded(std::ref(body)); // a reference: nothing to allocate
    interp_.setGradMode(keep);
    if (!status.ok()) return status.error();
    return std::make_shared<Value>(std::move(result));
}

void FlatValues::count(const Frame& frame, bool outermost) {
    localCount += static_cast<int32_t>(frame.locals.size()) + (outermost ? 0 : 3);
    stackCount += static_cast<int32_t>(frame.stack.size());
    cellCount += static_cast<int32_t>(frame.cells.size());
}

void FlatValues::add(const Frame& frame, bool outermost) {
    count(frame, outermost);
    locals.insert(locals.end(), frame.locals.begin(), frame.locals.end());
    if (!outermost) {
        locals.push_back(frame.function.val());
        locals.push_back(frame.module ? Val(frame.module) : Val());
        locals.push_back(frame.gives);
    }
    stack.insert(stack.end(), frame.stack.begin(), frame.stack.end());
    cells.insert(cells.end(), frame.cells.begin(), frame.cells.end());
}

Roots CompiledUnit::rootsOf(const Frames& frames, FlatValues& flat) const {
    Roots roots;
    if (frames.size() == 1) {
        roots.locals = frames[0]->locals.data();
        roots.stack = frames[0]->stack.data();
        roots.cells = frames[0]->cells.data();
    } else {
        for (const auto& frame : frames)
            flat.add(*frame, frame == frames[0]);
        roots.locals = flat.locals.data();
        roots.stack = flat.stack.data();
        roots.cells = flat.cells.data();
    }
    roots.interp = &interp_;
    roots.gradMode = interp_.gradMode();
    roots.defaultDevice = interp_.defaultDevice();
    roots.tensorModes = interp_.tensorModes();
    roots.lookupEpoch = interp_.lookupEpoch();
    return roots;
}

Val CompiledUnit::runEagerly(const Arguments* arguments, const Frames& frames) {
    if (!frames.empty()) return interp_.run(FrameStack(frames));
    Val target = function_ ? function_.val() : callable_;
    if (self_.bound() && function_) target = Val(interp_.make<MethodObj>(target, self_));
    return interp_.call(target, arguments->positional, arguments->keywords);
}

/// Whether the next instruction only moves values that are there: no capture needs to see it, and
/// an iterator of the outside would stop one.
static bool onlyMoves(const Frame& frame) {
    switch (frame.code->instructions[frame.ip].op) {
    case Op::StoreFast:
    case Op::Pop:
    case Op::Jump:
    case Op::ForIter:
        return true;
    case Op::LoadConst: // out of a function of torch that is not to be captured
    case Op::Return:
        return frame.code->source->library;
    case Op::Unpack:
        return frame.stack.back().is(Kind::Tuple) || frame.stack.back().is(Kind::List);
    default:
        return false;
    }
}

bool isLibraryFunction(const Val& v) {
    const auto* f = v.to<FunctionObj>();
    return f && f->code->source->library;
}

[[gnu::hot]] CompiledUnit* CompiledUnit::wholeCall() {
    auto* module = callable_.to<InstanceObj>();
    if (!module || !module->type->module) return nullptr;
    StrObj* forwardName = interp_.intern("forward");
    const Val& call = *module->type->find(interp_.intern("__call__"));
    const Val* forward = module->type->find(forwardName);
    if (isLibraryFunction(call) && function_ && forward &&
        forward->to<FunctionObj>() == function_.get() && !module->attributes->find(forwardName) &&
        !module->attributes->find(interp_.intern("_hooked")) &&
        !module->type->find(interp_.intern("_hooked")))
        return nullptr;
    if (!wholeCall_ || call.to<FunctionObj>() != wholeCall_->function_.get()) {
        wholeCall_ = std::make_shared<CompiledUnit>(
            interp_, interp_.bindMethod(call, callable_, module->type.get()), options_, backend_);
        wholeCall_->name_ = name_;
        interp_.addUnit(wholeCall_);
    }
    return wholeCall_.get();
}

/// Whether somebody looks at each call of torch's functions, or wants no graphs.
static bool runsAsItIs(const Interp& in, const Arguments& given) {
    constexpr std::string_view kForced = "force_eager";
    if (in.torchOverrides.modes || in.keepsSavedElsewhere || in.stance == kForced) return true;
    if (const CallObserver* each = CallObserver::current(); each && each->replaces()) return true;
    return in.torchOverrides.classes && std::ranges::any_of(given.positional, [](const Val& v) {
               return v.is(Kind::Tensor) && v.as<TensorObj>()->subclass;
           });
}

[[gnu::hot]] Val CompiledUnit::callCompiled(const Arguments& given) {
    if (CompiledUnit* whole = wholeCall()) {
        whole->calls_ = calls_;
        return whole->callCompiled(given);
    }
    if (running_ == 0 && forgotten_ != interp_.forgotten()) begin();
    struct Running {
        int& calls;
        explicit Running(int& count) : calls(count) { ++calls; }
        ~Running() { --calls; }
    } const running(running_);
    Segment* segment = segments_.front().get();
    if (segment->eager || runsAsItIs(interp_, given)) return runEagerly(&given, {});
    // Arguments in the order of the parameters; the usual call already has them so.
    const Code& code = *function_->code;
    size_t self = self_.bound() ? 1 : 0;
    bool plain = given.keywords.empty() && given.positional.size() + self == code.positional &&
                 code.keywordOnly == 0 && !code.takesArgs && !code.takesKwargs;
    std::vector<Val> bound;
    Roots roots;
    if (plain) {
        roots.locals = given.positional.data() - self;
    } else {
        bound = interp_.bindArguments(*function_, self ? &self_ : nullptr, given);
        roots.locals = bound.data();
    }
    roots.interp = &interp_;
    roots.gradMode = callMode_ = interp_.gradMode();
    roots.defaultDevice = interp_.defaultDevice();
    roots.tensorModes = interp_.tensorModes();
    roots.lookupEpoch = interp_.lookupEpoch();
    return finish(start(*segment, roots, &given, {}));
}

static std::vector<Position> positionsOf(const Frames& frames) {
    std::vector<Position> positions;
    for (const auto& frame : frames)
        positions.push_back({frame->code, frame->ip, frame->blocks});
    return positions;
}

[[gnu::hot]] Val CompiledUnit::finish(Outcome outcome) {
    while (!outcome.frames.empty()) {
        Frames& frames = outcome.frames;
        do {
            if (std::optional<Val> done = interp_.step(FrameStack(frames))) return *done;
            while (frames.back()->finished)
                frames.pop_back();
        } while (onlyMoves(*frames.back()));
        outcome = resume(std::move(outcome.frames));
    }
    return std::move(outcome.value);
}

CompiledUnit::Outcome CompiledUnit::resume(const Frames& frames) {
    Segment& next = resumeSegment(positionsOf(frames));
    if (next.eager) return {interp_.run(FrameStack(frames)), {}};
    FlatValues flat;
    const Roots now = rootsOf(frames, flat);
    return start(next, now, nullptr, frames);
}

Segment& CompiledUnit::resumeSegment(std::vector<Position> positions) {
    for (auto& s : segments_)
        if (!s->name.empty() && s->frames == positions) return *s;
    auto s = std::make_unique<Segment>();
    s->frames = std::move(positions);
    const auto& spans = s->code().spans;
    const std::string name = fmt::format(
        "resume_at_{}", spans[std::min<size_t>(s->frames.back().ip, spans.size() - 1)].line);
    s->name = name;
    for (int i = 1; std::any_of(segments_.begin(), segments_.end(),
                                [&](const auto& other) { return other->name == s->name; });
         ++i)
        s->name = fmt::format("{}_{}", name, i);
    segments_.push_back(std::move(s));
    return *segments_.back();
}

/// Raises a class of torch._dynamo.exc that the script library defines.
[[noreturn]] static void raiseDynamo(Interp& in, const char* name, base::Diagnostic why) {
    const Val type = in.getAttr(in.libraryImport("torch._dynamo.exc"), in.intern(name));
    const Val made = in.call(type, {in.str(why.message)});
    throw ScriptError{made, std::move(why), {}, false};
}

void CompiledUnit::refuseAnotherEntry(const Segment& segment) {
    const base::Location where =
        frontend::locate(segment.code().source->file, segment.code().header);
    raiseDynamo(
        interp_, "RecompileError",
        base::userError({}, fmt::format("Recompiling function {} in {}\n    triggered by the "
                                        "following guard failure: {}",
                                        name_, where.str(), whyAgain_)));
}

[[gnu::hot]] CompiledUnit::Outcome CompiledUnit::start(Segment& segment, const Roots& roots,
                                                       const Arguments* arguments,
                                                       const Frames& frames) {
    for (size_t i = 0; i < segment.entries.size(); ++i) {
        if (segment.entries[i]->deterministic != runtime::deterministic() ||
            !segment.entries[i]->guards.check(roots))
            continue;
        if (!segment.entries[i]->writes.empty() && writesShared(*segment.entries[i]))
            return {runEagerly(arguments, frames), {}};
        if (i > 0)
            std::rotate(segment.entries.begin(),
                        segment.entries.begin() + static_cast<std::ptrdiff_t>(i),
                        segment.entries.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return run(*segment.entries.front(), roots);
    }
    whyAgain_ = segment.entries.empty() ? std::string()
                                        : segment.entries.front()->guards.failure(
                                              roots, segment.code().locals, segment.code().cells);
    if (const size_t limit = recompileLimit(interp_); segment.entries.size() >= limit) {
        auto d = base::userError(
            frontend::locate(segment.code().source->file, segment.code().header),
            fmt::format("{} was compiled for {} different inputs and runs eagerly from now on",
                        name_, limit),
            "keep sizes and constants the same between calls" +
                (whyAgain_.empty() ? "" : "; this time " + whyAgain_));
        if (options_.fullgraph) interp_.raise(Error::RecompileLimit, std::move(d));
        d.severity = base::Severity::Warning;
        interp_.warn(d);
        segment.eager = true;
        return {runEagerly(arguments, frames), {}};
    }
    if (interp_.stance == "fail_on_recompile")
        interp_.raise(Error::Runtime,
                      fmt::format("Detected recompile when torch.compile stance is "
                                  "'fail_on_recompile': {}",
                                  name_),
                      whyAgain_);
    if (interp_.stance == "eager_on_recompile") return {runEagerly(arguments, frames), {}};
    if (!segment.entries.empty() && refusesAnotherEntry(interp_)) refuseAnotherEntry(segment);
    std::unique_ptr<CacheEntry> entry = capture(segment, arguments, frames);
    if (!entry) return {runEagerly(arguments, frames), {}};
    segment.entries.insert(segment.entries.begin(), std::move(entry));
    CacheEntry& fresh = *segment.entries.front();
    if (!fresh.guards.check(roots))
        throw ScriptError{
            {},
            base::bugError(fmt::format(
                "the guards of {} do not hold for the call that they were made for: {}", name_,
                fresh.guards.failure(roots, segment.code().locals, segment.code().cells))),
            {},
            false};
    if (!fresh.writes.empty() && writesShared(fresh)) return {runEagerly(arguments, frames), {}};
    return run(fresh, roots);
}

/// The tape behind what a backward() has gone through.
struct SpentTape : runtime::GradFunction {
    SpentTape() {
        name = "CompiledFunctionBackward";
        released = true;
    }
    base::Result<std::vector<runtime::TensorPtr>>
    apply(const std::vector<runtime::TensorPtr>&) override {
        return base::bugError("a tape that was freed is run");
    }
};

[[gnu::hot]] std::vector<runtime::TensorPtr>
CompiledUnit::callGraph(const CacheEntry& entry, std::span<const runtime::TensorPtr> inputs,
                        std::span<const int64_t> symbols) {
    auto called = entry.graph->call(inputs, symbols, entry.records);
    if (!called.ok()) interp_.fail(std::move(called.error()));
    for (int32_t output : entry.spent) {
        runtime::Tensor& t = *(*called)[static_cast<size_t>(output)];
        t.type.requiresGrad = true;
        t.gradFunction = std::make_shared<SpentTape>();
        t.gradFunction->outputTypes = {t.type};
        t.gradOutput = 0;
    }
    return std::move(*called);
}

[[gnu::hot]] CompiledUnit::Outcome CompiledUnit::run(CacheEntry& entry, const Roots& roots) {
    if (calls_ > 0) entry.calls->add(calls_);
    if (const KeepCalls* keep = interp_.keptCalls())
        entry.calls->kept |= keep->asksFor(name_, calls_);
    if (entry.transformed) return {runTransformed(entry, roots), {}};
    std::vector<runtime::TensorPtr> outputs;
    if (!entry.draws.empty()) drawInputs(entry);
    if (entry.graph) {
        std::vector<runtime::TensorPtr> inputs = std::move(entry.inputs); // the call may come back
        for (int32_t slot : entry.inputSlots) {
            if (slot < 0)
                inputs.push_back(std::move(entry.drawn[static_cast<size_t>(~slot)]));
            else if (const Val& v = entry.guards.value(slot); const auto* t = v.to<TensorObj>())
                inputs.push_back(t->real);
            else
                inputs.push_back(graphInput(interp_, v));
        }
        outputs = callGraph(entry, inputs, entry.guards.sizes.symbolValues());
        inputs.clear();
        entry.inputs = std::move(inputs);
        for (const LaterCheck& check : entry.checks)
            if (const Val held = interp_.tensor(outputs[static_cast<size_t>(check.output)]);
                !interp_.truthy(held))
                interp_.raise(Error::Runtime, check.message);
        if (!entry.writes.empty()) interp_.need(writeBack(entry, outputs));
    }
    interp_.setGradMode(entry.gradMode);
    interp_.setTensorModes(entry.tensorModes);
    if (entry.defaultDevice) interp_.setDefaultDevice(*entry.defaultDevice);
    if (entry.result >= 0) {
        const Recipe& only = entry.recipes[static_cast<size_t>(entry.result)];
        if (only.what == Recipe::What::Output && only.parts.empty() && entry.effects.empty())
            return {interp_.tensor(std::move(outputs[static_cast<size_t>(only.number)])), {}};
        std::vector<Val> built = build(entry, outputs);
        apply(entry, built);
        return {built[static_cast<size_t>(entry.result)], {}};
    }
    std::vector<Val> built = build(entry, outputs);
    Frames frames;
    for (const FrameRecipe& recipe : entry.frames)
        frames.push_back(buildFrame(recipe, built));
    apply(entry, built);
    return {Val(), std::move(frames)};
}

base::Diagnostic CompiledUnit::breakDiagnostic(const CaptureStop& reason) const {
    base::Diagnostic d = base::userError({}, reason.message, reason.hint);
    auto user = std::find_if(reason.trace.begin(), reason.trace.end(),
                             [](const TraceEntry& t) { return !t.source->library; });
    if (user == reason.trace.end()) user = reason.trace.begin();
    if (user != reason.trace.end()) d.where = frontend::locate(user->source->file, user->span);
    return d;
}

/// A value whose guard can wait until it is read: nothing else tells that it is there.
static bool canWait(const Val& v) {
    if (const auto* tensor = v.to<TensorObj>()) return !tensor->subclass;
    return v.bound() && (!v.isObject() || v.is(Kind::Str));
}

Frames CompiledUnit::startFrames(const Frames& state) {
    Frames frames;
    for (const auto& frame : state)
        frames.push_back(std::make_unique<Frame>(*frame));
    if (state.empty()) frames.push_back(std::make_unique<Frame>());
    if (auto* self = self_.to<InstanceObj>(); self && self->type->module) frames[0]->module = self;
    return frames;
}

void CompiledUnit::addStart(Capture& capture, const Frames& frames, bool whole) {
    FlatValues at;
    for (size_t f = 0; f < frames.size(); ++f) {
        Frame& frame = *frames[f];
        frame.resumable = true;
        const Code& code = *frame.code;
        const bool innermost = f + 1 == frames.size();
        const std::string suffix =
            innermost ? "" : fmt::format(" of {}{}", code.name, f ? fmt::format("@{}", f) : "");
        Capture::Start start{&frame, at.localCount, at.stackCount, at.cellCount, suffix};
        capture.addFrame(start);
        at.count(frame, f == 0);
        frame.unread.assign(frame.locals.size(), false);
        for (size_t i = 0; i < frame.locals.size(); ++i) {
            const auto& cells = code.cellParameters;
            const bool cell = whole && std::any_of(cells.begin(), cells.end(), [&](const auto& p) {
                                  return static_cast<size_t>(p.first) == i;
                              });
            if (whole && i == 0 && takesSelf())
                capture.addFixed(frame.locals[i], "self");
            else if (canWait(frame.locals[i]) && !cell)
                frame.unread[i] = true;
            else
                capture.addLocal(start, i);
        }
        if (f > 0) {
            const auto extra = start.locals + static_cast<int32_t>(frame.locals.size());
            const std::string of = fmt::format("{}@{}", code.name, f);
            if (!frame.function->definingClass.bound())
                capture.addUnguarded(extra, frame.function.val(), "function " + of);
            else
                capture.addExtra(extra, frame.function.val(), "function " + of);
            if (frame.module) capture.addExtra(extra + 1, Val(frame.module), "module of " + of);
            if (frame.gives.bound()) capture.addExtra(extra + 2, frame.gives, "result of " + of);
        }
        if (whole) {
            for (auto [parameter, cell] : code.cellParameters)
                frame.cells[static_cast<size_t>(cell)].as<CellObj>()->value =
                    frame.locals[static_cast<size_t>(parameter)];
            continue;
        }
        for (size_t i = 0; i < frame.cells.size(); ++i)
            capture.addCell(start, i);
        for (size_t i = 0; i < frame.stack.size(); ++i)
            capture.addStack(start, i);
    }
}

bool CompiledUnit::takesSelf() const {
    return self_.bound() && function_->code->positional > 0;
}

/// Ctrl-C, or the end of the whole program.
static bool isInterruption(Interp& in, const ScriptError& error) {
    return !error.exception.bound() ||
           in.isInstance(error.exception, Val(in.errorClass(Error::KeyboardInterrupt)));
}

/// What fullgraph makes of an exception of the script: a break, since it is the caller's frame that
/// sees it. Unbound: what operations raise is a RuntimeError as it is.
static Val observed(Interp& in, const ScriptError& error) {
    auto* exception = error.exception.to<InstanceObj>();
    if (!exception || !exception->type->isSubclassOf(in.errorClass(Error::Exception)) ||
        exception->type->isSubclassOf(in.errorClass(Error::Runtime)))
        return {};
    return in.newException(Error::Unsupported, {in.str(fmt::format("Observed exception\n  {}: {}",
                                                                   in.typeName(error.exception),
                                                                   in.text(error.exception)))});
}

static double millisecondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

/// What is said of a stretch whose state cannot be carried over a break.
static base::Diagnostic runsEagerly(const std::string& name, base::Diagnostic why,
                                    const CaptureStop& second) {
    why.message = fmt::format("{} runs eagerly: {}", name, why.message);
    why.notes.push_back({why.where, "the graph cannot be resumed here: " + second.message});
    return why;
}

/// Whether some frame stands in a with: its graph begins by entering it, and ends by leaving it.
static bool within(const Frames& frames) {
    return std::ranges::any_of(frames, [](const auto& frame) { return !frame->blocks.empty(); });
}

std::unique_ptr<CacheEntry> CompiledUnit::capture(Segment& segment, const Arguments* arguments,
                                                  const Frames& state) {
    auto begin = std::chrono::steady_clock::now();
    StateGuard restore(interp_);
    Frames frames = startFrames(state);
    std::vector<Val> locals;
    if (state.empty())
        locals = interp_.bindArguments(*function_, self_.bound() ? &self_ : nullptr, *arguments);
    segment.history.dynamic = options_.dynamic ? options_.dynamic : dynamicByDefault(interp_);
    Capture capture(interp_, *frames[0], &segment.history);
    // The frame's own cells are made by the capture, its arguments are not.
    if (state.empty()) interp_.prepareFrame(*frames[0], *function_, std::move(locals));
    capture.whole = segment.name.empty();
    capture.outermostOnly = segment.outermostOnly;
    capture.stopsInside = segment.stopsInside;
    capture.noBreaks = options_.fullgraph;
    prepareFor(interp_, backend_, capture, within(state) ? callMode_ : interp_.gradMode());
    addStart(capture, frames, capture.whole);
    auto entry = std::make_unique<CacheEntry>();
    auto elapsed = [begin] { return millisecondsSince(begin); };
    auto restored = [&] {
        interp_.setCapture(nullptr);
        capture.restoreOutside();
        restore.restore();
    };
    // A generator may have been given up inside of its try, which nothing has told.
    auto wantsStops = [&] {
        if (segment.stopsInside || !capture.leavesGenerator()) return false;
        restored();
        return segment.stopsInside = true;
    };
    interp_.setCapture(&capture);
    try {
        Val result = interp_.run(FrameStack(frames));
        if (segment.stopsInside && capture.leavesGenerator()) capture.wantEnd();
        if (wantsStops()) return this->capture(segment, arguments, state);
        try {
            finishEntry(*entry, segment, capture, &result, nullptr, state, elapsed());
        } catch (const base::Cancelled&) {
            interp_.stopped();
        }
        return entry;
    } catch (const ScriptError& error) {
        if (isInterruption(interp_, error)) {
            restored();
            throw;
        }
        if (wantsStops()) return this->capture(segment, arguments, state);
        if (const Val told = options_.fullgraph ? observed(interp_, error) : Val(); told.bound()) {
            restored();
            interp_.raiseFrom(told, error.exception);
        }
        if (capture.hasEffects()) { // which the script sees before the exception
            capture.restoreOutside();
            return nullptr;
        }
        restore.keepModes();
        throw;
    } catch (CaptureStop& reason) {
        interp_.setCapture(nullptr);
        const bool mayBreak = !options_.fullgraph || reason.needsNumber;
        if (mayBreak && wantsStops()) return this->capture(segment, arguments, state);
        if (reason.before) {
            restored();
            reason.before();
            return this->capture(segment, arguments, state);
        }
        base::Diagnostic why = breakDiagnostic(reason);
        if (!mayBreak) {
            restored();
            interp_.raise(Error::Unsupported, std::move(why));
        }
        why.severity = base::Severity::Warning;
        try {
            // Its result has no recipe: there is no instruction to resume at.
            if (reason.frames.empty() || reason.uncut) throw CaptureStop(reason);
            interp_.setCapture(&capture);
            capture.rollBack();
            finishEntry(*entry, segment, capture, nullptr, &reason, state, elapsed());
            why.message = "graph break: " + why.message;
            // Said once a place, however many entries break there.
            if (!reason.needsNumber && warned_.insert(why.str()).second) interp_.warn(why);
            return entry;
        } catch (CaptureStop& second) {
            interp_.setCapture(nullptr);
            if (reason.frames.size() > 1 && !segment.outermostOnly) {
                // What the called functions hold cannot be carried over: they run as a whole.
                segment.outermostOnly = true;
                restored();
                return this->capture(segment, arguments, state);
            }
            interp_.warn(runsEagerly(name_, std::move(why), second));
            segment.eager = true;
            capture.restoreOutside();
            return nullptr;
        }
    }
}

FrameRecipe CompiledUnit::recipeOfFrame(Capture& capture, const Frame& frame, size_t depth,
                                        bool innermost) {
    FrameRecipe recipe;
    const Code& code = *frame.code;
    recipe.code = frame.code;
    recipe.ip = frame.ip;
    recipe.blocks = frame.blocks;
    const std::vector<Val>& stack = innermost ? capture.breakStack : frame.stack;
    for (size_t i = 0; i < stack.size(); ++i)
        recipe.stack.push_back(capture.recipeOf(stack[i], fmt::format("stack_{}", i)));
    const std::vector<bool> live =
        liveLocals(code, innermost ? frame.ip : frame.ip + 1, frame.blocks);
    const bool method = frame.function->definingClass.bound(); // super() asks for its first
    for (size_t i = 0; i < frame.locals.size(); ++i)
        if (const bool read = live[i] || (i == 0 && method);
            read || capture.staysUnread(frame.locals[i]))
            (read ? recipe.locals : recipe.unread)
                .emplace_back(static_cast<int32_t>(i),
                              capture.recipeOfLocal(frame, depth, i, read));
    for (size_t i = 0; i < frame.cells.size(); ++i)
        recipe.cells.push_back(capture.recipeOf(frame.cells[i], code.cells[i]));
    if (depth == 0) return recipe;
    recipe.function = capture.recipeOf(frame.function.val(), code.name);
    if (frame.module) recipe.module = capture.recipeOf(Val(frame.module), "module");
    if (frame.gives.bound()) recipe.gives = capture.recipeOf(frame.gives, "result");
    return recipe;
}

void CompiledUnit::finishEntry(CacheEntry& entry, Segment& segment, Capture& capture,
                               const Val* result, const CaptureStop* reason, const Frames& state,
                               double ms) {
    if (result) {
        entry.result = capture.recipeOf(*result, "output");
        if (capture.calls) capture.calls->returns(*result);
    } else {
        for (size_t i = reason->frames.size(); i-- > 0;)
            entry.frames.push_back(
                recipeOfFrame(capture, reason->frames[i], entry.frames.size(), i == 0));
    }
    entry.effects = capture.effects();
    entry.writes = capture.writes();
    entry.checks = capture.laterChecks();
    entry.spent = capture.spentOutputs();
    entry.draws = capture.draws;
    capture.cutUnseenOutputs();
    capture.restoreOutside();
    entry.gradMode = interp_.gradMode();
    entry.deterministic = runtime::deterministic();
    entry.tensorModes = interp_.tensorModes();
    entry.records = capture.recordsGradients();
    if (!(interp_.defaultDevice() == capture.startDevice()))
        entry.defaultDevice = interp_.defaultDevice();
    interp_.setCapture(nullptr);
    entry.recipes = std::move(capture.recipes);
    capture.removeUnusedInputs();
    capture.settleSizes();
    std::shared_ptr<TorchCalls> calls;
    std::vector<LaterCheck> checks; // which a backend's graph makes itself
    if (backend_.bound()) checks.swap(entry.checks);
    const bool leaves = reason && std::ranges::any_of(reason->frames, [](const Frame& frame) {
                            return !frame.blocks.empty();
                        });
    if (capture.calls && capture.calls->finish(leaves ? callMode_ : entry.gradMode, checks))
        calls = std::move(capture.calls);
    entry.guards = capture.guardProgram(entry.inputSlots);
    std::vector<DrawnInput> draws;
    if (backend_.bound()) { // its graph draws them
        draws.swap(entry.draws);
        std::erase_if(entry.inputSlots, [](int32_t slot) { return slot < 0; });
    }
    CapturedFunction captured;
    captured.functionName = name_;
    const Code& own = *function_->code; // a part behind a break may be of a function that it calls
    captured.where = frontend::locate(own.source->file, own.header);
    if (auto* instance = self_.to<InstanceObj>();
        instance && own.source->library && instance->madeAt.source)
        captured.where = frontend::locate(instance->madeAt.source->file, instance->madeAt.span);
    captured.entry = static_cast<int>(segment.entries.size());
    captured.call = calls_;
    captured.segment = segment.name;
    captured.guards = capture.guardTexts();
    captured.modules = capture.madeModules();
    if (!whyAgain_.empty())
        captured.guards.insert(
            captured.guards.begin(),
            {"RECOMPILES", segment.name, std::exchange(whyAgain_, {}), captured.where});
    if (reason) {
        base::Diagnostic why = breakDiagnostic(*reason);
        why.severity = base::Severity::Warning;
        captured.breaks.push_back(std::move(why));
    }
    Frames start = startFrames(state);
    if (state.empty()) start[0]->code = function_->code;
    auto transformed = std::make_shared<TransformedCode>(transformedCode(
        interp_, takesSelf() ? self_ : Val(), segment, start, capture, entry, captured_,
        [this](std::vector<Position> at) -> Segment& { return resumeSegment(std::move(at)); }));
    captured.transformedCode = transformed->text;
    if (interp_.options().runTransformed) entry.transformed = std::move(transformed);
    captured.captureMs = ms;
    captured.calls = entry.calls = std::make_shared<EntryCalls>();
    const bool computes = !capture.graph.outputs.empty() || (calls && calls->computes());
    captured.moduleTensors = capture.moduleTensors();
    captured.writtenInputs = capture.writtenInputs();
    captured.graph = std::make_shared<ir::Graph>(std::move(capture.graph));
    ++captured_;
    tellScript(interp_, captured, capture.settledSizes());
    if (computes && !backend_.bound())
        if (auto known = interp_.compiler().wantBackend(options_.backend); !known.ok())
            interp_.raise(Error::InvalidBackend, std::move(known.error()));
    if (computes && backend_.bound()) {
        entry.graph = scriptBackend(interp_, backend_, captured.graph, std::move(draws),
                                    std::move(checks), std::move(calls));
    } else if (computes) {
        auto compiled =
            interp_.compiler().compile(captured, withSettings(interp_, options_), entry.records);
        if (!compiled.ok() && suppressesErrors(interp_)) {
            CompileOptions eagerly;
            eagerly.backend = "eager";
            compiled = interp_.compiler().compile(captured, eagerly, entry.records);
        }
        if (!compiled.ok()) interp_.fail(std::move(compiled.error()));
        entry.graph = std::move(*compiled);
    }
    if (captured.graph->shapes) captured.graph->shapes->freeze();
    if (auto broken = capture.brokenPromise())
        raiseDynamo(interp_, "ConstraintViolationError", std::move(*broken));
    entry.guards.sizes = capture.sizeChecks();
}

} // namespace cutaway::capture
