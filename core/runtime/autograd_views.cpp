// SPDX-License-Identifier: Apache-2.0
// Tensors that share memory and are written in place, on the tape.
#include "core/runtime/autograd.h"

#include "core/ops/memory_order.h"
#include "core/runtime/overlap.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::runtime {

namespace {

/// Memory as real numbers: of complex ones their pairs, so that a view of either kind is a window of
/// the other.
ir::TensorType realMemory(const ir::TensorType& type) {
    return ir::isComplex(type.dtype) ? pairsType(type) : type;
}
TensorPtr realMemory(const TensorPtr& tensor) {
    return ir::isComplex(tensor->type.dtype) ? seenAs(tensor, pairsType(tensor->type)) : tensor;
}
/// How many real numbers \p part starts behind \p whole, whose memory it sees.
int64_t distance(const Tensor& whole, const Tensor& part) {
    const auto at = [](const Tensor& t) {
        return ir::isComplex(t.type.dtype) ? 2 * t.offset : t.offset;
    };
    return at(part) - at(whole);
}

/// The tape's node of a tensor, part of which was written. Outside of the written window the tensor
/// is what it was (input 0), inside it is the value (input 1).
struct WrittenWindow : GradFunction {
    ir::TensorType window; ///< strides in the real memory of outputTypes[0]
    int64_t offset = 0;    ///< in it, from that tensor's first element
    ir::TensorType value;  ///< what input 1 is

    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& gradOutputs) override {
        ir::TensorType base = outputTypes[0],
                       wanted = ir::TensorType::contiguous(value.dtype, value.sizes, value.device);
        const bool whole = coversAll();
        if (whole) { // zeros: of a number's as the gradient, of a tensor's in rows
            const ir::Shape like = ops::stridesLike(gradOutputs[0]->type);
            base.strides = isNumber() ? like : ir::contiguousStrides(base.sizes);
            if (wanted.sizes == base.sizes) wanted.strides = like;
        }
        CUTAWAY_TRY(TensorPtr rest, emptyTensor(base));
        CUTAWAY_CHECK(copyInto(*rest, *gradOutputs[0]));
        TensorPtr part = realMemory(rest), inside;
        if (!whole) part = viewOf(part, window.sizes, window.strides, offset);
        if (inputs[1]) {
            CUTAWAY_TRY(inside, emptyTensor(wanted));
            CUTAWAY_CHECK(copyInto(*realMemory(inside), *part));
        }
        CUTAWAY_TRY(TensorPtr zero,
                    fromHost(ir::HostTensor::scalar(window.dtype, 0), window.device));
        CUTAWAY_CHECK(
            copyInto(*part, *viewOf(zero, window.sizes, ir::Shape(window.rank(), ir::Sym(0)), 0)));
        return std::vector<TensorPtr>{rest, inside};
    }

private:
    bool isNumber() const {
        return std::ranges::all_of(value.strides, [](const ir::Sym& step) { return step.is(0); });
    }
    bool coversAll() const {
        const ir::TensorType memory = realMemory(outputTypes[0]);
        return offset == 0 && window.sizes == memory.sizes && window.strides == memory.strides;
    }
};

bool sharesElements(const ir::TensorType& type) {
    for (size_t i = 0; i < type.rank(); ++i)
        if (type.strides[i].is(0) && !type.sizes[i].is(1)) return true;
    return false;
}

