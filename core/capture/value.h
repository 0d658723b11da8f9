// SPDX-License-Identifier: Apache-2.0
/// \file
/// A script value: sixteen bytes, numbers held inline, everything else a counted reference to an
/// Object. Counting is not atomic: one program and its values belong to one thread at a time.
#pragma once

#include "core/capture/program.h"
#include "core/ir/dtype.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cutaway::capture {

enum class Kind : uint8_t {
    Str,
    List,
    Tuple,
    Dict,
    Set,
    Range,
    Slice,
    Cell,
    Function,
    Method,
    Builtin,
    Class,
    Instance,
    Module,
    Tensor,
    Iterator,
    Generator,
    Property,
    StaticMethod,
    ClassMethod,
    Super,
    Compiled,
    GradFunction,
    GeneratorState,
    Symbol,  ///< an int that is a size symbol or depends on some; under capture only
    Truth,   ///< a bool that depends on size symbols, which nothing has asked yet; the same
    Integer, ///< an int of more than 64 bits, or one of a script's subclass of int
    Real,    ///< a float of a script's subclass of float
    Bytes,
    Complex,
    View, ///< of a dict: keys, values, items
    Traceback,
    Number ///< one that the graph computes; under capture only
};

class Object;

/// All objects of one program: numbers them, counts their memory, frees towers of them without
/// recursion, and frees those that only hold each other.
class Heap {
public:
    /// \param limit bytes that the objects may take, tensors' values not counted
    Heap(base::CancelToken cancel, size_t limit) : cancel_(std::move(cancel)), limit_(limit) {}
    void add(Object* o, size_t bytes);
    void remove(Object* o);
    void release(Object* o);
    /// Empties every object; called when the program goes away.
    void clearAll();
    uint64_t nextSerial() const { return serial_; }
    /// What a library module makes when it is loaded is older than any capture, whenever that is.
    bool countAsLibrary(bool library) {
        if (library != library_) std::swap(serial_, otherSerial_);
        return std::exchange(library_, library);
    }
    size_t live() const { return live_; }
    /// An object that \p is says is meant, the newest first; null: none.
    Object* find(const std::function<bool(const Object&)>& is) const;

    /// Every loop of the evaluator whose length a script decides calls this: a cancelled script
    /// ends here, one that takes too much memory as well, and garbage is collected.
    void tick() {
        if (cancel_.cancelled() || bytes_ + tensorBytes_ >= attentionAt_) attend();
    }
    /// Whether \p more bytes are allowed (after a collection, when that helps).
    bool room(size_t more);
    size_t limit() const { return limit_; }
    /// Frees objects that only hold each other: trial deletion. Counts that no other object
    /// explains belong to the evaluator, so this may run wherever scripts' code may.
    /// \returns how many were freed, dicts of instances' attributes not counted.
    size_t collect();
    std::function<void()> onCancel, onLimit; ///< called by tick(); throw
    /// For suspended generators that nobody holds any more: their `finally` runs; for instances with
    /// a __del__; for weak references that want to be told that what they showed is gone.
    std::function<void(Object*)> onAbandoned;
    /// Calls onAbandoned in the order in which objects were given up, and for what that gives up
    /// before what was given up later; between two instructions, as it runs scripts' code.
    void finishAbandoned();
    bool hasAbandoned() const { return abandoned_.size() > waiting_; }
    /// \p reference shows \p target for as long as that is there, and with \p told is abandoned then.
    void watch(Object* reference, Object* target, bool told);
    /// What \p reference shows; null: it is gone.
    Object* watched(const Object* reference) const;
    /// The references that show \p target, the oldest first.
    std::vector<Object*> watchers(Object* target) const;
    /// Whether a weak reference shows \p target.
    static bool isShown(const Object* target);
    /// Whether \p reference was abandoned because what it showed is gone; says so once.
    bool takeGone(Object* reference);
    /// The script has ended: every __del__ that did not run does, the oldest first.
    void finishAll();

private:
    friend class Object;
    void attend();
    bool wantsFinalizer(const Object* o) const;
    void abandon(Object* o);
    void turnAbandoned();
    void leaveWatch(Object* o);

