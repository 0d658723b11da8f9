// SPDX-License-Identifier: Apache-2.0
/// \file
/// One capture: the graph being built and what it relies on. The evaluator reports every value that
/// it reads from outside (read...); each gets a source ("L['x']", "self.layers.0.weight"), tensors
/// among them become placeholders when an operation first uses them.
#pragma once

#include "core/capture/guards.h"
#include "core/capture/interp.h"
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_calls.h"
#include "core/ops/builder.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace cutaway::capture {

/// How to make a value of the result from a compiled graph's outputs and the call's own values.
/// Children come before parents.
struct Recipe {
    enum class What : uint8_t {
        Output,
        Source,
        Constant,
        Tuple,
        Size,
        List,
        Dict,
        Set,
        Instance,
        Function,
        Cell,
        Method,
        Iterator,
        Generator,
        Slice,
        Super,
        View,
        Bytes, ///< value: a bytearray to copy
        Own,   ///< parts: a container or tensor, its attributes; value: an instance with its class
        Integer,
        Operation, ///< value: its name; parts: arguments. Views of tensors that the call writes
        Item,      ///< number: which one of what an operation gives
        Number,    ///< of a tensor of one element
        Data       ///< .data of a tensor
    };
    What what = What::Constant;
    int32_t number = 0;         ///< output; slot; integer
    Val value;                  ///< constant; prototype of what is rebuilt
    std::vector<int32_t> parts; ///< recipes of the members; of what an output shares memory with
};

/// A change of an object of the outside that every call makes: recipes of what it has then. The
/// items of a list; the value of a cell; of dicts, sets and attributes, what is new in order.
struct Effect {
    int32_t object = 0; ///< slot
    std::vector<int32_t> removed, keys, values;
};

/// A tensor of the outside that every call writes.
struct OutsideWrite {
    int32_t slot = 0, output = 0; ///< the output is what it becomes
    bool counted = true;          ///< autograd is told; else it is written through .data alone
};

/// What must hold behind the graph of every call: torch._check of a number that the graph computes.
struct LaterCheck {
    int32_t output = 0;  ///< one truth value
    std::string message; ///< of the RuntimeError
    bool only = false;   ///< nothing else needs the output
};
/// Whether result \p output of a graph is there to be checked only.
inline bool isOnlyChecked(const std::vector<LaterCheck>& checks, size_t output) {
    return std::ranges::any_of(checks, [&](const LaterCheck& check) {
        return check.only && static_cast<size_t>(check.output) == output;
    });
}

/// Random numbers that every call draws before its graph runs, in the script's order.
struct DrawnInput {
    ir::TensorType type;
    std::vector<int32_t> sizes; ///< integers of the call, where the sizes are symbols; else empty
    runtime::Draw draw;
};

class Capture final : public ScriptObserver {
    friend class TorchCalls;

public:
    /// \param root the outermost frame that is captured; calls below it are inlined
    Capture(Interp& interp, Frame& root, SizeHistory* history = nullptr);
    ~Capture() override;
    Capture(const Capture&) = delete;

    TensorWorld& world() { return world_; }
    /// What is called of torch, where a backend of the script will ask; else null.
    std::shared_ptr<TorchCalls> calls;
    uint64_t startSerial() const { return startSerial_; }
    /// Takes back what the unfinished instruction did, or tryLater().
    void rollBack();

    // starting values
    /// A frame that the capture starts with: where its values stand among the call's (Roots), and
    /// what the texts of their sources end with.
    struct Start {
        Frame* frame;
        int32_t locals, stack, cells;
        std::string suffix;
    };
    void addFrame(Start start) { starts_.push_back(std::move(start)); }
    const Start* startOf(const Frame& frame) const;
    void addLocal(const Start& start, size_t slot);
    void addStack(const Start& start, size_t slot);
    void addCell(const Start& start, size_t slot);
    /// Something that comes with a frame. \p slot: among the locals of the call.
    void addExtra(int32_t slot, const Val& v, std::string text);
    /// The same, whoever it is.
    void addUnguarded(int32_t slot, const Val& v, std::string text);
    /// A value that belongs to the compiled function itself ("self" of a module).
    void addFixed(const Val& v, std::string text);

