// SPDX-License-Identifier: Apache-2.0
#include "core/driver/stories.h"

#include "core/base/text.h"
#include "core/ir/parser.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/nest.h"
#include "core/kernel/row_tree.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/walk_tree.h"
#include "core/ops/parse_graph.h"
#include "core/partition/wishes.h"
#include "core/schedule/cpu_plan.h"
#include "core/schedule/cuda_tree.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace cutaway::driver {

using base::Result;

namespace {

constexpr std::string_view kIndent = "    ";
/// Iterations of each loop that are walked, by how deep loops lie in each other.
constexpr int64_t kIterations[] = {1, 24, 6, 4, 3};
// Who shares loops, as many as can be told apart.
constexpr int kMostThreads = 4, kMostBlocks = 2, kMostInBlock = 4, kMostRows = 2;
constexpr int kWarp = 32;

/// How many checks a text names; what they ask is not recorded, and nothing is checked here.
size_t checksIn(const std::string& text) {
    size_t most = 0;
    for (size_t at = text.find("check"); at != std::string::npos; at = text.find("check", at + 5)) {
        char* end = nullptr;
        const unsigned long number = std::strtoul(text.c_str() + at + 5, &end, 10);
        const bool named = end != text.c_str() + at + 5 && *end == '(' && number < 100000;
        if (named && (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]))))
            most = std::max<size_t>(most, number + 1);
    }
    return most;
}

/// The loops of a record and one kernel on them; library calls and what else only their results
/// matter of are inputs, and so are other kernels.
Result<kernel::KernelProgram> programOf(const record::LoweredGraph& lowered,
                                        const record::KernelInfo& recorded,
                                        const record::Code& loops) {
    std::string text = fmt::format("loops {}:\n", lowered.graph), own;
    for (const std::string& size : lowered.sizes)
        text += size + "\n";
    for (const record::LoopBuffer& buffer : lowered.buffers) {
        const bool computed = buffer.kind == "pointwise" || buffer.kind == "reduction";
        const std::string line =
            computed ? buffer.text : buffer.text.substr(0, buffer.text.find(" = ")) + " = input";
        text += std::string(kIndent) + line + "\n";
    }
    for (size_t i = 1; i < loops.lines.size(); ++i) {
        std::string_view line = loops.lines[i].text;
        if (line.starts_with(kIndent)) line.remove_prefix(kIndent.size());
        own += std::string(line) + "\n";
    }
    const size_t checks = checksIn(text + own);
    for (size_t i = 0; i < checks; ++i)
        text += fmt::format("{}check{}: divisor of it\n", kIndent, i);
    kernel::KernelProgram program;
    CUTAWAY_TRY(program.loops, kernel::parseLoops(text, lowered.graph));
    kernel::Kernel kernel;
    kernel.id = kernel::KernelId(0);
    kernel.name = recorded.name;
    CUTAWAY_TRY(kernel.tree, kernel::parseTree(program.loops, own));
    kernel.oneLoop = kernel::withOneLoop(program.loops, *kernel.tree);
    program.kernels.push_back(std::move(kernel));
    return program;
}

const record::Code* loopsOf(const record::KernelInfo& kernel) {
    for (const record::Code& code : kernel.codes)
        if (code.language == "loops") return &code;
    return nullptr;
}

/// What the kernel runs by there, or would; null: nothing can run it there.
const record::ScheduleCandidate* candidateOf(const record::KernelInfo& kernel,
                                             const std::string& target) {
    const record::ScheduleCandidate* best = nullptr;
    for (const record::ScheduleCandidate& one : kernel.candidates) {
        if (one.target != target || !one.refused.empty()) continue;
        if (one.taken) return &one;
        if (!best || one.predictedUs < best->predictedUs) best = &one;
    }
    return best;
}

/// Loops, and who shares them.
struct Scheduled {
    kernel::LoopProgram program;
    kernel::LoopTree tree;
    kernel::WalkLimits limits;
    std::string schedule;
    int64_t threads = 0, blocks = 0, block = 0;
};

