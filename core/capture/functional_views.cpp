// SPDX-License-Identifier: Apache-2.0
// Functionalisation: a tensor that is changed in place has another node from there on, and so have
// all that share its memory. A view knows the operations that lead to it from the tensor it is of;
// a change of the view is put back through them, and other views are made again when they are used.
// Source: aten/src/ATen/FunctionalTensorWrapper.h, FunctionalInverses.cpp.
#include "core/base/said.h"
#include "core/capture/capture.h"
#include "core/capture/torch_support.h"

#include "core/ops/bits_view.h"
#include "core/ops/gradients.h"
#include "core/ops/memory_order.h"
#include "core/ops/view_strides.h"
#include "core/ops/written_view.h"
#include "core/runtime/overlap.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

ir::Arg dimsOf(const std::vector<int64_t>& dims) {
    ir::ArgList list;
    for (int64_t d : dims)
        list.emplace_back(ir::Sym(d));
    return list;
}

int64_t bytesOf(const TensorObj& tensor) {
    return static_cast<int64_t>(ir::sizeBytes(tensor.type().dtype));
}

/// The permutation that undoes one.
std::vector<int64_t> inverseOf(const std::vector<int64_t>& dims) {
    std::vector<int64_t> inverse(dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
        inverse[static_cast<size_t>(dims[i])] = static_cast<int64_t>(i);
    return inverse;
}

} // namespace

bool Capture::sharesElements(const ops::OpDef& def, const ir::TensorType& viewed,
                             const ir::TensorType& type) {
    if (!def.traits.mayCopy) return true;
    if (viewed.sizes == type.sizes && viewed.strides == type.strides) return true;
    if (ops::viewStrides(viewed, type.sizes) == type.strides) return true;
    // A view by what is known of its sizes: copies to other sizes are row-major.
    return viewed.sizes != type.sizes && type.strides != ir::contiguousStrides(type.sizes);
}

void Capture::noteView(TensorObj& view, TensorObj& of, ViewStep step) {
    View v;
    v.self = Val(&view);
    auto known = views_.find(&of);
    v.base = known == views_.end() ? Val(&of) : known->second.base;
    if (known != views_.end()) {
        v.steps = known->second.steps;
        v.offset = known->second.offset;
    }
    if (ops::seesBits(*step.def)) // counted in elements of the view
        v.offset = ir::floorDiv(v.offset * ir::Sym(bytesOf(of)), ir::Sym(bytesOf(view)));
    v.offset = v.offset + offsetOf(step);
    v.steps.push_back(std::move(step));
    v.version = versionOf(v.base);
    views_[&view] = std::move(v);
}

/// How many elements behind the start of what is viewed the view starts.
ir::Sym Capture::offsetOf(const ViewStep& step) const {
    const auto result = static_cast<size_t>(std::max(step.result, 0));
    return ops::startOfView(ops::OpCall(*step.def, step.args, graph),
                            graph.node(step.made).types[result], step.result);
}

bool Capture::overlap(const TensorObj& a, const TensorObj& b, bool whole) const {
    if (&a == &b) return whole;
    auto viewA = views_.find(&a), viewB = views_.find(&b);
    const Object* baseA = viewA == views_.end() ? &a : viewA->second.base.object();
    const Object* baseB = viewB == views_.end() ? &b : viewB->second.base.object();
    if (baseA != baseB) return false;
    auto offset = [&](auto view) {
        return view == views_.end() ? ir::Sym(int64_t{0}) : view->second.offset;
    };
    auto constant = [](const ir::Shape& shape) {
        return std::all_of(shape.begin(), shape.end(),
                           [](const ir::Sym& s) { return s.isConst(); });
    };
    const ir::Sym offsetA = offset(viewA), offsetB = offset(viewB);
    const ir::TensorType &typeA = a.type(), &typeB = b.type();
    if (whole && offsetA == offsetB && typeA.sizes == typeB.sizes) return true;
    for (const ir::TensorType* type : {&typeA, &typeB})
        if (!constant(type->sizes) || !constant(type->strides)) return false;
    if (!offsetA.isConst() || !offsetB.isConst()) return false;
    return runtime::partlyOverlap(typeA, offsetA.constant(), typeB, offsetB.constant());
}