    // what the evaluator tells: script_observer.h
    void readValue(Object* o) override;
    void readUnread(Frame& frame, size_t slot) override;
    void readUnset(const Frame& frame, int32_t slot) override;
    void readGlobal(DictObj* globals, StrObj* name, const Val& v) override;
    void readNoGlobal(DictObj* globals, StrObj* name, const Val* builtin) override;
    void readCell(CellObj* cell, const std::string& name) override;
    void readAttr(Object* owner, StrObj* name, const Val& v) override;
    void readAbsent(Object* owner, StrObj* name) override;
    void readNoAttr(Object* owner, StrObj* name) override;
    void readClass(ClassObj& type, const ClassObj* after, StrObj* name, const Val* found) override;
    void readSubclasses(ClassObj& type, const Val& found) override;
    void readDefault(FunctionObj& function, size_t parameter, const Val& v) override;
    void readKeywordDefault(FunctionObj& function, StrObj* name, const Val& v) override;
    void readNames(Object* owner, DictObj& attributes) override;
    void readItem(Object* owner, const Val& key, const Val& v) override;
    std::optional<Val> attrSymbol(Object* owner, StrObj* name, const Val& v) override;
    std::optional<Val> itemSymbol(Object* owner, const Val& key, const Val& v) override;
    std::optional<Val> cellSymbol(CellObj* cell, const std::string& name) override;
    std::optional<Val> globalSymbol(DictObj* globals, StrObj* name, const Val& v) override;
    void readItems(Object* owner, const std::vector<Val>& items, int64_t start, int64_t step,
                   int64_t count) override;
    void readMissing(DictObj* dict, const Val& key) override;
    void readLength(Object* o) override;
    void readType(Object* o) override;
    void readIdentity(Object* o) override;
    void readDistinct(Object* a, Object* b) override;
    void readTensor(TensorObj& t) override;
    /// It becomes an input of the graph here: PyTorch's order, parameters where they are read,
    /// arguments where they are used.
    void readModuleTensor(TensorObj& t) override {
        if (t.real) nodeOf(t);
    }
    void readDefaultDevice() override;
    void readCurrentGpu() override;
    /// Keeps the state before an instruction of a resumable frame, which a break resumes from.
    void remember(const Frame& frame) override;
    /// Stops for objects of the outside that no call could change as the script does; keeps the old
    /// state of the others, since a break must find everything as it was before the instruction.
    void beforeChange(Object* o, const char* what) override;
    void beforeStop(const BuiltinObj& builtin) override;
    /// Stops where sizes follow from values of tensors. \p hint: for a break of the script's making.
    [[noreturn]] void wantCount(std::string message, const std::string& hint);
    /// The same at the next step of a loop that an earlier graph began.
    [[noreturn]] void wantIterator();
    void beforeFinalizable(const ClassObj& type) override;
    void madeGenerator(GeneratorObj& generator) override;
    /// Whether a generator that was made here stands inside of a try or with: its end is not seen.
    bool leavesGenerator() const;
    /// Stops: it is left there, or may be.
    [[noreturn]] void wantEnd();
    void steppedGenerator(const GeneratorObj& generator) override;
    bool resumesCalls() const override { return !outermostOnly; }
    /// The stop makes a weak reference: what locals hold that are not read again shows through it.
    bool makesWeak = false;
    /// Whether \p v, which nothing reads any more, stays in its variable behind a break: a script may
    /// see when it, or what it holds, is given up.
    bool staysUnread(const Val& v) const;