Result<Scheduled> scheduled(const kernel::KernelProgram& program,
                            const record::KernelInfo& recorded, const std::string& target) {
    const kernel::Kernel& kernel = program.kernels.front();
    Scheduled out{program.loops, *kernel.tree, {}, {}};
    if (target.empty()) return out;
    const record::ScheduleCandidate* wanted = candidateOf(recorded, target);
    if (!wanted)
        return base::userError({}, fmt::format("no schedule for {} runs kernel {}",
                                               target == "cuda" ? "a GPU" : "a processor",
                                               recorded.name));
    CUTAWAY_TRY(const schedule::Candidate candidate, schedule::parseCandidate(wanted->text()));
    out.schedule = wanted->text();
    if (target == "cpu") {
        schedule::CpuLoops loops = schedule::cpuLoops(program, kernel, candidate);
        if (loops.split) out.program = std::move(*loops.split);
        out.tree = std::move(loops.tree);
        out.threads = loops.plan.threads;
        out.limits.lanes = loops.plan.vector;
        out.limits.threads = std::min(loops.plan.threads, kMostThreads);
    } else {
        schedule::CudaLoops loops = schedule::cudaLoops(program, kernel, candidate);
        out.tree = std::move(loops.tree);
        out.blocks = loops.plan.blocks;
        out.block = loops.plan.style == schedule::CudaPlan::Style::Rows
                        ? int64_t{loops.plan.tx} * loops.plan.ty
                        : loops.plan.threads;
        out.limits.lanes = std::max(1, loops.plan.vector);
        out.limits.blocks = static_cast<int>(std::clamp<int64_t>(out.blocks, 1, kMostBlocks));
        // A row is of some lanes, and a block has some rows; else it has threads.
        const bool rows = loops.plan.style == schedule::CudaPlan::Style::Rows;
        const int lanes = loops.plan.tx <= kWarp ? loops.plan.tx : 1;
        out.limits.warp = std::min(lanes, kMostInBlock);
        out.limits.block =
            static_cast<int>(rows && lanes > 1 ? std::min(loops.plan.ty, kMostRows)
                                               : std::clamp<int64_t>(out.block, 1, kMostInBlock));
    }
    return out;
}

/// By StepId: the line below the kernel's head.
std::vector<int> linesOf(const kernel::LoopTree& tree) {
    std::vector<int> lines(tree.steps.size());
    int next = 1;
    kernel::visitSteps(tree, tree.root,
                       [&](const kernel::Step& step, const std::vector<kernel::StepId>&) {
                           lines[static_cast<size_t>(&step - tree.steps.data())] = next++;
                       });
    return lines;
}

class KernelTeller {
public:
    KernelTeller(const kernel::LoopProgram& program, const kernel::LoopTree& tree,
                 const kernel::Walk& walk)
        : program_(program), tree_(tree), walk_(walk), lines_(linesOf(tree)) {}

    KernelStory tell() {
        for (const kernel::WalkMoment& moment : walk_.moments)
            story_.moments.push_back(momentOf(moment));
        for (size_t a = 0; a < tree_.axes.size(); ++a)
            if (walk_.shown[a] < walk_.extents[a])
                story_.left.push_back({nameOf(a), walk_.shown[a], walk_.extents[a]});
        for (const kernel::Worker& worker : walk_.workers)
            story_.workers.push_back({worker.block, worker.thread});
        story_.whole = walk_.whole;
        return std::move(story_);
    }

private:
    KernelStory::Moment momentOf(const kernel::WalkMoment& moment) {
        KernelStory::Moment out;
        out.line = lines_[moment.step.index];
        out.at = whereOf(moment);
        constexpr const char* kKinds[] = {"read", "write", "accumulate"};
        for (const kernel::Touch& touch : moment.touches)
            out.touches.push_back({kKinds[static_cast<size_t>(touch.kind)], numberOf(touch.buffer),
                                   touch.coords, touch.worker});
        return out;
    }

    /// "o0 = 2, i = 0…7"; of several "i = 0…7 | 8…15", in the order of the workers.
    std::string whereOf(const kernel::WalkMoment& moment) const {
        std::string text;
        for (size_t a = 0; a < tree_.axes.size(); ++a) {
            std::vector<std::string> places;
            for (const kernel::Share& share : moment.shares) {
                if (share.at[a] < 0) continue;
                const bool several =
                    share.lanes > 1 && tree_.axes[a].variable == kernel::innerVar();
                std::string place = std::to_string(share.at[a]);
                if (several) place += fmt::format("…{}", share.at[a] + share.lanes - 1);
                if (std::ranges::find(places, place) == places.end())
                    places.push_back(std::move(place));
            }
            if (!places.empty())
                text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", nameOf(a),
                                    fmt::join(places, " | "));
        }
        return text;
    }

    /// As the loops print it.
    std::string nameOf(size_t axis) const {
        const ir::Var variable = tree_.axes[axis].variable;
        return variable.kind == 'i' ? "i" : variable.str();
    }

    int numberOf(kernel::BufferId id) {
        const auto [at, added] = numbers_.try_emplace(id, static_cast<int>(story_.buffers.size()));
        if (added) {
            const kernel::Buffer& buffer = program_.buffer(id);
            KernelStory::Buffer row{
                buffer.name, std::string(ir::shortName(buffer.dtype)) + ir::str(buffer.sizes), {}};
            for (const ir::Sym& size : buffer.sizes)
                row.sizes.push_back(kernel::sizeWith(size, kSymbol));
            story_.buffers.push_back(std::move(row));
        }
        return at->second;
    }