/// What \p t was so far goes on without a name: it is what the views of \p t are of, \p t among them.
void Capture::become(TensorObj& t, TensorObj& view) {
    const auto of = views_.find(&t);
    const Val whole = of == views_.end() ? Val(&t) : of->second.base;
    wantRecordable(*whole.as<TensorObj>(), of == views_.end() ? nullptr : &of->second);
    beforeChange(&t, "a tensor");
    const bool wasBase = of == views_.end();
    since_.undo.push_back(
        [this, views = views_, versions = versions_, overwritten = overwritten_]() mutable {
            views_ = std::move(views);
            versions_ = std::move(versions);
            overwritten_ = std::move(overwritten);
        });
    if (wasBase) {
        auto* before = interp_.make<TensorObj>();
        const Val keep(before);
        before->madeAt = t.madeAt;
        before->inference = t.inference;
        before->fake = std::make_unique<FakeTensor>(*t.fake);
        for (auto& [object, other] : views_)
            if (other.base.object() == &t) other.base = keep;
        for (auto& [node, then] : overwritten_)
            if (then.base == &t) then.base = before;
        if (const auto version = versions_.extract(&t)) versions_[before] = version.mapped();
        kept_.push_back(keep);
    }
    View now = views_.at(&view);
    now.self = Val(&t);
    views_[&t] = std::move(now);
    *t.fake = *view.fake;
}

void Capture::ownWrites(TensorObj& t) {
    if (const auto known = views_.find(&t); known != views_.end())
        known->second.steps.back().data = true;
}

uint64_t Capture::versionOf(const Val& base) const {
    auto known = versions_.find(base.object());
    return known == versions_.end() ? 0 : known->second;
}

ir::NodeId Capture::appended(std::string_view op, ir::ArgList args) {
    auto made = builder_.tryCall(op, std::move(args));
    if (!made.ok()) interp_.fail(std::move(made.error()));
    return *made;
}

ir::NodeId Capture::makeView(const ViewStep& step, ir::NodeId of) {
    ir::ArgList args = step.args;
    args[0] = of;
    const ir::NodeId made = appended(step.def->name(), std::move(args));
    return graph.node(made).tuple ? builder_.getitem(made, step.result) : made;
}

bool Capture::recordedTo(const View& view) {
    return std::none_of(view.steps.begin(), view.steps.end(), [](const ViewStep& step) {
        return !step.recorded || ops::cutsGradient(*step.def);
    });
}

bool Capture::wantsGradient(const TensorObj& base) {
    return base.fake ? base.fake->type.requiresGrad : base.type().requiresGrad;
}

void Capture::refreshView(TensorObj& t) {
    auto known = views_.find(&t);
    if (known == views_.end() || known->second.version == versionOf(known->second.base)) return;
    const View view = known->second;
    TensorObj& base = *view.base.as<TensorObj>();
    ir::NodeId node = nodeOf(base);
    const bool recorded = recordedTo(view), wanted = wantsGradient(base);
    const bool cut = gradMode_ ? !recorded && wanted : recorded && !wanted && base.fake;
    if (cut && ir::hasGradients(base.type().dtype)) node = detached(node);
    for (const ViewStep& step : view.steps)
        node = makeView(step, node);
    t.fake->node = node;
    t.fake->type.requiresGrad = recorded && wanted;
    views_[&t].version = versionOf(view.base);
}

/// \p node, which nothing of \p t is left in: its gradient is there all the same, and zero.
ir::NodeId Capture::withGradientOf(TensorObj& t, ir::NodeId node) {
    const ir::Device device = graph.node(node).type().device;
    return builder_.where(builder_.scalar(1, ir::DType::Bool, device), node, nodeOf(t));
}

