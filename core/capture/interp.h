// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one evaluator. The same code runs scripts on real tensors and, while `capture()` is set, on
/// fake ones: what it does with tensors it asks the world() that is in force (tensor_world.h), what
/// it reads and changes it tells its observer() (script_observer.h).
#pragma once

#include "core/capture/autocast.h"
#include "core/capture/frame.h"
#include "core/capture/program.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <thread>

namespace cutaway::capture {

class Capture;
class CompiledUnit;
class EagerWorld;
class ScriptObserver;
class TensorWorld;

/// torch.set_printoptions: how the text of a tensor is written.
struct PrintOptions {
    int precision = 4;
    int64_t threshold = 1000; ///< with more elements, only the edges are shown
    int64_t edgeItems = 3;
    size_t lineWidth = 80;
    std::optional<bool> scientific; ///< unset: as the numbers ask for
};

/// Python's exception classes that the evaluator itself raises.
enum class Error : uint8_t {
    Base,
    Exception,
    Type,
    Value,
    Name,
    UnboundLocal,
    Attribute,
    Lookup,
    Index,
    Key,
    Runtime,
    NotImplemented,
    Recursion,
    Assertion,
    Arithmetic,
    ZeroDivision,
    Overflow,
    Import,
    ModuleNotFound,
    StopIteration,
    GeneratorExit,
    SystemExit,
    KeyboardInterrupt,
    OS,
    FileNotFound,
    Memory,
    Buffer,
    OutOfMemory,    ///< torch.OutOfMemoryError
    Dynamo,         ///< torch._dynamo.exc.TorchDynamoException
    Unsupported,    ///< torch._dynamo.exc.Unsupported
    InvalidBackend, ///< torch._dynamo.exc.InvalidBackend
    BackendFailed,  ///< torch._dynamo.exc.BackendCompilerFailed
    RecompileLimit, ///< torch._dynamo.exc.FailOnRecompileLimitHit
    Count
};

struct TraceEntry {
    std::shared_ptr<const SourceText> source;
    frontend::Span span;
    std::string function;
};

/// A script exception on its way up. Never leaves core/capture.
struct ScriptError {
    Val exception;                 ///< an instance of an exception class; unbound: cannot be caught
    base::Diagnostic diagnostic;   ///< message, notes, hint; located when it leaves
    std::vector<TraceEntry> trace; ///< innermost first
    bool sealed = false;           ///< the diagnostic is final: located already
    bool traced = false;           ///< the trace ends with the frame that it leaves next
};

/// Of a caught exception: what ScriptError said.
struct Raised {
    base::Diagnostic diagnostic;
    std::vector<TraceEntry> trace;
    bool sealed = false;
};

/// Capture cannot go on here: the value or effect is needed for real. Never leaves core/capture.
struct CaptureStop {
    std::string message, hint;
    std::vector<TraceEntry> trace;
    std::vector<Frame> frames; ///< that can go on behind it, innermost first
    /// What must be done for real before the stretch is captured from its start once more.
    std::function<void()> before = {};
    bool needsNumber = false; ///< one that the graph computes: no break of the script's making
    bool uncut = false;       ///< what was captured before it may not run apart from what follows
};

/// Frames, each in the middle of calling the next.
using FrameStack = std::span<const std::unique_ptr<Frame>>;

/// Whether calls of torch's functions are looked at by somebody.
class TorchCalls;

struct TorchOverrides {
    bool classes = false;        ///< a class has __torch_function__ or is made of torch.Tensor
    bool modes = false;          ///< torch.overrides.TorchFunctionMode
    bool off = false;            ///< the classes' are not asked: TensorModes::plain
    TorchCalls* calls = nullptr; ///< writes down what a capture calls
    bool asked() const { return modes || calls || (classes && !off); }
};

class Interp {
public:
    Interp(const ProgramOptions& options, EagerOps& eager, GraphCompiler& compiler);
    ~Interp();
    Interp(const Interp&) = delete;