public:
    static constexpr int64_t kSymbol = 4;

private:
    const kernel::LoopProgram& program_;
    const kernel::LoopTree& tree_;
    const kernel::Walk& walk_;
    std::vector<int> lines_;
    std::map<kernel::BufferId, int> numbers_;
    KernelStory story_;
};

} // namespace

Result<KernelStory> tellKernel(const record::LoweredGraph& lowered,
                               const record::KernelInfo& kernel, const std::string& target) {
    const record::Code* code = loopsOf(kernel);
    if (kernel.kind != "loops" || !code)
        return base::userError({}, fmt::format("kernel {} is computed by a library ({}): it has no "
                                               "loops to follow",
                                               kernel.name, kernel.kind));
    CUTAWAY_TRY(const kernel::KernelProgram program, programOf(lowered, kernel, *code));
    CUTAWAY_TRY(Scheduled loops, scheduled(program, kernel, target));
    const auto depth = static_cast<size_t>(kernel::depthOf(loops.tree));
    loops.limits.symbol = KernelTeller::kSymbol;
    loops.limits.iterations = kIterations[std::min(depth, std::size(kIterations) - 1)];
    const kernel::Walk walk = kernel::walkTree(loops.program, loops.tree, loops.limits);
    KernelStory story = KernelTeller(loops.program, loops.tree, walk).tell();
    story.lines = {code->lines.front().text};
    for (const std::string& line : base::splitLines(kernel::print(loops.program, loops.tree, 1)))
        if (!line.empty()) story.lines.push_back(line);
    story.schedule = std::move(loops.schedule);
    story.threads = loops.threads, story.blocks = loops.blocks, story.block = loops.block;
    return story;
}

namespace {

std::vector<partition::Wish> wishesOf(const std::vector<std::string>& decisions) {
    std::vector<partition::Wish> wishes;
    for (const std::string& decision : decisions)
        for (const auto& [verb, save] : {std::pair{"save ", true}, {"recompute ", false}})
            if (decision.starts_with(verb))
                wishes.push_back({decision.substr(std::string_view(verb).size()), save});
    return wishes;
}

std::vector<std::string> namesOf(const ir::Graph& graph, const std::vector<ir::NodeId>& ids) {
    std::vector<std::string> names;
    for (ir::NodeId id : ids)
        names.push_back(graph.node(id).name);
    return names;
}

/// What the record saved, to be compared.
std::set<std::string> savedOf(const record::Entry& entry) {
    std::set<std::string> names;
    for (const record::SavedTensor& saved : entry.partition.saved)
        names.insert(saved.name);
    return names;
}

} // namespace

Result<CutTale> tellCut(const record::Entry& entry, const std::vector<std::string>& decisions) {
    const record::GraphStage* stage = entry.graph("joint");
    if (!entry.hasPartition || !stage)
        return base::userError({}, "nothing here requires a gradient: there is no cut to follow");
    if (entry.partition.algorithm != "min_cut")
        return base::userError({}, fmt::format("the partitioner was '{}', not the minimum cut: "
                                               "there are no paths to follow",
                                               entry.partition.algorithm));
    autodiff::JointGraph joint;
    CUTAWAY_TRY(joint.graph, ops::parseGraph(stage->text, "joint"));
    size_t primals = 0;
    for (ir::NodeId id : joint.graph.placeholders()) {
        const bool tangent = joint.graph.node(id).name.starts_with("tangents_");
        // Which output each belongs to plays no part in the cut.
        if (tangent) joint.tangentOutputs.push_back(0);
        primals += !tangent;
    }
    joint.forwardOutputs = static_cast<int>(joint.graph.outputs.size() - primals);
    const partition::JointInfo info(joint);
    std::vector<partition::Wish> wishes = wishesOf(decisions);
    CUTAWAY_TRY(const partition::CutStory story,
                partition::followMinCut(info, partition::wishedNodes(info, wishes)));
    CutTale tale;
    tale.value = story.value;
    for (const partition::CutStep& step : story.steps)
        tale.steps.push_back({namesOf(joint.graph, step.path),
                              step.narrow.valid() ? joint.graph.node(step.narrow).name : "",
                              step.flow, step.total});
    for (const auto& round : story.rounds)
        tale.rounds.push_back(namesOf(joint.graph, round));
    tale.saved = namesOf(joint.graph, story.saved);
    // What the backward does not use is cut, but not saved.
    const std::set<std::string> recorded = savedOf(entry);
    std::erase_if(tale.saved, [&](const std::string& name) { return !recorded.contains(name); });
    if (tale.saved.size() != recorded.size())
        return base::userError({}, "the recorded graph was cut otherwise than its text tells",
                               "compile the script again");
    return tale;
}

} // namespace cutaway::driver
