// SPDX-License-Identifier: Apache-2.0
#include "core/capture/script_graph.h"
#include "core/capture/tensor_world.h"

#include "core/capture/call_observer.h"
#include "core/capture/capture.h"
#include "core/capture/code.h"
#include "core/capture/compiled_unit.h"
#include "core/capture/graph_numbers.h"
#include "core/capture/graph_rows.h"
#include "core/capture/settings.h"
#include "core/capture/torch_support.h"
#include "core/ops/call_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;
using runtime::TensorPtr;

/// Whether a backend wants calls of torch: all but torch.export's.
bool takesCalls(Interp& in, const Val& backend) {
    return !in.tryAttr(backend, in.intern("_asks_for_sizes")).bound();
}

/// The inputs of \p calls: symbols, each before the first tensor that has it.
GraphInputs inputsOf(const ir::Graph& graph, const TorchCalls& calls) {
    std::set<ir::Var> symbols;
    calls.addSymbols(symbols);
    GraphInputs inputs;
    std::set<ir::Var> before;
    for (ir::NodeId id : graph.placeholders()) {
        if (!calls.takes(id)) continue; // drawn, which the calls do themselves
        std::set<ir::Var> own;
        addVariables(graph.node(id).type(), own);
        for (ir::Var symbol : own)
            if (before.insert(symbol).second) inputs.emplace_back(symbol);
        inputs.emplace_back();
    }
    std::erase_if(symbols, [&](ir::Var symbol) { return before.contains(symbol); });
    inputs.insert(inputs.end(), symbols.begin(), symbols.end()); // of ints
    return inputs;
}

Val moduleOfRows(Interp& in, Val rows, const char* name) {
    Val fx = in.import("torch.fx");
    return in.call(in.getAttr(fx, in.intern("_from_rows")), {std::move(rows), in.str(name)});
}

/// A captured graph that a function of the script compiles, once for all sizes: what is open of
/// them comes as ints before the tensors that have them.
class ScriptGraph : public CompiledGraph {
public:
    ScriptGraph(Interp& in, Val backend, std::shared_ptr<const ir::Graph> graph,
                std::vector<DrawnInput> draws, std::vector<LaterCheck> checks,
                std::shared_ptr<const TorchCalls> calls)
        : in_(in), backend_(std::move(backend)), graph_(std::move(graph)), draws_(std::move(draws)),
          checks_(std::move(checks)), calls_(std::move(calls)) {}

    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::span<const int64_t> symbols,
                                              bool gradMode) override {
        if (!compiled_.bound()) {
            const Val module = this->module(inputs.size());
            compiled_ = callBackend(module, in_.list(values(inputs, symbols, true)));
        }
        const std::vector<Val> given = values(inputs, symbols, false);
        struct Mode {
            Interp& in;
            bool before;
            ~Mode() { in.setGradMode(before); }
        } mode{in_, in_.gradMode()};
        in_.setGradMode(gradMode);
        Val result = in_.call(compiled_, given);
        std::vector<Val> found =
            result.is(Kind::Tensor) ? std::vector<Val>{result} : in_.items(result);
        size_t wanted = graph_->outputs.size() - written_.size() + beside_.size();
        for (const LaterCheck& check : checks_)
            wanted -= check.only;
        if (found.size() != wanted)
            in_.raise(Error::Runtime,
                      fmt::format("what the backend returned gives {} values, the graph has {}",
                                  found.size(), wanted),
                      "return gm.forward, or a callable that gives what it gives");
        std::vector<TensorPtr> outputs;
        auto beside = beside_.begin();
        for (auto v = found.begin(); outputs.size() < graph_->outputs.size();) {
            for (; beside != beside_.end() && *beside == outputs.size(); ++beside)
                ++v; // the caller has it
            if (auto changed = written_.find(outputs.size()); changed != written_.end()) {
                outputs.push_back(inputs[changed->second]);
                continue;
            }
            if (isOnlyChecked(checks_, outputs.size())) {
                outputs.push_back(nullptr);
                continue;
            }
            outputs.push_back(v->isNone() ? nullptr : in_.real(*v, "a value of a compiled graph"));
            ++v;
        }
        return outputs;
    }

