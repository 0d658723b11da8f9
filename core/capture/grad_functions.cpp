// SPDX-License-Identifier: Apache-2.0
// The functions of the tape as scripts see them: .grad_fn and what leads on from there.
#include "core/capture/grad_functions.h"

#include "core/capture/interp.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/ops/gradients.h"
#include "core/runtime/shown_inputs.h"

#include <fmt/format.h>

namespace cutaway::capture {

namespace {

constexpr std::string_view kAccumulates = "AccumulateGrad";

/// Of the leaf itself: what a script calls it, or another tensor of the same value.
Val variableOf(Interp& in, const runtime::TensorPtr& leaf) {
    Object* held = in.heap().find([&](const Object& o) {
        return o.kind == Kind::Tensor && static_cast<const TensorObj&>(o).real == leaf;
    });
    return held ? Val(held) : in.tensor(leaf);
}

std::vector<std::optional<size_t>> edgesAmong(const std::string& name,
                                              const std::vector<runtime::TensorPtr>& inputs) {
    std::vector<bool> taken;
    for (const runtime::TensorPtr& input : inputs)
        taken.push_back(input != nullptr);
    return ops::edgesOf(name, taken);
}

Val nextFunctions(Interp& in, const GradFunctionObj& object) {
    std::vector<Val> next;
    if (!object.function) return in.tuple({});
    const runtime::GradFunction& function = shownFunction(object);
    const auto* part = dynamic_cast<const runtime::ShownInputs*>(&function);
    const std::vector<runtime::TensorPtr>& inputs =
        part && part->shownInputs ? *part->shownInputs : function.inputs;
    for (const std::optional<size_t>& edge : edgesAmong(function.name, inputs)) {
        const runtime::TensorPtr input = edge ? inputs[*edge] : nullptr;
        const bool computed = input && input->gradFunction;
        Val before = !input     ? Val::none()
                     : computed ? in.gradFunction(input->gradFunction, nullptr)
                                : in.gradFunction(nullptr, input);
        next.push_back(in.tuple({before, Val::integer(computed ? input->gradOutput : 0)}));
    }
    return in.tuple(std::move(next));
}

} // namespace

std::vector<std::optional<size_t>> shownEdges(const runtime::GradFunction& function) {
    return edgesAmong(function.name, function.inputs);
}

/// A function that only stands before another one of its name gives way to that.
runtime::GradFunction& shownFunction(const GradFunctionObj& object) {
    runtime::GradFunction* f = object.function.get();
    while (standsBefore(*f))
        f = f->inputs[0]->gradFunction.get();
    return *f;
}

Val Interp::gradFunction(std::shared_ptr<runtime::GradFunction> function, runtime::TensorPtr leaf) {
    const void* address = function ? static_cast<const void*>(function.get()) : leaf.get();
    if (auto known = gradFunctions_->find(address); known != gradFunctions_->end())
        return Val(known->second);
    const std::string name = function ? function->name : std::string(kAccumulates);
    Ref<ClassObj>& type = gradFunctionTypes_[name];
    if (!type) {
        const Val node = getAttr(import("torch.autograd.graph"), intern("Node"));
        Val made = makeClass(name, {node}, Ref<DictObj>(make<DictObj>()), nullptr, {});
        type = Ref<ClassObj>(made.as<ClassObj>());
    }
    auto* object = make<GradFunctionObj>(std::move(function), std::move(leaf));
    object->type = type;
    object->known = gradFunctions_;
    gradFunctions_->emplace(address, object);
    return Val(object);
}

Val gradFunctionAttr(Interp& in, const Val& object, StrObj* name) {
    const auto& function = *object.as<GradFunctionObj>();
    if (name->text == "next_functions") return nextFunctions(in, function);
    if (name->text == "variable" && function.leaf) return variableOf(in, function.leaf);
    if (name->text == "__class__") return Val(function.type.get());
    Val* found = in.classAttr(*function.type, name);
    if (!found && function.function)
        if (Val own = contextAttr(in, *function.function, name); own.bound()) return own;
    return found ? in.bindMethod(*found, object, function.type.get()) : Val();
}

std::string gradFunctionText(const GradFunctionObj& function) {
    return fmt::format("<{} object at {}>", function.type->name, function.address());
}

} // namespace cutaway::capture
