// SPDX-License-Identifier: Apache-2.0
#include "core/capture/transformed_text.h"

#include "core/capture/scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

using What = GuardStep::What;
using W = Recipe::What;

namespace {

bool isIdentifier(std::string_view s) {
    auto letter = [](char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)); };
    return !s.empty() && letter(s[0]) && std::all_of(s.begin(), s.end(), [&](char c) {
        return letter(c) || std::isdigit(static_cast<unsigned char>(c));
    });
}

std::string asIdentifier(std::string_view s) {
    std::string name;
    for (char c : s)
        name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "_" + name;
    return name;
}

bool isKeyword(const std::string& name) {
    static const std::set<std::string> kKeywords = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    return kKeywords.contains(name);
}

std::string sizeText(const ir::Sym& size);

std::string atomText(const ir::Sym::Atom& atom) {
    using Kind = ir::Sym::Atom::Kind;
    const std::string a = sizeText(atom.a), b = sizeText(atom.b);
    switch (atom.kind) {
    case Kind::Variable:
        return atom.variable.str();
    case Kind::FloorDiv:
        return fmt::format("(({}) // ({}))", a, b);
    case Kind::Mod:
        return fmt::format("(({}) % ({}))", a, b);
    case Kind::Min:
        return fmt::format("min({}, {})", a, b);
    case Kind::Max:
        return fmt::format("max({}, {})", a, b);
    }
    return {};
}

/// A size in terms of its symbols, as Python.
std::string sizeText(const ir::Sym& size) {
    if (size.isConst()) return std::to_string(size.constant());
    std::string text;
    for (const ir::Sym::Term& term : size.terms()) {
        std::string product;
        if (term.coefficient != 1 || term.atoms.empty()) product = std::to_string(term.coefficient);
        for (const ir::Sym::Atom& atom : term.atoms)
            product += (product.empty() ? "" : "*") + atomText(atom);
        text += (text.empty() ? "" : " + ") + product;
    }
    return text;
}

} // namespace

std::string TransformedText::unique(const std::string& wanted) {
    std::string name = asIdentifier(wanted);
    if (isKeyword(name)) name += "_";
    const std::string base = name;
    for (int i = 1; !used_.insert(name).second; ++i)
        name = fmt::format("{}_{}", base, i);
    return name;
}

std::string TransformedText::constant(const Val& v) {
    if (!v.bound()) return unset();
    if (v.isNone() || v.isBool()) return interp_.repr(v);
    if (v.isInt()) return v.asInt() < 0 ? "(" + interp_.repr(v) + ")" : interp_.repr(v);
    auto own = [&] { return static_cast<BuiltinTypeObj*>(v.object())->own != nullptr; };
    if (v.is(Kind::Str) && !own()) return interp_.repr(v);
    if (v.tag() == Tag::DType) {
        torch();
        return interp_.repr(v);
    }
    if (!v.isObject()) {
        const std::string text = interp_.repr(v);
        const bool number = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0]));
        if (number && text.find_first_of("in") == std::string::npos) return text;
        auto [known, fresh] = plainConstants_.emplace(text, "");
        if (fresh) code_.constants.emplace_back(known->second = unique("constant"), v);
        return known->second;
    }
    auto [known, fresh] = constants_.emplace(v.object(), "");
    if (!fresh) return known->second;
    std::string name = "constant";
    if (auto* f = v.to<FunctionObj>()) name = f->name;
    if (auto* c = v.to<ClassObj>()) name = c->name;
    if (auto* m = v.to<ModuleObj>()) name = m->name;
    if (auto* b = v.to<BuiltinObj>()) name = b->name;
    code_.constants.emplace_back(known->second = unique(name), v);
    return known->second;
}

void TransformedText::torch() {
    const Val module(interp_.module("torch"));
    constants_.emplace(module.object(), "torch");
    auto is = [](const auto& c) { return c.first == "torch"; };
    if (std::none_of(code_.constants.begin(), code_.constants.end(), is))
        code_.constants.emplace_back("torch", module);
}

