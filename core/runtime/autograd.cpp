// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/autograd.h"

#include "core/ir/dtype_words.h"
#include "core/ir/meta_device.h"
#include "core/ops/memory_order.h"
#include "core/runtime/function_hooks.h"
#include "core/runtime/shown_inputs.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <queue>
#include <unordered_map>

namespace cutaway::runtime {

base::Diagnostic mismatchedShape(size_t number, const ir::TensorType& gradient,
                                 const ir::TensorType& root) {
    return base::userError({}, fmt::format("Mismatch in shape: grad_output[{}] has a shape of "
                                           "torch.Size({}) and output[{}] has a shape of "
                                           "torch.Size({}).",
                                           number, ir::str(gradient.sizes), number,
                                           ir::str(root.sizes)));
}

namespace {

using FunctionPtr = std::shared_ptr<GradFunction>;

/// A function of the tape that the run reaches.
struct Pending {
    FunctionPtr function;
    int dependents = 0;               ///< functions of the run that still owe it a gradient
    bool runs = true;                 ///< a wanted gradient lies behind it
    std::vector<TensorPtr> gradients; ///< by output; null: none arrived
};

/// A leaf that the run reaches.
struct Arriving {
    int dependents = 0; ///< as of a function
    TensorPtr gradient; ///< what has arrived, summed; null: nothing
};

uint64_t nextRun() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

struct Run {
    const BackwardRequest& request;
    const GradientArithmetic& arithmetic;
    /// Looked up by address, never iterated.
    std::unordered_map<const GradFunction*, Pending> pending;
    std::unordered_map<const Tensor*, Arriving> leaves;
    std::vector<GradFunction*> reached;
    std::vector<TensorPtr> results; ///< by input of the request
    uint64_t number = nextRun();
    bool wantsAll() const { return request.inputs.empty(); }
};

/// Whether two tensors have the same gradient: the same leaf, or the same result of a function.
bool sameEdge(const TensorPtr& a, const TensorPtr& b) {
    if (a->gradFunction || b->gradFunction)
        return a->gradFunction == b->gradFunction && a->gradOutput == b->gradOutput;
    return a == b;
}

bool isWanted(const Run& run, const TensorPtr& edge) {
    const auto& inputs = run.request.inputs;
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const TensorPtr& input) { return sameEdge(input, edge); });
}

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
/// later in-place change of it must be seen by nobody else. A recorded one is what was computed.
base::Status accumulate(Tensor& leaf, TensorPtr gradient, const Run& run) {
    if (leaf.grad) {
        CUTAWAY_TRY(TensorPtr sum, run.arithmetic.add(leaf.grad, gradient));
        if (run.request.record) {
            leaf.grad = std::move(sum);
            return {};
        }
        // The tensor object stays: whoever holds x.grad sees the sum, as with PyTorch.
        leaf.grad->type = sum->type;
        leaf.grad->type.requiresGrad = false;
        leaf.grad->storage = sum->storage;
        leaf.grad->offset = sum->offset;
        leaf.grad->gradFunction = nullptr;
        return {};
    }
    if (run.request.record) {
        leaf.grad = std::move(gradient);
        return {};
    }
    bool ownMemory = gradient.use_count() == 1 && gradient->storage.use_count() == 1;
    const bool same = gradient->type.sizes == leaf.type.sizes; // else its .data became another
    auto type = ir::TensorType::contiguous(leaf.type.dtype, gradient->type.sizes, leaf.type.device);
    if (same && ops::isDense(leaf.type)) type.strides = leaf.type.strides;
    bool sameLayout = gradient->type.dtype == type.dtype && sameStrides(gradient->type, type);
    if (ownMemory && sameLayout) {
        leaf.grad = std::move(gradient);
        leaf.grad->type.requiresGrad = false;
        leaf.grad->type.strides = type.strides; // those of dimensions of size 1, too
        return {};
    }
    CUTAWAY_TRY(TensorPtr copy, emptyTensor(type));
    CUTAWAY_CHECK(copyInto(*copy, *gradient));
    leaf.grad = std::move(copy);
    return {};
}

