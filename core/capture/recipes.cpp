// SPDX-License-Identifier: Apache-2.0
// Values that capture made, described so that every call can make them again.
#include "core/base/said.h"
#include "core/capture/capture.h"
#include "core/capture/frame.h"
#include "core/capture/function_like.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace cutaway::capture {

Capture::Since Capture::now() const {
    Since since;
    since.serial = interp_.serial();
    since.nodes = graph.idLimit();
    since.draws = draws.size();
    since.calls = calls ? calls->size() : 0;
    since.gradMode = interp_.gradMode();
    since.modes = interp_.tensorModes();
    return since;
}

/// Whether \p generator, which has not ended, has a try or with that it may stand inside of.
static bool entersBlocks(const GeneratorObj& generator) {
    return generator.frame &&
           std::ranges::any_of(generator.frame->code->instructions, [](const Instruction& in) {
               return in.op == Op::SetupTry || in.op == Op::SetupWith;
           });
}

void Capture::madeGenerator(GeneratorObj& generator) {
    generator.captured = true;
    if (entersBlocks(generator)) generators_.emplace_back(&generator);
}

bool Capture::leavesGenerator() const {
    return std::ranges::any_of(generators_, [](const Ref<GeneratorObj>& generator) {
        return generator->frame && !generator->frame->blocks.empty();
    });
}

/// Whether a script can see when \p v is given up: by its __del__, by a weak reference, or by what
/// a generator does at its end. \p made: also of those that the capture made, or that did not start.
static bool endIsSeen(const Val& v, bool made) {
    auto* instance = v.to<InstanceObj>();
    auto* generator = v.to<GeneratorObj>();
    return Heap::isShown(v.object()) || (instance && instance->wantsFinalizer()) ||
           (generator && (made || (generator->started && !generator->captured)) &&
            entersBlocks(*generator));
}

/// The same of \p v or something that is held by it alone.
static bool holdsOneSeen(const Val& v, bool made) {
    // Beside a variable, frames of the capture and of the call hold a value, and the capture itself.
    constexpr uint32_t kHeldOnce = 6;
    constexpr size_t kMost = 1000;
    if (!v.isObject()) return false;
    std::vector<const Object*> held;
    std::unordered_set<const Object*> known;
    const Object::Visitor hold = [&](Object* o) {
        if (o->references <= kHeldOnce && held.size() < kMost && known.insert(o).second)
            held.push_back(o);
    };
    hold(v.object());
    for (size_t i = 0; i < held.size(); ++i) {
        const Object* o = held[i];
        if (endIsSeen(Val(const_cast<Object*>(o)), made)) return true;
        if (o->kind == Kind::Function)
            visitAll(hold, static_cast<const FunctionObj*>(o)->closure); // its globals live on
        else if (o->kind != Kind::Class && o->kind != Kind::Module)
            o->visit(hold);
    }
    return endIsSeen(v, made);
}

bool Capture::staysUnread(const Val& v) const {
    if (!v.isObject()) return false;
    const bool known = byObject_.contains(v.object()); // the next calls' may hold anything
    return makesWeak || (known && !v.is(Kind::Tensor)) || holdsOneSeen(v, true);
}

/// Whether the next instruction of \p frame gives such a value up, which happens for real.
static bool endsOne(const Frame& frame, bool called, bool made) {
    const Instruction in = frame.code->instructions[frame.ip];
    switch (in.op) {
    case Op::StoreFast:
    case Op::DeleteFast:
        return holdsOneSeen(frame.locals[static_cast<size_t>(in.a)], made);
    case Op::Pop:
        return holdsOneSeen(frame.stack.back(), made);
    case Op::Return:
        return called && std::ranges::any_of(frame.locals,
                                             [&](const Val& v) { return holdsOneSeen(v, made); });
    default:
        return false;
    }
}

void Capture::remember(const Frame& frame) {
    breakStack = frame.stack;
    since_ = now();
    if (endsOne(frame, frame.caller && frame.caller->resumable, stopsInside))
        interp_.stop(base::said("an object is given up that has a __del__ or a weak reference"),
                     base::said("keep it until the compiled function is over"));
}

void Capture::beforeFinalizable(const ClassObj& type) {
    interp_.stop(base::said("a {} is made, which has a __del__", type.name),
                 base::said("make it outside the compiled function"));
}

