// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture.h"

#include "core/base/said.h"
#include "core/capture/settings.h"
#include "core/capture/torch_support.h"
#include "core/ops/gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace cutaway::capture {

using What = GuardStep::What;

Capture::Capture(Interp& interp, Frame& root, SizeHistory* history)
    : interp_(interp), root_(&root), startSerial_(interp.serial()), gradMode_(interp.gradMode()),
      startDevice_(interp.defaultDevice()), startModes_(interp.tensorModes()), history_(history) {
    Guard mode;
    mode.check = GuardStep::of(What::CheckGradMode, gradMode_);
    mode.check.slot = -1;
    mode.text = {"GRAD_MODE", "grad mode", gradMode_ ? "on" : "off", {}};
    if (const std::string modes = startModes_.str(); !modes.empty())
        mode.text.condition += ", " + modes;
    guards_.push_back(std::move(mode));
}

void Capture::beforeStop(const BuiltinObj& builtin) {
    makesWeak = builtin.text == kMakesWeak;
    const std::string hint = base::said("call it outside the compiled function");
    std::string message = fmt::format("{}() {}", builtin.name, builtin.stops);
    if (std::string_view(builtin.stops) == kCounted) wantCount(std::move(message), hint);
    interp_.stop(std::move(message), hint);
}

static CaptureStop endOfGraph(std::string message, const char* goesOn) {
    return {std::move(message), goesOn, {}, {}, {}, true};
}

void Capture::wantCount(std::string message, const std::string& hint) {
    if (noBreaks || capturesCounts(interp_))
        throw endOfGraph(std::move(message),
                         "the graph ends here, and another one goes on with the result");
    interp_.stop(std::move(message), hint);
}

void Capture::wantIterator() {
    throw endOfGraph("a loop goes on that began before the graph's end",
                     "the graph ends here, and another one goes on behind the loop's step");
}

void Capture::steppedGenerator(const GeneratorObj& generator) {
    if (stopsInside && generator.frame && !generator.frame->blocks.empty()) wantEnd();
}

void Capture::wantEnd() {
    if (noBreaks)
        throw endOfGraph("a generator may be left inside of its try or with",
                         "the graph ends here, and another one goes on inside of it");
    interp_.stop(base::said("a generator may be left inside of its try or with"),
                 base::said("make a list of what it gives first"));
}

base::Location Capture::here() const {
    CallSite site = interp_.userSite();
    if (site.source) return frontend::locate(site.source->file, site.span);
    // Only library code is running (a Sequential): the line that made the module.
    for (const Frame* f = interp_.top(); f; f = f->caller)
        if (f->module && f->module->madeAt.source)
            return frontend::locate(f->module->madeAt.source->file, f->module->madeAt.span);
    if (root_->module && root_->module->madeAt.source)
        return frontend::locate(root_->module->madeAt.source->file, root_->module->madeAt.span);
    return frontend::locate(root_->code->source->file, root_->code->header);
}

std::string Capture::modulePath() const {
    for (const Frame* f = interp_.top(); f; f = f->caller) {
        if (f->module) return pathOf(f->module);
        if (f == root_) break;
    }
    return {};
}

void Capture::setPlace() {
    builder_.provenance.source = sourceStack();
    builder_.provenance.modulePath = modulePath();
    decltype(makers_) makers;
    for (const Frame* f = interp_.top(); f; f = f == root_ ? nullptr : f->caller)
        if (f->module && f->module->madeAt.source)
            makers.emplace_back(f->module->madeAt.source.get(), f->module->madeAt.span.line);
    const auto first = static_cast<uint32_t>(graph.idLimit());
    bool isLast = !madeModules_.empty() || makers.empty();
    while (!madeModules_.empty() && madeModules_.back().first >= first) { // nothing came of it
        madeModules_.pop_back();
        isLast = false;
    }
    if (isLast && makers == makers_) return;
    MadeModules made{first, {}};
    for (const auto& [text, line] : std::views::reverse(makers))
        made.lines.push_back({text->file, line});
    madeModules_.push_back(std::move(made));
    makers_ = std::move(makers);
}

