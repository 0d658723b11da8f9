// SPDX-License-Identifier: Apache-2.0
// Functionalisation: a tensor that is changed in place has another node from there on, and so have
// all that share its memory. A view knows the operations that lead to it from the tensor it is of;
// a change of the view is put back through them, and other views are made again when they are used.
// Source: aten/src/ATen/FunctionalTensorWrapper.h, FunctionalInverses.cpp.
#include "core/capture/capture.h"

#include "core/ops/gradients.h"
#include "core/ops/view_strides.h"
#include "core/runtime/overlap.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

ir::Arg sizesOf(const ir::TensorType& type) {
    ir::ArgList list;
    for (const ir::Sym& s : type.sizes)
        list.emplace_back(s);
    return list;
}

ir::Arg dimsOf(const std::vector<int64_t>& dims) {
    ir::ArgList list;
    for (int64_t d : dims)
        list.emplace_back(ir::Sym(d));
    return list;
}

/// The permutation that undoes one.
std::vector<int64_t> inverseOf(const ir::Arg& dims) {
    const ir::ArgList& list = *dims.list();
    std::vector<int64_t> inverse(list.size());
    const auto rank = static_cast<int64_t>(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
        const int64_t d = std::get<ir::Sym>(list[i]).constant();
        inverse[static_cast<size_t>(d < 0 ? d + rank : d)] = static_cast<int64_t>(i);
    }
    return inverse;
}

/// Where the k-th piece of a split tensor starts along \p dim.
ir::Sym startOfPiece(const ir::Node& pieces, int k, size_t dim) {
    ir::Sym start(int64_t{0});
    for (int i = 0; i < k; ++i)
        start = start + pieces.types[static_cast<size_t>(i)].sizes[dim];
    return start;
}

} // namespace

bool Capture::sharesElements(const ops::OpDef& def, ir::NodeId of, const ir::TensorType& result) {
    const std::string_view name = def.parsed.base;
    const ir::TensorType& type = graph.node(of).type();
    if (name == "contiguous") return type.strides == result.strides;
    if (isOneOf(name, {"reshape", "reshape_as", "flatten", "ravel"}))
        return ops::viewStrides(type, result.sizes).has_value();
    return true;
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
    v.offset = v.offset + offsetOf(step);
    v.steps.push_back(std::move(step));
    v.version = versionOf(v.base);
    views_[&view] = std::move(v);
}

/// How many elements behind the start of what is viewed the view starts.
ir::Sym Capture::offsetOf(const ViewStep& step) const {
    const ir::TensorType& type = graph.node(*step.args[0].node()).type();
    const std::string_view name = step.def->parsed.base;
    auto at = [&](const ir::Arg& dimension, const ir::Arg& position) {
        const auto* dim = std::get_if<ir::Sym>(&dimension);
        const auto* start = std::get_if<ir::Sym>(&position);
        if (!dim || !start || !dim->isConst()) return ir::Sym(int64_t{0});
        const auto rank = static_cast<int64_t>(type.rank());
        const auto d = static_cast<size_t>(dim->constant() + (dim->constant() < 0 ? rank : 0));
        if (!start->isConst() || start->constant() >= 0) return *start * type.strides[d];
        return (*start + type.sizes[d]) * type.strides[d];
    };
    if (isOneOf(name, {"select", "slice", "narrow"})) return at(step.args[1], step.args[2]);
    if (name == "unbind") return at(step.args[1], ir::Sym(int64_t{step.result}));
    if (isOneOf(name, {"split", "split_with_sizes", "chunk", "tensor_split"})) {
        const auto dim = std::get<ir::Sym>(step.args[2]).constant();
        const auto rank = static_cast<int64_t>(type.rank());
        const auto d = static_cast<size_t>(dim + (dim < 0 ? rank : 0));
        return at(step.args[2], startOfPiece(graph.node(step.made), step.result, d));
    }
    return ir::Sym(int64_t{0});
}

