// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/fuse.h"

#include "core/base/said.h"
#include "core/base/tick.h"
#include "core/fusion/build.h"
#include "core/fusion/decisions.h"
#include "core/fusion/epilogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <queue>
#include <set>
#include <stdexcept>
#include <utility>

namespace cutaway::fusion {

using kernel::Buffer;
using kernel::BufferKind;
using kernel::Kernel;
using kernel::KernelProgram;
using kernel::LoopProgram;

namespace {

class Fuser {
public:
    Fuser(LoopProgram program, const FusionOptions& options) : options_(options) {
        result_.loops = std::move(program);
    }

    KernelProgram run() {
        LoopProgram& program = result_.loops;
        analysis_ = analyse(program, options_.fuse);
        wished_ = wishedPairs(program, options_.fuse ? options_.wishes : nullptr);
        epilogues_ =
            findEpilogues(program, analysis_, options_.fuse && options_.epilogues, wished_);
        grouping_ = groupBuffers(program, analysis_, epilogues_.owner, options_.fuse, wished_);
        findStores();
        if (options_.fuse) recomputeCheapStores();
        for (uint32_t group : order())
            addKernel(grouping_.groups[group]);
        result_.decisions = explain(program, analysis_, grouping_, stores_, options_.fuse);
        tellMet();
        return std::move(result_);
    }

private:
    void findStores();
    void recomputeCheapStores();
    void tellMet() const;
    std::vector<uint32_t> order() const;
    void addKernel(const Group& group);
    void addCall(const Group& group, Kernel& kernel);
    void addLoops(const Group& group, Kernel& kernel);
    std::string kernelName(const Kernel& kernel);
    int64_t trafficOf(const std::vector<BufferId>& buffers) const;