/// Whether the instruction that runs is the step of a `for` with \p iterator.
static bool isLoopStep(const Frame& frame, const Object* iterator) {
    return frame.code->instructions[frame.ip].op == Op::ForIter &&
           frame.stack.back().object() == iterator;
}

void Capture::beforeChange(Object* o, const char* what) {
    if (outside(o)) wantNow();
    const bool steps = o->kind == Kind::Iterator || o->kind == Kind::Generator;
    if (steps && noBreaks && !whole && outside(o)) wantIterator();
    // A loop that began before has one graph for all of its passes: it steps for real.
    const bool loops = steps && isLoopStep(*interp_.top(), o);
    if (outside(o) && (loops || !touch(o)))
        interp_.stop(
            base::said("the compiled function changes {}, which exists outside it", what),
            base::said(
                "return the new value and assign it outside, or compile a smaller function"));
    bool fresh = o->serial >= since_.serial; // made by this very instruction: nobody saw it
    if (fresh || std::find(since_.saved.begin(), since_.saved.end(), o) != since_.saved.end())
        return;
    since_.saved.push_back(o);
    Val keep(o);
    if (BuiltinTypeObj::holds(o->kind) && static_cast<BuiltinTypeObj*>(o)->own) {
        Val names = static_cast<BuiltinTypeObj*>(o)->own->attributes;
        since_.undo.push_back([names, d = names.as<DictObj>(),
                               was = names.as<DictObj>()->contents()] { d->restore(was); });
    }
    auto saveDict = [&](const Val& dict) {
        auto* d = static_cast<DictObj*>(dict.object());
        since_.undo.push_back([dict, d, was = d->contents()] { d->restore(was); });
    };
    switch (o->kind) {
    case Kind::List:
        since_.undo.push_back(
            [keep, items = static_cast<ListObj*>(o)->items] { keep.as<ListObj>()->items = items; });
        break;
    case Kind::Dict:
    case Kind::Set:
        saveDict(keep);
        break;
    case Kind::Instance:
        saveDict(static_cast<InstanceObj*>(o)->attributes.val());
        break;
    case Kind::Class:
        saveDict(static_cast<ClassObj*>(o)->attributes.val());
        break;
    case Kind::Function: {
        auto* f = static_cast<FunctionObj*>(o);
        if (f->attributes) saveDict(f->attributes.val());
        since_.undo.push_back(
            [keep, f, defaults = f->defaults, keywordDefaults = f->keywordDefaults] {
                f->defaults = defaults;
                f->keywordDefaults = keywordDefaults;
            });
        break;
    }
    case Kind::Cell:
        since_.undo.push_back(
            [keep, v = static_cast<CellObj*>(o)->value] { keep.as<CellObj>()->value = v; });
        break;
    case Kind::Bytes: {
        auto* bytes = static_cast<BytesObj*>(o);
        since_.undo.push_back([keep, bytes, old = bytes->bytes] { bytes->bytes = old; });
        break;
    }
    case Kind::Iterator: {
        auto* it = static_cast<IteratorObj*>(o);
        since_.undo.push_back([keep, it, at = it->at, stop = it->stop] {
            it->at = at;
            it->stop = stop;
        });
        break;
    }
    case Kind::Generator: {
        auto* g = static_cast<GeneratorObj*>(o);
        std::shared_ptr<const Frame> frame;
        if (g->frame) frame = std::make_shared<const Frame>(*g->frame);
        since_.undo.push_back([keep, g, frame, started = g->started, result = g->result] {
            g->frame = frame ? std::make_unique<Frame>(*frame) : nullptr;
            g->started = started;
            g->running = false;
            g->result = result;
        });
        break;
    }
    case Kind::Tensor: {
        auto* fake = static_cast<TensorObj*>(o)->fake.get();
        if (fake) since_.undo.push_back([keep, fake, old = *fake] { *fake = old; });
        if (!fake)
            since_.undo.push_back([keep, gradient = static_cast<TensorObj*>(o)->gradient] {
                keep.as<TensorObj>()->gradient = gradient;
            });
        break;
    }
    default:
        since_.cannotUndo = true;
    }
}

