// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/autograd.h"

#include "core/ops/memory_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace cutaway::runtime {
namespace {

using FunctionPtr = std::shared_ptr<GradFunction>;

/// A function of the tape that the run reaches.
struct Pending {
    FunctionPtr function;
    int dependents = 0;               ///< reached functions that still owe it a gradient
    std::vector<TensorPtr> gradients; ///< by output; null: none arrived
};

struct Run {
    const GradientArithmetic& arithmetic;
    bool retainGraph = false;
    /// Looked up by address, never iterated.
    std::unordered_map<const GradFunction*, Pending> pending;
};

base::Status addTo(TensorPtr& sum, TensorPtr gradient, const GradientArithmetic& arithmetic) {
    if (!sum) {
        sum = std::move(gradient);
        return {};
    }
    CUTAWAY_TRY(sum, arithmetic.add(sum, gradient));
    return {};
}

bool sameStrides(const ir::TensorType& a, const ir::TensorType& b) {
    for (size_t i = 0; i < a.rank(); ++i)
        if (!a.sizes[i].is(1) && !(a.strides[i] == b.strides[i])) return false;
    return true;
}

/// A leaf's gradient has the leaf's sizes, strides where those are dense, and memory of its own: a
/// later in-place change of it must be seen by nobody else.
base::Status accumulate(Tensor& leaf, TensorPtr gradient, const GradientArithmetic& arithmetic) {
    if (leaf.grad) {
        CUTAWAY_TRY(TensorPtr sum, arithmetic.add(leaf.grad, gradient));
        // The tensor object stays: whoever holds x.grad sees the sum, as with PyTorch.
        leaf.grad->type = sum->type;
        leaf.grad->storage = sum->storage;
        leaf.grad->offset = sum->offset;
        return {};
    }
    bool ownMemory = gradient.use_count() == 1 && gradient->storage.use_count() == 1;
    auto type = ir::TensorType::contiguous(leaf.type.dtype, leaf.type.sizes, leaf.type.device);
    if (ops::isDense(leaf.type)) type.strides = leaf.type.strides;
    bool sameLayout = gradient->type.dtype == type.dtype && sameStrides(gradient->type, type);
    if (ownMemory && sameLayout) {
        leaf.grad = std::move(gradient);
        leaf.grad->type.requiresGrad = false;
        return {};
    }
    CUTAWAY_TRY(TensorPtr copy, emptyTensor(type));
    CUTAWAY_CHECK(copyInto(*copy, *gradient));
    leaf.grad = std::move(copy);
    return {};
}

base::Diagnostic secondBackward(const GradFunction& function) {
    return base::userError({},
                           fmt::format("trying to backward through the graph a second time: the "
                                       "tensors that {} saved were freed by the first backward()",
                                       function.name),
                           "give the first one backward(retain_graph=True), or run the forward "
                           "computation again");
}

/// Finds every function reachable from the root's and counts who owes whom.
base::Status discover(const FunctionPtr& root, Run& run) {
    auto reach = [&](const FunctionPtr& function) {
        auto [entry, fresh] = run.pending.try_emplace(function.get());
        if (!fresh) return false;
        entry->second.function = function;
        entry->second.gradients.resize(std::max<size_t>(1, function->outputTypes.size()));
        return true;
    };
    std::vector<GradFunction*> stack{root.get()};
    reach(root);
    while (!stack.empty()) {
        GradFunction* function = stack.back();
        stack.pop_back();
        if (function->released) return secondBackward(*function);
        for (const TensorPtr& input : function->inputs) {
            if (!input || !input->gradFunction) continue;
            if (reach(input->gradFunction)) stack.push_back(input->gradFunction.get());
            ++run.pending[input->gradFunction.get()].dependents;
        }
    }
    return {};
}

base::Status checkGradient(const GradFunction& function, size_t i, const Tensor& gradient) {
    const ir::Shape& expected = function.inputs[i]->type.sizes;
    if (gradient.type.sizes == expected) return {};
    return base::bugError(fmt::format("{} returned a gradient of sizes {} for input {} of sizes {}",
                                      function.name, ir::str(gradient.type.sizes), i,
                                      ir::str(expected)));
}

/// Hands a function's gradients to leaves and to the functions before it; those whose last gradient
/// this was become ready.
base::Status distribute(Run& run, const GradFunction& function, std::vector<TensorPtr> gradients,
                        std::vector<FunctionPtr>& ready) {
    for (size_t i = 0; i < function.inputs.size(); ++i) {
        const TensorPtr& input = function.inputs[i];
        if (!input) continue;
        TensorPtr gradient = i < gradients.size() ? std::move(gradients[i]) : nullptr;
        if (gradient) CUTAWAY_CHECK(checkGradient(function, i, *gradient));
        if (!input->gradFunction) {
            if (gradient && input->type.requiresGrad)
                CUTAWAY_CHECK(accumulate(*input, std::move(gradient), run.arithmetic));
            continue;
        }
        Pending& before = run.pending[input->gradFunction.get()];
        if (gradient) {
            auto output = static_cast<size_t>(input->gradOutput);
            if (output >= before.gradients.size()) before.gradients.resize(output + 1);
            CUTAWAY_CHECK(addTo(before.gradients[output], std::move(gradient), run.arithmetic));
        }
        if (--before.dependents == 0) ready.push_back(before.function);
    }
    return {};
}

base::Status runTape(Run& run, const FunctionPtr& root) {
    std::vector<FunctionPtr> ready{root};
    while (!ready.empty()) {
        FunctionPtr function = std::move(ready.back());
        ready.pop_back();
        std::vector<TensorPtr> arrived = std::move(run.pending[function.get()].gradients);
        bool any = false;
        for (const TensorPtr& gradient : arrived)
            any = any || gradient;
        std::vector<TensorPtr> gradients;
        if (any) {
            CUTAWAY_TRY(gradients, function->apply(arrived));
            arrived.clear();
            if (!run.retainGraph) function->released = function->release();
        }
        CUTAWAY_CHECK(distribute(run, *function, std::move(gradients), ready));
    }
    return {};
}

base::Result<TensorPtr> rootGradient(const Tensor& root, const TensorPtr& gradient,
                                     const GradientArithmetic& arithmetic) {
    if (gradient) {
        if (gradient->type.sizes == root.type.sizes) return gradient;
        return base::userError(
            {}, fmt::format("mismatch in shape: the gradient has sizes {}, the tensor has sizes {}",
                            ir::str(gradient->type.sizes), ir::str(root.type.sizes)));
    }
    if (!root.type.numel().is(1))
        return base::userError(
            {},
            fmt::format("grad can be implicitly created only for scalar outputs: found sizes {}, "
                        "expected one element",
                        ir::str(root.type.sizes)),
            "reduce it first, for example x.sum().backward(), or pass a gradient");
    ir::TensorType type = root.type;
    type.requiresGrad = false;
    return arithmetic.full(type, 1.0);
}

} // namespace