    // objects
    template <typename T, typename... Args> T* make(Args&&... args) {
        T* object = new T(std::forward<Args>(args)...);
        heap_->add(object, sizeof(T));
        return object;
    }
    StrObj* intern(std::string_view text);
    Val str(std::string text) {
        auto* s = make<StrObj>(std::move(text));
        s->account(s->text.capacity());
        return Val(s);
    }
    Val tuple(std::vector<Val> items);
    Val list(std::vector<Val> items);
    Val tensor(runtime::TensorPtr real);
    /// The object of a function of the tape, or (without one) of what adds to a leaf's .grad: while
    /// a script holds it, the same.
    Val gradFunction(std::shared_ptr<runtime::GradFunction> function, runtime::TensorPtr leaf);
    Heap& heap() { return *heap_; }
    uint64_t serial() const { return heap_->nextSerial(); }

    // limits: limits.cpp
    /// Heap::tick(): raises when the script is cancelled or holds too much.
    void tick() { heap_->tick(); }
    /// Raises unless \p more bytes of values are allowed.
    void room(size_t more) {
        if (!heap_->room(more)) tooLarge();
    }
    [[noreturn]] void tooLarge();
    /// KeyboardInterrupt when Ctrl-C is what stops the script, or what no script can catch.
    [[noreturn]] void stopped();
    /// Adds to a text that a script decides the length of. No text may be longer than kMaxText, so
    /// that any one pass over a text is short.
    void append(std::string& text, std::string_view more);
    /// Raises unless a text may be so long.
    void wantTextLength(size_t bytes);
    static constexpr size_t kMaxText = size_t{64} << 20;
    /// Adds to values that a script decides the number of.
    void add(std::vector<Val>& values, Val v) {
        if (values.size() == values.capacity()) room(values.capacity() * 2 * sizeof(Val));
        tick();
        values.push_back(std::move(v));
    }

    // evaluation: vm.cpp, calls.cpp
    Val runScript(const std::string& text, std::shared_ptr<SourceText> source,
                  const Ref<DictObj>& globals);
    /// The same of a text that is parsed already.
    Val runScript(const frontend::Script& script, std::string_view text,
                  std::shared_ptr<SourceText> source, const Ref<DictObj>& globals);
    /// Runs to the end (or to the next yield), from the frame's current instruction.
    Val run(Frame& frame);
    /// Runs frames that wait for each other, the outermost first, to the end of the outermost.
    Val run(FrameStack frames);
    /// Executes one instruction of the innermost; \returns the result when that ended the
    /// outermost. Frames that ended are marked as finished.
    std::optional<Val> step(FrameStack frames);
    Val call(const Val& callee, std::span<const Val> positional,
             std::span<const std::pair<StrObj*, Val>> keywords = {}, const CallLink& link = {});
    Val call(const Val& callee, std::initializer_list<Val> positional) {
        return call(callee, std::span<const Val>(positional.begin(), positional.size()));
    }
    Val callMethod(const Val& self, std::string_view name, std::initializer_list<Val> args);
    /// Locals of a call: positional, keyword and default arguments put into their slots.
    std::vector<Val> bindArguments(FunctionObj& f, const Val* self, const Arguments& arguments);
    void prepareFrame(Frame& frame, FunctionObj& function, std::vector<Val> locals);

    // attributes: attributes.cpp
    Val getAttr(const Val& object, StrObj* name);
    /// Unbound when there is none.
    Val tryAttr(const Val& object, StrObj* name);
    void setAttr(const Val& object, StrObj* name, Val value);
    void deleteAttr(const Val& object, StrObj* name);
    /// object.__getattribute__ and the like: what no hook of a class is asked.
    Val plainAttr(const Val& object, StrObj* name);
    void setPlainAttr(const Val& object, StrObj* name, Val value);
    void deletePlainAttr(const Val& object, StrObj* name);
    std::vector<std::string> attributeNames(const Val& object);

