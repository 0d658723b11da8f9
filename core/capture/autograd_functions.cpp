// SPDX-License-Identifier: Apache-2.0
// What torch.autograd is written with: the tape run backwards, functions of scripts on it, hooks.
#include "core/capture/capture.h"
#include "core/capture/code.h"
#include "core/capture/grad_functions.h"
#include "core/capture/interp.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/runtime/function_hooks.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

std::span<const Val> wantPositional(Interp& in, const BuiltinObj& self, const Arguments& args,
                                    size_t count) {
    if (args.positional.size() != count || !args.keywords.empty())
        in.raise(Error::Type, fmt::format("{}() takes {} arguments, found {}", self.name, count,
                                          args.positional.size() + args.keywords.size()));
    return args.positional;
}

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;
using runtime::TensorPtr;

/// backward(roots, gradients, retain_graph, create_graph, inputs, accumulate): without accumulate
/// a list of the gradients of the inputs, None where nothing depends on one.
Val runBackward(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 6);
    return in.world().backward({in.items(v[0]), in.items(v[1]), in.items(v[4]), in.truthy(v[2]),
                                in.truthy(v[3]), in.truthy(v[5])});
}

/// Restores what a call of a script's code by the tape changes.
class GradModeScope {
public:
    GradModeScope(Interp& in, bool on) : in_(in), before_(in.gradMode()) { in.setGradMode(on); }
    GradModeScope(const GradModeScope&) = delete;
    ~GradModeScope() { in_.setGradMode(before_); }

private:
    Interp& in_;
    bool before_;
};

/// A torch.autograd.Function that a script called: its backward() is run with the context.
struct ScriptFunction : runtime::GradFunction {
    Interp* in = nullptr;
    Val type, context;
    struct Saved {
        Val value;       ///< what save_for_backward() got; unbound: a result
        TensorPtr plain; ///< of results: the values, without the tape (no cycle)
        int output = -1;
        uint32_t version = 0;
    };
    std::vector<Saved> saved;
    size_t arguments = 0;               ///< of the call, tensors or not
    std::vector<size_t> tensorArgument; ///< argument of each of `inputs`
    std::vector<bool> differentiable;   ///< by output
    std::vector<bool> argument;         ///< by output: an argument that came back as it was
    bool materialize = true;

    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& gradOutputs) override {
        return call(gradOutputs, false);
    }
    base::Result<std::vector<TensorPtr>>
    applyRecorded(const std::vector<TensorPtr>& gradOutputs) override {
        return call(gradOutputs, true);
    }
    bool release() override {
        saved.clear();
        return true;
    }

    base::Result<Val> savedTensors() {
        std::vector<Val> values;
        for (const Saved& each : saved) {
            if (each.value.bound() && !each.value.is(Kind::Tensor)) {
                values.push_back(each.value);
                continue;
            }
            TensorPtr tensor = each.output < 0 ? each.value.as<TensorObj>()->real : each.plain;
            CUTAWAY_CHECK(runtime::checkUnchanged(*this, *tensor, each.version,
                                                  runtime::Producer::of(tensor)));
            if (each.output < 0) {
                values.push_back(each.value);
                continue;
            }
            auto result = std::make_shared<runtime::Tensor>(*tensor);
            result->type.requiresGrad = true;
            result->gradFunction = shared_from_this();
            result->gradOutput = each.output;
            values.push_back(in->tensor(std::move(result)));
        }
        return in->tuple(std::move(values));
    }

