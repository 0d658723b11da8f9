// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture.h"

#include "core/ops/gradient_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

using What = GuardStep::What;

namespace {

GuardStep step(What what, int64_t number = 0, Val value = {}) {
    GuardStep s;
    s.what = what;
    s.number = number;
    s.value = std::move(value);
    return s;
}

bool isDigits(const std::string& s) {
    return !s.empty() &&
           std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isModuleDict(const std::string& name) {
    return name == "_modules" || name == "_parameters" || name == "_buffers";
}

} // namespace

Capture::Capture(Interp& interp, Frame& root)
    : interp_(interp), root_(&root), startSerial_(interp.serial()), gradMode_(interp.gradMode()) {
    Guard mode;
    mode.check = step(What::CheckGradMode, gradMode_);
    mode.check.slot = -1;
    mode.text = {"GRAD_MODE", "grad mode", gradMode_ ? "on" : "off", {}};
    guards_.push_back(std::move(mode));
}

base::Location Capture::here() const {
    CallSite site = interp_.userSite();
    if (site.source) return frontend::locate(site.source->file, site.span);
    // Only library code is running (a Sequential): the line that made the module.
    for (const Frame* f = interp_.top(); f; f = f->caller)
        if (f->module && f->module->madeAt.source)
            return frontend::locate(f->module->madeAt.source->file, f->module->madeAt.span);
    if (root_->module && root_->module->madeAt.source)
        return frontend::locate(root_->module->madeAt.source->file, root_->module->madeAt.span);
    return frontend::locate(root_->code->source->file, root_->code->header);
}

void Capture::guard(int32_t source, GuardStep check, std::string kind, std::string condition) {
    check.slot = source;
    guards_.push_back({std::move(check),
                       {std::move(kind), sources_[static_cast<size_t>(source)].text,
                        std::move(condition), here()}});
    need(source);
}

void Capture::need(int32_t source) {
    for (int32_t s = source; s >= 0 && !sources_[static_cast<size_t>(s)].needed;
         s = sources_[static_cast<size_t>(s)].parent)
        sources_[static_cast<size_t>(s)].needed = true;
}

bool Capture::first(int32_t source, What what) {
    return guarded_.emplace(std::pair{source, static_cast<int>(what)}, true).second;
}

int32_t Capture::addSource(GuardStep load, int32_t parent, std::string text, const Val& v) {
    int32_t id = static_cast<int32_t>(sources_.size());
    load.slot = id;
    load.from = parent;
    byText_[text] = id;
    sources_.push_back({std::move(load), parent, std::move(text), false, here(),
                        v.isObject() ? v.object() : nullptr});
    if (!v.isObject()) {
        guard(id, step(What::CheckConstant, 0, v), "CONSTANT_MATCH", "== " + interp_.repr(v));
        return id;
    }
    kept_.push_back(v);
    const Kind kind = v.object()->kind;
    bool identityMatters = kind == Kind::Tensor || kind == Kind::List || kind == Kind::Tuple ||
                           kind == Kind::Dict || kind == Kind::Cell || kind == Kind::Iterator ||
                           kind == Kind::Instance;
    auto known = byObject_.find(v.object());
    if (known != byObject_.end() && identityMatters) {
        GuardStep same = step(What::CheckSame);
        same.from = known->second;
        need(known->second);
        guard(id, std::move(same), "DUPLICATE_INPUT",
              "is " + sources_[static_cast<size_t>(known->second)].text);
        return id;
    }
    byObject_.emplace(v.object(), id);
    switch (v.object()->kind) {
    case Kind::Str:
        guard(id, step(What::CheckConstant, 0, v), "CONSTANT_MATCH", "== " + interp_.repr(v));
        break;
    case Kind::Function:
    case Kind::Builtin:
    case Kind::Method:
    case Kind::Compiled:
        guard(id, step(What::CheckIdentity, 0, v), "FUNCTION_MATCH", "is the same function");
        break;
    case Kind::Class:
        guard(id, step(What::CheckIdentity, 0, v), "CLASS_MATCH", "is the same class");
        break;
    case Kind::Module:
        guard(id, step(What::CheckIdentity, 0, v), "MODULE_MATCH",
              fmt::format("is module {}", v.as<ModuleObj>()->name));
        break;
    case Kind::Set:
    case Kind::Range:
    case Kind::Slice:
        guard(id, step(What::CheckIdentity, 0, v), "ID_MATCH", "is the same object");
        break;
    case Kind::Instance: {
        auto* instance = v.as<InstanceObj>();
        if (!instance->type->module) break;
        if (sources_[static_cast<size_t>(id)].load.what != What::LoadFixed)
            guard(id, step(What::CheckIdentity, 0, v), "MODULE_MATCH",
                  fmt::format("is the same {}", instance->type->name));
        StrObj* training = interp_.intern("training");
        if (Val* flag = instance->attributes->find(training)) readAttr(instance, training, *flag);
        break;
    }
    default:
        break;
    }
    return id;
}

int32_t Capture::sourceOf(Object* o) {
    auto known = byObject_.find(o);
    if (known != byObject_.end()) return known->second;
    if (!outside(o)) return -1;
    // Reached through something that cannot change (a class, a default argument): the object
    // itself.
    std::string text = fmt::format("constant_{}", sources_.size());
    return addSource(step(What::LoadFixed, 0, Val(o)), -1, text, Val(o));
}

void Capture::child(int32_t parent, GuardStep load, std::string text, const Val& v) {
    if (byText_.count(text)) return;
    addSource(std::move(load), parent, std::move(text), v);
}

void Capture::addLocal(int32_t slot, const Val& v, const std::string& name) {
    if (v.bound()) addSource(step(What::LoadLocal, slot), -1, fmt::format("L['{}']", name), v);
}

void Capture::addStack(int32_t slot, const Val& v) {
    addSource(step(What::LoadStack, slot), -1, fmt::format("___stack{}", slot), v);
}

void Capture::addCell(int32_t slot, const Val& v, const std::string& name) {
    addSource(step(What::LoadRootCell, slot), -1, fmt::format("cell '{}'", name), v);
}

void Capture::addFixed(const Val& v, std::string text) {
    addSource(step(What::LoadFixed, 0, v), -1, std::move(text), v);
}

void Capture::readGlobal(DictObj* globals, StrObj* name, const Val& v) {
    if (interp_.top() && interp_.top()->code->source->library) return;
    std::string text = fmt::format("G['{}']", name->text);
    if (byText_.count(text)) return;
    int32_t table;
    if (auto known = byText_.find("G"); known != byText_.end())
        table = known->second;
    else
        table = addSource(step(What::LoadFixed, 0, Val(globals)), -1, "G", Val(globals));
    if (sources_[static_cast<size_t>(table)].object != globals) return; // another script's globals
    child(table, step(What::LoadGlobal, 0, Val(name)), std::move(text), v);
}

void Capture::readCell(CellObj* cell, const std::string& name) {
    int32_t parent = sourceOf(cell);
    if (parent >= 0)
        child(parent, step(What::LoadCell),
              fmt::format("closure '{}' of {}", name, sources_[static_cast<size_t>(parent)].text),
              cell->value);
}

void Capture::readAttr(Object* owner, StrObj* name, const Val& v) {
    int32_t parent = sourceOf(owner);
    if (parent < 0) return;
    readType(owner);
    const std::string base = sources_[static_cast<size_t>(parent)].text;
    std::string text = fmt::format("{}.{}", base, name->text);
    child(parent, step(What::LoadAttr, 0, Val(name)), std::move(text), v);
}

void Capture::readItem(Object* owner, const Val& key, const Val& v) {
    int32_t parent = sourceOf(owner);
    if (parent < 0) return;
    std::string base = sources_[static_cast<size_t>(parent)].text;
    if (owner->kind == Kind::List || owner->kind == Kind::Tuple)
        return child(parent, step(What::LoadItem, key.asInt()),
                     fmt::format("{}[{}]", base, key.asInt()), v);
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
        text = fmt::format("{}[{}]", base, interp_.repr(key));
    }
    child(parent, step(What::LoadKey, static_cast<int64_t>(*hashOf(key)), key), std::move(text), v);
}