    // containers and iteration: containers.cpp, iteration.cpp
    Val getItem(const Val& container, const Val& index);
    void setItem(const Val& container, const Val& index, Val value);
    void deleteItem(const Val& container, const Val& index);
    bool contains(const Val& container, const Val& item);
    int64_t length(const Val& v);
    Val iterate(const Val& iterable);
    // the same without what a script's subclass of the built-in type says
    Val getItemOfBuiltin(const Val& container, const Val& index);
    void setItemOfBuiltin(const Val& container, const Val& index, Val value);
    void deleteItemOfBuiltin(const Val& container, const Val& index);
    bool containsOfBuiltin(const Val& container, const Val& item);
    int64_t lengthOfBuiltin(const Val& v);
    Val iterateBuiltin(const Val& iterable);
    std::string reprOfBuiltin(const Val& v);
    /// generator.send(value) or .throw(exception); \p out: what it yielded. False at its end: then
    /// what it returned is in GeneratorObj::result.
    bool resume(GeneratorObj& generator, const Val* sent, const Val* thrown, Val& out);
    void closeGenerator(GeneratorObj& generator);
    /// \returns false at the end; then \p result is what StopIteration carried, where asked.
    bool next(const Val& iterator, Val& out, Val* result = nullptr);
    std::vector<Val> items(const Val& iterable);
    size_t hash(const Val& key);
    bool hashesItself(const Val& key);
    /// A key of a dict or set, by the script's own __hash__ and __eq__ where its class has them.
    Val* findKey(DictObj& dict, const Val& key);
    void put(DictObj& dict, const Val& key, Val value);
    bool eraseKey(DictObj& dict, const Val& key);
    Val* dictFind(DictObj& dict, const Val& key); ///< notes the read
    void updateDict(DictObj& dict, const Arguments& given);
    /// What locals() gives.
    Val localNames();
    void dictSet(DictObj& dict, const Val& key, Val value);

    // operators: operators.cpp
    Val binary(BinaryOp op, const Val& a, const Val& b);
    /// The same without what scripts' classes say: for a built-in type's own method.
    Val binaryOfBuiltins(BinaryOp op, const Val& a, const Val& b);
    bool equalBuiltins(const Val& a, const Val& b);
    Val compareBuiltins(CompareOp op, const Val& a, const Val& b);
    Val inPlace(BinaryOp op, const Val& a, const Val& b);
    Val unary(UnaryOp op, const Val& a);
    Val compare(CompareOp op, const Val& a, const Val& b);
    bool equal(const Val& a, const Val& b);
    bool less(const Val& a, const Val& b);
    bool truthy(const Val& v);

    // sizes that are symbols, under capture: capture_sizes.cpp
    /// An int that is a number or a symbol.
    Val size(const ir::Sym& size);
    /// A symbol as a number, which it is from now on; ends the graph for one that the graph
    /// computes; other values as they are.
    Val plain(const Val& v);
    Val symbolic(BinaryOp op, const ir::Sym& a, const ir::Sym& b);
    /// A bool, or one that nobody has asked yet.
    Val compareSizes(CompareOp op, const ir::Sym& a, const ir::Sym& b);

    // text: text.cpp
    std::string repr(const Val& v);
    std::string text(const Val& v);
    std::string textOf(const Val& method, const Val& self, const char* name);
    std::string textOfException(const Val& v);
    std::string format(const Val& v, const std::string& spec);
    std::string typeName(const Val& v) const;
    std::string tensorText(TensorObj& t);

