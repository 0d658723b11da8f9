// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kinds of objects a script can hold.
#pragma once

#include "core/capture/text_hash.h"
#include "core/capture/value.h"
#include "core/frontend/script/token.h"
#include "core/ir/shape_env.h"
#include "core/runtime/random.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::capture {

class Interp;
struct Code;
struct Frame;
struct Arguments;
class CompiledUnit;

/// The text of a file, for messages and provenance.
struct SourceText {
    std::string file;
    std::vector<std::string> lines;
    bool library = false; ///< embedded script library: users step over it

    /// Line \p line (from 1) without surrounding spaces.
    std::string trimmed(int line) const;
    std::string between(const frontend::Span& span) const;
};

/// Calls \p visit for the objects among \p values.
void visitAll(const Object::Visitor& visit, std::span<const Val> values);
/// Drops the last value first, as lists and tuples of Python do: finalizers run in this order.
inline void dropFromEnd(std::vector<Val>& values) {
    while (!values.empty())
        values.pop_back();
}

struct ClassObj;
class DictObj;
class SetObj;
struct BigInt;

/// An object of a built-in type; an instance of a script's subclass has a class and attributes of
/// its own beside the type's contents.
struct BuiltinTypeObj : Object {
    struct Own {
        Val type, attributes; ///< a class, a dict
    };
    explicit BuiltinTypeObj(Kind kind) : Object(kind) {}
    static bool holds(Kind kind) {
        return kind == Kind::Str || kind == Kind::List || kind == Kind::Tuple ||
               kind == Kind::Dict || kind == Kind::Set || kind == Kind::Integer ||
               kind == Kind::Real || kind == Kind::Bytes;
    }
    std::unique_ptr<Own> own; ///< null: of the built-in type itself
    void clear() override { own.reset(); }
    void visit(const Visitor& visit) const override {
        if (!own) return;
        visitAll(visit, {&own->type, 1});
        visitAll(visit, {&own->attributes, 1});
    }
};

struct StrObj : BuiltinTypeObj {
    static constexpr Kind kKind = Kind::Str;
    static bool holds(Kind kind) { return kind == kKind; }
    explicit StrObj(std::string t) : BuiltinTypeObj(kKind), text(std::move(t)) {}
    std::string text;
    size_t hash = 0; ///< 0: not computed yet
    size_t hashed() {
        if (hash == 0) hash = textHash(text);
        return hash;
    }
};

struct ListObj : BuiltinTypeObj {
    static constexpr Kind kKind = Kind::List;
    static bool holds(Kind kind) { return kind == kKind; }
    ListObj() : BuiltinTypeObj(kKind) {}
    ~ListObj() override { dropFromEnd(items); }
    std::vector<Val> items;
    void clear() override {
        BuiltinTypeObj::clear();
        empty();
    }
    void empty() {
        std::vector<Val> dropped;
        dropped.swap(items);
        dropFromEnd(dropped);
        counted();
    }
    /// To be called when the list may have grown.
    void counted() { account(items.capacity() * sizeof(Val)); }
    void visit(const Visitor& visit) const override {
        BuiltinTypeObj::visit(visit);
        visitAll(visit, items);
    }
};

struct TupleObj : BuiltinTypeObj {
    static constexpr Kind kKind = Kind::Tuple;
    static bool holds(Kind kind) { return kind == kKind; }
    TupleObj() : BuiltinTypeObj(kKind) {}
    ~TupleObj() override { dropFromEnd(items); }
    std::vector<Val> items;
    bool size = false;       ///< a torch.Size
    size_t hash = 0;         ///< 0: not computed yet
    int64_t settledHash = 0; ///< 0: not computed yet; -1: none
    void clear() override {
        BuiltinTypeObj::clear();
        std::vector<Val>().swap(items);
    }
    void visit(const Visitor& visit) const override {
        BuiltinTypeObj::visit(visit);
        visitAll(visit, items);
    }
};