std::string TransformedText::builtin(const char* name) {
    return constant(*interp_.builtins()->find(std::string_view(name)));
}

std::string TransformedText::unset() {
    auto [known, fresh] = plainConstants_.emplace("without a value", "");
    if (fresh) code_.constants.emplace_back(known->second = unique("__unset"), Val());
    return known->second;
}

std::string TransformedText::helper(const std::string& name, TextHelper helper) {
    std::string own = unique(name);
    code_.helpers.emplace_back(own, std::move(helper));
    return own;
}

std::string TransformedText::parameter(TextParameter::Of of, int32_t slot) {
    for (const TextParameter& p : code_.parameters)
        if (p.of == of && p.slot == slot) return p.name;
    return unset(); // had no value when the entry was made, as its guards say
}

std::string TransformedText::attribute(const std::string& object, const Object* owner,
                                       const std::string& name) {
    bool hidden = !isIdentifier(name) || isKeyword(name);
    if (owner && owner->kind == Kind::Instance) {
        auto* type = static_cast<const InstanceObj*>(owner)->type.get();
        hidden |= !type->slots && type->find(interp_.intern(name)) != nullptr;
    }
    return hidden ? fmt::format("{}.__dict__[{}]", object, interp_.repr(interp_.str(name)))
                  : fmt::format("{}.{}", object, name);
}

/// self.layers[0].weight from self._modules['layers']._modules['0']._parameters['weight'].
std::optional<std::string> TransformedText::memberOfModule(const GuardStep& load) {
    const GuardStep& table = capture_.sourceLoad(load.from);
    auto* key = load.value.to<StrObj>();
    if (table.what != What::LoadAttr || !key) return std::nullopt;
    const std::string& name = table.value.as<StrObj>()->text;
    if (name != "_modules" && name != "_parameters" && name != "_buffers") return std::nullopt;
    const Object* owner = capture_.sourceObject(table.from);
    if (!owner || owner->kind != Kind::Instance) return std::nullopt;
    const ClassObj& type = *static_cast<const InstanceObj*>(owner)->type;
    if (!type.module) return std::nullopt;
    const bool digits = std::all_of(key->text.begin(), key->text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c));
    });
    if (digits && name == "_modules" && (type.name == "Sequential" || type.name == "ModuleList"))
        return fmt::format("{}[{}]", source(table.from), key->text);
    if (!isIdentifier(key->text) || type.find(interp_.intern(key->text))) return std::nullopt;
    return fmt::format("{}.{}", source(table.from), key->text);
}

std::string TransformedText::source(int32_t id) {
    const GuardStep& load = capture_.sourceLoad(id);
    const auto number = static_cast<int32_t>(load.number);
    switch (load.what) {
    case What::LoadLocal:
        return parameter(TextParameter::Of::Local, number);
    case What::LoadStack:
        return parameter(TextParameter::Of::Stack, number);
    case What::LoadRootCell:
        return parameter(TextParameter::Of::Cell, number);
    case What::LoadFixed:
        if (capture_.whole && self_.bound() && load.value.identical(self_))
            return parameter(TextParameter::Of::Local, 0);
        return capture_.sourceText(id) == "G" ? globals(load.value) : constant(load.value);
    default:
        break;
    }
    const std::string parent = load.what == What::LoadKey ? "" : source(load.from);
    switch (load.what) {
    case What::LoadBound:
        return parent + (load.number ? ".__self__" : ".__func__");
    case What::LoadGrad:
        return parent + ".grad";
    case What::LoadCell:
        return parent + ".cell_contents";
    case What::LoadAttr:
        return attribute(parent, capture_.sourceObject(load.from), load.value.as<StrObj>()->text);
    case What::LoadClassAttr:
        return fmt::format("{}.{}", parent, load.value.as<StrObj>()->text);
    case What::LoadNames:
        return parent + ".__dict__";
    case What::LoadKeywordDefaults:
        return parent + ".__kwdefaults__";
    case What::LoadClosure:
        return fmt::format("{}.__closure__[{}]", parent, load.number);
    case What::LoadPart:
        return fmt::format(
            "{}({})",
            helper("__iterated", {TextHelper::What::Part, number, nullptr, {}, nullptr, 0}),
            parent);
    case What::LoadItem:
        return fmt::format("{}[{}]", parent, load.number);
    case What::LoadKey:
        if (auto member = memberOfModule(load)) return *member;
        return fmt::format("{}[{}]", source(load.from), constant(load.value));
    default: // LoadGlobal
        return fmt::format("{}[{}]", parent, constant(load.value));
    }
}