    // tensors: tensor_ops.cpp
    /// An operation of the catalogue, by base name, on real or fake tensors.
    /// Inside torch.autocast, on operands in the dtypes of its lists (autocast.cpp).
    Val operation(const std::string& base, const Arguments& arguments);
    Val operation(const std::string& base, std::initializer_list<Val> positional) {
        return operation(base, Arguments{{positional.begin(), positional.size()}, {}});
    }
    /// The same on the operands as they are.
    Val plainOperation(const std::string& base, const Arguments& arguments);
    /// x.op_(...): the result replaces x's value.
    Val inPlaceOperation(const std::string& base, const Arguments& arguments);
    /// Makes \p self what \p compute gives, of the same sizes. \p base is for messages.
    /// \p fills: all elements become one number, so that they may share memory.
    Val changeInPlace(const std::string& base, const Val& self, const std::function<Val()>& compute,
                      bool fills = false);
    Val tensorAttr(const Val& self, StrObj* name); ///< unbound when there is none
    void setTensorAttr(TensorObj& self, StrObj* name, const Val& value);
    DictObj& namesOf(TensorObj& t); ///< its __dict__
    Val tensorItem(const Val& self, const Val& index);
    void setTensorItem(const Val& self, const Val& index, const Val& value);
    /// The one element of a tensor as a number; raises \p several when it has more. Stops capture.
    Val scalarOf(TensorObj& t, std::string_view why, Error several = Error::Runtime);
    /// The same for a script that asks for it: the graph may compute it.
    Val elementNumber(TensorObj& t, std::string_view why, Error several = Error::Runtime);
    runtime::TensorPtr real(const Val& v, std::string_view what);
    /// Throws when a Result is an error; locates it.
    template <typename T> T need(base::Result<T> result) {
        if (!result.ok()) fail(std::move(result.error()));
        return std::move(*result);
    }
    void need(base::Status status) {
        if (!status.ok()) fail(std::move(status.error()));
    }

    // errors: errors.cpp
    [[noreturn]] void raise(Error kind, std::string message, std::string hint = {});
    /// The same with a diagnostic that may be located already.
    [[noreturn]] void raise(Error kind, base::Diagnostic diagnostic);
    [[noreturn]] void raise(const Val& exception);
    /// An error whose text in Python is \p args; \p message and \p hint are what people read.
    [[noreturn]] void raisePython(Error kind, std::vector<Val> args, std::string message,
                                  std::string hint = {});
    [[noreturn]] void raisePython(Error kind, std::string text, std::string message,
                                  std::string hint = {}) {
        raisePython(kind, std::vector<Val>{str(std::move(text))}, std::move(message),
                    std::move(hint));
    }
    /// raise \p exception from \p cause.
    [[noreturn]] void raiseFrom(const Val& exception, const Val& cause);
    /// An exception from a class or an instance; raises TypeError for other values.
    Val exceptionOf(const Val& given);
    /// What the script is handling here: the exception of the innermost `except`; unbound: none.
    Val handled() const;
    Val newException(Error kind, std::vector<Val> args);
    /// A caught exception goes on as if nothing had caught it.
    [[noreturn]] void raiseAgain(const Val& exception);
    /// A diagnostic of another part of the compiler, as the exception that PyTorch raises.
    [[noreturn]] void fail(base::Diagnostic diagnostic);
    /// Python's account of an uncaught exception.
    std::string traceback(const ScriptError& error);
    std::string traceback(const Val& exception, std::span<const TraceEntry> trace, int depth);
    void finalize(const Val& object);
    /// Calls what nobody is there to catch exceptions of: those are printed.
    void callUnseen(const Val& callee, std::initializer_list<Val> args);
    ScriptError memoryError();
    /// KeyboardInterrupt after Ctrl-C, else what nothing may catch.
    ScriptError interruption();
    /// "ValueError", "torch.OutOfMemoryError"
    std::string qualifiedName(const ClassObj& exception) const;
    /// Under capture: the effect or value is needed for real.
    [[noreturn]] void stop(std::string message, std::string hint);
    /// Runs \p body; turns what it throws into one located diagnostic.
    base::Status guarded(const std::function<void()>& body);
    base::Diagnostic finish(ScriptError& error);
    /// Raises before recursion reaches the end of the thread's stack.
    void checkStack() {
        if (static_cast<const char*>(__builtin_frame_address(0)) < stackLimit_) tooDeep();
    }
    [[noreturn]] void tooDeep();
    ClassObj* errorClass(Error kind) const { return errors_[static_cast<size_t>(kind)].get(); }
    /// ", did you mean 'x'?" material: the nearest of \p names, or nothing.
    static std::string nearest(const std::string& name, const std::vector<std::string>& names);
    /// Where the script stands: the innermost call in a user's file.
    CallSite userSite() const;
    /// The frames from the script's down to \p last, or to the outermost.
    ir::SourceStack sourceStack(const Frame* last) const;
    void addTrace(std::vector<TraceEntry>& trace, const Frame& frame) const;