    /// \p gradient: unbound when there is none.
    void readGrad(TensorObj& t, const Val& gradient);
    /// .grad of a tensor of the outside was assigned: TensorObj::gradient has what it is.
    bool hasNewGrad(const TensorObj& t) const { return touched(&t) != nullptr; }
    /// An object of the outside that the script changed since the capture began.
    bool hasChanged(const Val& v) const { return touched(v.object()) != nullptr; }
    /// Whether some result wants a gradient: always asked for when the capture started with
    /// gradients on, else only within enable_grad().
    bool recordsGradients() const { return gradMode_ || recordsGradients_; }
    ir::Device startDevice() const { return startDevice_; }

    /// Appends an operation. \p args name tensors by their position in \p tensors.
    base::Result<std::vector<Val>> callOperation(const ops::OpDef& def, ir::ArgList args,
                                                 const std::vector<TensorObj*>& tensors,
                                                 bool aliases);
    /// What is captured in between is computed again in the backward; of nested regions the outer
    /// one counts.
    void enterCheckpoint() { checkpoints_ += checkpointDepth_++ == 0; }
    void leaveCheckpoint() { checkpointDepth_ -= checkpointDepth_ > 0; }
    /// A tensor that every call fills with random numbers of its own.
    Val drawnTensor(const ir::TensorType& type, const runtime::Draw& draw);
    Val constantTensor(ir::HostTensor value, ir::Device device);
    /// What the graph knows \p t as, a tensor of the outside.
    const ir::TensorType& typeOf(TensorObj& t) { return graph.node(nodeOf(t)).type(); }
    /// From here on \p t, and what shares its memory, has the value of \p now. Tensors of the
    /// outside get it in every call once the graph has run.
    void assign(TensorObj& t, const FakeTensor& now);

    // torch.autograd under capture: captured_gradients.cpp
    /// The gradients of the inputs as nodes of the graph, none where no output depends on one.
    std::vector<Val> gradients(const GradientRequest& request);
    /// loss.backward(): the gradients of leaves of the outside go into their .grad, in every call.
    /// Stops where it would reach anything else.
    void backward(const GradientRequest& request);
    /// Outputs of the graph that require a gradient although a backward() freed what computed them.
    const std::set<int32_t>& spentOutputs() const { return spentOutputs_; }
    /// \p t, computed here, as a leaf that requires a gradient.
    void makeLeaf(TensorObj& t);
    /// Runs a function of the script that belongs to a later backward(). Unbound, and as if it had
    /// not run, where it raises or needs what capture cannot give: changes what lies outside, draws
    /// random numbers, asks for a value. wantTape() then says why.
    Val tryLater(const Val& function, std::span<const Val> arguments);
    /// Stops: a function of the script goes on the tape.
    [[noreturn]] void wantTape();

    /// Whether \p t lies in a tensor of the outside with gaps that was changed in place: what the graph
    /// has of it lies otherwise.
    bool lostGaps(const TensorObj& t) const;
    /// \p t is the .data of a tensor.
    void ownWrites(TensorObj& t);
    /// What \p t, a tensor of the graph, is a view of, or itself.
    const TensorObj& viewed(const TensorObj& t) const {
        const auto known = views_.find(&t);
        return known == views_.end() ? t : *known->second.base.as<TensorObj>();
    }
    void become(TensorObj& t, TensorObj& view);
    /// An operation counts from the beginning of the storage of \p t, an input that begins it.
    void guardBeginning(TensorObj& t);
    /// TensorWorld::beginning(); what an input's number is is guarded.
    ir::Sym beginning(TensorObj& t);
    /// The nodes from \p firstNode on are of an operation in place; \p self: what it had as its first
    /// operand; \p savesResult: its gradient reads the result.
    ir::NodeId valueOf(TensorObj& t) { return nodeOf(t); }
    void noteInPlace(size_t firstNode, ir::NodeId self, bool savesResult);
    /// TensorWorld::overlap() of two tensors of the graph; false where sizes are not known.
    bool overlap(const TensorObj& a, const TensorObj& b, bool whole) const;