void Capture::guard(int32_t source, GuardStep check, std::string kind, std::string condition) {
    check.slot = source;
    guards_.push_back({std::move(check),
                       {std::move(kind), sources_[static_cast<size_t>(source)].text,
                        std::move(condition), here()}});
    need(source);
}

void Capture::tell(std::string kind, std::string source, std::string condition) {
    guards_.push_back(
        {{}, {std::move(kind), std::move(source), std::move(condition), here()}, true});
}

void Capture::need(int32_t source) {
    for (int32_t s = source; s >= 0 && !sources_[static_cast<size_t>(s)].needed;
         s = sources_[static_cast<size_t>(s)].parent)
        sources_[static_cast<size_t>(s)].needed = true;
}

/// "layers_0_weight" from "self.layers.0.weight", "x" from "L['x']".
std::string Capture::placeholderName(const std::string& text) const {
    std::string name;
    std::string_view rest = text;
    for (std::string_view prefix : {"L['", "G['", "self."})
        if (rest.starts_with(prefix)) rest.remove_prefix(prefix.size());
    for (char c : rest) {
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (word)
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    }
    while (!name.empty() && name.back() == '_')
        name.pop_back();
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "arg_" + name;
    return name;
}

/// A parameter comes from the line that made it, wherever it is read first.
static void addMaker(std::vector<MadeModules>& made, uint32_t node, base::Location line) {
    MadeModules after{node + 1, {}};
    if (!made.empty()) after.lines = made.back().lines;
    made.push_back({node, {std::move(line)}});
    made.push_back(std::move(after));
}

ir::NodeId Capture::nodeOf(TensorObj& t) {
    if (t.fake) {
        if (t.fake->capture != startSerial_)
            interp_.raise(Error::Runtime, "a tensor of another capture is used",
                          "return it from its compiled function");
        refreshView(t);
        return t.fake->node;
    }
    if (auto known = writtenAt_.find(&t); known != writtenAt_.end())
        return written_[known->second].now.node;
    auto known = placeholders_.find(&t);
    if (known != placeholders_.end()) return known->second;
    readTensor(t);
    int32_t source = sourceOf(&t);
    if (source < 0)
        interp_.stop(base::said("a real tensor was made while capturing"),
                     base::said("make it outside the compiled function and pass it in"));
    const std::string& text = sources_[static_cast<size_t>(source)].text;
    ir::NodeId id = graph.addPlaceholder(placeholderName(text), t.type());
    ir::Node& node = graph.node(id);
    node.inputSource = text;
    node.source = sourceStack();
    placeholders_[&t] = id;
    inputs_.emplace_back(id, source);
    need(source);
    if (t.parameter && t.madeAt.source)
        addMaker(madeModules_, id.index, {t.madeAt.source->file, t.madeAt.span.line});
    return id;
}

ir::NodeId Capture::detached(ir::NodeId node) {
    auto known = detached_.find(node.index);
    if (known != detached_.end()) return known->second;
    return detached_[node.index] = builder_.call("detach", {ir::Arg(node)});
}

void Capture::wantOneGpu(ir::Device device) {
    if (!device.isCuda() || device.index == gpu_) return;
    if (gpu_ >= 0)
        interp_.stop(base::said("a graph runs on one GPU: this is on {}, what is before on cuda:{}",
                                device.str(), gpu_),
                     base::said("compile the parts of each GPU as functions of their own"));
    gpu_ = device.index;
}

/// x[i] with positions that are integer tensors of no dimensions: in eager execution a view. Of
/// operations with indices it is the one with a rule for writing through its result.
static bool seesOnePlace(const ops::OpDef& def, const ir::Node& node, const ir::Graph& graph) {
    if (!def.traits.index || !def.written.putBack) return false;
    return std::ranges::all_of(*node.args[1].list(), [&](const ir::Arg& place) {
        return !place.node() || graph.node(*place.node()).type().rank() == 0;
    });
}