void Capture::rollBack() {
    if (since_.cannotUndo)
        interp_.stop(
            base::said("what the instruction had changed before the break cannot be taken back"),
            base::said("do this outside the compiled function"));
    for (size_t i = since_.undo.size(); i-- > 0;)
        since_.undo[i]();
    since_.undo.clear();
    interp_.setGradMode(since_.gradMode);
    interp_.setTensorModes(since_.modes);
    draws.resize(since_.draws);
    if (calls) calls->rollBack(since_.calls);
    std::vector<ir::NodeId> unfinished;
    for (ir::NodeId id : graph.order())
        if (id.index >= since_.nodes) unfinished.push_back(id);
    graph.erase(unfinished);
    forgetViews(since_.nodes);
    std::erase_if(checks_, [&](const auto& check) {
        return check.first.template as<TensorObj>()->fake->node.index >= since_.nodes;
    });
    std::erase_if(inputs_, [&](const auto& entry) { return entry.first.index >= since_.nodes; });
    std::erase_if(placeholders_,
                  [&](const auto& entry) { return entry.second.index >= since_.nodes; });
    std::erase_if(detached_, [&](const auto& entry) { return entry.second.index >= since_.nodes; });
}

/// Every call of a function makes its classes anew; those of a module are made once.
void Capture::wantLasting(const ClassObj& type) {
    if (outside(&type) || type.native) return;
    const bool module = type.attributes->find(interp_.intern("__module__")) != nullptr;
    if (!module || type.qualifiedName.find("<locals>") != std::string::npos)
        interp_.stop(base::said("the class '{}', which the compiled function makes, is used "
                                "behind its graph",
                                type.name),
                     base::said("make the class outside the compiled function"));
}

/// The recipe of a tensor that shares memory with \p t, when there is one.
std::optional<int32_t> Capture::recipeOfShared(const FakeTensor& t) {
    for (const auto& [counter, input] : viewedInputs_)
        if (counter == t.aliases) return recipeOf(Val(input), "input");
    auto known = sharedRecipes_.find(t.aliases.get());
    if (known == sharedRecipes_.end()) return {};
    std::erase_if(unseen_,
                  [&](const auto& base) { return recipeOf_[base.first] == known->second; });
    return known->second;
}

/// Of objects that are made from values in order.
static Recipe::What whatOf(const Val& v) {
    switch (v.object()->kind) {
    case Kind::Tuple:
        return v.as<TupleObj>()->size ? Recipe::What::Size : Recipe::What::Tuple;
    case Kind::List:
        return Recipe::What::List;
    case Kind::Method:
        return Recipe::What::Method;
    case Kind::Super:
        return Recipe::What::Super;
    case Kind::Iterator:
        return Recipe::What::Iterator;
    case Kind::Slice:
        return Recipe::What::Slice;
    default:
        return Recipe::What::View;
    }
}

static std::vector<Val> partsOf(const Val& v) {
    if (auto* tuple = v.to<TupleObj>()) return tuple->items;
    if (auto* list = v.to<ListObj>()) return list->items;
    if (auto* method = v.to<MethodObj>()) return {method->function, method->self};
    if (auto* super = v.to<SuperObj>()) return {super->self};
    if (auto* iterator = v.to<IteratorObj>()) return iterator->parts;
    if (auto* slice = v.to<SliceObj>()) return {slice->start, slice->stop, slice->step};
    return {v.as<ViewObj>()->dict};
}

