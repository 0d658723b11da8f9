// SPDX-License-Identifier: Apache-2.0
// Values and frames from recipes, on every call of an entry.
#include "core/capture/compiled_unit.h"
#include "core/capture/function_like.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/ops/memory_order.h"
#include "core/runtime/conjugate.h"
#include "core/runtime/overlap.h"

#include <fmt/format.h>

namespace cutaway::capture {

/// The first and the last element of a tensor in its storage, in real numbers.
static std::pair<int64_t, int64_t> rangeOf(const runtime::Tensor& t) {
    int64_t last = t.offset;
    for (size_t d = 0; d < t.type.rank(); ++d)
        last += (t.type.sizes[d].constant() - 1) * t.type.strides[d].constant();
    const int64_t parts = ir::isComplex(t.type.dtype) ? 2 : 1;
    return {t.offset * parts, last * parts + parts - 1};
}

/// Whether all that \p part shows are elements of \p whole, with which it shares memory.
static bool showsPartOf(const runtime::Tensor& part, const runtime::Tensor& whole) {
    if (part.type.numel().is(0) || whole.type.numel().is(0)) return true;
    if (part.type.dtype == whole.type.dtype) return runtime::liesWithin(part, whole);
    const auto [first, last] = rangeOf(part);
    const auto [begin, end] = rangeOf(whole);
    return begin <= first && last <= end;
}

Val CompiledUnit::outputTensor(const CacheEntry& entry, runtime::TensorPtr real, const Val& of) {
    Val made = interp_.tensor(std::move(real));
    if (!of.bound()) return made;
    auto &view = *made.as<TensorObj>(), &base = *of.as<TensorObj>();
    view.inference = base.inference; // a view is what its memory's first tensor is
    const auto isCut = [](const TensorObj& from, const TensorObj& to) {
        return from.type().requiresGrad && !to.type().requiresGrad;
    };
    const ViewOrigin origin = entry.records ? ViewOrigin::Recorded : ViewOrigin::Unrecorded;
    const auto [first, last] = rangeOf(*view.real);
    const auto [begin, end] = rangeOf(*base.real);
    const bool behind = isCut(view, base); // a tensor whose .data came out before it
    if (!behind && showsPartOf(*view.real, *base.real)) {
        noteView(view, base, origin, isCut(base, view));
        if (!view.views && entry.records && !isCut(base, view)) view.aliases->unseen = true;
    } else if (showsPartOf(*base.real, *view.real) && !base.views) {
        noteView(base, view, origin, isCut(view, base)); // what was made first is the part
        if (!base.views && entry.records && !isCut(view, base)) base.aliases->unseen = true;
    } else { // neither has the other's memory: the tape cannot follow one in the other
        view.joinAliases(base);
        if (entry.records && first <= end && begin <= last) view.aliases->unseen = true;
    }
    return made;
}

runtime::TensorPtr graphInput(Interp& in, const Val& v) {
    if (auto* t = v.to<TensorObj>()) return t->real;
    return in.world().number(v, ir::DType::Float64, {}).as<TensorObj>()->real;
}

std::vector<Val> CompiledUnit::build(const CacheEntry& entry,
                                     const std::vector<runtime::TensorPtr>& outputs) {
    std::vector<Val> built(entry.recipes.size());
    using W = Recipe::What;
    for (size_t i = 0; i < entry.recipes.size(); ++i) {
        const Recipe& r = entry.recipes[i];
        std::vector<Val> parts;
        for (int32_t part : r.parts)
            parts.push_back(built[static_cast<size_t>(part)]);
        if (r.what == W::Output)
            built[i] = outputTensor(entry, outputs[static_cast<size_t>(r.number)],
                                    parts.empty() ? Val() : parts[0]);
        else if (r.what == W::Source)
            built[i] = entry.guards.value(r.number);
        else if (r.what == W::Integer)
            built[i] = Val::integer(entry.guards.sizes.integer(r.number));
        else
            built[i] = make(r, std::move(parts));
    }
    return built;
}

/// \p parts: values of its closure, of its defaults, and its attributes if it has any.
static Val filledFunction(Interp& in, const FunctionObj& from, const std::vector<Val>& parts) {
    auto* f = functionLike(in, from);
    Val made(f);
    auto split = parts.begin() + static_cast<std::ptrdiff_t>(from.closure.size());
    f->closure.assign(parts.begin(), split);
    auto end = split + static_cast<std::ptrdiff_t>(from.defaults.size());
    f->defaults.assign(split, end);
    if (end != parts.end()) f->attributes = Ref<DictObj>(end->as<DictObj>());
    return made;
}

/// \p parts: its result; where it has not ended, its function and what its frame holds.
static Val generatorLike(Interp& in, const GeneratorObj& from, const std::vector<Val>& parts) {
    auto* g = in.make<GeneratorObj>();
    Val made(g);
    g->started = from.started;
    g->name = from.name;
    g->result = parts[0];
    if (!from.frame) return made;
    g->frame = std::make_unique<Frame>();
    g->frame->code = from.frame->code;
    g->frame->ip = from.frame->ip;
    g->frame->blocks = from.frame->blocks;
    g->frame->function = Ref<FunctionObj>(parts[1].as<FunctionObj>());
    g->frame->globals = g->frame->function->globals;
    auto part = parts.begin() + 2;
    auto take = [&](std::vector<Val>& into, size_t n) {
        into.assign(part, part + static_cast<std::ptrdiff_t>(n));
        part += static_cast<std::ptrdiff_t>(n);
    };
    take(g->frame->locals, from.frame->locals.size());
    take(g->frame->cells, from.frame->cells.size());
    take(g->frame->stack, from.frame->stack.size());
    return made;
}

static Val instanceLike(Interp& in, const InstanceObj& from, const Val& attributes) {
    auto* instance = in.make<InstanceObj>();
    Val made(instance);
    instance->type = from.type;
    instance->madeAt = from.madeAt;
    instance->raised = from.raised;
    instance->attributes = Ref<DictObj>(attributes.as<DictObj>());
    return made;
}

Val CompiledUnit::make(const Recipe& r, std::vector<Val> parts) {
    using W = Recipe::What;
    Val made;
    auto fill = [&](DictObj& dict) {
        for (size_t k = 0; k + 1 < parts.size(); k += 2)
            interp_.put(dict, parts[k], parts[k + 1]);
    };
    switch (r.what) {
    case W::Output:
    case W::Source:
    case W::Integer:
        break; // the caller's business
    case W::Constant:
        made = r.value;
        break;
    case W::Operation:
        made = interp_.operation(r.value.as<StrObj>()->text, Arguments{parts, {}});
        break;
    case W::Data:
        made = interp_.getAttr(parts[0], interp_.intern("data"));
        break;
    case W::Number:
        made = interp_.scalarOf(*parts[0].as<TensorObj>(), ".item()");
        break;
    case W::Item:
        made = interp_.getItem(parts[0], Val::integer(r.number));
        break;
    case W::Tuple:
    case W::Size:
        made = interp_.tuple(std::move(parts));
        made.as<TupleObj>()->size = r.what == W::Size;
        break;
    case W::List:
        made = interp_.list(std::move(parts));
        break;
    case W::Dict:
        made = Val(interp_.make<DictObj>());
        fill(*made.as<DictObj>());
        break;
    case W::Set:
        made = Val(interp_.make<SetObj>(r.value.as<SetObj>()->frozen));
        fill(*made.as<SetObj>());
        made.as<SetObj>()->standLike(*r.value.as<SetObj>());
        break;
    case W::Instance:
        made = instanceLike(interp_, *r.value.as<InstanceObj>(), parts[0]);
        break;
    case W::Function:
        made = filledFunction(interp_, *r.value.as<FunctionObj>(), parts);
        break;
    case W::View:
        made = Val(interp_.make<ViewObj>(parts[0], r.value.as<ViewObj>()->of));
        break;
    case W::Own: {
        made = parts[0];
        if (auto* tensor = made.to<TensorObj>()) {
            tensor->attributes = Ref<DictObj>(parts[1].as<DictObj>());
            break;
        }
        auto* object = made.as<BuiltinTypeObj>();
        object->own = std::make_unique<BuiltinTypeObj::Own>();
        object->own->type = Val(interp_.classOf(r.value));
        object->own->attributes = parts[1];
        break;
    }
    case W::Cell:
        made = Val(interp_.make<CellObj>());
        made.as<CellObj>()->value = parts[0];
        break;
    case W::Method:
        made = Val(interp_.make<MethodObj>(parts[0], parts[1]));
        break;
    case W::Super: {
        auto* super = interp_.make<SuperObj>();
        made = Val(super);
        super->after = r.value.as<SuperObj>()->after;
        super->self = parts[0];
        break;
    }
    case W::Iterator:
        made = iteratorLike(interp_, *r.value.as<IteratorObj>(), std::move(parts));
        break;
    case W::Generator:
        made = generatorLike(interp_, *r.value.as<GeneratorObj>(), parts);
        break;
    case W::Bytes:
        made = Val(interp_.make<BytesObj>(r.value.as<BytesObj>()->bytes, true));
        break;
    case W::Slice: {
        auto* slice = interp_.make<SliceObj>();
        made = Val(slice);
        slice->start = parts[0];
        slice->stop = parts[1];
        slice->step = parts[2];
        break;
    }
    }
    return made;
}

// --- what a call needs before its graph, and writes behind it ---

/// Whether a tensor that the entry writes shares memory with another that it knows: then the order
/// of reading and writing counts, and only the script's own order will do.
bool CompiledUnit::writesShared(const CacheEntry& entry) {
    auto storageOf = [&](int32_t slot) {
        return runtime::memoryOf(*entry.guards.value(slot).as<TensorObj>()->real->storage);
    };
    std::vector<int32_t> others;
    for (int32_t slot : entry.inputSlots)
        if (slot >= 0 && entry.guards.value(slot).is(Kind::Tensor)) others.push_back(slot);
    for (const auto& [slot, output, counted] : entry.writes)
        others.push_back(slot);
    for (const auto& [slot, output, counted] : entry.writes)
        for (int32_t other : others)
            if (other != slot && storageOf(other) == storageOf(slot)) {
                auto d = base::userError(
                    {}, fmt::format("{} runs eagerly: a tensor that it changes in place shares "
                                    "memory with another that it reads",
                                    name_));
                d.severity = base::Severity::Warning;
                if (warned_.insert(d.str()).second) interp_.warn(d);
                return true;
            }
    return false;
}

base::Status CompiledUnit::writeBack(const CacheEntry& entry,
                                     const std::vector<runtime::TensorPtr>& outputs) {
    for (const auto& [slot, output, counted] : entry.writes) {
        runtime::TensorPtr to = entry.guards.value(slot).as<TensorObj>()->real;
        if (!counted) {
            to = runtime::viewOf(to, to->type.sizes, to->type.strides, 0);
            to->ownVersion = std::make_shared<uint32_t>(0);
        }
        const runtime::TensorPtr& from = outputs[static_cast<size_t>(output)];
        if (from == entry.guards.value(slot).as<TensorObj>()->real) continue; // changed in place
        CUTAWAY_CHECK(runtime::copyInto(*to, *from));
    }
    return {};
}

void CompiledUnit::drawInputs(CacheEntry& entry) {
    entry.drawn.clear();
    for (const DrawnInput& input : entry.draws) {
        std::vector<int64_t> sizes;
        for (int32_t number : input.sizes)
            sizes.push_back(entry.guards.sizes.integer(number));
        entry.drawn.push_back(interp_.need(drawn(input, sizes)));
    }
}

base::Result<runtime::TensorPtr> CompiledUnit::drawn(const DrawnInput& input,
                                                     std::span<const int64_t> sizes) {
    ir::TensorType type = input.type;
    if (!sizes.empty()) {
        const std::vector<size_t> order = ops::memoryOrder(type);
        int64_t step = 1;
        for (size_t at = order.size(); at-- > 0;) {
            type.sizes[order[at]] = ir::Sym(sizes[order[at]]);
            type.strides[order[at]] = ir::Sym(step);
            step *= sizes[order[at]];
        }
    }
    CUTAWAY_TRY(runtime::TensorPtr tensor, runtime::emptyTensor(type));
    CUTAWAY_CHECK(runtime::fillRandom(*tensor, input.draw, interp_.eager().generator()));
    return tensor;
}

std::unique_ptr<Frame> CompiledUnit::buildFrame(const FrameRecipe& recipe,
                                                const std::vector<Val>& built) const {
    auto value = [&](int32_t r) { return r < 0 ? Val() : built[static_cast<size_t>(r)]; };
    auto frame = std::make_unique<Frame>();
    frame->code = recipe.code;
    frame->function = recipe.function < 0
                          ? function_
                          : Ref<FunctionObj>(value(recipe.function).as<FunctionObj>());
    frame->globals = frame->function->globals;
    frame->locals.resize(recipe.code->locals.size());
    for (const auto* locals : {&recipe.locals, &recipe.unread})
        for (auto [slot, local] : *locals)
            frame->locals[static_cast<size_t>(slot)] = value(local);
    for (int32_t cell : recipe.cells)
        frame->cells.push_back(value(cell));
    for (int32_t waiting : recipe.stack)
        frame->stack.push_back(value(waiting));
    frame->blocks = recipe.blocks;
    frame->ip = recipe.ip;
    frame->module = recipe.module < 0 ? nullptr : value(recipe.module).as<InstanceObj>();
    frame->gives = value(recipe.gives);
    return frame;
}

} // namespace cutaway::capture