private:
    /// Whether backward() takes gradients of those results only that are no arguments.
    bool leavesArgumentsOut() {
        Val backward = in->getAttr(type, in->intern("backward"));
        auto* function = backward.to<FunctionObj>();
        const auto own = static_cast<size_t>(std::ranges::count(argument, false));
        return function && !function->code->takesArgs && own < argument.size() &&
               function->code->positional == own + 1;
    }

    base::Result<std::vector<Val>> gradients(const std::vector<TensorPtr>& gradOutputs) {
        std::vector<Val> values = {context};
        const bool leaveOut = leavesArgumentsOut();
        for (size_t i = 0; i < outputTypes.size(); ++i) {
            const bool arrived = i < gradOutputs.size() && gradOutputs[i];
            if (leaveOut && argument[i] && !arrived) continue;
            if (arrived) {
                values.push_back(in->tensor(gradOutputs[i]));
                continue;
            }
            if (!materialize) {
                values.push_back(Val::none());
                continue;
            }
            CUTAWAY_TRY(TensorPtr zero, runtime::emptyTensor(outputTypes[i]));
            zero->type.requiresGrad = false;
            CUTAWAY_TRY(
                TensorPtr one,
                runtime::fromHost(ir::HostTensor::scalar(zero->type.dtype, 0), zero->type.device));
            CUTAWAY_CHECK(runtime::copyInto(
                *zero, *runtime::viewOf(one, zero->type.sizes,
                                        ir::Shape(zero->type.rank(), ir::Sym(0)), 0)));
            values.push_back(in->tensor(std::move(zero)));
        }
        return values;
    }

    base::Result<std::vector<TensorPtr>> call(const std::vector<TensorPtr>& gradOutputs,
                                              bool record) {
        GradModeScope mode(*in, record);
        StrObj* slot = in->intern("_saved_tensors");
        DictObj& attributes = *context.as<InstanceObj>()->attributes;
        CUTAWAY_TRY(Val tensors, savedTensors());
        attributes.set(slot, tensors);
        struct Forget {
            DictObj& attributes;
            StrObj* slot;
            ~Forget() { attributes.erase(slot); }
        } forget{attributes, slot};
        CUTAWAY_TRY(std::vector<Val> given, gradients(gradOutputs));
        Val backward = in->getAttr(type, in->intern("backward"));
        Val result = in->call(backward, given);
        std::vector<Val> found = result.is(Kind::Tuple) || result.is(Kind::List)
                                     ? in->items(result)
                                     : std::vector<Val>{result};
        while (found.size() > arguments && found.back().isNone())
            found.pop_back();
        if (found.size() != arguments)
            in->raise(Error::Runtime,
                      fmt::format("function {} returned an incorrect number of gradients "
                                  "(expected {}, got {})",
                                  name, arguments, found.size()));
        std::vector<TensorPtr> gradients;
        for (size_t i = 0; i < inputs.size(); ++i) {
            const Val& gradient = found[tensorArgument[i]];
            const bool wanted = !gradient.isNone() && inputs[i];
            gradients.push_back(wanted ? fitting(gradient, i) : nullptr);
        }
        return gradients;
    }

    /// \p gradient, which backward() gave for tensor \p i, in its sizes.
    TensorPtr fitting(const Val& gradient, size_t i) {
        if (!gradient.is(Kind::Tensor))
            in->raise(Error::Runtime,
                      fmt::format("expected Variable or None (got {})", in->typeName(gradient)));
        TensorPtr given = in->real(gradient, "a gradient of " + name);
        const auto invalid = [&](const std::string& why) {
            in->raise(Error::Runtime,
                      fmt::format("Function {} returned an invalid gradient at index {} - {}", name,
                                  i, why));
        };
        const ir::TensorType &is = given->type, &wanted = inputs[i]->type;
        if (!(is.device == wanted.device))
            invalid(
                fmt::format("expected device {} but got {}", wanted.device.str(), is.device.str()));
        if (is.sizes == wanted.sizes) return given;
        bool sums = is.rank() >= wanted.rank(); // its sizes are those, broadcast
        for (size_t d = 0; sums && d < wanted.rank(); ++d)
            sums =
                wanted.sizes[d].is(1) || wanted.sizes[d] == is.sizes[is.rank() - wanted.rank() + d];
        if (!sums)
            invalid(fmt::format("got {} but expected shape compatible with {}", ir::str(is.sizes),
                                ir::str(wanted.sizes)));
        std::vector<Val> sizes;
        for (const ir::Sym& size : wanted.sizes)
            sizes.push_back(in->size(size));
        return in->real(in->callMethod(gradient, "sum_to_size", {in->list(std::move(sizes))}),
                        "a gradient");
    }
};