base::Status checkUnchanged(const GradFunction& function, const ir::TensorType& type,
                            const Storage& storage, uint32_t version) {
    if (storage.version == version) return {};
    return base::userError(
        {},
        fmt::format("one of the variables needed for gradient computation has been modified by an "
                    "inplace operation: {} that {} saved is at version {}, expected version {}",
                    type.str(), function.name, storage.version, version),
        "make a new tensor instead (x = x + 1), or change a clone() of it");
}

GradFunction::~GradFunction() {
    // A chain of a million operations must not recurse a million destructors deep: the edges of a
    // function that nobody else holds are taken over before it goes.
    std::vector<TensorPtr> edges = std::move(inputs);
    while (!edges.empty()) {
        TensorPtr edge = std::move(edges.back());
        edges.pop_back();
        if (!edge || edge.use_count() > 1 || !edge->gradFunction) continue;
        FunctionPtr function = std::move(edge->gradFunction);
        if (function.use_count() > 1) continue;
        for (TensorPtr& input : function->inputs)
            edges.push_back(std::move(input));
        function->inputs.clear();
    }
}

TensorPtr gradEdge(const TensorPtr& input) {
    if (!input || !input->type.requiresGrad) return nullptr;
    if (input->isLeaf()) return input;
    auto edge = std::make_shared<Tensor>();
    edge->type = input->type;
    edge->gradFunction = input->gradFunction;
    edge->gradOutput = input->gradOutput;
    return edge;
}