/// What remains of \p v as a prototype: its kind and class. The recipe's parts make the rest, and what
/// the captured call had must not live for as long as its entry.
static Val hollow(Interp& in, const Val& v) {
    Val made = v;
    switch (v.object()->kind) {
    case Kind::Tuple:
        made = Val(in.make<TupleObj>());
        break;
    case Kind::List:
        made = Val(in.make<ListObj>());
        break;
    case Kind::Dict:
        made = Val(in.make<DictObj>());
        break;
    case Kind::Set:
        made = Val(in.make<SetObj>(v.as<SetObj>()->frozen));
        break;
    case Kind::Cell:
        return Val(in.make<CellObj>());
    case Kind::Method:
        return Val(in.make<MethodObj>(Val(), Val()));
    case Kind::Slice:
        return Val(in.make<SliceObj>());
    case Kind::View:
        return Val(in.make<ViewObj>(Val(), v.as<ViewObj>()->of));
    case Kind::Bytes:
        return Val(in.make<BytesObj>(v.as<BytesObj>()->bytes, true));
    case Kind::Super:
        made = Val(in.make<SuperObj>());
        made.as<SuperObj>()->after = v.as<SuperObj>()->after;
        return made;
    case Kind::Iterator:
        return iteratorLike(in, *v.as<IteratorObj>(), {});
    case Kind::Function: {
        const auto& from = *v.as<FunctionObj>();
        auto* function = functionLike(in, from);
        if (from.attributes) function->attributes = Ref<DictObj>(in.make<DictObj>());
        return Val(function);
    }
    case Kind::Instance: {
        const auto& from = *v.as<InstanceObj>();
        auto* instance = in.make<InstanceObj>();
        instance->type = from.type;
        instance->madeAt = from.madeAt;
        instance->raised = from.raised;
        return Val(instance);
    }
    default:
        return v;
    }
    if (const auto& own = v.as<BuiltinTypeObj>()->own) {
        made.as<BuiltinTypeObj>()->own = std::make_unique<BuiltinTypeObj::Own>();
        made.as<BuiltinTypeObj>()->own->type = own->type;
    }
    return made;
}

void Capture::describe(const Val& v, const std::string& name, Recipe& recipe) {
    using W = Recipe::What;
    auto parts = [&](const std::vector<Val>& values) {
        for (size_t i = 0; i < values.size(); ++i)
            recipe.parts.push_back(recipeOf(values[i], fmt::format("{}_{}", name, i)));
    };
    auto entries = [&](const DictObj& dict) {
        for (const auto& e : dict.entries()) {
            if (!e.live()) continue;
            recipe.parts.push_back(recipeOf(e.key, name));
            std::string inner =
                e.key.is(Kind::Str) ? fmt::format("{}_{}", name, e.key.as<StrObj>()->text) : name;
            recipe.parts.push_back(recipeOf(e.value, inner));
        }
    };
    switch (v.object()->kind) {
    case Kind::Tensor: {
        auto* t = v.as<TensorObj>();
        if (!t->fake)
            interp_.stop(
                base::said("'{}' is a tensor that was made for real while capturing", name),
                base::said("make it outside the compiled function"));
        nodeOf(*t); // of a view: as its memory is now
        wantNoLeaf(*t->fake);
        recipe.what = W::Output;
        recipe.number = outputOf(*t->fake, name);
        if (calls) calls->output(static_cast<size_t>(recipe.number), *t);
        recipe.value = {};
        if (std::optional<int32_t> shared = recipeOfShared(*t->fake)) recipe.parts = {*shared};
        break;
    }
    case Kind::Dict:
        recipe.what = W::Dict;
        entries(*v.as<DictObj>());
        break;
    case Kind::Set:
        recipe.what = W::Set;
        entries(*v.as<SetObj>());
        break;
    case Kind::Class:
        wantLasting(*v.as<ClassObj>());
        recipe.what = W::Constant;
        break;
    case Kind::Instance:
        wantLasting(*v.as<InstanceObj>()->type);
        recipe.what = W::Instance;
        parts({v.as<InstanceObj>()->attributes.val()}); // a script may have it as __dict__
        break;
    case Kind::Function:
        recipe.what = W::Function;
        parts(v.as<FunctionObj>()->closure);
        parts(v.as<FunctionObj>()->defaults);
        if (v.as<FunctionObj>()->attributes) parts({v.as<FunctionObj>()->attributes.val()});
        break;
    case Kind::Cell:
        recipe.what = W::Cell;
        recipe.parts.push_back(recipeOf(v.as<CellObj>()->value, name));
        break;
    case Kind::Tuple:
    case Kind::List:
    case Kind::Method:
    case Kind::Super:
    case Kind::Iterator:
    case Kind::Slice:
    case Kind::View:
        recipe.what = whatOf(v);
        parts(partsOf(v));
        break;
    case Kind::Symbol:
        recipe.what = W::Integer;
        recipe.value = {};
        recipe.number = static_cast<int32_t>(integers_.size());
        integers_.push_back(v.as<SymbolObj>()->size);
        break;
    case Kind::Number:
        recipe.what = W::Number;
        recipe.value = {};
        parts({v.as<NumberObj>()->tensor.val()});
        break;
    case Kind::Generator: {
        auto* g = v.as<GeneratorObj>();
        if (g->running)
            interp_.stop(base::said("'{}' is a running generator", name),
                         base::said("make a list of it first"));
        recipe.what = W::Generator;
        parts({g->result});
        if (!g->frame) break;
        parts({g->frame->function.val()});
        for (const std::vector<Val>* values :
             {&g->frame->locals, &g->frame->cells, &g->frame->stack})
            parts(*values);
        break;
    }
    case Kind::Bytes:
        recipe.what = v.as<BytesObj>()->changeable ? W::Bytes : W::Constant;
        break;
    default:
        recipe.what = W::Constant; // immutable: text, ranges, classes, built-ins
    }
}