/// An int that has more than 64 bits or is of a script's class.
struct IntObj : BuiltinTypeObj {
    static constexpr Kind kKind = Kind::Integer;
    static bool holds(Kind kind) { return kind == kKind; }
    explicit IntObj(std::shared_ptr<const BigInt> v) : BuiltinTypeObj(kKind), value(std::move(v)) {}
    const std::shared_ptr<const BigInt> value;
};

/// A float that is of a script's class.
struct RealObj : BuiltinTypeObj {
    static constexpr Kind kKind = Kind::Real;
    static bool holds(Kind kind) { return kind == kKind; }
    explicit RealObj(double v) : BuiltinTypeObj(kKind), value(v) {}
    const double value;
};

/// bytes, or bytearray.
struct BytesObj : BuiltinTypeObj {
    static constexpr Kind kKind = Kind::Bytes;
    static bool holds(Kind kind) { return kind == kKind; }
    explicit BytesObj(std::string b, bool m = false)
        : BuiltinTypeObj(kKind), held(std::make_shared<std::string>(std::move(b))), bytes(*held),
          changeable(m) {}
    const std::shared_ptr<std::string> held; ///< a tensor may hold it, too
    std::string& bytes;
    const bool changeable;
};

struct ComplexObj : Object {
    static constexpr Kind kKind = Kind::Complex;
    ComplexObj(double r, double i) : Object(kKind), real(r), imaginary(i) {}
    const double real, imaginary;
};

/// Where a set's elements stand in CPython's table of hashes, which is the order that it gives them in.
struct SetTable {
    struct Place {
        int64_t hash = 0;
        int32_t entry = kEmpty;
    };
    static constexpr int32_t kEmpty = -1, kLeft = -2;
    std::vector<Place> places = std::vector<Place>(8);
    size_t fill = 0;   ///< places that are or were taken
    size_t finger = 0; ///< where pop() looks first
};

/// Insertion-ordered hash table with script keys; also namespaces of modules, classes, instances.
class DictObj : public BuiltinTypeObj {
public:
    static constexpr Kind kKind = Kind::Dict;
    DictObj(Kind kind = kKind) : BuiltinTypeObj(kind) {}
    static bool holds(Kind kind) { return kind == Kind::Dict || kind == Kind::Set; }

    struct Entry {
        Val key, value;
        size_t hash = 0;
        bool live() const { return key.bound(); }
    };

    /// Looks an interned or other string up. \p hint: where it was found last time.
    Val* find(StrObj* name, uint32_t& hint);
    Val* find(StrObj* name) {
        uint32_t hint = 0;
        return find(name, hint);
    }
    Val* find(std::string_view name);
    /// \p hash from hashOf().
    Val* find(const Val& key, size_t hash);
    void set(const Val& key, size_t hash, Val value);
    void set(StrObj* name, Val value) { set(Val(name), name->hashed(), std::move(value)); }
    bool erase(const Val& key, size_t hash);
    bool erase(StrObj* name) { return erase(Val(name), name->hashed()); }

    size_t size() const { return live_; }
    /// Entries in order of insertion, dead ones among them.
    const std::vector<Entry>& entries() const { return entries_; }
    /// What iteration goes through: a dict's entries, the places of a set.
    size_t places() const;
    const Entry* at(size_t place) const; ///< null: none there
    /// A fingerprint of the set of keys: the same for the same keys, whatever their order.
    uint64_t keySet() const { return keySet_; }
    void clear() override {
        BuiltinTypeObj::clear();
        empty();
    }
    void empty();
    void visit(const Visitor& visit) const override;
    struct Contents {
        std::vector<Entry> entries;
        std::shared_ptr<const SetTable> table = nullptr; ///< of a set; null: as the entries came
    };
    Contents contents() const;
    void restore(Contents contents);

protected:
    friend class SetObj;
    int64_t locate(const Val& key, size_t hash) const;
    void rehash();
    void counted();

    std::vector<Entry> entries_;
    std::vector<int32_t> table_; ///< open addressing; empty while there are few entries
    size_t live_ = 0;
    uint64_t keySet_ = 0;
};

