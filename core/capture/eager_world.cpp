// SPDX-License-Identifier: Apache-2.0
// The eager world: operations run at once, changes write memory, and the tape follows both.
#include "core/capture/call_observer.h"
#include "core/capture/complex_tensors.h"
#include "core/capture/guards.h"
#include "core/capture/interp.h"
#include "core/capture/seen_calls.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/ir/dtype_words.h"
#include "core/ir/meta_device.h"
#include "core/ops/call_forms.h"
#include "core/ops/catalogue.h"
#include "core/ops/gradients.h"
#include "core/ops/held_numbers.h"
#include "core/runtime/autograd.h"
#include "core/runtime/call_place.h"
#include "core/runtime/conjugate.h"
#include "core/runtime/overlap.h"
#include "core/runtime/saved_versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <variant>

namespace cutaway::capture {

namespace {

/// The tape's node of several views that one operation gave as views of their own (unbind).
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

/// Makes \p views, which one operation gave, results of one step of the tape.
void joinViews(std::span<const Val> views, const std::string& name) {
    const auto step = [](const Val& v) { return v.as<TensorObj>()->real->gradFunction; };
    if (std::ranges::all_of(views, [&](const Val& v) { return step(v) == step(views[0]); })) return;
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

/// In inference mode nothing is, whatever the grad mode says.
bool recordsGradients(const Interp& in) {
    return in.gradMode() && !in.tensorModes().inference;
}

/// Of operations whose kernels on a CPU hold a number in the tensors' dtype of 16 bits, the numbers
/// as that dtype has them: one before the tensors always; one behind them where the record says so,
/// while others (mul, div) read it as it is.
void holdNumbers(const ops::OpDef& def, ir::ArgList& args,
                 const std::vector<runtime::TensorPtr>& operands) {
    if (operands.empty()) return;
    const ir::TensorType& type = operands[0]->type;
    if (!ir::isFloating(type.dtype) || ir::sizeBytes(type.dtype) != 2 || type.device.isCuda())
        return;
    for (size_t i = 0; i < std::min<size_t>(args.size(), def.traits.holdsNumbers ? 2 : 1); ++i)
        if (auto* number = std::get_if<double>(&args[i]))
            *number = ir::HostTensor::scalar(type.dtype, *number).get(0);
}

/// Elementwise operands of other dtypes beside floats of 16 bits on a CPU: converted to those, where
/// that is the dtype that the operation computes in.
void convertOperands(Interp& in, const ops::OpDef& def, std::vector<runtime::TensorPtr>& operands) {
    const bool elementwise =
        def.category == ops::Category::Elementwise || def.category == ops::Category::Comparison;
    if (operands.size() < 2 || !elementwise ||
        !std::holds_alternative<ops::Pointwise>(def.lowering))
        return;
    std::optional<ir::DType> common;
    for (const runtime::TensorPtr& each : operands) {
        const ir::TensorType& type = each->type;
        if (type.device.isCuda() || ir::isComplex(type.dtype)) return;
        if (type.rank() == 0 || !ir::isFloating(type.dtype)) continue;
        if (!ir::isHalf(type.dtype) || common.value_or(type.dtype) != type.dtype) return;
        common = type.dtype;
    }
    if (!common) return;
    for (size_t i = 0; i < operands.size(); ++i) {
        const ir::TensorType& type = operands[i]->type;
        if (type.dtype == *common || type.dtype == ir::DType::Bool) continue;
        if (type.rank() == 0 && ops::readsNumberAsIs(def, i)) continue;
        operands[i] = in.need(in.eager().call(*ops::catalogue().find("prims.convert_element_type"),
                                              {ir::NodeId(0), *common}, {&operands[i], 1},
                                              recordsGradients(in)))[0];
    }
}

/// Whether a result lies in an operand's memory; of a view: and is the operand itself.
bool showsOperand(const std::vector<runtime::TensorPtr>& results,
                  const std::vector<runtime::TensorPtr>& operands, bool view) {
    return std::ranges::any_of(results, [&](const runtime::TensorPtr& r) {
        return std::ranges::any_of(operands, [&](const runtime::TensorPtr& o) {
            return r->storage && r->storage == o->storage &&
                   (!view || (r->offset == o->offset && r->type.sizes == o->type.sizes &&
                              r->type.strides == o->type.strides));
        });
    });
}

} // namespace

base::Result<std::vector<Val>> EagerWorld::call(const ops::OpDef& def, ir::ArgList args,
                                                const std::vector<TensorObj*>& tensors) {
    std::vector<runtime::TensorPtr> operands;
    for (TensorObj* t : tensors)
        operands.push_back(value(*t, {}, {}));
    wantNoneSaved(def, tensors);
    const runtime::CallPlace place(
        [](const void* self) {
            const CallSite site = static_cast<const Interp*>(self)->userSite();
            return site.source ? frontend::locate(site.source->file, site.span) : base::Location();
        },
        &in_);
    holdNumbers(def, args, operands);
    convertOperands(in_, def, operands);
    CUTAWAY_TRY(std::vector<runtime::TensorPtr> results,
                in_.eager().call(def, args, operands, recordsGradients(in_)));
    if (showsOperand(results, operands, sharesMemory(def))) {
        CUTAWAY_TRY(auto shown, seenCall(*this, def, args, tensors, nullptr));
        if (shown) return std::move(*shown);
    }
    std::vector<Val> values;
    for (runtime::TensorPtr& r : results)
        values.push_back(in_.tensor(std::move(r)));
    if (def.traits.jointViews) joinViews(values, ops::gradientName(def));
    if (sharesMemory(def) && !tensors.empty()) {
        const ViewOrigin origin = !recordsGradients(in_)  ? ViewOrigin::Unrecorded
                                  : def.traits.jointViews ? ViewOrigin::OneOfSeveral
                                                          : ViewOrigin::Recorded;
        for (Val& v : values) {
            noteView(*v.as<TensorObj>(), *tensors[0], origin, ops::cutsGradient(def));
            if (v.as<TensorObj>()->real->storage == operands[0]->storage)
                v.as<TensorObj>()->inference = tensors[0]->inference;
        }
    }
    return values;
}

void noteView(TensorObj& view, TensorObj& of, ViewOrigin origin, bool cut) {
    view.joinAliases(of);
    if (!cut && runtime::memoryOf(*view.real->storage) == runtime::memoryOf(*of.real->storage))
        view.becomeViewOf(of);
    if (!ir::hasGradients(view.type().dtype) || view.real->storage != of.real->storage) return;
    if (cut) return;
    view.origin = origin == ViewOrigin::Recorded ? of.origin : origin;
    // A complex tensor and its pairs are views of each other; no others of two dtypes are.
    if (ir::realType(view.type().dtype) != ir::realType(of.type().dtype)) return;
    if (!of.views) of.views = std::make_shared<MemoryViews>(MemoryViews{of.real, {}});
    view.views = of.views;
    view.views->add(view.real, view.origin);
    runtime::Tensor& seen = *view.real;
    if (seen.type.requiresGrad || view.inference || !of.views->base->type.requiresGrad) return;
    seen.type.requiresGrad = seen.asBase = true;
}

namespace {

/// Until commit(), ends with the tensor as old as it was: whoever saved it for backward() is told
/// when an operation in place is recorded, although that one makes new memory.
class NewVersion {
public:
    NewVersion(const NewVersion&) = delete;
    explicit NewVersion(runtime::TensorPtr written) : written_(std::move(written)) {
        if (written_) ++count();
    }
    ~NewVersion() {
        if (written_) --count();
    }
    void commit() { written_ = nullptr; }

private:
    uint32_t& count() {
        return written_->ownVersion ? *written_->ownVersion : written_->storage->version;
    }
    runtime::TensorPtr written_;
};

/// \p result, new memory, is from now on what a tensor has that was written \p writes times.
void takePlace(runtime::Tensor& result, uint32_t writes) {
    result.storage->version += writes;
    if (auto* saves = dynamic_cast<runtime::SavesResults*>(result.gradFunction.get()))
        saves->countEarlierWrites(writes);
}

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

/// Whether a write of \p t, or of a part of it, goes onto the tape where the written value wants a
/// gradient or not.
bool wantsGradient(const TensorObj& t) {
    return t.type().requiresGrad || baseOf(t)->type.requiresGrad;
}

/// "Output 0 of Slice": of which step of the tape \p view is a result; "": of none.
std::string resultOf(const runtime::Tensor& view) {
    const auto& function = view.gradFunction;
    if (!function) return {};
    return fmt::format("Output {} of {}", view.gradOutput,
                       function->name.substr(0, function->name.find("Backward")));
}

/// Raises where \p t, or with \p part a view of it, may not be written while gradients are recorded:
/// as the view that it is, or as a leaf (check_inplace).
void wantInPlace(Interp& in, const TensorObj& t, bool part) {
    const runtime::Tensor& base = *baseOf(t);
    const bool isView = baseOf(t) != t.real;
    if (isView && t.origin != ViewOrigin::Recorded)
        in.raise(Error::Runtime, whyNotFollowed(t.origin, resultOf(*t.real), false));
    if (base.isLeaf() && wantsGradient(t))
        in.raise(Error::Runtime,
                 fmt::format("a {}leaf Variable that requires grad is being used in an in-place "
                             "operation.",
                             part || isView ? "view of a " : ""),
                 "use torch.no_grad() around it, or make a new tensor");
}

/// The same of an operation \p what, whose result the tape must follow.
void wantWritable(Interp& in, const TensorObj& t, bool part, std::string_view what) {
    wantInPlace(in, t, part);
    if (t.sharesMemory() && runtime::hasConjugate(*t.real->storage))
        in.raise(Error::Runtime,
                 fmt::format("{} of a tensor that shares memory with its conj(), while gradients "
                             "are recorded",
                             what),
                 "use .conj_physical() or .clone() in place of conj(), or change a clone() of it");
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
    for (const auto& [weak, origin] : t.views->windows) {
        const runtime::TensorPtr seen = weak.lock();
        if (!seen || seen == base) continue;
        if (origin == ViewOrigin::Recorded)
            runtime::followBase(seen, base);
        else
            runtime::refuseWindow(seen, base, whyNotFollowed(origin, resultOf(*seen), true));
    }
}

/// Behind a write of \p t that was not recorded: views that the tape knew nothing of are from then on
/// what it knows of the base, where it can follow that.
void seeWritten(TensorObj& t) {
    if (!t.views || !t.views->base->type.requiresGrad) return;
    for (const auto& [weak, origin] : t.views->windows) {
        const runtime::TensorPtr seen = weak.lock();
        const bool ofItsOwn = seen && seen->isLeaf() && !seen->asBase;
        if (!seen || seen == t.views->base || ofItsOwn) continue;
        if (origin == ViewOrigin::Recorded && !seen->asBase) continue;
        if (origin == ViewOrigin::Recorded)
            runtime::followBase(seen, t.views->base);
        else
            runtime::refuseWindow(seen, t.views->base,
                                  whyNotFollowed(origin, resultOf(*seen), true));
    }
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
    function->version = function->saved.version();
    result.gradFunction = std::move(function);
    result.gradOutput = 0;
}

} // namespace

bool standsBefore(const runtime::GradFunction& function) {
    return dynamic_cast<const SavedResult*>(&function) ||
           dynamic_cast<const SeveralViews*>(&function);
}

namespace {

/// What a write of \p now leaves in \p t where its elements share memory, as an operation that writes
/// some of them one after the other does: a place has the value of the last element that changed.
runtime::TensorPtr settled(Interp& in, const runtime::Tensor& t, const runtime::TensorPtr& now) {
    if (!runtime::overlapsItself(t.type)) return now;
    const ir::HostTensor before = in.need(runtime::toHost(t));
    ir::HostTensor after = in.need(runtime::toHost(*now));
    const size_t bytes = ir::sizeBytes(after.dtype);
    const auto element = [&](int64_t i) { return static_cast<size_t>(i) * bytes; };
    std::vector<int64_t> strides = ir::constants(t.type.strides);
    std::vector<int64_t> at(after.sizes.size(), 0), places;
    std::unordered_map<int64_t, int64_t> last; // by place, the element that it has
    for (int64_t i = 0; i < after.numel(); ++i) {
        places.push_back(std::inner_product(at.begin(), at.end(), strides.begin(), int64_t{0}));
        const bool same = std::equal(&after.bytes[element(i)], &after.bytes[element(i)] + bytes,
                                     &before.bytes[element(i)]);
        if (!same || !last.contains(places.back())) last[places.back()] = i;
        for (size_t d = at.size(); d-- > 0 && ++at[d] == after.sizes[d];)
            at[d] = 0;
    }
    for (int64_t i = 0; i < after.numel(); ++i) {
        const size_t from = element(last[places[static_cast<size_t>(i)]]);
        std::copy_n(after.bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes,
                    after.bytes.begin() + static_cast<std::ptrdiff_t>(element(i)));
    }
    runtime::TensorPtr made = in.need(runtime::fromHost(after, t.type.device));
    made->type.requiresGrad = now->type.requiresGrad;
    made->gradFunction = now->gradFunction;
    made->gradOutput = now->gradOutput;
    return made;
}

} // namespace

Val EagerWorld::mutate(const std::string& base, const Val& self, const Computation& compute) {
    auto& t = *self.as<TensorObj>();
    wantNormal(t);
    NewVersion written(t.real);
    if (recordsGradients(in_) && runtime::leadsPast(*t.real, *baseOf(t)))
        runtime::followBase(t.real, baseOf(t));
    std::optional<OwnValues> before;
    if (recordsGradients(in_) && t.sharesMemory() && ir::hasGradients(t.type().dtype))
        before.emplace(in_, t);
    const Val result = fitting(base, t, compute);
    before.reset();
    for (const auto& version : std::exchange(saved_, {}))
        ++*version;
    auto& converted = *result.as<TensorObj>();
    const bool wanted = converted.real->type.requiresGrad || wantsGradient(t);
    if (!wanted || ops::leavesHistory(base) || !recordsGradients(in_) ||
        !ir::hasGradients(t.real->type.dtype)) {
        in_.need(runtime::copyInto(*t.real, *settled(in_, *t.real, converted.real)));
        seeWritten(t);
        return self;
    }
    wantWritable(in_, t, false, base + "_()");
    if (!t.sharesMemory() && converted.real->type.requiresGrad) {
        const bool kept = runtime::takeKept(*t.real);
        converted.real->grad = t.real->grad;
        takePlace(*converted.real, t.real->version());
        t.real = converted.real; // the tape keeps the old value
        const auto overloads = ops::overloadsOf(base);
        if (!overloads.empty() && overloads.front()->traits.savesResult) saveResult(*t.real);
        runtime::keepAgain(t.real, kept);
        t.leaveAliases();
        written.commit();
        return self;
    }
    writeRecorded(in_, t, *t.real, settled(in_, *t.real, converted.real));
    return self;
}

void EagerWorld::write(const Val& tensor, const Computation& view, const Val& given,
                       const Writing& how) {
    auto& self = *tensor.as<TensorObj>();
    in_.wantOwn(self, how.base);
    wantNormal(self);
    value(self, {}, {});
    Val from =
        given.is(Kind::Tensor) ? given : number(given, self.type().dtype, self.type().device);
    const bool wanted = from.as<TensorObj>()->type().requiresGrad || wantsGradient(self);
    const bool recorded = recordsGradients(in_) && wanted && ir::hasGradients(self.type().dtype);
    const Val seen = view();
    TensorObj& part = *seen.as<TensorObj>();
    if (recorded) wantWritable(in_, self, &part != &self, how.what);
    if (!how.fills) wantSeparateElements(in_, part.type());
    std::optional<CallObserver::Unseen> unseen;
    if (CallObserver* each = CallObserver::current(); each && each->replaces() && !recorded) {
        const bool zero = how.base == "zero";
        const char* name = zero ? "zero_" : given.is(Kind::Tensor) ? "copy_" : "fill_.Scalar";
        from = in_.tensor(each->written(name, *part.real, zero ? nullptr : &given));
        unseen.emplace();
    }
    std::vector<Val> sizes;
    for (const ir::Sym& s : part.type().sizes)
        sizes.push_back(in_.size(s));
    if (recorded) from = convertTo(in_, from, self.type().dtype);
    from = in_.operation("expand", {from, in_.list(std::move(sizes))});
    if (!how.fills) wantOtherMemory(in_, part, from);
    if (recorded) {
        writeRecorded(in_, self, *part.real, from.as<TensorObj>()->real);
        return;
    }
    in_.need(runtime::copyInto(*part.real, *from.as<TensorObj>()->real));
    seeWritten(self);
}

void EagerWorld::fill(const std::string& base, const Val& self, const Val& value) {
    wantHeld(in_, value, self.as<TensorObj>()->type().dtype);
    const std::string what = base + "_()";
    write(self, [&] { return self; }, value, {base, true, what});
}

Val EagerWorld::moved(const Val& tensor, ir::Device device) {
    auto& t = *tensor.as<TensorObj>();
    if (t.type().requiresGrad && recordsGradients(in_))
        return in_.operation("prims.device_put", {tensor, Val::device(device)});
    ir::TensorType type = ir::TensorType::contiguous(t.type().dtype, t.type().sizes, device);
    runtime::TensorPtr moved = in_.need(runtime::emptyTensor(type));
    in_.need(runtime::copyInto(*moved, *t.real));
    return in_.tensor(std::move(moved));
}

Val EagerWorld::rows(const Val& tensor) {
    // On the tape the rows are what one operation gave.
    const bool recorded = recordsGradients(in_) && tensor.as<TensorObj>()->type().requiresGrad;
    return recorded ? in_.operation("unbind", {tensor}) : Val();
}

bool EagerWorld::overlap(const TensorObj& a, const TensorObj& b, bool whole) {
    if (!a.real || !b.real) return false;
    if (whole && a.real->storage == b.real->storage && a.real->offset == b.real->offset &&
        a.type().sizes == b.type().sizes && !a.type().numel().is(0))
        return true;
    return runtime::partlyOverlap(*a.real, *b.real);
}

Val EagerWorld::savedBefore(const Val& operand, const TensorObj& written) {
    auto* t = operand.to<TensorObj>();
    if (!t || !t->real || !written.real || t->real->storage != written.real->storage ||
        !recordsGradients(in_) || (t->type().requiresGrad && t->real->isLeaf()))
        return operand;
    auto seen = std::make_shared<runtime::Tensor>(*t->real);
    seen->ownVersion = std::make_shared<uint32_t>(seen->version());
    saved_.push_back(seen->ownVersion);
    return in_.tensor(std::move(seen));
}

Val EagerWorld::constant(ir::HostTensor value, ir::Device device) {
    return in_.tensor(in_.need(runtime::fromHost(value, device)));
}

Val EagerWorld::number(const Val& value, ir::DType dtype, ir::Device device) {
    if (ir::isComplex(dtype))
        return callComplex(in_, "number", {value, Val::dtype(dtype), Val::device(device)});
    if (value.is(Kind::Integer)) return tensorOfData(in_, value, dtype, device);
    ir::HostTensor host = ir::HostTensor::zeros(dtype, {});
    if (value.isIntegral() && !ir::isFloating(dtype))
        host.setInt(0, dtype == ir::DType::Bool ? value.asInt() != 0 : value.asInt());
    else
        host.set(0, wantFloat(in_, value, "the value"));
    return in_.tensor(in_.need(runtime::fromHost(host, device)));
}

Val EagerWorld::drawn(const ir::TensorType& type, const runtime::Draw& draw,
                      runtime::Generator& generator) {
    runtime::TensorPtr t = in_.need(runtime::emptyTensor(type));
    in_.need(runtime::fillRandom(*t, draw, generator));
    return in_.tensor(std::move(t));
}

void EagerWorld::redraw(const std::string& base, const Val& self, const runtime::Draw& draw,
                        runtime::Generator& generator) {
    const TensorObj& t = *self.as<TensorObj>();
    wantNormal(t);
    in_.wantOwn(t, base);
    const bool recorded = recordsGradients(in_) && wantsGradient(t);
    if (recorded) wantInPlace(in_, t, false);
    in_.need(runtime::fillRandom(*t.real, draw, generator));
    if (!recorded) return;
    // What it was has gradients of 0 from here on.
    const Val values = in_.operation("clone", {in_.operation("detach", {self})});
    write(self, [&] { return self; }, values, {base, true, base + "_()"});
}

Val EagerWorld::bernoulli(const Val& chances, runtime::Generator& generator) {
    const runtime::TensorPtr from = in_.real(chances, "the input");
    runtime::TensorPtr t = in_.need(runtime::emptyTensor(
        ir::TensorType::contiguous(from->type.dtype, from->type.sizes, from->type.device)));
    in_.need(runtime::fillBernoulli(*t, *from, generator));
    return in_.tensor(std::move(t));
}

const runtime::TensorPtr& EagerWorld::value(TensorObj& t, std::string_view, std::string_view) {
    if (!t.real)
        in_.raise(Error::Runtime, "a tensor of a finished capture is used",
                  "return it from the compiled function");
    return t.real;
}

ir::Sym EagerWorld::size(const ir::Sym& size) {
    return size; // a symbol is one of a capture that is about to begin
}

int64_t EagerWorld::sizeValue(const ir::Sym& size) {
    if (!size.isConst()) in_.raise(Error::Runtime, "a size of a finished capture is used");
    return size.constant();
}

bool EagerWorld::decide(const ir::Condition& condition) {
    return condition.holds(sizeValue(condition.a), sizeValue(condition.b));
}

bool EagerWorld::exact(const ir::Sym& size) {
    return size.isConst();
}

Val EagerWorld::gradient(TensorObj& t) {
    value(t, {}, {});
    return gradientOf(in_, t);
}

void EagerWorld::setGradient(TensorObj& t, const Val& given) {
    if (given.isNone()) {
        t.real->grad = nullptr;
        t.gradient = {};
        return;
    }
    if (!given.is(Kind::Tensor))
        in_.raise(
            Error::Type,
            fmt::format("assigned grad expected to be a Tensor or None but got grad of type {}",
                        in_.typeName(given)));
    if (given.object() == &t) in_.raise(Error::Runtime, "can't assign Variable as its own grad");
    runtime::TensorPtr gradient = in_.real(given, "the gradient");
    const ir::TensorType &type = gradient->type, &own = t.real->type;
    if (type.dtype != own.dtype)
        in_.raise(Error::Runtime,
                  fmt::format("attempting to assign a gradient with dtype '{}' to a tensor with "
                              "grad_dtype '{}'. The gradient must match the tensor's grad_dtype "
                              "(defaults to the tensor's dtype).",
                              ir::nameInCpp(type.dtype), ir::scalarType(own.dtype)));
    if (!(type.device == own.device))
        in_.raise(Error::Runtime,
                  fmt::format("attempting to assign a gradient with device type '{}' to a tensor "
                              "with device type '{}'. Please ensure that the gradient and the "
                              "tensor are on the same device",
                              type.device.str(), own.device.str()));
    if (type.sizes != own.sizes)
        in_.raise(Error::Runtime,
                  fmt::format("attempting to assign a gradient of size '{}' to a tensor of size "
                              "'{}'. Please ensure that the gradient and the tensor are the same "
                              "size",
                              ir::str(type.sizes), ir::str(own.sizes)));
    t.real->grad = std::move(gradient);
    t.gradient = Ref<TensorObj>(given.as<TensorObj>());
}

void EagerWorld::setRequiresGrad(TensorObj& t, const Val& given) {
    if (!given.isBool())
        in_.raise(Error::Runtime,
                  fmt::format("requires_grad must be a bool, found {}", in_.typeName(given)));
    const bool on = given.asBool();
    if (on && t.inference && !in_.tensorModes().inference)
        in_.raise(Error::Runtime, "Setting requires_grad=True on inference tensor outside "
                                  "InferenceMode is not allowed.");
    if (!t.real->isLeaf()) {
        if (on) return;
        in_.raise(Error::Runtime, "requires_grad of a computed tensor cannot be switched off",
                  "use .detach()");
    }
    if (on && !ir::hasGradients(t.real->type.dtype))
        in_.raise(Error::Runtime, "only Tensors of floating point dtype can require gradients",
                  fmt::format("this one is of {}", ir::name(t.real->type.dtype)));
    // Of an unrecorded view of a tensor that requires a gradient it cannot be switched off.
    if (t.real->asBase && !on) return;
    t.real->type.requiresGrad = on;
    t.real->asBase = false;
    if (t.views && t.views->base == t.real) t.views->follow(on);
}

void EagerWorld::setData(TensorObj& t, const Val& given) {
    if (!given.is(Kind::Tensor))
        in_.raise(Error::Type,
                  fmt::format("Variable data has to be a tensor, but got {}", in_.typeName(given)));
    const runtime::TensorPtr from = in_.real(given, "the data");
    const bool grad = t.real->type.requiresGrad;
    if (ir::isMeta(from->type.device) != ir::isMeta(t.real->type.device))
        in_.raise(Error::Runtime, "Attempted to call `variable.set_data(tensor)`, but `variable` "
                                  "and `tensor` have incompatible tensor type.");
    if (grad && !ir::hasGradients(from->type.dtype))
        in_.raise(Error::Runtime, "data set to a tensor that requires gradients must be floating "
                                  "point or complex dtype");
    t.real->type = from->type;
    t.real->type.requiresGrad = grad;
    // Its own writes count on, whatever is written through the tensor that the data is of.
    if (!t.real->ownVersion) t.real->ownVersion = std::make_shared<uint32_t>(t.real->version());
    t.real->storage = from->storage;
    t.real->offset = from->offset;
}

void EagerWorld::ownWrites(TensorObj& t) {
    t.real->ownVersion = std::make_shared<uint32_t>(0);
}

void EagerWorld::become(TensorObj& t, TensorObj& view) {
    const bool leaf = t.type().requiresGrad && t.real->isLeaf();
    if (recordsGradients(in_) && wantsGradient(t)) wantInPlace(in_, t, false);
    t.real->countWrite(); // who saved it for backward() is told
    if (leaf) {           // which stays one, with its gradient
        t.real->type.sizes = view.real->type.sizes;
        t.real->type.strides = view.real->type.strides;
        return;
    }
    t.real = view.real;
    t.views = view.views;
}

Val EagerWorld::backward(const GradientRequest& given) {
    auto tensors = [&](const std::vector<Val>& values, std::string_view what) {
        std::vector<runtime::TensorPtr> all;
        for (const Val& v : values)
            all.push_back(v.isNone() ? nullptr : in_.real(v, what));
        return all;
    };
    runtime::BackwardRequest request;
    request.roots = tensors(given.roots, "the tensor to differentiate");
    request.gradients = tensors(given.gradients, "the gradient");
    request.retainGraph = given.retainGraph;
    request.record = given.record;
    request.inputs = tensors(given.inputs, "an input");
    request.accumulate = given.accumulate;
    request.checkNan = in_.checksGradients;
    for (const runtime::TensorPtr& input : request.inputs)
        if (!input || !input->type.requiresGrad)
            in_.raise(Error::Runtime, "One of the differentiated Tensors does not require grad",
                      "create it with requires_grad=True");
    std::vector<runtime::TensorPtr> gradients = in_.need(in_.eager().backward(request));
    if (request.accumulate) return Val::none();
    std::vector<Val> values;
    for (runtime::TensorPtr& gradient : gradients) {
        if (gradient && !request.record) {
            // Nobody else may see a later change of it, nor may it have a tape behind it.
            gradient = runtime::viewOf(gradient, gradient->type.sizes, gradient->type.strides, 0);
        }
        values.push_back(gradient ? in_.tensor(std::move(gradient)) : Val::none());
    }
    return in_.list(std::move(values));
}

void EagerWorld::detachInPlace(TensorObj& t) {
    auto copy = std::make_shared<runtime::Tensor>(*t.real);
    copy->gradFunction = nullptr;
    copy->type.requiresGrad = false;
    copy->asBase = false;
    t.real = copy;
}

} // namespace cutaway::capture