base::Result<std::vector<Val>> Capture::callOperation(const ops::OpDef& def, ir::ArgList args,
                                                      const std::vector<TensorObj*>& tensors,
                                                      bool aliases) {
    constexpr size_t kMaxNodes = 200000;
    if (graph.order().size() > kMaxNodes)
        interp_.stop(base::said("the graph has more than {} operations", kMaxNodes),
                     base::said("see whether its loop ends, or compile a smaller function"));
    for (TensorObj* t : tensors)
        wantOneGpu(t->type().device);
    for (const ir::Arg& arg : args)
        if (const auto* device = std::get_if<ir::Device>(&arg)) wantOneGpu(*device);
    setPlace();
    builder_.provenance.checkpoint = checkpointDepth_ > 0 ? checkpoints_ : 0;
    bool recorded = interp_.gradMode();
    bool wantsGradient = false;
    std::vector<ir::NodeId> nodes;
    for (TensorObj* t : tensors) {
        ir::NodeId node = nodeOf(*t);
        bool wanted = t->type().requiresGrad;
        const auto view = views_.find(t);
        const Object* whole = view == views_.end() ? t : view->second.base.object();
        if (wanted && recorded && writtenAt_.contains(whole))
            interp_.stop(
                base::said(
                    "a tensor that requires a gradient was changed in place and is used again "
                    "with gradients on"),
                base::said("change it outside the compiled function"));
        wantsGradient |= wanted;
        // The graph is cut between stretches that record gradients and those that do not: before
        // no_grad() in a function that records them, before enable_grad() in one that does not.
        bool cut = gradMode_ ? !recorded && wanted : recorded && !wanted && t->fake;
        if (cut && ir::hasGradients(t->type().dtype)) node = detached(node);
        nodes.push_back(node);
    }
    ir::rewriteNodes(args, [&](ir::NodeId k) { return nodes[k.index]; });
    const ir::ArgList viewed = aliases && !tensors.empty() ? args : ir::ArgList();
    CUTAWAY_TRY(ir::NodeId id, builder_.tryCall(def.name(), std::move(args)));
    std::vector<Val> results;
    const size_t count = graph.node(id).types.size();
    if (count == 0) graph.erase(std::span(&id, 1)); // unbind() over no elements
    for (size_t i = 0; i < count; ++i) {
        bool tuple = graph.node(id).tuple;
        ir::NodeId value = tuple ? builder_.getitem(id, static_cast<int>(i)) : id;
        auto* t = interp_.make<TensorObj>();
        results.emplace_back(t);
        t->madeAt = interp_.userSite();
        t->fake = std::make_unique<FakeTensor>();
        t->fake->node = value;
        t->fake->type = graph.node(id).types[i];
        t->fake->type.requiresGrad = recorded && wantsGradient &&
                                     ir::hasGradients(t->fake->type.dtype) &&
                                     !ops::cutsGradient(def) && !(i > 0 && def.traits.oneGradient);
        recordsGradients_ |= t->fake->type.requiresGrad;
        t->fake->capture = startSerial_;
        t->inference = interp_.tensorModes().inference;
        if (aliases && !tensors.empty() &&
            sharesElements(def, graph.node(nodes[0]).type(), t->fake->type)) {
            // A view of an input counts as shared from the start.
            t->fake->aliases =
                tensors[0]->fake ? tensors[0]->fake->aliases : std::make_shared<int>(1);
            ++*t->fake->aliases;
            t->inference = tensors[0]->inference;
            if (!tensors[0]->fake) viewedInputs_.emplace_back(t->fake->aliases, tensors[0]);
            noteView(*t, *tensors[0],
                     {&def, viewed, tuple ? static_cast<int>(i) : -1, recorded, id});
        } else {
            t->fake->aliases = std::make_shared<int>(1);
            if (!tuple && !tensors.empty() && seesOnePlace(def, graph.node(id), graph))
                noteView(*t, *tensors[0], {&def, graph.node(id).args, -1, recorded, id});
        }
    }
    return results;
}