/// \p node with the strides of \p type, as far as a dense tensor can have them: what a change in
/// place leaves as it was.
ir::NodeId Capture::lyingAs(ir::NodeId node, const ir::TensorType& type) {
    if (graph.node(node).type().strides == type.strides) return node;
    std::vector<int64_t> order;
    for (size_t i = 0; i < type.rank(); ++i) {
        if (!type.strides[i].isConst()) return node;
        order.push_back(static_cast<int64_t>(i));
    }
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return type.strides[static_cast<size_t>(a)].constant() >
               type.strides[static_cast<size_t>(b)].constant();
    });
    // A graph's values have no gaps.
    if (std::ranges::is_sorted(order) && graph.node(node).type().isContiguous()) return node;
    if (ir::isComplex(type.dtype))
        interp_.stop(
            base::said("a complex tensor with a memory order of its own is changed in place"),
            base::said("change a clone() of it, or do it outside the compiled function"));
    node = appended("permute", {node, dimsOf(order)});
    node = appended("contiguous", {node});
    return appended("permute", {node, dimsOf(inverseOf(order))});
}

bool Capture::lostGaps(const TensorObj& t) const {
    const auto known = views_.find(&t);
    const TensorObj& base = known == views_.end() ? t : *known->second.base.as<TensorObj>();
    return base.real && writtenAt_.contains(&base) && !ops::isDense(base.real->type);
}

ir::NodeId Capture::putBack(const ViewStep& step, ir::NodeId whole, ir::NodeId part) {
    ir::Node view;
    view.op = step.def->name();
    view.args = step.args;
    view.args[0] = whole;
    ir::NodeId put;
    if (const auto rule = step.def->written.putBack)
        put = rule(ops::formula::Operands(builder_, view), part, step.result);
    if (put.valid()) return put;
    interp_.stop(base::said("a tensor is changed in place through {}()", step.def->parsed.base),
                 base::said("change the tensor itself, or do it outside the compiled function"));
}

/// The value of a base once \p view of it is \p part.
ir::NodeId Capture::wholeWith(const View& view, ir::NodeId part) {
    std::vector<ir::NodeId> stages = {nodeOf(*view.base.as<TensorObj>())};
    for (size_t i = 0; i + 1 < view.steps.size(); ++i)
        stages.push_back(makeView(view.steps[i], stages.back()));
    for (size_t i = view.steps.size(); i-- > 0;)
        part = putBack(view.steps[i], stages[i], part);
    return part;
}

void Capture::wantRecordable(const TensorObj& base, const View* view) {
    // The backward may compute again what an operation kept, from what the tensor is by then.
    if (view && recordsGradients_ && std::ranges::any_of(view->steps, &ViewStep::data))
        interp_.stop(
            base::said("the data of a tensor is changed behind operations that record gradients"),
            base::said("change it outside the compiled function"));
    if (!wantsGradient(base)) return;
    if (!base.fake && interp_.gradMode())
        interp_.stop(
            base::said(
                "a view of a tensor that exists outside the compiled function and requires a "
                "gradient is changed in place"),
            base::said("change a clone() of it, or do it within torch.no_grad()"));
    const auto cuts = [](const ViewStep& step) { return ops::cutsGradient(*step.def); };
    if (interp_.gradMode() && view && std::ranges::none_of(view->steps, cuts))
        for (const ViewStep& step : view->steps) {
            const bool several = step.recorded && step.def->traits.jointViews;
            if (step.recorded && !several) continue;
            std::string name = ops::gradientName(*step.def);
            interp_.raise(Error::Runtime,
                          several
                              ? whyNotFollowed(ViewOrigin::OneOfSeveral,
                                               fmt::format("Output {} of {}", step.result,
                                                           name.substr(0, name.find("Backward"))),
                                               false)
                              : whyNotFollowed(ViewOrigin::Unrecorded, {}, false));
        }
    if (base.fake && (!interp_.gradMode() || (view && !recordedTo(*view))))
        interp_.stop(
            base::said("a tensor with a gradient is changed in place without recording it"),
            base::said("change a clone() of it"));
}