void Capture::readMissing(DictObj* dict, const Val& key) {
    int32_t source = sourceOf(dict);
    if (source < 0) return;
    guard(source, step(What::CheckMissing, static_cast<int64_t>(*hashOf(key)), key),
          "DICT_CONTAINS", fmt::format("has no key {}", interp_.repr(key)));
}

void Capture::readLength(Object* o) {
    int32_t source = sourceOf(o);
    if (source < 0) return;
    if (o->kind == Kind::Dict || o->kind == Kind::Set) {
        if (!first(source, What::CheckKeys)) return;
        std::vector<Val> keys;
        for (const auto& e : static_cast<DictObj*>(o)->entries())
            if (e.live()) keys.push_back(e.key);
        Val all = interp_.tuple(std::move(keys));
        std::string text = interp_.repr(interp_.list(all.as<TupleObj>()->items));
        guard(source, step(What::CheckKeys, 0, all), "DICT_KEYS", "keys " + text);
        return;
    }
    if (!first(source, What::CheckLength)) return;
    size_t n = o->kind == Kind::List ? static_cast<ListObj*>(o)->items.size()
                                     : static_cast<TupleObj*>(o)->items.size();
    guard(source, step(What::CheckLength, static_cast<int64_t>(n)), "LENGTH_MATCH",
          fmt::format("length {}", n));
}