std::string TransformedText::globals(const Val& table) {
    auto [known, fresh] = constants_.emplace(table.object(), "");
    if (fresh) code_.constants.emplace_back(known->second = unique("G"), table);
    return known->second;
}

void TransformedText::line(const std::string& text) {
    body_ += std::string(static_cast<size_t>(indent_) * 4, ' ') + text + "\n";
}

std::string TransformedText::assign(const std::string& name, const std::string& value) {
    const std::string variable = unique(name);
    line(variable + " = " + value);
    return variable;
}

/// Whether the text of a recipe may stand where it is used, again and again.
static bool isPlain(const std::string& text) {
    return isIdentifier(text) || text.find_first_of("([{.") == std::string::npos ||
           text.starts_with("'") || text.starts_with("\"") || text.starts_with("(-") ||
           std::isdigit(static_cast<unsigned char>(text[0]));
}

std::string TransformedText::value(int32_t r, const std::string& name, bool inlined) {
    std::string& known = shown_[static_cast<size_t>(r)];
    if (!known.empty()) return known;
    const bool once = uses_[static_cast<size_t>(r)] < 2;
    std::string text = show(entry_.recipes[static_cast<size_t>(r)], r, name, inlined && once);
    if (!isPlain(text) && !(inlined && once)) text = assign(name, text);
    return shown_[static_cast<size_t>(r)] = text;
}

std::string TransformedText::show(const Recipe& recipe, int32_t r, const std::string& name,
                                  bool inlined) {
    std::vector<std::string> parts;
    for (int32_t part : recipe.parts)
        parts.push_back(value(part, name, inlined));
    const std::string all = fmt::format("{}", fmt::join(parts, ", "));
    switch (recipe.what) {
    case W::Output: {
        const auto n = static_cast<size_t>(recipe.number);
        const bool again = !outputUsed_.insert(recipe.number).second;
        if (parts.empty() && !again) return outputs_[n];
        TextHelper make{TextHelper::What::Another, r, nullptr, {}, nullptr, 0};
        return fmt::format("{}({}{}{})", helper(again ? "__another" : "__view", make), outputs_[n],
                           parts.empty() ? "" : ", ", all);
    }
    case W::Source:
        return source(recipe.number);
    case W::Constant:
        return constant(recipe.value);
    case W::Integer: {
        const std::string text = sizeText(capture_.integer(recipe.number));
        return isIdentifier(text) ? text : "(" + text + ")";
    }
    case W::Operation:
        torch();
        return fmt::format("torch.ops.aten.{}({})", interp_.text(recipe.value), all);
    case W::Data:
        return parts[0] + ".data";
    case W::Number:
        return parts[0] + ".item()";
    case W::Item:
        return fmt::format("{}[{}]", parts[0], recipe.number);
    case W::Tuple:
        return fmt::format("({}{})", all, parts.size() == 1 ? "," : "");
    case W::Size:
        torch();
        return fmt::format("torch.Size(({}{}))", all, parts.size() == 1 ? "," : "");
    case W::List:
        return "[" + all + "]";
    case W::Dict: {
        std::string dict;
        for (size_t i = 0; i + 1 < parts.size(); i += 2)
            dict += (i ? ", " : "") + parts[i] + ": " + parts[i + 1];
        return "{" + dict + "}";
    }
    default: {
        const TextHelper make{TextHelper::What::Make, r, nullptr, {}, nullptr, 0};
        return fmt::format("{}({})", helper("__make_" + interp_.typeName(recipe.value), make), all);
    }
    }
}