void Capture::assign(TensorObj& t, const FakeTensor& now) {
    auto known = views_.find(&t);
    const bool isView = known != views_.end();
    const View view = isView ? known->second : View();
    TensorObj& whole = isView ? *view.base.as<TensorObj>() : t;
    wantRecordable(whole, isView ? &view : nullptr);
    if (isView && !whole.fake && now.type.requiresGrad)
        interp_.stop(
            base::said(
                "a change of a view gives a tensor that exists outside the compiled function "
                "a gradient"),
            base::said("change a clone() of the tensor and return it"));
    const ir::NodeId old = nodeOf(whole);
    const ir::TensorType before = graph.node(old).type();
    FakeTensor value = now;
    if (isView) value.node = wholeWith(view, value.node);
    if (wantsGradient(whole) && interp_.gradMode() && !now.type.requiresGrad &&
        !ir::isComplex(before.dtype) &&
        now.type.numel() * (ir::isComplex(now.type.dtype) ? 2 : 1) == before.numel())
        // Nothing of the old value is left.
        value.node = withGradientOf(whole, value.node);
    value.node = lyingAs(value.node, before);
    value.type = graph.node(value.node).type();
    value.type.requiresGrad = now.type.requiresGrad || wantsGradient(whole);
    if (whole.fake) {
        beforeChange(&whole, "a tensor");
        whole.fake->node = value.node;
        whole.fake->type = value.type;
    } else {
        write(whole, value, !isView || std::ranges::none_of(view.steps, &ViewStep::data));
    }
    const Object* base = &whole;
    since_.undo.push_back(
        [this, base, version = versionOf(Val(&whole))] { versions_[base] = version; });
    if (!isView || std::ranges::none_of(view.steps, &ViewStep::data)) {
        overwritten_.try_emplace(old.index, Overwritten{&whole, versions_[base]});
        since_.undo.push_back([this, old] { overwritten_.erase(old.index); });
    }
    ++versions_[base];
    if (isView) refreshView(t);
}

void Capture::write(TensorObj& t, const FakeTensor& now, bool counted) {
    wantNow();
    if (runtime::overlapsItself(t.type()))
        interp_.stop(base::said("a tensor whose elements share memory is changed in place"),
                     base::said("change a clone() of it, or do it outside the compiled function"));
    auto known = writtenAt_.find(&t);
    if (known == writtenAt_.end()) {
        const Object* object = &t;
        since_.undo.push_back([this, object] {
            writtenAt_.erase(object);
            written_.pop_back();
        });
        writtenAt_[&t] = written_.size();
        written_.push_back({&t, now, counted});
        return;
    }
    Written& value = written_[known->second];
    since_.undo.push_back([this, at = known->second, before = value] { written_[at] = before; });
    value = {&t, now, value.counted || counted};
}

/// Nodes of an instruction that is taken back are gone: views that have them are made again.
void Capture::forgetViews(size_t firstNode) {
    for (auto& [object, view] : views_)
        if (view.self.as<TensorObj>()->fake->node.index >= firstNode) view.version = UINT64_MAX;
}

/// Whether a graph computes what \p step shows elsewhere: other numbers of the same bits, and one
/// place, whose number it alone knows.
static bool isCopied(const ops::OpDef& step) {
    return ops::seesBits(step) || step.traits.index;
}

/// A view whose memory is that of another tensor, so that it is taken of it anew once the values
/// are there: of one that the call writes, or where the graph has a copy, or as its .data.
std::optional<int32_t> Capture::recipeOfWrittenView(const TensorObj& t) {
    auto known = views_.find(&t);
    if (known == views_.end()) return {};
    const View view = known->second;
    const bool copied =
        std::ranges::any_of(view.steps, [](const ViewStep& step) { return isCopied(*step.def); });
    const bool data = std::ranges::any_of(view.steps, &ViewStep::data);
    if (!copied && !data && !writtenAt_.count(view.base.object())) return {};
    int32_t seen = recipeOfUnseen(view);
    for (const ViewStep& step : view.steps)
        seen = step.def->traits.index ? recipeOfPlaces(step, seen) : recipeOfStep(step, seen);
    return seen;
}