void Capture::readType(Object* o) {
    int32_t source = sourceOf(o);
    if (source < 0) return;
    if (o->kind == Kind::Tensor) return readTensor(*static_cast<TensorObj*>(o));
    if (auto* instance = o->kind == Kind::Instance ? static_cast<InstanceObj*>(o) : nullptr) {
        if (!first(source, What::CheckClass)) return;
        if (!instance->type->module)
            guard(source, step(What::CheckClass, 0, instance->type.val()), "TYPE_MATCH",
                  fmt::format("is a {}", instance->type->name));
        guard(source, step(What::CheckLayout, instance->attributes->layout()), "ATTRIBUTES_MATCH",
              "has the same attribute names");
        return;
    }
    if (o->kind == Kind::Str || o->kind == Kind::Module || !first(source, What::CheckKind)) return;
    guard(source, step(What::CheckKind, static_cast<int64_t>(o->kind)), "TYPE_MATCH",
          fmt::format("is a {}", interp_.typeName(Val(o))));
}

void Capture::readTensor(TensorObj& t) {
    if (!t.real) return;
    int32_t source = sourceOf(&t);
    if (source < 0 || !first(source, What::CheckTensor)) return;
    const ir::TensorType& type = t.real->type;
    patterns_.push_back({type.dtype, type.device, type.requiresGrad, ir::constants(type.sizes),
                         ir::constants(type.strides)});
    std::string condition = fmt::format(
        "{}, {}, sizes {}, strides {}{}", ir::name(type.dtype), type.device.str(),
        ir::str(type.sizes), ir::str(type.strides), type.requiresGrad ? ", requires_grad" : "");
    guard(source, step(What::CheckTensor, static_cast<int64_t>(patterns_.size() - 1)),
          "TENSOR_MATCH", std::move(condition));
}

void Capture::readDefaultDevice() {
    for (const Guard& g : guards_)
        if (g.check.what == What::CheckDevice) return;
    Guard g;
    g.check = step(What::CheckDevice, 0, Val::device(interp_.defaultDevice()));
    g.check.slot = -1;
    g.text = {"DEFAULT_DEVICE", "default device", interp_.defaultDevice().str(), here()};
    guards_.push_back(std::move(g));
}

/// "layers_0_weight" from "self.layers.0.weight", "x" from "L['x']".
std::string Capture::placeholderName(const std::string& text) const {
    std::string name;
    std::string_view rest = text;
    for (std::string_view prefix : {"L['", "G['", "self."})
        if (rest.starts_with(prefix)) rest.remove_prefix(prefix.size());
    for (char c : rest) {
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (word)
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    }
    while (!name.empty() && name.back() == '_')
        name.pop_back();
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "arg_" + name;
    return name;
}

ir::NodeId Capture::nodeOf(TensorObj& t) {
    if (t.fake) {
        if (t.fake->capture != startSerial_)
            interp_.raise(Error::Runtime, "a tensor of another capture is used",
                          "return it from its compiled function");
        return t.fake->node;
    }
    auto known = placeholders_.find(&t);
    if (known != placeholders_.end()) return known->second;
    readTensor(t);
    int32_t source = sourceOf(&t);
    if (source < 0)
        interp_.stop("a real tensor was made while capturing",
                     "make it outside the compiled function and pass it in");
    const std::string& text = sources_[static_cast<size_t>(source)].text;
    ir::NodeId id = graph.addPlaceholder(placeholderName(text), t.real->type);
    ir::Node& node = graph.node(id);
    node.inputSource = text;
    node.source = interp_.sourceStack();
    placeholders_[&t] = id;
    inputs_.emplace_back(id, source);
    need(source);
    return id;
}

ir::NodeId Capture::detached(ir::NodeId node) {
    auto known = detached_.find(node.index);
    if (known != detached_.end()) return known->second;
    return detached_[node.index] = builder_.call("detach", {ir::Arg(node)});
}