private:
    Val module(size_t tensors) {
        if (calls_) {
            inputs_ = inputsOf(*graph_, *calls_);
            written_ = calls_->written(*graph_);
            beside_ = calls_->beside();
            nameSymbols();
            return calls_->module(*graph_, inputs_, names_);
        }
        const bool asks = !takesCalls(in_, backend_); // the tensors for sizes
        if (asks) inputs_.resize(tensors);
        return moduleOfRows(in_, rowsOf(in_, *graph_, draws_, checks_, asks ? nullptr : &inputs_),
                            "");
    }
    void nameSymbols() {
        std::vector<Val> sources;
        for (const std::optional<ir::Var>& symbol : inputs_)
            if (symbol) sources.push_back(in_.str(graph_->shapes->symbols()[symbol->index].source));
        if (sources.empty()) return;
        const Val fx = in_.import("torch.fx");
        const std::vector<Val> names =
            in_.items(in_.call(in_.getAttr(fx, in_.intern("_symbol_names")), {in_.list(sources)}));
        auto name = names.begin();
        for (const std::optional<ir::Var>& symbol : inputs_)
            if (symbol) names_[*symbol] = in_.text(*name++);
    }
    /// What the graph is called with. \param named: sizes print as their symbols
    std::vector<Val> values(std::span<const TensorPtr> tensors, std::span<const int64_t> symbols,
                            bool named) {
        std::vector<Val> given;
        size_t tensor = 0;
        for (const std::optional<ir::Var>& symbol : inputs_) {
            if (!symbol) {
                given.push_back(in_.tensor(tensors[tensor++]));
                continue;
            }
            const Val size = Val::integer(symbols[symbol->index]);
            const Val type = named ? in_.getAttr(in_.import("torch"), in_.intern("SymInt")) : Val();
            given.push_back(
                named ? in_.call(type, {size, in_.str(names_.contains(*symbol) ? names_[*symbol]
                                                                               : symbol->str())})
                      : size);
        }
        return given;
    }
    Val callBackend(const Val& module, const Val& inputs) {
        try {
            return in_.call(backend_, {module, inputs});
        } catch (const ScriptError& error) {
            if (!error.exception.bound()) throw; // nothing may catch it
            if (suppressesErrors(in_)) return module;
            const Val name = in_.tryAttr(backend_, in_.intern("__name__"));
            const Val failed = in_.newException(
                Error::BackendFailed,
                {in_.str(fmt::format("backend='{}' raised:\n{}: {}",
                                     name.is(Kind::Str) ? in_.text(name) : in_.text(backend_),
                                     in_.typeName(error.exception), in_.text(error.exception)))});
            in_.raiseFrom(failed, error.exception);
        }
    }

    Interp& in_;
    Val backend_;
    std::shared_ptr<const ir::Graph> graph_;
    std::vector<DrawnInput> draws_;
    std::vector<LaterCheck> checks_;
    std::shared_ptr<const TorchCalls> calls_;
    std::map<size_t, size_t> written_;
    std::vector<size_t> beside_;
    std::map<ir::Var, std::string> names_; ///< of symbols, as PyTorch makes them
    GraphInputs inputs_;
    Val compiled_;
};

/// Writes down what runs: a value is known by the memory that it lies in.
class Tape : public CallObserver {
public:
    explicit Tape(Interp& in) : in_(in) {}

