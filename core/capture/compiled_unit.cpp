// SPDX-License-Identifier: Apache-2.0
#include "core/capture/compiled_unit.h"
#include "core/capture/script_graph.h"

#include "core/capture/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace cutaway::capture {

namespace {

constexpr size_t kRecompileLimit = 8;

/// Puts the evaluator's state back whatever happens in between.
struct StateGuard {
    explicit StateGuard(Interp& interp)
        : interp(interp), capture(interp.capture()), gradMode(interp.gradMode()),
          device(interp.defaultDevice()) {}
    ~StateGuard() { restore(); }
    /// An exception leaves with the modes that the blocks it passed have set.
    void keepModes() {
        gradMode = interp.gradMode();
        device = interp.defaultDevice();
    }
    void restore() {
        interp.setCapture(capture);
        interp.setGradMode(gradMode);
        interp.setDefaultDevice(device);
    }
    Interp& interp;
    Capture* capture;
    bool gradMode;
    ir::Device device;
};

} // namespace

std::vector<bool> liveLocals(const Code& code, uint32_t ip, const std::vector<TryBlock>& blocks) {
    const size_t n = code.instructions.size(), variables = code.locals.size();
    constexpr size_t kMaxTable = size_t{1} << 28; // beyond, all of them count as live
    if (n * variables > kMaxTable) return std::vector<bool>(variables, true);
    std::vector<std::vector<bool>> live(n + 1, std::vector<bool>(variables));
    auto merge = [&](std::vector<bool>& into, const std::vector<bool>& from) {
        bool changed = false;
        for (size_t v = 0; v < variables; ++v)
            if (from[v] && !into[v]) changed = into[v] = true;
        return changed;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = n; i-- > 0;) {
            const Instruction& in = code.instructions[i];
            std::vector<bool> now(variables);
            bool falls = in.op != Op::Jump && in.op != Op::Return && in.op != Op::Raise &&
                         in.op != Op::Reraise && in.op != Op::RaiseHandled &&
                         in.op != Op::AssertFailed;
            bool jumps = in.op == Op::Jump || in.op == Op::JumpIfFalse || in.op == Op::JumpIfTrue ||
                         in.op == Op::JumpIfFalseOrPop || in.op == Op::JumpIfTrueOrPop ||
                         in.op == Op::ForIter || in.op == Op::SetupTry || in.op == Op::SetupWith;
            if (falls) merge(now, live[i + 1]);
            if (jumps) merge(now, live[static_cast<size_t>(in.a)]);
            if (in.op == Op::StoreFast || in.op == Op::DeleteFast)
                now[static_cast<size_t>(in.a)] = false;
            if (in.op == Op::LoadFast) now[static_cast<size_t>(in.a)] = true;
            for (const Code::Handled& h : code.handled) // a new exception's __context__
                if (i >= h.from && i < h.to) now[static_cast<size_t>(h.local)] = true;
            changed |= merge(live[i], now);
        }
    }
    // Inside try, an exception may lead to the handler from anywhere.
    bool handlers = !blocks.empty();
    for (size_t i = ip; i < n; ++i)
        handlers |=
            code.instructions[i].op == Op::SetupTry || code.instructions[i].op == Op::SetupWith;
    if (handlers) return std::vector<bool>(variables, true);
    return live[ip];
}

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
    }
    if (auto* f = target.to<FunctionObj>()) {
        function_ = Ref<FunctionObj>(f);
        if (name_.empty()) name_ = f->name;
    }
    if (name_.empty()) name_ = interp.text(interp.tryAttr(target, interp.intern("__name__")));
    auto segment = std::make_unique<Segment>();
    if (function_) segment->code = function_->code;
    segment->eager = !function_ || function_->code->generator;
    segments_.push_back(std::move(segment));
}

void CompiledUnit::drop() {
    segments_.clear();
    callable_ = self_ = Val();
    function_ = {};
}

int CompiledUnit::entries() const {
    size_t n = 0;
    for (const auto& s : segments_)
        n += s->entries.size();
    return static_cast<int>(n);
}