Val Capture::drawnTensor(const ir::TensorType& type, const runtime::Draw& draw) {
    wantNow();
    wantOneGpu(type.device);
    DrawnInput drawn{type, {}, draw};
    if (std::any_of(type.sizes.begin(), type.sizes.end(),
                    [](const ir::Sym& s) { return !s.isConst(); }))
        for (const ir::Sym& size : type.sizes) {
            drawn.sizes.push_back(static_cast<int32_t>(integers_.size()));
            integers_.push_back(size);
        }
    auto* t = interp_.make<TensorObj>();
    Val keep(t);
    t->madeAt = interp_.userSite();
    t->fake = std::make_unique<FakeTensor>();
    t->fake->type = type;
    t->fake->node = graph.addPlaceholder(fmt::format("draw_{}", draws.size()), type);
    ir::Node& node = graph.node(t->fake->node);
    node.inputSource = fmt::format("draw {}", draws.size());
    node.source = sourceStack();
    t->fake->capture = startSerial_;
    t->fake->aliases = std::make_shared<int>(1);
    inputs_.emplace_back(t->fake->node, ~static_cast<int32_t>(draws.size()));
    draws.push_back(std::move(drawn));
    return keep;
}

Val Capture::constantTensor(ir::HostTensor value, ir::Device device) {
    wantOneGpu(device);
    auto* t = interp_.make<TensorObj>();
    Val keep(t);
    t->madeAt = interp_.userSite();
    t->fake = std::make_unique<FakeTensor>();
    t->fake->type = value.type(device);
    t->fake->node =
        graph.addConstant("constant", std::make_shared<ir::HostTensor>(std::move(value)), device);
    graph.node(t->fake->node).source = sourceStack();
    t->fake->capture = startSerial_;
    t->fake->aliases = std::make_shared<int>(1);
    t->inference = interp_.tensorModes().inference;
    return keep;
}

std::vector<OutsideWrite> Capture::writes() {
    std::vector<OutsideWrite> all;
    for (const auto& [tensor, now, counted] : written_) {
        const int32_t source = sourceOf(tensor);
        need(source);
        all.push_back(
            {source, outputOf(now, placeholderName(sourceText(source)) + "_written"), counted});
        if (calls) calls->output(static_cast<size_t>(all.back().output), *tensor);
    }
    return all;
}

bool Capture::writesTracked() const {
    return std::any_of(written_.begin(), written_.end(), [](const Written& written) {
        const TensorObj& t = *written.tensor;
        return written.counted && t.real && t.real->type.requiresGrad;
    });
}

/// The number of the output that holds \p t; one that is there already, or a new one.
int32_t Capture::outputOf(const FakeTensor& t, const std::string& name) {
    const bool spent = t.type.requiresGrad && isSpent(t.node);
    const bool cut = spent || (!gradMode_ && recordsGradients_ && !t.type.requiresGrad &&
                               ir::hasGradients(t.type.dtype));
    const ir::NodeId node = cut ? detached(t.node) : t.node;
    const auto known = std::find(graph.outputs.begin(), graph.outputs.end(), node);
    const auto number = static_cast<int32_t>(known - graph.outputs.begin());
    if (known == graph.outputs.end()) {
        graph.outputs.push_back(node);
        graph.outputNames.push_back(name);
    } else {
        std::erase_if(unseen_, [&](const auto& base) { return base.second == number; });
    }
    if (spent) spentOutputs_.insert(number);
    return number;
}