/// A tensor of the results as the tape knows it: itself when the forward made it, else a new one on
/// the same memory.
Val linked(Interp& in, const Val& output, std::span<const Val> arguments, bool dirty,
           const std::shared_ptr<ScriptFunction>& node, int number) {
    Val result = output;
    for (const Val& argument : arguments)
        if (argument.identical(output) && !dirty)
            result = in.tensor(runtime::viewOf(output.as<TensorObj>()->real,
                                               output.as<TensorObj>()->type().sizes,
                                               output.as<TensorObj>()->type().strides, 0));
    runtime::Tensor& real = *result.as<TensorObj>()->real;
    if (!node->differentiable[static_cast<size_t>(number)]) return result;
    real.gradFunction = node;
    real.gradOutput = number;
    real.type.requiresGrad = true;
    return result;
}

bool holds(Interp& in, const Val& list, const Val& v) {
    if (list.isNone()) return false;
    for (const Val& item : in.items(list))
        if (item.identical(v)) return true;
    return false;
}

} // namespace

Val contextAttr(Interp& in, runtime::GradFunction& function, StrObj* name) {
    auto* script = dynamic_cast<ScriptFunction*>(&function);
    if (!script) return {};
    if (name->text == "saved_tensors" || name->text == "saved_variables") {
        if (script->released)
            in.raise(
                Error::Runtime,
                "Trying to backward through the graph a second time (or directly access saved "
                "tensors after they have already been freed). Saved intermediate values of the "
                "graph are freed when you call .backward() or autograd.grad(). Specify "
                "retain_graph=True if you need to backward through the graph a second time or if "
                "you need to access saved tensors after calling backward.");
        return in.need(script->savedTensors());
    }
    return name->text.starts_with("__") ? Val() : in.tryAttr(script->context, name);
}

namespace {

/// record_function(class, context, arguments, outputs, saved, dirty, not_differentiable,
/// materialize): the outputs, as results of the class's backward().
Val recordFunction(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 8);
    if (in.capture()) in.capture()->wantTape();
    auto node = std::make_shared<ScriptFunction>();
    node->in = &in;
    node->type = v[0];
    node->context = v[1];
    node->name = v[0].as<ClassObj>()->name + "Backward";
    node->materialize = in.truthy(v[7]);
    std::vector<Val> arguments = in.items(v[2]);
    node->arguments = arguments.size();
    for (size_t i = 0; i < arguments.size(); ++i) {
        auto* t = arguments[i].to<TensorObj>();
        if (!t) continue;
        node->inputs.push_back(runtime::gradEdge(t->real));
        node->tensorArgument.push_back(i);
    }
    const bool one = !v[3].is(Kind::Tuple) && !v[3].is(Kind::List);
    std::vector<Val> outputs = one ? std::vector<Val>{v[3]} : in.items(v[3]);
    for (const Val& output : outputs) {
        auto* t = output.to<TensorObj>();
        node->outputTypes.push_back(t ? t->type() : ir::TensorType());
        node->differentiable.push_back(t && ir::hasGradients(t->type().dtype) &&
                                       !holds(in, v[6], output));
        node->argument.push_back(t && holds(in, v[2], output));
    }
    std::vector<Val> results;
    for (size_t i = 0; i < outputs.size(); ++i)
        results.push_back(outputs[i].is(Kind::Tensor)
                              ? linked(in, outputs[i], arguments, holds(in, v[5], outputs[i]), node,
                                       static_cast<int>(i))
                              : outputs[i]);
    for (const Val& item : in.items(v[4])) {
        ScriptFunction::Saved saved{item, nullptr, -1, 0};
        auto* t = item.to<TensorObj>();
        if (t) saved.version = t->real->version();
        for (size_t i = 0; i < results.size(); ++i)
            if (t && results[i].identical(item) && node->differentiable[i]) {
                saved.plain = std::make_shared<runtime::Tensor>(*t->real);
                saved.plain->gradFunction = nullptr;
                saved.value = Val();
                saved.output = static_cast<int>(i);
            }
        node->saved.push_back(std::move(saved));
    }
    return one ? results[0] : in.tuple(std::move(results));
}