base::Diagnostic secondBackward(const GradFunction& function) {
    return base::userError(
        {},
        "Trying to backward through the graph a second time (or directly access saved "
        "tensors after they have already been freed). Saved intermediate values of the graph are "
        "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need "
        "to backward through the graph a second time or if you need to access saved tensors after "
        "calling backward.",
        fmt::format("what {} saved was freed: give the first one backward(retain_graph=True), or "
                    "run the forward computation again",
                    function.name));
}

/// Finds every function reachable from the roots.
void discover(Run& run) {
    std::vector<GradFunction*> stack;
    auto reach = [&](const FunctionPtr& function) {
        auto [entry, fresh] = run.pending.try_emplace(function.get());
        if (!fresh) return;
        entry->second.function = function;
        entry->second.gradients.resize(std::max<size_t>(1, function->outputTypes.size()));
        run.reached.push_back(function.get());
        stack.push_back(function.get());
    };
    for (const TensorPtr& root : run.request.roots)
        if (root->gradFunction) reach(root->gradFunction);
    while (!stack.empty()) {
        GradFunction* function = stack.back();
        stack.pop_back();
        for (const TensorPtr& input : function->inputs)
            if (input && input->gradFunction) reach(input->gradFunction);
    }
}

/// With wanted inputs, only functions between them and the roots run.
void choose(Run& run) {
    if (run.wantsAll()) return;
    std::unordered_map<const GradFunction*, std::vector<GradFunction*>> users;
    std::vector<GradFunction*> stack;
    auto choose = [&](GradFunction* function) {
        Pending& each = run.pending[function];
        if (each.runs) return;
        each.runs = true;
        stack.push_back(function);
    };
    for (GradFunction* function : run.reached)
        run.pending[function].runs = false;
    for (GradFunction* function : run.reached)
        for (const TensorPtr& input : function->inputs) {
            if (!input) continue;
            if (input->gradFunction) users[input->gradFunction.get()].push_back(function);
            if (isWanted(run, input)) choose(function);
        }
    while (!stack.empty()) {
        GradFunction* function = stack.back();
        stack.pop_back();
        for (GradFunction* user : users[function])
            choose(user);
    }
}

/// Counts who owes whom.
base::Status countDependents(Run& run) {
    for (GradFunction* function : run.reached) {
        if (!run.pending[function].runs) continue;
        if (function->released) return secondBackward(*function);
        for (const TensorPtr& input : function->inputs) {
            if (!input) continue;
            ++(input->gradFunction ? run.pending[input->gradFunction.get()].dependents
                                   : run.leaves[input.get()].dependents);
        }
    }
    return {};
}

/// Whether the gradient fits what it is of, which a script may have given other memory since.
base::Status checkGradient(const GradFunction& function, size_t i, const Tensor& gradient) {
    const Tensor& input = *function.inputs[i];
    if (input.isLeaf() && input.ownVersion) return {}; // its .data may have been of other sizes
    const auto output = static_cast<size_t>(input.gradOutput);
    const bool computed = input.gradFunction && output < input.gradFunction->outputTypes.size();
    const ir::Shape& expected =
        (computed ? input.gradFunction->outputTypes[output] : input.type).sizes;
    if (gradient.type.sizes == expected) return {};
    if (input.isLeaf())
        return base::bugError(fmt::format("{} gives gradient {} of sizes {} for {}", function.name,
                                          i, ir::str(gradient.type.sizes), ir::str(expected)));
    return base::userError({}, fmt::format("Function {} returned an invalid gradient at index {} - "
                                           "got {} but expected shape compatible with {}",
                                           function.name, i, ir::str(gradient.type.sizes),
                                           ir::str(expected)));
}

base::Status callHooks(const GradHooks& hooks, TensorPtr& gradient,
                       const GradientArithmetic& arithmetic) {
    const auto registered = hooks.onGradient; // a hook may remove itself
    for (const auto& [number, hook] : registered) {
        CUTAWAY_TRY(gradient, hook(gradient));
    }
    if (TensorPtr keeps = hooks.keeps.lock()) return addTo(keeps->grad, gradient, arithmetic);
    return {};
}