base::Result<ValuePtr> CompiledUnit::call(const std::vector<ValuePtr>& args, bool gradMode) {
    if (segments_.empty()) return base::usageError("the program of this compiled function is gone");
    std::vector<Val> values;
    values.reserve(args.size());
    for (const ValuePtr& a : args)
        values.push_back(a->val);
    Val result;
    bool keep = interp_.gradMode();
    interp_.setGradMode(gradMode);
    auto body = [&] { result = callValues(Arguments{values, {}}); };
    base::Status status = interp_.guarded(std::ref(body)); // a reference: nothing to allocate
    interp_.setGradMode(keep);
    if (!status.ok()) return status.error();
    return std::make_shared<Value>(std::move(result));
}

Roots CompiledUnit::rootsOf(const Frame& frame) const {
    Roots roots;
    roots.locals = frame.locals.data();
    roots.stack = frame.stack.data();
    roots.cells = frame.cells.data();
    roots.gradMode = interp_.gradMode();
    roots.defaultDevice = interp_.defaultDevice();
    roots.lookupEpoch = interp_.lookupEpoch();
    return roots;
}

Val CompiledUnit::runEagerly(Segment& segment, const Arguments* arguments, Frame* frame) {
    (void)segment;
    if (frame) return interp_.run(*frame);
    if (self_.bound()) {
        Val bound(interp_.make<MethodObj>(function_.val(), self_));
        return interp_.call(bound, arguments->positional, arguments->keywords);
    }
    return interp_.call(function_ ? function_.val() : callable_, arguments->positional,
                        arguments->keywords);
}

Val CompiledUnit::callValues(const Arguments& given) {
    auto keepAlive = shared_from_this();
    Segment* segment = segments_.front().get();
    if (segment->eager) return runEagerly(*segment, &given, nullptr);
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
    roots.gradMode = interp_.gradMode();
    roots.defaultDevice = interp_.defaultDevice();
    roots.lookupEpoch = interp_.lookupEpoch();
    Outcome outcome = start(*segment, roots, &given, nullptr);
    while (outcome.frame) {
        Frame& frame = *outcome.frame;
        if (std::optional<Val> done = interp_.step(frame)) return *done;
        Segment& next = resumeSegment(frame);
        if (next.eager) return interp_.run(frame);
        std::unique_ptr<Frame> state = std::move(outcome.frame);
        outcome = start(next, rootsOf(*state), nullptr, state.get());
    }
    return std::move(outcome.value);
}

Segment& CompiledUnit::resumeSegment(const Frame& frame) {
    for (auto& s : segments_)
        if (s->code == frame.code && s->ip == frame.ip && s->blocks == frame.blocks &&
            !s->name.empty())
            return *s;
    auto s = std::make_unique<Segment>();
    s->code = frame.code;
    s->ip = frame.ip;
    s->blocks = frame.blocks;
    size_t ip = std::min<size_t>(frame.ip, frame.code->spans.size() - 1);
    s->name = fmt::format("resume_at_{}", frame.code->spans[ip].line);
    segments_.push_back(std::move(s));
    return *segments_.back();
}