int32_t Capture::recipeOfLocal(const Frame& frame, size_t depth, size_t slot, bool read) {
    const Val& v = frame.locals[slot];
    const auto at = [&] { return starts_[depth].locals + static_cast<int32_t>(slot); };
    const bool unread = !frame.unread.empty() && frame.unread[slot];
    const auto isHere = [&](const Source& s) {
        return s.load.what == GuardStep::What::LoadLocal && s.load.number == at() &&
               s.object == v.object();
    };
    const bool same =
        !read && !frame.unread.empty() && v.isObject() && std::ranges::any_of(sources_, isHere);
    if (!unread && !same) return recipeOf(v, frame.code->locals[slot]);
    const Start& start = starts_[depth]; // it was there from the start: so were its callers
    const auto source = static_cast<int32_t>(sources_.size());
    GuardStep load = GuardStep::of(GuardStep::What::LoadLocal, at());
    load.slot = source;
    load.from = -1;
    sources_.push_back({std::move(load),
                        -1,
                        fmt::format("L['{}']{}", frame.code->locals[slot], start.suffix),
                        false,
                        {},
                        nullptr});
    need(source);
    return added({Recipe::What::Source, source, {}, {}});
}

int32_t Capture::recipeOf(const Val& v, const std::string& name) {
    using W = Recipe::What;
    if (!v.isObject()) return added({W::Constant, 0, v, {}});
    if (v.is(Kind::Truth)) return recipeOf(interp_.plain(v), name);
    Object* o = v.object();
    auto done = recipeOf_.find(o);
    if (done != recipeOf_.end()) {
        if (done->second < 0)
            interp_.stop(base::said("'{}' contains itself", name),
                         base::said("return values without cycles"));
        unseen_.erase(o);
        return done->second;
    }
    auto known = byObject_.find(o);
    if (known != byObject_.end()) {
        need(known->second);
        int32_t id = added({W::Source, known->second, {}, {}});
        kept_.push_back(v);
        return recipeOf_[o] = id;
    }
    if (outside(o)) return added({W::Constant, 0, v, {}});
    interp_.checkStack();
    kept_.push_back(v);
    if (auto* t = v.to<TensorObj>(); t && t->fake)
        if (std::optional<int32_t> view = recipeOfWrittenView(*t)) return recipeOf_[o] = *view;
    recipeOf_[o] = -1;
    Recipe recipe;
    recipe.value = v;
    describe(v, name, recipe);
    if (recipe.value.isObject() && recipe.what != W::Constant)
        recipe.value = hollow(interp_, recipe.value);
    int32_t id = added(std::move(recipe));
    const bool container = o->kind == Kind::List || o->kind == Kind::Dict || o->kind == Kind::Set ||
                           o->kind == Kind::Tuple;
    auto* tensor = v.to<TensorObj>();
    Val attributes;
    if (container && interp_.classOf(v))
        attributes = static_cast<BuiltinTypeObj*>(o)->own->attributes;
    else if (tensor && tensor->attributes && tensor->attributes->size() > 0)
        attributes = tensor->attributes;
    if (attributes.bound()) {
        const int32_t names = recipeOf(attributes, name);
        id = added({W::Own, 0, hollow(interp_, v), {id, names}});
    }
    if (o->kind == Kind::Tensor) sharedRecipes_.emplace(v.as<TensorObj>()->fake->aliases.get(), id);
    return recipeOf_[o] = id;
}

} // namespace cutaway::capture