/// The tape's node of a window of a tensor that was written since the window was made.
struct SeenWindow : GradFunction {
    int64_t offset = 0;  ///< in real memory, from the base's first element
    ir::TensorType base; ///< of the input

    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& gradOutputs) override {
        const ir::TensorType window = realMemory(outputTypes[0]);
        const TensorPtr arrived = realMemory(gradOutputs[0]);
        CUTAWAY_TRY(TensorPtr whole, emptyTensor(base));
        const TensorPtr memory = realMemory(whole);
        if (overlapsItself(window) || !liesIn(memory->type, window)) {
            CUTAWAY_TRY(const TensorPtr sums, summed(*arrived, window, memory->type));
            CUTAWAY_CHECK(copyInto(*memory, *sums));
            return std::vector<TensorPtr>{whole};
        }
        CUTAWAY_TRY(TensorPtr zero,
                    fromHost(ir::HostTensor::scalar(memory->type.dtype, 0), base.device));
        CUTAWAY_CHECK(copyInto(*memory, *viewOf(zero, memory->type.sizes,
                                                ir::Shape(memory->type.rank(), ir::Sym(0)), 0)));
        CUTAWAY_CHECK(copyInto(*viewOf(memory, window.sizes, window.strides, offset), *arrived));
        return std::vector<TensorPtr>{whole};
    }

    /// Whether the window shows nothing but elements of its base, which has no gaps.
    bool liesIn(const ir::TensorType& memory, const ir::TensorType& window) const {
        int64_t last = offset;
        for (size_t d = 0; d < window.rank(); ++d)
            last += (window.sizes[d].constant() - 1) * window.strides[d].constant();
        return window.numel().is(0) ||
               (ops::isDense(memory) && offset >= 0 && last < memory.numel().constant());
    }

    /// Every element of the base has the gradients of all that see it.
    base::Result<TensorPtr> summed(const Tensor& gradient, const ir::TensorType& window,
                                   const ir::TensorType& base) const {
        CUTAWAY_TRY(const ir::HostTensor arrived, toHost(gradient));
        const std::vector<int64_t> sizes = ir::constants(window.sizes);
        const std::vector<int64_t> strides = ir::constants(window.strides);
        std::map<int64_t, double> at; // by place in memory, from the base's first element
        std::vector<int64_t> place(sizes.size(), 0);
        for (int64_t i = 0; i < arrived.numel(); ++i) {
            int64_t where = offset;
            for (size_t d = 0; d < place.size(); ++d)
                where += place[d] * strides[d];
            at[where] += arrived.get(i);
            for (size_t d = place.size(); d-- > 0 && ++place[d] == sizes[d];)
                place[d] = 0;
        }
        ir::HostTensor whole = ir::HostTensor::zeros(base.dtype, ir::constants(base.sizes));
        const std::vector<int64_t> baseStrides = ir::constants(base.strides);
        place.assign(whole.sizes.size(), 0);
        for (int64_t i = 0; i < whole.numel(); ++i) {
            int64_t where = 0;
            for (size_t d = 0; d < place.size(); ++d)
                where += place[d] * baseStrides[d];
            if (auto found = at.find(where); found != at.end()) whole.set(i, found->second);
            for (size_t d = place.size(); d-- > 0 && ++place[d] == whole.sizes[d];)
                place[d] = 0;
        }
        return fromHost(whole, base.device);
    }
};

/// The tape's node of a view of a tensor that was written, which it cannot follow.
struct WrittenBehind : GradFunction {
    std::string why;
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>&) override {
        return base::userError({}, why, "make the views after the change");
    }
};

} // namespace

bool leadsPast(const Tensor& window, const Tensor& base) {
    const GradFunction* function = window.gradFunction.get();
    const uint64_t first = base.gradFunction ? base.gradFunction->sequence : 0;
    while (function && function != base.gradFunction.get() && function->sequence >= first) {
        if (const auto* seen = dynamic_cast<const SeenWindow*>(function);
            seen && !seen->liesIn(realMemory(seen->base), realMemory(seen->outputTypes[0])))
            return true;
        const bool chain = function->inputs.size() == 1 && function->inputs[0];
        function = chain ? function->inputs[0]->gradFunction.get() : nullptr;
    }
    return false;
}

void refuseWindow(const TensorPtr& window, const TensorPtr& base, std::string why) {
    auto refusal = std::make_shared<WrittenBehind>();
    refusal->name = window->gradFunction ? window->gradFunction->name : "AsStridedBackward0";
    refusal->why = std::move(why);
    refusal->inputs = {gradEdge(base)};
    refusal->outputTypes = {window->type};
    const bool kept = takeKept(*window);
    window->gradFunction = std::move(refusal);
    window->asBase = false;
    window->gradOutput = 0;
    window->type.requiresGrad = true;
    keepAgain(window, kept);
}

void followBase(const TensorPtr& window, const TensorPtr& base) {
    auto node = std::make_shared<SeenWindow>();
    node->name = "AsStridedBackward0";
    node->inputs = {gradEdge(base)};
    node->outputTypes = {window->type};
    node->outputTypes[0].requiresGrad = false;
    node->base = base->type;
    node->base.requiresGrad = false;
    node->offset = distance(*base, *window);
    const bool kept = takeKept(*window);
    window->gradFunction = node;
    window->asBase = false;
    window->gradOutput = 0;
    window->type.requiresGrad = true;
    keepAgain(window, kept);
}

base::Status writeWindow(const TensorPtr& self, Tensor& window, const TensorPtr& value,
                         bool recorded) {
    std::shared_ptr<WrittenWindow> node;
    const bool wanted = self->type.requiresGrad || value->type.requiresGrad;
    if (recorded && wanted && ir::hasGradients(self->type.dtype)) {
        if (sharesElements(self->type))
            return base::userError({}, "a tensor whose elements share memory is written in place",
                                   "write to a clone() of it");
        node = std::make_shared<WrittenWindow>();
        node->name = "CopySlices";
        node->inputs = {gradEdge(self), gradEdge(value)};
        node->outputTypes = {self->type};
        node->outputTypes[0].requiresGrad = false;
        node->window = realMemory(window.type);
        node->offset = distance(*self, window);
        node->value = value->type;
    }
    CUTAWAY_CHECK(copyInto(window, *value));
    if (!node) return {};
    const bool kept = takeKept(*self);
    self->gradFunction = node;
    self->gradOutput = 0;
    self->type.requiresGrad = true;
    keepAgain(self, kept);
    return {};
}

} // namespace cutaway::runtime