    void input(const std::string& name, const TensorPtr& tensor) {
        add("placeholder", name, in_.str(name), in_.list({}), tensor);
    }
    void called(const ops::OpDef& def, const ir::ArgList& args, std::span<const TensorPtr> tensors,
                std::span<const TensorPtr> results) override {
        auto reference = [&](ir::NodeId id) { return of(tensors[id.index]); };
        auto [values, named] = argumentsOf(in_, def.name(), args, reference);
        const std::string name = def.parsed.base.substr(def.parsed.base.find('.') + 1);
        Val target = overload(in_, def.name());
        if (results.size() == 1) {
            add("call_function", name, target, values, results[0], named);
            return;
        }
        rows_.push_back(in_.tuple(
            {in_.str("call_function"), in_.str(name), target, values, named, Val::none()}));
        const auto whole = static_cast<int64_t>(rows_.size() - 1);
        for (size_t i = 0; i < results.size(); ++i)
            if (results[i])
                add("call_function", "getitem", in_.str("getitem"),
                    in_.list({ref(whole), Val::integer(static_cast<int64_t>(i))}), results[i]);
    }
    Val of(const TensorPtr& tensor) {
        auto at = known_.find(keyOf(*tensor));
        if (at != known_.end()) return ref(at->second);
        auto plain = runtime::viewOf(tensor, tensor->type.sizes, tensor->type.strides, 0);
        add("get_attr", "_tensor_constant", in_.tensor(plain), in_.list({}), tensor);
        return ref(static_cast<int64_t>(rows_.size() - 1));
    }
    Val finish(Val outputs) {
        rows_.push_back(in_.tuple({in_.str("output"), in_.str("output"), in_.str("output"),
                                   in_.list({std::move(outputs)}), Val::none(), Val::none()}));
        return in_.list(std::move(rows_));
    }

private:
    using Key = std::pair<const void*, std::string>;
    static Key keyOf(const runtime::Tensor& t) {
        return {t.storage.get(), fmt::format("{} {} {} {}", t.offset, t.type.str(),
                                             ir::str(t.type.strides), t.storage->writes)};
    }
    static Val number(int64_t i) { return Val::integer(i); }
    Val ref(int64_t i) { return in_.tuple({Val::ellipsis(), number(i)}); }
    void add(const char* op, const std::string& name, Val target, Val args, const TensorPtr& value,
             Val named = Val::none()) {
        known_[keyOf(*value)] = static_cast<int64_t>(rows_.size());
        kept_.push_back(value->storage);
        rows_.push_back(in_.tuple({in_.str(op), in_.str(name), std::move(target), std::move(args),
                                   std::move(named), describedType(in_, value->type, nullptr)}));
    }

    Interp& in_;
    std::vector<Val> rows_;
    std::map<Key, int64_t> known_;
    std::vector<runtime::StoragePtr> kept_; ///< no address is used twice
};

/// Tensors of nested lists, tuples and dicts, each replaced by \p map of it.
Val mapTensors(Interp& in, const Val& v, const std::function<Val(const Val&)>& map) {
    if (v.is(Kind::Tensor)) return map(v);
    if (v.is(Kind::List) || v.is(Kind::Tuple)) {
        std::vector<Val> items;
        for (const Val& item : in.items(v))
            items.push_back(mapTensors(in, item, map));
        return v.is(Kind::List) ? in.list(std::move(items)) : in.tuple(std::move(items));
    }
    return v;
}

/// trace(function, args, names): what the function ran, as a GraphModule; its inputs are called as
/// the arguments that they come in, and numbered.
Val traceCalls(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 3);
    Tape tape(in);
    const std::vector<Val> names = in.items(v[2]);
    std::vector<Val> given;
    for (const Val& arg : in.items(v[1])) {
        const std::string& name = wantStr(in, names[given.size()], "the name");
        int64_t count = 0;
        given.push_back(mapTensors(in, arg, [&](const Val& tensor) {
            tape.input(fmt::format("{}_{}", name, ++count), in.real(tensor, "an argument"));
            return tensor;
        }));
    }
    Val result = in.call(v[0], given);
    Val outputs =
        mapTensors(in, result, [&](const Val& t) { return tape.of(in.real(t, "a result")); });
    return moduleOfRows(in, tape.finish(outputs), "make_fx");
}

/// execute(text, namespace): a module's text, with the names of a dict.
Val execute(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 3);
    auto source = std::make_shared<SourceText>();
    source->file = wantStr(in, v[2], "the name");
    source->library = true;
    auto* names = v[1].to<DictObj>();
    if (!names) in.raise(Error::Type, "a dict of names is expected");
    in.runScript(wantStr(in, v[0], "the text"), source, Ref<DictObj>(names));
    return Val::none();
}

Val isCompiling(Interp& in, Self, Args) {
    return Val::boolean(in.capture() != nullptr);
}

/// checkpoint_region(True) opens a region that the backward computes again, (False) closes it.
Val checkpointRegion(Interp& in, Self self, Args args) {
    in.world().checkpointRegion(in.truthy(wantPositional(in, self, args, 1)[0]));
    return Val::none();
}

/// A tensor that the graph computes as zeros of its sizes.
Val zerosOf(Interp& in, const Val& tensor) {
    auto& t = *tensor.as<TensorObj>();
    if (!t.fake) return tensor;
    const ir::TensorType type = in.world().type(t);
    std::vector<int64_t> sizes;
    for (const ir::Sym& size : type.sizes)
        sizes.push_back(in.world().sizeValue(size));
    return in.tensor(
        in.need(runtime::fromHost(ir::HostTensor::zeros(type.dtype, sizes), type.device)));
}