/// How often the value of each recipe is used.
void TransformedText::countUses() {
    uses_.assign(entry_.recipes.size(), 0);
    shown_.assign(entry_.recipes.size(), "");
    auto use = [&](int32_t r) {
        if (r >= 0) ++uses_[static_cast<size_t>(r)];
    };
    auto useAll = [&](const std::vector<int32_t>& all) {
        std::for_each(all.begin(), all.end(), use);
    };
    for (const Recipe& recipe : entry_.recipes)
        useAll(recipe.parts);
    for (const Effect& effect : entry_.effects)
        for (const auto* part : {&effect.removed, &effect.keys, &effect.values})
            useAll(*part);
    use(entry_.result);
}

void TransformedText::addParameters(const Segment& segment, const Frames& frames) {
    const Code& outer = *frames[0]->code;
    auto add = [&](TextParameter::Of of, int32_t slot, const std::string& name) {
        code_.parameters.push_back({of, slot, unique(name)});
        return code_.parameters.back().name;
    };
    std::vector<std::string> header;
    code_.whole = segment.name.empty();
    if (code_.whole) {
        const size_t named = outer.positional + outer.keywordOnly;
        std::vector<std::string> names;
        for (size_t i = 0; i < named + outer.takesArgs + outer.takesKwargs; ++i)
            names.push_back(
                add(TextParameter::Of::Local, static_cast<int32_t>(i), outer.locals[i]));
        header.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(outer.positional));
        if (outer.takesArgs)
            header.push_back("*" + names[named]);
        else if (outer.keywordOnly)
            header.emplace_back("*");
        for (size_t i = outer.positional; i < named; ++i)
            header.push_back(names[i]);
        if (outer.takesKwargs) header.push_back("**" + names.back());
        code_.name = asIdentifier(outer.name);
    } else {
        FlatValues counted;
        std::vector<std::vector<std::string>> groups;
        for (size_t f = 0; f < frames.size(); ++f) {
            const bool innermost = f + 1 == frames.size();
            groups.push_back(addFrame(*frames[f], counted, f == 0, innermost));
            counted.count(*frames[f], f == 0);
        }
        for (size_t f = groups.size(); f-- > 0;) // as the innermost counts first
            header.insert(header.end(), groups[f].begin(), groups[f].end());
        auto at = [&](const TextParameter& p) { // among the function's locals
            return std::find(header.begin(), header.end(), p.name);
        };
        std::sort(code_.parameters.begin(), code_.parameters.end(),
                  [&](const auto& a, const auto& b) { return at(a) < at(b); });
        code_.name = "__" + segment.name;
    }
    used_.insert(code_.name);
    code_.text = fmt::format("def {}({}):\n", code_.name, fmt::join(header, ", "));
}

std::vector<int32_t> resumedLocals(const Code& code, uint32_t ip,
                                   const std::vector<TryBlock>& blocks) {
    const std::vector<bool> live = liveLocals(code, ip, blocks);
    std::vector<int32_t> slots;
    for (size_t i = 0; i < live.size(); ++i)
        if (live[i] || i == 0) slots.push_back(static_cast<int32_t>(i));
    return slots;
}