/// All of a leaf's gradient is there.
base::Status reachLeaf(Run& run, const TensorPtr& leaf, TensorPtr gradient) {
    if (!leaf->type.requiresGrad || leaf->asBase) return {};
    if (!run.wantsAll() && !isWanted(run, leaf)) return {};
    if (leaf->hooks) CUTAWAY_CHECK(callHooks(*leaf->hooks, gradient, run.arithmetic));
    if (!run.request.accumulate) {
        for (size_t i = 0; i < run.request.inputs.size(); ++i)
            if (run.request.inputs[i] == leaf)
                CUTAWAY_CHECK(addTo(run.results[i], gradient, run.arithmetic));
        return {};
    }
    CUTAWAY_CHECK(accumulate(*leaf, std::move(gradient), run));
    if (!leaf->hooks) return {};
    const auto registered = leaf->hooks->afterAccumulation;
    for (const auto& [number, hook] : registered)
        CUTAWAY_CHECK(hook());
    return {};
}

/// One of a leaf's gradients has arrived (or will not: null). The last one's sum goes on, so that hooks
/// see it once and a run that fails before leaves no part of it.
/// Source: AccumulateGrad and InputBuffer, torch/csrc/autograd.
base::Status addToLeaf(Run& run, const TensorPtr& leaf, TensorPtr gradient) {
    Arriving& each = run.leaves[leaf.get()];
    if (gradient) CUTAWAY_CHECK(addTo(each.gradient, std::move(gradient), run.arithmetic));
    if (--each.dependents > 0 || !each.gradient) return {};
    return reachLeaf(run, leaf, std::move(each.gradient));
}

/// The latest function runs first, as PyTorch's engine has it: sums are made in its order.
struct Earlier {
    bool operator()(const FunctionPtr& a, const FunctionPtr& b) const {
        return a->sequence < b->sequence;
    }
};
using Ready = std::priority_queue<FunctionPtr, std::vector<FunctionPtr>, Earlier>;

/// Hands a function's gradients to leaves and to the functions before it; those whose last gradient
/// this was become ready.
base::Status distribute(Run& run, const GradFunction& function, std::vector<TensorPtr> gradients,
                        Ready& ready) {
    for (size_t i = 0; i < function.inputs.size(); ++i) {
        const TensorPtr& input = function.inputs[i];
        if (!input) continue;
        TensorPtr gradient = i < gradients.size() ? std::move(gradients[i]) : nullptr;
        if (gradient) CUTAWAY_CHECK(checkGradient(function, i, *gradient));
        if (!input->gradFunction) {
            CUTAWAY_CHECK(addToLeaf(run, input, std::move(gradient)));
            continue;
        }
        Pending& before = run.pending[input->gradFunction.get()];
        if (gradient) {
            auto output = static_cast<size_t>(input->gradOutput);
            if (output >= before.gradients.size()) before.gradients.resize(output + 1);
            CUTAWAY_CHECK(addTo(before.gradients[output], std::move(gradient), run.arithmetic));
        }
        if (--before.dependents == 0) ready.push(before.function);
    }
    return {};
}

/// Every gradient of a function's results is there: hooks see them, wanted ones are taken.
base::Status arrive(Run& run, const GradFunction& function, std::vector<TensorPtr>& arrived) {
    for (const auto& [output, hooks] : function.hooks) {
        if (output == kOfFunction) continue;
        auto at = static_cast<size_t>(output);
        if (at < arrived.size() && arrived[at])
            CUTAWAY_CHECK(callHooks(*hooks, arrived[at], run.arithmetic));
    }
    for (size_t i = 0; i < run.request.inputs.size(); ++i) {
        const TensorPtr& input = run.request.inputs[i];
        if (input->gradFunction.get() != &function) continue;
        auto at = static_cast<size_t>(input->gradOutput);
        if (at >= arrived.size() || !arrived[at]) continue;
        if (!run.request.accumulate)
            run.results[i] = arrived[at];
        else
            CUTAWAY_CHECK(accumulate(*input, arrived[at], run));
    }
    return {};
}

base::Status wantNumbers(const GradFunction& function, const std::vector<TensorPtr>& gradients) {
    for (size_t i = 0; i < gradients.size(); ++i) {
        if (!gradients[i] || !ir::isFloating(gradients[i]->type.dtype)) continue;
        CUTAWAY_TRY(const ir::HostTensor host, toHost(*gradients[i]));
        for (int64_t k = 0; k < host.numel(); ++k)
            if (std::isnan(host.get(k)))
                return base::userError(
                    {}, fmt::format("Function '{}' returned nan values in its {}th output.",
                                    function.name, i));
    }
    return {};
}