namespace {

/// The tape's node of a tensor, part of which was written. Outside of the written window the tensor
/// is what it was (input 0), inside it is the value (input 1).
struct WrittenWindow : GradFunction {
    ir::TensorType window; ///< strides in the memory of outputTypes[0]
    int64_t offset = 0;    ///< from that tensor's first element
    ir::Device valueDevice;

    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& gradOutputs) override {
        CUTAWAY_TRY(TensorPtr rest, emptyTensor(outputTypes[0]));
        CUTAWAY_CHECK(copyInto(*rest, *gradOutputs[0]));
        TensorPtr part = viewOf(rest, window.sizes, window.strides, offset), inside;
        if (inputs[1]) {
            CUTAWAY_TRY(inside, emptyTensor(ir::TensorType::contiguous(window.dtype, window.sizes,
                                                                       valueDevice)));
            CUTAWAY_CHECK(copyInto(*inside, *part));
        }
        CUTAWAY_TRY(TensorPtr zero,
                    fromHost(ir::HostTensor::scalar(window.dtype, 0), window.device));
        CUTAWAY_CHECK(
            copyInto(*part, *viewOf(zero, window.sizes, ir::Shape(window.rank(), ir::Sym(0)), 0)));
        return std::vector<TensorPtr>{rest, inside};
    }
};

} // namespace

base::Status writeWindow(const TensorPtr& self, Tensor& window, const TensorPtr& value,
                         bool recorded) {
    std::shared_ptr<WrittenWindow> node;
    const bool wanted = self->type.requiresGrad || value->type.requiresGrad;
    if (recorded && wanted && ir::isFloating(self->type.dtype)) {
        for (size_t i = 0; i < self->type.rank(); ++i)
            if (self->type.strides[i].is(0) && !self->type.sizes[i].is(1))
                return base::userError({},
                                       "a tensor whose elements share memory is written in place",
                                       "write to a clone() of it");
        node = std::make_shared<WrittenWindow>();
        node->name = "CopySlices";
        node->inputs = {gradEdge(self), gradEdge(value)};
        node->outputTypes = {self->type};
        node->outputTypes[0].requiresGrad = false;
        node->window = window.type;
        node->offset = window.offset - self->offset;
        node->valueDevice = value->type.device;
    }
    CUTAWAY_CHECK(copyInto(window, *value));
    if (!node) return {};
    self->gradFunction = node;
    self->gradOutput = 0;
    self->type.requiresGrad = true;
    return {};
}

base::Status backward(const TensorPtr& root, const TensorPtr& gradient,
                      const GradientArithmetic& arithmetic, bool retainGraph) {
    if (!root->gradFunction && !root->type.requiresGrad)
        return base::userError({}, "the tensor does not require grad and does not have a grad_fn",
                               "create an input with requires_grad=True");
    CUTAWAY_TRY(TensorPtr seed, rootGradient(*root, gradient, arithmetic));
    if (!root->gradFunction) return accumulate(*root, std::move(seed), arithmetic);
    Run run{arithmetic, retainGraph, {}};
    CUTAWAY_CHECK(discover(root->gradFunction, run));
    std::vector<TensorPtr>& gradients = run.pending[root->gradFunction.get()].gradients;
    auto output = static_cast<size_t>(root->gradOutput);
    if (output >= gradients.size()) gradients.resize(output + 1);
    gradients[output] = std::move(seed);
    return runTape(run, root->gradFunction);
}

} // namespace cutaway::runtime