std::vector<std::string> TransformedText::addFrame(const Frame& frame, const FlatValues& at,
                                                   bool outermost, bool innermost) {
    std::vector<std::string> names;
    const std::string of = innermost ? "" : "_of_" + frame.code->name;
    auto add = [&](TextParameter::Of kind, size_t slot, const std::string& name) {
        names.push_back(unique(plainName(name) + of));
        code_.parameters.push_back({kind, static_cast<int32_t>(slot), names.back()});
    };
    const auto locals = static_cast<size_t>(at.localCount);
    const uint32_t ip = innermost ? frame.ip : frame.ip + 1;
    for (int32_t slot : resumedLocals(*frame.code, ip, frame.blocks))
        if (frame.locals[static_cast<size_t>(slot)].bound())
            add(TextParameter::Of::Local, locals + static_cast<size_t>(slot),
                frame.code->locals[static_cast<size_t>(slot)]);
    for (size_t i = 0; i < frame.cells.size(); ++i)
        add(TextParameter::Of::Cell, static_cast<size_t>(at.cellCount) + i,
            "cell_" + frame.code->cells[i]);
    for (size_t i = 0; i < frame.stack.size(); ++i)
        add(TextParameter::Of::Stack, static_cast<size_t>(at.stackCount) + i,
            fmt::format("stack_{}", i));
    if (outermost) return names; // its function is the compiled one
    const size_t behind = locals + frame.locals.size();
    const std::string own = frame.code->name;
    names.push_back(unique("function_" + own));
    code_.parameters.push_back(
        {TextParameter::Of::Local, static_cast<int32_t>(behind), names.back()});
    if (frame.module) add(TextParameter::Of::Local, behind + 1, "module");
    if (frame.gives.bound()) add(TextParameter::Of::Local, behind + 2, "gives");
    return names;
}

TransformedText::TransformedText(Interp& interp, const Val& self, const Capture& capture,
                                 const CacheEntry& entry, int compiled, const SegmentAt& segmentAt)
    : interp_(interp), self_(self), capture_(capture), entry_(entry), compiled_(compiled),
      segmentAt_(segmentAt) {
    for (const char* name : {"torch", "min", "max"})
        used_.insert(name);
}

/// The compiled graph's call, and what it needs and writes.
void TransformedText::addGraphCall() {
    std::vector<std::string> arguments, draws;
    const auto places = capture_.symbolPlaces();
    const bool integers = std::any_of(entry_.recipes.begin(), entry_.recipes.end(),
                                      [](const Recipe& r) { return r.what == W::Integer; });
    const bool symbols = capture_.graph.shapes || integers;
    for (size_t i = 0; symbols && i < places.size(); ++i) {
        const std::string of = source(places[i].slot), name = capture_.symbolName(i);
        used_.insert(name);
        using Kind = SizePlace::Kind;
        line(name + " = " +
             (places[i].kind == Kind::Int
                  ? of
                  : fmt::format("{}.{}({})", of, places[i].kind == Kind::Size ? "size" : "stride",
                                places[i].dim)));
        if (capture_.graph.shapes) arguments.push_back(name);
    }
    for (size_t i = 0; i < entry_.draws.size(); ++i) {
        std::vector<std::string> sizes;
        for (int32_t number : entry_.draws[i].sizes)
            sizes.push_back(sizeText(capture_.integer(number)));
        const TextHelper draw{
            TextHelper::What::Draw, static_cast<int32_t>(i), nullptr, {}, nullptr, 0};
        draws.push_back(
            assign("draw", fmt::format("{}({})", helper("__draw", draw), fmt::join(sizes, ", "))));
    }
    for (const std::string& name : capture_.graph.outputNames)
        outputs_.push_back(unique(name));
    if (outputs_.empty()) return;
    for (int32_t slot : entry_.inputSlots)
        arguments.push_back(slot < 0 ? draws[static_cast<size_t>(~slot)] : source(slot));
    line(fmt::format("{}{} = {}({})", fmt::join(outputs_, ", "), outputs_.size() == 1 ? "," : "",
                     helper(fmt::format("__compiled_fn_{}", compiled_), {}),
                     fmt::join(arguments, ", ")));
    for (const LaterCheck& check : entry_.checks) {
        torch();
        line(fmt::format("torch._check({}.item(), lambda: {})",
                         outputs_[static_cast<size_t>(check.output)],
                         constant(interp_.str(check.message))));
    }
    const bool tracked = !entry_.writes.empty() && capture_.writesTracked();
    if (tracked) {
        torch();
        line("with torch.no_grad():");
        ++indent_;
    }
    for (const auto& [slot, output, counted] : entry_.writes)
        line(fmt::format("{}{}.copy_({})", source(slot), counted ? "" : ".data",
                         outputs_[static_cast<size_t>(output)]));
    if (tracked) --indent_;
}