/// Null: none.
const FunctionHooks* findFunctionHooks(const GradFunction& function) {
    if (function.hooks.empty() || function.hooks.begin()->first != kOfFunction) return nullptr;
    return static_cast<const FunctionHooks*>(function.hooks.begin()->second.get());
}

/// The function itself, between its hooks.
base::Result<std::vector<TensorPtr>> apply(const Run& run, GradFunction& function,
                                           std::vector<TensorPtr> arrived) {
    const FunctionHooks* hooks = findFunctionHooks(function);
    if (hooks)
        for (const auto before = hooks->before; const auto& [number, hook] : before) { // may change
            CUTAWAY_TRY(arrived, hook(std::move(arrived)));
        }
    auto gradients = run.request.record        ? function.applyRecorded(arrived)
                     : run.request.retainGraph ? function.apply(arrived)
                                               : function.applyLast(arrived);
    if (!gradients.ok()) return gradients;
    if (run.request.checkNan) CUTAWAY_CHECK(wantNumbers(function, *gradients));
    if (hooks)
        for (const auto behind = hooks->behind; const auto& [number, hook] : behind) {
            gradients->resize(function.inputs.size());
            CUTAWAY_TRY(*gradients, hook(std::move(*gradients), arrived));
        }
    return gradients;
}

base::Status runTape(Run& run) {
    Ready ready;
    for (GradFunction* function : run.reached)
        if (run.pending[function].dependents == 0) ready.push(run.pending[function].function);
    while (!ready.empty()) {
        FunctionPtr function = ready.top();
        ready.pop();
        Pending& own = run.pending[function.get()];
        std::vector<TensorPtr> arrived = std::move(own.gradients);
        const bool runs = own.runs;
        CUTAWAY_CHECK(arrive(run, *function, arrived));
        bool any = false;
        for (const TensorPtr& gradient : arrived)
            any = any || gradient;
        if (!runs) continue; // nothing of it is owed to anybody
        std::vector<TensorPtr> gradients;
        if (any) {
            CUTAWAY_TRY(gradients, apply(run, *function, std::move(arrived)));
            if (!run.request.retainGraph) function->released = function->release();
        }
        CUTAWAY_CHECK(distribute(run, *function, std::move(gradients), ready));
    }
    return {};
}

base::Result<TensorPtr> rootGradient(size_t number, const Tensor& root, const TensorPtr& gradient,
                                     const GradientArithmetic& arithmetic) {
    if (gradient) {
        if (gradient->type.sizes != root.type.sizes)
            return mismatchedShape(number, gradient->type, root.type);
        if (gradient->type.device == root.type.device) return gradient;
        return base::userError(
            {}, fmt::format("invalid gradient at index {} - expected device {} but got {}", number,
                            root.type.device.str(), gradient->type.device.str()));
    }
    if (!root.type.numel().is(1))
        return base::userError(
            {}, "grad can be implicitly created only for scalar outputs",
            fmt::format("found sizes {}, expected one element: reduce it first, for example "
                        "x.sum().backward(), or pass a gradient",
                        ir::str(root.type.sizes)));
    if (!ir::isFloating(root.type.dtype))
        return base::userError(
            {},
            fmt::format("grad can be implicitly created only for real scalar outputs but got {}",
                        "torch." + std::string(ir::name(root.type.dtype))),
            "pass a gradient, or take the real part first");
    ir::TensorType type = root.type;
    type.requiresGrad = false;
    return arithmetic.full(type, 1.0);
}

} // namespace

std::string tensorTypeName(const ir::TensorType& type) {
    const std::string dtype = ir::scalarType(type.dtype);
    if (ir::isMeta(type.device)) return fmt::format("Meta{}Type", dtype);
    const bool cuda = type.device.kind == ir::Device::Kind::Cuda;
    return fmt::format("torch.{}{}Tensor", cuda ? "cuda." : "", dtype);
}

static std::string typeText(const ir::TensorType& type) {
    return fmt::format("{} {}", tensorTypeName(type), ir::str(type.sizes));
}

base::Status checkUnchanged(const GradFunction& function, const Tensor& saved, uint32_t version,
                            const Producer& producer) {
    if (saved.version() == version) return {};
    std::string output;
    if (producer.function)
        output = fmt::format(", which is output {} of {},", producer.output,
                             stepName(producer.function->name));
    return changedError(saved.type, output, saved.version(), version,
                        fmt::format("{} saved it; ", stepName(function.name)));
}