int32_t Capture::added(Recipe recipe) {
    recipes.push_back(std::move(recipe));
    return static_cast<int32_t>(recipes.size() - 1);
}

/// A view by what its record and its arguments say.
int32_t Capture::recipeOfStep(const ViewStep& step, int32_t seen) {
    if (step.data) return added({Recipe::What::Data, 0, {}, {seen}});
    Recipe call{
        Recipe::What::Operation, 0, interp_.str(std::string(step.def->parsed.base)), {seen}};
    for (size_t i = 1; i < step.args.size(); ++i) {
        const ops::SchemaArg& named = step.def->parsed.args[i];
        if (!named.keywordOnly)
            call.parts.push_back(recipeOfArgument(step.args[i]));
        else if (!(named.defaultValue && *named.defaultValue == step.args[i]))
            stopForView();
    }
    seen = added(std::move(call));
    return step.result < 0 ? seen : added({Recipe::What::Item, step.result, {}, {seen}});
}

/// x[i] with positions that the graph knows, as views at numbers.
int32_t Capture::recipeOfPlaces(const ViewStep& step, int32_t seen) {
    const ir::ArgList& places = *step.args[1].list();
    for (size_t dim = places.size(); dim-- > 0;) {
        if (!places[dim].node()) continue;
        FakeTensor place;
        place.node = *places[dim].node();
        place.type = graph.node(place.node).type();
        // Of its own memory: the call may write what it is now.
        place.node = appended("clone", {place.node});
        const int32_t number = added({Recipe::What::Output, outputOf(place, "place"), {}, {}});
        seen = added({Recipe::What::Operation,
                      0,
                      interp_.str("select"),
                      {seen, recipeOf(Val::integer(static_cast<int64_t>(dim)), "dim"),
                       added({Recipe::What::Number, 0, {}, {number}})}});
    }
    return seen;
}

/// The recipe of what \p view is of, whose gradient is asked for by views that are recorded.
int32_t Capture::recipeOfUnseen(const View& view) {
    const Object* base = view.base.object();
    const auto known = recipeOf_.find(base);
    if (known != recipeOf_.end() && known->second >= 0 && !recordedTo(view)) return known->second;
    const int32_t recipe = recipeOf(view.base, "base");
    const auto* fake = view.base.as<TensorObj>()->fake.get();
    if (known != recipeOf_.end() || recordedTo(view) || !fake || !fake->type.requiresGrad)
        return recipe;
    const Recipe* output = &recipes[static_cast<size_t>(recipe)];
    if (output->what == Recipe::What::Own) output = &recipes[static_cast<size_t>(output->parts[0])];
    if (output->parts.empty()) unseen_[base] = output->number;
    return recipe;
}

int32_t Capture::recipeOfArgument(const ir::Arg& argument) {
    if (const ir::ArgList* list = argument.list()) {
        Recipe recipe{Recipe::What::List, 0, {}, {}};
        for (const ir::Arg& item : *list)
            recipe.parts.push_back(recipeOfArgument(item));
        return added(std::move(recipe));
    }
    if (auto* size = std::get_if<ir::Sym>(&argument)) return recipeOf(interp_.size(*size), "size");
    if (auto* flag = std::get_if<bool>(&argument)) return recipeOf(Val::boolean(*flag), "flag");
    if (auto* dtype = std::get_if<ir::DType>(&argument))
        return recipeOf(Val::dtype(*dtype), "dtype");
    if (std::holds_alternative<std::monostate>(argument)) return recipeOf(Val::none(), "none");
    stopForView();
}

void Capture::stopForView() {
    interp_.stop(
        base::said("a view is kept of a tensor that exists outside the compiled function and was "
                   "changed in place"),
        base::said("take the view outside the compiled function"));
}

} // namespace cutaway::capture
