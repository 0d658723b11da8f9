// SPDX-License-Identifier: Apache-2.0
// The capturing world: operations become nodes, changes give a tensor another node
// (functional_views.cpp does that for what shares its memory), and values are not there.
#include "core/base/said.h"
#include "core/capture/capture.h"
#include "core/capture/complex_tensors.h"
#include "core/capture/graph_numbers.h"
#include "core/capture/seen_calls.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/ops/call_forms.h"
#include "core/ops/gradients.h"
#include "core/ops/memory_order.h"

#include <fmt/format.h>

namespace cutaway::capture {

/// Whether the tensor begins its storage, as a graph supposes of what it computes and is given. What
/// is composed of others may be its operand itself: x.contiguous(), x.reshape(x.shape).
static bool beginsStorage(const ir::Graph& graph, const TensorObj& t) {
    if (t.real) return t.real->offset == 0;
    const ir::Node& node = graph.node(t.fake->node);
    const ops::OpDef* def = ops::catalogue().find(node.op);
    return node.kind == ir::NodeKind::Placeholder ||
           (def && !def->isView() && !std::holds_alternative<ops::Decompose>(def->lowering));
}

base::Result<std::vector<Val>> CapturingWorld::call(const ops::OpDef& def, ir::ArgList args,
                                                    const std::vector<TensorObj*>& tensors) {
    const bool strided = def.name() == "as_strided" || def.name() == "as_strided_copy";
    const size_t offset = strided ? 3 : 4;
    if ((strided || def.name() == "as_strided_scatter") && args.size() > offset &&
        !args[offset].isNone()) {
        if (!beginsStorage(capture_.graph, *tensors[0]))
            in_.stop(
                base::said(
                    "as_strided() counts a storage_offset from the beginning of a storage that "
                    "the tensor does not begin"),
                base::said("leave storage_offset out, which then is the tensor's own"));
        if (tensors[0]->real) capture_.guardBeginning(*tensors[0]);
    }
    if (strided && !ops::isDense(type(*tensors[0])))
        in_.stop(
            base::said("as_strided() of a tensor with gaps reads memory that no graph has of it"),
            base::said("call it outside the compiled function"));
    if (def.traits.mayCopy && !tensors.empty() && capture_.lostGaps(*tensors[0]))
        in_.stop(base::said("{}() of a tensor with gaps that was changed in place", def.name()),
                 base::said("call it outside the compiled function"));
    wantNoneSaved(def, tensors);
    CUTAWAY_TRY(auto shown, seenCall(*this, def, args, tensors, capture_.graph.shapes));
    if (shown) return std::move(*shown);
    return capture_.callOperation(def, std::move(args), tensors, sharesMemory(def));
}

Val CapturingWorld::mutate(const std::string& base, const Val& self, const Computation& compute) {
    auto& t = *self.as<TensorObj>();
    wantNormal(t);
    const std::string instead = fmt::format("use {} and return the result", outOfPlace(base));
    if (!t.fake && t.type().requiresGrad && in_.gradMode())
        in_.stop(base::said("{}_() changes a tensor that exists outside the compiled function "
                            "and requires a gradient",
                            base),
                 instead);
    if (ops::leavesHistory(base) && type(t).requiresGrad && in_.gradMode())
        in_.stop(base::said("{}_() changes a tensor whose gradient does not see it", base),
                 instead);
    const size_t firstNode = capture_.graph.idLimit();
    const ir::NodeId before = capture_.valueOf(t);
    const Val result = fitting(base, t, compute);
    const auto overloads = ops::overloadsOf(base);
    capture_.noteInPlace(firstNode, before,
                         !overloads.empty() && overloads.front()->traits.savesResult);
    const FakeTensor& now = *result.as<TensorObj>()->fake;
    if (!t.fake && now.type.requiresGrad)
        in_.stop(base::said("{}_() gives a tensor that exists outside the compiled function a "
                            "gradient",
                            base),
                 instead);
    capture_.assign(t, now);
    return self;
}

/// A number or a tensor as a new one of the sizes and the dtype of \p like.
Val CapturingWorld::expanded(const Val& value, TensorObj& like, bool fills) {
    const ir::TensorType& type = this->type(like);
    std::vector<Val> sizes;
    for (const ir::Sym& s : type.sizes)
        sizes.push_back(in_.size(s));
    const Val whole =
        in_.operation("expand", {convertTo(in_, value, type.dtype), in_.list(std::move(sizes))});
    if (!fills) wantOtherMemory(in_, like, whole);
    return in_.operation("clone", {whole});
}

void CapturingWorld::write(const Val& tensor, const Computation& view, const Val& value,
                           const Writing& how) {
    in_.wantOwn(*tensor.as<TensorObj>(), how.base);
    const Val seen = view();
    auto& part = *seen.as<TensorObj>();
    auto compute = [&] {
        const ir::TensorType& type = part.type();
        const Val from = value.is(Kind::Tensor) ? value : number(value, type.dtype, type.device);
        return expanded(from, part, how.fills);
    };
    in_.changeInPlace(how.base, seen, compute, how.fills);
}

void CapturingWorld::fill(const std::string& base, const Val& self, const Val& value) {
    in_.wantOwn(*self.as<TensorObj>(), base);
    auto compute = [&] {
        const bool computed = value.is(Kind::Number);
        if (!computed && !value.is(Kind::Integer)) return in_.operation("full_like", {self, value});
        if (!computed)
            wantHeld(in_, value, type(*self.as<TensorObj>()).dtype); // no number of a graph
        auto& t = *self.as<TensorObj>();
        return expanded(number(value, type(t).dtype, type(t).device), t, true);
    };
    in_.changeInPlace(base, self, compute, true);
}

ir::Sym CapturingWorld::beginning(TensorObj& t) {
    return capture_.beginning(t);
}

void CapturingWorld::ownWrites(TensorObj& t) {
    capture_.ownWrites(t);
}

Val CapturingWorld::moved(const Val& tensor, ir::Device device) {
    return in_.operation("prims.device_put", {tensor, Val::device(device)});
}

bool CapturingWorld::overlap(const TensorObj& a, const TensorObj& b, bool whole) {
    return capture_.overlap(a, b, whole);
}

Val CapturingWorld::constant(ir::HostTensor value, ir::Device device) {
    return capture_.constantTensor(std::move(value), device);
}

Val CapturingWorld::number(const Val& value, ir::DType dtype, ir::Device device) {
    if (ir::isComplex(dtype))
        return callComplex(in_, "number", {value, Val::dtype(dtype), Val::device(device)});
    if (value.is(Kind::Integer)) return tensorOfData(in_, value, dtype, device);
    if (auto* number = value.to<NumberObj>(); number && !(number->known && device.isCuda()))
        return moveTo(in_, convertTo(in_, number->tensor.val(), dtype), device);
    const Val operands[] = {value};
    const std::pair<StrObj*, Val> options[] = {{in_.intern("dtype"), Val::dtype(dtype)},
                                               {in_.intern("device"), Val::device(device)}};
    return in_.operation("scalar_tensor", Arguments{operands, options});
}

Val CapturingWorld::drawn(const ir::TensorType& type, const runtime::Draw& draw,
                          runtime::Generator&) {
    return capture_.drawnTensor(type, draw);
}

void CapturingWorld::redraw(const std::string& base, const Val& self, const runtime::Draw& draw,
                            runtime::Generator&) {
    wantNormal(*self.as<TensorObj>());
    in_.wantOwn(*self.as<TensorObj>(), base);
    ir::TensorType type = this->type(*self.as<TensorObj>());
    type.requiresGrad = false;
    if (!ops::isDense(type))
        in_.stop(base::said("{}_() fills a part of a tensor", base),
                 base::said("fill a whole one"));
    in_.changeInPlace(base, self, [&] { return capture_.drawnTensor(type, draw); });
}

Val CapturingWorld::bernoulli(const Val& chances, runtime::Generator& generator) {
    const ir::TensorType& type = this->type(wantTensor(in_, chances, "the input"));
    const ir::DType dtype = type.dtype;
    if (type.device.isCuda() || !ir::isFloating(dtype))
        in_.stop(base::said("bernoulli() draws by the values of a tensor"),
                 base::said("draw outside the compiled function"));
    const ir::TensorType uniform = ir::TensorType::contiguous(
        dtype == ir::DType::Float64 ? dtype : ir::DType::Float32, type.sizes, type.device);
    const Val draws = drawn(uniform, {.distribution = runtime::Distribution::Uniform}, generator);
    return convertTo(in_, in_.operation("lt", {draws, chances}), dtype);
}

const runtime::TensorPtr& CapturingWorld::value(TensorObj&, std::string_view what,
                                                std::string_view hint) {
    in_.stop(base::said("{} needs the value of a tensor", what), std::string(hint));
}

void CapturingWorld::wantReal(std::string_view message, std::string_view hint) {
    in_.stop(std::string(message), std::string(hint));
}

void CapturingWorld::wantCount(std::string_view message) {
    capture_.wantCount(std::string(message), "use torch.where(mask, a, b), which keeps the shape");
}

/// Whether numbers of a graph, of 64 bits and a sign, hold all of a dtype's.
static bool holdsAll(ir::DType dtype) {
    return !ir::isComplex(dtype) && dtype != ir::DType::UInt64;
}

Val CapturingWorld::number(TensorObj& t) {
    const ir::DType dtype = type(t).dtype;
    // numpy's own code asks for the numbers of arrays, which PyTorch's does not.
    const bool array = in_.top() && in_.top()->code->source->file.starts_with("<numpy");
    if (!holdsAll(dtype) || !(array || capture_.readsNumbers())) return {};
    return graphNumber(in_, t);
}

Val CapturingWorld::numbers(TensorObj& t) {
    constexpr int64_t kMost = 256; // more are read behind the graph
    const ir::TensorType whole = type(t);
    if (!holdsAll(whole.dtype) || (ir::isFloating(whole.dtype) && !capture_.readsNumbers()))
        return {};
    if (!whole.staticSizes() && !capture_.noBreaks) return {}; // a break keeps the symbols
    int64_t count = 1;
    for (const ir::Sym& size : whole.sizes)
        count *= std::min(sizeValue(size), kMost + 1);
    if (count > kMost) return {};
    const std::function<Val(const Val&)> nest = [&](const Val& part) -> Val {
        auto& tensor = *part.as<TensorObj>();
        const ir::TensorType now = type(tensor);
        if (now.rank() == 0) return graphNumber(in_, tensor);
        std::vector<Val> row;
        const int64_t rows = sizeValue(now.sizes[0]);
        for (int64_t i = 0; i < rows; ++i)
            in_.add(row, nest(in_.operation("select", {part, Val::integer(0), Val::integer(i)})));
        return in_.list(std::move(row));
    };
    return nest(Val(&t));
}

const ir::TensorType& CapturingWorld::type(TensorObj& t) {
    return t.fake ? t.fake->type : capture_.typeOf(t);
}

ir::Sym CapturingWorld::size(const ir::Sym& size) {
    return capture_.graph.shapes ? capture_.graph.shapes->replaced(size) : size;
}

int64_t CapturingWorld::sizeValue(const ir::Sym& size) {
    return capture_.specialize(size);
}

bool CapturingWorld::decide(const ir::Condition& condition) {
    return capture_.decide(condition);
}

std::optional<bool> CapturingWorld::answer(const ir::Condition& condition) {
    return capture_.answer(condition);
}

bool CapturingWorld::exact(const ir::Sym& size) {
    return capture_.keepsExact(size);
}

Val CapturingWorld::gradient(TensorObj& t) {
    if (!t.real)
        in_.stop(base::said("the gradient of a computed tensor is read"),
                 base::said("read .grad outside the compiled function"));
    const Val gradient = capture_.hasNewGrad(t) ? t.gradient.val() : gradientOf(in_, t);
    capture_.readGrad(t, gradient);
    return gradient;
}

void CapturingWorld::setGradient(TensorObj& t, const Val& value) {
    auto* gradient = value.to<TensorObj>();
    if (!gradient && !value.isNone())
        in_.raise(Error::Type,
                  fmt::format("assigned grad expected to be a Tensor or None but got {}",
                              in_.typeName(value)));
    if (!t.real || (gradient && gradient->type().requiresGrad))
        in_.stop(base::said(
                     "the gradient of a computed tensor is assigned, or one with a tape behind it"),
                 base::said("do this outside the compiled function"));
    if (gradient &&
        !(gradient->type().sizes == t.type().sizes && gradient->type().dtype == t.type().dtype &&
          gradient->type().device == t.type().device && gradient != &t))
        in_.stop(base::said("a gradient of another type is assigned"),
                 base::said("give it the sizes, the dtype and the device of the tensor"));
    if (gradient) capture_.readTensor(t);
    in_.mutating(&t, "the gradient of a tensor");
    t.gradient = Ref<TensorObj>(gradient);
}

void CapturingWorld::setRequiresGrad(TensorObj& t, const Val& value) {
    if (!t.fake || !value.isBool() || (value.asBool() && !ir::hasGradients(t.type().dtype)) ||
        (!value.asBool() && t.type().requiresGrad))
        in_.stop(base::said("the attribute 'requires_grad' of a tensor is assigned"),
                 base::said("do this outside the compiled function"));
    if (value.asBool()) capture_.makeLeaf(t);
}

void CapturingWorld::setData(TensorObj&, const Val&) {
    in_.stop(base::said("the attribute 'data' of a tensor is assigned"),
             base::said("do this outside the compiled function"));
}

void CapturingWorld::detachInPlace(TensorObj& t) {
    if (t.type().requiresGrad)
        in_.stop(base::said("detach_() changes a tensor in place"),
                 base::said("use x = x.detach()"));
}

void CapturingWorld::become(TensorObj& t, TensorObj& view) {
    if (!t.fake || t.fake->leaf)
        in_.stop(base::said("the sizes of a tensor are changed in place"),
                 base::said("use x = x.unsqueeze(...) and the like"));
    capture_.become(t, view);
}

Val CapturingWorld::backward(const GradientRequest& request) {
    for (const Val& root : request.roots)
        wantTensor(in_, root, "the tensor to differentiate");
    for (const Val& seed : request.gradients)
        if (!seed.isNone()) wantTensor(in_, seed, "the gradient");
    for (const Val& input : request.inputs)
        if (!wantTensor(in_, input, "an input").type().requiresGrad)
            in_.raise(Error::Runtime, "One of the differentiated Tensors does not require grad",
                      "create it with requires_grad=True");
    if (request.accumulate) {
        capture_.backward(request);
        return Val::none();
    }
    return in_.list(capture_.gradients(request));
}

void CapturingWorld::checkpointRegion(bool open) {
    open ? capture_.enterCheckpoint() : capture_.leaveCheckpoint();
}

} // namespace cutaway::capture