std::string stepName(std::string_view name) {
    const size_t at = name.find("Backward");
    if (at == std::string_view::npos) return std::string(name);
    const std::string_view number = name.substr(at + std::string_view("Backward").size());
    return fmt::format("{}{}", name.substr(0, at), number == "0" ? "" : number);
}

base::Diagnostic changedError(const ir::TensorType& type, std::string_view output, uint64_t version,
                              uint64_t expected, std::string_view who) {
    return base::userError(
        {},
        fmt::format(
            "one of the variables needed for gradient computation has been modified by an "
            "inplace operation: [{}]{} is at version {}; expected version {} instead. Hint: "
            "enable anomaly detection to find the operation that failed to compute its "
            "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
            typeText(type), output, version, expected),
        fmt::format("{}make a new tensor instead (x = x + 1), or change a clone() of it", who));
}

base::Status followData(TensorPtr& saved, uint32_t& version, const std::weak_ptr<Tensor>& origin) {
    const TensorPtr now = origin.lock();
    if (!now || !now->storage || !saved->storage || now->storage == saved->storage) return {};
    const ir::TensorType& wanted = saved->type;
    if (now->type.sizes != wanted.sizes || now->type.dtype != wanted.dtype ||
        !(now->type.device == wanted.device))
        return base::userError({}, fmt::format("the data of a tensor that was saved for backward() "
                                               "became {}, which was {}",
                                               now->type.str(), wanted.str()));
    TensorPtr followed;
    if (now->type.strides == wanted.strides) {
        followed = std::make_shared<Tensor>();
        followed->type = wanted;
        followed->storage = now->storage;
        followed->offset = now->offset;
        followed->ownVersion = now->ownVersion; // which went on from the old memory's
    } else {                                    // the gradient's kernels know the strides
        CUTAWAY_TRY(followed, emptyTensor(wanted));
        CUTAWAY_CHECK(copyInto(*followed, *now));
        version = followed->version();
    }
    saved = std::move(followed);
    return {};
}

static uint64_t nextSequence() {
    static std::atomic<uint64_t> next{0};
    return next++;
}

GradFunction::GradFunction() : sequence(nextSequence()) {}

namespace {

/// Stands behind gradients whose own derivative nobody knows.
struct DifferentiatedTwice : GradFunction {
    std::string first; ///< the function that made the gradients
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>&) override {
        return base::userError(
            {},
            first == "CompiledFunctionBackward"
                ? "torch.compile with aot_autograd does not currently support double backward"
                : fmt::format("{} cannot be differentiated again (create_graph=True)", first),
            "second derivatives go through operations that are neither compiled nor written in "
            "place");
    }
};

} // namespace

base::Result<std::vector<TensorPtr>>
GradFunction::applyRecorded(const std::vector<TensorPtr>& gradOutputs) {
    CUTAWAY_TRY(std::vector<TensorPtr> gradients, apply(gradOutputs));
    auto twice = std::make_shared<DifferentiatedTwice>();
    twice->name = name + "Backward";
    twice->first = name;
    twice->inputs = inputs;
    for (const TensorPtr& arrived : gradOutputs)
        twice->inputs.push_back(gradEdge(arrived));
    for (TensorPtr& gradient : gradients) {
        twice->outputTypes.push_back(gradient ? gradient->type : ir::TensorType());
        if (!gradient) continue;
        gradient = viewOf(gradient, gradient->type.sizes, gradient->type.strides, 0);
        gradient->type.requiresGrad = true;
        gradient->gradFunction = twice;
        gradient->gradOutput = static_cast<int>(twice->outputTypes.size()) - 1;
    }
    return gradients;
}

GradFunction::~GradFunction() {
    // A chain of a million operations must not recurse a million destructors deep: the edges of a
    // function that nobody else holds are taken over before it goes.
    std::vector<TensorPtr> edges = std::move(inputs);
    const auto takeOver = [&edges](std::vector<TensorPtr>& from) {
        std::ranges::move(from, std::back_inserter(edges));
        from.clear();
    };
    while (!edges.empty()) {
        TensorPtr edge = std::move(edges.back());
        edges.pop_back();
        if (!edge || edge.use_count() > 1 || !edge->gradFunction) continue;
        FunctionPtr function = std::move(edge->gradFunction);
        if (function.use_count() > 1) continue;
        takeOver(function->inputs);
        if (auto* part = dynamic_cast<ShownInputs*>(function.get()); part && part->shownInputs)
            takeOver(*part->shownInputs);
    }
}