    std::vector<Object*> abandoned_; ///< the last is next
    size_t waiting_ = 0; ///< of them, those that an outer finishAbandoned() has in its order
    std::unordered_map<Object*, std::vector<Object*>> watchers_; ///< by target
    std::unordered_map<const Object*, Object*> watched_;         ///< by reference
    Object* first_ = nullptr;
    std::vector<Object*> pending_;
    base::CancelToken cancel_;
    uint64_t serial_ = uint64_t{1} << 32;
    uint64_t otherSerial_ = 1; ///< of the library's objects
    bool library_ = false;
    size_t live_ = 0;
    size_t limit_;
    size_t bytes_ = 0;       ///< of the objects, with what they hold outside themselves
    size_t tensorBytes_ = 0; ///< of values of tensors; a reason to collect, not limited here
    size_t collectAt_ = kFirstCollection, attentionAt_ = kFirstCollection;
    static constexpr size_t kFirstCollection = size_t{32} << 20;
    int depth_ = 0;
    bool ended_ = false; ///< the program is gone; the last object frees the heap
};

/// Base of everything on the heap. `serial` grows with every object made: capture uses it to tell
/// values it made itself from those that were there before.
class Object {
public:
    explicit Object(Kind kind) : kind(kind) {}
    Object(const Object&) = delete;
    virtual ~Object();
    /// Drops references to other objects (ends cycles).
    virtual void clear() {}
    /// Calls \p visit for every object that this one holds a counted reference to, once for each.
    using Visitor = std::function<void(Object*)>;
    virtual void visit(const Visitor& visit) const { (void)visit; }
    /// This object now holds so much memory outside itself.
    void account(size_t bytes) {
        if (heap_) heap_->bytes_ += bytes - held_;
        held_ = bytes;
    }
    /// Heap::tick() of its program.
    void tick() const {
        if (heap_) heap_->tick();
    }

    const Kind kind;

private:
    enum Weak : uint8_t { IsShown = 1, Shows = 2, WantsTold = 4, Gone = 8 };
    uint8_t weak_ = 0; ///< of Weak: what weak references have to do with it

public:
    uint32_t references = 0;
    uint64_t serial = 0;

protected:
    void accountTensor(size_t& known, size_t bytes) {
        if (heap_) heap_->tensorBytes_ += bytes - known;
        known = bytes;
    }

private:
    friend class Heap;
    friend class Val;
    Heap* heap_ = nullptr;
    Object *previous_ = nullptr, *next_ = nullptr;
    size_t held_ = 0;
    uint32_t size_ = 0;
    uint32_t trial_ = 0; ///< collect(): counts that no object explains so far
};

enum class Tag : uint8_t {
    Unbound,
    None,
    Bool,
    Int,
    Float,
    DType,
    Device,
    Ellipsis,
    NotImplemented,
    Object
};

class Val {
public:
    Val() : tag_(Tag::Unbound) { u_.i = 0; }
    static Val none() { return Val(Tag::None); }
    static Val ellipsis() { return Val(Tag::Ellipsis); }
    static Val notImplemented() { return Val(Tag::NotImplemented); }
    static Val boolean(bool b) {
        Val v(Tag::Bool);
        v.u_.i = b;
        return v;
    }
    static Val integer(int64_t i) {
        Val v(Tag::Int);
        v.u_.i = i;
        return v;
    }
    static Val real(double f) {
        Val v(Tag::Float);
        v.u_.f = f;
        return v;
    }
    static Val dtype(ir::DType d) {
        Val v(Tag::DType);
        v.u_.i = static_cast<int64_t>(d);
        return v;
    }
    static Val device(ir::Device d) {
        Val v(Tag::Device);
        v.u_.i = (static_cast<int64_t>(d.index) << 8) | static_cast<int64_t>(d.kind);
        return v;
    }
    Val(Object* o) : tag_(Tag::Object) {
        u_.o = o;
        ++o->references;
    }