/// The hooks of a tensor, which must require a gradient.
runtime::GradHooks& hooksOf(Interp& in, const Val& tensor) {
    TensorPtr real = in.real(tensor, "the tensor");
    if (!real->type.requiresGrad)
        in.raise(Error::Runtime,
                 "cannot register a hook on a tensor that doesn't require gradient");
    return runtime::gradHooks(*real);
}

/// Stops a capture, which has no gradient that passes a tensor. What it computed of the tensor so far
/// would go around what looks at the gradient: then nothing of the stretch is compiled.
void stopToLook(Interp& in, const std::string& what, const Val& tensor) {
    Capture* capture = in.capture();
    if (!capture) return;
    const std::string hint = "call it outside the compiled function";
    if (auto* t = tensor.to<TensorObj>(); t && t->fake && t->fake->type.requiresGrad)
        if (!capture->graph.users()[t->fake->node.index].empty())
            throw CaptureStop{
                what + " after values were computed of it", hint, {}, {}, {}, false, true};
    in.stop(what, hint);
}

/// add_hook(tensor, hook, after_accumulation): its number.
Val addHook(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 3);
    stopToLook(in, self.name + "() registers a hook", v[0]);
    runtime::GradHooks& hooks = hooksOf(in, v[0]);
    const int64_t number = hooks.next++;
    if (in.truthy(v[2])) {
        TensorPtr real = in.real(v[0], "the tensor");
        if (!real->isLeaf())
            in.raise(Error::Runtime,
                     "post accumulate grad hooks cannot be registered on non-leaf tensors");
        // The hook gets the tensor, the object that has been told of it while there is that: held
        // weakly, as it is the tensor that holds the hook.
        auto& object = *v[0].as<TensorObj>();
        if (!object.viewed) object.viewed = std::make_shared<Viewed>(Viewed{&object, real});
        hooks.afterAccumulation[number] = [&in, hook = v[1], seen = std::weak_ptr(object.viewed),
                                           weak = std::weak_ptr(real)]() -> base::Status {
            if (TensorPtr alive = weak.lock()) {
                GradModeScope mode(in, false);
                const auto told = seen.lock();
                in.call(hook, {told && told->object ? Val(told->object) : in.tensor(alive)});
            }
            return {};
        };
        return Val::integer(number);
    }
    hooks.onGradient[number] = [&in, hook = v[1]](TensorPtr gradient) -> base::Result<TensorPtr> {
        GradModeScope mode(in, gradient->type.requiresGrad);
        Val result = in.call(hook, {in.tensor(gradient)});
        if (result.isNone()) return gradient;
        if (!result.is(Kind::Tensor))
            in.raise(Error::Type,
                     fmt::format("expected Variable, but hook returned '{}'", in.typeName(result)));
        TensorPtr other = in.real(result, "what a hook returns");
        const ir::TensorType &was = gradient->type, &is = other->type;
        auto* named = hook.to<FunctionObj>();
        const std::string name = named ? named->name : "<unknown>";
        if (is.dtype != was.dtype || !(is.device == was.device))
            return base::userError(
                {}, fmt::format("hook '{}' has changed the type of value (was {} got {})", name,
                                runtime::tensorTypeName(was), runtime::tensorTypeName(is)));
        if (is.sizes != was.sizes)
            return base::userError({},
                                   fmt::format("hook '{}' has changed the size of value", name));
        return other;
    };
    return Val::integer(number);
}

Val removeHook(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 2);
    runtime::GradHooks& hooks = hooksOf(in, v[0]);
    hooks.onGradient.erase(wantInt(in, v[1], "the hook"));
    hooks.afterAccumulation.erase(wantInt(in, v[1], "the hook"));
    return Val::none();
}

Val tupleOf(Interp& in, const std::vector<TensorPtr>& gradients) {
    std::vector<Val> given;
    for (const TensorPtr& gradient : gradients)
        given.push_back(gradient ? in.tensor(gradient) : Val::none());
    return in.tuple(std::move(given));
}

