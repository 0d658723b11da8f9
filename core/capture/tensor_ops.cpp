// SPDX-License-Identifier: Apache-2.0
// Operations on tensors: eager ones run at once, captured ones become nodes of the graph.
#include "core/capture/capture.h"
#include "core/capture/complex_tensors.h"
#include "core/capture/interp.h"
#include "core/capture/named_results.h"
#include "core/capture/nan_identity.h"
#include "core/capture/torch_support.h"
#include "core/ops/gradients.h"
#include "core/ops/held_numbers.h"
#include "core/runtime/autograd.h"
#include "core/runtime/call_place.h"
#include "core/runtime/overlap.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

/// Arguments for ops::bind: tensors become NodeId(k), the k-th of `tensors`.
struct Operands {
    std::vector<TensorObj*> tensors;
    ir::ArgList positional;
    std::vector<std::pair<std::string, ir::Arg>> keywords;
    size_t elements = 0; ///< of lists
};

ir::Arg toArg(Interp& in, const Val& v, Operands& operands, const std::string& function) {
    switch (v.tag()) {
    case Tag::None:
        return {};
    case Tag::Bool:
        return v.asBool();
    case Tag::Int:
        return ir::Sym(v.asInt());
    case Tag::Float:
        return plainNumber(v.asFloat());
    case Tag::DType:
        return v.asDType();
    case Tag::Device:
        return v.asDevice();
    case Tag::Object:
        break;
    default:
        in.raise(Error::Type, fmt::format("{}() cannot take a {}", function, in.typeName(v)));
    }
    switch (v.object()->kind) {
    case Kind::Tensor:
        operands.tensors.push_back(v.as<TensorObj>());
        return ir::NodeId(static_cast<uint32_t>(operands.tensors.size() - 1));
    case Kind::Str:
        return v.as<StrObj>()->text;
    case Kind::Symbol:
        return v.as<SymbolObj>()->size;
    case Kind::Integer:
        in.raise(Error::Overflow, "int too big to convert",
                 fmt::format("{}() takes integers of 64 bits", function));
    case Kind::List:
    case Kind::Tuple: {
        in.checkStack();
        ir::ArgList list;
        std::vector<Val> values = in.items(v);
        operands.elements += values.size() + 1; // a shared nest has more of them than objects
        in.room(operands.elements * sizeof(ir::Arg));
        for (const Val& item : values)
            list.push_back(toArg(in, item, operands, function));
        return list;
    }
    default:
        in.raise(Error::Type, fmt::format("{}() cannot take a {}", function, in.typeName(v)));
    }
}

bool sharesMemory(const ops::OpDef& def) {
    return def.schema.find("-> Tensor(a") != std::string_view::npos;
}

/// Adds where the operands were made, with their types: both lines of a shape mismatch.
void explainOperands(base::Diagnostic& d, const Operands& operands) {
    std::vector<const TensorObj*> seen;
    for (const TensorObj* t : operands.tensors) {
        if (!t->madeAt.source || std::find(seen.begin(), seen.end(), t) != seen.end()) continue;
        seen.push_back(t);
        d.notes.push_back({frontend::locate(t->madeAt.source->file, t->madeAt.span),
                           fmt::format("{} was made here", t->type().str())});
    }
}

} // namespace

void MemoryViews::add(const runtime::TensorPtr& window) {
    if (windows.size() >= prune) {
        std::erase_if(windows, [](const auto& weak) { return weak.expired(); });
        prune = std::max<size_t>(16, 2 * windows.size());
    }
    windows.push_back(window);
}

Val Interp::tensor(runtime::TensorPtr real) {
    auto* t = make<TensorObj>();
    t->real = std::move(real);
    t->weigh(static_cast<size_t>(t->real->type.numel().constant()) *
             ir::sizeBytes(t->real->type.dtype));
    t->madeAt = userSite();
    return Val(t);
}