CompiledUnit::Outcome CompiledUnit::start(Segment& segment, const Roots& roots,
                                          const Arguments* arguments, Frame* frame) {
    for (size_t i = 0; i < segment.entries.size(); ++i) {
        if (!segment.entries[i]->guards.check(roots)) continue;
        if (writesShared(*segment.entries[i]))
            return {runEagerly(segment, arguments, frame), nullptr};
        if (i > 0)
            std::rotate(segment.entries.begin(),
                        segment.entries.begin() + static_cast<std::ptrdiff_t>(i),
                        segment.entries.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return run(*segment.entries.front(), segment, roots);
    }
    if (segment.entries.size() >= kRecompileLimit) {
        auto d = base::userError(
            frontend::locate(segment.code->source->file, segment.code->header),
            fmt::format("{} was compiled for {} different inputs and runs eagerly from now on",
                        name_, kRecompileLimit),
            "keep sizes and constants the same between calls");
        if (options_.fullgraph) interp_.raise(Error::RecompileLimit, std::move(d));
        d.severity = base::Severity::Warning;
        interp_.warn(d);
        segment.eager = true;
        return {runEagerly(segment, arguments, frame), nullptr};
    }
    std::unique_ptr<Entry> entry = capture(segment, arguments, frame);
    if (!entry) return {runEagerly(segment, arguments, frame), nullptr};
    segment.entries.insert(segment.entries.begin(), std::move(entry));
    Entry& fresh = *segment.entries.front();
    if (!fresh.guards.check(roots))
        throw ScriptError{
            {},
            base::bugError(fmt::format(
                "the guards of {} do not hold for the call that they were made for", name_)),
            {},
            false};
    if (writesShared(fresh)) return {runEagerly(segment, arguments, frame), nullptr};
    return run(fresh, segment, roots);
}

/// Whether a tensor that the entry writes shares memory with another that it knows: then the order
/// of reading and writing counts, and only the script's own order will do.
bool CompiledUnit::writesShared(const Entry& entry) {
    if (entry.writes.empty()) return false;
    auto storageOf = [&](int32_t slot) {
        return entry.guards.value(slot).as<TensorObj>()->real->storage.get();
    };
    std::vector<int32_t> others = entry.inputSlots;
    for (auto [slot, output] : entry.writes)
        others.push_back(slot);
    for (auto [slot, output] : entry.writes)
        for (int32_t other : others)
            if (other != slot && storageOf(other) == storageOf(slot)) {
                auto d = base::userError(
                    {}, fmt::format("{} runs eagerly: a tensor that it changes in place shares "
                                    "memory with another that it reads",
                                    name_));
                d.severity = base::Severity::Warning;
                if (warned_.insert(d.str()).second) interp_.warn(d);
                return true;
            }
    return false;
}

base::Status CompiledUnit::writeBack(const Entry& entry,
                                     const std::vector<runtime::TensorPtr>& outputs) {
    for (auto [slot, output] : entry.writes)
        CUTAWAY_CHECK(runtime::copyInto(*entry.guards.value(slot).as<TensorObj>()->real,
                                        *outputs[static_cast<size_t>(output)]));
    return {};
}

CompiledUnit::Outcome CompiledUnit::run(Entry& entry, Segment& segment, const Roots&) {
    std::vector<runtime::TensorPtr> outputs;
    if (entry.graph) {
        entry.inputs.clear();
        for (int32_t slot : entry.inputSlots)
            entry.inputs.push_back(entry.guards.value(slot).as<TensorObj>()->real);
        auto called =
            entry.graph->call(entry.inputs, entry.guards.sizes.symbolValues(), entry.records);
        entry.inputs.clear();
        if (!called.ok()) interp_.fail(std::move(called.error()));
        outputs = std::move(*called);
        interp_.need(writeBack(entry, outputs));
    }
    interp_.setGradMode(entry.gradMode);
    if (entry.defaultDevice) interp_.setDefaultDevice(*entry.defaultDevice);
    if (entry.result >= 0) {
        const Recipe& only = entry.recipes[static_cast<size_t>(entry.result)];
        if (only.what == Recipe::What::Output && only.parts.empty())
            return {interp_.tensor(std::move(outputs[static_cast<size_t>(only.number)])), nullptr};
        std::vector<Val> built = build(entry, outputs);
        return {built[static_cast<size_t>(entry.result)], nullptr};
    }
    std::vector<Val> built = build(entry, outputs);
    auto frame = std::make_unique<Frame>();
    frame->code = segment.code;
    frame->function = function_;
    frame->globals = function_->globals;
    frame->locals.resize(segment.code->locals.size());
    for (auto [slot, recipe] : entry.locals)
        frame->locals[static_cast<size_t>(slot)] = built[static_cast<size_t>(recipe)];
    for (int32_t recipe : entry.cells)
        frame->cells.push_back(built[static_cast<size_t>(recipe)]);
    for (int32_t recipe : entry.stack)
        frame->stack.push_back(built[static_cast<size_t>(recipe)]);
    frame->blocks = entry.blocks;
    frame->ip = entry.breakIp;
    return {Val(), std::move(frame)};
}

base::Diagnostic CompiledUnit::breakDiagnostic(const CaptureStop& reason) const {
    base::Diagnostic d = base::userError({}, reason.message, reason.hint);
    auto user = std::find_if(reason.trace.begin(), reason.trace.end(),
                             [](const TraceEntry& t) { return !t.source->library; });
    if (user == reason.trace.end()) user = reason.trace.begin();
    if (user != reason.trace.end()) d.where = frontend::locate(user->source->file, user->span);
    return d;
}

std::unique_ptr<Entry> CompiledUnit::capture(Segment& segment, const Arguments* arguments,
                                             Frame* state) {
    auto begin = std::chrono::steady_clock::now();
    StateGuard restore(interp_);
    std::vector<Val> locals;
    if (!state)
        locals = interp_.bindArguments(*function_, self_.bound() ? &self_ : nullptr, *arguments);
    Frame frame;
    segment.history.dynamic = options_.dynamic;
    Capture capture(interp_, frame, &segment.history);
    capture.whole = segment.name.empty();
    if (state) {
        frame.code = state->code;
        frame.function = state->function;
        frame.globals = state->globals;
        frame.locals = state->locals;
        frame.cells = state->cells;
        frame.stack = state->stack;
        frame.blocks = state->blocks;
        frame.ip = state->ip;
    } else {
        interp_.prepareFrame(frame, *function_, std::move(locals));
    }
    if (self_.bound() && self_.is(Kind::Instance))
        frame.module = self_.as<InstanceObj>()->type->module ? self_.as<InstanceObj>() : nullptr;
    for (size_t i = 0; i < frame.locals.size(); ++i) {
        bool isSelf = !state && i == 0 && self_.bound();
        if (isSelf)
            capture.addFixed(frame.locals[i], "self");
        else if (auto symbol = capture.symbolicInt(static_cast<int32_t>(i), frame.locals[i],
                                                   segment.code->locals[i]))
            frame.locals[i] = *symbol;
        else
            capture.addLocal(static_cast<int32_t>(i), frame.locals[i], segment.code->locals[i]);
    }
    if (!state)
        for (auto [parameter, cell] : frame.code->cellParameters)
            frame.cells[static_cast<size_t>(cell)].as<CellObj>()->value =
                frame.locals[static_cast<size_t>(parameter)];
    if (state) {
        for (size_t i = 0; i < frame.cells.size(); ++i)
            capture.addCell(static_cast<int32_t>(i), frame.cells[i], segment.code->cells[i]);
        for (size_t i = 0; i < frame.stack.size(); ++i)
            capture.addStack(static_cast<int32_t>(i), frame.stack[i]);
    }
    auto entry = std::make_unique<Entry>();
    auto elapsed = [&] {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count();
    };
    interp_.setCapture(&capture);
    try {
        Val result = interp_.run(frame);
        finishEntry(*entry, segment, capture, &result, frame, nullptr, elapsed());
        return entry;
    } catch (const ScriptError&) {
        restore.keepModes();
        throw;
    } catch (CaptureStop& reason) {
        interp_.setCapture(nullptr);
        base::Diagnostic why = breakDiagnostic(reason);
        if (options_.fullgraph) {
            restore.restore();
            interp_.raise(Error::Unsupported, std::move(why));
        }
        try {
            interp_.setCapture(&capture);
            capture.rollBack();
            finishEntry(*entry, segment, capture, nullptr, frame, &reason, elapsed());
            why.severity = base::Severity::Warning;
            why.message = "graph break: " + why.message;
            interp_.setCapture(nullptr);
            // Said once a place, however many entries break there.
            if (warned_.insert(why.str()).second) interp_.warn(why);
            return entry;
        } catch (CaptureStop& second) {
            // The state cannot be carried over the break: this stretch runs eagerly.
            interp_.setCapture(nullptr);
            why.severity = base::Severity::Warning;
            why.message = fmt::format("{} runs eagerly: {}", name_, why.message);
            why.notes.push_back({why.where, "the graph cannot be resumed here: " + second.message});
            interp_.warn(why);
            segment.eager = true;
            return nullptr;
        }
    }
}

void CompiledUnit::finishEntry(Entry& entry, Segment& segment, Capture& capture, const Val* result,
                               Frame& frame, const CaptureStop* reason, double ms) {
    if (result) {
        entry.result = capture.recipeOf(*result, "output");
    } else {
        entry.breakIp = capture.breakIp;
        entry.blocks = frame.blocks;
        for (size_t i = 0; i < capture.breakStack.size(); ++i)
            entry.stack.push_back(
                capture.recipeOf(capture.breakStack[i], fmt::format("stack_{}", i)));
        std::vector<bool> live = liveLocals(*segment.code, capture.breakIp, frame.blocks);
        for (size_t i = 0; i < frame.locals.size(); ++i)
            if (live[i] || (i == 0 && function_->definingClass.bound()))
                entry.locals.emplace_back(
                    static_cast<int32_t>(i),
                    capture.recipeOf(frame.locals[i], segment.code->locals[i]));
        for (size_t i = 0; i < frame.cells.size(); ++i)
            entry.cells.push_back(capture.recipeOf(frame.cells[i], segment.code->cells[i]));
    }
    entry.writes = capture.writes();
    entry.gradMode = interp_.gradMode();
    entry.records = capture.recordsGradients();
    if (!(interp_.defaultDevice() == capture.startDevice()))
        entry.defaultDevice = interp_.defaultDevice();
    interp_.setCapture(nullptr);
    entry.recipes = std::move(capture.recipes);
    capture.removeUnusedInputs();
    capture.settleSizes();
    entry.guards = capture.guardProgram(entry.inputSlots);
    CapturedFunction captured;
    captured.functionName = name_;
    captured.where = frontend::locate(segment.code->source->file, segment.code->header);
    if (auto* instance = self_.to<InstanceObj>();
        instance && segment.code->source->library && instance->madeAt.source)
        captured.where = frontend::locate(instance->madeAt.source->file, instance->madeAt.span);
    captured.entry = static_cast<int>(segment.entries.size());
    captured.segment = segment.name;
    captured.guards = capture.guardTexts();
    if (reason) {
        base::Diagnostic why = breakDiagnostic(*reason);
        why.severity = base::Severity::Warning;
        captured.breaks.push_back(std::move(why));
    }
    captured.transformedCode = transformedCode(segment, capture, entry, captured_);
    captured.captureMs = ms;
    bool computes = !capture.graph.outputs.empty();
    captured.graph = std::make_shared<ir::Graph>(std::move(capture.graph));
    ++captured_;
    if (computes && !backend_.bound())
        if (auto known = interp_.compiler().wantBackend(options_.backend); !known.ok())
            interp_.raise(Error::InvalidBackend, std::move(known.error()));
    if (computes && backend_.bound()) {
        entry.graph = scriptBackend(interp_, backend_, captured.graph);
    } else if (computes) {
        auto compiled = interp_.compiler().compile(captured, options_, entry.records);
        if (!compiled.ok()) interp_.fail(std::move(compiled.error()));
        entry.graph = std::move(*compiled);
    }
    if (captured.graph->shapes) captured.graph->shapes->freeze();
    if (auto broken = capture.brokenPromise()) interp_.raise(Error::Value, std::move(*broken));
    entry.guards.sizes = capture.sizeChecks();
}

std::vector<Val> CompiledUnit::build(const Entry& entry,
                                     const std::vector<runtime::TensorPtr>& outputs) {
    std::vector<Val> built(entry.recipes.size());
    using W = Recipe::What;
    for (size_t i = 0; i < entry.recipes.size(); ++i) {
        const Recipe& r = entry.recipes[i];
        std::vector<Val> parts;
        for (int32_t part : r.parts)
            parts.push_back(built[static_cast<size_t>(part)]);
        auto fill = [&](DictObj& dict) {
            for (size_t k = 0; k + 1 < parts.size(); k += 2)
                interp_.put(dict, parts[k], parts[k + 1]);
        };
        switch (r.what) {
        case W::Output:
            built[i] = interp_.tensor(outputs[static_cast<size_t>(r.number)]);
            if (!parts.empty()) built[i].as<TensorObj>()->joinAliases(*parts[0].as<TensorObj>());
            break;
        case W::Source:
            built[i] = entry.guards.value(r.number);
            break;
        case W::Constant:
            built[i] = r.value;
            break;
        case W::Integer:
            built[i] = Val::integer(entry.guards.sizes.integer(r.number));
            break;
        case W::Tuple:
        case W::Size:
            built[i] = interp_.tuple(std::move(parts));
            built[i].as<TupleObj>()->size = r.what == W::Size;
            break;
        case W::List:
            built[i] = interp_.list(std::move(parts));
            break;
        case W::Dict:
            built[i] = Val(interp_.make<DictObj>());
            fill(*built[i].as<DictObj>());
            break;
        case W::Set:
            built[i] = Val(interp_.make<SetObj>(r.value.as<SetObj>()->frozen));
            fill(*built[i].as<SetObj>());
            break;
        case W::Instance: {
            auto* instance = interp_.make<InstanceObj>();
            built[i] = Val(instance);
            instance->type = r.value.as<InstanceObj>()->type;
            instance->madeAt = r.value.as<InstanceObj>()->madeAt;
            instance->raised = r.value.as<InstanceObj>()->raised;
            instance->attributes = Ref<DictObj>(interp_.make<DictObj>());
            fill(*instance->attributes);
            break;
        }
        case W::Function: {
            auto* from = r.value.as<FunctionObj>();
            auto* f = interp_.make<FunctionObj>();
            built[i] = Val(f);
            f->code = from->code;
            f->globals = from->globals;
            f->name = from->name;
            f->qualifiedName = from->qualifiedName;
            f->keywordDefaults = from->keywordDefaults;
            f->definingClass = from->definingClass;
            auto split = parts.begin() + static_cast<std::ptrdiff_t>(from->closure.size());
            f->closure.assign(parts.begin(), split);
            auto end = split + static_cast<std::ptrdiff_t>(from->defaults.size());
            f->defaults.assign(split, end);
            if (end != parts.end()) f->attributes = Ref<DictObj>(end->as<DictObj>());
            break;
        }
        case W::View:
            built[i] = Val(interp_.make<ViewObj>(parts[0], r.value.as<ViewObj>()->of));
            break;
        case W::Own: {
            built[i] = parts[0];
            auto* object = built[i].as<BuiltinTypeObj>();
            object->own = std::make_unique<BuiltinTypeObj::Own>();
            object->own->type = Val(interp_.classOf(r.value));
            object->own->attributes = parts[1];
            break;
        }
        case W::Cell:
            built[i] = Val(interp_.make<CellObj>());
            built[i].as<CellObj>()->value = parts[0];
            break;
        case W::Method:
            built[i] = Val(interp_.make<MethodObj>(parts[0], parts[1]));
            break;
        case W::Super: {
            auto* super = interp_.make<SuperObj>();
            built[i] = Val(super);
            super->after = r.value.as<SuperObj>()->after;
            super->self = parts[0];
            break;
        }
        case W::Iterator: {
            auto* from = r.value.as<IteratorObj>();
            auto* it = interp_.make<IteratorObj>(from->over);
            built[i] = Val(it);
            it->parts = std::move(parts);
            it->at = from->at;
            it->stop = from->stop;
            it->step = from->step;
            break;
        }
        case W::Slice: {
            auto* slice = interp_.make<SliceObj>();
            built[i] = Val(slice);
            slice->start = parts[0];
            slice->stop = parts[1];
            slice->step = parts[2];
            break;
        }
        }
    }
    return built;
}

/// The function as it runs now, as source: what depyf shows for PyTorch.
std::string CompiledUnit::transformedCode(const Segment& segment, const Capture& capture,
                                          const Entry& entry, int compiled) const {
    const Code& code = *segment.code;
    std::vector<std::string> parameters;
    if (segment.name.empty()) {
        for (size_t i = 0; i < code.positional + code.keywordOnly; ++i)
            parameters.push_back(code.locals[i]);
        if (code.takesArgs) parameters.push_back("*" + code.locals[parameters.size()]);
        if (code.takesKwargs)
            parameters.push_back(
                "**" + code.locals[code.positional + code.keywordOnly + (code.takesArgs ? 1 : 0)]);
    } else {
        std::vector<bool> live = liveLocals(code, segment.ip, segment.blocks);
        for (size_t i = 0; i < code.locals.size(); ++i)
            if (live[i]) parameters.push_back(plainName(code.locals[i]));
    }
    std::string name = segment.name.empty() ? code.name : "__" + segment.name;
    std::string text = fmt::format("def {}({}):\n", name, fmt::join(parameters, ", "));
    std::vector<std::string> inputs, outputs;
    auto plain = [](std::string source) { // L['x'] is the variable x
        if (source.starts_with("L['")) {
            size_t end = source.find("']");
            return source.substr(3, end - 3) + source.substr(end + 2);
        }
        return source;
    };
    for (ir::NodeId id : capture.graph.placeholders())
        inputs.push_back(plain(capture.graph.node(id).inputSource));
    outputs = capture.graph.outputNames;
    if (!outputs.empty())
        text += fmt::format("    {}{} = __compiled_fn_{}({})\n", fmt::join(outputs, ", "),
                            outputs.size() == 1 ? "," : "", compiled, fmt::join(inputs, ", "));
    int shown = 0; // a shared nest has more parts than recipes
    std::function<std::string(int32_t)> show = [&](int32_t r) -> std::string {
        constexpr int kMaxShown = 1000;
        if (++shown > kMaxShown) return "...";
        const Recipe& recipe = entry.recipes[static_cast<size_t>(r)];
        std::vector<std::string> parts;
        for (int32_t part : recipe.parts)
            parts.push_back(show(part));
        switch (recipe.what) {
        case Recipe::What::Output:
            return outputs[static_cast<size_t>(recipe.number)];
        case Recipe::What::Source:
            return plain(capture.sourceText(recipe.number));
        case Recipe::What::Constant:
            return capture.show(recipe.value);
        case Recipe::What::Tuple:
        case Recipe::What::Size:
            return fmt::format("({}{})", fmt::join(parts, ", "), parts.size() == 1 ? "," : "");
        case Recipe::What::List:
            return fmt::format("[{}]", fmt::join(parts, ", "));
        case Recipe::What::Dict: {
            std::string dict;
            for (size_t i = 0; i + 1 < parts.size(); i += 2)
                dict += (i ? ", " : "") + parts[i] + ": " + parts[i + 1];
            return "{" + dict + "}";
        }
        default:
            return fmt::format("<{}>", interp_.typeName(recipe.value));
        }
    };
    for (auto [source, output] : entry.writes)
        text += fmt::format("    {}.copy_({})\n", plain(capture.sourceText(source)),
                            outputs[static_cast<size_t>(output)]);
    if (entry.result >= 0) return text + fmt::format("    return {}\n", show(entry.result));
    int line = code.spans[entry.breakIp].line;
    for (auto [slot, recipe] : entry.locals) {
        std::string value = show(recipe),
                    variable = plainName(code.locals[static_cast<size_t>(slot)]);
        if (variable != value) text += fmt::format("    {} = {}\n", variable, value);
    }
    std::vector<std::string> stack;
    for (int32_t recipe : entry.stack)
        stack.push_back(show(recipe));
    text += fmt::format("    # line {}: {}\n", line, code.source->trimmed(line));
    if (!stack.empty())
        text += fmt::format("    # waiting on the stack: {}\n", fmt::join(stack, ", "));
    const Instruction& in = code.instructions[entry.breakIp];
    auto resume = [&](uint32_t ip) {
        std::vector<std::string> live;
        std::vector<bool> used = liveLocals(code, ip, entry.blocks);
        for (size_t i = 0; i < used.size(); ++i)
            if (used[i]) live.push_back(plainName(code.locals[i]));
        return fmt::format("return __resume_at_{}({})\n", code.spans[ip].line,
                           fmt::join(live, ", "));
    };
    bool branch = in.op == Op::JumpIfFalse || in.op == Op::JumpIfTrue;
    if (!branch) return text + fmt::format("    {}", resume(entry.breakIp + 1));
    text += fmt::format("    if {}{}:\n        {}    {}", in.op == Op::JumpIfTrue ? "not " : "",
                        stack.empty() ? "..." : stack.back(), resume(entry.breakIp + 1),
                        resume(static_cast<uint32_t>(in.a)));
    return text;
}

} // namespace cutaway::capture