/// before_capture(module, function, args): calls the function; where a module of the outside is to
/// be captured, for real, before the capture starts again, with zeros for what the graph computes.
Val beforeCapture(Interp& in, Self self, Args args) {
    const auto v = wantPositional(in, self, args, 3);
    const Capture* capture = in.capture();
    if (!capture || v[0].object()->serial >= capture->startSerial())
        return in.call(v[1], in.items(v[2]));
    const char* const message = "a module makes its parameters";
    const char* const hint = "call it once outside the compiled function";
    // Made or changed since the capture began: at its start it is another one.
    for (const char* part : {"", "_parameters", "_buffers"})
        if (capture->hasChanged(*part ? in.getAttr(v[0], in.intern(part)) : v[0]))
            throw CaptureStop{message, hint, {}, {}};
    const Val given = mapTensors(in, v[2], [&](const Val& tensor) { return zerosOf(in, tensor); });
    throw CaptureStop{message, hint, {}, {}, [&in, function = v[1], given] {
                          in.call(function, in.items(given));
                      }};
}

Val breakGraph(Interp&, Self, Args) {
    return Val::none();
}

/// The names of a function's parameters that come by position.
Val parameterNames(Interp& in, Self self, Args args) {
    Val v = wantPositional(in, self, args, 1)[0];
    if (auto* method = v.to<MethodObj>()) v = method->function;
    auto* function = v.to<FunctionObj>();
    if (!function) in.raise(Error::Type, "a function of the script is expected");
    std::vector<Val> names;
    for (size_t i = 0; i < function->code->positional; ++i)
        names.push_back(in.str(function->code->locals[i]));
    return in.list(std::move(names));
}

Val isProxyTarget(Interp& in, Self self, Args args) {
    return Val::boolean(wantPositional(in, self, args, 1)[0].is(Kind::Builtin));
}

Val builtinName(Interp& in, Self self, Args args) {
    auto* b = wantPositional(in, self, args, 1)[0].to<BuiltinObj>();
    return b ? in.str(b->name) : Val::none();
}

Val callOverload(Interp& in, Self self, Args args) {
    return in.operation(self.text, args);
}
/// "add_": what the tensor's method does.
Val callInPlace(Interp& in, Self self, Args args) {
    const Val method = in.getAttr(args.positional[0], in.intern(self.text));
    return in.call(method, args.positional.subspan(1), args.keywords);
}

/// A function that runs as it is: what a compiled function calls of it, it calls outside of its
/// graphs.
Val callDisabled(Interp& in, Self self, Args args) {
    (void)self;
    std::vector<Val> rest(args.positional.begin() + 1, args.positional.end());
    return in.call(args.positional[0], rest, args.keywords);
}

/// An operation of the script: where its body cannot be captured, it runs as a whole between two
/// graphs, which is no break of the function that calls it.
Val callOpaque(Interp& in, Self self, Args args) {
    try {
        return callDisabled(in, self, args);
    } catch (CaptureStop& stop) {
        stop.needsNumber = true;
        throw;
    }
}

/// allow(function, whether): calls of a function of torch may or may not stand in graphs.
Val allowBuiltin(Interp& in, Self self, Args args) {
    static constexpr const char* kDisallowed = "is not allowed in graphs";
    const std::vector<Val> v = parseArguments(in, self.name, args, {"function", "whether"});
    if (auto* builtin = v[0].to<BuiltinObj>()) {
        if (!in.truthy(v[1]))
            builtin->stops = kDisallowed;
        else if (builtin->stops == kDisallowed)
            builtin->stops = nullptr;
    }
    return v[0];
}

Val forgetEntries(Interp& in, Self self, Args args) {
    parseArguments(in, self.name, args, {});
    in.forgetEntries();
    return Val::none();
}

/// compiled_like(compiled, callable): the callable, compiled as the other one is.
Val compiledLike(Interp& in, Self self, Args args) {
    const std::vector<Val> v = parseArguments(in, self.name, args, {"compiled", "callable"});
    auto* made = in.make<CompiledObj>();
    const Val keep(made);
    made->original = v[1];
    made->unit = v[0].as<CompiledObj>()->unit->of(v[1]);
    in.addUnit(made->unit);
    return keep;
}

} // namespace