/// Its elements stand where CPython's hashes put them, if all have one that is the same in every process;
/// else (texts, most objects) as they came.
class SetObj : public DictObj {
public:
    static constexpr Kind kKind = Kind::Set;
    explicit SetObj(bool f = false) : DictObj(kKind), frozen(f) {}
    static bool holds(Kind kind) { return kind == kKind; }
    const bool frozen; ///< a frozenset
    /// null: the elements stand as they came.
    const SetTable* table() const { return table_.get(); }
    /// So many elements will be added at once.
    void makeRoom(size_t more);
    /// This set, which is empty, has the same elements as \p other: at the same places, if it can.
    void standAs(const SetObj& other);
    /// Of the same elements as \p model, whose places they take.
    void standLike(const SetObj& model);
    /// After many were taken away at once.
    void closeGaps();
    /// The element that pop() takes; null: the set is empty.
    const Entry* next();

private:
    friend class DictObj;
    SetTable& changeable();
    void stand(const Val& key, int32_t entry);
    void leave(int32_t entry);
    void resize(size_t more);
    size_t grown() const { return size() > 50000 ? size() * 2 : size() * 4; }
    std::shared_ptr<SetTable> table_ = std::make_shared<SetTable>();
};

/// Equality of dict keys: numbers by value, strings and tuples by content, the rest by identity.
bool sameKey(const Val& a, const Val& b, int depth = 0);
/// CPython's hash of a value, if it is the same in every process: of numbers and of what consists of them.
std::optional<int64_t> settledHash(const Val& v, int depth = 0);
/// Hash of a dict key; nothing for lists, dicts and sets.
std::optional<size_t> hashOf(const Val& key, int depth = 0);

/// What d.keys(), d.values() and d.items() give: they see later changes of the dict.
struct ViewObj : Object {
    static constexpr Kind kKind = Kind::View;
    enum class Of : uint8_t { Keys, Values, Items };
    ViewObj(Val d, Of o) : Object(kKind), dict(std::move(d)), of(o) {}
    Val dict;
    const Of of;
    void clear() override { dict = Val(); }
    void visit(const Visitor& visit) const override { visitAll(visit, {&dict, 1}); }
};

struct RangeObj : Object {
    static constexpr Kind kKind = Kind::Range;
    RangeObj() : Object(kKind) {}
    int64_t start = 0, stop = 0, step = 1;
    int64_t length() const {
        if (step > 0) return start < stop ? (stop - start - 1) / step + 1 : 0;
        return start > stop ? (start - stop - 1) / -step + 1 : 0;
    }
};

struct SliceObj : Object {
    static constexpr Kind kKind = Kind::Slice;
    SliceObj() : Object(kKind) {}
    Val start, stop, step;
    void clear() override { start = stop = step = Val(); }
    void visit(const Visitor& visit) const override {
        visitAll(visit, {&start, 1});
        visitAll(visit, {&stop, 1});
        visitAll(visit, {&step, 1});
    }
};

struct CellObj : Object {
    static constexpr Kind kKind = Kind::Cell;
    CellObj() : Object(kKind) {}
    Val value;
    void clear() override { value = Val(); }
    void visit(const Visitor& visit) const override { visitAll(visit, {&value, 1}); }
};

struct FunctionObj : Object {
    static constexpr Kind kKind = Kind::Function;
    FunctionObj() : Object(kKind) {}
    std::shared_ptr<const Code> code;
    Ref<DictObj> globals;
    std::vector<Val> closure;  ///< cells
    std::vector<Val> defaults; ///< of the last parameters that are not keyword-only
    Ref<DictObj> keywordDefaults;
    Ref<DictObj> attributes;
    Val definingClass; ///< for super()
    std::string name, qualifiedName;
    void clear() override;
    void visit(const Visitor& visit) const override;
};