    FusionOptions options_;
    KernelProgram result_;
    Analysis analysis_;
    Epilogues epilogues_;
    Grouping grouping_;
    std::vector<WishedPair> wished_;
    std::vector<bool> stores_; ///< by BufferId: some kernel writes it to memory
    std::set<std::string> names_;
};

// A value reaches memory when a library, an output or another kernel reads it.
void Fuser::findStores() {
    const LoopProgram& program = result_.loops;
    stores_.assign(program.buffers.size(), false);
    for (const Buffer& buffer : program.buffers) {
        if (grouping_.groupOf[buffer.id.index] == Grouping::kNoGroup) continue;
        bool stored = analysis_[buffer.id].mustStore;
        for (BufferId consumer : analysis_[buffer.id].consumers)
            stored = stored || !grouping_.together(buffer.id, consumer);
        stores_[buffer.id.index] = stored;
    }
}

// A cheap value that other kernels read need not be stored when they can compute it from what is in
// memory anyway. Its readers then wait for its operands instead of for it: no new cycles.
void Fuser::recomputeCheapStores() {
    LoopProgram& program = result_.loops;
    std::vector<std::set<BufferId>> again(program.buffers.size()); ///< by consumer
    bool changed = false;
    // In order, so that a buffer's own operands are settled before it is looked at.
    for (const Buffer& buffer : program.buffers) {
        base::tick();
        if (!again[buffer.id.index].empty())
            recomputeIn(program, analysis_, buffer.id, again[buffer.id.index]);
        const BufferInfo& info = analysis_[buffer.id];
        if (!stores_[buffer.id.index] || info.mustStore || buffer.kind != BufferKind::Pointwise)
            continue;
        if (epilogues_.owner[buffer.id.index].valid() || !info.recomputes.empty()) continue;
        if (info.flops > 4 || info.loads.size() > (info.points == 1 ? size_t{2} : size_t{1}))
            continue;
        const bool inMemory =
            std::all_of(info.loads.begin(), info.loads.end(), [&](const Access& a) {
                const BufferKind kind = program.buffer(a.buffer).kind;
                return kind == BufferKind::Input || kind == BufferKind::Constant ||
                       stores_[a.buffer.index];
            });
        if (!inMemory) continue;
        for (BufferId consumer : info.consumers)
            if (!grouping_.together(buffer.id, consumer) &&
                analysis_[consumer].kind != LoopKind::None &&
                analysis_[consumer].nodes <= kMaxBody &&
                !wantedOf(wished_, {buffer.id}, consumer).apart)
                again[consumer.index].insert(buffer.id);
        changed = true;
    }
    if (changed) collectConsumers(program, analysis_);
    if (!changed) return;
    for (const Buffer& buffer : program.buffers) {
        uint32_t& index = grouping_.groupOf[buffer.id.index];
        if (index == Grouping::kNoGroup || !isOnlyRecomputed(program, analysis_, buffer.id))
            continue;
        Group& group = grouping_.groups[index];
        std::erase(group.members, buffer.id);
        group.alive = !group.members.empty();
        index = Grouping::kNoGroup;
    }
    findStores();
}

void Fuser::tellMet() const {
    auto alone = [&](BufferId id) { return grouping_.groupOf[id.index] == Grouping::kNoGroup; };
    for (const auto& [a, b, wish] : wished_) {
        if (alone(a) || alone(b)) {
            wish->problem = base::said("{} has no kernel of its own: it is computed wherever it is "
                                       "read",
                                       result_.loops.buffer(alone(a) ? a : b).name);
        } else if (grouping_.together(a, b) == wish->together) {
            wish->met = true;
        }
    }
}

// Topological; among kernels that are ready the one whose first buffer comes first.
std::vector<uint32_t> Fuser::order() const {
    const LoopProgram& program = result_.loops;
    const size_t count = grouping_.groups.size();
    std::vector<std::set<uint32_t>> after(count);
    std::vector<int> waiting(count);
    auto edge = [&](BufferId from, BufferId to) {
        const uint32_t a = grouping_.groupOf[from.index], b = grouping_.groupOf[to.index];
        if (a == Grouping::kNoGroup || b == Grouping::kNoGroup || a == b) return;
        if (after[a].insert(b).second) ++waiting[b];
    };
    for (const Buffer& buffer : program.buffers) {
        for (const Access& access : analysis_[buffer.id].loads)
            edge(access.buffer, buffer.id);
        if (!buffer.call || analysis_[buffer.id].kind != LoopKind::None) continue;
        for (const kernel::StridedView& view : buffer.call->reads())
            edge(view.buffer, buffer.id);
    }
    std::priority_queue<std::pair<uint32_t, uint32_t>, std::vector<std::pair<uint32_t, uint32_t>>,
                        std::greater<>>
        ready;
    auto enqueue = [&](uint32_t g) { ready.emplace(grouping_.groups[g].first, g); };
    for (uint32_t g = 0; g < count; ++g)
        if (grouping_.groups[g].alive && waiting[g] == 0) enqueue(g);
    std::vector<uint32_t> result;
    while (!ready.empty()) {
        const uint32_t g = ready.top().second;
        ready.pop();
        result.push_back(g);
        for (uint32_t next : after[g])
            if (--waiting[next] == 0) enqueue(next);
    }
    const auto alive = std::count_if(grouping_.groups.begin(), grouping_.groups.end(),
                                     [](const Group& group) { return group.alive; });
    if (std::cmp_not_equal(result.size(), alive))
        throw std::logic_error(fmt::format("{} of {} kernels wait for each other",
                                           alive - static_cast<long>(result.size()), alive));
    return result;
}

int64_t Fuser::trafficOf(const std::vector<BufferId>& buffers) const {
    int64_t bytes = 0;
    for (BufferId id : buffers)
        bytes += distinctBytesOf(result_.loops, result_.loops.buffer(id));
    return bytes;
}

std::string Fuser::kernelName(const Kernel& kernel) {
    std::string name(kernel.call ? kernel::info(kernel.call->op).prefix : "fused");
    if (!options_.fuse && kernel.hasCode()) name = "op";
    // The first ones and the last: a long chain is known by its ends.
    constexpr size_t kShown = 4;
    const size_t count = kernel.members.size();
    for (size_t i = 0; i < count; ++i) {
        if (count > kShown && i >= kShown - 1 && i + 1 < count) continue;
        name += "_" + result_.loops.buffer(kernel.members[i]).name;
    }
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    std::string unique = name;
    for (int i = 1; !names_.insert(unique).second; ++i)
        unique = fmt::format("{}_k{}", name, i);
    return unique;
}

void Fuser::addCall(const Group& group, Kernel& kernel) {
    const Buffer& called = result_.loops.buffer(group.members.front());
    kernel.call = called.call;
    kernel.call->epilogues = epilogues_.chains[called.id.index];
    kernel.members = group.members;
    kernel.writes = {group.members.back()};
    for (const kernel::StridedView& view : kernel.call->reads())
        if (std::find(kernel.reads.begin(), kernel.reads.end(), view.buffer) == kernel.reads.end())
            kernel.reads.push_back(view.buffer);
    kernel.flops = static_cast<double>(result_.loops.hint(kernel.call->flops()));
}

void Fuser::addLoops(const Group& group, Kernel& kernel) {
    BuiltKernel built = buildKernel(result_.loops, analysis_, grouping_, group, stores_);
    kernel.tree = std::move(built.tree);
    kernel.oneLoop = std::move(built.oneLoop);
    kernel.reasons = std::move(built.reasons);
    kernel.members = std::move(built.members);
    kernel.reads = std::move(built.reads);
    kernel.writes = std::move(built.writes);
    kernel.flops = built.flops;
}

void Fuser::addKernel(const Group& group) {
    // Nobody wants what a group without stores computes; a library call always has one.
    if (!group.library && std::none_of(group.members.begin(), group.members.end(),
                                       [&](BufferId id) { return stores_[id.index]; }))
        return;
    Kernel kernel;
    kernel.id = kernel::KernelId(static_cast<uint32_t>(result_.kernels.size()));
    kernel.device = group.device;
    if (group.library)
        addCall(group, kernel);
    else
        addLoops(group, kernel);
    kernel.bytesRead = trafficOf(kernel.reads);
    kernel.bytesWritten = trafficOf(kernel.writes);
    kernel.name = kernelName(kernel);
    result_.kernels.push_back(std::move(kernel));
}

} // namespace

KernelProgram fuse(LoopProgram program, const FusionOptions& options) {
    return Fuser(std::move(program), options).run();
}

} // namespace cutaway::fusion
