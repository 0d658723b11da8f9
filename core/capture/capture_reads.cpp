// SPDX-License-Identifier: Apache-2.0
// What a capture read from outside: sources, and the guards on them.
#include "core/base/said.h"
#include "core/capture/capture.h"
#include "core/capture/compiled_unit.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

using What = GuardStep::What;

namespace {

bool isDigits(const std::string& s) {
    return !s.empty() &&
           std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isModuleDict(const std::string& name) {
    return name == "_modules" || name == "_parameters" || name == "_buffers";
}

} // namespace

/// Its tensor guard says its kind, too.
bool Capture::matchesTensor(int32_t source) const {
    return guarded_.count({source, static_cast<int>(What::CheckTensor)}) > 0;
}

bool Capture::first(int32_t source, What what) {
    return guarded_.emplace(source, static_cast<int>(what)).second;
}

std::string Capture::show(const Val& v) const {
    if (!v.bound()) return "without a value";
    if (!v.isObject() || v.is(Kind::Str)) return interp_.repr(v);
    if (v.is(Kind::Integer) || v.is(Kind::Real)) return interp_.reprOfBuiltin(v);
    if (auto* tuple = v.to<TupleObj>()) {
        std::string text;
        for (const Val& item : tuple->items)
            text += (text.empty() ? "" : ", ") + show(item);
        return "(" + text + (tuple->items.size() == 1 ? ",)" : ")");
    }
    return fmt::format("<{}>", interp_.typeName(v));
}

int32_t Capture::addSource(GuardStep load, int32_t parent, std::string text, const Val& v) {
    int32_t id = static_cast<int32_t>(sources_.size());
    load.slot = id;
    load.from = parent;
    sources_.push_back({std::move(load), parent, std::move(text), false, here(),
                        v.isObject() ? v.object() : nullptr});
    if (!v.isObject()) {
        guard(id, GuardStep::of(What::CheckConstant, 0, v), "CONSTANT_MATCH",
              v.bound() ? "== " + show(v) : "has no value");
        return id;
    }
    kept_.push_back(v);
    const Kind kind = v.object()->kind;
    bool identityMatters = kind == Kind::Tensor || kind == Kind::List || kind == Kind::Tuple ||
                           kind == Kind::Dict || kind == Kind::Cell || kind == Kind::Iterator ||
                           kind == Kind::Generator || kind == Kind::Instance;
    auto known = byObject_.find(v.object());
    if (known != byObject_.end() && identityMatters) {
        GuardStep same = GuardStep::of(What::CheckSame);
        same.from = known->second;
        need(known->second);
        guard(id, std::move(same), "DUPLICATE_INPUT",
              "is " + sources_[static_cast<size_t>(known->second)].text);
        return id;
    }
    byObject_.emplace(v.object(), id);
    guardObject(id, v);
    return id;
}

/// What is guarded of an object as soon as it is known; contents follow as they are read.
void Capture::guardObject(int32_t id, const Val& v) {
    bool fixed = sources_[static_cast<size_t>(id)].load.what == What::LoadFixed;
    auto identical = [&](std::string kind, std::string condition) {
        if (!fixed)
            guard(id, GuardStep::of(What::CheckIdentity, 0, v), std::move(kind),
                  std::move(condition));
    };
    switch (v.object()->kind) {
    case Kind::Str:
        guard(id, GuardStep::of(What::CheckConstant, 0, v), "CONSTANT_MATCH", "== " + show(v));
        break;
    case Kind::Function: {
        auto* f = v.as<FunctionObj>();
        const bool argument = sources_[static_cast<size_t>(id)].load.what == What::LoadLocal;
        if (fixed || !(madeByFrame(*f) || (argument && mayBeMadeAnew(*f)))) {
            identical("FUNCTION_MATCH", "is the same function");
            break;
        }
        auto* text = interp_.make<FunctionObj>(); // v itself must not live for as long as its guard
        text->code = f->code;
        guard(id, GuardStep::of(What::CheckCode, 0, Val(text)), "CLOSURE_MATCH",
              fmt::format("is made of the text of {}", f->qualifiedName));
        for (size_t i = 0; i < f->closure.size(); ++i)
            addSource(GuardStep::of(What::LoadClosure, static_cast<int64_t>(i)), id,
                      fmt::format("cell {} of {}", i, f->qualifiedName), f->closure[i]);
        break;
    }
    case Kind::Method: { // a call makes a new one: what is bound counts
        if (fixed) break;
        const auto& method = *v.as<MethodObj>();
        const std::string text = sources_[static_cast<size_t>(id)].text;
        guard(id, GuardStep::of(What::CheckKind, guardedKind(v)), "TYPE_MATCH", "is a method");
        child(id, GuardStep::of(What::LoadBound, 0), text + ".__func__", method.function);
        child(id, GuardStep::of(What::LoadBound, 1), text + ".__self__", method.self);
        break;
    }
    case Kind::Builtin:
    case Kind::Compiled:
    case Kind::StaticMethod:
    case Kind::ClassMethod:
    case Kind::Property:
        identical("FUNCTION_MATCH", "is the same function");
        break;
    case Kind::Class:
        identical("CLASS_MATCH", "is the same class");
        break;
    case Kind::Module:
        identical("MODULE_MATCH", fmt::format("is module {}", v.as<ModuleObj>()->name));
        break;
    case Kind::Integer:
    case Kind::Real:
        guard(id, GuardStep::of(What::CheckConstant, 0, v), "CONSTANT_MATCH", "== " + show(v));
        break;
    case Kind::Set:
    case Kind::Range:
    case Kind::Slice:
    case Kind::Super:
    case Kind::Bytes:
    case Kind::Complex:
    case Kind::View:
    case Kind::Traceback:
        identical("ID_MATCH", "is the same object");
        break;
    case Kind::Instance: {
        auto* instance = v.as<InstanceObj>();
        if (!instance->type->module) break;
        Source& source = sources_[static_cast<size_t>(id)];
        if (history_ && !fixed) { // a module that was another one in an earlier capture
            const std::string which = "module " + source.text;
            history_->note(which, {static_cast<int64_t>(instance->serial)});
            source.varies = history_->varies(which, 0);
        }
        if (source.varies)
            guardKind(id, v);
        else
            identical("MODULE_MATCH", fmt::format("is the same {}", instance->type->name));
        StrObj* training = interp_.intern("training");
        if (Val* flag = instance->attributes->find(training)) readAttr(instance, training, *flag);
        break;
    }
    default:
        break;
    }
}

bool Capture::mayBeMadeAnew(const FunctionObj& f) {
    return !f.code->source->library && isPlainClosure(f);
}

bool Capture::madeByFrame(const FunctionObj& f) const {
    return mayBeMadeAnew(f) && std::ranges::any_of(starts_, [&](const Start& start) {
               return std::ranges::find(start.frame->code->codes, f.code) !=
                      start.frame->code->codes.end();
           });
}

int32_t Capture::sourceOf(Object* o) {
    if (o->kind == Kind::Tensor && static_cast<TensorObj*>(o)->subclass)
        interp_.stop(base::said("a tensor of a script's own class is used"),
                     base::said("give the compiled function x.as_subclass(torch.Tensor)"));
    auto known = byObject_.find(o);
    if (known != byObject_.end()) return known->second;
    if (!outside(o)) return -1;
    // Reached through something that is guarded as a whole or cannot change (a function's default,
    // a bound method's object, a key): the object itself.
    Val v(o);
    std::string text = fmt::format("constant_{}", sources_.size());
    if (auto* type = v.to<ClassObj>()) text = type->name;
    if (auto* function = v.to<FunctionObj>()) text = function->qualifiedName;
    return addSource(GuardStep::of(What::LoadFixed, 0, v), -1, text, v);
}

std::string Capture::pathOf(int32_t parent, const GuardStep& load) {
    const Val& name = load.value;
    std::string path = fmt::format("{} {} {} ", parent, static_cast<int>(load.what), load.number);
    if (auto* s = name.to<StrObj>())
        path += s->text;
    else if (name.bound())
        path += fmt::format("{} {}", static_cast<int>(name.tag()), name.asInt()); // or its address
    return path;
}

void Capture::child(int32_t parent, GuardStep load, std::string text, const Val& v) {
    std::string path = pathOf(parent, load);
    if (!byPath_.emplace(std::move(path), static_cast<int32_t>(sources_.size())).second) return;
    int32_t id = addSource(std::move(load), parent, std::move(text), v);
    guardKind(id, v);
}

void Capture::guardKind(int32_t id, const Val& v) {
    if (!v.isObject() || byObject_.at(v.object()) != id || !first(id, What::CheckKind)) return;
    bool fixed = sources_[static_cast<size_t>(id)].load.what == What::LoadFixed;
    switch (v.object()->kind) {
    case Kind::Instance: {
        ClassObj* type = v.as<InstanceObj>()->type.get();
        const bool known = type->module && !sources_[static_cast<size_t>(id)].varies;
        if (!known && !fixed)
            guard(id, GuardStep::of(What::CheckClass, 0, Val(type)), "TYPE_MATCH",
                  fmt::format("is a {}", type->name));
        else // whose class changes only by an assignment to __class__
            lookups_.push_back({v, {}, nullptr, Val(type)});
        break;
    }
    case Kind::Tensor:
    case Kind::List:
    case Kind::Tuple:
    case Kind::Dict:
    case Kind::Cell:
    case Kind::Iterator:
    case Kind::Generator:
        if (ClassObj* type = interp_.classOf(v); type && !fixed)
            guard(id, GuardStep::of(What::CheckClass, 0, Val(type)), "TYPE_MATCH",
                  fmt::format("is a {}", type->name));
        if (!fixed)
            guard(id, GuardStep::of(What::CheckKind, guardedKind(v)), "TYPE_MATCH",
                  fmt::format("is a {}", interp_.typeName(v)));
        break;
    default:
        break; // guarded by identity
    }
}

void Capture::readValue(Object* o) {
    auto known = byObject_.find(o);
    if (known != byObject_.end()) guardKind(known->second, Val(o));
}

const Capture::Start* Capture::startOf(const Frame& frame) const {
    for (const Start& start : starts_)
        if (start.frame == &frame) return &start;
    return nullptr;
}

void Capture::addLocal(const Start& start, size_t slot) {
    Frame& frame = *start.frame;
    const Val v = frame.locals[slot];
    if (!v.bound()) return;
    const std::string text = fmt::format("L['{}']{}", frame.code->locals[slot], start.suffix);
    const int32_t at = start.locals + static_cast<int32_t>(slot);
    frame.locals[slot] = startingValue(GuardStep::of(What::LoadLocal, at), v, text);
}

Val Capture::startingValue(const GuardStep& load, const Val& v, const std::string& text) {
    if (auto symbol = symbolicInt(load, -1, v, text)) return *symbol;
    GuardStep own = load;
    own.from = -1;
    if (auto number = graphFloat(std::move(own), v, text)) return *number;
    addSource(load, -1, text, v);
    return v;
}

void Capture::readUnread(Frame& frame, size_t slot) {
    frame.unread[slot] = false;
    addLocal(*startOf(frame), slot);
}

void Capture::readUnset(const Frame& frame, int32_t slot) {
    const Start* start = startOf(frame);
    if (!start) return;
    const Code& code = *frame.code;
    const size_t parameters =
        code.positional + code.keywordOnly + code.takesArgs + code.takesKwargs;
    if (whole && static_cast<size_t>(slot) >= parameters) return;
    const std::string& name = code.locals[static_cast<size_t>(slot)];
    child(-1, GuardStep::of(What::LoadLocal, start->locals + slot),
          fmt::format("L['{}']{}", name, start->suffix), Val());
}

void Capture::addStack(const Start& start, size_t slot) {
    Val& v = start.frame->stack[slot];
    const int32_t at = start.stack + static_cast<int32_t>(slot);
    v = startingValue(GuardStep::of(What::LoadStack, at), v,
                      fmt::format("___stack{}{}", slot, start.suffix));
    if (v.isObject()) readValue(v.object());
}

void Capture::addCell(const Start& start, size_t slot) {
    addSource(GuardStep::of(What::LoadRootCell, start.cells + static_cast<int32_t>(slot)), -1,
              fmt::format("cell '{}'{}", start.frame->code->cells[slot], start.suffix),
              start.frame->cells[slot]);
}

void Capture::addExtra(int32_t slot, const Val& v, std::string text) {
    addSource(GuardStep::of(What::LoadLocal, slot), -1, std::move(text), v);
}

void Capture::addUnguarded(int32_t slot, const Val& v, std::string text) {
    if (!v.bound() || byObject_.count(v.object())) return;
    GuardStep load = GuardStep::of(What::LoadLocal, slot);
    load.slot = static_cast<int32_t>(sources_.size());
    load.from = -1;
    kept_.push_back(v);
    byObject_.emplace(v.object(), load.slot);
    sources_.push_back({std::move(load), -1, std::move(text), false, here(), v.object()});
}

void Capture::addFixed(const Val& v, std::string text) {
    addSource(GuardStep::of(What::LoadFixed, 0, v), -1, std::move(text), v);
}

/// The source of the script's global variables; -1 for those of the script library, which scripts
/// cannot change.
int32_t Capture::globalsSource(DictObj* globals) {
    if (interp_.top() && interp_.top()->code->source->library) return -1;
    auto known = byObject_.find(globals);
    if (known != byObject_.end()) return known->second;
    return addSource(GuardStep::of(What::LoadFixed, 0, Val(globals)), -1, "G", Val(globals));
}

void Capture::readGlobal(DictObj* globals, StrObj* name, const Val& v) {
    int32_t table = globalsSource(globals);
    if (table >= 0 && !changed(globals, Val(name), v))
        child(table, GuardStep::of(What::LoadGlobal, 0, Val(name)),
              fmt::format("G['{}']", name->text), v);
}

void Capture::readNoGlobal(DictObj* globals, StrObj* name, const Val* builtin) {
    int32_t table = globalsSource(globals);
    if (table < 0 || changed(globals, Val(name), Val())) return;
    guardAbsent(table, name);
    tell(builtin ? "BUILTIN_MATCH" : "DICT_CONTAINS", builtin ? name->text : "G",
         builtin ? "is the built-in one" : fmt::format("has no key '{}'", name->text));
}

std::string Capture::cellText(int32_t cell, const std::string& name) const {
    const Source& from = sources_[static_cast<size_t>(cell)];
    const std::string of = from.load.what == What::LoadFixed ? "" : " of " + from.text;
    return fmt::format("closure '{}'{}", name, of);
}

void Capture::readCell(CellObj* cell, const std::string& name) {
    int32_t parent = sourceOf(cell);
    if (parent < 0 || changed(cell, Val(), cell->value)) return;
    child(parent, GuardStep::of(What::LoadCell), cellText(parent, name), cell->value);
}

std::optional<Capture::Within> Capture::attrWithin(Object* owner, StrObj* name, const Val& v) {
    int32_t parent = sourceOf(owner);
    if (parent < 0 || changed(owner, Val(name), v)) return std::nullopt;
    guardKind(parent, Val(owner));
    return Within{parent, GuardStep::of(What::LoadAttr, 0, Val(name)),
                  sources_[static_cast<size_t>(parent)].text + "." + name->text};
}

void Capture::readAttr(Object* owner, StrObj* name, const Val& v) {
    if (auto at = attrWithin(owner, name, v))
        child(at->parent, std::move(at->load), std::move(at->text), v);
}

/// What is read as a constant somewhere stays one: the script has seen the number.
std::optional<Val> Capture::symbolWithin(const std::optional<Within>& at, const Val& v) {
    if (!at) return std::nullopt;
    std::string path = pathOf(at->parent, at->load);
    if (byPath_.contains(path)) return std::nullopt;
    if (auto known = symbolsAt_.find(path); known != symbolsAt_.end()) return known->second;
    GuardStep load = at->load;
    load.from = at->parent;
    auto number = v.isFloat() ? graphFloat(std::move(load), v, at->text)
                              : symbolicInt(at->load, at->parent, v, at->text);
    if (number) symbolsAt_.emplace(std::move(path), *number);
    return number;
}

/// A module's own numbers are constants, as PyTorch has them.
std::optional<Val> Capture::attrSymbol(Object* owner, StrObj* name, const Val& v) {
    if (owner->kind == Kind::Instance && static_cast<InstanceObj*>(owner)->type->module)
        return std::nullopt;
    return symbolWithin(attrWithin(owner, name, v), v);
}

std::optional<Val> Capture::cellSymbol(CellObj* cell, const std::string& name) {
    const Val& v = cell->value;
    if (!v.isInt() && !v.isFloat()) return std::nullopt;
    const int32_t parent = sourceOf(cell);
    if (parent < 0 || changed(cell, Val(), v)) return std::nullopt;
    return symbolWithin(Within{parent, GuardStep::of(What::LoadCell), cellText(parent, name)}, v);
}

/// Ints that are global variables are constants, as PyTorch has them.
std::optional<Val> Capture::globalSymbol(DictObj* globals, StrObj* name, const Val& v) {
    const int32_t table = v.isFloat() ? globalsSource(globals) : -1;
    if (table < 0 || changed(globals, Val(name), v)) return std::nullopt;
    return symbolWithin(Within{table, GuardStep::of(What::LoadGlobal, 0, Val(name)),
                               fmt::format("G['{}']", name->text)},
                        v);
}

std::optional<Val> Capture::itemSymbol(Object* owner, const Val& key, const Val& v) {
    return symbolWithin(itemWithin(owner, key, v), v);
}

void Capture::guardAbsent(int32_t source, StrObj* name) {
    need(source);
    auto& names = absent_[source];
    for (const Val& known : names)
        if (known.object() == name) return;
    names.emplace_back(name);
}

void Capture::readAbsent(Object* owner, StrObj* name) {
    int32_t source = sourceOf(owner);
    if (source < 0 || changed(owner, Val(name), Val())) return;
    guardKind(source, Val(owner));
    guardAbsent(source, name);
}

void Capture::readNoAttr(Object* owner, StrObj* name) {
    int32_t source = sourceOf(owner);
    if (source < 0) return;
    guardKind(source, Val(owner));
    tell("HASATTR", sources_[static_cast<size_t>(source)].text,
         fmt::format("has no attribute '{}'", name->text));
}

void Capture::readClass(ClassObj& type, const ClassObj* after, StrObj* name, const Val* found) {
    if (!outside(&type)) { // its bases may be of the outside
        for (ClassObj* base : type.order)
            if (outside(base)) readClass(*base, nullptr, name, base->find(name));
        return;
    }
    if (!lookedUp_.emplace(&type, after, name->text).second) return;
    kept_.emplace_back(&type);
    Val value = found ? *found : Val();
    bool contents = value.is(Kind::Tensor) || value.is(Kind::List) || value.is(Kind::Tuple) ||
                    value.is(Kind::Dict) || value.is(Kind::Set) || value.is(Kind::Instance);
    if (contents && !after) {
        int32_t parent = sourceOf(&type);
        std::string text = sources_[static_cast<size_t>(parent)].text + "." + name->text;
        return child(parent, GuardStep::of(What::LoadClassAttr, 0, Val(name)), std::move(text),
                     value);
    }
    lookups_.push_back({Val(&type), Val(name), after, value});
    // That nobody overrides a module's __call__ need not be told.
    if (!value.bound() || (name->text == "__call__" && isLibraryFunction(value))) return;
    std::string text = fmt::format("{}.{}", type.name, name->text);
    if (!value.isObject() || value.is(Kind::Str))
        tell("CONSTANT_MATCH", text, "== " + show(value));
    else if (value.is(Kind::Class))
        tell("CLASS_MATCH", text, "is the same class");
    else
        tell("FUNCTION_MATCH", text,
             value.is(Kind::Property) ? "is the same property" : "is the same function");
}

void Capture::readSubclasses(ClassObj& type, const Val& found) {
    if (!outside(&type) || !lookedUp_.emplace(&type, nullptr, "__subclasses__()").second) return;
    kept_.emplace_back(&type);
    kept_.push_back(found);
    lookups_.push_back({Val(&type), {}, nullptr, found});
    tell("CLASS_MATCH", type.name + ".__subclasses__()", "are the same classes");
}

void Capture::readDefault(FunctionObj& f, size_t parameter, const Val& v) {
    if (!outside(&f) || f.code->source->library) return;
    const std::string& name = f.code->locals[parameter];
    if (!lookedUp_.emplace(&f, nullptr, name).second) return;
    // Counted from the last parameter, as the defaults are.
    int64_t fromEnd = static_cast<int64_t>(f.code->positional - 1 - parameter);
    kept_.emplace_back(&f);
    lookups_.push_back({Val(&f), Val::integer(fromEnd), nullptr, v});
    tell(v.isObject() && !v.is(Kind::Str) ? "ID_MATCH" : "CONSTANT_MATCH",
         fmt::format("default '{}' of {}", name, f.qualifiedName),
         !v.bound()                         ? "is not there"
         : v.isObject() && !v.is(Kind::Str) ? "is the same object"
                                            : "== " + show(v));
}

void Capture::readKeywordDefault(FunctionObj& f, StrObj* name, const Val& v) {
    if (!outside(&f) || f.code->source->library || !f.keywordDefaults) return;
    int32_t source = sourceOf(&f);
    child(source, GuardStep::of(What::LoadKeywordDefaults),
          fmt::format("defaults of {}", f.qualifiedName), f.keywordDefaults.val());
    if (v.bound())
        readItem(f.keywordDefaults.get(), Val(name), v);
    else
        readMissing(f.keywordDefaults.get(), Val(name));
}

void Capture::readNames(Object* owner, DictObj& attributes) {
    int32_t parent = sourceOf(owner);
    if (parent < 0) return;
    guardKind(parent, Val(owner));
    child(parent, GuardStep::of(What::LoadNames),
          sources_[static_cast<size_t>(parent)].text + ".__dict__", Val(&attributes));
}

void Capture::readItems(Object* owner, const std::vector<Val>& items, int64_t start, int64_t step,
                        int64_t count) {
    for (int64_t k = 0, i = start; k < count; ++k, i += step)
        readItem(owner, Val::integer(i), items[static_cast<size_t>(i)]);
}

void Capture::readItem(Object* owner, const Val& key, const Val& v) {
    if (auto at = itemWithin(owner, key, v))
        child(at->parent, std::move(at->load), std::move(at->text), v);
}

Val Capture::settledItem(Object* owner, const Val& key, const Val& v) {
    const auto at = itemWithin(owner, key, v);
    if (!at) return v;
    if (const auto known = symbolsAt_.find(pathOf(at->parent, at->load)); known != symbolsAt_.end())
        return known->second;
    child(at->parent, at->load, at->text, v);
    return v;
}

std::optional<Capture::Within> Capture::itemWithin(Object* owner, const Val& key, const Val& v) {
    int32_t parent = sourceOf(owner);
    if (parent < 0 || changed(owner, key, v)) return std::nullopt;
    guardKind(parent, Val(owner));
    std::string base = sources_[static_cast<size_t>(parent)].text;
    if (owner->kind == Kind::List || owner->kind == Kind::Tuple)
        return Within{parent, GuardStep::of(What::LoadItem, key.asInt()),
                      fmt::format("{}[{}]", base, key.asInt())};
    auto* name = key.to<StrObj>();
    size_t dot = base.rfind('.');
    bool member = name && dot != std::string::npos && isModuleDict(base.substr(dot + 1));
    std::string text;
    if (member) { // self._modules['layers'] reads better as self.layers
        base.resize(dot);
        bool bracket = isDigits(name->text) && !base.starts_with("self");
        text = bracket ? fmt::format("{}[{}]", base, name->text)
                       : fmt::format("{}.{}", base, name->text);
    } else {
        text = fmt::format("{}[{}]", base, show(key));
    }
    size_t hash = *hashOf(key);
    if (key.is(Kind::Instance) || key.is(Kind::Tuple)) // may hash itself
        for (const auto& e : static_cast<DictObj*>(owner)->entries())
            if (e.live() && e.key.identical(key)) hash = e.hash;
    return Within{parent, GuardStep::of(What::LoadKey, static_cast<int64_t>(hash), key),
                  std::move(text)};
}

void Capture::readMissing(DictObj* dict, const Val& key) {
    int32_t source = sourceOf(dict);
    if (source < 0 || changed(dict, key, Val())) return;
    guardKind(source, Val(dict));
    guard(source, GuardStep::of(What::CheckMissing, static_cast<int64_t>(*hashOf(key)), key),
          "DICT_CONTAINS", fmt::format("has no key {}", show(key)));
}

void Capture::readLength(Object* o) {
    int32_t source = sourceOf(o);
    const Touched* before = touched(o);
    if (source < 0 || (before && before->whole)) return;
    guardKind(source, Val(o));
    if (o->kind == Kind::Dict || o->kind == Kind::Set) {
        if (!first(source, What::CheckKeys)) return;
        std::vector<Val> keys;
        std::string text;
        auto note = [&](const DictObj::Entry& e) {
            keys.push_back(e.key);
            text += (text.empty() ? "" : ", ") + show(e.key);
        };
        auto* table = static_cast<DictObj*>(o);
        for (size_t i = 0; !before && i < table->places(); ++i)
            if (auto* e = table->at(i)) note(*e);
        for (size_t i = 0; before && i < before->entries.size(); ++i)
            if (before->entries[i].live()) note(before->entries[i]);
        guard(source, GuardStep::of(What::CheckKeys, 0, interp_.tuple(std::move(keys))),
              "DICT_KEYS", fmt::format("keys [{}]", text));
        return;
    }
    if (!first(source, What::CheckLength)) return;
    size_t n = o->kind == Kind::List ? static_cast<ListObj*>(o)->items.size()
                                     : static_cast<TupleObj*>(o)->items.size();
    guard(source, GuardStep::of(What::CheckLength, static_cast<int64_t>(n)), "LENGTH_MATCH",
          fmt::format("length {}", n));
}

void Capture::readType(Object* o) {
    int32_t source = sourceOf(o);
    if (source < 0) return;
    guardKind(source, Val(o));
    if (o->kind != Kind::Tensor) return;
    readTensor(*static_cast<TensorObj*>(o));
    if (!first(source, What::CheckParameter)) return;
    bool parameter = static_cast<TensorObj*>(o)->parameter;
    guard(source, GuardStep::of(What::CheckParameter, parameter), "TYPE_MATCH",
          parameter ? "is a Parameter" : "is no Parameter");
}

void Capture::readIdentity(Object* o) {
    if (o->kind == Kind::Tuple) { // equal by its items
        readLength(o);
        const auto& items = static_cast<TupleObj*>(o)->items;
        for (size_t i = 0; i < items.size(); ++i) {
            readItem(o, Val::integer(static_cast<int64_t>(i)), items[i]);
            if (items[i].isObject()) readIdentity(items[i].object());
        }
        return;
    }
    int32_t source = o->kind == Kind::Str ? -1 : sourceOf(o);
    if (source < 0 || !first(source, What::CheckIdentity)) return;
    if (sources_[static_cast<size_t>(source)].load.what == What::LoadFixed) return;
    guard(source, GuardStep::of(What::CheckIdentity, 0, Val(o)), "ID_MATCH", "is the same object");
}

void Capture::readDistinct(Object* a, Object* b) {
    bool relevant = a != b && a->kind == b->kind && a->kind != Kind::Str;
    int32_t x = relevant ? sourceOf(a) : -1, y = relevant ? sourceOf(b) : -1;
    if (x < 0 || y < 0 || !distinct_.emplace(std::min(x, y), std::max(x, y)).second) return;
    GuardStep other = GuardStep::of(What::CheckDistinct);
    other.from = x;
    need(x);
    guard(y, std::move(other), "DUPLICATE_INPUT",
          "is not " + sources_[static_cast<size_t>(x)].text);
}

void Capture::readTensor(TensorObj& t) {
    if (!t.real) return;
    int32_t source = sourceOf(&t);
    if (source < 0 || !first(source, What::CheckTensor)) return;
    guardTensor(t, source);
}

void Capture::noteGradOf(int32_t source) {
    need(source);
    if (std::find(gradOf_.begin(), gradOf_.end(), source) == gradOf_.end())
        gradOf_.push_back(source);
}

void Capture::readGrad(TensorObj& t, const Val& gradient) {
    if (hasNewGrad(t)) return;
    const int32_t parent = sourceOf(&t);
    if (parent < 0) return;
    guardKind(parent, Val(&t));
    noteGradOf(parent);
    const std::string text = sources_[static_cast<size_t>(parent)].text + ".grad";
    if (gradient.bound())
        child(parent, GuardStep::of(What::LoadGrad), text, gradient);
    else if (first(parent, What::CheckNoGrad))
        guard(parent, GuardStep::of(What::CheckNoGrad), "CONSTANT_MATCH", "has no .grad");
}

void Capture::readDefaultDevice() {
    for (const Guard& g : guards_)
        if (g.check.what == What::CheckDevice) return;
    Guard g;
    g.check = GuardStep::of(What::CheckDevice, 0, Val::device(interp_.defaultDevice()));
    g.check.slot = -1;
    g.text = {"DEFAULT_DEVICE", "default device", interp_.defaultDevice().str(), here()};
    guards_.push_back(std::move(g));
}

void Capture::readCurrentGpu() {
    for (const Guard& g : guards_)
        if (g.check.what == What::CheckGpu) return;
    Guard g;
    g.check = GuardStep::of(What::CheckGpu, interp_.currentGpu());
    g.check.slot = -1;
    g.text = {"CURRENT_DEVICE", "current GPU", std::to_string(interp_.currentGpu()), here()};
    guards_.push_back(std::move(g));
}

} // namespace cutaway::capture