struct MethodObj : Object {
    static constexpr Kind kKind = Kind::Method;
    MethodObj(Val f, Val s) : Object(kKind), function(std::move(f)), self(std::move(s)) {}
    Val function, self;
    void clear() override { function = self = Val(); }
    void visit(const Visitor& visit) const override {
        visitAll(visit, {&function, 1});
        visitAll(visit, {&self, 1});
    }
};

/// Positional and keyword arguments of one call.
struct Arguments {
    std::span<const Val> positional;
    std::span<const std::pair<StrObj*, Val>> keywords;
};

using BuiltinFunction = Val (*)(Interp&, const struct BuiltinObj& self, const Arguments&);

struct BuiltinObj : Object {
    static constexpr Kind kKind = Kind::Builtin;
    BuiltinObj(std::string n, BuiltinFunction f) : Object(kKind), name(std::move(n)), function(f) {}
    std::string name; ///< as the script names it: "torch.cos", "len"
    BuiltinFunction function;
    std::string text;            ///< what the function needs: an operation's name
    const char* stops = nullptr; ///< why capture must stop before it, or null
    bool takesSymbols = false;   ///< sizes may come as symbols; else they come as numbers
    /// Methods of built-in types: of which type their first argument must be; a call checks it.
    const ClassObj* receiver = nullptr;
};

struct ClassObj : Object {
    static constexpr Kind kKind = Kind::Class;
    explicit ClassObj(std::string n) : Object(kKind), name(std::move(n)) {}
    std::string name, qualifiedName;
    ~ClassObj() override { leaveBases(); }
    std::vector<Ref<ClassObj>> bases;
    /// Of scripts and the library, in the order in which they were made; object keeps none.
    std::vector<ClassObj*> subclasses;
    void leaveBases();
    std::vector<ClassObj*> order; ///< method resolution order, itself first
    Ref<DictObj> attributes;
    bool module = false;    ///< torch.nn.Module or a subclass
    bool exception = false; ///< BaseException or a subclass
    /// Built-in types (int, str, torch.Tensor): how isinstance recognises them and a call makes
    /// one.
    bool (*recognises)(const Val&) = nullptr;
    Val constructor;     ///< what a call of a built-in type runs
    Val meta;            ///< its class, when that is not `type`
    bool native = false; ///< made by the evaluator: scripts cannot change it
    /// The built-in type whose contents the instances have; null: attributes only.
    const ClassObj* layout = nullptr;
    /// What its attributes and those of its bases say of how instances' attributes are found.
    enum Hook : uint8_t {
        GetAttribute = 1,
        SetAttribute = 2,
        DeleteAttribute = 4,
        Data = 8,
        Finalizer = 16 ///< __del__
    };
    uint8_t ownHooks = 0;
    uint8_t hooks() const {
        uint8_t all = 0;
        for (const ClassObj* c : order)
            all |= c->ownHooks;
        return all;
    }
    std::unique_ptr<std::vector<std::string>> slots; ///< names in __slots__, when all bases have it
    bool isSubclassOf(const ClassObj* other) const;
    /// An attribute of the class or its bases; null when there is none.
    Val* find(StrObj* attribute) const;
    /// The same, behind \p after in the order: what super() sees.
    Val* findBehind(const ClassObj* after, StrObj* attribute) const;
    void clear() override;
    void visit(const Visitor& visit) const override;
};

/// Where a call stands in the script.
struct CallSite {
    std::shared_ptr<const SourceText> source;
    frontend::Span span;
    std::string function;
};

struct Raised;

struct InstanceObj : Object {
    static constexpr Kind kKind = Kind::Instance;
    InstanceObj() : Object(kKind) {}
    Ref<ClassObj> type;
    Ref<DictObj> attributes;
    CallSite madeAt;        ///< modules: the line that created this one
    Val compiled;           ///< modules: set by module.compile()
    bool finalized = false; ///< its __del__ ran, or will next
    bool wantsFinalizer() const {
        return !finalized && type && (type->hooks() & ClassObj::Finalizer) != 0;
    }
    /// Exceptions that were caught: where they came from, for who raises them again.
    std::shared_ptr<const Raised> raised;
    void clear() override;
    void visit(const Visitor& visit) const override;
};

