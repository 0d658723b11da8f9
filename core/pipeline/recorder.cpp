// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/recorder.h"

#include "core/base/said.h"
#include "core/base/text.h"
#include "core/base/tick.h"
#include "core/fusion/extent.h"
#include "core/ir/printer.h"
#include "core/kernel/printer.h"
#include "core/pipeline/gpu_load.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>

namespace cutaway::pipeline {

using record::ItemId;
using record::kNoItem;

ItemId RecordBuilder::addItem(record::ItemKind kind, std::string key) {
    record.items.push_back({kind, std::move(key)});
    return static_cast<ItemId>(record.items.size() - 1);
}

void RecordBuilder::addSource(const std::string& name, const std::string& text) {
    record::SourceFile file{name, text, {}};
    int lines = 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    for (int line = 1; line <= lines; ++line)
        file.lineItems.push_back(
            addItem(record::ItemKind::SourceLine, fmt::format("source/{}:{}", name, line)));
    record.files.push_back(std::move(file));
}

ItemId RecordBuilder::sourceLine(const base::Location& where) const {
    for (const record::SourceFile& file : record.files)
        if (file.name == where.file && where.line >= 1 &&
            static_cast<size_t>(where.line) <= file.lineItems.size())
            return file.lineItems[static_cast<size_t>(where.line) - 1];
    return kNoItem;
}

record::Function& RecordBuilder::function(const std::string& name, const base::Location& where) {
    for (record::Function& known : record.functions)
        if (known.name == name && known.where == where) return known;
    record.functions.push_back({name, where, {}});
    return record.functions.back();
}

EntryRecorder::EntryRecorder(RecordBuilder& builder, record::Function& function)
    : builder_(builder), functionName_(function.name),
      functionIndex_(static_cast<size_t>(&function - builder.record.functions.data())),
      entryIndex_(function.entries.size()) {
    function.entries.emplace_back();
}

std::unique_ptr<EntryRecorder> EntryRecorder::forBackward() const {
    record::Function& function = builder_.record.functions[functionIndex_];
    auto later = std::make_unique<EntryRecorder>(builder_, function);
    const record::Entry& first = function.entries[entryIndex_];
    record::Entry& entry = later->entry();
    entry.backwardOf = static_cast<int>(entryIndex_);
    entry.segment = first.segment;
    entry.call = first.call;
    entry.device = first.device;
    entry.backend = first.backend;
    later->nodeItems_ = nodeItems_;
    return later;
}

record::Entry& EntryRecorder::entry() {
    return builder_.record.functions[functionIndex_].entries[entryIndex_];
}

std::string EntryRecorder::key(const std::string& rest) const {
    return fmt::format("{}.{}/{}", functionName_, entryIndex_, rest);
}

ItemId EntryRecorder::nodeItem(const std::string& graphName, ir::NodeId id) const {
    auto items = nodeItems_.find(graphName);
    if (items == nodeItems_.end() || id.index >= items->second.size()) return kNoItem;
    return items->second[id.index];
}

/// "f32[4, 3]", with its strides where it does not lie row by row: "f32[4, 3][1, 4]".
static std::string tensorText(const ir::TensorType& type) {
    return type.isContiguous() || type.strides.size() != type.sizes.size()
               ? type.str()
               : type.str() + ir::str(type.strides);
}

static std::string typeText(const ir::Node& node) {
    if (!node.tuple) return tensorText(node.type());
    std::string text;
    for (const ir::TensorType& type : node.types)
        text += (text.empty() ? "(" : ", ") + tensorText(type);
    return text + ")";
}

static record::GraphNode describe(const ir::Node& node, const ir::Graph& graph) {
    static constexpr const char* kKinds[] = {"placeholder", "constant", "call"};
    record::GraphNode row;
    row.name = node.name;
    row.kind = kKinds[static_cast<size_t>(node.kind)];
    if (node.kind == ir::NodeKind::Call) row.op = ir::qualifiedOpName(node.op);
    row.text = ir::print(node, graph);
    if (!node.inputSource.empty()) row.text += "  # " + node.inputSource;
    row.type = typeText(node);
    for (const ir::TensorType& type : node.types)
        if (type.staticSizes()) row.bytes += type.bytes();
    if (node.source)
        for (const ir::SourceFrame& frame : *node.source)
            row.source.push_back(frame.where);
    row.modulePath = node.modulePath;
    row.backward = node.backward;
    row.rule = node.rule;
    return row;
}

void EntryRecorder::addGraph(const ir::Graph& graph, const std::string& parent) {
    std::vector<ItemId>& items = nodeItems_[graph.graphName];
    items.assign(graph.idLimit(), kNoItem);
    record::GraphStage stage;
    stage.name = graph.graphName;
    stage.text = ir::print(graph);
    for (ir::NodeId id : graph.order()) {
        base::tick();
        const ir::Node& node = graph.node(id);
        record::GraphNode row = describe(node, graph);
        row.item = items[id.index] = builder_.addItem(
            record::ItemKind::Node, key(fmt::format("{}/{}", graph.graphName, node.name)));
        for (ir::NodeId input : ir::inputNodes(node.args))
            row.inputs.push_back(items[input.index]);
        if (parent.empty()) {
            std::set<ItemId> lines; // one line may be on the stack twice
            for (const base::Location& where : row.source)
                lines.insert(builder_.sourceLine(where));
            if (auto made = moduleLines_.upper_bound(id.index);
                node.kind == ir::NodeKind::Call && made != moduleLines_.begin())
                for (const base::Location& where : std::prev(made)->second)
                    lines.insert(builder_.sourceLine(where));
            for (ItemId line : lines)
                if (line != kNoItem) builder_.link(row.item, line);
        }
        for (ir::NodeId from : node.from)
            if (ItemId item = nodeItem(parent, from); item != kNoItem)
                builder_.link(row.item, item);
        stage.nodes.push_back(std::move(row));
    }
    for (ir::NodeId output : graph.outputs)
        stage.outputs.push_back(output.valid() ? items[output.index] : kNoItem);
    entry().graphs.push_back(std::move(stage));
}

void EntryRecorder::addPartition(const partition::Partition& partition) {
    record::Entry& entry = this->entry();
    entry.hasPartition = true;
    entry.partition.algorithm = partition.algorithm;
    entry.partition.cutWeight = partition.cutWeight;
    entry.partition.budget = partition.budget;
    std::unordered_map<ItemId, const record::GraphNode*> rows;
    for (const record::GraphNode& node : entry.graph("joint")->nodes)
        rows.emplace(node.item, &node);
    auto row = [&](ir::NodeId id) -> const record::GraphNode* {
        auto found = rows.find(nodeItem("joint", id));
        return found == rows.end() ? nullptr : found->second;
    };
    for (const partition::SavedTensor& saved : partition.saved)
        if (const record::GraphNode* node = row(saved.node))
            entry.partition.saved.push_back(
                {node->item, node->name, saved.bytes, saved.input, saved.reason});
    for (const partition::RecomputedValue& value : partition.recomputed)
        if (const record::GraphNode* node = row(value.node))
            entry.partition.recomputed.push_back(
                {node->item, node->name, node->op, value.bytes, value.reason});
}

void EntryRecorder::addChoices(const partition::Partition& partition) {
    record::Partition& into = entry().partition;
    auto point = [](const partition::Estimate& of) {
        return record::MemoryPoint{of.savedBytes, of.peakBytes, of.us, of.saved, of.recomputed};
    };
    into.point = point(partition.point);
    for (const partition::Estimate& estimate : partition.curve)
        into.curve.push_back(point(estimate));
}

static const char* kindText(kernel::BufferKind kind) {
    switch (kind) {
    case kernel::BufferKind::Input:
        return "input";
    case kernel::BufferKind::Constant:
        return "constant";
    case kernel::BufferKind::Pointwise:
        return "pointwise";
    case kernel::BufferKind::Scatter:
        return "scatter";
    case kernel::BufferKind::Reduction:
        return "reduction";
    case kernel::BufferKind::Library:
        return "library";
    case kernel::BufferKind::Result:
        return "result";
    }
    return "";
}

static record::MemoryPlan describe(const memory::MemoryPlan& plan,
                                   const kernel::KernelProgram& program) {
    const kernel::LoopProgram& loops = program.loops;
    static constexpr const char* kKinds[] = {"input", "constant", "output", "arena"};
    record::MemoryPlan result{plan.arenaBytes, plan.unsharedBytes, {}};
    for (const memory::Placement& place : plan.placements)
        result.items.push_back({loops.buffer(place.buffer).name,
                                kKinds[static_cast<size_t>(place.kind)], place.reason, place.offset,
                                place.bytes, place.firstKernel, place.lastKernel});
    const auto reasonOf = [&](const auto& of) {
        return loops.shapes
                   ? base::said("{} has them for itself while it runs, in a block that all "
                                "calls share; at other sizes it is asked again",
                                of)
                   : base::said("{} has them for itself while it runs, in a block that all "
                                "calls share",
                                of);
    };
    for (const memory::Workspace& one : plan.workspaces)
        result.items.push_back({program.kernels[static_cast<size_t>(one.kernel)].name, "workspace",
                                reasonOf(one.of), 0, one.bytes, one.kernel, one.kernel});
    return result;
}

record::LoweredGraph& EntryRecorder::lowered(const std::string& graphName) {
    for (record::LoweredGraph& known : entry().lowered)
        if (known.graph == graphName) return known;
    entry().lowered.emplace_back().graph = graphName;
    return entry().lowered.back();
}

void EntryRecorder::addLoops(const kernel::LoopProgram& loops) {
    std::vector<ItemId>& items = bufferItems_[loops.name];
    record::LoweredGraph& lowered = this->lowered(loops.name);
    lowered.sizes = base::splitLines(kernel::printSizes(loops));
    lowered.ending = base::splitLines(kernel::printEnding(loops));
    for (const kernel::Buffer& buffer : loops.buffers) {
        base::tick();
        record::LoopBuffer row;
        row.item = builder_.addItem(record::ItemKind::Buffer,
                                    key(fmt::format("{}/buffer/{}", loops.name, buffer.name)));
        items.push_back(row.item);
        row.name = buffer.name;
        row.kind = kindText(buffer.kind);
        row.type = tensorText({buffer.dtype, buffer.sizes, buffer.strides, buffer.device});
        row.text = kernel::print(loops, buffer);
        row.bytes = fusion::distinctBytesOf(loops, buffer);
        for (uint32_t from : buffer.from)
            if (ItemId item = nodeItem(loops.name, ir::NodeId(from)); item != kNoItem)
                builder_.link(row.item, item);
        lowered.buffers.push_back(std::move(row));
    }
}

void EntryRecorder::addKernels(const kernel::KernelProgram& program) {
    const kernel::LoopProgram& loops = program.loops;
    const std::vector<ItemId>& items = bufferItems_[loops.name];
    record::LoweredGraph& lowered = this->lowered(loops.name);
    for (const kernel::FusionDecision& decision : program.decisions)
        lowered.decisions.push_back({items[decision.a.index], items[decision.b.index],
                                     decision.fused, decision.rule, decision.reason,
                                     decision.bytesSaved});
    for (const kernel::Kernel& kernel : program.kernels) {
        base::tick();
        record::KernelInfo row;
        row.item = builder_.addItem(record::ItemKind::Kernel,
                                    key(fmt::format("{}/kernel/{}", loops.name, kernel.name)));
        row.name = kernel.name;
        row.kind = kernel.call ? kernel::info(kernel.call->op).name : "loops";
        row.device = kernel.device.str();
        for (kernel::BufferId member : kernel.members) {
            row.buffers.push_back(items[member.index]);
            builder_.link(row.item, items[member.index]);
        }
        for (kernel::BufferId read : kernel.reads)
            row.reads.push_back(loops.buffer(read).name);
        for (kernel::BufferId write : kernel.writes)
            row.writes.push_back(loops.buffer(write).name);
        row.bytesRead = kernel.bytesRead;
        row.bytesWritten = kernel.bytesWritten;
        row.flops = kernel.flops;
        row.schedule = kernel.reasons;
        record::Code code;
        code.language = "loops";
        for (std::string& line : base::splitLines(kernel::print(loops, kernel)))
            code.lines.push_back({kNoItem, std::move(line)});
        row.codes.push_back(std::move(code));
        lowered.kernels.push_back(std::move(row));
    }
}

void EntryRecorder::addMemory(const kernel::KernelProgram& program,
                              const memory::MemoryPlan& plan) {
    record::LoweredGraph& lowered = this->lowered(program.loops.name);
    lowered.memory = describe(plan, program);
    for (size_t i = 0; i < lowered.buffers.size(); ++i)
        lowered.buffers[i].inMemory = plan.find(program.loops.buffers[i].id) != nullptr;
}

void EntryRecorder::addCode(const std::string& graphName, size_t index,
                            const runtime::Target& target, const codegen::KernelSource& source,
                            bool launched) {
    const std::string language(target.language());
    const std::vector<ItemId>& buffers = bufferItems_[graphName];
    record::KernelInfo& kernel = lowered(graphName).kernels[index];
    record::Code code;
    code.language = language;
    code.hiddenPrefix = source.preludeLines;
    for (std::string& line : base::splitLines(source.text))
        code.lines.push_back({kNoItem, std::move(line)});
    for (const codegen::LineOrigin& origin : source.lines) {
        auto line = static_cast<size_t>(origin.line) - 1;
        if (line >= code.lines.size() || origin.buffers.empty()) continue;
        ItemId item = builder_.addItem(
            record::ItemKind::CodeLine,
            key(fmt::format("{}/{}/{}:{}", graphName, language, kernel.name, origin.line)));
        code.lines[line].item = item;
        // What a whole kernel does comes from the kernel: a link for each of its buffers on each of
        // its lines would grow with the square of the graph.
        if (origin.buffers.size() == kernel.buffers.size()) {
            builder_.link(item, kernel.item);
            continue;
        }
        for (kernel::BufferId buffer : origin.buffers)
            builder_.link(item, buffers[buffer.index]);
    }
    kernel.codes.push_back(std::move(code));
    if (language == "cuda") kernel.gpu = predictedLoad(kernel, source);
    std::string launch = launched ? target.launchText(source) : std::string();
    if (!launch.empty()) kernel.schedule.push_back(std::move(launch));
}

void EntryRecorder::addReason(const std::string& graphName, size_t index, std::string reason) {
    for (record::LoweredGraph& lowered : entry().lowered)
        if (lowered.graph == graphName) {
            lowered.kernels[index].schedule.push_back(std::move(reason));
            return;
        }
}

/// "cpu", "cuda"
static std::string targetName(ir::Device::Kind kind) {
    const std::string name = ir::Device{kind, 0}.str();
    return name.substr(0, name.find(':'));
}

/// What is taken, in words.
static std::vector<std::string> linesOf(const schedule::Schedule& schedule) {
    const schedule::Candidate& chosen = schedule.chosen();
    std::vector<std::string> lines{
        schedule.forced
            ? base::said("{}: {:.2f} us predicted, asked for", chosen.str(), chosen.predictedUs)
            : base::said("{}: {:.2f} us predicted", chosen.str(), chosen.predictedUs)};
    lines.insert(lines.end(), chosen.reasons.begin(), chosen.reasons.end());
    return lines;
}

void EntryRecorder::addSchedules(const std::string& graphName, ir::Device::Kind kind,
                                 const std::vector<schedule::Schedule>& schedules, bool launched) {
    const std::string target = targetName(kind);
    record::LoweredGraph& lowered = this->lowered(graphName);
    for (size_t k = 0; k < schedules.size(); ++k) {
        const schedule::Schedule& schedule = schedules[k];
        record::KernelInfo& kernel = lowered.kernels[k];
        for (size_t i = 0; i < schedule.considered.size(); ++i) {
            const schedule::Candidate& candidate = schedule.considered[i];
            const bool taken = static_cast<int>(i) == schedule.taken;
            kernel.candidates.push_back({target, candidate.by, candidate.decisions.str(),
                                         candidate.predictedUs, candidate.reasons,
                                         candidate.refused, taken, taken && schedule.forced});
        }
        if (!launched || schedule.taken < 0) continue;
        for (std::string& line : linesOf(schedule))
            kernel.schedule.push_back(std::move(line));
    }
}

void EntryRecorder::addMeasured(const std::string& graphName, ir::Device::Kind kind,
                                const std::vector<schedule::Schedule>& schedules) {
    const std::string target = targetName(kind);
    record::LoweredGraph& lowered = this->lowered(graphName);
    for (size_t k = 0; k < schedules.size(); ++k) {
        const schedule::Schedule& schedule = schedules[k];
        if (schedule.taken < 0) continue;
        record::KernelInfo& kernel = lowered.kernels[k];
        size_t number = 0;
        for (record::ScheduleCandidate& candidate : kernel.candidates) {
            if (candidate.target != target) continue;
            const schedule::Candidate& measured = schedule.considered[number];
            candidate.measuredUs = measured.measuredUs;
            candidate.reasons = measured.reasons;
            candidate.taken = static_cast<int>(number++) == schedule.taken;
        }
        // Behind what fusion says of the loops.
        const auto before = std::ranges::find_if(kernel.schedule, [](const std::string& line) {
            return line.find(" us predicted") != std::string::npos;
        });
        kernel.schedule.erase(before, kernel.schedule.end());
        for (std::string& line : linesOf(schedule))
            kernel.schedule.push_back(std::move(line));
    }
}

void EntryRecorder::addTime(const std::string& stage, double ms) {
    entry().times.push_back({stage, ms});
}

} // namespace cutaway::pipeline
