// SPDX-License-Identifier: Apache-2.0
#include "core/capture/objects.h"

#include "core/capture/frame.h"
#include "core/capture/integers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <ranges>
#include <stdexcept>

namespace cutaway::capture {

[[gnu::hot]] void Val::release(Object* o) {
    if (o->heap_)
        o->heap_->release(o);
    else
        delete o;
}

void Val::wrongKind() const {
    throw std::logic_error("the evaluator took a value for one of another kind");
}

Object::~Object() {
    if (heap_) heap_->remove(this);
}

[[gnu::hot]] void Heap::add(Object* o, size_t bytes) {
    o->heap_ = this;
    o->size_ = static_cast<uint32_t>(bytes) + 16; // what the allocator adds
    bytes_ += o->size_ + o->held_;
    o->serial = serial_++;
    o->next_ = first_;
    if (first_) first_->previous_ = o;
    first_ = o;
    ++live_;
}

Object* Heap::find(const std::function<bool(const Object&)>& is) const {
    Object* o = first_;
    while (o && !is(*o))
        o = o->next_;
    return o;
}

void Heap::remove(Object* o) {
    if (o->weak_) leaveWatch(o);
    (o->previous_ ? o->previous_->next_ : first_) = o->next_;
    if (o->next_) o->next_->previous_ = o->previous_;
    o->heap_ = nullptr;
    bytes_ -= o->size_ + o->held_;
    --live_;
}

void Heap::attend() {
    if (cancel_.cancelled()) onCancel();
    if (bytes_ + tensorBytes_ >= collectAt_) collect();
    if (bytes_ > limit_) onLimit();
    attentionAt_ = std::min(collectAt_, limit_ + tensorBytes_ + 1);
}

bool Heap::room(size_t more) {
    if (more > limit_) return false;
    if (bytes_ + more > limit_) collect();
    return bytes_ + more <= limit_;
}

size_t Heap::collect() {
    constexpr uint32_t kReached = UINT32_MAX;
    size_t steps = 0;
    auto interrupted = [&] { return (++steps & 0xffff) == 0 && cancel_.cancelled(); };
    for (Object* o = first_; o; o = o->next_) {
        o->trial_ = o->references;
        if (interrupted()) return 0;
    }
    const Object::Visitor explain = [this](Object* to) {
        if (to->heap_ == this) --to->trial_;
    };
    for (Object* o = first_; o; o = o->next_) {
        o->visit(explain);
        if (interrupted()) return 0;
    }
    // What is counted from elsewhere, or not yet counted at all, is in use, and what it leads to.
    std::vector<Object*> reached;
    const Object::Visitor reach = [&](Object* to) {
        if (to->heap_ != this || to->trial_ == kReached) return;
        to->trial_ = kReached;
        reached.push_back(to);
    };
    auto followed = [&] {
        while (!reached.empty()) {
            Object* next = reached.back();
            reached.pop_back();
            next->visit(reach);
            if (interrupted()) return false;
        }
        return true;
    };
    for (Object* o = first_; o; o = o->next_) {
        if (o->trial_ > 0 || o->references == 0) reach(o);
        if (!followed()) return 0;
    }
    // What a __del__ will see is in use until it ran.
    std::vector<Object*> finished;
    for (Object* o = first_; o; o = o->next_)
        if (o->trial_ != kReached && wantsFinalizer(o)) finished.push_back(o);
    for (Object* o : finished) {
        reach(o);
        if (!followed()) return 0;
    }
    for (Object* o : finished | std::views::reverse) // the oldest first
        abandon(o);
    std::vector<Val> garbage; // keeps everything alive while references are dropped
    for (Object* o = first_; o; o = o->next_)
        if (o->trial_ != kReached) garbage.emplace_back(o);
    size_t count = garbage.size();
    for (Val& v : garbage) {
        v.object()->weak_ &= static_cast<uint8_t>(~Object::WantsTold);
        if (auto* instance = v.to<InstanceObj>(); instance && instance->attributes) --count;
    }
    for (Val& v : garbage)
        if (v.object()->weak_) leaveWatch(v.object());
    for (Val& v : garbage)
        v.object()->clear();
    garbage.clear();
    const size_t left = bytes_ + tensorBytes_;
    collectAt_ = left + std::max(kFirstCollection, left / 2);
    attentionAt_ = std::min(collectAt_, limit_ + tensorBytes_ + 1);
    return count;
}

void Heap::watch(Object* reference, Object* target, bool told) {
    leaveWatch(reference);
    watchers_[target].push_back(reference);
    watched_[reference] = target;
    target->weak_ |= Object::IsShown;
    reference->weak_ |= told ? Object::Shows | Object::WantsTold : Object::Shows;
}

Object* Heap::watched(const Object* reference) const {
    const auto found = watched_.find(reference);
    return found == watched_.end() ? nullptr : found->second;
}

std::vector<Object*> Heap::watchers(Object* target) const {
    const auto found = watchers_.find(target);
    return found == watchers_.end() ? std::vector<Object*>() : found->second;
}

bool Heap::takeGone(Object* reference) {
    const bool gone = (reference->weak_ & Object::Gone) != 0;
    reference->weak_ &= static_cast<uint8_t>(~Object::Gone);
    return gone;
}

/// \p o goes away: nothing shows it any more, and it shows nothing.
void Heap::leaveWatch(Object* o) {
    if (auto shown = watched_.extract(o)) {
        std::vector<Object*>& others = watchers_[shown.mapped()];
        std::erase(others, o);
        if (others.empty()) {
            watchers_.erase(shown.mapped());
            shown.mapped()->weak_ &= static_cast<uint8_t>(~Object::IsShown);
        }
    }
    if (auto references = watchers_.extract(o))
        for (Object* reference : references.mapped() | std::views::reverse) { // as in Python
            watched_.erase(reference);
            const bool told = (reference->weak_ & Object::WantsTold) && !ended_ && onAbandoned;
            reference->weak_ = told ? Object::Gone : 0;
            if (!told) continue;
            ++reference->references;
            abandoned_.push_back(reference);
        }
    o->weak_ &= Object::Gone;
}

bool Heap::wantsFinalizer(const Object* o) const {
    return o->kind == Kind::Instance && !ended_ && onAbandoned &&
           static_cast<const InstanceObj*>(o)->wantsFinalizer();
}

/// \p o lives until the evaluator has seen it.
void Heap::abandon(Object* o) {
    if (o->kind == Kind::Instance) static_cast<InstanceObj*>(o)->finalized = true;
    ++o->references;
    abandoned_.push_back(o);
}

void Heap::finishAll() {
    std::vector<Object*> all;
    for (Object* o = first_; o; o = o->next_)
        if (wantsFinalizer(o)) all.push_back(o);
    std::ranges::sort(all, std::less(), &Object::serial);
    for (Object* o : all)
        abandon(o);
    finishAbandoned();
}

/// What was abandoned since finishAbandoned() last looked has its place: before what waited.
void Heap::turnAbandoned() {
    std::reverse(abandoned_.begin() + static_cast<std::ptrdiff_t>(waiting_), abandoned_.end());
    waiting_ = abandoned_.size();
}

void Heap::finishAbandoned() {
    const size_t outer = waiting_;
    turnAbandoned();
    while (abandoned_.size() > outer) {
        Val next(abandoned_.back());
        --next.object()->references; // abandon() counted it
        abandoned_.pop_back();
        waiting_ = abandoned_.size();
        try {
            if (onAbandoned) onAbandoned(next.object());
            next = Val(); // may give up others
        } catch (...) {
            waiting_ = outer;
            throw;
        }
        turnAbandoned();
    }
    waiting_ = outer;
}

[[gnu::hot]] void Heap::release(Object* o) {
    if (o->kind == Kind::Generator && !ended_ && onAbandoned) {
        auto* generator = static_cast<GeneratorObj*>(o);
        if (generator->frame && generator->started && !generator->captured && !generator->running &&
            !generator->frame->blocks.empty()) {
            abandon(o); // until its `finally` has run
            return;
        }
    }
    if (wantsFinalizer(o)) {
        abandon(o);
        return;
    }
    if (o->weak_) leaveWatch(o);
    constexpr int kMaxDepth = 40;
    if (depth_ >= kMaxDepth) {
        pending_.push_back(o);
        return;
    }
    ++depth_;
    delete o;
    if (--depth_ > 0) return;
    while (!pending_.empty()) {
        Object* next = pending_.back();
        pending_.pop_back();
        ++depth_;
        delete next;
        --depth_;
    }
    if (ended_ && live_ == 0) delete this;
}

void Heap::clearAll() {
    onAbandoned = nullptr;
    waiting_ = 0;
    for (Object* o : std::exchange(abandoned_, {}))
        if (--o->references == 0) release(o);
    std::vector<Val> all; // keeps everything alive while references are dropped
    for (Object* o = first_; o; o = o->next_)
        all.emplace_back(o);
    ++depth_;
    for (Val& v : all)
        v.object()->clear();
    --depth_;
    ended_ = true;
    if (all.empty()) {
        delete this;
        return;
    }
    // The last release frees the heap itself when no outside reference is left.
    Val last = std::move(all.back());
    all.pop_back();
    all.clear();
}

std::string SourceText::trimmed(int line) const {
    if (line < 1 || line > static_cast<int>(lines.size())) return {};
    const std::string& text = lines[static_cast<size_t>(line - 1)];
    size_t from = text.find_first_not_of(" \t");
    if (from == std::string::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

std::string SourceText::between(const frontend::Span& span) const {
    std::string out;
    for (int line = span.line; line <= span.endLine && line <= static_cast<int>(lines.size());
         ++line) {
        const std::string& text = lines[static_cast<size_t>(line - 1)];
        int column = 0;
        for (char c : text) {
            if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++column;
            if ((line > span.line || column >= span.column) &&
                (line < span.endLine || column < span.endColumn))
                out += c;
        }
        if (line < span.endLine) out += '\n';
    }
    return out;
}

namespace {
constexpr int kMaxKeyDepth = 500; ///< of tuples in tuples; deeper keys compare by identity
}

void visitAll(const Object::Visitor& visit, std::span<const Val> values) {
    for (const Val& v : values)
        if (v.isObject()) visit(v.object());
}

bool sameKey(const Val& a, const Val& b, int depth) {
    if (a.identical(b)) return true; // NaN, too: as in Python, where identity goes first
    if (a.is(Kind::Real) || b.is(Kind::Real)) return sameKey(plainNumber(a), plainNumber(b), depth);
    if (a.isNumber() && b.isNumber()) {
        if (a.isIntegral() && b.isIntegral()) return a.asInt() == b.asInt();
        if (a.isFloat() && b.isFloat()) return a.asFloat() == b.asFloat();
        // By the exact value: a large integer has no float of its own.
        double real = a.isFloat() ? a.asFloat() : b.asFloat();
        return real >= -0x1p63 && real < 0x1p63 && real == std::floor(real) &&
               static_cast<int64_t>(real) == (a.isFloat() ? b : a).asInt();
    }
    if (a.is(Kind::Integer) || b.is(Kind::Integer)) {
        if (isInteger(a) && isInteger(b)) return compareIntegers(a, b) == 0;
        const Val& real = a.isFloat() ? a : b;
        return real.isFloat() && !std::isnan(real.asFloat()) && (isInteger(a) || isInteger(b)) &&
               compareInteger(a.isFloat() ? b : a, real.asFloat()) == 0;
    }
    if (a.tag() != b.tag()) return false;
    if (!a.isObject()) return false;
    if (auto* s = a.to<BytesObj>()) return b.is(Kind::Bytes) && s->bytes == b.as<BytesObj>()->bytes;
    if (auto* z = a.to<ComplexObj>()) {
        auto* y = b.to<ComplexObj>();
        return y && y->real == z->real && y->imaginary == z->imaginary;
    }
    if (auto* s = a.to<SetObj>()) {
        auto* t = b.to<SetObj>();
        if (!t || s->size() != t->size() || !s->frozen || !t->frozen) return false;
        for (const auto& e : s->entries())
            if (e.live() && !t->find(e.key, e.hash)) return false;
        return true;
    }
    if (auto* s = a.to<StrObj>()) return b.is(Kind::Str) && s->text == b.as<StrObj>()->text;
    if (auto* t = a.to<TupleObj>()) {
        auto* u = b.to<TupleObj>();
        if (!u || t->items.size() != u->items.size() || depth > kMaxKeyDepth) return false;
        t->tick();
        for (size_t i = 0; i < t->items.size(); ++i)
            if (!sameKey(t->items[i], u->items[i], depth + 1)) return false;
        return true;
    }
    return false;
}

std::optional<size_t> hashOf(const Val& key, int depth) {
    static const uint64_t salt[] = {textHash("first"), textHash("second")};
    auto mix = [](uint64_t x) {
        x = (x ^ salt[0]) * 0xff51afd7ed558ccdull;
        x = ((x ^ (x >> 33)) + salt[1]) * 0xc4ceb9fe1a85ec53ull;
        return static_cast<size_t>((x ^ (x >> 33)) | 1);
    };
    switch (key.tag()) {
    case Tag::Bool:
    case Tag::Int:
        return mix(static_cast<uint64_t>(key.asInt()));
    case Tag::Float: {
        double f = key.asFloat();
        if (f == std::floor(f) && f >= -0x1p63 && f < 0x1p63)
            return mix(static_cast<uint64_t>(static_cast<int64_t>(f)));
        if (std::isfinite(f) && std::fabs(f) >= 0x1p63) return mix(wholeFloatHash(f));
        return mix(std::bit_cast<uint64_t>(f));
    }
    case Tag::Object:
        break;
    default:
        return mix((static_cast<uint64_t>(key.tag()) << 32) ^
                   static_cast<uint64_t>(key.tag() == Tag::None ? 0 : key.asInt()));
    }
    switch (key.object()->kind) {
    case Kind::Str:
        return key.as<StrObj>()->hashed();
    case Kind::List:
    case Kind::Dict:
        return std::nullopt;
    case Kind::Set: {
        if (!key.as<SetObj>()->frozen) return std::nullopt;
        uint64_t all = 0x9e3779b9;
        for (const auto& e : key.as<SetObj>()->entries())
            if (e.live()) all += mix(e.hash);
        return mix(all);
    }
    case Kind::Real:
        return hashOf(plainNumber(key));
    case Kind::Integer: {
        const Val small = plainInteger(key);
        return small.isIntegral() ? hashOf(small) : mix(static_cast<uint64_t>(integerHash(key)));
    }
    case Kind::Bytes:
        if (key.as<BytesObj>()->changeable) return std::nullopt;
        return textHash(key.as<BytesObj>()->bytes);
    case Kind::Complex:
        return mix(std::bit_cast<uint64_t>(key.as<ComplexObj>()->real) * 31 +
                   std::bit_cast<uint64_t>(key.as<ComplexObj>()->imaginary));
    case Kind::Slice:
        return std::nullopt;
    case Kind::Method:
        return mix(key.as<MethodObj>()->self.bits() * 31 + key.as<MethodObj>()->function.bits());
    case Kind::Tuple: {
        auto* tuple = key.as<TupleObj>();
        if (tuple->hash != 0) return tuple->hash;
        tuple->tick();
        uint64_t h = 0x345678;
        for (const Val& item : tuple->items) {
            auto one = depth > kMaxKeyDepth ? std::optional<size_t>(1) : hashOf(item, depth + 1);
            if (!one) return std::nullopt;
            h = h * 1000003 + *one;
        }
        return tuple->hash = mix(h);
    }
    default:
        return mix(key.object()->serial);
    }
}

/// What a key adds to the fingerprint of its dict: spread over all bits, so that sums differ.
static uint64_t keyMark(size_t hash) {
    uint64_t x = hash + 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

int64_t DictObj::locate(const Val& key, size_t hash) const {
    auto matches = [&](const Entry& e) {
        return e.live() && e.hash == hash && sameKey(e.key, key);
    };
    if (table_.empty()) {
        for (size_t i = 0; i < entries_.size(); ++i)
            if (matches(entries_[i])) return static_cast<int64_t>(i);
        return -1;
    }
    size_t mask = table_.size() - 1;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        int32_t i = table_[slot];
        if (i < 0) return -1;
        if (matches(entries_[static_cast<size_t>(i)])) return i;
    }
}

void DictObj::rehash() {
    if (auto* set = kind == Kind::Set ? static_cast<SetObj*>(this) : nullptr; set && set->table_) {
        std::vector<int32_t> moved(entries_.size());
        int32_t live = 0;
        for (size_t i = 0; i < entries_.size(); ++i)
            moved[i] = entries_[i].live() ? live++ : SetTable::kLeft;
        if (live < static_cast<int32_t>(entries_.size()))
            for (SetTable::Place& place : set->changeable().places)
                if (place.entry >= 0) place.entry = moved[static_cast<size_t>(place.entry)];
    }
    std::erase_if(entries_, [](const Entry& e) { return !e.live(); });
    table_.clear();
    if (entries_.size() <= 8) return counted();
    size_t capacity = 32;
    while (capacity < entries_.size() * 4)
        capacity *= 2;
    table_.assign(capacity, -1);
    for (size_t i = 0; i < entries_.size(); ++i) {
        size_t slot = entries_[i].hash & (capacity - 1);
        while (table_[slot] >= 0)
            slot = (slot + 1) & (capacity - 1);
        table_[slot] = static_cast<int32_t>(i);
    }
    counted();
}

void DictObj::counted() {
    size_t bytes = entries_.capacity() * sizeof(Entry) + table_.capacity() * sizeof(table_[0]);
    if (kind == Kind::Set)
        if (const SetTable* table = static_cast<const SetObj*>(this)->table())
            bytes += table->places.capacity() * sizeof(SetTable::Place);
    account(bytes);
}

Val* DictObj::find(const Val& key, size_t hash) {
    int64_t at = locate(key, hash);
    return at < 0 ? nullptr : &entries_[static_cast<size_t>(at)].value;
}

Val* DictObj::find(StrObj* name, uint32_t& hint) {
    if (hint < entries_.size()) {
        Entry& e = entries_[hint];
        if (e.key.isObject() && e.key.object() == name) return &e.value;
    }
    int64_t at = locate(Val(name), name->hashed());
    if (at < 0) return nullptr;
    hint = static_cast<uint32_t>(at);
    return &entries_[hint].value;
}

Val* DictObj::find(std::string_view name) {
    for (Entry& e : entries_)
        if (e.key.is(Kind::Str) && e.key.as<StrObj>()->text == name) return &e.value;
    return nullptr;
}

void DictObj::set(const Val& key, size_t hash, Val value) {
    if (int64_t at = locate(key, hash); at >= 0) {
        entries_[static_cast<size_t>(at)].value = std::move(value);
        return;
    }
    ++live_;
    keySet_ ^= keyMark(hash);
    entries_.push_back({key, std::move(value), hash});
    if (kind == Kind::Set)
        static_cast<SetObj*>(this)->stand(key, static_cast<int32_t>(entries_.size() - 1));
    counted();
    if (entries_.size() > 8 && entries_.size() * 2 > table_.size()) return rehash();
    if (table_.empty()) return;
    size_t mask = table_.size() - 1, slot = hash & mask;
    while (table_[slot] >= 0)
        slot = (slot + 1) & mask;
    table_[slot] = static_cast<int32_t>(entries_.size() - 1);
}

bool DictObj::erase(const Val& key, size_t hash) {
    int64_t at = locate(key, hash);
    if (at < 0) return false;
    if (kind == Kind::Set) static_cast<SetObj*>(this)->leave(static_cast<int32_t>(at));
    Entry dead = std::exchange(entries_[static_cast<size_t>(at)], Entry{});
    --live_;
    keySet_ ^= keyMark(hash);
    if (entries_.size() > 16 && live_ * 4 < entries_.size()) rehash();
    return true;
}

DictObj::Contents DictObj::contents() const {
    return {entries_, kind == Kind::Set ? static_cast<const SetObj*>(this)->table_ : nullptr};
}

void DictObj::restore(Contents contents) {
    auto* set = kind == Kind::Set ? static_cast<SetObj*>(this) : nullptr;
    if (set && !contents.table) {
        empty();
        for (const Entry& e : contents.entries)
            if (e.live()) this->set(e.key, e.hash, e.value);
        return;
    }
    entries_ = std::move(contents.entries);
    if (set) set->table_ = std::const_pointer_cast<SetTable>(contents.table); // changeable() copies
    live_ = 0;
    keySet_ = 0;
    for (const Entry& e : entries_) {
        live_ += e.live();
        if (e.live()) keySet_ ^= keyMark(e.hash);
    }
    rehash();
}

void DictObj::empty() {
    std::vector<Entry> gone;
    gone.swap(entries_);
    std::vector<int32_t>().swap(table_);
    if (kind == Kind::Set) static_cast<SetObj*>(this)->table_ = std::make_shared<SetTable>();
    live_ = 0;
    keySet_ = 0;
    counted();
}

void DictObj::visit(const Visitor& visit) const {
    BuiltinTypeObj::visit(visit);
    for (const Entry& e : entries_) {
        visitAll(visit, {&e.key, 1});
        visitAll(visit, {&e.value, 1});
    }
}

void FunctionObj::visit(const Visitor& visit) const {
    visitAll(visit, closure);
    visitAll(visit, defaults);
    for (const Val* v : {&globals.val(), &keywordDefaults.val(), &attributes.val(), &definingClass})
        visitAll(visit, {v, 1});
}

void FunctionObj::clear() {
    std::vector<Val>().swap(closure);
    std::vector<Val>().swap(defaults);
    globals = {};
    keywordDefaults = {};
    attributes = {};
    definingClass = Val();
}

bool ClassObj::isSubclassOf(const ClassObj* other) const {
    for (const ClassObj* c : order)
        if (c == other) return true;
    return false;
}

Val* ClassObj::find(StrObj* attribute) const {
    for (ClassObj* c : order)
        if (c->attributes)
            if (Val* found = c->attributes->find(attribute)) return found;
    return nullptr;
}

Val* ClassObj::findBehind(const ClassObj* after, StrObj* attribute) const {
    bool behind = false;
    for (ClassObj* c : order) {
        if (behind && c->attributes)
            if (Val* found = c->attributes->find(attribute)) return found;
        behind |= c == after;
    }
    return nullptr;
}

void ClassObj::leaveBases() {
    for (const Ref<ClassObj>& base : bases)
        std::erase(base->subclasses, this);
}

void ClassObj::clear() {
    leaveBases();
    attributes = {};
    constructor = meta = Val();
    order.clear();
    bases.clear();
}

void ClassObj::visit(const Visitor& visit) const {
    for (const Ref<ClassObj>& base : bases)
        visitAll(visit, {&base.val(), 1});
    visitAll(visit, {&attributes.val(), 1});
    visitAll(visit, {&constructor, 1});
    visitAll(visit, {&meta, 1});
}

void InstanceObj::visit(const Visitor& visit) const {
    for (const Val* v : {&type.val(), &attributes.val(), &compiled})
        visitAll(visit, {v, 1});
}

void InstanceObj::clear() {
    attributes = {};
    compiled = Val();
}

void ModuleObj::clear() {
    attributes = {};
}

void ModuleObj::visit(const Visitor& visit) const {
    visitAll(visit, {&attributes.val(), 1});
}

GeneratorObj::GeneratorObj() : Object(kKind) {}
GeneratorObj::~GeneratorObj() = default;
void GeneratorObj::clear() {
    result = Val();
    frame.reset();
}

void GeneratorObj::visit(const Visitor& visit) const {
    visitAll(visit, {&result, 1});
    if (!frame) return;
    for (const Val* v : {&frame->function.val(), &frame->globals.val(), &frame->names.val()})
        visitAll(visit, {v, 1});
    for (const std::vector<Val>* values : {&frame->locals, &frame->cells, &frame->stack})
        visitAll(visit, *values);
}

} // namespace cutaway::capture