struct ModuleObj : Object {
    static constexpr Kind kKind = Kind::Module;
    explicit ModuleObj(std::string n) : Object(kKind), name(std::move(n)) {}
    std::string name; ///< "torch.nn"
    Ref<DictObj> attributes;
    /// Looks up what is not in `attributes` (operations of the catalogue); may be null.
    Val (*missing)(Interp&, ModuleObj&, StrObj* name) = nullptr;
    bool settable = false; ///< configuration modules take assignments
    void clear() override;
    void visit(const Visitor& visit) const override;
};

/// What capture knows of a tensor that has no values yet.
struct FakeTensor {
    ir::NodeId node;
    ir::TensorType type;
    uint64_t capture = 0;         ///< which capture it belongs to
    std::shared_ptr<int> aliases; ///< shared by views of one value; counts them
    bool leaf = false;            ///< requires_grad_() of a tensor that the capture made
    CallSite madeAt;
};

/// What mark_dynamic and the like said of one dimension of a tensor.
struct SizeMark {
    enum class Kind : uint8_t { Dynamic, Maybe, Static };
    size_t dim = 0;
    Kind kind = Kind::Dynamic;
    ir::SizeRange range;
    bool operator==(const SizeMark&) const = default;
};

/// An int of which capture knows an expression only.
struct SymbolObj : Object {
    static constexpr Kind kKind = Kind::Symbol;
    explicit SymbolObj(ir::Sym s) : Object(kKind), size(std::move(s)) {}
    const ir::Sym size;
};

/// Whether a condition on sizes holds: decided, with a guard, where a script needs to know.
struct TruthObj : Object {
    static constexpr Kind kKind = Kind::Truth;
    explicit TruthObj(ir::Condition c) : Object(kKind), condition(std::move(c)) {}
    const ir::Condition condition;
};

/// How a view was made, which says whether the tape can follow a write of it or of what it is of
/// (PyTorch: CreationMeta). A view of a view is made as that one was, if not worse.
enum class ViewOrigin : uint8_t {
    Recorded,
    Unrecorded,  ///< while no gradients were recorded
    OneOfSeveral ///< by an operation that gives several
};

/// Real tensors that see memory of one, the base, and whose gradients go through it: once one of
/// them is written, what the others are on the tape follows from the base.
struct MemoryViews {
    struct Window {
        std::weak_ptr<runtime::Tensor> tensor;
        ViewOrigin origin = ViewOrigin::Recorded;
    };
    runtime::TensorPtr base;
    std::vector<Window> windows;
    size_t prune = 16; ///< from so many on, those that are gone are dropped
    void add(const runtime::TensorPtr& window, ViewOrigin origin);
    /// Those that the tape knows nothing of require a gradient where the base does.
    void follow(bool requiresGrad);
};

struct TensorObj;

/// A tensor that others are views of: what their _base gives.
struct Viewed {
    TensorObj* object; ///< null: it is gone
    runtime::TensorPtr real;
};

/// How many tensors share memory.
struct Aliases {
    int count = 1;
    bool unseen = false; ///< some through a compiled function: not all are in MemoryViews
};