bool Capture::partlyOverlap(const TensorObj& a, const TensorObj& b) const {
    if (&a == &b) return false;
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
    for (const ir::TensorType* type : {&typeA, &typeB})
        if (!constant(type->sizes) || !constant(type->strides)) return false;
    if (!offsetA.isConst() || !offsetB.isConst()) return false;
    return runtime::partlyOverlap(typeA, offsetA.constant(), typeB, offsetB.constant());
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
    node = appended("permute", {node, dimsOf(order)});
    node = appended("contiguous", {node});
    return appended("permute", {node, dimsOf(inverseOf(dimsOf(order)))});
}

ir::NodeId Capture::putBack(const ViewStep& step, ir::NodeId whole, ir::NodeId part) {
    const std::string_view name = step.def->parsed.base;
    const ir::TensorType type = graph.node(whole).type(), partType = graph.node(part).type();
    const ir::ArgList& a = step.args;
    auto sliceAt = [&](const ir::Arg& dim, const ir::Sym& start, size_t d) {
        return appended("slice_scatter",
                        {whole, part, dim, start, start + partType.sizes[d], ir::Sym(int64_t{1})});
    };
    auto position = [&](const ir::Arg& dim) {
        const int64_t d = std::get<ir::Sym>(dim).constant();
        return static_cast<size_t>(d < 0 ? d + static_cast<int64_t>(type.rank()) : d);
    };
    if (name == "select") return appended("select_scatter", {whole, part, a[1], a[2]});
    if (name == "slice") return appended("slice_scatter", {whole, part, a[1], a[2], a[3], a[4]});
    if (name == "narrow") return sliceAt(a[1], std::get<ir::Sym>(a[2]), position(a[1]));
    if (name == "diagonal") return appended("diagonal_scatter", {whole, part, a[1], a[2], a[3]});
    if (name == "unbind")
        return appended("select_scatter", {whole, part, a[1], ir::Sym(int64_t{step.result})});
    if (isOneOf(name, {"split", "split_with_sizes", "chunk", "tensor_split"})) {
        ir::ArgList args = a;
        args[0] = whole;
        const ir::NodeId pieces = appended(step.def->name(), std::move(args));
        const size_t dim = position(a[2]);
        return sliceAt(a[2], startOfPiece(graph.node(pieces), step.result, dim), dim);
    }
    if (name == "transpose") return appended("transpose.int", {part, a[1], a[2]});
    if (name == "adjoint")
        return appended("transpose.int", {part, ir::Sym(int64_t{-2}), ir::Sym(int64_t{-1})});
    if (isOneOf(name, {"t", "numpy_T"})) return appended(name, {part});
    if (name == "view_as_real")
        return appended("view_as_complex", {appended("contiguous", {part})});
    if (name == "view_as_complex") return appended("view_as_real", {part});
    if (name == "permute") return appended("permute", {part, dimsOf(inverseOf(a[1]))});
    if (isOneOf(name, {"alias", "detach", "contiguous", "positive", "conj", "real", "resolve_conj",
                       "resolve_neg"}) &&
        type.dtype == partType.dtype)
        return part;
    if (isOneOf(name, {"unsqueeze", "squeeze", "view", "view_as", "reshape", "reshape_as",
                       "flatten", "unflatten", "ravel"}))
        return appended("reshape", {part, sizesOf(type)});
    interp_.stop(fmt::format("a tensor is changed in place through {}()", name),
                 "change the tensor itself, or do it outside the compiled function");
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
    if (!wantsGradient(base)) return;
    if (!base.fake && interp_.gradMode())
        interp_.stop("a view of a tensor that exists outside the compiled function and requires a "
                     "gradient is changed in place",
                     "change a clone() of it, or do it within torch.no_grad()");
    if (base.fake && (!interp_.gradMode() || (view && !recordedTo(*view))))
        interp_.stop("a tensor with a gradient is changed in place without recording it",
                     "change a clone() of it");
}