std::vector<ir::NodeId> Capture::moduleTensors() const {
    std::vector<ir::NodeId> all;
    for (const auto& [object, id] : placeholders_) {
        const auto source = byObject_.find(object);
        if (graph.contains(id) && !writtenAt_.contains(object) && source != byObject_.end() &&
            belongsToOneModule(source->second))
            all.push_back(id);
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<ir::NodeId> Capture::writtenInputs() const {
    std::vector<ir::NodeId> all;
    for (const auto& [tensor, now, counted] : written_) {
        const auto known = placeholders_.find(tensor);
        if (known != placeholders_.end() && graph.contains(known->second))
            all.push_back(known->second);
    }
    return all;
}

void Capture::cutUnseenOutputs() {
    for (const auto& [base, number] : unseen_) {
        ir::NodeId& output = graph.outputs[static_cast<size_t>(number)];
        output = detached(output);
    }
}

void Capture::addSizedInputs() {
    for (const SizePlace& place : symbolPlaces_)
        for (const auto& [tensor, type] : seen_)
            if (sources_[static_cast<size_t>(place.slot)].object == tensor) nodeOf(*tensor);
}

void Capture::removeUnusedInputs() {
    if (keepsSized) addSizedInputs();
    auto users = graph.users();
    const std::set<ir::NodeId> called = calls ? calls->inputs() : std::set<ir::NodeId>();
    std::vector<ir::NodeId> unused;
    for (ir::NodeId id : graph.placeholders()) {
        bool output =
            std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end();
        const bool asked = keepsSized && !graph.node(id).type().staticSizes();
        if (users[id.index].empty() && !output && !called.contains(id) && !asked)
            unused.push_back(id);
    }
    graph.erase(unused);
}

GuardProgram Capture::guardProgram(std::vector<int32_t>& inputSlots) {
    GuardProgram program;
    program.slots = sources_.size();
    program.tensors = patterns_;
    program.lookups = lookups_;
    program.lookupEpoch = interp_.lookupEpoch();
    program.tensorModes = startModes_;
    std::vector<std::vector<const GuardStep*>> checks(sources_.size());
    std::vector<const GuardStep*> relations; // between two values: when both are loaded
    for (const Guard& g : guards_) {
        if (g.told) continue;
        if (g.check.slot < 0) {
            program.steps.push_back(g.check);
            program.steps.back().slot = 0;
        } else if (g.check.what == What::CheckSame || g.check.what == What::CheckDistinct) {
            relations.push_back(&g.check);
        } else if (g.check.what != What::CheckKind || !matchesTensor(g.check.slot)) {
            checks[static_cast<size_t>(g.check.slot)].push_back(&g.check);
        }
    }
    for (size_t i = 0; i < sources_.size(); ++i) {
        if (!sources_[i].needed) continue;
        program.steps.push_back(sources_[i].load);
        for (const GuardStep* check : checks[i])
            program.steps.push_back(*check);
        if (auto names = absent_.find(static_cast<int32_t>(i)); names != absent_.end()) {
            GuardStep absent = GuardStep::of(What::CheckAbsent, 0, interp_.tuple(names->second));
            absent.slot = static_cast<int32_t>(i);
            // No fingerprint yet: the first check looks for the names.
            absent.number = -1;
            program.steps.push_back(std::move(absent));
        }
    }
    if (gradOf_.size() > 1) program.apart = gradOf_;
    for (const GuardStep* relation : relations)
        program.steps.push_back(*relation);
    if (program.slots == 0) program.slots = 1;
    program.seal();
    // Inputs in the order of the graph's placeholders.
    for (ir::NodeId id : graph.placeholders())
        for (auto [node, source] : inputs_)
            if (node == id) inputSlots.push_back(source);
    return program;
}

std::string Capture::pathOf(const Object* module) const {
    auto known = byObject_.find(module);
    if (known == byObject_.end()) return {};
    std::string text = sources_[static_cast<size_t>(known->second)].text;
    size_t start = text.starts_with("self") ? 4 : text.find("']");
    if (start == std::string::npos) return {};
    if (!text.starts_with("self")) start += 2;
    std::string path;
    for (char c : text.substr(start)) {
        if (c == '[' || c == '.') {
            if (!path.empty()) path += '.';
        } else if (c != ']') {
            path += c;
        }
    }
    return path;
}

std::vector<GuardText> Capture::guardTexts() const {
    std::vector<GuardText> texts;
    for (const Guard& g : guards_) {
        if (g.check.what == What::CheckKind && matchesTensor(g.check.slot)) continue;
        texts.push_back(g.text);
        if (!g.text.where.known()) texts.back().where = here();
    }
    if (settled_) addSizeTexts(*settled_, texts);
    return texts;
}

} // namespace cutaway::capture