    // sizes that are symbols: capture_sizes.cpp
    /// The truth of a condition that the script asks; leaves a guard where it is not proved.
    bool decide(const ir::Condition& condition);
    /// The same; none where it is not proved and the graph is for a script, which can compute it.
    std::optional<bool> answer(const ir::Condition& condition);
    /// Whether \p size has 64 bits in the captured call; then in every call that the entry serves.
    bool keepsExact(const ir::Sym& size);
    /// The script needs the number.
    int64_t specialize(const ir::Sym& size);
    /// Sizes found equal are written alike; a graph without symbols loses its ShapeEnv.
    void settleSizes();
    /// What is known of the sizes that were symbols, those that the graph does without included.
    const ir::ShapeEnv* settledSizes() const { return settled_.get(); }
    /// After the graph was compiled: stages may ask, too.
    SizeChecks sizeChecks() const;
    std::optional<base::Diagnostic> brokenPromise() const;

    // numbers that the graph computes: graph_numbers.cpp
    /// The script needs the number itself: where it follows from floats of the call alone, the
    /// stretch is captured again with those as constants; else the graph ends here.
    [[noreturn]] void wantNumber(const NumberObj& number);
    /// The sources of the floats that \p number follows from; none where it needs anything else.
    std::vector<std::string> floatsBehind(const NumberObj& number) const;
    /// Whether \p number is a float that the call gives.
    bool isFloatInput(const NumberObj& number) const {
        return floatInputs_.contains(number.tensor->fake->node.index);
    }
    /// \p result is whether "number op value" holds of a float that the call gives.
    void noteOrder(const NumberObj& result, const NumberObj& number, CompareOp op, double value);
    /// Whether such a comparison holds, which is guarded; none: \p result is none.
    std::optional<bool> decideOrder(const NumberObj& result);
    /// Whether t.item() is one: where the script says so, and where no break may come.
    bool readsNumbers() const;
    /// Whether "number op value" holds, where torch._check() has said enough.
    std::optional<bool> answer(const NumberObj& number, CompareOp op, int64_t value) const;
    /// \p result is whether "number op value" holds.
    void noteComparison(const NumberObj& result, const NumberObj& number, CompareOp op,
                        int64_t value);
    /// Every call raises RuntimeError behind its graph where \p condition does not hold.
    void checkLater(const NumberObj& condition, std::string message);
    std::vector<LaterCheck> laterChecks();

    // the end
    /// The recipe of a result. Throws CaptureStop for what cannot be rebuilt.
    int32_t recipeOf(const Val& v, const std::string& name);
    /// The same of a frame's local.
    /// \p depth: of the frame among those that go on.
    /// \p read: it is read behind the break; else nothing is guarded of what it has had from the start.
    int32_t recipeOfLocal(const Frame& frame, size_t depth, size_t slot, bool read);
    /// What calls change in objects of the outside.
    std::vector<Effect> effects();
    /// Objects of the outside are again as they were.
    void restoreOutside();
    /// Whether something happened that a call would have to do.
    bool hasEffects() const { return !touched_.empty() || !written_.empty() || !draws.empty(); }
    std::vector<OutsideWrite> writes();
    /// Whether one of them has a tape, which the write leaves as it is.
    bool writesTracked() const;
    /// What \p v consists of, and recipes for its parts.
    void describe(const Val& v, const std::string& name, Recipe& recipe);
    /// Guards and loads, with what placeholders and recipes need.
    GuardProgram guardProgram(std::vector<int32_t>& inputSlots);
    /// Every tensor that has an open size is an input.
    void addSizedInputs();
    /// Removes placeholders that nothing reads, nor the calls.
    void removeUnusedInputs();
    /// Outputs that nothing but views without gradient is made of get none, either: a zero would
    /// reach what they are computed from.
    void cutUnseenOutputs();
    /// Placeholders that are tensors of modules and are not written.
    std::vector<ir::NodeId> moduleTensors() const;
    std::vector<ir::NodeId> writtenInputs() const;
    std::vector<GuardText> guardTexts() const;
    const std::vector<MadeModules>& madeModules() const { return madeModules_; }
    /// A constant or a key as text, without running the script's own __repr__.
    std::string show(const Val& v) const;
    /// "layers.0" for a module that was reached as self.layers.0; "" for others.
    std::string pathOf(const Object* module) const;
    const std::string& sourceText(int32_t source) const {
        return sources_[static_cast<size_t>(source)].text;
    }
    /// How the value of a source is reached from that of its parent (GuardStep::from).
    const GuardStep& sourceLoad(int32_t source) const {
        return sources_[static_cast<size_t>(source)].load;
    }
    /// Null for values that are no objects.
    const Object* sourceObject(int32_t source) const {
        return sources_[static_cast<size_t>(source)].object;
    }
    bool startGradMode() const { return gradMode_; }
    const TensorModes& startModes() const { return startModes_; }
    /// Where the sizes that are symbols are read from, and their names.
    std::span<const SizePlace> symbolPlaces() const { return symbolPlaces_; }
    std::string symbolName(size_t i) const { return settled_->symbols()[i].variable.str(); }
    /// An int of the result, once the sizes are settled.
    ir::Sym integer(int32_t number) const {
        const ir::Sym& size = integers_[static_cast<size_t>(number)];
        return settled_ ? settled_->replaced(size) : size;
    }

