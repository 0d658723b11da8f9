// SPDX-License-Identifier: Apache-2.0
#include "core/capture/objects.h"

#include "core/capture/frame.h"

#include <cmath>
#include <functional>
#include <stdexcept>

namespace cutaway::capture {

void Val::release(Object* o) {
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

void Heap::add(Object* o) {
    o->heap_ = this;
    o->serial = serial_++;
    o->next_ = first_;
    if (first_) first_->previous_ = o;
    first_ = o;
    ++live_;
}

void Heap::remove(Object* o) {
    (o->previous_ ? o->previous_->next_ : first_) = o->next_;
    if (o->next_) o->next_->previous_ = o->previous_;
    o->heap_ = nullptr;
    --live_;
}

void Heap::release(Object* o) {
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

namespace {
constexpr int kMaxKeyDepth = 500; ///< of tuples in tuples; deeper keys compare by identity
}

bool sameKey(const Val& a, const Val& b, int depth) {
    if (a.identical(b)) return true; // NaN, too: as in Python, where identity goes first
    if (a.isNumber() && b.isNumber()) {
        if (a.isIntegral() && b.isIntegral()) return a.asInt() == b.asInt();
        return a.asFloat() == b.asFloat();
    }
    if (a.tag() != b.tag()) return false;
    if (!a.isObject()) return false;
    if (auto* s = a.to<StrObj>()) return b.is(Kind::Str) && s->text == b.as<StrObj>()->text;
    if (auto* t = a.to<TupleObj>()) {
        auto* u = b.to<TupleObj>();
        if (!u || t->items.size() != u->items.size() || depth > kMaxKeyDepth) return false;
        for (size_t i = 0; i < t->items.size(); ++i)
            if (!sameKey(t->items[i], u->items[i], depth + 1)) return false;
        return true;
    }
    return false;
}

std::optional<size_t> hashOf(const Val& key, int depth) {
    auto mix = [](uint64_t x) {
        x ^= x >> 33;
        x *= 0xff51afd7ed558ccdull;
        return static_cast<size_t>((x ^ (x >> 33)) | 1);
    };
    switch (key.tag()) {
    case Tag::Bool:
    case Tag::Int:
        return mix(static_cast<uint64_t>(key.asInt()));
    case Tag::Float: {
        double f = key.asFloat();
        if (f == std::floor(f) && std::fabs(f) < 9e18)
            return mix(static_cast<uint64_t>(static_cast<int64_t>(f)));
        return std::hash<double>()(f) | 1;
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
    case Kind::Set:
        return std::nullopt;
    case Kind::Tuple: {
        uint64_t h = 0x345678;
        for (const Val& item : key.as<TupleObj>()->items) {
            auto one = depth > kMaxKeyDepth ? std::optional<size_t>(1) : hashOf(item, depth + 1);
            if (!one) return std::nullopt;
            h = h * 1000003 + *one;
        }
        return mix(h);
    }
    default:
        return mix(reinterpret_cast<uintptr_t>(key.object()));
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
    std::erase_if(entries_, [](const Entry& e) { return !e.live(); });
    table_.clear();
    if (entries_.size() <= 8) return;
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
    Entry dead = std::exchange(entries_[static_cast<size_t>(at)], Entry{});
    --live_;
    keySet_ ^= keyMark(hash);
    if (entries_.size() > 16 && live_ * 4 < entries_.size()) rehash();
    return true;
}

void DictObj::restore(std::vector<Entry> entries) {
    entries_ = std::move(entries);
    live_ = 0;
    keySet_ = 0;
    for (const Entry& e : entries_) {
        live_ += e.live();
        if (e.live()) keySet_ ^= keyMark(e.hash);
    }
    rehash();
}

void DictObj::clear() {
    std::vector<Entry> gone;
    gone.swap(entries_);
    table_.clear();
    live_ = 0;
    keySet_ = 0;
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

void ClassObj::clear() {
    attributes = {};
    constructor = Val();
    order.clear();
    bases.clear();
}

void InstanceObj::clear() {
    attributes = {};
    compiled = Val();
}

void ModuleObj::clear() {
    attributes = {};
}

GeneratorObj::GeneratorObj() : Object(kKind) {}
GeneratorObj::~GeneratorObj() = default;
void GeneratorObj::clear() {
    frame.reset();
}

} // namespace cutaway::capture