/// What a hook of a function returned in place of \p was; None: nothing.
std::vector<TensorPtr> insteadOf(Interp& in, std::vector<TensorPtr> was, const Val& hook,
                                 const Val& result) {
    if (result.isNone()) return was;
    auto* tuple = result.to<TupleObj>();
    if (!tuple && result.is(Kind::Tensor) && was.size() == 1) return {in.real(result, "a hook's")};
    if (!tuple)
        in.raise(Error::Type,
                 fmt::format("expected tuple, but hook returned '{}'", in.typeName(result)));
    if (tuple->items.size() != was.size()) {
        auto* named = hook.to<FunctionObj>();
        in.raise(Error::Runtime,
                 fmt::format("hook '{}' has returned an incorrect number of values "
                             "(got {}, but expected {})",
                             named ? named->name : "<unknown>", tuple->items.size(), was.size()));
    }
    std::vector<TensorPtr> other;
    for (const Val& each : tuple->items)
        other.push_back(each.isNone() ? nullptr : in.real(each, "what a hook returns"));
    return other;
}

/// Of gradients by output, those of what has any: no indices behind values.
std::vector<TensorPtr> differentiable(const runtime::GradFunction& function,
                                      std::vector<TensorPtr> gradients) {
    while (gradients.size() > 1 && gradients.size() <= function.outputTypes.size() &&
           !ir::hasGradients(function.outputTypes[gradients.size() - 1].dtype))
        gradients.pop_back();
    return gradients;
}

/// Hooks of what adds to the .grad of a leaf.
int64_t addLeafHook(Interp& in, runtime::Tensor& leaf, const Val& hook, bool before) {
    runtime::GradHooks& hooks = runtime::gradHooks(leaf);
    const int64_t number = hooks.next++;
    if (before) {
        hooks.onGradient[number] = [&in, hook](TensorPtr gradient) -> base::Result<TensorPtr> {
            GradModeScope mode(in, gradient->type.requiresGrad);
            return insteadOf(in, {gradient}, hook, in.call(hook, {tupleOf(in, {gradient})}))
                .front();
        };
        return number;
    }
    auto seen = std::make_shared<TensorPtr>(); // behind all other hooks
    hooks.onGradient[INT64_MAX - number] = [seen](TensorPtr gradient) -> base::Result<TensorPtr> {
        return *seen = std::move(gradient);
    };
    hooks.afterAccumulation[number] = [&in, hook, seen]() -> base::Status {
        GradModeScope mode(in, false);
        in.call(hook, {in.tuple({}), tupleOf(in, {std::exchange(*seen, nullptr)})});
        return {};
    };
    return number;
}

/// add_function_hook(node, hook, before): its number.
Val addFunctionHook(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 3);
    const auto& object = *v[0].as<GradFunctionObj>();
    const bool before = in.truthy(v[2]);
    if (!object.function) return Val::integer(addLeafHook(in, *object.leaf, v[1], before));
    runtime::GradFunction& function = shownFunction(object);
    runtime::FunctionHooks& hooks = runtime::functionHooks(function);
    const int64_t number = hooks.next++;
    const auto recorded = [](const std::vector<TensorPtr>& gradients) {
        return std::ranges::any_of(gradients,
                                   [](const TensorPtr& g) { return g && g->type.requiresGrad; });
    };
    using Gradients = runtime::FunctionHooks::Gradients;
    if (before)
        hooks.before[number] = [&in, &function, hook = v[1],
                                recorded](Gradients all) -> base::Result<Gradients> {
            GradModeScope mode(in, recorded(all));
            Gradients given = differentiable(function, std::move(all));
            const Val result = in.call(hook, {tupleOf(in, given)});
            return insteadOf(in, std::move(given), hook, result);
        };
    else
        hooks.behind[number] = [&in, &function, hook = v[1], recorded,
                                edges = shownEdges(function)](
                                   Gradients made, const Gradients& of) -> base::Result<Gradients> {
            GradModeScope mode(in, recorded(made));
            Gradients shown;
            for (const std::optional<size_t>& edge : edges)
                shown.push_back(edge && *edge < made.size() ? made[*edge] : nullptr);
            const Val result =
                in.call(hook, {tupleOf(in, shown), tupleOf(in, differentiable(function, of))});
            shown = insteadOf(in, std::move(shown), hook, result);
            for (size_t i = 0; i < edges.size(); ++i)
                if (edges[i] && *edges[i] < made.size()) made[*edges[i]] = shown[i];
            return made;
        };
    return Val::integer(number);
}