    ir::Graph graph{"captured"};
    bool noBreaks = false; ///< fullgraph: a break is an error
    /// Inputs with open sizes stay, though only their sizes are read: the graph asks them.
    bool keepsSized = false;
    bool outermostOnly = false; ///< called functions break as a whole
    bool stopsInside = false;   ///< before a generator stands inside of its try or with
    bool whole = false;         ///< the function from its start: only parameters come from outside
    std::vector<Recipe> recipes;
    std::vector<DrawnInput> draws;
    std::vector<Val> breakStack;

private:
    struct Source {
        GuardStep load;
        int32_t parent = -1;
        std::string text; ///< "L['x']"
        bool needed = false;
        base::Location where;
        const Object* object = nullptr;
        bool varies = false; ///< a module of which calls may have another one
    };
    /// An object of the outside that changed, as it was.
    struct Touched {
        Val object;
        std::vector<DictObj::Entry> entries;   ///< of a dict, a set, an instance
        std::shared_ptr<const SetTable> table; ///< of a set
        std::vector<Val> items;                ///< of a list
        Val value;                             ///< of a cell; a tensor's .grad
        bool whole = false;                    ///< all of it was noted as read before
    };
    struct Guard {
        GuardStep check;
        GuardText text;
        bool told = false; ///< only text: a lookup or a set of absent names checks it
    };

