// SPDX-License-Identifier: Apache-2.0
#include "core/driver/stories.h"

#include "core/ir/parser.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/row_tree.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/walk_tree.h"
#include "core/ops/parse_graph.h"
#include "core/partition/wishes.h"
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

/// The loop program of a record; library calls and what else only their results matter of are
/// inputs.
Result<kernel::LoopProgram> programOf(const record::LoweredGraph& lowered,
                                      const std::string& loops) {
    std::string text = fmt::format("loops {}:\n", lowered.graph);
    for (const record::LoopBuffer& buffer : lowered.buffers) {
        const bool computed = buffer.kind == "pointwise" || buffer.kind == "reduction";
        const std::string line =
            computed ? buffer.text : buffer.text.substr(0, buffer.text.find(" = ")) + " = input";
        text += std::string(kIndent) + line + "\n";
    }
    const size_t checks = checksIn(text + loops);
    for (size_t i = 0; i < checks; ++i)
        text += fmt::format("{}check{}: divisor of it\n", kIndent, i);
    return kernel::parseLoops(text, lowered.graph);
}

const record::Code* loopsOf(const record::KernelInfo& kernel) {
    for (const record::Code& code : kernel.codes)
        if (code.language == "loops") return &code;
    return nullptr;
}

/// How many iterations the kernel does at once on a processor, as it was scheduled.
int64_t lanesOf(const record::KernelInfo& kernel) {
    for (const record::ScheduleCandidate& one : kernel.candidates)
        if (one.taken && one.target == "cpu" && kernel.device == "cpu")
            if (const auto candidate = schedule::parseCandidate(one.text()))
                return std::max<int64_t>(1, candidate->decisions.get("vector", 1));
    return 1;
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
        story_.whole = walk_.whole;
        return std::move(story_);
    }

private:
    KernelStory::Moment momentOf(const kernel::WalkMoment& moment) {
        KernelStory::Moment out;
        out.line = lines_[moment.step.index];
        for (size_t a = 0; a < moment.at.size(); ++a)
            if (moment.at[a] >= 0) {
                const bool several =
                    moment.lanes > 1 && tree_.axes[a].variable == kernel::innerVar();
                out.at += fmt::format(
                    "{}{} = {}{}", out.at.empty() ? "" : ", ", nameOf(a), moment.at[a],
                    several ? fmt::format("…{}", moment.at[a] + moment.lanes - 1) : std::string());
            }
        constexpr const char* kKinds[] = {"read", "write", "accumulate"};
        for (const kernel::Touch& touch : moment.touches)
            out.touches.push_back(
                {kKinds[static_cast<size_t>(touch.kind)], numberOf(touch.buffer), touch.coords});
        return out;
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
                               const record::KernelInfo& kernel) {
    const record::Code* code = loopsOf(kernel);
    if (kernel.kind != "loops" || !code)
        return base::userError({}, fmt::format("kernel {} is computed by a library ({}): it has no "
                                               "loops to follow",
                                               kernel.name, kernel.kind));
    std::string text;
    for (size_t i = 1; i < code->lines.size(); ++i) {
        std::string_view line = code->lines[i].text;
        if (line.starts_with(kIndent)) line.remove_prefix(kIndent.size());
        text += std::string(line) + "\n";
    }
    CUTAWAY_TRY(kernel::LoopProgram program, programOf(lowered, text));
    CUTAWAY_TRY(const kernel::LoopTree tree, kernel::parseTree(program, text));
    const auto depth = static_cast<size_t>(kernel::depthOf(tree));
    kernel::WalkLimits limits;
    limits.lanes = lanesOf(kernel);
    limits.symbol = KernelTeller::kSymbol;
    limits.iterations = kIterations[std::min(depth, std::size(kIterations) - 1)];
    const kernel::Walk walk = kernel::walkTree(program, tree, limits);
    KernelStory story = KernelTeller(program, tree, walk).tell();
    for (const record::CodeLine& line : code->lines)
        story.lines.push_back(line.text);
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