Val removeFunctionHook(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 2);
    const auto& object = *v[0].as<GradFunctionObj>();
    const int64_t number = wantInt(in, v[1], "the hook");
    if (object.function) {
        runtime::FunctionHooks& hooks = runtime::functionHooks(shownFunction(object));
        hooks.before.erase(number);
        hooks.behind.erase(number);
    } else {
        runtime::GradHooks& hooks = runtime::gradHooks(*object.leaf);
        hooks.onGradient.erase(number);
        hooks.onGradient.erase(INT64_MAX - number);
        hooks.afterAccumulation.erase(number);
    }
    return Val::none();
}

Val currentRun(Interp&, Self, Args) {
    return Val::integer(static_cast<int64_t>(runtime::currentRun()));
}

/// will_run(node): whether the backward() in progress runs it.
Val willRun(Interp& in, Self self, Args args) {
    const auto& object = *wantPositional(in, self, args, 1)[0].as<GradFunctionObj>();
    return Val::boolean(runtime::willRun(object.function.get(), object.leaf.get()));
}

/// A computed tensor keeps the gradient that arrives at it.
Val retainGrad(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 1);
    stopToLook(in, self.name + "() keeps a gradient", v[0]);
    TensorPtr real = in.real(v[0], "the tensor");
    if (!real->type.requiresGrad)
        in.raise(Error::Runtime, "can't retain_grad on Tensor that has requires_grad=False");
    if (!real->isLeaf()) runtime::gradHooks(*real).keeps = real;
    return Val::none();
}

Val retainsGrad(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 1);
    TensorPtr real = in.real(v[0], "the tensor");
    return Val::boolean(real->gradFunction && real->type.requiresGrad &&
                        runtime::gradHooks(*real).keeps.lock() == real);
}

Val version(Interp& in, Self self, Args args) {
    const Val t = wantPositional(in, self, args, 1)[0];
    if (t.is(Kind::Tensor) && t.as<TensorObj>()->inference)
        in.raise(Error::Runtime, "Inference tensors do not track version counter.");
    return Val::integer(in.real(t, "the tensor")->version());
}

/// The capture broke in the middle of putting an autograd.Function into the graph: what went before
/// is of no use, and apply() records the call instead.
void wantCapture(Interp& in) {
    if (!in.capture()) in.raise(Error::Runtime, "an autograd.Function is recorded, not captured");
}

/// arriving_gradient(result): stands for the gradient that backward() gets, under capture.
Val arrivingGradient(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 1);
    wantCapture(in);
    Val standIn = in.operation("prims.arriving_gradient", {v[0]});
    standIn.as<TensorObj>()->fake->type.requiresGrad = true; // whoever computes with it records
    return standIn;
}

/// custom_function(outputs, inputs, gradients, arriving): the outputs as results of a function
/// whose gradient is computed so, under capture.
Val customFunction(Interp& in, Self self, Args args) {
    wantCapture(in);
    return in.operation("prims.custom_function", Arguments{wantPositional(in, self, args, 4), {}});
}

/// try_later(function, *arguments): what it returns, under capture, of code that only a backward()
/// runs; None where that cannot be known before.
Val tryLater(Interp& in, Self, Args args) {
    if (!in.capture() || args.positional.empty()) return Val::none();
    Val found = in.capture()->tryLater(args.positional[0], args.positional.subspan(1));
    return found.bound() ? found : Val::none();
}

Val checkGradients(Interp& in, Self self, Args args) {
    in.checksGradients = in.truthy(wantPositional(in, self, args, 1)[0]);
    return Val::none();
}