    // classes: classes.cpp
    /// \p meta: the class of the class; null: what the bases' are.
    Val makeClass(const std::string& name, const std::vector<Val>& bases, const Ref<DictObj>& body,
                  ClassObj* meta, std::span<const std::pair<StrObj*, Val>> keywords);
    /// A name of a class body or a module: in a dict, or what a metaclass's __prepare__ gave instead.
    void storeName(Frame& frame, StrObj* name, Val value);
    Val namedHere(Frame& frame, StrObj* name); ///< unbound: no such name
    Val classStatement(const std::string& name, std::vector<Val> bases,
                       std::vector<std::pair<StrObj*, Val>> keywords,
                       const std::function<void(const Ref<DictObj>& names)>& body);
    Val instantiate(ClassObj& type, const Arguments& arguments, const CallLink& link = {});
    /// An instance of \p type as object.__new__ makes it: no __init__ has run.
    Val newInstance(ClassObj& type, const Arguments& arguments);
    bool isSubclass(const Val& type, const Val& of);
    /// The class that a script gave to a value: null for those of built-in types.
    ClassObj* classOf(const Val& v) const;
    /// A method that the class of \p v has from a script, not from a built-in type; null: none.
    Val* special(const Val& v, std::string_view name);
    /// Runs what is due of __del__; \p all: of every object, as the script is over.
    void finishObjects(bool all) { all ? heap_->finishAll() : heap_->finishAbandoned(); }
    /// Runs the finalizers of what it finds, too. \returns how many objects were freed.
    size_t collectGarbage();
    ClassObj* typeOf(const Val& v) const;
    bool isInstance(const Val& v, const Val& type);
    bool isInstanceOfClass(const Val& v, const ClassObj& type);
    Val bindMethod(const Val& attribute, const Val& self, ClassObj* type);
    /// An attribute of a class or its bases, noted under capture; null when there is none.
    Val* classAttr(ClassObj& type, StrObj* name);
    Val* classAttr(ClassObj& type, std::string_view name) { return classAttr(type, intern(name)); }
    /// Moves when an attribute of a class or a function's defaults are assigned.
    uint64_t lookupEpoch() const { return lookupEpoch_; }

    /// The attributes that a value keeps itself; none for those of built-in types.
    Ref<DictObj> attributesOf(const Val& object) const;

    // modules: modules.cpp
    Val loadedModules();
    Val import(const std::string& name);
    /// A module of the script library, run when it is first asked for; unbound for other names.
    Val libraryImport(const std::string& name);
    Val importFrom(const Val& module, StrObj* name);
    ModuleObj* module(const std::string& name);
    Val builtin(const std::string& name, BuiltinFunction function, const char* stops = nullptr);
    /// Runs an expression or statements of a text: eval() and exec().
    Val evaluate(const std::string& text, const Ref<DictObj>& globals, bool expression);
    void importStar(const Val& module, const Frame& frame);