Val overload(Interp& in, const std::string& name) {
    DictObj& known = *in.module("torch.ops.aten")->attributes;
    const bool prims = name.starts_with("prims.");
    const std::string full = prims ? name : "aten." + name;
    const size_t from = prims ? 6 : 0;
    const size_t dot = name.find('.', from);
    StrObj* key = in.intern(full);
    if (Val* found = known.find(key)) return *found;
    const std::string base = name.substr(0, dot);
    Val made = in.builtin(dot == std::string::npos ? full + ".default" : full,
                          base.ends_with('_') ? callInPlace : callOverload);
    made.as<BuiltinObj>()->takesSymbols = true;
    made.as<BuiltinObj>()->text = base;
    known.set(key, made);
    return made;
}

Val writtenInScript(Interp& in, const char* table, const std::string& name) {
    const Val known = in.getAttr(in.libraryImport("torch._aten"), in.intern(table));
    const Val* found = known.as<DictObj>()->find(in.intern(name));
    return found ? *found : Val();
}

/// torch.ops.aten.add.overloads(): their names.
static Val overloadNames(Interp& in, Self self, Args) {
    std::vector<Val> names;
    for (const ops::OpDef* def : ops::catalogue().overloads(self.text)) {
        if (ops::isInternal(*def)) continue;
        const std::string full = def->name();
        names.push_back(in.str(full == self.text ? "default" : full.substr(self.text.size() + 1)));
    }
    return in.list(std::move(names));
}

/// "add_.Tensor(Tensor(a!) self, Tensor other, ...) -> Tensor(a!)" for "add_.Tensor".
static std::string writtenSchema(const std::string& full) {
    const size_t mark = full.find("_.");
    std::string plain = full;
    plain.erase(mark, 1);
    const ops::OpDef* def = ops::catalogue().find(plain);
    if (!def) def = ops::catalogue().find(plain.substr(0, plain.rfind(".default")));
    if (!def) return full + "(Tensor(a!) self) -> Tensor(a!)";
    std::string text = def->parsed.str();
    text.insert(mark, "_");
    constexpr std::string_view kFirst = "(Tensor ", kLast = "-> Tensor";
    if (const size_t first = text.find(kFirst); first != std::string::npos)
        text.replace(first, kFirst.size(), "(Tensor(a!) ");
    if (const size_t last = text.rfind(kLast); last != std::string::npos)
        text.replace(last, std::string::npos, "-> Tensor(a!)");
    return text;
}

Val overloadOf(Interp& in, const BuiltinObj& function, const std::string& name) {
    constexpr std::string_view kPacket = "torch.ops.aten.", kOverload = "aten.";
    if (function.name.starts_with(kOverload) && name == "_schema") {
        const std::string full = function.name.substr(kOverload.size());
        const ops::OpDef* def = ops::catalogue().find(full);
        if (!def) def = ops::catalogue().find(full.substr(0, full.rfind(".default")));
        if (def || function.text.ends_with('_'))
            return in.call(in.getAttr(in.libraryImport("torch._aten"), in.intern("Schema")),
                           {in.str("aten::" + (def ? def->parsed.str() : writtenSchema(full)))});
    }
    if (function.name.starts_with(kOverload) && name == "overloadpacket")
        return in.getAttr(in.import("torch.ops.aten"), in.intern(function.text));
    if (function.name.starts_with(kPacket) && name == "overloads") {
        Val made = in.builtin("overloads", overloadNames);
        made.as<BuiltinObj>()->text = function.name.substr(kPacket.size());
        return made;
    }
    if (function.name.starts_with("prims.") && name == "default")
        return overload(in, function.text);
    if (!function.name.starts_with(kPacket)) return {};
    const std::string base = function.name.substr(kPacket.size());
    for (const ops::OpDef* def : ops::catalogue().overloads(base)) {
        if (ops::isInternal(*def)) continue;
        const std::string full = def->name();
        if (full == base ? name == "default" : full == base + "." + name) return overload(in, full);
    }
    // In place and with out=: of all overloads, the one that the arguments want.
    const Val* whole = in.module("torch.ops.aten")->attributes->find(base);
    const bool writes = base.ends_with('_') || name == "out" || name.ends_with("_out");
    if (base.ends_with('_') && !base.ends_with("__") && !name.starts_with('_') && whole)
        return overload(in, name == "default" ? base : base + "." + name);
    if (writes && !name.starts_with('_') && whole) return *whole;
    const std::string full = name == "default" ? base : base + "." + name;
    return writtenInScript(in, "overloads", full);
}

