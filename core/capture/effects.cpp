// SPDX-License-Identifier: Apache-2.0
// Objects of the outside that a capture changes: they change for real while it runs, are put back
// at its end, and every call changes them again.
#include "core/base/said.h"
#include "core/capture/compiled_unit.h"
#include "core/capture/function_like.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace cutaway::capture {

using What = GuardStep::What;

namespace {

using Entries = std::vector<DictObj::Entry>;

const Val* valueIn(const Entries& entries, const Val& key) {
    for (const auto& e : entries)
        if (e.live() && e.key.identical(key)) return &e.value;
    return nullptr;
}

/// How many of the live entries of \p now stand in \p before in the same order, from the start.
size_t keptPrefix(const Entries& before, const Entries& now) {
    size_t kept = 0, at = 0;
    for (const auto& e : now) {
        if (!e.live()) continue;
        while (at < before.size() && !(before[at].live() && before[at].key.identical(e.key)))
            ++at;
        if (at++ >= before.size()) break;
        ++kept;
    }
    return kept;
}

DictObj* entriesOf(Object* o) {
    if (o->kind == Kind::Instance) return static_cast<InstanceObj*>(o)->attributes.get();
    return DictObj::holds(o->kind) ? static_cast<DictObj*>(o) : nullptr;
}

} // namespace

/// Whether every capture of this stretch has found it at the same place: else each would be for one
/// place alone.
bool Capture::standsStill(IteratorObj& iterator) {
    const int32_t source = sourceOf(&iterator);
    if (source < 0 || !history_) return source >= 0;
    const std::string place = "place of " + sources_[static_cast<size_t>(source)].text;
    history_->note(place, {iterator.at, iterator.stop});
    return !history_->varies(place, 0) && !history_->varies(place, 1);
}

void Capture::readPlace(const IteratorObj& iterator, int32_t source, const Val& place) {
    guard(source, GuardStep::of(What::CheckPlace, 0, place), "ITERATOR_MATCH",
          "stands where it stood");
    const std::string text = sources_[static_cast<size_t>(source)].text;
    for (size_t i = 0; i < iterator.parts.size(); ++i) {
        const Val& part = iterator.parts[i];
        child(source, GuardStep::of(What::LoadPart, static_cast<int64_t>(i)),
              fmt::format("iterated({})", text), part);
        if (part.is(Kind::List) || part.is(Kind::Tuple) || part.is(Kind::Dict) ||
            part.is(Kind::Set))
            readLength(part.object());
    }
}

bool Capture::touch(Object* o) {
    if (touchedAt_.count(o)) return true;
    const bool isList = o->kind == Kind::List;
    const bool isTensor = o->kind == Kind::Tensor;
    auto* iterator = o->kind == Kind::Iterator ? static_cast<IteratorObj*>(o) : nullptr;
    if (iterator && !standsStill(*iterator)) return false;
    if (!isList && !isTensor && !iterator && o->kind != Kind::Cell && !entriesOf(o)) return false;
    const bool globals = interp_.top() && interp_.top()->globals.get() == o;
    if (globals && interp_.top()->code->source->library) return false; // nobody guards those
    const int32_t source = globals ? globalsSource(static_cast<DictObj*>(o)) : sourceOf(o);
    const bool names = source >= 0 && sourceLoad(source).what == What::LoadNames;
    const Object* owner = names ? sourceObject(sourceLoad(source).from) : nullptr;
    if (source < 0 || (names && owner->kind != Kind::Tensor)) return false;
    guardKind(source, Val(o));
    need(source);
    Touched now;
    now.object = Val(o);
    // Changing a container may move what it has, unseen: all of it counts as read.
    now.whole = isList || (DictObj::holds(o->kind) && !globals && !names);
    if (now.whole) readLength(o);
    if (isList) {
        now.items = static_cast<ListObj*>(o)->items;
        for (size_t i = 0; i < now.items.size(); ++i)
            static_cast<ListObj*>(o)->items[i] =
                settledItem(o, Val::integer(static_cast<int64_t>(i)), now.items[i]);
    } else if (isTensor) {
        noteGradOf(source);
        now.value = gradientOf(interp_, *static_cast<TensorObj*>(o));
    } else if (iterator) {
        now.value = iteratorLike(interp_, *iterator, {});
        readPlace(*iterator, source, now.value);
    } else if (o->kind == Kind::Cell) {
        now.value = static_cast<CellObj*>(o)->value;
    } else {
        now.entries = entriesOf(o)->entries();
        now.table = entriesOf(o)->contents().table;
        for (const auto& e : now.entries)
            if (now.whole && o->kind == Kind::Dict && e.live())
                static_cast<DictObj*>(o)->set(e.key, e.hash, settledItem(o, e.key, e.value));
        if (o->kind == Kind::Instance) touchedAt_[entriesOf(o)] = touched_.size();
    }
    touchedAt_[o] = touched_.size();
    touched_.push_back(std::move(now));
    return true;
}