void Capture::assign(TensorObj& t, const FakeTensor& now) {
    auto known = views_.find(&t);
    const bool isView = known != views_.end();
    const View view = isView ? known->second : View();
    TensorObj& whole = isView ? *view.base.as<TensorObj>() : t;
    wantRecordable(whole, isView ? &view : nullptr);
    const ir::TensorType before = graph.node(nodeOf(whole)).type();
    FakeTensor value = now;
    if (wantsGradient(whole) && interp_.gradMode() && !now.type.requiresGrad &&
        now.type.numel() == before.numel()) // nothing of the old value is left
        value.node = withGradientOf(t, value.node);
    if (isView) value.node = wholeWith(view, value.node);
    value.node = lyingAs(value.node, before);
    value.type = graph.node(value.node).type();
    value.type.requiresGrad = now.type.requiresGrad || wantsGradient(whole);
    if (whole.fake) {
        beforeChange(&whole, "a tensor");
        whole.fake->node = value.node;
        whole.fake->type = value.type;
    } else {
        write(whole, value);
    }
    const Object* base = &whole;
    since_.undo.push_back(
        [this, base, version = versionOf(Val(&whole))] { versions_[base] = version; });
    ++versions_[base];
    if (isView) refreshView(t);
}

void Capture::write(TensorObj& t, const FakeTensor& now) {
    wantNow();
    auto known = writtenAt_.find(&t);
    if (known == writtenAt_.end()) {
        const Object* object = &t;
        since_.undo.push_back([this, object] {
            writtenAt_.erase(object);
            written_.pop_back();
        });
        writtenAt_[&t] = written_.size();
        written_.emplace_back(&t, now);
        return;
    }
    FakeTensor& value = written_[known->second].second;
    since_.undo.push_back(
        [this, at = known->second, before = value] { written_[at].second = before; });
    value = now;
}

/// Nodes of an instruction that is taken back are gone: views that have them are made again.
void Capture::forgetViews(size_t firstNode) {
    for (auto& [object, view] : views_)
        if (view.self.as<TensorObj>()->fake->node.index >= firstNode) view.version = UINT64_MAX;
}

/// A view of a tensor that the call writes: its memory is that tensor's, so it is taken of it anew
/// once the values are there.
std::optional<int32_t> Capture::recipeOfWrittenView(const TensorObj& t) {
    auto known = views_.find(&t);
    if (known == views_.end() || !writtenAt_.count(known->second.base.object())) return {};
    const View view = known->second;
    int32_t seen = recipeOf(view.base, "base");
    auto add = [&](Recipe recipe) {
        recipes.push_back(std::move(recipe));
        return static_cast<int32_t>(recipes.size() - 1);
    };
    for (const ViewStep& step : view.steps) {
        Recipe call{
            Recipe::What::Operation, 0, interp_.str(std::string(step.def->parsed.base)), {seen}};
        for (size_t i = 1; i < step.args.size(); ++i) {
            const ops::SchemaArg& named = step.def->parsed.args[i];
            if (!named.keywordOnly)
                call.parts.push_back(recipeOfArgument(step.args[i]));
            else if (!(named.defaultValue && *named.defaultValue == step.args[i]))
                stopForView();
        }
        seen = add(std::move(call));
        if (step.result >= 0) seen = add({Recipe::What::Item, step.result, {}, {seen}});
    }
    return seen;
}

int32_t Capture::recipeOfArgument(const ir::Arg& argument) {
    if (const ir::ArgList* list = argument.list()) {
        Recipe recipe{Recipe::What::List, 0, {}, {}};
        for (const ir::Arg& item : *list)
            recipe.parts.push_back(recipeOfArgument(item));
        recipes.push_back(std::move(recipe));
        return static_cast<int32_t>(recipes.size() - 1);
    }
    if (auto* size = std::get_if<ir::Sym>(&argument)) return recipeOf(interp_.size(*size), "size");
    if (auto* flag = std::get_if<bool>(&argument)) return recipeOf(Val::boolean(*flag), "flag");
    if (std::holds_alternative<std::monostate>(argument)) return recipeOf(Val::none(), "none");
    stopForView();
}

void Capture::stopForView() {
    interp_.stop("a view is kept of a tensor that exists outside the compiled function and was "
                 "changed in place",
                 "take the view outside the compiled function");
}

} // namespace cutaway::capture