/// The answer of an argument that writes operations down instead (torch.fx.Proxy); unbound: none.
static Val answerOfProxy(Interp& in, const std::string& base, const Arguments& arguments) {
    for (const Val& v : arguments.positional) {
        auto* instance = v.to<InstanceObj>();
        if (!instance) continue;
        Val* answer = instance->type->find(in.intern("__torch_operation__"));
        if (!answer) continue;
        auto* keywords = in.make<DictObj>();
        Val keep(keywords);
        for (const auto& [name, value] : arguments.keywords)
            keywords->set(name, value);
        return in.call(
            *answer, {v, in.str(base),
                      in.tuple({arguments.positional.begin(), arguments.positional.end()}), keep});
    }
    return {};
}

/// The tape's node of several views that one operation gave as views of their own (unbind): none of
/// them may be written alone.
struct SeveralViews : runtime::GradFunction {
    base::Result<std::vector<runtime::TensorPtr>>
    apply(const std::vector<runtime::TensorPtr>& gradOutputs) override {
        return gradOutputs;
    }
    base::Result<std::vector<runtime::TensorPtr>>
    applyRecorded(const std::vector<runtime::TensorPtr>& gradOutputs) override {
        return gradOutputs;
    }
};

static void joinViews(std::span<const Val> views, const char* name) {
    auto function = std::make_shared<SeveralViews>();
    function->name = name;
    for (const Val& v : views) {
        runtime::Tensor& view = *v.as<TensorObj>()->real;
        if (!view.gradFunction) return;
        auto edge = std::make_shared<runtime::Tensor>();
        edge->type = view.type;
        edge->gradFunction = view.gradFunction;
        edge->gradOutput = view.gradOutput;
        function->inputs.push_back(std::move(edge));
        function->outputTypes.push_back(view.type);
    }
    for (size_t i = 0; i < views.size(); ++i) {
        views[i].as<TensorObj>()->real->gradFunction = function;
        views[i].as<TensorObj>()->real->gradOutput = static_cast<int>(i);
    }
}

Val Interp::plainOperation(const std::string& base, const Arguments& arguments) {
    if (Val answer = answerOfProxy(*this, base, arguments); answer.bound()) return answer;
    if (Val answer = complexOperation(*this, base, arguments); answer.bound()) return answer;
    Operands operands;
    for (const Val& v : arguments.positional)
        operands.positional.push_back(toArg(*this, v, operands, base));
    for (const auto& [name, v] : arguments.keywords)
        operands.keywords.emplace_back(name->text, toArg(*this, v, operands, base));
    auto bound = ops::bind(base, operands.positional, operands.keywords);
    if (!bound.ok()) {
        explainOperands(bound.error(), operands);
        auto error = std::move(bound.error());
        fail(std::move(error));
    }
    const ops::OpDef& def = *bound->def;
    if (capture_) {
        if (def.isRandom())
            stop(fmt::format("{} draws random numbers", base),
                 "draw them outside the compiled function and pass them in");
        std::vector<TensorObj*>& tensors = operands.tensors;
        auto results =
            capture_->callOperation(def, std::move(bound->args), tensors, sharesMemory(def));
        if (!results.ok()) {
            explainOperands(results.error(), operands);
            fail(std::move(results.error()));
        }
        return resultsOf(*this, def, std::move(*results));
    }
    std::vector<runtime::TensorPtr> tensors;
    for (TensorObj* t : operands.tensors) {
        if (!t->real)
            raise(Error::Runtime, "a tensor of a finished capture is used",
                  "return it from the compiled function");
        tensors.push_back(t->real);
    }
    const runtime::CallPlace place(
        [](const void* self) {
            const CallSite site = static_cast<const Interp*>(self)->userSite();
            return site.source ? frontend::locate(site.source->file, site.span) : base::Location();
        },
        this);
    auto results = eager_.call(def, bound->args, tensors, gradMode_);
    if (!results.ok()) {
        explainOperands(results.error(), operands);
        fail(std::move(results.error()));
    }
    std::vector<Val> values;
    for (runtime::TensorPtr& r : *results)
        values.push_back(tensor(std::move(r)));
    if (def.parsed.base == "unbind" && values.size() > 1) joinViews(values, "UnbindBackward0");
    if (sharesMemory(def) && !operands.tensors.empty())
        for (Val& v : values)
            noteView(*v.as<TensorObj>(), *operands.tensors[0], gradMode_, ops::cutsGradient(def));
    return resultsOf(*this, def, std::move(values));
}