/// add_tensor_methods(class): what a class of the library defines becomes methods of tensors.
Val addTensorMethods(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 1);
    for (const auto& e : v[0].as<ClassObj>()->attributes->entries())
        if (e.live() && (e.value.is(Kind::Function) || e.value.is(Kind::Property)))
            in.tensorClass()->attributes->set(e.key.as<StrObj>(), e.value);
    return Val::none();
}

/// new_instance(class): an instance without __init__.
Val newInstance(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 1);
    auto* type = v[0].to<ClassObj>();
    if (!type || type->recognises)
        in.raise(Error::Type, "only instances of classes that scripts define are made this way");
    auto* instance = in.make<InstanceObj>();
    Val made(instance);
    instance->type = Ref<ClassObj>(type);
    instance->attributes = Ref<DictObj>(in.make<DictObj>());
    if (type->module) {
        instance->madeAt = in.userSite();
        instance->madeAt.function = type->name;
    }
    return made;
}

/// set_attribute(instance, name, value): whatever its class does on assignment.
Val setAttribute(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 3);
    auto* instance = v[0].to<InstanceObj>();
    if (!instance) in.raise(Error::Type, "an instance is expected");
    in.mutating(instance, "an attribute of an object");
    instance->attributes->set(in.intern(wantStr(in, v[1], "the name")), v[2]);
    return Val::none();
}

Val isInstanceObject(Interp& in, Self self, Args args) {
    return Val::boolean(wantPositional(in, self, args, 1)[0].is(Kind::Instance));
}

} // namespace

/// saved_hooks(pack, unpack): what the tape saves from here on goes through them; (None, None):
/// is kept as it is.
static Val setSavedHooks(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const auto v = wantPositional(in, self, args, 2);
    in.keepsSavedElsewhere = !v[0].isNone();
    if (v[0].isNone()) {
        in.eager().setSavedHooks(nullptr);
        return Val::none();
    }
    const auto run = [&in](const Val& hook, const Val& given) {
        const GradModeScope mode(in, false);
        return in.call(hook, {given});
    };
    auto hooks = std::make_shared<SavedHooks>();
    hooks->pack = [&in, run, pack = v[0]](const TensorPtr& tensor) -> std::shared_ptr<void> {
        return std::make_shared<Val>(run(pack, in.tensor(tensor)));
    };
    hooks->unpack = [&in, run, unpack = v[1]](const std::shared_ptr<void>& kept) {
        return in.real(run(unpack, *std::static_pointer_cast<Val>(kept)),
                       "what an unpack hook gives");
    };
    in.eager().setSavedHooks(std::move(hooks));
    return Val::none();
}

void addAutograd(Interp& in, ModuleObj& internal) {
    auto add = [&](const char* name, BuiltinFunction f, const char* stops = nullptr) {
        internal.attributes->set(in.intern(name),
                                 in.builtin("torch._C." + std::string(name), f, stops));
    };
    add("backward", runBackward);
    add("arriving_gradient", arrivingGradient);
    add("custom_function", customFunction);
    add("try_later", tryLater);
    add("record_function", recordFunction);
    add("saved_hooks", setSavedHooks, "changes how the tape saves values");
    add("add_hook", addHook);
    add("remove_hook", removeHook, "removes a hook");
    add("add_function_hook", addFunctionHook, "registers a hook");
    add("remove_function_hook", removeFunctionHook, "removes a hook");
    add("current_run", currentRun, "asks for the backward() in progress");
    add("will_run", willRun, "asks for the backward() in progress");
    add("retain_grad", retainGrad);
    add("retains_grad", retainsGrad, "reads what a tensor keeps");
    add("version", version, "reads a counter of the tensor");
    add("check_gradients", checkGradients, "changes a setting");
    add("add_tensor_methods", addTensorMethods);
    add("new_instance", newInstance);
    add("set_attribute", setAttribute);
    add("is_instance_object", isInstanceObject);
    addCallTimes(in, internal);
}

} // namespace cutaway::capture