struct TensorObj : Object {
    static constexpr Kind kKind = Kind::Tensor;
    TensorObj() : Object(kKind) {}
    ~TensorObj() override {
        if (viewed) viewed->object = nullptr;
        leaveAliases();
        weigh(0);
    }
    /// The values of `real` take so many bytes.
    void weigh(size_t bytes) { accountTensor(weight_, bytes); }
    /// This tensor is a view of \p other, or both are of one value.
    void joinAliases(TensorObj& other) {
        leaveAliases();
        if (!other.aliases) other.aliases = std::make_shared<Aliases>();
        aliases = other.aliases;
        ++aliases->count;
    }
    /// This tensor is a view of \p other, or of what that is a view of.
    void becomeViewOf(TensorObj& other) {
        if (!other.viewOf && !other.viewed)
            other.viewed = std::make_shared<Viewed>(Viewed{&other, other.real});
        viewOf = other.viewOf ? other.viewOf : other.viewed;
    }
    bool sharesMemory() const { return aliases && aliases->count > 1; }
    /// This tensor no longer shares memory with views.
    void leaveAliases() {
        if (aliases) --aliases->count;
        aliases = nullptr;
        views = nullptr;
        origin = ViewOrigin::Recorded;
    }
    std::shared_ptr<Aliases> aliases;         ///< real tensors: of one value; null: no views
    std::shared_ptr<Viewed> viewOf;           ///< real tensors: null: no view
    std::shared_ptr<Viewed> viewed;           ///< what its views know of it; null: there were none
    std::shared_ptr<MemoryViews> views;       ///< real tensors: null: no views, or none on the tape
    ViewOrigin origin = ViewOrigin::Recorded; ///< views: how it was made
    runtime::TensorPtr real;                  ///< null under capture
    std::unique_ptr<FakeTensor> fake;         ///< null outside
    bool parameter = false;                   ///< torch.nn.Parameter
    bool inference = false;  ///< made under torch.inference_mode: no autograd knows it
    Ref<DictObj> attributes; ///< that a script gave it; null: none
    Ref<ClassObj> subclass;  ///< a script's class; null: torch.Tensor or Parameter
    Ref<TensorObj> gradient; ///< the object that .grad last gave, for identity
    CallSite madeAt;
    /// An input of the capture in progress: its type with symbols in it; else null.
    const ir::TensorType* seen = nullptr;
    std::unique_ptr<std::vector<SizeMark>> marks; ///< null: none
    const SizeMark* markOf(size_t dim) const {
        if (marks)
            for (const SizeMark& mark : *marks)
                if (mark.dim == dim) return &mark;
        return nullptr;
    }
    const ir::TensorType& type() const { return fake ? fake->type : seen ? *seen : real->type; }
    void clear() override {
        gradient = {};
        attributes = {};
        subclass = {};
    }
    void visit(const Visitor& visit) const override {
        visitAll(visit, {&gradient.val(), 1});
        visitAll(visit, {&subclass.val(), 1});
        visitAll(visit, {&attributes.val(), 1});
    }

private:
    size_t weight_ = 0;
};

/// Iterators over built-in values and those that zip, map and the like return.
struct IteratorObj : Object {
    static constexpr Kind kKind = Kind::Iterator;
    enum class Over : uint8_t {
        Sequence,
        Range,
        Dict,
        String,
        Zip,
        Enumerate,
        Map,
        Filter,
        Tensor,
        Reversed,
        Callable,
        Sentinel ///< calls parts[0] until it gives parts[1]
    };
    explicit IteratorObj(Over o) : Object(kKind), over(o) {}
    Over over;
    std::vector<Val> parts;               ///< what is iterated; map, filter: the function first
    static constexpr int64_t kStrict = 2; ///< step of a zip whose parts must be of one length
    int64_t at = 0, stop = 0, step = 1;
    void clear() override { std::vector<Val>().swap(parts); }
    void visit(const Visitor& visit) const override { visitAll(visit, parts); }
};

struct GeneratorObj : Object {
    static constexpr Kind kKind = Kind::Generator;
    GeneratorObj();
    ~GeneratorObj() override;
    std::unique_ptr<Frame> frame; ///< null when exhausted
    bool running = false, started = false;
    bool coroutine = false;
    bool captured = false; ///< made while capturing: nothing of it happens when it is given up
    Val result;            ///< what it returned, until that was asked for
    std::string name;
    void clear() override;
    void visit(const Visitor& visit) const override;
};

struct PropertyObj : Object {
    static constexpr Kind kKind = Kind::Property;
    PropertyObj() : Object(kKind) {}
    Val getter, setter, deleter, text; ///< text: __doc__
    void clear() override { getter = setter = deleter = text = Val(); }
    void visit(const Visitor& visit) const override {
        visitAll(visit, {&getter, 1});
        visitAll(visit, {&setter, 1});
        visitAll(visit, {&deleter, 1});
        visitAll(visit, {&text, 1});
    }
};