void noteView(TensorObj& view, TensorObj& of, bool recorded, bool cut) {
    view.joinAliases(of);
    if (!ir::hasGradients(view.type().dtype) || view.real->storage != of.real->storage) return;
    view.quiet = !recorded && !cut && (of.type().requiresGrad || of.quiet);
    if (!recorded || cut) return;
    if (view.type().dtype != of.type().dtype) { // a complex tensor's pairs
        of.aliases->unseen |= ir::isComplex(view.type().dtype) || ir::isComplex(of.type().dtype);
        return;
    }
    if (!of.views) of.views = std::make_shared<MemoryViews>(MemoryViews{of.real, {}});
    view.views = of.views;
    view.views->add(view.real);
}

void wantSeparateElements(Interp& in, const ir::TensorType& type) {
    bool shared = false;
    for (size_t i = 0; i < type.rank(); ++i) {
        if (type.sizes[i].is(0)) return;
        shared |= type.strides[i].is(0) && !type.sizes[i].is(1);
    }
    if (shared)
        in.raise(
            Error::Runtime,
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation.");
}

void wantOtherMemory(Interp& in, const TensorObj& written, const Val& read) {
    auto* input = read.to<TensorObj>();
    if (!input) return;
    const bool real = input->real && written.real;
    if (in.capture() ? in.capture()->partlyOverlap(written, *input)
                     : real && runtime::partlyOverlap(*written.real, *input->real))
        in.raise(Error::Runtime,
                 "unsupported operation: some elements of the input tensor and the written-to "
                 "tensor refer to a single memory location",
                 "read a clone() of the input");
}

namespace {

/// Until commit(), ends with the storage as old as it was: whoever saved it for backward() is told
/// when an operation in place is recorded, although that one makes new memory.
class NewVersion {
public:
    NewVersion(const NewVersion&) = delete;
    explicit NewVersion(runtime::StoragePtr storage) : storage_(std::move(storage)) {
        if (storage_) ++storage_->version;
    }
    ~NewVersion() {
        if (storage_) --storage_->version;
    }
    void commit() { storage_ = nullptr; }

private:
    runtime::StoragePtr storage_;
};

/// While alive, \p t has a copy of its values, at the same place of the tape: what an operation
/// saves of them is not lost when its result is written over the memory that others see.
class OwnValues {
public:
    OwnValues(Interp& in, TensorObj& t) : t_(t), real_(t.real), views_(t.views) {
        auto copy = std::make_shared<runtime::Tensor>(*t.real);
        ir::TensorType type = t.real->type;
        type.strides = ir::TensorType::contiguous(type.dtype, type.sizes, type.device).strides;
        runtime::TensorPtr memory = in.need(runtime::emptyTensor(type));
        in.need(runtime::copyInto(*memory, *t.real));
        copy->type.strides = type.strides;
        copy->storage = memory->storage;
        copy->offset = memory->offset;
        t.real = std::move(copy);
    }
    OwnValues(const OwnValues&) = delete;
    ~OwnValues() {
        t_.real = std::move(real_);
        t_.views = std::move(views_);
    }

private:
    TensorObj& t_;
    runtime::TensorPtr real_;
    std::shared_ptr<MemoryViews> views_;
};

/// The tensor that the tape knows the memory of \p t by.
const runtime::TensorPtr& baseOf(const TensorObj& t) {
    return t.views ? t.views->base : t.real;
}

/// Raises when \p t is a view that the tape knows nothing of, of a tensor that it knows.
void wantSeen(Interp& in, const TensorObj& t, std::string_view what) {
    if (t.quiet && t.sharesMemory() && in.gradMode())
        in.raise(
            Error::Runtime,
            fmt::format("A view was created in no_grad mode and is being modified inplace with "
                        "grad mode enabled. Given that this use case is ambiguous and "
                        "error-prone, it is forbidden: {}",
                        what),
            "make the view where gradients are recorded, or change a clone() of it");
}

/// Raises when \p t is one of several views that one operation gave: the tape could not tell which
/// of them was written (PyTorch: CreationMeta::MULTI_OUTPUT_NODE).
void wantOnlyView(Interp& in, const TensorObj& t) {
    const auto& function = t.real->gradFunction;
    if (!function || !runtime::givesSeveralViews(*function) || !t.sharesMemory()) return;
    std::string name = function->name.substr(0, function->name.find("Backward"));
    in.raise(
        Error::Runtime,
        fmt::format("Output {} of {} is a view and is being modified inplace. This view is the "
                    "output of a function that returns multiple views. Such functions do not "
                    "allow the output views to be modified inplace. You should replace the "
                    "inplace operation by an out-of-place one.",
                    t.real->gradOutput, name));
}

/// Raises where a recorded change of \p t could not be followed by the tape. \p part: of a view.
void wantWritable(Interp& in, const TensorObj& t, bool part, std::string_view what) {
    const runtime::Tensor& base = *baseOf(t);
    if (base.isLeaf() && base.type.requiresGrad)
        in.raise(Error::Runtime,
                 fmt::format("a {}leaf Variable that requires grad is being used in an in-place "
                             "operation.",
                             part || baseOf(t) != t.real ? "view of a " : ""),
                 "use torch.no_grad() around it, or make a new tensor");
    wantOnlyView(in, t);
    if (t.sharesMemory() && t.aliases->unseen)
        in.raise(Error::Runtime,
                 fmt::format("{} of a tensor that shares memory with a view, while gradients are "
                             "recorded",
                             what),
                 "change a clone() of it, or build the new tensor with torch.where or torch.cat");
}

/// Writes \p value into \p window of the memory of \p t, on the tape; \p t and all that share
/// memory with it are from then on what the tape knows of the base.
void writeRecorded(Interp& in, TensorObj& t, runtime::Tensor& window,
                   const runtime::TensorPtr& value) {
    const runtime::TensorPtr base = baseOf(t);
    in.need(runtime::writeWindow(base, window, value, true));
    if (!t.views) return;
    for (const auto& weak : t.views->windows)
        if (runtime::TensorPtr seen = weak.lock(); seen && seen != base)
            runtime::followBase(seen, base);
}

/// Behind an operation whose gradient, where it runs in place, is computed from its result: the
/// result must be what it was.
struct SavedResult : runtime::GradFunction {
    runtime::Tensor saved; ///< off the tape
    uint32_t version = 0;
    base::Result<std::vector<runtime::TensorPtr>>
    apply(const std::vector<runtime::TensorPtr>& gradOutputs) override {
        CUTAWAY_CHECK(runtime::checkUnchanged(*this, saved, version, {this, 0}));
        return gradOutputs;
    }
    base::Result<std::vector<runtime::TensorPtr>>
    applyRecorded(const std::vector<runtime::TensorPtr>& gradOutputs) override {
        return apply(gradOutputs);
    }
};

/// torch's derivatives.yaml: the forms with an underscore that save their result alone.
bool savesResultInPlace(std::string_view base) {
    constexpr std::string_view kNames[] = {"elu", "celu", "selu", "leaky_relu", "rrelu"};
    return std::ranges::find(kNames, base) != std::end(kNames);
}

void saveResult(runtime::Tensor& result) {
    if (!result.gradFunction) return;
    auto function = std::make_shared<SavedResult>();
    function->name = result.gradFunction->name;
    auto edge = std::make_shared<runtime::Tensor>(result);
    edge->storage = nullptr;
    function->inputs = {std::move(edge)};
    function->outputTypes = {result.type};
    function->saved.type = result.type;
    function->saved.storage = result.storage;
    function->saved.offset = result.offset;
    function->version = result.storage->version;
    result.gradFunction = std::move(function);
    result.gradOutput = 0;
}

/// What gives the elements that \p base, with an underscore, writes into x.
std::string outOfPlace(const std::string& base) {
    if (base == "copy") return "src.clone()";
    if (base == "zero") return "torch.zeros_like(x)";
    if (base == "fill") return "torch.full_like(x, value)";
    return fmt::format("x.{}(...)", base);
}

} // namespace

Val Interp::inPlaceOperation(const std::string& base, const Arguments& arguments) {
    const bool takesNumber = base == "masked_fill"; // of a tensor, too
    if (auto* written = arguments.positional[0].to<TensorObj>(); !takesNumber) {
        for (const Val& v : arguments.positional.subspan(1))
            wantOtherMemory(*this, *written, v);
        for (const auto& [name, v] : arguments.keywords)
            wantOtherMemory(*this, *written, v);
    }
    return changeInPlace(base, arguments.positional[0], [&] { return operation(base, arguments); });
}

Val Interp::changeInPlace(const std::string& base, const Val& self,
                          const std::function<Val()>& compute, bool fills) {
    auto& t = *self.as<TensorObj>();
    if (!fills) wantSeparateElements(*this, t.type());
    if (capture_) {
        if (!t.fake && t.type().requiresGrad && gradMode_)
            stop(fmt::format("{}_() changes a tensor that exists outside the compiled function "
                             "and requires a gradient",
                             base),
                 fmt::format("use {} and return the result", outOfPlace(base)));
    }
    NewVersion written(t.real && !capture_ ? t.real->storage : nullptr);
    const ir::Shape sizes = capture_ && !t.fake ? capture_->typeOf(t).sizes : t.type().sizes;
    std::optional<OwnValues> before;
    if (!capture_ && gradMode_ && t.sharesMemory() && ir::hasGradients(t.type().dtype))
        before.emplace(*this, t);
    Val result = compute();
    before.reset();
    auto& r = *result.as<TensorObj>();
    bool same = r.type().sizes.size() == sizes.size();
    for (size_t d = 0; same && d < sizes.size(); ++d)
        same = capture_ ? capture_->decide(ir::equal(r.type().sizes[d], sizes[d]))
                        : r.type().sizes[d] == sizes[d];
    if (!same)
        raise(Error::Runtime,
              fmt::format("in-place {} would change the sizes {} to {}", base, ir::str(sizes),
                          ir::str(r.type().sizes)),
              "use x = " + outOfPlace(base));
    if (r.type().dtype != t.type().dtype) {
        // torch::canCast: no fraction is lost, and no number becomes a truth value.
        if ((ir::isFloating(r.type().dtype) && !ir::hasGradients(t.type().dtype)) ||
            (ir::isComplex(r.type().dtype) && !ir::isComplex(t.type().dtype)) ||
            t.type().dtype == ir::DType::Bool)
            raise(Error::Runtime,
                  fmt::format("in-place {} gives {}, which does not fit a tensor of {}", base,
                              ir::name(r.type().dtype), ir::name(t.type().dtype)),
                  "use x = " + outOfPlace(base));
        result = operation("prims.convert_element_type", {result, Val::dtype(t.type().dtype)});
    }
    auto& converted = *result.as<TensorObj>();
    if (capture_ && !t.fake) {
        if (converted.type().requiresGrad)
            stop(fmt::format("{}_() gives a tensor that exists outside the compiled function a "
                             "gradient",
                             base),
                 fmt::format("use {} and return the result", outOfPlace(base)));
    }
    if (capture_) {
        capture_->assign(t, *converted.fake);
        return self;
    }
    wantSeen(*this, t, base + "_()");
    const bool wanted = converted.real->type.requiresGrad || t.real->type.requiresGrad;
    if (!wanted || !gradMode_ || !ir::hasGradients(t.real->type.dtype)) {
        need(runtime::copyInto(*t.real, *converted.real));
        return self;
    }
    wantWritable(*this, t, false, base + "_()");
    if (!t.sharesMemory() && converted.real->type.requiresGrad) {
        t.real = converted.real; // the tape keeps the old value
        if (savesResultInPlace(base)) saveResult(*t.real);
        t.leaveAliases();
        written.commit();
        return self;
    }
    writeRecorded(*this, t, *t.real, converted.real);
    return self;
}

Val Interp::scalarOf(TensorObj& t, std::string_view why, Error several) {
    if (capture_)
        stop(fmt::format("{} needs the value of a tensor", why),
             "keep it a tensor, or do this outside the compiled function");
    if (t.type().numel().constant() != 1)
        raise(several, fmt::format("{}: a tensor of {} elements is no single number", why,
                                   t.type().numel().constant()));
    ir::HostTensor host = need(runtime::toHost(*t.real));
    return elementOf(*this, host, 0);
}

runtime::TensorPtr Interp::real(const Val& v, std::string_view what) {
    auto* t = v.to<TensorObj>();
    if (!t) raise(Error::Type, fmt::format("{} must be a tensor, found {}", what, typeName(v)));
    if (capture_)
        stop(fmt::format("{} needs the value of a tensor", what),
             "do this outside the compiled function");
    if (!t->real)
        raise(Error::Runtime, "a tensor of a finished capture is used",
              "return it from the compiled function");
    return t->real;
}

void wantHeld(Interp& in, const Val& number, ir::DType dtype) {
    if (number.is(Kind::Integer)) in.raise(Error::Overflow, "int too big to convert");
    const bool held = number.isFloat()      ? ops::holds(dtype, number.asFloat())
                      : number.isIntegral() ? ops::holds(dtype, number.asInt())
                                            : true;
    if (!held)
        in.raise(Error::Runtime,
                 fmt::format("the value {} does not fit {}", in.repr(number), ir::name(dtype)));
}

Val numberTensor(Interp& in, const Val& number, ir::DType dtype, ir::Device device) {
    if (ir::isComplex(dtype))
        return callComplex(in, "number", {number, Val::dtype(dtype), Val::device(device)});
    ir::HostTensor host = ir::HostTensor::zeros(dtype, {});
    if (number.isIntegral() && !ir::isFloating(dtype))
        host.setInt(0, dtype == ir::DType::Bool ? number.asInt() != 0 : number.asInt());
    else
        host.set(0, wantFloat(in, number, "the value"));
    return in.tensor(in.need(runtime::fromHost(host, device)));
}

void writeInPlace(Interp& in, TensorObj& self, const std::function<Val()>& window, Val value,
                  bool fills, std::string_view what) {
    bool wanted = value.as<TensorObj>()->type().requiresGrad || self.type().requiresGrad;
    bool recorded = in.gradMode() && wanted && ir::hasGradients(self.type().dtype);
    Val seen = window();
    TensorObj& part = *seen.as<TensorObj>();
    wantSeen(in, self, what);
    if (recorded) wantWritable(in, self, &part != &self, what);
    if (!fills) wantSeparateElements(in, part.type());
    std::vector<Val> sizes;
    for (const ir::Sym& s : part.type().sizes)
        sizes.push_back(in.size(s));
    if (recorded) value = convertTo(in, value, self.type().dtype);
    value = in.operation("expand", {value, in.list(std::move(sizes))});
    if (!fills) wantOtherMemory(in, part, value);
    if (recorded)
        writeRecorded(in, self, *part.real, value.as<TensorObj>()->real);
    else
        in.need(runtime::copyInto(*part.real, *value.as<TensorObj>()->real));
}

} // namespace cutaway::capture