    // state
    Capture* capture() const { return capture_; }
    /// From here on the world and the observer are those of \p capture; null: the eager ones.
    void setCapture(Capture* capture);
    TensorWorld& world() { return *world_; }
    ScriptObserver& observer() { return *observer_; }
    bool gradMode() const { return gradMode_; }
    void setGradMode(bool on) { gradMode_ = on; }
    ir::Device defaultDevice() const { return defaultDevice_; }
    void setDefaultDevice(ir::Device device) { defaultDevice_ = device; }
    /// Which GPU "cuda" without a number is; at first the default device, where that is one, or 0.
    int currentGpu() const { return currentGpu_; }
    void setCurrentGpu(int index) { currentGpu_ = index; }
    PrintOptions printOptions;
    std::shared_ptr<class CallTimer> callTimer; ///< of torch.profiler; null: nothing is timed
    std::string stance = "default";             ///< torch.compiler.set_stance
    bool checksGradients = false;               ///< torch.autograd.detect_anomaly
    bool drawsRefused = false;                  ///< within torch.vmap(randomness="error")
    /// Within a function that torch.func transforms: what it may write beside what it makes.
    struct Transform {
        uint64_t since = 0;     ///< tensors of this serial and later are its own
        std::vector<Val> given; ///< and so are these, with all that shares their memory
        bool rows = false;      ///< vmap
        Transform* outer = nullptr;
    };
    Transform* transform = nullptr;
    /// Raises where a transform does not let its function write \p t by \p operation.
    void wantOwn(const TensorObj& t, std::string_view operation);
    bool keepsSavedElsewhere = false; ///< within torch.autograd.graph.saved_tensors_hooks
    TorchOverrides torchOverrides;
    /// What the classes of arguments or a mode make of a call of a function of torch
    /// (__torch_function__); unbound: nothing. torch_overrides.cpp
    Val overridden(const Val& callee, const Arguments& arguments);
    /// The same for an operator of which one side is a tensor. \p method, \p reflected: "__add__",
    /// "__radd__"
    Val overriddenOperator(const char* method, const char* reflected, const Val& a, const Val& b);
    ir::DType defaultDType() const { return tensorModes_.defaultDType; }
    const TensorModes& tensorModes() const { return tensorModes_; }
    void setTensorModes(const TensorModes& modes) {
        tensorModes_ = modes;
        torchOverrides.off = modes.plain;
    }
    EagerOps& eager() { return eager_; }
    GraphCompiler& compiler() { return compiler_; }
    const ProgramOptions& options() const { return options_; }
    void print(std::string_view text) {
        if (options_.print) options_.print(text);
    }
    void printError(std::string_view text) {
        if (options_.printError) options_.printError(text);
    }
    void warn(base::Diagnostic warning) {
        if (options_.warn) options_.warn(warning);
    }
    Frame* top() const { return top_; }
    ClassObj* tensorClass() const { return tensorClass_.get(); }
    ClassObj* moduleClass() const { return moduleClass_.get(); }
    static bool isModule(const Val& v) {
        auto* instance = v.to<InstanceObj>();
        return instance && instance->type->module;
    }
    ClassObj* objectClass() const { return objectClass_.get(); }
    ClassObj* typeClass() const { return typeClass_.get(); }
    DictObj* builtins() const { return builtins_.get(); }
    /// Called before an object changes: under capture, only objects made by it may.
    void mutating(Object* o, const char* what);
    /// Called where a value of the outside is read; notes it under capture.
    void noteAttr(const Val& owner, StrObj* name, const Val& value);
    void noteItem(const Val& owner, const Val& key, const Val& value);
    void noteLength(const Val& owner);
    /// Two values were compared by identity.
    void noteCompared(const Val& a, const Val& b);
    std::vector<std::shared_ptr<CompiledUnit>>& units() { return units_; }
    /// torch._dynamo.reset(): every compiled function forgets its entries before its next call.
    void forgetEntries() { ++forgotten_; }
    uint64_t forgotten() const { return forgotten_; }
    /// Compiled functions are kept for Program::compiledFunctions() while anybody can call them.
    void addUnit(std::shared_ptr<CompiledUnit> unit);
    /// Compiled functions keep such calls from here on; null: none.
    void keepCalls(const KeepCalls* which) { keepCalls_ = which; }
    const KeepCalls* keptCalls() const { return keepCalls_; }

private:
    friend struct FrameScope;
    /// \p thrown: an exception that is raised where the frame stands, before it goes on.
    /// \p inner: frames that \p frame waits for.
    Val dispatch(Frame& frame, bool once, bool& ended, const Val* thrown = nullptr,
                 FrameStack inner = {});
    Val runThrowing(Frame& frame, const Val& exception);
    Val runCode(std::shared_ptr<const Code> code, const Ref<DictObj>& globals);
    bool delegate(Frame& frame, Val& out);
    void matchClass(Frame& frame, int32_t positional);
    void executeMatch(Frame& frame, Instruction in); ///< patterns of `match`
    Val leave(Frame& frame, bool yielded);
    Val givenBy(const Frame& frame, Val result);
    /// A local whose value nothing relied on is about to be read.
    void readLocal(Frame& frame, size_t slot);
    /// Runs one instruction, and says which comes next.
    uint32_t execute(Frame& frame, Instruction in);
    /// The instructions after which the next one follows (vm_instructions.cpp).
    void executeName(Frame& frame, Instruction in);      ///< constants, variables, cells
    void executeOperator(Frame& frame, Instruction in);  ///< attributes, items, operators, stack
    void executeContainer(Frame& frame, Instruction in); ///< building and unpacking
    void executeCall(Frame& frame, Instruction in);      ///< calls, functions, classes, imports
    void executeBlock(Frame& frame, Instruction in);     ///< try, with, raise, assert
    void checkCatchable(const Val& type);
    bool unwindTo(Frame& frame, ScriptError& error);
    Val callWithNumbers(BuiltinObj& builtin, const Arguments& arguments);
    Val callFunction(FunctionObj& f, const Val* self, const Arguments& arguments,
                     const CallLink& link = {});
    Val callInstance(InstanceObj& instance, const Val& callee, const Arguments& arguments,
                     const CallLink& link);
    Val loadGlobal(Frame& frame, size_t ip, int32_t name);
    [[noreturn]] void unsetLocal(const Frame& frame, int32_t slot);
    [[noreturn]] void unknownName(const Frame& frame, StrObj* name);
    void unpack(Frame& frame, int32_t before, int32_t after, bool rest);
    Val makeFunction(Frame& frame, int32_t flags);
    struct DictKey {
        Val key; ///< the one that the dict has, if it has an equal one
        size_t hash;
    };
    DictKey keyIn(DictObj& dict, const Val& key);
    void checkZipEnd(const IteratorObj& zip, size_t ended);
    Val moduleAttr(InstanceObj& instance, StrObj* name);
    static Val moduleGetAttr(Interp& in, const BuiltinObj& self, const Arguments& a);
    bool setModuleAttr(InstanceObj& instance, StrObj* name, const Val& value);
    Val builtinMethod(const Val& self, StrObj* name);
    void setUpBuiltins();
    void setUpTypes();
    void setUpErrors();
    void setUpLimits();
    void setUpTorch();
    void findStackLimit();
    void setUpMath();
    void setUpMethods();
    std::string containerText(const Val& v);
    Val superAttr(SuperObj& self, StrObj* name);
    bool givenByScript(const Val& tensor, StrObj* name) const;
    Val overloaded(const char* method, const char* reflected, const Val& a, const Val& b);
    Val ownAttr(const Val& object, ClassObj& type, StrObj* name);
    Val typeAttr(ClassObj& type, StrObj* name);
    Val functionAttr(FunctionObj& f, StrObj* name);
    Val exceptionAttr(InstanceObj& exception, StrObj* name);
    Val callMetaclass(const Val& type, const Arguments& arguments);
    void setUpTypeMethods();
    void setUpPython();
    Val annotationsOf(FunctionObj& f);
    void setClass(InstanceObj& instance, const Val& value);
    void wantChangeable(ClassObj& type, StrObj* name);
    void setClassAttr(ClassObj& type, StrObj* name, Val value);
    Val functionDefaults(FunctionObj& f);
    void setFunctionDefaults(FunctionObj& f, StrObj* name, const Val& value);