base::Result<std::vector<Val>> Capture::callOperation(const ops::OpDef& def, ir::ArgList args,
                                                      const std::vector<TensorObj*>& tensors,
                                                      bool aliases) {
    constexpr size_t kMaxNodes = 200000;
    if (graph.order().size() > kMaxNodes)
        interp_.stop(fmt::format("the graph has more than {} operations", kMaxNodes),
                     "compile a smaller function");
    builder_.provenance.source = interp_.sourceStack();
    builder_.provenance.modulePath = interp_.modulePath();
    bool recorded = interp_.gradMode();
    bool wantsGradient = false;
    std::vector<ir::NodeId> nodes;
    for (TensorObj* t : tensors) {
        ir::NodeId node = nodeOf(*t);
        wantsGradient |= t->type().requiresGrad;
        // Under no_grad() inside a function that records gradients: cut the graph here.
        if (!recorded && gradMode_ && t->type().requiresGrad) node = detached(node);
        nodes.push_back(node);
    }
    ir::rewriteNodes(args, [&](ir::NodeId k) { return nodes[k.index]; });
    CUTAWAY_TRY(ir::NodeId id, builder_.tryCall(def.name(), std::move(args)));
    std::vector<Val> results;
    const size_t count = graph.node(id).types.size();
    for (size_t i = 0; i < count; ++i) {
        bool tuple = graph.node(id).tuple;
        ir::NodeId value = tuple ? builder_.getitem(id, static_cast<int>(i)) : id;
        auto* t = interp_.make<TensorObj>();
        results.emplace_back(t);
        t->madeAt = interp_.userSite();
        t->fake = std::make_unique<FakeTensor>();
        t->fake->node = value;
        t->fake->type = graph.node(id).types[i];
        t->fake->type.requiresGrad = recorded && wantsGradient &&
                                     ir::isFloating(t->fake->type.dtype) && !ops::cutsGradient(def);
        t->fake->capture = startSerial_;
        if (aliases && !tensors.empty()) {
            // A view of an input counts as shared from the start.
            t->fake->aliases =
                tensors[0]->fake ? tensors[0]->fake->aliases : std::make_shared<int>(1);
            ++*t->fake->aliases;
        } else {
            t->fake->aliases = std::make_shared<int>(1);
        }
    }
    return results;
}

Val Capture::constantTensor(ir::HostTensor value, ir::Device device) {
    auto* t = interp_.make<TensorObj>();
    Val keep(t);
    t->madeAt = interp_.userSite();
    t->fake = std::make_unique<FakeTensor>();
    t->fake->type = value.type(device);
    t->fake->node =
        graph.addConstant("constant", std::make_shared<ir::HostTensor>(std::move(value)), device);
    graph.node(t->fake->node).source = interp_.sourceStack();
    t->fake->capture = startSerial_;
    t->fake->aliases = std::make_shared<int>(1);
    return keep;
}

int32_t Capture::outputOf(ir::NodeId node, const std::string& name) {
    for (size_t i = 0; i < graph.outputs.size(); ++i)
        if (graph.outputs[i] == node) return static_cast<int32_t>(i);
    graph.outputs.push_back(node);
    graph.outputNames.push_back(name);
    return static_cast<int32_t>(graph.outputs.size() - 1);
}

void Capture::removeUnusedInputs() {
    auto users = graph.users();
    std::vector<ir::NodeId> unused;
    for (ir::NodeId id : graph.placeholders()) {
        bool output =
            std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end();
        if (users[id.index].empty() && !output) unused.push_back(id);
    }
    graph.erase(unused);
}

GuardProgram Capture::guardProgram(std::vector<int32_t>& inputSlots) {
    GuardProgram program;
    program.slots = sources_.size();
    program.tensors = patterns_;
    auto checksOf = [&](int32_t source) {
        for (const Guard& g : guards_)
            if (g.check.slot == source && g.check.what != What::CheckSame)
                program.steps.push_back(g.check);
    };
    for (const Guard& g : guards_)
        if (g.check.slot < 0) {
            GuardStep s = g.check;
            s.slot = 0;
            program.steps.push_back(std::move(s));
        }
    for (size_t i = 0; i < sources_.size(); ++i) {
        if (!sources_[i].needed) continue;
        program.steps.push_back(sources_[i].load);
        checksOf(static_cast<int32_t>(i));
    }
    for (const Guard& g : guards_)
        if (g.check.what == What::CheckSame) program.steps.push_back(g.check);
    if (program.slots == 0) program.slots = 1;
    program.seal();
    // Inputs in the order of the graph's placeholders.
    for (ir::NodeId id : graph.placeholders())
        for (auto [node, source] : inputs_)
            if (node == id) inputSlots.push_back(source);
    return program;
}

std::string Capture::pathOf(const Object* module) const {
    auto known = byObject_.find(module);
    if (known == byObject_.end()) return {};
    std::string text = sources_[static_cast<size_t>(known->second)].text;
    size_t start = text.starts_with("self") ? 4 : text.find("']");
    if (start == std::string::npos) return {};
    if (!text.starts_with("self")) start += 2;
    std::string path;
    for (char c : text.substr(start)) {
        if (c == '[' || c == '.') {
            if (!path.empty()) path += '.';
        } else if (c != ']') {
            path += c;
        }
    }
    return path;
}

std::vector<GuardText> Capture::guardTexts() const {
    std::vector<GuardText> texts;
    for (const Guard& g : guards_) {
        texts.push_back(g.text);
        if (!g.text.where.known()) texts.back().where = here();
    }
    return texts;
}

} // namespace cutaway::capture