bool Capture::changed(const Object* owner, const Val& key, const Val& v) const {
    const Touched* t = touched(owner);
    if (!t) return false;
    if (t->whole) return true;
    if (owner->kind == Kind::Cell) return !t->value.identical(v);
    const Val* before = valueIn(t->entries, key);
    return before ? !before->identical(v) : v.bound();
}

void Capture::restoreOutside() {
    for (Touched& t : touched_) {
        Object* o = t.object.object();
        if (auto* list = t.object.to<ListObj>())
            list->items = std::move(t.items);
        else if (auto* cell = t.object.to<CellObj>())
            cell->value = std::move(t.value);
        else if (auto* tensor = t.object.to<TensorObj>())
            tensor->gradient = Ref<TensorObj>(t.value.to<TensorObj>());
        else if (auto* iterator = t.object.to<IteratorObj>())
            placeLike(*iterator, *t.value.as<IteratorObj>());
        else
            entriesOf(o)->restore({std::move(t.entries), std::move(t.table)});
    }
    touched_.clear();
    touchedAt_.clear();
}

/// A call in which two of the objects are one runs otherwise.
void Capture::guardApart(Object* o) {
    const int32_t own = sourceOf(o);
    if (belongsToOneModule(own)) return;
    for (size_t i = 0; i < sources_.size(); ++i) {
        const Object* other = sources_[i].object;
        if (other && other != o && other->kind == o->kind && sources_[i].needed &&
            !belongsToOneModule(static_cast<int32_t>(i)))
            readDistinct(o, const_cast<Object*>(other));
    }
}

std::vector<Effect> Capture::effects() {
    std::vector<Effect> all;
    for (size_t i = 0; i < touched_.size(); ++i) {
        const Touched t = touched_[i];
        Object* o = t.object.object();
        Effect effect;
        effect.object = sourceOf(o);
        need(effect.object);
        if (o->kind != Kind::Tensor) guardApart(o); // gradOf_ has those
        if (auto* list = t.object.to<ListObj>()) {
            const bool same = list->items.size() == t.items.size() &&
                              std::equal(list->items.begin(), list->items.end(), t.items.begin(),
                                         [](const Val& a, const Val& b) { return a.identical(b); });
            if (same) continue;
            for (const Val& v : list->items)
                effect.values.push_back(recipeOf(v, "item"));
        } else if (auto* cell = t.object.to<CellObj>()) {
            if (cell->value.identical(t.value)) continue;
            effect.values.push_back(recipeOf(cell->value, "variable"));
        } else if (auto* tensor = t.object.to<TensorObj>()) {
            const Val& gradient = tensor->gradient.val();
            effect.values.push_back(recipeOf(gradient.bound() ? gradient : Val::none(), "grad"));
        } else if (auto* iterator = t.object.to<IteratorObj>()) {
            const auto& before = *t.value.as<IteratorObj>();
            if (iterator->at == before.at && iterator->stop == before.stop) continue;
            for (int64_t place : {iterator->at, iterator->stop})
                effect.values.push_back(recipeOf(Val::integer(place), "place"));
        } else {
            const Entries& now = entriesOf(o)->entries();
            size_t kept = keptPrefix(t.entries, now);
            for (const auto& e : t.entries) {
                size_t at = 0;
                bool stays = false;
                for (const auto& n : now)
                    if (n.live() && at++ < kept) stays |= n.key.identical(e.key);
                if (e.live() && !stays) effect.removed.push_back(recipeOf(e.key, "key"));
            }
            size_t at = 0;
            for (const auto& e : now) {
                if (!e.live()) continue;
                const Val* before = at++ < kept ? valueIn(t.entries, e.key) : nullptr;
                if (before && before->identical(e.value)) continue;
                effect.keys.push_back(recipeOf(e.key, "key"));
                const std::string name = e.key.is(Kind::Str) ? e.key.as<StrObj>()->text : "item";
                effect.values.push_back(recipeOf(e.value, name));
            }
            if (effect.keys.empty() && effect.removed.empty()) continue;
        }
        all.push_back(std::move(effect));
    }
    return all;
}