    Val(const Val& other) : tag_(other.tag_), u_(other.u_) {
        if (tag_ == Tag::Object) ++u_.o->references;
    }
    Val(Val&& other) noexcept : tag_(std::exchange(other.tag_, Tag::Unbound)), u_(other.u_) {}
    Val& operator=(const Val& other) {
        Val copy(other);
        swap(copy);
        return *this;
    }
    Val& operator=(Val&& other) noexcept {
        Val taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~Val() { drop(); }
    void swap(Val& other) noexcept {
        std::swap(tag_, other.tag_);
        std::swap(u_, other.u_);
    }

    Tag tag() const { return tag_; }
    bool bound() const { return tag_ != Tag::Unbound; }
    bool isNone() const { return tag_ == Tag::None; }
    bool isBool() const { return tag_ == Tag::Bool; }
    bool isInt() const { return tag_ == Tag::Int; }
    bool isFloat() const { return tag_ == Tag::Float; }
    bool isObject() const { return tag_ == Tag::Object; }
    bool is(Kind kind) const { return tag_ == Tag::Object && u_.o->kind == kind; }
    bool isNumber() const { return tag_ == Tag::Bool || tag_ == Tag::Int || tag_ == Tag::Float; }
    bool isIntegral() const { return tag_ == Tag::Bool || tag_ == Tag::Int; }

    bool asBool() const { return u_.i != 0; }
    int64_t asInt() const { return u_.i; } ///< Bool and Int
    double asFloat() const { return tag_ == Tag::Float ? u_.f : static_cast<double>(u_.i); }
    ir::DType asDType() const { return static_cast<ir::DType>(u_.i); }
    ir::Device asDevice() const {
        return {static_cast<ir::Device::Kind>(u_.i & 0xff), static_cast<int>(u_.i >> 8)};
    }
    Object* object() const { return u_.o; }
    /// The object, which must be of class T: checked in every build, so that no mistake of the
    /// evaluator lets a script use one kind of object as another.
    template <typename T> T* as() const {
        if (tag_ != Tag::Object || !fits<T>(u_.o->kind)) wrongKind();
        return static_cast<T*>(u_.o);
    }
    /// The object when it is of class T (which names its Kind), else null.
    template <typename T> T* to() const { return is(T::kKind) ? static_cast<T*>(u_.o) : nullptr; }

    /// One number for each kind of value: the object's Kind, negative for inline values.
    int kindNumber() const {
        return tag_ == Tag::Object ? static_cast<int>(u_.o->kind) : -1 - static_cast<int>(tag_);
    }
    /// What identical() compares, next to the tag.
    int64_t bits() const { return u_.i; }
    /// The same object, or the same inline value.
    bool identical(const Val& other) const { return tag_ == other.tag_ && u_.i == other.u_.i; }

private:
    explicit Val(Tag tag) : tag_(tag) { u_.i = 0; }
    void drop() {
        if (tag_ == Tag::Object && --u_.o->references == 0) release(u_.o);
        tag_ = Tag::Unbound;
    }
    static void release(Object* o);
    template <typename T> static bool fits(Kind kind) {
        if constexpr (requires { T::holds(kind); })
            return T::holds(kind);
        else
            return kind == T::kKind;
    }
    [[noreturn]] void wrongKind() const;

    Tag tag_;
    union {
        int64_t i;
        double f;
        Object* o;
    } u_;
};

/// A counted reference to an object of a known class.
template <typename T> class Ref {
public:
    Ref() = default;
    Ref(T* object) : val_(object ? Val(object) : Val()) {}
    T* get() const { return val_.bound() ? val_.as<T>() : nullptr; }
    T* operator->() const { return val_.as<T>(); }
    T& operator*() const { return *val_.as<T>(); }
    explicit operator bool() const { return val_.bound(); }
    operator Val() const { return val_; }
    const Val& val() const { return val_; }

private:
    Val val_;
};

/// What programs hand out (program.h): a value with its program's lifetime.
class Value {
public:
    explicit Value(Val v) : val(std::move(v)) {}
    Val val;
};

inline bool Heap::isShown(const Object* target) {
    return (target->weak_ & Object::IsShown) != 0;
}

} // namespace cutaway::capture