/// staticmethod and classmethod.
struct WrappedMethodObj : Object {
    WrappedMethodObj(Kind k, Val f) : Object(k), function(std::move(f)) {}
    static bool holds(Kind kind) { return kind == Kind::StaticMethod || kind == Kind::ClassMethod; }
    Val function;
    void clear() override { function = Val(); }
    void visit(const Visitor& visit) const override { visitAll(visit, {&function, 1}); }
};

struct SuperObj : Object {
    static constexpr Kind kKind = Kind::Super;
    SuperObj() : Object(kKind) {}
    Ref<ClassObj> after; ///< look behind this class in the order of self's class
    Val self;
    void clear() override {
        after = {};
        self = Val();
    }
    void visit(const Visitor& visit) const override {
        visitAll(visit, {&after.val(), 1});
        visitAll(visit, {&self, 1});
    }
};

struct GradFunctionObj;
/// The functions of the tape that a script holds, by their address (or that of the leaf).
using KnownGradFunctions = std::unordered_map<const void*, GradFunctionObj*>;

/// A function of the tape: what .grad_fn gives; behind a leaf the one that adds to its .grad.
struct GradFunctionObj : Object {
    static constexpr Kind kKind = Kind::GradFunction;
    GradFunctionObj(std::shared_ptr<runtime::GradFunction> f, runtime::TensorPtr l)
        : Object(kKind), function(std::move(f)), leaf(std::move(l)) {}
    ~GradFunctionObj() override {
        if (auto all = known.lock()) all->erase(address());
    }
    const void* address() const {
        return function ? static_cast<const void*>(function.get()) : leaf.get();
    }
    std::shared_ptr<runtime::GradFunction> function; ///< null: leaf is set
    runtime::TensorPtr leaf;
    Ref<ClassObj> type; ///< of the function's name
    std::weak_ptr<KnownGradFunctions> known;
    void clear() override { type = {}; }
    void visit(const Visitor& visit) const override { visitAll(visit, {&type.val(), 1}); }
};

/// The state behind a torch.Generator.
struct GeneratorStateObj : Object {
    static constexpr Kind kKind = Kind::GeneratorState;
    GeneratorStateObj() : Object(kKind) {}
    runtime::Generator generator;
};

/// Where an exception went through: what __traceback__ and sys.exc_info() give.
struct TracebackObj : Object {
    static constexpr Kind kKind = Kind::Traceback;
    explicit TracebackObj(Val e) : Object(kKind), exception(std::move(e)) {}
    Val exception;
    void clear() override { exception = Val(); }
    void visit(const Visitor& visit) const override { visitAll(visit, {&exception, 1}); }
};

/// What torch.compile returns.
struct CompiledObj : Object {
    static constexpr Kind kKind = Kind::Compiled;
    CompiledObj() : Object(kKind) {}
    std::shared_ptr<CompiledUnit> unit;
    Val original;
    void clear() override { original = Val(); }
    void visit(const Visitor& visit) const override { visitAll(visit, {&original, 1}); }
};

/// A number of which capture knows only the tensor that holds it: bool, int64 or float64, without
/// dimensions (graph_numbers.h).
struct NumberObj : Object {
    static constexpr Kind kKind = Kind::Number;
    explicit NumberObj(Ref<TensorObj> t) : Object(kKind), tensor(std::move(t)) {}
    Ref<TensorObj> tensor;
    /// Of one that follows from sizes alone: what it is in this call, the sizes, and whether it is more
    /// than 0 whatever they are. Who needs the number fixes them.
    std::optional<double> known;
    std::vector<ir::Sym> sizes;
    bool positive = false;
    ir::DType dtype() const { return tensor->type().dtype; }
    void clear() override { tensor = {}; }
    void visit(const Visitor& visit) const override { visitAll(visit, {&tensor.val(), 1}); }
};

} // namespace cutaway::capture