void TransformedText::addModes() {
    if (entry_.gradMode != capture_.startGradMode()) {
        torch();
        line(fmt::format("torch.set_grad_enabled({})", entry_.gradMode ? "True" : "False"));
    }
    if (entry_.defaultDevice || !(entry_.tensorModes == capture_.startModes()))
        line(helper("__set_modes", {TextHelper::What::Modes, 0, nullptr, {}, nullptr, 0}) + "()");
}

void TransformedText::addEffects() {
    struct Change {
        std::string object;
        std::vector<std::string> removed, keys, values;
    };
    std::vector<Change> changes; // all values are there before anything changes
    for (const Effect& effect : entry_.effects) {
        Change change{source(effect.object), {}, {}, {}};
        if (!isPlain(change.object)) change.object = assign("changed", change.object);
        auto all = [&](const std::vector<int32_t>& from, std::vector<std::string>& to) {
            for (int32_t r : from)
                to.push_back(value(r, "value", false));
        };
        all(effect.removed, change.removed);
        all(effect.keys, change.keys);
        all(effect.values, change.values);
        changes.push_back(std::move(change));
    }
    for (size_t i = 0; i < changes.size(); ++i) {
        const Change& c = changes[i];
        const Object& o = *capture_.sourceObject(entry_.effects[i].object);
        const bool own = BuiltinTypeObj::holds(o.kind) && static_cast<const BuiltinTypeObj&>(o).own;
        if (o.kind == Kind::Cell && c.values[0] != plainConstants_["without a value"])
            line(fmt::format("{}.cell_contents = {}", c.object, c.values[0]));
        else if (o.kind == Kind::Tensor)
            line(fmt::format("{}.grad = {}", c.object, c.values[0]));
        else if (o.kind == Kind::List && !own)
            line(fmt::format("{}[:] = [{}]", c.object, fmt::join(c.values, ", ")));
        else if ((o.kind == Kind::Dict && !own) ||
                 (o.kind == Kind::Instance && !static_cast<const InstanceObj&>(o).type->slots)) {
            const std::string table = c.object + (o.kind == Kind::Dict ? "" : ".__dict__");
            for (const std::string& key : c.removed)
                line(fmt::format("del {}[{}]", table, key));
            for (size_t k = 0; k < c.keys.size(); ++k)
                line(fmt::format("{}[{}] = {}", table, c.keys[k], c.values[k]));
        } else {
            std::vector<std::string> all = {c.object};
            for (const auto* part : {&c.removed, &c.keys, &c.values})
                all.insert(all.end(), part->begin(), part->end());
            const TextHelper effect{
                TextHelper::What::Effect, static_cast<int32_t>(i), nullptr, {}, nullptr, 0};
            line(fmt::format("{}({})", helper("__change", effect), fmt::join(all, ", ")));
        }
    }
}

TransformedCode TransformedText::write(const Segment& segment, const Frames& frames) {
    countUses();
    addParameters(segment, frames);
    addGraphCall();
    addModes();
    if (entry_.result >= 0) {
        const std::string result = value(entry_.result, "result", entry_.effects.empty());
        addEffects();
        line("return " + result);
    } else {
        TextState state = stateOf(entry_.frames);
        addEffects();
        addInstruction(std::move(state));
    }
    code_.text += body_;
    return std::move(code_);
}

TransformedCode transformedCode(Interp& interp, const Val& self, const Segment& segment,
                                const Frames& frames, const Capture& capture,
                                const CacheEntry& entry, int compiled, const SegmentAt& segmentAt) {
    return TransformedText(interp, self, capture, entry, compiled, segmentAt)
        .write(segment, frames);
}

} // namespace cutaway::capture