    ProgramOptions options_;
    EagerOps& eager_;
    GraphCompiler& compiler_;
    Heap* heap_ = new Heap(options_.cancel, options_.memoryLimit);
    TextMap<Ref<StrObj>> interned_;
    std::array<Ref<ClassObj>, static_cast<size_t>(Error::Count)> errors_;
    Ref<DictObj> builtins_;
    Ref<DictObj> libraryNames_; ///< known to the script library only: the functions behind torch
    std::map<std::string, Ref<ModuleObj>> modules_;
    std::map<std::string, Ref<ClassObj>> types_; ///< "int", "str" ...
    Ref<ClassObj> objectClass_, tensorClass_, parameterClass_, moduleClass_;
    Ref<ClassObj> optimizedClass_; ///< of compiled modules: torch.nn._Optimized
    std::array<ClassObj*, 64> kindTypes_{}, tagTypes_{}; ///< the built-in types, by Kind and Tag
    ClassObj* type(const char* name) const { return types_.find(name)->second.get(); }
    Ref<ClassObj> typeClass_; ///< `type`
    std::map<std::string, Val> tensorMethods_;
    std::map<std::string, Ref<ClassObj>> gradFunctionTypes_; ///< by the function's name
    std::shared_ptr<KnownGradFunctions> gradFunctions_ = std::make_shared<KnownGradFunctions>();
    Frame* top_ = nullptr;
    int depth_ = 0;
    const char* stackLimit_ = nullptr;
    std::thread::id stackThread_; ///< the thread that stackLimit_ is of
    std::unique_ptr<EagerWorld> eagerWorld_;
    std::unique_ptr<ScriptObserver> nobody_; ///< listens while nothing is captured
    Capture* capture_ = nullptr;
    TensorWorld* world_ = nullptr;
    ScriptObserver* observer_ = nullptr;
    bool gradMode_ = true;
    TensorModes tensorModes_;
    ir::Device defaultDevice_;
    int currentGpu_ = 0;
    std::vector<std::shared_ptr<CompiledUnit>> units_;
    uint64_t forgotten_ = 0;
    const KeepCalls* keepCalls_ = nullptr;
    size_t unitsToPrune_ = 64;         ///< from so many on, those that nobody can call are let go
    std::vector<std::string> loading_; ///< library modules being loaded
    uint64_t lookupEpoch_ = 1;