    /// Notes how an object of the outside was; false: such changes stop the capture.
    bool touch(Object* o);
    bool standsStill(IteratorObj& iterator);
    void readPlace(const IteratorObj& iterator, int32_t source, const Val& place);
    const Touched* touched(const Object* o) const {
        auto found = touchedAt_.empty() ? touchedAt_.end() : touchedAt_.find(o);
        return found == touchedAt_.end() ? nullptr : &touched_[found->second];
    }
    /// What \p owner has at \p key was put there by this capture (unbound: was taken away).
    bool changed(const Object* owner, const Val& key, const Val& v) const;
    void wantLeaves(const std::vector<bool>& cone, std::span<const Val> inputs);
    /// What autodiff::carriesGradient says of the graph so far.
    std::vector<bool> carries() const;
    /// The nodes of gradients(); invalid: nothing depends on that input.
    std::vector<ir::NodeId> gradientNodes(const GradientRequest& request,
                                          std::span<const Val> inputs);
    std::vector<Val> leavesBehind(const std::vector<ir::NodeId>& roots);
    void wantPlainLeaf(const Val& v);
    ir::NodeId ownGradient(ir::NodeId node, const TensorObj& leaf, size_t known,
                           std::set<uint32_t>& taken);
    void spend(const std::vector<ir::NodeId>& saving);
    bool isSpent(ir::NodeId node) const;
    TensorObj* madeTensor(ir::NodeId node, bool requiresGrad);
    void wantNow();
    void wantNoLeaf(const FakeTensor& t);
    void wantLasting(const ClassObj& type);
    void guardApart(Object* o);
    void noteGradOf(int32_t source);
    /// An int that varies, as a symbol. \param parent source that it is loaded from; -1: none
    std::optional<Val> symbolicInt(GuardStep load, int32_t parent, const Val& v,
                                   const std::string& text);
    /// Where something is found within a source; none: nothing to guard.
    struct Within {
        int32_t parent;
        GuardStep load;
        std::string text;
    };
    std::string cellText(int32_t cell, const std::string& name) const;
    std::optional<Within> attrWithin(Object* owner, StrObj* name, const Val& v);
    std::optional<Within> itemWithin(Object* owner, const Val& key, const Val& v);
    std::optional<Val> symbolWithin(const std::optional<Within>& at, const Val& v);
    /// Reads an item that a container is about to keep or lose; what it stays as: a symbol that was
    /// read before is one still.
    Val settledItem(Object* owner, const Val& key, const Val& v);
    static std::string pathOf(int32_t parent, const GuardStep& load);
    /// A function that a frame of this stretch has made: every call has one of its own.
    bool madeByFrame(const FunctionObj& f) const;
    /// One that differs from others of its text by its cells alone.
    static bool mayBeMadeAnew(const FunctionObj& f);
    /// A local that is a float and varies, as an input of the graph: graph_numbers.cpp.
    std::optional<Val> graphFloat(GuardStep load, const Val& v, const std::string& text);
    /// A value that a frame starts with: as it is, or as a symbol or an input where it varies.
    Val startingValue(const GuardStep& load, const Val& v, const std::string& text);
    // functional_views.cpp
    struct ViewStep {
        const ops::OpDef* def;
        ir::ArgList args;  ///< the first is what is viewed
        int result;        ///< of an operation with several; else -1
        bool recorded;     ///< made with gradients on
        ir::NodeId made;   ///< of an operation with several: their tuple
        bool data = false; ///< .data, whose writes autograd is not told of
    };
    /// What a tensor shows of another one.
    struct View {
        Val self, base;
        std::vector<ViewStep> steps; ///< from the base
        ir::Sym offset{int64_t{0}};  ///< elements from the base's first
        uint64_t version = 0;        ///< of the base, when the view's node was made
    };
    /// Whether a result of \p type lies in the memory of what is viewed: some operations copy if
    /// they must.
    static bool sharesElements(const ops::OpDef& def, const ir::TensorType& viewed,
                               const ir::TensorType& type);
    void noteView(TensorObj& view, TensorObj& of, ViewStep step);
    uint64_t versionOf(const Val& base) const;
    ir::Sym offsetOf(const ViewStep& step) const;
    ir::NodeId appended(std::string_view op, ir::ArgList args);
    ir::NodeId makeView(const ViewStep& step, ir::NodeId of);
    static bool recordedTo(const View& view);
    static bool wantsGradient(const TensorObj& base);
    void refreshView(TensorObj& t);
    /// Stops where an operation is on another GPU than those before.
    void wantOneGpu(ir::Device device);
    ir::NodeId withGradientOf(TensorObj& t, ir::NodeId node);
    ir::NodeId lyingAs(ir::NodeId node, const ir::TensorType& type);
    /// \p whole with \p part where \p step shows it.
    ir::NodeId putBack(const ViewStep& step, ir::NodeId whole, ir::NodeId part);
    ir::NodeId wholeWith(const View& view, ir::NodeId part);
    /// Stops where the tape could not follow a change of \p base. \p view: through which; or null.
    void wantRecordable(const TensorObj& base, const View* view);
    void forgetViews(size_t firstNode);
    std::optional<int32_t> recipeOfWrittenView(const TensorObj& t);
    int32_t added(Recipe recipe); ///< its number
    int32_t recipeOfStep(const ViewStep& step, int32_t seen);
    int32_t recipeOfPlaces(const ViewStep& step, int32_t seen);
    int32_t recipeOfUnseen(const View& view);
    int32_t recipeOfArgument(const ir::Arg& argument);
    [[noreturn]] void stopForView();
    void write(TensorObj& t, const FakeTensor& now, bool counted);
    int32_t sourceOf(Object* o);
    int32_t globalsSource(DictObj* globals);
    int32_t addSource(GuardStep load, int32_t parent, std::string text, const Val& v);
    void child(int32_t parent, GuardStep load, std::string text, const Val& v);
    ir::ShapeEnv& shapes();
    bool belongsToModule(int32_t source) const;
    /// The same, and every call has that module.
    bool belongsToOneModule(int32_t source) const;
    ir::Sym symbolFor(int64_t value, const std::string& source, SizePlace place, bool own,
                      ir::SizeRange range);
    ir::TensorType symbolicType(TensorObj& t, int32_t source);
    ir::Shape symbolicStrides(const ir::TensorType& type, const std::vector<int64_t>& strides,
                              const std::string& text, int32_t source);
    void guardTensor(TensorObj& t, int32_t source);
    void ask();
    void guardObject(int32_t source, const Val& v);
    void guardKind(int32_t source, const Val& v);
    void guardAbsent(int32_t source, StrObj* name);
    void tell(std::string kind, std::string source, std::string condition);
    void guard(int32_t source, GuardStep check, std::string kind, std::string condition);
    bool outside(const Object* o) const { return o->serial < startSerial_; }
    bool first(int32_t source, GuardStep::What what);
    bool matchesTensor(int32_t source) const;
    ir::NodeId nodeOf(TensorObj& t);
    ir::NodeId viewedBy(ir::NodeId id) const;
    std::vector<ir::NodeId> versionsOf(TensorObj& t);
    ir::NodeId changedSince(ir::NodeId by, ir::NodeId value) const;
    [[noreturn]] void refuseChanged(ir::NodeId by, ir::NodeId value);
    ir::NodeId detached(ir::NodeId node);
    base::Location here() const;
    int32_t outputOf(const FakeTensor& t, const std::string& name);
    void need(int32_t source);
    std::string placeholderName(const std::string& text) const;
    std::optional<int32_t> recipeOfShared(const FakeTensor& t);

