// SPDX-License-Identifier: Apache-2.0
// The text of an entry in place of what it was made from: it is parsed as any script, with names
// for the compiled graph and for what no source can show.
#include "core/capture/transformed_code.h"

#include "core/capture/torch_support.h"

#include <fmt/format.h>

namespace cutaway::capture {

namespace {

/// A built-in function of one entry's text.
struct HelperObj : BuiltinObj {
    using Body = std::function<Val(std::span<const Val>)>;
    HelperObj(std::string name, Body b)
        : BuiltinObj(std::move(name), callBody), body(std::move(b)) {}
    static Val callBody(Interp&, const BuiltinObj& self, const Arguments& given) {
        return static_cast<const HelperObj&>(self).body(given.positional);
    }
    Body body;
};

std::vector<int64_t> sizesOf(std::span<const Val> given) {
    std::vector<int64_t> sizes;
    for (const Val& v : given)
        sizes.push_back(v.asInt());
    return sizes;
}

} // namespace

Val CompiledUnit::callGraph(CacheEntry& entry, std::span<const Val> given) {
    std::vector<runtime::TensorPtr> inputs;
    std::vector<int64_t> symbols;
    for (const Val& v : given)
        if (v.isInt())
            symbols.push_back(v.asInt());
        else
            inputs.push_back(graphInput(interp_, v));
    std::vector<Val> outputs;
    for (runtime::TensorPtr& output : callGraph(entry, inputs, symbols))
        outputs.push_back(interp_.tensor(std::move(output)));
    return interp_.tuple(std::move(outputs));
}

Val CompiledUnit::resumeBy(const TextHelper& helper, std::span<const Val> given) {
    Frames frames;
    for (const Position& at : helper.segment->frames) {
        auto frame = std::make_unique<Frame>();
        frame->code = at.code;
        frame->ip = at.ip;
        frame->blocks = at.blocks;
        frame->function = function_;
        frame->locals.resize(at.code->locals.size());
        frames.push_back(std::move(frame));
    }
    for (size_t i = 0; i < given.size(); ++i) {
        const ResumeSlot& slot = helper.slots[i];
        Frame& frame = *frames[slot.frame];
        using Of = ResumeSlot::Of;
        switch (slot.of) {
        case Of::Local:
            frame.locals[static_cast<size_t>(slot.slot)] = given[i];
            break;
        case Of::Cell:
            frame.cells.push_back(given[i]);
            break;
        case Of::Stack:
            frame.stack.push_back(given[i]);
            break;
        case Of::Function:
            frame.function = Ref<FunctionObj>(given[i].as<FunctionObj>());
            break;
        case Of::Module:
            frame.module = given[i].as<InstanceObj>();
            break;
        case Of::Gives:
            frame.gives = given[i];
            break;
        }
    }
    for (auto& frame : frames)
        frame->globals = frame->function->globals;
    return finish(resume(frames));
}

Val CompiledUnit::instructionBy(const TextHelper& helper, std::span<const Val> given) {
    Frames frames;
    frames.push_back(std::make_unique<Frame>());
    Frame& frame = *frames[0];
    frame.code = helper.code;
    frame.ip = helper.ip;
    frame.function = given[0].isNone() ? function_ : Ref<FunctionObj>(given[0].as<FunctionObj>());
    frame.globals = frame.function->globals;
    frame.locals.resize(helper.code->locals.size());
    frame.stack.assign(given.begin() + 1, given.end());
    interp_.step(FrameStack(frames));
    return interp_.tuple(std::move(frame.stack));
}

Val CompiledUnit::help(CacheEntry& entry, const TextHelper& helper, std::span<const Val> given) {
    using What = TextHelper::What;
    const auto number = static_cast<size_t>(helper.number);
    switch (helper.what) {
    case What::Graph:
        return callGraph(entry, given);
    case What::Draw:
        return interp_.tensor(interp_.need(drawn(entry.draws[number], sizesOf(given))));
    case What::Make:
        return make(entry.recipes[number], {given.begin(), given.end()});
    case What::Another:
        return outputTensor(entry, given[0].as<TensorObj>()->real,
                            given.size() > 1 ? given[1] : Val());
    case What::Part:
        return given[0].as<IteratorObj>()->parts[number];
    case What::Effect: {
        // Recipes are numbered by where their values stand among the arguments.
        Effect effect = entry.effects[number];
        int32_t at = 0;
        for (auto* part : {&effect.removed, &effect.keys, &effect.values})
            for (int32_t& recipe : *part)
                recipe = ++at;
        apply(effect, given[0], [&](int32_t i) { return given[static_cast<size_t>(i)]; });
        return Val::none();
    }
    case What::Modes:
        interp_.setTensorModes(entry.tensorModes);
        if (entry.defaultDevice) interp_.setDefaultDevice(*entry.defaultDevice);
        return Val::none();
    case What::Instruction:
        return instructionBy(helper, given);
    case What::Resume:
        return resumeBy(helper, given);
    }
    return Val();
}

Val CompiledUnit::functionOf(CacheEntry& entry, const TransformedCode& code) {
    Ref<DictObj> names(interp_.make<DictObj>());
    for (const auto& [name, value] : code.constants)
        names->set(interp_.intern(name), value.bound() ? value : unset_);
    for (const auto& [name, helper] : code.helpers) {
        auto body = [this, &entry, &helper = helper](std::span<const Val> given) {
            std::vector<Val> values(given.begin(), given.end());
            for (Val& v : values)
                if (v.identical(unset_)) v = Val();
            return help(entry, helper, values);
        };
        names->set(interp_.intern(name), Val(interp_.make<HelperObj>(name, std::move(body))));
    }
    auto source = std::make_shared<SourceText>();
    source->file = fmt::format("<transformed code of {}>", name_);
    source->library = true;
    interp_.runScript(code.text, source, names);
    return *names->find(std::string_view(code.name));
}

Val CompiledUnit::runTransformed(CacheEntry& entry, const Roots& roots) {
    TransformedCode& code = *entry.transformed;
    if (!unset_.bound()) unset_ = interp_.list({});
    if (!code.function.bound()) code.function = functionOf(entry, code);
    std::vector<Val> locals;
    for (const TextParameter& p : code.parameters) {
        const Val* from = p.of == TextParameter::Of::Local  ? roots.locals
                          : p.of == TextParameter::Of::Cell ? roots.cells
                                                            : roots.stack;
        // Of a method that runs from its start, the first one is not among the arguments; where
        // there is no first one, what takes any number of them holds it.
        const bool self = code.whole && takesSelf() && locals.empty();
        const Val& value = self ? self_ : from[p.slot];
        locals.push_back(value.bound() ? value : unset_);
    }
    // Its own parameters come in the order of the header.
    Frame frame;
    auto& function = *code.function.as<FunctionObj>();
    interp_.prepareFrame(frame, function, std::move(locals));
    return interp_.run(frame);
}

} // namespace cutaway::capture