/// ([(symbol, hint, source, least, most or None, what it was found equal to or None), …],
/// [what holds, …])
static Val sizesForScript(Interp& in, const ir::ShapeEnv& shapes) {
    std::vector<Val> symbols, guards;
    for (const ir::SizeSymbol& symbol : shapes.symbols()) {
        const ir::Sym now = shapes.replaced(ir::Sym(symbol.variable));
        const bool own = now.asVar() == symbol.variable, open = symbol.range.most == INT64_MAX;
        symbols.push_back(in.tuple({in.str(symbol.variable.str()), Val::integer(symbol.hint),
                                    in.str(symbol.source), Val::integer(symbol.range.least),
                                    open ? Val::none() : Val::integer(symbol.range.most),
                                    own ? Val::none() : in.str(now.str())}));
    }
    for (const ir::SizeGuard& guard : shapes.guards())
        guards.push_back(in.str(guard.condition.str()));
    return in.tuple({in.list(std::move(symbols)), in.list(std::move(guards))});
}

void tellScript(Interp& in, const CapturedFunction& captured, const ir::ShapeEnv* shapes) {
    Val* note = in.module("torch._dynamo.utils")->attributes->find(in.intern("_note_entry"));
    if (!note) return;
    std::vector<Val> breaks, guards;
    for (const base::Diagnostic& d : captured.breaks)
        breaks.push_back(in.tuple(
            {in.str(d.message), in.str(d.hint), in.str(d.where.file), Val::integer(d.where.line)}));
    for (const GuardText& g : captured.guards)
        guards.push_back(in.tuple({in.str(g.kind), in.str(g.source), in.str(g.condition),
                                   in.str(g.where.file), Val::integer(g.where.line)}));
    int64_t calls = 0;
    for (ir::NodeId id : captured.graph->order())
        calls += captured.graph->node(id).kind == ir::NodeKind::Call;
    in.call(*note, {in.str(captured.functionName), in.str(captured.segment), in.list(breaks),
                    in.list(guards), Val::integer(calls), Val::real(captured.captureMs / 1000),
                    shapes ? sizesForScript(in, *shapes) : Val::none()});
}

void prepareFor(Interp& in, const Val& backend, Capture& capture, bool gradMode) {
    if (!backend.bound()) return;
    if (takesCalls(in, backend))
        capture.calls = std::make_shared<TorchCalls>(in, capture, gradMode);
    else
        capture.keepsSized = true;
}

std::shared_ptr<CompiledGraph> scriptBackend(Interp& in, Val backend,
                                             std::shared_ptr<const ir::Graph> graph,
                                             std::vector<DrawnInput> draws,
                                             std::vector<LaterCheck> checks,
                                             std::shared_ptr<const TorchCalls> calls) {
    return std::make_shared<ScriptGraph>(in, std::move(backend), std::move(graph), std::move(draws),
                                         std::move(checks), std::move(calls));
}

void addFx(Interp& in, ModuleObj& internal) {
    auto add = [&](const char* name, BuiltinFunction f, const char* stops = nullptr) {
        internal.attributes->set(in.intern(name),
                                 in.builtin("torch._C." + std::string(name), f, stops));
    };
    add("trace", traceCalls, "traces a function");
    add("dispatch_scope", dispatchScope, "looks at each operation");
    add("execute", execute, "makes code");
    add("is_compiling", isCompiling);
    add("checkpoint_region", checkpointRegion);
    add("is_builtin", isProxyTarget);
    add("before_capture", beforeCapture);
    add("checked_later", checkedLater);
    add("asserted_later", assertedLater);
    add("compiled_like", compiledLike);
    add("branches", branchesOfCond);
    add("is_open", isOpen);
    add("truth", tensorOfTruth);
    for (const char* name : {"checked_later", "asserted_later", "branches", "is_open", "truth"})
        internal.attributes->find(in.intern(name))->as<BuiltinObj>()->takesSymbols = true;
    add("graph_break", breakGraph, "asks for it");
    add("parameter_names", parameterNames);
    add("builtin_name", builtinName);
    add("forget_entries", forgetEntries, "drops what is compiled");
    add("call_constant", callConstant);
    add("call_disabled", callDisabled, "runs a function that is not to be compiled");
    add("call_opaque", callOpaque);
    add("allow_builtin", allowBuiltin);
}

} // namespace cutaway::capture