    std::vector<const Object*> printing_; ///< containers whose text is being made

    friend class Program;
    friend struct Setup;
};

/// While it lives, what the evaluator does belongs to no capture.
class OutsideCapture {
public:
    explicit OutsideCapture(Interp& interp) : interp_(interp), capture_(interp.capture()) {
        interp.setCapture(nullptr);
    }
    OutsideCapture(const OutsideCapture&) = delete;
    ~OutsideCapture() { interp_.setCapture(capture_); }

private:
    Interp& interp_;
    Capture* capture_;
};

/// Parameters of a built-in: names in order, "x=" when it may be left out; a name after "*" is
/// keyword-only. \returns one value each, unbound where left out.
std::vector<Val> parseArguments(Interp& interp, const std::string& function,
                                const Arguments& arguments,
                                std::initializer_list<std::string_view> names);
int64_t wantInt(Interp& interp, const Val& v, std::string_view what);
double wantFloat(Interp& interp, const Val& v, std::string_view what);
/// A complex number without an imaginary part as a float; other values as they are. \p type: as C++
/// calls what is wanted, for the message.
Val realNumber(Interp& interp, const Val& v, std::string_view type = "double");
/// What a tensor of one integer says as an index.
Val indexOfTensor(Interp& interp, TensorObj& t);
/// Where \p part stands in \p text from byte \p from on, or npos: in time that grows with their
/// sizes only.
size_t findText(std::string_view text, std::string_view part, size_t from = 0);
/// The number of characters of a text.
size_t textWidth(std::string_view text);
/// Characters outside of ASCII as escapes.
std::string asciiText(std::string_view text);
/// "%d items" % values. Raises as Python.
std::string formatPercent(Interp& interp, std::string_view text, const Val& values);
/// str.format(): "{}", "{0}", "{name.attribute[key]!r:>{width}}" of \p arguments. Raises as Python.
std::string formatFields(Interp& interp, std::string_view text, const Arguments& arguments);
/// \p piece so many times; raises when that is too long.
std::string repeatText(Interp& interp, std::string_view piece, int64_t times);
TensorObj& wantTensor(Interp& interp, const Val& v, std::string_view what);
const std::string& wantStr(Interp& interp, const Val& v, std::string_view what);

/// An int as an expression; nothing for other values.
std::optional<ir::Sym> symbolOf(const Val& v);

} // namespace cutaway::capture