TensorPtr gradEdge(const TensorPtr& input) {
    if (!input || !input->type.requiresGrad) return nullptr;
    if (input->isLeaf()) return input->asBase ? nullptr : input;
    auto edge = std::make_shared<Tensor>();
    edge->type = input->type;
    edge->gradFunction = input->gradFunction;
    edge->gradOutput = input->gradOutput;
    return edge;
}

GradHooks& gradHooks(Tensor& tensor) {
    std::shared_ptr<GradHooks>& hooks =
        tensor.gradFunction ? tensor.gradFunction->hooks[tensor.gradOutput] : tensor.hooks;
    if (!hooks) hooks = std::make_shared<GradHooks>();
    return *hooks;
}

FunctionHooks& functionHooks(GradFunction& function) {
    std::shared_ptr<GradHooks>& hooks = function.hooks[kOfFunction];
    if (!hooks) hooks = std::make_shared<FunctionHooks>();
    return static_cast<FunctionHooks&>(*hooks);
}

/// Runs in progress in this thread: a function may begin another.
static thread_local const Run* tRun = nullptr;

uint64_t currentRun() {
    return tRun ? tRun->number : 0;
}

bool willRun(const GradFunction* function, const Tensor* leaf) {
    if (!tRun) return false;
    if (function) {
        const auto found = tRun->pending.find(function);
        return found != tRun->pending.end() && found->second.runs;
    }
    if (!tRun->leaves.contains(leaf)) return false;
    return tRun->wantsAll() ||
           std::ranges::any_of(tRun->request.inputs,
                               [&](const TensorPtr& input) { return input.get() == leaf; });
}

bool takeKept(Tensor& tensor) {
    if (!tensor.gradFunction) return false;
    const auto found = tensor.gradFunction->hooks.find(tensor.gradOutput);
    if (found == tensor.gradFunction->hooks.end() || !found->second) return false;
    if (found->second->keeps.lock().get() != &tensor) return false;
    found->second->keeps.reset();
    return true;
}

void keepAgain(const TensorPtr& tensor, bool kept) {
    if (kept && tensor->gradFunction) gradHooks(*tensor).keeps = tensor;
}

base::Result<std::vector<TensorPtr>> backward(const BackwardRequest& request,
                                              const GradientArithmetic& arithmetic) {
    Run run{request, arithmetic, {}, {}, {}, std::vector<TensorPtr>(request.inputs.size())};
    struct Current {
        const Run* outer;
        ~Current() { tRun = outer; }
    } const current{std::exchange(tRun, &run)};
    discover(run);
    choose(run);
    CUTAWAY_CHECK(countDependents(run));
    std::vector<std::pair<TensorPtr, TensorPtr>> leaves; // roots that are leaves themselves
    for (size_t i = 0; i < request.roots.size(); ++i) {
        const TensorPtr& root = request.roots[i];
        if (!root->type.requiresGrad)
            return base::userError(
                {},
                fmt::format("element {} of tensors does not require grad and does not have a "
                            "grad_fn",
                            i),
                "create an input with requires_grad=True");
        CUTAWAY_TRY(TensorPtr seed, rootGradient(i, *root, request.gradients[i], arithmetic));
        if (!root->gradFunction) {
            ++run.leaves[root.get()].dependents;
            leaves.emplace_back(root, std::move(seed));
            continue;
        }
        std::vector<TensorPtr>& gradients = run.pending[root->gradFunction.get()].gradients;
        auto output = static_cast<size_t>(root->gradOutput);
        if (output >= gradients.size()) gradients.resize(output + 1);
        CUTAWAY_CHECK(addTo(gradients[output], std::move(seed), arithmetic));
    }
    for (auto& [leaf, seed] : leaves)
        CUTAWAY_CHECK(addToLeaf(run, leaf, std::move(seed)));
    CUTAWAY_CHECK(runTape(run));
    if (request.accumulate) return std::vector<TensorPtr>();
    return std::move(run.results);
}

} // namespace cutaway::runtime