Val Capture::tryLater(const Val& function, std::span<const Val> arguments) {
    struct Later {
        bool& on;
        const bool before;
        ~Later() { on = before; }
    } later{later_, std::exchange(later_, true)};
    Since outer = std::exchange(since_, now());
    const bool records = recordsGradients_;
    auto takeBack = [&] {
        const bool cannot = since_.cannotUndo;
        if (!cannot) rollBack();
        since_ = std::move(outer);
        since_.cannotUndo |= cannot;
        recordsGradients_ = records;
        if (cannot)
            interp_.stop(
                base::said("what backward() had changed before it stopped cannot be taken back"),
                base::said("let it give gradients only"));
    };
    notLater_.reset();
    try {
        Val found = interp_.call(function, arguments);
        outer.undo.insert(outer.undo.end(), std::make_move_iterator(since_.undo.begin()),
                          std::make_move_iterator(since_.undo.end()));
        outer.saved.insert(outer.saved.end(), since_.saved.begin(), since_.saved.end());
        outer.cannotUndo |= since_.cannotUndo;
        since_ = std::move(outer);
        return found;
    } catch (const ScriptError& error) {
        takeBack();
        if (!error.exception.bound()) throw; // nothing may catch it
    } catch (CaptureStop& reason) {
        if (reason.before) throw; // all is captured again
        takeBack();
        reason.frames.clear();
        notLater_ = std::move(reason);
    }
    return {};
}

void Capture::wantTape() {
    if (notLater_) throw CaptureStop(*notLater_);
    interp_.stop(base::said("backward() of a torch.autograd.Function raises an exception"),
                 base::said("let it give a gradient, or None, for each argument of forward()"));
}

void Capture::wantNow() {
    if (later_)
        interp_.stop(
            base::said("backward() of a torch.autograd.Function changes what exists outside of it, "
                       "or draws random numbers"),
            base::said("let it give gradients only"));
}

void CompiledUnit::apply(const CacheEntry& entry, const std::vector<Val>& built) {
    // All values are made: only now may what the guards' slots point into move.
    std::vector<Val> objects;
    for (const Effect& effect : entry.effects)
        objects.push_back(entry.guards.value(effect.object));
    auto value = [&](int32_t recipe) { return built[static_cast<size_t>(recipe)]; };
    for (size_t i = 0; i < objects.size(); ++i)
        apply(entry.effects[i], objects[i], value);
}

void CompiledUnit::apply(const Effect& effect, Val object,
                         const std::function<Val(int32_t)>& value) {
    if (auto* list = object.to<ListObj>()) {
        list->items.clear();
        for (int32_t v : effect.values)
            list->items.push_back(value(v));
        list->counted();
    } else if (auto* cell = object.to<CellObj>()) {
        cell->value = value(effect.values[0]);
    } else if (auto* tensor = object.to<TensorObj>()) {
        const Val gradient = value(effect.values[0]);
        tensor->gradient = Ref<TensorObj>(gradient.to<TensorObj>());
        tensor->real->grad = tensor->gradient ? tensor->gradient->real : nullptr;
    } else if (auto* iterator = object.to<IteratorObj>()) {
        iterator->at = value(effect.values[0]).asInt();
        iterator->stop = value(effect.values[1]).asInt();
    } else {
        DictObj& dict = *entriesOf(object.object());
        for (int32_t key : effect.removed)
            interp_.eraseKey(dict, value(key));
        for (size_t k = 0; k < effect.keys.size(); ++k)
            interp_.put(dict, value(effect.keys[k]), value(effect.values[k]));
    }
}

} // namespace cutaway::capture