    /// Where the script stands, down to the frame that is captured.
    ir::SourceStack sourceStack() const { return interp_.sourceStack(root_); }
    /// The path of the module whose forward() runs.
    std::string modulePath() const;
    /// Says of the nodes from here on where they stand, and in which modules.
    void setPlace();

    Interp& interp_;
    CapturingWorld world_{interp_, *this};
    Frame* root_;
    std::vector<Start> starts_; ///< outermost first
    uint64_t startSerial_;
    bool gradMode_;          ///< when the capture started
    ir::Device startDevice_; ///< the default then
    int gpu_ = -1;           ///< of the operations so far
    TensorModes startModes_;
    bool recordsGradients_ = false;
    ops::Builder builder_{graph};
    std::vector<Source> sources_;
    std::unordered_map<const Object*, int32_t> byObject_;
    std::map<std::string, int32_t> byPath_; ///< how a value is reached from its parent
    std::map<std::string, Val> symbolsAt_;  ///< ints within objects, by path
    std::vector<Guard> guards_;
    std::set<std::pair<int32_t, int>> guarded_;
    std::set<std::pair<int32_t, int32_t>> distinct_;
    std::map<int32_t, std::vector<Val>> absent_; ///< names that a source does not keep
    std::vector<Lookup> lookups_;
    std::set<std::tuple<const Object*, const Object*, std::string>> lookedUp_;
    std::vector<TensorPattern> patterns_;
    SizeHistory* history_;                ///< null: every size is a constant
    std::vector<SizePlace> symbolPlaces_; ///< by symbol
    std::vector<std::pair<SizePlace, ir::Sym>> sizePlaces_;
    std::vector<ir::Sym> integers_; ///< ints of the result
    std::vector<ir::Sym> exact_;    ///< ints that the script computed from sizes
    std::unordered_map<TensorObj*, std::unique_ptr<ir::TensorType>> seen_;
    std::shared_ptr<ir::ShapeEnv> settled_;
    std::vector<std::pair<ir::NodeId, int32_t>> inputs_; ///< placeholder, source
    std::unordered_map<const Object*, ir::NodeId> placeholders_;
    std::map<uint32_t, ir::NodeId> detached_;
    std::vector<ir::NodeId> leaves_; ///< nodes of makeLeaf()
    std::vector<bool> spent_;        ///< by node: a backward() freed what its gradient needs
    /// Nodes that an operation in place made, whose first operand was self.
    struct InPlace {
        size_t first, last;
        ir::NodeId self;
        bool savesResult; ///< its gradient reads its result instead
    };
    std::vector<InPlace> inPlace_;
    /// Values of tensors that were written over, by node: of which tensor, and at which of its versions.
    struct Overwritten {
        Object* base;
        uint64_t version;
    };
    std::unordered_map<uint32_t, Overwritten> overwritten_;
    std::set<int32_t> spentOutputs_;
    bool later_ = false;                  ///< within tryLater()
    std::optional<CaptureStop> notLater_; ///< what stopped the last one
    struct Written {
        TensorObj* tensor;
        FakeTensor now;
        bool counted; ///< not through .data alone
    };
    std::vector<Written> written_;
    std::vector<int32_t> gradOf_; ///< sources of tensors whose .grad was read or assigned
    std::unordered_map<const Object*, size_t> writtenAt_;
    std::unordered_map<const Object*, View> views_;
    std::unordered_map<const Object*, uint64_t> versions_; ///< of bases: changes so far
    /// What views share, by their counter: an input, or the first of them that has a recipe.
    std::vector<std::pair<std::shared_ptr<int>, TensorObj*>> viewedInputs_;
    std::map<const int*, int32_t> sharedRecipes_;
    std::unordered_map<const Object*, int32_t> recipeOf_;
    /// Tensors with a gradient whose outputs are there for views without one alone, so far: the
    /// outputs' numbers.
    std::map<const Object*, int32_t> unseen_;
    std::vector<Touched> touched_;
    std::unordered_map<const Object*, size_t> touchedAt_;
    /// What happened since a point, so that it can be taken back.
    struct Since {
        std::vector<std::function<void()>> undo;
        std::vector<const Object*> saved; ///< objects with an entry in undo
        bool cannotUndo = false;
        uint64_t serial = 0; ///< first serial of what is made since
        size_t nodes = 0, draws = 0, calls = 0;
        bool gradMode = true;
        TensorModes modes;
    };
    Since now() const;
    Since since_; ///< the start of the instruction of the root, or of tryLater()
    struct Comparison {
        uint32_t number; ///< its node
        CompareOp op;
        int64_t value;
    };
    std::map<uint32_t, Comparison> comparisons_; ///< by the node of their result
    std::map<uint32_t, ir::SizeRange> numberRanges_;
    struct FloatInput {
        std::string source;
        int32_t slot;
        double value; ///< in this call
    };
    std::map<uint32_t, FloatInput> floatInputs_; ///< by placeholder
    struct Order {
        uint32_t input;
        CompareOp op;
        double value;
    };
    std::map<uint32_t, Order> orders_; ///< what compares an input with a number, by node
    std::vector<std::pair<Val, std::string>> checks_; ///< condition, message
    int checkpoints_ = 0, checkpointDepth_ = 0;       ///< regions so far; how many are open
    std::vector<MadeModules> madeModules_;
    /// Lines that made the modules of the last of madeModules_, the innermost first.
    std::vector<std::pair<const SourceText*, int>> makers_;
    std::vector<Val> kept_; ///< objects must not be freed while their addresses are keys
    std::vector<Ref<GeneratorObj>> generators_; ///< made here, with a try or with
};

/// Texts of the symbols and of the guards.
void addSizeTexts(const ir::ShapeEnv& shapes, std::vector<GuardText>& texts);
GuardText textOf(const ir::SizeGuard& guard);

} // namespace cutaway::capture
